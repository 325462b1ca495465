"""LlamaIndex: an evaluator of responses.

RetryQueryEngine(engine, ClaimEvaluator())
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from groundrules.config import Config
from groundrules.guardrail import DEFAULT, NO_SOURCE, Policy, guard
from groundrules.integrations.grounds import documents, missing, reason, share_supported
from groundrules.terms import Conclusion

try:
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    from llama_index.core.prompts.mixin import PromptDictType
except ImportError:
    raise missing("LlamaIndex", "'groundrules[llamaindex]'") from None


_UNREAD = "not all of it could be checked"


class ClaimEvaluator(BaseEvaluator):
    """Evaluates whether a response holds against its contexts; the score is the share supported."""

    def __init__(self, policy: Policy = DEFAULT, config: Config | None = None) -> None:
        self._policy, self._config = policy, config

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """Take no prompts: no model is prompted."""

    def evaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **_: Any,
    ) -> EvaluationResult:
        """Evaluate a response, which does not pass where contexts has no word.

        ValueError where response or contexts is None.
        """
        if response is None or contexts is None:
            raise ValueError("expected a response and its contexts")
        found = guard(
            response,
            context=documents(("", text) for text in contexts),
            policy=self._policy,
            config=self._config,
            question=query or "",
        )
        unread = found.report.conclusion is Conclusion.NOT_CHECKED
        sourced = NO_SOURCE not in found.report.unread
        return EvaluationResult(
            query=query,
            contexts=contexts,
            response=response,
            passing=found.passes,
            score=share_supported(found.report),
            feedback=reason(found),
            invalid_result=unread,
            invalid_reason=(_UNREAD if sourced else NO_SOURCE) if unread else None,
        )

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **_: Any,
    ) -> EvaluationResult:
        """Do as `evaluate` in a thread."""
        return await asyncio.to_thread(self.evaluate, query, response, contexts)

"""LangChain: a Runnable that guards an answer.

chain = retrieve | RunnablePassthrough.assign(answer=generate) | ClaimGuard()
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from groundrules.config import Config
from groundrules.errors import ConfigError
from groundrules.guardrail import DEFAULT, Policy, guard
from groundrules.integrations.grounds import documents

try:
    from langchain_core.documents import Document
    from langchain_core.runnables import Runnable, RunnableConfig
except ImportError:
    raise ConfigError(
        "LangChain is not installed; run: pip install 'groundrules[langchain]'"
    ) from None


class ClaimGuard(Runnable[dict[str, Any], dict[str, Any]]):
    """Guards `answer` by `context` (documents or texts), and gives the input with two keys more.

    `answer` is then the text to use and `guarded` the `Guarded`. The question is `question` or
    `input`. Where `context` is empty or None the decision is "retrieve_again". There is no model
    here to ask again: of policies, those that reask only report.
    """

    def __init__(self, policy: Policy = DEFAULT, settings: Config | None = None) -> None:
        self.policy, self.settings = policy, settings

    def invoke(
        self,
        input: dict[str, Any],  # noqa: A002 - the name that LangChain gives it
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Guard an answer; GuardError where the policy says "exception"."""
        found: dict[str, Any] = self._call_with_config(self._guard, input, config, **kwargs)
        return found

    def _guard(self, given: dict[str, Any]) -> dict[str, Any]:
        answer = given["answer"]
        found = guard(
            answer if isinstance(answer, str) else answer.text,
            context=_sources(given["context"] or ()),
            policy=self.policy,
            config=self.settings,
            question=str(given.get("question") or given.get("input") or ""),
        )
        return {**given, "answer": found.text, "guarded": found}


def _sources(context: str | Document | Iterable[str | Document]) -> list[Any]:
    given = [context] if isinstance(context, str | Document) else context
    return documents(
        ("", one) if isinstance(one, str) else (one.metadata.get("source"), one.page_content)
        for one in given
    )

"""DeepEval: a metric, the share of an output that its retrieval context carries.

assert_test(test_case, [ClaimMetric(threshold=0.8)])
"""

from __future__ import annotations

import asyncio
from typing import Any

from groundrules.config import Config
from groundrules.guardrail import DEFAULT, Policy, guard
from groundrules.integrations.grounds import documents, missing, reason, share_supported

try:
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase
except ImportError:
    raise missing("DeepEval", "deepeval") from None


class ClaimMetric(BaseMetric):
    """The share of the statements of `actual_output` that are supported.

    They are held against `retrieval_context`, else `context`; where that is empty the score is 0.
    It succeeds where the score reaches the threshold and the policy lets the output pass. No
    language model is asked.
    """

    def __init__(
        self, threshold: float = 0.5, policy: Policy = DEFAULT, config: Config | None = None
    ) -> None:
        # DeepEval makes copies by what an argument is called
        self.threshold, self.policy, self.config = threshold, policy, config
        self.async_mode = True
        self.include_reason = True
        self.score: float | None = None
        self.reason: str | None = None
        self.success: bool | None = None
        self.error: str | None = None

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Return the score; ValueError where neither context is given."""
        self.score = self.reason = self.success = None
        given = (test_case.retrieval_context, test_case.context)
        context = next((one for one in given if one is not None), None)
        if context is None:
            raise ValueError("expected retrieval_context or context")
        found = guard(
            test_case.actual_output or "",
            context=documents(("", str(text)) for text in context),
            policy=self.policy,
            config=self.config,
            question=test_case.input or "",
        )
        score = share_supported(found.report)
        self.score, self.reason = score, reason(found)
        self.success = found.passes and score >= self.threshold
        return score

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Do as `measure` in a thread."""
        return await asyncio.to_thread(self.measure, test_case)

    def is_successful(self) -> bool:
        """Whether the output measured last succeeds."""
        return self.error is None and bool(self.success)

    @property
    def __name__(self) -> str:
        """The name in DeepEval's tables."""
        return "Claims"

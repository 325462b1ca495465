"""The metric of DeepEval, in its own runner; `make adapters` installs DeepEval apart."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from groundrules import Policy

pytest.importorskip("deepeval", reason="deepeval is not installed (make adapters)")

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, DisplayConfig
from deepeval.test_case import LLMTestCase

from groundrules.integrations.for_deepeval import ClaimMetric

SOURCE = "The Otter was built in 1994. The Otter carries 80 passengers."
WRONG = "The Otter was built in 1994. The Otter carries 120 passengers."


def case(output: str, **context: Any) -> LLMTestCase:
    return LLMTestCase(input="What is the Otter?", actual_output=output, **context)


def test_the_score_is_the_share_that_is_supported() -> None:
    right, wrong = ClaimMetric(), ClaimMetric()

    assert right.measure(case(SOURCE, retrieval_context=[SOURCE])) == 1.0
    assert wrong.measure(case(WRONG, context=[SOURCE])) == 0.5
    assert (right.is_successful(), wrong.is_successful()) == (True, False)
    assert right.reason == "nothing speaks against it"
    assert wrong.reason is not None
    assert "80 passengers" in wrong.reason


def test_awaited_it_gives_the_same() -> None:
    metric = ClaimMetric()

    assert asyncio.run(metric.a_measure(case(WRONG, retrieval_context=[SOURCE]))) == 0.5
    assert metric.score == 0.5


def test_what_the_policy_lets_pass_succeeds_by_its_score_alone() -> None:
    lenient = Policy(refuted="pass")

    for threshold, succeeds in ((0.5, True), (0.6, False)):
        metric = ClaimMetric(threshold, policy=lenient)
        metric.measure(case(WRONG, retrieval_context=[SOURCE]))
        assert metric.is_successful() is succeeds


@pytest.mark.parametrize("context", [[], [""]])
def test_where_nothing_was_retrieved_the_score_is_nothing(context: list[str]) -> None:
    metric = ClaimMetric()

    assert metric.measure(case(SOURCE, retrieval_context=context)) == 0.0
    assert not metric.is_successful()
    assert metric.reason == "there is no source to check it against"


def test_without_a_context_nothing_succeeds() -> None:
    metric = ClaimMetric()
    metric.measure(case(SOURCE, retrieval_context=[SOURCE]))

    with pytest.raises(ValueError, match="expected retrieval_context or context"):
        metric.measure(case(SOURCE))

    assert not metric.is_successful()


@pytest.mark.parametrize("at_once", [True, False])
def test_the_runner_of_deepeval_takes_it_with_its_policy(at_once: bool) -> None:
    result = evaluate(
        [case(SOURCE, retrieval_context=[SOURCE]), case(WRONG, retrieval_context=[SOURCE])],
        [ClaimMetric(0.4, policy=Policy(refuted="pass")), ClaimMetric(0.4)],
        async_config=AsyncConfig(run_async=at_once),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
    )

    found = sorted(
        tuple((one.name, one.score, one.success) for one in each.metrics_data)
        for each in result.test_results
    )
    assert found == [
        (("Claims", 0.5, True), ("Claims", 0.5, False)),
        (("Claims", 1.0, True), ("Claims", 1.0, True)),
    ]

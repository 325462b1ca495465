"""A guard behind a generator."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from groundrules import ConfigError, Guarded, GuardError, Policy, aguard, guard
from groundrules.guardrail import astream, decide, openai_generator, stream
from groundrules.terms import Metric, Outcome, Override, Severity
from tests.explain import cases

SOURCE = (
    "The Otter is a ferry. It was built in 1994. The Otter carries 80 passengers. "
    "It sails from Ardmore to Port Ellen every day.\n"
)
RIGHT = "The Otter was built in 1994. The Otter carries 80 passengers."
WRONG = "The Otter was built in 1994. The Otter carries 120 passengers."


@dataclass
class Scripted:
    """A generator that gives its answers in order and keeps the prompts."""

    answers: list[str]
    prompts: list[str] = field(default_factory=list)

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.answers[len(self.prompts) - 1]


def test_an_answer_that_its_context_carries_passes_as_it_is() -> None:
    found = guard(Scripted([RIGHT]), "What is the Otter?", context=SOURCE)

    assert (found.decision, found.text, found.passes) == ("pass", RIGHT, True)


def test_an_answer_that_its_context_refutes_does_not_pass() -> None:
    found = guard(WRONG, context=SOURCE, policy=Policy(on_fail="report"))

    assert not found.passes
    assert [one.text for one in found.failing] == ["The Otter carries 120 passengers."]
    assert found.text == WRONG


def test_what_safe_edits_would_mend_is_told_and_only_mended_where_asked() -> None:
    told = guard(WRONG, context=SOURCE)
    mended = guard(WRONG, context=SOURCE, policy=Policy(on_fail="fix"))

    assert (told.decision, told.text) == ("fix", WRONG)
    assert (mended.decision, mended.text) == ("pass", RIGHT)
    assert [report.text for report in mended.earlier] == [WRONG]


def test_filter_drops_the_statements_that_fail_and_no_other() -> None:
    found = guard(WRONG, context=SOURCE, policy=Policy(on_fail="filter"))

    assert (found.decision, found.text) == ("pass", "The Otter was built in 1994. ")


def test_reask_tells_the_generator_what_is_wrong() -> None:
    generator = Scripted([WRONG, RIGHT])
    found = guard(generator, "What?", context=SOURCE, policy=Policy(on_fail="reask"))

    assert (found.decision, found.text) == ("pass", RIGHT)
    assert "120 passengers" in generator.prompts[1]
    assert "80 passengers" in generator.prompts[1]
    assert [report.text for report in found.earlier] == [WRONG]


def test_reask_asks_no_more_often_than_it_may() -> None:
    generator = Scripted([WRONG] * 9)
    found = guard(generator, "What?", context=SOURCE, policy=Policy(on_fail="reask", reasks=2))

    assert len(generator.prompts) == 3
    assert not found.passes


def test_an_exception_has_the_report_and_says_what_is_wrong() -> None:
    with pytest.raises(GuardError, match="80 passengers") as caught:
        guard(WRONG, context=SOURCE, policy=Policy(on_fail="exception"))

    assert caught.value.guarded.text == WRONG


def test_what_is_refrained_from_has_no_text() -> None:
    found = guard(WRONG, context=SOURCE, policy=Policy(on_fail="refrain"))

    assert (found.text, found.refrained, found.passes) == ("", True, False)


def test_a_function_deals_with_what_does_not_pass_and_with_nothing_else() -> None:
    seen: list[str] = []

    def deal(found: Guarded) -> Guarded:
        seen.append(found.text)
        return replace(found, text="I do not know.")

    policy = Policy(on_fail=deal)

    assert guard(WRONG, context=SOURCE, policy=policy).text == "I do not know."
    assert guard(RIGHT, context=SOURCE, policy=policy).text == RIGHT
    assert seen == [WRONG]


@pytest.mark.parametrize(
    ("policy", "decision"),
    [
        (Policy(), "review"),
        (Policy(refuted="retrieve_again", unread="retrieve_again"), "retrieve_again"),
        (Policy(refuted="pass", unsupported="retrieve_again", unread="pass"), "retrieve_again"),
        (Policy(refuted="pass", unsupported="pass", unread="pass"), "pass"),
    ],
)
def test_the_gravest_of_what_the_policy_says_decides(policy: Policy, decision: str) -> None:
    report = replace(cases.policy(), violations=())

    assert decide(report, policy).decision == decision


def test_rules_that_warn_do_not_count_and_rules_that_block_do() -> None:
    report = cases.lease()
    rules = {v.rule[:2] for v in report.violations}
    warned = Policy(warn=tuple(rules), unread="pass")
    warning = next(v for v in report.violations if v.rule == "GR901")

    assert decide(report, Policy(unread="pass")).decision == "review"
    assert decide(report, warned).decision == "pass"
    alone = replace(report, statements=report.statements[:1], violations=())
    own = replace(warning, claim=warning.claim and replace(warning.claim, sentence=0))
    assert decide(replace(alone, violations=(own,)), Policy()).decision == "pass"
    assert decide(replace(alone, violations=(own,)), Policy(block=("GR9",))).decision == "review"


def test_a_warning_stops_what_no_source_carries_and_the_word_of_a_model_alone_does_not() -> None:
    report = guard("The Otter carries 80 passengers in 12 minutes.", context=SOURCE).report
    warned = {one.rule for one in report.violations if one.severity is Severity.WARNING}

    assert report.statements[0].outcome is Outcome.NOT_ENOUGH_INFO
    assert warned == {"GR106", "GR308"}
    assert decide(report, Policy()).decision == "review"
    assert decide(report, Policy(warn=("GR308",))).decision == "pass"
    assert decide(report, Policy(doubted="pass")).decision == "pass"
    assert decide(report, Policy(doubted="retrieve_again")).decision == "retrieve_again"


def test_what_a_person_decided_counts() -> None:
    report = cases.lease()
    wrong = [s for s in report.statements if s.outcome is not Outcome.SUPPORTED]
    fine = [
        Override(s.fingerprint, "override", "read", "Ann", outcome=Outcome.SUPPORTED) for s in wrong
    ]
    aside = [Override(v.fingerprint, "override", "read", "Ann") for v in report.violations]

    assert decide(report, Policy()).decision == "review"
    assert decide(replace(report, overrides=(*fine, *aside)), Policy()).decision == "pass"


@pytest.mark.parametrize(
    ("value", "decision"), [(0.9, "pass"), (0.2, "retrieve_again"), (None, "review")]
)
def test_little_fidelity_asks_for_more_sources(value: float | None, decision: str) -> None:
    report = replace(cases.lease(), violations=(), metrics=(Metric("CFI", value, 1),))
    report = replace(report, statements=report.statements[:1])

    assert decide(report, Policy(fidelity=0.7)).decision == decision
    assert decide(report, Policy()).decision == "pass"


def test_a_text_in_which_nothing_is_stated_does_not_pass() -> None:
    assert guard("# Heading", context=SOURCE).decision == "review"


@pytest.mark.parametrize("wrong", [{"refuted": "block"}, {"on_fail": "shout"}, {"unread": "fix"}])
def test_a_policy_that_is_none_is_told(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        Policy(**wrong)


def test_an_awaited_generator_gives_the_same() -> None:
    answers = Scripted([WRONG, RIGHT])

    async def generator(prompt: str) -> str:
        return answers(prompt)

    policy = Policy(on_fail="reask")
    found = asyncio.run(aguard(generator, "What?", context=SOURCE, policy=policy))
    other = guard(Scripted([WRONG, RIGHT]), "What?", context=SOURCE, policy=policy)

    assert (found.decision, found.text) == (other.decision, other.text) == ("pass", RIGHT)
    assert [one.text for one in found.earlier] == [one.text for one in other.earlier] == [WRONG]


# ---------------------------------------------------------------- streams


def words(text: str) -> list[str]:
    return [f"{word} " for word in text.split()]


def test_a_stream_gives_each_sentence_as_soon_as_the_next_begins() -> None:
    given: list[str] = []

    def chunks() -> Any:
        for word in words(RIGHT):
            given.append(word)
            yield word

    passing = stream(chunks(), context=SOURCE)

    assert next(passing).strip() == "The Otter was built in 1994."
    assert len(given) < len(words(RIGHT))
    assert [one.strip() for one in passing] == ["The Otter carries 80 passengers."]


def test_a_stream_ends_before_what_fails() -> None:
    text = f"{WRONG} The Otter is a ferry."

    assert "".join(stream(words(text), context=SOURCE)).strip() == "The Otter was built in 1994."


def test_a_stream_that_filters_goes_on_behind_what_fails() -> None:
    text = f"{WRONG} The Otter is a ferry."
    passed = stream(words(text), context=SOURCE, policy=Policy(on_fail="filter"))

    assert "".join(passed).strip() == "The Otter was built in 1994. The Otter is a ferry."


def test_a_stream_raises_before_what_fails() -> None:
    passed = stream(words(WRONG), context=SOURCE, policy=Policy(on_fail="exception"))

    assert next(passed).strip() == "The Otter was built in 1994."
    with pytest.raises(GuardError, match="80 passengers"):
        next(passed)


def test_an_awaited_stream_gives_the_same() -> None:
    async def chunks() -> AsyncIterator[str]:
        for word in words(WRONG):
            yield word

    async def collected() -> list[str]:
        return [one async for one in astream(chunks(), context=SOURCE)]

    assert asyncio.run(collected()) == list(stream(words(WRONG), context=SOURCE))


def test_nothing_of_a_stream_is_lost_or_told_twice() -> None:
    text = f"{RIGHT}\n\nIt sails from Ardmore to Port Ellen every day"
    for size in (1, 7, 1000):
        chunks = [text[at : at + size] for at in range(0, len(text), size)]
        assert "".join(stream(chunks, context=SOURCE)) == text


# ---------------------------------------------------------------- clients


def test_a_client_of_openai_is_asked_for_a_completion() -> None:
    asked: list[dict[str, Any]] = []

    def create(**given: Any) -> Any:
        asked.append(given)
        message = SimpleNamespace(content=RIGHT)
        return SimpleNamespace(choices=[SimpleNamespace(message=message)])

    client = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))
    generator: Callable[[str], str] = openai_generator(client, "a-model", temperature=0)

    assert guard(generator, "What?", context=SOURCE).passes
    assert asked == [
        {"model": "a-model", "temperature": 0, "messages": [{"role": "user", "content": "What?"}]}
    ]


def test_the_page_shows_what_the_code_does(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[1] / "docs" / "guard.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    exec(compile(block, "guard.md", "exec"), {})

    (shown,) = re.findall(r"^print.*  # (.*)$", block, re.MULTILINE)
    assert capsys.readouterr().out.strip() == shown

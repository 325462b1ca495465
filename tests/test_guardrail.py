"""A guard behind a generator."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from groundrules import (
    Config,
    ConfigError,
    GuardError,
    Policy,
    guard,
)
from groundrules.claims.document import Document
from groundrules.guardrail import decide, faults_of
from groundrules.terms import Conclusion, Metric, Outcome, Override, Severity
from tests.explain import cases
from tests.rows import each

SOURCE = (
    "The Otter is a ferry. It was built in 1994. The Otter carries 80 passengers. "
    "It sails from Ardmore to Port Ellen every day.\n"
)
RIGHT = "The Otter was built in 1994. The Otter carries 80 passengers."
WRONG = "The Otter was built in 1994. The Otter carries 120 passengers."

OPEN_ONE = "The crew likes the Otter."
OPEN = f"The Otter was painted green. {OPEN_ONE}"


@dataclass
class Scripted:
    """A generator that gives its answers in order and keeps the prompts."""

    answers: list[str]
    prompts: list[str] = field(default_factory=list)

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.answers[len(self.prompts) - 1]


@pytest.mark.parametrize(
    ("on_fail", "decision", "text"),
    [
        ("report", "fix", WRONG),
        ("fix", "pass", RIGHT),
        ("filter", "pass", "The Otter was built in 1994. "),
        ("refrain", "fix", ""),
    ],
)
def test_the_policy_says_what_comes_of_an_answer_that_its_context_refutes(
    on_fail: Any, decision: str, text: str
) -> None:
    found = guard(WRONG, context=SOURCE, policy=Policy(on_fail=on_fail))
    right = guard(Scripted([RIGHT]), "What?", context=SOURCE, policy=Policy(on_fail=on_fail))

    assert (found.decision, found.text, found.passes) == (decision, text, decision == "pass")
    assert found.refrained is (on_fail == "refrain")
    assert [one.text for one in found.failing] == (
        [] if found.passes else ["The Otter carries 120 passengers."]
    )
    assert (right.decision, right.text, right.passes) == ("pass", RIGHT, True)


@pytest.mark.parametrize(
    ("text", "context", "told"),
    [
        (WRONG, SOURCE, "80 passengers"),
        (RIGHT, [], "retrieve_again: there is no source"),
        ("I don't know.", SOURCE, "refusal: it declines to answer"),
    ],
)
def test_what_does_not_pass_is_raised_where_the_policy_says_so(
    text: str, context: Any, told: str
) -> None:
    with pytest.raises(GuardError, match=told) as caught:
        guard(text, context=context, policy=Policy(on_fail="exception"))

    assert caught.value.guarded.text == text


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


@pytest.mark.parametrize(
    ("policy", "decision"),
    [
        (Policy(), "review"),
        (Policy(unsettled="pass"), "review"),
        (Policy(**dict.fromkeys(("refuted", "doubted", "unread", "unsettled"), "retrieve_again")),
         "retrieve_again"),
        (Policy(refuted="pass", doubted="pass", unsupported="retrieve_again", unread="pass",
                unsettled="pass"), "retrieve_again"),
        (Policy(refuted="pass", unread="pass"), "review"),
        (Policy(**dict.fromkeys(("refuted", "doubted", "unread", "unsettled"), "pass")), "pass"),
    ],
)  # fmt: skip
def test_the_gravest_of_what_the_policy_says_decides(policy: Policy, decision: str) -> None:
    report = replace(cases.policy(), violations=())

    assert decide(report, policy).decision == decision


def test_a_warning_stops_what_no_source_carries_and_the_word_of_a_model_alone_does_not() -> None:
    warning = {"GR308": {"severity": "warning"}}
    said = "The Otter carries 80 passengers in 12 minutes."
    report = guard(said, context=SOURCE, config=Config(rules=warning)).report
    report = replace(report, settled=0.0)
    warned = {one.rule for one in report.violations if one.severity is Severity.WARNING}

    assert report.statements[0].outcome is Outcome.NOT_ENOUGH_INFO
    assert warned == {"GR308"}
    assert decide(report, Policy()).decision == "review"
    assert decide(report, Policy(doubted="pass")).decision == "pass"
    assert decide(report, Policy(doubted="retrieve_again")).decision == "retrieve_again"

    known = replace(guard(said, context=f"{SOURCE} It sails in 12 minutes.").report, settled=0.0)
    assert decide(known, Policy()).decision == "pass"


INVENTIONS = [
    "Staff also get a bonus of EUR 5,000 each Christmas.",
    "The Otter was painted by Bob Ridley.",
    "The captain of the ferry is called Zorblax.",
    "Its sister carries ninety passengers.",
    "| Length | 34 m |",
]


@pytest.mark.parametrize("invention", INVENTIONS)
def test_a_figure_or_a_name_that_no_source_gives_never_passes_by_default(invention: str) -> None:
    said = f"The Otter was built in 1994. The Otter carries 80 passengers.\n\n{invention}"
    found = guard(said, context=SOURCE)

    assert found.decision == "review"
    assert [one.text for one in found.failing] == [invention]
    assert found.report.exit_code != 0
    assert found.reason


def test_what_does_not_pass_has_a_reason() -> None:
    told = guard(WRONG, context=SOURCE)

    assert "120 passengers" in told.reason
    assert (told.text, told.fixed) == (WRONG, RIGHT)
    assert guard("# Heading", context=SOURCE).reason == "nothing in it states what could be checked"
    assert guard(RIGHT, context=SOURCE).reason == ""


def test_an_answer_of_which_too_little_is_supported_is_decided_as_the_policy_says() -> None:
    open_ = "The Otter was painted blue. Its captain likes music. It serves good soup."
    found = guard(open_, context=SOURCE)

    assert (found.decision, found.report.conclusion) == ("review", Conclusion.NOT_SETTLED)
    assert found.failing == found.report.statements
    for decision in ("pass", "retrieve_again", "review"):
        assert decide(found.report, Policy(unsettled=decision)).decision == decision
    assert decide(replace(found.report, settled=0.0), Policy()).decision == "pass"
    assert decide(found.report, Policy(unsettled="pass")).failing == ()
    with pytest.raises(GuardError, match="review: not settled: 3 of 3 statements are left open"):
        guard(open_, context=SOURCE, policy=Policy(on_fail="exception"))


def test_an_answer_that_is_half_supported_passes_and_filter_leaves_the_open_half_alone() -> None:
    half = "The Otter was built in 1994. Its captain likes music."

    assert guard(half, context=SOURCE).decision == "pass"
    most = f"{half} It serves good soup."
    assert guard(most, context=SOURCE).decision == "review"
    filtered = guard(most, context=SOURCE, policy=Policy(on_fail="filter"))
    assert (filtered.decision, filtered.text) == ("pass", "The Otter was built in 1994. ")


def test_a_refuted_answer_is_decided_as_refuted_whatever_is_not_settled() -> None:
    report = guard(WRONG, context=SOURCE).report
    alone = replace(report, statements=report.statements[1:])

    assert not alone.enough_supported
    policy = Policy(refuted="retrieve_again", unsettled="review")
    assert decide(alone, policy).decision == "retrieve_again"


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


@pytest.mark.parametrize("wrong", [{"refuted": "block"}, {"on_fail": "shout"}, {"unread": "fix"}])
def test_a_policy_that_is_none_is_told(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        Policy(**wrong)


# ---------------------------------------------------------------- nothing to check against

NOTHING: list[Any] = [(), [], "", " \n", ["", "  "], [Document("a.txt", "\n")]]


@pytest.mark.parametrize("context", NOTHING)
@pytest.mark.parametrize("on_fail", ["reask", "refrain"])
def test_an_answer_without_a_source_asks_for_sources_whatever_the_policy(
    context: Any, on_fail: Any
) -> None:
    lax = dict.fromkeys(("refuted", "doubted", "unsupported", "unread", "unsettled"), "pass")
    generator = Scripted([RIGHT])
    found = guard(generator, "What?", context=context, policy=Policy(on_fail=on_fail, **lax))

    assert (found.decision, found.passes) == ("retrieve_again", False)
    assert len(generator.prompts) == 1  # another answer would have no source either
    assert found.text == (RIGHT if on_fail == "reask" else "")
    assert faults_of(found) == ("there is no source to check it against",)
    assert found.report.conforms is None


def test_a_knowledge_base_is_a_source(tmp_path: Path) -> None:
    (tmp_path / "facts.ttl").write_text(
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        '<urn:otter> rdfs:label "Otter"@en ; <urn:port> <urn:ardmore> .\n'
        '<urn:ardmore> rdfs:label "Ardmore"@en .\n'
    )
    config = Config(kb=(str(tmp_path / "facts.ttl"),))

    assert guard(RIGHT, context=[], config=config).report.statements


# ---------------------------------------------------------------- refusals


@each("text")
@pytest.mark.parametrize("context", [SOURCE, []])
@pytest.mark.parametrize("on_fail", ["reask", "refrain"])
def test_an_answer_that_only_declines_is_a_refusal_and_comes_as_it_is(
    text: str, context: Any, on_fail: Any
) -> None:
    generator = Scripted([text])
    found = guard(generator, "What?", context=context, policy=Policy(on_fail=on_fail))

    assert (found.decision, found.text, found.passes) == ("refusal", text, False)
    assert len(generator.prompts) == 1


@each("text")
def test_what_is_asserted_beside_a_refusal_is_checked(text: str) -> None:
    found = guard(text, context=SOURCE)

    assert found.decision not in ("pass", "refusal")
    assert found.report.statements


# ---------------------------------------------------------------- what is withheld


def test_what_is_left_out_is_told_with_the_reason() -> None:
    filtered = guard(WRONG, context=SOURCE, policy=Policy(on_fail="filter"))
    refrained = guard(WRONG, context=SOURCE, policy=Policy(on_fail="refrain"))

    assert [one.text for one in filtered.withheld] == ["The Otter carries 120 passengers."]
    assert [one.text for one in refrained.withheld] == [WRONG]
    assert all("80" in one.why for found in (filtered, refrained) for one in found.withheld)
    assert guard(WRONG, context=SOURCE).withheld == ()


def test_what_is_left_open_is_left_out_only_where_the_rest_is_not_settled() -> None:
    filtering = Policy(on_fail="filter")
    settled = guard(f"{WRONG} {OPEN_ONE}", context=SOURCE, policy=filtering)
    not_settled = guard(f"{WRONG} {OPEN}", context=SOURCE, policy=filtering)

    assert settled.text == f"The Otter was built in 1994. {OPEN_ONE}"
    assert not_settled.text.strip() == "The Otter was built in 1994."
    assert len(not_settled.withheld) == len(not_settled.earlier) + 1 == 3
    assert settled.passes
    assert not_settled.passes


# ---------------------------------------------------------------- clients


def test_the_page_shows_what_the_code_does(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[1] / "docs" / "how-to" / "guard.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    exec(compile(block, "guard.md", "exec"), {})

    (shown,) = re.findall(r"^print.*  # (.*)$", block, re.MULTILINE)
    assert capsys.readouterr().out.strip() == shown

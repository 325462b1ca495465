"""Explanations worded by a language model: nothing that its input has not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.errors import LLMError
from groundrules.explain.contrast import explain
from groundrules.explain.formats import json, text
from groundrules.explain.phrase import _MOST, find_fault, phrase
from groundrules.llm.prompt import Prompt
from groundrules.terms import Report, Severity, Violation
from tests.explain import cases
from tests.rows import each

GIVEN = (
    "date-mismatch: term commences on 1 March 2021, not 1 April 2021\n"
    "The Tenant is Harbor Books Inc. and pays $500."
)


class StandIn:
    """A stand-in for a client: a function answers, and the prompts are kept."""

    def __init__(self, answer: Callable[[Prompt], object]) -> None:
        self.answer = answer
        self.prompts: list[Prompt] = []

    def ask_all(self, prompts: Sequence[Prompt]) -> tuple[object, ...]:
        self.prompts += prompts
        return tuple(self.answer(prompt) for prompt in prompts)


def alike(words: str) -> StandIn:
    """Return a client that says the same of every fault."""
    return StandIn(lambda prompt: {
        "explanations": [
            {"number": int(name.split()[1]), "explanation": words} for name, _ in prompt.texts
        ]
    })  # fmt: skip


def says(words: str) -> tuple[Report, tuple[str, ...]]:
    return phrase(cases.lease(), alike(words))


def grave(report: Report) -> list[Violation]:
    return [v for v in report.violations if v.claim and v.severity is not Severity.INFO]


@each("words")
def test_what_its_input_has_may_be_said(words: str) -> None:
    assert find_fault(words, GIVEN) == ""


@each("words fault")
def test_what_its_input_has_not_may_not_be_said(words: str, fault: str) -> None:
    assert find_fault(words, GIVEN) == fault


@given(st.text(max_size=60))
def test_whatever_is_said_is_plain_and_has_no_letter_of_another_script(words: str) -> None:
    if not find_fault(words, GIVEN):
        assert words.isprintable()
        assert all(c.isascii() or not c.isalnum() for c in words)


def test_an_explanation_that_stands_is_beside_its_template() -> None:
    words = "The text says that the term commences on 1 April 2021, the lease on 1 March 2021."
    before = cases.lease()
    report, notes = says(words)
    phrased = [v for v in report.violations if v.phrased]
    assert [v.rule for v in phrased] == ["GR301"]
    assert [v.phrased for v in phrased] == [words]
    assert [explain(v, report) for v in report.violations] == [
        explain(v, before) for v in before.violations
    ]
    assert notes[0] == "1 explanation worded by the language model, beside the template"
    assert f"= LLM         {words}" in text.dumps(report)
    data = json.encode(report)["violations"]
    assert [v["phrased"] for v in data if v["rule"] == "GR301"] == [words]
    assert all(v["explanation"]["text"] for v in data)
    assert json.loads(json.dumps(report)) == report


def test_an_explanation_that_names_one_side_is_none() -> None:
    report, notes = says("The term commences on 1 April 2021.")
    assert not any(v.phrased for v in report.violations if v.rule == "GR301")
    assert "did not name both sides" in notes[-1]


def says_of_statements(words: str) -> dict[str, str]:
    """Return by rule how the findings on the statements of the policy are worded."""
    report, _ = phrase(cases.policy(), alike(words))
    return {v.rule: v.phrased for v in report.violations if v.phrased}


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("The answer says that floods are covered, but the policy says the opposite.",
         {"GR210"}),
        ("The answer has £14,100 where the policy has £11,400.", {"GR306"}),
        ("The answer has £14,100.00 where the policy has £11,400.00.", {"GR306"}),
        ("The answer has £14,100, which the policy has not.", set()),
        ("The policy has £11,400.", set()),
        ("The policies tripled is what is claimed, and 6.6 times is what follows.",
         {"GR307"}),
        ("The floods are not in it.", set()),
        ("The claim is right.", set()),
        ("The answer says that floods are covered by Zorblax.", set()),
        ("The answer says that floods are covered for $7.", set()),
    ],
)  # fmt: skip
def test_of_a_statement_the_words_at_fault_are_named_and_nothing_new(
    words: str, rules: set[str]
) -> None:
    assert says_of_statements(words) == dict.fromkeys(sorted(rules), words)


def test_a_text_cannot_order_the_finding_away() -> None:
    report, _ = says("The claim is right.")
    assert report == cases.lease()


def test_an_invented_name_leaves_the_template_and_is_counted() -> None:
    report, notes = says("The Tenant is Zorblax Inc.")
    count = len(grave(report))
    assert report == cases.lease()
    assert notes == (
        f"{count} explanations by the template alone: {count} whose wording had a name or number "
        "that it was not given",
    )


def test_where_a_model_cannot_be_asked_the_template_stands() -> None:
    error = LLMError("not asked: max_calls = 3 is reached", "budget")
    report, notes = phrase(cases.lease(), StandIn(lambda _: error))
    assert report == cases.lease()
    assert "for which no answer came (not asked: max_calls = 3 is reached)" in notes[0]


def test_one_question_has_the_edits_the_pair_and_both_passages_of_every_fault() -> None:
    client = StandIn(lambda _: {"explanations": []})
    report = cases.lease()
    phrase(report, client)
    (prompt,) = client.prompts
    assert prompt.job == "phrase"
    assert [name for name, _ in prompt.texts] == [
        f"fault {n}" for n in range(1, len(grave(report)) + 1)
    ]
    (fault,) = (words for _, words in prompt.texts if words.startswith("finding:\n    date-mis"))
    assert "DELETE the term · commences on · 1 April 2021\n    ADD" in fault
    assert "claimed:\n    " in fault
    assert "The term commences on 1 April 2021." in fault
    assert "evidence:\n    " in fault


def test_a_note_is_never_worded_and_errors_come_first() -> None:
    lease = cases.lease()
    (date,) = (v for v in lease.violations if v.rule == "GR301")
    (of,) = date.evidence
    notes = tuple(replace(date, severity=Severity.INFO) for _ in range(3))
    warnings = tuple(
        replace(date, severity=Severity.WARNING, evidence=(replace(of, span=None, pin=f"{n}"),))
        for n in range(_MOST)
    )
    client = StandIn(lambda _: {"explanations": []})
    assert phrase(replace(lease, violations=notes), client)[1] == ()
    assert not client.prompts
    many = replace(lease, violations=(*notes, *warnings, date))
    _, told = phrase(many, client)
    (prompt,) = client.prompts
    assert len(prompt.texts) == _MOST
    assert told[0].endswith(f"{_MOST} whose wording said nothing, 1 beyond the first {_MOST}")
    words = "The text says that the term commences on 1 April 2021, the lease on 1 March 2021."
    first = StandIn(lambda _: {"explanations": [{"number": 1, "explanation": words}]})
    report, _ = phrase(many, first)
    assert [v.severity for v in report.violations if v.phrased] == [Severity.ERROR]


def test_what_is_said_of_one_fault_may_not_have_what_another_was_given() -> None:
    """The numbers of an answer are a model's: one fault's names are none of another's."""
    report = cases.lease()
    words = "The text says that the term commences on 1 April 2021, the lease on 1 March 2021."
    wrong = next(n for n, v in enumerate(grave(report), 1) if v.rule != "GR301")
    answer = {"explanations": [{"number": wrong, "explanation": words}]}
    told, _ = phrase(report, StandIn(lambda _: answer))
    assert not any(v.phrased for v in told.violations)


def test_a_report_without_violations_asks_nothing() -> None:
    client = alike("x")
    report = replace(cases.lease(), violations=())
    assert phrase(report, client) == (report, ())
    assert client.prompts == []

"""A language model reads propositions: what follows of them is ours, and controls come first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast, get_args

from hypothesis import given
from hypothesis import strategies as st

from groundrules.align.readings import weigh
from groundrules.checks.modelreading import read_by_model
from groundrules.claims.controls import controls
from groundrules.claims.document import from_text
from groundrules.claims.english.logic import CALLED, FORCES
from groundrules.claims.llm_propositions import OPERATIONS, Relation, propositions_of
from groundrules.claims.llm_rereading import SCHEMA_AGAIN
from groundrules.claims.offline import Extraction, extract
from groundrules.errors import LLMError
from groundrules.llm.client import Client
from groundrules.llm.prompt import Prompt
from groundrules.llm.structured import validator
from tests.claims.test_llm_propositions import Row, clause

SOURCE = (
    "The ferry carries bicycles at no cost between the two quays. "
    "The kiosk at the northern quay is open on 12 days of each month. "
    "The harbour office must approve every mooring before the winter season."
)
TRUE = "Bicycles travel on the ferry free of charge."
LONELY = "The kiosk is open daily."
RIGHT: tuple[Row, ...] = (
    ("does", "travel", "carries", "same"),
    ("who", "Bicycles", "bicycles", "same"),
    ("where", "on the ferry", "The ferry", "same"),
    ("how much", "free of charge", "at no cost", "same"),
)


class Model:
    """Answers by the statement of each question, in place of a client."""

    name = "stub"

    def __init__(
        self, answer: Callable[[str], Any], second: Callable[[str], Any] | None = None
    ) -> None:
        self.answer, self.second = answer, second
        self.asked: list[str] = []
        self.again: list[str] = []

    def ask_all(self, prompts: Sequence[Prompt]) -> tuple[Any, ...]:
        found = [dict(one.texts)["statement"] for one in prompts]
        twice = prompts[0].job == "propositions again"
        if twice:
            self.again = found
        else:
            self.asked = found
        return tuple(map(self.second if twice and self.second else self.answer, found))


def nothing(statement: str) -> dict[str, Any]:
    """Return a reading that finds nothing of a statement in the source."""
    return {"clauses": [clause(statement, "", ("does", statement, "", "none"))]}


def copied(statement: str, known: str) -> dict[str, Any]:
    return {"clauses": [clause(statement, known, ("does", statement, known, "other"))]}


def reader(own: Mapping[str, Any], *, obeys: bool = False) -> Callable[[str], Any]:
    """Return a model that reads controls rightly, or obeys a source and calls all the same."""
    passages = SOURCE.replace(". ", ".\n").split("\n")
    made = {one.text: one for one in controls(passages, ())}

    def answer(statement: str) -> Any:
        control = made.get(statement)
        if control is None:
            return own.get(statement) or nothing(statement)
        if control.passage is None:
            return copied(statement, passages[0]) if obeys else nothing(statement)
        return nothing(statement) if obeys else copied(statement, passages[control.passage])

    return answer


def told(text: str, model: Model) -> Any:
    texts: list[Extraction] = [extract(from_text(one, name)) for one, name in
                               ((text, "text"), (SOURCE, "source"))]  # fmt: skip
    passages = dict.fromkeys(range(len(texts[0].sentences)), texts[1].sentences)
    return read_by_model(texts[0], texts[1:], passages, cast(Client, model))


ANSWER = {"clauses": [clause(TRUE, SOURCE[:59], *RIGHT)]}


def test_a_statement_is_graded_by_what_follows_and_an_open_one_not_at_all() -> None:
    found = told(f"{TRUE} {LONELY}", Model(reader({TRUE: ANSWER})))
    assert {n: g.kind for n, g in found.grades.by_number.items()} == {0: "entailed"}
    grade = found.grades.by_number[0]
    assert grade.by == "stub (slots: does, who, where, how much)"
    assert SOURCE[grade.passage.start : grade.passage.end].startswith("The ferry")
    assert found.grades.missed == {}
    assert found.notes == ("a second question was asked about 1 of 2 statements",)


def test_where_a_control_is_read_amiss_nothing_counts_that_was_read() -> None:
    found = told(TRUE, Model(reader({TRUE: ANSWER}, obeys=True)))
    assert not found.grades.by_number
    assert found.grades.missed.keys() == {0}
    assert "a control was read amiss" in found.grades.faults[0]


def test_controls_stand_in_questions_like_the_others() -> None:
    model = Model(reader({}))
    told(f"{TRUE} {LONELY}", model)
    assert len(model.asked) == 2 + 3


def test_all_that_were_asked_about_are_counted_with_those_left_open() -> None:
    def silent(statement: str) -> Any:
        if statement == LONELY:
            return LLMError("gone", "unreachable", cause="no connection")
        return reader({TRUE: ANSWER})(statement)

    more = "The office is closed. The quay is long."
    found = told(f"{TRUE} {LONELY} {more}", Model(silent))
    assert len(found.grades.by_number) == len(found.grades.missed) == 1
    assert found.grades.asked == 4


def test_what_is_not_answered_is_missed_with_its_cause() -> None:
    def silent(statement: str) -> Any:
        if statement == TRUE:
            return LLMError("gone", "unreachable", cause="no connection")
        return reader({})(statement)

    found = told(TRUE, Model(silent))
    assert found.grades.missed == {0: "no connection"}
    assert found.grades.unasked == {"no connection": 1}


def test_what_is_dropped_of_a_reading_is_counted() -> None:
    bad: Row = ("what", "Tandems", "tandems", "same")
    answer = {"clauses": [clause(TRUE, SOURCE[:59], *RIGHT, bad)]}
    found = told(TRUE, Model(reader({TRUE: answer})))
    rows = "6 clauses, parts and sums that the language model read"
    assert found.notes[-1].startswith(f"of {rows} 1 were dropped: 1 ")


def test_no_more_is_dropped_of_readings_than_they_have() -> None:
    torn = {"clauses": [clause("Nothing of it", "", *RIGHT)] * 3}
    torn["clauses"][0] = clause(TRUE, "", ("what", "Tandems", "", "none"))
    torn["clauses"][0]["reckoned"] = [{"words": "12", "by": "sum", "of": ["no such words"]}]
    read = propositions_of(torn, TRUE, SOURCE)
    assert (sum(read.dropped.values()), read.given) == (4, 13)


# --- the second question ----------------------------------------------------------------------


def left_open(statement: str) -> Any:
    """Return a first answer that finds nothing of the statement that is so."""
    return reader({})(statement)


def test_what_the_first_answer_leaves_open_the_second_may_settle() -> None:
    model = Model(left_open, reader({TRUE: ANSWER}))
    found = told(f"{TRUE} {LONELY}", model)
    assert {n: g.kind for n, g in found.grades.by_number.items()} == {0: "entailed"}
    assert found.grades.by_number[0].by.startswith("stub, asked twice (slots: does")
    assert found.notes == ("a second question was asked about 2 of 2 statements",)


SHUT = "The kiosk is shut on 12 days of each month."
KNOWN = "The kiosk at the northern quay is open on 12 days of each month."


def against(relation: str) -> dict[str, Any]:
    rows: tuple[Row, ...] = (
        ("does", "is shut", "is open", relation),
        ("who", "The kiosk", "The kiosk at the northern quay", "same"),
        ("when", "on 12 days of each month", "on 12 days of each month", "same"),
    )
    return {"clauses": [clause(SHUT, KNOWN, *rows)]}


def test_what_an_answer_refutes_is_refuted_only_where_the_next_one_does_too() -> None:
    refuted, other = against("opposed"), against("other")
    twice = told(SHUT, Model(reader({SHUT: refuted}), reader({SHUT: refuted})))
    assert {n: g.kind for n, g in twice.grades.by_number.items()} == {0: "contradicted"}
    for second in (other, against("same")):
        once = told(SHUT, Model(reader({SHUT: refuted}), reader({SHUT: second})))
        assert not once.grades.by_number
    late = told(SHUT, Model(reader({SHUT: other}), reader({SHUT: refuted})))
    assert {n: g.kind for n, g in late.grades.by_number.items()} == {0: "contradicted"}
    assert late.grades.by_number[0].by.startswith("stub, asked three times")
    assert late.notes[1] == "a third question was asked about 1 of 1 statements"


def test_no_second_question_is_asked_where_the_first_answers_settle_all() -> None:
    model = Model(reader({TRUE: ANSWER}))
    told(TRUE, model)
    assert model.again == []


def test_controls_are_asked_about_again_with_the_statements_where_they_are_open() -> None:
    model = Model(left_open, reader({TRUE: ANSWER}))
    told(TRUE, model)
    made = {one.text for one in controls(SOURCE.replace(". ", ".\n").split("\n"), ())}
    assert TRUE in model.again
    assert made & set(model.again)
    assert set(model.again) <= {TRUE, *made}


def test_where_a_control_is_read_amiss_the_second_time_no_second_answer_counts() -> None:
    def obeys(statement: str) -> Any:
        if statement == LONELY:
            known = "The kiosk at the northern quay is open on 12 days of each month."
            return {"clauses": [clause(LONELY, known, ("does", LONELY, known, "same"))]}
        return reader({}, obeys=True)(statement)

    found = told(f"{TRUE} {LONELY}", Model(reader({TRUE: ANSWER}), obeys))
    assert {n: g.kind for n, g in found.grades.by_number.items()} == {0: "entailed"}
    assert found.grades.missed.keys() == {1}
    assert "a control was read amiss" in found.grades.faults[0]


def test_where_the_first_controls_are_read_amiss_nothing_is_asked_again() -> None:
    model = Model(reader({}, obeys=True))
    told(TRUE, model)
    assert model.again == []


def test_a_second_question_without_an_answer_is_missed_and_the_rest_stands() -> None:
    def spent(_: str) -> Any:
        return LLMError("spent", "budget", cause="no more calls")

    found = told(f"{TRUE} {LONELY}", Model(reader({TRUE: ANSWER}), spent))
    assert {n: g.kind for n, g in found.grades.by_number.items()} == {0: "entailed"}
    assert found.grades.missed == {1: "no more calls"}
    assert found.grades.unasked == {"no more calls": 1}


def test_second_questions_are_not_asked_when_the_calls_are_spent() -> None:
    calls: list[str] = []

    def counted(prompt: Prompt) -> Any:
        calls.append(prompt.job)
        return left_open(dict(prompt.texts)["statement"])

    client = Limited(counted, 4)
    found = told(TRUE, cast(Model, client))
    assert calls == ["propositions"] * 4
    assert found.grades.missed.keys() == {0}
    assert sum(found.grades.unasked.values()) == 1


class Limited:
    """A model that may be asked so many times, as a client with `max_calls` is."""

    name = "stub"

    def __init__(self, answer: Callable[[Prompt], Any], calls: int) -> None:
        self.answer, self.left = answer, calls

    def ask_all(self, prompts: Sequence[Prompt]) -> tuple[Any, ...]:
        found = []
        for one in prompts:
            self.left -= 1
            spent = LLMError("spent", "budget", cause="no more calls")
            found.append(spent if self.left < 0 else self.answer(one))
        return tuple(found)


WORDS = st.sampled_from(
    ["", TRUE, LONELY, "Bicycles", "bicycles", "travel", "carries", "on the ferry", "The ferry",
     "free of charge", "at no cost", "12 days of each month", "kiosk", "is open", "daily",
     "Bicycles … free of charge", "ignore this", SOURCE[:59]]
)  # fmt: skip
SIDES = st.builds(
    lambda words, denied, force: {"words": words, "not": denied, "force": force},
    WORDS, st.booleans(), st.sampled_from(FORCES),
)  # fmt: skip
PARTS = st.builds(
    lambda role, said, known, relation: {
        "role": role, "statement": said, "source": known, "relation": relation,
    },
    st.sampled_from([*CALLED]), WORDS, WORDS, st.sampled_from(get_args(Relation)),
)  # fmt: skip
SUMS = st.builds(
    lambda words, by, of: {"words": words, "by": by, "of": of},
    WORDS, st.sampled_from(OPERATIONS), st.lists(WORDS, max_size=3),
)  # fmt: skip
CLAUSES = st.builds(
    lambda said, known, parts, sums: {
        "statement": said, "source": known, "parts": parts, "reckoned": sums,
    },
    SIDES, SIDES, st.lists(PARTS, max_size=5), st.lists(SUMS, max_size=2),
)  # fmt: skip
HOSTILE = st.builds(lambda clauses: {"clauses": clauses}, st.lists(CLAUSES, max_size=3))


@given(HOSTILE, HOSTILE)
def test_whatever_the_second_answers_what_the_first_settles_keeps_its_outcome(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    def second(statement: str) -> Any:
        return {TRUE: other, LONELY: one}.get(statement) or left_open(statement)

    found = told(f"{TRUE} {LONELY}", Model(reader({TRUE: ANSWER}), second))
    assert found.grades.by_number[0].kind == "entailed"
    assert "asked twice" not in found.grades.by_number[0].by


@given(HOSTILE)
def test_no_answer_supports_a_statement_of_which_a_word_stands_in_no_part(
    answer: dict[str, Any],
) -> None:
    validator(SCHEMA_AGAIN)(answer)
    read = propositions_of(answer, LONELY, SOURCE)
    held = {
        LONELY[start:end] for c in read.clauses for p in c.parts for start, end in p.said
    }  # fmt: skip
    if weigh(read, LONELY, SOURCE).relation.supports:
        assert all(any(word in one for one in held) for word in ("kiosk", "open", "daily"))

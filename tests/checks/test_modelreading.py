"""A language model reads propositions: what follows of them is ours, and controls come first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from groundrules.checks.modelreading import read_by_model
from groundrules.claims.controls import controls
from groundrules.claims.document import from_text
from groundrules.claims.offline import Extraction, extract
from groundrules.errors import LLMError
from groundrules.llm.client import Client
from groundrules.llm.prompt import Prompt
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

    def __init__(self, answer: Callable[[str], Any]) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def ask_all(self, prompts: Sequence[Prompt]) -> tuple[Any, ...]:
        self.asked = [dict(one.texts)["statement"] for one in prompts]
        return tuple(map(self.answer, self.asked))


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
    assert found.notes == ()


def test_where_a_control_is_read_amiss_nothing_counts_that_was_read() -> None:
    found = told(TRUE, Model(reader({TRUE: ANSWER}, obeys=True)))
    assert not found.grades.by_number
    assert found.grades.missed.keys() == {0}
    assert "a control was read amiss" in found.grades.faults[0]


def test_controls_stand_in_questions_like_the_others() -> None:
    model = Model(reader({}))
    told(f"{TRUE} {LONELY}", model)
    assert len(model.asked) == 2 + 3


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
    assert found.notes[0].startswith("of 5 parts that the language model read 1 were dropped: 1 ")

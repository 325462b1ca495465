"""What a model read of a statement and its source, compared by our laws."""

from __future__ import annotations

import pytest

from groundrules.align.projection import Relation
from groundrules.align.readings import Outcome, weighed
from groundrules.claims.llm_propositions import propositions_of
from tests.claims.test_llm_propositions import Row, side


def held(
    statement: str, source: str, *rows: Row, denied: tuple[bool, bool] = (False, False),
    force: tuple[str, str] = ("fact", "fact"), words: str = "",
) -> Outcome:  # fmt: skip
    names = ("role", "statement", "source", "relation")
    clause = {
        "statement": side(statement, denied=denied[0], force=force[0]),
        "source": side(words or source, denied=denied[1], force=force[1]),
        "parts": [dict(zip(names, row, strict=True)) for row in rows],
    }
    return weighed(propositions_of({"clauses": [clause]}, statement, source), statement, source)


FERRY: tuple[Row, ...] = (
    ("does", "carried", "took", "same"),
    ("who", "The ferry", "the boat", "same"),
)


def test_other_words_of_one_meaning_support() -> None:
    found = held(
        "The ferry carried two horses.", "In May the boat took two mares across.", *FERRY,
        ("what", "two horses", "two mares", "narrower"), ("when", "", "In May", "none"),
    )  # fmt: skip
    assert found.finding.relation.supports


@pytest.mark.parametrize(
    ("source", "known", "relation"),
    [
        ("the boat took three horses.", "three horses", Relation.EXCLUDES),
        ("the boat took some horses.", "some horses", Relation.ENTAILED),
        ("the boat took animals.", "animals", Relation.ENTAILED),
    ],
)
def test_numbers_and_quantifiers_are_compared_by_us_whatever_the_model_says(
    source: str, known: str, relation: Relation
) -> None:
    told = "wider" if known == "animals" else "same"
    found = held("The ferry carried two horses.", source, *FERRY,
                 ("what", "two horses", known, told))  # fmt: skip
    assert not found.finding.relation.supports


def test_another_name_supports_nothing_though_the_model_calls_it_the_same() -> None:
    rows: tuple[Row, ...] = (
        ("does", "painted", "painted", "same"), ("who", "Ann Orme", "Cid Vale", "same"),
        ("what", "the door", "the door", "same"),
    )  # fmt: skip
    found = held("Ann Orme painted the door.", "Cid Vale painted the door.", *rows)
    assert not found.finding.relation.supports


def test_a_denial_that_the_model_does_not_see_supports_nothing() -> None:
    rows: tuple[Row, ...] = (
        ("does", "is open", "is not open", "same"), ("who", "The lift", "The lift", "same"),
    )  # fmt: skip
    found = held("The lift is open.", "The lift is not open.", *rows)
    assert not found.finding.relation.supports


MAY: tuple[Row, ...] = (
    ("does", "may enter", "may enter", "same"),
    ("who", "Guests", "Guests", "same"),
    ("what", "the yard", "the yard", "same"),
)


def test_a_condition_of_the_source_binds_whether_or_not_the_model_gives_it() -> None:
    said, source = "Guests may enter the yard.", "Guests may enter the yard if the gate is open."
    may = ("may", "may")
    told: Row = ("if", "", "if the gate is open", "none")
    assert held(said, source, *MAY, told, force=may).finding.relation is Relation.ENTAILED
    left_out = held(said, source, *MAY, force=may, words="Guests may enter the yard")
    assert not left_out.finding.relation.supports
    assert "gate" in left_out.why
    plain = held(said, said, *MAY, force=may)
    assert plain.finding.relation is Relation.SAME


def test_a_word_of_the_statement_in_no_part_blocks_support() -> None:
    found = held("Guests may enter the yard at night.", "Guests may enter the yard.", *MAY,
                 force=("may", "may"))  # fmt: skip
    assert not found.finding.relation.supports


def test_opposed_predicates_exclude_and_what_is_denied_of_one_follows() -> None:
    rows: tuple[Row, ...] = (
        ("does", "rejected", "granted", "opposed"), ("who", "The board", "The board", "same"),
        ("what", "the plan", "the plan", "same"),
    )  # fmt: skip
    found = held("The board rejected the plan.", "The board granted the plan.", *rows)
    assert found.finding.relation.refutes
    denied: tuple[Row, ...] = (("does", "did not reject", "granted", "opposed"), *rows[1:])
    said = "The board did not reject the plan."
    found = held(said, "The board granted the plan.", *denied, denied=(True, False))
    assert found.finding.relation.supports


def test_a_duty_is_no_permission_of_more_and_a_plan_no_fact() -> None:
    rows: tuple[Row, ...] = (
        ("does", "closed", "will close", "same"), ("who", "The mill", "The mill", "same"),
    )  # fmt: skip
    found = held("The mill closed.", "The mill will close.", *rows, force=("fact", "will"))
    assert not found.finding.relation.supports

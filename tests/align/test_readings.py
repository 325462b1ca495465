"""What a model read of a statement and its source, compared by our laws."""

from __future__ import annotations

import pytest

from groundrules.align.projection import Relation
from groundrules.align.readings import Weighed, weigh
from groundrules.claims.llm_propositions import propositions_of
from tests.claims.test_llm_propositions import Row, side


def held(
    statement: str, source: str, *rows: Row, denied: tuple[bool, bool] = (False, False),
    force: tuple[str, str] = ("fact", "fact"), words: str = "",
) -> Weighed:  # fmt: skip
    names = ("role", "statement", "source", "relation")
    clause = {
        "statement": side(statement, denied=denied[0], force=force[0]),
        "source": side(words or source, denied=denied[1], force=force[1]),
        "parts": [dict(zip(names, row, strict=True)) for row in rows],
    }
    return weigh(propositions_of({"clauses": [clause]}, statement, source), statement, source)


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


def test_of_two_clauses_with_one_verb_each_proposition_has_its_own() -> None:
    said = "The crew found water in the hold and smoke in the galley."
    source = "In the galley smoke was discovered by the crew. Water stood in the hold."
    names = ("role", "statement", "source", "relation")
    rows: tuple[Row, ...] = (
        ("does", "found", "was discovered", "same"), ("who", "The crew", "the crew", "same"),
        ("what", "smoke", "smoke", "same"), ("where", "in the galley", "In the galley", "same"),
    )  # fmt: skip
    clauses = [
        {
            "statement": side(said), "source": side(""),
            "parts": [dict(zip(names, row, strict=True)) for row in (
                ("does", "found", "", "none"), ("who", "The crew", "", "none"),
                ("what", "water", "", "none"), ("where", "in the hold", "", "none"))],
        },
        {
            "statement": side(said), "source": side(source[:48]),
            "parts": [dict(zip(names, row, strict=True)) for row in rows],
        },
    ]  # fmt: skip
    found = weigh(propositions_of({"clauses": clauses}, said, source), said, source)
    assert not found.finding.relation.supports  # nothing was found of the water
    assert not found.finding.relation.refutes
    assert found.why == "the source says nothing of it"


TABLE = "| Barge | Crew |\n|---|---|\n| Wren | 7 |\n| Lark | 9 |"


def test_a_verb_that_the_cells_of_a_table_leave_out_is_taken_from_the_statement() -> None:
    rows: tuple[Row, ...] = (
        ("does", "employs", "", "same"), ("who", "The Wren", "Wren", "same"),
        ("what", "a crew", "Crew", "same"),
    )  # fmt: skip
    assert held("The Wren employs a crew.", TABLE, *rows).finding.relation.supports
    plain = "The Wren: a crew"
    told: tuple[Row, ...] = (rows[0], ("who", "The Wren", "The Wren", "same"),
                             ("what", "a crew", "a crew", "same"))  # fmt: skip
    assert not held("The Wren employs a crew.", plain, *told).finding.relation.supports


def test_a_figure_put_together_from_pieces_refutes_nothing() -> None:
    rows: tuple[Row, ...] = (
        ("does", "is", "", "same"), ("who", "The limit", "Limit", "same"),
        ("how much", "50,000 crowns", "50 … thousand crowns", "same"),
    )  # fmt: skip
    source = "| Plan | Limit (thousand crowns) |\n|---|---|\n| Wren | 50 |"
    found = held("The limit is 50,000 crowns.", source, *rows)
    assert not found.finding.relation.refutes


@pytest.mark.parametrize(("verb", "follows"), [("may pay", True), ("pay", False)])
def test_who_may_do_it_in_one_way_or_another_may_do_it_in_either(verb: str, follows: bool) -> None:
    force = "may" if follows else "fact"
    rows: tuple[Row, ...] = (
        ("does", verb, verb, "same"), ("who", "Guests", "Guests", "same"),
        ("how", "by card", "by card or in cash", "wider"),
    )  # fmt: skip
    found = held(f"Guests {verb} by card.", f"Guests {verb} by card or in cash.", *rows,
                 force=(force, force))  # fmt: skip
    assert found.finding.relation.supports is follows


def test_what_only_one_thing_did_it_did_but_a_case_is_not_the_only_one() -> None:
    rows: tuple[Row, ...] = (
        ("does", "drank", "drank", "same"), ("who", "The cook", "Only the cook", "same"),
        ("what", "the wine", "the wine", "same"),
    )  # fmt: skip
    found = held("The cook drank the wine.", "Only the cook drank the wine.", *rows)
    assert found.finding.relation.supports
    case: tuple[Row, ...] = (
        ("does", "rings", "rings", "same"), ("what", "The bell", "The bell", "same"),
        ("if", "if the tide is in", "only if the tide is in", "same"),
    )  # fmt: skip
    said, source = "The bell rings if the tide is in.", "The bell rings only if the tide is in."
    assert not held(said, source, *case).finding.relation.supports


def test_a_case_of_the_source_that_is_not_the_statements_binds_all_the_same() -> None:
    rows: tuple[Row, ...] = (("does", "rings", "rings", "same"),
                             ("what", "The bell", "The bell", "same"),
                             ("if", "if the tide is in", "if a ship is lost", "other"))  # fmt: skip
    found = held("The bell rings if the tide is in.", "The bell rings if a ship is lost.", *rows)
    assert not found.finding.relation.supports


@pytest.mark.parametrize(
    ("said", "known", "relation"),
    [
        ("on 8 May", "on 9 May", "same"),
        ("before six", "after six only", "opposed"),
        ("before 6 p.m.", "after 6 p.m.", "same"),
    ],
)
def test_another_day_or_side_of_a_time_supports_nothing_whatever_the_model_says(
    said: str, known: str, relation: str
) -> None:
    found = held(f"The ferry carried horses {said}.", f"The boat took horses {known}.",
                 FERRY[0], ("who", "The ferry", "The boat", "same"),
                 ("what", "horses", "horses", "same"), ("when", said, known, relation))  # fmt: skip
    assert not found.finding.relation.supports


def test_what_the_source_has_not_of_a_thing_blocks_support_though_the_thing_is_there() -> None:
    rows: tuple[Row, ...] = (
        ("does", "reached", "reached", "same"), ("who", "The ferry", "The ferry", "same"),
        ("what", "ports", "ports", "same"), ("which", "in which plague raged", "", "none"),
    )  # fmt: skip
    found = held(
        "The ferry reached ports in which plague raged.", "The ferry reached ports.", *rows
    )
    assert not found.finding.relation.supports

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
    assert found.relation.supports


@pytest.mark.parametrize("known", ["three horses", "some horses", "animals"])
def test_numbers_and_quantifiers_are_compared_by_us_whatever_the_model_says(known: str) -> None:
    told, source = "wider" if known == "animals" else "same", f"the boat took {known}."
    found = held("The ferry carried two horses.", source, *FERRY,
                 ("what", "two horses", known, told))  # fmt: skip
    assert not found.relation.supports


def test_another_name_supports_nothing_though_the_model_calls_it_the_same() -> None:
    rows: tuple[Row, ...] = (
        ("does", "painted", "painted", "same"), ("who", "Ann Orme", "Cid Vale", "same"),
        ("what", "the door", "the door", "same"),
    )  # fmt: skip
    found = held("Ann Orme painted the door.", "Cid Vale painted the door.", *rows)
    assert not found.relation.supports


def test_a_denial_that_the_model_does_not_see_supports_nothing() -> None:
    rows: tuple[Row, ...] = (
        ("does", "is open", "is not open", "same"), ("who", "The lift", "The lift", "same"),
    )  # fmt: skip
    found = held("The lift is open.", "The lift is not open.", *rows)
    assert not found.relation.supports


MAY: tuple[Row, ...] = (
    ("does", "may enter", "may enter", "same"),
    ("who", "Guests", "Guests", "same"),
    ("what", "the yard", "the yard", "same"),
)


def test_a_condition_of_the_source_binds_whether_or_not_the_model_gives_it() -> None:
    said, source = "Guests may enter the yard.", "Guests may enter the yard if the gate is open."
    may = ("may", "may")
    told: Row = ("if", "", "if the gate is open", "none")
    assert "the gate is open" in held(said, source, *MAY, told, force=may).why
    left_out = held(said, source, *MAY, force=may, words="Guests may enter the yard")
    assert not left_out.relation.supports
    assert "gate" in left_out.why
    plain = held(said, said, *MAY, force=may)
    assert plain.relation is Relation.SAME


def test_a_word_of_the_statement_in_no_part_blocks_support() -> None:
    found = held("Guests may enter the yard at night.", "Guests may enter the yard.", *MAY,
                 force=("may", "may"))  # fmt: skip
    assert not found.relation.supports


def test_opposed_predicates_exclude_and_what_is_denied_of_one_follows() -> None:
    rows: tuple[Row, ...] = (
        ("does", "rejected", "granted", "opposed"), ("who", "The board", "The board", "same"),
        ("what", "the plan", "the plan", "same"),
    )  # fmt: skip
    found = held("The board rejected the plan.", "The board granted the plan.", *rows)
    assert found.relation.refutes
    denied: tuple[Row, ...] = (("does", "did not reject", "granted", "opposed"), *rows[1:])
    said = "The board did not reject the plan."
    found = held(said, "The board granted the plan.", *denied, denied=(True, False))
    assert found.relation.supports


def test_a_duty_is_no_permission_of_more_and_a_plan_no_fact() -> None:
    rows: tuple[Row, ...] = (
        ("does", "closed", "will close", "same"), ("who", "The mill", "The mill", "same"),
    )  # fmt: skip
    found = held("The mill closed.", "The mill will close.", *rows, force=("fact", "will"))
    assert not found.relation.supports


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
    assert not found.relation.supports  # nothing was found of the water
    assert not found.relation.refutes
    assert found.why == "no part has “water”"


TABLE = "| Barge | Crew |\n|---|---|\n| Wren | 7 |\n| Lark | 9 |"


def test_a_verb_that_the_cells_of_a_table_leave_out_is_taken_from_the_statement() -> None:
    rows: tuple[Row, ...] = (
        ("does", "employs", "", "same"), ("who", "The Wren", "Wren", "same"),
        ("what", "a crew", "Crew", "same"),
    )  # fmt: skip
    assert held("The Wren employs a crew.", TABLE, *rows).relation.supports
    plain = "The Wren lay by a crew"
    told: tuple[Row, ...] = (rows[0], ("who", "The Wren", "The Wren", "same"),
                             ("what", "a crew", "a crew", "same"))  # fmt: skip
    assert not held("The Wren employs a crew.", plain, *told).relation.supports


def test_a_figure_put_together_from_pieces_refutes_nothing() -> None:
    rows: tuple[Row, ...] = (
        ("does", "is", "", "same"), ("who", "The limit", "Limit", "same"),
        ("how much", "50,000 crowns", "50 … thousand crowns", "same"),
    )  # fmt: skip
    source = "| Plan | Limit (thousand crowns) |\n|---|---|\n| Wren | 50 |"
    found = held("The limit is 50,000 crowns.", source, *rows)
    assert not found.relation.refutes


@pytest.mark.parametrize(("verb", "follows"), [("may pay", True), ("pay", False)])
def test_who_may_do_it_in_one_way_or_another_may_do_it_in_either(verb: str, follows: bool) -> None:
    force = "may" if follows else "fact"
    rows: tuple[Row, ...] = (
        ("does", verb, verb, "same"), ("who", "Guests", "Guests", "same"),
        ("how", "by card", "by card or in cash", "wider"),
    )  # fmt: skip
    found = held(f"Guests {verb} by card.", f"Guests {verb} by card or in cash.", *rows,
                 force=(force, force))  # fmt: skip
    assert found.relation.supports is follows


def test_what_only_one_thing_did_it_did_but_a_case_is_not_the_only_one() -> None:
    rows: tuple[Row, ...] = (
        ("does", "drank", "drank", "same"), ("who", "The cook", "Only the cook", "same"),
        ("what", "the wine", "the wine", "same"),
    )  # fmt: skip
    found = held("The cook drank the wine.", "Only the cook drank the wine.", *rows)
    assert found.relation.supports
    case: tuple[Row, ...] = (
        ("does", "rings", "rings", "same"), ("what", "The bell", "The bell", "same"),
        ("if", "if the tide is in", "only if the tide is in", "same"),
    )  # fmt: skip
    said, source = "The bell rings if the tide is in.", "The bell rings only if the tide is in."
    assert not held(said, source, *case).relation.supports


def test_a_case_of_the_source_that_is_not_the_statements_binds_all_the_same() -> None:
    rows: tuple[Row, ...] = (("does", "rings", "rings", "same"),
                             ("what", "The bell", "The bell", "same"),
                             ("if", "if the tide is in", "if a ship is lost", "other"))  # fmt: skip
    found = held("The bell rings if the tide is in.", "The bell rings if a ship is lost.", *rows)
    assert not found.relation.supports


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
    assert not found.relation.supports


def test_what_the_source_has_not_of_a_thing_blocks_support_though_the_thing_is_there() -> None:
    rows: tuple[Row, ...] = (
        ("does", "reached", "reached", "same"), ("who", "The ferry", "The ferry", "same"),
        ("what", "ports", "ports", "same"), ("which", "in which plague raged", "", "none"),
    )  # fmt: skip
    found = held(
        "The ferry reached ports in which plague raged.", "The ferry reached ports.", *rows
    )
    assert not found.relation.supports


def said_of(
    said: str, known: str, relation: str = "same", role: str = "what", *, force: str = "fact",
    does: str = "serves", who: str = "The inn",
) -> Weighed:  # fmt: skip
    """Return what follows where all but one part of a clause is the same in both texts."""
    rows: tuple[Row, ...] = (("does", does, does, "same"), ("who", who, who, "same"),
                             (role, said, known, relation))  # fmt: skip
    texts = (f"{who} {does} {said}.", f"{who} {does} {known}.")
    return held(*texts, *rows, force=(force, force))


@pytest.mark.parametrize(
    ("said", "known", "follows"),
    [
        ("at least forty-one guests", "more than forty guests", True),
        ("at least forty-two guests", "more than forty guests", False),
        ("four guests", "at least four guests", False),
        ("about five guests", "five guests", True),
        ("five guests", "about five guests", False),
        ("a fortnight", "14 days", True),
        ("the guests", "most guests", False),
        ("some guests", "most guests", True),
        ("all guests", "most guests", False),
        ("all guests", "guests", False),
        ("guests", "all guests", True),
        ("more dates than figs", "32 dates", False),
        ("guests without a key", "guests with a key", False),
        ("guests with no key", "guests without a key", True),
        ("guests who are not members", "non-members", True),
        ("only guests", "guests", False),
        ("the guests", "the former guests", False),
        ("guests", "perhaps guests", False),
        ("guests", "guests or staff", False),
        ("the first floor", "the second floor", False),
        ("9 kg", "from 9 to 18 kg", False),
        ("a seven-year-old", "children under eight", True),
        ("a nine-year-old", "children under eight", False),
        ("a child of 22 kg", "children from 9 to 18 kg", False),
        ("2 euros per day", "2 euros per week", False),
    ],
)
def test_how_much_how_many_and_what_is_denied_follow_by_our_own_reading(
    said: str, known: str, follows: bool
) -> None:
    assert said_of(said, known).relation.supports is follows


@pytest.mark.parametrize(
    ("said", "known", "follows"),
    [
        ("every year", "once a year", True),
        ("once a year", "twice a year", False),
        ("once", "twice", False),
        ("daily", "every day", True),
    ],
)
def test_how_often_is_read_by_us(said: str, known: str, follows: bool) -> None:
    assert said_of(said, known, role="how often").relation.supports is follows


@pytest.mark.parametrize(
    ("said", "known", "relation", "follows"),
    [
        ("if a friend opens it", "if anyone opens it", "wider", True),
        ("if anyone opens it", "if a friend opens it", "narrower", False),
        ("if it is not renewed", "unless it is renewed", "same", True),
        ("if it is renewed", "unless it is renewed", "same", False),
        ("if the wind has force 6", "if the wind exceeds force 4", "same", True),
        ("if the wind has force 4", "if the wind exceeds force 4", "same", False),
    ],
)
def test_a_wider_case_has_the_narrower_in_it(
    said: str, known: str, relation: str, follows: bool
) -> None:
    found = said_of(said, known, relation, "if", does="lapses", who="The right")
    assert found.relation.supports is follows


@pytest.mark.parametrize(
    ("source", "known", "follows"),
    [
        ("Dogs enter the yard.", "Dogs", True),
        ("Either animal enters the yard.", "Either animal", True),
        ("The dog enters the yard.", "The dog", False),
        ("Dogs entered the yard.", "Dogs", False),
    ],
)
def test_what_is_so_of_any_of_a_kind_is_so_of_one(source: str, known: str, follows: bool) -> None:
    verb = source.split()[-3]
    rows: tuple[Row, ...] = (
        ("does", "enters", verb, "same"), ("who", "The poodle", known, "wider"),
        ("where", "the yard", "the yard", "same"),
    )  # fmt: skip
    assert held("The poodle enters the yard.", source, *rows).relation.supports is follows


def test_what_must_be_so_of_some_need_not_be_so_of_all() -> None:
    rows: tuple[Row, ...] = (
        ("does", "must wait", "must wait", "same"), ("who", "Guests", "Old guests", "narrower"),
    )  # fmt: skip
    found = held("Guests must wait.", "Old guests must wait.", *rows, force=("must", "must"))
    assert not found.relation.supports


def test_what_only_some_may_others_may_not() -> None:
    rows: tuple[Row, ...] = (
        ("does", "may not enter", "may enter", "same"), ("what", "the yard", "the yard", "same"),
        ("who", "People who are no guests", "Only guests", "opposed"),
    )  # fmt: skip
    said, source = (
        "People who are no guests may not enter the yard.",
        "Only guests may enter the yard.",
    )
    assert held(said, source, *rows, denied=(True, False), force=("may", "may")).relation.supports
    may: Row = ("does", "may enter", "may enter", "same")
    said = "People who are no guests may enter the yard."
    assert held(said, source, may, *rows[1:], force=("may", "may")).relation.refutes


def test_a_name_that_the_source_has_elsewhere_may_be_meant_but_not_where_it_has_another() -> None:
    rows: tuple[Row, ...] = (
        ("does", "is", "is", "same"), ("who", "The end of Lake Orm", "the end", "same"),
        ("which", "deep", "deep", "same"),
    )  # fmt: skip
    said = "The end of Lake Orm is deep."
    assert held(said, "Lake Orm is cold; the end is deep.", *rows).relation.supports
    other: Row = ("who", "The end of Lake Orm", "the end of Lake Ulm", "same")
    source = "Lake Orm is cold; the end of Lake Ulm is deep."
    assert not held(said, source, rows[0], other, rows[2]).relation.supports


def test_another_figure_alone_excludes_but_not_another_day_or_more_than_may_be() -> None:
    assert said_of("two beds", "three beds", does="has").relation.refutes
    assert not said_of("on 2 May", "on 3 May", role="when").relation.refutes
    assert not said_of(
        "two beds", "up to three beds", does="may have", force="may"
    ).relation.refutes
    assert not said_of("two beds", "three tables", "other", does="has").relation.refutes


@pytest.mark.parametrize(
    ("role", "words"),
    [("says who", "Ann says that"), ("how sure", "Perhaps"), ("when", "On Mondays"),
     ("how often", "Usually")],
)  # fmt: skip
def test_what_binds_the_source_must_be_in_the_statement(role: str, words: str) -> None:
    rows: tuple[Row, ...] = (
        ("does", "serves", "serves", "same"), ("who", "The inn", "the inn", "same"),
        ("what", "soup", "soup", "same"), (role, "", words, "none"),
    )  # fmt: skip
    found = held("The inn serves soup.", f"{words} the inn serves soup.", *rows)
    assert not found.relation.supports
    assert words in found.why


def test_what_is_only_said_or_wanted_is_not_told_though_the_model_leaves_that_out() -> None:
    rows: tuple[Row, ...] = (
        ("does", "sold", "sold", "same"), ("who", "The duke", "the duke", "same"),
        ("what", "the mine", "the mine", "same"),
    )  # fmt: skip
    found = held("The duke sold the mine.", "Ann claimed that the duke sold the mine.", *rows)
    assert not found.relation.supports
    assert "claimed" in found.why


@pytest.mark.parametrize(
    ("said", "known", "force", "follows"),
    [
        ("every guest", "guests", "must", True),
        ("every guest", "guests", "fact", False),
        ("every guest", "some guests", "must", False),
    ],
)
def test_what_guests_must_do_all_must(said: str, known: str, force: str, follows: bool) -> None:
    does = "must warn" if force == "must" else "warns"
    assert said_of(said, known, does=does, force=force).relation.supports is follows


@pytest.mark.parametrize(
    ("said", "known", "forces", "follows"),
    [
        ("can be bought", "are sold", ("may", "fact"), True),
        ("may be bought", "are sold", ("may", "fact"), False),
        ("are needed", "must be bought", ("fact", "must"), True),
        ("are bought", "must be bought", ("fact", "must"), False),
        ("close", "will close", ("fact", "will"), True),
        ("have closed", "will close", ("fact", "will"), False),
    ],
)
def test_what_is_so_can_be_so_and_what_is_needed_must_be(
    said: str, known: str, forces: tuple[str, str], follows: bool
) -> None:
    rows: tuple[Row, ...] = (
        ("does", said, known, "same"), ("who", "The gates", "The gates", "same"),
        ("when", "on 3 May", "on 3 May", "same"),
    )  # fmt: skip
    found = held(f"The gates {said} on 3 May.", f"The gates {known} on 3 May.", *rows,
                 force=forces)  # fmt: skip
    assert found.relation.supports is follows


@pytest.mark.parametrize(("force", "follows"), [("fact", True), ("may", False)])
def test_where_it_is_so_may_be_left_out_but_not_where_it_is_allowed(
    force: str, follows: bool
) -> None:
    does = "keeps" if force == "fact" else "may keep"
    rows: tuple[Row, ...] = (
        ("does", does, does, "same"), ("who", "The inn", "the inn", "same"),
        ("what", "dogs", "dogs", "same"), ("where", "", "in the yard", "none"),
    )  # fmt: skip
    source = f"All year the inn {does} dogs in the yard."
    found = held(f"The inn {does} dogs.", source, *rows, force=(force, force))
    assert found.relation.supports is follows


def test_a_people_is_a_name_too() -> None:
    assert not said_of("the Spanish ferry", "the Danish ferry").relation.supports
    assert said_of("the ferry", "the Danish ferry").relation.supports

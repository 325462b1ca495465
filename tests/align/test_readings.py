"""What a model read of a statement and its source, compared by our laws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from groundrules.align.projection import Relation
from groundrules.align.readings import Weighed, may_be_mended, weigh
from groundrules.claims.llm_propositions import propositions_of
from tests.claims.test_llm_propositions import Row, side


def held(
    statement: str, source: str, *rows: Row, denied: tuple[bool, bool] = (False, False),
    force: tuple[str, str] = ("fact", "fact"), words: str = "",
    sums: Sequence[tuple[str, str, list[str]]] = (),
) -> Weighed:  # fmt: skip
    names = ("role", "statement", "source", "relation")
    clause = {
        "statement": side(statement, denied=denied[0], force=force[0]),
        "source": side(words or source, denied=denied[1], force=force[1]),
        "parts": [dict(zip(names, row, strict=True)) for row in rows],
        "reckoned": [dict(zip(("words", "by", "of"), row, strict=True)) for row in sums],
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
        ("every guest", "any guest", True),
        ("first prize", "1st prize", True),
        ("first prize", "2nd prize", False),
        ("only guests", "guests and nobody else", True),
        ("half of the guests", "nine guests, half of the guests", True),
        ("part of the garden", "half of the garden", True),
        ("all guests", "all but one of the guests", False),
        ("the cook and the maid both", "the cook and the maid", True),
        ("guests and all", "guests", False),
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
        ("will be closed", "are closed", ("will", "fact"), True),
        ("will be closed", "were closed", ("will", "fact"), False),
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


def test_what_a_list_has_in_no_tense_is_so_in_times_to_come() -> None:
    rows: tuple[Row, ...] = (
        ("does", "will take", "Accepted", "same"), ("what", "paint", "paint", "same"),
        ("who", "The depot", "at the depot", "same"),
    )  # fmt: skip
    texts = "The depot will take paint.", "Accepted at the depot: paint; oil."
    assert held(*texts, *rows, force=("will", "fact")).relation.supports
    for left in ("has left", "left", "having left"):
        parts: tuple[Row, ...] = (
            ("does", "will leave", left, "same"), ("who", "Ann Orme", "Ann Orme", "same"),
            ("what", "the firm", "the firm", "same"),
        )  # fmt: skip
        gone = "Ann Orme will leave the firm.", f"Ann Orme, {left} the firm, is in Rome."
        assert not held(*gone, *parts, force=("will", "fact")).relation.supports


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


# --- what is reckoned -------------------------------------------------------------------------

BOATS: tuple[Row, ...] = (
    ("does", "take", "takes", "same"), ("who", "The boats", "The Tern … the Gull", "same"),
)  # fmt: skip
TERN = "The Tern takes 9 passengers, the Gull 12."


@pytest.mark.parametrize(("number", "so"), [("21", True), ("22", False)])
def test_a_sum_of_copied_figures_bears_out_a_figure_that_it_comes_to(number: str, so: bool) -> None:
    what: Row = ("what", f"{number} passengers", "9 passengers … 12", "same")
    sums = [(f"{number} passengers", "sum", ["9 passengers", "12"])]
    said = f"The boats take {number} passengers."
    found = held(said, TERN, *BOATS, what, sums=sums).relation
    assert (found.supports, found.refutes) == (so, not so)
    assert not held(said, TERN, *BOATS, what).relation.supports


def test_a_sum_mends_no_other_fault_of_its_part() -> None:
    said = "The boats take only 21 passengers."
    what: Row = ("what", "only 21 passengers", "9 passengers … 12", "same")
    sums = [("21 passengers", "sum", ["9 passengers", "12"])]
    assert "only" in held(said, TERN, *BOATS, what, sums=sums).why


def test_what_is_left_of_a_whole_is_told_of_what_the_rest_is_not() -> None:
    source = "Of the 100 beads 60 are red."
    sums = [("40 of the beads", "difference", ["100 beads", "60"])]
    who: Row = ("who", "40 of the beads", "Of the 100 beads 60", "same")
    wrong = held("40 of the beads are red.", source, who, ("does", "are red", "are red", "same"),
                 sums=sums)  # fmt: skip
    assert not wrong.relation.supports
    right = held("40 of the beads are blue.", source, who,
                 ("does", "are blue", "are red", "opposed"), sums=sums)  # fmt: skip
    assert right.relation.supports


OPEN = "The hut is open from 9 a.m. to 5 p.m."


def opened(at: str, by: str, verb: str = "open", told: str = "same", **kwargs: Any) -> Weighed:
    said = f"The hut is {verb} {at}."
    rows: tuple[Row, ...] = (
        ("does", f"is {verb}", "is open", told), ("who", "The hut", "The hut", "same"),
        ("when", at, "from 9 a.m. to 5 p.m", "same"),
    )  # fmt: skip
    return held(said, OPEN, *rows, sums=[(at, by, ["9 a.m.", "5 p.m."])], **kwargs)


def test_what_is_so_within_a_range_is_so_at_each_time_in_it() -> None:
    assert opened("at noon", "within").relation.supports
    assert not opened("at midnight", "within").relation.supports
    assert not opened("until noon", "within").relation.supports


def test_outside_of_a_range_it_is_not_so_and_the_opposite_is() -> None:
    assert opened("at midnight", "outside").relation.refutes
    assert opened("at midnight", "outside", "closed", "opposed").relation.supports
    assert not opened("at noon", "outside", "closed", "opposed").relation.supports
    denied = opened("at midnight", "outside", "not open", denied=(True, False))
    assert denied.relation.supports


def test_an_amount_within_a_range_is_not_each_that_may_be() -> None:
    rows: tuple[Row, ...] = (
        ("does", "holds", "holds", "same"), ("who", "The van", "The van", "same"),
        ("what", "8 bags", "between 5 and 12 bags", "same"),
    )  # fmt: skip
    sums = [("8 bags", "within", ["5", "12 bags"])]
    found = held("The van holds 8 bags.", "The van holds between 5 and 12 bags.", *rows, sums=sums)
    assert not found.relation.supports


def test_whom_a_source_speaks_of_does_not_shut_out_the_others() -> None:
    rows: tuple[Row, ...] = (
        ("does", "does not travel", "travel", "same"), ("how much", "free", "free", "same"),
        ("who", "A nine-year-old", "Children under eight", "same"),
    )  # fmt: skip
    sums = [("A nine-year-old", "outside", ["under eight"])]
    found = held("A nine-year-old does not travel free.", "Children under eight travel free.",
                 *rows, sums=sums, denied=(True, False))  # fmt: skip
    assert not found.relation.supports


def test_more_than_may_be_may_not_be() -> None:
    rows: tuple[Row, ...] = (
        ("does", "may bring", "may bring", "same"), ("who", "Nobody", "Each guest", "same"),
        ("what", "six bags", "up to four bags", "same"),
    )  # fmt: skip
    found = held("Nobody may bring six bags.", "Each guest may bring up to four bags.", *rows,
                 sums=[("six bags", "outside", ["up to four bags"])],
                 denied=(True, False), force=("may", "may"))  # fmt: skip
    assert found.relation.supports


# --- parts beside parts -----------------------------------------------------------------------


def test_where_one_part_alone_cannot_be_so_together_with_the_source_it_is_not_so() -> None:
    rows: tuple[Row, ...] = (
        ("does", "came", "came", "same"), ("who", "Ann", "Ann", "same"),
        ("how", "on foot", "by train", "opposed"),
    )  # fmt: skip
    assert held("Ann came on foot.", "Ann came by train.", *rows).relation.refutes
    two = held("Ann came on foot at dawn.", "Ann came by train at dusk.", *rows,
               ("when", "at dawn", "at dusk", "other"))  # fmt: skip
    assert not two.relation.refutes
    denied: tuple[Row, ...] = (("does", "did not come", "came", "same"), *rows[1:])
    found = held("Ann did not come on foot.", "Ann came by train.", *denied, denied=(True, False))
    assert found.relation.supports


def test_what_restricts_those_of_whom_all_is_told_binds_in_a_part_of_its_own_too() -> None:
    rows: tuple[Row, ...] = (
        ("does", "may enter", "may enter", "same"), ("who", "Guests", "Guests", "same"),
        ("what", "the yard", "the yard", "same"), ("which", "", "with a pass", "none"),
    )  # fmt: skip
    found = held("Guests may enter the yard.", "Guests with a pass may enter the yard.", *rows,
                 force=("may", "may"))  # fmt: skip
    assert "with a pass" in found.why


def test_a_condition_within_a_part_is_not_lost_in_it() -> None:
    rows: tuple[Row, ...] = (
        ("does", "may enter", "may, if the gate is open, enter", "same"),
        ("who", "Guests", "Guests", "same"), ("what", "the yard", "the yard", "same"),
    )  # fmt: skip
    found = held("Guests may enter the yard.", "Guests may, if the gate is open, enter the yard.",
                 *rows, force=("may", "may"))  # fmt: skip
    assert not found.relation.supports


def test_otherwise_is_the_other_case_of_the_one_told_before() -> None:
    source = "The tour starts at the quay if it is dry on Friday, and otherwise at the mill."
    rows: tuple[Row, ...] = (
        ("does", "starts", "starts", "same"), ("who", "the tour", "The tour", "same"),
        ("where", "at the mill", "at the mill", "same"),
        ("if", "If it is not dry on Friday", "otherwise", "same"),
    )  # fmt: skip
    words = "The tour starts … otherwise at the mill"
    said = "If it is not dry on Friday, the tour starts at the mill."
    assert held(said, source, *rows, words=words).relation.supports
    other = said.replace("Friday", "Monday")
    moved = (*rows[:3], ("if", "If it is not dry on Monday", "otherwise", "same"))
    assert not held(other, source, *moved, words=words).relation.supports


@pytest.mark.parametrize(
    ("who", "verb", "so"),
    [("the mill", "announced", True), ("a visitor", "announced", False),
     ("the mill", "hopes", False)],
)  # fmt: skip
def test_who_announces_what_is_its_own_tells_it(who: str, verb: str, so: bool) -> None:
    source = f"The Orme Mill has bought the yard, {who.replace('the mill', 'it')} {verb} on Monday."
    rows: tuple[Row, ...] = (
        ("does", "has bought", "has bought", "same"),
        ("who", "The Orme Mill", "The Orme Mill", "same"), ("what", "the yard", "the yard", "same"),
        ("says who", "", f"{who.replace('the mill', 'it')} {verb} on Monday", "none"),
    )  # fmt: skip
    found = held("The Orme Mill has bought the yard.", source, *rows, words=source[:35])
    assert found.relation.supports is so


def test_a_figure_and_its_unit_that_stand_apart_are_one() -> None:
    source = "| Club | Income (€ thousand) |\n|---|---|\n| Tell | 120 |"
    rows: tuple[Row, ...] = (
        ("does", "has", "", "same"), ("who", "Tell", "Tell", "same"),
        ("what", "an income of €120,000", "Income … € thousand … 120", "same"),
    )  # fmt: skip
    words = "Income (€ thousand) … Tell | 120"
    right = held("Tell has an income of €120,000.", source, *rows, words=words)
    assert right.relation.supports
    wrong = (*rows[:2], ("what", "an income of €120", "Income … € thousand … 120", "same"))
    assert not held("Tell has an income of €120.", source, *wrong, words=words).relation.supports


def test_some_of_the_days_of_a_list_are_in_it() -> None:
    rows: tuple[Row, ...] = (
        ("does", "meets", "meets", "same"), ("who", "The choir", "The choir", "same"),
        ("when", "on Fridays", "on Mondays and Fridays", "same"),
    )  # fmt: skip
    assert held("The choir meets on Fridays.", "The choir meets on Mondays and Fridays.",
                *rows).relation.supports  # fmt: skip
    other = (*rows[:2], ("when", "on Sundays", "on Mondays and Fridays", "same"))
    assert not held("The choir meets on Sundays.", "The choir meets on Mondays and Fridays.",
                    *other).relation.supports  # fmt: skip


@pytest.mark.parametrize(
    ("gap", "mends"),
    [(("what", "two horses", "three horses", "same"), True),
     (("what", "the Tern", "the Gull", "same"), False)],
)  # fmt: skip
def test_what_the_texts_themselves_set_apart_no_second_reading_mends(gap: Row, mends: bool) -> None:
    _, said, known, _ = gap
    found = held(f"The ferry might have carried {said}.", f"The boat took {known}.",
                 ("does", "might have carried", "took", "same"), ("who", "The ferry", "The boat",
                 "same"), gap, force=("might", "fact"))  # fmt: skip
    assert may_be_mended(found) is mends


def test_what_is_second_of_an_order_is_not_the_first_of_it() -> None:
    rows: tuple[Row, ...] = (
        ("does", "is the largest lake", "is the second largest lake", "same"),
        ("who", "Orla", "Orla", "same"),
    )  # fmt: skip
    found = held("Orla is the largest lake.", "Orla is the second largest lake.", *rows)
    assert "order" in found.why


@pytest.mark.parametrize("said", ["when the flag is white", "even when the flag is red"])
def test_an_exception_that_the_case_is_opposed_to_does_not_bind_it(said: str) -> None:
    source = "Guests may swim unless the flag is red."
    rows: tuple[Row, ...] = (
        ("does", "may swim", "may swim", "same"), ("who", "Guests", "Guests", "same"),
        ("unless", said, "unless the flag is red", "opposed"),
    )  # fmt: skip
    found = held(f"Guests may swim {said}.", source, *rows, force=("may", "may"))
    assert found.relation.supports is ("even" not in said)


def test_of_all_of_a_kind_one_of_some_age_is_one() -> None:
    rows: tuple[Row, ...] = (
        ("does", "must sign", "must sign", "same"), ("how", "in ink", "in ink", "same"),
    )  # fmt: skip
    who: Row = ("who", "A forty-year-old", "Applicants", "wider")
    said = "A forty-year-old must sign in ink."
    force = ("must", "must")
    assert held(said, "Applicants must sign in ink.", *rows, who, force=force).relation.supports
    of_age: Row = ("who", "A forty-year-old", "Applicants under twelve", "wider")
    found = held(said, "Applicants under twelve must sign in ink.", *rows, of_age, force=force)
    assert not found.relation.supports


def test_the_case_of_a_statement_counts_with_what_comes_out_of_it() -> None:
    source = "Late guests get 25 per cent of the price back."
    rows: tuple[Row, ...] = (
        ("does", "gets back", "get … back", "same"), ("who", "A late guest", "Late guests", "same"),
        ("for", "for a room of 80 crowns", "of the price", "same"),
        ("how much", "20 crowns", "25 per cent", "same"),
    )  # fmt: skip
    said = "A late guest gets back 20 crowns for a room of 80 crowns."
    sums = [("20 crowns", "product", ["25 per cent", "80 crowns"])]
    assert held(said, source, *rows, sums=sums).relation.supports
    wrong = [("20 crowns", "product", ["25 per cent", "20 crowns"])]
    assert not held(said, source, *rows, sums=wrong).relation.supports


def test_what_is_so_of_some_need_not_be_so_of_everyone() -> None:
    assert not said_of("everyone who calls", "all members who call", "narrower").relation.supports
    assert said_of("someone who calls", "a member who calls", "narrower").relation.supports


def test_who_did_not_take_both_may_have_taken_one() -> None:
    rows: tuple[Row, ...] = (
        ("does", "took", "did not take", "same"),
        ("who", "Ann", "Ann", "same"),
    )
    none: Row = ("what", "neither key", "both keys", "same")
    source = "Ann did not take both keys."
    found = held("Ann took neither key.", source, *rows, none, denied=(True, True))
    assert not found.relation.supports
    either: Row = ("what", "neither key", "either key", "same")
    source = "Ann did not take either key."
    found = held("Ann took neither key.", source, *rows, either, denied=(True, True))
    assert found.relation.supports


def test_what_not_all_did_not_all_did() -> None:
    rows: tuple[Row, ...] = (
        ("does", "paid", "paid", "same"), ("who", "All guests", "Not all guests", "same"),
    )  # fmt: skip
    assert held(
        "All guests paid.", "Not all guests paid.", *rows, denied=(False, True)
    ).relation.refutes
    some: Row = ("who", "Some guests", "Not all guests", "same")
    found = held("Some guests paid.", "Not all guests paid.", rows[0], some, denied=(False, True))
    assert not found.relation.refutes


def test_by_her_is_on_no_side_of_a_time() -> None:
    assert said_of("by the porter", "from the porter", role="by what").relation.supports
    assert not said_of("by noon", "after noon", role="when").relation.supports


def test_a_pronoun_has_nothing_to_compare() -> None:
    rows: tuple[Row, ...] = (
        ("does", "leaves", "leaves", "same"), ("who", "it", "The 14.05 from Arle", "same"),
    )  # fmt: skip
    assert held("Now it leaves.", "Now the 14.05 from Arle leaves.",
                ("when", "Now", "Now", "same"), rows[0],
                ("who", "it", "the 14.05 from Arle", "same")).relation.supports  # fmt: skip


@pytest.mark.parametrize(("unit", "so"), [("years", True), ("months", False)])
def test_a_bare_number_has_the_unit_of_the_one_before_it(unit: str, so: bool) -> None:
    rows: tuple[Row, ...] = (
        ("does", "binds", "binds", "same"), ("who", "The second", "the second", "same"),
        ("how long", f"five {unit}", "five", "same"),
    )  # fmt: skip
    source = "The first binds ten years, the second binds five."
    assert held(f"The second binds five {unit}.", source, *rows).relation.supports is so


def test_a_number_that_names_what_the_source_counts_elsewhere_is_no_other_figure() -> None:
    rows: tuple[Row, ...] = (
        ("does", "creaks", "creaks", "same"),
        ("who", "The smaller of the two looms", "The smaller", "same"),
    )
    said = "The smaller of the two looms creaks."
    assert held(said, "There are two looms. The smaller creaks.", *rows).relation.supports
    assert not held(said, "There are six looms. The smaller creaks.", *rows).relation.supports


def test_a_column_of_a_timetable_has_its_day_in_short() -> None:
    rows: tuple[Row, ...] = (
        ("does", "runs", "", "same"), ("who", "The 4", "4", "same"),
        ("when", "on Saturdays", "Sat", "same"),
    )  # fmt: skip
    source = "| Route | Sat | Sun |\n|---|---|---|\n| 4 | yes | no |"
    assert held(
        "The 4 runs on Saturdays.", source, *rows, words="| 4 | yes | no |"
    ).relation.supports
    other: Row = ("when", "on Sundays", "Sat", "same")
    said = "The 4 runs on Sundays."
    assert not held(said, source, *rows[:2], other, words="| 4 | yes | no |").relation.supports


def test_what_is_counted_is_no_kind() -> None:
    found = said_of("40 g unsalted flakes", "40 g flakes", "wider", does="needs")
    assert not found.relation.supports


def test_what_binds_another_clause_of_the_sentence_binds_this_one_not() -> None:
    rows: tuple[Row, ...] = (
        ("does", "lasts", "lasts", "same"), ("who", "Opened glue", "opened glue", "same"),
        ("how long", "a month", "a month", "same"),
    )  # fmt: skip
    source = "The glue, if kept dry, lasts two years; opened glue lasts a month."
    words = "opened glue lasts a month"
    assert held("Opened glue lasts a month.", source, *rows, words=words).relation.supports

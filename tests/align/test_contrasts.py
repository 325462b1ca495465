"""Contrasts: what a statement turns of its passage, and what only sounds so."""

from __future__ import annotations

import pytest

from groundrules.align.contrasts import contrasts
from groundrules.align.difference import difference
from groundrules.align.limits import WARNING
from groundrules.align.wordalign import comparable, lexicon, read, relation
from groundrules.rules.packs import shipped
from tests.work import assert_linear, work

#: From this similarity on a contrast is an error.
ERROR = float(shipped()["GR210"].params["sure"])

#: Kind, and two sentences of which neither holds where the other does.
TURNED = [
    ("negation", "The ferry runs on Sundays.", "The ferry does not run on Sundays."),
    ("negation", "The museum has a lift.", "The museum has no lift."),
    ("negation", "The archive was never moved to Turin.", "The archive was moved to Turin."),
    ("opposite", "The council approved the bridge.", "The council rejected the bridge."),
    ("opposite", "The clause on noise is valid.", "The clause on noise is invalid."),
    ("opposite", "Dogs are permitted in the garden.", "Dogs are prohibited in the garden."),
    ("opposite", "The rent of the mill increased in May.",
     "The rent of the mill decreased in May."),
    ("negation", "The roof has not leaked since 2015.", "The roof has leaked since 2015."),
]  # fmt: skip

#: Two sentences that say the same in other words, or of which the first carries the second.
CARRIED = [
    ("The covenant is unenforceable.", "The covenant cannot be enforced."),
    ("The lease was not terminated.", "The lease remained in force."),
    ("The price may not be lower than 90 crowns.", "The price is at least 90 crowns."),
    ("The price is at most 90 crowns.", "The price does not exceed 90 crowns."),
    ("The motion was denied.", "The judge did not grant the motion."),
    ("Dogs are not allowed in the garden.", "Dogs are prohibited in the garden."),
    ("The policy excludes floods.", "Floods are not covered by the policy."),
    ("The miller was paid by the baker.", "The baker paid the miller."),
    ("Birgit bought the boat from Anders.", "Anders sold the boat to Birgit."),
    ("The strike began before the fair ended.", "The fair ended after the strike began."),
    ("The north tower is higher than the south tower.",
     "The south tower is lower than the north tower."),
    ("The Monday market is larger than the Friday one.",
     "The Friday market is smaller than the Monday one."),
    ("All members signed.", "Every member signed."),
    ("Not all members signed.", "Some members did not sign."),
    ("Visitors have to wear a helmet.", "Visitors must wear a helmet."),
    ("The witness did not fail to appear.", "The witness appeared."),
    ("Not only the roof was repaired.", "The roof was repaired."),
    ("The lightning conductor was last tested in 2009.",
     "The lightning conductor has not been tested since 2009."),
    ("The roof last leaked in 2015.", "The roof has not leaked since 2015."),
]  # fmt: skip


def surest(statement: str, passage: str) -> float:
    """Return the similarity of the surest contrast, 0 without one."""
    return max((c.similarity for c in contrasts(statement, [passage])), default=0.0)


def kinds(statement: str, passage: str) -> set[str]:
    """Return how a passage turns a statement, near the wording or in one place."""
    near = {c.kind for c in contrasts(statement, [passage]) if c.similarity >= ERROR}
    single = difference(statement, passage)
    return near | ({single.kind} if single else set())


@pytest.mark.parametrize(("kind", "one", "other"), TURNED)
def test_a_turned_meaning_is_an_error_from_either_side(kind: str, one: str, other: str) -> None:
    for statement, passage in ((one, other), (other, one)):
        assert kind in kinds(statement, passage)


@pytest.mark.parametrize(("one", "other"), CARRIED)
def test_the_same_in_other_words_is_no_contrast_from_either_side(one: str, other: str) -> None:
    assert surest(one, other) < WARNING
    assert surest(other, one) < WARNING


@pytest.mark.parametrize(("kind", "one", "other"), TURNED)
def test_a_sentence_is_no_contrast_to_itself(kind: str, one: str, other: str) -> None:
    assert contrasts(one, [one]) == ()
    assert contrasts(other, [f"Earlier. {other} Later."]) == ()


@pytest.mark.parametrize(("kind", "one", "other"), TURNED)
def test_another_passage_that_carries_the_statement_silences(
    kind: str, one: str, other: str
) -> None:
    assert contrasts(one, [other, one]) == ()


#: Kind, a passage and a statement that turns a stretch of it; the rest of both differs.
NEAR = [
    ("negation", "The levy was agreed with the Ardal Guild, which has not itself seen the looms.",
     "The Ardal Guild, with which the levy was agreed, has itself seen the looms."),
    ("negation", "Cups and plates were washed; the glasses were not.",
     "Along with the cups, the glasses were washed."),
    ("negation", "The rule covers dogs and cats, not horses.",
     "The rule, made in March, covers horses as well as dogs."),
    ("opposite", "The stone circle lies four miles west of Elmore.",
     "By this map the stone circle lies four miles to the east of Elmore."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "passage", "statement"), NEAR)
def test_a_stretch_that_is_turned_is_an_error_whatever_surrounds_it(
    kind: str, passage: str, statement: str
) -> None:
    found = [c for c in contrasts(statement, [passage]) if c.similarity >= ERROR]
    assert kind in {c.kind for c in found}


@pytest.mark.parametrize(
    ("statement", "passage"),
    [
        ("Most of the boats reached Vik.", "Nine of the eleven boats reached Vik."),
        ("Not all of the churches have an organ.", "Four of the five churches have an organ."),
        ("None of the rooms has a bath.", "No room has a bath."),
        ("The cups were washed.", "Cups and plates were washed; the glasses were not."),
        ("The rule covers dogs.", "The rule covers dogs and cats, not horses."),
        ("The council has mended the roof.", "The council has not only mended the roof."),
        ("She would go if Piet came.", "She said she would not go unless Piet came."),
        ("Pupils need not pay the fee.", "Pupils do not pay the fee."),
        ("Boys who row must pay.", "Boys who row pay nothing."),
        pytest.param(
            "Elmore lies east of Vik.",
            "Vik lies west of Elmore.",
            marks=pytest.mark.xfail(reason="a converse is known of comparatives and verbs alone"),
        ),
        ("They charged a fee in 2019.", "In 2009 they charged no fee; in 2019 they charged one."),
        ("Only staff may use the lift.", "The lift is closed to everybody except staff."),
        ("Only members pay half.", "Everybody pays in full, except members, who pay half."),
        ("Nobody from the two villages was hurt.", "Nobody was hurt in the two villages."),
        ("Her aunt thought it fair.", "She learnt it from Ann, not from her aunt, who thought so."),
    ],
)
def test_a_stretch_that_is_not_turned_is_no_error(statement: str, passage: str) -> None:
    assert surest(statement, passage) < ERROR
    assert surest(passage, statement) < ERROR


def test_the_words_of_a_contrast_are_verbatim_in_both_texts() -> None:
    statement = "The ring, it says, lies two miles east of Elmore."
    passages = ["Rain fell.", "The ring lies two miles west of Elmore."]
    (first, *_) = contrasts(statement, passages)
    assert (first.kind, first.claimed, first.stated) == ("opposite", "east", "west")
    assert statement[first.start : first.end] == first.claimed
    assert first.passage == 1
    assert first.stated in passages[first.passage]


def test_what_is_said_of_other_things_is_no_contrast() -> None:
    assert (
        surest("The kitchen is warm.", "The cellar of the neighbouring castle is cold.") < WARNING
    )
    assert surest("Aino lost 3 games.", "Leda won 14 medals in the spring.") < WARNING


def test_a_pronoun_that_no_passage_explains_weakens() -> None:
    statement, passage = "She will not sell the mill on Ardal.", "She will sell the mill on Ardal."
    alone = contrasts(statement, [passage])
    after = contrasts(statement, [passage], before=["Doctor Amsel came home."])
    assert alone
    assert [c.similarity for c in after] < [c.similarity for c in alone]


def test_surer_contrasts_come_first() -> None:
    found = contrasts(
        "The council approved the bridge.",
        ["The council rejected the bridge.", "A tunnel was rejected by some councils long ago."],
    )
    assert [c.similarity for c in found] == sorted((c.similarity for c in found), reverse=True)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("grant", "deny", -1),
        ("approve", "approval", 1),
        ("enforce", "unenforceable", -1),
        ("liable", "liability", 1),
        ("deny", "denial", 1),
        ("bread", "river", 0),
        ("understand", "stand", 0),
    ],
)
def test_relations_are_the_same_from_either_side(one: str, other: str, expected: int) -> None:
    assert relation(one, other) == relation(other, one) == expected


def test_no_word_is_opposed_to_itself_on_an_axis() -> None:
    for word, sides in lexicon().sides.items():
        assert not any((axis, -side) in sides for axis, side in sides), word


def test_a_noun_and_an_adverb_answer_no_common_question() -> None:
    doc = read("Contract growth fell sharply.").doc
    assert not comparable(doc[1], doc[3])


def test_no_text_and_no_passage_give_no_contrast() -> None:
    assert contrasts("", ["The motion was denied."]) == ()
    assert contrasts("The motion was granted.", []) == ()
    assert contrasts("…", ["", "?"]) == ()


def test_the_cost_is_linear_in_the_passages_beside_a_statement() -> None:
    passages = [f"Clause {n}: the tenant must not sublet flat {n} before May." for n in range(20)]
    statement = "The tenant may sublet flat 3 after May."
    for text in (*passages, statement):
        read(text)
    assert_linear(lambda count: contrasts(statement, passages[:count]), 5)
    assert work(lambda: contrasts(statement, passages[:5])) < 5_000


@pytest.mark.parametrize(
    "text", ["80⁶ bulbs can be connected.", "At least 80⁶ of the guests left."]
)
def test_digits_that_stand_high_count_nothing(text: str) -> None:
    assert not contrasts(text, ["All bulbs can be connected.", "Most of the guests left."])

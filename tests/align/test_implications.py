"""What one proposition implies in other words, and what it does not."""

from __future__ import annotations

import pytest

from groundrules.align.deductions import read_propositions
from groundrules.align.implications import implied
from groundrules.claims.slots import described


def follows(text: str) -> list[str]:
    """Return what follows from the propositions of a text, themselves apart."""
    return [described(one) for term in read_propositions(text) for one in implied(term)]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Ana managed to win the race.", "win(subj: name ana, obj: the race)"),
        ("Ana did not manage to win the race.", "not win(subj: name ana, obj: the race)"),
        ("Ana failed to win the race.", "not win(subj: name ana, obj: the race)"),
        ("Ana did not fail to win the race.", "win(subj: name ana, obj: the race)"),
        ("Ana refused to sing.", "not sing(subj: name ana)"),
        ("Ana remembered to lock the gate.", "lock(subj: name ana, obj: the gate)"),
        ("Ana forgot to lock the gate.", "not lock(subj: name ana, obj: the gate)"),
        ("Ana began to sing in May.", "sing(subj: name ana, in: name may)"),
        ("The heat made the wax melt.", "melt(subj: the wax)"),
    ],
)
def test_an_implicative_verb_tells_whether_its_complement_is_so(text: str, other: str) -> None:
    assert other in follows(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ana knows that the well is dry.",
        "Ana does not know that the well is dry.",
        "The report showed that the well is dry.",
        "It is true that the well is dry.",
    ],
)
def test_what_is_known_or_shown_is_so(text: str) -> None:
    assert "dry(subj: the well)" in follows(text)


def test_what_is_false_is_not_so() -> None:
    assert follows("It is false that the well is dry.") == ["not dry(subj: the well)"]


@pytest.mark.parametrize(
    "text",
    [
        "The report may show that the well is dry.",
        "Ana tried to win the race.",
        "Ana wants to win the race.",
        "Ana hopes to win the race.",
        "Ana plans to win the race.",
        "Ana did not refuse to sing.",
        "Ana forgot that the gate was open.",
    ],
)
def test_of_what_is_said_wanted_or_tried_nothing_follows(text: str) -> None:
    assert not follows(text)


@pytest.mark.parametrize("verb", ["said", "believes"])
def test_what_somebody_says_follows_according_to_them_alone(verb: str) -> None:
    assert follows(f"Ana {verb} that the well is dry.") == [
        "dry(subj: the well, according to: name ana)"
    ]


def test_what_is_excepted_is_denied() -> None:
    assert follows("All fees except the late fee are refundable.") == [
        "not refundable(subj: the fee(mod: late))"
    ]


def test_only_if_denies_where_the_condition_is_not_met() -> None:
    assert follows("The gate opens only if the guard is present.") == [
        "not open(subj: the gate, if: not present(subj: the guard))"
    ]
    assert not follows("The gate opens if the guard is present.")


@pytest.mark.parametrize(
    "text",
    [
        "The council's approval of the plan surprised the press.",
        "The approval of the plan by the council surprised the press.",
    ],
)
def test_a_noun_of_an_event_says_who_did_what(text: str) -> None:
    assert follows(text) == ["approve(subj: the council, obj: the plan)"]


def test_who_is_a_famous_baker_is_famous() -> None:
    assert follows("Bruno is a famous baker.") == ["famous(subj: name bruno)"]


@pytest.mark.parametrize(
    "text",
    [
        "Bruno is a former baker.",
        "Bruno is an alleged thief.",
        "Bruno is not a famous baker.",
        "Jumbo is a small elephant.",
    ],
)
def test_of_what_takes_away_or_compares_nothing_follows(text: str) -> None:
    assert not follows(text)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("The council raised the fee.", ["rise(subj: the fee)"]),
        ("The frost killed the vines.", ["die(subj: the vine)"]),
        ("The council will close the mill.", ["will close(subj: the mill)"]),
        ("The council did not raise the fee.", []),
        ("The council must raise the fee.", []),
        ("The fee rose.", []),
    ],
)
def test_what_somebody_makes_happen_happens(text: str, result: list[str]) -> None:
    assert follows(text) == result


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Ana is a nurse who works in Leeds.", "work(subj: name ana, in: name leeds)"),
        ("Ana is a nurse whose brother sings.", "sing(subj: the brother(of: name ana))"),
        ("The kiln is a tool that potters use.", "use(subj: bare potter, obj: the kiln)"),
    ],
)
def test_what_tells_of_what_a_thing_is_said_to_be_tells_of_the_thing(text: str, other: str) -> None:
    assert other in follows(text)


@pytest.mark.parametrize("text", ["Ana is not a nurse who sings.", "Ana may be a nurse who sings."])
def test_what_tells_of_what_a_thing_may_not_be_does_not_tell_of_it(text: str) -> None:
    assert not any(one.startswith("sing(subj: name ana") for one in follows(text))


def test_a_noun_that_tells_the_kind_says_what_the_kind_adds_nothing_to() -> None:
    assert "burn(subj: the oak)" in follows("The oak tree burned.")
    assert "burn(subj: the apple)" not in follows("The apple basket burned.")

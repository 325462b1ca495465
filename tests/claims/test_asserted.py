"""What sentences assert, in one form however it is said."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundrules.claims.slots import described
from tests.claims.said import read_propositions


def read(text: str) -> list[str]:
    """Return the propositions of a text, printed."""
    return [described(one) for one in read_propositions(text)]


def unordered(text: str) -> list[tuple[object, ...]]:
    """Return the propositions of a text, the slots of each in the order of their names."""
    return [
        (
            one.head,
            one.denied,
            one.force,
            sorted((s.role, described(s.filler)) for s in one.slots),
        )
        for one in read_propositions(text)
    ]


ALIKE = (
    ("The letter was written by a monk.", "A monk wrote the letter."),
    ("The tower was paid for by the guild.", "The guild paid for the tower."),
    ("The baker used to sing.", "The baker sang."),
    ("The forge used to cast bells.", "The forge cast bells."),
    ("The organ was paid for entirely by the guild.", "The guild paid for the organ entirely."),
    ("Tenants are required to clean the stairs.", "Tenants must clean the stairs."),
    ("Tenants have to clean the stairs.", "Tenants must clean the stairs."),
    ("Tenants are obliged to clean the stairs.", "Tenants must clean the stairs."),
    ("Nurses are allowed to park in the yard.", "Nurses may park in the yard."),
    ("Nurses are permitted to park in the yard.", "Nurses may park in the yard."),
    ("Nurses are not allowed to park in the yard.", "Nurses may not park in the yard."),
    ("Nurses must not park in the yard.", "Nurses may not park in the yard."),
    ("Drivers do not have to pay.", "Drivers need not pay."),
    ("Drivers are not required to pay.", "Drivers need not pay."),
    ("They all left.", "All of them left."),
    ("Each of the boats leaks.", "Every boat leaks."),
)
READ = tomllib.loads(Path(__file__).with_name("asserted.toml").read_text("utf-8"))["read"]
FORCES = (
    ("The gate is locked.", "fact"),
    ("The gate must be locked.", "must"),
    ("The gate shall be locked.", "shall"),
    ("The gate may be locked.", "may"),
    ("The gate can be locked.", "may"),
    ("The gate should be locked.", "should"),
    ("The gate will be locked.", "will"),
    ("The gate would be locked.", "would"),
    ("The gate might be locked.", "might"),
    ("Lock the gate.", "do"),
)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_what_is_said_in_two_ways_is_read_as_one(one: str, other: str) -> None:
    assert unordered(one) == unordered(other)


@pytest.mark.parametrize(("text", "propositions"), READ)
def test_a_sentence_is_read_as_what_it_asserts(text: str, propositions: list[str]) -> None:
    assert read(text) == propositions


@pytest.mark.parametrize(("text", "force"), FORCES)
def test_each_force_is_told_from_the_others(text: str, force: str) -> None:
    (event,) = read_propositions(text)
    assert event.force == force


@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("The band plays.", "present"),
        ("The band played.", "past"),
        ("The band has played.", "perfect"),
        ("The band is playing.", "present going on"),
        ("The band was playing.", "past going on"),
        ("The band will play.", ""),
    ],
)
def test_each_tense_is_told_from_the_others(text: str, tense: str) -> None:
    (event,) = read_propositions(text)
    assert event.tense == tense


@pytest.mark.parametrize("text", ["The captain said that the ship sank.", "The ship might sink."])
def test_what_is_said_or_might_be_is_no_fact(text: str) -> None:
    assert "sink(subj: the ship)" not in read(text)


@pytest.mark.parametrize("text", ["", " ", "\n", "…", "42"])
def test_where_nothing_is_asserted_nothing_breaks(text: str) -> None:
    assert len(read(text)) <= 1


def test_sentences_are_read_one_after_the_other() -> None:
    both = read("The mill closed in May. The forge burned.")
    assert both == [*read("The mill closed in May."), *read("The forge burned.")]


@pytest.mark.parametrize(
    ("text", "propositions"),
    [
        pytest.param(
            "Neither the cook nor the waiter slept.",
            ["not sleep(subj: the cook)", "not sleep(subj: the waiter)"],
            marks=pytest.mark.xfail(
                reason="'neither' before a subject denies nothing", strict=True
            ),
        ),
        pytest.param(
            "Provided that the roof is dry, the tiles may be laid.",
            ["may lay(obj: the tile, provided: dry(subj: the roof))"],
        ),
        pytest.param(
            "Visitors must pay by card or in cash.",
            [],
        ),
    ],
)
def test_what_is_denied_bound_or_open_is_not_asserted_of_each(
    text: str, propositions: list[str]
) -> None:
    if propositions:
        assert read(text) == propositions
    assert "must pay(subj: bare visitor, in: bare cash)" not in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "The hall holds up to six of them, not from May, but the fee was won not by Ann alone.",
        "Had she been born in Rome, nine of the ten would no longer have been let in otherwise.",
        "Neither the tenant nor the landlord may, if the roof leaks, let it to anyone under 12.",
        "What for, he asked, is the second of two boats, sold for twice as much as the first?",
        "Do not take on board: fuel, matches, knives; three a day, all but two, respectively.",
        "“Only those who paid,” said Ann Lee, the mayor, “are, as I believe, either late or not.”",
    ],
)
def test_a_sentence_that_begins_late_or_ends_early_is_read(text: str) -> None:
    words = text.split()
    for cut in range(1, len(words) + 1):
        for part in (words[:cut], words[-cut:]):
            read_propositions(" ".join(part).rstrip(".,;:?”"))


def test_a_city_of_a_name_is_the_named_but_where_a_word_tells_which() -> None:
    assert read("The City of Leeds owns the hall.") == ["own(subj: name leeds, obj: the hall)"]
    (told,) = read("The largest city of France is Paris.")
    assert "city(" in told


@pytest.mark.parametrize(
    "text",
    [
        "Nobody but the curator may open the vault.",
        "Everyone but the cook left.",
        "All the boats but the Tern sank.",
        "No one but Ana came.",
    ],
)
def test_who_is_left_out_of_all_is_told_nothing_of(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("She sang rather than danced.", "sing(subj: the she)"),
    ],
)
def test_what_stands_behind_rather_than_is_not_said(text: str, first: str) -> None:
    assert read(text) == [first]


def test_but_joins_what_has_a_quantity_of_its_own() -> None:
    assert len(read("All of the lifeboats but only some of the rafts were inspected.")) == 2

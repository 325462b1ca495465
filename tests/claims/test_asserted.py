"""What sentences assert, in one form however it is said."""

from __future__ import annotations

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
READ = (
    # voice, denial and partitives
    ("The cake was eaten.", ["eat(obj: the cake)"]),
    ("Some of the rafts leak.", ["leak(subj: some raft)"]),
    ("None of the rafts leak.", ["not leak(subj: every raft)"]),
    ("No raft leaks.", ["not leak(subj: every raft)"]),
    ("Not all rafts leak.", ["not leak(subj: some raft)"]),
    ("The diver found no pearls.", ["not find(subj: the diver, obj: any pearl)"]),
    ("The gate must remain shut.", ["must remain(subj: the gate, is: shut)"]),
    ("The mill never closed.", ["not close(subj: the mill)"]),
    # coordination
    (
        "The baker and the butcher closed the shop.",
        ["close(subj: the baker, obj: the shop)", "close(subj: the butcher, obj: the shop)"],
    ),
    (
        "The baker sells bread and cakes.",
        ["sell(subj: the baker, obj: bare bread)", "sell(subj: the baker, obj: bare cake)"],
    ),
    (
        "The baker opened the shop and lit the oven.",
        ["open(subj: the baker, obj: the shop)", "light(subj: the baker, obj: the oven)"],
    ),
    (
        "The road is closed to cars but open to cyclists.",
        ["close(obj: the road, to: bare car)", "open(subj: the road, to: bare cyclist)"],
    ),
    (
        "Visitors can pay by card or in cash.",
        [
            "may pay(subj: bare visitor, by: bare card)",
            "may pay(subj: bare visitor, in: bare cash)",
        ],
    ),
    (
        "The court may impose a fine or a warning.",
        ["may impose(subj: the court, obj: a fine)", "may impose(subj: the court, obj: a warning)"],
    ),
    (
        "The court imposed a fine or a warning.",
        ["impose(subj: the court, obj: a fine & a warning)"],
    ),
    # pairs, and what is left out
    (
        "Ana and Bruno tuned the piano and the harp respectively.",
        ["tune(subj: name ana, obj: the piano)", "tune(subj: name bruno, obj: the harp)"],
    ),
    (
        "The tanker sailed to Bergen and the ferry to Malmo.",
        ["sail(subj: the tanker, to: name bergen)", "sail(subj: the ferry, to: name malmo)"],
    ),
    (
        "Ana plays the flute and Bruno the drums.",
        ["play(subj: name ana, obj: the flute)", "play(subj: name bruno, obj: the drum)"],
    ),
    # conditions and exceptions
    (
        "The tiles may be laid provided that the roof is dry.",
        ["may lay(obj: the tile, provided: dry(subj: the roof))"],
    ),
    (
        "The tiles may be laid if the roof is dry.",
        ["may lay(obj: the tile, if: dry(subj: the roof))"],
    ),
    (
        "The gate is opened only if the guard is present.",
        ["open(obj: the gate, only if: present(subj: the guard))"],
    ),
    (
        "Unless the roof leaks, the barn stays dry.",
        ["stay(subj: the barn, unless: leak(subj: the roof), is: dry)"],
    ),
    ("All rooms except the library are heated.", ["heat(obj: every room(except: the library))"]),
    # instructions
    ("Keep the vaccine dry.", ["do keep(obj: the vaccine, is: dry)"]),
    ("Do not open the valve.", ["not do open(obj: the valve)"]),
    ("Close the valve and open the vent.", ["do close(obj: the valve)", "do open(obj: the vent)"]),
    # what is told beside
    (
        "The cook, who was born in Oslo, won.",
        [
            "win(subj: the cook(that: bear(obj: ~, in: name oslo)))",
            "bear(obj: the cook, in: name oslo)",
        ],
    ),
    (
        "Turin, the old capital, hosts the fair.",
        [
            "host(subj: name turin(also: the capital(mod: old)), obj: the fair)",
            "be(subj: name turin, is: the capital(mod: old))",
        ],
    ),
    (
        "Although the well was dry, the goats survived.",
        ["survive(subj: the goat, though: dry(subj: the well))", "dry(subj: the well)"],
    ),
    (
        "The mill closed because the river froze.",
        ["close(subj: the mill, because: freeze(subj: the river))", "freeze(subj: the river)"],
    ),
    # what is not told
    (
        "The captain said that the ship sank.",
        ["say(subj: the captain, that: sink(subj: the ship))"],
    ),
    ("Correction: the talk is in the hall.", ["be(subj: the talk, in: the hall)"]),
)
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

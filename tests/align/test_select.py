"""Each row of the table of slots, and what never agrees by similarity."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import XSD
from rdflib.term import Literal, Node, URIRef

from groundrules import Outcome, check
from groundrules.align.graphs import select
from groundrules.align.graphs.select import Graphs, Match, best_references, candidates_of
from groundrules.terms import ENTITY, GR, RELATION, Claim, Modality, Severity, Span, Triple, mint
from tests.rows import each

#: Labels that the vectors of these tests have at cosine 0.9, though nothing else says they agree.
ALIKE = (
    {"pay", "remit"},
    {"increase", "raise", "decrease"},
    {"insure", "insured by"},
    {"three bedrooms", "two bedrooms", "several bedrooms"},
    {"the 2019 budget", "the 2020 budget"},
    {"landlord's cost", "tenant's cost"},
    {"Angela Merkel", "Angela Davis"},
    {"roof", "rooftop"},
    {"Apple", "Apple Records"},
)
KINDS = {
    "Alpine Holdings": "ORG", "Alpine": "ORG", "Bright Harbor": "ORG", "Northgate": "ORG",
    "Angela Merkel": "PERSON", "Angela Davis": "PERSON", "Tomas Reyes": "PERSON",
    "Landlord": "TERM", "Tenant": "TERM", "Oregon": "LOC", "Portland": "LOC",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    def vector(label: str) -> Any:
        digest = hashlib.sha256(label.encode()).digest()
        own = np.random.default_rng(list(digest)).normal(size=256)
        own -= own.mean()
        own /= np.linalg.norm(own)
        for number, group in enumerate(ALIKE):
            if label in group:
                shared = np.random.default_rng(number).normal(size=256)
                shared /= np.linalg.norm(shared)
                own -= (own @ shared) * shared
                return np.sqrt(0.9) * shared + np.sqrt(0.1) * own / np.linalg.norm(own)
        return own

    def encode(labels: Sequence[str], *, model: str) -> Any:
        return np.array([vector(label) for label in labels], np.float32).reshape(-1, 256)

    monkeypatch.setattr(select, "encode", encode)


def node(label: str | Literal) -> Node:
    return label if isinstance(label, Literal) else mint(ENTITY, label)


def statement(
    number: int,
    subject: str,
    relation: str,
    object_: str | Literal,
    *,
    source: str = "text",
    denied: bool = False,
    sentence: int = 0,
) -> Claim:
    return Claim(
        URIRef(f"urn:test:{source}-{number}"),
        Triple(node(subject), mint(RELATION, relation), node(object_)),
        Span(source, 10 * number, 10 * number + 9),
        polarity="negative" if denied else "positive",
        modality=Modality.ASSERTED,
        sentence=sentence,
    )


Parts = tuple[str, str, str | Literal]


def match(
    mine: Parts,
    *others: Parts,
    denied: bool = False,
    refuted: bool = False,
    says: str = "",
    text: str = "",
) -> tuple[Match, ...]:
    """Match a claim with references; `denied` denies the claim, `refuted` the references."""
    claim = statement(0, *mine, denied=denied)
    references = [
        statement(n, *other, source="source", denied=refuted) for n, other in enumerate(others)
    ]
    labels: dict[Node, str] = {}
    kinds: dict[Node, str] = {}
    for parts in (mine, *others):
        for at, label in enumerate(parts):
            if isinstance(label, str):
                key: Node = mint(RELATION, label) if at == 1 else mint(ENTITY, label)
                labels[key] = label
                kinds[key] = KINDS.get(label, "NOUN")
    texts = {claim.id: text} | {reference.id: says for reference in references}
    graphs = Graphs([claim], references, labels, kinds, texts)
    return best_references(graphs, {claim.id: references})[claim.id]


def slot(mine: Parts, other: Parts, **more: Any) -> str:
    (found,) = match(mine, other, **more)
    return found.slot


def day(text: str) -> Literal:
    return Literal(text, datatype=XSD.date if text.count("-") == 2 else XSD.gYear)


def money(text: str) -> Literal:
    return Literal(text, datatype=GR.money)


# --- the table --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        (("Tenant", "pay", "rent"), ("Tenant", "pay", "rent")),
        (("Tenant", "pay", "rent"), ("Tenant", "remit", "rent")),
        (("Tenant", "pay for", "rent"), ("Tenant", "pay", "rent")),  # the same content words
        (("Tenant", "maintain", "roof"), ("Tenant", "maintain", "rooftop")),
        (("Tenant", "maintain", "exterior walls"), ("Tenant", "maintain", "walls")),  # same head
        (("Alpine", "own", "roof"), ("Alpine Holdings", "own", "roof")),  # a name within a name
        (("lease", "begin on", day("2021")), ("lease", "begin on", day("2021-06-01"))),
        (("rent", "be", money("5850 USD")), ("rent", "be", money("5850.00 USD"))),
    ],
)
def test_none_all_three_parts_agree(mine: Parts, other: Parts) -> None:
    assert slot(mine, other) == "none"
    assert slot(mine, other, denied=True, refuted=True) == "none"


def test_polarity_one_of_the_two_is_denied() -> None:
    same = ("Tenant", "pay", "rent")
    assert slot(same, same, denied=True) == "polarity"
    assert slot(same, same, refuted=True) == "polarity"


@each("says text expected")
def test_an_exception_that_both_make_is_no_denial(says: str, text: str, expected: str) -> None:
    same = ("Tenant", "assign", "lease")
    assert slot(same, same, refuted=True, says=says, text=text) == expected


@each("mine other expected")
def test_swap_the_same_two_things_exchanged(mine: Parts, other: Parts, expected: str) -> None:
    assert slot(mine, other) == expected


def test_a_short_name_is_not_near_enough_to_say_that_two_things_changed_places() -> None:
    assert slot(("Alpine", "own", "Northgate"), ("Northgate", "own", "Alpine Holdings")) != "swap"


@each("mine other")
def test_subject_the_subjects_are_different_things(mine: Parts, other: Parts) -> None:
    (found,) = match(mine, other)
    assert found.slot == "subject"
    assert found.similarity == pytest.approx(1)
    assert slot(mine, other, says=f"Save that {mine[0]} may.") == ""  # both stand in the source


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        (("lease", "begin on", day("2021-05-01")), ("lease", "begin on", day("2021-06-01"))),
        (("lease", "begin on", day("2022")), ("lease", "begin on", day("2021-06-01"))),
        (("rent", "be", money("4850 USD")), ("rent", "be", money("5850 USD"))),
        (("lease", "be with", "Northgate"), ("lease", "be with", "Bright Harbor")),
        (("rent", "be paid by", "Landlord"), ("rent", "be paid by", "Tenant")),
    ],
)
def test_object_the_objects_are_different_things(mine: Parts, other: Parts) -> None:
    (found,) = match(mine, other)
    assert found.slot == "object"
    assert found.similarity == pytest.approx(1)


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        (("Tenant", "pay", "rent"), ("Tenant", "pay", "deposit")),  # two common nouns
        (("lease", "be in", "Oregon"), ("lease", "be in", "Northgate")),  # two kinds of names
        (("lease", "begin on", day("2021-05-01")), ("lease", "begin on", "Oregon")),
        (("rent", "be", money("5 USD")), ("rent", "be", money("5 EUR"))),  # not to be compared
        (("rent", "be", money("5 USD")), ("rent", "be", day("2021-05-01"))),
        (("Tenant", "pay", "rent"), ("Tenant", "visit", "rent")),
        (("Alpine Holdings", "insure", "roof"), ("Northgate", "sell", "roof")),
        (("Tenant", "pay", "Alpine Holdings"), ("Landlord", "pay", "Northgate")),  # two differ
    ],
)
def test_anything_else_is_no_contradiction(mine: Parts, other: Parts) -> None:
    assert slot(mine, other) == ""


def test_a_denied_claim_of_something_else_contradicts_nothing() -> None:
    mine, other = ("Northgate", "insure", "roof"), ("Alpine Holdings", "insure", "roof")
    assert slot(mine, other, denied=True) == ""


# --- what similarity cannot say ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        ("three bedrooms", "two bedrooms"),
        ("three bedrooms", "several bedrooms"),
        ("the 2019 budget", "the 2020 budget"),
        ("landlord's cost", "tenant's cost"),
        ("Angela Merkel", "Angela Davis"),
        ("Apple", "apple records"),
        (day("2021-05-01"), day("2021-05-02")),
        (money("5850 USD"), money("5851 USD")),
        (Literal("7", datatype=XSD.integer), Literal("8", datatype=XSD.integer)),
    ],
)
def test_names_dates_and_numbers_never_agree_by_similarity(
    mine: str | Literal, other: str | Literal
) -> None:
    (found,) = match(("Tenant", "have", mine), ("Tenant", "have", other))
    assert found.slot != "none"
    assert found.parts[2] < select.NEAR


@each("mine other")
def test_opposite_relations_never_agree(mine: str, other: str) -> None:
    assert slot(("Tenant", mine, "rent"), ("Tenant", other, "rent")) == ""
    assert slot(("Tenant", "raise", "rent"), ("Tenant", "increase", "rent")) == "none"


def test_a_value_that_may_hold_beside_another_is_no_conflict() -> None:
    def lasting(text: str) -> Literal:
        return Literal(text, datatype=XSD.duration)

    mine = ("term", "last", lasting("P3M"))
    assert slot(mine, ("term", "last", lasting("P30D"))) == "object"
    found = match(mine, ("term", "last", lasting("P30D")), ("term", "last", lasting("P90D")))
    assert [one.slot for one in found] == [""]


# --- the choice -------------------------------------------------------------------------------


def test_agreement_hides_difference_and_difference_hides_nearness() -> None:
    mine = ("lease", "begin on", day("2021-06-01"))
    agrees, differs = mine, ("lease", "begin on", day("2020-01-01"))
    near = ("lease", "end on", day("2021-06-01"))
    assert [m.slot for m in match(mine, near, differs, agrees)] == ["none"]
    assert [m.slot for m in match(mine, near, differs)] == ["object"]
    assert [m.slot for m in match(mine, near)] == [""]
    assert match(mine) == ()


def test_at_most_three_matches_best_first() -> None:
    mine = ("Tenant", "pay", "roof")
    others = [("Tenant", "remit", "rooftop"), ("Tenant", "pay", "rooftop")] * 2 + [mine]
    found = match(mine, *others)
    assert len(found) == 3
    assert found[0].reference.triple == found[0].claim.triple
    assert [m.similarity for m in found] == sorted((m.similarity for m in found), reverse=True)


LABEL = st.sampled_from(["Tenant", "Landlord", "rent", "roof", "rooftop", "Oregon", "Alpine"])
VALUE = st.sampled_from([day("2021-05-01"), day("2021"), money("5 USD"), Literal("x")])
PARTS = st.tuples(LABEL, st.sampled_from(["pay", "remit", "be"]), st.one_of(LABEL, VALUE))


@given(PARTS, st.lists(PARTS, max_size=6), st.booleans(), st.booleans())
def test_similarities_are_shares_and_slots_are_known(
    mine: Parts, others: list[Parts], denied: bool, refuted: bool
) -> None:
    found = match(mine, *others, denied=denied, refuted=refuted)
    assert bool(found) == bool(others)
    for one in found:
        assert 0 <= one.similarity <= 1
        assert all(0 <= part <= 1 for part in one.parts)
        assert one.slot in {"none", "polarity", "swap", "subject", "object", ""}
    assert found == match(mine, *others, denied=denied, refuted=refuted)


@given(PARTS)
def test_a_statement_agrees_with_itself(mine: Parts) -> None:
    (found,) = match(mine, mine)
    assert (found.slot, found.similarity, found.parts) == ("none", 1, (1, 1, 1))


# --- candidates -------------------------------------------------------------------------------


def test_candidates_are_those_of_near_sentences_then_those_that_share_most() -> None:
    claim = statement(0, "Tenant", "pay", "rent")
    references = [
        statement(0, "Tenant", "visit", "roof", source="a", sentence=3),
        statement(1, "Landlord", "own", "roof", source="a", sentence=1),
        statement(2, "Tenant", "pay", "deposit", source="a", sentence=4),
        statement(3, "rent", "be due to", "Tenant", source="b", sentence=1),
        statement(4, "Landlord", "own", "Oregon", source="b", sentence=2),
    ]
    found = candidates_of([claim], references, {claim.id: [("a", 1)]})[claim.id]
    assert [reference.id[-3:] for reference in found] == ["a-1", "b-3", "a-2", "a-0"]
    assert candidates_of([claim], references, {}, most=2)[claim.id] == [
        references[3],
        references[2],
    ]
    assert candidates_of([claim], [], {}) == {claim.id: []}


def test_the_same_relation_is_found_among_any_number_of_statements_about_a_thing() -> None:
    claim = statement(0, "Tenant", "pay", "rent")
    many = [statement(n, "Tenant", f"visit {n}", f"place {n}", source="s") for n in range(2000)]
    wanted = statement(2000, "Tenant", "pay", "deposit", source="s")
    found = candidates_of([claim], [*many, wanted], {}, most=5)[claim.id]
    assert found[0] == wanted
    assert len(found) == 5


def test_a_statement_that_says_half_of_a_claim_keeps_others_from_contradicting_it() -> None:
    from pathlib import Path

    from groundrules import api

    lease = Path(__file__).parents[2] / "examples" / "lease" / "lease.txt"
    text = "Notices to the Landlord are sent to 88 Summit Avenue in Seattle."
    report = api.check(text, context=[lease])
    assert not {"GR201", "GR202"} & {v.rule for v in report.violations}


PHYSICS_AND_CHEMISTRY = (
    "Marie Curie won the Nobel Prize in Physics in 1903 and the Nobel Prize in Chemistry in 1911."
)


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (PHYSICS_AND_CHEMISTRY, "Marie Curie won two Nobel Prizes."),
        (PHYSICS_AND_CHEMISTRY, "Marie Curie won the Nobel Prizes in Physics and in Chemistry."),
        (PHYSICS_AND_CHEMISTRY, "Marie Curie won Nobel Prizes in both Physics and Chemistry."),
        (
            "Marie Curie won two Nobel Prizes.",
            "Marie Curie won the Nobel Prizes in Physics and in Chemistry.",
        ),
        ("Ann Lee is a founder of Acme.", "Carl Day is a founder of Acme."),
        ("Ann Lee is one of the founders of Acme.", "Carl Day is a founder of Acme."),
    ],
)
def test_a_plural_a_place_and_one_of_several_exclude_nothing(context: str, claim: str) -> None:
    report = check(claim, context=context, verify=False)
    assert Outcome.REFUTED not in {one.outcome for one in report.statements}


def test_another_holder_of_what_one_alone_holds_is_refuted() -> None:
    report = check(
        "Carl Day is the founder of Acme.", context="Ann Lee is the founder of Acme.", verify=False
    )
    assert {one.outcome for one in report.statements} == {Outcome.REFUTED}


def test_another_of_a_kind_in_its_place_is_doubted() -> None:
    said, context = "Ann Lee met Bob Ray in Rome.", "Ann Lee met Bob Ray in Paris."
    report = check(said, context=context, verify=False)
    assert {one.outcome for one in report.statements} == {Outcome.NOT_ENOUGH_INFO}
    assert {v.severity for v in report.violations if v.rule == "GR201"} == {Severity.WARNING}

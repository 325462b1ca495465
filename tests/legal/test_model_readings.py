"""What follows in law from what others have read of a text."""

from __future__ import annotations

from typing import Any

import pytest
from rdflib.term import Literal, URIRef

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.legal.listings import parts_in
from groundrules.legal.model_readings import read_heard
from groundrules.legal.namespace import LX
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import Modality


def names(words: str) -> set[str]:
    return {f"{prefix}{one}" for prefix, found in (parts_in(words) or {}).items() for one in found}


@pytest.mark.parametrize(
    ("words", "some", "none"),
    [
        ("Exhibits A, B and C, and no others", {"Exhibit A", "Exhibit C"}, {"Exhibit D"}),
        ("Schedules 1 to 4", {"Schedule 3"}, {"Schedule 5"}),
        ("the three schedules", {"Schedule 3", "Schedule C"}, {"Schedule 4", "Schedule D"}),
        ("it ends with clause 7", {"1", "7"}, {"8"}),
        ("Sections 1 to 5", {"4"}, {"6"}),
        ("clause 12.3", {"12.3"}, {"12"}),
        ("no annex", set(), {"Annex A", "Annex 1"}),
        ("a letter", set(), {"A"}),
        ("Schedules I to IV", {"Schedule II", "Schedule III"}, {"Schedule V"}),
        ("Schedules I to V", {"Schedule IV", "Schedule V"}, {"Schedule J"}),
        ("Exhibits A to C and E", {"Exhibit B", "Exhibit E"}, {"Exhibit D"}),
        ("section 409A", {"409A"}, {"40", "409"}),
        ("Section 101", {"101"}, {"10"}),
        ("sections 1 to 150", {"75", "150"}, {"15.0", "151"}),
        ("clauses 12.1 to 12.4", {"12.3"}, {"12.5"}),
        ("Exhibits 10.1 and 10.2", {"Exhibit 10.1", "Exhibit 10.2"}, {"Exhibit 10"}),
        ("it ends with Schedule 4", {"Schedule 1", "Schedule 3"}, {"Schedule 5"}),
        ("Schedule 1 and Schedule 2", {"Schedule 2"}, {"Schedule A"}),
    ],
)
def test_parts_are_named_or_counted(words: str, some: set[str], none: set[str]) -> None:
    found = names(words)
    assert some <= found
    assert not none & found


PAPER, CASE, CITED, BOOK = (URIRef(f"https://example.org/{n}") for n in range(4))


def heard(*told: Any, mode: Any = None) -> Assertions:
    """Return what follows from triples that a model has read; the `mode` is that of the last."""
    assertions = Assertions(extract(from_text("It is so.", "text")))
    with assertions.read_by("the model"):
        for number, triple in enumerate(told, 1):
            more = (mode or {}) if number == len(told) else {}
            assertions.state(*triple, assertions.span(0, 5), **more)
        assertions.labels[BOOK] = "F.2d"
        read_heard(assertions)
    return assertions


def lists(words: str, *has: str) -> set[str]:
    told = [(PAPER, LX.hasSection, Literal(one)) for one in has]
    found = heard(*told, (PAPER, LX.listsSections, Literal(words))).told()
    every = {str(c.triple.object) for c in found if c.triple.predicate == LX.listsSections}
    return every - {words}


@pytest.mark.parametrize(
    ("words", "prefix"),
    [
        ("Schedules 1 to 4", "Schedule "),
        ("clauses 1 to 9", ""),
        ("150 clauses", ""),
        ("Schedules I to X", "Schedule "),
    ],
)
def test_a_list_that_is_read_to_its_end_is_one(words: str, prefix: str) -> None:
    assert lists(words) == {prefix}


@pytest.mark.parametrize(
    "words",
    [
        "Schedules V to X",
        "Schedules 4A to 4D",
        "Schedules 1, 2 and 3-A",
        "Exhibits (A) to (D)",
        "sections 1000 to 1010",
        "clauses 9 to 2",
        "ends with Schedule X",
        "one hundred and fifty sections",
        "annexes i to iv",
    ],
)
def test_a_list_that_is_not_read_to_its_end_is_none(words: str) -> None:
    assert lists(words) == set()


def test_what_a_list_of_all_parts_has_not_is_referred_to() -> None:
    assertions = Assertions(extract(from_text("Five in all. It was under 11.", "text")))
    with assertions.read_by("the model"):
        listed, other = assertions.span(0, 12), assertions.span(13, 29)
        assertions.state(PAPER, LX.listsSections, Literal("one to five"), listed)
        assertions.state(PAPER, LX.hasSection, Literal("11"), other)
        read_heard(assertions)
    found = {(c.triple.predicate, str(c.triple.object)) for c in assertions.told()}
    assert (LX.refersToSection, "11") in found
    assert (LX.hasSection, "11") not in found
    assert (LX.listsSections, "") in found


def test_where_one_list_is_not_read_there_is_none() -> None:
    assert lists("Schedules 1 and 2, five clauses", "Schedules 4A to 4D") == set()


@pytest.mark.parametrize(
    ("mode", "counts"),
    [
        ({}, True),
        ({"polarity": "negative"}, False),
        ({"modality": Modality.POSSIBILITY}, False),
        ({"attribution": "the clerk"}, False),
    ],
)
def test_a_year_and_a_volume_count_that_are_plainly_said(mode: Any, counts: bool) -> None:
    cites = (CASE, LX.hasCitation, CITED)
    year = heard(cites, (CITED, LX.citedYear, Literal("1990")), mode=mode)
    assert any(c.triple.predicate == LX.decisionDate for c in year.told()) is counts
    volume = heard((CITED, LX.inReporter, BOOK), (CITED, LX.volume, Literal("900")), mode=mode)
    assert bool(volume.background) is counts


def test_what_has_a_part_in_force_is_in_force() -> None:
    part = URIRef("https://example.org/part")
    found = heard((part, LX.partOf, PAPER), (part, LX.standing, Literal("in force"))).told()
    assert any(
        (c.triple.subject, c.triple.predicate, str(c.triple.object))
        == (PAPER, LX.standing, "in force")
        for c in found
    )

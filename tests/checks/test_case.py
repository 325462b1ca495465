"""What a reader hands to the judge, and the dataset that is made of it."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import RDF
from rdflib.term import Literal, URIRef

from groundrules.checks.case import Case, build
from groundrules.checks.judge import Rules, judge
from groundrules.errors import SourceError
from groundrules.rules.packs import load_packs
from groundrules.terms import GR, Claim, Modality, Span, Triple

PACKAGE = Path(__file__).parents[2] / "groundrules"
TEXT, SOURCE, OTHER = (URIRef(f"urn:{name}") for name in ("text", "source", "other"))
RULES = Rules(tuple(rule for pack in load_packs(("core", "owl")) for rule in pack.rules))


def triple(number: int) -> Triple:
    return Triple(URIRef("urn:s"), URIRef("urn:p"), URIRef(f"urn:o{number}"))


def claim(number: int, name: str = "claim", **more: Any) -> Claim:
    return Claim(
        URIRef(f"urn:{name}{number}"), triple(number), Span("text", number, number), **more
    )


WHOLE = Case(
    text=TEXT,
    statements=(claim(0, "statement"),),
    claims=(claim(1), claim(2)),
    assertions=(claim(3, "assertion"),),
    evidence=((SOURCE, (claim(4, "evidence"),)), (SOURCE, (claim(5, "evidence"),))),
    background=((OTHER, (claim(6, "known"),)),),
    passages=(claim(7, "passage"),),
    facts=(Triple(URIRef("urn:claim1"), GR.support, Literal(0.5)),),
    axioms=(triple(8),),
    relations=(triple(9),),
)


def test_each_part_of_a_case_is_in_its_graph() -> None:
    dataset = build(WHOLE)

    kinds = {
        (row["node"], row["kind"])
        for row in dataset.query("SELECT ?node ?kind WHERE { ?node a ?kind }")
    }
    assert kinds == {
        (URIRef("urn:statement0"), GR.Statement),
        (URIRef("urn:claim1"), GR.Claim),
        (URIRef("urn:claim2"), GR.Claim),
        (URIRef("urn:assertion3"), GR.Assertion),
        (URIRef("urn:evidence4"), GR.Evidence),
        (URIRef("urn:evidence5"), GR.Evidence),
        (URIRef("urn:known6"), GR.Evidence),
    }
    assert set(dataset.triples(SOURCE)) == {triple(4), triple(5)}
    assert set(dataset.triples(OTHER)) == {triple(6)}
    for one in (*WHOLE.facts, triple(8), triple(9)):
        assert one in dataset
    assert Triple(URIRef("urn:claim1"), GR.source, TEXT) in dataset
    assert Triple(URIRef("urn:passage7"), RDF.type, GR.Evidence) not in dataset


def test_what_is_said_and_what_is_stated_go_by_id() -> None:
    assert set(map(str, WHOLE.said)) == {
        "urn:claim1", "urn:claim2", "urn:assertion3", "urn:statement0",
    }  # fmt: skip
    # what is known of no place has none to be shown
    assert set(map(str, WHOLE.stated)) == {"urn:evidence4", "urn:evidence5"}


@given(st.permutations(range(6)))
def test_the_order_of_a_case_changes_no_dataset_and_no_finding(order: list[int]) -> None:
    claims = tuple(claim(number) for number in range(6))
    stated = tuple(
        claim(number, "evidence", modality=list(Modality)[number % 5]) for number in range(3, 9)
    )
    case = Case(text=TEXT, claims=claims, evidence=((SOURCE, stated),))
    mixed = Case(
        text=TEXT,
        claims=tuple(claims[number] for number in order),
        evidence=tuple((SOURCE, (stated[number],)) for number in order),
    )

    assert build(mixed).digest() == build(case).digest()
    assert judge(mixed, RULES) == judge(case, RULES)


def test_a_case_of_nothing_is_an_empty_dataset() -> None:
    assert len(build(Case())) == 0
    assert all(not getattr(Case(), part.name) for part in fields(Case) if part.name != "text")


def test_an_iri_that_is_none_is_refused() -> None:
    bad = replace(claim(1), triple=replace(triple(1), subject=URIRef("no iri")))
    with pytest.raises(SourceError):
        build(Case(claims=(bad,)))


def test_without_edits_the_dataset_is_not_told() -> None:
    case = Case(text=TEXT, claims=(claim(1),))

    assert judge(case, RULES).dataset == build(case).digest()
    assert judge(case, RULES, edits=False).dataset == ""


def test_what_the_reader_takes_back_is_neither_shown_nor_hidden() -> None:
    case = Case(text=TEXT, claims=(claim(1),))
    assert judge(case, RULES).violations

    found = judge(case, replace(RULES, select=("KB",)), standing=lambda _: ())

    assert (found.violations, found.hidden) == ((), ())


@pytest.mark.parametrize(
    ("pattern", "places"),
    [
        (r"(?<!class )\bDataset\(\)", {"checks/case.py"}),
        (r"\bengine\.check\(", {"checks/judge.py"}),
        (r"\bengine\.fired\(", {"explain/repair.py"}),
        (r"(?<!def )\bverify_all\(", {"checks/judge.py"}),
        (r"\bshacl\.validate\(", {"checks/judge.py"}),
    ],
)
def test_datasets_are_built_and_rules_are_run_in_one_place(pattern: str, places: set[str]) -> None:
    """Edits are tried in explain/repair.py."""
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if re.search(pattern, path.read_text(encoding="utf-8"))
    }

    assert found == places

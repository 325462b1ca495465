"""What a text and its sources say together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules.legal.contracts import AGREEMENT
from groundrules.legal.namespace import LX
from groundrules.ontology.read.lexicon import read_lexicon
from groundrules.ontology.read.reader import settled
from groundrules.terms import ENTITY, STATEMENT, Claim, Span, Triple
from tests.ontology.read.texts import line, ontology, read

LEXICON = read_lexicon(ontology())


def statement(source: str, predicate: str, value: str) -> Claim:
    dated = predicate.endswith("Date")
    object_ = Literal(value, datatype=XSD.date) if dated else ENTITY[value]
    return Claim(
        STATEMENT[f"{source}:{predicate}:{value}"],
        Triple(AGREEMENT, LX[predicate], object_),
        Span(source, 0, 1),
    )


def test_a_source_that_gives_two_values_of_one_vouches_for_neither() -> None:
    both = tuple(statement("a", "expirationDate", f"202{n}-01-01") for n in range(2))
    tenant = statement("a", "hasTenant", "bob")
    assert settled({"a": (*both, tenant)}, LEXICON) == {"a": (tenant,)}


def test_a_coarser_date_is_no_other_value() -> None:
    claims = (
        statement("a", "expirationDate", "2020-01-01"),
        statement("a", "expirationDate", "2020"),
    )
    assert settled({"a": claims}, LEXICON) == {"a": claims}


def test_sources_that_differ_speak_of_contracts_of_their_own() -> None:
    kept = settled(
        {"a": (statement("a", "hasTenant", "bob"),), "b": (statement("b", "hasTenant", "eve"),)},
        LEXICON,
    )
    subjects = {claim.triple.subject for claims in kept.values() for claim in claims}
    assert len(subjects) == 2
    assert AGREEMENT not in subjects


@given(
    st.dictionaries(
        st.sampled_from("abc"),
        st.lists(
            st.tuples(
                st.sampled_from(["hasTenant", "hasLandlord", "expirationDate", "documentDate"]),
                st.sampled_from(["2020", "2020-01-01", "2021-01-01"]),
            ),
            max_size=4,
        ),
    )
)
def test_settling_adds_nothing_and_is_done_once(rows: dict[str, list[tuple[str, str]]]) -> None:
    said = {
        name: tuple(statement(name, predicate, value) for predicate, value in found)
        for name, found in rows.items()
    }
    once = settled(said, LEXICON)
    assert settled(once, LEXICON) == once
    for name, claims in once.items():
        assert {c.id for c in claims} <= {c.id for c in said[name]}


def test_text_and_source_share_the_contract_and_the_case() -> None:
    reading, labels = read(
        "The lease expires on May 31, 2026. The case was decided on May 1, 2019.",
        "This Lease expires on May 31, 2027. The case was filed on May 1, 2018.",
    )
    lines = [line(claim, labels) for claim in reading.references["source0"]]
    assert "agreement lx:expirationDate 2027-05-31" in lines
    assert "case lx:filingDate 2018-05-01" in lines
    said = [line(claim, labels) for claim in reading.assertions]
    assert "agreement lx:expirationDate 2026-05-31" in said
    assert "decision lx:decides case" in said


def test_every_claim_of_the_text_is_counted_once() -> None:
    text = "The lease expires on May 31, 2026. Alpine Holdings LLC owns a mill. It likes Texas."
    reading, _ = read(text)
    from groundrules.claims.documents.document import from_text
    from groundrules.claims.facts.offline import extract

    assert sum(reading.counts.values()) == len(extract(from_text(text, "text")).claims)
    assert reading.counts["lexical"] >= 1


def test_an_assertion_names_the_claim_it_reads() -> None:
    reading, _ = read("The lease was signed on May 1, 2021.")
    (signed,) = [c for c in reading.assertions if c.triple.predicate == LX.executionDate]
    assert signed.reads is not None
    assert signed.origin == "ontology"
    assert signed.triple.object == Literal("2021-05-01", datatype=XSD.date)


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("Alpine Holdings LLC is a company and sends the tenant of the lease a letter.", True),
        ("Alpine Holdings LLC is a company.", False),
        ("The lease was signed on May 1, 2021.", False),
    ],
)
def test_a_sentence_is_read_if_no_word_for_a_term_is_left(text: str, unread: bool) -> None:
    reading, _ = read(text)
    assert bool(reading.unread) is unread
    assert reading.assertions

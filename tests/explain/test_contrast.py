"""Contrastive explanations."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import OWL
from rdflib.term import BNode, Literal, URIRef

from groundrules.explain import contrast, foil
from groundrules.terms import (
    ENTITY,
    GR,
    Edit,
    EditOperation,
    Evidence,
    Modality,
    Report,
    Severity,
    Span,
    Traits,
    Triple,
    Violation,
    mint,
)
from tests.explain import cases


def test_a_denial_without_text_is_contrasted_with_the_opposite() -> None:
    report = replace(cases.lease(), sources={})

    assert contrast.explain(report.violations[1], report).foil == "Tenant · must not assign · lease"


def test_beside_its_sentence_a_headline_does_not_quote_it_whole() -> None:
    report = cases.lease()
    told = {v.rule: contrast.headline(v, report, beside=True) for v in report.violations}

    assert told["GR205"] == "the source says “The Tenant shall not assign the lease.”"
    assert told["GR301"] == "“1 April 2021”; the source says “1 March 2021”"
    assert told["GR901"] == "no source states it"


def test_a_headline_against_a_source_without_words_is_the_message_of_the_rule() -> None:
    report = cases.lease()
    first = report.violations[0]
    bare = tuple(replace(item, span=None) for item in first.evidence)

    assert contrast.headline(replace(first, evidence=bare), report) == first.message


def test_a_headline_of_a_rule_that_compares_no_texts_is_its_message() -> None:
    report = cases.lease()

    first = replace(report.violations[0], traits=Traits())
    assert contrast.headline(first, report) == first.message


def test_a_rule_with_its_own_reason_says_its_message_too() -> None:
    report = cases.lease()
    first = next(v for v in report.violations if v.claim)
    own = replace(first, traits=Traits(), message="the term is odd", because="leases begin later")

    text = contrast.explain(own, report).text

    assert text.startswith("the term is odd: claimed ")
    assert text.endswith("; because leases begin later")


def test_what_the_text_says_against_itself_is_told_so() -> None:
    report = cases.lease()
    first = report.violations[0]
    elsewhere = (replace(first.evidence[0], span=report.claims[0].span),)

    assert "; the text itself says “" in contrast.headline(
        replace(first, evidence=elsewhere), report
    )


WORDS = st.lists(st.text("ab漢é", min_size=1, max_size=12), min_size=1, max_size=40)


@given(WORDS, st.integers(24, 120), st.data())
def test_a_clip_fits_and_has_the_first_word_of_its_mark(
    words: list[str], room: int, data: st.DataObject
) -> None:
    text = "  ".join(words)
    nth = data.draw(st.integers(0, len(words) - 1))
    start = len("  ".join(words[:nth])) + (2 if nth else 0)
    mark = Span("a.txt", start, start + len(words[nth]))

    shown = contrast.clip(Span("a.txt", 0, len(text)), mark, Report("a.txt", text), room)

    assert shown is not None
    assert len(shown) <= room
    assert words[nth] in shown
    assert "… " in shown or shown.startswith(words[0])


def test_a_list_mark_is_none_of_the_words_of_an_item() -> None:
    report = Report("a.txt", "- One thing.")

    assert contrast.clip(Span("a.txt", 0, 12), None, report, 40) == "One thing."


def test_a_modality_is_contrasted_by_name() -> None:
    report = cases.lease()
    claim = replace(report.claims[2], modality=Modality.PERMISSION)
    violation = Violation(
        "X001", "other-modality", Severity.ERROR, "must, not may", claim,
        (Evidence(claim.triple, "lease.txt"),),
        cases.mode_edit(claim.id, GR.modality, "permission", "obligation"),
    )  # fmt: skip

    found = contrast.explain(violation, report)

    assert found.fact == "“The Tenant shall assign the lease.”"
    assert found.foil == "Tenant · must assign · lease"
    assert found.because == "the source states an obligation and the claim a permission"


def test_each_part_has_its_reason() -> None:
    report = cases.lease()
    claim = report.claims[4]
    s, p, o = claim.triple.subject, claim.triple.predicate, claim.triple.object
    other = mint(ENTITY, "other")

    def because(new: Triple, axiom: URIRef | None = None) -> str:
        edit = Edit((EditOperation("DELETE", claim.triple), EditOperation("ADD", new)))
        row = (("axiom", axiom),) if axiom else ()
        violation = Violation("X001", "x", Severity.ERROR, "m", claim, edit=edit, bindings=row)
        return contrast.explain(violation, report).because

    assert because(Triple(s, p, other), OWL.FunctionalProperty) == "“waives” takes one value"
    assert because(Triple(other, p, o), OWL.InverseFunctionalProperty) == (
        "“waives” has one subject for each object"
    )
    assert because(Triple(s, other, o), OWL.propertyDisjointWith) == (
        "“waives” and “other” exclude each other"
    )
    # a rule of the house that names no axiom is explained by what it says, and by none
    for new in (Triple(s, p, other), Triple(other, p, o), Triple(s, other, o)):
        assert because(new) == "m"
    assert because(Triple(other, other, o)) == "m"


@pytest.mark.parametrize("rule", ["GR301", "GR205"])
def test_what_two_quotations_show_has_no_because(rule: str) -> None:
    report = cases.lease()
    (found,) = (one for one in report.violations if one.rule == rule)

    assert contrast.because(found, report) == contrast.explain(found, report).because == ""


def test_the_focus_is_the_part_that_differs() -> None:
    report = cases.lease()
    found = {v.rule: contrast.focus(v) for v in report.violations}
    words = {
        rule: report.text[span.start : span.end] if span else None for rule, span in found.items()
    }

    assert words == {
        "GR301": "1 April 2021",
        "GR205": "assign",
        "GR204": "The Tenant shall pay the Landlord a fee.",
        "GR101": "The Guarantor",
        "GR901": "The Guarantor",
        "GR900": None,
    }


def test_nodes_without_label_are_readable() -> None:
    assert foil.label(mint(ENTITY, "Jean-Luc  O'Neill"), {}) == "jean-luc o'neill"
    assert foil.label(URIRef("https://x.org/ns#decidedBy"), {}) == "decidedBy"
    assert foil.label(URIRef("https://x.org/a%20b/"), {}) == "a b"
    assert foil.label(Literal("1973\n"), {}) == "1973"
    assert foil.label(BNode("b1"), {}) == "b1"

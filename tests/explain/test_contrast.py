"""Contrastive explanations."""

from __future__ import annotations

from dataclasses import replace

from rdflib.term import BNode, Literal, URIRef

from groundrules.explain import contrast
from groundrules.terms import (
    ENTITY,
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Modality,
    Severity,
    Span,
    Triple,
    Violation,
    mint,
)
from tests.explain import cases


def texts() -> dict[str, str]:
    report = cases.lease()
    return {v.rule: contrast.explain(v, report).text for v in report.violations}


def test_a_value_is_contrasted_with_the_value_of_the_source_and_its_place() -> None:
    assert texts()["GR301"] == (
        "claimed the term · commences on · 1 April 2021; "
        "lease.txt:4:4 says the term · commences on · 1 March 2021; "
        "because the two values differ by more than their precision allows"
    )


def test_a_denial_is_contrasted_with_the_words_of_the_source() -> None:
    assert texts()["GR205"] == (
        "claimed Tenant · must assign · lease; lease.txt:5:4 says "
        "“The Tenant shall not assign the lease.”; because the source states the opposite"
    )


def test_a_denial_without_text_is_contrasted_with_the_opposite() -> None:
    report = replace(cases.lease(), sources={})

    foil = contrast.explain(report.violations[1], report).foil

    assert foil == "Tenant · must not assign · lease"


def test_exchanged_roles_are_named() -> None:
    assert texts()["GR204"].endswith(
        "lease.txt:6:4 says Landlord · must pay · Tenant; "
        "because the roles of Landlord and Tenant are exchanged"
    )


def test_what_no_source_says_is_contrasted_with_the_nearest() -> None:
    assert texts()["GR102"] == (
        "claimed Guarantor · waives · notice; nearest, lease.txt:3:4 has "
        "Tenant · waives · notice; because no source states it"
    )


def test_a_name_no_source_has_needs_no_foil() -> None:
    assert texts()["GR101"] == (
        "claimed Guarantor · waives · notice; because no source mentions Guarantor"
    )


def test_a_fault_of_the_whole_text_is_its_message() -> None:
    assert texts()["GR900"] == "CFI is 0.55: EG 0.90, RP 0.20"


def test_a_modality_is_contrasted_by_name() -> None:
    report = cases.lease()
    claim = replace(report.claims[1], modality=Modality.PERMISSION)
    violation = Violation(
        "GR206", "modality-conflict", Severity.ERROR, "must, not may", claim,
        (Evidence(claim.triple, "lease.txt"),),
        cases.mode_edit(claim.id, contrast.GR.modality, "permission", "obligation"),
    )  # fmt: skip

    found = contrast.explain(violation, report)

    assert found.fact == "Tenant · may assign · lease"
    assert found.foil == "Tenant · must assign · lease"
    assert found.because == "the source states an obligation and the claim a permission"


def test_each_part_has_its_reason() -> None:
    report = cases.lease()
    claim = report.claims[3]
    s, p, o = claim.triple.subject, claim.triple.predicate, claim.triple.object
    other = mint(ENTITY, "other")

    def because(new: Triple) -> str:
        edit = Edit((EditOperation("DELETE", claim.triple), EditOperation("ADD", new)))
        violation = Violation("X001", "x", Severity.ERROR, "m", claim, edit=edit)
        return contrast.explain(violation, report).because

    assert because(Triple(s, p, other)) == "“waives” takes one value"
    assert because(Triple(other, p, o)) == "“waives” has one subject for each object"
    assert because(Triple(s, other, o)) == "“waives” and “other” exclude each other"
    assert because(Triple(other, other, o)) == "m"


def test_an_aligned_claim_is_contrasted_without_an_axiom() -> None:
    report = cases.lease()
    claim = report.claims[3]
    new = cases.triple("guarantor", "waive", "demand")
    edit = Edit((EditOperation("DELETE", claim.triple), EditOperation("ADD", new)))
    row = (("similarity", Literal(0.875)),)
    violation = Violation(
        "GR201", "object-conflict", Severity.ERROR, "m", claim, edit=edit, bindings=row
    )

    because = contrast.explain(violation, report).because

    assert because == "the source has demand where the claim has notice"
    assert contrast.warrant(violation) == "similarity 0.88"
    assert contrast.warrant(replace(violation, bindings=())) == "owl:FunctionalProperty"


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
        "GR102": "The Guarantor",
        "GR900": None,
    }


def test_nodes_without_label_are_readable() -> None:
    assert contrast.label(mint(ENTITY, "Jean-Luc  O'Neill"), {}) == "jean-luc o'neill"
    assert contrast.label(URIRef("https://x.org/ns#decidedBy"), {}) == "decidedBy"
    assert contrast.label(URIRef("https://x.org/a%20b/"), {}) == "a b"
    assert contrast.label(Literal("1973\n"), {}) == "1973"
    assert contrast.label(BNode("b1"), {}) == "b1"


def statement(start: int, s: str, p: str, o: str, **mode: object) -> Claim:
    span = Span("lease.txt", start, start + 1)
    return Claim(URIRef(f"urn:x:{start}"), cases.triple(s, p, o), span, **mode)  # type: ignore[arg-type]


def test_the_nearest_differ_in_one_part_and_are_affirmed_by_the_source() -> None:
    claim = statement(0, "a", "pays", "b")
    violation = Violation("GR102", "unsupported-relation", Severity.WARNING, "m", claim)
    statements = [
        statement(1, "c", "pays", "b"),
        statement(2, "a", "pays", "d"),
        statement(3, "a", "sues", "b"),
        statement(4, "x", "pays", "y"),
        statement(5, "a", "pays", "e", polarity="negative"),
    ]

    (found,) = contrast.with_nearest([violation], statements, limit=3)

    assert [item.span and item.span.start for item in found.evidence] == [2, 1, 3]
    assert all(item.score < 1 for item in found.evidence)
    assert not contrast.contradicts(found)


def test_an_entity_no_source_mentions_has_nothing_near() -> None:
    claim = statement(0, "a", "pays", "b")
    row = (("e", claim.triple.object),)
    violation = Violation("GR101", "x", Severity.ERROR, "m", claim, bindings=row)

    assert contrast.with_nearest([violation], [statement(1, "a", "pays", "c")]) == (violation,)


def test_a_violation_with_evidence_keeps_it() -> None:
    violation = cases.lease().violations[0]

    assert contrast.with_nearest([violation], [statement(1, "term", "commence on", "x")]) == (
        violation,
    )

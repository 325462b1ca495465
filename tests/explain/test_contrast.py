"""Contrastive explanations."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import OWL
from rdflib.term import BNode, Literal, URIRef

from groundrules.explain import contrast, edits, foil
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


def texts() -> dict[str, str]:
    report = cases.lease()
    return {v.rule: contrast.explain(v, report).text for v in report.violations}


def test_a_value_is_contrasted_with_the_words_of_the_source_and_their_place() -> None:
    assert texts()["GR301"] == (
        "claimed “The term commences on 1 April 2021.”; "
        "lease.txt:4:4 says “The term commences on 1 March 2021.”"
    )


def test_a_denial_is_contrasted_with_the_words_of_the_source() -> None:
    assert texts()["GR205"] == (
        "claimed “The Tenant shall assign the lease.”; lease.txt:5:4 says "
        "“The Tenant shall not assign the lease.”"
    )


def test_a_denial_without_text_is_contrasted_with_the_opposite() -> None:
    report = replace(cases.lease(), sources={})

    assert contrast.explain(report.violations[1], report).foil == "Tenant · must not assign · lease"


def test_exchanged_roles_are_named_in_the_words_of_the_text() -> None:
    assert texts()["GR204"].endswith(
        "lease.txt:6:4 says “The Landlord shall pay the Tenant a fee of $500.”; "
        "because the roles of “The Tenant” and “the Landlord” are exchanged"
    )


def test_what_no_source_says_is_contrasted_with_the_nearest() -> None:
    assert texts()["GR901"] == (
        "claimed “The Guarantor waives notice under the lease.”; nearest, lease.txt:3:4 has "
        "“The Tenant”; because no source states it"
    )


def test_a_name_no_source_has_needs_no_foil() -> None:
    assert texts()["GR101"] == (
        "claimed “The Guarantor waives notice under the lease.”; "
        "because no source mentions “Guarantor”"
    )


def test_a_finding_on_a_statement_quotes_both_texts_and_tells_the_sum() -> None:
    report = cases.policy()
    told = {v.rule: contrast.explain(v, report).text for v in report.violations}

    assert told["GR210"].startswith(
        "claimed “Floods are covered too.”; policy.txt:1:42 says "
        "“Damage caused by flooding is not covered.”"
    )
    assert told["GR307"].endswith("because 350 to 2,300 is 6.6 times, not 3")
    assert not [text for text in told.values() if " · " in text or "urn:" in text]


def test_a_headline_of_two_texts_quotes_both() -> None:
    report = cases.lease()

    assert {v.rule: contrast.headline(v, report) for v in report.violations} == {
        "GR301": "“1 April 2021”; the source says “1 March 2021”",
        "GR205": (
            "“The Tenant shall assign the lease.”; "
            "the source says “The Tenant shall not assign the lease.”"
        ),
        "GR204": (
            "“The Tenant shall pay the Landlord a fee.”; "
            "the source says “The Landlord shall pay the Tenant a fee of $500.”"
        ),
        "GR101": "no source mentions “Guarantor”",
        "GR901": "“The Guarantor waives notice under the lease.”: no source states it",
        "GR900": "CFI is 0.55: EG 0.90, RP 0.20",
    }


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


def test_an_edit_is_told_in_the_words_it_exchanges() -> None:
    lease, policy = cases.lease(), cases.policy()
    told = {v.rule: edits.change(v, r) for r in (lease, policy) for v in r.violations}

    assert told == {
        "GR301": "replace “1 April 2021” by “1 March 2021”",
        "GR205": "say the opposite",
        "GR204": "exchange “The Tenant” and “the Landlord”",
        "GR101": "leave it out",
        "GR901": "leave it out",
        "GR900": "",
        "GR102": "",
        "GR210": "",
        "GR306": "replace “£14,100” by “£11,400”",
        "GR307": "replace “tripled” by “6.6 times”",
    }


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


def test_a_fault_of_the_whole_text_is_its_message() -> None:
    assert texts()["GR900"] == "CFI is 0.55: EG 0.90, RP 0.20"


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


def test_the_focus_is_what_the_rule_names() -> None:
    report = cases.policy()
    found = {v.rule: contrast.focus(v) for v in report.violations if v.claim and v.edit}

    assert {rule: span and report.text[span.start : span.end] for rule, span in found.items()} == {
        "GR306": "£14,100",
        "GR307": "tripled",
    }


def test_nodes_without_label_are_readable() -> None:
    assert foil.label(mint(ENTITY, "Jean-Luc  O'Neill"), {}) == "jean-luc o'neill"
    assert foil.label(URIRef("https://x.org/ns#decidedBy"), {}) == "decidedBy"
    assert foil.label(URIRef("https://x.org/a%20b/"), {}) == "a b"
    assert foil.label(Literal("1973\n"), {}) == "1973"
    assert foil.label(BNode("b1"), {}) == "b1"

"""What a citation says of the case it stands behind."""

from __future__ import annotations

import pytest

from groundrules import Outcome, check
from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.terms import Severity

SOURCE = (
    "In Acme, Inc. v. Beta Corp. of Ohio, 12 F.3d 34 (5th Cir. 1993), the court affirmed. "
    "The lease ends in 2031."
)


def said(text: str) -> set[tuple[str, str, str]]:
    found = extract(from_text(text, "t"))
    return {
        (
            found.labels.get(c.triple.subject, ""),
            found.labels[c.triple.predicate],
            found.labels.get(c.triple.object, str(c.triple.object)),
        )
        for c in found.claims
    }


def test_a_case_is_one_name_and_its_citation_says_where_when_and_by_whom() -> None:
    case = "Acme Inc v. Beta Corp of Ohio"
    about = {(p, o) for s, p, o in said(SOURCE) if s == case}
    assert about >= {
        ("be reported at", "12 F.3d 34 (5th Cir. 1993)"),
        ("be decided in", "1993"),
        ("be decided by", "5th Cir."),
    }


def test_parallel_citations_are_of_one_case() -> None:
    text = "Smith v. Jones, 500 U.S. 123, 111 S. Ct. 1500 (1991), is good law."
    places = {o for s, p, o in said(text) if p == "be reported at"}
    assert len(places) == 2
    assert {s for s, p, _ in said(text) if p == "be reported at"} == {"Smith v. Jones"}


def test_a_citation_behind_no_case_says_nothing() -> None:
    assert not {p for _, p, _ in said("See 42 U.S.C. § 1983 and 500 U.S. 123 (1995).")} & {
        "be reported at",
        "be decided in",
    }


@pytest.mark.parametrize(
    ("old", "new", "rule", "outcome"),
    [
        ("1993", "1983", "GR301", Outcome.NOT_ENOUGH_INFO),
        ("F.3d 34", "F.3d 43", "GR201", Outcome.REFUTED),
        ("5th", "9th", "GR201", Outcome.NOT_ENOUGH_INFO),
        ("F.3d", "F.2d", "GR201", Outcome.REFUTED),
    ],
)
def test_another_year_page_reporter_or_court_is_found_without_an_ontology(
    old: str, new: str, rule: str, outcome: Outcome
) -> None:
    assert check(SOURCE, context=SOURCE, verify=False).violations == ()
    report = check(SOURCE.replace(old, new), context=SOURCE, verify=False)
    assert rule in {v.rule for v in report.violations if v.severity is not Severity.INFO}
    assert report.statements[0].outcome is outcome


@pytest.mark.parametrize(
    ("pin", "outcome", "rules"),
    [
        (", 1044", Outcome.SUPPORTED, set()),
        ("", Outcome.SUPPORTED, set()),
        (", 1047", Outcome.NOT_ENOUGH_INFO, {"GR303"}),
    ],
)
def test_another_page_that_is_cited_is_told_and_it_may_be_left_out(
    pin: str, outcome: Outcome, rules: set[str]
) -> None:
    text = "The court held so in Jones v. Flowers, 912 F.3d 1041{} (9th Cir. 2019)."
    report = check(text.format(pin), context=text.format(", 1044"), verify=False)
    assert report.statements[0].outcome is outcome
    assert {v.rule for v in report.violations if v.severity is not Severity.INFO} >= rules


def test_a_place_in_another_reporter_contradicts_nothing() -> None:
    text = "Smith v. Jones is reported at 111 S. Ct. 1500."
    report = check(text, context="Smith v. Jones, 500 U.S. 123 (1991), is good law.", verify=False)
    assert not {"GR201", "GR202"} & {v.rule for v in report.violations}


@pytest.mark.parametrize(
    ("text", "context"),
    [
        (
            "Under Smith v. Jones, 500 U.S. 123 (1995), late rent bears interest.",
            "The Tenant owes rent every month.",
        ),
        (
            "In Smith v. Jones, 55 U.S. 12 (1960), the Court affirmed the judgment.",
            "In Doe v. Roe, 410 U.S. 113 (1973), the Court affirmed the judgment.",
        ),
    ],
)
def test_an_invented_case_is_one_finding_under_its_name(text: str, context: str) -> None:
    report = check(text, context=context, verify=False)
    (found,) = (v for v in report.violations if v.severity is Severity.ERROR)
    assert found.rule == "GR101"
    assert "Smith v. Jones" in found.message

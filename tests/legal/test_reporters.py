"""Citations of decisions: what is read, and what is wrong with them."""

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.legal.reporters import (
    case_name,
    find_citations,
    find_court,
    find_reporter,
    read_citations,
    short_name,
)
from groundrules.terms import Severity
from tests.ontology.read.faults import ids, said, violations
from tests.rows import each

CASES = tomllib.loads((Path(__file__).parents[1] / "cases/citations.toml").read_text("utf-8"))
ALL = ["LAW02", "LAW03"]
#: The rules about one citation by itself.
SINGLE = ["LAW026", "LAW029", "LAW030", "LAW035"]
BROWN = "Brown v. Board of Education, 347 U.S. 483, 74 S. Ct. 686, 98 L. Ed. 873 (1954)"


def labels(text):
    return [citation.label for citation in find_citations(text)]


def test_parallel_citations_are_of_one_decision():
    triples = said(f"See {BROWN}.", read_citations)
    subjects = {s for s, p, _ in triples if p == "hasCitation"}
    assert subjects == {"bro-v.-edu-%28u.s.-1954%29"}
    assert {o for _, p, o in triples if p == "hasCitation"} == {
        "347-u.s.-483", "74-s.-ct.-686", "98-l.-ed.-873",
    }  # fmt: skip
    assert {o for _, p, o in triples if p == "citedYear"} == {"1954"}


def test_a_citation_states_volume_reporter_page_court_and_year():
    triples = said("Doe v. Roe, 12 F.3d 34, 36 (9th Cir. 1994).", read_citations)
    assert {(p, o) for s, p, o in triples if s == "12-f.3d-34"} == {
        ("type", "ReporterCitation"),
        ("inReporter", "reporter-f.3d"), ("volume", "12"), ("page", "34"), ("citedYear", "1994"),
        ("citedCourt", "court-9th-cir."),
    }  # fmt: skip


def test_a_date_in_the_parenthesis_dates_the_decision():
    triples = said("Doe v. Roe, 12 F.3d 34 (9th Cir. Jan. 5, 1994).", read_citations)
    assert {o for _, p, o in triples if p == "decisionDate"} == {"1994-01-05"}


@each("text")
def test_what_is_no_citation_of_a_decision_is_not_read(text):
    assert labels(text) == []


def test_an_unlisted_reporter_is_read_only_behind_a_case_name():
    assert labels("See 123 Foo. Rep. 456 (1999).") == []
    assert labels("See Smith v. Jones, 123 Foo. Rep. 456 (1999).") == ["123 Foo. Rep. 456"]


@each("text name")
def test_a_case_name_is_what_stands_before_the_comma(text, name):
    found = case_name(text, len(text) - 1)
    assert found is not None
    assert text[slice(*found)] == name


def test_short_names_are_those_of_the_abbreviated_name():
    assert short_name("Brown v. Bd. of Educ.")[:3] == short_name("Brown v. Board of Education")[:3]
    assert short_name("United States v. Smith") != short_name("United States v. Jones")


def test_reporters_and_courts_are_found_by_any_spelling():
    assert find_reporter("F. 3d") == find_reporter("F.3d")
    assert find_reporter("F.3d").first == 1993
    assert not find_reporter("Harv. L. Rev.").cases
    assert find_reporter("Foo. Rep.") is None
    assert find_court("11th Cir.").established == "1981-10-01"
    assert find_court("1st Imaginary Cir.") is None


def test_no_true_citation_is_faulted():
    text = "\n".join(f"See {citation}." for citation in CASES["true"])
    assert [v.message for v in violations(text, read_citations, ALL)] == []


@pytest.mark.parametrize("kind", sorted(CASES["false"]))
def test_false_citations_are_found(kind, record_property):
    lines = [f"See {citation}." for citation in CASES["false"][kind]]
    found = violations("\n".join(lines), read_citations, SINGLE)
    starts = [sum(len(line) + 1 for line in lines[:n]) for n in range(len(lines) + 1)]
    caught = sum(
        any(low <= v.claim.span.start < high for v in found) for low, high in pairwise(starts)
    )
    record_property("caught", f"{caught} of {len(lines)}")
    # A year of a state reporter that appeared then, and a reporter of the same years, are missed.
    least = 0.7 if kind in ("year", "series") else 1.0
    assert caught >= least * len(lines)


def test_a_known_citation_has_one_year():
    assert ids("Brown v. Board, 347 U.S. 483 (1955).", read_citations, ALL, [BROWN]) == {"LAW032"}


def test_a_known_decision_has_one_place_in_a_reporter():
    text = "Brown v. Board of Education, 348 U.S. 438 (1954)."
    assert ids(text, read_citations, ALL, [BROWN]) == {"LAW027"}


def test_two_decisions_of_one_case_are_two():
    again = "Brown v. Board of Education, 349 U.S. 294, 75 S. Ct. 753 (1955)."
    assert ids(again, read_citations, ALL, [BROWN]) == set()


def test_another_name_at_a_known_place_is_for_review():
    found = violations("Bolling v. Sharpe, 347 U.S. 483 (1954).", read_citations, ALL, [BROWN])
    assert [(v.rule, v.severity) for v in found] == [("LAW028", Severity.INFO)]


def test_spouses_sue_each_other_and_companies_do_not_sue_themselves():
    assert ids("Orr v. Orr, 440 U.S. 268 (1979).", read_citations, ALL) == set()
    text = "Acme Corp. v. Acme Corp., 415 F.3d 1100 (9th Cir. 2005)."
    assert ids(text, read_citations, ALL) == {"LAW034"}


@given(st.text(alphabet="12 v.FSupAUIn, ()d3thCir9\n", max_size=300))
def test_any_text_is_read_and_spans_lie_in_it(text):
    for citation in find_citations(text):
        assert 0 <= citation.start < citation.end <= len(text)
        assert text[citation.start].isdigit()
        if citation.name:
            assert citation.name[0] < citation.name[1] <= citation.start


@each("text rule")
def test_a_citation_that_can_lead_to_no_decision_is_told(text, rule):
    assert ids(text, read_citations, ["LAW03"]) == {rule}


@each("text")
def test_a_citation_in_its_order_is_none(text):
    assert ids(text, read_citations, ["LAW035"]) == set()

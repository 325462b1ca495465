"""Evidence: where a quote stands, and whether the value stands in it, by value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal

from groundrules.claims.documents.document import from_text
from groundrules.claims.evidence import quotes as evidence
from groundrules.claims.evidence.fields import Field, Quote
from groundrules.claims.evidence.quotes import kinds, locate, relate, rivals, term
from tests.claims.rows import rows

LEASE = from_text(
    """LEASE

1. TERM

1.1 The term begins on May 1, 2021. The rent is $4,850 per month.

2. RENT

2.1 The rent is $4,850 per month.

Article IV Notices

(a) Notices are sent by mail.
30 days after that they count as received.
""",
    "lease.txt",
)
ANNEX = from_text("The landlord is insured by Cascade Mutual Insurance Company.", "files/annex.txt")
BOTH = (LEASE, ANNEX)
WHOLE = (0, len(LEASE.text))


def quoted(text, *, shown=WHOLE):
    return Quote(text, "lease.txt", shown)


def stands(place):
    document = next(d for d in BOTH if d.name == place.document)
    return document.text[place.start : place.end]


def test_a_quote_stands_in_the_document_that_it_is_of():
    place = locate(quoted("The term begins on May 1, 2021."), BOTH, 0.6)
    assert (place.document, place.score, place.inside) == ("lease.txt", 1.0, True)
    assert stands(place) == "The term begins on May 1, 2021."


def test_of_repeated_passages_it_is_the_one_that_the_model_was_shown():
    second = LEASE.text.rindex("The rent is")
    assert locate(quoted("The rent is $4,850 per month."), BOTH, 0.6).start < second
    shown = (second - 10, len(LEASE.text))
    place = locate(quoted("The rent is $4,850 per month.", shown=shown), BOTH, 0.6)
    assert (place.start, place.inside) == (second, True)


def test_a_quote_of_another_document_is_found_there_and_out_of_place():
    words = "insured by Cascade Mutual Insurance Company"
    place = locate(quoted(words), BOTH, 0.6)
    assert (place.document, place.inside) == ("files/annex.txt", False)


def test_what_is_nowhere_has_its_best_place_below_the_threshold():
    place = locate(quoted("Pets of any kind are forbidden in the whole building."), BOTH, 0.6)
    assert place.score < 0.6
    assert locate(quoted("¿¿¿"), BOTH, 0.6) is None


def field(value, *, worded=False):
    return Field(("x",), "X", value, worded=worded)


@pytest.mark.parametrize(
    ("value", "passage", "relation"),
    rows("quotes.values"),
)
def test_values_are_looked_for_by_value_and_names_by_their_words(value, passage, relation):
    found = relate(field(value), passage)
    assert (found.relation if found else None) == relation


def test_what_the_schema_words_is_not_looked_for():
    assert relate(field("Monthly", worded=True), "every month") is None
    assert relate(field(True, worded=True), "it shall renew") is None


def test_an_equal_value_is_told_in_the_words_of_the_passage():
    assert relate(field("2006-07-11"), "on July 11, 2006, at noon").words == "July 11, 2006"
    assert relate(field(180), "at least 180 days before").words == "180 days"
    assert relate(field("2005"), "on July 11, 2006").words == ""


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_value_compares_with_any_passage(value, passage):
    found = relate(field(value), passage)
    assert found is None or found.relation in (
        "equal", "claim-coarser", "source-coarser", "overlap", "disjoint", "incomparable"
    )  # fmt: skip


@given(st.text(min_size=1, max_size=40).filter(str.strip), st.text(max_size=30))
def test_a_passage_has_the_value_that_stands_in_it_between_spaces(value, around):
    found = relate(field(value.strip()), f"{around} {value.strip()} {around}")
    assert found is None or found.relation in ("equal", "claim-coarser")


def test_equal_values_are_equal_terms_and_names_are_so_up_to_case_and_spaces():
    assert term("$1,200.00") == term("1200 dollars")
    assert term("July 11, 2006") == term("2006-07-11")
    assert term("Alpine  Holdings") == term("ALPINE HOLDINGS")
    assert term(1200) == term(1200.0)
    assert term(True) != term(1)
    assert not isinstance(term("Alpine Holdings"), Literal)


def test_of_an_endless_value_only_the_beginning_is_read(monkeypatch):
    read = []
    monkeypatch.setattr(evidence, "find_values", lambda text: read.append(len(text)) or ())
    for value in ("1 " * 300_000, "$7, May 1 " * 50_000, "Rent " * 100_000):
        term(value)
        relate(field(value), "The rent is due.")
    assert max(read) <= 20_000


def test_rivals_are_the_other_values_of_a_kind():
    def words(value, passage):
        return [passage[v.start : v.end] for v in rivals(field(value), passage)]

    assert words("May 2, 2021", "from May 1, 2021 on") == ["May 1, 2021"]
    assert words("May 2, 2021", "from May 1, 2021 to April 30, 2026, for $5") == [
        "May 1, 2021", "April 30, 2026"
    ]  # fmt: skip
    assert words("May 1, 2021", "from May 1, 2021 to April 30, 2026") == []
    assert words("2021", "from May 1, 2021") == []
    assert words("Alpine", "from May 1, 2021") == []


@pytest.mark.parametrize(
    ("value", "held", "alone"),
    [
        ("July 11, 2006", {"date", "date-time"}, "date"),
        ("the 30th day of June 1999", {"date", "date-time"}, "date"),
        ("November 30", {"date", "date-time"}, "date"),
        ("2006-07-11", {"date", "date-time"}, "date"),
        ("2006-07-11T14:30:00Z", {"date", "date-time", "time"}, ""),
        ("2 p.m.", {"time"}, "time"),
        ("thirty (30) days", {"duration"}, "duration"),
        ("10 business days", {"duration"}, "duration"),
        ("P30D", {"duration"}, "duration"),
        ("a year", {"duration"}, ""),
        ("30 days after the invoice", {"duration"}, ""),
        ("$1,200", {"money"}, "money"),
        ("USD 1,200.00", {"money"}, "money"),
        ("five percent (5%)", {"percent"}, "percent"),
        ("1,200", {"money", "percent"}, ""),
        ("twelve", {"money", "percent"}, ""),
        ("2006", {"date", "date-time", "money", "percent"}, ""),
        ("Dynamex Inc.", set(), ""),
        ("State of New York", set(), ""),
        ("P", set(), ""),
        ("May", set(), ""),
        ("", set(), ""),
    ],
)
def test_a_value_has_the_kinds_of_what_stands_in_it(value, held, alone):
    assert kinds(field(value)) == (held, alone)


def test_a_number_that_the_schema_asks_for_has_no_kind_to_check():
    assert kinds(field(30)) == (frozenset(), "")
    assert kinds(field(True, worded=True)) == (frozenset(), "")


@given(st.text(max_size=40))
def test_the_kind_that_a_value_is_alone_stands_in_it(value):
    held, alone = kinds(field(value))
    assert not alone or alone in held

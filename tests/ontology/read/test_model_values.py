"""What copied words come to is read by us: dates, numbers and durations, also made of others."""

from __future__ import annotations

import pytest
from rdflib.namespace import XSD
from rdflib.term import URIRef

from groundrules.ontology.read.model_values import Value, split, value_of
from groundrules.ontology.termlist import Kind


def read(words: str, kind: Kind, datatype: URIRef | None = None) -> str | None:
    made = tuple((sign, tuple(factors)) for sign, factors in split(words.replace(" … ", " "), 12))
    alone = len(made) == 1 and len(made[0][1]) == 1
    literal = value_of(Value(made, (), made[0][1][0] if alone else ""), kind, datatype)
    return None if literal is None else str(literal)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("3 May 2020", "2020-05-03"),
        ("3 May … 2020", "2020-05-03"),
        ("the spring of 2021", "2021"),
        ("March 2021", "2021-03"),
        ("the last day of February 2024", "2024-02-29"),
        ("2015 … the last day of June", "2015-06-30"),
        ("3 May 2020 + two weeks", "2020-05-17"),
        ("3 May 2020 + a fortnight later", "2020-05-17"),
        ("3 May 2020 - one month before", "2020-04-03"),
        ("31 January 2021 + one month", "2021-02-28"),
        ("3 May 2020 + the next day", "2020-05-04"),
        ("March 2021 + two months", "2021-05"),
        ("2021 + two years", "2023"),
        ("until 3 May 2020", "2020-05-03"),
        # what tells another date by one names none by itself
        ("two weeks before 3 May 2020", None),
        ("the day after 3 May 2020", None),
        ("3 May", None),
        ("3 May 2020 and 4 May 2020", None),
        ("March 2021 + ten days", None),
        ("2021 + two months", None),
        ("Tuesday", None),
        ("3 May 2020 + soon", None),
    ],
)
def test_a_date_is_read_or_reckoned(words: str, wanted: str | None) -> None:
    assert read(words, "date") == wanted


def test_a_date_of_a_year_alone_is_cut_to_it() -> None:
    assert read("3 May 2020", "date", XSD.gYear) == "2020"


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("€40,000", "40000"),
        ("twelve", "12"),
        ("thirty (30)", "30"),
        ("€40,000 + €30,000 + €20,000", "90000"),
        ("twelve × $5,000", "60000"),
        ("three × €25,000 + €15,000", "90000"),
        ("$100 - $30", "70"),
        ("12 × $500", "6000"),
        ("60 per cent + 50 per cent", "110"),
        ("10 per cent × $500", "50"),
        ("five years × €12,000", "60000"),
        ("1.5", "1.5"),
        ("1,200 pounds", "1200"),
        ("three × 300 pounds", "900"),
        ("five years", "5"),
        ("18 months", "18"),
        ("€40,000 or €30,000", None),
        ("some", None),
        ("999,999,999,999,999 × 999,999,999,999,999", None),
    ],
)
def test_a_number_is_read_or_reckoned(words: str, wanted: str | None) -> None:
    assert read(words, "number") == wanted


@pytest.mark.parametrize(
    ("words", "wanted"),
    [("five years", "P5Y"), ("a fortnight", "P14D"), ("a year", "P1Y"), ("long", None)],
)
def test_a_duration_is_read(words: str, wanted: str | None) -> None:
    assert read(words, "duration") == wanted


def test_a_text_is_as_it_stands_without_its_quotation_marks() -> None:
    assert read("“Business Day”", "text") == "Business Day"
    assert read("one + two", "text") is None

"""What copied words come to is read by us: dates, numbers and durations, also made of others."""

from __future__ import annotations

from rdflib.namespace import XSD
from rdflib.term import URIRef

from groundrules.ontology.read.model_values import Value, split, value_of
from groundrules.ontology.termlist import Kind
from tests.rows import each


def read(words: str, kind: Kind, datatype: URIRef | None = None) -> str | None:
    made = tuple((sign, tuple(factors)) for sign, factors in split(words.replace(" … ", " "), 12))
    alone = len(made) == 1 and len(made[0][1]) == 1
    literal = value_of(Value(made, (), made[0][1][0] if alone else ""), kind, datatype)
    return None if literal is None else str(literal)


@each("words wanted")
def test_a_date_is_read_or_reckoned(words: str, wanted: str | None) -> None:
    assert read(words, "date") == wanted


def test_a_date_of_a_year_alone_is_cut_to_it() -> None:
    assert read("3 May 2020", "date", XSD.gYear) == "2020"


@each("words wanted")
def test_a_number_is_read_or_reckoned(words: str, wanted: str | None) -> None:
    assert read(words, "number") == wanted


@each("words wanted")
def test_a_duration_is_read(words: str, wanted: str | None) -> None:
    assert read(words, "duration") == wanted


def test_a_text_is_as_it_stands_without_its_quotation_marks() -> None:
    assert read("“Business Day”", "text") == "Business Day"
    assert read("one + two", "text") is None

"""Laws of defined terms: what a text puts in quotes within parentheses."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.names.definitions import Definition, defined_terms, definitions
from tests.strategies import examples, texts

TERMS = st.lists(
    st.sampled_from(("Landlord", "Tenant", "Base", "Rent", "of", "A-1", "Ünit", "II")),
    min_size=1, max_size=5,
).map(" ".join).filter(lambda term: term[0].isupper())  # fmt: skip
QUOTES = st.sampled_from(['""', "“”", "„”", ("``", "''")])
LEADS = st.sampled_from(["", "the ", "each, a ", "hereinafter ", "together with X, the "])
PIECES = st.lists(
    st.sampled_from(
        ['(the "Tenant")', "(", ")", '"', "“Rent”", "``", "''", " the ", "Ann LLC", "\n"]
    ) | st.text(max_size=5),
    max_size=12,
).map("".join)  # fmt: skip


def defined(inside: str) -> set[str]:
    return set(defined_terms(f"Alpine Holdings LLC ({inside}) pays."))


@given(TERMS, QUOTES, LEADS)
def test_a_quoted_term_is_defined_whatever_its_quotes_and_what_leads_to_it(
    term: str, quotes: str, lead: str
) -> None:
    before = "Alpine Holdings LLC "
    text = f"{before}({lead}{quotes[0]}{term}{quotes[1]}) pays."
    (found,) = definitions(text)
    assert found.term == term
    assert (found.opens, found.closes) == (len(before), text.index(")") + 1)
    assert text[slice(*found.place)] == term


@examples(200)
@given(PIECES | texts())
def test_a_term_stands_in_its_parenthesis_in_the_text(text: str) -> None:
    found = list(definitions(text))
    for one in found:
        start, end = one.place
        assert " ".join(text[start:end].split()).rstrip(",") == one.term
        assert one.opens < start < end < one.closes
        assert text[one.opens] + text[one.closes - 1] == "()"
        assert len(one.term.split()) <= 5
    assert all(a.place[1] <= b.place[0] for a, b in itertools.pairwise(found))
    assert defined_terms(text) == {one.term for one in found}


@given(TERMS, TERMS, st.integers(0, 50))
def test_what_is_written_before_a_text_moves_its_terms_and_nothing_else(
    one: str, other: str, gap: int
) -> None:
    text, more = f'Ann (the "{one}") paid. ', f"Bob LLC (“{other}”) left."
    moved = len(text) + gap
    assert list(definitions(f"{text}{' ' * gap}{more}")) == [
        *definitions(text),
        *(
            Definition(
                d.term, (d.place[0] + moved, d.place[1] + moved), d.opens + moved, d.closes + moved
            )
            for d in definitions(more)
        ),
    ]


def test_one_parenthesis_may_define_several_terms() -> None:
    assert defined('the "Landlord" or "Lessor"') == {"Landlord", "Lessor"}


@pytest.mark.parametrize(
    "inside",
    [
        'the "tenant"',  # in lower case
        '"One Two Three Four Five Six"',
        '"A"',
        "the Tenant",
        f'{"x" * 90} "Tenant"',
        f'{"so to say " * 5}the "Tenant"',
        f'the "{"T" * 61}"',
        "",
        '""',
    ],
)
def test_what_is_no_term_defines_nothing(inside: str) -> None:
    assert defined(inside) == set()


def test_a_long_lead_must_say_that_it_defines() -> None:
    lead = "who is in all that follows from here on"
    assert defined(f'{lead} so to say the "Tenant"') == set()
    assert defined(f'{lead} hereinafter the "Tenant"') == {"Tenant"}


def test_white_space_in_a_term_is_one_space() -> None:
    assert defined('the "Base\n  Rent"') == {"Base Rent"}


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000,
        '("' * 50_000,
        "(``" * 20_000,
        '("Tenant' * 10_000,
        f'({" " * 50_000}"Tenant"',
        f'("{" " * 50_000}Tenant',
        '"' * 50_000,
        '("\ud83dTenant',
    ],
)
def test_what_is_never_closed_defines_nothing(text: str) -> None:
    assert defined_terms(text) == frozenset()


def test_a_text_may_define_thousands_of_terms() -> None:
    text = "".join(f'Ann (the "Tenant {number}") ' for number in range(5_000))
    assert len(defined_terms(text)) == 5_000

"""Numbers written twice and instalments beside their total."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import Extraction, extract
from groundrules.legal.namespace import LX
from groundrules.legal.sums import read_amounts
from groundrules.ontology.read.assertions import Assertions

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number):
    if number < 20:
        return ONES[number]
    if number < 100:
        rest = number % 10
        return TENS[number // 10 - 2] + (f"-{ONES[rest]}" if rest else "")
    size, name = (100, "hundred") if number < 1000 else (1000, "thousand")
    rest = number % size
    return f"{in_words(number // size)} {name}" + (f" {in_words(rest)}" if rest else "")


def stated(text, extraction=None):
    assertions = Assertions(extraction or Extraction(from_text(text, "t"), (), (), (), {}))
    read_amounts(assertions)
    return assertions.claims()


def pairs(text):
    """Return (words, figures, whether it is money) of each number written twice."""
    said = {}
    for claim in stated(text):
        said.setdefault(claim.triple.subject, {})[claim.triple.predicate] = claim.triple.object
    return [
        (float(by[words]), float(by[figures]), words == LX.amountInWords)
        for by in said.values()
        for words, figures in (
            (LX.amountInWords, LX.amountInFigures),
            (LX.countInWords, LX.countInFigures),
        )
        if words in by
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("five hundred dollars ($550)", (500, 550, True)),
        ("thirty (60) days", (30, 60, False)),
        ("Ninety Thousand and 00/100 Dollars ($90,000.00)", (90000, 90000, True)),
        ("four dollars and forty-one cents ($4.41)", (4.41, 4.41, True)),
        ("one hundred and twenty (120) days", (120, 120, False)),
        ("fifty-one (51%) percent", (51, 51, False)),
        ("one million five hundred thousand dollars (US$1.5 million)", (1.5e6, 1.5e6, True)),
        ("within ten (10 days)", (10, 10, False)),
        ("60 (thirty) days", (30, 60, False)),
        ("$5,000 (six thousand dollars)", (6000, 5000, True)),
        ("two hundred euros (€200)", (200, 200, True)),
    ],
)
def test_a_number_written_twice_is_read_twice(text, expected):
    assert pairs(f"It is {text} in all.") == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Phase One (30 days) and Phase Two (60 days)",
        "twenty-five hundredths of one percent (0.25%)",
        "two and one-half percent (2.5%)",
        "Option One ($500)",
        "one-third (1/3)",
        "the tenth (10th) day",
        "nineteen ninety-nine (1999)",
        "one (l) day",
        "Section five (5)",
        "shall (a) pay one, (2) ask",
    ],
)
def test_what_is_no_number_written_twice_is_left_alone(text):
    assert pairs(f"It is {text} in all.") == []


@given(st.integers(0, 99999), st.integers(0, 99999))
def test_words_and_figures_are_equal_exactly_if_the_numbers_are(one, other):
    [(words, figures, _)] = pairs(f"notice of {in_words(one)} ({other:,}) days")
    assert (words, figures) == (one, other)


def sums(text):
    claims = stated(text, extract(from_text(text, "t")))
    by = {c.triple.predicate: float(c.triple.object) for c in claims if c.triple.predicate in _SUMS}
    return by.get(LX.amountValue), by.get(LX.sumOfInstalments)


_SUMS = {LX.amountValue, LX.sumOfInstalments}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The price is $120,000, payable in twelve equal installments of $12,000.",
         (120000, 144000)),
        ("It pays 4 quarterly payments of $2,500, for a total of $10,000.", (10000, 10000)),
        ("The price is $120,000, payable in twelve installments of $12,000 after a deposit.",
         (None, None)),
        ("It pays twelve installments of $12,000 and later €10,000.", (None, None)),
        ("It pays twelve installments of $12,000 for a total of €144,000.", (None, None)),
    ],
)  # fmt: skip
def test_instalments_are_summed_where_they_are_all_that_is_paid(text, expected):
    assert sums(text) == expected


@given(st.text(alphabet="one two(60)$ .,-hundred dollars", max_size=200))
def test_what_is_stated_of_any_text_stands_in_it(text):
    if text.strip():
        for claim in stated(text):
            assert text[claim.span.start : claim.span.end].strip()

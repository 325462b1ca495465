from __future__ import annotations

import itertools
import tomllib
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import XSD
from rdflib.term import Literal, URIRef

from groundrules.claims.values.equivalence import by_measure, compare, interval
from groundrules.claims.values.value_reader import UNITS, Value, find_values
from groundrules.legal.citations import CITATION
from groundrules.terms import GR
from tests.claims.rows import rows
from tests.strategies import oddities, texts

# text, the part that is the value, kind, lexical form, datatype
CASES = [
    ("on May 8, 2014 the", "May 8, 2014", "DATE", "2014-05-08", XSD.date),
    ("8 May 2014", "8 May 2014", "DATE", "2014-05-08", XSD.date),
    ("this 15 th day of July, 2010", "15 th day of July, 2010", "DATE", "2010-07-15", XSD.date),
    ("8th day of May 2014", "8th day of May 2014", "DATE", "2014-05-08", XSD.date),
    ("the fifth day of May, 2014", "fifth day of May, 2014", "DATE", "2014-05-05", XSD.date),
    ("twenty-first of June 2001", "twenty-first of June 2001", "DATE", "2001-06-21", XSD.date),
    ("April. 1st 2019", "April. 1st 2019", "DATE", "2019-04-01", XSD.date),
    ("this 24t h day of August 2018", "24t h day of August 2018", "DATE", "2018-08-24", XSD.date),
    ("dated March 12,1999, by", "March 12,1999", "DATE", "1999-03-12", XSD.date),
    ("July 11 , 2006", "July 11 , 2006", "DATE", "2006-07-11", XSD.date),
    ("July\r\n11, 2006", "July\r\n11, 2006", "DATE", "2006-07-11", XSD.date),
    ("07/11/2006", "07/11/2006", "DATE", "2006-07-11", XSD.date),
    ("25/12/2006", "25/12/2006", "DATE", "2006-12-25", XSD.date),
    ("12/5/96", "12/5/96", "DATE", "1996-12-05", XSD.date),
    ("11.07.2006", "11.07.2006", "DATE", "2006-07-11", XSD.date),
    ("2006-07-11", "2006-07-11", "DATE", "2006-07-11", XSD.date),
    ("11-Jul-2006", "11-Jul-2006", "DATE", "2006-07-11", XSD.date),
    ("May 8th", "May 8th", "DATE", "--05-08", XSD.gMonthDay),
    ("in March 1995", "March 1995", "DATE", "1995-03", XSD.gYearMonth),
    ("since June.", "June", "DATE", "--06", XSD.gMonth),
    ("in 1973", "1973", "DATE", "1973", XSD.gYear),
    ("(1973)", "1973", "DATE", "1973", XSD.gYear),
    ("44 BC", "44 BC", "DATE", "-0043", XSD.gYear),
    ("at 7:30 pm", "7:30 pm", "TIME", "19:30:00", XSD.time),
    ("by 4pm. Then", "4pm", "TIME", "16:00:00", XSD.time),
    ("12:00 noon", "12:00 noon", "TIME", "12:00:00", XSD.time),
    ("12:01 a.m. on", "12:01 a.m.", "TIME", "00:01:00", XSD.time),
    ("$1,850 per month", "$1,850", "MONEY", "1850 USD", GR.money),
    ("US$ 3.5 million", "US$ 3.5 million", "MONEY", "3500000 USD", GR.money),
    ("£ 2bn", "£ 2bn", "MONEY", "2000000000 GBP", GR.money),
    ("EUR 3.5 million", "EUR 3.5 million", "MONEY", "3500000 EUR", GR.money),
    ("1.85 million dollars", "1.85 million dollars", "MONEY", "1850000 USD", GR.money),
    ("$ 220, 000 fine", "$ 220, 000", "MONEY", "220000 USD", GR.money),
    ("$ 1. 8 million", "$ 1. 8 million", "MONEY", "1800000 USD", GR.money),
    ("# 200million", "# 200million", "MONEY", "200000000 XXX", GR.money),
    ("50 cents", "50 cents", "MONEY", "0.5 USD", GR.money),
    ("C$5", "C$5", "MONEY", "5 CAD", GR.money),
    ("five million pounds", "five million pounds", "MONEY", "5000000 GBP", GR.money),
    (
        "One Thousand Dollars ($1,000)",
        "One Thousand Dollars ($1,000)",
        "MONEY",
        "1000 USD",
        GR.money,
    ),
    (
        "one million ($1,000,000) dollars",
        "one million ($1,000,000) dollars",
        "MONEY",
        "1000000 USD",
        GR.money,
    ),
    ("1,400 sq ft", "1,400 sq ft", "QUANTITY", "130.064256 m2", GR.quantity),
    ("8 metric tons", "8 metric tons", "QUANTITY", "8000 kg", GR.quantity),
    ("60 mph limit", "60 mph", "QUANTITY", "26.8224 m/s", GR.quantity),
    ("98.6 °F", "98.6 °F", "QUANTITY", "310.15 K", GR.quantity),
    ("-5 °C", "-5 °C", "QUANTITY", "268.15 K", GR.quantity),
    ("at minus 5 °C", "minus 5 °C", "QUANTITY", "268.15 K", GR.quantity),
    ("a dose of .5 mg", ".5 mg", "QUANTITY", "0.0000005 kg", GR.quantity),
    ("an output of 5 mW", "5 mW", "QUANTITY", "0.005 W", GR.quantity),
    ("an output of 5 MW", "5 MW", "QUANTITY", "5000000 W", GR.quantity),
    ("a charge of 5 mWh", "5 mWh", "QUANTITY", "18 J", GR.quantity),
    ("a tone of 5 mHz", "5 mHz", "QUANTITY", "0.005 Hz", GR.quantity),
    ("a load of 5 Mg", "5 Mg", "QUANTITY", "5000 kg", GR.quantity),
    ("a tank of 5 ML", "5 ML", "QUANTITY", "5000 m3", GR.quantity),
    ("a store of 5 Mb", "5 Mb", "QUANTITY", "5000000 bit", GR.quantity),
    ("$.50 each", "$.50", "MONEY", "0.5 USD", GR.money),
    ("of -450 euros", "-450 euros", "MONEY", "-450 EUR", GR.money),
    ("of \u2013 450 euros", "\u2013 450 euros", "MONEY", "-450 EUR", GR.money),
    ("a rent \u2013 450 euros", "450 euros", "MONEY", "450 EUR", GR.money),
    ("of \u2212€450", "\u2212€450", "MONEY", "-450 EUR", GR.money),
    ("of $-450", "$-450", "MONEY", "-450 USD", GR.money),
    ("pay 1 250 euros", "1 250 euros", "MONEY", "1250 EUR", GR.money),
    ("pay 1\u202f250,50 euros", "1\u202f250,50 euros", "MONEY", "1250.5 EUR", GR.money),
    ("pay CHF 1'250.50", "CHF 1'250.50", "MONEY", "1250.5 CHF", GR.money),
    ("five business days", "five business days", "DURATION", "5 business day", GR.quantity),
    ("38 hours", "38 hours", "DURATION", "P1DT14H", XSD.duration),
    ("sixty (60) days", "sixty (60) days", "DURATION", "P60D", XSD.duration),
    ("ninety 90 days", "ninety 90 days", "DURATION", "P90D", XSD.duration),
    ("five (5) year term", "five (5) year", "DURATION", "P5Y", XSD.duration),
    ("successive 1 year", "1 year", "DURATION", "P1Y", XSD.duration),
    ("12 months", "12 months", "DURATION", "P1Y", XSD.duration),
    ("18-month", "18-month", "DURATION", "P1Y6M", XSD.duration),
    ("39 - year - old", "39 - year", "DURATION", "P39Y", XSD.duration),
    ("2 years and 6 months", "2 years and 6 months", "DURATION", "P2Y6M", XSD.duration),
    ("2 1/2 years", "2 1/2 years", "DURATION", "P2Y6M", XSD.duration),
    ("5%", "5%", "PERCENT", "5", GR.percent),
    ("five percent (5%) of", "five percent (5%)", "PERCENT", "5", GR.percent),
    ("12 per cent", "12 per cent", "PERCENT", "12", GR.percent),
    ("twenty-one", "twenty-one", "NUMBER", "21", XSD.integer),
    ("two dozen", "two dozen", "NUMBER", "24", XSD.integer),
    ("a hundred thousand", "a hundred thousand", "NUMBER", "100000", XSD.integer),
    ("two hundred and fifty", "two hundred and fifty", "NUMBER", "250", XSD.integer),
    ("half a million", "half a million", "NUMBER", "500000", XSD.integer),
    ("3.25", "3.25", "NUMBER", "3.25", XSD.decimal),
    ("2bn people", "2bn", "NUMBER", "2000000000", XSD.integer),
    ("his 147th cap", "147th", "NUMBER", "147", XSD.integer),
    ("1500 shares", "1500", "NUMBER", "1500", XSD.integer),
    ("2000 employees", "2000", "NUMBER", "2000", XSD.integer),
    ("1234 Main Street", "1234", "NUMBER", "1234", XSD.integer),
    ("more than 1, 300 people", "1, 300", "NUMBER", "1300", XSD.integer),
    ("in the 1970s", "1970s", "DATE", "1970/1979", GR.years),
    ("the early 1880s", "early 1880s", "DATE", "1880/1884", GR.years),
    ("in the mid-1980s", "mid-1980s", "DATE", "1983/1987", GR.years),
    ("the late 1970s", "late 1970s", "DATE", "1975/1979", GR.years),
    ("by the end of the 1990s", "end of the 1990s", "DATE", "1995/1999", GR.years),
    ("under Section 4.2(b)", "Section 4.2(b)", "SECTION", "section 4.2(b)", GR.section),
    ("§ 12", "§ 12", "SECTION", "section 12", GR.section),
    ("Article IV", "Article IV", "SECTION", "article 4", GR.section),
    ("Exhibit A", "Exhibit A", "SECTION", "exhibit A", GR.section),
    ("Sections 2 and 3", "Sections 2 and 3", "SECTION", "section 2; section 3", GR.section),
    (
        "v. Wade, 410 U.S. 113 (1973)",
        "410 U.S. 113 (1973)",
        "CITATION",
        "410 U.S. 113",
        CITATION.datatype,
    ),
    ("347 US 483", "347 US 483", "CITATION", "347 U.S. 483", CITATION.datatype),
    ("42 U.S.C. § 1983", "42 U.S.C. § 1983", "CITATION", "42 U.S.C. § 1983", CITATION.datatype),
]

NO_VALUES = rows("literals.NO_VALUES")


@pytest.mark.parametrize(("text", "part", "kind", "lexical", "datatype"), CASES)
def test_a_value_has_its_kind_place_and_typed_literal(
    text: str, part: str, kind: str, lexical: str, datatype: URIRef
) -> None:
    values = find_values(text)
    assert [(text[v.start : v.end], v.kind) for v in values] == [(part, kind)]
    assert (str(values[0].literal), values[0].literal.datatype) == (lexical, datatype)


@pytest.mark.parametrize("comma", [",", ""])
def test_the_number_of_a_step_and_an_amount_behind_it_are_two(comma: str) -> None:
    text = f"In step 2{comma} 200 mg of salt is added."
    assert [text[v.start : v.end] for v in find_values(text)] == ["2", "200 mg"]


@pytest.mark.parametrize("text", NO_VALUES)
def test_what_is_no_value_is_left_out(text: str) -> None:
    assert find_values(text) == ()


def test_each_citation_keeps_its_own_year() -> None:
    text = (
        "Roe v. Wade, 410 U.S. 113 (1973). Mata v. Avianca, Inc., 678 F. Supp. 3d 443, 450 "
        "(S.D.N.Y. 2023). It was settled in 1974."
    )
    shown = [(text[v.start : v.end], str(v.literal)) for v in find_values(text)]
    assert shown == [
        ("410 U.S. 113 (1973)", "410 U.S. 113"),
        ("678 F. Supp. 3d 443, 450 (S.D.N.Y. 2023)", "678 F. Supp. 3d 443"),
        ("1974", "1974"),
    ]


def test_citations_are_found_on_both_sides_of_every_window_cut() -> None:
    text = "410 U.S. 113 (1973); 93 S. Ct. 705. " * 300
    assert len(find_values(text)) == 600


def test_no_year_is_read_out_of_a_street_address_with_a_compass_point() -> None:
    assert not [v for v in find_values("at 1935 NW 87 Avenue, Miami") if v.kind == "CITATION"]


@given(st.sampled_from(CASES))
def test_a_span_read_alone_gives_the_same_literal(case: tuple[str, ...]) -> None:
    text, part, kind, lexical, _ = case
    # four bare figures need their context to be a number, a bare month to be a date, a dash a minus
    if (
        part.startswith("\u2013 ")
        or (kind == "NUMBER" and len(part) == 4)
        or (lexical.startswith("--") and len(lexical) == 4)
    ):
        return
    value = find_values(text)[0]
    (again,) = find_values(text[value.start : value.end])
    assert (again.kind, again.literal) == (value.kind, value.literal)


@given(before=oddities(), case=st.sampled_from(CASES), after=oddities())
def test_odd_characters_around_a_text_shift_offsets_by_their_length(
    before: str, case: tuple[str, ...], after: str
) -> None:
    text = case[0]
    lead = f"{before}. "
    moved = find_values(f"{lead}{text} {after}")
    shift = len(lead)
    alone = find_values(f". {text}")
    assert moved == tuple(
        Value(v.start + shift - 2, v.end + shift - 2, v.kind, v.literal) for v in alone
    )


@given(st.text())
def test_values_are_sorted_disjoint_and_within_any_text(text: str) -> None:
    check_order(text)


@given(texts(), st.lists(st.sampled_from([c[0] for c in CASES] + NO_VALUES), max_size=6))
def test_values_are_sorted_disjoint_and_within_texts_full_of_values(
    text: str, pieces: list[str]
) -> None:
    check_order(text.join(pieces))
    check_order("".join(pieces))


@given(st.text(alphabet="0123456789,.-/ ()$%§mayonehudr\n", max_size=60))
def test_values_are_sorted_disjoint_and_within_near_misses(text: str) -> None:
    check_order(text)


def check_order(text: str) -> None:
    end = 0
    for value in find_values(text):
        assert end <= value.start < value.end <= len(text)
        assert value.kind
        assert compare(value.literal, value.literal) == "equal"
        end = value.end


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    ["1", "1,", "1-", "1.", " ", "a ", "$", "one (", "May ", "5 U.S. ", "Aa ", "1" + " " * 99],
)
def test_a_line_of_very_many_characters_is_read_to_its_end(unit: str) -> None:
    line = unit * ((2_000_000 if unit == "1" else 100_000) // len(unit))
    end = find_values(line + " — on May 8, 2014")[-1]
    assert str(end.literal) == "2014-05-08"


def literal(kind: str, lexical: str) -> Literal:
    datatypes = {"money": GR.money, "quantity": GR.quantity, "percent": GR.percent}
    datatypes |= {"section": GR.section, "citation": CITATION.datatype, "years": GR.years}
    return Literal(lexical, datatype=datatypes.get(kind) or XSD[kind], normalize=False)


COMPARED = tomllib.loads(Path(__file__).with_name("compared.toml").read_text("utf-8"))["compared"]
SWAPPED = {"claim-coarser": "source-coarser", "source-coarser": "claim-coarser"}


@pytest.mark.parametrize(("claimed", "known", "relation"), COMPARED)
def test_values_compare_by_what_they_mean(claimed: str, known: str, relation: str) -> None:
    a, b = literal(*claimed.split(" ", 1)), literal(*known.split(" ", 1))
    assert compare(a, b) == relation
    assert compare(b, a) == SWAPPED.get(relation, relation)


def dates() -> st.SearchStrategy[Literal]:
    day = st.dates().map(lambda d: literal("date", d.isoformat()))
    years = st.integers(1, 9999).map("{:04d}".format)
    year = years.map(lambda y: literal("gYear", y))
    month = st.tuples(years, st.integers(1, 12)).map(
        lambda ym: literal("gYearMonth", f"{ym[0]}-{ym[1]:02d}")
    )
    recurring = st.dates().map(lambda d: literal("gMonthDay", f"--{d:%m-%d}"))
    return st.one_of(day, year, month, recurring)


def amounts() -> st.SearchStrategy[Literal]:
    number = st.integers(0, 9)
    money = st.tuples(number, st.sampled_from(["USD", "EUR", "XXX"]))
    return st.one_of(
        number.map(lambda n: literal("integer", str(n))),
        money.map(lambda m: literal("money", f"{m[0]} {m[1]}")),
        st.integers(1, 800).map(lambda n: literal("duration", f"P{n}D")),
        st.integers(1, 30).map(lambda n: literal("duration", f"P{n}M")),
        st.tuples(st.integers(1, 9), st.integers(1, 40)).map(
            lambda p: literal("duration", f"P{p[0]}M{p[1]}D")
        ),
    )


@given(st.one_of(dates(), amounts()), st.one_of(dates(), amounts()))
def test_comparing_the_other_way_about_swaps_coarser_and_finer(a: Literal, b: Literal) -> None:
    assert compare(a, a) == "equal"
    assert compare(b, a) == SWAPPED.get(compare(a, b), compare(a, b))


@given(dates(), dates())
def test_relations_of_dates_are_relations_of_their_intervals(a: Literal, b: Literal) -> None:
    ours, theirs = interval(a), interval(b)
    if ours is None or theirs is None:
        assert XSD.gMonthDay in (a.datatype, b.datatype)
        return
    relation = compare(a, b)
    assert (relation == "equal") == (ours == theirs)
    assert (relation == "disjoint") == (ours[1] < theirs[0] or theirs[1] < ours[0])
    if relation == "claim-coarser":
        assert ours[0] <= theirs[0] <= theirs[1] <= ours[1]


@pytest.mark.parametrize(
    ("lexical", "days"),
    [("P1M", (28, 31)), ("P3M", (89, 92)), ("P1Y", (365, 366)), ("P2D", (2, 2))],
)
def test_a_month_is_as_long_as_the_calendar_lets_it(lexical: str, days: tuple[int, int]) -> None:
    assert interval(literal("duration", lexical)) == tuple(map(Decimal, days))


def test_years_before_christ_run_on_into_those_after() -> None:
    before, after = interval(literal("gYear", "0000")), interval(literal("gYear", "0001"))
    assert before is not None
    assert after is not None
    assert before[1] + 1 == after[0] == 1


def test_tolerance_is_relative_to_the_known_value() -> None:
    near, far = literal("money", "101 USD"), literal("money", "100 USD")
    assert compare(near, far, tolerance=0.01) == "equal"
    assert compare(near, far, tolerance=0.009) == "disjoint"
    assert compare(literal("gYear", "1999"), literal("gYear", "2000"), tolerance=0.5) == "disjoint"


@given(st.integers(1, 10**9), st.sampled_from(["meters", "miles", "pounds", "acres", "gallons"]))
def test_equal_measures_in_two_spellings_are_equal_literals(number: int, unit: str) -> None:
    (plain,), (grouped,) = find_values(f"{number} {unit}"), find_values(f"{number:,} {unit}")
    assert plain.literal == grouped.literal


def test_every_unit_has_a_positive_factor() -> None:
    assert all(factor > 0 for _, factor in UNITS.values())


def _literal(form: str, kind: URIRef) -> Literal:
    return Literal(form, datatype=kind, normalize=False)


_YEAR = st.sampled_from(["1999", "2020", "2021", "-0043"])
_MONTH, _DAY = st.sampled_from(["01", "02", "12"]), st.sampled_from(["01", "28", "29", "31"])
_COUNTS = st.sampled_from(["1", "2", "12", "30", "31", "60", "365", "2.50", "2.5"])
_PERIODS, _CURRENCIES = st.sampled_from("DMY"), st.sampled_from(["USD", "XXX"])
_SECTIONS = st.sampled_from(["4", "4.2", "4.2(b)", "5", "4; section 5", "4.2; section 7"])
some_values = st.one_of(
    st.builds(lambda y, m, d: _literal(f"{y}-{m}-{d}", XSD.date), _YEAR, _MONTH, _DAY),
    st.builds(lambda y, m: _literal(f"{y}-{m}", XSD.gYearMonth), _YEAR, _MONTH),
    st.builds(lambda y: _literal(y, XSD.gYear), _YEAR),
    st.builds(lambda m: _literal(f"--{m}", XSD.gMonth), _MONTH),
    st.builds(lambda m, d: _literal(f"--{m}-{d}", XSD.gMonthDay), _MONTH, _DAY),
    st.builds(lambda n, u: _literal(f"P{n}{u}", XSD.duration), st.integers(0, 400), _PERIODS),
    st.builds(lambda n, c: _literal(f"{n} {c}", GR.money), _COUNTS, _CURRENCIES),
    st.builds(lambda n: _literal(f"{n} m2", GR.quantity), _COUNTS),
    st.builds(lambda n: _literal(n, GR.percent), _COUNTS),
    st.builds(lambda n, k: _literal(n, k), _COUNTS, st.sampled_from([XSD.integer, XSD.decimal])),
    st.builds(lambda h: _literal(f"{h}:00:00", XSD.time), st.sampled_from(["09", "10"])),
    st.builds(lambda n: _literal(f"section {n}", GR.section), _SECTIONS),
    st.builds(lambda n: _literal(f"410 U.S. {n}", CITATION.datatype), st.integers(1, 3)),
    st.builds(lambda y: _literal(f"{y}/2029", GR.years), st.sampled_from(["1990", "2020"])),
    st.just(_literal("soon", XSD.date)),
)  # fmt: skip


@given(st.lists(some_values, max_size=12))
def test_values_that_are_the_same_measure_the_same(values: list[Literal]) -> None:
    for one, other in itertools.permutations(values, 2):
        if compare(one, other) not in ("disjoint", "incomparable"):
            assert any({one, other} <= {*group} for group in by_measure(values).values())

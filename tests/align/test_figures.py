"""Laws of figures: what a text gives it states, what follows is derived, the rest is doubted."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules import Severity, check
from groundrules.align.accounts import Figure
from groundrules.align.figures import account
from groundrules.align.places import FigureIndex, index_figures
from groundrules.claims.values.measures import agree
from groundrules.claims.values.numbers import read_numbers
from tests.strategies import texts
from tests.work import assert_linear


def index_of(*sources: str) -> FigureIndex:
    return index_figures(sources)


def accounts(statement: str, *sources: str, before: tuple[str, ...] = ()) -> dict[str, Figure]:
    found = account(statement, index_of(*sources), before=before)
    return {figure.text: figure for figure in found}


LEASE = """LEASE OF A WORKSHOP

2. Rent
The Tenant shall pay a rent of £48,000 a year by equal quarterly instalments.

3. Deposit
On signing the Tenant pays a deposit of £7,200. In the second year the deposit falls to £5,400.

4. Notice
Either party may end the lease by giving five months' notice expiring on 30 June 2031.
"""

TABLE = """## Cover

| | Basic | Extra |
|---|---|---|
| Glass breakage | £300 | £900 |
| Stolen tools | £650 | £1,400 |
"""

COLONY = (
    "The heron colony counted 40 nests in 2001 and 260 nests in 2019, after the weir was removed."
)


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("The prize was half a million dollars.", "The prize was $500,000."),
        ("The gates close at nine in the evening.", "The gates close at 21:00."),
        ("The offer lasts for two weeks.", "The offer lasts for 14 days."),
        ("The offer lasts for a fortnight.", "The offer lasts for 14 days."),
        ("The form is due by the end of June.", "The form is due by 30 June."),
        ("The office shuts at half past three.", "The office shuts at 15:30."),
        ("Some 9,000 people came to the fair.", "9,140 people came to the fair."),
        ("A good 5,000 people came to the fair.", "5,210 people came to the fair."),
        ("Nearly three quarters of the members agreed.", "73% of the members agreed."),
        ("A fifth of the members agreed.", "20% of the members agreed."),
        ("The wall is 1.2 metres high.", "The wall is 1,200 mm high."),
        ("The film runs for two and a half hours.", "The film runs for 150 minutes."),
        ("One visitor in five came back.", "20% of the visitors came back."),
        ("The rate rose by half a percentage point.", "The rate rose by 0.5 percentage points."),
        ("The limit is 2 mg/l.", "The limit is 2,000 µg/l."),
        ("The tower is of the twelfth century.", "The tower is a twelfth-century building."),
    ],
)
def test_a_number_in_other_words_is_stated(said: str, source: str) -> None:
    assert {figure.account for figure in accounts(said, source).values()} == {"stated"}


@pytest.mark.parametrize(
    ("said", "text", "source"),
    [
        ("The rent comes to £12,000 a quarter.", "£12,000", LEASE),
        ("The deposit falls by £1,800 in the second year.", "£1,800", LEASE),
        ("The two deposits add up to £12,600 in total.", "£12,600", LEASE),
        ("Notice must be given by 30 January 2031.", "30 January 2031", LEASE),
        ("There were more than six times as many nests in the end.", "six", COLONY),
        ("The colony gained 220 nests.", "220", COLONY),
        ("The two counts lie 18 years apart, one after the other.", "18 years", COLONY),
        ("Extra pays £600 more than Basic for glass.", "£600", TABLE),
        (
            "About a seventh of the samples failed.",
            "a seventh",
            "Of 400 samples tested, 57 samples failed.",
        ),
        (
            "She was thirty when she took office.",
            "thirty",
            "Born in 2001, she took office as mayor in 2031.",
        ),
        (
            "The sale took place eight days before, on 4 May.",
            "4 May",
            "The sale was announced on 12 May, eight days after it had been held.",
        ),
    ],
)
def test_what_follows_by_a_sum_is_derived_and_the_sum_is_shown(
    said: str, text: str, source: str
) -> None:
    figure = accounts(said, source)[text]
    assert figure.account == "derived", figure
    assert figure.how


ORCHARD = """Orchard survey
3 March 2026

| Plot | Trees 2021 | Trees 2026 | Yield in kg |
|---|---|---|---|
| Hill plot | 1,240 | 1,310 | 9,800 |
| River plot | 2,060 | 1,870 | 14,300 |
| Chapel plot | 815 | 930 | 6,150 |

The store covers 140 m2, of which the cold room takes 35 and the office 12. Pickers walked 31 km on
the first day and 26 on the second.

A permit lasts for twelve months. The council may add up to twelve months more.

The next survey is set for 17 March. The ladder check takes from 08:00 to 09:30 for 6 ladders.
"""


@pytest.mark.parametrize(
    ("said", "text", "source"),
    [
        # the date of the document
        ("The next survey follows after two weeks.", "two weeks", ORCHARD),
        # a share said as so many of every hundred
        (
            "Of every 100 euros of fees about 12.50 went to the coach.",
            "12.50",
            "Of the fees of €4,800 the coach took €600.",
        ),
    ],
)
def test_operands_stand_in_the_title_and_beside_them(said: str, text: str, source: str) -> None:
    figure = accounts(said, source)[text]
    assert figure.account == "derived", figure
    assert figure.how


def test_the_sum_is_told_in_figures_of_the_source() -> None:
    figure = accounts("The rent comes to £12,000 a quarter.", LEASE)["£12,000"]
    assert figure.how == "£48,000 / 4 = £12,000"
    assert [LEASE[start:end] for _, start, end in figure.places] == ["£48,000"]


def test_a_sum_may_refer_back_to_the_statement_before() -> None:
    source = "The first roof cost £90,000 to build, and the porch £25,000."
    said = "The second roof cost £25,000 less, that is £65,000."
    figure = accounts(said, source, before=("The first roof cost £90,000.",))["£65,000"]
    assert figure.account == "derived"


def test_a_figure_of_a_case_that_is_supposed_may_be_any_and_give_others() -> None:
    found = accounts(
        "If nothing came for four full days, each customer would get £60.",
        "Each customer gets £15 for a full day on which nothing comes.",
    )
    assert {figure.account for figure in found.values()} == {"derived"}


@pytest.mark.parametrize(
    ("said", "source", "before"),
    [
        (
            "The second roof cost £25,000 less, that is £65,000.",
            "The first roof cost £90,000 to build.",
            "The first roof cost £90,000.",
        ),
        (
            "The sale took place eight days before, on 4 May.",
            "The sale was announced on 12 May.",
            "The sale was announced on 12 May.",
        ),
        (
            "Spending came to £2,365, so that £1,048 was left over.",
            "The fair brought in £655 in all.",
            "In all £3,413 came in.",
        ),
    ],
)
def test_figures_that_no_source_gives_bear_out_no_other(
    said: str, source: str, before: str
) -> None:
    found = accounts(said, source, before=(before,))
    assert {figure.account for figure in found.values()} == {"absent"}


@pytest.mark.parametrize(
    ("said", "text", "how", "source"),
    [
        (
            "The rent is £400 and the heating £60, together £470.",
            "£470",
            "460",
            "The rent is £400 a month. The heating costs £60.",
        ),
    ],
)
def test_a_sum_that_does_not_come_out_is_shown_as_it_does(
    said: str, text: str, how: str, source: str
) -> None:
    figure = accounts(said, source)[text]
    assert figure.account == "miscalculated", figure
    assert how in figure.how


def test_a_multiple_that_the_two_numbers_do_not_give_is_miscalculated() -> None:
    figure = accounts("Since the weir was removed the heron colony has tripled.", COLONY)["tripled"]
    assert figure.account == "miscalculated"
    assert figure.how == "40 to 260 is 6.5 times, not tripled"


def test_a_total_in_the_statement_that_its_parts_do_not_give_is_miscalculated() -> None:
    source = "The hall costs 1,250 euros and the kitchen costs 640 euros."
    said = "The hall at 1,250 euros and the kitchen at 640 euros cost together 1,980 euros."
    assert accounts(said, source)["1,980 euros"].account == "miscalculated"


def test_a_number_that_nothing_gives_is_absent() -> None:
    figure = accounts("The museum bought 613 letters from the widow.", LEASE)["613"]
    assert (figure.account, figure.rather, figure.places) == ("absent", "", ())


def test_a_case_beside_a_bound_is_no_conflict() -> None:
    source = "Parcels of up to 20 kg are carried free of charge."
    figure = accounts("A parcel of 12 kg would be carried free of charge.", source)["12 kg"]
    assert figure.account == "absent"


@pytest.mark.parametrize(
    "said",
    [
        "One should not rely on this.",
        "First of all, the roof leaks.",
        "3.2 The Tenant repairs the roof.",
        "(4) The Tenant repairs the roof.",
    ],
)
def test_clause_numbers_and_pronouns_are_no_figures(said: str) -> None:
    assert account(said, index_of(LEASE)) == ()


def test_a_cell_belongs_to_its_row_and_its_column() -> None:
    figures = account("Glass breakage is covered by Extra up to £900.", index_of(TABLE))
    assert [figure.account for figure in figures] == ["stated"]


def test_the_corner_of_a_table_gives_its_cells_their_unit() -> None:
    table = "| EUR million | 2024 | 2025 |\n|---|---|---|\n| Sales | 812 | 905 |\n"
    figure = accounts("Sales rose by EUR 93 million.", table)["EUR 93 million"]
    assert (figure.account, figure.how) == ("derived", "905 - 812 = EUR 93 million")


def test_a_temperature_is_rounded_as_it_is_written() -> None:
    warm, hot = (read_numbers(f"about {size} °C")[0] for size in (25, 36))
    assert agree(hot, warm) == ""


def test_over_forty_is_not_what_over_fifty_says() -> None:
    forty, fifty = (read_numbers(f"over {n} boats")[0] for n in ("40", "50"))
    assert agree(forty, fifty) == ""
    assert agree(forty, forty) == "same"


NUMBERS = st.one_of(
    st.integers(2, 999_999).map(lambda n: f"{n:,}"),
    st.integers(2, 99_999).map(lambda n: f"£{n:,}"),
    st.integers(2, 99).map(lambda n: f"{n}%"),
    st.integers(2, 400).map(lambda n: f"{n} days"),
    st.integers(1901, 2050).map(lambda n: f"3 May {n}"),
    st.sampled_from(["half past four", "two thirds", "a dozen", "twice", "a fortnight", "5 mg/l"]),
)
SAID = st.lists(
    st.tuples(st.sampled_from(["The fee is", "They counted", "It took", "It rose to"]), NUMBERS),
    min_size=1,
    max_size=6,
)


@given(SAID)
def test_every_number_of_a_text_is_stated_by_that_text(said: list[tuple[str, str]]) -> None:
    sentences = [f"{words} {number} in the end." for words, number in said]
    index = index_of(" ".join(sentences))
    for sentence in sentences:
        assert {figure.account for figure in account(sentence, index)} <= {"stated"}


@given(texts(), texts())
def test_account_is_deterministic_and_gives_places_in_order(source: str, said: str) -> None:
    first, second = (account(said, index_of(source)) for _ in range(2))
    assert first == second
    assert all(one.end <= other.start for one, other in pairwise(first))
    for figure in first:
        assert said[figure.start : figure.end] == figure.text
        assert 0 <= figure.similarity <= 1
        for number, start, end in figure.places:
            assert number == 0
            assert 0 <= start < end <= len(source)


@given(st.text(alphabet="0123456789 .,%£-/halfto\n|", max_size=400))
def test_reading_never_overlaps_and_never_fails(text: str) -> None:
    found = read_numbers(text)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(text[number.start : number.end] == number.text for number in found)


@pytest.mark.parametrize(
    "piece",
    ["12,345 7.5% ", "7 ", "| 5 | 6 ", "5\n", "half a ", "5 to ", "$5-7 million ", "| 5 | 6\n"],
)
def test_the_cost_is_near_linear_in_hostile_text(piece: str) -> None:
    def run(pieces: int) -> None:
        text = piece * pieces
        account(text, index_figures([text]))

    assert_linear(run, 100)


def test_degrees_of_a_scale_left_open_are_those_of_the_source() -> None:
    known = "The water is 28 °C."
    assert accounts("The water is 28 degrees.", known)["28"].account == "stated"
    assert accounts("The water is 25 degrees.", known)["25"].account in {"conflict", "absent"}
    assert accounts("The water is 28 litres.", known)["28 litres"].account != "stated"
    near = accounts("The water is about 27 degrees.", known)["27"]
    far = accounts("The water is about 20 degrees.", known)["20"]
    assert (near.account, far.account != "stated") == ("stated", True)
    cold = accounts("It melts at 20 degrees.", "It melts at 20 kelvin.")["20"]
    assert cold.account != "stated"


@pytest.mark.parametrize(
    ("words", "stated"),
    [
        ("about three months", True),
        ("nearly three months", True),
        ("three months", False),
        ("about two months", False),
        ("nearly four months", False),
    ],
)
def test_a_rounded_duration_stands_for_what_rounds_to_it(words: str, stated: bool) -> None:
    (found,) = accounts(f"The strike lasted {words}.", "The strike lasted eleven weeks.").values()
    assert (found.account == "stated") == stated


@pytest.mark.parametrize("unit", ["°C", "°F", "degrees Celsius", "degrees Fahrenheit"])
def test_the_ends_of_a_range_of_temperatures_are_those_of_its_scale(unit: str) -> None:
    first, last = read_numbers(f"between 20 to 25 {unit}")
    whole = read_numbers(f"20 {unit}")[0], read_numbers(f"25 {unit}")[0]
    assert [first.value, last.value] == pytest.approx([one.value for one in whole])


def test_what_a_change_ends_with_is_what_it_is_now() -> None:
    source = "The speed limit past the mill was cut from 50 to 30 km/h and has not changed since."
    (found,) = accounts("The speed limit past the mill is 30 km/h.", source).values()
    assert found.account == "stated"


@pytest.mark.parametrize(
    ("said", "source", "refuted"),
    [
        ("The old clock loses six minutes a day.", "The old clock loses six seconds a day.", True),
        ("The ferry sailed in 2014.", "The ferry sailed in 2013.", True),
        ("The ferry sailed in 2014.", "The ferry did not sail in 2013.", False),
        ("Loan A costs 3 per cent.", "Loan A costs 4 per cent.", True),
        ("Loan A costs 3 per cent.", "Loan B costs 4 per cent.", False),
        (
            "The mine costs £7 per child.",
            "The mine costs £12 per child and the glassworks £7.",
            True,
        ),
        ("A parcel of 12 kg is carried free.", "Parcels of up to 20 kg are carried free.", False),
        ("The fee is €5.", "The fee, without the tax, is $5.", False),
        ("She stays until 30 September 2027.", "She stays in office until 30 June 2027.", True),
        ("The fee is $2.50.", "The fee is two dollars and fifty cents.", False),
        ("The fee is $2.70.", "The fee is two dollars and fifty cents.", True),
        ("It was signed on 6 May 2018.", "It was signed on 06/05/2018.", False),
        ("It was signed on 7 May 2018.", "It was signed on 06/05/2018.", True),
    ],
)
def test_a_figure_is_refuted_where_it_is_all_that_differs(
    said: str, source: str, refuted: bool
) -> None:
    found = check(said, context=source, verify=False).violations
    wrong = {one.rule for one in found if one.severity is Severity.ERROR}
    assert bool(wrong & {"GR306", "GR224"}) == refuted

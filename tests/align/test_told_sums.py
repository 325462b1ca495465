"""Figures of which a language model names the sum."""

import pytest

from groundrules.align.figures import account
from groundrules.align.places import index_figures
from groundrules.align.told_sums import NAMED, reckon

LEDGER = (
    "The hall took 1,860 kroner in May. The kitchen took 1,398 kroner. The shed cost 120 kroner. "
    "A seat costs £14, and the bus £9. Of the 22 boats 2 sank and 3 were sold. "
    "The first train left on 6 February 2024, the last on 4 March 2024."
)
MILL = (
    "Members pay 25 % less than £14. A short film lasts 95 minutes, the long one 145 minutes, the "
    "break 75 minutes. The "
    "old oven cost £1,860, the door £1,395, the lamp £124. "
    "| Oven | Loads | Waste (t) |\n|---|---|---|\n| A | 61 | 43 |\n| B | 74 | 31 |\n"
    "| C | 76 | 22 |\n| D | 15 | 17 |\n| E | 58 | 19 |\n"
)
#: A source in which many figures could be come by, if any sum would do.
HUT = (
    "The hut has 22 beds and 13 lamps. A lamp weighs 9 kg. Entry costs £17. A tour lasts 95 "
    "minutes. Members pay 36 % less. A beam is 14 m. Opened in 1998. Route 61 stops at room 43. "
    "Tea is £54, entry for the old £18. In June 37 guests came and 41 left; 52 tents, 29 bikes, 83 "
    "boats, 94 cups and 68 forks were lent."
)


def how(statement: str, said: str, quoted: str = "", source: str = LEDGER) -> list[str]:
    """Return the sums of the figures of a statement that stand in no source, "" where none does."""
    index = index_figures([source])
    figures = account(statement, index)
    found = reckon(statement, figures, said, quoted, index)
    pairs = zip(figures, found, strict=True)
    return [now.how for before, now in pairs if before.account == "absent"]


@pytest.mark.parametrize(
    ("statement", "said", "sums"),
    [
        ("The pier needs 462 kroner.", "1,860 less 1,398 is 462.", ["1,860 - 1,398 = 462"]),
    ],
)
def test_a_sum_that_a_model_writes_of_numbers_of_the_sources_gives_a_figure(
    statement: str, said: str, sums: list[str]
) -> None:
    found = how(statement, said)
    assert len(found) == len(sums)
    for one, told in zip(found, sums, strict=True):
        assert one.replace(" kroner", "").startswith(told)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("Jo yawned four hours away.", "95 + 145 = 240 minutes"),
    ],
)
def test_a_sum_may_be_told_in_another_unit(statement: str, said: str) -> None:
    (found,) = how(statement, said, "", MILL)
    assert found


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("It was fired 229 times.", "61 + 74 + 43 + 17 + 15 + 19 = 229"),  # no row and no column
        ("It was fired 232 times.", "61 + 76 + 15 + 58 + 22 = 232"),
        ("One sits through three hours of film.", "(95 + 145) / 80 = 3"),
        ("One sits through ten hours of film.", "(95 + 145) / 24 = 10"),
        ("A member pays £11.90.", "14 × 0.85 = 11.90"),  # no source has 15 %
        ("Members pay £64.", "(1,860 - (1,860 - 124)) - 60 = 64"),
        ("Members pay £158.", "124 + 34 = 158"),
        ("Members pay £219.", "124 + 95 = 219"),  # pounds and minutes
        ("Members pay £248.", f"{'(' * 30}124 * 2{')' * 30} = 248"),
        ("Members pay £248.", "124 * (2 = 248"),
        ("Members pay £62.", "124 / (76 - 76 + 2) = 62"),
        ("Members pay £62.", "124 / (1 + 1) = 62"),
    ],
)
def test_what_is_no_row_no_share_and_no_unit_gives_nothing(statement: str, said: str) -> None:
    assert how(statement, said, "", MILL) == [""]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("The pier needs 562 kroner.", "1,860 less 1,398 is 562."),  # it is not
        ("The pier needs 562 kroner.", "1,860 less 1,298 is 562."),  # no source has 1,298
        ("The pier needs 462 kroner.", "So it is."),
        ("The pier needs 462 kroner.", "1,860 and 1,398"),  # what comes out is not told
        ("The pier needs 700 kroner.", "500 + 200 = 700"),
        ("The pier needs 20 kroner.", "2 * 10 = 20"),  # of no number of a source
        ("The pier needs 462 kroner.", "1 / 0 = 462"),
        ("They kept 24 boats.", "The statement says 24 boats."),  # and 22 + 2 is quoted
        ("The pier needs 17 kroner.", "14 + 3 = 17"),  # pounds and boats
        ("The pier needs 14 million kroner.", "14 * 1 = 14"),
        ("The pier needs 132 kroner.", "120 + 12 * 1 = 132"),
        ("The pier needs 420 kroner.", "120 - 120 + 60 * 7 = 420"),
        ("The pier needs 556 kroner.", "120 * 5 - 11 * 4 = 556"),
        ("The pier needs 5,000 kroner.", "120 / 22 = 5; 5 * 1000 = 5,000"),
    ],
)
def test_what_no_sum_over_the_sources_gives_stays_absent(statement: str, said: str) -> None:
    quoted = "Of the 22 boats 2 sank and 3 were sold" if "boats" in statement else ""
    assert how(statement, said, quoted) == [""]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("The bill names 66 kg.", "22 × 3 = 66"),  # a count stays one
        ("The bill says £66.", "22 × 3 = 66"),
        ("The bill says £283.", "22 × 12 + 17 + 2 = 283"),
        ("The bill says £64.", "100 × 0.64 = 64"),  # a share is no number of anything
        ("The bill says £36.", "36 % of 100 = 36"),
        ("The bill says £0.87.", "1.36 * 0.64 = 0.87"),
        ("Some 75 % of the people left.", "13 / 13 / 4 = 0.25"),  # over and under
        ("Some 75 % of the people left.", "9 / (9 * 4) = 0.25"),
        ("Jo came 11 times as often.", "22 / 22 * 11 = 11"),
        ("Tea costs twice as much as entry.", "54 / 18 = 3"),  # no change is told
        ("Tea costs 200 % of entry.", "54 / 18 = 3"),
        ("Tea costs 67 % of entry.", "18 / 54 = 0.33"),
        ("Jo waited 66 % longer.", "18 / 54 = 0.34"),
        ("Jo waited 75 % longer.", "9 / 36 = 0.25"),  # less
        ("Some 19 % of the people left.", "18 / 95 = 0.19"),  # pounds and minutes
        ("Some 81 % of the people left.", "18 / 95 = 0.19"),
        ("The bill says £289.", "17 × 17 = 289"),
        ("It took 5,700 hours.", "95 × 60 = 5,700"),
        ("Jo saw 299 cows.", "41 + 52 + 29 + 83 + 94 = 299"),
        ("Jo saw 335 cows.", "29 + 83 + 94 + 68 + 61 = 335"),
        ("Jo saw 266 cows.", "41 + 52 + 29 = 122; 122 + 94 = 216; 216 + 37 + 13 = 266"),
    ],
)
def test_no_figure_comes_of_a_sum_that_would_give_any(statement: str, said: str) -> None:
    assert how(statement, said, "", HUT) == [""]


SHOP = (
    "Kit cost £2,400 and then £1,800. Rent fell from £700 to £630. Stock is worth £3 million. A "
    "lamp costs £12 an hour to run. It lasts 1 hour 15 minutes, the bag holds 900 g at £11 a kilo. "
    "| Oven | Loads |\n|---|---|\n| A | 61 |\n| B | 43 |\n"
)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("Rent fell by 90 %.", "(700 - 630) / 700 = 0.1"),  # by what it is less
        ("Kit became 75 % cheaper.", "(2,400 - 1,800) / 2,400 = 0.25"),
        ("The bill says £46.", "3 + 43 = 46"),  # of millions
        ("Some 32 % of the people left.", "1,800 / 630 / 9 = 0.317"),  # a share of a share
        ("Jo saw 27 cows.", "9 * 2,100 / 700 = 27"),
        ("Jo saw 33 cows.", "11 * 2,400 / 800 = 33"),
    ],
)
def test_a_sum_is_of_what_its_numbers_are(statement: str, said: str) -> None:
    assert how(statement, said, "", SHOP) == [""]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("Rent is down by a tenth.", "(700 - 630) / 700 = 0.1"),
        ("Rent is down by a tenth.", "(700 - 630) / 700 × 100 = 10 %"),
        ("Jo yawned 150 minutes away.", "75 + 75 = 150"),
    ],
)
def test_a_number_may_be_told_in_another_unit(statement: str, said: str) -> None:
    found = how(statement, said, "", SHOP)
    assert "" not in found


@pytest.mark.parametrize(
    "said",
    ["200 × 0.64 = 128; 128 / 0.64 = 200", "200 × 9 = 1,800; 1,800 / 9 = 200", "128 + 72 = 200"],
)
def test_figures_of_a_statement_that_no_source_gives_bear_out_no_other(said: str) -> None:
    assert how("The red cow weighs 200 kg, the blue one 128 kg.", said, "", HUT) == ["", ""]


def test_a_long_sum_over_a_long_table_is_made_at_once() -> None:
    table = "| A |\n|---|\n" + "| 7 |\n" * 3000
    said = "; ".join(["(7+7+7+7+8)*(7+7+7+7+8)*(7+7+7+7+8)*(7+7+7+7+8)=36"] * 4)
    assert how("It weighs 12,345 kg.", said, "", table) == [""]


def test_numbers_that_are_quoted_are_named_too() -> None:
    assert how("It ran for nearly four weeks.", "That is 27 days, nearly four weeks.") == [""]
    quoted = "left on 6 February 2024, the last on 4 March 2024"
    (found,) = how("It ran for nearly four weeks.", "That is 27 days, nearly four weeks.", quoted)
    assert "6 February 2024" in found


def test_of_many_numbers_that_are_named_none_counts() -> None:
    source = "They cost " + ", ".join(f"{n} euros" for n in range(211, 211 + 7 * (NAMED + 1), 7))
    said = " and ".join(str(n) for n in range(211, 211 + 7 * (NAMED + 1), 7))
    assert how("It needs 429 euros.", f"211 and 218 are 429 of {said}", "", source) == [""]
    assert how("It needs 429 euros.", "211 and 218 are 429", "", source) != [""]

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


def how(statement: str, said: str, quoted: str = "", source: str = LEDGER) -> list[str]:
    """Return the sums of the figures of a statement that stand in no source, "" where none does."""
    index = index_figures([source], [[(0, len(source))]])
    absent = [one for one in account(statement, index) if one.account == "absent"]
    return [reckon(statement, one, said, quoted, index).how for one in absent]


@pytest.mark.parametrize(
    ("statement", "said", "sums"),
    [
        ("The pier needs 462 kroner.", "1,860 less 1,398 is 462.", ["1,860 - 1,398 = 462"]),
        ("A party of two with the bus pays £37.", "2 × 14 + 9 = 37", ["2 * 14 + 9 = 37"]),
        ("They kept 17 boats.", "22-2-3 is 17 boats", ["22-2-3 is 17"]),
        ("The mean is 1,629 kroner.", "1,860 + 1,398 = 3,258; 3,258 / 2 = 1,629", ["3,258 / 2"]),
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

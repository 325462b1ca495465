"""What findings quote of two sentences can be read by itself."""

from __future__ import annotations

import pytest

from groundrules.align.quotations import quotations
from groundrules.align.wordalign import read


def _quoted(mine: str, here: str, theirs: str, there: str) -> tuple[str, str]:
    one, other = mine.index(here), theirs.index(there)
    return quotations(
        read(mine),
        (one, one + len(here)),
        read(theirs),
        (other, other + len(there)),
    )


@pytest.mark.parametrize(
    ("mine", "here", "theirs", "there", "quoted"),
    [
        (
            "The library is open on Mondays.", "is", "It is closed on Mondays.",
            "closed",
            ("is open", "is closed"),
        ),
        (
            "At most four pupils share a boat.", "most four",
            "At least four pupils share a boat.", "least four",
            ("At most four pupils", "At least four pupils"),
        ),
        (
            "The hall was painted after the floor was laid.", "was laid",
            "The hall was painted before the floor was laid.", "was laid",
            ("The hall was painted after the floor was laid",
             "The hall was painted before the floor was laid"),
        ),
    ],
)  # fmt: skip
def test_what_is_quoted_can_be_read_by_itself(
    mine: str, here: str, theirs: str, there: str, quoted: tuple[str, str]
) -> None:
    assert _quoted(mine, here, theirs, there) == quoted


def test_a_long_clause_is_quoted_by_the_words_that_differ_alone() -> None:
    long = "with a letter that names the day " * 8
    mine = f"Irma Voss hired Paul Lang {long}."

    assert _quoted(mine, "hired", mine, "hired")[0] == "hired"

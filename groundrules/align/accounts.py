"""How sources account for a number of a statement, and where one excludes what it says."""

from __future__ import annotations

from dataclasses import dataclass

from groundrules.claims.values.measures import Number


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a statement and how the source accounts for it; `places` are source ranges.

    `account` is stated, derived, miscalculated, conflict or absent; `how` the sum in words;
    `rather` what the source has instead; `similarity` how near the place is that decides.
    """

    start: int
    end: int
    text: str
    kind: str
    account: str
    how: str = ""
    rather: str = ""
    similarity: float = 0.0
    places: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Contrast:
    """A place where a statement turns what a passage says.

    `start` and `end` are code points of the statement, and `claimed` quotes them with what they
    need to be understood. `places` are the source and range of what was compared, whose words
    `stated` has.
    """

    kind: str
    start: int
    end: int
    claimed: str
    stated: str
    passage: int
    places: tuple[tuple[int, int, int], ...] = ()


def figure_of(
    claim: Number, account: str, *, how: str = "", rather: str = "", similarity: float = 0.0,
    places: tuple[tuple[int, int, int], ...] = (),
) -> Figure:  # fmt: skip
    """Return the figure of a claimed number."""
    return Figure(
        claim.start, claim.end, claim.text, claim.kind, account, how, rather,
        round(min(1.0, similarity), 4), places,
    )  # fmt: skip

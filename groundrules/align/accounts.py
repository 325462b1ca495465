"""A number of a statement and how its sources account for it."""

from __future__ import annotations

from dataclasses import dataclass

from groundrules.align.measures import Number


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


def figure_of(
    claim: Number, account: str, *, how: str = "", rather: str = "", similarity: float = 0.0,
    places: tuple[tuple[int, int, int], ...] = (),
) -> Figure:  # fmt: skip
    """Return the figure of a claimed number."""
    return Figure(
        claim.start, claim.end, claim.text, claim.kind, account, how, rather,
        round(min(1.0, similarity), 4), places,
    )  # fmt: skip

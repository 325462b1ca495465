"""Sums that a statement makes and that do not come out: what the numbers at hand give instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundrules.align.derivations import PLAIN_SUMS, Derivation, Operand
from groundrules.align.measures import Number, fits

_BY = re.compile(r"(?i:\bby\s(?:about\s|some\s|nearly\s|almost\s|an?\s)?)\Z")
_TO = re.compile(r",?\sto\s(?:about\s|some\s|nearly\s|almost\s)?")


def by_and_to(
    statement: str, claim: Number, read: Sequence[Number], operands: Sequence[Operand]
) -> Derivation | None:
    """Return what lies between the two where a text says "by X, to Y" and X is a digit off it."""
    if claim.kind not in PLAIN_SUMS or not _BY.search(statement[: claim.start][-24:]):
        return None
    after = next((n for n in read if n.start > claim.end), None)
    if after is None or after.measure != claim.measure:
        return None
    if not _TO.fullmatch(statement[claim.end : after.start]):
        return None
    found = []
    for operand in operands:
        number = operand.number
        gap = abs(number.value - after.value)
        if operand.place is None or number.measure != claim.measure or not gap:
            continue
        if fits(claim, gap):
            return None
        if _one_digit(gap / claim.value * claim.raw if claim.value else gap, claim.raw):
            found.append((operand, gap))
    if len(found) != 1 or found[0][0].place is None:
        return None
    operand, gap = found[0]
    upper, lower = sorted((operand.number, after), key=lambda n: -n.value)
    shown = f"{gap / claim.value * claim.raw:,.10g}"
    place = (found[0][0].place,)
    return Derivation(f"{upper.text} - {lower.text} is {shown}, not {claim.text}", place)


def _one_digit(size: float, other: float) -> bool:
    one, two = f"{size:.2f}", f"{other:.2f}"
    off = sum(a != b for a, b in zip(one, two, strict=False))
    return len(one) == len(two) > 4 and off == 1

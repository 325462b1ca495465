"""Sums of a statement's numbers that do not come out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundrules.align.accounts import Figure, figure_of
from groundrules.align.derivations import PLAIN_SUMS, Derivation, Operand
from groundrules.align.matches import Matches, pair_of
from groundrules.align.measures import Number, fits

COMPARED = re.compile(
    r"(?i:\s(?:more|less|fewer|higher|lower|longer|shorter|older|younger|dearer|cheaper|heavier|lighter"
    r"|taller|wider|further|sooner|later|earlier)(?:\s[^.;:]{0,24})?(?:\sthan\b|\sof\sthe\b)|\s(?:more|less|fewer|higher|lower"
    r"|longer|shorter|older|younger|dearer|cheaper)(?:[.,]|\Z))"
)
_CHANGED = re.compile(r"(?i:doubl|tripl|trebl|quadrupl|halv|fold)")
TOGETHER = re.compile(
    r"(?i:\b(?:together|in total|altogether|in all|a total of|combined|making|adds? up to|sum of)"
    r"\b[^.;]{0,20}\Z)"
)
_BY = re.compile(r"(?i:\bby\s(?:about\s|some\s|nearly\s|almost\s|an?\s)?)\Z")
_TO = re.compile(r",?\sto\s(?:about\s|some\s|nearly\s|almost\s)?")


def wrong_sum(matches: Matches, claim: Number) -> Figure | None:
    """Return a multiple or a total whose parts are plain and which they do not give."""
    if claim.kind == "RATIO" and claim.unit == "times" and _CHANGED.search(claim.text):
        measures = [matches.index.numbers[here].number.measure for here in matches.near[:12]]
        for measure in dict.fromkeys(measures):
            pair = pair_of(matches, measure)
            if pair is None or measure[0] in {"DATE", "TIME", "RATIO"}:
                continue
            first, last = (matches.index.numbers[at] for at in sorted(pair))
            if not first.number.value or not last.number.value or first.number.unit == "nth":
                continue
            ratio = last.number.value / first.number.value
            change = f"{first.number.text} to {last.number.text}"
            how = f"{change} is {ratio:.2g} times, not {claim.text}"
            return figure_of(
                claim,
                "miscalculated",
                how=how,
                places=(first.place, last.place),
                similarity=0.5,
            )
    before = matches.statement[max(0, claim.start - 40) : claim.start]
    if claim.kind in PLAIN_SUMS and TOGETHER.search(before):
        own = [n for n in matches.read if n.end < claim.start and not n.soft]
        if len(own) == 2 and all(n.measure == claim.measure for n in own):
            total = own[0].value + own[1].value
            scaled = total / claim.value * claim.raw if claim.value else total
            how = f"{own[0].text} + {own[1].text} is {scaled:,.10g}, not {claim.text}"
            return figure_of(claim, "miscalculated", how=how, similarity=1.0)
    return None


def miscount(matches: Matches, claim: Number, operands: Sequence[Operand]) -> Figure | None:
    """Return a number that a sum at hand gives with a digit off."""
    found = _by_and_to(matches.statement, claim, matches.read, operands)
    if found is None:
        return None
    return figure_of(claim, "miscalculated", how=found.how, places=found.places, similarity=0.5)


def _by_and_to(
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

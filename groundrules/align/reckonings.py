"""Sums of a statement's numbers that do not come out."""

from __future__ import annotations

import re

from groundrules.align.accounts import Figure, figure_of
from groundrules.align.derivations import PLAIN_SUMS
from groundrules.align.matches import Matches, pair_of
from groundrules.align.measures import Number

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

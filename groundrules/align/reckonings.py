"""What a statement's numbers are reckoned from, and sums of them that do not come out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundrules.align.accounts import Figure, figure_of
from groundrules.align.comparability import bounds, is_score, lists
from groundrules.align.derivations import Derivation, Operand, derive
from groundrules.align.limits import MAGNITUDE
from groundrules.align.matches import Matches, operands_of, pair_of
from groundrules.align.measures import Number
from groundrules.align.miscounts import by_and_to
from groundrules.align.operands import BEARING, rows_of
from groundrules.align.places import sense
from groundrules.claims.english.alternations import DEFINITE

_ADDED = frozenset({"MONEY", "QUANTITY", "PERCENT", "DURATION", "NUMBER"})
COMPARED = re.compile(
    r"(?i:\s(?:more|less|fewer|higher|lower|longer|shorter|older|younger|dearer|cheaper|heavier|lighter"
    r"|taller|wider|further|sooner|later|earlier)(?:\s[^.;:]{0,24})?(?:\sthan\b|\sof\sthe\b)|\s(?:more|less|fewer|higher|lower"
    r"|longer|shorter|older|younger|dearer|cheaper)(?:[.,]|\Z))"
)
_COMPARED_BEFORE = re.compile(r"(?i:\b(?:further|extra|additional|another|by)\s(?:an?\s)?)\Z")
_CHANGED = re.compile(r"(?i:doubl|tripl|trebl|quadrupl|halv|fold)")
TOGETHER = re.compile(
    r"(?i:\b(?:together|in total|altogether|in all|a total of|combined|making|adds? up to|sum of)"
    r"\b[^.;]{0,20}\Z)"
)
_DEFINITE = re.compile(rf"(?i:\b(?:{DEFINITE})\s(?:other\s)?)\Z")


def counted(matches: Matches, claim: Number) -> Derivation | None:
    """Return the list or the names that a definite count ("of the three") counts."""
    if not claim.bare or claim.unit or not 2 <= claim.value <= 20:
        return None
    count = int(claim.value)
    before = matches.statement[max(0, claim.start - 12) : claim.start]
    definite = _DEFINITE.search(before) is not None
    index = matches.index
    for here in matches.bearing:
        unit = index.units[here]
        text = index.texts[unit.source][unit.start : unit.end]
        named = claim.noun and sense(claim.noun) in {word.stem for word in unit.words} | set(
            unit.heading + unit.lead
        )
        if count in lists(text) and (definite or named or count == 2):
            return Derivation(f"{count} are listed", ((unit.source, unit.start, unit.end),))
    if count > 2:
        for here in matches.bearing[:BEARING]:
            rows = rows_of(index, here) if index.units[here].columns else []
            if len(rows) == count:
                unit = index.units[rows[0]]
                end = index.units[rows[-1]].end
                return Derivation(f"{count} rows", ((unit.source, unit.start, end),))
    return None


def supposed_case(matches: Matches, claim: Number, supposed: bool) -> Derivation | None:
    """Return the bound beside which a statement holds a case it supposes: 3 kg, up to 4 kg."""
    if claim.hedge == "near" or bounds(matches.statement, claim) or not supposed:
        return None
    for here in matches.near:
        known = matches.index.numbers[here]
        aged = claim.text.lower().endswith("year") and known.number.kind == "NUMBER"
        if known.number.soft or not (known.number.measure == claim.measure or aged):
            continue
        if claim.kind in {"NUMBER", "RATIO"} and not is_score(claim, known.number):
            continue
        text = matches.index.texts[known.source]
        if claim.kind not in {"DATE", "TIME"} and not (
            known.number.value
            and 1 / MAGNITUDE <= abs(claim.value / known.number.value) <= MAGNITUDE
        ):
            continue
        if bounds(text, known.number):
            left = text[max(0, known.number.start - 28) : known.number.start].split()
            how = f"a case: {claim.text} beside {' '.join(left[-1:])} {known.number.text}"
            return Derivation(how, (known.place,))
    return None


def wrong_difference(matches: Matches, claim: Number, here: int) -> Figure | None:
    """Return a number that is one of two the source gives, claimed as their difference."""
    after = matches.statement[claim.end : claim.end + 40]
    if not COMPARED.match(after) or claim.kind not in _ADDED:
        return None
    known = matches.index.numbers[here]
    text = matches.index.texts[known.source]
    if COMPARED.match(text[known.number.end : known.number.end + 40]) or _COMPARED_BEFORE.search(
        text[max(0, known.number.start - 16) : known.number.start]
    ):
        return None
    if derive(claim, operands_of(matches, claim), matches.cues) is not None:
        return None
    pair = pair_of(matches, claim.measure)
    if pair is None or here not in pair:
        return None
    one, other = (matches.index.numbers[at] for at in pair)
    gap = abs(one.number.value - other.number.value)
    if not gap or not claim.value:
        return None
    upper, lower = sorted((one.number, other.number), key=lambda n: -n.value)
    shown = f"{gap / claim.value * claim.raw:,.10g}"
    how = f"{upper.text} - {lower.text} is {shown}, not {claim.text}"
    return figure_of(
        claim, "miscalculated", how=how, places=(one.place, other.place), similarity=0.5
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
    if claim.kind in _ADDED and TOGETHER.search(before):
        own = [n for n in matches.read if n.end < claim.start and not n.soft]
        if len(own) == 2 and all(n.measure == claim.measure for n in own):
            total = own[0].value + own[1].value
            scaled = total / claim.value * claim.raw if claim.value else total
            how = f"{own[0].text} + {own[1].text} is {scaled:,.10g}, not {claim.text}"
            return figure_of(claim, "miscalculated", how=how, similarity=1.0)
    return None


def miscount(matches: Matches, claim: Number, operands: Sequence[Operand]) -> Figure | None:
    """Return a number that a sum at hand gives with a digit off."""
    found = by_and_to(matches.statement, claim, matches.read, operands)
    if found is None:
        return None
    return figure_of(claim, "miscalculated", how=found.how, places=found.places, similarity=0.5)

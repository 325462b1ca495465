"""Numbers that another took the place of: "8090 instead of 8080", "raised from £120 to £135"."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from groundrules.align.measures import Number, agree
from groundrules.align.places import FigureIndex
from groundrules.claims.english.fillers import OF_CHANGES, OF_PLACES
from groundrules.claims.english.stems import uninflected

__all__ = ["LOOKS_BACK", "replacement", "stems_told", "successor"]

#: How many characters may stand between the two numbers, and before a change from one to the other.
_GAP, _LEAD = 60, 80
_INSTEAD = re.compile(
    r"(?i:\b(?:instead of|rather than|in place of|(?:up|down) from)"
    r"|[(,]\s?(?:was|were|previously|formerly|before|earlier|until now))\s[^\w\s]?\Z"
)
_FROM = re.compile(r"(?i:\bfrom\s[^\w\s]?)\Z")
_TO = re.compile(r"(?i:\s(?:[a-z]++\s)?to\s[^\w\s]?)")
#: A change that has come about; what rises may rise every weekend.
_CHANGE = re.compile(
    r"(?i:\b(?:rose|risen|grew|grown|fell|fallen|sank|sunk|shrank|shrunk|cut|went|(?:climb|rais|increas|lower|reduc|dropp|declin|"
    r"chang|mov|extend|shorten|lengthen|adjust|lift)ed)\b)"
)
#: A change that is to come: the old number still holds.
_TO_COME = re.compile(
    r"(?i:\b(?:will|shall|would|may|might|could|should|if|propos\w*|plan\w*|intend\w*|expect\w*|"
    r"want\w*|ask\w*|suggest\w*|recommend\w*|next|soon|due|starting|effective|as of)\b)"
)
_IDLE = OF_PLACES | OF_CHANGES
_WORD = re.compile(r"[^\W\d_]+")
#: What makes a statement speak of the time before a change, or of the change.
LOOKS_BACK = re.compile(
    r"(?i:\b(?:last|then|old|used to|until|till|ago|since|from|still|once|when|while|began|started|"
    r"was|were|had|been|than|instead|rather|change[sd]?|non)\b)"
)


def successor(index: FigureIndex, here: int) -> int | None:
    """Return the number of the same sentence that took the place of one, None where none did."""
    found = _changed(index, here)
    return found[0] if found else None


def replacement(index: FigureIndex, here: int, said: Set[str]) -> int | None:
    """Return the successor of a number that does not hold any more, whatever a statement tells.

    `said` are its stems: where the sentence tells of something more - of members, at weekends - the
    old number may hold of the rest; and so it does while a change is to come.
    """
    found = _changed(index, here)
    old = index.numbers[here]
    text, unit = index.texts[old.source], index.units[old.unit]
    if found is None or _TO_COME.search(text, unit.start, unit.end):
        return None
    new, told, verb = found
    told = max(told, text.rfind(";", unit.start, old.number.start) + 1)
    end = text.find(";", max(old.number.end, index.numbers[new].number.end), unit.end)
    figures = [index.numbers[at].number for at in index.inside.get(old.unit, ())]
    passed = [*(range(one.start, one.end) for one in figures), verb]
    return new if stems_told(text, told, unit.end if end < 0 else end, passed) <= said else None


def _changed(index: FigureIndex, here: int) -> tuple[int, int, range] | None:
    """Return the successor of a number, where it is told what changed, and the verb of change."""
    old = index.numbers[here]
    text, unit, number = index.texts[old.source], index.units[old.unit], old.number
    begin = max(unit.start, number.start - _LEAD)
    lead = text[begin : number.start]
    instead, start = _INSTEAD.search(lead), _FROM.search(lead)
    change = _CHANGE.search(lead, 0, start.start()) if start else None
    if not instead and not change:
        return None
    rivals = [
        at
        for at in index.inside.get(old.unit, ())
        if index.numbers[at].number.measure == number.measure
        and not index.numbers[at].number.soft
        and not agree(number, index.numbers[at].number)
    ]
    if instead:
        before = [at for at in rivals if 0 <= number.start - index.numbers[at].number.end <= _GAP]
        new = max(before, key=lambda at: index.numbers[at].number.end, default=None)
        return None if new is None else (new, unit.start, range(0))
    new = next((at for at in rivals if _follows(text, number, index.numbers[at].number)), None)
    if new is None or start is None or change is None:
        return None
    verb = range(begin + change.start(), begin + change.end())
    # who changed it tells nothing of what it is
    active = stems_told(text, verb.stop, begin + start.start())
    return new, verb.stop if active else unit.start, verb


def _follows(text: str, number: Number, other: Number) -> bool:
    """Return whether "to" stands between two numbers, with what is counted at most."""
    return _TO.fullmatch(text[number.end : max(number.end, other.start)]) is not None


def stems_told(text: str, start: int, end: int, passed: Sequence[range] = ()) -> set[str]:
    """Return the stems of what a range tells, but for places that are passed."""
    return {
        uninflected(word[0].casefold())
        for word in _WORD.finditer(text, start, end)
        if word[0].casefold() not in _IDLE and not any(word.start() in one for one in passed)
    }

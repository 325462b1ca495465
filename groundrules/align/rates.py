"""Two rates of one thing in one statement, for two periods, that do not fit each other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from groundrules.align.limits import RATE_ROUNDED
from groundrules.align.measures import Number, fits

#: How often a period comes in a year, at least and at most.
_YEARLY = {"day": (360, 366), "week": (52, 52.2), "month": (12, 12), "quarter": (4, 4)}
_YEARLY |= {"year": (1, 1)}
_ADVERBS = {"daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter"}
_ADVERBS |= {"annually": "year", "annual": "year", "yearly": "year"}
_AFTER = re.compile(
    rf"(?i)\s?(?:/\s?|(?:a|an|per|each|every)\s)(?P<noun>{'|'.join(_YEARLY)})\b"
    rf"|\s(?P<adverb>{'|'.join(_ADVERBS)})\b"
)
_BEFORE = re.compile(rf"(?i)\b(?P<adverb>{'|'.join(_ADVERBS)})\s(?:\w+\s){{1,4}}$")
#: What may stand between two ways to say one rate.
_RESTATED = re.compile(
    r"(?i)[\s,;:(–—-]*(?:(?:and\s)?(?:that\sis|that's|which\sis|i\.\s?e\.|or|equals|equal\sto"
    r"|equivalent\sto|making|amounting\sto|totall?ing|in\stotal|for\sa\stotal\sof)[\s,]*)?\Z"
)


def misfits(statement: str, read: Sequence[Number]) -> Iterator[tuple[Number, str, str]]:
    """Yield each rate that does not follow from the one before it, what does, and how."""
    for one, other in itertools.pairwise(n for n in read if not n.soft):
        if one.measure != other.measure or one.kind not in {"MONEY", "QUANTITY", "NUMBER"}:
            continue
        first, end = _period(statement, one)
        second, _ = _period(statement, other)
        if (
            first is None
            or second in (None, first)
            or not _RESTATED.match(statement[end : other.start])
        ):
            continue
        (low, high), (least, most) = _YEARLY[first], _YEARLY[second or first]
        smallest, largest = one.low * low / most, one.high * high / least
        if smallest * (1 - RATE_ROUNDED) <= other.value <= largest * (1 + RATE_ROUNDED) or fits(
            other, smallest
        ):
            continue
        prefix = re.match(r"\D*", other.text)
        rather = f"{prefix[0] if prefix else ''}{one.value * low / least:,.10g}"
        yield other, rather, f"{one.text} a {first} is {rather} a {second}, not {other.text}"


def _period(statement: str, number: Number) -> tuple[str | None, int]:
    """Return the period that a number is for, None if none is named, and where that ends."""
    if after := _AFTER.match(statement, number.end):
        word = (after["noun"] or _ADVERBS[after["adverb"].lower()]).lower()
        return word, after.end()
    before = _BEFORE.search(statement[: number.start])
    return (_ADVERBS[before["adverb"].lower()] if before else None), number.end

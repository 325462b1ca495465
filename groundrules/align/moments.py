"""Times told from the day of writing: "last year" of a statement, "this year" of its passage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from groundrules.align.wordalign import Text
from groundrules.claims.english import WEEKDAYS
from groundrules.claims.english.signals import PERIODS_OF_TIME

#: Of a day of the week "this" and "next" can be the same.
_DAYS = WEEKDAYS | {"weekend"}
_STEPS = {"last": -1, "this": 0, "next": 1}
_WORDS = {"yesterday": ("day", -1), "today": ("day", 0), "tomorrow": ("day", 1)}
_WORDS |= {"tonight": ("night", 0)}
_BEYOND = {"before": -1, "after": 1}


class Moment(NamedTuple):
    """A time by its distance from the day of writing.

    `unit` and `steps` are what is counted and how far, `words` the tokens that say so, the last of
    which stands for it; `link` is the preposition before it, or `'s` behind it.
    """

    unit: str
    steps: int
    words: tuple[int, ...]
    link: str


def moments(text: Text) -> Iterator[Moment]:
    """Yield the times of a text that are told from the day of writing, in order.

    "The last year" is a period and no such time.
    """
    doc = text.doc
    for token in doc:
        i, low = token.i, token.lower_
        before = doc[i - 1].lower_ if i else ""
        if low in _WORDS:
            unit, steps = _WORDS[low]
            first = i
            if before in _BEYOND and i > 1 and doc[i - 2].lower_ == "day":
                steps += _BEYOND[before]
                first = i - 3 if i > 2 and doc[i - 3].lower_ == "the" else i - 2
        elif before in _STEPS and low in PERIODS_OF_TIME | _DAYS:
            unit, steps, first = low, _STEPS[before], i - 1
            if low in _DAYS and not steps:
                continue
        else:
            continue
        ahead = doc[first - 1] if first else None
        if ahead is not None and ahead.tag_ in {"DT", "PRP$", "POS", "CD"}:
            continue
        link = ahead.lower_ if ahead is not None and ahead.pos_ == "ADP" else ""
        if i + 1 < len(doc) and doc[i + 1].tag_ == "POS":
            link += "'s"
        yield Moment(unit, steps, tuple(range(first, i + 1)), link)

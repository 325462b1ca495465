"""What a claim says of the time of a statement, as bounds on where that begins and ends.

Allen's relations between the time claimed and that stated, as English says them: each is a box, the
days on which the statement may begin and those on which it may end. A statement is known to a
precision; what it may be is a box too. A claim follows if all that the statement may be lies in its
box, and is excluded if nothing of it does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal as OneOf

from groundrules.kb.sources.source import Statement, Value

#: First and last day of what a claim is about, as in `source.Value`.
Days = tuple[float, float]

_EVER: Days = (-math.inf, math.inf)
#: Days of a year, on average.
_YEAR = 365.2425

Relation = OneOf[
    "holding", "throughout", "beginning", "ending", "before", "after", "by", "spanning", "within",
    "lasting", "choosing",
]  # fmt: skip
#: How the time of a statement relates to what a claim says of it; "point": it is only known to
#: hold at another point in time.
Bearing = OneOf["in", "out", "open", "point", "unstated"]


@dataclass(frozen=True, slots=True)
class Timing:
    """When something is said to be so: a relation to the days it names.

    `first` are the days named, `last` those on which a period, or what began on one of them, may
    end; of "lasting" `first` is how long it was, at least and at most, in days.
    """

    relation: Relation
    first: Days
    last: Days = _EVER


@dataclass(frozen=True, slots=True)
class Box:
    """The days on which a statement begins, those on which it ends, and how many it lasts."""

    start: Days = _EVER
    end: Days = _EVER
    length: Days = (0, math.inf)


#: What a claim says of a state by the moment of it that is dated.
OF_MOMENTS: Mapping[str, Relation] = {
    "": "holding", "start": "beginning", "chosen": "choosing", "end": "ending"
}  # fmt: skip
#: What a relation asks of beginning and end. Where English leaves it open, as "within" does, the
#: second box is what the weaker reading asks: a claim is excluded only under that one.
RELATIONS: Mapping[Relation, Callable[[Timing], tuple[Box, ...]]] = {
    "holding": lambda t: (Box((-math.inf, t.first[1]), (t.first[0], math.inf)),),
    "throughout": lambda t: (Box((-math.inf, t.first[0]), (t.first[1], math.inf)),),
    "beginning": lambda t: (Box(t.first, t.last),),
    "ending": lambda t: (Box(end=t.first),),
    "before": lambda t: (Box((-math.inf, t.first[0] - 1)),),
    "after": lambda t: (Box(end=(t.first[1] + 1, math.inf)),),
    "by": lambda t: (
        Box((-math.inf, t.first[0]), (t.first[0], math.inf)),
        Box((-math.inf, t.first[1])),
    ),
    "spanning": lambda t: (Box(t.first, t.last),),
    "within": lambda t: (
        Box(t.first, t.last),
        Box((-math.inf, t.last[1]), (t.first[0], math.inf)),
    ),
    "lasting": lambda t: (Box(length=t.first),),
    # who is chosen takes office within a year, or has it already
    "choosing": lambda t: (
        Box(t.first),
        Box((-math.inf, t.first[1] + 366), (t.first[0], math.inf)),
    ),
}  # fmt: skip


def lasting(count: float, bound: str = "") -> Timing:
    """Return that something lasted so many years: neither half a year less nor one more.

    What is said to be more, less or about that is so; what nearly was falls short by no more than
    a tenth, or a year.
    """
    least, most = {
        "above": (count, math.inf),
        "at_least": (count, math.inf),
        "below": (0.0, count),
        "at_most": (0.0, count),
        "nearly": (min(count - 1, 0.9 * count), count),
        "about": (0.9 * count - 0.5, 1.1 * count + 1),
    }.get(bound, (count - 0.5, count + 1))
    return Timing("lasting", (max(least, 0.0) * _YEAR, most * _YEAR - 1))


def follows(claimed: Box, known: Box) -> bool:
    """Return whether all that a statement may be lies in a box."""
    fitted = _fitted(known)
    return fitted is not None and (
        _in(fitted.start, claimed.start)
        and _in(fitted.end, claimed.end)
        and _in(_length(fitted), claimed.length)
    )


def excluded(claimed: Box, known: Box) -> bool:
    """Return whether nothing that a statement may be lies in a box."""
    shared = _fitted(Box(_both(known.start, claimed.start), _both(known.end, claimed.end)))
    if shared is None:
        return True
    least, most = _length(shared)
    return most < claimed.length[0] or least > claimed.length[1]


def _fitted(box: Box) -> Box | None:
    """Return a box without the days that leave no end for a beginning, None if no day is left."""
    start = (box.start[0], min(box.start[1], box.end[1]))
    end = (max(box.end[0], box.start[0]), box.end[1])
    return Box(start, end) if start[0] <= start[1] and end[0] <= end[1] else None


def _length(box: Box) -> Days:
    return max(box.end[0] - box.start[1], 0), box.end[1] - box.start[0]


def _in(one: Days, other: Days) -> bool:
    return other[0] <= one[0] and one[1] <= other[1]


def _both(one: Days, other: Days) -> Days:
    return max(one[0], other[0]), min(one[1], other[1])


def bearing(statement: Statement, timing: Timing | None, now: float = math.inf) -> Bearing:
    """Say how the time of a statement relates to what a claim says of it.

    "in", the claim follows; "out", it is excluded; "open", neither; "unstated", one of them has no
    date. `now` is the day of today: a statement of the best rank that states no end is taken to
    hold then, and to exclude an end only where it is preferred, or states that it has none.
    """
    if timing is None:
        return "unstated"
    if statement.start is None and statement.end is None:
        return "unstated" if statement.point is None else _at_point(_days(statement.point), timing)
    boxes = RELATIONS[timing.relation](timing)
    if follows(boxes[0], _stated(statement, now, lasting=statement.best)):
        return "in"
    sure = statement.rank == "preferred" or (
        statement.end is not None and statement.end.kind == "novalue"
    )
    return "out" if excluded(boxes[-1], _stated(statement, now, lasting=sure)) else "open"


def barring(statement: Statement, timing: Timing | None, now: float = math.inf) -> Bearing:
    """Say whether a statement holds when something else is said to, where one alone can.

    "in", it surely holds on all the days of which a claim needs one, or on one of those of which
    it needs all; "out", it holds on none that the claim is about; "open", neither.
    """
    if timing is None:
        return "unstated"
    if statement.start is None and statement.end is None:
        return bearing(statement, timing, now)
    first, last = timing.first, timing.last
    whole: dict[Relation, Timing] = {
        "holding": Timing("throughout", first),
        "beginning": Timing("throughout", first),
        "ending": Timing("throughout", first),
        "throughout": Timing("holding", first),
        "spanning": Timing("holding", (first[1], last[0])),
        "within": Timing("throughout", (first[0], last[1])),
    }
    asked = whole.get(timing.relation)
    if asked is None:
        return "open"
    if asked.first[0] <= asked.first[1] and bearing(statement, asked, now) == "in":
        return "in"
    span = (first[0], last[1] if timing.relation in ("spanning", "within") else first[1])
    return "out" if bearing(statement, Timing("holding", span), now) == "out" else "open"


def period(statement: Statement) -> str:
    """Return the words for the time of a statement, empty where it states none."""
    if statement.point is not None and statement.start is None and statement.end is None:
        return f"at {statement.point.node}"
    start = statement.start and statement.start.low is not None and statement.start.node
    end = statement.end and statement.end.low is not None and statement.end.node
    return " ".join(f"{word} {day}" for word, day in (("from", start), ("to", end)) if day)


def _at_point(point: Days, timing: Timing) -> Bearing:
    """Relate what is known of one point in time, and no further."""
    if timing.relation not in ("holding", "beginning", "choosing", "ending", "within"):
        return "point"
    days = (timing.first[0], timing.last[1] if timing.relation == "within" else timing.first[1])
    if _in(point, days):
        return "in"
    return "point" if _both(point, days)[0] > _both(point, days)[1] else "open"


def _stated(statement: Statement, now: float, *, lasting: bool) -> Box:
    """Return what the time of a statement may be; `lasting`, one without an end holds now."""
    start = _days(statement.start) if statement.start else _EVER
    if statement.end is None or statement.end.kind == "novalue":
        if not lasting or now < start[0]:
            return Box(start, _EVER)
        return Box((start[0], min(start[1], now)), (now, math.inf))
    return Box(start, (-math.inf, now) if statement.end.low is None else _days(statement.end))


def _days(value: Value) -> Days:
    if value.low is None or value.high is None:
        return _EVER
    return value.low, value.high

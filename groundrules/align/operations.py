"""Whether what a statement says comes out of figures that a model has copied from a source.

The model says which figures, and by which operation; they are read and reckoned here.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from groundrules import calendar
from groundrules.align.comparatives import WAYS
from groundrules.align.measures import Number, fits
from groundrules.align.parses import parse
from groundrules.align.sizes import (
    DAY,
    POINTS,
    YEARLY,
    Size,
    common_measure,
    covers,
    currency_of,
    is_bound,
    readings_of,
    rounded,
    share_measure,
    sizes_of,
    stem_of,
)
from groundrules.align.snippets import Figure, Texts, denials, figures, words_of
from groundrules.claims.english import PRONOUNS
from groundrules.claims.english.logic import EARLY, LATE
from groundrules.claims.english.slot_words import (
    AHEAD,
    ENDING,
    FOR_EACH,
    FROM,
    UP_TO,
)
from groundrules.claims.llm_propositions import Piece, Reckoned

#: Words before or behind a time or a length of time, and on which side of it they leave room.
_UP_TO = re.compile(rf"\b(?:{'|'.join(UP_TO)})\s(?:the\s)?\Z")
_FROM = re.compile(rf"\b(?:{'|'.join(FROM)})\s(?:the\s)?\Z")
_AT_LATEST = re.compile(r"\A\s?(?:at the latest|or (?:less|earlier|before))\b")
#: Between the two ends of a range.
_TO = re.compile(rf"\s?(?:(?:{'|'.join(ENDING)})\s(?:the\s)?|[-–—]\s?)")
_ONWARDS = re.compile(r"\A\s?(?:onwards?|at the earliest|or (?:more|later))\b")
#: What makes of a length of time one that lies before something.
_AHEAD = re.compile(rf"\A\s?(?:\w+\s)?(?:{'|'.join(AHEAD)})\b")
#: Words before what is listed in part only.
_NOT_ALL = re.compile(r"\b(?:includ\w+|such as|among \w+|for example|e\.g\.)[\s,:]*\Z")


#: Operations that come to one amount, so that another is wrong.
_REFUTING = frozenset({"sum", "difference", "product"})


def comes_out(one: Reckoned, texts: Texts) -> Literal["yes", "no", ""]:
    """Return whether what is said comes out of the figures, empty where it cannot be reckoned."""
    words = _said(one, texts)
    if one.by in {"more", "less", "equal"}:
        return _compared(one, words, texts)
    if one.by in {"within", "outside"}:
        return _placed(one, words, texts)
    said, results = _of_one_line([sizes_of(words, alone=False), _results(one, texts)])
    if one.by == "share":
        said = [rounded(size, words) for size in said]
    pairs = [(mine, theirs) for mine in said for theirs in results if share_measure(mine, theirs)]
    if not pairs:
        return ""
    return "yes" if any(covers(mine, theirs) for mine, theirs in pairs) else "no"


def excludes(one: Reckoned, texts: Texts) -> bool:
    """Return whether what is said cannot be so, as the figures come to another amount.

    Only of plain amounts of one unit: money of one currency, or numbers of one thing. A point of
    time, a length or a share may be reckoned in more ways than one.
    """
    words = [_said(one, texts), *(_words(piece, texts) for piece in one.of)]
    found = [figures(part) for part in words]
    if one.by not in _REFUTING or any(len(row) != 1 or not _is_plain(row[0]) for row in found):
        return False
    if any(_NOT_ALL.search(_around(piece, texts)[0]) for piece in one.of):
        return False
    numbers = [row[0].number for row in found]
    kinds = {number.kind for number in numbers}
    if len(kinds) != 1:
        return False
    of_money = kinds == {"MONEY"}
    units = [
        currency_of(number) if of_money else _noun(number, part)
        for number, part in zip(numbers, words, strict=True)
    ]
    if len({*units} - {""}) != 1 or (of_money and (one.by == "product" or "" in units)):
        return False
    if one.by == "product" and len([unit for unit in units[1:] if unit]) != 1:
        return False
    amounts = [size for size in _results(one, texts) if size.measure not in POINTS]
    near = any(fits(numbers[0], size.low) for size in amounts)
    return comes_out(one, texts) == "no" and not near


def _said(one: Reckoned, texts: Texts) -> str:
    return " ".join(texts.statement[start:end] for start, end in one.said)


def _is_plain(figure: Figure) -> bool:
    """Return whether a figure is an amount of money or a count, with no room in it."""
    number = figure.number
    exact = figure.low == figure.high == number.value and not figure.ranged
    return exact and not number.hedge and (number.kind == "MONEY" or _counts(number))


def _counts(number: Number) -> bool:
    return number.kind == "NUMBER" and not number.unit and not number.text.endswith("years")


def _results(one: Reckoned, texts: Texts) -> list[Size]:
    """Return what the figures may come to, nothing where they do not go together."""
    if not _are_apart(one) or not _nouns_meet(one, texts):
        return []
    if one.by == "count":
        total = _counted(one.of, texts)
        return [] if total is None else [Size("", total, total)]
    rows = [sizes_of(_words(piece, texts), alone=True) for piece in one.of]
    if one.by == "product":
        rows = [
            _times(piece, one.of, texts) or row for piece, row in zip(one.of, rows, strict=True)
        ]
    rows = _of_one_line(rows)
    if any(size.measure in POINTS for size in rows[0]):
        rows[1:] = [[s for s in row if s.measure == "months"] or row for row in rows[1:]]
    if one.by == "difference" and len(rows) == 2:
        between = _between(one, rows, texts)
        if between:
            return between
    return [
        result
        for row in itertools.islice(itertools.product(*rows), 64)
        if (result := _result(one.by, row)) is not None
    ]


def _are_apart(one: Reckoned) -> bool:
    """Return whether each figure has a place of its own, and none lies in what is to come out."""
    places = [(piece.in_source, *piece.place) for piece in one.of]
    places += [(False, start, end) for start, end in one.said]
    return all(
        a[0] != b[0] or a[2] <= b[1] or b[2] <= a[1] for a, b in itertools.combinations(places, 2)
    )


def _nouns_meet(one: Reckoned, texts: Texts) -> bool:
    """Return whether figures count one thing, as far as they say what they count.

    What is taken away may be of a kind of what it is taken from, and one that is taken so many
    times need not be what is counted: then what is counted is what the statement has.
    """
    nouns = []
    for words in (_said(one, texts), *(_words(piece, texts) for piece in one.of)):
        counts = [_noun(f.number, words) for f in figures(words) if _counts(f.number)]
        noun = counts[0] if len(counts) == 1 else ""
        nouns.append((noun, {stem_of(word) for word in words_of(words)}))
    said, of = nouns[0], [row for row in nouns[1:] if row[0]]
    if all(_is_same(a, b) for a, b in itertools.combinations(of, 2)):
        return True
    if one.by == "difference":
        return _is_same(said, nouns[1])
    return one.by == "count" or (one.by != "sum" and any(_is_same(said, row) for row in of))


def _is_same(one: tuple[str, set[str]], other: tuple[str, set[str]]) -> bool:
    """Return whether of two nouns one stands in the words that the other has."""
    return bool(one[0] and other[0]) and (one[0] in other[1] or other[0] in one[1])


def _noun(number: Number, words: str) -> str:
    """Return of what a number among some words counts so many, empty where it does not say."""
    if not number.noun or number.kind != "NUMBER":
        return ""
    counted = [t.head.lower_ for t in parse(words) if t.idx == number.start and t.dep_ == "nummod"]
    noun = (counted or [number.noun.casefold()])[0]
    return "" if noun in PRONOUNS else stem_of(noun)


def _of_one_line(rows: Sequence[Sequence[Size]]) -> list[list[Size]]:
    """Return rows of sizes without the days of any year where all have a year."""
    dated = all(any(size.measure == "date" for size in row) for row in rows)
    return [[s for s in row if not dated or s.measure not in YEARLY] for row in rows]


# --- pieces -----------------------------------------------------------------------------------


def _words(piece: Piece, texts: Texts) -> str:
    text = texts.source if piece.in_source else texts.statement
    return text[piece.place[0] : piece.place[1]]


def _around(piece: Piece, texts: Texts) -> tuple[str, str]:
    text = texts.source if piece.in_source else texts.statement
    start, end = piece.place
    return text[max(0, start - 24) : start].casefold(), text[end : end + 24].casefold()


def _times(piece: Piece, pieces: Sequence[Piece], texts: Texts) -> list[Size]:
    """Return how many times another piece is to be taken that is told for each of its unit."""
    found = [f.number for f in figures(_words(piece, texts))]
    if len(found) != 1 or found[0].kind not in {"DURATION", "QUANTITY", "NUMBER"}:
        return []
    unit = words_of(found[0].noun or found[0].text)[-1].removesuffix("s")
    rates = (_words(p, texts) + _around(p, texts)[1] for p in pieces if p != piece)
    told = any(
        first in FOR_EACH and second.removesuffix("s") == unit
        for words in rates
        for first, second in itertools.pairwise(words_of(words))
    )
    return [Size("", found[0].raw, found[0].raw)] if told else []


def _counted(pieces: Sequence[Piece], texts: Texts) -> float | None:
    """Return how many are listed: of each piece its own number, or one."""
    total = 0.0
    for piece in pieces:
        words = _words(piece, texts)
        counts = [f for f in figures(words) if f.number.kind == "NUMBER"]
        if len(counts) > 1 or any(one.low != one.high for one in counts):
            return None
        total += counts[0].number.value if counts and counts[0].counts else 1.0
    if any(_NOT_ALL.search(_around(piece, texts)[0]) for piece in pieces):
        return None
    places = [piece.place for piece in pieces]
    apart = all(a[1] <= b[0] for a, b in itertools.pairwise(sorted(places)))
    return total if apart and len(pieces) > 1 else None


# --- operations -------------------------------------------------------------------------------


def _result(by: str, sizes: Sequence[Size]) -> Size | None:
    """Return what an operation makes of sizes, None where it is of other measures."""
    measures = [one.measure for one in sizes]
    first, rest = sizes[0], sizes[1:]
    if not rest:
        return None
    if by == "product":
        named = [one for one in measures if one]
        noun = next((one.noun for one in sizes if one.noun), "")
        value = math.prod(one.low for one in sizes)
        plain = all(one.exact for one in sizes) and set(named).isdisjoint(POINTS)
        one = Size(named[0] if named else "", value, value, noun)
        return one if plain and len(named) < 2 else None
    if by == "share":
        bare = {*measures} == {""} or "" not in measures
        same = len(sizes) == 2 and bare and common_measure(measures) is not None
        same = same and measures[0] not in POINTS
        if not same or not all(one.exact for one in sizes) or not rest[0].low:
            return None
        return Size("", first.low / rest[0].low, first.low / rest[0].low)
    sign = 1 if by == "sum" else -1
    if first.measure in POINTS:
        return _moved(first, rest, sign)
    measure = common_measure(measures)
    if measure is None or not all(one.exact for one in sizes):
        return None
    if measure and any(one.noun for one in sizes):
        return None  # guests and kilograms
    value = first.low + sign * sum(one.low for one in rest)
    value = abs(value) if sign < 0 and len(rest) == 1 else value
    return Size(measure, value, value, next((one.noun for one in sizes if one.noun), ""))


def _between(one: Reckoned, rows: Sequence[Sequence[Size]], texts: Texts) -> list[Size]:
    """Return the lengths of time that may lie between two points.

    Of a range the second ends it, be it on the next day or in the next year; elsewhere we do not
    know which is first. Of hours that leave open their half of the day the nearest are meant.
    """
    order = _in_order(one.of, texts)
    ranged = order is not None
    if order is not None and order[0] is not one.of[0]:
        rows = rows[::-1]
    pairs = [
        (a, b)
        for a, b in itertools.product(*rows)
        if a.measure == b.measure and a.measure in POINTS
        and (a.measure == "year" or (a.exact and b.exact))
    ]  # fmt: skip
    hours = [
        (b.low - a.low) % DAY if ranged else abs(b.low - a.low)
        for a, b in pairs
        if a.measure == "clock"
    ]
    hours = [one for one in hours if one]
    out = [Size("days", min(hours) / DAY, min(hours) / DAY)] if hours else []
    for a, b in pairs:
        if a.measure == "year":
            months = 12 * abs(b.low - a.low)
            out.append(Size("months", months, months))
        elif a.measure != "clock":
            out += _days_between(a, b, ranged=ranged)
    return out


def _days_between(first: Size, last: Size, *, ranged: bool) -> Iterator[Size]:
    """Yield how many days and months lie between two days, without the last and with it."""
    start, end = int(first.low), int(last.low)
    if first.measure in YEARLY:
        base = calendar.day_number(YEARLY[first.measure], 1, 1)
        start, end = base + start, base + end
    turns = ranged and end < start and first.measure in YEARLY
    start, end = (start, end) if turns else sorted((start, end))
    days = end - start + (int(first.measure[-3:]) if turns else 0)
    for number in (days, days + 1):
        yield Size("days", number, number)
    from_, to = calendar.numbered(start), calendar.numbered(end)
    to = (to[0] + turns, *to[1:])
    months = 12 * (to[0] - from_[0]) + to[1] - from_[1]
    last_days = {calendar.day_number(*to), calendar.day_number(*to) + 1}
    for number in (months, months + 1):
        if number and calendar.day_number(*calendar.add(from_, number)) in last_days:
            yield Size("months", number, number)


def _in_order(pieces: Sequence[Piece], texts: Texts) -> tuple[Piece, Piece] | None:
    """Return the two ends of a range in the order of their places, None where they are of none."""
    first, last = sorted(pieces, key=lambda piece: piece.place)
    if first.in_source != last.in_source:
        return None
    text = texts.source if first.in_source else texts.statement
    between = text[first.place[1] : last.place[0]].casefold()
    before = f"{_around(first, texts)[0]} "
    opened = re.search(r"\bbetween\s(?:the\s)?\s?\Z", before) or "between" in _words(first, texts)
    joined = _TO.fullmatch(between) or (opened and re.fullmatch(r"\s?and\s(?:the\s)?", between))
    return (first, last) if joined else None


def _moved(first: Size, rest: Sequence[Size], sign: int) -> Size | None:
    """Return a time that lies so long after or before another."""
    if any(other.measure not in {"days", "months"} or not other.exact for other in rest):
        return None
    days = sign * sum(other.low for other in rest if other.measure == "days")
    months = sign * sum(other.low for other in rest if other.measure == "months")
    if first.measure == "clock":
        at = (first.low + days * DAY) % DAY
        return Size("clock", at, at) if first.exact and not months else None
    if first.measure == "year":
        year = first.low + months / 12
        return Size("year", year, year) if not days and not months % 12 else None
    if days % 1 or months % 1:
        return None
    base = YEARLY.get(first.measure)
    start = calendar.day_number(base, 1, 1) if base else 0
    ends = []
    for end in (first.low, first.high):
        moved = calendar.add(calendar.numbered(start + int(end)), int(months))
        number = calendar.day_number(*moved) + int(days)
        if base:  # a day of the same year, after whose last its first comes again
            past = base - moved[0]
            in_year = (base, moved[1], min(moved[2], calendar.month_length(base, moved[1])))
            number = calendar.day_number(*in_year) + int(days) if past else number
            number = (number - start) % int(first.measure[-3:])
        ends.append(number)
    return Size(first.measure, ends[0], ends[1])


# --- what lies in a range ---------------------------------------------------------------------


def _placed(one: Reckoned, words: str, texts: Texts) -> Literal["yes", "no", ""]:
    """Return whether a figure lies within what the source has, or outside of it."""
    said, ranges = _of_one_line([sizes_of(words, alone=False), list(_ranges(one.of, texts))])
    ranges = _nearest(ranges)
    pairs = [(mine, r) for mine in said for r in ranges if mine.measure == r.measure]
    if not pairs:
        return ""
    inside = any(_lies_in(*pair) for pair in pairs)
    beyond = all(_lies_beyond(*pair) for pair in pairs)
    if one.by == "within":
        return "yes" if inside else "no"
    return "yes" if beyond else "no"


def _ranges(pieces: Sequence[Piece], texts: Texts) -> Iterator[Size]:
    """Yield the ranges that two ends have between them, or one has by the words that bound it."""
    if len(pieces) == 2:
        ends = [sizes_of(_words(piece, texts), alone=False) for piece in _in_place(pieces, texts)]
        yield from _spans(*_of_one_line(ends))
        return
    if len(pieces) != 1:
        return
    before, after = _around(pieces[0], texts)
    own = _words(pieces[0], texts)
    found = figures(own)
    if len(found) == 2:
        yield from _spans(*_of_one_line([list(readings_of(f)) for f in found]))
        return
    for size in sizes_of(own, alone=False):
        if is_bound(size) or (not size.exact and size.measure not in POINTS):
            yield size
            continue
        place = found[0].number.start if found else 0
        ahead = f"{before}{own[:place].casefold()}"
        behind = f"{own[found[0].number.end :].casefold()}{after}" if found else after
        if _UP_TO.search(ahead) or _AT_LATEST.match(behind):
            yield Size(size.measure, -math.inf, size.high)
        elif _FROM.search(ahead) or _ONWARDS.match(behind):
            yield Size(size.measure, size.low, math.inf)
        elif size.measure in POINTS - {"clock"}:
            yield size


def _in_place(pieces: Sequence[Piece], texts: Texts) -> Sequence[Piece]:
    """Return the ends of a range in the order of their places, or of the words before them."""
    if len({piece.in_source for piece in pieces}) > 1:
        return pieces
    first, last = sorted(pieces, key=lambda piece: piece.place)
    before = [_around(piece, texts)[0] for piece in (first, last)]
    turned = _UP_TO.search(before[0]) and _FROM.search(before[1])
    return (last, first) if turned else (first, last)


def _spans(starts: Sequence[Size], ends: Sequence[Size]) -> Iterator[Size]:
    """Yield the ranges between two ends; only hours and days of a year come round again."""
    for start, end in itertools.product(starts, ends):
        if start.measure != end.measure:
            continue
        turns = start.measure == "clock" or start.measure in YEARLY
        low, high = (start, end) if turns or start.low <= end.low else (end, start)
        yield Size(start.measure, low.low, high.high)


def _nearest(ranges: Sequence[Size]) -> list[Size]:
    """Return ranges, of those of hours the shortest: from 10 to 2 are four hours."""
    hours = [(one.high - one.low) % DAY for one in ranges if _is_of_hours(one)]
    least = min((one for one in hours if one), default=0.0)
    return [o for o in ranges if not _is_of_hours(o) or (o.high - o.low) % DAY == least]


def _is_of_hours(one: Size) -> bool:
    return one.measure == "clock" and not is_bound(one)


def _lies_in(mine: Size, room: Size) -> bool:
    if room.low <= room.high:
        return room.low <= mine.low and mine.high <= room.high
    return mine.low >= room.low or mine.high <= room.high  # over midnight, or the turn of the year


def _lies_beyond(mine: Size, room: Size) -> bool:
    if room.low <= room.high:
        return mine.high < room.low or mine.low > room.high
    return room.high < mine.low and mine.high < room.low


# --- comparisons ------------------------------------------------------------------------------


def _compared(one: Reckoned, words: str, texts: Texts) -> Literal["yes", "no", ""]:
    """Return whether of two figures the first is more, or less, as the statement has it."""
    if len(one.of) != 2 or denials(words):
        return ""
    low = words_of(words)
    ways = {WAYS[word][0] for word in low if word in WAYS}
    timed = not (EARLY | LATE).isdisjoint(low)  # six days before is earlier than two
    ways |= {-1 for word in low if word in EARLY} | {1 for word in low if word in LATE}
    wanted = {"more": 1, "less": -1, "equal": 0}[one.by]
    if len(ways) > 1 or (ways - {wanted} and not timed):
        return ""
    wanted = ways.pop() if ways else wanted
    sides = []
    for piece in one.of:
        _, after = _around(piece, texts)
        own = _words(piece, texts)
        ahead = bool(_AHEAD.match(after)) or bool(re.search(r"\bbefore", own))
        sizes = sizes_of(own, alone=False)
        sides.append([_ahead(size) if ahead and size.measure == "days" else size for size in sizes])
    results = [
        1 if mine.low > theirs.high else -1 if mine.high < theirs.low else
        0 if mine == theirs else None
        for mine, theirs in itertools.product(*sides) if mine.measure == theirs.measure
    ]  # fmt: skip
    if not results or None in results:
        return ""
    return "yes" if wanted in results else "no"


def _ahead(one: Size) -> Size:
    return Size(one.measure, -one.high, -one.low)

"""Numbers as a text words them.

`read_numbers` adds to `groundrules.claims.values.value_reader` what only words say: fractions,
multiples, clock times in words, decades, rounding, the unit that a range or a bracket says once.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from groundrules.calendar import day_number, read_date
from groundrules.claims.english import (
    ARTICLES,
    MONTH_NAMES,
    NTH,
    ORDINALS,
    SMALL,
    TENS,
    WORDS,
)
from groundrules.claims.english.alternations import HALVED
from groundrules.claims.english.fillers import NO_COUNTED_NOUNS
from groundrules.claims.english.signals import HEDGES
from groundrules.claims.values.equivalence import interval
from groundrules.claims.values.measures import HEDGED, PERIODS, Number
from groundrules.claims.values.value_reader import KINDS, Value, figures_in, find_values, spelled
from groundrules.terms import GR

_UNITS = list(SMALL)[1:13]
_PARTS = {word: number for word, number in ORDINALS.items() if number > 2} | {
    "half": 2, "halve": 2, "quarter": 4, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
_MULTIPLES: dict[str, float] = WORDS["multiples"]
_COUNT = rf"(?:{'|'.join(sorted(_UNITS, key=len, reverse=True))}|[0-9]{{1,3}})"
_SMALL = rf"(?:{_COUNT}|{'|'.join([*list(SMALL)[13:], *TENS])}|a\shundred|a\sthousand)"
_OFTEN: dict[str, str] = WORDS["often"]

_AND_A_PART = re.compile(
    rf"(?ai:\b(?P<count>an?|{_COUNT})(?P<unit>\s(?:hours?|days?|weeks?|months?|years?|penny|pence"
    r"|pounds?|miles?|metres?|kilometres?|times))?\s(?:and|-and-)\s?an?\s(?P<part>half|quarter)\b)"
)
_RESPELLED = re.compile(
    r"(?ai:\b(?P<points>(?:half\sa|(?:a\s)?quarter\sof\sa)?\s?percentage\spoints?)\b"
    r"|\b(?P<fortnight>(?:an?\s|one\s)?fortnight)\b"
    r"|\b(?P<cent>half\sa\sper\s?cent)\b"
    rf"|\b(?P<share>(?:an?\s)?(?:{'|'.join(_PARTS)})\s(?:of\s)?an?\s)"
    r"(?P<of>(?:kilo|milli|centi)?(?:metres?|grams?|grammes?|litres?|meters?|liters?)|kilos?|pound|foot|yard"
    r"|inch|mile|tonne|ton|acre|hectare|pint|gallon)\b)"
)
_AFTER_PART = (
    rf"(?:{HALVED}|more|less|fewer|and|or|is|was|were|are|had|have|has|in|to|from|by|on|at|for"
    r"|with|than|a|an|when|before|after|if|(?:bigg|larg|small|high|low|long|short|fast|slow|cheap|great|wid"
    r"|heavi|light|old|young|tall|deep)er|would|will|did|do|could|may|went|came)\b"
)
_EXTRA = re.compile(
    rf"(?:\b(?P<month>{'|'.join(month for month in MONTH_NAMES if month not in {'March', 'May'})}"
    r"|(?:(?<=\sto\s)|(?<=\sin\s)|(?<=\sfrom\s)|(?<=until\s)|(?<=since\s)|(?<=\sby\s)|(?<=mid-)|(?<=and\s)|(?<=early\s)|(?<=late\s)|(?<=last\s)|(?<=next\s)|(?<=this\s)|(?<=\sof\s))(?:March|May))\b)"
    rf"|(?ai:\b(?:(?:a\s(?=quarter))?(?P<past>half|quarter|five|ten|twenty-five|twenty)\s(?P<side>past|to)\s(?P<hour>{_COUNT})(?![.,:][0-9])"
    r"(?:\sin\sthe\s(?P<part_of_day>morning|afternoon|evening))?"
    rf"|(?P<at>{_COUNT})(?:\so.clock)?\s(?:in\sthe\s(?P<half>morning|afternoon|evening)|at\s(?P<night>night))"
    rf"|(?P<every>(?<![0-9][.,])(?:{_COUNT}(?=(?:\s\w{{1,20}}){{0,2}}\s(?:in|out\sof)\s)))(?:\s(?!in\b|out\b)\w{{1,20}}){{0,2}}\s(?:in|out\sof)\s(?:every\s|the\s)?(?P<of>{_SMALL})(?!\s(?:in|hundred|thousand|minutes|hours?|days?|weeks?|months?|years?)\b)"
    r"|(?P<multiple>twice|thrice|doubl(?:e[sd]?|ing)|tripl(?:e[sd]?|ing)|trebl(?:e[sd]?|ing)"
    r"|quadrupl(?:e[sd]?|ing)|halv(?:e[sd]?|ing)|(?:two|three|four|five|six|seven|eight|nine|ten|hundred)-?fold)"
    rf"|(?P<above>an?|{_COUNT})[\s-](?P<part>halves|(?:half|quarter|{'|'.join(NTH[2:])}|hundredth|thousandth)(?P<parts>s)?)(?![\s-]centur)"
    r"|(?P<lone>half)"
    rf"|(?P<nth>(?:(?:{'|'.join(TENS)})-(?:{'|'.join(NTH[:9])})|{'|'.join(NTH[1:])}|thirtieth))(?P<century>(?:\s|-)centur(?:y|ies))?"
    r"|(?P<digits>[0-9]{1,2})(?:st|nd|rd|th)(?:\s|-)centur(?:y|ies)"
    r"|(?P<decade>(?:1[0-9]|20)[0-9]0)['’]?s"
    r"|(?P<pence>[0-9]{1,5}(?:\.[0-9]{1,3})?)p"
    rf"|(?P<article>an?|each|per|every|one)\s(?P<period>{'|'.join(PERIODS)})"
    rf"|(?P<often>{'|'.join(_OFTEN)})"
    r"|(?P<pair>both|neither|pair|couple|either)"
    r"|(?P<single>one|single|sole|only|once|alone)"
    r")\b(?!-hour))"
)
_BEFORE_HALF = re.compile(
    r"(?ai:\b(?:first|second|other|last|latter|upper|lower|top|bottom|better|[a-z]{2,9}ern|one"
    r"|time|this|next|each|every|per|in|once|twice|times)[\s-])\Z"
)
_PERIODICAL = re.compile(
    r"(?ai:\b(?:in|per|each|every|once|twice|times|first|second|third|fourth|last|this|next)\s)\Z"
)
_HEDGE_OF = {word.replace("_", " "): name for name, words in HEDGES.items() for word in words}
_OR_SO = re.compile(r"\s(?:or so|odd|or thereabouts)\b")
_PART_OF_PERIOD = re.compile(
    r"(?ai:\b(?P<word>mid|middle\sof|early|beginning\sof|start\sof|late|end\sof)[\s-](?:the\s)?)\Z"
)
#: The days of a month that a part of it has.
_WINDOWS = {name: (first, last) for name, (first, last) in WORDS["windows"].items()}
#: What joins the ends of a range.
_RANGE = re.compile(r"(?ai:\s?(?:[-\u2013\u2014]|to|or|and)\s?)")
_NOUN = re.compile(
    r"[\s-](?:(?:of|the|or|more|so|other|further|extra|new|full|separate)\s){0,3}([A-Za-z]{3,})"
)
_TIMES = re.compile(
    r"(?ai:[\s-]{1,40}times\s(?:as|more|the|that|its|their|his|her|what|over|[a-z]{3,12}er)\b)"
)


def _respelled(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text with mixed numbers in figures, of the same length, and the places changed."""
    places: list[tuple[int, int]] = []

    def mixed(match: re.Match[str]) -> str:
        word = match["count"].lower()
        count = (
            1 if word in {"a", "an"} else int(word) if word.isdecimal() else _UNITS.index(word) + 1
        )
        shown = f"{count}.{'5' if match['part'].lower() == 'half' else '25'}{match['unit'] or ''}"
        if len(shown) > len(match[0]):
            return match[0]
        places.append(match.span())
        return shown.ljust(len(match[0]))

    def simple(match: re.Match[str]) -> str:
        shown = "2 weeks"
        if match["cent"]:
            shown = "0.5 %"
        if match["share"]:
            part = match["share"].lower().split()
            size = _part(part[1] if part[0] in {"a", "an"} else part[0])
            shown = f"{1 / size:.5g} {match['of']}"
            if len(shown) > len(match[0]):
                return match[0]
        if match["points"]:
            word = match["points"].lower()
            shown = "0.5 %" if "half" in word else "0.25 %" if "quarter" in word else "%"
            if shown == "%" and word[:1].isspace():
                shown = " %"
        places.append(match.span())
        return shown.ljust(len(match[0]))

    return _RESPELLED.sub(simple, _AND_A_PART.sub(mixed, text)), sorted(places)


@lru_cache(maxsize=2048)
def read_numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text in order, without overlap, in linear time."""
    plain, places = _respelled(text)
    ends = dict(places)
    found: list[Number] = []
    extras = [number for number in map(_worded, _EXTRA.finditer(plain)) if number is not None]
    # decades are read below, with the words around them
    values = [value for value in find_values(plain) if value.literal.datatype != GR.years]
    taken = 0
    for value in values:
        while taken < len(extras) and extras[taken].end <= value.start:
            found.append(extras[taken])
            taken += 1
        longer = value.end - value.start
        ahead = taken
        while ahead < len(extras) and extras[ahead].start < value.end:
            ahead += 1
        clash = extras[taken:ahead]
        if any(extra.end - extra.start > longer and not extra.soft for extra in clash) or (
            value.kind == "NUMBER"
            and any(
                (extra.kind in {"RATIO", "TIME"} or "centur" in extra.text)
                and (extra.start != value.start or extra.end >= value.end)
                for extra in clash
            )
        ):
            continue
        taken = ahead
        number = _valued(plain, value)
        if number is not None:
            found.append(number)
    found.extend(extras[taken:])
    return tuple(_finished(text, plain, _with_change(plain, found), ends))


def _with_change(text: str, numbers: Sequence[Number]) -> list[Number]:
    """Return numbers, "two dollars and fifty cents" as one amount."""
    out: list[Number] = []
    for one in numbers:
        last = out[-1] if out else one
        both = last.kind == one.kind == "MONEY" and last.unit == one.unit
        if both and one.value < 1 <= last.value and text[last.end : one.start] == " and ":
            value = last.value + one.value
            whole = text[last.start : one.end]
            out[-1] = replace(
                last, end=one.end, text=whole, value=value, low=value, high=value, raw=value
            )
        else:
            out.append(one)
    return out


def _worded(match: re.Match[str]) -> Number | None:
    """Return the number that words alone say, None where the words say none."""
    text, start, end = match.string, match.start(), match.end()

    def number(kind: str, value: float, **more: Any) -> Number:
        raw = more.pop("raw", value)
        return Number(
            start, end, match[0], kind, more.pop("unit", ""), value, value, value, raw, 3, **more
        )

    if match["month"]:
        day = None, MONTH_NAMES.index(match["month"]) + 1, None
        return Number(start, end, match[0], "DATE", "", 0.0, 0.0, 0.0, 0.0, 4, day=day)
    if match["hour"]:
        if match["past"].lower() == "half" and match["side"].lower() == "to":
            return None
        hour, minute = _count(match["hour"]), {"half": 30, "quarter": 15}.get(match["past"].lower())
        minute = minute or int((spelled(match["past"]) or (0, 0))[0])
        seconds = hour * 3600 + (minute if match["side"].lower() == "past" else -minute) * 60
        if hour > 12:
            return None
        if part := match["part_of_day"]:
            late = part.lower() != "morning"
            return number("TIME", seconds % 43200 + 43200 * late)
        return number("TIME", seconds, unit="?")
    if match["at"]:
        late = (match["half"] or "night").lower() != "morning"
        hour = _count(match["at"])
        return number("TIME", (hour % 12 + 12 * late) * 3600) if 1 <= hour <= 12 else None
    if match["of"]:
        of = _count(match["of"])
        return number("RATIO", _count(match["every"]) / of) if of > _count(match["every"]) else None
    if match["multiple"]:
        word = match["multiple"].lower().replace("-", "")
        times = next(size for stem, size in _MULTIPLES.items() if word.startswith(stem))
        return number("RATIO", times, unit="times")
    if match["part"]:
        after = text[end : end + 20]
        follows = (
            not after.strip() or after[0] in ".,;:)" or re.match(rf"(?i)\s{_AFTER_PART}", after)
        )
        if match["parts"] or match["part"] == "halves":
            return number("RATIO", _count(match["above"]) / _part(match["part"].lower()))
        if match["part"].lower() == "quarter" and _PERIODICAL.search(
            text[max(0, start - 12) : start]
        ):
            return number("DURATION", PERIODS["quarter"], raw=1, unit="", soft=True)
        if follows and (match["above"].lower() in {"a", "an", "one"}):
            return number("RATIO", 1 / _part(match["part"].lower()))
        if match["part"].lower() in ORDINALS and not follows:
            nth = ORDINALS[match["part"].lower()]
            start += len(match["above"]) + 1
            return Number(start, end, text[start:end], "NUMBER", "nth", nth, nth, nth, nth, 3)
        return None
    if match["lone"]:
        after = text[end : end + 20]
        follows = not after.strip() or re.match(rf"(?i)[.,;:)]|\s{_AFTER_PART}", after)
        if not follows or _BEFORE_HALF.search(text[max(0, start - 14) : start]):
            return None
        return number("RATIO", 0.5)
    if match["nth"]:
        tens, _, ones = match["nth"].lower().rpartition("-")
        nth = TENS.get(tens, 0) + ORDINALS[ones]
        if match["century"]:
            return _span_of_years(match, 100 * nth - 99, 100 * nth)
        if re.match(r"[\s-](?:hand|ly)\b", text[end : end + 6]):
            return None
        return number("NUMBER", nth, unit="nth", soft=nth == 2)
    if match["digits"]:
        return _span_of_years(match, 100 * int(match["digits"]) - 99, 100 * int(match["digits"]))
    if match["decade"]:
        return _span_of_years(match, int(match["decade"]), int(match["decade"]) + 9)
    if match["pence"]:
        return number("MONEY", float(match["pence"]) / 100, unit="GBP", raw=float(match["pence"]))
    if match["period"] or match["often"]:
        word = match["period"] or _OFTEN[match["often"].lower()]
        return number("DURATION", PERIODS[word.lower()], raw=1, soft=True)
    if match["pair"]:
        return number("NUMBER", 2, soft=True)
    return number("NUMBER", 1, soft=True)


def _span_of_years(match: re.Match[str], first: int, last: int) -> Number:
    low, high = day_number(max(first, 1)), day_number(min(last, 9999), 12, 31)
    return Number(
        match.start(), match.end(), match[0], "DATE", "years", low, low, high, first, 4,
        day=(first, None, None),
    )  # fmt: skip


def _count(word: str) -> int:
    word = word.lower()
    return int(word) if word.isdecimal() else int((spelled(word) or (0, 0))[0])


def _part(word: str) -> int:
    return _PARTS.get(word) or _PARTS.get(word.rstrip("s")) or 2


def _valued(text: str, value: Value) -> Number | None:
    """Return what `find_values` read as a number, None for a section or what some field has."""
    if value.kind not in KINDS - {"SECTION"}:
        return None
    span, lexical = text[value.start : value.end], str(value.literal)
    range_ = interval(value.literal)
    unit, raw, digits = "", _raw(span), 3
    day = None
    size, low, high = 0.0, 0.0, 0.0
    if value.kind == "DATE":
        day = read_date(lexical) or (None, None, None)
        if range_ is not None:
            low, high = float(range_[0]), float(range_[1])
            size = low
        raw = float(day[0] or day[2] or 0) if day[1] is None else float(day[2] or 0)
        return Number(value.start, value.end, span, "DATE", "", size, low, high, raw, 4, day=day)
    if value.kind == "DURATION" and lexical.startswith("P") and range_ is not None:
        size = _days_of(lexical)
    elif range_ is not None:
        size = float(range_[0])
        unit = lexical.partition(" ")[2]
        if value.kind == "DURATION":  # business days
            size *= PERIODS.get(unit.partition(" ")[2], 1.0)
            unit = "business"
        if value.kind == "TIME":
            unit = ""
    else:
        return None
    if value.kind == "NUMBER" and re.search(r"(?ai:\d\s?(?:st|nd|rd|th)\Z)", span):
        unit = "nth"
    if figures := figures_in(span):
        shown = f"{abs(figures[0]):f}".lstrip("0.")
        digits = len(shown.replace(".", "") if "." in shown else shown.rstrip("0")) or 1
    else:
        digits = len(f"{raw:.0f}".rstrip("0")) or 1
    start, end = value.start, value.end
    return Number(start, end, span, value.kind, unit, size, size, size, raw, digits)


_PERIOD_PARTS = re.compile(r"(?<![0-9.])([0-9.]+)([YMDHS])")


def _days_of(lexical: str) -> float:
    head, _, clock = lexical.partition("T")
    factors = {"Y": PERIODS["year"], "M": PERIODS["month"], "D": 1.0}
    total = sum(float(n) * factors.get(unit, 0.0) for n, unit in _PERIOD_PARTS.findall(head))
    factors = {"H": 1 / 24, "M": 1 / 1440, "S": 1 / 86400}
    return total + sum(
        float(n) * factors.get(unit, 0.0) for n, unit in _PERIOD_PARTS.findall(clock)
    )


def _raw(span: str) -> float:
    if figures := figures_in(span):
        return float(figures[0])
    word = re.search(r"[A-Za-z]", span)
    told = spelled(span[word.start() :]) if word else None
    return float(told[0]) if told else 0.5 if "half" in span.lower() else 0.0


#: Kinds of numbers that have a unit.
_MEASURED = frozenset({"PERCENT", "QUANTITY", "DURATION", "MONEY"})


def _finished(text: str, plain: str, found: list[Number], ends: dict[int, int]) -> Iterator[Number]:
    """Give numbers the unit of a range they open, their noun and their rounding words."""
    changed = sorted(ends.items())
    starts = [start for start, _ in changed]
    for index, number in enumerate(found):
        end = number.end
        place = bisect.bisect_right(starts, end - 1) - 1
        if place >= 0 and changed[place][0] < end < changed[place][1]:
            end = changed[place][1]
        following = found[index + 1] if index + 1 < len(found) else None
        if (
            number.kind == "NUMBER"
            and not number.unit
            and not number.soft
            and following is not None
        ):
            number = _in_range(plain, number, following)
        previous = found[index - 1] if index else None
        if (
            number.kind == "NUMBER" and previous is not None and previous.kind == "DATE"
            and number.end - number.start == 2 and previous.day and previous.day[1] is None
            and plain[previous.end : number.start] in {"-", "/", "\u2013"}
        ):  # fmt: skip
            year = int(previous.day[0] or 0) // 100 * 100 + int(number.raw)
            first = float(day_number(max(year, 1)))
            number = replace(
                number, kind="DATE", day=(year, None, None), raw=float(year), digits=4,
                value=first, low=first, high=first + 364,
            )  # fmt: skip
        if number.kind == "NUMBER" and _TIMES.match(plain, number.end):
            number = replace(number, kind="RATIO", unit="times")
        noun = _NOUN.match(plain, number.end) if number.kind in {"NUMBER", "RATIO"} else None
        named = noun[1].lower() if noun else ""
        before = plain[max(0, number.start - 32) : number.start]
        name = _hedge(before) or ("about" if _OR_SO.match(plain, end) else "")
        window = number.window
        if number.kind == "DATE" and (part := _PART_OF_PERIOD.search(before)):
            window = _WINDOWS[part["word"].lower().split()[0]]
        low, high = _allowed(number, name)
        yield Number(
            number.start, end, text[number.start : end], number.kind, number.unit, number.value,
            low, high, number.raw, number.digits, name, number.day, window,
            "" if named in NO_COUNTED_NOUNS else named, number.soft,
        )  # fmt: skip


def _hedge(before: str) -> str:
    """Return how the words before a number round it, "" where they do not."""
    words = before.lower().split() if before[-1:].isspace() else []
    if words and words[-1] in ARTICLES:
        words.pop()
    told = (_HEDGE_OF.get(" ".join(words[-size:]).lstrip("(")) for size in (4, 3, 2, 1))
    return next(filter(None, told), "")


_FAHRENHEIT = re.compile(r"(?i:(?:°|\bdegrees?)\s?f)")


def _in_range(text: str, number: Number, following: Number) -> Number:
    """Give the first number of "12 to 14 per cent" the unit of the second."""
    gap = text[number.end : following.start]
    if following.kind not in _MEASURED or len(gap) > 6:
        return number
    match = _RANGE.fullmatch(gap)
    opened = re.search(
        r"(?ai:\b(?:between|either)\s)\Z", text[max(0, number.start - 9) : number.start]
    )
    if match is None or following.raw == 0 or (gap.strip().lower() == "and" and not opened):
        return number
    if following.kind == "MONEY" and following.text[:1] in "£$€":
        return number
    size = number.raw * following.value / following.raw
    if following.unit == "K":  # whose scales begin elsewhere: a step is as wide as that of a value
        step = 5 / 9 if _FAHRENHEIT.search(following.text) else 1.0
        size = following.value + (number.raw - following.raw) * step
    return replace(number, kind=following.kind, unit=following.unit, value=size)


def _allowed(number: Number, hedge: str) -> tuple[float, float]:
    """Return the least and the most that a number with its rounding word can stand for."""
    size = number.value
    if number.kind == "DATE":
        slack = 800.0 if number.day and number.day[1] is None else 20.0
        if hedge != "about":
            slack = 0.0
        return number.low - slack, number.high + slack
    if number.kind == "TIME":
        slack = 1200.0 if hedge == "about" else 0.0
        return size - slack, size + slack
    # a temperature is counted from absolute zero, but rounded as it is written
    width = abs(number.raw if number.unit == "K" else size)
    coarse = width * (0.5 / max(1.0, _leading(number)))
    about = max(0.06 * width, min(coarse, 0.1 * width)) if number.digits < 3 else coarse
    near = HEDGED * width
    if number.kind == "DURATION":  # eleven weeks are about, and nearly, three months
        rounded = min(coarse, width / 6)
        about, near = max(about, rounded), max(near, rounded)
    if number.kind == "RATIO" and not number.unit:
        # a share in words is always a rounding: "a seventh" for 57 of 400
        coarse, about = 0.012 * width, 0.08 * width
        if not hedge:
            return size - coarse, size + coarse
    below, above = {
        "about": (about, about),
        "near": (near, 0.0),
        "past": (0.0, HEDGED * width),
        "over": (0.0, 0.2 * width),
        "under": (0.2 * width, 0.0),
    }.get(hedge, (0.0, 0.0))
    return size - below, size + above


def _leading(number: Number) -> float:
    """Return the significant figures of a number read as a whole number: 14 for 14,000."""
    shown = f"{abs(number.raw):.6g}".replace(".", "").strip("0")
    return float(shown) if shown.isdecimal() else 1.0

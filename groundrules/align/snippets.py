"""What a few words of a text say, as we read it: what no model may decide.

Figures and dates, how often, how many of all, denials, "only", names, and which side of a time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundrules.align.measures import PERIODS, Number, agree
from groundrules.align.numbers import read_numbers
from groundrules.align.parses import parse
from groundrules.claims.copied import Place
from groundrules.claims.english import (
    MONTHS,
    NEGATIVE,
    NTH,
    ORDINALS,
    PREPOSITIONS,
    SMALL,
    WEEKDAYS,
)
from groundrules.claims.english.logic import (
    BEHIND_NUMBERS,
    DENYING_OTHERWISE,
    EXCLUSIVE,
    HOW_MANY,
    LESSENING,
    NONE_OF,
    NUMBER_BOUNDS,
    PERIODICALLY,
    SIDES_OF_TIMES,
)
from groundrules.claims.llm_propositions import Clause, Part

WORD = re.compile(r"\w+(?:['’]\w+)?")
#: Days of the week, also as a timetable heads its columns.
_DAYS = re.compile(
    rf"\b(?:({'|'.join(WEEKDAYS)})s?|((?-i:Mon|Tues?|Wed|Thu|Thurs|Fri|Sat|Sun)))\b", re.I
)
_TIMES_OF = "|".join(PERIODS)
_PAID = "euros?|pounds?|dollars?|francs?|crowns?|cents?|pence|hours?|days?|minutes?"
_OFTEN = re.compile(
    rf"\b(?:(?P<count>once|twice|thrice|(?P<times>\w+) times)(?:\s(?:an?|each|every|per)\s"
    rf"(?P<of>{_TIMES_OF})\b|(?=\W*\Z))|(?:each|every|per)\s(?:single\s)?(?P<each>{_TIMES_OF})\b"
    rf"|(?:[0-9]|{_PAID})\san?\s(?P<rate>{_TIMES_OF})\b|(?P<adverb>{'|'.join(PERIODICALLY)})\b)",
    re.I,
)
_COUNTS = {"once": 1, "twice": 2, "thrice": 3, **SMALL}
#: Where a year or a month begins or ends, which is a day.
_END = re.compile(r"\b(?P<side>end|start|beginning|close) of (?:the|each|every) year\b", re.I)
_EXCEEDS = re.compile(r"\bexceed(?:s|ed|ing)?(?: \w+)?\s\Z")
_NO_DENIAL = re.compile(
    r"\bnot only\b|\bor not\b|\b(?:and|to) no others?\b|\bno(?:where|thing|body| ?one) else\b"
    r"|\b(?:no|not) (?:more|fewer|less|later|earlier) than\b",
    re.I,
)
_NO_OTHER = re.compile(r"\bno (?:others?|one else)\b|\bno(?:where|thing|body) else\b", re.I)
_BOUNDS = {phrase: (side, strict) for phrase, side, strict in NUMBER_BOUNDS}
_BOUNDED = re.compile(
    rf"\b({'|'.join(sorted(_BOUNDS, key=len, reverse=True))})(?: (?:the|an?))?\s?[£$€]?\Z"
)
_BEHIND = re.compile(rf"(?:\w{{1,20}} )?({'|'.join(BEHIND_NUMBERS)})\b")
_AGED = re.compile(r"\b(?P<years>\w{1,20}(?:-\w{1,20})?)-years?-olds?\b", re.I)
_OF_AGE = re.compile(r"\byears?[- ]olds?\b|\baged?\b", re.I)
_RANKED = re.compile(rf"\b({'|'.join(NTH)})[ -](?:\w+est|most|least|best|worst)\b", re.I)
_AS_EARLY = re.compile(r"\bas (?:early|late|recently|long ago) as\b", re.I)
_YEARS_OLD = re.compile(r" years old\b")
_NTH = re.compile(r"\d+(?:st|nd|rd|th)")
_OR_MORE = re.compile(r"\bor (?:more|less|fewer|over|under|older|younger|above|below)\b", re.I)
_ALL_BUT = re.compile(r"\b(?:all|every\w*|any\w*) but\b", re.I)
_NOT_ALL = re.compile(
    r"\b(?:not|n't|n’t) (?:all|every|everyone|everybody|everything|both|each|many|most|always)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Texts:
    """A statement and its source, whose words parts are places of."""

    statement: str
    source: str

    def clause(self, clause: Clause) -> str:
        """Return the words that the statement has for a clause."""
        return words_at(clause.statement.places, self.statement)

    def said(self, part: Part) -> str:
        """Return the words that the statement has for a part."""
        return words_at(part.said, self.statement)

    def known(self, part: Part) -> str:
        """Return the words that the source has for it."""
        return words_at(part.known, self.source)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of some words with the least and the most that it leaves open."""

    number: Number
    low: float
    high: float
    ranged: bool = False

    def follows_from(self, known: Figure) -> bool:
        """Return whether it is so where another is: the same, or with room for it."""
        if self._equals(known):
            return True
        return self._is_of(known) and self.low <= known.low and known.high <= self.high

    def is_case_of(self, known: Figure) -> bool:
        """Return whether it is one of those that another bounds: seven of those under eight."""
        if self._equals(known):
            return True
        within_it = known.low <= self.low and self.high <= known.high
        return self._is_of(known) and within_it

    @property
    def counts(self) -> bool:
        """Whether it says how many there are of what stands behind it."""
        return self.number.kind == "NUMBER" and bool(self.number.noun)

    def excludes(self, known: Figure) -> bool:
        """Return whether both cannot be so of one thing: five years and two."""
        return self._is_of(known) and (self.high < known.low or known.high < self.low)

    def ends_range(self, first: Figure, before: str, between: str) -> bool:
        """Return whether it is the end of a range that another begins: "from 6 to 14"."""
        opened = re.search(r"\b(?:from|between|aged|ages)\s[£$€]?\Z", before.casefold())
        joined = re.fullmatch(r"\s?(?:to|and|[-–])\s?[£$€]?", between.casefold())
        dated = {self.number.kind, first.number.kind} & {"DATE", "TIME"}
        return bool(opened and joined and not dated and self.number.measure == first.number.measure)

    def _equals(self, known: Figure) -> bool:
        mine, theirs = self.number, known.number
        if agree(mine, theirs) not in {"same", "converted"}:
            return False
        if self.ranged or known.ranged:
            return self.ranged == known.ranged and (self.low, self.high) == (known.low, known.high)
        bounds = [(math.isinf(one.low), math.isinf(one.high)) for one in (self, known)]
        rough = [one.hedge in {"about", "near", "past"} for one in (mine, theirs)]
        strict = [one.hedge in {"over", "under"} for one in (mine, theirs)]
        return bounds[0] == bounds[1] and rough[0] >= rough[1] and strict[0] == strict[1]

    def _is_of(self, known: Figure) -> bool:
        mine, theirs = self.number, known.number
        dated = {mine.kind, theirs.kind} & {"DATE", "TIME"}
        rough = {mine.hedge, theirs.hedge} & {"about", "near", "past"}
        return mine.measure == theirs.measure and not dated and not rough


def figures(words: str) -> list[Figure]:
    """Return the numbers, amounts and dates of some words, but for what only counts how often.

    "From 6 to 14" is one that leaves open which, and an age counts years whatever its words.
    """
    said = _AGED.sub(lambda m: f"{m['years']} years old", _END.sub(_day_of, words))
    said = _AS_EARLY.sub("in", said)
    often = [match.span() for match in _OFTEN.finditer(said) if not match["rate"]]
    out: list[Figure] = []
    for number in read_numbers(said):
        if number.soft or any(a < number.end and number.start < b for a, b in often):
            continue
        if _YEARS_OLD.match(said, number.end - len(" years")):
            number = replace(number, kind="NUMBER", unit="", value=number.raw, noun="")
            number = replace(number, low=number.raw, high=number.raw)
        found = Figure(number, *_extent(number, said))
        between = said[out[-1].number.end : number.start] if out else ""
        if out and found.ends_range(out[-1], said[: out[-1].number.start], between):
            low, high = sorted((out[-1].number.value, number.value))
            found, out = Figure(number, low, high, ranged=True), out[:-1]
        out.append(found)
    return out


def _day_of(match: re.Match[str]) -> str:
    return "31 December" if match["side"].casefold() in {"end", "close"} else "1 January"


def _extent(number: Number, words: str) -> tuple[float, float]:
    """Return the least and the most of a number with the words that bound it."""
    before, after = words[: number.start].casefold(), words[number.end :].casefold().lstrip()
    value, counted = number.value, number.kind == "NUMBER" and number.value % 1 == 0
    opening = _BOUNDED.search(before)
    if opening:
        side, strict = _BOUNDS[opening[1]]
        return _bounded(value, side, strict=strict, counted=counted)
    closing = _BEHIND.match(after)
    if closing:
        return _bounded(value, BEHIND_NUMBERS[closing[1]], strict=False, counted=counted)
    if _EXCEEDS.search(before):
        return _bounded(value, "least", strict=True, counted=counted)
    if number.hedge in {"over", "under"}:
        side = "least" if number.hedge == "over" else "most"
        return _bounded(value, side, strict=True, counted=counted)
    return number.low, number.high


def _bounded(value: float, side: str, *, strict: bool, counted: bool) -> tuple[float, float]:
    step = (1.0 if counted else abs(value) * 1e-9) if strict else 0.0
    return (value + step, math.inf) if side == "least" else (-math.inf, value - step)


def is_age(words: str) -> bool:
    """Return whether some words tell an age, of which what is so of all between two is so."""
    return bool(_OF_AGE.search(words))


def frequencies(words: str) -> set[tuple[int, str]]:
    """Return how often in which stretch of time some words say: once a year is every year."""
    found = set()
    for match in _OFTEN.finditer(words):
        count = (match["times"] or match["count"] or "once").casefold()
        number = int(count) if count.isdecimal() else _COUNTS.get(count, 0)
        named = match["of"] or match["each"] or match["rate"] or match["adverb"] or ""
        period = PERIODICALLY.get(named.casefold(), named.casefold())
        found.add((number, period.removesuffix("s")))
    return found


def ordinals(words: str) -> set[int]:
    """Return the numbers of an order in some words: 1 of "first", 21 of "21st"."""
    low = words_of(words.replace("-", " "))
    named = {ORDINALS[w] for w in low if w in ORDINALS}
    return named | {int(w[:-2]) for w in low if _NTH.fullmatch(w)}


def ranks(words: str) -> set[str]:
    """Return the places of an order that some words have before what is most: "second largest"."""
    return {match[1].casefold() for match in _RANKED.finditer(words)}


def leaves_open(words: str) -> bool:
    """Return whether some words leave open which of several is meant: "in May or June"."""
    return " or " in words and not _OR_MORE.search(words)


def weekdays(words: str) -> set[str]:
    """Return the days of the week in some words."""
    found = (match[1] or match[2] for match in _DAYS.finditer(words))
    return {day for one in found for day in WEEKDAYS if day.startswith(one.casefold())}


def quantity(words: str) -> str:
    """Return how many of all, or how often, some words speak of, empty where they do not say."""
    if _NOT_ALL.search(words):
        return "not all"
    if _ALL_BUT.search(words):
        return "almost all"
    low = words_of(_OFTEN.sub(" ", words))
    if "and" in low[1:-2] and low[-1] == "both":  # "the cook and the maid both"
        low.pop()
    found = [HOW_MANY[word] for word in low if word in HOW_MANY]
    return found[0] if found else ""


def denials(words: str) -> list[str]:
    """Return the words that deny among some words."""
    low = words_of(_NO_DENIAL.sub(" ", words))
    found = [w for w in low if w in NEGATIVE | NONE_OF or w.endswith(("n't", "n’t"))]
    return [w for w in found if w != "nor" or "neither" not in found]


def denies_otherwise(words: str) -> bool:
    """Return whether some words may deny in what they mean: "otherwise", "unaccompanied"."""
    low = words_of(words.replace("-", " "))
    return any(
        w in DENYING_OTHERWISE or w.startswith(("non", "un")) or w.endswith("less") for w in low
    )


def restricts(words: str) -> bool:
    """Return whether some words say that of nothing else it is so."""
    return not EXCLUSIVE.isdisjoint(words_of(words)) or bool(_NO_OTHER.search(words))


def side_of_time(words: str) -> str:
    """Return on which side of a time some words open: "before" it or "after" it."""
    first = words_of(words)[:1]
    return SIDES_OF_TIMES.get(first[0], "") if first and first[0] in PREPOSITIONS else ""


def compares(places: Sequence[Place], text: str) -> bool:
    """Return whether words at some places compare: "higher", "more", "as long as"."""
    tagged = {t.tag_ for t in parse(text) if meets(places, (t.idx, t.idx + len(t)))}
    low = {word for start, end in places for word in words_of(text[start:end])}
    return bool(tagged & {"JJR", "RBR"} or low & LESSENING or {"as", "twice"} & low)


def names(text: str, places: Sequence[Place]) -> list[str]:
    """Return the proper nouns and adjectives at some places of a text, in small letters."""
    return [
        token.lower_.rstrip(".")
        for token in parse(text)
        if (token.pos_ == "PROPN" or (token.pos_ == "ADJ" and not token.is_sent_start))
        and token.text[:1].isupper()
        and not {token.lower_, token.lower_.removesuffix("s")} & {*WEEKDAYS, *MONTHS}
        and meets(places, (token.idx, token.idx + len(token)))
    ]


def words_at(places: Sequence[Place], text: str, without: Sequence[Place] = ()) -> str:
    """Return the words of a text at some places, `without` those that are at others."""
    if not without:
        return " ".join(text[start:end] for start, end in places)
    kept = (
        match[0]
        for start, end in places
        for match in re.finditer(r"\S+", text[start:end])
        if not meets(without, (start + match.start(), start + match.end()))
    )
    return " ".join(kept)


def words_of(words: str) -> list[str]:
    """Return some words in small letters."""
    return [word.casefold() for word in WORD.findall(words)]


def within(words: str, wider: str) -> bool:
    """Return whether some words stand in others, one after another."""
    mine, theirs = " ".join(words_of(words)), " ".join(words_of(wider))
    return f" {mine} " in f" {theirs} "


def sentence_of(text: str, places: Sequence[Place]) -> Place:
    """Return the range of the sentences that some places lie in."""
    first, last = min(one[0] for one in places), max(one[1] for one in places)
    start, end = first, last
    for sentence in parse(text).sents:
        if sentence.start_char <= first < sentence.end_char:
            start = sentence.start_char
        if sentence.start_char < last <= sentence.end_char:
            end = sentence.end_char
    return start, end


def meets(places: Sequence[Place], place: Place) -> bool:
    """Return whether a range of a text overlaps with one of some places."""
    return any(start < place[1] and place[0] < end for start, end in places)

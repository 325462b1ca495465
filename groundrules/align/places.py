"""The numbers of the sources with the units that hold them: an index of places."""

from __future__ import annotations

import bisect
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

from groundrules import domain
from groundrules.align.bearing import leans
from groundrules.align.cells import measured
from groundrules.align.derivations import lexicon
from groundrules.align.limits import FIGURES_ROUNDED
from groundrules.claims.english.fillers import OF_PLACES
from groundrules.claims.english.stems import uninflected_beginning
from groundrules.claims.units.tables import cell_places, scaled
from groundrules.claims.units.units import Kind, units
from groundrules.claims.values.measures import Number
from groundrules.claims.values.numbers import read_numbers

#: How many passages bear on a statement.
NEAR = 8
#: How many equal numbers elsewhere in the source are looked at.
ELSEWHERE = 48
#: Postings longer than this tell nothing and cost time.
_COMMON = 4000
#: So many words of a heading, and of what leads a list in, stand over a unit.
_OVER = 14


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row: its range, the stems of the head of its column, and the unit given there."""

    start: int
    end: int
    head: tuple[str, ...]
    unit: str


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of a source, the stems of its words and of those that stand over it.

    It is what stands between the semicolons of a `sentence`, whose range that is, or a row, which
    has cells and where the head of its table begins. What `leans` begins with a word for what the
    unit before it names.
    """

    source: int
    start: int
    end: int
    sentence: tuple[int, int]
    stems: tuple[str, ...]
    over: tuple[str, ...]
    cells: tuple[Cell, ...] = ()
    table: int = -1
    leans: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """A number of a source with the unit that holds it."""

    number: Number
    source: int
    unit: int

    @property
    def place(self) -> tuple[int, int, int]:
        """Return the source and the range of the number."""
        return self.source, self.number.start, self.number.end


@dataclass(frozen=True, slots=True)
class FigureIndex:
    """The numbers of the sources and the units around them; made once, read by `account`."""

    texts: tuple[str, ...]
    units: tuple[Unit, ...]
    numbers: tuple[Known, ...]
    inside: Mapping[int, tuple[int, ...]]
    postings: Mapping[str, tuple[int, ...]]
    sizes: Mapping[str, tuple[tuple[float, int], ...]]
    figures: Mapping[float, tuple[int, ...]]
    dates: Mapping[tuple[str, int], tuple[int, ...]]

    def weight(self, stem: str) -> float:
        """Return the inverse document frequency of a stem over the units."""
        return math.log(1.0 + (len(self.units) + 1) / (len(self.postings.get(stem, ())) + 0.5))

    def within(self, here: int) -> Iterator[int]:
        """Yield the numbers of the whole sentence that a unit is of."""
        unit = self.units[here]
        first = last = here
        while first and self._is_of(first - 1, unit):
            first -= 1
        while last + 1 < len(self.units) and self._is_of(last + 1, unit):
            last += 1
        for one in range(first, last + 1):
            yield from self.inside.get(one, ())

    def _is_of(self, here: int, unit: Unit) -> bool:
        other = self.units[here]
        return (other.source, other.sentence) == (unit.source, unit.sentence)


# --- words ----------------------------------------------------------------------------------

_WORD = re.compile(r"[A-Za-z\u00c0-\u02af\u0370-\u052f]+(?:['’][a-z]+)?")


@cache
def _meanings() -> tuple[dict[str, str], dict[str, tuple[int, str]]]:
    """Return the marks of whole words, and those of beginnings with their order."""
    whole: dict[str, str] = {}
    begins: dict[str, tuple[int, str]] = {}
    plain = map(str.split, lexicon()["meanings"]["groups"])
    for number, group in enumerate((*plain, *domain.words().meanings)):
        for word in group:
            if word.endswith("*"):
                begins.setdefault(word[:-1], (len(begins), f"={number}"))
            else:
                whole[word] = f"={number}"
    return whole, begins


@lru_cache(maxsize=65536)
def sense(word: str) -> str:
    """Return the mark of the words that mean what a word form means, or else its stem.

    A plural means what its singular does.
    """
    word = word.casefold()
    word = word.removesuffix("'s").removesuffix("’s") or word  # texts in tokens: "Japan 's"
    singular = word[:-1] if len(word) > 3 and word.endswith("s") else word
    return _group(word) or _group(singular) or uninflected_beginning(word)


def _group(word: str) -> str:
    """Return the mark of the group of words that a word is in, empty where it is in none."""
    whole, begins = _meanings()
    found = (begins[word[:end]] for end in range(1, len(word) + 1) if word[:end] in begins)
    return whole.get(word) or min(found, default=(0, ""))[1]


def stems_of(text: str) -> tuple[str, ...]:
    """Return the stems of the content words of a text."""
    return tuple(sense(word) for word in _WORD.findall(text) if word.casefold() not in OF_PLACES)


# --- the index ------------------------------------------------------------------------------


def _units(source: int, text: str) -> Iterator[Unit]:
    """Yield the units of a source with what stands over them."""
    cut = units(text)
    lead: tuple[str, ...] = ()
    head: list[str] = []
    table = -1
    for number, unit in enumerate(cut):
        said, whole = text[unit.start : unit.end], (unit.start, unit.end)
        titles = sorted({0, unit.heading} - {-1, number})
        above = [cut[n].text for n in titles if cut[n].kind is Kind.HEADING]
        if unit.kind is not Kind.ITEM:
            lead = ()
        over = (*lead, *(stem for title in above for stem in stems_of(title)[:_OVER]))
        if said.endswith(":"):
            lead = stems_of(said)[-_OVER:]
        if unit.kind not in {Kind.HEAD, Kind.ROW}:
            for start, end in _clauses(text, *whole):
                part = text[start:end]
                yield Unit(source, start, end, whole, stems_of(part), over, leans=leans(part))
            continue
        places = list(cell_places(said))
        row = [said[slice(*place)].strip() for place in places]
        if unit.kind is Kind.HEAD:
            head, table = row, unit.start
        names = head if len(head) == len(row) and unit.kind is Kind.ROW else [""] * len(row)
        cells = tuple(
            Cell(unit.start + start, unit.start + end, stems_of(name), given)
            for (start, end), name, given in zip(places, names, _given(row, names), strict=True)
        )
        yield Unit(source, *whole, whole, stems_of(said), over, cells, table)


_SEMICOLON = re.compile(r";\s+(?=[A-Z\"“(\[0-9])")


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what stands between the semicolons of a unit that a new thing is told behind."""
    marks = _SEMICOLON.finditer(text, start, end)
    yield from pairwise([start, *(mark.end() for mark in marks), end])


_UNIT = re.compile(
    r"(?P<money>[\u00a3\u20ac$]|\b(?:EUR|USD|GBP|DKK|SEK|NOK|CHF|JPY|PLN|CZK|CAD|AUD|INR|CNY)\b)"
    r"(?:\s?(?P<scale>million|billion|thousand|bn|m|k)\b)?|(?P<percent>%|\bper\s?cent\b)"
    r"|(?:\bin\s|\(|,\s)(?P<unit>kg|g|km|m|cm|mm|m2|m\u00b2|ha|hectares|litres|l|kWh|MWh|GWh|MW|GW|tonnes|hours"
    r"|minutes|days|weeks|months|years|\u00b0C)\)?\s*\Z"
)
_SCALES = {"bn": "billion", "m": "million", "k": "thousand"}


def _unit_of(cell: str) -> str:
    """Return the unit that a cell gives the numbers under it or beside it: "DKK million"."""
    match = _UNIT.search(cell := scaled(cell))
    if match is None or any(map(str.isdigit, cell)):
        return ""
    scale = match["scale"] or ""
    money = f"{match['money']} {_SCALES.get(scale, scale)}" if match["money"] else ""
    return money.strip() or match["unit"] or "%"


def _given(row: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Yield the unit over each cell, in the corner of the table or in the label of the row."""
    common = _unit_of(row[0])
    named = any(map(str.isdigit, row[0])) and _UNIT.sub("", names[0]).strip(" ()")
    if not common and not named:
        common = _unit_of(names[0])  # one with words is of its own column, if that counts
    yield ""
    yield from (_unit_of(name) or common for name in names[1:])


_PLAIN = re.compile(r"[0-9][0-9,.]*")
_MARKER_END = re.compile(r"\s*\(?[0-9]{1,3}(?:\.[0-9]{1,3})*(?:[.)]?[.)\s]\s?)?[A-Z]?")


def cell_of(unit: Unit, number: Number) -> int | None:
    """Return the column that a number of a row stands in."""
    found = bisect.bisect_right(unit.cells, number.start, key=lambda cell: cell.start) - 1
    return found if found >= 0 and number.start < unit.cells[found].end else None


def _read(text: str, unit: Unit, number: Number) -> Number:
    """Return a number as its place has it: the mark of an item is none, a cell has a unit above."""
    line = max(text.rfind("\n", max(0, number.start - 8), number.start), number.start - 8)
    if _MARKER_END.fullmatch(text[line + 1 : number.end + 2]):
        return replace(number, unit="nth", soft=True)
    column = cell_of(unit, number) if number.measure == ("NUMBER", "") else None
    given = unit.cells[column].unit if column is not None else ""
    if number.soft or not given or not _PLAIN.fullmatch(number.text):
        return number
    found = measured(number.text, given)
    if found is None or found.kind == "NUMBER":
        return number
    return replace(
        number, kind=found.kind, unit=found.unit, value=found.value, low=found.low, high=found.high
    )


@lru_cache(maxsize=16)
def _numbers_in(text: str) -> tuple[Number, ...]:
    """Return the numbers of a source, which every check against it needs."""
    return read_numbers(text)


def index_figures(texts: Sequence[str]) -> FigureIndex:
    """Return the index of the numbers of whole documents."""
    known: list[Unit] = []
    numbers: list[Known] = []
    inside: dict[int, list[int]] = defaultdict(list)
    for source, text in enumerate(texts):
        own = list(_units(source, text))
        starts = [unit.start for unit in own]
        first = len(known)
        known.extend(own)
        for number in _numbers_in(text):
            place = bisect.bisect_right(starts, number.start) - 1
            if place >= 0:
                inside[first + place].append(len(numbers))
                numbers.append(Known(_read(text, own[place], number), source, first + place))
    postings: dict[str, list[int]] = defaultdict(list)
    for here, unit in enumerate(known):
        heads = (stem for cell in unit.cells for stem in cell.head)
        for name in dict.fromkeys((*unit.stems, *unit.over, *heads)):
            postings[name].append(here)
    sizes: dict[str, list[tuple[float, int]]] = defaultdict(list)
    figures: dict[float, list[int]] = defaultdict(list)
    dates: dict[tuple[str, int], list[int]] = defaultdict(list)
    for here, one in enumerate(numbers):
        figures[one.number.raw].append(here)
        if one.number.day is None:
            sizes[one.number.kind].append((one.number.value, here))
            continue
        for name, part in zip("ymd", one.number.day, strict=True):
            if part is not None:
                dates[name, part].append(here)
    return FigureIndex(
        tuple(texts),
        tuple(known),
        tuple(numbers),
        {unit: tuple(held) for unit, held in inside.items()},
        {name: tuple(held) for name, held in postings.items()},
        {kind: tuple(sorted(held)) for kind, held in sizes.items()},
        {raw: tuple(held) for raw, held in figures.items()},
        {part: tuple(held) for part, held in dates.items()},
    )


# --- finding --------------------------------------------------------------------------------


def similarity_to(index: FigureIndex, said: Sequence[str], here: int) -> float:
    """Return how far the words of a statement stand in and over the unit of a number, 0..1."""
    known = index.numbers[here]
    unit = index.units[known.unit]
    column = cell_of(unit, known.number)
    there = {*unit.stems, *unit.over, *(unit.cells[column].head if column is not None else ())}
    weights = {stem: index.weight(stem) for stem in said}
    met = sum(weight for stem, weight in weights.items() if stem in there)
    return met / sum(weights.values()) if weights else 0.0


def bearing_on(index: FigureIndex, said: Sequence[str], before: Sequence[str]) -> list[int]:
    """Return the units that bear on a statement, nearest first."""
    gains: dict[str, float] = dict.fromkeys(said, 1.0)
    for number, one in enumerate(before[:2]):
        for name in stems_of(one):
            gains.setdefault(name, 0.25 / (number + 1))
    score: dict[int, float] = defaultdict(float)
    for name, gain in gains.items():
        held = index.postings.get(name, ())
        for place in held if len(held) <= _COMMON else ():
            score[place] += gain * index.weight(name)
    leaning = {
        place + 1: 0.5 * gain
        for place, gain in score.items()
        if place + 1 < len(index.units)
        and index.units[place + 1].leans
        and index.units[place + 1].source == index.units[place].source
    }
    for place, gain in leaning.items():
        score[place] += gain
    ranked = sorted(score, key=lambda n: (-score[n] / (8 + len(index.units[n].stems)) ** 0.25, n))
    return ranked[:NEAR]


def lookup(index: FigureIndex, claim: Number) -> Iterator[int]:
    """Yield the numbers of the sources that may equal a claim, a bounded number of them."""
    if claim.day is not None:
        year, month, _ = claim.day
        key = ("m", month) if month is not None else ("y", year or 0)
        yield from index.dates.get(key, ())[:ELSEWHERE]
    yield from index.figures.get(claim.raw, ())[:ELSEWHERE]
    if claim.kind == "TIME":
        yield from (here for _, here in index.sizes.get("TIME", ())[: 4 * ELSEWHERE])
    for kind, factor in (
        (claim.kind, 1.0),
        *((("PERCENT", 100.0), ("NUMBER", 1.0)) if claim.kind == "RATIO" else ()),
        *((("RATIO", 0.01),) if claim.kind == "PERCENT" else ()),
        *((("TIME", 86400.0), ("TIME", 86400.0 / 60)) if claim.kind == "DURATION" else ()),
        *((("RATIO", 1.0),) if claim.kind == "NUMBER" else ()),
    ):
        held = index.sizes.get(kind, ())
        slack = FIGURES_ROUNDED * abs(claim.value)
        first = bisect.bisect_left(
            held, (min((claim.low - slack) * factor, (claim.high + slack) * factor), -1)
        )
        for value, here in held[first : first + ELSEWHERE]:
            if value > (claim.high + slack) * factor:
                break
            yield here

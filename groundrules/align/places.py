"""The numbers of the sources with the words that say what each is of: an index of places.

A number belongs to its sentence, list item or table cell; the words of its clause weigh most, those
of headings, lead-ins and the sentence before less.
"""

from __future__ import annotations

import bisect
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from groundrules import domain
from groundrules.align.limits import FIGURES_ROUNDED
from groundrules.align.measures import Number, lexicon
from groundrules.align.numbers import read_numbers
from groundrules.claims.english.fillers import OF_PLACES
from groundrules.claims.english.signals import JOINTS
from groundrules.claims.english.stems import uninflected_beginning

#: What the words of a heading, a lead-in and the sentence before weigh beside those of the clause.
_HEADING, _LEAD, _PREVIOUS = 0.35, 0.5, 0.2
#: How many passages bear on a statement.
NEAR = 8
#: How many equal numbers elsewhere in the source are looked at.
ELSEWHERE = 48
#: Postings longer than this tell nothing and cost time.
_COMMON = 4000


@dataclass(frozen=True, slots=True)
class Word:
    """A content word with its place and the number of its clause."""

    stem: str
    start: int
    clause: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, list item or table row of a source with the words that stand over it."""

    source: int
    start: int
    end: int
    words: tuple[Word, ...]
    heading: tuple[str, ...]
    lead: tuple[str, ...]
    columns: tuple[tuple[int, int, tuple[str, ...]], ...]  # cells of a table row with their header
    label: tuple[str, ...]
    header: int = -1  # where the header of the row's table begins
    marks: tuple[str, ...] = ()  # the units that header, corner or label give the cells
    leans: bool = False  # it begins with a pronoun: the sentence before says of whom it is


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
    """The numbers of the sources with the words around them; made once, read by `account`."""

    texts: tuple[str, ...]
    units: tuple[Unit, ...]
    numbers: tuple[Known, ...]
    inside: Mapping[int, tuple[int, ...]]
    postings: Mapping[str, tuple[int, ...]]
    sizes: Mapping[str, tuple[tuple[float, int], ...]]
    figures: Mapping[float, tuple[int, ...]]
    dates: Mapping[tuple[str, int], tuple[int, ...]]
    contexts: dict[int, Mapping[str, float]] = field(default_factory=dict)

    def weight(self, stem: str) -> float:
        """Return the inverse document frequency of a stem over the units."""
        return math.log(1.0 + (len(self.units) + 1) / (len(self.postings.get(stem, ())) + 0.5))


# --- words ----------------------------------------------------------------------------------

_WORD = re.compile(r"[A-Za-z\u00c0-\u02af\u0370-\u052f]+(?:['’][a-z]+)?|[0-9]+(?:[.,][0-9]+)*")
#: Where clauses end, as far as signs tell.
CLAUSE_END = re.compile(r"[,;:()\u2013\u2014]")


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


@lru_cache(maxsize=65536)
def words_of(text: str, start: int, end: int) -> tuple[Word, ...]:
    """Return the content words of a range with the number of their clause."""
    found: list[Word] = []
    clause, last = 0, start
    for match in _WORD.finditer(text, start, end):
        if CLAUSE_END.search(text, last, match.start()):
            clause += 1
        last = match.end()
        word = match[0].casefold()
        if word in JOINTS:
            clause += 1
        if word in OF_PLACES or word[0].isdigit():
            continue
        found.append(Word(sense(word), match.start(), clause))
    return tuple(found)


def stems_of(text: str, start: int, end: int) -> tuple[str, ...]:
    """Return the stems of the content words of a range."""
    return tuple(word.stem for word in words_of(text, start, end))


_MARKER_END = re.compile(r"\s*\(?[0-9]{1,3}(?:\.[0-9]{1,3})*(?:[.)]?[.)\s]\s?)?[A-Z]?")


# --- the index ------------------------------------------------------------------------------

_LINE = re.compile(r"[^\n]+")
_STOP_MARK = re.compile(r"[.?!;][\"”')\]]*\s+(?=[A-Z\"“(\[0-9])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|vs?|cf|e\.g|i\.e|approx|ca?))\.\s*\Z"
)
_ITEM = re.compile(
    r"\s*(?:\(?(?:[a-zA-Z]|[ivxIVX]{1,5}|[0-9]{1,3})[.)]|[0-9]+(?:\.[0-9]+)+\.?|[-*•·–—])\s"
)
_GAP = re.compile(r"\t+|[^\S\n]{2,}")
_RULE = re.compile(r"[\s|:+=-]+")


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    cells: tuple[tuple[int, int], ...]


def _lines(text: str) -> list[_Line]:
    return [
        _Line(match.start(), match.end(), _cells(text, match.start(), match.end()))
        for match in _LINE.finditer(text)
        if not match[0].isspace()
    ]


def _cells(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Return the cells of a line that is drawn as a table row, none for other lines."""
    line = text[start:end]
    if line.count("|") >= 2 or line.lstrip().startswith("|"):
        cells: list[tuple[int, int]] = []
        at = start + (len(line) - len(line.lstrip()))
        inner = line.strip()
        if inner.startswith("|"):
            at, inner = at + 1, inner[1:]
        inner = inner.removesuffix("|")
        for part in inner.split("|"):
            cells.append((at, at + len(part)))
            at += len(part) + 1
        return tuple(cells)
    begin = start + len(line) - len(line.lstrip())
    gaps = list(_GAP.finditer(text, begin, start + len(line.rstrip())))
    if not gaps:
        return ()
    edges = [begin, *(edge for gap in gaps for edge in gap.span()), start + len(line.rstrip())]
    return tuple(zip(edges[::2], edges[1::2], strict=True))


def _is_heading(text: str, line: _Line, following: _Line | None) -> bool:
    shown = text[line.start : line.end].strip()
    if shown.startswith("#"):
        return True
    if following is None or len(shown) > 80 or line.cells or shown[-1] in ".;,?!":
        return False
    if shown.startswith("**") and shown.endswith("**"):
        return True
    if shown[-1] == ":" or _ITEM.match(shown):
        return shown.isupper() or bool(re.fullmatch(r"[0-9.]+\s+[A-Z][\w ,'’&()-]{0,60}", shown))
    return len(shown.split()) <= 8 and not shown[:1].islower()


def _units(source: int, text: str, sentences: Sequence[tuple[int, int]]) -> Iterator[Unit]:
    """Yield the sentences and table rows of a source with what stands over them."""
    lines = _lines(text)
    starts = [line.start for line in lines]
    over: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    rows: dict[int, Unit] = {}
    headings: set[int] = set()
    heading: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    lead: tuple[str, ...] = ()
    header: _Line | None = None
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else None
        over.append(((*title[:12], *heading[:12]), lead))
        shown = text[line.start : line.end].strip()
        table = len(line.cells) > 1 and (
            shown.startswith("|")
            or (header is not None and number and bool(lines[number - 1].cells))
            or (
                following is not None
                and abs(len(following.cells) - len(line.cells)) <= 1
                and len(following.cells) > 1
            )
        )
        if table:
            if header is None:
                header = line
            if not _RULE.fullmatch(shown):
                rows[number] = _row(source, text, line, header, over[-1])
            continue
        header = None
        if _is_heading(text, line, following):
            stems = stems_of(text, line.start, line.end)
            headings.add(number)
            if number == 0:
                title = stems
            else:
                heading = stems
            lead = ()
        elif shown.endswith(":"):
            opened = max(shown.rfind(mark) for mark in ".;!?") + 1
            lead = stems_of(text, line.end - len(shown) + opened, line.end)[-14:]
        elif not _ITEM.match(text[line.start : line.end]):
            lead = ()
    done: set[int] = set()
    for begin, end in sentences:
        first = max(bisect.bisect_right(starts, begin) - 1, 0)
        last = bisect.bisect_left(starts, end)
        if any(number in rows for number in range(first, last)):
            for number in range(first, last):
                if number in done:
                    continue
                if number in rows:
                    done.add(number)
                    yield rows[number]
                    continue
                line = lines[number]
                yield from _split(
                    source, text, max(begin, line.start), min(end, line.end), over[number]
                )
            continue
        at, context = begin, over[first] if lines else ((), ())
        for number in range(first, last):
            # a heading that the splitter left with its text stands over it
            if number in headings and number + 1 < last:
                yield from _split(source, text, at, lines[number].end, context)
                at, context = lines[number].end, over[number + 1]
        yield from _split(source, text, at, end, context)


def _split(
    source: int, text: str, begin: int, end: int, over: tuple[tuple[str, ...], tuple[str, ...]]
) -> Iterator[Unit]:
    """Yield the sentences of a range, which may hold several."""
    at = begin
    if not text[begin:end].strip():
        return
    for mark in _STOP_MARK.finditer(text, begin, end):
        if _ITEM.fullmatch(text, at, mark.end()):
            continue  # the number of a clause is no sentence
        if _ABBREVIATED.search(text, max(at, mark.start() - 8), mark.end()):
            continue
        yield _sentence(source, text, at, mark.end(), over)
        at = mark.end()
    if at < end:
        yield _sentence(source, text, at, end, over)


_LEANS = re.compile(r"\s*(?:He|She|It|They|His|Her|Its|Their|This|That|These|Those)\s")


def _sentence(
    source: int, text: str, start: int, end: int, over: tuple[tuple[str, ...], tuple[str, ...]]
) -> Unit:
    leans = _LEANS.match(text, start, end) is not None
    return Unit(source, start, end, words_of(text, start, end), *over, (), (), leans=leans)


def _row(
    source: int, text: str, line: _Line, header: _Line,
    over: tuple[tuple[str, ...], tuple[str, ...]],
) -> Unit:  # fmt: skip
    """Return a table row: its first cell is its label, the header's cells name its columns."""
    label = stems_of(text, *line.cells[0])
    shift = len(line.cells) - len(header.cells)  # a plain header often lacks the first cell
    columns: list[tuple[int, int, tuple[str, ...]]] = []
    for number, (start, end) in enumerate(line.cells):
        above = number - shift if shift > 0 else number
        named = line is not header and 0 <= above < len(header.cells)
        columns.append((start, end, stems_of(text, *header.cells[above]) if named else ()))
    words = words_of(text, line.start, line.end)
    marks = tuple(_marks(text, line, header)) if line is not header else ()
    return Unit(
        source, line.start, line.end, words, *over, tuple(columns), label, header.start, marks
    )


_CELL_UNIT = re.compile(
    r"(?P<money>[\u00a3\u20ac$]|\b(?:EUR|USD|GBP|DKK|SEK|NOK|CHF|JPY|PLN|CZK|CAD|AUD|INR|CNY)\b)"
    r"(?:\s?(?P<scale>million|billion|thousand|bn|m|k)\b)?|(?P<percent>%|\bper\s?cent\b)"
    r"|(?:\bin\s|\(|,\s)(?P<unit>kg|g|km|m|cm|mm|m2|m\u00b2|ha|hectares|litres|l|kWh|MWh|GWh|MW|GW|tonnes|hours"
    r"|minutes|days|weeks|months|years|\u00b0C)\)?\s*\Z"
)


def _mark(text: str) -> str:
    """Return how a number of a cell under or beside a text is to be read: "DKK {} million"."""
    match = _CELL_UNIT.search(text)
    if match is None or _NUMERAL.search(text):
        return ""
    if match["money"]:
        return f"{match['money']} {{}} {match['scale'] or ''}".replace("\u20ac ", "\u20ac").strip()
    return "{} %" if match["percent"] else f"{{}} {match['unit']}"


_NUMERAL = re.compile(r"[0-9]")


def _marks(text: str, line: _Line, header: _Line) -> Iterator[str]:
    """Yield the unit that stands over each cell, in the corner of the table or in its label."""
    common = _mark(text[slice(*line.cells[0])])
    shift = len(line.cells) - len(header.cells)
    corner = text[slice(*header.cells[0])]
    counted = _NUMERAL.search(text[slice(*line.cells[0])])
    if not common and shift <= 0 and not (counted and _CELL_UNIT.sub("", corner).strip(" ()")):
        common = _mark(corner)  # one with words of its own is of its own column, where that counts
    for number in range(len(line.cells)):
        above = number - shift if shift > 0 else number
        named = number and 0 <= above < len(header.cells)
        yield (named and _mark(text[slice(*header.cells[above])])) or common if number else ""


def _measured(row: Unit, number: Number) -> Number:
    """Return the number of a cell with the unit that the table gives it elsewhere."""
    mark = next(
        (
            mark
            for (start, end, _), mark in zip(row.columns, row.marks, strict=True)
            if start <= number.start < end
        ),
        "",
    )
    if not mark or number.unit or not _PLAIN.fullmatch(number.text):
        return number
    read = _as_marked(mark, number.text)
    if read is None:
        return number
    return replace(
        number, kind=read.kind, unit=read.unit, value=read.value, low=read.low, high=read.high
    )


_PLAIN = re.compile(r"[0-9][0-9,.]*")


@lru_cache(maxsize=8192)
def _as_marked(mark: str, shown: str) -> Number | None:
    read = read_numbers(mark.format(shown))
    return read[0] if len(read) == 1 and read[0].kind != "NUMBER" else None


@lru_cache(maxsize=16)
def _numbers_in(text: str) -> tuple[Number, ...]:
    """Return the numbers of a source, which every check against it needs."""
    return read_numbers(text)


def index_figures(
    texts: Sequence[str], sentences: Sequence[Sequence[tuple[int, int]]]
) -> FigureIndex:
    """Return the index of the numbers of whole documents, given their sentence ranges."""
    units: list[Unit] = []
    numbers: list[Known] = []
    inside: dict[int, list[int]] = defaultdict(list)
    for source, (text, ranges) in enumerate(zip(texts, sentences, strict=True)):
        own = sorted(_units(source, text, ranges), key=lambda unit: (unit.start, unit.end))
        starts = [unit.start for unit in own]
        first = len(units)
        units.extend(own)
        for number in _numbers_in(text):
            line = max(text.rfind("\n", max(0, number.start - 8), number.start), number.start - 8)
            if _MARKER_END.fullmatch(text[line + 1 : number.end + 2]):
                number = replace(number, unit="nth", soft=True)
            place = bisect.bisect_right(starts, number.start) - 1
            if place < 0:
                continue
            if own[place].marks and number.kind == "NUMBER" and not number.soft:
                number = _measured(own[place], number)
            inside[first + place].append(len(numbers))
            numbers.append(Known(number, source, first + place))
    postings: dict[str, list[int]] = defaultdict(list)
    for here, unit in enumerate(units):
        headers = (name for _, _, header in unit.columns for name in header)
        own_words = (word.stem for word in unit.words)
        for name in dict.fromkeys((*own_words, *unit.heading, *unit.lead, *headers)):
            postings[name].append(here)
    sizes: dict[str, list[tuple[float, int]]] = defaultdict(list)
    figures: dict[float, list[int]] = defaultdict(list)
    dates: dict[tuple[str, int], list[int]] = defaultdict(list)
    for here, known in enumerate(numbers):
        number = known.number
        figures[number.raw].append(here)
        if number.day is not None:
            for name, part in zip("ymd", number.day, strict=True):
                if part is not None:
                    dates[name, part].append(here)
        else:
            sizes[number.kind].append((number.value, here))
    return FigureIndex(
        tuple(texts),
        tuple(units),
        tuple(numbers),
        {unit: tuple(held) for unit, held in inside.items()},
        {name: tuple(held) for name, held in postings.items()},
        {kind: tuple(sorted(held)) for kind, held in sizes.items()},
        {raw: tuple(held) for raw, held in figures.items()},
        {part: tuple(held) for part, held in dates.items()},
    )


# --- the words around a number --------------------------------------------------------------


def _near(start: int, clause: int, at: int, here: int) -> float:
    """Return what a word weighs at a distance in code points and clauses from a number."""
    return 0.65 ** min(abs(clause - here), 4) / (1.0 + abs(start - at) / 60.0)


def words_around(words: Sequence[Word], start: int, end: int) -> dict[str, float]:
    """Return the stems around a number with their weights; words within it do not count."""
    here = 0
    for word in words:
        if word.start > start:
            break
        here = word.clause
    else:
        here = words[-1].clause if words else 0
    after = next((word.clause for word in words if word.start >= end), here)
    found: dict[str, float] = {}
    for word in words:
        if start <= word.start < end:
            continue
        clause = after if word.start >= end and word.clause == after else here
        weight = _near(word.start, word.clause, start if word.start < start else end, clause)
        found[word.stem] = max(found.get(word.stem, 0.0), weight)
    return found


def context_of(index: FigureIndex, here: int) -> Mapping[str, float]:
    """Return the stems that say what a number of the source is of, with their weights."""
    if here in index.contexts:
        return index.contexts[here]
    known = index.numbers[here]
    unit = index.units[known.unit]
    number = known.number
    if unit.columns:
        found: dict[str, float] = dict.fromkeys(unit.label, 1.0)
        for start, end, header in unit.columns:
            if start <= number.start < end:
                found.update(dict.fromkeys(header, 1.0))
                for word in unit.words:
                    if start <= word.start < end:
                        found[word.stem] = 1.0
    else:
        found = words_around(unit.words, number.start, number.end)
    over = [(unit.lead, _LEAD), (unit.heading, _HEADING)]
    if known.unit and index.units[known.unit - 1].source == unit.source and not unit.columns:
        before = index.units[known.unit - 1]
        weight = _HEADING if unit.leans else _PREVIOUS
        over.append((tuple(word.stem for word in before.words), weight))
    for stems, weight in over:
        for name in stems:
            found[name] = max(found.get(name, 0.0), weight)
    if len(index.contexts) < 20000:
        index.contexts[here] = found
    return found


def similarity_to(index: FigureIndex, claimed: Mapping[str, float], here: int) -> float:
    """Return how far the words around a claimed number are found around one of the source, 0..1."""
    known = context_of(index, here)
    whole = met = 0.0
    for name, weight in claimed.items():
        gain = weight * index.weight(name)
        whole += gain
        if name in known:
            met += gain * min(1.0, 0.3 + known[name])
    return met / whole if whole else 0.0


# --- finding ----


def bearing_on(index: FigureIndex, words: Sequence[Word], before: Sequence[str]) -> list[int]:
    """Return the units that bear on a statement, nearest first."""
    gains: dict[str, float] = {word.stem: 1.0 for word in words}
    for number, said in enumerate(before[:2]):
        for name in stems_of(said, 0, len(said)):
            gains.setdefault(name, 0.25 / (number + 1))
    score: dict[int, float] = defaultdict(float)
    leaning: dict[int, float] = {}
    for name, gain in gains.items():
        held = index.postings.get(name, ())
        if len(held) > _COMMON:
            continue
        gain *= index.weight(name)
        for place in held:
            score[place] += gain
    for place in [place for place in score if place + 1 < len(index.units)]:
        after = index.units[place + 1]
        if after.leans and after.source == index.units[place].source:
            leaning[place + 1] = 0.5 * score[place]
    for place, gain in leaning.items():
        score[place] += gain
    ranked = sorted(score, key=lambda n: (-score[n] / (8 + len(index.units[n].words)) ** 0.25, n))
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

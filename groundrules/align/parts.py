"""Which of several figures of a sentence, list or table each word is said of: its parts.

"0.94 on the first set and 0.84 on the second" has two parts with one beginning. A claim speaks of
the figure whose part alone has all of its words; where that is none or several, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from groundrules.align.measures import Number, agree
from groundrules.align.operands import column_of, header_of, rows_of
from groundrules.align.parses import parse
from groundrules.align.places import FigureIndex, Unit, sense
from groundrules.claims.english import ARTICLES, POSSESSIVES
from groundrules.claims.english.alternations import NOT_COUNTED, NOT_NUMBERED
from groundrules.claims.english.fillers import OF_PARTS

#: How many figures of a sentence, and how many rows and items around it, are told apart.
MOST_FIGURES, MOST_ROWS = 24, 40
#: The kinds of figures that tell when.
WHEN = frozenset({"DATE", "TIME"})
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?|[0-9]+(?:[.,][0-9]+)*")
#: What separates two parts, the strongest last.
_SEPARATORS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?i:\b(?:and|or|to|then|versus|vs|against)\b)",
        r",",
        r"(?i:,\s*(?:and|but|or|while|whereas|then)\b|\b(?:but|while|whereas)\b)",
        r";|:\s|\n|[.?!]\s|\s[–—]\s",
    )
)
_OPENS = re.compile(r"\(\s*\Z")
_CLOSES = re.compile(r"\s*+(?:[^\s,;()]++\s*+)?\)")
#: What joins a figure to the words before it: a verb, or nothing.
_VERB, _NEXT = "verb", "next"
_BREAK = re.compile(r"[,;:()–—]")
_RESPECTIVELY = re.compile(r"(?i:\brespectively\b)")
_BETWEEN_ITEMS = re.compile(r"(?i:,\s*(?:and|or)\b|,|\b(?:and|or)\b)")
_DETERMINERS = ARTICLES | POSSESSIVES
_DRAWN = re.compile(r"[\n|\t]|\.{4}|\s{3}")
_ITEM = re.compile(r"\s*(?:\(?(?:[a-zA-Z]|[ivxIVX]{1,5}|[0-9]{1,3})[.)]|[-*•·–—])\s")

#: What stands before a number that tells one thing from others of a kind: "platform 2".
_LABEL = re.compile(
    r"(?i:\b(?:claims?|sections?|clauses?|platforms?|units?|examples?|papers?|versions?|phases?|levels?"
    r"|parts?|annex|steps?|tombs?|numbers?|no\.|pages?|grades?|class|figures?|tables?|chapters?|box"
    r"|type|track|route|line|rule|item|ground|articles?|schedule|bus|room|gate|trench|form|leaflet"
    r"|policy|zone|lot|plot|stage|group|release|band|model|week|day|year|score)\s)\Z"
)
_NAMED, _NAMING = re.compile(r"\b[A-Z][\w'’-]{0,60}\s\Z"), re.compile(r"\s[A-Z][a-z]")
_NUMBERED = re.compile(
    rf"(?:\b(?i:in|at|on|of|for|to|from)\s)(?!(?:{NOT_NUMBERED})\b)[a-z]{{3,}}\s\Z"
)
_COUNTED = re.compile(rf"[\s-](?!(?:{NOT_COUNTED})\b)[a-z]|%")


def names(text: str, number: Number) -> bool:
    """Say whether a number is part of a name: group 2, the second, Llama 4 Scout."""
    if number.unit == "nth":
        return True
    if number.kind != "NUMBER" or number.raw % 1 or number.text[:1] not in "0123456789":
        return False
    before = text[max(0, number.start - 20) : number.start]
    if _NAMED.search(before):
        return _NAMING.match(text, number.end) is not None
    if _LABEL.search(before):
        return True
    if not number.bare or number.hedge or _COUNTED.match(text, number.end):
        return False
    return _NUMBERED.search(before) is not None


@dataclass(frozen=True, slots=True)
class Part:
    """A figure with the words said of it.

    `own` are said of it alone, `every` all that can be, those it shares or leaves unsaid too;
    `asked` must be there where the words fit several parts.
    """

    number: Number
    here: int
    own: frozenset[str]
    every: frozenset[str]
    asked: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Word:
    """A word with its stem and place; `link` says that it names nothing: a verb, "of", "the"."""

    stem: str
    start: int
    end: int
    link: str = ""
    idle: bool = False


@dataclass(frozen=True, slots=True)
class _Slot:
    """A figure of a sentence with the words before and after it.

    `named` are those of the noun phrase next before it, `joined` what joins that to the figure;
    `rank` is the strength of the separator behind it, -1 where there is none.
    """

    number: Number
    here: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    named: frozenset[str]
    joined: str
    rank: int


# --- the parts of a sentence ------------------------------------------------------------------


def parts_of(
    text: str, start: int, end: int, numbers: Sequence[tuple[int, Number]], *,
    when: bool = False, parsed: bool = True,
) -> list[Part]:  # fmt: skip
    """Return the parts of a sentence, one for each of its figures that is no name.

    With `when` its dates and times are the figures, else they are words as others are. Unless it
    is `parsed`, verbs count as other words do.
    """
    figures = [
        (here, number)
        for here, number in numbers
        if not number.soft
        and (number.kind in WHEN) is when
        and not (number.unit == "times" and number.kind == "RATIO")
        and not names(text, number)
    ]
    if not figures or len(figures) > MOST_FIGURES:
        return []
    words = _words(text, start, end)
    if parsed:
        verbs = _verbs(text[start:end])
        words = tuple(
            replace(word, link=verbs.get(word.start - start, word.link)) for word in words
        )
    slots = _slots(text, start, end, figures, words)
    linked = frozenset(word.stem for word in words if word.link == _VERB)
    told = _respectively(text, start, slots) or _grid(slots) or list(_listed(slots, linked))
    return [replace(part, asked=part.asked - linked or part.asked) for part in told]


def _slots(
    text: str, start: int, end: int, figures: Sequence[tuple[int, Number]], words: Sequence[_Word]
) -> list[_Slot]:
    edges, ranks = [start], []
    for (_, one), (_, other) in pairwise(figures):
        at, rank = _cut(text, one, other)
        edges.append(at)
        ranks.append(rank)
    edges.append(end)
    ranks.append(-1)
    out = []
    for count, (here, number) in enumerate(figures):
        first, last = edges[count], edges[count + 1]
        # where nothing separates two figures, the words between are said of both
        if count and ranks[count - 1] < 0:
            first = figures[count - 1][1].end
        if ranks[count] < 0 and count + 1 < len(figures):
            last = figures[count + 1][1].start
        before = [word for word in words if first <= word.start < number.start]
        after = [word for word in words if number.end <= word.start < last]
        joined, named = _named(text, start, number.start, before)
        out.append(
            _Slot(
                number, here, _stems(before), _stems(after), frozenset(named), joined, ranks[count]
            )
        )
    return out


def _stems(words: Iterable[_Word]) -> tuple[str, ...]:
    return tuple(word.stem for word in words if not word.idle)


@lru_cache(maxsize=4096)
def _words(text: str, start: int, end: int) -> tuple[_Word, ...]:
    """Return the words of a range; those that tell nothing are idle."""
    found = []
    for match in _TOKEN.finditer(text, start, end):
        word, low = match[0], match[0].casefold()
        # "drug A", not "A drug"
        letter = len(word) == 1 and word.isupper() and match.start() > start
        idle = low in OF_PARTS and not letter
        link = low if idle else ""
        found.append(_Word(low if letter else sense(low), match.start(), match.end(), link, idle))
    return tuple(found)


def _named(text: str, begin: int, at: int, before: Sequence[_Word]) -> tuple[str, list[str]]:
    """Return what joins a figure to the noun phrase before it, and the words of that.

    `begin` is where the sentence begins.
    """
    left = list(before)
    joined = _NEXT
    while left and left[-1].link and left[-1].link not in _DETERMINERS:
        if left[-1].link == _VERB and joined not in (_NEXT, _VERB):
            break  # what a preposition follows is no verb, whatever the tagger says
        joined = left.pop().link
    found: list[_Word] = []
    end = left[-1].end if left else at
    while left and not _BREAK.search(text, left[-1].end, end):
        if left[-1].link and (found or left[-1].link != _VERB):
            break
        end = left[-1].start
        found.append(left.pop())
    # of "candidate Moreau" the name
    proper = [word for word in found if text[word.start].isupper() and word.start > begin]
    if proper and proper[0] is found[0]:
        found = proper
    return joined, [word.stem for word in found]


def _cut(text: str, one: Number, other: Number) -> tuple[int, int]:
    """Return where the words between two figures divide, and how strong that separator is."""
    gap = text[one.end : other.start]
    begin = _OPENS.search(text, max(0, one.start - 3), one.start)
    closed = _CLOSES.match(gap)
    if begin and closed and not text[: begin.start()].rstrip()[-1:].isdigit():
        return one.end + closed.end(), len(_SEPARATORS)
    for rank in range(len(_SEPARATORS) - 1, -1, -1):
        found = list(_SEPARATORS[rank].finditer(gap))
        if found:
            return one.end + found[-1].start(), rank
    return one.end, -1


def _listed(slots: Sequence[_Slot], verbs: frozenset[str]) -> Iterator[Part]:
    """Yield the parts of an enumeration: a later one may leave out what an earlier one has.

    A part with a verb of its own has no other.
    """
    rest = slots[1:]
    opened = [slot for slot in rest if slot.before]
    width = max((len(slot.after) for slot in slots[:-1]), default=0)
    # what more the last has than the others is said of all of them
    tail = frozenset(slots[-1].after[width:]) if rest else frozenset()
    earlier: frozenset[str] = frozenset()
    for count, slot in enumerate(slots):
        after = frozenset(slot.after) - (frozenset() if count < len(rest) else tail)
        own = frozenset(slot.before) | after
        asked = own
        if not count and rest:
            if not opened and all(other.after for other in slots):
                asked = after
            elif opened and all(  # joined alike to what is before them: "a recall of"
                (slot.joined, other.joined) == (_VERB, _NEXT) or slot.joined == other.joined
                for other in opened
            ):
                asked = slot.named | after
        lent = earlier - verbs if own & verbs else earlier
        yield Part(slot.number, slot.here, own, own | lent | tail, asked)
        earlier |= own


def _grid(slots: Sequence[_Slot]) -> list[Part]:
    """Return the parts of rows that name their columns once: "A has 3 x and 4 y, B 5 and 6"."""
    for width in range(2, len(slots) // 2 + 1):
        if len(slots) % width:
            continue
        rows = [slots[at : at + width] for at in range(0, len(slots), width)]
        within = max(slot.rank for row in rows for slot in row[:-1])
        if min(row[-1].rank for row in rows[:-1]) > within and (found := _columns(rows)):
            return found
    return []


def _columns(rows: Sequence[Sequence[_Slot]]) -> list[Part]:
    first, rest = rows[0], rows[1:]
    if any(slot.before for row in rest for slot in row[1:]):
        return []
    for row in rest:
        for slot, top in zip(row[:-1], first, strict=False):
            if not {*slot.after} <= {*top.after}:
                return []
    columns = [frozenset(slot.after) for slot in first]
    labels = [frozenset(row[0].before) for row in rows]
    opening: frozenset[str] = frozenset()
    ends = [frozenset(row[-1].after) for row in rows]
    tail: frozenset[str] = frozenset()
    if all(slot.before for slot in first):
        opening = first[0].named
        columns[0] |= opening
        for count, slot in enumerate(first[1:], 1):
            columns[count] |= frozenset(slot.before)
        if not any(labels[1:]) and all(ends) and len({*ends}) == len(ends):
            # "before surgery, … after surgery"
            columns[-1] -= ends[0]
            labels = [label | end for label, end in zip(labels, ends, strict=True)]
    elif not all(columns):
        return []
    if any(ends[1:]) and not any(ends[1:-1]) and not ends[-1] <= ends[0]:
        tail = ends[-1]
    labels[0] -= opening
    if not all(labels[1:]):
        return []
    common = labels[0]
    out = []
    for row, label in zip(rows, labels, strict=True):
        for slot, column, top in zip(row, columns, first, strict=True):
            own = label | column
            number = _lent(slot.number, top.number)
            out.append(Part(number, slot.here, own, own | common | tail, own))
    return out


def _lent(number: Number, by: Number) -> Number:
    """Return a bare number with the unit that another one of its column or list has."""
    if number.kind != "NUMBER" or number.unit or number.noun or by.kind == "NUMBER" or not by.raw:
        return number
    if by.kind in {"DATE", "TIME"}:
        return number
    size = number.raw * by.value / by.raw
    return replace(number, kind=by.kind, unit=by.unit, value=size, low=size, high=size)


def _respectively(text: str, start: int, slots: Sequence[_Slot]) -> list[Part]:
    """Return the parts of as many things and figures that stand in one order, "respectively"."""
    first, last = slots[0], slots[-1]
    if len(slots) < 2 or not _RESPECTIVELY.search(text, last.number.end, last.number.end + 60):
        return []
    if any(slot.before for slot in slots[1:]) or any(slot.after for slot in slots[:-1]):
        return []
    pieces: list[tuple[int, int]] = []
    at = start
    for mark in _BETWEEN_ITEMS.finditer(text, start, first.number.start):
        pieces.append((at, mark.start()))
        at = mark.end()
    pieces.append((at, first.number.start))
    items = [stems for piece in pieces if (stems := _stems(_words(text, *piece)))]
    before = [stem for item in items[: -len(slots)] for stem in item]
    items = items[-len(slots) :]
    if len(items) != len(slots):
        return []
    width = max((len(item) for item in items[1:-1]), default=1)
    named = [items[0][-width:], *items[1:-1], items[-1][:width]]
    common = frozenset([*before, *items[0][:-width], *items[-1][width:], *last.after])
    out = []
    for slot, item in zip(slots, named, strict=True):
        own = frozenset(item)
        number = _lent(slot.number, last.number)
        out.append(Part(number, slot.here, own, own | common, own))
    return out


@lru_cache(maxsize=2048)
def _verbs(sentence: str) -> Mapping[int, str]:
    """Return the places of the verbs of a sentence, which name no part of it."""
    return {token.idx: _VERB for token in parse(sentence) if token.pos_ in {"VERB", "AUX"}}


# --- lists and tables -------------------------------------------------------------------------


def _group(index: FigureIndex, here: int) -> list[int]:
    """Return the units that a unit has its words with: rows, items, what semicolons divide."""
    unit = index.units[here]
    if unit.columns:
        return rows_of(index, here)[:MOST_ROWS]
    text = index.texts[unit.source]
    if _ITEM.match(text, unit.start, unit.end):
        return _run(index, here, _listed_with)
    return _run(index, here, _goes_on)


def _run(index: FigureIndex, here: int, joined: Callable[[FigureIndex, int], bool]) -> list[int]:
    """Return the units around one of which each is joined to the next."""
    first = last = here
    while first and here - first < MOST_ROWS and joined(index, first - 1):
        first -= 1
    while last + 1 < len(index.units) and last - here < MOST_ROWS and joined(index, last):
        last += 1
    return list(range(first, last + 1))


def _goes_on(index: FigureIndex, here: int) -> bool:
    """Say whether a unit ends with a semicolon, so that the next is of the same sentence."""
    one, other = index.units[here], index.units[here + 1]
    if one.source != other.source or one.columns or other.columns:
        return False
    return index.texts[one.source][one.start : one.end].rstrip(" ").endswith(";")


def _listed_with(index: FigureIndex, here: int) -> bool:
    """Say whether a unit and the next are items of one list."""
    one, other = index.units[here], index.units[here + 1]
    text = index.texts[one.source]
    return (one.source, one.lead, one.heading) == (other.source, other.lead, other.heading) and all(
        _ITEM.match(text, unit.start, unit.end) for unit in (one, other)
    )


def _around(index: FigureIndex, group: Sequence[int], when: bool, parsed: bool) -> Iterator[Part]:
    """Yield the parts of the units of a group."""
    unit = index.units[group[0]]
    text = index.texts[unit.source]
    if unit.columns:
        for row in group:
            yield from _cells(index, row)
        return
    wholes = [[here] for here in group] if _ITEM.match(text, unit.start, unit.end) else [group]
    for whole in wholes:
        held = [
            (at, index.numbers[at].number) for here in whole for at in index.inside.get(here, ())
        ]
        start, end = index.units[whole[0]].start, index.units[whole[-1]].end
        yield from parts_of(text, start, end, held, when=when, parsed=parsed)


def _cells(index: FigureIndex, row: int) -> Iterator[Part]:
    """Yield the cells of a table row, each said of its row and its column."""
    unit = index.units[row]
    text = index.texts[unit.source]
    label = frozenset(_stems(_words(text, *unit.columns[0][:2])))
    for at in index.inside.get(row, ()):
        column = column_of(index, at)
        if not column or index.numbers[at].number.soft:
            continue
        own = label.union(_head(index, row, column))
        yield Part(index.numbers[at].number, at, own, own, own)


def _head(index: FigureIndex, row: int, column: int) -> tuple[str, ...]:
    """Return the words at the head of a column but for those in brackets, its unit."""
    above = header_of(index, row)
    if above is None:
        return ()
    cells = index.units[above].columns
    column -= max(len(index.units[row].columns) - len(cells), 0)  # as places.py reads them
    if not 0 <= column < len(cells):
        return ()
    text = index.texts[index.units[above].source]
    start, end = cells[column][:2]
    bracket = text.find("(", start, end)
    return _stems(_words(text, start, end if bracket <= start else bracket))


def _over(index: FigureIndex, unit: Unit, here: int) -> frozenset[str]:
    """Return the words that stand over a unit: headings, the lead-in, the corner of the table."""
    over = {*unit.heading, *unit.lead}
    if unit.leans and here:
        over.update(word.stem for word in index.units[here - 1].words)
    if unit.columns:
        over.update(_head(index, here, 0))
    return frozenset(over)


def _vocabulary(index: FigureIndex, group: Sequence[int]) -> Iterator[str]:
    """Yield the words of some units, of a table those at the heads of its columns too."""
    for here in group:
        unit = index.units[here]
        yield from _stems(_words(index.texts[unit.source], unit.start, unit.end))
    if group and (header := header_of(index, group[0])) is not None:
        unit = index.units[header]
        yield from _stems(_words(index.texts[unit.source], unit.start, unit.end))


# --- what a claim speaks of -------------------------------------------------------------------


def words_on(
    statement: str, claim: Number, read: Iterable[Number]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that a statement says of one of its figures, and those it says of any."""
    if _DRAWN.search(statement.strip()):
        return frozenset(), frozenset()  # a row of a table says by its place what is of what
    numbers = list(enumerate(read))
    when = claim.kind in WHEN
    parts = parts_of(statement, 0, len(statement), numbers, when=when, parsed=False)
    own = (part.own for part in parts if part.number.start == claim.start)
    return next(own, frozenset()), frozenset().union(*(part.own for part in parts))


def covers(index: FigureIndex, here: int, said: frozenset[str]) -> bool:
    """Say whether a unit, with what it has its words with and what stands over it, has words."""
    over = _over(index, index.units[here], here)
    return said <= over.union(_vocabulary(index, _group(index, here) or [here]))


@dataclass(frozen=True, slots=True)
class Referent:
    """What a claim speaks of in a unit: the one part, None if none is clear, and all that fit.

    `parts` are all of its measure; `several` says that it has the words of more than one.
    """

    part: Part | None
    fit: tuple[Part, ...]
    parts: tuple[Part, ...]
    several: bool = False

    def gives(self, claim: Number) -> bool:
        """Say whether the figure of any part bears out a claimed one."""
        return any(agree(claim, part.number) for part in self.parts)


def _measures(number: Number, claim: Number) -> bool:
    """Say whether a number is of the measure of a claim, or may be lent it."""
    return number.measure == claim.measure or (number.kind == "NUMBER" and not number.unit)


def referent_of(
    index: FigureIndex, here: int, claim: Number, said: frozenset[str]
) -> Referent | None:
    """Return what a claim speaks of in a unit, or in the list or table that the unit stands in.

    None where that has no figure of its measure, of days and times not several, or lacks one of
    its words.
    """
    unit = index.units[here]
    group = _group(index, here)
    held = (index.numbers[at].number for other in group for at in index.inside.get(other, ()))
    least = 2 if claim.kind in WHEN else 1  # one thing has a day for each thing that happens to it
    if sum(_measures(number, claim) for number in held) < least:
        return None
    if not covers(index, here, said):
        return None
    around = _around(index, group, claim.kind in WHEN, parsed=True)
    parts = [part for part in around if part.number.measure == claim.measure]
    if len(parts) < least:
        return None
    over = _over(index, unit, here)
    fit = tuple(part for part in parts if said <= part.every | over)
    full = [part for part in parts if part.asked and part.asked <= said]
    if not full:
        return Referent(fit[0] if len(fit) == 1 else None, fit, tuple(parts))
    best = max(full, key=lambda part: len(part.asked))
    if any(not part.asked < best.asked for part in full if part is not best):
        return Referent(None, fit, tuple(parts), several=True)
    return Referent(best if best in fit else None, fit, tuple(parts))

"""Which of several figures of a sentence each word is said of: its parts.

"0.94 on the first set and 0.84 on the second" has two parts with one beginning. A claim speaks of
the figure whose part alone has all of its words; where that is none or several, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from groundrules.align.parses import parse
from groundrules.align.places import FigureIndex, sense
from groundrules.claims.english import ARTICLES, POSSESSIVES
from groundrules.claims.english.alternations import NOT_COUNTED, NOT_NUMBERED
from groundrules.claims.english.fillers import OF_PARTS
from groundrules.claims.values.measures import Number

#: How many figures of a sentence are told apart.
MOST_FIGURES = 24
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
#: What tells that figures stand in the order of their things, apart from them.
_RESPECTIVELY = re.compile(r"(?i:\brespectively\b)")
_DETERMINERS = ARTICLES | POSSESSIVES
_ENDS_CLAUSE = re.compile(r" ?(?:[.,;]|\Z|(?<= )(?:and|but|or)\b)")
_DRAWN = re.compile(r"[\n|\t]|\.{4}|\s{3}")

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
    if not 0 < len(figures) <= MOST_FIGURES or _RESPECTIVELY.search(text, start, end):
        return []
    words = _words(text, start, end)
    if parsed:
        verbs = _verbs(text[start:end])
        words = tuple(
            replace(word, link=verbs.get(word.start - start, word.link)) for word in words
        )
    slots = _slots(text, start, end, figures, words)
    linked = frozenset(word.stem for word in words if word.link == _VERB)
    told = _listed(slots, linked)
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


@lru_cache(maxsize=2048)
def _verbs(sentence: str) -> Mapping[int, str]:
    """Return the places of the verbs of a sentence, which name no part of it."""
    return {token.idx: _VERB for token in parse(sentence) if token.pos_ in {"VERB", "AUX"}}


# --- what a claim speaks of -------------------------------------------------------------------


def words_on(statement: str, claim: Number, read: Iterable[Number]) -> frozenset[str]:
    """Return the words that a statement says of one of its figures."""
    if _DRAWN.search(statement.strip()):
        return frozenset()  # a row of a table says by its place what is of what
    when, numbers = claim.kind in WHEN, list(enumerate(read))
    parts = parts_of(statement, 0, len(statement), numbers, when=when, parsed=False)
    return next((part.own for part in parts if part.number.start == claim.start), frozenset())


def referent_of(
    index: FigureIndex, here: int, claim: Number, said: frozenset[str]
) -> tuple[Part | None, tuple[Part, ...]]:
    """Return the one part of a sentence that a claim speaks of, if one is clear, and all that fit.

    Neither where the sentence has no figure of its measure, of days and times not several, or lacks
    one of its words.
    """
    unit = index.units[here]
    text = index.texts[unit.source]
    held = [(at, index.numbers[at].number) for at in index.within(here)]
    around = parts_of(text, *unit.sentence, held, when=claim.kind in WHEN)
    parts = [part for part in around if part.number.measure == claim.measure]
    least = 2 if claim.kind in WHEN else 1  # a thing has a day for each thing that happens to it
    over = frozenset(unit.over)
    if unit.cells or len(parts) < least or not said <= over.union(*(one.every for one in around)):
        return None, ()
    if claim.kind != "NUMBER" and any(_lacks_unit(text, number) for _, number in held):
        return None, ()
    fit = tuple(part for part in parts if said <= part.every | over)
    full = [part for part in parts if part.asked and part.asked <= said]
    if not full:
        return (fit[0] if len(fit) == 1 else None), fit
    best = max(full, key=lambda part: len(part.asked))
    alone = all(part.asked < best.asked for part in full if part is not best)
    return (best if alone and best in fit else None), fit


def _lacks_unit(text: str, number: Number) -> bool:
    """Return whether a number leaves its unit to the one before: "two years and labour for one"."""
    bare = number.kind == "NUMBER" and not number.unit and not number.noun
    return bare and _ENDS_CLAUSE.match(text, number.end) is not None

"""A sentence, or a part of it, as a whole clause that the relation lexicon knows word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import cast

from rdflib.term import Literal

from groundrules.calendar import DATES
from groundrules.claims.english.alternations import SAID_TO_BE
from groundrules.claims.english.attributes import (
    BOUNDS,
    COUNTRIES,
    NOT_QUITE,
    OFFICES,
    STRETCHES,
    TIME_LEADS,
)
from groundrules.kb.link.properties import words
from groundrules.kb.read.divisions import divided
from groundrules.kb.read.relational import (
    DATED,
    Bound,
    Clause,
    Exclusion,
    Length,
    Relational,
    Sentence,
    kind_of,
    range_in,
    timeless,
)
from groundrules.kb.read.relational import TIMES as DAYS
from groundrules.kb.read.timing import Relation
from groundrules.kb.read.wording_slots import (
    LINK,
    aged,
    compared,
    counted,
    parts_of,
    related,
    slots_in,
)
from groundrules.terms import GR, Span

_PLURAL = re.compile(r"\[X\] (?:both )?(?:were|are|have)\b")
_BOUNDED = re.compile(rf"(?i)\b(?:in )?({'|'.join(sorted(BOUNDS, key=len, reverse=True))}) \[Y\]")
_SAID_TO_BE = re.compile(rf"(?:{SAID_TO_BE}) (?:the )?(?=[A-Z]|[a-z]+(?: [a-z]+)? (?:of|for) )")
_TITLED = re.compile(rf"(?:The |the )?(?:{OFFICES}) (?=[A-Z])")
#: Events by what stands behind the name of whom they befell.
_PEOPLE = re.compile(
    rf"\b(?:an?|the|has|had|holds|held|is|was)(?: former)? (?:{'|'.join(COUNTRIES)})\b"
)
#: The words of a wording that tells no relation.
_BARE = frozenset(("[X]", "[Y]", "be", "a"))
#: Before a land that a people stands for; what a rewording puts there is of no text.
_OF_A_LAND = re.compile(r"\b(?:of|in) \[Y\]")
_STRETCH = re.compile(STRETCHES)
_SINGULAR = re.compile(r"\[X\] (?:is|was|has|does)\b")
#: What makes "never" stronger and says nothing else.
_EVER = re.compile(r",? ever\b,?(?= )")
_NO_MORE = re.compile(r" (?:anymore|any more|any longer)$")
_CALLED = re.compile(rf"['’]s? (?:[a-z]|CEO)|(?:{'|'.join(COUNTRIES)}) [a-z]")
#: What is told of something, as "announced" of a death, is dated by a day that is none of its own.
_TOLD_OF = re.compile(r" (?:is|was|are|were) \[Y\]$")
#: How often a clause of a clause is taken apart.
_DEEPEST = 5


def surface(sentence: Sentence) -> tuple[list[Relational], bool]:
    """Read the sentence, or parts of it, as clauses of the lexicon; True if nothing is left."""
    readings: _Readings = {}
    clause = _clause(sentence)
    reading = _whole(sentence, clause, _DEEPEST, readings) if clause else _Reading()
    return [*reading.found], reading.whole


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was found in a clause, whether that is all, and how many of its ends name nothing."""

    found: tuple[Relational, ...] = ()
    whole: bool = False
    unnamed: int = 0

    @property
    def rank(self) -> tuple[int, int]:
        """The better the less: the fewer ends name nothing, then the more was found."""
        return self.unnamed, -len(self.found)


_Readings = dict[tuple[Clause, int], _Reading]


def _whole(sentence: Sentence, clause: Clause, depth: int, readings: _Readings) -> _Reading:
    """Read a clause, or all the clauses that it comes to; what is read of one is kept.

    A reading between names and values goes before one between phrases that name nothing.
    """
    known = readings.get((clause, depth))
    if known is None:
        readings[clause, depth] = _Reading()  # a clause is not read by way of itself
        known = readings[clause, depth] = _divided(sentence, clause, depth, readings)
    return known


def _divided(sentence: Sentence, clause: Clause, depth: int, readings: _Readings) -> _Reading:
    if depth and _PEOPLE.search(clause.text) and not _of_a_people(sentence, clause):
        # "a German physicist" says two things, of which one word names the land
        for parts in divided(sentence, clause):
            pieces = [_whole(sentence, part, depth - 1, readings) for part in parts]
            if all(piece.whole for piece in pieces):
                return _together(pieces)
    direct = _direct(sentence, clause)
    # a clause that says what was done, when and by whom, may be one on each
    dated = any(
        one.at is not None and one.how == "holding" and not one.moment for one in direct.found
    )
    if (direct.whole and not direct.unnamed and not dated) or not depth or clause.exclusion:
        return direct
    whole, kept = direct if direct.whole else None, _Reading()
    for parts in divided(sentence, clause):
        pieces = [_whole(sentence, part, depth - 1, readings) for part in parts]
        read = _together(pieces)
        if read.whole and not read.unnamed:
            return read
        if read.whole and (whole is None or read.rank < whole.rank):
            whole = read
        kept = kept if kept.found else read
    return whole or kept


def _of_a_people(sentence: Sentence, clause: Clause) -> bool:
    """Whether the word for a people is a value by itself: "the official language is English"."""
    direct = _direct(sentence, clause)
    return direct.whole and not direct.unnamed and all(
        sentence.text(one.object) in COUNTRIES and not _BARE.issuperset(words(one.phrase))
        for one in direct.found
    )  # fmt: skip


def _together(pieces: Sequence[_Reading]) -> _Reading:
    return _Reading(
        tuple(one for piece in pieces for one in piece.found),
        all(piece.whole for piece in pieces),
        sum(piece.unnamed for piece in pieces),
    )


def _direct(sentence: Sentence, clause: Clause) -> _Reading:
    """Read a clause as it stands."""
    found = _read(sentence, clause)
    nouns = {*sentence.nouns, *map(sentence.trimmed, sentence.nouns)}
    names = {*sentence.anchors()} - nouns
    titled = sum(bool(_TITLED.match(sentence.text(one.subject))) for one in found)
    ends = [end for one in found for end in {one.subject, one.object}]
    unnamed = titled + sum(end not in names for end in ends)
    # what is called by another thing's name is that, and no office
    unnamed += sum(bool(_CALLED.search(sentence.text(one.object))) for one in found)
    meant = sum(not sentence.relations.means(one.phrase, one.kind) for one in found)
    return _Reading(tuple(found), bool(found), unnamed + meant)


def _read(sentence: Sentence, clause: Clause) -> list[Relational]:
    """Read one clause; of the wordings that fit the most specific wins."""
    for special in (compared, aged, counted):
        if beside := [*special(sentence, clause)]:
            return beside
    for rest in (clause, *undated(sentence, clause)):
        best: tuple[tuple[int, int, int, int], str, Span, Span, Bound] | None = None
        for first, second, phrase, named in slots_in(sentence, rest):
            plain, bound = bounded(sentence, second, phrase)
            length = first.end - first.start + second.end - second.start
            # what bounds a value is read with it
            rank = (len(words(phrase)), named, -first.start, length)
            titled = sentence.text(second)[:1].isupper()
            kind = kind_of(value) if (value := sentence.value(second)) is not None else None
            if (best is None or rank > best[0]) and sentence.relations.knows(
                plain, titled=titled, kind=kind
            ):
                best = (rank, plain, first, second, bound)
        if best:
            _, phrase, first, second, bound = best
            title = _title(sentence, rest, second)
            land = _land(sentence, rest, phrase, second)
            return [
                replace(one, bound=bound, title=title, named=land)
                for one in _said(sentence, rest, phrase, first, second)
            ]
    return []


def _land(sentence: Sentence, clause: Clause, phrase: str, second: Span) -> str:
    """Return the land that a word for a people stands for, where a rewording makes it one."""
    start, end = range_in(clause, second)
    moved = start < end and (start < 2 or clause.starts[start - 2] < 0)
    country = COUNTRIES.get(sentence.text(second), "")
    return country if moved and _OF_A_LAND.search(phrase) else ""


def _title(sentence: Sentence, clause: Clause, second: Span) -> Span | None:
    """Return all that somebody is said to be, of which a slot is the end: "Mayor of [Torsvik]"."""
    start, end = range_in(clause, second)
    before = clause.text[:start]
    lead = _SAID_TO_BE.search(before, max(before.rfind(","), before.rfind(";")) + 1)
    if lead is None or not before.endswith(" ") or start == end or clause.text[end:]:
        return None
    begins = clause.starts[lead.end()]
    if not 0 <= begins < second.end:  # a rewording has put one before the other
        return None
    place = Span(sentence.place.source, begins, second.end)
    return place if range_in(clause, place) == (lead.end(), end) else None


def _said(
    sentence: Sentence, rest: Clause, phrase: str, first: Span, second: Span
) -> list[Relational]:
    """Return what a clause without its date says in a wording, one for each member of a list."""
    kind = re.search(r"(?i)\ban? \[Y\]", phrase)
    # "Trinidad and Tobago is in …" says so itself that it is one
    plural = _PLURAL.match(phrase) is not None
    plural |= LINK.search(sentence.text(first)) is not None and not _SINGULAR.match(phrase)
    firsts = [*parts_of(sentence, first)] if plural else [first]
    # "Peter and Albert Einstein" are of one family
    lengths = [len(sentence.text(one).split()) for one in firsts]
    firsts = [first] if 1 in lengths[:-1] and lengths[-1] > 1 else firsts
    # "was born in Ulm in 1879" says of the day what "was born in 1879" does
    day = rest.when if sentence.relations.dates(phrase) and rest.how == "holding" else None
    day = None if _TOLD_OF.search(phrase) else day
    # what is denied is the two together: there the place keeps its day
    whole = day is None or rest.polarity == "negative"
    apart = rest if whole else replace(rest, at=None)
    found = [
        related(
            sentence, apart, one, phrase, sentence.kind(part) if kind else part, (first, second)
        )
        for one, part in product(firsts, parts_of(sentence, second))
    ]
    if day is None:
        return found
    return [
        *(found if whole else [timeless(one) for one in found]),
        *(
            related(sentence, replace(rest, at=None), one, phrase, day, (first, day))
            for one in firsts
        ),
    ]


def bounded(sentence: Sentence, second: Span, phrase: str) -> tuple[str, Bound]:
    """Split a wording from what makes the value in it a bound: "more than", "before"."""
    value = sentence.value(second)
    found = _BOUNDED.search(phrase) if value is not None else None
    if value is None or found is None:
        return phrase, ""
    dated = value.datatype in DATES | {GR.years}
    lead = phrase[: found.start()] + ("in " if dated else "")
    return f"{lead}[Y]{phrase[found.end() :]}", cast(Bound, BOUNDS[found[1].lower()])


def _clause(sentence: Sentence) -> Clause | None:
    """Return the sentence as a clause, None if it is negated more than once."""
    text = sentence.text(sentence.place)
    line = text.strip()
    exclusion: Exclusion = "question" if line.endswith("?") else ""
    if line[:1] in {'"', "“"} and line[-1:] in {'"', "”"}:
        exclusion = "quoted"
    clause = Clause(
        text, tuple(range(sentence.place.start, sentence.place.end)), exclusion=exclusion
    )
    denials = sentence.turned("denial")
    if len(denials) > 1:
        return None
    for found in denials:
        start, end = range_in(clause, found.place)
        end = ever.end() if (ever := _EVER.match(clause.text, end)) else end
        gap = text[end : end + 1].isspace() and not text[start - 1 : start].strip()
        clause = replace(clause.without(start, end + gap), polarity="negative")
    clause = replace(clause, exclusion=clause.exclusion or sentence.openness())
    end = len(clause.text.rstrip(' .!?;:"”\n'))
    if clause.polarity == "negative" and (more := _NO_MORE.search(clause.text[:end])):
        end = more.start()
    start = len(clause.text) - len(clause.text.lstrip(' "“\n'))
    return clause.within(start, end) if start < end else None


def undated(sentence: Sentence, clause: Clause) -> Iterator[Clause]:
    """Give the clause without a date or a period, and what that is to it."""
    for start, end, first, last, kind in sentence.periods(clause):
        yield replace(_left(clause, start, end), at=first, to=last, how=kind)
    for mention in sentence.mentions:
        if mention.kind not in DAYS | {"DURATION"} or not isinstance(mention.node, Literal):
            continue
        start, end = range_in(clause, mention.span)
        if mention.kind == "DURATION" and start < end:
            yield from _lasting(clause, mention.node, start, end)
            continue
        lead = DATED.search(clause.text[:start])
        if start == end or lead is None:
            continue
        how: Relation = cast(Relation, TIME_LEADS.get((lead[1] or "in").lower(), "lasting"))
        if how == "lasting":
            continue
        if how == "by" and clause.polarity == "negative":
            how = "holding"  # it was so no more then
        rest = _left(clause, lead.start(1) if lead[1] else start, end)
        yield replace(rest, at=mention.node, when=mention.span, how=how)


def _lasting(clause: Clause, length: Literal, start: int, end: int) -> Iterator[Clause]:
    """Give the clause without how long it was so: "for nearly ten years", "for over a decade"."""
    lead = _STRETCH.search(clause.text[:start])
    if lead is None:
        return
    word = (lead["b"] or "").lower()
    bound = "nearly" if word in NOT_QUITE else BOUNDS.get(word, "")
    rest = _left(clause, lead.start(), end)
    yield replace(rest, at=length, how="lasting", length=cast(Length, bound))


def _left(clause: Clause, start: int, end: int) -> Clause:
    """Return a clause without a date that stands in it, and the comma behind that."""
    while clause.text[end : end + 1] in {",", " "}:
        end += 1
    left = clause.without(start, end)
    return left.within(0, len(left.text))

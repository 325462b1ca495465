"""Deductions: what of a source says that a statement is so, or that it cannot be.

Statement and source are read into propositions; each of the statement's is held against those of
the passages that bear on it and what they imply.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from groundrules.align.cells import by_cells
from groundrules.align.entailment import OPEN, Finding, compare
from groundrules.align.implications import implied
from groundrules.align.known import Premises, premises_of
from groundrules.align.measures import NO_CURRENCY, Number
from groundrules.align.numbers import read_numbers
from groundrules.align.parses import parse
from groundrules.align.projection import Relation
from groundrules.calendar import day_number
from groundrules.claims.antecedents import resolved
from groundrules.claims.asserted import asserts_nothing, propositions, unread
from groundrules.claims.english import SCALES
from groundrules.claims.quantifiers import FACE, HALF_DAY, Count
from groundrules.claims.segments import Segment, segments
from groundrules.claims.slots import Slot, Term, terms_of, with_fillers
from groundrules.claims.tree_words import is_any_more, is_no_longer
from groundrules.claims.units import cut_sentences

#: What a source calls the things that stand in ranges of a statement.
Names = Mapping[tuple[int, int], Collection[str]]
_Called = tuple[tuple[tuple[int, int], tuple[str, ...]], ...]
#: Longest segment that is read whole, in code points.
_LONGEST = 4000
#: In how many ways the things of a statement are called, at most.
_MOST_NAMES = 24
#: Sources, as far as they bear on a statement, whose premises are kept.
_SOURCES = 64
#: Findings on propositions that are kept.
_FINDINGS = 1024
#: Propositions of a segment that a statement is held against, at most.
_MOST_PREMISES = 400


@dataclass(frozen=True, slots=True)
class Deduction:
    """What a source says of a statement.

    `place` is the range of the deciding words in the source, None where they are not found;
    `added` the words of the source that bind what it says and the statement leaves out; `unread`
    the words of the statement that no proposition of it holds.
    """

    finding: Finding
    place: tuple[int, int] | None = None
    unread: tuple[str, ...] = ()

    @property
    def supports(self) -> bool:
        """Whether the statement is entailed."""
        return self.finding.relation.supports

    @property
    def kind(self) -> str:
        """How the source excludes the statement, empty where it does not."""
        return self.finding.kind if self.finding.relation.refutes else ""

    @property
    def claimed(self) -> tuple[int, int]:
        """The range of the words of the statement that are excluded."""
        return self.finding.claimed.place if self.finding.claimed else (0, 0)

    @property
    def lacking(self) -> tuple[int, int]:
        """The range of the words of the statement that no premise has beside the rest."""
        return self.finding.lacking.place if self.finding.lacking else (0, 0)

    @property
    def added(self) -> str:
        """The first words of the source that bind the premise and are not in the statement."""
        if self.finding.relation is not Relation.ENTAILED:
            return ""
        return next((_worded(slot) for slot in self.finding.added), "")


def _worded(slot: Slot) -> str:
    """Return a slot in the words of its text."""
    words = " ".join(slot.filler.text.split())
    return words if slot.filler.clausal else f"{slot.role} {words}"


@lru_cache(maxsize=4096)
def read_propositions(text: str) -> tuple[Term, ...]:
    """Return what the sentences of a text assert but comparisons, what one asks as that."""
    doc = parse(text)
    idle = {t.i for sentence in doc.sents if asserts_nothing(sentence) for t in sentence}
    compared = {t.i for t in doc if _is_compared(t)}
    told = propositions(doc, _numbers(doc))
    return tuple(
        replace(one, force="whether") if one.at in idle else one
        for one in told
        if not any(t.at in compared for t in terms_of(one))
    )


def _is_compared(token: Any) -> bool:
    """Return whether a word compares two things: no "shorter" of "shorter hours"."""
    if is_no_longer(token) or is_any_more(token):
        return False
    than = token.dep_ != "amod" or any(t.lower_ == "than" for t in token.sent)
    return token.lower_ == "than" or (token.tag_ in {"JJR", "RBR"} and than)


def read_segment(segment: Segment) -> tuple[Term, ...]:
    """Return what a segment asserts, the opposite where it denies what fills a slot."""
    told = read_propositions(segment.text)
    if segment.denied is None:
        return told
    start, end = segment.denied
    return tuple(
        replace(one, denied=not one.denied)
        if any(start <= s.filler.place[0] < end for s in one.slots)
        else one
        for one in told
    )


def _numbers(doc: Any) -> dict[int, Count]:
    """Return the numbers of a parsed text by token."""
    values = [(one, _count(one)) for one in _summed(read_numbers(doc.text), doc.text)]
    return {
        token.i: count
        for token in doc
        for one, count in values
        if one.start <= token.idx < one.end and count is not None
    }


def _summed(numbers: Sequence[Number], text: str) -> Iterator[Number]:
    """Yield numbers, an amount of time in two units as one: "an hour and 45 minutes"."""
    last: Number | None = None
    for one in numbers:
        if last is not None:
            between = text[last.end : one.start].strip()
            times = last.kind == one.kind == "DURATION" and last.unit == one.unit == ""
            if times and between in {"", "and"} and one.value < last.value / max(last.raw, 1):
                value = last.value + one.value
                last = replace(last, end=one.end, value=value, soft=False)
                continue
            yield last
        last = one
    if last is not None:
        yield last


def _count(number: Number) -> Count | None:
    """Return a number with its size in the base unit of what it measures, None for none."""
    raw, size, unit = float(number.raw), float(number.value), number.unit
    match number.kind:
        case "DATE":
            return _date(number)
        case "TIME":
            # "half past two", "3 o'clock" may be of either half of the day
            either = number.unit == "?" or "clock" in number.text.lower()
            unit = FACE if either else "clock"
            return Count(raw, unit, (size % HALF_DAY,) * 2 if unit == FACE else (size, size))
        case "DURATION":
            unit = "business day" if unit else "day"
        case "PERCENT":
            size, unit = size / 100, "share"
        case "RATIO":
            unit = unit or "share"
        case "MONEY":  # "30 million" is not thirty
            raw, unit = size, "" if unit == NO_CURRENCY else unit
        case "NUMBER":
            raw, unit = size, ""
        case "QUANTITY" if number.text[:1].isdigit():
            raw *= next((SCALES[one] for one in number.text.lower().split() if one in SCALES), 1)
    return Count(raw, unit, (size, size))


def _date(number: Number) -> Count | None:
    year, month, day = number.day or (None, None, None)
    if number.unit == "years" or (year is not None and month is None):
        return Count(number.raw, "date", (number.low, number.high))
    if month is None:
        return None
    ends = (day, day) if day else (1, 31) if number.window == (1, 31) else number.window
    if year is None:
        return Count(
            number.raw, "day of the year", (32.0 * month + ends[0], 32.0 * month + ends[1])
        )
    first = float(day_number(year, month, 1))
    return Count(number.raw, "date", (first + ends[0] - 1, first + ends[1] - 1))


def deduce(
    statement: str,
    source: str,
    places: Sequence[tuple[int, int]],
    before: Sequence[str] = (),
    names: Names = MappingProxyType({}),
) -> Deduction:
    """Return what the parts of a source around some places say of a statement.

    `before` are the statements that precede it, the nearest first; `names` what the source calls
    the things that stand in ranges of the statement. The statement is supported where
    each proposition of it is entailed and no word of it is unread, refuted where one is excluded.
    """
    doc = parse(statement)
    relation, row = by_cells(source, doc) if "|" in source else (OPEN.relation, None)
    if row is not None:
        value = Finding(relation, kind="value" if relation.refutes else "")
        return Deduction(value, row)
    around = tuple(_around(source, places))
    known = [(segment, _premises(segment)) for segment in around]
    premises = _all_premises(around)
    told = read_propositions(statement)
    earlier = [term for text in reversed(before) for term in read_propositions(text)]
    meant = resolved(told, earlier)
    called = tuple((place, tuple(sorted(others))) for place, others in names.items())
    found = _decisive(
        [(one, _found(one, _meant(one, told), premises, called)) for one, told in meant]
    )
    left = tuple(unread(doc, told))
    against = [one for one in found if one.relation.refutes]
    worst = against[0] if against else min(found, key=_rank, default=OPEN)
    if left and worst.relation.supports:
        worst = OPEN
    return Deduction(worst, _place(worst, known), left)


def read_source(source: str, places: Sequence[tuple[int, int]]) -> None:
    """Read what a source says around some places, which else is when a statement comes near."""
    for segment in _around(source, places):
        _premises(segment)


def sentences_around(source: str, places: Sequence[tuple[int, int]]) -> tuple[tuple[str, str], ...]:
    """Return the sentences of a source around some places, each with the text before it.

    Items stand behind the words that lead them in.
    """
    found = []
    for segment, before in _around(source, places):
        if segment.denied is not None:  # an item that its lead leaves out
            continue
        text = segment.text
        for start, end in cut_sentences(text, 0, len(text)):
            found.append((text[start:end].strip(), f"{before}\n{text[:start]}"))
    return tuple(found)


def _decisive(found: Sequence[tuple[Term, Finding]]) -> list[Finding]:
    """Return the findings that decide: not those of what only tells which thing is meant.

    "The rooms facing the court are cleaned" follows from "rooms that face the court are cleaned".
    """
    telling = {
        slot.filler.at
        for one, finding in found if finding.relation.supports
        for term in terms_of(one)
        for slot in term.slots if slot.role == "that" and not slot.filler.aside
    }  # fmt: skip
    return [
        finding
        for one, finding in found
        if one.at not in telling or finding.relation.supports or finding.relation.refutes
    ]


@lru_cache(maxsize=_FINDINGS)
def _found(term: Term, meant: tuple[Term, ...], premises: Premises, names: _Called) -> Finding:
    """Return what holds of a proposition in all its readings.

    Who "he" and "she" stand for refutes nothing where it may be two. A text is read again with its
    edits, which leave most propositions as they are.
    """
    found = min((_best(_called(h, names), premises) for h in meant), key=_rank)
    sure = len(meant) == 1 and not _is_of_somebody(meant[0])
    return OPEN if found.relation.refutes and _is_of_somebody(term) and not sure else found


def _is_of_somebody(term: Term) -> bool:
    return any(one.head in {"he", "she"} for one in terms_of(term))


def _best(readings: Iterable[Term], premises: Premises) -> Finding:
    """Return the first of the best findings: nothing is better than what says the same."""
    best = OPEN
    for one in (compare(p, h, premises) for h in readings for p in premises.terms):
        if _rank(one) > _rank(best):
            best = one
        if best.relation is Relation.SAME and not best.added:
            break
    return best


def _called(term: Term, names: _Called) -> Iterator[Term]:
    """Yield a proposition in its own words, then with its things as the source calls them."""
    made = [term]
    for place, others in names:
        if any(_stands_in(one, place) for one in terms_of(term)):
            renamed = (
                _renamed(one, place, name) if name else one
                for one in made
                for name in ("", *others)
            )
            made = list(itertools.islice(renamed, _MOST_NAMES))
    yield from made


def _stands_in(term: Term, place: tuple[int, int]) -> bool:
    """Return whether a thing stands in a range of its text."""
    return term.kind == "thing" and place[0] <= term.place[0] and term.place[1] <= place[1]


def _renamed(term: Term, place: tuple[int, int], name: str) -> Term:
    if _stands_in(term, place):
        *before, head = name.casefold().split()
        marks = tuple(Slot("mod", Term(word, "thing", term.at)) for word in before)
        return replace(term, head=head, slots=marks, determiner="the", plural=False)
    return with_fillers(term, [_renamed(s.filler, place, name) for s in term.slots])


def _meant(term: Term, readings: Sequence[Term]) -> tuple[Term, ...]:
    """Return the readings of a statement that all must hold: "he" may be any that was named.

    Other pronouns stand for the last subject.
    """
    return tuple(readings[:3] if _is_of_somebody(term) else readings[:1])


def _rank(finding: Finding) -> tuple[int, bool, int]:
    return finding.rank, finding.premise is not None, -len(finding.added)


def _around(source: str, places: Sequence[tuple[int, int]]) -> list[tuple[Segment, str]]:
    """Return the segments that some places lie in, each with the text of the one before it."""
    found = []
    for segment, before in _segments(source):
        inside = [one for one in places if one[0] < segment.end and segment.start < one[1]]
        if inside and len(segment.text) > _LONGEST:  # what was found in it, each by itself
            texts = ((start, end, source[start:end]) for start, end in inside)
            found += [(Segment(start, end, text), "") for start, end, text in texts]
        elif inside:
            found.append((segment, before))
    return found


@lru_cache(maxsize=64)
def _segments(source: str) -> tuple[tuple[Segment, str], ...]:
    """Return the segments of a source, each with what its pronouns may stand for."""
    found = []
    before = ""
    for segment in segments(source, parse):
        found.append((segment, segment.before or before))
        before = segment.text if len(segment.text) <= _LONGEST else ""
    return tuple(found)


@lru_cache(maxsize=8192)
def _premises(segment: tuple[Segment, str]) -> tuple[Term, ...]:
    """Return what a segment asserts and implies, pronouns read by what stands before it."""
    one, before = segment
    earlier = read_propositions(before) if before else ()
    found = dict.fromkeys(_implying(read_segment(one), earlier))
    return tuple(itertools.islice(found, _MOST_PREMISES))


@lru_cache(maxsize=_SOURCES)
def _all_premises(segments: tuple[tuple[Segment, str], ...]) -> Premises:
    """Return what segments tell together: many statements are held against the same."""
    return premises_of(term for one in segments for term in _premises(one))


def _implying(terms: Sequence[Term], before: Sequence[Term]) -> Iterator[Term]:
    for _, readings in resolved(terms, before):
        for term in readings:
            yield term
            yield from implied(term)


def _place(
    finding: Finding, known: Sequence[tuple[tuple[Segment, str], tuple[Term, ...]]]
) -> tuple[int, int] | None:
    """Return where in the source the words of a premise stand: its item where its lead has them."""
    stated = finding.stated or finding.premise
    for (segment, _), terms in known:
        if stated is not None and finding.premise in terms:
            return segment.place(*stated.place) or (segment.start, segment.end)
    return None

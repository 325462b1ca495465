"""A sentence, or a part of it, as a whole clause that the relation lexicon knows word for word."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import cast

from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules.calendar import DATES
from groundrules.claims.english.alternations import SAID_TO_BE
from groundrules.claims.english.attributes import (
    AGED,
    BORN,
    BOUNDS,
    COMPARED,
    COUNTED,
    COUNTRIES,
    DIED,
    NUMBERS,
    OFFICES,
    TIME_LEADS,
    TIMES,
    YEARS,
)
from groundrules.claims.english.fillers import FIRST_IN_NO_NAME, IN_NO_NAME, NO_NAME_ALONE
from groundrules.kb.link.properties import ObjectKind, words
from groundrules.kb.read.divisions import contrasted, divided
from groundrules.kb.read.relational import (
    BOUND,
    DATED,
    Bound,
    Clause,
    Event,
    Exclusion,
    Relational,
    Sentence,
    Side,
    exclusion_in,
    is_current,
    kind_of,
    meet,
    moment_of,
    range_in,
    timeless,
)
from groundrules.kb.read.relational import TIMES as DAYS
from groundrules.kb.read.timing import Relation
from groundrules.terms import GR, Modality, Span

_TITLE = re.compile(r"[A-Z0-9\"“'‘]|(?:the|of|de|du|la|le|von|van|der|and|for|in|an?|al|el|bin)$")
_WORD = re.compile(r"\w+(?:[-.&]\w+)*\.?|[^\w\s]")
#: What stands between two names of a list.
_LISTED = re.compile(
    r"(?:,\s*(?:and\s+)?|\s+and\s+)(?:(?:later|then|also|subsequently)\s+){0,2}(?:the\s+)?"
)
_LIST = re.compile(r",\s*(?:and|or)\s+|,\s*|(?<!\s)\s+(?:and|or)\s+")
_LINK = re.compile(r"\s(?:and|or)\s")
_PLURAL = re.compile(r"\[X\] (?:both )?(?:were|are|have)\b")
_BOUNDED = re.compile(rf"(?i)\b(?:in )?({'|'.join(sorted(BOUNDS, key=len, reverse=True))}) \[Y\]")
_SAID_TO_BE = re.compile(rf"(?:{SAID_TO_BE}) (?:the )?(?=[A-Z])")
_COMPARING = re.compile(r"\b(?:than|before|after|same year|outlived|survived|predeceased)\b")
_AGED = re.compile(AGED)
_TITLED = re.compile(rf"(?:The |the )?(?:{OFFICES}) (?=[A-Z])")
_NOBODY = re.compile(r"(?:Nobody|No one|No person) (?P<v>[a-z][a-z ]*?) $")
_COUNTED = tuple((re.compile(pattern), noun) for pattern, noun in COUNTED)
_TIMES = re.compile(rf"{TIMES}$")
_COMPARED = tuple((re.compile(one[0]), *one[1:]) for one in COMPARED)
#: Events by what stands behind the name of whom they befell.
_EVENTS = {" was born": BORN, " died": DIED}
_PEOPLE = re.compile(
    rf"\b(?:an?|the|has|had|holds|held|is|was)(?: former)? (?:{'|'.join(COUNTRIES)})\b"
)
#: Before a land that a people stands for; what a rewording puts there is of no text.
_OF_A_LAND = re.compile(r"\b(?:of|in) \[Y\]")
_SINGULAR = re.compile(r"\[X\] (?:is|was|has|does)\b")
_NO_MORE = re.compile(r" (?:anymore|any more|any longer)$")
#: How often a clause of a clause is taken apart.
_DEEPEST = 5
#: The longest clause that is matched word for word, and the longest phrase in a slot, in words.
_LONGEST, _WIDEST = 40, 8


def surface(sentence: Sentence) -> tuple[list[Relational], bool]:
    """Read the sentence, or parts of it, as clauses of the lexicon; True if nothing is left."""
    readings: _Readings = {}
    line = _line(sentence)
    for parts in contrasted(line) if not line.exclusion else ():
        found = [_whole(sentence, part, _DEEPEST, readings) for part in parts]
        if all(reading.whole for reading in found):
            return [one for reading in found for one in reading.found], True
    clause = _clause(sentence)
    reading = _whole(sentence, clause, _DEEPEST, readings) if clause else _Reading()
    return [_with_title(sentence, one) for one in reading.found], reading.whole


def _with_title(sentence: Sentence, one: Relational) -> Relational:
    """Return what is said of a name that an office stands before as read without that."""
    found = _TITLED.match(sentence.text(one.subject))
    return replace(one, unread=found[0].strip()) if found else one


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
    if depth and _PEOPLE.search(clause.text):
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


def _together(pieces: Sequence[_Reading]) -> _Reading:
    return _Reading(
        tuple(one for piece in pieces for one in piece.found),
        all(piece.whole for piece in pieces),
        sum(piece.unnamed for piece in pieces),
    )


def _direct(sentence: Sentence, clause: Clause) -> _Reading:
    """Read a clause as it stands, with the event that dates it."""
    found = _read(sentence, clause)
    if clause.event is not None:
        event = event_of(sentence, clause.event)
        if event is None or any(one.at is not None for one in found):
            return _Reading()
        dating = Event(event, clause.dating, clause.years)
        found = [replace(one, event=dating, current=False) for one in found]
    nouns = {*sentence.nouns, *map(sentence.trimmed, sentence.nouns)}
    names = {*sentence.anchors()} - nouns
    titled = sum(bool(_TITLED.match(sentence.text(one.subject))) for one in found)
    ends = [end for one in found for end in {one.subject, one.object}]
    unnamed = titled + sum(end not in names for end in ends)
    meant = sum(not sentence.relations.means(one.phrase, one.kind) for one in found)
    return _Reading(tuple(found), bool(found), unnamed + meant)


def event_of(sentence: Sentence, clause: Clause) -> Relational | None:
    """Read the clause of an event: a birth or a death, or the end of a state."""
    for span in sentence.anchors():
        start, end = range_in(clause, span)
        said = _EVENTS.get(clause.text[end:]) if start == 0 < end else None
        if said:
            plain = _surface(sentence, clause, span, said, span, (span, span))
            return replace(plain, measured="time", side="when", current=False)
    found = _read(sentence, clause)
    return found[0] if len(found) == 1 and found[0].value is None else None


def _read(sentence: Sentence, clause: Clause) -> list[Relational]:
    """Read one clause; of the wordings that fit the most specific wins."""
    for special in (_compared, _aged, _counted, _repeated):
        if beside := [*special(sentence, clause)]:
            return beside
    for undated in (clause, *_undated(sentence, clause)):
        best: tuple[tuple[int, int, int, int], str, Span, Span, Bound] | None = None
        for first, second, phrase, named in _slots(sentence, undated):
            plain, bound = _bounded(sentence, second, phrase)
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
            title = _title(sentence, undated, second)
            land = _land(sentence, undated, phrase, second)
            return [
                replace(one, bound=bound, title=title, named=land)
                for one in _said(sentence, undated, phrase, first, second)
            ]
    return []


def _land(sentence: Sentence, clause: Clause, phrase: str, second: Span) -> str:
    """Return the land that a word for a people stands for, where a rewording makes it one."""
    start, end = range_in(clause, second)
    moved = start < end and (start < 2 or clause.starts[start - 2] < 0)
    country = COUNTRIES.get(sentence.text(second), "")
    return country if moved and _OF_A_LAND.search(phrase) else ""


def _compared(sentence: Sentence, clause: Clause) -> Iterator[Relational]:
    """Read a clause that sets two things beside each other by a day or an amount of each."""
    if not _COMPARING.search(clause.text):
        return
    for first, second, phrase, named in _slots(sentence, clause):
        if named < 2 or sentence.value(first) or sentence.value(second):
            continue  # "before 1820" is a bound by itself
        fits = ((one, found) for one in _COMPARED if (found := one[0].fullmatch(phrase)))
        for (_, said, measured, side, theirs), found in fits:
            years, verb = found.groupdict().get("n"), found.groupdict().get("v")
            said, theirs = (one.replace("{v}", verb or "") for one in (said, theirs))
            if verb and not sentence.relations.knows(said, kind="time"):
                continue
            one = _surface(sentence, clause, first, said, second, (first, second))
            yield replace(
                one,
                side=cast(Side, side),
                measured=cast(ObjectKind, measured),
                apart=int(YEARS.get(years, years)) if years else 0,
                beside=theirs,
                current=False,
            )
            return


def _aged(sentence: Sentence, clause: Clause) -> Iterator[Relational]:
    """Read a clause that says how old somebody died."""
    for span in sentence.anchors():
        start, end = range_in(clause, span)
        found = _AGED.fullmatch(clause.text, end) if start == 0 < end else None
        if found and clause.starts[found.start("n")] >= 0:
            years = _span(sentence, clause, found.span("n"))
            said = _surface(sentence, clause, span, DIED, years, (span, years))
            value = Literal(found["n"], datatype=XSD.integer)
            yield replace(said, value=value, side="age", measured="time", current=False)
            return


def _counted(sentence: Sentence, clause: Clause) -> Iterator[Relational]:
    """Read a clause that says of how many things something is so: "has no children"."""
    for span in sentence.anchors():
        start, end = range_in(clause, span)
        for pattern, noun in _COUNTED if start == 0 < end else ():
            found = pattern.fullmatch(clause.text, end)
            noun = noun or (found.groupdict().get("k") or "" if found else "")
            phrase = f"[X]'s {noun} is [Y]"
            if found and _has_things(sentence, phrase):
                said = _surface(sentence, clause, span, phrase, span, (span, span))
                many = _number(found["n"])
                yield replace(said, side="count", times=many, current=False, exclusion="")
                return
        nobody = _NOBODY.match(clause.text[:start]) if end == len(clause.text) > start else None
        phrase = f"[Y] {nobody['v']} [X]" if nobody else ""
        if nobody and _has_things(sentence, phrase):
            said = _surface(sentence, clause, span, phrase, span, (span, span))
            yield replace(said, side="count", times=0, current=False, exclusion="")
            return


def _has_things(sentence: Sentence, phrase: str) -> bool:
    return sentence.relations.knows(phrase) and not sentence.relations.match(phrase).reason


def _repeated(sentence: Sentence, clause: Clause) -> list[Relational]:
    """Read a clause that says how often something was so."""
    found = _TIMES.search(clause.text)
    if found is None or clause.polarity == "negative":
        return []
    once = clause.without(*found.span())
    return [
        replace(one, times=_number(found["n"]))
        for one in _read(sentence, once)
        if one.value is None and one.at is None and not one.side
    ]


def _number(word: str) -> int:
    first = word.split()[0]
    return int(first) if first.isdecimal() else NUMBERS[first]


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
    sentence: Sentence, undated: Clause, phrase: str, first: Span, second: Span
) -> list[Relational]:
    """Return what a clause without its date says in a wording, one for each member of a list."""
    kind = re.search(r"(?i)\ban? \[Y\]", phrase)
    # "Trinidad and Tobago is in …" says so itself that it is one
    plural = _PLURAL.match(phrase) is not None
    plural |= _LINK.search(sentence.text(first)) is not None and not _SINGULAR.match(phrase)
    firsts = [*_parts(sentence, first)] if plural else [first]
    # "Peter and Albert Einstein" are of one family
    lengths = [len(sentence.text(one).split()) for one in firsts]
    firsts = [first] if 1 in lengths[:-1] and lengths[-1] > 1 else firsts
    # "was born in Ulm in 1879" says of the day what "was born in 1879" does
    day = undated.when if sentence.relations.dates(phrase) and undated.how == "holding" else None
    # what is denied is the two together: there the place keeps its day
    whole = day is None or undated.polarity == "negative"
    apart = undated if whole else replace(undated, at=None)
    found = [
        _surface(
            sentence,
            apart,
            one,
            phrase,
            sentence.kind(part) if kind else part,
            (first, second),
        )
        for one, part in product(firsts, _parts(sentence, second))
    ]
    if day is None:
        return found
    return [
        *(found if whole else [timeless(one) for one in found]),
        *(
            _surface(sentence, replace(undated, at=None), one, phrase, day, (first, day))
            for one in firsts
        ),
    ]


def _bounded(sentence: Sentence, second: Span, phrase: str) -> tuple[str, Bound]:
    """Split a wording from what makes the value in it a bound: "more than", "before"."""
    value = sentence.value(second)
    found = _BOUNDED.search(phrase) if value is not None else None
    if value is None or found is None:
        return phrase, ""
    dated = value.datatype in DATES | {GR.years}
    lead = phrase[: found.start()] + ("in " if dated else "")
    return f"{lead}[Y]{phrase[found.end() :]}", cast(Bound, BOUNDS[found[1].lower()])


def _line(sentence: Sentence) -> Clause:
    """Return the sentence as a clause with its denials."""
    text = sentence.text(sentence.place)
    line = text.strip()
    exclusion: Exclusion = "question" if line.endswith("?") else ""
    if line[:1] in {'"', "“"} and line[-1:] in {'"', "”"}:
        exclusion = "quoted"
    places = tuple(range(sentence.place.start, sentence.place.end))
    end = len(text.rstrip(' .!?;:"”\n'))
    return Clause(text, places, exclusion=exclusion or sentence.openness()).within(0, end)


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
        gap = text[end : end + 1].isspace() and not text[start - 1 : start].strip()
        clause = replace(clause.without(start, end + gap), polarity="negative")
    clause = replace(clause, exclusion=clause.exclusion or sentence.openness())
    end = len(clause.text.rstrip(' .!?;:"”\n'))
    if clause.polarity == "negative" and (more := _NO_MORE.search(clause.text[:end])):
        end = more.start()
    start = len(clause.text) - len(clause.text.lstrip(' "“\n'))
    return clause.within(start, end) if start < end else None


def _undated(sentence: Sentence, clause: Clause) -> Iterator[Clause]:
    """Give the clause without a date or a period, and what that is to it."""
    for start, end, first, last, kind in sentence.periods(clause):
        yield replace(_left(clause, start, end), at=first, to=last, how=kind)
    for mention in sentence.mentions:
        if mention.kind not in DAYS | {"DURATION"} or not isinstance(mention.node, Literal):
            continue
        start, end = range_in(clause, mention.span)
        lead = DATED.search(clause.text[:start])
        if start == end or lead is None:
            continue
        how: Relation = cast(Relation, TIME_LEADS.get((lead[1] or "in").lower(), "lasting"))
        if (how == "lasting") != (mention.kind == "DURATION"):
            continue
        rest = _left(clause, lead.start(1) if lead[1] else start, end)
        yield replace(rest, at=mention.node, when=mention.span, how=how)


def _left(clause: Clause, start: int, end: int) -> Clause:
    """Return a clause without a date that stands in it, and the comma behind that."""
    while clause.text[end : end + 1] in {",", " "}:
        end += 1
    left = clause.without(start, end)
    return left.within(0, len(left.text))


def _slots(sentence: Sentence, clause: Clause) -> Iterator[tuple[Span, Span, str, int]]:
    """Give two slots with the phrase around them, and how many of them hold a name."""
    tokens = [(m.start(), m.end()) for m in _WORD.finditer(clause.text)]
    if not 2 < len(tokens) <= _LONGEST:
        return
    known = {(a, b) for a, b in (range_in(clause, s) for s in sentence.anchors()) if a < b}
    free = {
        (start, end)
        for i, (start, _) in enumerate(tokens)
        for _, end in tokens[i : i + _WIDEST + 4]
        if _phrase_like(clause.text[start:end])
        and clause.starts[start] >= 0
        and clause.starts[end - 1] - clause.starts[start] == end - 1 - start
    }
    # what a clause says of when is no part of a noun phrase, a title with a year is a name
    times = [range_in(clause, m.span) for m in sentence.mentions if m.kind in DAYS | {"DURATION"}]
    free = {
        one for one in free if not any(_inside(time, one) and time[0] < time[1] for time in times)
    }
    free |= set(_lists(sentence, clause, known))
    pairs = {(a, b) for a, b in product(known, known | free) if a[1] <= b[0]}
    pairs |= {(a, b) for a, b in product(free, known) if a[1] <= b[0]
              and _capitalised(clause.text[a[0] : a[1]])}  # fmt: skip
    for a, b in sorted(pairs):
        text = clause.text
        between = text[a[1] : b[0]]
        if not between.strip(" ,"):
            continue
        phrase = f"{text[: a[0]]}[X]{between}[Y]{text[b[1] :]}"
        first, second = _span(sentence, clause, a), _span(sentence, clause, b)
        named = (a in known) + (b in known)
        yield first, second, phrase, named
        if sentence.value(first) is not None and sentence.value(second) is None:
            # "two people live in Ulm": the amount is the value, wherever it stands
            yield second, first, f"{text[: a[0]]}[Y]{between}[X]{text[b[1] :]}", named


def _lists(
    sentence: Sentence, clause: Clause, names: Collection[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Give the lists of names: "the Prize in Physics and the Prize in Chemistry" is one."""
    whole = _single(names, lambda start, end: clause.text[start:end])
    for start, end in whole:
        last = end
        for first, after in whole:
            if first > last and _LISTED.fullmatch(clause.text[last:first]):
                last = after
        if last > end:
            yield start, last


def _span(sentence: Sentence, clause: Clause, slot: tuple[int, int]) -> Span:
    start, end = clause.starts[slot[0]], clause.starts[slot[1] - 1] + 1
    place = Span(sentence.place.source, start, end)
    return place if sentence.value(place) is not None else sentence.trimmed(place)


def _parts(sentence: Sentence, span: Span) -> Iterator[Span]:
    """Give the members of a list, or the one thing that a name or value is.

    Of "Ulm, Germany" something is said of either.
    """
    text = sentence.text(span)
    if span in sentence.names or sentence.value(span) is not None:
        yield span
        return
    inner, _, outer = text.partition(", ")
    ends = (
        Span(span.source, span.start, span.start + len(inner)),
        Span(span.source, span.end - len(outer), span.end),
    )
    if outer and set(ends) <= {*sentence.names}:
        yield from ends
        return
    if not _LINK.search(text):
        yield span
        return
    inside = {
        (n.start, n.end) for n in sentence.names if span.start <= n.start and n.end <= span.end
    }
    whole = _single(inside, lambda start, end: sentence.text(Span(span.source, start, end)))
    between = [text[a[1] - span.start : b[0] - span.start] for a, b in pairwise(whole)]
    if between and all(_LISTED.fullmatch(one) for one in between) and (
        whole[0][0], whole[-1][1]
    ) == (span.start, span.end):  # fmt: skip
        for start, end in whole:
            yield sentence.trimmed(Span(span.source, start, end))
        return
    at = 0
    for cut in [*_LIST.finditer(text), None]:
        end = cut.start() if cut else len(text)
        if text[at:end].strip():
            yield sentence.trimmed(Span(span.source, span.start + at, span.start + end))
        at = cut.end() if cut else at


def _surface(
    sentence: Sentence,
    clause: Clause,
    first: Span,
    phrase: str,
    second: Span,
    wholes: tuple[Span, Span],
) -> Relational:
    claim = next(
        (c for c in sentence.claims if meet(c.parts[0], first) and meet(c.parts[2], second)), None
    )
    exclusion = clause.exclusion
    if not exclusion and any(
        part != whole and re.search(r"\bor\b", sentence.text(whole))
        for part, whole in zip((first, second), wholes, strict=True)
    ):
        exclusion = "alternative"
    exclusion = exclusion or exclusion_in(sentence.plain(second))
    if claim and claim.attribution:
        exclusion = exclusion or "reported"
    if clause.polarity == "negative" and BOUND.search(sentence.text(sentence.place)):
        exclusion = exclusion or "part"
    value = sentence.value(second)
    return Relational(
        first,
        phrase,
        second,
        value,
        clause.polarity,
        claim.modality if claim else Modality.ASSERTED,
        claim.attribution if claim else None,
        clause.aside or is_current(f"{phrase} {sentence.plain(wholes[1])}"),
        clause.at,
        clause.to,
        clause.how,
        clause.moment or moment_of(phrase),
        aside=clause.aside,
        exclusion=exclusion,
        claim=claim,
        origin="surface",
    )


def _single(
    names: Collection[tuple[int, int]], text: Callable[[int, int], str]
) -> list[tuple[int, int]]:
    """Return the longest of names that overlap, those left out that are lists of others.

    "physicist, chemist" is a list; "Trinidad and Tobago" is a name, whatever Tobago is.
    """

    def is_list(start: int, end: int) -> bool:
        words = text(start, end)
        return bool(_LIST.search(words)) and (words[:1].islower() or "," in words) and any(
            start == first < after < begins < last == end and _LISTED.fullmatch(text(after, begins))
            for first, after in names for begins, last in names
        )  # fmt: skip

    single = {one for one in names if not is_list(*one)}
    return sorted(one for one in single if not any(_inside(one, other) for other in single))


def _inside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a range lies in another one."""
    return one != other and other[0] <= one[0] and one[1] <= other[1]


def _phrase_like(text: str) -> bool:
    """Whether a text may be a noun phrase or a list of them."""
    if re.search(r"[^\w\s,.'’&\"“”()/-]", text) or text[:1] in ",.'’)-" or text[-1:] in ",(-'’":
        return False
    parts = [part.split() for part in _LIST.split(text)]
    if not all(part and len(part) <= _WIDEST and part[0] != "of" for part in parts):
        return False
    if _capitalised(" ".join(parts[0])) and any(" ".join(part).islower() for part in parts[1:]):
        return False  # "the Beatles and plays drums"
    first = parts[0][0].lower()
    if parts[-1][-1] in NO_NAME_ALONE:
        return False
    return first not in FIRST_IN_NO_NAME and not any(
        word.lower().strip('."“”') in IN_NO_NAME for part in parts for word in part
    )


def _capitalised(text: str) -> bool:
    return text[:1].isupper() and all(_TITLE.match(word) for word in text.split())

"""The places of a clause that a wording leaves open, and what it says of them.

Some clauses say what no two slots tell: how old at death, how many, what beside another thing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import pairwise, product
from typing import cast

from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules.claims.english import IRREGULAR_VERBS, SAME_PARTICIPLES
from groundrules.claims.english.attributes import AGED, COMPARED, COUNTED, DIED, NUMBERS
from groundrules.claims.english.fillers import FIRST_IN_NO_NAME, IN_NO_NAME, NO_NAME_ALONE
from groundrules.kb.link.properties import ObjectKind
from groundrules.kb.read.relational import (
    BOUND,
    Clause,
    Relational,
    Sentence,
    Side,
    exclusion_in,
    is_current,
    meet,
    moment_of,
    range_in,
)
from groundrules.kb.read.relational import TIMES as DAYS
from groundrules.terms import Modality, Span

_TITLE = re.compile(r"[A-Z0-9\"“'‘]|(?:the|of|de|du|la|le|von|van|der|and|for|in|an?|al|el|bin)$")
_WORD = re.compile(r"\w+(?:[-.&]\w+)*\.?|[^\w\s]")
#: What stands between two names of a list.
_LISTED = re.compile(
    r"(?:,\s*(?:and\s+)?|\s+and\s+)(?:(?:later|then|also|subsequently)\s+){0,2}(?:the\s+)?"
)
_LIST = re.compile(r",\s*(?:and|or)\s+|,\s*|(?<!\s)\s+(?:and|or)\s+")
_HAS = re.compile(r"\b(?:has|have|had) $")
LINK = re.compile(r"\s(?:and|or)\s")
_COMPARING = re.compile(r"\b(?:than|before|after|same year|outlived|survived|predeceased)\b")
_AGED = re.compile(AGED)
_NOBODY = re.compile(r"(?:Nobody|No one|No person) (?P<v>[a-z][a-z ]*?) $")
_COUNTED = tuple((re.compile(pattern), noun) for pattern, noun in COUNTED)
_COMPARED = tuple((re.compile(one[0]), *one[1:]) for one in COMPARED)
#: The longest clause that is matched word for word, and the longest phrase in a slot, in words.
_LONGEST, _WIDEST = 40, 8


def slots_in(sentence: Sentence, clause: Clause) -> Iterator[tuple[Span, Span, str, int]]:
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
    free = {one for one in free if not any(_crosses(t, one) for t in times)}
    free |= set(_lists(clause, known))
    pairs = {(a, b) for a, b in product(known, known | free) if a[1] <= b[0]}
    pairs |= {(a, b) for a, b in product(free, known) if a[1] <= b[0]
              and _capitalised(clause.text[a[0] : a[1]])}  # fmt: skip
    for a, b in sorted(pairs):
        text = clause.text
        between = text[a[1] : b[0]]
        if not between.strip(" ,") or (_HAS.search(between) and _is_participle(text[b[0] : b[1]])):
            continue  # "has won an award": what it has is no "won an"
        phrase = f"{text[: a[0]]}[X]{between}[Y]{text[b[1] :]}"
        first, second = place_of(sentence, clause, a), place_of(sentence, clause, b)
        named = (a in known) + (b in known)
        yield first, second, phrase, named
        if sentence.value(first) is not None and sentence.value(second) is None:
            # "two people live in Ulm": the amount is the value, wherever it stands
            yield second, first, f"{text[: a[0]]}[Y]{between}[X]{text[b[1] :]}", named


def _lists(clause: Clause, names: Collection[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Give the lists of names: "the Prize in Physics and the Prize in Chemistry" is one."""
    whole = _longest(names)
    for start, end in whole:
        last = end
        for first, after in whole:
            if first > last and _LISTED.fullmatch(clause.text[last:first]):
                last = after
        if last > end:
            yield start, last


def place_of(sentence: Sentence, clause: Clause, slot: tuple[int, int]) -> Span:
    """Return the place in the text of a range of a clause."""
    start, end = clause.starts[slot[0]], clause.starts[slot[1] - 1] + 1
    place = Span(sentence.place.source, start, end)
    return place if sentence.value(place) is not None else sentence.trimmed(place)


def parts_of(sentence: Sentence, span: Span) -> Iterator[Span]:
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
    if not LINK.search(text):
        yield span
        return
    inside = {
        (n.start, n.end) for n in sentence.names if span.start <= n.start and n.end <= span.end
    }
    whole = _longest(inside)
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


def related(
    sentence: Sentence,
    clause: Clause,
    first: Span,
    phrase: str,
    second: Span,
    wholes: tuple[Span, Span],
) -> Relational:
    """Return what a clause says of two places in a wording; `wholes` are the lists they are of."""
    claim = next(
        (c for c in sentence.claims if meet(c.parts[0], first) and meet(c.parts[2], second)), None
    )
    exclusion = clause.exclusion
    if not exclusion and any(
        part != whole and re.search(r"\bor\b", sentence.text(whole))
        for part, whole in zip((first, second), wholes, strict=True)
    ):
        exclusion = "alternative"
    value = sentence.value(second)
    # "the first half of the century" is a time, and no first of its kind
    exclusion = exclusion or ("" if value is not None else exclusion_in(sentence.plain(second)))
    if claim and claim.attribution:
        exclusion = exclusion or "reported"
    if clause.polarity == "negative" and BOUND.search(sentence.text(sentence.place)):
        exclusion = exclusion or "part"
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
        length=clause.length,
        aside=clause.aside,
        exclusion=exclusion,
        claim=claim,
    )


def _longest(names: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest of names that overlap, in order."""
    own = set(names)
    inner = (one for one in own for a, b in own if one != (a, b) and a <= one[0] and one[1] <= b)
    return sorted(own.difference(inner))


def _is_participle(text: str) -> bool:
    """Whether a phrase begins with a participle, and no noun."""
    word = text.split()[0]
    stem = IRREGULAR_VERBS.get(word, word)
    return word in SAME_PARTICIPLES or stem != word or (word.endswith("ed") and " " in text)


def _crosses(time: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a range has a part of a time, or more than that."""
    return time != other and max(time[0], other[0]) < min(time[1], other[1])


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


def compared(sentence: Sentence, clause: Clause) -> Iterator[Relational]:
    """Read a clause that sets two things beside each other by a day or an amount of each."""
    if not _COMPARING.search(clause.text):
        return
    for first, second, phrase, named in slots_in(sentence, clause):
        if named < 2 or sentence.value(first) or sentence.value(second):
            continue  # "before 1820" is a bound by itself
        fits = ((one, found) for one in _COMPARED if (found := one[0].fullmatch(phrase)))
        for (_, said, measured, side, theirs), found in fits:
            verb = found.groupdict().get("v", "")
            said, theirs = (one.replace("{v}", verb) for one in (said, theirs))
            if verb and not sentence.relations.knows(said, kind="time"):
                continue
            one = related(sentence, clause, first, said, second, (first, second))
            yield replace(
                one,
                side=cast(Side, side),
                measured=cast(ObjectKind, measured),
                beside=theirs,
                current=False,
            )
            return


def aged(sentence: Sentence, clause: Clause) -> Iterator[Relational]:
    """Read a clause that says how old somebody died."""
    for span in sentence.anchors():
        start, end = range_in(clause, span)
        found = _AGED.fullmatch(clause.text, end) if start == 0 < end else None
        if found and clause.starts[found.start("n")] >= 0:
            years = place_of(sentence, clause, found.span("n"))
            said = related(sentence, clause, span, DIED, years, (span, years))
            value = Literal(found["n"], datatype=XSD.integer)
            yield replace(said, value=value, side="age", measured="time", current=False)
            return


def counted(sentence: Sentence, clause: Clause) -> Iterator[Relational]:
    """Read a clause that says of how many things something is so: "has no children"."""
    for span in sentence.anchors():
        start, end = range_in(clause, span)
        for pattern, noun in _COUNTED if start == 0 < end else ():
            found = pattern.fullmatch(clause.text, end)
            told = found.groupdict() if found else {}
            noun, kind = noun or told.get("k", ""), span
            phrase = f"[X]'s {noun} is [Y]"
            if found and "v" in told:  # "owns three ships": of the things owned, those of a kind
                phrase, kind = f"[X] {told['v']} [Y]", place_of(sentence, clause, found.span("k"))
            if found and has_things(sentence, phrase):
                said = related(sentence, clause, span, phrase, kind, (span, kind))
                many = number_of(found["n"])
                yield replace(said, side="count", times=many, current=False, exclusion="")
                return
        nobody = _NOBODY.match(clause.text[:start]) if end == len(clause.text) > start else None
        phrase = f"[Y] {nobody['v']} [X]" if nobody else ""
        if nobody and has_things(sentence, phrase):
            said = related(sentence, clause, span, phrase, span, (span, span))
            yield replace(said, side="count", times=0, current=False, exclusion="")
            return


def has_things(sentence: Sentence, phrase: str) -> bool:
    """Return whether a phrase means a property whose values are things."""
    return sentence.relations.knows(phrase) and not sentence.relations.match(phrase).reason


def number_of(word: str) -> int:
    """Return the number that a word or a figure says."""
    first = word.split()[0]
    return int(first) if first.isdecimal() else NUMBERS[first]

"""Clauses that say of a thing what no two slots tell: how old, how many, which of several."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules.claims.english.attributes import (
    AGED,
    BORN,
    COMPARED,
    COUNTED,
    DIED,
    IS_AGED,
    NUMBERS,
    SHARED,
    SHARING,
    TURNED,
    YEARS,
)
from groundrules.kb.link.properties import WD, ObjectKind, words
from groundrules.kb.read.relational import Clause, Relational, Sentence, Side, range_in
from groundrules.kb.read.wording_slots import place_of, related, slots_in

_COMPARING = re.compile(r"\b(?:than|before|after|same year|outlived|survived|predeceased)\b")
_AGED = re.compile(AGED)
_AGED_ON: tuple[tuple[re.Pattern[str], Side], ...] = (
    (re.compile(IS_AGED), "aged"), (re.compile(TURNED), "turned"),
)  # fmt: skip
_SHARED = tuple(re.compile(pattern) for pattern in SHARED)
_SINGULAR = {"are": "is", "were": "was", "have": "has", "members": "a member"}
_SHARING = frozenset(form for verb in SHARING for form in words(verb))
#: Nouns of places that what is stated may lie in.
_WIDE = frozenset({"country", "state", "region", "continent", "province", "county"})
_COUNTRIES = frozenset({WD.Q6256, WD.Q3624078, WD.Q3024240})
_NOBODY = re.compile(r"(?:Nobody|No one|No person) (?P<v>[a-z][a-z ]*?) $")
_COUNTED = tuple((re.compile(pattern), noun) for pattern, noun in COUNTED)
_COMPARED = tuple((re.compile(one[0]), *one[1:]) for one in COMPARED)


def compared(sentence: Sentence, clause: Clause) -> Iterator[Relational]:
    """Read a clause that sets two things beside each other by a day or an amount of each."""
    if not _COMPARING.search(clause.text):
        return
    for first, second, phrase, named in slots_in(sentence, clause):
        if named < 2 or sentence.value(first) or sentence.value(second):
            continue  # "before 1820" is a bound by itself
        fits = ((one, found) for one in _COMPARED if (found := one[0].fullmatch(phrase)))
        for (_, said, measured, side, theirs), found in fits:
            years, verb = found.groupdict().get("n"), found.groupdict().get("v")
            said, theirs = (one.replace("{v}", verb or "") for one in (said, theirs))
            if verb and not sentence.relations.knows(said, kind="time"):
                continue
            one = related(sentence, clause, first, said, second, (first, second))
            yield replace(
                one,
                side=cast(Side, side),
                measured=cast(ObjectKind, measured),
                apart=int(YEARS.get(years, years)) if years else 0,
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


def shared(sentence: Sentence, clause: Clause) -> Iterator[Relational]:
    """Read a clause that says that two things have one and the same: "the same party as"."""
    if "same" not in clause.text and "share" not in clause.text:
        return
    for first, second, phrase, named in slots_in(sentence, clause):
        if named < 2 or sentence.value(first) or sentence.value(second):
            continue
        for found in filter(None, (pattern.fullmatch(phrase) for pattern in _SHARED)):
            said = _wording_of(sentence, found["v"], found["n"])
            if not said:
                continue
            one = related(sentence, clause, first, said, second, (first, second))
            yield replace(one, side="same", measured="item", exclusion="", beside=said)
            return


def _wording_of(sentence: Sentence, verb: str, noun: str) -> str:
    """Return the wording of what is shared: the verb's, or what the noun is of a thing."""
    plain = " ".join(_SINGULAR.get(word, word) for word in verb.split())
    by_noun, by_verb = f"[X]'s {noun} is [Y]", f"[X] {plain} [Y]"
    if _SHARING.issuperset(words(verb)):
        return by_noun if has_things(sentence, by_noun) else ""
    # "was born in the same country" is of no place that is stated but of what that lies in
    wide = noun in _WIDE and not sentence.relations.expected_types(by_verb)[1] <= _COUNTRIES
    return by_verb if has_things(sentence, by_verb) and not wide else ""


def aged_on(sentence: Sentence, clause: Clause) -> Iterator[Relational]:
    """Read a clause that says how old somebody is on a day, today where none is told."""
    for span in sentence.anchors():
        start, end = range_in(clause, span)
        for pattern, side in _AGED_ON if start == 0 < end else ():
            found = pattern.fullmatch(clause.text, end)
            group = found and ("n" if found["n"] else "m")
            if not found or not group or clause.starts[found.start(group)] < 0:
                continue
            dated = clause.at is not None and clause.how == "holding"
            present = re.match(r" (?:is|turns|celebrates)\b", found[0]) is not None
            if not dated and (clause.at is not None or not present or side == "turned"):
                continue
            years = place_of(sentence, clause, found.span(group))
            said = related(sentence, clause, span, BORN, years, (span, years))
            value = Literal(found[group], datatype=XSD.integer)
            yield replace(said, value=value, side=side, measured="time", current=not dated)
            return


def counted(sentence: Sentence, clause: Clause) -> Iterator[Relational]:
    """Read a clause that says of how many things something is so: "has no children"."""
    for span in sentence.anchors():
        start, end = range_in(clause, span)
        for pattern, noun in _COUNTED if start == 0 < end else ():
            found = pattern.fullmatch(clause.text, end)
            noun = noun or (found.groupdict().get("k") or "" if found else "")
            phrase = f"[X]'s {noun} is [Y]"
            if found and has_things(sentence, phrase):
                said = related(sentence, clause, span, phrase, span, (span, span))
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

"""Clauses that say of a thing what no two slots tell: how old at death, how many, what beside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules.claims.english.attributes import AGED, COMPARED, COUNTED, DIED, NUMBERS
from groundrules.kb.link.properties import ObjectKind
from groundrules.kb.read.relational import Clause, Relational, Sentence, Side, range_in
from groundrules.kb.read.wording_slots import place_of, related, slots_in

_COMPARING = re.compile(r"\b(?:than|before|after|same year|outlived|survived|predeceased)\b")
_AGED = re.compile(AGED)
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

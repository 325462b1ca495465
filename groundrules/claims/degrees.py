"""Degrees: how many times as much of something one side has as the other.

"Longer than" is more than once as long, "as long as" at least once, "half as long as" just half,
and "not as long as" less than once. All are one slot, `degree`, with a range; the other side is
`than`, or "than in" and the like where two phrases are compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from groundrules.claims.english import PREPOSITIONS, SMALL
from groundrules.claims.english.logic import (
    BELOW_ONCE,
    EXACTLY,
    FACTORS,
    LESSENING,
    MEASURING,
    OF_DEGREE,
)
from groundrules.claims.slots import Bounds, Slot, Term, terms_of
from groundrules.claims.tree_words import is_additional, is_any_more, is_no_longer

_LITTLE = 1e-6
_MORE, _LESS = (1 + _LITTLE, math.inf), (0.0, 1 - _LITTLE)
_AT_LEAST, _AT_MOST, _ONCE = (1.0, math.inf), (0.0, 1.0), (1.0, 1.0)
_COMPLEMENTS = {_MORE: _AT_MOST, _AT_MOST: _MORE, _LESS: _AT_LEAST, _AT_LEAST: _LESS}
_COMPARATIVES = frozenset({"JJR", "RBR"})
_AMOUNTS = frozenset("more fewer less many much few".split())
_AUXILIARIES = frozenset({"do", "be", "have"})
_CLAUSES = frozenset({"advcl", "ccomp", "relcl", "conj", "pcomp", "ROOT", "acl"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
#: Pronouns that stand for the noun of the side before.
_STANDING_FOR = frozenset({"one", "ones", "that", "those"})
_MARKS = frozenset(".,;:()–—!?")
_ENDS = frozenset({"and", "but", "or", "by"})


def compared(
    event: Term, doc: Any, thing: Callable[[Any], Term], before: tuple[Slot, ...] = ()
) -> Term:
    """Return an event with its comparison in a slot, those joined to it with the same other side.

    `thing` reads a word with its dependents, and `before` is the other side in the clause that the
    event is coordinated with. An event without a comparison is as it was.
    """
    made = _compared(event, doc, thing)
    if _ratio(made) and not standards(made):
        made = replace(made, slots=(*made.slots, *before))
    joined = []
    for one in made.joined:
        other = _compared(one, doc, thing)
        if _ratio(other) and not standards(other):  # "slower than the train but cheaper"
            other = replace(other, slots=(*other.slots, *standards(made)))
        joined.append(other)
    return replace(made, joined=tuple(joined)) if joined else made


def _ratio(event: Term) -> bool:
    return any(one.bounds is not None for one in event.of("degree"))


def standards(event: Term) -> tuple[Slot, ...]:
    """Return the other side of a comparison."""
    return tuple(s for s in event.slots if s.role.startswith("than"))


def _compared(event: Term, doc: Any, thing: Callable[[Any], Term]) -> Term:
    degree = next(_degrees(event, doc), None)
    if degree is None:
        return _superlative(event)
    marker = _marker(degree, doc)
    as_much = _is_as(degree)
    if as_much and marker is None and event.kind != "property":
        return event
    scan = _before(degree)
    ratio, words = _range(degree, scan, as_much)
    outer = event.denied and "no" not in words  # "no more seats" denies once
    if outer or (words & {"not", "n't"} and "only" not in words):
        if ratio not in _COMPLEMENTS:
            return event
        ratio = _COMPLEMENTS[ratio]
    behind = _standard(marker, doc, thing, event) if marker is not None else ()
    if marker is not None and not behind:
        return event
    last = _end(marker, doc) if marker is not None else degree.i
    first = marker.i if marker is not None else len(doc)
    gone = {t.i for t in scan} | set(range(first, last + 1))
    extent: tuple[Slot, ...] = ()
    if degree.lower_ in _AMOUNTS:
        gone.add(degree.i)
        far = (c for c in degree.children if c.i < degree.i and c.i not in gone)
        extent = tuple(Slot("mod", thing(c)) for c in far if c.dep_ in {"advmod", "npadvmod"})
    slots = (*_kept(event.slots, gone), *extent)
    slots = tuple(_placed(slot, degree, behind, event) for slot in slots)
    if event.head in MEASURING and degree.lower_ in _AMOUNTS and not event.of("obj")[1:]:
        event = replace(event, head=MEASURING[event.head], kind="property")
    mark = Term("ratio", "words", degree.i, bounds=ratio, words=tuple(sorted(gone)))
    return replace(event, slots=(*slots, Slot("degree", mark), *behind), denied=False)


def _superlative(event: Term) -> Term:
    """Return "ran fastest" with "most" as its own slot."""
    for slot in event.slots:
        most = tuple(s for s in slot.filler.slots if s.role == "degree" and s.filler.head == "most")
        if slot.role == "mod" and slot.filler.kind != "thing" and most:
            inner = replace(slot.filler, slots=slot.filler.without("degree"))
            kept = (Slot("mod", inner) if s is slot else s for s in event.slots)
            return replace(event, slots=(*kept, *most))
    return event


def _placed(slot: Slot, degree: Any, behind: tuple[Slot, ...], event: Term) -> Slot:
    """Return a difference as what a side exceeds the other "by", and a time beside another as "in".

    How many of a thing there are is said by the comparison alone.
    """
    inner = slot.filler
    if slot.role == "mod" and inner.kind == "thing":
        if (inner.measure or inner.bounds) and inner.at < degree.i:
            return Slot("by", inner)
        if any(s.role == "than in" for s in behind) and not event.of("in"):
            return Slot("in", inner)
    if (
        slot.role == "obj"
        and degree.lower_ in _AMOUNTS
        and inner.determiner in {"many", "few", "half"}
    ):
        return Slot("obj", replace(inner, determiner="bare"))
    return slot


def _degrees(event: Term, doc: Any) -> Iterator[Any]:
    """Yield the words of an event that compare: its adjective, an adverb, how much of an object."""
    places = [event.at] if event.kind == "property" else []
    for slot in event.slots:
        inner = slot.filler
        if slot.role == "mod" and inner.kind != "event" and inner.at > event.at:
            places.append(inner.at)
        if slot.role in {"obj", "is"} and inner.kind != "event" and inner.at > event.at:
            places += [inner.at, *(s.filler.at for s in inner.slots if s.role == "mod")]
            places += [c.i for c in doc[inner.at].children if c.lower_ in _AMOUNTS]
    for i in places:
        token = doc[i]
        if is_no_longer(token) or is_any_more(token) or is_additional(token):
            continue  # of time, or of how many besides
        plain = token.pos_ in {"ADJ", "ADV"} or token.tag_ in _COMPARATIVES
        if plain and (token.tag_ in _COMPARATIVES or _is_as(token) or _is_raised(token)):
            yield token


def _is_as(token: Any) -> bool:
    """Return whether a word stands behind "as" or "so"."""
    return bool(token.i) and token.nbor(-1).lower_ in {"as", "so"}


def _is_raised(token: Any) -> bool:
    """Return whether "more" or "less" stands before a word."""
    return any(c.lower_ in {"more", "less"} and c.tag_ == "RBR" for c in token.children)


def _marker(degree: Any, doc: Any) -> Any:
    """Return the "than" or "as" behind which the other side stands, None where there is none."""
    sought = "as" if _is_as(degree) else "than"
    for token in doc[degree.i + 1 : degree.sent.end]:
        if token.lower_ == sought:
            return token
        if token.lower_ in {"than", "but", ";"}:
            return None
    return None


def _before(degree: Any) -> list[Any]:
    """Return the words of degree before a word: "at most as", "three times as"."""
    found = []
    i = degree.i - 1
    while i >= degree.sent.start:
        token = degree.doc[i]
        if not (token.lower_ in OF_DEGREE or token.like_num or token.lower_ in SMALL):
            break
        found.append(token)
        i -= 1
    return found[::-1]


def _range(degree: Any, scan: list[Any], as_much: bool) -> tuple[Bounds, set[str]]:
    """Return how many times as much a comparison says, with the words before it."""
    words = {t.lower_ for t in scan}
    ratio = _AT_LEAST if as_much else _MORE
    if not as_much and (degree.lower_ in LESSENING or words & LESSENING):
        ratio = _LESS
    factor = next((FACTORS[w] for w in words if w in FACTORS), None)
    if "times" in words:
        told = [t for t in scan if t.like_num]
        factor = _figure(told[0]) if told else None
    if factor is not None:
        return (factor, factor), words
    if "no" in words:
        return _COMPLEMENTS[ratio], words
    if words & EXACTLY:
        return _ONCE, words
    if "most" in words and "at" in words:
        return _AT_MOST, words
    return (_LESS if as_much and words & BELOW_ONCE else ratio), words


def _figure(token: Any) -> float | None:
    text = token.lower_
    if text in SMALL:
        return float([*SMALL].index(text))
    return float(text) if text.replace(".", "", 1).isdecimal() else None


def _end(marker: Any, doc: Any) -> int:
    """Return the last word of the other side of a comparison."""
    last = marker.i
    for token in doc[marker.i + 1 : marker.sent.end]:
        if token.text in _MARKS or token.lower_ in _ENDS:
            break
        last = token.i
    return int(last)


def _standard(marker: Any, doc: Any, thing: Callable[[Any], Term], event: Term) -> tuple[Slot, ...]:
    """Return the other side of a comparison in its slot, and what stands behind it."""
    last = _end(marker, doc)
    side = list(doc[marker.i + 1 : last + 1])
    if any(t.pos_ == "VERB" and t.lemma_ not in _AUXILIARIES and t.dep_ in _CLAUSES for t in side):
        return ()  # another deed
    role = "than"
    if side and side[0].lower_ in PREPOSITIONS:
        role, side = f"than {side[0].lower_}", side[1:]
    inside = {t.i for t in side}
    named = [t for t in side if t.head.i not in inside and t.pos_ in _NOMINAL]
    named = named or [t for t in side if t.pos_ in _NOMINAL]
    ordinal = [t for t in side if t.tag_ == "JJ"]
    if not named and not ordinal:
        return ()
    made = thing(named[0] if named else ordinal[-1])
    rest = tuple(s for s in made.slots if s.filler.at > last)
    made = replace(made, slots=tuple(s for s in made.slots if s not in rest))
    if made.determiner in {"any", "every"}:  # "than any other boat"
        marks = tuple(s for s in made.slots if s.filler.head != "other")
        made = replace(made, determiner="every", slots=marks)
    side_of = [
        *event.of(role.removeprefix("than").strip() or "subj"),
        *(x.filler for x in event.slots),
    ]
    like = next((t for t in side_of if t.kind == "thing"), made)
    if not named:  # "than the second"
        marks = (Slot("mod", replace(made, slots=(), joined=())),)
        made = replace(like, slots=marks, determiner="the", at=made.at, place=made.place)
    elif made.head in _STANDING_FOR:  # "than the old one", "than that of the year before"
        marks = tuple(s for s in like.slots if s.role == "mod" and s.filler.kind == "thing")
        determiner = "the" if made.head in {"that", "those"} else made.determiner
        made = replace(
            made, head=like.head, slots=(*made.slots, *marks), bounds=None, determiner=determiner,
            plural=like.plural,
        )  # fmt: skip
    return (Slot(role, made), *rest)


def _kept(slots: tuple[Slot, ...], gone: set[int]) -> tuple[Slot, ...]:
    """Return slots without what the words of a comparison fill, at any depth."""
    found = []
    for slot in slots:
        inner = slot.filler
        if slot.role == "degree" or slot.role in {"than", "as"} or inner.at in gone:
            continue
        deep = any(t.at in gone or t.of("degree") for t in terms_of(inner))
        if deep:
            inner = replace(inner, slots=_kept(inner.slots, gone))
        found.append(Slot(slot.role, inner))
    return tuple(found)


# --- what comparisons come to -----------------------------------------------------------------


def inverted(event: Term) -> Term:
    """Return a comparison with how many times as much the other side has."""
    slots = tuple(
        Slot(s.role, replace(s.filler, bounds=_inverse(s.filler.bounds)))
        if s.role == "degree" and s.filler.bounds
        else s
        for s in event.slots
    )
    return replace(event, slots=slots)


def across(event: Term, role: str = "than", side: str = "subj") -> Term:
    """Return a comparison told from its other side: A longer than B as B shorter than A."""
    one, other = event.of(side)[:1], event.of(role)[:1]
    if not (one and other):
        return event
    exchanged = {id(one[0]): other[0], id(other[0]): one[0]}
    slots = tuple(Slot(s.role, exchanged.get(id(s.filler), s.filler)) for s in event.slots)
    return inverted(replace(event, slots=slots))


def _inverse(ratio: Bounds) -> Bounds:
    low, high = ratio
    return (1 / high if high else math.inf), (1 / low if low else math.inf)

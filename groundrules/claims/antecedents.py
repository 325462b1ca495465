"""Antecedents: what pronouns stand for, and clauses that leave out what the one before says.

A pronoun keeps all the things that it may stand for: each choice makes a proposition.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from groundrules.claims.english import PREPOSITIONS
from groundrules.claims.english.logic import (
    AUXILIARY_FORCES,
    DOUBTED,
    LIMITS_OF_TIME,
    OWN_DETERMINERS,
    PRONOUN_KINDS,
    STANDING,
)
from groundrules.claims.quantifiers import TIMES
from groundrules.claims.slots import Slot, Term, terms_of, with_fillers

_INDEFINITE = frozenset({"some", "a", "bare"})
_MODALS = frozenset(AUXILIARY_FORCES) - {"need"}
_AUXILIARIES = frozenset({"do", "have", "be"}) | _MODALS
_ALSO = frozenset({"so", "too", "either", "neither"})
_FIRST = frozenset({"subj", "obj"})
#: Things that a pronoun may reach back to, that each may stand for, and propositions of them all.
_KNOWN, _CHOICES, _MOST = 8, 4, 9


def resolved(
    terms: Iterable[Term], before: Iterable[Term] = ()
) -> Iterator[tuple[Term, list[Term]]]:
    """Yield each proposition with its readings, in which pronouns stand for things before them.

    `before` are the propositions that precede them. A clause that has but an auxiliary says of its
    subject what the clause before it says of another: "so did Bill".
    """
    known: list[Term] = []
    last: Term | None = None
    when: Term | None = None
    said: Term | None = None
    old = list(before)
    for number, term in enumerate((*old, *terms)):
        made = completed(term, last) if last is not None else term
        if any(slot.filler.kind == "event" for slot in made.slots):
            slots = tuple(_completed_within(slot, made) for slot in made.slots)
            made = replace(made, slots=slots)
        made = _at_that_time(made, when)
        when = next((s.filler for s in made.slots[::-1] if _is_time(s)), when)
        if number >= len(old):
            told = _of_what_was_said(made, said)
            yield made, [*told, *(list(_readings(made, known)) or [made])]
        said = _content(made, said)
        _remember(made, known)
        last = made


def _is_time(slot: Slot) -> bool:
    """Return whether a slot says when: a date, an hour, or until what has happened."""
    measure = slot.filler.measure
    dated = measure is not None and measure.unit in TIMES
    return dated or (slot.role in LIMITS_OF_TIME and slot.filler.clausal)


def _at_that_time(event: Term, when: Term | None) -> Term:
    """Return "since then" and "before that" as since and before the time that was told last."""
    limits = LIMITS_OF_TIME | {"before", "after"}
    then = [s for s in event.slots if s.role in limits and s.filler.head in {"then", "that"}]
    if when is None or not then:
        return event
    slots = tuple(Slot(s.role, when) if s in then else s for s in event.slots)
    return replace(event, slots=slots)


def _of_what_was_said(event: Term, said: Term | None) -> list[Term]:
    """Return "the farmer doubts it" with what was said before for "it"."""
    whom = event.of("obj")
    if said is None or event.head not in DOUBTED or len(whom) != 1 or whom[0].slots:
        return []
    if whom[0].head not in {"it", "this", "that"}:
        return []
    return [replace(event, slots=(*event.without("obj"), Slot("that", said)))]


def _content(event: Term, before: Term | None) -> Term | None:
    """Return what a proposition says that somebody says, else itself; the last where it has it."""
    if event.head in DOUBTED and not event.of("that"):
        return before
    inner = next((t for t in event.of("that") if t.clausal), None)
    return inner or replace(event, slots=event.without("according to"))


def completed(term: Term, before: Term) -> Term:
    """Return a clause that has but an auxiliary with the rest of the clause before it.

    What stands in front of this one is read with that ("on Mondays guests may swim; on Fridays they
    must not"): where that has two of a kind nothing is completed. What must not be may not be.
    """
    has_to = term.head == "have" and [t.head for t in term.of("obj")] == ["to"]
    if has_to:  # "does not have to"
        term = replace(term, head="must", slots=term.without("obj"))
    also = any(s.role == "mod" and s.filler.head in {"so", "too", "neither"} for s in term.slots)
    if not _is_left_out(term, also) or before.head in _AUXILIARIES:
        return term
    behind = term.of("obj") or term.of("is")  # "so did Bill", "so was Bill"
    who = ((also and behind) or term.of("subj") or term.of("obj"))[:1]
    if not who:
        return term
    own = [s for s in term.slots if s.role not in {*_FIRST, "is"} and s.filler.head not in _ALSO]
    apart = any(s.role.startswith("not ") for s in own)  # "Bob did not in June"
    own = [Slot(s.role.removeprefix("not "), s.filler) for s in own]
    first = next((s.role for s in before.slots if s.role in _FIRST), "subj")
    kept = before.without(first, *(s.role for s in own))
    front = min((one.at for one in before.of(first)), default=-1)
    phrases = [s for s in before.slots if s.role in PREPOSITIONS]
    before_it = {s.role for s in phrases if s.filler.at < front}
    if front > before.at or any(s.role in before_it and s.filler.at > before.at for s in phrases):
        return term
    asked = before.force == "whether"  # "Has Ann come? Bob has."
    force = term.force if term.force != "fact" or asked else before.force
    modal = term.head in _MODALS or term.head == "need"
    deed = any(s.filler.head == "so" and s.filler.at > term.at for s in term.slots)  # "do so"
    if modal:
        forbids = term.denied and term.head in {"must", "shall"} and not has_to
        force = "may" if forbids else AUXILIARY_FORCES[term.head]
    return replace(
        before,
        slots=(Slot(first, who[0]), *kept, *own),
        denied=term.denied or apart or (also and not deed and before.denied),
        tense="" if modal else "perfect" if term.head == "have" else term.tense or before.tense,
        force=force,
        text=term.text,
        at=term.at,
        place=term.place,
    )


def _is_left_out(term: Term, also: bool) -> bool:
    """Return whether a clause has but an auxiliary, and leaves out its verb and what that takes."""
    if any(s.role in {"xcomp", "that"} for s in term.slots) or (term.of("is") and not also):
        return False
    if term.head == "need":
        return term.denied and [s.role for s in term.slots] == ["subj"]
    if term.head not in _AUXILIARIES or (term.of("obj") and not also):
        return False
    more = any(s.role not in {"subj", "mod", "is"} for s in term.slots)
    return term.head == "do" or term.head in _MODALS or not more


def _completed_within(slot: Slot, event: Term) -> Slot:
    """Return a clause of an event completed by the event itself: "before Smith did"."""
    if slot.filler.kind != "event":
        return slot
    rest = tuple(s for s in event.slots if s is not slot)
    return Slot(slot.role, completed(slot.filler, replace(event, slots=rest)))


def _remember(event: Term, known: list[Term]) -> None:
    """Add the things of an event to those that pronouns may stand for, subjects first."""
    for role in ("obj", "is", "subj"):
        for one in event.of(role):
            if one.kind == "thing" and one.head not in PRONOUN_KINDS and one.head != "one":
                known.insert(0, one)
    for said in event.of("that"):  # "it is expected that the ship docks"
        if said.clausal and not event.of("subj"):
            _remember(said, known)
    things = [s for s in event.slots if s.filler.kind == "thing"]
    known[1:1] = [t for s in things for t in s.filler.of("of") if t.determiner == "name"]
    known += [s.filler for s in things if s.role not in {"subj", "obj", "is"}]
    del known[_KNOWN:]


def _readings(term: Term, known: Sequence[Term]) -> Iterator[Term]:
    """Yield a proposition with each choice of things that its pronouns may stand for."""
    inside = list(terms_of(term))
    marks = {id(s.filler) for one in inside for s in one.slots if s.role == "mod"}
    inside = [one for one in inside if not (id(one) in marks and one.head in STANDING)]
    told = {"one"} if any(one.head in STANDING for one in inside) else set()
    kinds = sorted({kind for kind in map(_pronoun, inside) if kind})
    if not kinds:
        yield term
        return
    own = [s.filler for s in term.slots if s.role in _FIRST and not _pronoun(s.filler)]
    own += [
        one for one in inside
        if one.kind == "thing" and one.determiner == "name" and id(one) not in marks
        and not _pronoun(one)
    ]  # fmt: skip
    # what stands beside a subject in one clause is another: "she chaired it"
    direct = {_pronoun(slot.filler) for slot in term.slots}
    nested = [one for one in own if all(one is not slot.filler for slot in term.slots)]
    choices = []
    for kind in kinds:
        fitting = [
            one for one in (*(nested if kind in direct - told else own), *known) if _fits(kind, one)
        ]
        if kind == "one":
            fitting = _nouns(fitting, [one for one in inside if _pronoun(one) == "one"])
        unique = {(one.head, one.text): one for one in fitting}
        some: list[Term | None] = [*unique.values()]
        choices.append(some[:_CHOICES] or [None])
    for chosen in itertools.islice(itertools.product(*choices), _MOST):
        real = [one.text for one in chosen if one is not None]
        if len({*real}) == len(real):
            yield _replaced(term, dict(zip(kinds, chosen, strict=True)))


def _nouns(things: list[Term], ones: Sequence[Term]) -> list[Term]:
    """Return the things whose noun "one" may stand for, the indefinite first.

    "The new one" and "the second" are told from others: their noun is that of several things, or
    of one that is told from others, too. Where two nouns are so, it is not known which.
    """
    if not any(one.determiner == "the" for one in ones):
        return sorted(things, key=lambda one: one.determiner not in _INDEFINITE)
    marks = {(s.role, s.filler.kind) for one in ones for s in one.slots} or {("mod", "property")}
    counted = [one for one in things if one.bounds and one.bounds[0] > 1 and not one.measure]
    marked = [one for one in things if marks & {(s.role, s.filler.kind) for s in one.slots}]
    single = [one for one in marked if not one.plural]
    standing = any(one.head in STANDING for one in ones)
    alike = [one for one in things if any(m.head in STANDING for m in one.of("mod"))]
    told = [alike, counted] if standing else []  # "the second" beside "the first team"
    for chosen in (*told, single, marked, things):
        if chosen:
            return chosen if len({one.head for one in chosen}) == 1 else []
    return []


def _pronoun(term: Term) -> str:
    """Return of which kind a pronoun is, empty for what is none; "one" stands for a noun alone."""
    if term.head in STANDING and term.determiner == "the" and not term.of("of"):
        return "one"
    if term.kind != "thing":
        return ""
    if term.head in {"one", "ones"} and (term.slots or term.bounds == (1, 1)):
        return "one"
    return PRONOUN_KINDS.get(term.head, "")


def _fits(kind: str, term: Term) -> bool:
    if term.kind != "thing" or term.head in {"i", "you", "we"}:
        return False
    if kind == "one":  # the noun of one thing that nothing tells from others stands for it alone
        alone = term.determiner == "the" and not term.plural and not term.slots
        return term.determiner != "name" and not alone and term.head not in STANDING
    if kind == "they":
        return term.plural or bool(term.joined) or term.determiner in {"every", "some", "name"}
    return not term.plural and (kind == "it" or term.determiner != "bare")


def _replaced(term: Term, by: Mapping[str, Term | None]) -> Term:
    kind = _pronoun(term)
    other = by.get(kind)
    if other is not None and kind == "one":
        bounds = None if term.bounds == (1, 1) else term.bounds
        determiner = "some" if term.determiner == "bare" else term.determiner
        like = tuple(s for s in other.slots if s.role == "mod" and s.filler.kind == "thing")
        own_mark = any(s.role == "mod" and s.filler.kind == "thing" for s in term.slots)
        kept = () if other.determiner == "name" or own_mark else like  # "the Thursday one"
        slots = (*term.slots, *(s for s in kept if s not in term.slots))
        if term.head in STANDING:
            which = Term(term.head, "property", term.at, place=term.place)
            slots = (*slots, Slot("mod", which))
            bounds = None
        return replace(
            term, kind="thing", head=other.head, bounds=bounds, determiner=determiner, slots=slots
        )
    if other is not None:
        own = term.determiner in OWN_DETERMINERS
        told = "the" if other.determiner == "a" and not other.plural else other.determiner
        determiner = term.determiner if own else told
        measure = term.measure if own else other.measure
        return replace(
            other, determiner=determiner, measure=measure, words=term.words, joined=(), at=term.at,
            place=term.place,
        )  # fmt: skip
    fillers = [
        s.filler if s.role == "mod" and s.filler.head in STANDING else _replaced(s.filler, by)
        for s in term.slots
    ]
    return with_fillers(term, fillers)

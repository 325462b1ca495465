"""What a proposition tells to be done: to what, by whom and on what day; what stands by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from rdflib.term import Node, URIRef

from groundrules.claims.english.identity import (
    BESIDES,
    CONDITIONAL,
    DATED_ON,
    DATED_UNTIL,
)
from groundrules.claims.slots import Slot, Term, terms_of
from groundrules.ontology.read.lexicon import Event
from groundrules.ontology.read.referents import Held, Sentence
from groundrules.terms import Mention, Span

FORCES = frozenset({"fact", "shall", "will", "must", "is to"})


def first_place(thing: Term, words: str) -> int:
    """Return where a phrase begins in a sentence, its article with it."""
    at = words.rfind(thing.text, 0, thing.place[0] + len(thing.text))
    return at if 0 <= at <= thing.place[0] else thing.place[0]


def is_heading(term: Term) -> bool:
    """Return whether a proposition is what a heading says: "Start date: 1 July"."""
    return term.head == "be" and any(one.text.startswith(":") for one in term.of("is"))


def is_so(term: Term) -> bool:
    """Return whether a proposition is told as so, without a condition."""
    if term.denied or term.force not in FORCES:
        return False
    return not any(slot.role in CONDITIONAL for slot in term.slots)


def _near(slots: Sequence[Slot], sentence: Sentence) -> Iterator[Slot]:
    """Yield slots, and those of their dates: "from 1 May until 2 June" is one phrase."""
    for slot in slots:
        yield slot
        if sentence.date_at(slot.filler) is not None:
            yield from (inner for inner in slot.filler.slots if inner.role != "mod")


def end_of(term: Term, roles: Set[str], sentence: Sentence) -> Mention | None:
    """Return the one date that a term has in some of its slots."""
    slots = [slot for slot in _near(term.slots, sentence) if slot.role in roles]
    found = [date for slot in slots if (date := sentence.date_at(slot.filler))]
    return found[0] if len({date.span.start for date in found}) == 1 else None


def deeds(sentence: Sentence) -> Iterator[Term]:
    """Yield propositions with what they say by the way: "by filing it", "which was filed on"."""
    told = {term.at for term in sentence.said}
    for term in sentence.said:
        if any(sentence.date_at(filler) for filler in surface(term)):
            continue  # a clause that hangs from a date is said of what has the date
        yield term
        yield from (
            slot.filler
            for slot in term.slots
            if slot.role in BESIDES and slot.filler.kind == "event"
        )
        about = next(iter(surface(term)), None)
        for clause in _participles(term, sentence):
            if about is not None:
                yield _about(clause, about)
        for thing in terms_of(term):
            for slot in thing.slots if thing.kind == "thing" else ():
                new = slot.role == "that" and slot.filler.clausal and slot.filler.at not in told
                if new and sentence.date_at(thing) is None:
                    told.add(slot.filler.at)
                    yield _filled(slot.filler, replace(thing, slots=thing.without("that")))


def surface(term: Term) -> list[Term]:
    """Return what a clause is about: the done-to of a passive, else the doer."""
    return term.of("obj") if term.passive else term.of("subj") or term.of("obj")


def _participles(term: Term, sentence: Sentence) -> Iterator[Term]:
    """Yield "filed on 3 May" before a clause, and ", having been filed" that hangs from a date."""
    yield from (filler for filler in term.of("ing") if filler.clausal)
    for slot in term.slots:
        if sentence.date_at(slot.filler) is not None:
            yield from (clause for clause in slot.filler.of("that") if clause.clausal)


def _about(clause: Term, thing: Term) -> Term:
    """Return a participle with the thing that its clause is about in its gap."""
    slots = tuple(slot for slot in clause.slots if slot.filler.kind != "gap")
    if any(slot.role == "subj" for slot in slots):
        return replace(clause, slots=slots)
    passive = clause.passive or any(slot.filler.kind == "gap" for slot in clause.slots)
    role = "obj" if passive and not any(slot.role == "obj" for slot in slots) else "subj"
    return replace(clause, slots=(*slots, Slot(role, thing)))


def _filled(clause: Term, thing: Term) -> Term:
    """Return a relative clause with the thing that it is about in its gap."""
    slots = (replace(s, filler=thing) if s.filler.kind == "gap" else s for s in clause.slots)
    return replace(clause, slots=tuple(slots))


def affected(term: Term, taken: Sequence[Term]) -> list[Term]:
    """Return what an event may happen to, the done-to before the doer."""
    inside = [s.filler for one in taken for s in one.slots if s.role in {"of", "in", "obj"}]
    free = [slot for slot in term.slots if slot.filler not in taken]
    doers = [slot.filler for slot in free if slot.role == "subj"]
    done_to = [slot.filler for slot in free if slot.role == "obj" and slot.filler.kind == "thing"]
    if any(one.of("whose") for one in doers):
        done_to = []  # "the lease whose term ended": it is the term that ended
    within = [slot.filler for slot in free if slot.role in {"in", "to", "on", "upon"}]
    return [*done_to, *inside, *([] if done_to else doers), *(within if taken else [])]


def when_done(
    term: Term, taken: Sequence[Term], own: Sequence[Term], sentence: Sentence, *, until: bool
) -> Mention | None:
    """Return the date of an event, None where it has none or several."""
    roles = DATED_UNTIL if until else DATED_ON | {"obj", "mod"}  # "commencing 1 May"
    slots: list[Slot] = list(term.slots)
    # the day that a thing bears is none of what befalls it: "the order of 3 May was reversed"
    borne = [replace(one, slots=one.without("of")) for one in own]
    for one in (*taken, *borne, *(_means(term) if not until else ())):
        slots += one.slots
        if one.head == "date":  # "bears the date 3 June"
            slots += [Slot("on", f) for f in (*one.of("also"), *one.of("mod"), *one.of("of"))]
    slots = [slot for slot in _near(slots, sentence) if slot.role in roles]
    found = {date.span.start: date for slot in slots if (date := sentence.date_at(slot.filler))}
    return next(iter(found.values())) if len(found) == 1 else None


def _means(term: Term) -> Iterator[Term]:
    """Yield that by which something is done, with what is told of it: "by a writ issued on"."""
    for doer in (*(term.of("subj") if term.of("obj") else ()), *term.of("by")):
        if doer.determiner != "name":
            yield doer
            yield from doer.of("that")


def head_words(term: Term) -> Iterator[str]:
    """Yield the words of who does something: of a name all, of others none that describe it."""
    yield term.head
    for slot in term.slots:
        if slot.role == "of" or slot.filler.determiner == "name":
            yield from head_words(slot.filler)


@dataclass(frozen=True, slots=True)
class Told:
    """An event that a sentence tells: its thing, its date, its doer and its place.

    A date that is `borne`, "the order of 3 May", tells which thing is meant.
    """

    event: Event
    held: Held
    when: Mention | None
    doer: str
    span: Span
    at: int = -1
    borne: bool = False


def each_by_itself(told: Sequence[Told]) -> Iterator[Told]:
    """Yield events but those that several did each for himself, as parties sign on their days.

    Left out are those of a thing that bears another day than the one told of it, which is another.
    """
    days_of = {(t.held.node, t.event.property): t.when for t in told if t.when and not t.borne}
    doers: dict[tuple[Node, URIRef], set[str]] = {}
    days: dict[tuple[int, URIRef], set[Node]] = {}
    for one in told:
        if one.when is not None and one.at >= 0:
            days.setdefault((one.at, one.event.property), set()).add(one.when.node)
        if one.doer and one.event.via is None and not one.event.value:
            doers.setdefault((one.held.node, one.event.property), set()).add(one.doer)
    for one in told:
        other = days_of.get((one.held.node, one.event.property), one.when)
        if one.borne and one.when and other and _apart(str(one.when.node), str(other.node)):
            continue
        alone = not one.doer or len(doers.get((one.held.node, one.event.property), ())) < 2
        # "signed by one on 3 May and by the other on 7 May"
        if alone and len(days.get((one.at, one.event.property), ())) < 2:
            yield one


def _apart(one: str, other: str) -> bool:
    """Return whether two days are not one: "2024" and "2024-05-01" may be."""
    return not (one.startswith(other) or other.startswith(one))

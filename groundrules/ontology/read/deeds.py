"""What a proposition tells to be done: to what, by whom and on what day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from groundrules import domain
from groundrules.claims.english import PEOPLE
from groundrules.claims.english.identity import (
    BESIDES,
    CONDITIONAL,
    DATED_ON,
    DATED_UNTIL,
    LENGTHS,
    SOMEBODY,
    STATING,
)
from groundrules.claims.slots import Slot, Term, terms_of
from groundrules.ontology.read.lexicon import Lexicon
from groundrules.ontology.read.referents import PRONOUNS, Sentence, phrases
from groundrules.terms import Mention

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
    said = [one for term in sentence.said for one in _stated(_righted(term, sentence), sentence)]
    for term in said:
        if any(sentence.date_at(filler) for filler in surface(term)):
            continue  # a clause that hangs from a date is said of what has the date
        term = _until(term)
        yield term
        yield from (
            _until(slot.filler)
            for slot in term.slots
            if slot.role in BESIDES and slot.filler.kind == "event"
        )
        about = next(iter(surface(term)), None)
        for clause in _participles(term, sentence):
            if about is not None:
                yield _until(_about(clause, about))
        for thing in map(_of_its_length, _whole_terms(term, about)):
            for slot in thing.slots if thing.kind == "thing" else ():
                new = slot.role == "that" and slot.filler.clausal and slot.filler.at not in told
                if new and sentence.date_at(thing) is None:
                    told.add(slot.filler.at)
                    yield _filled(slot.filler, replace(thing, slots=thing.without("that")))


def _righted(term: Term, sentence: Sentence) -> Term:
    """Return a clause with its day as what it is done on, and what it is about as its subject.

    A verb may hang from its subject, "the patent issued on", a bare day stand as what is begun,
    "commencing 1 May", or first, "1 May is the first day", or be lifted, "it was on 1 May that".
    """
    if term.kind != "event":
        return term
    if len(term.slots) == 1 and term.slots[0].role == "acl":
        thing = Term(
            term.head, "thing", term.at, determiner="the", text=term.head, place=term.place
        )
        clause = term.slots[0].filler
        return replace(clause, kind="event", slots=(*clause.slots, Slot("obj", thing)))
    days = {id(slot.filler) for slot in term.slots if sentence.date_at(slot.filler) is not None}
    if not days or not term.of("subj"):
        return term
    turned = {"subj": "is", "is": "subj"} if term.head == "be" and len(term.of("is")) == 1 else {}
    turned = turned if days & {id(one) for one in term.of("subj")} else {"obj": "on"}
    slots = (
        replace(s, role=turned.get(s.role, s.role))
        if s.role != "obj" or id(s.filler) in days
        else s
        for s in term.slots
        if s.role != "obj" or s.filler.head != "that"
    )
    return replace(term, slots=tuple(slots))


def _stated(term: Term, sentence: Sentence) -> Iterator[Term]:
    """Yield a proposition, and what it says that a paper states or its parties agree to."""
    yield term
    who = [*surface(term), *term.of("in"), *term.of("by")]
    if term.clausal and is_so(term) and any(_is_paper(one) for one in who):
        for clause in term.of("that"):
            if clause.kind == "event":
                yield from _stated(_righted(clause, sentence), sentence)


def _whole_terms(term: Term, about: Term | None) -> Iterator[Term]:
    """Yield the terms of a proposition; what its thing is "for" is of that: "for a term"."""
    for one in terms_of(term):
        lasting = about is not None and one in term.of("for") and one.kind == "thing"
        own = (*one.slots, Slot("of", about)) if lasting and about else one.slots
        yield replace(one, slots=own, determiner="the") if lasting else one


def _of_its_length(thing: Term) -> Term:
    """Return with its clause a thing whose length has it: "a term of three years commencing"."""
    for slot in thing.slots:
        if slot.role == "of" and slot.filler.head in LENGTHS and slot.filler.of("that"):
            told = (one for one in slot.filler.slots if one.role == "that")
            return replace(thing, slots=(*(s for s in thing.slots if s is not slot), *told))
    return thing


def _is_paper(term: Term) -> bool:
    """Return whether a phrase names a part of a paper, or those who agree on its words."""
    mods = [slot.filler.head for slot in term.slots if slot.role == "mod"]
    head = "parties" if term.head == "party" and term.plural else term.head
    return not (STATING | domain.words().papers).isdisjoint({head, *mods})


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


def _until(term: Term) -> Term:
    """Return as done on a day what was not done until then."""
    if not term.denied or not term.of("until"):
        return term
    slots = tuple(replace(s, role="on") if s.role == "until" else s for s in term.slots)
    return replace(term, denied=False, slots=slots)


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


def with_nouns(lexicon: Lexicon, sentences: Sequence[Sentence]) -> Lexicon:
    """Return a lexicon with the nouns of a text that are of no kind, as what befalls them tells.

    Who does something is a person, and what is of a name its own.
    """
    known = {noun for kind in lexicon.kinds for noun in kind.nouns} | PRONOUNS | SOMEBODY | LENGTHS
    known |= PEOPLE.union(*(kind.plain for kind in lexicon.kinds), lexicon.roles)
    new: dict[str, str] = {}
    for term in (one for sentence in sentences if lexicon.open for one in deeds(sentence)):
        for phrase, taken in phrases(term):
            events = lexicon.events.get(phrase, ())
            of = {event.of for event in events if not event.implicit}
            kind = next((name for name in lexicon.open if name in of), None)
            fillers = [one for one in affected(term, taken) if one.kind == "thing"]
            if not of or kind is None or any({*_nouns(one)} & known for one in fillers):
                continue
            for one in fillers[:1]:
                if one.determiner in {"the", "a"} and not one.plural and one.head.isalpha():
                    new.setdefault(one.head, kind)
    kinds = (
        replace(one, nouns={**one.nouns, **{n: n for n, name in new.items() if name == one.name}})
        for one in lexicon.kinds
    )
    return replace(lexicon, kinds=tuple(kinds)) if new else lexicon


def _nouns(term: Term) -> Iterator[str]:
    yield term.head
    yield from (slot.filler.head for slot in term.slots if slot.role in {"mod", "of"})


def head_words(term: Term) -> Iterator[str]:
    """Yield the words of who does something: of a name all, of others none that describe it."""
    yield term.head
    for slot in term.slots:
        if slot.role == "of" or slot.filler.determiner == "name":
            yield from head_words(slot.filler)

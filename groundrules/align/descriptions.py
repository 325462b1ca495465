"""Descriptions: the thing of a source that a statement means by what the source says of it.

"The boiler in house B burns pellets" is of the new boiler where the new boiler stands in house B.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from groundrules.align.entailment import compare
from groundrules.align.known import DEFINITE, SOURCES, Premises, asked_within, signature
from groundrules.align.meanings import related
from groundrules.align.related_predicates import akin
from groundrules.claims.english.logic import HAVING, PLACING, SETTLED
from groundrules.claims.slots import MANY, Slot, Term, kept

#: Things of a source that a description is held against, and slots that may describe, at most.
_MOST_THINGS, _MOST_SLOTS = 24, 3


def identified(event: Term, premises: Premises) -> Iterator[Term]:
    """Yield a proposition with each thing that it describes as the source calls it.

    The source must say of that thing, and of no other of its kind, all that the description does;
    of what an indefinite description means the source may say it of others too.
    """
    for slot in event.slots:
        one = slot.filler
        if not _is_description(one):
            continue
        fitting = _fitting(one, premises)
        if one.determiner == "the" and len(fitting) != 1:
            continue
        for known in fitting:
            told = replace(known, at=one.at, place=one.place, text=one.text, aside=one.aside)
            slots = (Slot(s.role, told) if s is slot else s for s in event.slots)
            yield replace(event, slots=tuple(slots))


def _is_description(term: Term) -> bool:
    """Return whether words beside its noun tell which thing is meant."""
    single = term.kind == "thing" and not (term.joined or term.plural or term.bounds)
    told = 0 < len(term.slots) <= _MOST_SLOTS
    return single and told and term.determiner in {"the", "a", "some"}


def _fitting(said: Term, premises: Premises) -> tuple[Term, ...]:
    """Return the things of a source that fit a description, found once for the very words."""
    known = premises.meant.get(id(said))
    if known is not None and known[0] is said:
        return known[1]
    found = tuple(t for t in _things(said, premises) if _fits(t, said, premises))
    if len(premises.meant) >= MANY:
        premises.meant.clear()
    premises.meant[id(said)] = said, found
    return found


def _things(said: Term, premises: Premises) -> Iterator[Term]:
    """Yield the single things of a source that may be of the kind of another, each once."""
    seen = {signature(said)}
    for known, name, nouns in _known_things(premises):
        if name in seen or len(seen) > _MOST_THINGS:
            continue
        if any(related(noun, said.head, "thing").supports for noun in nouns):
            seen.add(name)
            yield known


@kept(SOURCES)
def _known_things(premises: Premises) -> tuple[tuple[Term, str, tuple[str, ...]], ...]:
    """Return the single things of a source with what tells them apart and the nouns they are of.

    The nouns of a thing are its own and those of what it is said to be.
    """
    kinds: dict[str, list[str]] = defaultdict(list)
    for one, of in premises.kinds:
        kinds[signature(one)].append(of.head)
    found: dict[tuple[str, tuple[str, ...]], Term] = {}
    for known in (s.filler for event in premises.terms for s in event.slots):
        if known.kind != "thing" or known.determiner not in DEFINITE or known.plural:
            continue
        name = signature(known)
        marks = (t.head for t in known.of("mod") if known.determiner == "name")
        nouns = (known.head, *kinds.get(name, ()), *marks)
        if (name, nouns) not in found:
            found[name, nouns] = replace(known, slots=known.without("that"), joined=())
    return tuple((known, name, nouns) for (name, nouns), known in found.items())


def _fits(known: Term, said: Term, premises: Premises) -> bool:
    return all(_is_told(known, slot, premises) for slot in said.slots)


def _is_told(known: Term, slot: Slot, premises: Premises) -> bool:
    """Return whether a source says of a thing what a slot of a description says."""
    own = {(s.role, signature(s.filler)) for s in known.slots}
    if (slot.role, signature(slot.filler)) in own and not slot.filler.clausal:
        return True
    return any(
        compare(one, told, asked_within(premises)).relation.supports
        for told in _sayings(known, slot)
        for one in akin(premises.terms, told)
    )


def _sayings(known: Term, slot: Slot) -> Iterator[Term]:
    """Yield the propositions that say of a thing what a slot says, any of which will do."""
    inner, who = slot.filler, Slot("subj", known)
    plain = Term("be", "event", inner.at)
    if slot.role == "that" and inner.clausal:
        filled = (Slot(s.role, known) if s.filler.kind == "gap" else s for s in inner.slots)
        yield replace(inner, slots=tuple(filled), aside=False)
    elif slot.role == "mod" and inner.kind == "property" and not inner.of("degree"):
        yield replace(inner, slots=(who, *inner.slots))
    elif slot.role == "with":
        whole = (who, Slot("obj", inner))
        yield from (replace(plain, head=verb, slots=whole) for verb in sorted(HAVING))
    elif slot.role == "from":
        yield from (replace(plain, head=verb, slots=(who, slot)) for verb in ("be", "come"))
    elif slot.role in PLACING:
        yield from (replace(plain, head=verb, slots=(who, slot)) for verb in sorted(SETTLED))

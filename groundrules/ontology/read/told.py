"""Events as they are told: of which thing, on what day, and which of them stand together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from rdflib.term import Node, URIRef

from groundrules.ontology.read.lexicon import Event
from groundrules.ontology.read.referents import Held
from groundrules.terms import Mention, Span

__all__ = ["Told", "each_by_itself"]


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


def each_by_itself(told: Sequence[Told], nouns: Set[str]) -> Iterator[Told]:
    """Yield events but those that several did each for himself, as parties sign on their days.

    Left out are those of a thing that bears another day than the one told of it, which is another;
    and those of what no noun of a lexicon is for, where nothing else is told of it, or the same of
    two days: a file may be closed twice.
    """
    days_of = {(t.held.node, t.event.property): t.when for t in told if t.when and not t.borne}
    doers: dict[tuple[Node, URIRef], set[str]] = {}
    days: dict[tuple[int, URIRef], set[Node]] = {}
    events: dict[Node, dict[URIRef, set[str]]] = {}
    for one in told:
        if one.when is not None:
            of = events.setdefault(one.held.node, {}).setdefault(one.event.property, set())
            of.add(str(one.when.node))
        if one.when is not None and one.at >= 0:
            days.setdefault((one.at, one.event.property), set()).add(one.when.node)
        if one.doer and one.event.via is None and not one.event.value:
            doers.setdefault((one.held.node, one.event.property), set()).add(one.doer)
    for one in told:
        of_own = one.held.called and one.held.called not in nouns
        if of_own and not _are_compared(events.get(one.held.node, {}), one.event.property):
            continue
        other = days_of.get((one.held.node, one.event.property), one.when)
        if one.borne and one.when and other and _apart(str(one.when.node), str(other.node)):
            continue
        alone = not one.doer or len(doers.get((one.held.node, one.event.property), ())) < 2
        # "signed by one on 3 May and by the other on 7 May"
        if alone and len(days.get((one.at, one.event.property), ())) < 2:
            yield one


def _are_compared(events: Mapping[URIRef, Set[str]], property_: URIRef) -> bool:
    """Return whether two events of a thing are told, and this one of one day."""
    days = events.get(property_, frozenset())
    return len(events) > 1 and not any(_apart(day, other) for day in days for other in days)


def _apart(one: str, other: str) -> bool:
    """Return whether two days are not one: "2024" and "2024-05-01" may be."""
    return not (one.startswith(other) or other.startswith(one))

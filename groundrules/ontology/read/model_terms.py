"""What somebody else reads of a text, put in the terms of an ontology beside our own reading.

All that is stated bears the name of who read it. What the text only reports of somebody is told of
things of his own, so that it stands against nothing but what he says himself. What is in no term,
or whose words do not name its value, is dropped and counted; what we have read too is said once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.copied import Place
from groundrules.claims.llm_assertions import Mode, ToldAssertion, ToldOrder, ToldThing
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.read.model_things import (
    Axioms,
    ToldReading,
    Use,
    axioms_of,
    nodes_of,
    uses_of,
)
from groundrules.ontology.read.model_values import names_a_value, value_of
from groundrules.ontology.termlist import PropertyTerm
from groundrules.terms import GR, Polarity, Span, Triple

__all__ = ["IS_A", "ToldReading", "state_told"]

#: The property by which a text itself says of what class a thing is.
IS_A = "isA"
#: Why something told is dropped, as the notes say it.
NO_TERM = "with an unknown class or property"
NO_VALUE = "whose words do not name their value"
NO_CLASS = "of a class that what is said of its thing excludes"
NO_ORDER = "of an event before itself"


def state_told(assertions: Assertions, told: ToldReading, ontology: Ontology) -> Counter[str]:
    """State what somebody else has read of a document; return what was dropped, by reason."""
    axioms, uses = axioms_of(ontology), uses_of(told)
    nodes = nodes_of(assertions, told, axioms, uses)
    stating = _Stating(assertions, told, axioms, nodes)
    with assertions.read_by(told.by):
        for piece in told.pieces:
            for row in piece.assertions:
                stating.assertion(row)
            for order in piece.orders:
                stating.order(order)
        for one in stating.things.values():
            stating.kind(one, uses.get(one.id, ()))
    return stating.dropped


class _Stating:
    """States what is told of a document, by the nodes of its things; counts what it drops."""

    def __init__(
        self, assertions: Assertions, told: ToldReading, axioms: Axioms, nodes: Mapping[str, URIRef]
    ) -> None:
        self.assertions, self.axioms, self.nodes = assertions, axioms, nodes
        self.terms = told.vocabulary
        self.things = {one.id: one for piece in told.pieces for one in piece.things}
        self.dropped: Counter[str] = Counter()
        #: The things that somebody speaks of whom the text only reports.
        self.spoken: dict[tuple[str, str], URIRef] = {}
        #: Where something is first said of each thing, and what class the text itself gives it.
        self.said: dict[str, Place] = {}
        self.itself: set[tuple[str, str]] = set()
        for piece in told.pieces:
            for row in piece.assertions:
                for one in (row.thing, row.named):
                    self.said.setdefault(one, row.mode.places[0])
                if row.property == IS_A:
                    self.itself.add((row.thing, row.named))

    def kind(self, one: ToldThing, uses: Sequence[Use]) -> None:
        """State of what class a thing is, unless what is said of it excludes that.

        What the text itself says is stated as such.
        """
        term = self.terms.classes.get(one.kind)
        if term is None:
            if one.kind:
                self.dropped[NO_TERM] += 1
            return
        if (one.id, one.kind) in self.itself:
            return
        if any(use.subject and self.axioms.excludes(term.iri, use.wanted) for use in uses):
            self.dropped[NO_CLASS] += 1
            return
        place = one.places[0] if one.places else self.said.get(one.id)
        if place is not None:
            span = self.assertions.span(*place)
            own = [node for (thing, _), node in self.spoken.items() if thing == one.id]
            for node in (self.nodes[one.id], *own):
                self.assertions.state(node, RDF.type, term.iri, span)

    def node(self, thing: str, by: str) -> URIRef:
        """Return the node of a thing, another for each of whom it is only reported."""
        node = self.nodes[thing]
        if not by:
            return node
        own = self.spoken.setdefault((thing, by), self.assertions.part(f"told:{thing} by {by}"))
        self.assertions.labels.setdefault(own, self.assertions.labels.get(node, thing))
        return own

    def assertion(self, row: ToldAssertion) -> None:
        """State an assertion, and what its inverse says."""
        subject = self.node(row.thing, row.mode.by)
        if row.property == IS_A:
            kind = self.terms.classes.get(row.named)
            if kind is None:
                self.dropped[NO_TERM] += 1
            else:
                self._state(Triple(subject, RDF.type, kind.iri), row.mode)
            return
        term = self.terms.properties.get(row.property)
        if term is None:
            self.dropped[NO_TERM] += 1
            return
        value = self._value(row, term)
        if value is None:
            self.dropped[NO_VALUE] += 1
            return
        mode = row.mode
        if row.named in self.things and self.things[row.named].bound:
            mode = Mode(mode.places, mode.denied, mode.force, bound=True, by=mode.by)
        self._state(Triple(subject, term.iri, value), mode)
        inverse = self.axioms.inverse.get(term.iri)
        if inverse is not None and isinstance(value, URIRef):
            self._state(Triple(value, inverse, subject), mode)

    def order(self, order: ToldOrder) -> None:
        """State that one dated event is told before another."""
        span = self._span(order.mode.places)
        ends: list[tuple[URIRef, PropertyTerm]] = []
        for thing, name in (order.first, order.second):
            term = self.terms.properties.get(name)
            if term is None or term.kind != "date":
                self.dropped[NO_TERM] += 1
                return
            ends.append((self.node(thing, order.mode.by), term))
        if ends[0] == ends[1]:
            self.dropped[NO_ORDER] += 1
            return
        events = []
        for subject, term in ends:
            event = self.assertions.part(f"{term.name} of {subject}")
            called = term.called[0] if term.called else term.name
            label = f"{called} of {self.assertions.labels.get(subject, '')}"
            self.assertions.labels.setdefault(event, label)
            self.assertions.state(event, GR.happensTo, subject, span)
            self.assertions.state(event, GR.datedBy, term.iri, span)
            events.append(event)
        self._state(Triple(events[0], GR.toldBefore, events[1]), order.mode)

    def _state(self, triple: Triple, mode: Mode) -> None:
        polarity: Polarity = "negative" if mode.denied else "positive"
        subject, predicate = triple.subject, triple.predicate
        assert isinstance(predicate, URIRef)
        self.assertions.state(
            subject,
            predicate,
            triple.object,
            self._span(mode.places),
            polarity=polarity,
            modality=mode.modality,
            attribution=mode.by or None,
        )

    def _value(self, row: ToldAssertion, term: PropertyTerm) -> Node | None:
        """Return the value of an assertion, None where its words do not name one."""
        if row.named in self.nodes:
            return self.node(row.named, row.mode.by) if term.kind == "thing" else None
        if term.values:
            listed = names_a_value(row.value, term.values) if row.value else None
            listed = row.named if row.named in term.values else listed
            return None if listed is None else Literal(listed)
        if row.value is None:
            return None
        if term.kind == "thing":
            return self.assertions.thing(*row.value.places[0]) if row.value.words else None
        literal = value_of(row.value, term.kind, term.datatype)
        if literal is not None and term.kind != "text":
            self.assertions.labels.setdefault(literal, row.value.words or row.named[:80])
        return literal

    def _span(self, places: Sequence[Place]) -> Span:
        """Return the place of words: their pieces in the sentence of the first."""
        first = places[0]
        inside = [*self._inside(first, places)]
        return self.assertions.span(min(p[0] for p in inside), max(p[1] for p in inside))

    def _inside(self, first: Place, places: Sequence[Place]) -> Iterator[Place]:
        around = self.assertions.sentence_at(first[0])
        yield first
        if around is not None:
            yield from (p for p in places if around.start <= p[0] and p[1] <= around.end)

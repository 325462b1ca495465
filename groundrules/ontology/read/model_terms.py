"""What a language model reads of a text in the terms of an ontology, beside our own reading.

An answer names things and asserts of them. What it copied counts: words that stand in the text, and
values that our own readers find in them; the rest is dropped and counted. Which node a thing is
`model_things` says; all that is stated bears the reader's name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.evidence.copied import Place, find_all, pieces_of
from groundrules.claims.models.llm_terms import FORCES
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.read.model_things import Mode, ModelThing, ModelThings, bare
from groundrules.ontology.read.model_values import OPERATED, Value, split, value_of
from groundrules.ontology.termlist import PropertyTerm, Vocabulary
from groundrules.terms import GR, Modality, Triple

__all__ = ["IS_A", "ModelReading", "state_reading"]

#: The property by which a text itself says of what class a thing is.
IS_A = "isA"
#: Of one answer more rows of a kind, and of one thing more names, are not looked at.
_MOST, _MOST_NAMES = 400, 12
#: The longest words that are looked for, in code points, and the most pieces of them.
_LONGEST, _MOST_PIECES = 2000, 12
#: Why something told is dropped, as the notes say it.
NO_WORDS = "whose words are not in the text"
NO_THING = "of a thing that the answer has not"
NO_TERM = "with an unknown class or property"
NO_VALUE = "whose words do not name their value"
NO_CLASS = "of a class that what is said of its thing excludes"
TOO_MANY = f"beyond {_MOST} of a kind in one answer"

#: What a calendar, or a coin, has of another of its units: as a factor of what stands in a text it
#: need not stand there.
_UNITS = frozenset({"2", "4", "7", "12", "24", "52", "60", "100", "365"})


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What somebody else has read of a text: by whom, in which terms, piece by piece.

    Each piece has its place in the text and the answer on it, by the schema of `llm_terms`.
    """

    by: str
    vocabulary: Vocabulary
    pieces: tuple[tuple[Place, Mapping[str, Any]], ...] = ()

    @property
    def given(self) -> int:
        """How many things, assertions and orders the answers have."""
        rows = ("things", "assertions", "orders")
        return sum(len(answer[one]) for _, answer in self.pieces for one in rows)


def state_reading(assertions: Assertions, told: ModelReading, ontology: Ontology) -> Counter[str]:
    """State what somebody else has read of a document; return what was dropped, by reason."""
    reader = ModelThings(assertions, told.vocabulary, ontology)
    pieces = [
        _Piece(reader, place, answer, f"{number}.")
        for number, (place, answer) in enumerate(told.pieces)
    ]
    reader.name([one for piece in pieces for one in piece.things.values()])
    with assertions.read_by(told.by):
        for piece in pieces:
            piece.state()
    return +reader.dropped


class _Piece:
    """Reads the rows of an answer on one piece of a text."""

    def __init__(
        self, reader: ModelThings, place: Place, answer: Mapping[str, Any], name: str
    ) -> None:
        self.reader, self.place, self.answer = reader, place, answer
        found = {row["id"]: self._thing(row) for row in self._first("things")}
        # where a piece has two of one name and description neither is one of another piece
        count = Counter(one.key for one in found.values())
        self.things = {
            id_: one
            if one.key and count[one.key] == 1
            else ModelThing(one.row, one.names, one.places, name + id_)
            for id_, one in found.items()
        }
        for row in answer["assertions"][:_MOST]:
            term = reader.terms.properties.get(row["property"])
            ends = (("thing", term.domain), ("value", term.range)) if term else ()
            for end, names in ends:
                if names and row[end] in self.things:
                    wanted: set[Node] = {reader.terms.classes[name].iri for name in names}
                    key = self.things[row[end]].key
                    reader.wanted.setdefault(key, []).append((end == "thing", wanted))
        #: Where something is first said of each thing, and what class the text itself gives it.
        self.said: dict[str, Place] = {}
        #: The nodes by which each thing is spoken of.
        self.spoken: dict[str, dict[URIRef, None]] = {}
        self.itself: set[tuple[str, str]] = set()

    def _first(self, rows: str) -> Sequence[Any]:
        found: Sequence[Any] = self.answer[rows]
        self.reader.dropped[TOO_MANY] += max(0, len(found) - _MOST)
        return found[:_MOST]

    def _thing(self, row: Mapping[str, Any]) -> ModelThing:
        found = [self.places(words) for words in row["called"][:_MOST_NAMES]]
        places = dict.fromkeys(one[0] for one in found if one)
        names = dict.fromkeys(self.reader.said([one]) for one in places)
        apart = self.places(row["apart"]) or ()
        called = bare(next(iter(names), ""))
        key = f"{row['class']} {called} {self.reader.said(apart).casefold()}" if called else ""
        return ModelThing(row, tuple(names), tuple(places or apart[:1]), key)

    def state(self) -> None:
        """State what the answer asserts, and then of what class its things are."""
        for row in self._first("assertions"):
            self._assert(row)
        for row in self._first("orders"):
            self._order(row)
        for id_, one in self.things.items():
            self._kind(id_, one)

    def _kind(self, id_: str, one: ModelThing) -> None:
        """State of what class a thing is; what the text itself says is stated as such."""
        name = one.row["class"]
        term = self.reader.terms.classes.get(name)
        if term is None:
            self.reader.dropped[NO_TERM] += bool(name)
            return
        if (id_, name) in self.itself:
            return
        if self.reader.excludes(term.iri, one.key, subject=True):
            self.reader.dropped[NO_CLASS] += 1
            return
        place = one.places[0] if one.places else self.said.get(id_)
        if place is not None:
            span = self.reader.assertions.span(*place)
            for node in (self.reader.nodes[one.key], *self.spoken.get(id_, ())):
                self.reader.assertions.state(node, RDF.type, term.iri, span)

    def _assert(self, row: Mapping[str, Any]) -> None:
        """State an assertion."""
        mode = self._mode(row)
        subject = self._node(row["thing"], mode.by) if mode else None
        if mode is None or subject is None:
            self.reader.dropped[NO_WORDS if mode is None else NO_THING] += 1
            return
        for one in (row["thing"], row["value"]):
            self.said.setdefault(one, mode.places[0])
        if row["property"] == IS_A:
            self.itself.add((row["thing"], row["value"]))
            kind = self.reader.terms.classes.get(row["value"])
            predicate, why = RDF.type, NO_TERM
            value: Node | None = kind.iri if kind else None
        else:
            term = self.reader.terms.properties.get(row["property"])
            predicate = term.iri if term else RDF.type
            value = self._value(row, term, mode) if term else None
            why = NO_VALUE if term else NO_TERM
        if value is None:
            self.reader.dropped[why] += 1
        else:
            self.reader.state(Triple(subject, predicate, value), mode)

    def _order(self, row: Mapping[str, Any]) -> None:
        """State that one dated event is told before another."""
        mode = self._mode(row)
        if mode is None:
            self.reader.dropped[NO_WORDS] += 1
            return
        ends: list[tuple[URIRef, PropertyTerm]] = []
        for end in ("first", "second"):
            subject = self._node(row[end], mode.by)
            term = self.reader.terms.properties.get(row[f"{end}_property"])
            if subject is None or term is None or term.kind != "date":
                self.reader.dropped[NO_THING if subject is None else NO_TERM] += 1
                return
            ends.append((subject, term))
        if ends[0] == ends[1]:
            self.reader.dropped[NO_VALUE] += 1  # before itself
            return
        assertions, events = self.reader.assertions, []
        for subject, term in ends:
            event = assertions.part(f"{term.name} of {subject}")
            called = term.called[0] if term.called else term.name
            assertions.labels.setdefault(event, f"{called} of {assertions.labels[subject]}")
            span = self.reader.span(mode.places)
            assertions.state(event, GR.happensTo, subject, span)
            assertions.state(event, GR.datedBy, term.iri, span)
            events.append(event)
        self.reader.state(Triple(events[0], GR.toldBefore, events[1]), mode)

    def _node(self, id_: str, by: str) -> URIRef | None:
        """Return the node of a thing, one of his own for whom it is only reported to speak of it.

        So what he says stands against nothing but what he says himself.
        """
        one = self.things.get(id_)
        if one is None:
            return None
        assertions, node = self.reader.assertions, self.reader.nodes[one.key]
        if by:
            label = assertions.labels[node]
            node = assertions.part(f"told:{one.key} by {by}")
            assertions.labels.setdefault(node, label)
        self.spoken.setdefault(id_, {})[node] = None
        return node

    def _mode(self, row: Mapping[str, Any]) -> Mode | None:
        """Return the mode that our own reading gives what is said so, None without its words.

        What leads to a bound thing is bound.
        """
        places = self.places(row["words"])
        if not places:
            return None
        by = " ".join(row["by"].split())[:_LONGEST]
        modality = FORCES[row["force"]]
        value = self.things.get(row.get("value", ""))
        bound = row["only"].strip() or (value is not None and value.row["only"].strip())
        if bound and modality is not Modality.POSSIBILITY:
            modality = Modality.CONDITION
        return Mode(places, "negative" if row["not"] else "positive", modality, by)

    def _value(self, row: Mapping[str, Any], term: PropertyTerm, mode: Mode) -> Node | None:
        """Return the value of an assertion, None where its words do not name one."""
        words = row["value"]
        if term.kind == "thing" and words in self.things:
            return self._node(words, mode.by)
        if term.values:
            listed = next((one for one in term.values if one.casefold() == words.casefold()), None)
            return None if listed is None else Literal(listed)
        value = self._found(words, mode.places) if words not in self.things else None
        if value is None:
            return None
        if term.kind == "thing":
            return self.reader.assertions.thing(*value.places[0]) if value.words else None
        literal = value_of(value, term.kind, term.datatype)
        if literal is not None and term.kind != "text":
            self.reader.assertions.labels.setdefault(literal, value.words or words[:80])
        return literal

    def _found(self, words: str, near: Sequence[Place]) -> Value | None:
        """Return a value in words of the text, None where one of them does not stand there."""
        whole = self.places(words, near)
        made = self._made(words, whole or near) if not whole or OPERATED.search(words) else None
        if not whole:
            return made
        said = self.reader.said(whole)
        return Value(made.summands if made else ((1, (said,)),), whole, said)

    def _made(self, words: str, near: Sequence[Place]) -> Value | None:
        """Return a value that is made of others, None where one of them does not stand there."""
        summands: list[tuple[int, tuple[str, ...]]] = []
        places: list[Place] = []
        for sign, factors in split(words, _MOST_PIECES) if len(words) <= _LONGEST else ():
            found = [self.places(one, near) for one in factors]
            said = [self.reader.said(found[n] or ()) or one for n, one in enumerate(factors)]
            if not any(found) or any(
                not place and one not in _UNITS for place, one in zip(found, said, strict=True)
            ):
                return None
            summands.append((sign, tuple(said)))
            places += (one for place in found for one in place or ())
        return Value(tuple(summands), tuple(places)) if summands else None

    def places(self, words: str, near: Sequence[Place] = ()) -> tuple[Place, ...] | None:
        """Return where the pieces of some words stand, none for no words, None where one does not.

        They are looked for in the `near` places first. Of too many pieces none is looked for.
        """
        if len(words) > _LONGEST or len(pieces_of(words)) > _MOST_PIECES:
            return None
        around = [(min(p[0] for p in near), max(p[1] for p in near))] if near else []
        return find_all(words, self.reader.text, [*around, self.place])

"""What a text says, put to a knowledge base: names linked, relations matched, statements asked for.

A claim that cannot be put in terms of the source is kept with the reason; nothing is guessed. A
source is asked three times whatever the length of the text: for names, for kinds, for statements.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import product
from typing import Any
from urllib.parse import quote

from rdflib.namespace import RDF, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.calendar import DATES
from groundrules.claims.discourse import is_personal
from groundrules.claims.english import (
    IMPERSONAL,
    PERSONAL,
    PLURAL,
    REFLEXIVE,
)
from groundrules.claims.english.rewordings import BORN
from groundrules.claims.equivalence import interval
from groundrules.claims.offline import Extraction
from groundrules.kb.link.mentions import (
    Candidate,
    Link,
    LinkStatus,
    Named,
    kinds_of,
    link,
    load_model,
)
from groundrules.kb.link.properties import WD, WDT, Relations, is_type_phrase
from groundrules.kb.link.properties import Candidate as Meaning
from groundrules.kb.rdf import tolerance
from groundrules.kb.read.comparisons import (
    Beside,
    Question,
    during,
    entails,
    unexpressed,
    value_beside,
)
from groundrules.kb.read.propositions import read_phrases
from groundrules.kb.read.relational import Bound, Relational
from groundrules.kb.read.timing import Days, Relation, Timing, years
from groundrules.kb.source import Facts, Fault, KnowledgeSource, Pair, Status, Value
from groundrules.terms import (
    ENTITY,
    GR,
    RELATION,
    STATEMENT,
    Claim,
    Mention,
    Modality,
    Span,
    Triple,
    mint,
)

Encode = Callable[[Sequence[str]], Any]
Spot = Callable[[str], Iterable[tuple[int, int]]]

_WD = "http://www.wikidata.org/entity/"
#: The units that amounts are read in, as Wikidata has them.
_UNITS = {
    "m": "Q11573", "m2": "Q25343", "m3": "Q25517", "kg": "Q11570", "K": "Q11579", "m/s": "Q182429",
    "s": "Q11574", "J": "Q25269", "W": "Q25236", "V": "Q25250", "Hz": "Q39369", "B": "Q8799",
}  # fmt: skip
_DATES = DATES | {GR.years}
_DAY, _YEAR = 86400, 365.2425
#: How far off "about" may be, and what was measured by others, as a share of the amount.
_ABOUT, _MEASURED = 0.05, 0.1
#: What is said to be so since some day, and to be so still.
_ONGOING = re.compile(r"\b(?:has|have) been\b")
_NUMBERS = (XSD.integer, XSD.decimal)
#: A name that what follows makes more precise: "Paris, Texas".
_QUALIFIED = re.compile(
    r",\s+(?=[A-Z])|\s+\((?!(?:born|died)\b|[^()–—-]*\d\s?[–—-]\s?[^()–—-]*\d\))"
)
_PRONOUNS = PERSONAL | IMPERSONAL | PLURAL
_TOWNS = frozenset({WD.Q486972, WD.Q515})  # settlement, city
_UNCERTAIN = (Modality.POSSIBILITY, Modality.CONDITION)


def claimed_value(node: Node, bound: Bound = "") -> Value:
    """Return the value that a claim gives: an item, days, an amount at its precision, or text.

    What is only a bound has all that lies on its side of it.
    """
    if not isinstance(node, Literal):
        return Value("item", node)
    ends = interval(node)
    if node.datatype in _DATES and ends is not None:
        return _bounded(Value("time", node, float(ends[0]), float(ends[1])), bound)
    if node.datatype == XSD.duration and ends is not None and ends[0] == ends[1]:
        seconds = float(ends[0]) * _DAY
        return _bounded(Value("quantity", node, seconds, seconds, _WD + _UNITS["s"]), bound)
    if node.datatype in (*_NUMBERS, GR.quantity) and ends is not None:
        _, _, symbol = str(node).partition(" ")
        if symbol and symbol not in _UNITS:
            return Value("opaque", node)
        slack = 0 if bound else tolerance(ends[0], claimed=True)
        unit = _WD + _UNITS[symbol] if symbol else ""
        value = Value("quantity", node, float(ends[0] - slack), float(ends[0] + slack), unit)
        loose = _MEASURED * abs(float(ends[0])) if unit and not bound else 0.0
        return _bounded(replace(value, loose=loose), bound)
    if node.datatype in (None, XSD.string):
        return Value("text", node)
    return Value("opaque", node)


def _bounded(value: Value, bound: Bound) -> Value:
    """Return all that lies on the side of a bound that a claim names."""
    if not bound or value.low is None or value.high is None:
        return value
    if bound == "about":
        off = 5 * _YEAR if value.kind == "time" else _ABOUT * max(abs(value.low), abs(value.high))
        return replace(value, low=value.low - off, high=value.high + off, loose=off)
    step = 1 if value.kind == "time" else math.ulp(value.high)
    low, high = {
        "above": (value.high + step, math.inf),
        "below": (-math.inf, value.low - step),
        "at_least": (value.low, math.inf),
        "at_most": (-math.inf, value.high),
    }[bound]
    return replace(value, low=low, high=high)


def timing_of(relational: Relational, now: float) -> Timing | None:
    """Return when something is said to be so, None where that is not said.

    `now` is the day of today. What is said to have begun or ended is dated by that alone.
    """
    first, last = days_of(relational.at), days_of(relational.to)
    how = relational.how
    if relational.moment:
        end: Relation = "beginning" if relational.moment == "start" else "ending"
        if first is None:
            return Timing("ending", (-math.inf, now - 1)) if end == "ending" else None
        days: Days | None = {
            "holding": first,
            "before": (-math.inf, first[0] - 1),
            "after": (first[1] + 1, math.inf),
            "by": (-math.inf, first[1]),
            "within": (first[0], last[1] if last else first[1]),
        }.get(how)
        return Timing(end, days) if days else None
    if how == "lasting" and relational.at is not None:
        length = interval(relational.at)
        return years(float(length[0]) / _YEAR) if length else None
    if first is None:
        return None
    if last is not None:
        return Timing(how if how in ("spanning", "within") else "spanning", first, last)
    if how == "beginning" and _ONGOING.search(relational.phrase):
        return Timing("beginning", first, (now, math.inf))
    return Timing(how, first)


def days_of(literal: Literal | None) -> Days | None:
    """Return the days that a date is about, None for what is no date with a year."""
    ends = interval(literal) if literal is not None and literal.datatype in _DATES else None
    return (float(ends[0]), float(ends[1])) if ends else None


@dataclass(frozen=True, slots=True)
class Alternatives:
    """What else a reading may mean: other subjects, and other objects of the same name."""

    subjects: tuple[URIRef, ...] = ()
    objects: tuple[URIRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Readings:
    """What a text says in the terms of one source.

    `claims` are those in words that have a reading, with the ones that only the surface of the text
    gave; `others` gives by reading what else its names may mean; `faults` say why claims could not
    be put to the source; `kinds` and `descriptions` are those of what was linked, as told with its
    names.
    """

    claims: tuple[Claim, ...]
    questions: tuple[Question, ...]
    others: Mapping[URIRef, Alternatives]
    labels: Mapping[Node, str]
    faults: tuple[Fault, ...] = ()
    kinds: Mapping[URIRef, tuple[URIRef, ...]] = field(default_factory=dict)
    descriptions: Mapping[URIRef, str] = field(default_factory=dict)


def read_knowledge(
    extraction: Extraction,
    claims: Sequence[Claim],
    source: KnowledgeSource,
    relations: Relations,
    *,
    now: date,
    named: Named | None = None,
    encode: Encode | None = None,
    spot: Spot | None = None,
    said: Sequence[tuple[int, Relational]] | None = None,
    fault: Fault | None = None,
) -> Readings:
    """Put what a text says in the terms of a source, which is asked for names and kinds.

    `claims` are those in words that are to be judged; `now` is the day that the present tense
    means; `named` looks names up in place of the source; `encode` gives vectors of texts to the
    linker; `spot` finds the names of the source in a text; `said` gives what is said, by sentence,
    in place of what is read; `fault` says why the source could not be asked for its properties,
    and then it is asked nothing.
    """
    reader = _Reader(
        extraction, claims, source, relations, now, named or source.named, encode, spot, fault
    )
    return reader.read(said)


class _Reader:
    """One text and one source."""

    def __init__(
        self,
        extraction: Extraction,
        claims: Sequence[Claim],
        source: KnowledgeSource,
        relations: Relations,
        now: date,
        named: Named,
        encode: Encode | None,
        spot: Spot | None,
        fault: Fault | None,
    ) -> None:
        self.extraction = extraction
        self.text = extraction.document.text
        self.name = extraction.document.name
        self.claims = {claim.id: claim for claim in claims}
        self.source = source
        self.relations = relations
        self.now = now
        self.named = named
        self.encode = encode
        self.model = load_model(encoded=encode is not None)
        self.kinds: dict[URIRef, frozenset[URIRef] | Fault] = {}
        self.fault = fault
        self.faults: list[Fault] = []
        self.found: list[Question] = []
        self.judged: dict[URIRef, Claim] = {}
        self.whole: set[int] = set()
        self.subjects: set[int] = set()
        self.others: dict[URIRef, Alternatives] = {}
        self.labels: dict[Node, str] = {}
        self.classes: dict[URIRef, tuple[URIRef, ...]] = {}
        self.descriptions: dict[URIRef, str] = {}
        self.names = [Span(self.name, *place) for place in (spot(self.text) if spot else ())]
        self.names += [m.span for m in extraction.mentions if not isinstance(m.node, Literal)]

    def read(self, given: Sequence[tuple[int, Relational]] | None) -> Readings:
        said = given or [
            (number, relational)
            for number in range(len(self.extraction.sentences))
            for relational in read_phrases(self.extraction, number, self.names, self.relations)
        ]
        self.subjects = {relational.subject.start for _, relational in said}
        nodes = self.mentioned(said)
        links = {} if self.fault else self.linked(said, nodes)
        self.whole = {number for number, relational in said if relational.origin == "surface"}
        for number, relational in said:
            claim = self.claim(number, relational, nodes)
            if claim is not None:
                self.judged[claim.id] = claim
                self.add_questions(claim, relational, nodes, links)
        for claim in self.claims.values():
            if claim.id not in self.judged and not self.is_restated(claim):
                self.judged[claim.id] = claim
                self.fail(claim, self.fault) if self.fault else self.leave(claim, "unmapped")
        order = sorted(
            self.judged.values(), key=lambda c: (c.span, c.parts[0] or c.span, str(c.id))
        )
        return Readings(
            tuple(order),
            tuple(self.found),
            self.others,
            self.labels,
            tuple(self.faults),
            self.classes,
            self.descriptions,
        )

    # --- names ----------------------------------------------------------------

    def mentioned(self, said: Sequence[tuple[int, Relational]]) -> dict[Span, Node]:
        """Return the thing that each end of a relation names; mentions know their coreference."""
        known = {m.span: m.node for m in self.extraction.mentions}
        out: dict[Span, Node] = {}
        for _, relational in said:
            for span in (relational.subject, relational.object, relational.title):
                if span is None:
                    continue
                out[span] = known.get(span) or mint(ENTITY, self.text[span.start : span.end])
                if relational.named and span == relational.object:
                    out[span] = mint(ENTITY, relational.named)
            end = relational.object
            if self.text[end.start : end.end].lower() in REFLEXIVE:
                out[end] = out[relational.subject]
            if relational.value is not None:
                out[relational.object] = relational.value
        return out

    def linked(
        self, said: Sequence[tuple[int, Relational]], nodes: Mapping[Span, Node]
    ) -> dict[Node, Link]:
        kinds = {m.span: m.kind for m in self.extraction.mentions}
        texts = {m.span: m.text for m in self.extraction.mentions}
        wanted = {node for node in nodes.values() if not isinstance(node, Literal)}
        mentions: dict[Span, tuple[Mention, int]] = {}
        expected: dict[Node, set[URIRef]] = defaultdict(set)
        for number, relational in said:
            subjects, objects = self.relations.expected_types(relational.phrase)
            for span, classes in ((relational.subject, subjects), (relational.object, objects)):
                node = nodes[span]
                if node in wanted:
                    words = texts.get(span, self.text[span.start : span.end])
                    if relational.named and span == relational.object:
                        words = relational.named
                    kind = kinds.get(span, "MISC" if words[:1].isupper() else "NOUN")
                    mentions[span] = Mention(span, words, kind, node), number
                    expected[node] |= classes
            if (title := relational.title) and nodes[title] in wanted:
                named = Mention(title, self.text[title.start : title.end], "MISC", nodes[title])
                mentions.setdefault(title, (named, number))
                expected[nodes[title]] |= self.relations.offices
        starts = self.extraction.sentences
        for mention in self.extraction.mentions:
            if mention.node in wanted and mention.span not in mentions:
                number = sum(s.start <= mention.span.start for s in starts) - 1
                mentions[mention.span] = mention, max(number, 0)
        sentences = [self.text[s.start : s.end] for s in starts]
        found = link(
            [mention for mention, _ in mentions.values()],
            [sentences[number] for _, number in mentions.values()],
            self.named,
            encode=self.encode,
            expected={node: frozenset(classes) for node, classes in expected.items() if classes},
            types=self.types,
        )
        for one in found:
            for candidate in (*one.candidates, *one.others):
                self.labels.setdefault(candidate.entity.iri, candidate.entity.label)
                self.classes[candidate.entity.iri] = candidate.entity.types
                self.descriptions[candidate.entity.iri] = candidate.entity.description
        return {one.mention.node: one for one in found}

    def types(
        self, subjects: Iterable[URIRef], classes: Iterable[URIRef]
    ) -> Mapping[URIRef, frozenset[URIRef] | Fault]:
        # always the same classes, so that what is kept of a thing answers for the next text
        every = {*classes, *self.relations.classes, *self.relations.offices}
        self.kinds.update(self.source.types(subjects, sorted(every)))
        return self.kinds

    def kind_of(self, candidate: Candidate | None) -> frozenset[URIRef]:
        if candidate is None:
            return frozenset()
        known = self.kinds.get(candidate.entity.iri, frozenset())
        return frozenset() if isinstance(known, Fault) else known | {*candidate.entity.types}

    # --- claims ---------------------------------------------------------------

    def claim(
        self, number: int, relational: Relational, nodes: Mapping[Span, Node]
    ) -> Claim | None:
        """Return the claim in words that a relation reads; None if it is not to be judged."""
        if relational.claim is not None and relational.claim.id not in self.judged:
            known = self.claims.get(relational.claim.id)
            if known is None:
                return None
            # the surface of a clause is the better judge of what it denies, and of its date
            return replace(known, polarity=relational.polarity, time=relational.claim.time)
        subject, object_ = nodes[relational.subject], nodes[relational.object]
        words = " ".join(
            relational.phrase.replace("[X]", " ").replace("[Y]", " ").strip(" .").split()
        )
        predicate = mint(RELATION, words)
        self.labels.setdefault(predicate, words)
        for span, node in ((relational.subject, subject), (relational.object, object_)):
            if not isinstance(node, Literal):
                self.labels.setdefault(node, self.text[span.start : span.end])
        sentence = self.extraction.sentences[number]
        place = f"{relational.subject.start}-{relational.object.start}"
        return Claim(
            STATEMENT[quote(f"{self.name}:said:{place}", safe=":")],
            Triple(subject, predicate, object_),
            sentence,
            (relational.subject, None, relational.object),
            polarity=relational.polarity,
            modality=relational.modality,
            attribution=relational.attribution,
            time=relational.at,
            origin="phrases",
            sentence=number,
        )

    def is_restated(self, claim: Claim) -> bool:
        """Return whether what was read of its sentence says what a claim says.

        A sentence that is one clause of the lexicon is read whole; of any other a relation that
        covers both ends of the claim does.
        """
        if claim.sentence in self.whole:
            return True
        subject, _, object_ = claim.parts
        ends = [part for part in (subject, object_) if part is not None]
        return any(
            other.sentence == claim.sentence
            and all(
                any(part.start < end.end and end.start < part.end for end in _extent(other))
                for part in ends
            )
            for other in self.judged.values()
        )

    # --- questions ------------------------------------------------------------

    def add_questions(
        self,
        claim: Claim,
        relational: Relational,
        nodes: Mapping[Span, Node],
        links: Mapping[Node, Link],
    ) -> None:
        """Add the questions that a relation comes to: one for each way to read it."""
        if relational.exclusion or relational.modality in _UNCERTAIN:
            return self.leave(claim, "not_checkable")
        if self.fault:
            return self.fail(claim, self.fault)
        before = len(self.found)
        self.add_office(claim, relational, nodes, links)
        failed = self.put(claim, relational, nodes, links)
        if failed is not None and relational.value is None:
            # of what is stated in words the words are the value
            said = Literal(self.text[relational.object.start : relational.object.end])
            match = self.relations.match(relational.phrase, object_kind="text")
            if not match.reason and match.candidates[0].band != "embedding":
                worded = replace(relational, value=said)
                if self.put(claim, worded, {**nodes, relational.object: said}, links) is None:
                    failed = None
        if failed is None or len(self.found) > before:
            return None
        link, end = failed
        if isinstance(link, Fault):
            return self.fail(claim, link)
        return self.leave(claim, link, end=end)

    def add_office(
        self,
        claim: Claim,
        relational: Relational,
        nodes: Mapping[Span, Node],
        links: Mapping[Node, Link],
    ) -> None:
        """Ask whoever is said to hold an office for it too: it may be stated of either side."""
        if relational.title is None or WDT.P39 not in self.relations.properties:
            return
        person, office = links.get(nodes[relational.subject]), links.get(nodes[relational.title])
        if not person or not office or {person.status, office.status} != {LinkStatus.LINKED}:
            return
        one, other = person.candidates[0], office.candidates[0]
        sure = min(_sure(person), _sure(office))
        if sure < self.model.t_support or self.relations.offices.isdisjoint(self.kind_of(other)):
            return
        meaning = Meaning(WDT.P39, False, 1.0, "lexicon")
        doubts = ("link",) if sure < self.model.t_refute else ()
        self.add(claim, relational, one, other, meaning, (person, office), "linked", doubts)

    def put(
        self,
        claim: Claim,
        relational: Relational,
        nodes: Mapping[Span, Node],
        links: Mapping[Node, Link],
    ) -> tuple[str | Fault, Node | None] | None:
        """Add the questions of a relation by its wording; return why none could be added."""
        spans = [relational.subject, relational.object]
        ends = []
        for span in spans[: 1 if relational.value is not None else 2]:
            end = links.get(nodes[span])
            if end is None:
                return "nil_no_candidate", nodes[span]
            if end.status is LinkStatus.FAILED:
                return end.fault or Fault(Status.ERROR, ""), None
            if not end.candidates:
                return end.status.value, nodes[span]
            personal = self.text[span.start : span.end].lower() in PERSONAL
            if _sure(end) < self.model.t_support or (personal and not self.is_person(end)):
                return LinkStatus.NIL_LOW_SCORE.value, nodes[span]
            ends.append(end)
        subject, object_ = ends[0], ends[1] if len(ends) > 1 else None
        candidates: Sequence[Candidate | None] = object_.candidates if object_ else (None,)
        several = any(end.status is LinkStatus.AMBIGUOUS for end in ends)
        unsure = (
            any(_sure(end) < self.model.t_refute for end in ends)
            or self.antecedents(relational.subject) > 1
            or any(self.is_qualified(span) for span in spans[: len(ends)])
        )
        before = len(self.found)
        for one, other in product(subject.candidates, candidates):
            match = self.relations.match(
                relational.phrase,
                subject_types=self.kind_of(one),
                object_kind=relational.kind,
                object_types=self.kind_of(other),
            )
            if match.reason:
                continue
            for meaning in match.candidates:
                doubts = ["link"] if unsure else []
                value = one if meaning.inverse else other
                if value and self.vague(meaning, value):
                    doubts.append("part_whole")
                # that a thing is a lawyer is said of what it does and of what it is
                own = not meaning.property.startswith(WDT) and meaning.property != RDF.type
                open_ = is_type_phrase(relational.phrase) and own
                if meaning.band == "embedding" or len(match.candidates) > 1 or open_:
                    doubts.append("property")
                self.add(
                    claim, relational, one, other, meaning, (subject, object_),
                    "ambiguous" if several else "linked", tuple(doubts),
                )  # fmt: skip
        return ("unmapped", None) if len(self.found) == before else None

    def is_qualified(self, span: Span) -> bool:
        """Return whether what follows makes a name more precise, and is no subject of its own."""
        found = _QUALIFIED.match(self.text, span.end)
        return found is not None and found.end() not in self.subjects

    def is_person(self, end: Link) -> bool:
        """Return whether a person may be meant: nothing is known of a reading, or it is one.

        Of a class of one's own its name tells, or that the source has it under a class of persons.
        """
        for entity in (candidate.entity for candidate in end.candidates):
            known = kinds_of(entity)
            if "PERSON" in known or not (known or entity.types):
                return True
            nouns = {} if known else {c: _noun_of(c) for c in entity.types}
            if any(is_personal(noun) for noun in nouns.values()) or "" in nouns.values():
                return True
            people = [URIRef(f"{_space(c)}{name}") for c in nouns for name in ("Person", "Human")]
            types = self.source.types([entity.iri], people).get(entity.iri) if people else None
            if types and not isinstance(types, Fault):
                return True
        return False

    def antecedents(self, span: Span) -> int:
        """Count what a pronoun may stand for: the names of its kind just before it."""
        word = self.text[span.start : span.end].lower()
        if word not in _PRONOUNS:
            return 1
        starts = self.extraction.sentences
        at = max((n for n, s in enumerate(starts) if s.start <= span.start), default=0)
        first = starts[max(at - 1, 0)].start if starts else 0
        people = word in PERSONAL
        return len(
            {
                m.node
                for m in self.extraction.mentions
                if first <= m.span.start < span.start
                and self.text[m.span.start : m.span.start + 1].isupper()
                and m.text.lower() not in _PRONOUNS
                and (m.kind == "PERSON") == people
            }
        )

    def vague(self, meaning: Meaning, value: Candidate) -> bool:
        """Return whether a place is such that another one stated may well lie in it.

        Few sources know of all the lands that a town was ever part of.
        """
        if WDT.P131 not in self.relations.properties[meaning.property].within:
            return False
        return _TOWNS.isdisjoint(self.kind_of(value))

    def add(
        self,
        claim: Claim,
        relational: Relational,
        one: Candidate,
        other: Candidate | None,
        meaning: Meaning,
        links: tuple[Link, Link | None],
        status: str,
        doubts: tuple[str, ...],
    ) -> None:
        property_ = self.relations.properties[meaning.property]
        object_: Node | None = other.entity.iri if other else relational.value
        assert object_ is not None
        if meaning.inverse and not isinstance(object_, URIRef):
            return
        ends = (one.entity.iri, object_)
        subject, value = reversed(ends) if meaning.inverse else ends
        first, _, last = (relational.subject, None, relational.object)
        today = float(self.now.toordinal())
        timing = timing_of(relational, today)
        current = timing is None and relational.current and property_.temporal
        name = self.reading()
        also = [
            tuple(c.entity.iri for c in (*end.candidates, *end.others)) if end else ()
            for end in links
        ]
        if meaning.inverse:
            also.reverse()
        self.others[name] = Alternatives(
            tuple(iri for iri in also[0] if iri != subject),
            tuple(iri for iri in also[1] if iri != value),
        )
        self.labels.setdefault(meaning.property, property_.label)
        beside = self.beside(relational, one, other, meaning) if relational.side else None
        self.found.append(
            Question(
                replace(
                    claim,
                    id=name,
                    triple=Triple(subject, meaning.property, value),
                    parts=(last, None, first) if meaning.inverse else (first, None, last),
                    reads=claim.id,
                    origin="kb",
                ),
                self.source.iri,
                status,
                Status.SKIPPED,
                property_,
                None if relational.side else claimed_value(value, relational.bound),
                Timing("holding", (today, today)) if current else timing,
                current,
                today,
                doubts=doubts,
                unread=relational.unread,
                beside=beside,
            )
        )

    def beside(
        self, relational: Relational, one: Candidate, other: Candidate | None, meaning: Meaning
    ) -> Beside:
        """Return what the value of a comparison follows from; of an age, from the day of birth."""
        if other is not None:
            return Beside(other.entity.iri, meaning.property, relational.side)
        match = self.relations.match(BORN, subject_types=self.kind_of(one), object_kind="time")
        born = meaning.property if match.reason else match.candidates[0].property
        return Beside(one.entity.iri, born, relational.side, int(str(relational.value)))

    def fail(self, claim: Claim, fault: Fault) -> None:
        """Keep a claim of which the source could not be asked."""
        self.faults.append(fault)
        self.leave(claim, "linked", fault.status)

    def leave(
        self, claim: Claim, link: str, status: Status = Status.EMPTY, end: Node | None = None
    ) -> None:
        """Keep a claim that cannot be put in terms of the source, for what is said of its `end`."""
        question = unexpressed(claim, self.reading(), self.source.iri, link)
        self.found.append(replace(question, status=status, unlinked=end))

    def reading(self) -> URIRef:
        place = f"{self.name}:{self.source.name}:{len(self.found) + 1}"
        return STATEMENT[quote(place, safe=":")]


def _space(class_: URIRef) -> str:
    """Return the namespace of a class."""
    return str(class_)[: max(str(class_).rfind(mark) for mark in "/#:") + 1]


def _noun_of(class_: URIRef) -> str:
    """Return the last word of the name of a class, empty where it is a number and no word."""
    name = str(class_)[len(_space(class_)) :]
    found = re.findall(r"[A-Z]?[a-z]{2,}", name)
    return found[-1].lower() if found and not re.search(r"[0-9]{2}", name) else ""


def _sure(end: Link) -> float:
    """Return how probably one of the readings of a link is meant."""
    return sum(candidate.probability for candidate in end.candidates)


def _extent(claim: Claim) -> Iterator[Span]:
    """Yield the part of the sentence from the first end of a claim to the last."""
    ends = [part for part in (claim.parts[0], claim.parts[2]) if part is not None]
    if len(ends) == 2:
        low, high = min(part.start for part in ends), max(part.end for part in ends)
        yield Span(claim.span.source, low, high)


@dataclass(frozen=True, slots=True)
class Answers:
    """Questions with what a source states, what lies within what, and labels of items stated."""

    questions: tuple[Question, ...]
    within: frozenset[Pair]
    labels: Mapping[Node, str]
    faults: tuple[Fault, ...] = ()


def ask(
    questions: Sequence[Question],
    source: KnowledgeSource,
    others: Mapping[URIRef, Alternatives] | None = None,
) -> Answers:
    """Put questions to a source in one query.

    `others` gives by reading what else its names may mean: where one of those has the claimed
    value, or the claimed name is also that of the value stated, the source may not refute it. Of
    the properties that one phrase may mean, that counts under which the claim is stated, else the
    first under which anything is.
    """
    others = others or {}
    claimed: dict[Pair, set[URIRef]] = defaultdict(set)
    for question in questions:
        if question.property is None:
            continue
        subject, predicate = _pair(question)
        names = others.get(question.reading.id, Alternatives()).subjects
        for pair in ((subject, predicate), *((name, predicate) for name in names)):
            value = question.reading.triple.object
            known = claimed[pair]
            if isinstance(value, URIRef) and question.beside is None:
                known.add(value)
        if question.beside is not None:
            claimed[question.beside.thing, question.beside.property] |= set()
    found = source.statements(claimed, claimed) if claimed else {}
    within = frozenset(pair for facts in found.values() for pair in facts.within)
    answered: dict[tuple[object, ...], list[Question]] = defaultdict(list)
    holders = {
        (question.reading.reads, question.reading.triple.subject)
        for question in questions
        if question.property is not None and question.property.iri == WDT.P39
    }
    for question in questions:
        ends: frozenset[Node] = frozenset()
        if question.property is not None:
            facts = found.get(_pair(question), Facts(Status.ERROR))
            also = others.get(question.reading.id, Alternatives())
            if question.beside is not None:
                question, facts = _set_beside(question, facts, found)
            doubts = (*question.doubts, *_homonyms(question, facts, also, found, within))
            if question.beside is not None and also.objects:
                doubts = (*doubts, "homonym")  # of another of that name another day may be stated
            question = replace(
                question,
                status=facts.status,
                statements=facts.statements,
                rivals=tuple(
                    s for s in facts.rivals if s.value.node == question.reading.triple.object
                ),
                doubts=doubts,
            )
            triple = question.reading.triple
            ends = frozenset((triple.subject, triple.object))
            # an office may be stated of who holds it or of where it is held: one question
            held = [end for end in ends if (question.reading.reads, end) in holders]
            ends = frozenset(held) or ends
        answered[question.reading.reads, question.source, ends].append(question)
    labels: dict[Node, str] = {
        item: label for facts in found.values() for item, label in facts.labels.items()
    }
    decided = tuple(_deciding(group, within) for group in answered.values())
    faults = tuple(facts.fault for facts in found.values() if facts.fault)
    return Answers(decided, within, labels, faults)


def _set_beside(
    question: Question, facts: Facts, found: Mapping[Pair, Facts]
) -> tuple[Question, Facts]:
    """Return a question with the value that follows from another thing, and what it is put to.

    Where nothing follows, it is the other thing of which nothing certain is stated.
    """
    beside = question.beside
    assert beside is not None  # who calls has looked
    theirs = found.get((beside.thing, beside.property), Facts(Status.ERROR))
    value = value_beside(beside, theirs.statements)
    if not theirs.status.answered:
        return question, theirs
    if value is None:
        return question, Facts(Status.EMPTY)
    return replace(question, value=value), facts


def _pair(question: Question) -> Pair:
    triple = question.reading.triple
    assert isinstance(triple.subject, URIRef)
    assert isinstance(triple.predicate, URIRef)
    return triple.subject, triple.predicate


def _deciding(group: Sequence[Question], within: frozenset[Pair]) -> Question:
    """Return the question that tells for one claim under several properties.

    One under which it is carried at its time comes first, then one under which it is at another.
    """
    timely = [
        question
        for question in group
        if any(
            entails(question, statement, within)
            and statement.rank != "deprecated"
            and during(question, statement) in ("in", "unstated")
            for statement in question.statements
        )
    ]
    carried = [
        question
        for question in group
        if any(entails(question, statement, within) for statement in question.statements)
    ]
    stated = [question for question in group if question.statements or question.rivals]
    return (timely or carried or stated or list(group))[0]


def _homonyms(
    question: Question,
    facts: Facts,
    others: Alternatives,
    found: Mapping[Pair, Facts],
    within: frozenset[Pair],
) -> Iterator[str]:
    """Yield "homonym" where another thing of one of the names would make the claim true.

    What a denial needs to be true is that nothing is stated, which most namesakes would give. It
    may be true of its time ("time") where that of the value stated is not known.
    """
    if question.reading.polarity == "negative":
        carrying = [s for s in facts.statements if entails(question, s, within)]
        timed = any(during(question, statement) == "in" for statement in carrying)
        if carrying and question.timing is not None and not timed:
            yield "time"
        return
    _, predicate = _pair(question)
    stated = {statement.value.node for statement in facts.statements}
    namesakes = (found.get((name, predicate), Facts(Status.EMPTY)) for name in others.subjects)
    theirs = [statement for facts in namesakes for statement in facts.statements]
    if not stated.isdisjoint(others.objects) or any(
        entails(question, statement, within) for statement in theirs
    ):
        yield "homonym"

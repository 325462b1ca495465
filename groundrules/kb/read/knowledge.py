"""What a text says, put to a knowledge base: names linked, relations matched, statements asked for.

A claim that cannot be put in terms of the source is kept with the reason; nothing is guessed. A
source is asked three times whatever the length of the text: for names, for kinds, for statements.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import product
from pathlib import Path
from urllib.parse import quote

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english import (
    IMPERSONAL,
    PERSONAL,
    PLURAL,
)
from groundrules.claims.english.attributes import BORN
from groundrules.claims.english.fillers import TURNING_THE_REST
from groundrules.claims.english.stems import uninflected
from groundrules.claims.facts.discourse import is_personal
from groundrules.claims.facts.offline import Extraction
from groundrules.kb.link.mentions import (
    Candidate,
    Link,
    LinkStatus,
    Named,
    kinds_of,
    load_model,
)
from groundrules.kb.link.properties import LABEL, WD, WDT, Relations, is_type_phrase
from groundrules.kb.link.properties import Candidate as Meaning
from groundrules.kb.read.answers import Alternatives
from groundrules.kb.read.comparisons import (
    Beside,
    Question,
    unexpressed,
)
from groundrules.kb.read.described import Spot, names_in, spots
from groundrules.kb.read.linking import Encode, Linker
from groundrules.kb.read.propositions import read_phrases
from groundrules.kb.read.relational import Relational
from groundrules.kb.read.timing import Timing
from groundrules.kb.read.values import COUNTED, MEASURED, claimed_value, timing_of
from groundrules.kb.sources.source import Fault, KnowledgeSource, Status, Value
from groundrules.terms import (
    RELATION,
    STATEMENT,
    Claim,
    Modality,
    Span,
    Triple,
    mint,
)

#: A name that what follows makes more precise: "Paris, Texas".
_QUALIFIED = re.compile(
    r",\s+(?=[A-Z])|\s+\((?!(?:born|died)\b|[^()–—-]*\d\s?[–—-]\s?[^()–—-]*\d\))"
)
#: What tells one thing of a name from the others: "a man called Ann Lee", "the Ann Lee who …".
_NAMESAKE = (
    (re.compile(r"(?i)\bthe\s+$"), re.compile(r"\s(?:who|that|which|whose)\b")),
    (re.compile(r"\b(?:called|named)\s+$"), re.compile("")),
)
_ARTICLE = re.compile(r"(?i)^(?:an?|the)\s+")
_PRONOUNS = PERSONAL | IMPERSONAL | PLURAL
_TOWNS = frozenset({WD.Q486972, WD.Q515})  # settlement, city
#: What no look-up of one thing settles, as it is told.
_SORTS = tomllib.loads(Path(__file__).with_name("sorts.toml").read_text("utf-8"))
_PLACES = re.compile(r"\[[XY]\]")
_UNCERTAIN = (Modality.POSSIBILITY, Modality.CONDITION)


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
    read: Mapping[int, Sequence[Relational]] | None = None,
    fault: Fault | None = None,
) -> Readings:
    """Put what a text says in the terms of a source, which is asked for names and kinds.

    `claims` are those in words that are to be judged; `now` is the day that the present tense
    means; `named` looks names up in place of the source; `encode` gives vectors of texts to the
    linker; `spot` finds the names of the source in a text; `said` gives what is said, by sentence,
    in place of what is read, and `read` the same of some sentences alone; `fault` says why the
    source could not be asked for its properties, and then it is asked nothing.
    """
    spotted = spots(extraction, spot)
    names, described = names_in(extraction, spotted, relations)
    linker = Linker(extraction, source, relations, named or source.named, encode, names, described)
    known = {*spotted, *described} if spot else None
    return _Reader(linker, claims, now, known, fault).read(said, read or {})


class _Reader:
    """One text and one source."""

    def __init__(
        self,
        linker: Linker,
        claims: Sequence[Claim],
        now: date,
        known: Collection[Span] | None,
        fault: Fault | None,
    ) -> None:
        self.linker = linker
        self.extraction = linker.extraction
        self.source = linker.source
        self.relations = linker.relations
        self.labels = linker.labels
        self.text = linker.text
        self.name = linker.extraction.document.name
        self.claims = {claim.id: claim for claim in claims}
        self.now = now
        self.model = load_model(encoded=linker.encode is not None)
        self.known = known
        self.fault = fault
        self.faults: list[Fault] = []
        self.found: list[Question] = []
        self.judged: dict[URIRef, Claim] = {}
        self.whole: set[int] = set()
        self.subjects: set[int] = set()
        self.told: set[tuple[int, int]] = set()
        self.others: dict[URIRef, Alternatives] = {}
        self.nodes: Mapping[Span, Node] = {}
        self.links: dict[Node, Link] = {}

    def read(
        self,
        given: Sequence[tuple[int, Relational]] | None,
        read: Mapping[int, Sequence[Relational]],
    ) -> Readings:
        said = given or [
            (number, relational)
            for number in range(len(self.extraction.sentences))
            for relational in (
                read[number]
                if number in read
                else read_phrases(
                    self.extraction, number, self.linker.names, self.relations, self.known
                )
            )
        ]
        self.subjects = {relational.subject.start for _, relational in said}
        self.told = {
            (one.subject.start, end.start)
            for _, one in said
            for end in (one.title, one.object)
            if end and end.start > one.subject.end
        }
        self.nodes = self.linker.mentioned(said)
        if not self.fault:
            self.links = self.linker.linked(said, self.nodes)
            self.linker.describe(said, self.nodes, self.links)
        self.whole = {number for number, relational in said if relational.origin != "claim"}
        for number, relational in said:
            claim = self.claim(number, relational)
            if claim is not None:
                self.judged[claim.id] = claim
                self.add_questions(claim, relational)
        for claim in self.claims.values():
            if claim.id not in self.judged and not self.is_restated(claim):
                self.judged[claim.id] = claim
                self.pass_over(claim)
        order = sorted(
            self.judged.values(), key=lambda c: (c.span, c.parts[0] or c.span, str(c.id))
        )
        return Readings(
            tuple(order),
            tuple(self.found),
            self.others,
            self.labels,
            tuple(self.faults),
            self.linker.classes,
            self.linker.descriptions,
        )

    # --- claims ---------------------------------------------------------------

    def claim(self, number: int, relational: Relational) -> Claim | None:
        """Return the claim in words that a relation reads; None if it is not to be judged."""
        if relational.claim is not None and relational.claim.id not in self.judged:
            known = self.claims.get(relational.claim.id)
            if known is not None and (relational.origin == "claim" or self.says(known, relational)):
                # the surface of a clause is the better judge of what it denies, and of its date
                return replace(known, polarity=relational.polarity, time=relational.claim.time)
            if relational.origin == "claim":
                return None
        subject, object_ = (self.nodes[span] for span in (relational.subject, relational.object))
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
        name = STATEMENT[quote(f"{self.name}:said:{relational.group or place}", safe=":")]
        if relational.group and name in self.judged:  # one claim in another way
            return self.judged[name]
        if name in self.judged:  # of two things more than one is said
            name = URIRef(f"{name}:{len(self.judged)}")
        return Claim(
            name,
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

    def says(self, claim: Claim, relational: Relational) -> bool:
        """Return whether a claim says no more of its object than what was read of it.

        Who is "a French politician" is read as two things, neither of which is all of that.
        """
        end, part = relational.object, claim.parts[2]
        if part is None or relational.named:
            return not relational.named
        words, read = (self.text[one.start : one.end] for one in (part, end))
        return len(_ARTICLE.sub("", words)) <= len(_ARTICLE.sub("", read))

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

    def add_questions(self, claim: Claim, relational: Relational) -> None:
        """Add the questions that a relation comes to: one for each way to read it."""
        if relational.exclusion or relational.modality in _UNCERTAIN:
            sort = relational.exclusion or ("modal" if relational.modality else "")
            return self.leave(claim, "not_checkable", why=_SORTS.get(sort, ""))
        if self.fault:
            return self.fail(claim, self.fault)
        before = len(self.found)
        self.add_office(claim, relational)
        failed = self.put(claim, relational)
        if failed is not None and relational.value is None:
            # of what is stated in words the words are the value
            said = Literal(self.text[relational.object.start : relational.object.end])
            match = self.relations.match(relational.phrase, object_kind="text")
            if not match.reason and relational.meant in (None, match.candidates[0].property):
                worded = replace(relational, value=said)
                if self.put(claim, worded) is None:
                    failed = None
        if failed is None or len(self.found) > before:
            return None
        link, end = failed
        if isinstance(link, Fault):
            return self.fail(claim, link)
        why = self.unmapped(relational.phrase) if link == "unmapped" else ""
        return self.leave(claim, link, end=end, why=why)

    def unmapped(self, said: str) -> str:
        """Return words that no property has, and how those that are near are said."""
        found = self.relations.nearest(said, 2)
        near = [text for iri in found for text in self.relations.wordings(iri)[:1]]
        shown = [f"“{_PLACES.sub('…', one).strip()}”" for one in (said, *near)]
        return "; near is ".join([shown[0], " and ".join(shown[1:])]) if shown[1:] else shown[0]

    def add_office(self, claim: Claim, relational: Relational) -> None:
        """Ask whoever is said to hold an office for it too: it may be stated of either side."""
        if relational.title is None or WDT.P39 not in self.relations.properties:
            return
        person, office = (
            self.links.get(self.nodes[span]) for span in (relational.subject, relational.title)
        )
        if not person or not office or {person.status, office.status} != {LinkStatus.LINKED}:
            return
        one, other = person.candidates[0], office.candidates[0]
        sure = min(_sure(person), _sure(office))
        if sure < self.model.t_support or self.relations.offices.isdisjoint(
            self.linker.kind_of(other)
        ):
            return
        meaning = Meaning(WDT.P39, False, 1.0, "lexicon")
        doubts = ("link",) if sure < self.model.t_refute else ()
        doubts = (*relational.doubts, *doubts)
        self.add(claim, relational, one, other, meaning, (person, office), "linked", doubts)

    def put(self, claim: Claim, relational: Relational) -> tuple[str | Fault, Node | None] | None:
        """Add the questions of a relation by its wording; return why none could be added."""
        spans = [relational.subject, relational.object]
        ends = []
        counts = relational.side == "count"
        alone = relational.value is not None or (counts and relational.object == relational.subject)
        for span in spans[: 1 if alone else 2]:
            node = self.nodes[span]
            end = self.links.get(node)
            if end is None:
                return "nil_no_candidate", node
            if end.status is LinkStatus.FAILED:
                return end.fault or Fault(Status.ERROR, ""), None
            personal = self.text[span.start : span.end].lower() in PERSONAL
            if not end.candidates:  # "she" names nothing that could be missing
                status = LinkStatus.NIL_LOW_SCORE if personal else end.status
                return status.value, node
            if _sure(end) < self.model.t_support or (personal and not self.is_person(end)):
                return LinkStatus.NIL_LOW_SCORE.value, node
            ends.append(end)
        subject, object_ = ends[0], ends[1] if len(ends) > 1 else None
        candidates: Sequence[Candidate | None] = object_.candidates if object_ else (None,)
        several = any(end.status is LinkStatus.AMBIGUOUS for end in ends)
        unsure = (
            _sure(subject) < self.model.t_refute
            # of whatever else is so named it is seen to that it is not the value stated
            or (object_ is not None and _known(object_) < self.model.t_refute)
            or self.antecedents(relational.subject) > 1
            or any(self.is_qualified(span) for span in spans[: len(ends)])
        )
        before = len(self.found)
        for one, other in product(subject.candidates, candidates):
            match = self.linker.meanings(relational, one, None if counts else other)
            if match.reason:
                continue
            for meaning in match.candidates:
                doubts = [*relational.doubts, *(["link"] if unsure else [])]
                if not TURNING_THE_REST.isdisjoint(relational.unread.lower().split()):
                    doubts.append("unread")
                value = one if meaning.inverse else other
                if value and self.vague(meaning, value):
                    doubts.append("part_whole")
                # that a thing is a lawyer is said of what it does and of what it is
                own = not meaning.property.startswith(WDT) and meaning.property != RDF.type
                open_ = is_type_phrase(relational.phrase) and own
                # a date has many other names, some of another event: "incorporated"
                dated = self.relations.properties[meaning.property]
                loose = meaning.band == "alias" and meaning.score < LABEL and dated.kind == "time"
                loose = loose and _words(dated.label).isdisjoint(_words(relational.phrase))
                several_mean = len(match.candidates) > 1 and meaning.band != "own"
                if several_mean or open_ or loose:
                    doubts.append("property")
                self.add(
                    claim, relational, one, other, meaning, (subject, object_),
                    "ambiguous" if several else "linked", tuple(doubts),
                )  # fmt: skip
        return ("unmapped", None) if len(self.found) == before else None

    def is_qualified(self, span: Span) -> bool:
        """Return whether what follows makes a name more precise, and is no subject of its own."""
        lead = self.text[max(span.start - 10, 0) : span.start]
        if any(a.search(lead) and b.match(self.text, span.end) for a, b in _NAMESAKE):
            return True
        found = _QUALIFIED.match(self.text, span.end)
        if found is None or found.end() in self.subjects:
            return False
        told = (self.text[found.end() : end] for first, end in self.told if first == span.start)
        return not any(_ARTICLE.sub("", lead) == "" for lead in told)

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
        return _TOWNS.isdisjoint(self.linker.kind_of(value))

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
        if relational.side == "count":
            object_ = Literal(relational.times)
        assert object_ is not None
        plural = relational.times is not None
        if meaning.inverse and (not isinstance(object_, URIRef) or plural):
            return
        ends = (one.entity.iri, object_)
        subject, value = reversed(ends) if meaning.inverse else ends
        first, _, last = (relational.subject, None, relational.object)
        today = float(self.now.toordinal())
        timing = timing_of(relational, today)
        current = timing is None and relational.current and property_.temporal
        # a marriage is told of whoever it was with, whenever that was
        current = current and not (relational.aside and property_.symmetric)
        if relational.aside and current:
            doubts = (*doubts, "time")
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
        aside = relational.side not in ("", "count")
        beside = self.beside(relational, one, other, meaning) if aside else None
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
                None
                if relational.side not in ("", "count")
                else _claimed(value, relational, temporal=property_.temporal),
                Timing("holding", (today, today)) if current else timing,
                current,
                today,
                doubts=doubts,
                unread=relational.unread,
                beside=beside,
                count=relational.side == "count",
                kind=other.entity.iri if other and relational.side == "count" else None,
            )
        )

    def beside(
        self, relational: Relational, one: Candidate, other: Candidate | None, meaning: Meaning
    ) -> Beside:
        """Return what the value of a comparison follows from; of an age, from the day of birth."""
        if other is not None:
            theirs = meaning.property
            if relational.beside != relational.phrase:
                match = self.relations.match(
                    relational.beside,
                    subject_types=self.linker.kind_of(other),
                    object_kind=relational.measured,
                )
                theirs = theirs if match.reason else match.candidates[0].property
            return Beside(other.entity.iri, theirs, relational.side)
        match = self.relations.match(
            BORN, subject_types=self.linker.kind_of(one), object_kind="time"
        )
        born = meaning.property if match.reason else match.candidates[0].property
        return Beside(one.entity.iri, born, relational.side, int(str(relational.value)))

    def pass_over(self, claim: Claim) -> None:
        """Keep a claim that nothing was read of, told if it is a question or only may be so."""
        place = self.extraction.sentences[claim.sentence]
        asks = self.text[place.start : place.end].rstrip().endswith("?")
        if self.fault:
            self.fail(claim, self.fault)
        elif asks or claim.modality in _UNCERTAIN:
            self.leave(claim, "not_checkable", why=_SORTS["question" if asks else "modal"])
        else:
            ends = sorted(part for part in (claim.parts[0], claim.parts[2]) if part)
            between = self.text[ends[0].end : ends[-1].start].strip() if ends else ""
            said = f"[X] {between} [Y]" if between else self.text[claim.span.start : claim.span.end]
            self.leave(claim, "unmapped", why=self.unmapped(said))

    def fail(self, claim: Claim, fault: Fault) -> None:
        """Keep a claim of which the source could not be asked."""
        self.faults.append(fault)
        self.leave(claim, "linked", fault.status)

    def leave(
        self,
        claim: Claim,
        link: str,
        status: Status = Status.EMPTY,
        end: Node | None = None,
        why: str = "",
    ) -> None:
        """Keep a claim that cannot be put in terms of the source, for what is said of its `end`."""
        question = unexpressed(claim, self.reading(), self.source.iri, link)
        self.found.append(replace(question, status=status, unlinked=end, unread=why))

    def reading(self) -> URIRef:
        place = f"{self.name}:{self.source.name}:{len(self.found) + 1}"
        return STATEMENT[quote(place, safe=":")]


def _claimed(node: Node, relational: Relational, *, temporal: bool) -> Value:
    """Return the value that is claimed; one that is denied is that very one, and none near it."""
    if relational.times is not None:
        many = relational.times
        return Value("quantity", Literal(many), float(many), float(many))
    value = claimed_value(node, relational.bound)
    if temporal and value.kind == "quantity" and value.low is not None and not value.loose:
        # it is never counted alike; a bound of a day is no figure that was measured
        share = COUNTED if relational.bound and relational.at is not None else MEASURED
        ends = [abs(end) for end in (value.low, value.high or 0) if math.isfinite(end)]
        value = replace(value, loose=share * min(ends, default=0.0))
    plain = relational.polarity == "negative" and value.kind == "quantity" and not relational.bound
    if not plain or value.low is None or value.high is None:
        return value
    middle = (value.low + value.high) / 2
    return replace(value, low=middle, high=middle, loose=0.0)


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


def _known(end: Link) -> float:
    """Return how probably what is meant is among the readings of a link and their namesakes."""
    return sum(candidate.probability for candidate in (*end.candidates, *end.others))


def _extent(claim: Claim) -> Iterator[Span]:
    """Yield the part of the sentence from the first end of a claim to the last."""
    ends = [part for part in (claim.parts[0], claim.parts[2]) if part is not None]
    if len(ends) == 2:
        low, high = min(part.start for part in ends), max(part.end for part in ends)
        yield Span(claim.span.source, low, high)


def _words(label: str) -> set[str]:
    """Return the longer words of a label, without their inflections."""
    return {uninflected(word) for word in label.casefold().split() if len(word) > 3}

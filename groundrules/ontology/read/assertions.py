"""Where the readers of one document put what it says in the terms of an ontology."""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import quote

from rdflib.term import Node, URIRef

from groundrules.claims.facts.offline import Extraction
from groundrules.plugins import expect
from groundrules.terms import (
    ENTITY,
    ONTOLOGY,
    READ_BY,
    STATEMENT,
    Claim,
    Modality,
    Polarity,
    Span,
    Triple,
    mint,
    source_iri,
)


class Assertions:
    """The assertions of one document, in the order they were stated, without repetitions."""

    def __init__(self, extraction: Extraction) -> None:
        self.extraction = extraction
        self.labels: dict[Node, str] = {}
        #: What a reference work says of the things that the document names.
        self.background: dict[str, dict[Triple, None]] = {}
        self._heads = [sentence.start for sentence in extraction.sentences]
        self._by = ""
        self._taken = 0
        self._told: dict[tuple[Triple, Span, str, str], Claim] = {}
        self._stated: dict[tuple[Triple, Span, str, str], Claim] = {}

    def state(
        self,
        subject: Node,
        predicate: URIRef,
        object_: Node,
        span: Span,
        *,
        parts: tuple[Span | None, Span | None, Span | None] = (None, None, None),
        polarity: Polarity = "positive",
        modality: Modality = Modality.ASSERTED,
        reads: URIRef | None = None,
        confidence: float = 1.0,
        attribution: str | None = None,
    ) -> None:
        """Add an assertion; one that was stated of the same place in the same mode is no news."""
        triple = Triple(subject, predicate, object_)
        key = (triple, span, polarity, str(modality))
        stated = self._told if self._by else self._stated
        if key in stated:
            return
        sentence = max(0, bisect.bisect_right(self._heads, span.start) - 1)
        if reads is not None:  # a statement that says what its words were read as says it once
            for one, claim in stated.items():
                same = claim.triple == triple and claim.polarity == polarity
                if same and claim.sentence == sentence and claim.reads is None:
                    stated[one] = replace(claim, reads=reads)
                    return
        kind = "ontology:told" if self._by else "ontology"
        name = f"{self.extraction.document.name}:{kind}:{len(stated) + self._taken}"
        stated[key] = Claim(
            STATEMENT[quote(name, safe=":", errors="surrogatepass")],
            triple,
            span,
            parts=parts,
            polarity=polarity,
            modality=modality,
            attribution=attribution,
            confidence=confidence,
            origin=f"{ONTOLOGY}, {READ_BY} {self._by}" if self._by else ONTOLOGY,
            sentence=sentence,
            reads=reads,
        )

    def take_back(self, claim: Claim) -> None:
        """Take back what somebody else has read, where more is known of what its words mean."""
        self._told = {key: one for key, one in self._told.items() if one.id != claim.id}
        self._taken += 1

    @contextmanager
    def read_by(self, name: str) -> Iterator[None]:
        """Let what is stated meanwhile be what somebody else has read, a language model by name.

        Meanwhile `claims` are those that this one has read.
        """
        self._by = name
        try:
            yield
        finally:
            self._by = ""

    def know(self, work: str, subject: Node, predicate: URIRef, object_: Node) -> None:
        """Note what a reference work says of a thing that the document names."""
        self.background.setdefault(work, {})[Triple(subject, predicate, object_)] = None

    def thing(self, start: int, end: int) -> Node:
        """Return the node of what a place names: that of the mention there, else of its words."""
        mentions = self.extraction.mentions
        label = " ".join(self.extraction.document.text[start:end].split())
        node: Node = mint(ENTITY, label)
        first = bisect.bisect_left(mentions, start, key=lambda m: m.span.start)
        for mention in mentions[first : first + 8]:
            if mention.span.start == start and abs(mention.span.end - end) <= 1:
                node = mention.node
                break
        self.labels.setdefault(node, label)
        return node

    def part(self, name: str = "") -> URIRef:
        """Return the IRI of the document, or of a part of it."""
        whole = source_iri(self.extraction.document.name)
        return URIRef(f"{whole}:{quote(name, safe='', errors='surrogatepass')}") if name else whole

    def sentence_at(self, place: int) -> Span | None:
        """Return the sentence around a place, None where there is none."""
        number = bisect.bisect_right(self._heads, place) - 1
        around = self.extraction.sentences[number] if number >= 0 else None
        return around if around is not None and place < around.end else None

    def span(self, start: int, end: int) -> Span:
        """Return a place in the document."""
        return Span(self.extraction.document.name, start, end)

    def expect_sound(self) -> None:
        """Raise TypeError or ValueError where what was stated is junk, or lies beyond the text."""
        expect(self.claims(), tuple[Claim, ...])
        expect(self.labels, dict[Node, str])
        expect(self.background, dict[str, dict[Triple, None]])
        length = len(self.extraction.document.text)
        places = [one for claim in self.claims() for one in (claim.span, *claim.parts) if one]
        if any(place.end > length for place in places):
            raise ValueError(f"gave {max(p.end for p in places)} for an end; the text has {length}")

    def claims(self) -> tuple[Claim, ...]:
        """Return what was stated, in order: by our own reading, or by who is `read_by`."""
        return tuple((self._told if self._by else self._stated).values())

    def told(self) -> tuple[Claim, ...]:
        """Return what somebody else has read, in order."""
        return tuple(self._told.values())

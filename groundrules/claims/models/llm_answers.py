"""The answer of a language model read: each triple looked up at its evidence, or dropped."""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rdflib.term import Literal

from groundrules.claims.english import NEGATIVE
from groundrules.claims.english.signals import RELATION_MODALITIES
from groundrules.claims.evidence.smith_waterman import THRESHOLD, align
from groundrules.claims.facts.parsed import DropError, Lookup
from groundrules.claims.facts.phrases import normalised
from groundrules.claims.models.llm_ends import LONGEST, Ends, Part, named_relation, relation_of
from groundrules.claims.values.value_reader import find_values
from groundrules.terms import Modality, Polarity, Span

#: Longest part of a triple of KEA Explain's form.
LONGEST_NAME = 200
#: How many sentences the evidence may touch.
WIDEST = 3
#: What a triple without flags is taken to be; the words of its text say otherwise where they do.
_PLAIN = {"polarity": "positive", "modality": "asserted", "attribution": None, "time": None}
_WORD = re.compile(r"\w+")
#: Why a triple is dropped, as the notes say it.
ELSEWHERE = "whose evidence is not in the text"
NAMELESS = "whose names are not in their evidence"
UNRELATED = "whose relation is not in their evidence"
INVENTED = "denied or said by somebody only in the answer"
UNQUOTED = "without a quote that no sentence words"


@dataclass(frozen=True, slots=True)
class ReadTriple:
    """A triple that its document bears out."""

    sentence: int
    subject: Part
    relation: str
    place: Span | None
    object: Part
    polarity: Polarity
    modality: Modality
    attribution: str | None
    time: Literal | None
    given: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class TripleReader:
    """Reads the triples of one answer in one piece of one text."""

    ends: Ends
    piece: Span
    aligned: dict[str, tuple[int, int] | None] = field(default_factory=dict)

    @property
    def text(self) -> Lookup:
        """The text."""
        return self.ends.text

    def read(self, row: Mapping[str, Any]) -> ReadTriple:
        """Return the claim a triple stands for; DropError where the text does not bear it out."""
        passage = self._passage(str(row["evidence"]))
        if passage is None:
            raise DropError(ELSEWHERE)
        return self._stated(row, passage)

    def read_kea(self, parts: Sequence[str]) -> ReadTriple:
        """Return the claim of `[subject, relation, object, quote]`, KEA Explain's triple.

        Without a quote the first sentence that words it is its place; with one that is copied
        exactly the relation may be none of its words. DropError where the text does not bear it
        out.
        """
        subject, relation, object_, quoted = (*parts, "")[:4]
        if max(map(len, parts[:3])) > LONGEST_NAME:
            raise DropError(NAMELESS)
        row = {"subject": subject, "relation": relation, "object": object_, **_PLAIN}
        if quoted.strip():
            passage = self._passage(quoted)
            if passage is None:
                raise DropError(ELSEWHERE)
            exact = " ".join(quoted.split()) in " ".join(self._document().split())
            try:
                return self._stated(row, passage, named=exact)
            except DropError as drop:
                if drop.reason == UNRELATED and not exact:
                    raise DropError(ELSEWHERE) from None
                raise
        starts = self.text.sentences
        first, last = (bisect.bisect_left(starts, p) for p in (self.piece.start, self.piece.end))
        for span in self.text.extraction.sentences[max(first - 1, 0) : last]:
            try:
                return self._stated(row, (span.start, span.end))
            except DropError:
                continue
        raise DropError(UNQUOTED)

    def _stated(
        self, row: Mapping[str, Any], passage: tuple[int, int], *, named: bool = False
    ) -> ReadTriple:
        """Return the claim a triple stands for in a passage.

        With `named` its relation may be one that the passage does not word.
        """
        object_ = self.ends.part(str(row["object"]), passage, None)
        taken = object_.span if object_ else None
        subject = self.ends.part(str(row["subject"]), passage, taken)
        if subject is None or object_ is None:
            raise DropError(NAMELESS)
        relation = relation_of(self.text, str(row["relation"]), passage, subject, object_)
        meant = relation is None and named
        if meant:
            relation = named_relation(self.text, str(row["relation"]), passage)
        if relation is None:
            raise DropError(UNRELATED)
        label, place, denied, passive = relation
        if passive and not isinstance(object_.node, Literal):
            subject, object_ = object_, subject
        if isinstance(subject.node, Literal) or subject.node == object_.node:
            raise DropError(NAMELESS)
        sentence = self.text.sentence_at(place or object_.span)
        polarity, modality = self._mood(row, passage, place, denied)
        if meant:
            modality = Modality.POSSIBILITY
        attribution = None
        if row["attribution"]:
            speaker = self.ends.part(str(row["attribution"]), passage, None)
            if speaker is None:
                raise DropError(INVENTED)
            attribution = speaker.label
        time = self._time(str(row["time"] or ""), passage)
        s, p, o = (normalised(str(row[part])) for part in ("subject", "relation", "object"))
        return ReadTriple(
            sentence, subject, label, place, object_, polarity, modality, attribution, time,
            (s, p, o),
        )  # fmt: skip

    def _passage(self, evidence: str) -> tuple[int, int] | None:
        """Return the range of the sentences that the evidence is copied from."""
        if evidence not in self.aligned:
            self.aligned[evidence] = self._align(evidence)
        return self.aligned[evidence]

    def _align(self, evidence: str) -> tuple[int, int] | None:
        words = evidence.strip()
        if not 0 < len(words) <= LONGEST or not _WORD.search(words):
            return None
        document = self._document()
        start = document.find(words)
        end = start + len(words)
        if start < 0:
            found = align(words, document)
            # a local alignment of a few letters would score as well as the whole
            if found is None or found.score < THRESHOLD or found.matches < THRESHOLD * len(words):
                return None
            start, end = found.start, found.end
        start, end = start + self.piece.start, end + self.piece.start
        touched = [
            span
            for span in self._sentences(start, end)
            if 2 * (min(end, span.end) - max(start, span.start)) >= min(span.end - span.start, 10)
        ]
        if not 0 < len(touched) <= WIDEST:
            return None
        return touched[0].start, touched[-1].end

    def _document(self) -> str:
        return self.text.plain[self.piece.start : self.piece.end]

    def _sentences(self, start: int, end: int) -> list[Span]:
        first = max(bisect.bisect_right(self.text.sentences, start) - 1, 0)
        last = bisect.bisect_left(self.text.sentences, end)
        return list(self.text.extraction.sentences[first : min(last, first + WIDEST + 3)])

    def _mood(
        self, row: Mapping[str, Any], passage: tuple[int, int], place: Span | None, denied: bool
    ) -> tuple[Polarity, Modality]:
        """Return polarity and modality: as the words before the verb say, else as the answer does.

        DropError where the answer denies what no word of the passage denies.
        """
        here = self.text.within(*passage)
        before = [w.text for w in here if place and w.end <= place.start][-3:]
        modality = next(
            (RELATION_MODALITIES[word] for word in reversed(before) if word in RELATION_MODALITIES),
            Modality(row["modality"]),
        )
        if any(word in NEGATIVE for word in before):
            return "negative", modality
        if row["polarity"] == "negative" or denied:
            if not any(word.text in NEGATIVE for word in here):
                raise DropError(INVENTED)
            return "negative", modality
        return "positive", modality

    def _time(self, words: str, passage: tuple[int, int]) -> Literal | None:
        values = [value for value in find_values(words[:100]) if value.kind == "DATE"]
        if len(values) != 1:
            return None
        found = self.ends.valued(values[0].literal, passage)
        return found.node if found and isinstance(found.node, Literal) else None

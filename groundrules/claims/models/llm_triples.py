"""Triples by a language model, kept where the text bears them out.

One question asks for all of it, for one text or two, as the first prompt of KEA Explain does
(arXiv:2507.03847). Every node, relation, value and place of a claim is read from the document at
the evidence that the model copied; a triple that is not there is dropped. With `graphs = "kea"` a
relation may have a name that is no word of the text: it is a possibility and refutes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from rdflib.term import URIRef

from groundrules.claims.documents.document import position
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.facts.parsed import DropError, Parsed, lookup_of, meets
from groundrules.claims.facts.phrases import sound
from groundrules.claims.models.llm_answers import ReadTriple, TripleReader
from groundrules.claims.models.llm_ends import Ends, Part
from groundrules.claims.models.llm_prompts import FORMS, TRIPLE, prompt_of, questions_on
from groundrules.claims.names.resolve import resolve
from groundrules.config import BUILT_IN, KEA
from groundrules.errors import LLMError
from groundrules.terms import RELATION, STATEMENT, Claim, Mention, Span, Triple, mint

if TYPE_CHECKING:
    from groundrules.llm.client import Client

#: The most triples read of one piece; what an answer has beyond them is counted and left.
MOST = 200
#: Why a triple is dropped that could be read, as the notes say it.
_BACKWARDS = "that the sentence has the other way about"
_TOO_MANY = f"beyond the first {MOST} of an answer"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a language model made of texts: extractions with its triples, and what came of them.

    `given` counts the triples of all answers, `dropped` maps each reason to how many of them it
    cost; `unread` are the spans that could not be asked about, each with why. `graphs` has for each
    text the triples that were not dropped, in the words of the model.
    """

    extractions: tuple[Extraction, ...]
    given: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    unread: tuple[tuple[Span, LLMError], ...] = ()
    graphs: tuple[tuple[tuple[str, str, str], ...], ...] = ()

    def notes(self) -> Iterator[str]:
        """Yield what the report has to say of the answers: what was dropped."""
        if count := sum(self.dropped.values()):
            why = ", ".join(f"{number} {reason}" for reason, number in self.dropped.items())
            yield (f"{count:,} of {self.given:,} triples of the language model were dropped: {why}")

    def unasked(self) -> Iterator[tuple[str, str]]:
        """Yield what could not be asked about, each cause with the places: a name and its lines."""
        texts = {e.document.name: e.document.text for e in self.extractions}
        told: dict[tuple[str, str], list[Span]] = {}
        for span, error in self.unread:
            told.setdefault((error.cause, span.source), []).append(span)
        for (cause, source), spans in told.items():
            places = [
                position(texts[source], offset)[0] for s in spans for offset in (s.start, s.end)
            ]
            first, last = min(places), max(places)
            lines = f"line {first}" if first == last else f"lines {first} to {last}"
            yield cause, f"{source} ({lines})"


def read_triples(documents: Sequence[Parsed], client: Client, *, graphs: str = BUILT_IN) -> Reading:
    """Return the extractions of documents with what a language model reads in them besides.

    Two texts that fit into one question are asked about together, so that they share names;
    longer ones in pieces of whole sentences that overlap. The claims of the parser stand, for what
    a model leaves out is not for it to decide: a triple adds what the parser missed, and says what
    a pronoun stands for. With `graphs` "kea" every question has a piece of the first text beside
    one of another, and the answer the form of KEA Explain. What cannot be asked is told in
    `unread`, and no LLMError is raised.
    """
    form = FORMS[graphs]
    words = [one.words for one in documents]  # first: the parse gives the extraction too
    resolved = resolve([one.extraction for one in documents])
    texts = [
        lookup_of(document.extraction, known, own)
        for document, known, own in zip(documents, resolved, words, strict=True)
    ]
    asked = list(questions_on(texts, paired=form is FORMS[KEA]))
    prompts = [prompt_of(question, texts, form) for question in asked]
    found: list[list[ReadTriple]] = [[] for _ in texts]
    dropped: Counter[str] = Counter()
    unread = []
    given = 0
    for question, answer in zip(asked, client.ask_all(prompts), strict=True):
        for number, (index, place) in enumerate(question, 1):
            if isinstance(answer, LLMError):
                unread.append((place, answer))
                continue
            rows = answer[f"{form.key}{number}"]
            given += len(rows)
            if len(rows) > MOST:
                dropped[_TOO_MANY] += len(rows) - MOST
            reader = TripleReader(Ends(texts[index], texts), place)
            for row in rows[:MOST]:
                try:
                    read = reader.read if form.triple is TRIPLE else reader.read_kea
                    found[index].append(read(row))
                except DropError as drop:
                    dropped[drop.reason] += 1
    extractions = []
    kept = []
    for text, rows_found in zip(texts, found, strict=True):
        extraction, backwards = joined(text.extraction, rows_found)
        extractions.append(extraction)
        if backwards:
            dropped[_BACKWARDS] += len(backwards)
        kept.append(tuple(dict.fromkeys(f.given for f in rows_found if f not in backwards)))
    return Reading(tuple(extractions), given, dict(dropped), tuple(unread), tuple(kept))


def joined(
    extraction: Extraction, found: Iterable[ReadTriple]
) -> tuple[Extraction, list[ReadTriple]]:
    """Return the extraction with the triples found, and those that go against the parser."""
    claims = list(extraction.claims)
    by_sentence: dict[int, list[Claim]] = {}
    for claim in claims:
        by_sentence.setdefault(claim.sentence, []).append(claim)
    mentions = {mention.span: mention for mention in extraction.mentions}
    labels = dict(extraction.labels)
    meant: dict[Span, Part] = {}
    seen = {(c.sentence, c.triple, c.polarity, c.modality) for c in claims}
    added: list[Claim] = []
    backwards = []
    name = quote(sound(extraction.document.name), safe="")
    for one in found:
        same = [
            c
            for c in by_sentence.get(one.sentence, ())
            if c.parts[1] and one.place and meets(c.parts[1], one.place)
        ]
        if any(_ends(c, one.object.span, one.subject.span) for c in same):
            backwards.append(one)
            continue
        for part in (one.subject, one.object):
            labels.setdefault(part.node, part.label)
            if part.stands_for and part.span in mentions:
                meant.setdefault(part.span, part)
        if any(_ends(c, one.subject.span, one.object.span) for c in same):
            continue
        predicate = mint(RELATION, one.relation)
        triple = Triple(one.subject.node, predicate, one.object.node)
        parsed = same[0] if same else None
        polarity = parsed.polarity if parsed else one.polarity
        modality = parsed.modality if parsed else one.modality
        key = one.sentence, triple, polarity, modality
        if key in seen:
            continue
        seen.add(key)
        for part in (one.subject, one.object):
            words = extraction.document.text[part.span.start : part.span.end]
            mentions.setdefault(part.span, Mention(part.span, words, part.kind, part.node))
        labels.setdefault(predicate, one.relation)
        added.append(
            Claim(
                id=URIRef(f"{STATEMENT}{name}:llm:{len(added)}"),
                triple=triple,
                span=extraction.sentences[one.sentence],
                parts=(one.subject.span, one.place, one.object.span),
                polarity=polarity,
                modality=modality,
                attribution=parsed.attribution if parsed else one.attribution,
                time=(parsed.time if parsed else None) or one.time,
                confidence=0.7 if one.subject.stands_for or one.object.stands_for else 0.9,
                origin="llm",
                sentence=one.sentence,
            )
        )
    for span, part in meant.items():
        mentions[span] = replace(mentions[span], node=part.node, kind=part.kind)
    return (
        replace(
            extraction,
            claims=(*(_restated(claim, meant) for claim in claims), *added),
            mentions=tuple(sorted(mentions.values(), key=lambda m: (m.span.start, -m.span.end))),
            labels=labels,
        ),
        backwards,
    )


def _ends(claim: Claim, subject: Span, object_: Span) -> bool:
    one, _, other = claim.parts
    return bool(one and other and meets(one, subject) and meets(other, object_))


def _restated(claim: Claim, meant: Mapping[Span, Part]) -> Claim:
    """Return a claim of the parser with what its pronouns stand for."""
    s, p, o = claim.triple.subject, claim.triple.predicate, claim.triple.object
    one, other = (meant.get(place) if place else None for place in claim.parts[::2])
    subject, object_ = one.node if one else s, other.node if other else o
    if (subject, object_) == (s, o) or subject == object_:
        return claim
    return replace(claim, triple=Triple(subject, p, object_), origin="llm")

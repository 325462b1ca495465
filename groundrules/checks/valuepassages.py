"""The passages of extracted values: where quotes stand, how well they support, what rules read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rdflib.namespace import OWL, RDF
from rdflib.term import Literal, URIRef

from groundrules.claims.documents.document import Document
from groundrules.claims.evidence.fields import Field
from groundrules.claims.evidence.quotes import Passage, kinds, locate, relate, rivals, widen
from groundrules.errors import LLMError
from groundrules.models.passage_scorer import as_spelled, hypothesis, score_support
from groundrules.terms import GR, Claim, Modality, Span, Triple

if TYPE_CHECKING:
    from groundrules.llm.client import Client


@dataclass(frozen=True, slots=True)
class ValuePassage:
    """A passage of a claim with what was found out about it; `id` names its statement.

    `quote` is what the model copied, `relation` compares the value with the passage
    (`claims.evidence.quotes.relate`), `said` is the value as the passage has it, else as the
    model wrote
    it; `rival` is the one other value of that kind. The scores are None where nothing was asked, or
    could be.
    """

    id: URIRef
    place: Passage
    reached: bool
    quote: str
    said: str = ""
    relation: str | None = None
    rival: Claim | None = None
    entails: float | None = None
    rival_entails: float | None = None


def find_passages(
    field: Field, claim: Claim, documents: Sequence[Document], threshold: float
) -> list[ValuePassage]:
    """Return where the quotes of a value stand, and how it compares with what stands there."""
    found: dict[Passage, ValuePassage] = {}
    texts = {document.name: document.text for document in documents}
    for number, given in enumerate(field.quotes):
        copied = locate(given, documents, threshold) if given.text else None
        if copied is None or copied in found:
            continue
        node = URIRef(f"{claim.id}:passage:{number}")
        if copied.score < threshold:
            found[copied] = ValuePassage(node, copied, False, given.text)
            continue
        place = widen(copied, texts[copied.document])
        words = texts[place.document][place.start : place.end]
        compared = relate(field, words)
        relation = compared.relation if compared else None
        said = (compared and compared.words) or field.said
        rival = None
        if relation == "disjoint" and len(others := rivals(field, words)) == 1:
            other = others[0]
            span = Span(place.document, place.start + other.start, place.start + other.end)
            triple = replace(claim.triple, object=other.literal)
            rival = Claim(
                URIRef(f"{node}:value"), triple, span,
                modality=Modality.POSSIBILITY, origin="llm",
            )  # fmt: skip
        found[place] = ValuePassage(node, place, True, given.text, said, relation, rival)
    return list(found.values())


def score_passages(
    fields: Sequence[Field],
    found: Sequence[list[ValuePassage]],
    texts: Mapping[str, str],
    scorer: str,
    client: Client | None,
) -> tuple[list[list[ValuePassage]], LLMError | None]:
    """Return the passages with their support, and why it could not be asked if it could not."""

    def pair(passage: ValuePassage, kind: str, value: str) -> tuple[str, str]:
        place = passage.place
        premise = texts[place.document][place.start : place.end]
        return premise, hypothesis(as_spelled(kind, premise), value)

    def asked_of(field: Field, passage: ValuePassage) -> list[tuple[str, str]]:
        """Return the pair of the value, then that of its rival."""
        if not passage.reached:
            return []
        own = [pair(passage, field.type, passage.said)]
        if passage.rival is None:
            return own
        span = passage.rival.span
        return [*own, pair(passage, field.type, texts[span.source][span.start : span.end])]

    asked = [
        [asked_of(field, passage) for passage in passages]
        for field, passages in zip(fields, found, strict=True)
    ]
    pairs = list(dict.fromkeys(one for of in asked for two in of for one in two))
    try:
        known = dict(zip(pairs, score_support(pairs, scorer, client=client), strict=True))
    except LLMError as error:
        return list(found), error

    def scored(passage: ValuePassage, own: Sequence[tuple[str, str]]) -> ValuePassage:
        entails, rival, *_ = [*(known[one] for one in own), None, None]
        return replace(passage, entails=entails, rival_entails=rival)

    return [
        [scored(passage, own) for passage, own in zip(passages, of, strict=True)]
        for passages, of in zip(found, asked, strict=True)
    ], None


def best_passages(passages: Iterable[ValuePassage]) -> list[ValuePassage]:
    """Return the passages that were found, the one that supports best first."""
    reached = [passage for passage in passages if passage.reached]
    return sorted(reached, key=lambda p: (not p.place.inside, -(p.entails or 0.0)))


def facts_of(
    field: Field,
    claim: Claim,
    passages: Sequence[ValuePassage],
    fault: LLMError | None,
) -> Iterable[Triple]:
    """Yield what the rules read of a value."""
    yield Triple(claim.id, GR.kind, Literal(field.type))
    for given in field.quotes:
        if given.text:
            yield Triple(claim.id, GR.quotes, Literal(given.text))
    if field.format:
        yield Triple(claim.id, GR.format, Literal(field.format))
    if not field.worded:
        held, whole = kinds(field)
        for kind in sorted(held):
            yield Triple(claim.id, GR.holds, Literal(kind))
        if whole:
            yield Triple(claim.id, GR.whole, Literal(whole))
    # a place of a record has one value: lists have a place for each of theirs
    yield Triple(claim.triple.predicate, RDF.type, OWL.FunctionalProperty)
    if fault and any(passage.reached for passage in passages):
        yield Triple(claim.id, GR.lookup, Literal("error"))
    for passage in passages:
        node, place = passage.id, passage.place
        yield Triple(node, RDF.type, GR.Passage)
        yield Triple(node, GR.claim, claim.id)
        yield Triple(node, GR.aligned, Literal(round(place.score, 4)))
        if not passage.reached:
            continue
        yield Triple(node, GR.place, Literal("in" if place.inside else "out"))
        if passage.entails is not None:
            yield Triple(node, GR.entails, Literal(round(passage.entails, 4)))
        if passage.relation is not None:
            yield from _compared(URIRef(f"{node}:compared"), claim.id, node, passage.relation)
        if passage.rival is not None and passage.rival_entails is not None:
            rival = passage.rival.id
            yield Triple(rival, GR.entails, Literal(round(passage.rival_entails, 4)))
            yield from _compared(URIRef(f"{rival}:compared"), claim.id, rival, "disjoint")


def _compared(node: URIRef, claim: URIRef, evidence: URIRef, relation: str) -> Iterable[Triple]:
    yield Triple(node, RDF.type, GR.Comparison)
    yield Triple(node, GR.claim, claim)
    yield Triple(node, GR.evidence, evidence)
    yield Triple(node, GR.relation, Literal(relation))

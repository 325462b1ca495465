"""The passages of extracted values: where quotes stand, how well they support, what rules read."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING

from rdflib.namespace import OWL, RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.documents.document import Document
from groundrules.claims.evidence.fields import Field
from groundrules.claims.evidence.quotes import Passage, kinds, locate, relate, rivals, term, widen
from groundrules.errors import LLMError
from groundrules.models.passage_scorer import as_spelled, hypothesis, score_support
from groundrules.terms import GR, Claim, Modality, Span, Triple

if TYPE_CHECKING:
    from groundrules.llm.client import Client

#: The other fields of a schema as which a value is scored, those next to its own.
RIVALS = 16


@dataclass(frozen=True, slots=True)
class ValuePassage:
    """A passage of a claim with what was found out about it; `id` names its statement.

    `quote` is what the model copied, `relation` compares the value with the passage
    (`claims.evidence.quotes.relate`), `said` is the value as the passage has it, else as the model
    wrote it; `rival` is the one other value of that kind; `others` are the types of other fields
    with the score of the value as each. The scores are None where nothing was asked, or could be.
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
    others: tuple[tuple[str, float], ...] = ()


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
    asked: Sequence[tuple[str, str]],
    scorer: str,
    client: Client | None,
) -> tuple[list[list[ValuePassage]], LLMError | None]:
    """Return the passages with their support, and why it could not be asked if it could not.

    `asked` are type and format of the fields of the schema.
    """
    pairs: dict[tuple[str, str], float] = {}
    others = {field: _others(field, asked) for field in fields}

    def words(passage: ValuePassage) -> str:
        return texts[passage.place.document][passage.place.start : passage.place.end]

    def rival_words(rival: Claim) -> str:
        return texts[rival.span.source][rival.span.start : rival.span.end]

    def pair(passage: ValuePassage, kind: str, value: str) -> tuple[str, str]:
        premise = words(passage)
        return premise, hypothesis(as_spelled(kind, premise), value)

    for field, passages in zip(fields, found, strict=True):
        for passage in passages:
            if passage.reached:
                pairs[pair(passage, field.type, passage.said)] = 0.0
            if passage.relation in (None, "equal", "claim-coarser") and passage.reached:
                for other in others[field]:
                    pairs[pair(passage, other, passage.said)] = 0.0
            if passage.rival:
                pairs[pair(passage, field.type, rival_words(passage.rival))] = 0.0
    try:
        scores = score_support(list(pairs), scorer, client=client)
    except LLMError as error:
        return list(found), error
    pairs = dict(zip(pairs, scores, strict=True))

    def scored(field: Field, passage: ValuePassage) -> ValuePassage:
        if not passage.reached:
            return passage
        own = pairs[pair(passage, field.type, passage.said)]
        rival = None
        if passage.rival:
            rival = pairs[pair(passage, field.type, rival_words(passage.rival))]
        also = tuple(
            (other, pairs[asked_as])
            for other in others[field]
            if (asked_as := pair(passage, other, passage.said)) in pairs
        )
        return replace(passage, entails=own, rival_entails=rival, others=also)

    return [
        [scored(field, passage) for passage in passages]
        for field, passages in zip(fields, found, strict=True)
    ], None


def _others(field: Field, asked: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the types of the other fields of a field's format, those next to it first."""
    if field.worded:
        return ()
    kinds = [kind for kind, form in asked if form == field.format]
    if field.type not in kinds:
        return ()
    own = kinds.index(field.type)
    near = sorted(range(len(kinds)), key=lambda place: (abs(place - own), place))
    return tuple(dict.fromkeys(kinds[place] for place in near if kinds[place] != field.type))[
        :RIVALS
    ]


def best_passages(passages: Iterable[ValuePassage]) -> list[ValuePassage]:
    """Return the passages that were found, the one that supports best first."""
    reached = [passage for passage in passages if passage.reached]
    return sorted(reached, key=lambda p: (not p.place.inside, -(p.entails or 0.0)))


def facts_of(
    field: Field,
    claim: Claim,
    passages: Sequence[ValuePassage],
    settled: Mapping[str, OwnValues],
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
    if best := _rather(field, passages, settled):
        passage, kind, score, is_given = best
        node = URIRef(f"{claim.id}:rather")
        yield Triple(claim.id, GR.rather, node)
        yield Triple(node, GR.kind, Literal(kind))
        yield Triple(node, GR.entails, Literal(round(score, 4)))
        yield Triple(node, GR.given, Literal(is_given))
        yield Triple(node, GR.evidence, passage.id)
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


@dataclass(frozen=True, slots=True)
class OwnValues:
    """A type's own values that their passages have, their kinds, and the two supported best."""

    values: frozenset[Node]
    kinds: frozenset[str]
    best: tuple[tuple[float, Node], ...]


def settled_values(
    fields: Iterable[Field], found: Iterable[Sequence[ValuePassage]]
) -> dict[str, OwnValues]:
    """Return for each type the values that their passages have."""
    values: dict[str, dict[Node, float]] = {}
    held: dict[str, set[str]] = {}
    for field, passages in zip(fields, found, strict=True):
        for passage in passages:
            if passage.entails is not None and passage.relation in (None, "equal", "claim-coarser"):
                own, value = values.setdefault(field.type, {}), term(field.value)
                own[value] = max(passage.entails, own.get(value, 0.0))
                held.setdefault(field.type, set()).add(kinds(field)[1])
    return {
        kind: OwnValues(
            frozenset(own),
            frozenset(held[kind]),
            # one of the two is another than a given value
            tuple(heapq.nlargest(2, ((p, v) for v, p in own.items()), key=itemgetter(0))),
        )
        for kind, own in values.items()
    }


def _rather(
    field: Field, passages: Iterable[ValuePassage], settled: Mapping[str, OwnValues]
) -> tuple[ValuePassage, str, float, bool] | None:
    """Return the passage that speaks most for the field, and the other field that it speaks for.

    With the support as that field, and whether that field is given the value too: such a one comes
    first if it is supported better than the field itself. No place for the value is a field that
    has another one with more support than this has as that, or more likely than not, nor one whose
    own values are of another kind, names and not percentages.
    """
    whole, value = kinds(field)[1], term(field.value)

    def is_free(kind: str, score: float) -> bool:
        own = settled.get(kind)
        return own is None or (
            whole in own.kinds and not any(v != value and p > min(score, 0.5) for p, v in own.best)
        )

    found = []
    for passage in passages:
        if passage.place.inside and passage.entails is not None and passage.others:
            support = passage.entails
            others = [
                (kind in settled and value in settled[kind].values, kind, score)
                for kind, score in passage.others
                if is_free(kind, score)
            ]
            given, kind, score = max(
                others,
                key=lambda one: (one[0] and one[2] > support, one[2]),
                default=(False, "", 0.0),
            )
            found.append((_log_odds(score) - _log_odds(support), passage, kind, score, given))
    return min(found, key=lambda one: one[0])[1:] if found else None


def _log_odds(share: float) -> float:
    share = min(max(share, 1e-6), 1 - 1e-6)
    return math.log(share / (1 - share))


def _compared(node: URIRef, claim: URIRef, evidence: URIRef, relation: str) -> Iterable[Triple]:
    yield Triple(node, RDF.type, GR.Comparison)
    yield Triple(node, GR.claim, claim)
    yield Triple(node, GR.evidence, evidence)
    yield Triple(node, GR.relation, Literal(relation))

"""What the rules read of extracted values and their passages."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from rdflib.namespace import OWL, RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.checks.valuepassages import ValuePassage
from groundrules.claims.fields import Field
from groundrules.claims.quotes import kinds, term
from groundrules.errors import LLMError
from groundrules.terms import GR, Claim, Triple


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

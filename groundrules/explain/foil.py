"""The foil of a claim: the triple that stands against it, by its edit or its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

from rdflib.term import Literal, Node, URIRef

from groundrules.explain.words import WORDS
from groundrules.terms import (
    ENTITY,
    GR,
    RELATION,
    Claim,
    EditOperation,
    Modality,
    Report,
    Severity,
    Triple,
    Violation,
)

_MODE: dict[str, str] = WORDS["modes"]


def label(node: Node, labels: Mapping[Node, str]) -> str:
    """Return how the texts name a node, else the readable end of its IRI or its literal form."""
    if node in labels:
        return " ".join(labels[node].split())
    if not isinstance(node, URIRef):
        return " ".join(str(node).split())
    for namespace in (ENTITY, RELATION):
        if node.startswith(namespace):
            return unquote(node[len(namespace) :].replace("-", " "))
    tail = node.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    return unquote(tail) or str(node)


def phrase(
    triple: Triple, labels: Mapping[Node, str], *, negative: bool = False, mode: str = ""
) -> str:
    """Return `subject · predicate · object` in the words of the texts, with `not` and mode."""
    predicate = label(triple.predicate, labels)
    marks = [mark for mark in (mode, "not" if negative else "") if mark]
    marks = [mark for mark in marks if mark not in predicate.split()]
    return " · ".join(
        (label(triple.subject, labels), " ".join([*marks, predicate]), label(triple.object, labels))
    )


def spoken(claim: Claim, report: Report, triple: Triple | None = None) -> str:
    """Return the triple of a claim, or another in its place, with its polarity and mode."""
    return phrase(
        triple or claim.triple,
        report.labels,
        negative=claim.polarity == "negative",
        mode=_MODE.get(claim.modality, ""),
    )


def of_statement(violation: Violation) -> bool:
    """Return whether a rule on statements has found it, whose claim is all of their words."""
    return violation.claim is not None and violation.claim.origin == "statement"


def source_triple(violation: Violation, report: Report) -> str:
    """Return the triple that stands against the claimed one, or the nearest; empty if none does."""
    claim = violation.claim
    if claim is None or of_statement(violation) or passage(violation):
        return ""
    negative, mode = claim.polarity == "negative", claim.modality
    match opposes(violation):
        case "polarity":
            negative = not negative
        case "modality":
            mode = known_mode(violation)
        case _:
            if other := added(violation):
                return spoken(claim, report, other)
            triples = dict.fromkeys(item.triple for item in violation.evidence)
            return " or ".join(phrase(triple, report.labels) for triple in list(triples)[:3])
    return phrase(claim.triple, report.labels, negative=negative, mode=_MODE.get(mode, ""))


def parts_of(triple: Triple) -> tuple[Node, Node, Node]:
    """Return subject, predicate and object."""
    return triple.subject, triple.predicate, triple.object


def differing(one: Triple, other: Triple) -> tuple[int, ...]:
    """Return which parts differ: 0 subject, 1 predicate, 2 object."""
    pairs = zip(parts_of(one), parts_of(other), strict=True)
    return tuple(index for index, (a, b) in enumerate(pairs) if a != b)


def swapped(one: Triple, other: Triple) -> bool:
    """Return whether subject and object are exchanged, under whatever predicate."""
    return one.subject != one.object and (one.subject, one.object) == (other.object, other.subject)


def are_values(one: Triple, other: Triple) -> bool:
    """Return whether the objects of two triples are values."""
    return isinstance(one.object, Literal) and isinstance(other.object, Literal)


def added(violation: Violation) -> Triple | None:
    """Return the triple the edit puts in the claim's place, or None."""
    # operations on the mode of a claim have the claim as their subject
    claim = violation.claim.id if violation.claim else None
    found = (op.triple for op in _operations(violation) if op.action == "ADD")
    return next((triple for triple in found if triple.subject != claim), None)


def foil_triple(violation: Violation) -> Triple | None:
    """Return the triple of the edit, else of the first evidence, or None."""
    first = violation.evidence[0].triple if violation.evidence else None
    return added(violation) or first


def _operations(violation: Violation) -> tuple[EditOperation, ...]:
    return violation.edit.operations if violation.edit else ()


def opposes(violation: Violation) -> str:
    """Return `polarity` or `modality` if the source states the triple in another mode, else ""."""
    claim = violation.claim.id if violation.claim else None
    if of_statement(violation):
        return ""
    for operation in _operations(violation):
        if operation.triple.subject == claim:
            for predicate, word in ((GR.polarity, "polarity"), (GR.modality, "modality")):
                if operation.triple.predicate == predicate:
                    return word
    return next((word for word in ("polarity", "modality") if word in violation.name), "")


def known_mode(violation: Violation) -> Modality:
    """Return the mode in which the source states the claim, as the edit or the row says."""
    claim = violation.claim
    values = [
        str(operation.triple.object)
        for operation in _operations(violation)
        if claim and operation.action == "ADD" and operation.triple.subject == claim.id
    ]
    values += [str(value) for _, value in violation.bindings if isinstance(value, Literal)]
    modes = [mode for mode in Modality if mode.value in values]
    claimed = claim.modality if claim else Modality.ASSERTED
    return next((mode for mode in modes if mode is not claimed), Modality.ASSERTED)


def contradicts(violation: Violation) -> bool:
    """Return whether the evidence contradicts the claim rather than only standing near it."""
    if of_statement(violation):
        row = dict(violation.bindings)
        return violation.severity is not Severity.INFO and bool(row.keys() & {"stated", "how"})
    certain = any(item.score >= 1 for item in violation.evidence)
    return certain or added(violation) is not None or bool(opposes(violation))


def passage(violation: Violation) -> bool:
    """Return whether the evidence is the passage that was given for the claim, no statement."""
    claim, evidence = violation.claim, violation.evidence
    given = claim is not None and all(item.triple == claim.triple for item in evidence)
    return bool(evidence) and given and added(violation) is None and not opposes(violation)

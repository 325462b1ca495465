"""Contrastive explanations: what was claimed, what was expected instead, and because of what.

After Miller, "Explanation in Artificial Intelligence" (2019): a why-question has a fact and a
foil. The fact is the triple an edit deletes, the foil the one it adds, and the cause is the
evidence together with the reason why both cannot hold. Nothing here decides; it only says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote

from rdflib.namespace import OWL
from rdflib.term import Literal, Node, URIRef

from groundrules.explain.place import cite, quote
from groundrules.terms import (
    ENTITY,
    GR,
    RELATION,
    Claim,
    EditOperation,
    Evidence,
    Explanation,
    Modality,
    Report,
    Span,
    Triple,
    Violation,
)

#: What is quoted of a passage, in code points.
_LONGEST = 300

_MODE = {
    Modality.OBLIGATION: "must",
    Modality.PERMISSION: "may",
    Modality.POSSIBILITY: "possibly",
    Modality.CONDITION: "conditionally",
}
_STATES = {
    "obligation": "an obligation",
    "permission": "a permission",
    "possibility": "a possibility",
    "condition": "a condition",
    "asserted": "a fact",
}


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


def fact(violation: Violation, report: Report) -> str:
    """Return the claimed triple with its polarity and mode; the message for a whole text."""
    claim = violation.claim
    if claim is None:
        return violation.message
    return phrase(
        claim.triple,
        report.labels,
        negative=claim.polarity == "negative",
        mode=_MODE.get(claim.modality, ""),
    )


def added(violation: Violation) -> Triple | None:
    """Return the triple the edit puts in the claim's place, or None."""
    return next((op.triple for op in _operations(violation, "ADD")), None)


def differing(one: Triple, other: Triple) -> tuple[int, ...]:
    """Return which parts differ: 0 subject, 1 predicate, 2 object."""
    pairs = zip(_parts(one), _parts(other), strict=True)
    return tuple(index for index, (a, b) in enumerate(pairs) if a != b)


def swapped(one: Triple, other: Triple) -> bool:
    """Return whether subject and object are exchanged, under whatever predicate."""
    return one.subject != one.object and (one.subject, one.object) == (other.object, other.subject)


def focus(violation: Violation) -> Span | None:
    """Return the span at fault: the part that differs, else the whole claim."""
    claim = violation.claim
    if claim is None:
        return None
    if opposes(violation):
        return claim.parts[1] or claim.span
    foil = _foil_triple(violation)
    if foil and not swapped(claim.triple, foil):
        differ = differing(claim.triple, foil)
        if len(differ) == 1 and (span := claim.parts[differ[0]]):
            return span
    if foil is None:
        entity = _entity(violation)
        for part, span in zip(_parts(claim.triple), claim.parts, strict=True):
            if span and part == entity:
                return span
    return claim.span


def explain(violation: Violation, report: Report) -> Explanation:
    """Return fact, foil, cause and one plain sentence of a violation.

    Where the rule names no replacement, the foils are the nearest statements of the evidence
    (score below 1), and the explanation answers "why not supported".
    """
    claimed = fact(violation, report)
    if violation.claim is None:
        return Explanation(claimed, "", "", claimed)
    foil, because = _foil(violation, report), _because(violation, report)
    where = _where(violation, report)
    if foil and passage(violation):
        text = f"claimed {claimed}; its passage, {where}, is {foil}; because {because}"
    elif foil and contradicts(violation):
        verb = "say" if " and " in where else "says"
        text = f"claimed {claimed}; {where or 'the source'} {verb} {foil}; because {because}"
    elif foil:
        near = f"{where} has {foil}" if where else f"the nearest is {foil}"
        text = f"claimed {claimed}; nearest, {near}; because {because}"
    else:
        text = f"claimed {claimed}; because {because}"
    return Explanation(claimed, foil, because, text)


def warrant(violation: Violation) -> str:
    """Return what makes fact and foil exclude each other: an axiom, a similarity, or nothing."""
    claim, foil = violation.claim, added(violation)
    if violation.axioms:
        return "; ".join(
            " ".join(_compact(part) for part in _parts(axiom)) for axiom in violation.axioms
        )
    if claim is None or foil is None or opposes(violation) or swapped(claim.triple, foil):
        return ""
    if _values(claim, foil):
        return ""
    if (similarity := _similarity(violation)) is not None:
        return f"similarity {similarity:.2f}"
    match differing(claim.triple, foil):
        case (0,):
            return "owl:InverseFunctionalProperty"
        case (1,):
            return "owl:propertyDisjointWith"
        case (2,):
            return "owl:FunctionalProperty"
    return ""


def _compact(node: Node) -> str:
    """Return a term of an axiom: `owl:disjointWith`, or the local name."""
    tail = label(node, {})
    return f"owl:{tail}" if str(node).startswith(str(OWL)) else tail


def _similarity(violation: Violation) -> float | None:
    """Return how near the statement is that the claim was set beside, None under an axiom."""
    value = dict(violation.bindings).get("similarity")
    return float(str(value)) if isinstance(value, Literal) else None


def _parts(triple: Triple) -> tuple[Node, Node, Node]:
    return triple.subject, triple.predicate, triple.object


def opposes(violation: Violation) -> str:
    """Return `polarity` or `modality` if the source states the triple in another mode, else ""."""
    claim = violation.claim.id if violation.claim else None
    for operation in violation.edit.operations if violation.edit else ():
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
        for operation in (violation.edit.operations if violation.edit else ())
        if claim and operation.action == "ADD" and operation.triple.subject == claim.id
    ]
    values += [str(value) for _, value in violation.bindings if isinstance(value, Literal)]
    modes = [mode for mode in Modality if mode.value in values]
    claimed = claim.modality if claim else Modality.ASSERTED
    return next((mode for mode in modes if mode is not claimed), Modality.ASSERTED)


def _operations(violation: Violation, action: str) -> list[EditOperation]:
    """Return the operations on the triple of the claim; those on its mode have it as subject."""
    claim = violation.claim.id if violation.claim else None
    operations = violation.edit.operations if violation.edit else ()
    return [op for op in operations if op.action == action and op.triple.subject != claim]


def contradicts(violation: Violation) -> bool:
    """Return whether the evidence contradicts the claim rather than only standing near it."""
    certain = any(item.score >= 1 for item in violation.evidence)
    return certain or added(violation) is not None or bool(opposes(violation))


def passage(violation: Violation) -> bool:
    """Return whether the evidence is the passage that was given for the claim, no statement."""
    claim, evidence = violation.claim, violation.evidence
    given = claim is not None and all(item.triple == claim.triple for item in evidence)
    return bool(evidence) and given and added(violation) is None and not opposes(violation)


def _foil_triple(violation: Violation) -> Triple | None:
    if foil := added(violation):
        return foil
    return violation.evidence[0].triple if violation.evidence else None


def _foil(violation: Violation, report: Report) -> str:
    claim = violation.claim
    assert claim is not None
    if opposes(violation):
        words = next(
            (f"“{text}”" for item in violation.evidence if (text := quote(item.span, report))), ""
        )
        return words or _opposite(violation, claim, report)
    if foil := added(violation):
        # An edit keeps the mode of the claim, so the foil reads as the claim would.
        negative, mode = claim.polarity == "negative", _MODE.get(claim.modality, "")
        return phrase(foil, report.labels, negative=negative, mode=mode)
    if passage(violation):
        found = [text for item in violation.evidence if (text := quote(item.span, report))]
        return " and ".join(f"“{_cut(text)}”" for text in found[:2])
    triples = dict.fromkeys(item.triple for item in violation.evidence)
    return " or ".join(phrase(triple, report.labels) for triple in list(triples)[:3])


def _cut(words: str) -> str:
    """Return the beginning of a long passage."""
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST].rstrip()}…"


def _opposite(violation: Violation, claim: Claim, report: Report) -> str:
    negative = claim.polarity == "negative"
    if opposes(violation) == "polarity":
        mode = _MODE.get(claim.modality, "")
        return phrase(claim.triple, report.labels, negative=not negative, mode=mode)
    known = known_mode(violation)
    return phrase(claim.triple, report.labels, negative=negative, mode=_MODE.get(known, ""))


def _where(violation: Violation, report: Report) -> str:
    places = list(dict.fromkeys(cite(item, report) for item in violation.evidence))
    return " and ".join(places[:2]) + (f" and {len(places) - 2} more" if len(places) > 2 else "")


def _because(violation: Violation, report: Report) -> str:
    claim = violation.claim
    assert claim is not None
    labels = report.labels
    if violation.because:
        return violation.because
    if opposes(violation) == "polarity":
        return "the source states the opposite"
    if opposes(violation) == "modality":
        known = _STATES[known_mode(violation).value]
        return f"the source states {known} and the claim {_STATES[claim.modality.value]}"
    foil = added(violation)
    if foil is None:
        return _unsupported(violation, report)
    if swapped(claim.triple, foil):
        return f"the roles of {label(foil.subject, labels)} and {label(foil.object, labels)} are \
exchanged"
    differ = differing(claim.triple, foil)
    if len(differ) == 1 and _similarity(violation) is not None and not _values(claim, foil):
        old, new = (label(_parts(triple)[differ[0]], labels) for triple in (claim.triple, foil))
        return f"the source has {new} where the claim has {old}"
    match differ:
        case (0,):
            return f"“{label(foil.predicate, labels)}” has one subject for each object"
        case (1,):
            one, other = label(claim.triple.predicate, labels), label(foil.predicate, labels)
            return f"“{one}” and “{other}” exclude each other"
        case (2,) if _values(claim, foil):
            return "the two values differ by more than their precision allows"
        case (2,):
            return f"“{label(foil.predicate, labels)}” takes one value"
    return violation.message


def _entity(violation: Violation) -> Node | None:
    """Return the entity at fault, the column ?e of the rule."""
    return dict(violation.bindings).get("e")


def _values(claim: Claim, foil: Triple) -> bool:
    return isinstance(foil.object, Literal) and isinstance(claim.triple.object, Literal)


def _unsupported(violation: Violation, report: Report) -> str:
    entity = _entity(violation)
    if contradicts(violation):
        return violation.message
    if entity is not None:
        return f"no source mentions {label(entity, report.labels)}"
    return "no source states it"


def with_nearest(
    violations: Sequence[Violation], statements: Iterable[Claim], limit: int = 2
) -> tuple[Violation, ...]:
    """Return the violations, those without evidence or replacement with the nearest statements.

    An entity that no source mentions has none: what stands near speaks of another.

    `statements` are the claims of the sources. Near are those that differ in one part, the object
    first, then the subject, then the predicate; each gets the score 2/3, the share of the parts in
    common, so that none passes for a contradiction.
    """
    index: dict[tuple[int, Node, Node], list[Claim]] = {}
    for statement in statements:
        for slot, one, other in _keys(statement.triple):
            index.setdefault((slot, one, other), []).append(statement)

    def near(triple: Triple) -> tuple[Evidence, ...]:
        found = [
            Evidence(other.triple, other.span.source, other.span, 2 / 3)
            for key in _keys(triple)
            for other in index.get(key, ())
            if other.triple != triple and other.polarity == "positive"
        ]
        return tuple(found[:limit])

    return tuple(
        replace(violation, evidence=near(violation.claim.triple))
        if violation.claim and not (violation.evidence or added(violation) or _entity(violation))
        else violation
        for violation in violations
    )


def _keys(triple: Triple) -> tuple[tuple[int, Node, Node], ...]:
    s, p, o = _parts(triple)
    return (2, s, p), (0, p, o), (1, s, o)

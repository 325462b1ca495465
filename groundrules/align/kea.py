"""The algorithms of KEA Explain as its paper has them, on graphs of label triples.

Ours compare claims with more care (`align/select.py`: kinds, values, polarity, direction); these
are the paper's own, so that both can be set beside each other. `Similarity` says how alike two
labels are, in 0..1; without clusters of labels it is the cosine of their vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundrules.align.cluster import unify
from groundrules.align.kernel import graph_kernel
from groundrules.models.embed import EMBEDDED, encode

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from rdflib.term import Node

    from groundrules.claims.facts.offline import Extraction
    from groundrules.config import AlignConfig

LabelTriple = tuple[str, str, str]
Similarity = Callable[[str, str], float]
#: The parts of a triple by their place.
PARTS = ("subject", "relation", "object")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A claim beside a reference that agrees with it in two parts and differs in the third."""

    claim: LabelTriple
    reference: LabelTriple
    differs: str


def cosine(labels: Sequence[str], *, model: str = EMBEDDED) -> Similarity:
    """Return the similarity of labels by their vectors; equal labels have 1."""
    known = list(dict.fromkeys(labels))
    vectors = dict(zip(known, encode(known, model=model), strict=True)) if known else {}

    def similarity(one: str, other: str) -> float:
        return 1.0 if one == other else float(vectors[one] @ vectors[other])

    return similarity


def sentence_of(triple: LabelTriple) -> str:
    """Return a triple as the sentence that is encoded in its place."""
    return " ".join(triple)


def nearest(
    claims: npt.NDArray[np.floating], references: npt.NDArray[np.floating]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return for each claim vector the nearest reference by cosine, and all cosines (equation 1).

    A zero vector is at cosine 0 from all; of equal cosines the first reference is taken.
    """
    import numpy as np

    def unit(rows: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
        sizes = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(np.divide(rows, sizes, out=np.zeros(rows.shape), where=sizes > 0))

    cosines = unit(np.asarray(claims, float)) @ unit(np.asarray(references, float)).T
    return cosines.argmax(axis=1), cosines


def select_references(
    claim: Sequence[LabelTriple], reference: Sequence[LabelTriple], *, model: str = EMBEDDED
) -> list[LabelTriple]:
    """Return the reference triples that are nearest to a claim triple, in their order."""
    if not claim or not reference:
        return []
    vectors = encode([sentence_of(t) for t in (*claim, *reference)], model=model)
    best, _ = nearest(vectors[: len(claim)], vectors[len(claim) :])
    return [reference[number] for number in sorted(set(best.tolist()))]


def graph_of(extraction: Extraction) -> list[LabelTriple]:
    """Return the claims of a text as labels; what is denied has a relation of its own."""

    def label(node: Node) -> str:
        return extraction.labels.get(node, str(node))

    return [
        (
            label(claim.triple.subject),
            ("not " if claim.polarity == "negative" else "") + label(claim.triple.predicate),
            label(claim.triple.object),
        )
        for claim in extraction.claims
    ]


def likeness(
    claim: Sequence[LabelTriple],
    reference: Sequence[LabelTriple],
    align: AlignConfig,
    *,
    model: str = EMBEDDED,
) -> float | None:
    """Return the kernel value of a claim graph and the nearest of the reference triples.

    The labels of both are unified first. None where either graph is empty.
    """
    nearest_ = select_references(claim, reference, model=model)
    return unified_kernel(claim, nearest_, align, model=model) if nearest_ else None


def unified_kernel(
    claim: Sequence[LabelTriple],
    reference: Sequence[LabelTriple],
    align: AlignConfig,
    *,
    model: str = EMBEDDED,
) -> float:
    """Return the kernel value of two graphs once the labels of both are unified."""
    labels = list(dict.fromkeys(label for triple in (*claim, *reference) for label in triple))
    clusters = unify(
        labels,
        ["NOUN"] * len(labels),
        threshold=align.threshold,
        clustering=align.clustering,
        model=model,
    )
    name = {label: str(cluster) for label, cluster in zip(labels, clusters, strict=True)}

    def unified(graph: Sequence[LabelTriple]) -> list[tuple[str, str, str]]:
        return sorted({(name[s], name[p], name[o]) for s, p, o in graph})

    return graph_kernel(
        unified(claim),
        unified(reference),
        name=align.kernel,
        h=align.h,
        relation_nodes=align.relation_nodes,
    )


def contradictory_pairs(
    claim: Sequence[LabelTriple],
    reference: Sequence[LabelTriple],
    similarity: Similarity,
    *,
    alike: float = 0.8,
    differs: float = 0.6,
) -> Iterator[Contradiction]:
    """Yield the pairs whose labels are alike in two parts and far from it in the third.

    Alike is from `alike` on, far below `differs`; what lies between is neither.
    """
    for one in dict.fromkeys(claim):
        for other in dict.fromkeys(reference):
            near = [similarity(a, b) for a, b in zip(one, other, strict=True)]
            far = [place for place, value in enumerate(near) if value < differs]
            if len(far) == 1 and sum(value >= alike for value in near) == len(PARTS) - 1:
                yield Contradiction(one, other, PARTS[far[0]])


def edits(
    claim: Sequence[LabelTriple],
    reference: Sequence[LabelTriple],
    similarity: Similarity,
    *,
    entities: float = 0.8,
    relations: float = 0.8,
) -> list[tuple[str, LabelTriple]]:
    """Return what makes the claim's graph that of the reference (algorithm 1).

    Each triple of the claim that has no equal in the reference is deleted, then each of the
    reference that has none in the claim is added. Two triples are equal where subject and object
    are more alike than `entities` and the relation more than `relations`.
    """

    def equal(one: LabelTriple, other: LabelTriple) -> bool:
        least = (entities, relations, entities)
        return all(similarity(a, b) > t for a, b, t in zip(one, other, least, strict=True))

    mine, theirs = list(dict.fromkeys(claim)), list(dict.fromkeys(reference))
    gone = [t for t in mine if not any(equal(t, other) for other in theirs)]
    come = [t for t in theirs if not any(equal(other, t) for other in mine)]
    return [*(("DELETE", t) for t in gone), *(("ADD", t) for t in come)]

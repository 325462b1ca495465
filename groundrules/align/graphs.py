"""Compare two graphs of label triples that have no text, as KEA Explain publishes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundrules.align.cluster import unify
from groundrules.align.kernel import graph_kernel
from groundrules.align.passages import stems
from groundrules.config import AlignConfig
from groundrules.models.embed import EMBEDDED

LabelTriple = Sequence[str]
#: Labels of a triple.
LABELS = 3


@dataclass(frozen=True, slots=True)
class GraphScore:
    """How well a reference graph carries a claim graph, each figure in 0..1.

    `kernel` is the graph kernel's value once labels are unified; `coverage` the mean over the
    claim's triples of the share of their content words (of a triple that has none, its labels)
    that stand in the one reference triple that has most of them. The mean of the two is how well
    one label is carried; `score` is its cube, for a triple has three and is carried if all are, as
    if one were no news of another. All are None for an empty claim graph, which says nothing.
    """

    kernel: float | None
    coverage: float | None
    score: float | None


def unified_kernel(
    claim: Sequence[LabelTriple],
    reference: Sequence[LabelTriple],
    align: AlignConfig,
    *,
    embedding: str = EMBEDDED,
) -> float:
    """Return the kernel value of two graphs once the labels of both are unified."""
    labels = list(dict.fromkeys(label for triple in (*claim, *reference) for label in triple))
    clusters = unify(
        labels,
        ["NOUN"] * len(labels),
        threshold=align.threshold,
        linkage=align.linkage,
        metric=align.metric,
        clustering=align.clustering,
        model=embedding,
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


def score_graphs(
    claim: Sequence[LabelTriple],
    reference: Sequence[LabelTriple],
    *,
    threshold: float = 0.35,
    linkage: str = "average",
    metric: str = "cosine",
    clustering: str = "built-in",
    kernel: str = "wl",
    h: int = 2,
    relation_nodes: bool = True,
    embedding: str = EMBEDDED,
) -> GraphScore:
    """Return how well the reference graph carries the claim graph.

    The two parts weigh the same: no weight is fitted.
    """
    if not claim:
        return GraphScore(None, None, None)
    align = AlignConfig(threshold, linkage, metric, clustering, kernel, h, relation_nodes)
    alike = unified_kernel(claim, reference, align, embedding=embedding)
    present = [{form for label in t for form in (*stems(label), label)} for t in reference]
    shares = []
    for triple in claim:
        wanted = [stem for label in triple for stem in stems(label)] or triple
        most = max((sum(form in one for form in wanted) for one in present), default=0)
        shares.append(most / len(wanted))
    coverage = sum(shares) / len(shares)
    return GraphScore(alike, coverage, ((alike + coverage) / 2) ** LABELS)

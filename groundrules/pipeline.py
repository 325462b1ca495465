"""KEA Explain's and HalluGraph's steps one by one, on rdflib graphs: for notebooks and scripts.

In: texts, knowledge bases and graphs of one's own. Out: rdflib graphs whose nodes have an
rdfs:label, figures and edits. `groundrules.check` does all of it, with more care and rules; here
each step of the papers stands alone, with its equation.

    answer = claim_graph("The lease starts on 1 May. The tenant is Ann Lee.")
    source = context_graph(Path("lease.txt"))
    wl_similarity(answer, select_references(answer, source))
    edit_operations(answer, source)
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rdflib import Graph
from rdflib.namespace import RDFS
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.align import kea
from groundrules.align.cluster import BUILT_IN, normal_form, unify
from groundrules.align.kernel import graph_kernel
from groundrules.align.limits import LABELS_APART
from groundrules.api import check
from groundrules.checks.extractions import extraction_of
from groundrules.checks.inputs import Source, contexts_of, document_of
from groundrules.claims.english import PREPOSITIONS
from groundrules.claims.names.resolve import resolve
from groundrules.config import NETWORK, Config, allows_network
from groundrules.errors import ConfigError, did_you_mean
from groundrules.explain.foil import parts_of
from groundrules.kb.sources.schema import rank_spoken
from groundrules.models.embed import EMBEDDED
from groundrules.terms import RELATION, Report, Violation, mint

if TYPE_CHECKING:
    from groundrules.align.kea import Contradiction, LabelTriple
    from groundrules.claims.facts.offline import Extraction
    from groundrules.llm.client import Client

__all__ = [
    "Grounding", "claim_graph", "cluster_labels", "context_graph", "contradictory_pairs",
    "edit_operations", "explain", "grounding", "known_graph", "select_references", "violations",
    "wl_similarity",
]  # fmt: skip

#: The place of the relation in a triple, and what stands between a name and the IRI of its bearer.
_RELATION, _MARK = 1, " <"


class Grounding(NamedTuple):
    """HalluGraph's three figures, each 0..1, None where it is undefined."""

    eg: float | None
    rp: float | None
    cfi: float | None


def claim_graph(
    text: Source, *, context: Source | Iterable[Source] = (), config: Config | None = None
) -> Graph:
    """Return the triples that a text asserts; what it denies has a relation "not …" of its own.

    Call it for the text that is to be checked; `groundrules facts` gives the place of each triple.
    What the text names as its `context` does, in full or in short, is one node with it.
    SourceError where the text cannot be read, ModelError where the model is missing.
    """
    model = (config or Config()).model
    read = [extraction_of(one, model) for one in (document_of(text, "text"), *contexts_of(context))]
    return _graph(resolve(read)[:1])


def context_graph(context: Source | Iterable[Source], *, config: Config | None = None) -> Graph:
    """Return the triples that documents assert, one node for what they name alike."""
    model = (config or Config()).model
    return _graph(resolve([extraction_of(one, model) for one in contexts_of(context)]))


def known_graph(
    kb: str, things: str | Sequence[str], *, hops: int = 1, config: Config | None = None
) -> Graph:
    """Return what a knowledge base states around things, by IRI, id or name, 0..3 `hops` far.

    `kb` is what `--kb` takes: "wikidata", the URL of an endpoint, an RDF file or a store.
    ConfigError where it cannot be opened or nothing bears a name, SourceError where it fails.
    """
    from groundrules.kb.search.neighbourhood import check_answered, find, neighbourhood
    from groundrules.kb.sources.connect import connect_as

    if hops not in range(4):
        raise ConfigError(f"hops is {hops!r}; expected 0 to 3")
    chosen = config or Config()
    opened = connect_as(chosen, kb, datetime.now(UTC))
    seeds = [find(opened, one, kb) for one in ([things] if isinstance(things, str) else things)]
    found = neighbourhood(opened.source, opened.graph, seeds, hops=hops, budget=20_000)
    check_answered(found, kb)
    graph = Graph()
    for one in found.statements:
        graph.add((one.subject, one.predicate, one.object))
    for node, label in found.labels.items():
        graph.add((node, RDFS.label, Literal(label)))
    return graph


def select_references(claims: Graph, context: Graph, *, embedding: str = EMBEDDED) -> Graph:
    """Return the triples of a context that are nearest to one of the claims.

    KEA Explain, equation 1: argmax over r of cos(v(c), v(r)), of the sentences of the triples.
    """
    mine, named = _named(claims, context)
    graph = Graph()
    for labels in kea.select_references([*mine], [*named], model=_model(embedding)):
        triple = named[labels]
        graph.add(triple)
        for node in triple:
            for label in context.objects(node, RDFS.label):
                graph.add((node, RDFS.label, label))
    return graph


def cluster_labels(
    graphs: Iterable[Graph],
    *,
    embedding: str = EMBEDDED,
    method: str = BUILT_IN,
    threshold: float = LABELS_APART,
) -> dict[str, int]:
    """Return the cluster of each label of some graphs, numbered by first appearance.

    KEA Explain, section 3: agglomerative, average linkage, cosine distance below `threshold`
    (0..2). `method` is "built-in" or "scikit-learn"; what vectors cannot tell apart stays apart:
    names, figures, denials.
    ConfigError for an unknown method or model, or where its extra is missing.
    """
    rooms: dict[str, str] = {}
    for labels in itertools.chain(*_named(*graphs)):
        for place, label in enumerate(labels):
            own = label.istitle() or _MARK in label or any(c.isdigit() for c in label)
            named = normal_form(label if own else "thing")
            rooms.setdefault(label, named if place != _RELATION else "relation")
    room = {name: number for number, name in enumerate(dict.fromkeys(rooms.values()))}
    numbers = unify(
        [*rooms],
        ["NOUN"] * len(rooms),
        [room[name] for name in rooms.values()],
        threshold=threshold,
        clustering=method,
        model=_model(embedding),
    )
    return dict(zip(rooms, numbers, strict=True))


def wl_similarity(
    a: Graph, b: Graph, *, kernel: str = "wl", h: int = 2, embedding: str = EMBEDDED
) -> float:
    """Return the normalised Weisfeiler-Lehman kernel of two graphs, 0..1, their labels unified.

    KEA Explain: k(a, b) / sqrt(k(a, a) k(b, b)), k the pairs of equal labels over h refinements.
    `kernel` is "wl" or one of GraKeL's names; ConfigError for others, or where it is missing.
    """
    number = cluster_labels((a, b), embedding=embedding)
    one, other = (
        sorted({(str(number[s]), str(number[p]), str(number[o])) for s, p, o in triples})
        for triples in _named(a, b)
    )
    return graph_kernel(one, other, name=kernel, h=h)


def contradictory_pairs(
    claims: Graph, context: Graph, *, embedding: str = EMBEDDED
) -> list[Contradiction]:
    """Return the pairs of triples that agree in two parts and are far apart in the third.

    KEA Explain: alike is a cosine from 0.8 on, far one below 0.6.
    """
    mine, theirs = map(list, _named(claims, context))
    return list(kea.contradictory_pairs(mine, theirs, _alike(mine, theirs, embedding)))


def edit_operations(
    claims: Graph, context: Graph, *, embedding: str = EMBEDDED
) -> list[tuple[str, LabelTriple]]:
    """Return what makes the claims the context: ("DELETE" or "ADD", triple), in order.

    KEA Explain, algorithm 1. Give it the references that were selected, or all else is added.
    """
    mine, theirs = map(list, _named(claims, context))
    return kea.edits(mine, theirs, _alike(mine, theirs, embedding))


def grounding(
    text: Source, context: Source | Iterable[Source], *, config: Config | None = None
) -> Grounding:
    """Return how far the sources name what a text names, and state what it states.

    HalluGraph, equations 1 to 3: EG is the share of the entities of the text that stand in the
    context, RP that of its triples, CFI = alpha EG + (1 - alpha) RP, alpha 0.7.
    """
    report = check(text, context=context, config=config, verify=False)
    return Grounding(*(report.metric(name).value for name in ("EG", "RP", "CFI")))


def violations(
    text: Source, context: Source | Iterable[Source], *, config: Config | None = None
) -> tuple[Violation, ...]:
    """Return what the rules find in a text beside its sources; `check` returns it with the rest."""
    return check(text, context=context, config=config).violations


def explain(violation: Violation, report: Report, *, client: Client | None = None) -> str:
    """Return the contrastive explanation of a violation: what is claimed, what the source says.

    A language model words it where a `client` is given; what it says that stands in neither text
    is not kept, and the plain sentence is returned in its place.
    """
    from dataclasses import replace

    from groundrules.explain.contrast import explain as contrast
    from groundrules.explain.phrase import phrase

    if client is not None:
        worded, _ = phrase(replace(report, violations=(violation,)), client)
        if worded.violations[0].phrased:
            return worded.violations[0].phrased
    return contrast(violation, report).text


def _graph(extractions: Iterable[Extraction]) -> Graph:
    graph = Graph()
    for extraction in extractions:
        labels = extraction.labels
        for claim in extraction.claims:
            subject, relation, object_ = parts_of(claim.triple)
            said = labels.get(relation, str(relation))
            if said in PREPOSITIONS:
                continue  # "rent of the premises" asserts nothing by itself
            if claim.polarity == "negative":
                said = f"not {said}"
                relation = mint(RELATION, said)
            graph.add((subject, relation, object_))
            for node, label in (
                (subject, labels.get(subject)), (relation, said), (object_, labels.get(object_))
            ):  # fmt: skip
                if label and isinstance(node, URIRef):
                    graph.add((node, RDFS.label, Literal(label)))
    return graph


def _named(*graphs: Graph) -> list[dict[LabelTriple, tuple[Node, Node, Node]]]:
    """Return the triples of each graph by their labels, in the order of those.

    Of two things of one name in a graph each bears its IRI besides, so that they stay two; a blank
    node without a name is called by what is said of it.
    """
    shared: set[Node] = set()
    for graph in graphs:
        things = {one for s, p, o in graph if p != RDFS.label for one in (s, o)}
        things = {one for one in things if not isinstance(one, Literal)}
        count = Counter(_label(one, graph) for one in things)
        shared |= {one for one in things if count[_label(one, graph)] > 1}

    def label(node: Node, graph: Graph) -> str:
        own = node if isinstance(node, URIRef) else _said(node, graph)
        return _label(node, graph) + (f"{_MARK}{own}>" if node in shared else "")

    return [
        {
            (label(s, graph), label(p, graph), label(o, graph)): (s, p, o)
            for s, p, o in sorted(graph, key=lambda triple: [_label(one, graph) for one in triple])
            if p != RDFS.label
        }
        for graph in graphs
    ]


def _label(node: Node, graph: Graph) -> str:
    labels = [one for one in graph.objects(node, RDFS.label) if isinstance(one, Literal)]
    named = str(min(labels, key=rank_spoken, default=node))
    return named if labels or not isinstance(node, BNode) else _said(node, graph)


def _said(node: Node, graph: Graph) -> str:
    told = [(p, o) for p, o in graph.predicate_objects(node) if not isinstance(o, BNode)]
    return f"[{'; '.join(sorted(f'{_label(p, graph)} {_label(o, graph)}' for p, o in told))}]"


def _model(name: str) -> str:
    """Return the name of a model of vectors; ConfigError where a hub would be asked unasked."""
    if name == EMBEDDED or Path(name).is_dir() or allows_network():
        return name
    raise ConfigError(
        f"embedding {name!r} is no folder; expected {EMBEDDED!r}, a folder of a "
        f"sentence-transformers model, or {NETWORK}=on to ask a hub{did_you_mean(name, [EMBEDDED])}"
    )


def _alike(
    mine: Sequence[LabelTriple], theirs: Sequence[LabelTriple], embedding: str
) -> kea.Similarity:
    labels = [one for triple in (*mine, *theirs) for one in triple]
    near = kea.cosine(labels, model=_model(embedding))
    return lambda one, other: (
        0.0 if one != other and _MARK in one and _MARK in other else near(one, other)
    )

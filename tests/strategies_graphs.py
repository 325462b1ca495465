"""Hypothesis strategies for small graphs of statements, as a text or a source would make them."""

from hypothesis import strategies as st
from rdflib.term import Literal, URIRef

from groundrules.dataset import Dataset
from groundrules.terms import GR, Claim, Modality, Span, Triple

TEST = "urn:test:"
SOURCES = [URIRef(f"{TEST}source{i}") for i in range(2)]

entities = st.sampled_from([URIRef(f"{TEST}e{i}") for i in range(5)])
relations = st.sampled_from([URIRef(f"{TEST}r{i}") for i in range(3)])
values = st.sampled_from(
    [Literal("5", datatype=GR.percent), Literal("10 USD", datatype=GR.money), Literal("text")]
)
objects = st.one_of(entities, entities, values)
triples = st.builds(Triple, entities, relations, objects)


@st.composite
def statements(draw, name="claim", min_size=0, max_size=6):
    """Statements named `urn:test:<name><number>`, one after another in a text."""
    rows = draw(
        st.lists(
            st.tuples(
                triples,
                st.sampled_from(["positive", "positive", "negative"]),
                st.sampled_from([Modality.ASSERTED, *Modality]),
            ),
            min_size=min_size,
            max_size=max_size,
        )
    )
    return [
        Claim(URIRef(f"{TEST}{name}{i}"), triple, Span(name, 2 * i, 2 * i + 1), (None,) * 3, p, m)
        for i, (triple, p, m) in enumerate(rows)
    ]


@st.composite
def versions(draw, context):
    """Claims that are statements of a source, with at most one thing changed."""
    found = []
    for i, statement in enumerate(context):
        t, polarity, modality = statement.triple, statement.polarity, statement.modality
        match draw(st.sampled_from(["none", "subject", "predicate", "object", "swap", "mode"])):
            case "subject":
                t = Triple(draw(entities), t.predicate, t.object)
            case "predicate":
                t = Triple(t.subject, draw(relations), t.object)
            case "object":
                t = Triple(t.subject, t.predicate, draw(objects))
            case "swap" if isinstance(t.object, URIRef):
                t = Triple(t.object, t.predicate, t.subject)
            case "mode":
                polarity = draw(st.sampled_from(["positive", "negative"]))
                modality = draw(st.sampled_from([Modality.ASSERTED, Modality.OBLIGATION]))
        span = Span("claim", 2 * i, 2 * i + 1)
        found.append(
            Claim(URIRef(f"{TEST}claim{i}"), t, span, (None,) * 3, polarity, modality)
        )  # fmt: skip
    return found


@st.composite
def facts(draw, claims, evidence):
    """Alignments, similarities, supports and comparisons, as the alignment stage writes them."""
    score = st.sampled_from([0.0, 0.4, 0.7, 1.0]).map(Literal)
    slots = st.sampled_from(
        ["none", "subject", "predicate", "object", "swap", "polarity", "modality"]
    )
    found = []
    if claims and evidence:
        for i in range(draw(st.integers(0, 3))):
            node = URIRef(f"{TEST}alignment{i}")
            found += [
                Triple(node, GR.claim, draw(st.sampled_from(claims)).id),
                Triple(node, GR.evidence, draw(st.sampled_from(evidence)).id),
                Triple(node, GR.slot, Literal(draw(slots))),
                Triple(node, GR.similarity, draw(score)),
            ]
    for i in range(draw(st.integers(0, 2))):
        node = URIRef(f"{TEST}link{i}")
        found += [
            Triple(node, GR["from"], draw(entities)),
            Triple(node, GR.to, draw(entities)),
            Triple(node, GR.similarity, draw(score)),
        ]
    pairs = [
        (a.triple.object, b.triple.object)
        for a in claims
        for b in evidence
        if isinstance(a.triple.object, Literal) and isinstance(b.triple.object, Literal)
    ]
    for i, (a, b) in enumerate(pairs):
        node = URIRef(f"{TEST}comparison{i}")
        relation = "equal" if a == b else draw(st.sampled_from(["disjoint", "disjoint", "overlap"]))
        found += [
            Triple(node, GR["from"], a),
            Triple(node, GR.to, b),
            Triple(node, GR.relation, Literal(relation)),
        ]
    return found


def build(claims, contexts, extra=()):
    """Return the dataset of claims, a list of sources, and facts or ontology."""
    dataset = Dataset()
    dataset.add_claims(claims)
    for source, context in zip(SOURCES, contexts, strict=False):
        dataset.add_evidence(context, source)
    dataset.add(extra)
    return dataset


@st.composite
def cases(draw):
    """Claims, two contexts, and facts with an ontology."""
    from rdflib.namespace import OWL, RDF

    contexts = [
        draw(statements("evidence_a", min_size=3)),
        draw(statements("evidence_b", max_size=3)),
    ]
    claims = draw(st.one_of(versions(contexts[0]), statements("claim", min_size=1)))
    extra = draw(facts(claims, [*contexts[0], *contexts[1]]))
    kinds = [OWL.FunctionalProperty, OWL.InverseFunctionalProperty, OWL.SymmetricProperty]
    for kind in kinds:
        extra += [
            Triple(p, RDF.type, kind) for p in draw(st.lists(relations, min_size=1, max_size=2))
        ]
    for a, b in draw(st.lists(st.tuples(relations, relations), max_size=1)):
        extra.append(Triple(a, draw(st.sampled_from([OWL.inverseOf, OWL.propertyDisjointWith])), b))
    return claims, contexts, extra

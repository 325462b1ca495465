"""The `turtle`, `trig` and `jsonld` formats: reports as RDF, see docs/reference/report-rdf.md.

`turtle` and `jsonld` have what the reports say, in one graph. `trig` has a named graph for each
report, and for each text and source one with what it states.
"""

from __future__ import annotations

from collections.abc import Sequence

from rdflib.term import URIRef

from groundrules.dataset import quads, write_rdf
from groundrules.explain.formats import Look
from groundrules.explain.graph import describe, name_of, stated
from groundrules.explain.vocabulary import VOCABULARIES
from groundrules.terms import Report, Triple


def render_turtle(reports: Sequence[Report], look: Look) -> str:
    """Return reports as one graph in Turtle, a SHACL validation report each (W3C 2017, 3.6)."""
    return write_rdf(quads(_merged(reports)), "Turtle", VOCABULARIES)


def render_trig(reports: Sequence[Report], look: Look) -> str:
    """Return reports as a dataset in TriG: a graph each, and one each text and source."""
    graphs: dict[URIRef, dict[Triple, None]] = {}
    for report in reports:
        graphs.setdefault(name_of(report), {}).update(dict.fromkeys(describe(report)))
    for report in reports:
        for name, triples in stated(report).items():
            graphs.setdefault(name, {}).update(dict.fromkeys(triples))
    found = (quad for name, triples in graphs.items() for quad in quads(triples, name))
    return write_rdf(found, "TriG", VOCABULARIES)


def render_jsonld(reports: Sequence[Report], look: Look) -> str:
    """Return reports as one graph in JSON-LD 1.1, expanded: it needs no context."""
    return write_rdf(quads(_merged(reports)), "JSON-LD", {}) + "\n"


def _merged(reports: Sequence[Report]) -> dict[Triple, None]:
    return dict.fromkeys(triple for report in reports for triple in describe(report))

"""Texts read in the terms of an ontology, as lines to compare."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from rdflib.term import Node

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.names.resolve import resolve
from groundrules.ontology.load import Ontology, load
from groundrules.ontology.read import examples
from groundrules.ontology.read.reader import Reading, read_terms
from groundrules.terms import Claim


@cache
def ontology(name: str | Path = "legal") -> Ontology:
    return load(name)


def read(text: str, *sources: str, name: str | Path = "legal") -> tuple[Reading, dict[Node, str]]:
    """Return what is read from a text and its sources, and what the nodes are called."""
    documents = [from_text(text, "text")]
    documents += [from_text(source, f"source{n}") for n, source in enumerate(sources)]
    extraction, *others = resolve([extract(document) for document in documents])
    reading = read_terms(extraction, others, ontology(name))
    return reading, {**reading.labels, **extraction.labels}


def line(claim: Claim, labels: dict[Node, str]) -> str:
    """Return an assertion as its mode, subject, property and object."""
    return examples.line(claim, labels, {"lx": "https://w3id.org/groundrules/legal#"})


def said(
    text: str,
    source: str = "",
    *,
    name: str | Path = "legal",
    check: Callable[[Claim, str], bool] = lambda claim, text: True,
) -> list[str]:
    """Return the assertions of a text as lines; `check` must hold of each."""
    reading, labels = read(text, *([source] if source else []), name=name)
    assert all(check(claim, text) for claim in reading.assertions)
    return [line(claim, labels) for claim in reading.assertions]

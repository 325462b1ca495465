"""The classes and properties of an ontology, as a language model is told of them."""

from __future__ import annotations

from benchmarks.llm_assertions import Listed
from groundrules.ontology.glossary import Entry, glossary
from groundrules.ontology.load import Ontology, read


def listed(ontology: Ontology) -> tuple[tuple[Listed, ...], tuple[Listed, ...]]:
    """Return the classes and the properties of an ontology, each in one line, by name.

    Raises SourceError as `load.read` does.
    """
    entries = sorted(glossary(read(ontology.path)[0]).values(), key=lambda one: one.label)
    classes = tuple(_class(one) for one in entries if one.kind == "class")
    return classes, tuple(_property(one) for one in entries if one.kind != "class")


def _class(entry: Entry) -> Listed:
    called = f" (also {', '.join(entry.names)})" if entry.names else ""
    return Listed(str(entry.iri), entry.label, f"{entry.definition}{called}")


def _property(entry: Entry) -> Listed:
    """Return a property with what it goes from and to, in words."""
    ends = " or ".join(entry.range) or "thing or value"
    return Listed(str(entry.iri), entry.label, entry.definition, " or ".join(entry.domain), ends)

"""Ontologies in OWL/XML, read by owlready2 where it is installed."""

from __future__ import annotations

import io
import re

from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.errors import ConfigError, SourceError
from groundrules.terms import Triple

#: How to get owlready2 and Java.
INSTALL = "pip install 'groundrules[reasoner]'"


def read_owl_xml(data: bytes, path: str) -> list[Triple]:
    """Return the triples of an OWL/XML text; ConfigError without owlready2, SourceError on faults.

    owlready2 keeps one world a process, created on import; nothing is put into it here.
    """
    try:
        from owlready2 import owlxml_2_ntriples
    except ImportError:
        raise ConfigError(
            f"OWL/XML needs owlready2, which is not installed; run: {INSTALL}", path=path
        ) from None
    found: list[Triple] = []

    def node(name: str) -> Node:
        return BNode(name.removeprefix("_:")) if name.startswith("_") else URIRef(name)

    def link(s: str, p: str, o: str) -> None:
        found.append(Triple(node(s), URIRef(p), node(o)))

    def value(s: str, p: str, o: str, datatype: str) -> None:
        if datatype.startswith("@"):
            literal = Literal(o, lang=datatype[1:])
        else:
            literal = Literal(o, datatype=URIRef(datatype) if datatype else None, normalize=False)
        found.append(Triple(node(s), URIRef(p), literal))

    try:
        owlxml_2_ntriples.parse(io.BytesIO(data), link, value)
    except Exception as error:  # its handlers fail in many ways on what is no OWL/XML
        reason = " ".join(str(error.__cause__ or error).split()) or type(error).__name__
        place = re.search(r"line (\d+), column (\d+)\.$", str(error))  # the column is from 0
        line, column = (int(place[1]), int(place[2]) + 1) if place else (None, None)
        raise SourceError(f"not OWL/XML: {reason}", path=path, line=line, column=column) from None
    return found

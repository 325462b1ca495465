"""Rows of SPARQL 1.1 JSON results, of terms that the dataset of a check can hold."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rdflib.namespace import RDF, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.kb.sources.exchange import FaultError
from groundrules.kb.sources.query import is_iri, is_language, is_text
from groundrules.kb.sources.source import Row

_MOST_VALUES = 4_000_000  # in the JSON of a response


def read_rows(body: bytes) -> tuple[Row, ...]:
    """Return the rows of a SPARQL 1.1 JSON result; the labels of blank nodes are made unique.

    Lexical forms stay as they are. A fault if it is none, or if a term of it is none.
    """
    if sum(body.count(sign) for sign in (b",", b"[", b"{")) > _MOST_VALUES:
        raise FaultError("TOO_LARGE", f"more than {_MOST_VALUES:,} values")
    try:
        bindings = json.loads(body.decode("utf-8-sig"))["results"]["bindings"]
    except (ValueError, TypeError, KeyError, RecursionError):
        bindings = None
    if not isinstance(bindings, list):
        raise FaultError("TRUNCATED", "not a SPARQL JSON result", again=True)
    scope = hashlib.sha256(body).hexdigest()
    known: dict[tuple[object, ...], Node] = {}

    def read(data: Any) -> Node:
        key = (data["type"], data["value"], data.get("xml:lang"), data.get("datatype"))
        if key not in known:
            known[key] = _term(*key, scope)
        return known[key]

    try:
        rows = ({_text(name): read(data) for name, data in row.items()} for row in bindings)
        return tuple(row for row in rows if row)  # one without a term says nothing
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        message = f"a bad term: {error}" if isinstance(error, ValueError) else "a bad row"
        # The next answer would be as bad; only the item that has it is lost.
        raise FaultError("TRUNCATED", message, split=True) from None


def _term(kind: object, value: object, language: object, datatype: object, scope: str) -> Node:
    """Return a term; ValueError if the dataset of a check could not hold it."""
    text = _text(value)
    if kind == "uri":
        if is_iri(text):
            return URIRef(text)
    elif kind == "bnode":
        return BNode("b" + hashlib.sha256(f"{scope} {text}".encode()).hexdigest()[:24])
    elif kind in ("literal", "typed-literal"):  # as in drafts of the standard, and in Virtuoso
        if language is not None:
            if is_language(_text(language)) and datatype in (None, str(RDF.langString)):
                return Literal(text, lang=_text(language).lower())
        elif datatype in (None, str(XSD.string)):
            return Literal(text)
        elif is_iri(_text(datatype)) and datatype != str(RDF.langString):
            return Literal(text, datatype=URIRef(_text(datatype)), normalize=False)
    raise ValueError(f"{kind} {text[:80]!r} {language or ''} {datatype or ''}")


def _text(value: object) -> str:
    if isinstance(value, str) and is_text(value):
        return value
    raise ValueError(f"{str(value)[:80]!r} is no text")

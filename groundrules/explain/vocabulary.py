"""The vocabularies that a report is told in as RDF, and terms that every RDF tool can read."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache, lru_cache
from urllib.parse import quote

from rdflib.namespace import RDF, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.dataset import PREFIXES
from groundrules.explain.words import WORDS
from groundrules.kb.sources.query import is_iri, is_language
from groundrules.terms import Severity

#: The names of nodes that are made here.
OWN = "urn:groundrules:"
#: A rule is the shape that a result names.
RULE = "https://groundrules.dev/rules/"
SEVERITIES: Mapping[Severity, str] = {
    Severity.ERROR: "sh:Violation",
    Severity.WARNING: "sh:Warning",
    Severity.INFO: "sh:Info",
}
#: How many characters before and after a quotation tell it from others (Web Annotation, 4.2.4).
AROUND = 32
#: The names of the vocabularies, by prefix.
_SHARED = {name: PREFIXES[name] for name in ("gr", "rdf", "rdfs", "xsd")}
VOCABULARIES: Mapping[str, str] = dict(sorted((_SHARED | WORDS["vocabularies"]).items()))
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})?"
)


@cache
def term(name: str) -> URIRef:
    """Return the term of a vocabulary by its prefixed name."""
    prefix, _, local = name.partition(":")
    return URIRef(VOCABULARIES[prefix] + local)


def clean(node: Node, scope: str = "") -> URIRef | Literal:
    """Return a node as every RDF tool can read it; one that is fit to be read is not changed.

    Of an IRI what may not stand in one is percent-encoded; where that makes none, or it would be
    taken for a prefixed name, it becomes a literal. A blank node gets an IRI, by `scope`. A lone
    surrogate becomes U+FFFD, a language that is none is left out.
    """
    if isinstance(node, URIRef):
        return _clean_iri(str(node))
    if isinstance(node, BNode):
        return URIRef(f"{OWN}node:{hash_of(scope, str(node))}")
    text = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in str(node))
    if not isinstance(node, Literal):
        return Literal(text)
    if node.language:
        return Literal(text, lang=node.language.lower() if is_language(node.language) else None)
    datatype = _clean_iri(str(node.datatype)) if node.datatype else None
    if not isinstance(datatype, URIRef) or datatype in _UNTYPED:
        return Literal(text)
    return Literal(text, datatype=datatype, normalize=False)


#: Types of literals that have a language, and what Turtle and N-Triples leave out.
_UNTYPED = (RDF.langString, URIRef(f"{RDF}dirLangString"), XSD.string)


@lru_cache(maxsize=16384)
def _clean_iri(text: str) -> URIRef | Literal:
    if text.partition(":")[0] not in VOCABULARIES:
        if is_iri(text):
            return URIRef(text)
        coded = quote(text, safe="%/:=&?~#+!$,;'@()*[]", errors="replace")
        if is_iri(coded):
            return URIRef(coded)
    return Literal("".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text))


def hash_of(*parts: str) -> str:
    """Return a hash of texts, of which an IRI can be made."""
    text = "\x1f".join(parts).encode("utf-8", errors="surrogatepass")
    return hashlib.sha256(text).hexdigest()[:32]


# Making a term of rdflib takes long, and many are the same.
literal = lru_cache(maxsize=4096, typed=True)(Literal)


def plain(text: str) -> Literal | None:
    """Return a text, None where it is empty."""
    found = clean(Literal(text)) if text else None
    assert found is None or isinstance(found, Literal)
    return found


def number(value: float | None) -> Literal | None:
    """Return a number as xsd:double, None where there is none."""
    if value is None:
        return None
    if math.isinf(value):
        return Literal("INF" if value > 0 else "-INF", datatype=XSD.double, normalize=False)
    text = "NaN" if math.isnan(value) else repr(float(value))
    return Literal(text, datatype=XSD.double, normalize=False)


def count(value: int) -> Literal:
    """Return how many, from 0 on."""
    return Literal(str(value), datatype=XSD.nonNegativeInteger, normalize=False)


def moment(text: str) -> Literal | None:
    """Return a time as xsd:dateTime, as a text where it is none, None where it is empty."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return plain(text)
    whole = _MOMENT.fullmatch(text)
    return Literal(text, datatype=XSD.dateTime, normalize=False) if whole else plain(text)

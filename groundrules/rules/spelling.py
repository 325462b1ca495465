"""The words of SPARQL and Turtle texts, and those that no vocabulary has.

A term that is misspelt matches nothing and says so nowhere, so that it is looked for before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import pairwise

from rdflib.namespace import OWL, RDF, RDFS, SH, SKOS, XSD, DefinedNamespace

from groundrules.terms import GR

#: The most marks and groups that set the patterns of a query apart.
MOST_MARKS = 200
#: The vocabularies whose terms are all known.
_CLOSED: tuple[type[DefinedNamespace], ...] = (RDF, RDFS, OWL, XSD, SKOS, SH, GR)
#: Terms of them that rdflib lacks.
_NEWER: Mapping[type[DefinedNamespace], tuple[str, ...]] = {
    RDF: ("langRange", "dirLangString", "reifies"),
    RDFS: ("Proposition",),
    XSD: ("anyType", "anySimpleType", "anyAtomicType"),
}
_MEMBER = re.compile(r"_[1-9][0-9]*")  # rdf:_1
_OPAQUE = ("string", "comment", "iri", "prefixed")
_TOKEN = re.compile(
    r"""
      (?P<string>\"\"\".{0,9999}?\"\"\"|'''.{0,9999}?'''
          |"(?:[^"\\\n]|\\.){0,9999}"|'(?:[^'\\\n]|\\.){0,9999}')
    | (?P<comment>\#[^\n]*)
    | (?P<iri><[^<>"{}|^`\\\s()]*>)
    | (?P<variable>[?$]\w+)
    | (?P<blank>_:[\w.-]+)
    | (?P<language>@[A-Za-z-]+)
    | (?P<prefixed>(?:[^\W\d_][\w.-]{0,200})?:[\w.:%\\-]*)
    | (?P<word>[^\W\d]\w*)
    """,
    re.X | re.S,
)


@lru_cache(maxsize=1024)
def tokens(query: str) -> tuple[tuple[str, str, int], ...]:
    """Return the words of a SPARQL text as (kind, text, offset), without strings and comments.

    Kinds: variable, blank, language, prefixed, word, iri.
    """
    found = ((match.lastgroup or "", match[0], match.start()) for match in _TOKEN.finditer(query))
    return tuple(one for one in found if one[0] not in ("string", "comment"))


def marks(query: str) -> int:
    """Return how many marks a query has that set patterns, groups and steps of paths apart."""
    bare = _TOKEN.sub(lambda found: "" if found.lastgroup in _OPAQUE else found[0], query)
    return len(re.findall(r"[.;,/|{[]", bare))


def unknown_terms(text: str, prefixes: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield what is wrong with each term of a SPARQL or Turtle text that its vocabulary lacks.

    With it goes its offset. The vocabularies are RDF, RDFS, OWL, XSD, SKOS, SHACL and gr;
    `prefixes` are those that the text need not declare.
    """
    known = dict(prefixes)
    found = tokens(text)
    for (kind, name, _), (_, iri, _) in pairwise(found):
        if kind == "prefixed" and name.endswith(":") and iri.startswith("<"):
            known[name[:-1]] = iri[1:-1]  # PREFIX sh: <…>, or @prefix
    for kind, name, at in found:
        name = name.rstrip(".")  # the end of a sentence of Turtle
        prefix, _, local = name.partition(":")
        if kind == "prefixed" and prefix in known:
            fault = _fault(known[prefix] + local, f"{prefix}:")
        elif kind == "iri":
            fault = _fault(name[1:-1], "")
        else:
            continue
        if fault is not None:
            yield f"{name} is unknown{fault}", at


def meant(iri: str) -> str | None:
    """Return the term that an IRI of a closed vocabulary which lacks it is likely meant for.

    Empty where none is near; None for any other IRI. One that has the other of http and https
    is meant for the term of that vocabulary.
    """
    for base, terms in _vocabularies().items():
        scheme, _, rest = base.partition(":")
        other = f"{'http' if scheme == 'https' else 'https'}:{rest}"
        if iri.startswith(other):
            return base + iri.removeprefix(other)
        local = iri.removeprefix(base)
        if local in ("", iri) or local in terms or (base == str(RDF) and _MEMBER.match(local)):
            continue
        near = get_close_matches(local, sorted(terms), 1)
        return base + near[0] if near else ""
    return None


def _fault(iri: str, before: str) -> str | None:
    """Return the term that may be meant by an IRI which its vocabulary lacks, None for others.

    `before` is the prefix that the text has for the namespace, if it has one.
    """
    term = meant(iri)
    base = next((base for base in _vocabularies() if iri.startswith(base)), "")
    if term:
        return f"; did you mean '{before * bool(base)}{term.removeprefix(base)}'?"
    return None if term is None else f"; no such term is in {base}"


@cache
def _vocabularies() -> Mapping[str, frozenset[str]]:
    """Return the local names of the terms of each closed vocabulary, by its namespace."""
    return {
        str(one._NS): frozenset(
            name
            for name in (*one.__annotations__, *getattr(one, "_extras", ()), *_NEWER.get(one, ()))
            if not name.startswith("_")
        )
        for one in _CLOSED
    }

"""Queries as text: their VALUES blocks filled with terms, each checked before it is written.

Nothing else writes a term into SPARQL. What a term may hold is what the grammars allow
(SPARQL 1.1 section 19, RFC 3987, RFC 5646); everything else is refused, not mended.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.dataset import as_text
from groundrules.errors import SourceError
from groundrules.kb.sources.source import Item, Query

#: Where a block goes: `VALUES ?s { $subjects }` or `VALUES (?s ?p) { $pairs }`.
_BLOCK = re.compile(
    r"(?<![\w?$:])VALUES\s*(\((?:\s*[?$]\w+)+\s*\)|[?$]\w+)\s*\{\s*\$(\w+)\s*\}", re.I | re.A
)
_HOLE = re.compile(r"\{\s*\$\w+\s*\}", re.A)

#: Literals of these types have a language.
_TAGGED = (RDF.langString, URIRef(f"{RDF}dirLangString"))
#: An escape in a text, with the letter that stands behind a backslash of the text itself.
_ESCAPE = re.compile(r"\\(?:\\([uU])|.)", re.S)


_FILE = tomllib.loads(Path(__file__).with_name("queries.toml").read_text("utf-8"))


@lru_cache(maxsize=256)
def query_text(name: str, **parts: str) -> str:
    """Return a query of `queries.toml` with its %parts% and the prefixes that it uses.

    What is a part of a query itself has no prefixes.
    """
    text = re.sub(r"%(\w+)%", lambda hole: parts[hole[1]], _FILE["queries"][name].strip())
    if not text.startswith("SELECT"):
        return text
    used = (one for one in _FILE["prefixes"] if re.search(rf"(?<![\w<?]){one}:", text))
    return " ".join([*(f"PREFIX {one}: <{_FILE['prefixes'][one]}>" for one in used), text])


def choice(terms: Iterable[URIRef], between: str = ", ") -> str:
    """Return IRIs of ours as SPARQL: a list, or the ways of a path with "|" between."""
    return between.join(f"<{term}>" for term in terms)


def fill(query: Query) -> str:
    """Return the text of a query with its blocks filled, in one line.

    ValueError if a block has no rows given or stands nowhere, if a row is not as long as its
    block, and on a term that no SPARQL can hold: a blank node, a relative IRI, a lone surrogate.
    """
    text = " ".join(query.text.split())
    blocks = {match[2] for match in _BLOCK.finditer(text)}
    if blocks != set(query.values):
        raise ValueError(f"the query has the blocks {sorted(blocks)}, not {sorted(query.values)}")
    if len(_HOLE.findall(text)) != len(_BLOCK.findall(text)):
        raise ValueError("the query has a $block outside of VALUES")
    if query.batch and query.batch not in blocks:
        raise ValueError(f"the query has no block {query.batch!r} to split")
    return _BLOCK.sub(lambda match: _values(match[1], query.values[match[2]]), text)


def _values(variables: str, rows: Sequence[Item]) -> str:
    width = len(re.findall(r"\w+", variables))
    for row in rows:
        if len(row) != width:
            raise ValueError(f"{row!r} is not a row of VALUES {variables}")
    form = "({})" if variables.startswith("(") else "{}"
    written = (form.format(" ".join(map(write, row))) for row in rows)
    return f"VALUES {variables} {{ {' '.join(written)} }}"


def write(term: Node) -> str:
    """Return an IRI or a literal as SPARQL; ValueError if none can hold it."""
    tagged = isinstance(term, Literal) and not term.language and term.datatype in _TAGGED
    try:
        if isinstance(term, URIRef | Literal) and not tagged:
            return _ESCAPE.sub(_spelled, as_text(term))
    except SourceError:
        pass
    raise ValueError(f"{term!r} cannot stand in a query")


def _spelled(escape: re.Match[str]) -> str:
    """Return an escape as parsers that undo escapes of code points first read it, too."""
    return f"\\\\\\u{ord(escape[1]):04X}" if escape[1] else escape[0]


def is_iri(text: str) -> bool:
    """Return whether a text is an absolute IRI (RFC 3987)."""
    return _is_term(str.__new__(URIRef, text))  # which does not warn of what is none


def is_language(text: str) -> bool:
    """Return whether a text is a well-formed language tag (RFC 5646)."""
    try:
        return _is_term(Literal("", lang=text))
    except ValueError:
        return False


def is_text(text: str) -> bool:
    """Return whether a text is one: without lone surrogates."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _is_term(term: Node) -> bool:
    try:
        return bool(as_text(term))
    except SourceError:
        return False

"""Queries as text: their VALUES blocks filled with terms, each checked before it is written.

Nothing else writes a term into SPARQL. What a term may hold is what the grammars allow
(SPARQL 1.1 section 19, RFC 3987, RFC 5646); everything else is refused, not mended.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from rdflib.namespace import RDF, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.kb.source import Item, Query

#: Where a block goes: `VALUES ?s { $subjects }` or `VALUES (?s ?p) { $pairs }`.
_BLOCK = re.compile(
    r"(?<![\w?$:])VALUES\s*(\((?:\s*[?$]\w+)+\s*\)|[?$]\w+)\s*\{\s*\$(\w+)\s*\}", re.I | re.A
)
#: What an IRI in angle brackets is shortened by: long texts of rows are mostly namespaces.
_PREFIX = re.compile(r"PREFIX\s+(\w+):\s*<([^<>]*[/#])>", re.I | re.A)
_SHORT = re.compile(r"<(.*[/#])([A-Za-z][A-Za-z0-9]*)>", re.A)
_HOLE = re.compile(r"\{\s*\$\w+\s*\}", re.A)

#: What keeps its spaces (strings, IRIs), then what is none (comments), then spaces.
_SPACES = re.compile(
    r'("""(?:[^\\]|\\.){0,9999}?"""|' r"'''(?:[^\\]|\\.){0,9999}?'''|"
    r'"(?:[^"\\\n]|\\.){0,9999}"|'
    r"""'(?:[^'\\\n]|\\.){0,9999}'|<[^<>"{}|^`\\\s]*>)|(?:\#[^\n]*|\s)+""",
    re.S | re.X,
)  # fmt: skip

_UCS = "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 14)
)
_CHARACTER = rf"(?:[A-Za-z0-9._~!$&'()*+,;=:@/{_UCS}\U000E1000-\U000EFFFD-]|%[0-9A-Fa-f]{{2}})"
_NAME = _CHARACTER.replace(":@/", "")
#: An absolute IRI without an IP literal.
_IRI = re.compile(
    rf"[A-Za-z][A-Za-z0-9+.-]*:"
    rf"(?://(?:(?:{_NAME}|:)*@)?{_NAME}*(?::[0-9]*)?(?=[/?\#]|\Z)|(?!//))"
    rf"{_CHARACTER}*"
    rf"(?:\?(?:{_CHARACTER}|[?\ue000-\uf8ff\U000F0000-\U000FFFFD\U00100000-\U0010FFFD])*)?"
    rf"(?:\#(?:{_CHARACTER}|\?)*)?",
    re.X,
)
#: Literals of these types have a language.
_TAGGED = (RDF.langString, URIRef(f"{RDF}dirLangString"))
_LANGUAGE = re.compile(
    r"(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})"
    r"(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?"  # script, region
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"  # variants
    r"(?:-[0-9a-wyz](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?",
    re.I | re.A,
)
#: Where the terms of an item go, with parentheses and without.
_GROUPED, _BARE = "\x01", "\x02"
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def fill(query: Query) -> str:
    """Return the text of a query, its blocks filled, without comments and spare white space.

    IRIs are shortened by the prefixes that the text declares.

    ValueError if a block has no rows given or stands nowhere, if a row is not as long as its
    block, and on a term that no SPARQL can hold: a blank node, a relative IRI, a lone surrogate.
    """
    text = _SPACES.sub(lambda match: match[1] or " ", query.text).strip()
    blocks = {match[2] for match in _BLOCK.finditer(text)}
    if blocks != set(query.values):
        raise ValueError(f"the query has the blocks {sorted(blocks)}, not {sorted(query.values)}")
    if len(_HOLE.findall(text)) != len(_BLOCK.findall(text)):
        raise ValueError("the query has a $block outside of VALUES")
    if query.batch and query.batch not in blocks:
        raise ValueError(f"the query has no block {query.batch!r} to split")
    prefixes = {iri: name for name, iri in _PREFIX.findall(text)}
    return _BLOCK.sub(lambda match: _values(match[1], query.values[match[2]], prefixes), text)


def fill_each(query: Query) -> dict[Item, str]:
    """Return the text of a query for each item of its batch alone, as `fill` would write it.

    ValueError as for `fill`.
    """
    items = list(dict.fromkeys(query.values[query.batch])) if query.batch in query.values else []
    fill(replace(query, values={**query.values, query.batch: items[:1]}))  # is it one?
    text = _SPACES.sub(lambda match: match[1] or " ", query.text).strip()
    prefixes = {iri: name for name, iri in _PREFIX.findall(text)}

    def put(match: re.Match[str]) -> str:
        if match[2] != query.batch:
            return _values(match[1], query.values[match[2]], prefixes)
        # no text has these signs: what is written escapes them
        return f"VALUES {match[1]} {{ {_BARE if match[1][0] != '(' else _GROUPED} }}"

    whole = _BLOCK.sub(put, text)
    widths = {len(re.findall(r"\w+", names)) for names, of in _BLOCK.findall(text)
              if of == query.batch}  # fmt: skip
    found = {}
    for item in items:
        if widths != {len(item)}:
            raise ValueError(f"{item!r} is not a row of the block {query.batch!r}")
        terms = " ".join(_shorten(write(term), prefixes) for term in item)
        found[item] = whole.replace(_GROUPED, f"({terms})").replace(_BARE, terms)
    return found


def columns_of(query: Query) -> tuple[str, ...]:
    """Return the variables that the items of a batch are the values of.

    None of them where the block stands in several places under several names.
    """
    names = {
        tuple(re.findall(r"\w+", variables))
        for variables, block in _BLOCK.findall(query.text)
        if block == query.batch
    }
    return names.pop() if len(names) == 1 else ()


def _values(variables: str, rows: Sequence[Item], prefixes: Mapping[str, str]) -> str:
    width = len(re.findall(r"\w+", variables))
    written = []
    for row in rows:
        if len(row) != width:
            raise ValueError(f"{row!r} is not a row of VALUES {variables}")
        terms = " ".join(_shorten(write(term), prefixes) for term in row)
        written.append(f"({terms})" if variables.startswith("(") else terms)
    return f"VALUES {variables} {{ {' '.join(written)} }}"


def _shorten(written: str, prefixes: Mapping[str, str]) -> str:
    match = _SHORT.fullmatch(written)
    return f"{prefixes[match[1]]}:{match[2]}" if match and match[1] in prefixes else written


def write(term: Node) -> str:
    """Return an IRI or a literal as SPARQL; ValueError if none can hold it."""
    if isinstance(term, URIRef) and _is_known_iri(str(term)):
        return f"<{term}>"
    if isinstance(term, Literal) and is_text(term):
        text = f'"{_escape(term)}"'
        if term.language:
            if is_language(term.language):
                return f"{text}@{term.language}"
        elif term.datatype in (None, XSD.string):
            return text
        elif term.datatype is not None and is_iri(term.datatype) and term.datatype not in _TAGGED:
            return f"{text}^^<{term.datatype}>"
    raise ValueError(f"{term!r} cannot stand in a query")


def is_iri(text: str) -> bool:
    """Return whether a text is an absolute IRI (RFC 3987)."""
    return _IRI.fullmatch(text) is not None


_is_known_iri = lru_cache(maxsize=16384)(is_iri)  # a store is asked about the same ones again


def is_language(text: str) -> bool:
    """Return whether a text is a well-formed language tag (RFC 5646)."""
    return _LANGUAGE.fullmatch(text) is not None


def is_text(text: str) -> bool:
    """Return whether a text is one: without lone surrogates."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _escape(text: str) -> str:
    written = []
    previous = ""
    for character in text:
        if character in _ESCAPES:
            written.append(_ESCAPES[character])
        # Parsers that undo \u before they look for strings would take the second half of an
        # escaped backslash and a u for an escape of their own.
        elif character < " " or (previous == "\\" and character in "uU"):
            written.append(f"\\u{ord(character):04X}")
        else:
            written.append(character)
        previous = character
    return "".join(written)

"""A report with every text in it changed: what a hostile file or a secret one would have."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar

from rdflib.term import BNode, Literal, URIRef

from groundrules.terms import GR, Span

T = TypeVar("T")
#: Words that are ours: a check does not take them from a text.
_OURS = frozenset(
    """rule name reason stage polarity origin action applicability status kind role sha256 format
    version at traits fingerprint known_as dataset policy""".split()
)
_NUMBERS = frozenset(("start", "end", "similarity", "score", "support"))


def rewritten(value: T, change: Callable[[str], str], iri: Callable[[str], str]) -> T:
    """Return a report, or a part of one, with its texts and the names in its IRIs changed."""
    return _of(value, change, iri)  # type: ignore[no-any-return]


def _of(value: Any, change: Callable[[str], str], iri: Callable[[str], str]) -> Any:
    def again(part: Any) -> Any:
        return _of(part, change, iri)

    match value:
        case Enum() | bool() | int() | float() | None:
            return value
        case URIRef():
            known = str(value).startswith((str(GR), "http://www.w3.org/"))
            return value if known else URIRef(iri(str(value)))
        case Literal():
            kind = {"datatype": value.datatype} if value.datatype else {}
            return Literal(change(str(value)), normalize=False, **kind)
        case BNode():
            return value
        case str():
            return change(value)
        case Span():
            return Span(change(value.source), value.start, value.end)
        case tuple():
            return tuple(map(again, value))
        case dict():
            return {again(key): again(one) for key, one in value.items()}
    assert dataclasses.is_dataclass(value), value
    changed = {}
    for field in dataclasses.fields(value):
        part = getattr(value, field.name)
        if field.name == "bindings":
            changed[field.name] = tuple(
                (name, node if name in _NUMBERS else again(node)) for name, node in part
            )
        elif field.name in (
            "packs",
            "models",
            "params",
            "stages",
            "times",
            "calls",
        ):
            changed[field.name] = part
        elif field.name == "settings":
            changed[field.name] = tuple((name, again(told)) for name, told in part)
        elif field.name not in _OURS:
            changed[field.name] = again(part)
    return dataclasses.replace(value, **changed)

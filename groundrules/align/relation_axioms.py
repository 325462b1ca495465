"""What plain English says of its relations, as axioms that rules may read (`relations.ttl`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from groundrules.dataset import parse_turtle
from groundrules.terms import Triple


@cache
def relations() -> tuple[Triple, ...]:
    """Return the axioms, the same tuple each time."""
    path = Path(__file__).with_name("relations.ttl")
    return tuple(parse_turtle(path.read_text(encoding="utf-8"), path=str(path)))

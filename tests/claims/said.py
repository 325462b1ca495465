"""What the sentences of a text assert, as ontologies and duties read it."""

from __future__ import annotations

from groundrules.align.parses import parse
from groundrules.claims.asserted import propositions
from groundrules.claims.slots import Term


def read_propositions(text: str) -> list[Term]:
    """Return the propositions of a text."""
    return propositions(parse(text))

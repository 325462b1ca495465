"""Years in the titles of statutes, where one is said to change another and neither has a date."""

from __future__ import annotations

from rdflib.namespace import XSD
from rdflib.term import Literal, Node

from groundrules.legal.lawphrases import phrases
from groundrules.legal.namespace import LX
from groundrules.ontology.read.assertions import Assertions

_RE = phrases("titles")
#: A title may bear the year before or after that of its enactment.
_APART = 2


def read_titles(assertions: Assertions) -> None:
    """State as years of enactment those of two titles, if one changes the other and they differ."""
    dated = {
        claim.triple.subject
        for claim in assertions.claims()
        if claim.triple.predicate == LX.enactmentDate
    }
    for claim in assertions.claims():
        if claim.triple.predicate not in {LX.amends, LX.repeals}:
            continue
        ends = (claim.triple.subject, claim.triple.object)
        years = [_year(assertions.labels.get(node, "")) for node in ends]
        if dated & set(ends) or None in years:
            continue
        if abs(int(years[0] or 0) - int(years[1] or 0)) < _APART:
            continue
        for node, year in zip(ends, years, strict=True):
            _state(assertions, node, year or "", claim.span.start, claim.span.end)


def _year(label: str) -> str | None:
    found = _RE["year"].search(label)
    return found[1] if found else None


def _state(assertions: Assertions, node: Node, year: str, start: int, end: int) -> None:
    value = Literal(year, datatype=XSD.gYear)
    assertions.state(node, LX.enactmentDate, value, assertions.span(start, end))

"""What laws, days and sums are said to do that only a person can, and which law changes an older.

A statute, a section of one, a day or a sum of money files and signs nothing. The readers state who
is said to have done it and of what kind that is; the ontology says that the two exclude each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rdflib.namespace import RDF, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.document import plain
from groundrules.legal.lawphrases import phrases
from groundrules.legal.namespace import AGREEMENT, LX
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import ENTITY, mint

_RE, _TITLES = phrases("doers"), phrases("titles")
#: A title may bear the year before or after that of its enactment.
_APART = 2


def read_doers(assertions: Assertions) -> None:
    """State what laws, days and sums are said to do, or to be parties to; linear."""
    text = plain(assertions.extraction.document)
    for pattern in (_RE["by_law"], _RE["law_does"], _RE["agent_is_law"]):
        for found in pattern.finditer(text):
            if not _RE["not_who"].search(found[0]):
                law = found["law"]
                node = mint(ENTITY, law)
                assertions.labels.setdefault(node, law)
                _state_done(assertions, node, LX.Legislation, found)
    _read_parties(assertions, text)


def _state_done(assertions: Assertions, who: URIRef, class_: URIRef, found: re.Match[str]) -> None:
    span = assertions.span(*found.span())
    deed = assertions.part(f"deed@{span.start}")
    assertions.labels.setdefault(deed, f"“{' '.join(found[0].split())}”")
    assertions.state(who, RDF.type, class_, span)
    where = assertions.span(*found.span("law"))
    assertions.state(deed, LX.doneBy, who, span, parts=(None, None, where))


def _read_parties(assertions: Assertions, text: str) -> None:
    """State as parties of an agreement the days and sums that it is said to be between."""
    for found in _RE["parties"].finditer(text):
        for value, name in _between(assertions, text, found.end()):
            if not isinstance(value[2], Literal):
                continue
            start, end = value[0], value[1]
            node = mint(ENTITY, f"{name} {text[start:end]}")
            class_ = {"MONEY": LX.MonetaryAmount, "SECTION": LX.DocumentPart}.get(
                name, LX.CalendarDay
            )
            span = assertions.span(start, end)
            assertions.labels.setdefault(node, text[start:end])
            assertions.labels.setdefault(AGREEMENT, "agreement")
            assertions.state(node, RDF.type, class_, span)
            assertions.state(AGREEMENT, LX.hasParty, node, span, parts=(None, None, span))


def _between(
    assertions: Assertions, text: str, start: int
) -> Iterator[tuple[tuple[int, int, Node], str]]:
    """Yield the day or sum that is one of two things joined by "and" behind a place."""
    near = [
        m
        for m in assertions.extraction.mentions
        if start <= m.span.start < start + 200
        and m.kind in {"PERSON", "ORG", "MISC", "DATE", "MONEY", "SECTION"}
    ]
    near = [
        m
        for m in near
        if not any(
            o is not m and o.span.start <= m.span.start and m.span.end < o.span.end for o in near
        )
    ]
    if len(near) < 2 or near[0].span.start != start:
        return
    one, other = near[0], near[1]
    kinds = {one.kind, other.kind}
    if not _RE["and"].match(text[one.span.end : other.span.start]) or not kinds & {
        "PERSON",
        "ORG",
        "MISC",
    }:
        return
    if not _RE["end"].match(text, other.span.end):
        return
    for m in (one, other):
        if m.kind in {"DATE", "MONEY", "SECTION"}:
            yield (m.span.start, m.span.end, m.node), m.kind


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
            _state_year(assertions, node, year or "", claim.span.start, claim.span.end)


def _year(label: str) -> str | None:
    found = _TITLES["year"].search(label)
    return found[1] if found else None


def _state_year(assertions: Assertions, node: Node, year: str, start: int, end: int) -> None:
    value = Literal(year, datatype=XSD.gYear)
    assertions.state(node, LX.enactmentDate, value, assertions.span(start, end))

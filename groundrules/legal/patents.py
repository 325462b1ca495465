"""Patents: claims and what they depend on, the front page, reference signs.

The patent and the application a document is about are ``patent`` and ``application``, its claims
``claim 1``, ``claim 2``, …, so that a text and the patent it speaks of share them. Claims are a
numbered list from 1 on, below "What is claimed is" or with claims that refer to others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rdflib.namespace import RDF, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.values.value_reader import find_values
from groundrules.legal.lawphrases import phrases, rows
from groundrules.legal.namespace import LX
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import ENTITY, Span, mint

PATENT = mint(ENTITY, "patent")
APPLICATION = mint(ENTITY, "application")
_MOST = 500  # claims that a patent may have
_RANGE = 50  # claims that one reference may take in
_GAP = 5  # by how much a number may exceed the one before
_RE = phrases("patents")
_DATES = rows("patents", "dates")
_NUMBERS = rows("patents", "numbers")
_PEOPLE = rows("patents", "people")


def read_patents(assertions: Assertions) -> None:
    """State what a patent, or a text about one, says; linear in the length of the document."""
    text = assertions.extraction.document.text
    items = list(find_claims(text))
    for number, start, end in items:
        span = assertions.span(start, min(end, start + 200))
        node = _claim(assertions, number, start, end)
        if items[0][0] == 1:  # an excerpt does not tell which claims there are
            assertions.state(node, LX.partOf, PATENT, span)
        for found in _RE["reference"].finditer(text, start, end):
            place = assertions.span(*found.span())
            for parent in _parents(found):
                _depend(assertions, node, parent, place)
    listed = items[0][1] if items else len(text)
    _read_signs(assertions, text, items)
    for found in _RE["depends"].finditer(text, 0, listed):
        place = assertions.span(*found.span())
        first, last = int(found["first"]), int(found["last"] or found["first"])
        for number in range(first, min(last, first + _RANGE) + 1):
            _depend(
                assertions, _claim(assertions, number, *found.span()), int(found["parent"]), place
            )
    for found in _RE["independent"].finditer(text, 0, listed):
        node = _claim(assertions, int(found["first"] or found["second"]), *found.span())
        assertions.state(node, RDF.type, LX.IndependentClaim, assertions.span(*found.span()))
    _read_front(assertions, text[:listed])


def find_claims(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield the claims that a text lists: number, start and end of each, numbered one by one.

    An excerpt may begin behind the first, with one that refers to another.
    """
    heading = _RE["section"].search(text)
    found: list[re.Match[str]] = []
    for item in _RE["item"].finditer(text, heading.end() if heading else 0):
        # A number may be missing: a claim that was cancelled, or a line that was lost.
        last = int(found[-1]["number"]) if found else _before(text, item)
        most = last + _GAP if found and item["head"] is not None else last + 1
        if last < int(item["number"]) <= most and (item["head"] is not None or item["article"]):
            found.append(item)
    ends = [*(item.start() for item in found[1:]), len(text)][: len(found)]
    items = [(int(i["number"]), i.start("number"), e) for i, e in zip(found, ends, strict=True)]
    refers = sum(
        bool(_RE["reference"].search(text, start, min(end, start + 300))) for _, start, end in items
    )
    worded = bool(items) and _RE["claimed"].search(text, items[0][1], items[0][2]) is not None
    some = refers >= 2 or (refers and len(items) > 1 and worded)
    if len(items) <= _MOST and (some or (heading and (refers or len(items) == 1))):
        yield from items


def _before(text: str, item: re.Match[str]) -> int:
    """Return the number that goes before the first claim that a text lists."""
    refers = item["head"] is not None and _RE["reference"].search(text, item.end(), item.end() + 60)
    return int(item["number"]) - 1 if refers else 0


def _claim(assertions: Assertions, number: int, start: int, end: int) -> URIRef:
    node = mint(ENTITY, f"claim {number}")
    assertions.labels.setdefault(node, f"claim {number}")
    span = assertions.span(start, min(end, start + 200))
    assertions.state(node, RDF.type, LX.PatentClaim, span)
    assertions.state(node, LX.claimNumber, Literal(str(number), datatype=XSD.integer), span)
    return node


def _parents(found: re.Match[str]) -> Iterator[int]:
    first, last = int(found["first"]), int(found["last"] or found["first"])
    yield from range(first, min(last, first + _RANGE) + 1)
    yield from (int(number) for number in re.findall(r"[0-9]{1,3}", found["more"]))


def _depend(assertions: Assertions, node: URIRef, parent: int, place: Span) -> None:
    above = mint(ENTITY, f"claim {parent}")
    assertions.labels.setdefault(above, f"claim {parent}")
    number = Literal(str(parent), datatype=XSD.integer)
    assertions.state(above, LX.claimNumber, number, place, parts=(None, None, place))
    assertions.state(node, LX.dependsOnClaim, above, place, parts=(None, None, place))


def _read_signs(assertions: Assertions, text: str, items: list[tuple[int, int, int]]) -> None:
    """State the reference signs of claims, and which of them the description before them has."""
    if not items:
        return
    described = set(_RE["described"].findall(text[: items[0][1]]))
    signs = {
        found["sign"]: found.span()
        for _, start, end in reversed(items)
        for found in _RE["sign"].finditer(text, start, end)
    }
    # Numbers of steps and of formulas stand in parentheses too: most signs must be described.
    known = [sign for sign in signs if sign in described]
    if len(known) < 3 or 2 * len(known) <= len(signs):
        return
    document = assertions.part()
    for sign, place in sorted(signs.items()):
        span = assertions.span(*place)
        assertions.state(document, LX.usesReferenceSign, Literal(sign), span)
        if sign in described:
            assertions.state(document, LX.describesReferenceSign, Literal(sign), span)


def _read_front(assertions: Assertions, text: str) -> None:
    for pattern, (subject, predicate) in _DATES:
        found = pattern.search(text)
        if found is None or (predicate == "priorityDate" and _RE["continues"].search(text)):
            continue
        around = text[max(0, found.start() - 200) : found.end() + 200]
        dates = [value for value in find_values(found["date"]) if value.kind == "DATE"]
        if dates and not (predicate == "expirationDate" and _RE["longer"].search(around)):
            _state(assertions, subject, predicate, dates[0].literal, found.span())
    for pattern, (subject, predicate) in _NUMBERS:
        if found := pattern.search(text):
            number = Literal(" ".join(found["number"].replace(",", "").split()))
            _state(assertions, subject, predicate, number, found.span())
    for pattern, (subject, predicate) in _PEOPLE:
        if found := pattern.search(text):
            base = found.start("names")
            for part in re.finditer(r"[^;]{3,120}", found["names"]):
                name = re.match(r"\s*([^,(;]{3,60}(?:,\s(?:Inc|LLC|Ltd|Corp)\b\.?)?)", part[0])
                if name:
                    place = (base + part.start() + name.start(1), base + part.start() + name.end(1))
                    _state(assertions, subject, predicate, assertions.thing(*place), place)
    for found in _RE["inventor"].finditer(text):
        place = found.span("name")
        _state(assertions, "application", "hasInventor", assertions.thing(*place), place)
    patent, application = _RE["the_patent"].search(text), _RE["the_application"].search(text)
    if patent and application:
        _state(assertions, "patent", "grantedOn", APPLICATION, application.span())


def _state(
    assertions: Assertions, subject: str, predicate: str, value: Node, place: tuple[int, int]
) -> None:
    node, span = mint(ENTITY, subject), assertions.span(*place)
    assertions.labels.setdefault(node, f"the {subject}")
    assertions.state(node, LX[predicate], value, span, parts=(None, None, span))

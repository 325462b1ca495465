"""Births and deaths told by the dates of a life: "lived from 1828 to 1896"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules.claims.documents.document import Document
from groundrules.claims.facts.triples import Ledger, Mood
from groundrules.claims.values.equivalence import interval
from groundrules.claims.values.value_reader import Value
from groundrules.terms import RELATION, Claim, Modality, Span, Triple, mint

_FROM = mint(RELATION, "live from")
_TO = frozenset(mint(RELATION, f"live {word}") for word in ("to", "until", "till"))
_HERE = re.compile(r"lived\s+from")
_UNTIL = re.compile(r"\s+(?:to|until|till)\s+")
#: What may follow the dates, lest they are those of a stay: "from 1920 to 1925 in Ulm".
_DONE = re.compile(r"\s*(?:[.,;:)]|and\b|\Z)")


def read_lives(document: Document, ledger: Ledger, values: Sequence[Value]) -> None:
    """Add the births and deaths that dates of a life tell; "lived from" and "to" become them."""
    at = {value.start: value for value in values}
    told: dict[tuple[object, int], list[int]] = {}
    for number, claim in enumerate(ledger.claims):
        if str(claim.triple.predicate).startswith(f"{RELATION}live-"):
            told.setdefault((claim.triple.subject, claim.sentence), []).append(number)
    for number, *others in told.values():
        birth = ledger.claims[number]
        if birth.triple.predicate != _FROM or len(others) > 1:
            continue
        if any(ledger.claims[other].triple.predicate not in _TO for other in others):
            continue  # with somebody, in a place
        death = _end(document.text, birth, at)
        if death is None:
            continue
        relation = ledger.relation(_on("be born", birth.triple.object))
        triple = Triple(birth.triple.subject, relation, birth.triple.object)
        ledger.claims[number] = replace(birth, triple=triple)
        label = _on("die", death.literal)
        place = Span(document.name, death.start, death.end)
        for other in others:
            triple = Triple(birth.triple.subject, ledger.relation(label), death.literal)
            parts = (*ledger.claims[other].parts[:2], place)
            ledger.claims[other] = replace(ledger.claims[other], triple=triple, parts=parts)
        if not others:
            subject = (birth.triple.subject, birth.parts[0])
            verb = (label, birth.parts[1])
            ledger.add(birth.sentence, subject, verb, (death.literal, place), Mood())


def _end(text: str, birth: Claim, values: Mapping[int, Value]) -> Value | None:
    """Return the date up to which one lived, None where the dates are those of a stay."""
    verb, place = birth.parts[1:]
    if not _stated(birth) or verb is None or place is None:
        return None
    if not _HERE.fullmatch(text, verb.start, verb.end):
        return None  # "lived abroad from"
    joint = _UNTIL.match(text, place.end)
    death = values.get(joint.end()) if joint else None
    if death is None or death.kind != "DATE" or interval(death.literal) is None:
        return None
    return death if _DONE.match(text, death.end) else None


def _stated(claim: Claim) -> bool:
    date = isinstance(claim.triple.object, Literal) and interval(claim.triple.object) is not None
    return date and claim.polarity == "positive" and claim.modality is Modality.ASSERTED


def _on(verb: str, date: object) -> str:
    day = isinstance(date, Literal) and date.datatype == XSD.date
    return f"{verb} {'on' if day else 'in'}"

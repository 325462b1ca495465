"""Courts: which stands above which, which reviews what, and what one decided on a day.

Levels are told by names that mean one instance in one hierarchy. "Supreme Court" alone does not: in
New York it is a court of first instance.
"""

from __future__ import annotations

import re
from itertools import pairwise

from rdflib.namespace import XSD
from rdflib.term import Literal, URIRef

from groundrules.claims.document import plain
from groundrules.legal.lawphrases import phrases, rows
from groundrules.legal.namespace import LX
from groundrules.legal.reporters import (
    Citation,
    Court,
    decision_node,
    find_citations,
    find_court,
    know_court,
)
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import ENTITY, Mention, mint

_RE = phrases("instances")
_LEVELS = rows("instances", "levels")
_SAT = rows("instances", "sat")
_COURT = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in _LEVELS))


def read_instances(assertions: Assertions) -> None:
    """State which court reviews which, and what courts decided and cited on a day; linear."""
    text = plain(assertions.extraction.document)
    dates = [
        m
        for m in assertions.extraction.mentions
        if m.kind == "DATE" and isinstance(m.node, Literal)
    ]
    citations = [c for c in find_citations(text) if c.name is not None and not c.parallel]
    for sentence in assertions.extraction.sentences:
        words = " ".join(text[sentence.start : sentence.end].split())
        if len(words) != sentence.end - sentence.start or len(words) > 600:
            continue
        courts = [(m.start(), m.end(), m[0]) for m in _COURT.finditer(words)]
        own = [d for d in dates if sentence.start <= d.span.start < sentence.end]
        if courts and not _RE["open"].search(words):
            _read_reviews(assertions, words, sentence.start, courts)
            _read_decided(assertions, words, sentence.start, courts, own)
        if own:
            near = [c for c in citations if sentence.start <= c.start < sentence.end]
            _read_cited(assertions, text, words, sentence.start, own, near)


def level_of(name: str) -> tuple[str, int]:
    """Return the hierarchy and the level of a court by its name, 0 where that tells none."""
    for pattern, (system, level) in _LEVELS:
        if pattern.search(name):
            return system, int(level)
    return "", 0


def _node(assertions: Assertions, name: str) -> URIRef:
    node = mint(ENTITY, f"court {name}")
    assertions.labels.setdefault(node, name)
    return node


def _read_reviews(
    assertions: Assertions, words: str, base: int, courts: list[tuple[int, int, str]]
) -> None:
    """State each review of one court's decision by another that a sentence tells."""
    for (start, end, one), (begin, stop, other) in pairwise(courts):
        between, before = words[end:begin], words[:start]
        of_court = _RE["of_court"].search(before) or _RE["itself"].search(before)
        if any(one.match(between) for one in (_RE["over"], _RE["over_court"], _RE["over_appeal"])):
            above, below = one, other
        elif (
            (
                _RE["appeal"].search(before)
                and _RE["then_court"].match(between)
                and _RE["reviews"].match(words[stop:])
            )
            or _RE["decision_under"].match(between)
            or (_RE["under"].match(between) and of_court)
            or (_RE["lies"].match(between) and _RE["appeal"].search(before))
        ):
            above, below = other, one
        else:
            continue
        (system, high), (another, low) = level_of(above), level_of(below)
        if system and another and system != another:
            continue
        mine, theirs = _node(assertions, above), _node(assertions, below)
        for node, level in ((mine, high), (theirs, low)):
            value = Literal(str(level), datatype=XSD.integer)
            assertions.know("levels of courts", node, LX.courtLevel, value)
        assertions.state(mine, LX.reviews, theirs, assertions.span(base + start, base + stop))


def _read_decided(
    assertions: Assertions,
    words: str,
    base: int,
    courts: list[tuple[int, int, str]],
    dates: list[Mention],
) -> None:
    """State which court decided on which day, for the years in which it was in being."""
    for start, end, name in courts:
        court = known_court(name)
        if court is None:
            continue
        for date in dates:
            first, last = date.span.start - base, date.span.end - base
            ahead = _RE["dated_before"].search(words[:first]) and _RE["then"].match(
                words[last:start]
            )
            ahead = ahead and _RE["decided"].match(words[end:])
            behind = last > end and _RE["decided_on"].match(words[end:first])
            if not (ahead or behind):
                continue
            span = assertions.span(base + min(start, first), base + max(end, last))
            decision = assertions.part(f"decision@{span.start}")
            case = assertions.part(f"case@{span.start}")
            assertions.labels.setdefault(decision, "decision")
            assertions.labels.setdefault(case, "case")
            node = _node(assertions, court.name)
            know_court(assertions, node, court)
            assertions.state(decision, LX.decides, case, span)
            assertions.state(case, LX.heardBy, node, span)
            assertions.state(decision, LX.decisionDate, date.node, span)


def known_court(name: str) -> Court | None:
    """Return a court that courts-db has by the name, or by that of its circuit."""
    for pattern, (first, last) in _SAT:
        if pattern.search(name):
            return Court(name, first, last)
    bare = _RE["federal"].sub("", name)
    circuit = _RE["circuit"].search(bare)
    tries = [name, bare, *([f"Court of Appeals for the {circuit[0]}"] if circuit else [])]
    return next((court for one in tries if (court := find_court(one))), None)


def _read_cited(
    assertions: Assertions,
    text: str,
    words: str,
    base: int,
    dates: list[Mention],
    citations: list[Citation],
) -> None:
    """State what a decision of a day cites: "in its opinion of 14 May 1998 it relied on"."""
    for citation in citations:
        name = citation.name
        if name is None or not _RE["relies"].search(words[: name[0] - base]):
            continue
        for date in dates:
            before, first = words[: date.span.start - base], date.span.end - base
            opens = _RE["own_date"].search(before) or re.search(r"^(?:On|In)\s$", before)
            behind = words[first : name[0] - base]
            opens = opens or _RE["dated_decision"].match(behind) or _RE["dated_case"].search(before)
            if date.span.end <= name[0] and opens and ";" not in words[first : name[0] - base]:
                span = assertions.span(date.span.start, citation.end)
                node = assertions.part(f"opinion@{span.start}")
                assertions.labels.setdefault(node, "the decision")
                where = assertions.span(*name)
                cited = decision_node(text, citation)
                assertions.state(node, LX.cites, cited, span, parts=(None, None, where))
                assertions.state(node, LX.decisionDate, date.node, span)
                break

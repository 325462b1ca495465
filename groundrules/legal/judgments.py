"""Captions of judgments: parties, court, docket number, dates, judges, and what is cited.

A caption stands at the head of a judgment, ``A LLC, Plaintiff, v. B LLC, Defendant.`` The case it
names is *the* case of the text and its sources, and its decision *the* decision.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.values.value_reader import find_values
from groundrules.legal.lawphrases import phrases, rows
from groundrules.legal.namespace import LX
from groundrules.legal.reporters import (
    decision_node,
    find_citations,
    find_court,
    know_court,
)
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import ENTITY, Mention, mint

#: The case and the decision that a document is about, and those they are an appeal from.
CASE = mint(ENTITY, "case")
DECISION = mint(ENTITY, "decision")
BELOW = mint(ENTITY, "case below")
DECISION_BELOW = mint(ENTITY, "decision below")
#: How far a caption reaches, in characters.
_HEAD = 4000
_RE = phrases("judgments")
_HEADED = rows("judgments", "headed")
_JUDGES = rows("judgments", "judges")


def read_judgments(assertions: Assertions) -> None:
    """State what the caption of a judgment says, and which decisions it cites."""
    text = assertions.extraction.document.text
    head = text[:_HEAD]
    caption = _RE["caption"].search(head)
    if caption:
        _read_caption(assertions, head, caption)
    _read_below(assertions, text)
    _read_citing(assertions, text, judgment=caption is not None)
    for match in _RE["ecli"].finditer(text):
        node = mint(ENTITY, match[0])
        assertions.labels.setdefault(node, match[0])
        span = assertions.span(*match.span())
        assertions.state(node, LX.ecli, Literal(match[0]), span, parts=(span, None, span))


def _read_caption(assertions: Assertions, head: str, caption: re.Match[str]) -> None:
    whole = assertions.span(*caption.span())

    def add_fact(subject: URIRef, predicate: URIRef, value: Node, place: tuple[int, int]) -> None:
        span = assertions.span(*place)
        assertions.state(subject, predicate, value, span, parts=(None, None, span))

    sides = [" ".join(caption[side].rstrip(",").split()) for side in ("first", "second")]
    title = " v. ".join(_title(side) for side in sides)
    assertions.labels[CASE] = title
    assertions.labels[DECISION] = f"the decision in {title}"
    assertions.state(CASE, RDF.type, LX.LegalCase, whole)
    assertions.state(CASE, LX.caseName, Literal(title), whole)
    assertions.state(DECISION, RDF.type, LX.JudicialDecision, whole)
    assertions.state(DECISION, LX.decides, CASE, whole)
    for side, predicate in (("first", LX.hasPlaintiff), ("second", LX.hasDefendant)):
        start, end = caption.span(side)
        add_fact(CASE, predicate, assertions.thing(start, end), (start, end))
    if court := _RE["court"].search(head):
        name = _title(" ".join(court["court"].split()))
        node = mint(ENTITY, name)
        assertions.labels.setdefault(node, name)
        add_fact(CASE, LX.heardBy, node, court.span("court"))
        if found := find_court(name):
            know_court(assertions, node, found)
    if docket := _RE["docket"].search(head):
        add_fact(CASE, LX.docketNumber, Literal(docket["number"]), docket.span("number"))
    if appeal := _RE["appeal"].search(head):
        assertions.labels.setdefault(BELOW, "the case below")
        add_fact(CASE, LX.appealOf, BELOW, appeal.span())
    for pattern, (day,) in _HEADED:
        if (headed := pattern.search(head)) and (date := _date(headed)):
            subject = DECISION if day == "decisionDate" else CASE
            add_fact(subject, LX[day], date, headed.span())
    for pattern, _ in _JUDGES:
        for match in pattern.finditer(head):
            for place in _split(match):
                add_fact(DECISION, LX.hasJudge, assertions.thing(*place), place)


def _read_below(assertions: Assertions, text: str) -> None:
    """State when the court below entered judgment."""
    for match in _RE["judgment_below"].finditer(text):
        if date := _date(match):
            span = assertions.span(*match.span())
            assertions.labels.setdefault(BELOW, "the case below")
            assertions.labels.setdefault(DECISION_BELOW, "the judgment below")
            assertions.state(DECISION_BELOW, LX.decides, BELOW, span)
            assertions.state(DECISION_BELOW, LX.decisionDate, date, span)


def _read_citing(assertions: Assertions, text: str, *, judgment: bool) -> None:
    """State what the decision cites: all that a judgment does, and what others say it relied on.

    "In its opinion of 14 May 1998 it relied on" speaks of the decision of that day.
    """
    for citation in find_citations(text):
        if citation.name is None or citation.parallel:
            continue
        first = max(0, citation.name[0] - 160)
        relies = _RE["relies"].search(text, first, citation.name[0])
        if not (judgment or relies):
            continue
        name = assertions.span(*citation.name)
        day = None if judgment else _own_day(assertions, text, citation.name[0])
        start = day.span.start if day else relies.start() if relies else name.start
        whole = assertions.span(start, citation.end)
        node = assertions.part(f"opinion@{start}") if day else DECISION
        assertions.labels.setdefault(node, "the decision")
        cited = decision_node(text, citation)
        assertions.state(node, LX.cites, cited, whole, parts=(None, None, name))
        if day:
            assertions.state(node, LX.decisionDate, day.node, whole)


def _own_day(assertions: Assertions, text: str, place: int) -> Mention | None:
    """Return the day of what is said before a place in a sentence, None where it tells none."""
    sentence = assertions.sentence_at(place)
    for day in assertions.extraction.mentions if sentence else ():
        if day.kind != "DATE" or not sentence or not sentence.start <= day.span.start < place:
            continue
        before = text[sentence.start : day.span.start]
        opens = _RE["own_date"].search(before) or re.search(r"^(?:On|In)\s$", before)
        if opens and ";" not in text[day.span.end : place]:
            return day
    return None


def _title(name: str) -> str:
    """Return a name in capitals as sentences have it."""
    if not name.isupper():
        return name
    small = {"of", "the", "for", "and", "in"}
    kept = {"LLC", "LLP", "LP", "USA", "N.A."}
    words = [
        word
        if word.rstrip(",") in kept
        else word.lower()
        if word.lower() in small
        else word.title()
        for word in name.split()
    ]
    return " ".join(words)


def _date(match: re.Match[str]) -> Literal | None:
    dates = [value for value in find_values(match["date"]) if value.kind == "DATE"]
    return dates[0].literal if dates else None


def _split(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the names in a list."""
    base = match.start("names")
    for part in re.finditer(r"(?:(?!,? and |,\s).){2,60}", match["names"]):
        words = re.search(r"(?:and )?(?:Chief Judge |Judge )?([A-Z].*)", part[0])
        if words:
            yield base + part.start() + words.start(1), base + part.end()

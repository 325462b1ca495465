"""An edit of a card: the words taken out and put in, and the triples before and after it."""

from __future__ import annotations

from collections.abc import Mapping

from rdflib.term import Node

from groundrules.explain.contrast import (
    added,
    changes,
    contradicts,
    focus,
    label,
    opposes,
    parts_of,
)
from groundrules.explain.formats.html import diagrams
from groundrules.explain.formats.html.diagrams import Edge
from groundrules.explain.formats.html.markup import Html, element
from groundrules.explain.formats.html.passages import rewritten
from groundrules.terms import Claim, Report, Statement, Triple, Violation

_NEIGHBOURS = 2  # other triples in the picture of one


def edit(violation: Violation, statement: Statement | None, report: Report) -> Html | None:
    """Return an edit as words taken out and put in, and the graph before and after it."""
    diff = rewritten(violation, statement, report) if statement else None
    graphs = _graphs(violation, report)
    if diff is None and graphs is None:
        return None
    return element("div", diff, graphs, class_="edit")


def _graphs(violation: Violation, report: Report) -> Html | None:
    """Return the triple at fault with its neighbours, before and after the edit; None without."""
    claim = violation.claim
    if claim is None or claim.origin == "statement":
        return None
    labels = report.labels
    negative = claim.polarity == "negative"
    mine = _edge(claim.triple, labels, negative, "out")
    other_triple = added(violation)
    done = "after the edit" if violation.edit else "as the source has it"
    if opposes(violation) == "polarity":
        other = _edge(claim.triple, labels, not negative, "in")
    elif other_triple is not None:
        other = _edge(other_triple, labels, negative, "in")
    elif violation.edit is not None:
        other = None
    elif violation.evidence and contradicts(violation):
        other = _edge(violation.evidence[0].triple, labels, False, "in")
    else:
        return None
    if other is not None:
        mine, other = diagrams.apart(mine, other)
    around = [
        _edge(one.triple, labels, one.polarity == "negative")
        for one in report.claims
        if one.sentence == claim.sentence
        and one.triple != claim.triple
        and one.triple.subject == claim.triple.subject
        and not _falls(one, claim, violation, report)
    ][:_NEIGHBOURS]
    before = diagrams.graph([mine, *around], f"claimed: {_said(mine)}")
    if other is not None:
        after = diagrams.graph([other, *around], f"{done}: {_said(other)}")
    elif around:
        after = diagrams.graph(around, f"{done}: without it")
    else:
        after = element("p", "nothing is left of it", class_="dim")
    return element(
        "div",
        element("figure", before, element("figcaption", "claimed")),
        element("figure", after, element("figcaption", done)),
        class_="graphs",
    )


def _falls(one: Claim, claim: Claim, violation: Violation, report: Report) -> bool:
    """Return whether a neighbour of a claim falls with it: it has a part or words that change."""
    other = added(violation)
    wrong: set[Node] = {claim.triple.predicate} if opposes(violation) else set()
    if other is not None:
        parts = zip(parts_of(claim.triple), parts_of(other), strict=True)
        wrong |= {old for old, new in parts if old != new}
    changed = [span for span, _ in changes(violation, report)]
    spans = changed or [one for one in (focus(violation),) if one]
    words = any(
        part.start < span.end and span.start < part.end
        for part in one.parts
        if part
        for span in spans
    )
    return words or bool(wrong & {*parts_of(one.triple)})


def _edge(triple: Triple, labels: Mapping[Node, str], negative: bool, state: str = "") -> Edge:
    middle = label(triple.predicate, labels)
    if negative and "not" not in middle.split():
        middle = f"not {middle}"
    return Edge(label(triple.subject, labels), middle, label(triple.object, labels), state)


def _said(edge: Edge) -> str:
    return f"{edge.subject} · {edge.predicate} · {edge.object}"

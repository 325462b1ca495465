"""The triple that an edit changes, with its neighbours, before and after the edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

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
from groundrules.terms import Claim, Report, Triple, Violation

_NEIGHBOURS = 2  # other triples beside one


@dataclass(frozen=True, slots=True)
class Edge:
    """A triple as its labels; `state` is "", "out" for what goes and "in" for what comes.

    `parts` are those that do.
    """

    subject: str
    predicate: str
    object: str
    state: str = ""
    parts: tuple[str, ...] = ("subject", "predicate", "object")

    @property
    def told(self) -> tuple[tuple[str, str], ...]:
        """Each part with what becomes of it."""
        return tuple(
            (getattr(self, part), self.state if part in self.parts else "")
            for part in ("subject", "predicate", "object")
        )


def before_and_after(
    violation: Violation, report: Report
) -> tuple[list[Edge], str, list[Edge]] | None:
    """Return the triples as claimed, what those after are called, and these; None without.

    After the edit there may be none left.
    """
    claim = violation.claim
    if claim is None or claim.origin == "statement":
        return None
    labels = report.labels
    negative = claim.polarity == "negative"
    mine = _edge(claim.triple, labels, negative, "out")
    other_triple = added(violation)
    other = None
    if opposes(violation) == "polarity":
        other = _edge(claim.triple, labels, not negative, "in")
    elif other_triple is not None:
        other = _edge(other_triple, labels, negative, "in")
    elif violation.edit is None:
        if not (violation.evidence and contradicts(violation)):
            return None
        other = _edge(violation.evidence[0].triple, labels, False, "in")
    if other is not None:
        parts = ("subject", "predicate", "object")
        differ = tuple(part for part in parts if getattr(mine, part) != getattr(other, part))
        mine, other = replace(mine, parts=differ), replace(other, parts=differ)
    around = [
        _edge(one.triple, labels, one.polarity == "negative")
        for one in report.claims
        if one.sentence == claim.sentence
        and one.triple != claim.triple
        and one.triple.subject == claim.triple.subject
        and not _falls(one, claim, violation, report)
    ][:_NEIGHBOURS]
    done = "after the edit" if violation.edit else "as the source has it"
    return [mine, *around], done, [other, *around] if other else around


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

"""One fault, one finding: what stands of the assertions of a text, and the two ends of a conflict.

An axiom that two assertions break together is found once at each. Which of them is wrong a source
decides, where one states the one or contradicts the other; where none does, they are one finding,
which names both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rdflib.term import Literal

from groundrules.calendar import DATES
from groundrules.terms import Claim, Evidence, Triple, Violation

__all__ = ["as_one", "with_standing"]


def with_standing(
    violations: Iterable[Violation], every: Iterable[Violation], stated: Iterable[Claim]
) -> tuple[Violation, ...]:
    """Return the violations without those that rest on assertions of the text which cannot tell.

    What a source states is not refuted by what the text alone asserts, and what a source
    contradicts refutes nothing. `every` are all that were found, those not shown included.
    """
    known = {claim.triple for claim in stated if claim.polarity == "positive"}
    fallen = {v.claim.triple for v in every if v.claim and _sourced(v, known)} - known

    def stands(violation: Violation) -> bool:
        claim = violation.claim
        if claim is None or not violation.evidence or _sourced(violation, known):
            return True
        others = {item.triple for item in violation.evidence}
        return claim.triple not in known and not (others and others <= fallen)

    return tuple(v for v in violations if stands(v))


def _sourced(violation: Violation, known: Collection[Triple]) -> bool:
    """Return whether a source gives any of the evidence of a violation."""
    return any(item.triple in known for item in violation.evidence)


def as_one(violations: Sequence[Violation]) -> tuple[Violation, ...]:
    """Return the violations with those that are each other's evidence joined, the first one first.

    So are those of several rules that find the same two values at odds at one place; the one in the
    terms of an ontology speaks for them.
    """
    by_triple: dict[tuple[str, Triple], list[int]] = {}
    for at, violation in enumerate(violations):
        if violation.claim is not None:
            by_triple.setdefault((violation.rule, violation.claim.triple), []).append(at)
    taken: set[int] = set()
    joined = [
        _joined(list(_ends(violations, at, taken, by_triple)))
        for at in range(len(violations))
        if at not in taken
    ]
    out = list(_told_once(joined))
    by_values: dict[frozenset[Literal], list[Violation]] = {}
    for one in out:
        if len(values := _values(one)) == 2:
            by_values.setdefault(values, []).append(one)
    return tuple(
        one
        for one in out
        if not any(_speaks_for(other, one, out) for other in by_values.get(_values(one), ()))
    )


def _told_once(violations: Sequence[Violation]) -> Iterator[Violation]:
    """Yield the violations; of those that say one thing of one sentence that with both ends."""
    best: dict[tuple[str, str, str, int], Violation] = {}
    for one in violations:
        if one.claim is not None:
            told = (one.rule, one.message, one.claim.span.source, one.claim.sentence)
            held = best.setdefault(told, one)
            best[told] = one if len(one.others) > len(held.others) else held
    for one in violations:
        key = (
            (one.rule, one.message, one.claim.span.source, one.claim.sentence)
            if one.claim
            else None
        )
        if key is None or best[key] is one or not best[key].others:
            yield one


def _ends(
    violations: Sequence[Violation],
    first: int,
    taken: set[int],
    by_triple: Mapping[tuple[str, Triple], Sequence[int]],
) -> Iterator[Violation]:
    """Yield a violation and all that it is joined with, through others too."""
    todo = [first]
    taken.add(first)
    while todo:
        one = violations[todo.pop(0)]
        yield one
        for triple in {item.triple: None for item in one.evidence}:
            for at in by_triple.get((one.rule, triple), ()):
                if at not in taken and _mutual(one, violations[at]):
                    taken.add(at)
                    todo.append(at)


def _mutual(one: Violation, other: Violation) -> bool:
    if one.claim is None or other.claim is None or one.severity != other.severity:
        return False
    same = one.claim.span.source == other.claim.span.source
    return same and any(item.triple == one.claim.triple for item in other.evidence)


def _joined(group: Sequence[Violation]) -> Violation:
    first, *others = group
    if not others:
        return first
    evidence: dict[tuple[Triple, str], Evidence] = {}
    for violation in group:
        for item in violation.evidence:
            if first.claim is None or item.triple != first.claim.triple:
                evidence.setdefault((item.triple, item.source), item)
    claims = tuple(v.claim for v in others if v.claim is not None)
    return replace(first, evidence=tuple(evidence.values()), others=claims)


def _speaks_for(other: Violation, violation: Violation, order: Sequence[Violation]) -> bool:
    """Return whether another violation, of better standing, tells of the same two values."""
    if violation is other or violation.claim is None or other.claim is None:
        return False
    a, b = violation.claim.span, other.claim.span
    places = [a, *(e.span for e in violation.evidence if e.span)]
    near = any(p.source == b.source and p.start < b.end and b.start < p.end for p in places)
    in_words = [v.claim is not None and v.claim.origin != "ontology" for v in (violation, other)]
    better = (in_words[1], order.index(other)) < (in_words[0], order.index(violation))
    return near and better and violation.severity == other.severity


def _values(violation: Violation) -> frozenset[Literal]:
    """Return the date at fault and those that it is at odds with."""
    if violation.claim is None:
        return frozenset()
    objects = [violation.claim.triple.object, *(e.triple.object for e in violation.evidence)]
    return frozenset(one for one in objects if isinstance(one, Literal) and one.datatype in DATES)

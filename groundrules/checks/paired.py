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
from groundrules.terms import Claim, Evidence, Outcome, Severity, Triple, Verdict, Violation


def with_standing(
    violations: Iterable[Violation], every: Iterable[Violation], stated: Iterable[Claim]
) -> tuple[Violation, ...]:
    """Return the violations without those that rest on assertions of the text which cannot tell.

    What a source states is not refuted by what the text alone asserts, and what a source
    contradicts refutes nothing. Where all that an ontology rules out is what sources state, it is
    they that break it: the finding is told and refutes nothing. `every` are all that were found,
    those not shown included.
    """
    known = {claim.triple for claim in stated if claim.polarity == "positive"}
    fallen = {v.claim.triple for v in every if v.claim and _sourced(v, known)} - known

    def is_theirs(violation: Violation) -> bool:
        claim = violation.claim
        return claim is not None and by_axioms(violation) and claim.triple in known

    def stands(violation: Violation) -> bool:
        claim = violation.claim
        if claim is None or not violation.evidence or _sourced(violation, known):
            return True
        others = {item.triple for item in violation.evidence}
        return claim.triple not in known and not (others and others <= fallen)

    return tuple(told_only(v) if is_theirs(v) else v for v in violations if stands(v))


def told_only(violation: Violation) -> Violation:
    """Return a violation as one that is told and decides nothing, since a source says the same."""
    return replace(violation, severity=Severity.INFO)


def with_known(
    violations: Iterable[Violation], verdicts: Iterable[Verdict]
) -> tuple[Violation, ...]:
    """Return the violations with what knowledge bases support standing against an ontology.

    `verdicts` are those on the claims that they were asked about. Of two ends that contradict each
    other the one that they do not support is at fault; where they support all, it is only told.
    """
    by_claim = {one.claim.id: one for one in verdicts}
    by_sentence: dict[int, list[Verdict]] = {}
    for one in by_claim.values():
        if one.stage == "kb":
            by_sentence.setdefault(one.claim.sentence, []).append(one)

    def is_known(claim: Claim) -> bool:
        own = by_claim.get(claim.reads or claim.id)
        asked = [own] if own is not None else by_sentence.get(claim.sentence, [])
        known = [one.stage == "kb" and one.outcome is Outcome.SUPPORTED for one in asked]
        return bool(known) and all(known)

    return tuple(
        _standing(one, [c for c in one.claims if is_known(c)]) if by_axioms(one) else one
        for one in violations
    )


def _standing(violation: Violation, known: Sequence[Claim]) -> Violation:
    """Return a violation of which some claims are known to hold, at the others where there are."""
    left = [one for one in violation.claims if one not in known]
    if not known or not left:
        return told_only(violation) if known else violation
    first, *others = left
    more = tuple(Evidence(one.triple, one.span.source, one.span) for one in known)
    evidence = tuple(item for item in violation.evidence if item.triple != first.triple)
    kept = {item.triple for item in evidence}
    evidence += tuple(item for item in more if item.triple not in kept)
    return replace(violation, claim=first, others=tuple(others), evidence=evidence)


def by_axioms(violation: Violation) -> bool:
    """Return whether an ontology, or what plain English says of relations, rules a claim out.

    So it is with whatever is in the terms of an ontology, and with a rule that shows axioms.
    """
    claim = violation.claim
    if claim is None or claim.polarity != "positive":
        return False
    return claim.in_terms or bool(violation.axioms)


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
    in_words = [v.claim is not None and not v.claim.in_terms for v in (violation, other)]
    better = (in_words[1], order.index(other)) < (in_words[0], order.index(violation))
    return near and better and violation.severity == other.severity


def _values(violation: Violation) -> frozenset[Literal]:
    """Return the date at fault and those that it is at odds with."""
    if violation.claim is None:
        return frozenset()
    objects = [violation.claim.triple.object, *(e.triple.object for e in violation.evidence)]
    return frozenset(one for one in objects if isinstance(one, Literal) and one.datatype in DATES)

"""One verdict of several: documents and knowledge bases, a check with a language model and without.

Where a knowledge base supports a claim, it is no fault that the documents do not have it:
violations that say so are left out. A fault that the check without a language model found in a
claim stands; only that words are missing may be settled by the grade that a model gives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from rdflib.term import URIRef

from groundrules.align.graphs.kernel import KERNELS, metric_of
from groundrules.checks.verdicts import (
    OF_MODELS,
    OPEN,
    READ,
    UNREAD,
    doubts_wording,
    stages,
)
from groundrules.explain.findings import UNGRADED
from groundrules.rules import engine
from groundrules.terms import READ_BY, Claim, Outcome, Report, Ruling, Statement, Verdict, Violation

#: Which of several outcomes for one claim is told, where no rule says they conflict.
ORDER = (
    Outcome.CONFLICTING,
    Outcome.REFUTED,
    Outcome.SUPPORTED,
    Outcome.ERROR,
    Outcome.NOT_ENOUGH_INFO,
    Outcome.UNVERIFIABLE,
)
#: Reasons of what is open for want of words, of one passage that has them all, or of a figure, of
#: which a grade that supports has named the sum.
_WANTING = ("support", "figure")


def merge(documents: Verdict | None, ruling: Ruling | None) -> Verdict | None:
    """Return the one verdict on a claim that documents and knowledge bases were asked about."""
    if ruling is None:
        return documents
    claim = documents.claim if documents else ruling.claim
    theirs = Verdict(
        claim, ruling.outcome, ruling.rule, "kb", message=ruling.message, evidence=ruling.evidence
    )
    if documents is None or ruling.outcome is Outcome.CONFLICTING:
        return theirs
    return min(theirs, documents, key=lambda verdict: ORDER.index(verdict.outcome))


def merge_all(
    claims: Iterable[Claim],
    documents: Iterable[Verdict],
    rulings: Mapping[URIRef, Ruling],
    *,
    alone: bool,
) -> tuple[Verdict, ...]:
    """Return the verdicts on claims, of those that documents or knowledge bases were asked about.

    Beside documents, what only the surface gave and no source knows is no news; `alone` says that
    there are none.
    """
    given = {verdict.claim.id: verdict for verdict in documents}
    out = []
    for claim in claims:
        verdict = merge(given.get(claim.id), rulings.get(claim.id))
        if verdict is None:
            continue
        no_news = not alone and claim.origin == "phrases"
        if not (no_news and verdict.outcome is Outcome.UNVERIFIABLE):
            out.append(replace(verdict, claim=claim))
    return tuple(out)


def without_known(
    violations: Iterable[Violation], verdicts: Iterable[Verdict], read: Collection[int] = ()
) -> tuple[Violation, ...]:
    """Return the violations without those that miss what a knowledge base carries.

    What is missed in a statement is carried where all its claims are that were asked about, and
    where words of it are missed, one of these claims has them. In the sentences that a model has
    `read`, by number, so is what is missed in any claim, for they are read whole.
    """
    asked: dict[int, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.stage == "kb":
            asked.setdefault(verdict.claim.sentence, []).append(verdict)

    def carried(violation: Violation) -> bool:
        claim = violation.claim
        if claim is None or not violation.traits.misses:
            return False
        told = asked.get(claim.sentence, ())
        kept = [one.claim for one in told if one.outcome is Outcome.SUPPORTED]
        if claim.origin != "statement" and claim.sentence not in read:
            return any(one.id == claim.id for one in kept)
        return len(kept) == len(told) > 0 and _within(violation, kept)

    return tuple(violation for violation in violations if not carried(violation))


def _within(violation: Violation, claims: Iterable[Claim]) -> bool:
    """Return whether one of some claims has the words that a rule names, if it names any."""
    row = dict(violation.bindings)
    if "start" not in row or "end" not in row:
        return True
    start, end = int(str(row["start"])), int(str(row["end"]))
    return any(one.span.start <= start and end <= one.span.end for one in claims)


def merge_reports(
    report: Report,
    plain: Report,
    settled: Collection[str],
    graph_rules: Collection[str] | None = None,
    read: Mapping[int, str] | None = None,
) -> Report:
    """Return the report of a check with a language model, with all that one without it found.

    What the rules hold against a claim without a model stands: its verdict stays unless the other
    is refuted, and so do metrics.
    A grade settles only that the words of a statement are wanting in the sources, which the
    `settled` rules say, and that a figure is, where it names the numbers that give it.
    What the model has read is judged by itself, so it may find once more what was found without it:
    by the same rule in the same words that is told once.
    Where the graphs are the model's, WL is that of the graphs, and `graph_rules` are the rules that
    read it: what they find is added.
    Open statements that knowledge bases settle by what the model has read of them are as they are
    with it, with all that is found in them; `read` says of these who has read what, by number.
    """
    outcomes = {one.number: one.outcome for one in report.statements}
    told = (Outcome.SUPPORTED, Outcome.REFUTED, Outcome.CONFLICTING)
    read = {n: by for n, by in (read or {}).items() if outcomes.get(n) in told}
    against = (Outcome.REFUTED, Outcome.CONFLICTING)
    statements = tuple(_merged_statements(report.statements, plain.statements, settled, read))
    granted = {one.id for one in statements if one.reason in OF_MODELS}
    borne_out = {one.number for one in statements if one.reason == READ}
    faulted = {
        v.claim.id: v.claim
        for v in plain.violations
        if v.claim is not None and v.claim.sentence not in read
    }
    faulted |= {v.claim.id: v.claim for v in plain.verdicts if v.outcome in against}

    def kept(claim: Claim) -> Claim:
        return faulted.get(claim.id, claim)

    held = {v.claim.id: v for v in plain.verdicts if v.claim.id in faulted}
    verdicts = tuple(
        v
        if v.claim.id not in held or (v.outcome is Outcome.REFUTED and kept(v.claim) == v.claim)
        else held[v.claim.id]
        for v in report.verdicts
    )

    def is_void(violation: Violation) -> bool:
        """Return whether a violation is about what a model has settled."""
        claim = violation.claim
        if claim is None:
            return False
        return (
            claim.sentence in read
            or (claim.id in granted and (violation.rule in settled or violation.traits.misses))
            or (claim.sentence in borne_out and doubts_wording(violation))
        )

    stands = (v for v in plain.violations if not is_void(v))
    known = {v.rule for v in plain.violations if v.claim is None}
    found = [v for v in plain.violations if v.claim is not None]
    told_of = {(v.rule, v.claim.id) for v in found if v.claim is not None}

    def is_news(violation: Violation) -> bool:
        """Return whether what somebody else has read shows what our own reading has not shown."""
        claim = violation.claim
        return (
            claim is None
            or not claim.read_by
            or not any(
                one.rule == violation.rule and _touch(one.claims, violation.claims) for one in found
            )
        )

    more = (
        v
        for v in filter(is_news, report.violations)
        if (
            v.rule in (graph_rules or ()) and v.rule not in known
            if v.claim is None
            else v.claim.sentence in read
            or ((v.rule, v.claim.id) not in told_of and kept(v.claim) == v.claim)
        )
    )
    with_model = {one.name: one for one in report.metrics}
    likeness = {metric_of(kernel) for kernel in KERNELS if graph_rules is not None}
    before = dict(plain.run.calls)
    run = replace(
        report.run,
        stages=stages(statements),
        calls=tuple((name, count + before.get(name, 0)) for name, count in report.run.calls),
    )
    return replace(
        report,
        claims=tuple(kept(claim) for claim in report.claims),
        statements=statements,
        verdicts=verdicts,
        violations=tuple(sorted((*stands, *map(_with_reader, more)), key=engine.place)),
        metrics=tuple(
            with_model.get(one.name, one) if one.name in likeness else one for one in plain.metrics
        ),
        labels={**plain.labels, **report.labels},
        run=run,
    )


def _with_reader(violation: Violation) -> Violation:
    """Return a violation that says who has read the claim that it is about, if we have not."""
    claim = violation.claim
    if claim is None or not claim.read_by or not violation.because:
        return violation
    return replace(violation, because=f"{violation.because}; {READ_BY} {claim.read_by}")


def _touch(some: Iterable[Claim], others: Iterable[Claim]) -> bool:
    """Return whether one of some claims and one of others have words in common."""
    places = [one.span for one in others]
    return any(
        one.span.source == place.source
        and one.span.start < place.end
        and place.start < one.span.end
        for one in some
        for place in places
    )


def with_ungraded(report: Report, missed: Mapping[int, str], unasked: Sequence[str]) -> Report:
    """Return the report with what a language model was asked and did not say.

    A statement that is open without its grade is unverifiable, `missed` says why by its number;
    what is supported or refuted without it stands. `unasked` is what it could not be asked.
    """

    def closed(one: Statement) -> Statement:
        if one.outcome is not Outcome.NOT_ENOUGH_INFO or one.number not in missed:
            return one
        note = f"not graded: {missed[one.number]}"
        return replace(one, outcome=Outcome.UNVERIFIABLE, reason=UNGRADED, note=note)

    statements = tuple(map(closed, report.statements))
    return replace(
        report,
        statements=statements,
        unasked=(*report.unasked, *unasked),
        run=replace(report.run, stages=stages(statements)),
    )


def _merged_statements(
    with_model: Sequence[Statement],
    plain: Sequence[Statement],
    settled: Collection[str],
    read: Mapping[int, str],
) -> Iterable[Statement]:
    """Yield the statements as judged without a model, but where the one with it tells more."""
    found = {one.id: one for one in with_model}
    for one in plain:
        other = found.get(one.id, one)
        if one.number in read:
            by = f"{READ_BY} {read[one.number]}"
            yield replace(other, note=f"{other.note}; {by}" if other.note else by)
            continue
        kept = other if _prevails(other, one, settled) else one
        yield replace(kept, read_by=other.read_by)


def _prevails(with_model: Statement, plain: Statement, settled: Collection[str]) -> bool:
    """Return whether a statement is refuted or doubted only with a model, or settled by a grade.

    A grade settles what is open for want of words, of one passage that has them all, or of a figure
    that it reckons; what any other rule doubts stays in doubt. A licensed reader settles whatever
    is open. What we could not read is as a reader of its language reads it.
    """
    if plain.reason == UNREAD:
        return with_model.reason != UNREAD
    if with_model.outcome is Outcome.REFUTED:
        return plain.outcome is not Outcome.REFUTED
    supported = plain.outcome is Outcome.SUPPORTED
    unsettled = plain.outcome is Outcome.NOT_ENOUGH_INFO
    if with_model.reason == READ:
        return supported or unsettled
    if with_model.reason in OF_MODELS:
        return supported or (unsettled and plain.reason in (*settled, *_WANTING))
    doubted = with_model.outcome is Outcome.NOT_ENOUGH_INFO and with_model.reason not in OPEN
    return doubted and (supported or (unsettled and plain.reason in (*settled, *OPEN)))

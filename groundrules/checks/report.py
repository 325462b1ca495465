"""The report of a text: read, judged, merged, and its edits read again in their places."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from groundrules.align.kernel import metric_of
from groundrules.align.missing_words import quoted
from groundrules.align.statements import AlignedStatement
from groundrules.checks.clock import Clock
from groundrules.checks.documents import (
    BesideDocuments,
    Resolved,
    case_of,
    compare,
    grade,
    read,
    read_statements,
    superseded_case,
    tell_terms,
    unasked_of,
    with_triples,
)
from groundrules.checks.extractions import parse_once
from groundrules.checks.inputs import MAX_WORDS, bound, unread
from groundrules.checks.judge import Judgement, judge
from groundrules.checks.merge import merge_reports, with_ungraded, without_known
from groundrules.checks.paired import by_axioms, with_known
from groundrules.checks.plan import Plan, kb_rules, text_rules
from groundrules.checks.verdicts import (
    judge_claims,
    judge_statements,
    resting_on,
    stages,
    without_suppressed,
)
from groundrules.claims.documents.document import Document, shortened
from groundrules.claims.models.grades import Grades
from groundrules.config import BUILT_IN, GRADES, KEA, TERMS, TRIPLES
from groundrules.explain.contrast import headline
from groundrules.explain.repair import Key, key_of, settle
from groundrules.models import embed
from groundrules.ontology.read.reader import Reading
from groundrules.rules import engine
from groundrules.terms import (
    LLM,
    Claim,
    Metric,
    Outcome,
    Report,
    Run,
    Statement,
    Verdict,
    Violation,
)

if TYPE_CHECKING:
    from groundrules.checks import kb
    from groundrules.checks.kbreading import ClaimsRead
    from groundrules.llm.budget import Usage
    from groundrules.llm.client import Client


#: How many times what the rules take without a language model they may take with it, at most: the
#: claims compared again, and the text with its edits read twice.
_AGAIN = 2.0


def report_of(
    document: Document, plan: Plan, client: Client | None, clock: Clock, *, verify: bool
) -> Report:
    """Return the report of a text under a plan; see `api.check`.

    With a language model what is found without it stands (`check_with_model`), and it words the
    explanations where that is wanted. The safe edits are made in the text, which is read again with
    them, unless `verify` is false.
    """
    before = plan.budget.usage if plan.budget else None
    if client is None and not plan.readers:
        report = check_text(document, plan, clock)
    else:
        report = check_with_model(document, plan, client, clock)
    report = with_superseded(report, document, plan, clock)
    if verify:
        edited = replace(plan, edited=document)

        def again(text: str) -> Report:
            return check_text(replace(document, text=text), edited, edits=False)

        report = settle(report, again)
        clock.mark("edits read again")
        report = _timed(report, clock)
    if client is not None and plan.config.llm.phrase:
        report = _phrased(report, _in_time(client, plan, clock), clock)
    if plan.budget is None or before is None:
        return report
    run = report.run
    calls = (*run.calls, *llm_calls(before, plan.budget.usage))
    notes = (*run.notes, *(client.notes if client else ()))
    return replace(report, run=replace(run, calls=calls, notes=notes))


def _in_time(client: Client, plan: Plan, clock: Clock, kept: float = 0.0) -> Client:
    """Return a client with the time that a check leaves it, but for some seconds of that."""
    most = plan.config.llm.deadline or math.inf
    end = time.monotonic() + most - clock.seconds
    return client.until(min(end, client.deadline) - kept)


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found on a text: by the rules, of its claims, of its statements."""

    beside: BesideDocuments
    judged: Judgement
    verdicts: tuple[Verdict, ...]
    statements: tuple[Statement, ...]
    asked: kb.Inquiry | None


def check_text(
    document: Document, plan: Plan, clock: Clock | None = None, *, edits: bool = True
) -> Report:
    """Return the report of a text, whose edits of words nobody has tried.

    Without `edits` none is tried, and the dataset is not told. SourceError for a text too long.
    """
    clock = clock or Clock()
    bound([document], MAX_WORDS)
    beside = compare(read(document, plan, clock), plan, clock)
    return _report(document, plan, _find(beside, plan, clock, edits=edits), None, clock)


def check_with_model(document: Document, plan: Plan, client: Client | None, clock: Clock) -> Report:
    """Return the report of a text as licensed readers, or a language model, read it too.

    The text is judged as it is read without a model, and that stands. Then the readers are asked
    about what is open, in turn, and the language model as long as there is time: beside readers
    about what they have not settled. The text is judged once more where that adds anything, and of
    that only what is new has its edits tried. One parse serves both, but that of long contexts: a
    model is given all of them, and without one what bears on the text is parsed, as in any check.
    What the model does not answer leaves open statements unverifiable (`with_ungraded`).
    SourceError for a text too long.
    """
    bound([document], MAX_WORDS)
    parse_once(shortened(document)[0], plan.contexts, plan.config.model)
    by_parser = read(document, plan, clock)
    plain = compare(by_parser, plan, clock)
    found = _find(plain, plan, clock)
    beside, open_to = plain, None
    if client is not None:
        client = _in_time(client, plan, clock, _AGAIN * clock.seconds)
    if plan.readers and plan.contexts:
        beside, open_to = read_statements(plain, by_parser.sources, plan, _open(found), clock)
    if client is not None:
        beside = _as_told(beside, plain, by_parser, document, plan, client, clock, open_to)
    claims = None
    if client is not None and TERMS in plan.config.llm.jobs and plan.config.kb:
        from groundrules.checks.kbreading import read_claims

        claims = read_claims(plain.text, _unsettled(found), plan, client)
        clock.mark("claims read for knowledge bases")
        beside = replace(
            beside, notes=(*beside.notes, *claims.notes), unasked=(*beside.unasked, *claims.unasked)
        )
    missed, unasked = beside.missed, beside.unasked
    by = claims.by if claims else {}
    if not by and beside == replace(plain, notes=beside.notes, missed=missed, unasked=unasked):
        report = _report(document, plan, replace(found, beside=beside), client, clock)
        return with_ungraded(report, missed, unasked)
    report = _report(document, plan, found, None, clock)
    tried = {key_of(one) for one in report.violations}
    found = _find(beside, plan, clock, tried=tried, claims=claims)
    clock.mark("with the language model")
    rules = text_rules(plan).rules
    settled = {rule.id for rule in rules if rule.traits.settled_by_grade}
    # where the graphs are the model's
    graph_rules = [rule.id for rule in rules if "WL" in rule.reads]
    theirs = graph_rules if plan.config.align.graphs == KEA and plan.contexts else None
    with_model = _report(document, plan, found, client, clock)
    merged = merge_reports(with_model, report, settled, theirs, by)
    return with_ungraded(merged, missed, unasked)


def _as_told(
    beside: BesideDocuments,
    plain: BesideDocuments,
    read_: Resolved,
    document: Document,
    plan: Plan,
    client: Client,
    clock: Clock,
    open_to: Collection[int] | None,
) -> BesideDocuments:
    """Return a text beside its documents as a language model tells it, its grades first.

    What is spent on these comes before what is spent on triples, and on the terms of an ontology.
    """
    jobs, grades = plan.config.llm.jobs, Grades()
    if GRADES in jobs:
        beside, grades = grade(beside, read_, client, clock, open_to)
    if TRIPLES in jobs:
        by_model = read(document, plan, clock, client)
        if not by_model.says_as(read_):
            beside = with_triples(beside, plain, by_model, plan, clock)
        read_ = by_model
    beside = replace(
        beside,
        notes=(*read_.notes, *beside.notes),
        unasked=(*beside.unasked, *unasked_of(read_.unasked, grades, client.name)),
    )
    return tell_terms(beside, read_, plan, client, clock) if TERMS in jobs else beside


def with_superseded(report: Report, document: Document, plan: Plan, clock: Clock) -> Report:
    """Return a report that tells which statements only a superseded source carries.

    What such a source says is no evidence; what is not supported without it, and would be by it,
    rests on it.
    """
    if not plan.superseded:
        return report
    old = replace(plan, contexts=plan.superseded, readers=())
    beside = compare(read(document, old, clock), old, clock)
    found = _find(beside, old, clock, edits=False)
    carried = {one.number for one in found.statements if one.outcome is Outcome.SUPPORTED}
    open_to = {o.number for o in report.statements if o.outcome is not Outcome.SUPPORTED}
    resting = [one for one in beside.statements if one.number in carried & open_to]
    rules = text_rules(plan)
    ordered = tuple(rule for rule in rules.rules if rule.traits.rests_on == "order")
    names = {rule.id for rule in ordered}
    overrides = {name: table for name, table in rules.overrides.items() if name in names}
    judged = judge(
        superseded_case(resting, beside.texts),
        replace(rules, rules=ordered, overrides=overrides, shapes=()),
        edits=False,
        clock=clock,
    )
    statements = tuple(resting_on(report.statements, judged.all_violations))
    newer = ", ".join(one.name for one in plan.contexts)
    notes = [f"{one.name} is superseded by {newer}: no evidence" for one in plan.superseded]
    run = replace(report.run, stages=stages(statements), notes=(*report.run.notes, *notes))
    violations = (*report.violations, *judged.violations)
    return replace(
        report,
        statements=statements,
        violations=tuple(sorted(violations, key=engine.place)),
        run=run,
    )


class ByRules(NamedTuple):
    """Statements that rules leave open, which a reader would be asked, refute and support.

    Open is too what cannot be read for its language alone, of those whose figures are compared.
    """

    open: tuple[AlignedStatement, ...]
    refuted: tuple[AlignedStatement, ...]
    supported: tuple[AlignedStatement, ...]


def by_rules(document: Document, plan: Plan, clock: Clock) -> ByRules:
    """Return what the rules leave open of a text, what they refute, and what they support."""
    beside = compare(read(document, plan, clock), plan, clock)
    found = _find(beside, plan, clock, edits=False)
    ends = (Outcome.REFUTED, Outcome.SUPPORTED)
    told = ({one.number for one in found.statements if one.outcome is end} for end in ends)
    return ByRules(
        *(
            tuple(one for one in beside.statements if one.number in numbers)
            for numbers in (_open(found), *told)
        )
    )


def _unsettled(found: _Found) -> list[int]:
    """Return the numbers of the statements that neither documents nor knowledge bases settle."""
    unsettled = (Outcome.NOT_ENOUGH_INFO, Outcome.UNVERIFIABLE)
    return [one.number for one in found.statements if one.outcome in unsettled]


def _open(found: _Found) -> set[int]:
    """Return the numbers of the statements that a reader may be asked about."""
    foreign = {one.number for one in found.beside.statements if one.tongue}
    return {
        one.number
        for one in found.statements
        if one.outcome is Outcome.NOT_ENOUGH_INFO
        or (one.outcome is Outcome.UNVERIFIABLE and one.number in foreign)
    }


def _find(
    beside: BesideDocuments,
    plan: Plan,
    clock: Clock,
    *,
    edits: bool = True,
    tried: Collection[Key] = (),
    claims: ClaimsRead | None = None,
) -> _Found:
    """Return what rules and knowledge bases say of a text beside its documents.

    `claims` are those that a model has read in it for the knowledge bases.
    """
    case = case_of(
        beside.grounding,
        beside.reading,
        plan.ontology,
        statements=beside.statements,
        texts=beside.texts,
    )
    judged = judge(
        case,
        text_rules(plan),
        edits=edits,
        tried=tried,
        standing=partial(without_suppressed, statements=beside.statements, sources=beside.texts),
        clock=clock,
    )
    verdicts = () if plan.alone else _on_claims(beside, judged.all_violations)
    asked = None
    if plan.config.kb:
        from groundrules.checks import kb

        words = [one for one in judged.all_violations if not by_axioms(one)]
        asked = kb.inquire(
            beside.text,
            beside.grounding.claims,
            plan,
            # what a knowledge base states an ontology does not refute, so it is not told of that
            told=() if plan.alone else _on_claims(beside, words),
            terms=beside.reading.labels,
            edits=edits,
            tried=tried,
            read=claims.said if claims else None,
        )
        clock.mark("knowledge bases")
        judged = _merged(judged, asked, claims.by if claims else ())
        verdicts = asked.verdicts
        if not plan.alone:
            terms = [one for one in judged.all_violations if by_axioms(one)]
            verdicts = tuple(_refuted_by(terms, verdicts, beside))
    statements = judge_statements(
        beside.statements,
        judged.all_violations,
        asked=verdicts if asked else (),
    )
    return _Found(beside, judged, verdicts, statements, asked)


def _on_claims(beside: BesideDocuments, violations: Sequence[Violation]) -> tuple[Verdict, ...]:
    """Return the verdicts of documents on claims, in view of some violations."""
    return tuple(judge_claims(beside.grounding, violations))


def _refuted_by(
    violations: Sequence[Violation],
    verdicts: Iterable[Verdict],
    beside: BesideDocuments,
) -> Iterator[Verdict]:
    """Yield verdicts with those that violations by axioms give, if they refute.

    A refuted or conflicting verdict stays.
    """
    grave = (Outcome.REFUTED, Outcome.CONFLICTING)
    told = _on_claims(beside, violations) if violations else ()
    against = {one.claim.id: one for one in told if one.outcome in grave}
    for one in verdicts:
        yield one if one.outcome in grave else against.get(one.claim.id, one)


def _merged(judged: Judgement, asked: kb.Inquiry, read: Collection[int]) -> Judgement:
    """Return what rules find, with that of knowledge bases and without what these carry.

    `read` are the sentences that a model has read for them, by number.
    """
    judged = replace(
        judged,
        violations=with_known(judged.violations, asked.verdicts),
        hidden=with_known(judged.hidden, asked.verdicts),
    )
    kept = without_known(judged.violations, asked.verdicts, read)
    return replace(
        judged,
        violations=tuple(sorted((*kept, *asked.violations), key=engine.place)),
        hidden=without_known(judged.hidden, asked.verdicts, read),
    )


def _report(
    document: Document, plan: Plan, found: _Found, client: Client | None, clock: Clock
) -> Report:
    beside, asked, config = found.beside, found.asked, plan.config
    grounding, reading = beside.grounding, beside.reading
    report = Report(
        source=document.name,
        text=document.text,
        statements=found.statements,
        claims=tuple(v.claim for v in found.verdicts) if asked else grounding.claims,
        assertions=(*_in_terms(reading), *(asked.readings if asked else ())),
        verdicts=found.verdicts,
        violations=tuple(_deduplicated(found.judged.violations)),
        metrics=tuple(_metrics(plan, found)),
        labels={**(asked.labels if asked else {}), **reading.labels, **grounding.labels},
        sources={item.name: item.text for item in (document, *plan.given)},
        unread=tuple(unread(document, plan.given)),
        unasked=asked.unasked if asked else (),
        policy=config.policy,
        unverifiable=config.unverifiable,
        settled=config.settled,
        run=Run(
            packs=tuple((pack.name, pack.digest) for pack in plan.packs),
            models=tuple(_models(plan, asked, client)),
            params=(*_params(plan), *(asked.params if asked else ())),
            dataset=found.judged.dataset,
            stages=stages(found.statements),
            # what is replayed is to be the same to the byte
            times=() if config.offline else clock.times,
            calls=() if config.offline or asked is None else asked.calls,
            notes=tuple(_notes(plan, found)),
        ),
    )
    return _worded(report, found.judged.hidden)


def _in_terms(reading: Reading) -> Iterator[Claim]:
    """Yield what a text says in the terms of the ontology; what two have read alike is ours."""
    yield from reading.assertions
    ours = {(one.triple, one.polarity, one.modality) for one in reading.assertions}
    yield from (o for o in reading.told if (o.triple, o.polarity, o.modality) not in ours)


def _worded(report: Report, hidden: Iterable[Violation]) -> Report:
    """Return the report with what is found, shown or hidden, told in the words of both texts."""
    worded = tuple(replace(one, message=headline(one, report)) for one in report.violations)
    told = {
        (one.claim.sentence, one.rule, one.message): headline(one, report)
        for one in (*report.violations, *hidden)
        if one.claim is not None
    }
    statements = tuple(
        replace(one, note=told.get((one.number, one.reason, one.note), one.note))
        for one in report.statements
    )
    return replace(report, violations=worded, statements=statements)


def _deduplicated(violations: Iterable[Violation]) -> Iterator[Violation]:
    """Yield the violations, of those that say the same of one sentence the first."""
    told = set()
    for one in violations:
        key = (one.rule, one.claim.sentence if one.claim else None, one.message)
        if key not in told:
            told.add(key)
            yield one


def _metrics(plan: Plan, found: _Found) -> Iterator[Metric]:
    """Yield the metrics of the rules, and how alike the graphs are, where both are there."""
    asked, grounding = found.asked, found.beside.grounding
    if not plan.alone:
        yield from found.judged.metrics
        likeness = metric_of(plan.config.align.kernel)
        yield Metric(likeness, grounding.similarity, len(grounding.claims))
    elif asked is not None:
        yield from asked.metrics


def _models(
    plan: Plan, asked: kb.Inquiry | None, client: Client | None
) -> Iterator[tuple[str, str]]:
    yield "extractor", plan.config.model
    yield "embedding", embed.digest(plan.config.encoder)
    if plan.contexts:
        for one in plan.readers:
            yield "reader", f"{one.licence.reader} {one.licence.digest[:12]}"
    if asked:
        yield from asked.models
    if client:
        yield "language model", client.name


def _params(plan: Plan) -> Iterator[tuple[str, str]]:
    config = plan.config
    rules = {rule.id: rule for rule in (*text_rules(plan).rules, *kb_rules(plan).rules)}
    yield "rules", str(len(rules))
    for rule in rules.values():
        if rule.metric and "threshold" in rule.params:
            given = config.rules.get(rule.id, {}).get("threshold", rule.params["threshold"])
            yield f"{rule.metric}.threshold", str(given)
    align = config.align
    yield "align.threshold", str(align.threshold)
    yield "align.kernel", align.kernel
    yield "align.h", str(align.h)
    yield "align.relation_nodes", str(align.relation_nodes).lower()
    if align.graphs != BUILT_IN:
        yield "align.graphs", align.graphs


def _notes(plan: Plan, found: _Found) -> Iterator[str]:
    if found.asked is not None and plan.alone:
        yield from _claimless_notes(found.beside, found.verdicts)
    else:
        yield from _of_documents(found.beside, plan.contexts)
    if plan.ontology is not None:
        reading = found.beside.reading
        counts = ", ".join(f"{count} {name}" for name, count in reading.counts.items())
        note = f"ontology {plan.ontology.name}: {len(reading.assertions)} assertions ({counts})"
        if left := len(reading.unread):
            what = "sentence about its terms" if left == 1 else "sentences about its terms"
            note += f"; {left} {what} not read"
        yield note
        yield from plan.ontology.notes
    if found.asked is not None:
        yield from found.asked.notes
    yield from found.beside.notes


def _of_documents(beside: BesideDocuments, contexts: Sequence[Document]) -> Iterator[str]:
    grounding = beside.grounding
    if not contexts:
        yield "no context was given: nothing can be supported"
    told = {one.number for one in beside.statements}
    body = beside.text.document.text
    left = (s for n, s in enumerate(beside.text.sentences) if n not in told)
    titles = [" ".join(body[one.start : one.end].split()) for one in left]
    if titles := [one for one in titles if re.search(r"\w", one)]:
        yield f"not checked, as titles, lead-ins or names of columns: {quoted(titles)}"
    if not grounding.claims:
        yield "no claim was found in the text: EG, RP and CFI are undefined"
    silent = sum(not sentence.claims for sentence in grounding.sentences)
    if grounding.claims and silent:
        yield (
            f"{silent} of {len(grounding.sentences)} sentences were not read as claims: only their "
            "words were compared with the sources"
        )
    if grounding.claims and grounding.sparse:
        yield (
            "the sources are short (no more than 20 entities or 400 words), so EG, RP and CFI are "
            "unsteady: the sparse regime of HalluGraph"
        )


def _claimless_notes(beside: BesideDocuments, verdicts: Iterable[Verdict]) -> Iterator[str]:
    count = len(beside.text.sentences)
    silent = count - len({verdict.claim.sentence for verdict in verdicts})
    if silent:
        yield f"{silent} of {count} sentences were not read as claims: nothing was asked about them"


def _timed(report: Report, clock: Clock) -> Report:
    """Return the report with what it took until now; one that is replayed tells no times."""
    run = report.run
    return replace(report, run=replace(run, times=clock.times if run.times else ()))


def _phrased(report: Report, client: Client, clock: Clock) -> Report:
    """Return the report with explanations as a language model words them."""
    from groundrules.explain.phrase import phrase

    report, notes = phrase(report, client)
    clock.mark("phrase")
    report = _timed(report, clock)
    return replace(report, run=replace(report.run, notes=(*report.run.notes, *notes)))


def llm_calls(before: Usage, after: Usage) -> Iterator[tuple[str, float]]:
    """Yield what a language model was asked between two counts."""
    for name in ("calls", "cached", "retries", "prompt_tokens", "completion_tokens"):
        yield f"{LLM}{name.replace('_', ' ')}", getattr(after, name) - getattr(before, name)
    if after.cost:
        yield f"{LLM}cost", round(after.cost - before.cost, 6)

"""What an agent may ask: check claims, explain a rule, look statements up; plain data in and out.

A client is a stranger. It gives texts and names that the server was started with, no path and no
URL; what comes back are the frozen classes here, of which the protocol makes its schemas. Those
that a tool returns have no slots, which the package mcp would take for defaults.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from groundrules.config import Config
from groundrules.errors import ConfigError, GroundrulesError, SourceError, did_you_mean
from groundrules.processes import limit

if TYPE_CHECKING:
    from groundrules.llm.budget import Budget
    from groundrules.terms import Evidence, Report, Statement, Violation

#: Code points of a text, and of its sources together.
MAX_TEXT, MAX_SOURCES = 200_000, 2_000_000
#: Sources of a text, and code points of anything short: a question, a name, the id of a rule.
MAX_SOURCE_COUNT, MAX_WORDS = 100, 2_000
#: Word pieces of what is stated around a thing.
_BUDGET = 4_000
#: The share of what a call may take in which models are heard, as in the service.
_HEARD = 0.9


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server was started with: the settings, and the knowledge bases by name.

    A call may take `seconds`.
    """

    config: Config
    kbs: Mapping[str, str] = field(default_factory=dict)
    seconds: float = math.inf


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a source that bear on a finding; a knowledge base has a pin in place of offsets."""

    source: str
    quote: str
    start: int | None
    end: int | None
    pin: str | None


@dataclass(frozen=True, slots=True)
class Replacement:
    """Words to put in place of those from `start` to `end`, offsets in code points."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What would mend a finding; a safe edit was tried and the text with it is supported."""

    change: str
    safe: bool
    replacements: list[Replacement]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found, from `start` to `end` of the text, with the evidence for it."""

    rule: str
    name: str
    severity: OneOf["error", "warning", "info"]
    start: int | None
    end: int | None
    explanation: str
    evidence: list[Quote]
    edit: Suggestion | None


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A sentence of the text with its verdict.

    `finding` is the worst that rules found in it, null where they found nothing; `also` names the
    other rules, such as "GR306 other-figure", which found the same or less.
    """

    text: str
    start: int
    end: int
    outcome: OneOf[
        "supported", "refuted", "conflicting", "not_enough_info", "unverifiable", "error"
    ]
    note: str
    finding: Finding | None
    also: list[str]


@dataclass(frozen=True)
class CheckedText:
    """The report of a text: `conforms` is null where it is not settled or not all was checked.

    `conclusion` says which, `reason` why the advice is not to pass it, and `fixed` is the text with
    its safe edits made, null where there are none. `findings` are those of the text as a whole;
    `unchecked` says what could not be read or asked.
    """

    conforms: bool | None
    conclusion: OneOf["passes", "fails", "not settled", "not all checked"]
    advice: OneOf["pass", "retrieve again", "human"]
    reason: str
    fixed: str | None
    statements: list[CheckedStatement]
    findings: list[Finding]
    unchecked: list[str]


@dataclass(frozen=True)
class ExplainedRule:
    """A rule: the fault it finds, why that matters, and whether its edit is safe."""

    id: str
    name: str
    summary: str
    severity: OneOf["error", "warning", "info"]
    why: str
    message: str
    source: str
    edit: OneOf["safe", "unsafe", "display"] | None
    query: str


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement of a knowledge base in words and as a triple, with where it was read."""

    text: str
    subject: str
    property: str
    value: str
    pin: str | None


@dataclass(frozen=True)
class LookedUp:
    """What a knowledge base states of a thing; `left_out` counts what there was no room for."""

    thing: str
    label: str
    kb: str
    statements: list[Stated]
    left_out: int


def answer(tool: Callable[..., Any], memory: int, offer: Offer, *args: object) -> tuple[Any, str]:
    """Return what a tool gives, or else what is wrong in a line; runs in a process of its own.

    The process has `memory` bytes besides what it has at its first call, 0 is no limit.
    """
    _limit_once(memory)
    try:
        return tool(offer, *args), ""
    except GroundrulesError as error:
        return None, " ".join(str(error).split())
    except MemoryError:
        return None, "took too much memory; split the text"
    except Exception as error:  # its message may have words of the text, which no log shall have
        return None, f"internal error: {type(error).__name__}"


_limit_once = cache(limit)


def check_claims(
    offer: Offer, text: str, sources: Sequence[str] = (), question: str = "", kb: Sequence[str] = ()
) -> CheckedText:
    """Check a text against sources, which are named source1, source2 …, and knowledge bases.

    Where there is none of them it is not checked, and the advice is to retrieve again.

    Raises:
        ConfigError: a knowledge base that the server does not offer.
        SourceError: too long, or without a word.
    """
    from groundrules import api
    from groundrules.claims.document import from_text
    from groundrules.guardrail import NO_SOURCE

    _bound("text", text, MAX_TEXT)
    _bound("question", question, MAX_WORDS)
    if len(sources) > MAX_SOURCE_COUNT:
        raise SourceError(f"{len(sources)} sources; expected at most {MAX_SOURCE_COUNT}")
    _bound("sources", "".join(sources), MAX_SOURCES)
    if not text.strip():
        raise SourceError("text is empty; expected what is to be checked")
    specs = tuple(_spec(offer, name) for name in kb)
    if not (any(one.strip() for one in sources) or specs):
        known = f", or kb: {', '.join(offer.kbs)}" if offer.kbs else ""
        line = f"{NO_SOURCE}; expected sources{known}"
        return CheckedText(
            None, "not all checked", "retrieve again", NO_SOURCE, None, [], [], [line]
        )
    report = api.check(
        from_text(text, "text"),
        context=[from_text(one, f"source{n}") for n, one in enumerate(sources, 1) if one.strip()],
        question=question,
        config=replace(offer.config, kb=specs),
        budget=_budget(offer),
    )
    return _checked(report)


def _budget(offer: Offer) -> Budget | None:
    """Return what a call that begins now may ask at endpoints; None where nobody is asked."""
    if not offer.config.asks:
        return None
    from groundrules.llm.budget import Budget

    until = time.monotonic() + _HEARD * offer.seconds
    return Budget(offer.config.llm, deadline=until)


def explain_rule(offer: Offer, rule: str) -> ExplainedRule:
    """Return what a rule finds, by id or name; ConfigError where there is none."""
    from groundrules.rules.packs import built_in, find_rule, load_packs

    _bound("rule", rule, MAX_WORDS)
    names = dict.fromkeys((*offer.config.packs_in_force, *built_in()))
    found = find_rule(rule, load_packs(names, offer.config.base))
    return ExplainedRule(
        id=found.id,
        name=found.name,
        summary=found.summary,
        severity=found.severity.value,
        why=" ".join(found.why.split()),
        message=found.message,
        source=found.source,
        edit=found.edit.applicability if found.edit else None,
        query=found.query,
    )


def lookup_statements(offer: Offer, thing: str, kb: str = "") -> LookedUp:
    """Return what a knowledge base states of a thing: a name, a number, an IRI of it.

    `kb` may be left out where the server offers one alone.

    Raises:
        ConfigError: no such knowledge base, or nothing in it has that name.
        SourceError: it could not be asked.
    """
    from groundrules.kb.search.neighbourhood import called, check_answered, find, neighbourhood
    from groundrules.kb.sources.connect import connect_as

    _bound("thing", thing, MAX_WORDS)
    if not kb and len(offer.kbs) == 1:
        (kb,) = offer.kbs
    if not thing.strip():
        raise SourceError("thing is empty; expected a name, a number or an IRI")
    config = replace(offer.config, kb=(_spec(offer, kb),))
    connection = connect_as(config, config.bases[0], datetime.now(UTC))
    node = find(connection, thing.strip(), kb)
    found = neighbourhood(connection.source, connection.graph, [node], budget=_BUDGET)
    check_answered(found, kb)
    if not found.statements:
        raise SourceError(f"nothing is stated of {thing.strip()!r}", path=kb)
    return LookedUp(
        thing=node,
        label=found.labels.get(node) or called(node),
        kb=kb,
        statements=[
            Stated(one.text, one.subject, one.predicate, str(one.object), evidence.pin)
            for one, evidence in zip(found.statements, found.evidence(), strict=True)
        ],
        left_out=found.dropped + sum(one.count for one in found.many),
    )


def _bound(name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise SourceError(f"{name} has {len(text):,} characters; expected at most {most:,}")


def _spec(offer: Offer, name: str) -> str:
    """Return what the server calls so; ConfigError for anything else."""
    if name not in offer.kbs:
        known = ", ".join(offer.kbs) or "none: this server offers no knowledge base"
        near = did_you_mean(name, offer.kbs)
        raise ConfigError(f"no knowledge base {name!r}; expected {known}{near}")
    return offer.kbs[name]


def _checked(report: Report) -> CheckedText:
    from groundrules.explain.findings import findings_elsewhere, left_out, why_not_passed
    from groundrules.explain.repair import fixed

    left = [] if report.complete and report.statements else left_out(report)
    return CheckedText(
        conforms=report.conforms,
        conclusion=report.conclusion.value,
        advice=report.guardrail,
        reason=why_not_passed(report),
        fixed=fixed(report),
        statements=[_statement(one, report) for one in report.statements],
        findings=[_finding(one, report) for one in findings_elsewhere(report)],
        unchecked=list(dict.fromkeys((*report.unasked, *left))),
    )


def _statement(statement: Statement, report: Report) -> CheckedStatement:
    from groundrules.explain.findings import why

    outcome = report.outcome_of(statement)
    first, *others = report.findings_of(statement) or (None,)
    names = dict.fromkeys(f"{one.rule} {one.name}" for one in others if one is not None)
    return CheckedStatement(
        text=statement.text,
        start=statement.span.start,
        end=statement.span.end,
        outcome=outcome.value,
        note=why(statement, report),
        finding=_finding(first, report) if first is not None else None,
        also=list(names),
    )


def _finding(violation: Violation, report: Report) -> Finding:
    from groundrules.explain.contrast import explain, focus

    span = focus(violation)
    return Finding(
        rule=violation.rule,
        name=violation.name,
        severity=violation.severity.value,
        start=span.start if span else None,
        end=span.end if span else None,
        explanation=explain(violation, report).text,
        evidence=[one for item in violation.evidence if (one := _quote(item, report))],
        edit=_suggestion(violation, report),
    )


def _quote(item: Evidence, report: Report) -> Quote | None:
    from groundrules.explain.foil import phrase
    from groundrules.explain.place import quote, source_name

    words = quote(item.span, report) or phrase(item.triple, report.labels)
    name = source_name(item.span.source if item.span else item.source)
    start, end = (item.span.start, item.span.end) if item.span else (None, None)
    return Quote(name, words, start, end, item.pin)


def _suggestion(violation: Violation, report: Report) -> Suggestion | None:
    from groundrules.explain.edits import change
    from groundrules.explain.replacements import placed

    words = change(violation, report)
    if not (violation.edit and words):
        return None
    return Suggestion(
        change=words,
        safe=violation.edit.applicability == "safe" and violation.edit.verified is True,
        replacements=[
            Replacement(one.start, one.end, one.text) for one in placed(report, violation)
        ],
    )

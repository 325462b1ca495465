"""Cards: all that is known of a statement, from its verdict to what its score is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rdflib.term import URIRef

from groundrules.explain.contrast import clip, focus, headline
from groundrules.explain.findings import findings_elsewhere, findings_told, why_open
from groundrules.explain.formats.html.findings import SEVERITY, SHORT, decided, finding, findings
from groundrules.explain.formats.html.grounds import (
    accounts,
    claim_of,
    claims_of,
    confidence,
    nearest,
)
from groundrules.explain.formats.html.markup import Html, code, element, join, quoted
from groundrules.explain.formats.html.passages import place, sentence, wrong
from groundrules.explain.formats.html.words import MARKS, NAMES
from groundrules.explain.place import source_name
from groundrules.terms import Outcome, Report, Severity, Statement, Verdict, Violation

_BETWEEN = "\u241f"  # names of sources, which may have spaces; the script parts them there


def badge(outcome: Outcome, own_outcome: Outcome | None = None) -> Html:
    """Return a verdict as mark and name; the one it had before it was overridden, struck out."""
    was = None
    if own_outcome is not None and own_outcome is not outcome:
        was = element("s", NAMES[own_outcome])
    return element(
        "span",
        element("span", MARKS[outcome], class_="mark", aria_hidden="true"),
        " ",
        was,
        " " if was else None,
        NAMES[outcome],
        class_=f"badge {outcome.value}",
    )


def card(
    statement: Statement,
    report: Report,
    verdicts: Mapping[URIRef, Verdict],
    prefix: str,
    *,
    opened: bool = False,
) -> Html:
    """Return the card of a statement."""
    found = findings_told(statement, report)
    outcome = report.outcome_of(statement)
    override = report.override_of(statement)
    name = f"{prefix}s{statement.number}"
    head = clip(statement.span, focus(found[0]) if found else None, report, SHORT)
    why = headline(found[0], report) if found else why_open(statement, report)
    rule = join(element("b", found[0].rule), " ") if found else None
    summary = element(
        "summary",
        badge(outcome, statement.outcome),
        element("span", str(statement.number + 1), class_="number"),
        element("span", quoted(head or statement.text[:SHORT]), class_="said"),
        element("span", rule, quoted(why), class_="why") if why else None,
    )
    body = element(
        "div",
        decided(override),
        element("p", sentence(statement, report, _all_wrong(found, report)), class_="sentence"),
        *findings(found, statement, report),
        nearest(statement, found, report),
        accounts(statement.accounts, report),
        confidence(statement),
        claims_of(statement, report, verdicts),
        _facts(statement, report, prefix),
        class_="body",
        id=name,
    )
    return element(
        "details",
        summary,
        body,
        class_=f"card {outcome.value}",
        open=opened,
        data_outcome=outcome.value,
        data_rules=" ".join(dict.fromkeys(one.rule for one in found)) or None,
        data_sources=_BETWEEN.join(_sources(statement, found)) or None,
    )


def sources_of(report: Report) -> list[str]:
    """Return the names of the sources that a card names, sorted."""
    return sorted(
        {name for one in report.statements for name in _sources(one, report.findings_of(one))}
    )


def _sources(statement: Statement, found: Iterable[Violation]) -> list[str]:
    named = [source_name(span.source) for span in statement.passages[:1]]
    items = [item for violation in found for item in violation.evidence]
    named += [source_name(item.span.source if item.span else item.source) for item in items]
    return [" ".join(name.split()) for name in dict.fromkeys(named)]


def elsewhere(report: Report, prefix: str) -> list[Html]:
    """Return a card for each finding in no statement."""
    return [
        element(
            "details",
            element(
                "summary",
                element(
                    "span",
                    element("span", "!", class_="mark", aria_hidden="true"),
                    f" {SEVERITY[one.severity]}",
                    class_=f"badge level-{one.severity.value}",
                ),
                element("span", quoted(headline(one, report)), class_="said"),
                element("span", element("b", one.rule), " ", one.name, class_="why"),
            ),
            element(
                "div",
                *finding(one, None, report),
                _to_text(f"{prefix}u{number}") if focus(one) else None,
                class_="body",
                id=f"{prefix}f{number}",
            ),
            class_=f"card level-{one.severity.value}",
            data_rules=one.rule,
        )
        for number, one in enumerate(findings_elsewhere(report))
    ]


def claims_elsewhere(report: Report, verdicts: Mapping[URIRef, Verdict]) -> list[Html]:
    """Return the claims that are read from no statement, as those of a record, with verdicts."""
    numbers = {statement.number for statement in report.statements}
    return [
        claim_of(claim, verdicts.get(claim.id), report)
        for claim in report.claims
        if claim.sentence not in numbers
    ]


def _all_wrong(found: Iterable[Violation], report: Report) -> list[tuple[int, int]]:
    grave = [one for one in found if one.severity is not Severity.INFO]
    return [span for one in grave for span in wrong(one, report)]


def _facts(statement: Statement, report: Report, prefix: str) -> Html:
    return element(
        "p",
        place(statement.span, report),
        " · fingerprint ",
        code(statement.fingerprint),
        element("span", " · ", _in_text(f"{prefix}t{statement.number}"), class_="jump"),
        class_="facts",
    )


def _to_text(name: str) -> Html:
    return element("p", _in_text(name), class_="facts")


def _in_text(name: str) -> Html:
    return element("a", "in the text", href=f"#{name}")

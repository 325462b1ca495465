"""The `markdown` format: a report for a comment, an issue or a page, in CommonMark with tables.

Nothing of the checked text is read as Markdown or HTML, and it makes no link.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from groundrules.explain.contrast import explain
from groundrules.explain.edits import change
from groundrules.explain.findings import told_least, told_open
from groundrules.explain.formats import Look
from groundrules.explain.listing import UNSETTLED_PAGE, Result, distinct, page_of, results
from groundrules.explain.place import cite, line_column, printable
from groundrules.rules.packs import shipped
from groundrules.terms import Conclusion, Outcome, Report

#: What CommonMark or GitHub reads within a line, and what it reads at the beginning of one.
_SIGNS = re.compile(r"([\\`*_{}\[\]<>|~&$^!#])")
_OPENING = re.compile(r"^([0-9]{0,9})([-+=.)])(?=[-=\s]|$)")
_LINKS = re.compile(r"(?i)(https?|ftp|mailto|www|xmpp)([:.])")
_HEADS = {
    Conclusion.PASSES: "passes",
    Conclusion.FAILS: "does not pass",
    Conclusion.NOT_SETTLED: "not settled",
    Conclusion.NOT_CHECKED: "could not be fully checked",
}


def render(reports: Sequence[Report], look: Look) -> str:
    """Return the reports one below the other."""
    return "\n".join("\n".join(_lines(report)).rstrip() + "\n" for report in reports)


def _lines(report: Report) -> Iterator[str]:
    found = distinct(results(report))
    yield f"## {plain(report.source)}: {_HEADS[report.conclusion]}"
    yield ""
    if report.conclusion is Conclusion.NOT_SETTLED:
        told = told_open(report).capitalize()
        yield f"**{told}**: {told_least(report)}. [What to do]({UNSETTLED_PAGE})"
        yield ""
    unchecked = [one for one in found if one.kind == "unchecked"]
    if unchecked:
        yield "**Could not be checked**"
        yield ""
        yield from (f"- {_place(one, report)}{plain(one.message)}" for one in unchecked)
        yield ""
    yield from _counts(report)
    standing = [one for one in found if one.kind == "fail" and one.override is None]
    if standing:
        yield "### Findings"
        yield ""
        for one in standing:
            yield from _finding(one, report)
    opened = [one for one in found if one.kind == "open" and one.statement and one.override is None]
    if opened:
        yield "### Not enough information"
        yield ""
        for one in opened:
            assert one.statement is not None
            yield f"- {_place(one, report)}{quoted(one.statement.text)}"
        yield ""
    aside = [one for one in found if one.override]
    if aside:
        yield "### Set aside"
        yield ""
        for one in aside:
            assert one.override is not None
            by = f", {plain(one.override.by)}" if one.override.by else ""
            at = f", {plain(one.override.at)}" if one.override.at else ""
            why = plain(one.override.why)
            yield (
                f"- {_place(one, report)}{plain(one.rule)} {plain(one.message)}: "
                f"*{one.override.kind}{by}{at}: {why}*"
            )
        yield ""
    yield from _sources(report)


def _counts(report: Report) -> Iterator[str]:
    counts = Counter(report.outcome_of(one) for one in report.statements)
    if counts:
        yield "| outcome | statements |"
        yield "|---|--:|"
        for outcome in Outcome:
            if counts[outcome]:
                yield f"| {outcome.value.replace('_', ' ')} | {counts[outcome]} |"
        yield ""


def _finding(one: Result, report: Report) -> Iterator[str]:
    known = shipped().get(one.rule)
    rule = f"[{one.rule}]({page_of(known.name)})" if known else plain(one.rule)
    yield f"- {_place(one, report)}**{one.severity.value}** {rule} {plain(one.name)}"
    if one.violation is None:
        if one.statement:
            yield f"  {quoted(one.statement.text)}"
        yield f"  {plain(one.message)}"
    else:
        yield f"  {plain(explain(one.violation, report).text)}"
        places = dict.fromkeys(cite(item, report) for item in one.violation.evidence)
        if places:
            yield f"  evidence: {', '.join(plain(place) for place in places)}"
        edit = one.violation.edit
        if edit and edit.applicability != "display" and (told := change(one.violation, report)):
            yield f"  edit ({edit.applicability}): {plain(told)}"
    yield ""


def _sources(report: Report) -> Iterator[str]:
    given = [one for one in report.run.inputs if one.role != "text"]
    if not given:
        return
    yield "<details><summary>Checked against</summary>"
    yield ""
    yield "| what | SHA-256 |"
    yield "|---|---|"
    for one in given:
        yield f"| {plain(one.role)} {plain(one.name)} | {one.sha256} |"
    yield ""
    at = f", {report.run.at}" if report.run.at else ""
    yield f"groundrules {plain(report.run.version)}{at}"
    if (logged := report.logged) is not None:
        signed = f", signed by {logged.key}" if logged.key else ", not signed"
        again = {None: "", True: ", replayed: identical", False: ", replayed: differs"}
        yield f"logged in {plain(logged.log)}, head {logged.head}{signed}{again[logged.replayed]}"
    yield ""
    yield "</details>"


def _place(one: Result, report: Report) -> str:
    if one.span is None or one.span.start > len(report.text):
        return ""
    line, column = line_column(report.text, one.span.start)
    return f"{line}:{column} "


def quoted(text: str) -> str:
    """Return the words of a text between quotes."""
    return f"“{plain(text)}”"


def plain(text: str) -> str:
    """Return a text as one line of Markdown that shows it, whatever it holds."""
    escaped = _SIGNS.sub(r"\\\1", printable(" ".join(text.split())))
    # names, numbers and addresses are linked without any sign: a joiner that none sees parts them
    parted = _LINKS.sub("\\1\u2060\\2", re.sub("([@#])", "\\1\u2060", escaped))
    return _OPENING.sub(r"\1\\\2", parted)

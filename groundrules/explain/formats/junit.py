"""The `junit` format: a suite for each text and a case for each statement, for CI servers.

What is refuted fails, as does what the policy names; what could not be asked about is an error, and
a statement that nothing settles is skipped: it has not passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from groundrules.explain.findings import told_readers
from groundrules.explain.formats import Look
from groundrules.explain.listing import Result, line, results
from groundrules.explain.place import line_column, printable
from groundrules.terms import Outcome, Report, Severity, Statement

_AGAINST = {Outcome.REFUTED, Outcome.CONFLICTING}
_NAME = 120  # code points of a statement in the name of its case


def render(reports: Sequence[Report], look: Look) -> str:
    """Return the reports as JUnit XML."""
    root = ET.Element("testsuites", name="groundrules")
    for report in reports:
        root.append(_suite(report))
    ET.indent(root)
    declared = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return declared + ET.tostring(root, encoding="unicode") + "\n"


def _suite(report: Report) -> ET.Element:
    found = results(report)
    suite = ET.Element("testsuite", name=printable(report.source))
    if report.run.at:
        suite.set("timestamp", report.run.at)
    if told := told_readers(report):
        ET.SubElement(ET.SubElement(suite, "properties"), "property", name="readers", value=told)
    general = [one for one in found if one.statement is None]
    if general or not report.statements:
        _case(suite, "the text as a whole", report, None, general)
    for statement in report.statements:
        own = [one for one in found if one.statement is statement]
        _case(suite, _name(statement, report), report, statement, own)
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(case.find(tag) is not None for case in cases)))
    return suite


def _name(statement: Statement, report: Report) -> str:
    words = " ".join(statement.text.split())
    words = words if len(words) <= _NAME else words[: _NAME - 1] + "…"
    line, _ = line_column(report.text, min(statement.span.start, len(report.text)))
    return printable(f"{line}: {words}")


def _case(
    suite: ET.Element,
    name: str,
    report: Report,
    statement: Statement | None,
    found: Iterable[Result],
) -> None:
    case = ET.SubElement(suite, "testcase", name=name, classname=printable(report.source))
    standing = [one for one in found if one.override is None]
    outcome = report.outcome_of(statement) if statement else None
    failed = outcome in _AGAINST or (outcome and outcome.value in report.policy)
    grave = [one for one in standing if one.severity is Severity.ERROR and one.kind == "fail"]
    lines = [printable(line(one, report)) for one in found]
    if outcome is Outcome.ERROR or (
        statement is None and any(o.rule == "not-asked" for o in found)
    ):
        _add(case, "error", standing, lines, "could not be asked about")
    elif failed or grave:
        _add(case, "failure", grave or standing, lines, "does not pass")
    elif outcome is Outcome.SUPPORTED or (statement and report.override_of(statement)):
        pass
    elif outcome is not None or standing or not report.statements:
        word = outcome.value.replace("_", " ") if outcome else "could not be read"
        _add(case, "skipped", standing, [], word)
    if lines and len(case) == 0:
        ET.SubElement(case, "system-out").text = "\n".join(lines)


def _add(
    case: ET.Element, tag: str, found: Sequence[Result], lines: Sequence[str], word: str
) -> None:
    first = found[0] if found else None
    message = f"{first.rule} {first.name}: {first.message}" if first else word
    element = ET.SubElement(case, tag, message=printable(message))
    if tag != "skipped":
        element.set("type", printable(first.rule if first else word))
    element.text = "\n".join(lines) or None

"""The `github` format: workflow commands, which GitHub Actions shows as annotations of the text.

What could not be checked comes first, as a warning; what was set aside is a notice with its reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundrules.explain.findings import told_readers
from groundrules.explain.formats import Look
from groundrules.explain.listing import Result, results, worded
from groundrules.explain.place import line_column, printable
from groundrules.terms import Report, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(reports: Sequence[Report], look: Look) -> str:
    """Return a command a line; nothing where every statement is supported."""
    return "".join(
        part
        for report in reports
        for part in (*(_command(one, report) for one in results(report)), _readers(report))
    )


def _readers(report: Report) -> str:
    told = told_readers(report)
    return f"::notice title=readers::{_data(f'{report.source}: {told}')}\n" if told else ""


def _command(one: Result, report: Report) -> str:
    command = "notice" if one.override else _COMMANDS[one.severity]
    place = {"file": report.source}
    if one.span and one.span.source == report.source and one.span.end <= len(report.text):
        line, column = line_column(report.text, one.span.start)
        last, end = line_column(report.text, one.span.end)
        place |= {"line": str(line), "endLine": str(last)}
        # columns are shown only where they are of one line
        place |= {"col": str(column), "endColumn": str(end)} if line == last else {}
    place["title"] = f"{one.rule} {one.name}" if one.rule != one.name else one.rule
    escaped = {key: _data(value).replace(":", "%3A") for key, value in place.items()}
    properties = ",".join(f"{key}={value.replace(',', '%2C')}" for key, value in escaped.items())
    return f"::{command} {properties}::{_data(worded(one, report))}\n"


def _data(text: str) -> str:
    """Return a text that cannot end its command; GitHub's own escapes."""
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

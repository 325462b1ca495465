"""Comments in a checked text that set findings aside: `<!-- groundrules: ignore GR306: why -->`.

Whoever wrote the text may be the one who is checked, so nobody reads them unless asked to. They
are not read as part of the text; of a file whose text is extracted they are gone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundrules.claims.documents.document import Document, position
from groundrules.terms import Override, Report

#: The formats whose text is the file itself.
_FORMATS = ("txt", "md")
_COMMENT = re.compile(
    r"<!--[ \t]{0,9}groundrules:[ \t]{0,9}ignore\b([^\r\n]{0,1000}?)-->"
    r"|#[ \t]{0,9}groundrules:[ \t]{0,9}ignore\b([^\r\n]{0,1000})",
    re.I,
)
_BODY = re.compile(r"\s+([\w-]+(?:[,\s]{1,9}[\w-]+)*)\s{0,9}:\s{0,9}(\S.*)")


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment at a place of the text, half-open; without rules or a reason it sets nothing aside.

    `rules` are their ids.
    """

    start: int
    end: int
    rules: tuple[str, ...] = ()
    why: str = ""


def find(document: Document) -> tuple[Suppression, ...]:
    """Return the comments of a text that set findings aside, in order."""
    if document.format not in _FORMATS:
        return ()
    return tuple(map(_suppression, _COMMENT.finditer(document.text)))


def _suppression(found: re.Match[str]) -> Suppression:
    body = _BODY.fullmatch((found[1] or found[2] or "").rstrip())
    if body is None:
        return Suppression(found.start(), found.end())
    rules = tuple(name.upper() for name in re.split(r"[,\s]+", body[1]))
    return Suppression(found.start(), found.end(), rules, body[2])


def apply(report: Report, document: Document, marks: Sequence[Suppression]) -> Report:
    """Return the report of a text with what its comments set aside, and the text as it was.

    A comment is on the sentence that it stands in or, else, after. One that does nothing is noted.
    """
    if not marks:
        return report
    starts = [one.span.start for one in report.statements]
    findings = defaultdict(list)
    for violation in report.violations:
        if violation.claim:
            findings[violation.claim.sentence].append(violation)
    overrides: dict[Override, None] = {}
    notes = []
    for mark in marks:
        found = []
        if place := bisect_right(starts, mark.start):
            statement = report.statements[place - 1]
            found = [v.fingerprint for v in findings[statement.number] if v.rule in mark.rules]
            if statement.reason in mark.rules:
                found.append(statement.fingerprint)
        line = position(document.text, mark.start)[0]
        if not mark.rules:
            notes.append(
                f"line {line}: a suppression without rules or a reason is not followed; expected "
                "`groundrules: ignore GR306: why`"
            )
        elif not found:
            notes.append(f"line {line}: this suppression sets nothing aside")
        overrides |= dict.fromkeys(Override(one, "inline", mark.why) for one in found)
    return replace(
        report.with_overrides((*report.overrides, *overrides)),
        text=document.text,
        sources={**report.sources, report.source: document.text},
        run=replace(report.run, notes=(*report.run.notes, *notes)),
    )

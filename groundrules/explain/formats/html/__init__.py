"""The format `html`: a page for people who must rely on a check, in one file that reaches nothing.

It is whole without a script; with one it filters and takes keys. The same report gives the same
bytes.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from groundrules.explain import listing, view, words
from groundrules.explain.contrast import focus, headline
from groundrules.explain.findings import counted, findings_elsewhere, why_not_passed
from groundrules.explain.foil import phrase, spoken
from groundrules.explain.formats import Look
from groundrules.explain.formats.html import passages
from groundrules.explain.formats.html.markup import whole_page
from groundrules.explain.place import cite
from groundrules.terms import LLM, Conclusion, Logged, Outcome, Report

_FOLDER = Path(__file__).parent
#: The reports that need a person first come first.
_RANKS = (Conclusion.NOT_CHECKED, Conclusion.FAILS, Conclusion.NOT_SETTLED, Conclusion.PASSES)


def render(reports: Sequence[Report], look: Look) -> str:
    """Return reports as one page; several have an index at the top."""
    names = [report.source for report in reports]
    title = names[0] if len(names) == 1 else counted(len(names), "text")
    return whole_page(
        _FOLDER / "page.html",
        style=_asset("page.css"),
        script=_asset("page.js"),
        images="data:",
        title=f"Check of {title}",
        reports=reports,
        look=look,
        v=view,
        w=words,
        p=passages,
        ranked=_ranked,
        cite=cite,
        findings_elsewhere=findings_elsewhere,
        focus=focus,
        headline=headline,
        phrase=phrase,
        spoken=spoken,
        why_not_passed=why_not_passed,
        listing=listing,
        verify=verify,
        command=shlex.join,
        LLM=LLM,
        Conclusion=Conclusion,
        Outcome=Outcome,
    )


def _ranked(reports: Sequence[Report]) -> list[tuple[int, Report]]:
    """Return the reports with their numbers, those first that could not be fully checked."""
    # one that fails is behind those that could not be fully checked only where it was
    return sorted(
        enumerate(reports, 1),
        key=lambda one: _RANKS.index(one[1].conclusion) if one[1].complete else 0,
    )


def verify(look: Look, logged: Logged) -> str:
    """Return the command that verifies the log of a check."""
    told = ["groundrules", "log", "verify", look.log or logged.log, "--head", logged.head]
    return shlex.join([*told, *(["--public-key", look.public_key] if look.public_key else [])])


@cache
def _asset(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8").strip()

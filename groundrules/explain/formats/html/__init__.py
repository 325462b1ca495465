"""The format `html`: a page for people who must rely on a check, in one file that reaches nothing.

It is whole without a script; with one it filters and takes keys. The same report gives the same
bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundrules.explain.formats import Look
from groundrules.explain.formats.html.page import write
from groundrules.terms import Report


def render(reports: Sequence[Report], look: Look) -> str:
    """Return reports as one page."""
    return write(reports, look)

"""The `jsonl` format: each report as one line of JSON, as the `json` format has it."""

from __future__ import annotations

from collections.abc import Sequence

from groundrules.explain.formats import Look, json
from groundrules.terms import Report


def render(reports: Sequence[Report], look: Look) -> str:
    """Return a line a report."""
    return "".join(json.dumps(report, indent=None) for report in reports)

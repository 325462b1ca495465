"""The `gitlab` format: a Code Quality report, which GitLab shows in a merge request.

What could not be checked comes first; what was set aside is of severity "info", with its reason.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from groundrules.explain.findings import told_readers
from groundrules.explain.formats import Look
from groundrules.explain.listing import distinct, position, worded
from groundrules.explain.place import printable
from groundrules.terms import Report, Severity

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(reports: Sequence[Report], look: Look) -> str:
    """Return the reports as one JSON array."""
    seen: Counter[str] = Counter()
    found = []
    for report in reports:
        for one in distinct(report):
            severity = "info" if one.override else _SEVERITIES[one.severity]
            line, _ = position(one, report) or (1, 1)
            mark = f"{report.source}\0{one.rule}\0{one.fingerprint}"
            seen[mark] += 1  # GitLab wants each its own
            mark += f"\0{seen[mark]}"
            found.append(_item(report, worded(one, report), one.rule, mark, severity, line))
        if told := told_readers(report):
            found.append(_item(report, told, "readers", f"{report.source}\0readers", "info", 1))
    return json.dumps(found, indent=2, ensure_ascii=True) + "\n"


def _item(
    report: Report, told: str, rule: str, mark: str, severity: str, line: int
) -> dict[str, Any]:
    return {
        "description": printable(told),
        "check_name": rule,
        "fingerprint": hashlib.sha256(mark.encode(errors="surrogatepass")).hexdigest(),
        "severity": severity,
        "location": {"path": printable(report.source), "lines": {"begin": line}},
    }

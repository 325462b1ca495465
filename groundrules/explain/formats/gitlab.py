"""The `gitlab` format: a Code Quality report, which GitLab shows in a merge request.

What could not be checked comes first; what was set aside is of severity "info", with its reason.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from groundrules.explain.formats import Look
from groundrules.explain.listing import Result, distinct, position, worded
from groundrules.explain.place import printable
from groundrules.terms import Report, Severity

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(reports: Sequence[Report], look: Look) -> str:
    """Return the reports as one JSON array."""
    seen: Counter[str] = Counter()
    found = [_item(one, report, seen) for report in reports for one in distinct(report)]
    return json.dumps(found, indent=2, ensure_ascii=True) + "\n"


def _item(one: Result, report: Report, seen: Counter[str]) -> dict[str, Any]:
    severity = "info" if one.override else _SEVERITIES[one.severity]
    line, _ = position(one, report) or (1, 1)
    mark = f"{report.source}\0{one.rule}\0{one.fingerprint}"
    seen[mark] += 1  # GitLab wants each its own
    return {
        "description": printable(worded(one, report)),
        "check_name": one.rule,
        "fingerprint": hashlib.sha256(
            f"{mark}\0{seen[mark]}".encode(errors="surrogatepass")
        ).hexdigest(),
        "severity": severity,
        "location": {"path": printable(report.source), "lines": {"begin": line}},
    }

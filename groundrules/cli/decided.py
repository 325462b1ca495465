"""What was decided of findings, as the options and settings of a command say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundrules.config import Config

if TYPE_CHECKING:
    from groundrules.audit.overrides import Decision
    from groundrules.terms import Report


def read_decisions(config: Config, name: str) -> tuple[Decision, ...]:
    """Return what a file of a configuration decides, nothing where it names none."""
    if not name:
        return ()
    from groundrules.audit import overrides

    return overrides.read(config.base / name)


def decide(report: Report, decisions: Sequence[Decision], *, new: bool) -> Report:
    """Return a report with what was decided of it; a `new` baseline sets aside all it found."""
    if not (decisions or new):
        return report
    from groundrules.audit import overrides

    return overrides.apply(report, (*(overrides.baseline([report]) if new else ()), *decisions))


def tell_unused(
    reports: Sequence[Report], known: Sequence[Decision], said: Sequence[Decision]
) -> None:
    """Say on stderr which decisions are on nothing that a run has found."""
    if not (known or said):
        return
    from groundrules.audit import overrides
    from groundrules.cli.main import _complain

    for decision in overrides.unused(reports, said):
        _complain(f"note: no statement or finding has the fingerprint {decision.fingerprint}, "
                  f"which {decision.by} decided on")  # fmt: skip
    texts = {report.source for report in reports}
    here = [decision for decision in known if decision.text in texts]
    if gone := len(list(overrides.unused(reports, here))):
        _complain(f"note: {gone} of the baseline are no longer found; --write-baseline writes "
                  "it anew")  # fmt: skip

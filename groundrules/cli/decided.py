"""What was decided of findings, as the options and settings of a command say."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.config import Config

if TYPE_CHECKING:
    from groundrules.audit.overrides import Decision
    from groundrules.terms import Report


class Decided:
    """The baseline and the overrides of a run, and the baseline that it writes."""

    def __init__(self, args: argparse.Namespace, config: Config) -> None:
        self._out = args.write_baseline
        self._known = () if self._out else read_decisions(config, config.baseline)
        self._said = read_decisions(config, config.overrides)
        self._found: list[Decision] = []

    def apply(self, report: Report) -> Report:
        """Return a report with what was decided of it."""
        if not (self._known or self._said or self._out):
            return report
        from groundrules.audit import overrides

        if self._out:
            found = overrides.baseline([report])
            self._found += found
            return overrides.apply(report, (*found, *self._said))
        return overrides.apply(report, (*self._known, *self._said))

    def finish(self, reports: Sequence[Report]) -> None:
        """Write the baseline, if one is asked for; say on stderr which decisions are on nothing."""
        if not (self._known or self._said or self._out):
            return
        from groundrules.audit import overrides
        from groundrules.cli.main import _complain

        if self._out:
            overrides.write(Path(self._out), self._found)
        for decision in overrides.unused(reports, self._said):
            _complain(f"note: no statement or finding has the fingerprint {decision.fingerprint}, "
                      f"which {decision.by} decided on")  # fmt: skip
        texts = {report.source for report in reports}
        here = [decision for decision in self._known if decision.text in texts]
        if gone := len(list(overrides.unused(reports, here))):
            _complain(f"note: {gone} of the baseline are no longer found; --write-baseline writes "
                      "it anew")  # fmt: skip


def read_decisions(config: Config, name: str) -> tuple[Decision, ...]:
    """Return what a file of a configuration decides, nothing where it names none."""
    if not name:
        return ()
    from groundrules.audit import overrides

    return overrides.read(config.base / name)

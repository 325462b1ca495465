"""`groundrules override`: what a person decides of a statement or a finding, and why."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.logged import log_of, tell_head
from groundrules.cli.options import Parser, one_of
from groundrules.cli.terminal import plain, write
from groundrules.config import Config
from groundrules.errors import ConfigError, SourceError
from groundrules.terms import Outcome

if TYPE_CHECKING:
    from groundrules.audit.overrides import Decision
    from groundrules.terms import Report

#: A statement that could not be asked about is to be asked again, not decided on.
_OUTCOMES = tuple(outcome.value for outcome in Outcome if outcome is not Outcome.ERROR)
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_PLACE = re.compile(r"(.*):([0-9]{1,9}):([0-9]{1,9})")


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "override",
        "Decide on a statement by its number in a report, or by the place that the report shows it "
        "at; on a statement or finding by its fingerprint, which is in the JSON of a report.",
        (
            "groundrules override 4 --report report.json --set-aside --by Ann --why 'see annex B'",
            "groundrules override answer.txt:1:13 --report report.json --set-aside --by Ann "
            "--why 'the annex says so'",
            "groundrules override 06d8e4645f6f7881 --verdict supported --by Ann "
            "--why 'stated on page 3 of the scan' --log audit.log",
            "groundrules check answer.txt --context lease.txt --output-format json -o report.json",
            "groundrules check answer.txt --context lease.txt --overrides overrides.jsonl",
        ),
    )
    add = result.add_argument
    add("mark", metavar="NUMBER|FILE:LINE:COLUMN|FINGERPRINT",
        help="the number or place of a statement, with --report, or a fingerprint"
        )  # fmt: skip
    add("--report", metavar="FILE", help="the JSON of the report that shows it")
    outcome = one_of(*_OUTCOMES)
    add("--verdict", type=lambda said: outcome(said.replace("-", "_").replace(" ", "_")),
        metavar="OUTCOME",
        help=f"what holds of the statement: {', '.join(_OUTCOMES)}")  # fmt: skip
    add("--set-aside", action="store_true", help="what speaks against it does not count")
    add("--why", required=True, metavar="TEXT", help="the reason")
    add("--by", required=True, metavar="NAME", help="who decides")
    add("--text", default="", metavar="NAME", help="decide for this text alone")
    add("--file", default="overrides.jsonl", metavar="FILE",
        help="the file to add it to (default overrides.jsonl)")  # fmt: skip
    add("--log", metavar="FILE", help="append it to this audit log too")
    add("--log-key", metavar="FILE", help="sign the log with this key")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command, and say what was decided."""
    from groundrules.audit import overrides
    from groundrules.audit.entries import decision_of
    from groundrules.audit.log import Event

    if bool(args.verdict) == args.set_aside:
        raise ConfigError("expected either --verdict or --set-aside")
    for option, meant in (("why", "a reason"), ("by", "a name")):
        if not getattr(args, option).strip():
            raise ConfigError(f"--{option} is empty; expected {meant}")
    mark, told = _reported(args) if args.report else (args.mark, args.mark)
    if not _FINGERPRINT.fullmatch(mark):
        raise ConfigError(
            f"{mark!r} is no fingerprint; expected 16 hexadecimal digits, as in the JSON of a "
            "report, or --report with that JSON and a number or a place, as 4 or answer.txt:1:13"
        )
    outcome = Outcome(args.verdict) if args.verdict else None
    at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    decision = overrides.Decision(
        mark, outcome, args.why.strip(), args.by.strip(), at, args.text
    )  # fmt: skip
    log = log_of(args)
    overrides.add(Path(args.file), decision)
    if log:
        fields = {"text": decision.text, **decision_of(overrides.override_of(decision, mark))}
        tell_head(log, log.append("", [Event("override", fields=fields)]))
    done = f"counts as {outcome.value.replace('_', ' ')}" if outcome else "is set aside"
    write(f"{plain(told)} {done}: see {args.file}\n", None)
    return 0


def _reported(args: argparse.Namespace) -> tuple[str, str]:
    """Return the fingerprint of what a report has at a place or by it, and what that says.

    ConfigError where nothing is there.
    """
    from groundrules.explain.formats import json
    from groundrules.explain.place import line_column
    from groundrules.files import read_whole

    try:
        report = json.loads(read_whole(Path(args.report)).decode("utf-8", "replace"))
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=args.report) from None
    except SourceError as error:
        raise SourceError(error.message, path=args.report) from None
    place = _PLACE.fullmatch(args.mark)
    at = (int(place[2]), int(place[3])) if place and place[1] == report.source else (0, 0)
    for one in report.statements:
        begin, end = (line_column(report.text, of) for of in (one.span.start, one.span.end))
        if begin <= at < end or args.mark in (one.fingerprint, str(one.number + 1)):
            return one.fingerprint, f"“{one.text}”"
    for violation in report.violations:
        if violation.fingerprint == args.mark:
            return args.mark, violation.message
    most = max((one.number + 1 for one in report.statements), default=0)
    raise ConfigError(
        f"has no statement or finding {args.mark!r}; expected a number up to {most}, a place as "
        f"{report.source}:1:1, or a fingerprint",
        path=args.report,
    )


# --- what other commands do with decisions -------------------------------------------------------


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

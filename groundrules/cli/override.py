"""`groundrules override`: what a person decides of a statement or a finding, and why."""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime
from pathlib import Path

from groundrules.cli.logged import add_anchor, log_of, tell_head
from groundrules.cli.options import Parser, one_of
from groundrules.errors import ConfigError
from groundrules.terms import Outcome

#: A statement that could not be asked about is to be asked again, not decided on.
_OUTCOMES = tuple(outcome.value for outcome in Outcome if outcome is not Outcome.ERROR)
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "override",
        "Decide on a statement or finding by its fingerprint, which is in the JSON of a report.",
        (
            "groundrules override 502987fb44b44ad2 --set-aside --by Ann --why 'the annex says so'",
            "groundrules override 06d8e4645f6f7881 --verdict supported --by Ann "
            "--why 'stated on page 3 of the scan' --log audit.log",
            "groundrules check answer.txt --context lease.txt --overrides overrides.jsonl",
        ),
    )
    add = result.add_argument
    add("fingerprint", metavar="FINGERPRINT", help="that of a statement or finding")
    add("--verdict", type=_outcome, metavar="OUTCOME",
        help=f"what holds of the statement: {', '.join(_OUTCOMES)}")  # fmt: skip
    add("--set-aside", action="store_true", help="what speaks against it does not count")
    add("--why", required=True, metavar="TEXT", help="the reason")
    add("--by", required=True, metavar="NAME", help="who decides")
    add("--text", default="", metavar="NAME", help="decide for this text alone")
    add("--file", default="overrides.jsonl", metavar="FILE",
        help="the file to add it to (default overrides.jsonl)")  # fmt: skip
    add("--log", metavar="FILE", help="append it to this audit log too")
    add("--log-key", metavar="FILE", help="sign the log with this key")
    add_anchor(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.audit.log import Event
    from groundrules.audit.overrides import Decision, add

    if not _FINGERPRINT.fullmatch(args.fingerprint):
        raise ConfigError(
            f"{args.fingerprint!r} is no fingerprint; expected 16 hexadecimal digits, as in the "
            "JSON of a report"
        )
    if bool(args.verdict) == args.set_aside:
        raise ConfigError("expected either --verdict or --set-aside")
    for option in ("why", "by"):
        if not getattr(args, option).strip():
            raise ConfigError(f"--{option} is empty; expected {_MEANT[option]}")
    decision = Decision(
        args.fingerprint,
        Outcome(args.verdict) if args.verdict else None,
        args.why.strip(),
        args.by.strip(),
        f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        args.text,
    )
    log = log_of(args)
    add(Path(args.file), decision)
    if log:
        told = {
            "text": decision.text,
            "fingerprint": decision.fingerprint,
            "decision": "override",
            "outcome": args.verdict or "",
            "why": decision.why,
            "by": decision.by,
            "decided": decision.at,
        }
        head = log.append("", [Event("override", fields=told)])
        tell_head(log, head)
    return 0


_MEANT = {"why": "a reason", "by": "a name"}


def _outcome(value: str) -> str:
    return one_of(*_OUTCOMES)(value.replace("-", "_").replace(" ", "_"))

"""What a command writes to an audit log while it checks texts."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from groundrules.config import Config
from groundrules.errors import ConfigError, without_secrets

if TYPE_CHECKING:
    from groundrules.audit.kept import Kept
    from groundrules.audit.log import Log
    from groundrules.audit.results import Result
    from groundrules.llm.client import Client
    from groundrules.terms import Logged, Report


def add_log(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where a run is logged."""
    parser.add_argument("--log", metavar="FILE",
        help="append what is done to this audit log, and keep beside it what a replay needs"
        )  # fmt: skip
    parser.add_argument("--log-key", metavar="FILE",
        help="sign the log with this key (groundrules log key FILE makes one)")  # fmt: skip
    add_anchor(parser)


def add_anchor(parser: argparse.ArgumentParser) -> None:
    """Add the option that says from where on a log is known."""
    parser.add_argument("--anchor", metavar="FILE",
        help="sign only where the log has the head that is in this file, kept elsewhere and "
        "written anew each time; of log verify: where the head is that must be in it")  # fmt: skip


class CheckLog:
    """A check that is logged: each text once it is checked, and the end."""

    def __init__(self, log: Log, kept: Kept, config: Config, folder: Path) -> None:
        from groundrules.audit.answered import asks, is_snapshot
        from groundrules.audit.entries import begin

        self._log, self._kept = log, kept
        self._replies = folder / "replies.jsonl"
        self._snapshot = folder / "snapshot.sqlite"
        self._replayed = Path(config.offline) if is_snapshot(config) else None
        self._asks = asks(config)
        self._counts: Counter[str] = Counter()
        self._run = begin(log, kept, config)

    @property
    def asked(self) -> dict[str, Any]:
        """What `api.check` is given besides: where to write what endpoints answer."""
        return {"snapshot": self._snapshot} if self._asks else {}

    def client(self, config: Config) -> Client:
        """Return a client that records what a language model answers."""
        from groundrules.llm.client import Client

        return Client(config.llm, record=self._replies)

    def record(self, report: Report) -> None:
        """Log a text that was checked."""
        from groundrules.audit.answered import keep_answers
        from groundrules.audit.entries import counts_of, record

        answered = keep_answers(self._kept, self._snapshot, self._replies)
        self._forget()
        record(self._log, self._kept, report, run=self._run, snapshot=self._replayed,
               answered=answered)  # fmt: skip
        self._counts.update(counts_of([report]))

    def fail(self, name: str, why: Exception) -> None:
        """Log that a text could not be checked."""
        from groundrules.audit.entries import fail

        fail(self._log, self._run, name, str(why))
        self._forget()

    def _forget(self) -> None:
        """Leave nothing of one text to the next."""
        self._replies.unlink(missing_ok=True)
        self._snapshot.unlink(missing_ok=True)

    def finish(self) -> Logged:
        """Log the end of the run, and return how the log stands then."""
        from groundrules.audit.entries import finish

        logged = finish(self._log, self._run, self._counts)
        tell_head(self._log, logged.head)
        return logged


@contextmanager
def logged(args: argparse.Namespace, config: Config) -> Iterator[CheckLog | None]:
    """Give what a check logs to, None where it is not asked to; ConfigError where it cannot."""
    log = log_of(args)
    if log is None:
        yield None
        return
    from groundrules.audit.kept import beside

    with TemporaryDirectory() as folder:
        yield CheckLog(log, beside(log.path), config, Path(folder))


class AuditLog:
    """An audit that is logged: each text once its result is written, and the end.

    `told` are the keys of the texts that the log has already.
    """

    def __init__(self, log: Log, config: Config) -> None:
        from groundrules.audit.answered import is_snapshot
        from groundrules.audit.entries import begin
        from groundrules.audit.kept import beside
        from groundrules.audit.log import read

        self._log, self._kept = log, beside(log.path)
        self._snapshot = Path(config.offline) if is_snapshot(config) else None
        self._counts: Counter[str] = Counter()
        old = read(log.path) if log.path.exists() else ()
        self.told = {event["key"] for event in old if "key" in event}
        self._run = begin(log, self._kept, config)

    @property
    def folder(self) -> Path:
        """Where what is asked meanwhile is kept."""
        return self._kept.folder

    def record(self, result: Result, report: Callable[[], Report]) -> None:
        """Log a text that was checked, or could not be."""
        from groundrules.audit.entries import counts_of, fail, record

        if result.error:
            self._counts["faults"] += 1
            fail(self._log, self._run, result.id, result.error, key=result.key)
            return
        found = report()
        self._counts.update(counts_of([found]))
        record(
            self._log,
            self._kept,
            found,
            run=self._run,
            snapshot=self._snapshot,
            answered=result.answered,
            key=result.key,
        )

    def finish(self, out: Path) -> Logged:
        """Log the end of the run and what it wrote; return how the log stands then."""
        from groundrules.audit.entries import finish
        from groundrules.audit.kept import hash_of
        from groundrules.audit.summary import REPORT_JSON

        folder = os.path.relpath(out, self._log.path.parent)
        written = {"audit": folder, "report": hash_of(out / REPORT_JSON)}
        logged = finish(self._log, self._run, self._counts, written)
        tell_head(self._log, logged.head)
        return logged


def audit_log(args: argparse.Namespace, config: Config) -> AuditLog | None:
    """Return what an audit logs to, None where it is not asked to; ConfigError where it cannot."""
    log = log_of(args)
    return AuditLog(log, config) if log else None


def public_half(args: argparse.Namespace) -> str:
    """Return the file by which a log is verified that a command signs, empty where none is."""
    beside = f"{args.log_key}.pub" if args.log_key else ""
    return beside if beside and Path(beside).exists() else ""


def command_of(args: argparse.Namespace, name: str) -> str:
    """Return a command as it was given."""
    return shlex.join(["groundrules", name, *map(without_secrets, args.given)])


def log_of(args: argparse.Namespace, path: str | None = None) -> Log | None:
    """Return a log, by default that of `--log`, with its key and anchor; None where there is none.

    ConfigError where one of them cannot be used.
    """
    if args.anchor and not args.log_key:
        raise ConfigError("--anchor needs --log-key")
    if not (path or args.log):
        return None
    from groundrules.audit.log import Log

    key, anchor = (Path(one) if one else None for one in (args.log_key, args.anchor))
    return Log(Path(path or args.log), key=key, anchor=anchor)


def tell_head(log: Log, head: str) -> None:
    """Say where a log stands that is signed, and held against no anchor."""
    if log.signer and not log.anchor:
        print(f"{log.path}: signed, head {head}; note it where the log is not, or name a file "
              "there as --anchor", file=sys.stderr)  # fmt: skip

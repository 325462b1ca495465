"""What a command writes to an audit log while it checks texts."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from groundrules.config import Config
from groundrules.errors import without_secrets

if TYPE_CHECKING:
    from groundrules.audit.entries import RunLog
    from groundrules.audit.log import Log
    from groundrules.llm.client import Client
    from groundrules.terms import Logged, Report


def add_log(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where a run is logged."""
    parser.add_argument("--log", metavar="FILE",
        help="append what is done to this audit log, and keep beside it what a replay needs"
        )  # fmt: skip
    parser.add_argument("--log-key", metavar="FILE",
        help="sign the log with this key (groundrules log key FILE makes one)")  # fmt: skip


class CheckLog:
    """A check that is logged: each text with what endpoints and a language model answered it."""

    def __init__(self, run: RunLog, config: Config, folder: Path) -> None:
        from groundrules.audit.answered import asks

        self._run = run
        self._replies, self._snapshot = folder / "replies.jsonl", folder / "snapshot.sqlite"
        #: What `api.check` is given besides: where to write what endpoints answer.
        self.asked: dict[str, Any] = {"snapshot": self._snapshot} if asks(config) else {}

    def client(self, config: Config) -> Client:
        """Return a client that records what a language model answers."""
        from groundrules.llm.client import Client

        return Client(config.llm, record=self._replies)

    def record(self, report: Report) -> None:
        """Log a text that was checked."""
        from groundrules.audit.answered import keep_answers

        answered = keep_answers(self._run.kept, self._snapshot, self._replies)
        self._forget()
        self._run.record(report, answered)

    def fail(self, name: str, why: Exception) -> None:
        """Log that a text could not be checked."""
        self._run.fail(name, str(why))
        self._forget()

    def _forget(self) -> None:
        """Leave nothing of one text to the next."""
        self._replies.unlink(missing_ok=True)
        self._snapshot.unlink(missing_ok=True)

    def finish(self) -> Logged:
        """Log the end of the run, and return how the log stands then."""
        stands = self._run.finish()
        tell_head(self._run.log, stands.head)
        return stands


@contextmanager
def logged(args: argparse.Namespace, config: Config) -> Iterator[CheckLog | None]:
    """Give what a check logs to, None where it is not asked to; ConfigError where it cannot."""
    if log := log_of(args):
        from groundrules.audit.entries import RunLog

        with TemporaryDirectory() as folder:
            yield CheckLog(RunLog(log, config), config, Path(folder))
    else:
        yield None


def public_half(args: argparse.Namespace) -> str:
    """Return the file by which a log is verified that a command signs, empty where none is."""
    beside = f"{args.log_key}.pub" if args.log_key else ""
    return beside if beside and Path(beside).exists() else ""


def command_of(args: argparse.Namespace, name: str) -> str:
    """Return a command as it was given."""
    return shlex.join(["groundrules", name, *map(without_secrets, args.given)])


def log_of(args: argparse.Namespace, path: str | None = None) -> Log | None:
    """Return a log, by default that of `--log`, with its key; None where there is none.

    ConfigError where the key cannot be used.
    """
    if not (path or args.log):
        return None
    from groundrules.audit.log import Log

    return Log(Path(path or args.log), key=Path(args.log_key) if args.log_key else None)


def tell_head(log: Log, head: str) -> None:
    """Say where a log stands that is signed."""
    if log.signer:
        print(f"{log.path}: signed, head {head}; note it where the log is not", file=sys.stderr)

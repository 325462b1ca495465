"""What an audit leaves in its folder: a line for each text, its whole report, each source once.

audit.json       when it began, what it was asked and with which settings
results.sqlite   a line a text, written when its report is
reports/KEY.json the report of a text; of its sources it has the places
sources/KEY.json a source: name, format, text
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO

from pydantic import TypeAdapter

from groundrules.audit.answered import Answered
from groundrules.audit.tasks import Task, source_key
from groundrules.claims.documents.document import Document
from groundrules.errors import ConfigError, SourceError
from groundrules.explain.findings import standing
from groundrules.explain.formats import json as json_format
from groundrules.explain.words import STANDINGS
from groundrules.files import write_atomically
from groundrules.sqlite import open_database
from groundrules.terms import Report, Severity

RESULTS, REPORTS, SOURCES, LOCK = "results.sqlite", "reports", "sources", "lock"
#: What was spent on language models; and where workers write what nobody needs after a text.
SPENT, WORK = "spent.json", "work"

#: How many lines of what could not be read or asked a result has.
_MOST_SAID = 10
#: How a file is called while it is written, see `files.beside`.
_PART = re.compile(r"\.(?:[0-9a-f]{64}|\w+\.(?:json|jsonl|md|svg|csv))\.\w{8}")


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found in a text, how often; `overridden` of it no longer count."""

    rule: str
    name: str
    severity: str
    count: int
    overridden: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """The line of a text: `error` says why it could not be checked, else `report` is a SHA-256.

    `conclusion` is that of its report, empty where there is none, and `conforms` follows from it.
    `outcomes` counts its statements, each once, by what `STANDINGS` has: an outcome, or who decided
    otherwise; `open` says how many are left open, of how many. `unread` and `unasked` say what of
    it and its sources could not be read or asked. `answered` is what of it was kept for a log.
    """

    key: str
    id: str
    place: str
    sha256: str
    date: str = ""
    error: str = ""
    conforms: bool | None = None
    conclusion: str = ""
    open: tuple[int, int] = (0, 0)
    outcomes: Mapping[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    unread: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    report: str = ""
    answered: Answered | None = None

    @property
    def level(self) -> str:
        """The worst severity of the findings that count, empty where there are none."""
        found = {one.severity for one in self.findings if one.count > one.overridden}
        return next((one.value for one in Severity if one.value in found), "")


def result_of(task: Task, report: Report, digest: str) -> Result:
    """Return the line of a checked text, whose report was written with a hash."""
    findings: Counter[tuple[str, str, str]] = Counter()
    dropped: Counter[tuple[str, str, str]] = Counter()
    for one in report.violations:
        what = (one.rule, one.name, one.severity.value)
        findings[what] += 1
        dropped[what] += not report.stands(one)
    outcomes = Counter(standing(one, report) for one in report.statements)
    return Result(
        key=task.key,
        id=task.id,
        place=task.place,
        sha256=task.answer.sha256,
        date=task.date,
        conforms=report.conforms,
        conclusion=report.conclusion.value,
        open=report.left_open,
        outcomes=_counts(outcomes),
        findings=tuple(
            Finding(*what, count, dropped[what]) for what, count in sorted(findings.items())
        ),
        unread=report.unread[:_MOST_SAID],
        unasked=report.unasked[:_MOST_SAID],
        report=digest,
    )


def _counts(found: Mapping[str, int]) -> dict[str, int]:
    return {one: found.get(one, 0) for one in STANDINGS}


# --- reports and sources ----------------------------------------------------------------------


def write_report(out: Path, key: str, report: Report, keys: Mapping[str, str]) -> str:
    """Write the report of a text, without what varies from run to run; return its SHA-256."""
    run = replace(report.run, times=(), calls=())
    data = json_format.encode(replace(report, run=run))
    data["sources"] = {
        name: f"{SOURCES}/{keys[name]}.json" if name in keys else "" for name in data["sources"]
    }
    body = _utf8(json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n")
    write_atomically(out / _of_report(key), body)
    return hashlib.sha256(body).hexdigest()


def read_report(out: Path, result: Result) -> Report:
    """Return the report of a text, as it was written.

    Raises:
        SourceError: it, or one of its sources, is not there or has changed since.
    """
    path = out / _of_report(result.key)
    with as_written(path):
        body = path.read_bytes()
        if hashlib.sha256(body).hexdigest() != result.report:
            raise ValueError
    data = json.loads(body)
    data["sources"] = {
        name: read_source(out, Path(place).stem).text if place else data["text"]
        for name, place in data["sources"].items()
    }
    return json_format.decode(data)


def write_source(out: Path, document: Document) -> str:
    """Keep a source, if it is not; return its key."""
    key = source_key(document)
    path = out / SOURCES / f"{key}.json"
    if not path.exists():
        data = asdict(document) | {"unread": list(document.unread)}
        write_atomically(path, _utf8(json.dumps(data, ensure_ascii=False) + "\n"))
    return key


def read_source(out: Path, key: str) -> Document:
    """Return a source that was kept; SourceError where it is not there or has changed since."""
    path = out / SOURCES / f"{key}.json"
    with as_written(path):
        document = document_of(path.read_bytes())
        if source_key(document) != key:
            raise ValueError
    return document


def document_of(data: bytes) -> Document:
    """Return a document that was kept as JSON."""
    found = json.loads(data)
    return Document(**{**found, "unread": tuple(found["unread"])})


@contextlib.contextmanager
def as_written(path: Path) -> Iterator[None]:
    """Raise SourceError where a file of an audit cannot be read, or is not as it was written."""
    try:
        yield
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise SourceError("is damaged; expected it as it was written", path=str(path)) from None


def _utf8(text: str) -> bytes:
    return text.encode(errors="backslashreplace")


# --- lines ------------------------------------------------------------------------------------

_TABLE = (
    "CREATE TABLE IF NOT EXISTS result (key TEXT PRIMARY KEY, id BLOB NOT NULL, line TEXT NOT NULL)"
)
_LINE = TypeAdapter(Result)


@contextlib.contextmanager
def _database(out: Path) -> Iterator[sqlite3.Connection]:
    """Give the results of a folder; SourceError where they are damaged."""
    try:
        with contextlib.closing(open_database(out / RESULTS)) as database:
            database.execute(_TABLE)
            yield database
    except (sqlite3.Error, ValueError) as error:
        what = "is damaged; expected it as it was written"
        raise SourceError(f"{what}: {error}", path=str(out / RESULTS)) from None


def read_results(out: Path) -> Iterator[Result]:
    """Yield the results of a folder in the order written."""
    if (out / RESULTS).exists():
        with _database(out) as database:
            for (line,) in database.execute("SELECT line FROM result ORDER BY rowid"):
                yield _LINE.validate_json(line)


def sorted_results(out: Path, keys: set[str]) -> Iterator[Result]:
    """Yield the results of some keys, sorted by id; of the others the folder may have many."""
    if (out / RESULTS).exists():
        with _database(out) as database:
            for key, line in database.execute("SELECT key, line FROM result ORDER BY id, key"):
                if key in keys:
                    yield _LINE.validate_json(line)


class Ledger:
    """The results of a folder while an audit adds to them; no two processes do at once.

    `done` are the keys of those that are there, each with its report.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.done: set[str] = set()
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Ledger:
        """Open the folder, or make it; ConfigError where it is another's, or cannot be made."""
        try:
            with contextlib.ExitStack() as opened:
                for name in (REPORTS, SOURCES):
                    (self.out / name).mkdir(parents=True, exist_ok=True)
                _hold(opened.enter_context((self.out / LOCK).open("wb")), self.out)
                self._database = opened.enter_context(_database(self.out))
                found = list(read_results(self.out))
                self._open = opened.pop_all()
        except OSError as error:
            raise ConfigError(f"cannot be written: {error.strerror}", path=str(self.out)) from None
        held = (one for one in found if one.error or (self.out / _of_report(one.key)).exists())
        self.done = {one.key for one in held}
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the folder, without what workers that were killed had begun to write."""
        shutil.rmtree(self.out / WORK, ignore_errors=True)
        for folder in (self.out, self.out / REPORTS, self.out / SOURCES):
            for part in folder.glob(".*.????????"):
                if _PART.fullmatch(part.name):
                    part.unlink(missing_ok=True)
        self._open.close()

    def append(self, results: Iterable[Result]) -> None:
        """Write results, which are on the disk when this returns."""
        found = list(results)
        with self._database:
            self._database.executemany(
                "INSERT OR REPLACE INTO result (key, id, line) VALUES (?, ?, ?)",
                [(one.key, one.id.encode(errors="surrogatepass"), json.dumps(asdict(one)))
                 for one in found],
            )  # fmt: skip
        self.done.update(one.key for one in found)


def _of_report(key: str) -> str:
    return f"{REPORTS}/{key}.json"


def _hold(file: IO[bytes], out: Path) -> None:
    """Hold a folder until the process ends; ConfigError where another one has it."""
    with contextlib.suppress(ImportError):  # where there is no fcntl, two runs are the user's fault
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError("another audit is writing to it", path=str(out)) from None

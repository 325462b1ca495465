"""What an audit leaves in its folder: a line for each text, its whole report, each source once.

    audit.json       when it began, what it was asked and with which settings
    results.jsonl    a line a text, appended when its report is written
    reports/KEY.json the report of a text; of its sources it has the places
    sources/KEY.json a source: name, format, text

A line that was being written when the machine died is dropped, and its text is checked again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from groundrules.audit.answered import Answered
from groundrules.audit.tasks import Task, source_key
from groundrules.claims.document import Document
from groundrules.errors import ConfigError, SourceError
from groundrules.explain.findings import standing
from groundrules.explain.formats import json as json_format
from groundrules.explain.words import DECIDED, STANDINGS
from groundrules.files import write_atomically
from groundrules.terms import Conclusion, Report, Severity, Statement

RESULTS, REPORTS, SOURCES, LOCK = "results.jsonl", "reports", "sources", "lock"
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
class Rest:
    """How many statements of each outcome rest on a source.

    `key` is that of its file in `sources/`, empty for one not kept, and `sha256` the hash that its
    reports have of it.
    """

    name: str
    key: str
    outcomes: Mapping[str, int]
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The line of a text: `error` says why it could not be checked, else `report` is a SHA-256.

    `conclusion` is that of its report, empty where there is none, and `conforms` follows from it.
    `outcomes` counts its statements, each once, by what `STANDINGS` has: an outcome, or who decided
    otherwise; `open` says how many are left open, of how many. `because` is "against" where it
    fails as something speaks against it, "open" where it does by the policy alone, and `decided`
    whether anything that was found no longer counts. `unread` and `unasked` say what of it and
    its sources could not be read or asked. `given` is what it was given as its id where another
    text has that one, else empty. `answered` is what of it was kept for a log.
    """

    key: str
    id: str
    place: str
    sha256: str
    date: str = ""
    error: str = ""
    conforms: bool | None = None
    conclusion: str = ""
    because: str = ""
    decided: bool = False
    open: tuple[int, int] = (0, 0)
    outcomes: Mapping[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    sources: tuple[Rest, ...] = ()
    unread: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    report: str = ""
    given: str = ""
    answered: Answered | None = None

    @property
    def level(self) -> str:
        """The worst severity of the findings that count, empty where there are none."""
        found = {one.severity for one in self.findings if one.count > one.overridden}
        return next((one.value for one in Severity if one.value in found), "")


def result_of(task: Task, report: Report, keys: Mapping[str, str], digest: str) -> Result:
    """Return the line of a checked text; `keys` are those of its sources, by name."""
    findings: Counter[tuple[str, str, str]] = Counter()
    dropped: Counter[tuple[str, str, str]] = Counter()
    for one in report.violations:
        what = (one.rule, one.name, one.severity.value)
        findings[what] += 1
        dropped[what] += not report.stands(one)
    rests: dict[str, Counter[str]] = {}
    outcomes: Counter[str] = Counter()
    known = stated_on(report)
    hashes = {one.name: one.sha256 for one in report.run.inputs}
    for statement in report.statements:
        outcome = standing(statement, report)
        outcomes[outcome] += 1
        rests.setdefault(rests_on(statement, known), Counter())[outcome] += 1
    return Result(
        key=task.key,
        id=task.id,
        place=task.place,
        sha256=task.answer.sha256,
        date=task.date,
        conforms=report.conforms,
        conclusion=report.conclusion.value,
        because=_because(report),
        decided=any(outcomes[one] for one in DECIDED) or any(dropped.values()),
        open=report.left_open,
        outcomes=_counts(outcomes),
        findings=tuple(
            Finding(*what, count, dropped[what]) for what, count in sorted(findings.items())
        ),
        sources=tuple(
            Rest(name, keys.get(name, ""), _counts(counts), hashes.get(name, ""))
            for name, counts in sorted(rests.items())
        ),
        unread=_few(report.unread),
        unasked=_few(report.unasked),
        report=digest,
        given=task.given,
    )


def _because(report: Report) -> str:
    """Return why a text fails, empty where it does not."""
    if report.conclusion is not Conclusion.FAILS:
        return ""
    alone = replace(report, policy=(), settled=0.0)
    return "against" if alone.conclusion is Conclusion.FAILS else "open"


def _counts(found: Mapping[str, int]) -> dict[str, int]:
    return {one: found.get(one, 0) for one in STANDINGS}


def _few(said: Sequence[str]) -> tuple[str, ...]:
    more = len(said) - _MOST_SAID
    return (*said[:_MOST_SAID], *([f"and {more:,} more"] if more > 0 else []))


def stated_on(report: Report) -> dict[int, str]:
    """Return the source of what knowledge bases state on the sentences that they were asked of."""
    known: dict[int, str] = {}
    for verdict in report.verdicts:
        if verdict.evidence:
            known.setdefault(verdict.claim.sentence, verdict.evidence[0].source)
    return known


def rests_on(statement: Statement, known: Mapping[int, str]) -> str:
    """Return the source of a statement's nearest passage, else of what was stated on it."""
    if statement.passages:
        return statement.passages[0].source
    return known.get(statement.number, "")


# --- reports and sources ----------------------------------------------------------------------


def write_report(out: Path, key: str, report: Report, keys: Mapping[str, str]) -> str:
    """Write the report of a text, without what varies from run to run; return its SHA-256."""
    run = replace(report.run, times=(), calls=())
    data = json_format.encode(replace(report, run=run))
    data["sources"] = {
        name: f"{SOURCES}/{keys[name]}.json" if name in keys else "" for name in data["sources"]
    }
    body = _utf8(json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n")
    write_atomically(out / REPORTS / f"{key}.json", body)
    return hashlib.sha256(body).hexdigest()


def read_report(out: Path, result: Result) -> Report:
    """Return the report of a text, as it was written.

    Raises:
        SourceError: it, or one of its sources, is not there or has changed since.
    """
    path = out / REPORTS / f"{result.key}.json"
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
        data = json.loads(path.read_bytes())
        document = Document(**{**data, "unread": tuple(data["unread"])})
        if source_key(document) != key:
            raise ValueError
    return document


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


def write_line(result: Result) -> bytes:
    """Return a result as a line of JSON."""
    return _utf8(json.dumps(asdict(result), ensure_ascii=False) + "\n")


def read_line(line: bytes) -> Result:
    """Return the result of a line; ValueError, KeyError or TypeError where it is none."""
    data = json.loads(line)
    return Result(
        **{
            **data,
            "findings": tuple(Finding(**one) for one in data["findings"]),
            "sources": tuple(Rest(**one) for one in data["sources"]),
            "open": (data["open"][0], data["open"][1]),
            "unread": tuple(data["unread"]),
            "unasked": tuple(data["unasked"]),
            "answered": _answered(data.get("answered")),
        }
    )


def _answered(data: Mapping[str, Any] | None) -> Answered | None:
    return Answered(**{**data, "responses": tuple(data["responses"])}) if data else None


def read_lines(out: Path) -> Iterator[tuple[int, int, Result]]:
    """Yield the results of a folder, each with the place and length of its line in bytes.

    A last line that is torn is left out. SourceError where another is damaged.
    """
    path = out / RESULTS
    if not path.exists():
        return
    with path.open("rb") as file:
        place = 0
        for number, line in enumerate(file, 1):
            try:
                if not line.endswith(b"\n"):
                    raise ValueError
                yield place, len(line), read_line(line)
            except (ValueError, KeyError, TypeError, RecursionError):
                if file.read(1):
                    raise SourceError(
                        "is damaged; expected a result as it was written: take the line out, and "
                        "its text is checked again",
                        path=str(path),
                        line=number,
                    ) from None
                return
            place += len(line)


class Ledger:
    """The results of a folder while an audit adds to them; no two processes do at once.

    `done` are the keys of those that are there.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.done: set[str] = set()
        self._file: IO[bytes] | None = None
        self._lock: IO[bytes] | None = None

    def __enter__(self) -> Ledger:
        """Open the folder, or make it; ConfigError where it is another's, or cannot be made."""
        try:
            self._open()
        except BaseException as error:
            self.__exit__()
            if not isinstance(error, OSError):
                raise
            raise ConfigError(f"cannot be written: {error.strerror}", path=str(self.out)) from None
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the folder, without what workers that were killed had begun to write."""
        if self._file is not None:
            shutil.rmtree(self.out / WORK, ignore_errors=True)
            for folder in (self.out, self.out / REPORTS, self.out / SOURCES):
                for part in folder.glob(".*.????????"):
                    if _PART.fullmatch(part.name):
                        part.unlink(missing_ok=True)
        for file in (self._file, self._lock):
            if file is not None:
                file.close()

    def _open(self) -> None:
        path = self.out / RESULTS
        for name in (REPORTS, SOURCES):
            (self.out / name).mkdir(parents=True, exist_ok=True)
        self._lock = (self.out / LOCK).open("wb")
        _hold(self._lock, self.out)
        self._recover(path)
        self._file = path.open("ab")

    def append(self, results: Iterable[Result]) -> None:
        """Write results, which are on the disk when this returns."""
        assert self._file is not None
        found = list(results)
        self._file.write(b"".join(map(write_line, found)))
        self._file.flush()
        os.fsync(self._file.fileno())
        self.done.update(one.key for one in found)

    def _recover(self, path: Path) -> None:
        """Drop a torn last line, and lines whose report is not there or that are there twice."""
        kept, end, whole = [], 0, True
        for place, length, result in read_lines(self.out):
            end = place + length
            held = result.error or (self.out / REPORTS / f"{result.key}.json").exists()
            if held and result.key not in self.done:
                self.done.add(result.key)
                kept.append((place, length))
            else:
                whole = False
        if not path.exists():
            return
        if not whole:
            with path.open("rb") as file:
                lines = b"".join(_bytes(file, *one) for one in kept)
            write_atomically(path, lines)
        elif path.stat().st_size > end:
            os.truncate(path, end)


def _bytes(file: IO[bytes], place: int, length: int) -> bytes:
    file.seek(place)
    return file.read(length)


def sorted_results(out: Path, keys: set[str]) -> Iterator[Result]:
    """Yield the results of some keys, sorted by id; of the others the folder may have many."""
    places = sorted(
        (result.id, result.key, place, length)
        for place, length, result in read_lines(out)
        if result.key in keys
    )
    if not places:
        return
    with (out / RESULTS).open("rb") as file:
        for _, _, place, length in places:
            yield read_line(_bytes(file, place, length))


def _hold(file: IO[bytes], out: Path) -> None:
    """Hold a folder until the process ends; ConfigError where another one has it."""
    with contextlib.suppress(ImportError):  # where there is no fcntl, two runs are the user's fault
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError("another audit is writing to it", path=str(out)) from None

"""The evidence store: what endpoints answered, so that a run can be repeated, and replayed offline.

An SQLite file that processes share. The cache of a user and the snapshot of a run have one layout;
a snapshot has no more than the run used, and the day of the run, and the same rows make the same
bytes.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Literal as OneOf

from groundrules.errors import SourceError
from groundrules.kb.sources.source import Fault, Status
from groundrules.sqlite import MOST_BYTES, Table, new_database

#: An answer without rows is good for an hour.
EMPTY_DAYS = 1 / 24

_VERSION = 1
_TABLE = Path(__file__).with_suffix(".sql").read_text("utf-8").strip()
#: Where the header of a snapshot has the day of its run, as in `date.toordinal`.
_DAY = "application_id"
_NO_BODY = hashlib.sha256(b"").hexdigest()
_COLUMNS = "endpoint, query, fetched, days, outcome, body, sha256"
_SELECT = f"SELECT {_COLUMNS} FROM response"  # noqa: S608 - constants
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(\+00:00|Z)", re.A)


_recorded: ContextVar[dict[str, Response] | None] = ContextVar("recorded", default=None)


@dataclass(frozen=True, slots=True)
class Response:
    """What an endpoint answered to a query.

    `outcome` is "ok" or, in snapshots only, the status, code and message of a fault. `body` is the
    answer as SPARQL JSON, `digest` the SHA-256 of that.
    """

    endpoint: str
    query: str
    fetched: str
    days: float = 1.0
    outcome: str = "ok"
    body: bytes = b""
    digest: str = _NO_BODY

    @property
    def key(self) -> str:
        """What it is kept under."""
        return hashlib.sha256(f"{self.endpoint}\n{self.query}".encode()).hexdigest()

    @property
    def fault(self) -> Fault | None:
        """Why there is no answer, None if there is one."""
        if self.outcome == "ok":
            return None
        status, code, message = self.outcome.split(" ", 2)
        return Fault(Status(status), code, message)

    def fresh(self, now: datetime) -> bool:
        """Return whether it is still good."""
        return now - datetime.fromisoformat(self.fetched) <= timedelta(days=self.days)


class Cache:
    """Responses in an SQLite file, which "write" makes and "read" leaves alone.

    A file that "write" cannot use is no error: nothing is found, nothing is kept, and `note` says
    why. With "read" it is a SourceError. A row that is damaged counts as missing.
    """

    def __init__(self, path: Path, mode: OneOf["write", "read"] = "write") -> None:
        self.path = path
        self.mode = mode
        self._table = Table(path, _TABLE, _VERSION, read_only=mode == "read")
        self._table.select("SELECT 1")
        if mode == "read" and self._table.fault:
            raise SourceError(f"not a snapshot: {self._table.fault}", path=str(path))

    @property
    def note(self) -> str:
        """Why nothing is kept, empty where all is."""
        return self._table.note

    def get(self, key: str) -> Response | None:
        """Return the response kept under a key, however old."""
        rows = self._table.select(f"{_SELECT} WHERE key = ?", [key])
        found = (_response(row) for row in rows)
        # the row of a forged key is not the one that was asked for
        return next((one for one in found if one and one.key == key), None)

    @property
    def day(self) -> date | None:
        """The day of the run that a snapshot is of, None for a cache."""
        number = next((row[0] for row in self._table.select(f"PRAGMA {_DAY}")), 0)
        return date.fromordinal(number) if 0 < number <= date.max.toordinal() else None

    def responses(self) -> Iterator[Response]:
        """Yield all responses, by key; SourceError where one is damaged."""
        for row in self._table.select(f"{_SELECT} ORDER BY key"):
            response = _response(row)
            if response is None:
                raise SourceError("damaged; expected it as it was written", path=str(self.path))
            yield response

    def keep(self, *responses: Response) -> None:
        """Keep responses; one with a fault is not kept, for errors do not last."""
        rows = [_row(response) for response in responses if not response.fault]
        if self.mode == "write" and rows:
            self._table.write(_insert("INSERT OR REPLACE"), rows)


@contextmanager
def recording() -> Iterator[dict[str, Response]]:
    """Give a table that fills with the responses that are used meanwhile, in this thread."""
    used: dict[str, Response] = {}
    token = _recorded.set(used)
    try:
        yield used
    finally:
        _recorded.reset(token)


def record(response: Response) -> None:
    """Note that a response was used, where that is recorded."""
    used = _recorded.get()
    if used is not None:
        used[response.key] = response


def write_snapshot(used: Iterable[Response], path: Path, day: date) -> str:
    """Write a file with what a run used and return its SHA-256; the same rows make the same bytes.

    `day` is what the present tense meant to the run. SourceError if the file cannot be written.
    """
    rows = {response.key: _row(replace(response, days=0.0)) for response in used}
    layout = f"{_TABLE}; PRAGMA user_version = {_VERSION}; PRAGMA {_DAY} = {day.toordinal()}"
    with new_database(path, layout) as database:
        database.executemany(_insert("INSERT"), [rows[key] for key in sorted(rows)])
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None


def _insert(verb: str) -> str:
    return f"{verb} INTO response (key, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


def _row(response: Response) -> tuple[object, ...]:
    return (
        response.key,
        response.endpoint,
        response.query,
        response.fetched,
        response.days,
        response.outcome,
        zlib.compress(response.body),
        response.digest,
    )


def _response(row: tuple[object, ...]) -> Response | None:
    """Return the response of a row, None if the row is damaged or forged."""
    endpoint, query, fetched, days, outcome, packed, digest = row
    if not (
        isinstance(endpoint, str)
        and isinstance(query, str)
        and isinstance(fetched, str)
        and isinstance(days, float)
        and isinstance(outcome, str)
        and isinstance(packed, bytes)
        and isinstance(digest, str)
        and _TIME.fullmatch(fetched)
        and 0 <= days <= 10_000
        and outcome.isprintable()
    ):
        return None
    try:
        datetime.fromisoformat(fetched)
        body = zlib.decompressobj().decompress(packed, MOST_BYTES)
        response = Response(endpoint, query, fetched, days, outcome, body, digest)
        fault = response.fault
    except (zlib.error, ValueError):
        return None
    if hashlib.sha256(body).hexdigest() != digest:
        return None
    if (fault and fault.status.answered) or (outcome != "ok" and body):
        return None
    return response

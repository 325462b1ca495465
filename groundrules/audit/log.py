"""The audit log: one line of canonical JSON an event, each with the hash of the one before.

A line has no texts, only their hashes; what they are of is kept beside it (`audit/kept.py`). With
a key all that is appended is signed (kind "checkpoint"). See docs/reference/audit-log.md.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeGuard

from groundrules.audit import canonical
from groundrules.audit.keys import is_signed, name_of, read_private, read_public
from groundrules.errors import SourceError
from groundrules.files import locked, open_regular

#: What the first event has for the hash of the one before.
START = "0" * 64
#: The kinds of events, in about the order in which a run has them.
KINDS = (
    "run.start", "text.in", "source.in", "kb.answers", "llm.answers", "statement", "violation",
    "override", "report", "fault", "run.end", "checkpoint", "log.torn", "erased",
)  # fmt: skip

_OWN = ("seq", "at", "prev", "hash")
_MOST_BYTES = 16 * 2**20  # of one line
_BLOCK = 64 * 1024
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a run; `payload` is the hash of what is kept of it.

    `fields` are small and plain: strings, whole numbers, booleans, and lists and tables of these.
    """

    kind: str
    payload: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Chain:
    """What is found of a log: `line` is the first bad line, `why` says what is wrong with it.

    `torn` counts the bytes of a last line that was not written to its end. `runs` says of each
    whether it has an end; `ended` whether the last event is the end of a run, or of none, or the
    checkpoint after it. `signed` counts the events that a checkpoint covers, `keys` are the public
    keys that signed; with `wanted` it must be that one.
    `payloads` are the hashes of all that was kept and not erased, each with the number and kind
    of the event that names it first, and of what it is; `erased` are those that were. `audits` are
    the folders of audits, from that of the log, each with the hash of its report.
    """

    wanted: str = ""
    events: int = 0
    head: str = START
    line: int = 0
    why: str = ""
    torn: int = 0
    runs: dict[str, bool] = field(default_factory=dict)
    ended: bool = True
    signed: int = 0
    keys: dict[str, None] = field(default_factory=dict)
    payloads: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    erased: set[str] = field(default_factory=set)
    audits: dict[str, str] = field(default_factory=dict)

    @property
    def ends(self) -> bool:
        """Whether it ends as a run does, and all of it is signed where it must be."""
        return self.ended and (not self.wanted or self.signed == self.events)

    @property
    def open_runs(self) -> list[str]:
        """The runs without an end."""
        return [run for run, ended in self.runs.items() if not ended]

    @property
    def exit_code(self) -> int:
        """0 if all is well, 1 if a line is bad, 2 if the log ends where no run does."""
        if self.line:
            return 1
        return 0 if self.ends and not self.torn else 2

    def stop(self, line: int, why: str) -> Chain:
        """Return this, with a line that is bad."""
        self.line, self.why = line, why
        return self

    def read(self, line: bytes, *, signatures: bool = True) -> str:
        """Return what is wrong with the next line, empty where nothing is."""
        try:
            event = _parse(line)
        except ValueError as error:
            return str(error)
        if event["seq"] != self.events:
            return f"is event {event['seq']}, where {self.events} comes next"
        if event["prev"] != self.head:
            return "does not follow the line before it"
        if event["kind"] == "checkpoint" and signatures and (why := self._unsigned(event)):
            return why
        self.events, self.head = self.events + 1, event["hash"]
        self._note(event)
        return ""

    def _unsigned(self, event: dict[str, Any]) -> str:
        """Return what is wrong with the signature of a checkpoint."""
        key, signature = event.get("key"), event.get("signature")
        body = {name: value for name, value in event.items() if name not in ("hash", "signature")}
        if not (isinstance(key, str) and isinstance(signature, str)):
            return "is a checkpoint that nobody signed"
        if self.wanted and key != self.wanted:
            return "is signed by another key"
        self.keys[key] = None
        if not is_signed(key, signature, canonical.dumps(body)):
            return "has a signature that is not of these lines"
        self.signed = event["seq"] + 1
        return ""

    def _note(self, event: Mapping[str, Any]) -> None:
        kind, payload = event["kind"], event["payload"]
        if kind != "checkpoint":
            self.ended = kind == "run.end" or not event["run"]
        if kind == "run.start":
            self.runs[event["run"]] = False
        elif kind == "run.end":
            self.runs[event["run"]] = True
            if isinstance(folder := event.get("audit"), str):
                self.audits[folder] = str(event.get("report"))
        if kind == "erased":
            self.payloads.pop(payload, None)
            self.erased.add(payload)
        else:
            of = str(event.get("name") or event.get("text") or event["run"])
            for one in kept_of(event):
                self.payloads.setdefault(one, (event["seq"], kind, of))
                self.erased.discard(one)


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


class Log:
    """A log that events are appended to, by many processes and runs.

    `key` is a file of `keys.write`, by which it is signed. It signs only what follows the last
    line that this key signed.

    SourceError where the log cannot be written or its last line is not one of a log, ConfigError
    where the key cannot be used.
    """

    def __init__(
        self,
        path: Path,
        *,
        key: Path | None = None,
        clock: Callable[[], str] = _now,
    ) -> None:
        self.path = path
        self._key = read_private(key) if key else None
        #: The hash of a line that is known, and where it begins, or some place before.
        self._known = ""
        self._place = 0
        self._clock = clock

    @property
    def signer(self) -> str:
        """The public half of the key that signs it, empty where none does."""
        return name_of(self._key.public_key()) if self._key else ""

    def append(self, run: str, events: Sequence[Event]) -> str:
        """Append events of a run, all of them or none, and return the hash of the last line.

        They are on the disk when it returns. A last line that a crash has cut off is taken out,
        and an event of kind "log.torn" says so.
        """
        if self.path.is_symlink() and not self.path.exists():
            raise SourceError("is a link to no file; expected a log", path=str(self.path))
        try:
            ways = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
            handle = os.open(self.path, ways, 0o600)
            with os.fdopen(handle, "r+b", buffering=0), locked(handle):
                size, last, torn = self._end(handle)
                if self._key:
                    size, last, torn = self._trusted(handle, size, torn)
                lines, head = self._lines(run, events, last, torn)
                try:
                    os.ftruncate(handle, size)
                    os.lseek(handle, 0, os.SEEK_END)
                    _write(handle, b"".join(lines))
                except OSError:
                    with contextlib.suppress(OSError):
                        os.ftruncate(handle, size)
                    raise
                os.fsync(handle)
                self._known, self._place = head, size + sum(map(len, lines[:-1]))
                return head
        except OSError as error:
            raise SourceError(f"cannot be written: {error.strerror}", path=str(self.path)) from None

    def _end(self, handle: int) -> tuple[int, Mapping[str, Any] | None, bytes]:
        """Return the size up to the last whole line, that line, and what is torn after it."""
        size = os.fstat(handle).st_size
        tail = b""
        start = size
        while start and tail.count(b"\n") < 2 and len(tail) <= _MOST_BYTES:
            start = max(0, start - _BLOCK)
            os.lseek(handle, start, os.SEEK_SET)
            tail = _read(handle, size - start)
        whole, _, torn = tail.rpartition(b"\n")
        if torn and not _is_torn(torn):
            raise self._foreign()
        size -= len(torn)
        if not size:
            return 0, None, torn
        try:
            return size, _parse(whole.rpartition(b"\n")[2]), torn
        except ValueError:
            raise self._foreign() from None

    def _trusted(
        self, handle: int, size: int, torn: bytes
    ) -> tuple[int, Mapping[str, Any] | None, bytes]:
        """Return what `_end` does, of a log of which all is signed; SourceError where it is not.

        Lines of one text that come before a torn one are taken out with it.
        """
        state = Chain(self.signer)
        end, last = 0, None
        unsigned: list[Mapping[str, Any]] = []
        for place, line in self._from_known(handle, size):
            try:
                event = _parse(line)
            except ValueError:
                raise self._foreign() from None
            if not state.events:
                state.events, state.head = event["seq"], event["prev"]
            if why := state.read(line):
                raise SourceError(f"{why}, so nothing more is signed", path=str(self.path),
                                  line=event["seq"] + 1)  # fmt: skip
            unsigned.append(event)
            if state.signed == state.events or state.head == self._known:
                end, last, unsigned = place, event, []
        texts = {(event["run"], event.get("text")) for event in unsigned}
        if unsigned and not (last and torn and len(texts) == 1):
            raise SourceError(
                f"its last {len(unsigned)} events are not signed, so nothing more is; expected "
                "another log, or one whose last line is signed",
                path=str(self.path),
            )
        if unsigned:
            os.lseek(handle, end, os.SEEK_SET)
            torn = _read(handle, size - end) + torn
        return end, last, torn

    def _from_known(self, handle: int, size: int) -> Iterator[tuple[int, bytes]]:
        """Yield the lines from the one on that is known, each with the place behind it."""
        mark = f'"hash":"{self._known}"' if self._known else '"kind":"checkpoint"'
        begin, place = (-1 if self._known else 0), self._place
        with os.fdopen(os.dup(handle), "rb") as file:
            file.seek(place)
            while place < size and (line := file.readline()):
                if mark.encode() in line:
                    begin = place
                place += len(line)
            if begin < 0:
                raise SourceError(
                    f"has no line of hash {self._known}, which was signed: it was cut off or "
                    "written anew, so nothing more is signed",
                    path=str(self.path),
                )
            file.seek(begin)
            while begin < size and (line := file.readline()):
                begin += len(line)
                yield begin, line[:-1]

    def _foreign(self) -> SourceError:
        return SourceError(
            "its last line is none of a log; expected one that `groundrules log verify` finds well",
            path=str(self.path),
        )

    def _lines(
        self, run: str, events: Iterable[Event], last: Mapping[str, Any] | None, torn: bytes
    ) -> tuple[list[bytes], str]:
        lines: list[bytes] = []
        seq, head = (last["seq"] + 1, last["hash"]) if last else (0, START)

        def add(event: Event) -> None:
            nonlocal seq, head
            body = {**event.fields, "kind": event.kind, "run": run, "payload": event.payload}
            body |= {"seq": seq, "at": self._clock(), "prev": head}
            if event.kind == "checkpoint":
                body |= self._signed(body)
            head = canonical.digest(body)
            lines.append(canonical.dumps({**body, "hash": head}) + b"\n")
            seq += 1

        told = {"bytes": len(torn), "sha256": hashlib.sha256(torn).hexdigest()}
        for event in (*([Event("log.torn", fields=told)] if torn else ()), *events):
            assert event.kind in KINDS, event.kind
            assert not event.fields.keys() & {*_OWN, "kind", "run", "payload"}, event.fields
            add(event)
        if self._key:
            add(Event("checkpoint"))
        return lines, head

    def _signed(self, body: Mapping[str, Any]) -> dict[str, str]:
        assert self._key
        named = {"key": self.signer}
        return {**named, "signature": self._key.sign(canonical.dumps({**body, **named})).hex()}


def verify(path: Path, *, public_key: Path | None = None, head: str = "") -> Chain:
    """Return whether a log is whole: the first line that is not as it was written, or none.

    `public_key` is that of who must have signed it, `head` a hash that the chain must contain.
    SourceError where the log cannot be read, ConfigError where the key cannot.
    """
    state = Chain(name_of(read_public(public_key)) if public_key else "")
    found = not head
    for number, line in enumerate(_lines_of(path), 1):
        if not line.endswith(b"\n"):
            if not _is_torn(line):
                return state.stop(number, "its line end is gone")
            state.torn = len(line)
            return state
        if why := state.read(line[:-1]):
            return state.stop(number, why)
        found = found or state.head == head
    if not found:
        return state.stop(state.events + 1, f"the line of hash {head} is missing")
    if state.wanted and not state.keys:
        return state.stop(max(state.events, 1), "nothing up to here is signed by that key")
    return state


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of a log, each as it was written; a torn last line is left out.

    SourceError with the line of the first that does not follow the one before; signatures are for
    `verify`.
    """
    state = Chain()
    for number, line in enumerate(_lines_of(path), 1):
        if not line.endswith(b"\n") and _is_torn(line):
            return
        if why := state.read(line.removesuffix(b"\n"), signatures=False):
            raise SourceError(f"{why}; expected a log as it was written", path=str(path),
                              line=number)  # fmt: skip
        yield json.loads(line)


def kept_of(event: Mapping[str, Any]) -> list[str]:
    """Return the hashes of what is kept of an event, the bytes of its file among it."""
    file = event.get("sha256") if event.get("file") is True else ""
    return [one for one in (event["payload"], file) if _is_hash(one)]


# --- lines --------------------------------------------------------------------------------------


def _lines_of(path: Path) -> Iterator[bytes]:
    try:
        with open_regular(path) as file:
            while line := file.readline(_MOST_BYTES + 1):
                yield line
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise SourceError(f"cannot be read: {reason}", path=str(path)) from None


def _parse(line: bytes) -> dict[str, Any]:
    """Return the event of a line; ValueError where it is not as it was written."""
    try:
        event: dict[str, Any] = json.loads(line)
        same = isinstance(event, dict) and canonical.dumps(event) == line
    except (ValueError, TypeError, RecursionError):
        raise ValueError("is no canonical JSON") from None
    if not same:
        raise ValueError("is no canonical JSON")
    texts = all(isinstance(event.get(name), str) for name in ("kind", "run", "payload", "at"))
    hashes = all(_is_hash(event.get(name)) for name in ("prev", "hash"))
    if not (texts and hashes and type(event.get("seq")) is int):
        raise ValueError("is no event of a log")
    body = {name: value for name, value in event.items() if name != "hash"}
    if canonical.digest(body) != event["hash"]:
        raise ValueError("does not have the hash that it was written with")
    return event


def _is_hash(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(_HASH.fullmatch(value))


def _is_torn(line: bytes) -> bool:
    """Return whether a line without its end was cut off: a whole event and more was not.

    What a crash leaves of a line may end in zeros, or be made of them.
    """
    line = line.rstrip(b"\0")
    if len(line) > _MOST_BYTES or not line.startswith(b'{"'[: len(line)]):
        return False
    try:
        text = line.decode("utf-8", "replace")
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return True
    return end == len(text)


def _read(handle: int, size: int) -> bytes:
    parts = []
    while size and (part := os.read(handle, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _write(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]

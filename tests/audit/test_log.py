"""Laws of the audit log: what was written is found whole, and any change of it is found."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.audit import canonical, keys, log
from groundrules.audit.log import START, Event, Log, verify
from groundrules.errors import ConfigError, SourceError

HASH = "ab" * 32


def clock() -> str:
    return "2026-03-01T12:00:00Z"


def run_of(texts: int) -> list[Event]:
    events = [Event("run.start", HASH, {"version": "1", "packs": {"core": "é"}})]
    for number in range(texts):
        events += [
            Event("text.in", HASH, {"text": f"t{number}.txt"}),
            Event("statement", fields={"text": f"t{number}.txt", "outcome": "refuted"}),
            Event("report", HASH, {"text": f"t{number}.txt", "conforms": False}),
        ]
    return [*events, Event("run.end", fields={"texts": texts})]


def pair(folder: Path) -> tuple[Path, Path]:
    key = folder / "log.key"
    return key, keys.write(key)


def write(path: Path, *, key: Path | None = None, texts: int = 5) -> bytes:
    Log(path, key=key, clock=clock).append("run-1", run_of(texts))
    return path.read_bytes()


def test_events_come_back_as_they_were_written_chained_from_nothing(tmp_path: Path) -> None:
    path = tmp_path / "audit.log"
    write(path)
    found = list(log.read(path))
    assert [event["kind"] for event in found] == [event.kind for event in run_of(5)]
    assert [event["seq"] for event in found] == list(range(len(found)))
    assert [event["prev"] for event in found] == [START, *(e["hash"] for e in found[:-1])]
    assert found[1]["text"] == "t0.txt"
    state = verify(path)
    assert (state.line, state.events, state.head) == (0, len(found), found[-1]["hash"])
    assert (state.exit_code, state.runs, state.open_runs) == (0, {"run-1": True}, [])
    assert state.payloads == {HASH: (0, "run.start", "run-1")}


@given(runs=st.lists(st.integers(0, 4), min_size=1, max_size=4))
def test_many_runs_make_one_chain(
    tmp_path_factory: pytest.TempPathFactory, runs: list[int]
) -> None:
    path = tmp_path_factory.mktemp("log") / "audit.log"
    for number, texts in enumerate(runs):
        head = Log(path).append(f"run-{number}", run_of(texts))
        assert verify(path).head == head
    state = verify(path)
    assert state.exit_code == 0
    assert len(state.runs) == len(runs)
    assert state.events == sum(2 + 3 * texts for texts in runs)


def test_a_bit_flipped_anywhere_is_found(tmp_path: Path) -> None:
    key, public = pair(tmp_path)
    path = tmp_path / "audit.log"
    data = write(path, key=key, texts=3)
    assert verify(path, public_key=public).exit_code == 0
    draw = random.Random(18)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << draw.randrange(8)
        path.write_bytes(changed)
        state = verify(path)
        line = data.count(b"\n", 0, place) + 1
        assert state.exit_code == 1, (place, state)
        assert state.line in (line, line + 1), (place, state)


def _lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[bytes], bytes]:
    return lambda data: b"".join(change(data.splitlines(keepends=True)))


@pytest.mark.parametrize("at", range(8))
@pytest.mark.parametrize(
    "change",
    [
        lambda lines, at: [*lines[:at], *lines[at + 1 :]],
        lambda lines, at: [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]],
        lambda lines, at: [*lines[:at], lines[at], *lines[at:]],
        lambda lines, at: [*lines[:at], b"\n", *lines[at:]],
        lambda lines, at: [*lines[:at], lines[at].replace(b"{", b"{ ", 1), *lines[at + 1 :]],
    ],
    ids=["gone", "swapped", "twice", "empty", "reworded"],
)
def test_a_line_gone_swapped_doubled_or_put_in_is_found(
    tmp_path: Path, change: Callable[[list[bytes], int], list[bytes]], at: int
) -> None:
    path = tmp_path / "audit.log"
    data = write(path)
    path.write_bytes(_lines(lambda lines: change(lines, at))(data))
    state = verify(path)
    assert state.exit_code == 1
    assert at + 1 <= state.line <= at + 2


def test_lines_cut_off_the_end_are_found_by_the_end_of_the_run_the_key_or_the_head(
    tmp_path: Path,
) -> None:
    key, public = pair(tmp_path)
    path = tmp_path / "audit.log"
    first = write(path, key=key)
    data = first + b"".join(write(path, key=key)[len(first) :].splitlines(keepends=True))
    head = verify(path).head
    assert verify(path, head=head).exit_code == 0
    lines = data.splitlines(keepends=True)
    whole = {len(first.splitlines()), len(lines)}
    for kept in range(1, len(lines)):
        path.write_bytes(b"".join(lines[:kept]))
        assert verify(path, head=head).exit_code == 1  # always, where its head is known
        signed = verify(path, public_key=public).exit_code
        assert (signed == 0) == (kept in whole), kept


def test_a_chain_written_anew_is_found_by_the_key_alone(tmp_path: Path) -> None:
    """What a chain cannot show: who knows how writes another, whole one."""
    key, public = pair(tmp_path)
    path = tmp_path / "audit.log"
    write(path, key=key)
    (tmp_path / "other").mkdir()
    forged, _ = pair(tmp_path / "other")
    path.unlink()
    write(path)
    assert verify(path).exit_code == 0
    assert verify(path, public_key=public).exit_code == 1
    path.unlink()
    write(path, key=forged)
    assert verify(path).exit_code == 0
    state = verify(path, public_key=public)
    assert (state.exit_code, state.why) == (1, "is signed by another key")


def test_a_checkpoint_signed_for_other_lines_is_found(tmp_path: Path) -> None:
    key, _ = pair(tmp_path)
    path = tmp_path / "audit.log"
    path.write_bytes(forged(write(path, key=key), "checkpoint"))
    state = verify(path)
    assert (state.exit_code, state.why) == (1, "has a signature that is not of these lines")


def forged(data: bytes, *left: str, since: int = 0) -> bytes:
    """Return a whole chain of which all is supported, without the checkpoints that are not left."""
    lines = data.splitlines(keepends=True)
    made = lines[:since]
    head = json.loads(made[-1])["hash"] if made else START
    for event in map(json.loads, lines[since:]):
        if event["kind"] == "checkpoint" not in left:
            continue
        if event["kind"] == "statement":
            event["outcome"] = "supported"
        body = {**event, "prev": head, "seq": len(made)}
        del body["hash"]
        head = canonical.digest(body)
        made.append(canonical.dumps({**body, "hash": head}) + b"\n")
    return b"".join(made)


@pytest.mark.parametrize(
    ("change", "why"),
    [  # of two runs of 18 lines
        (forged, "its last 34 events are not signed"),
        (lambda data: forged(data, "checkpoint"), "has a signature that"),
        (lambda data: forged(data, since=18), "its last 17 events are not"),
        (lambda data: forged(data + data, since=36), "its last 34 events"),
        (lambda data: data, ""),
    ],
)
def test_nothing_is_signed_after_what_was_written_anew(
    tmp_path: Path, change: Callable[[bytes], bytes], why: str
) -> None:
    key, public = pair(tmp_path)
    path = tmp_path / "audit.log"
    for run in ("run-1", "run-2"):
        Log(path, key=key).append(run, run_of(5))
    data = change(path.read_bytes())
    path.write_bytes(data)
    if why:
        with pytest.raises(SourceError, match=why):
            Log(path, key=key).append("run-3", run_of(1))
        assert path.read_bytes() == data
    else:
        Log(path, key=key).append("run-3", run_of(1))
        assert verify(path, public_key=public).exit_code == 0


def test_a_run_signs_nothing_after_what_is_written_anew_meanwhile(tmp_path: Path) -> None:
    key, _ = pair(tmp_path)
    path = tmp_path / "audit.log"
    running = Log(path, key=key)
    for _ in range(2):
        running.append("run-1", run_of(5))
    Log(path, key=key).append("run-2", run_of(1))
    running.append("run-1", run_of(1))
    data = path.read_bytes()
    for other in (forged(data, "checkpoint", since=36), forged(data), data[: data.index(b"run-2")]):
        path.write_bytes(other)
        with pytest.raises(SourceError, match="which was signed: it was cut off or written anew"):
            running.append("run-1", run_of(1))


@pytest.mark.parametrize("signed", [False, True])
def test_a_line_torn_by_a_crash_is_told_apart_and_the_next_append_goes_on(
    tmp_path: Path, signed: bool
) -> None:
    key, public = pair(tmp_path) if signed else (None, None)
    path = tmp_path / "audit.log"
    before = len(write(path, key=key))
    Log(path, key=key, clock=clock).append("run-1", run_of(1)[1:4])
    data = path.read_bytes()
    begin = data.rstrip(b"\n").rindex(b"\n") + 1
    for cut in range(begin + 1, len(data)):
        for zeros in (0, 9):
            path.write_bytes(data[:cut] + bytes(zeros))
            state = verify(path)
            assert (state.exit_code, state.torn) == (2, cut - begin + zeros), data[begin:cut]
    path.write_bytes(data[:cut])
    Log(path, key=key).append("run-2", run_of(1))
    state = verify(path, public_key=public)
    assert (state.exit_code, state.torn) == (0, 0)
    told = [event for event in log.read(path) if event["kind"] == "log.torn"]
    assert [event["bytes"] for event in told] == [cut - (before if signed else begin)]


@given(st.integers(0, 10_000))
def test_a_log_cut_anywhere_keeps_its_whole_lines(
    tmp_path_factory: pytest.TempPathFactory, place: int
) -> None:
    path = tmp_path_factory.mktemp("log") / "audit.log"
    data = write(path)
    path.write_bytes(data[: place % len(data)])
    whole = data[: place % len(data)].count(b"\n")
    state = verify(path)
    assert (state.line, state.events) == (0, whole)
    Log(path).append("run-2", run_of(0))
    assert verify(path).exit_code == 0
    assert verify(path).events in (whole + 2, whole + 3)


@pytest.mark.parametrize(
    "last", [b"{}\n", b"not a log\n", b"\n", b'{"seq": 1}x', b"\x00\xff", b"[[[[[[", b"x" * 100_000]
)
def test_what_is_no_log_is_not_written_to(tmp_path: Path, last: bytes) -> None:
    path = tmp_path / "audit.log"
    path.write_bytes(last)
    with pytest.raises(SourceError, match="its last line is none of a log"):
        Log(path).append("run-1", run_of(1))
    assert path.read_bytes() == last
    assert verify(path).exit_code == 1


@pytest.mark.parametrize(
    "line", [b"[" * 100_000, b'{"seq":' + b"9" * 5_000 + b"}", b"\xff", b'{"a":1,"a":1}', b"NaN"]
)
def test_hostile_lines_are_bad_lines(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "audit.log"
    path.write_bytes(write(path) + line + b"\n")
    assert verify(path).line == len(write(tmp_path / "other").splitlines()) + 1
    with pytest.raises(SourceError, match="is no canonical JSON"):
        list(log.read(path))


def _append(path: Path, name: str, times: int) -> None:
    for _ in range(times):
        Log(path).append(name, run_of(2))


def test_processes_that_append_at_once_make_one_chain(tmp_path: Path) -> None:
    path = tmp_path / "audit.log"
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_append, args=(path, f"run-{n}", 20)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    state = verify(path)
    assert (state.exit_code, state.events) == (0, 4 * 20 * len(run_of(2)))


def test_what_cannot_be_written_leaves_the_log_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "audit.log"
    data = write(path)
    real = os.write

    def full(handle: int, rest: memoryview) -> int:
        real(handle, rest[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(SourceError, match=r"cannot be written: No space left"):
        Log(path).append("run-2", run_of(1))
    assert path.read_bytes() == data


def test_a_key_is_for_its_user_alone_and_never_written_over(tmp_path: Path) -> None:
    key, public = pair(tmp_path)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert public.name == "log.key.pub"
    before = key.read_bytes()
    with pytest.raises(SourceError, match="is there already"):
        keys.write(key)
    assert key.read_bytes() == before


def test_what_is_no_key_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "audit.log"
    _, public = pair(tmp_path)
    (tmp_path / "bad").write_text("no key")
    for wrong in (tmp_path / "bad", public):
        with pytest.raises(ConfigError, match="is no Ed25519 key"):
            Log(path, key=wrong)
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        Log(path, key=tmp_path / "none")
    write(path)
    with pytest.raises(ConfigError, match="is no Ed25519 public key"):
        verify(path, public_key=tmp_path / "bad")


def test_only_its_user_may_read_a_new_log(tmp_path: Path) -> None:
    write(tmp_path / "audit.log")
    assert stat.S_IMODE((tmp_path / "audit.log").stat().st_mode) == 0o600


def test_a_log_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        verify(tmp_path / "none.log")
    with pytest.raises(SourceError, match="cannot be written"):
        Log(tmp_path / "none" / "audit.log").append("run-1", run_of(1))

"""Laws of the evidence store: what it keeps, what it survives, and what a stranger cannot do."""

from __future__ import annotations

import hashlib
import multiprocessing
import sqlite3
import zlib
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from groundrules.errors import SourceError
from groundrules.kb.sources.responses import MOST_BYTES, Cache, Response, write_snapshot
from tests.kb.tables import TABLES

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
URL = "https://example.org/sparql"


def response(number: int, body: bytes = b"", **fields: object) -> Response:
    body = body or b'{"results": {"bindings": []}} %d' % number
    digest = hashlib.sha256(body).hexdigest()
    settings = {"fetched": NOW.isoformat(), "body": body, "digest": digest, **fields}
    return Response(URL, f"SELECT {number}", **settings)


FAULT = response(0, fetched=NOW.isoformat(), outcome="error QUERY_TIMEOUT it took too long")
FAULT = Response(URL, FAULT.query, FAULT.fetched, outcome=FAULT.outcome)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "folder" / "kb.sqlite")


def test_what_is_put_is_got_and_nothing_else(cache: Cache) -> None:
    for number in range(3):
        cache.keep(response(number))
    assert [cache.get(response(number).key) for number in range(4)] == [
        *map(response, range(3)), None,
    ]  # fmt: skip
    assert not cache.note


def test_a_fault_is_not_kept(cache: Cache) -> None:
    cache.keep(FAULT)
    assert cache.get(FAULT.key) is None


def test_reading_changes_nothing(cache: Cache) -> None:
    cache.keep(response(1))
    before = cache.path.read_bytes()
    reader = Cache(cache.path, "read")
    reader.keep(response(2))
    assert reader.get(response(1).key) == response(1)
    assert reader.get(response(2).key) is None
    assert cache.path.read_bytes() == before


def _put_many(path: Path, start: int) -> None:
    cache = Cache(path)
    for number in range(start, start + 20):
        cache.keep(response(number % 40))
    if cache.note:
        raise AssertionError(cache.note)


def test_processes_share_a_file_from_its_first_moment(tmp_path: Path) -> None:
    path = tmp_path / "kb.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_put_many, args=(path, 10 * i)) for i in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 3
    cache = Cache(path)
    assert all(cache.get(response(number).key) == response(number) for number in range(40))


# ---- what can go wrong with a file


@pytest.mark.parametrize(
    "content", [b"not a database at all, but longer than a header" * 50, b"SQLite format 3\0" * 99]
)
def test_a_corrupt_file_is_a_note_and_no_cache(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "kb.sqlite"
    path.write_bytes(content)
    cache = Cache(path)
    cache.keep(response(1))
    assert cache.get(response(1).key) is None
    assert str(path) in cache.note
    assert "\n" not in cache.note
    assert path.read_bytes() == content
    with pytest.raises(SourceError, match="not a snapshot"):
        Cache(path, "read")


def test_a_snapshot_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as error:
        Cache(tmp_path / "none.sqlite", "read")
    assert "none.sqlite" in str(error.value)
    assert not (tmp_path / "none.sqlite").exists()


# ---- snapshots


def snapshot(cache: Cache, used: list[Response], path: Path) -> str:
    return write_snapshot(used, path, NOW.date())


def test_a_snapshot_has_what_was_used_and_no_more(cache: Cache, tmp_path: Path) -> None:
    cache.keep(response(9))
    used = [response(1), response(2, days=30.0), FAULT]
    path = tmp_path / "run.sqlite"
    snapshot(cache, used, path)
    reader = Cache(path, "read")
    for kept in used:
        got = reader.get(kept.key)
        assert got is not None
        assert (got.body, got.fetched, got.outcome) == (kept.body, kept.fetched, kept.outcome)
    got = reader.get(FAULT.key)
    assert got is not None
    assert got.fault == FAULT.fault
    assert reader.get(response(9).key) is None


def test_the_same_rows_make_the_same_bytes(tmp_path: Path) -> None:
    used = [response(number, bytes([number]) * 3000 * number) for number in range(1, 40)]
    digests = set()
    for name, order in (("a", used), ("b", used[::-1]), ("c", [*used, *used[5:9]])):
        cache = Cache(tmp_path / name / "kb.sqlite")
        for extra in range(ord(name)):
            cache.keep(response(1000 + extra))
        path = tmp_path / f"{name}.sqlite"
        digests.add(snapshot(cache, order, path))
        assert hashlib.sha256(path.read_bytes()).hexdigest() in digests
        assert path.read_bytes()[96:100] == bytes(4)  # where SQLite puts its own version
    assert len(digests) == 1
    assert snapshot(cache, used[1:], tmp_path / "d.sqlite") not in digests


def test_a_snapshot_knows_the_day_of_its_run_and_a_cache_has_none(
    cache: Cache, tmp_path: Path
) -> None:
    path = tmp_path / "run.sqlite"
    digest = snapshot(cache, [response(1)], path)
    assert Cache(path, "read").day == NOW.date()
    assert cache.day is None
    later = write_snapshot([response(1)], path, date(2031, 12, 31))
    assert Cache(path, "read").day == date(2031, 12, 31)
    assert later != digest


@pytest.mark.parametrize("forged", [-1, 0, 2**31 - 1])
def test_a_day_that_is_none_is_no_day(cache: Cache, tmp_path: Path, forged: int) -> None:
    path = tmp_path / "run.sqlite"
    snapshot(cache, [response(1)], path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA application_id = {forged}")
    assert Cache(path, "read").day is None


def test_the_hash_is_that_of_the_file_and_replaces_an_older_one(
    cache: Cache, tmp_path: Path
) -> None:
    path = tmp_path / "run.sqlite"
    for used in ([response(1), response(2)], [response(3)]):
        digest = snapshot(cache, used, path)
        assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert Cache(path, "read").get(response(1).key) is None
    assert sorted(file.name for file in tmp_path.iterdir()) == ["folder", "run.sqlite"]


# ---- a snapshot from a stranger


@pytest.fixture
def given_snapshot(cache: Cache, tmp_path: Path) -> Path:
    path = tmp_path / "run.sqlite"
    snapshot(cache, [response(1), response(2)], path)
    return path


def tamper(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(sql, values)


@pytest.mark.parametrize("sql", TABLES["a snapshot of another layout is refused"])
def test_a_snapshot_of_another_layout_is_refused(given_snapshot: Path, sql: str) -> None:
    tamper(given_snapshot, sql)
    with pytest.raises(SourceError, match=r"run\.sqlite: not a snapshot"):
        Cache(given_snapshot, "read")


BOMB = zlib.compress(bytes(MOST_BYTES + 1), 9)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("body", zlib.compress(b"forged")),
        ("body", b"no zlib"),
        ("body", zlib.compress(b"cut off")[:-3]),
        ("body", BOMB),
        ("body", "text"),
        ("sha256", "0" * 64),
        ("sha256", b"\0"),
        ("query", "SELECT another"),
        ("endpoint", "https://evil.example/"),
        ("fetched", "\x1b[2Jnow"),
        ("fetched", "2026-99-99T99:99:99Z"),
        ("fetched", "2026-03-01T12:00:00"),
        ("days", -1.0),
        ("days", 1e300),
        ("days", "soon"),
        ("outcome", "split"),
        ("outcome", "error BANNED a"),
    ],
)
def test_a_row_that_was_tampered_with_counts_as_missing(
    given_snapshot: Path, column: str, value: object
) -> None:
    key = response(1).key
    tamper(given_snapshot, f"UPDATE response SET {column} = ? WHERE key = ?", value, key)
    reader = Cache(given_snapshot, "read")
    assert reader.get(key) is None
    kept = reader.get(response(2).key)
    assert kept is not None
    assert kept.body == response(2).body


def test_a_fault_never_passes_for_an_answer(given_snapshot: Path) -> None:
    key = response(1).key
    sql = "UPDATE response SET outcome = ?, body = ?, sha256 = ? WHERE key = ?"
    nothing = (zlib.compress(b""), hashlib.sha256(b"").hexdigest())
    tamper(given_snapshot, sql, "error BANNED a", *nothing, key)
    assert Cache(given_snapshot, "read").get(key) is not None
    for forged in ("ok BANNED a", "empty BANNED a", "fine BANNED a", "error", "error A \x1b[2J"):
        tamper(given_snapshot, sql, forged, *nothing, key)
        assert Cache(given_snapshot, "read").get(key) is None

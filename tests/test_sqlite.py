"""SQLite files: read without being made, written whole, and shared; what cannot be used is told."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from groundrules.errors import SourceError
from groundrules.sqlite import MOST_BYTES, Table, new_database, open_database, open_tables

LAYOUT = "CREATE TABLE word (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE)"
INSERT, SELECT = "INSERT OR REPLACE INTO word (word) VALUES (?)", "SELECT word FROM word"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "words.sqlite"


def test_what_one_writes_another_finds(place: Path) -> None:
    one, other = Table(place, LAYOUT), Table(place, LAYOUT)
    one.write(INSERT, [("a",), ("b",)])
    assert other.select(f"{SELECT} WHERE word = ?", ("b",)) == [("b",)]
    assert (one.fault, other.note) == ("", "")


def test_a_file_that_others_may_write_is_not_used(place: Path) -> None:
    Table(place, LAYOUT).write(INSERT, [("a",)])
    place.chmod(0o666)
    table = Table(place, LAYOUT)
    assert (table.select(SELECT), table.fault) == ([], "others may have written it")


def test_rows_are_kept_all_or_none(place: Path) -> None:
    table = Table(place, LAYOUT)
    table.write(INSERT, [("a",), (None,)])
    assert table.fault
    assert Table(place, LAYOUT).select(SELECT) == []


def test_of_too_many_rows_the_oldest_go(place: Path) -> None:
    table = Table(place, LAYOUT, most=3)
    for letter in "abcdefa":
        table.write(INSERT, [(letter,)])
    assert table.select(SELECT) == [("e",), ("f",), ("a",)]


@pytest.mark.parametrize(
    "sql", ["CREATE TABLE other (x)", "CREATE TABLE word (x)", "PRAGMA user_version = 7"]
)
def test_another_database_is_left_alone(place: Path, sql: str) -> None:
    Table(place, LAYOUT).write(INSERT, [("a",)])
    place.unlink()
    with closing(sqlite3.connect(place)) as database:
        database.executescript("" if "TABLE" in sql else LAYOUT)
        database.executescript(sql)
    before = place.read_bytes()
    table = Table(place, LAYOUT)
    table.write(INSERT, [("b",)])
    assert table.select(SELECT) == []
    assert "another layout" in table.fault
    assert str(place) in table.note
    assert place.read_bytes() == before


def test_a_table_that_is_only_read_is_not_made(place: Path) -> None:
    assert Table(place, LAYOUT, read_only=True).select(SELECT) == []
    assert not place.exists()
    Table(place, LAYOUT).write(INSERT, [("a",)])
    table = Table(place, LAYOUT, read_only=True)
    assert table.select(SELECT) == [("a",)]
    table.write(INSERT, [("b",)])
    assert "readonly" in table.fault


def test_a_database_that_is_only_read_is_neither_made_nor_changed(place: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        open_database(place, read_only=True)
    assert not place.exists()
    place.parent.mkdir()
    with new_database(place, LAYOUT):
        pass
    with closing(open_database(place, read_only=True)) as database:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            database.execute(INSERT, ("a",))
        assert database.execute(SELECT).fetchall() == []


def test_a_value_that_is_too_long_is_refused(place: Path) -> None:
    place.parent.mkdir()
    with (
        closing(open_database(place)) as database,
        pytest.raises(sqlite3.DataError, match="too big"),
    ):
        database.execute("SELECT zeroblob(?)", (MOST_BYTES + 1,))


def test_a_new_database_takes_the_place_of_the_old_only_when_it_is_whole(place: Path) -> None:
    place.parent.mkdir()
    place.write_bytes(b"old")
    with pytest.raises(SourceError, match="NOT NULL"), new_database(place, LAYOUT) as database:
        database.executemany(INSERT, [("a",), (None,)])
    assert place.read_bytes() == b"old"
    with new_database(place, LAYOUT) as database:
        database.execute(INSERT, ("b",))
    with closing(open_database(place, read_only=True)) as database:
        assert database.execute(SELECT).fetchall() == [("b",)]
    assert [path.name for path in place.parent.iterdir()] == [place.name]


def test_a_database_that_cannot_be_written_is_told_with_its_name(place: Path) -> None:
    with (
        pytest.raises(SourceError, match=r"words\.sqlite: cannot be written"),
        new_database(place, LAYOUT),
    ):
        pass


def test_a_database_without_the_columns_that_are_read_is_told(place: Path) -> None:
    place.parent.mkdir()
    with new_database(place, LAYOUT):
        pass
    open_tables(place, {"word": "id, word"}, "a list of words").close()
    with pytest.raises(SourceError, match=r"not a list of words: no such column: length"):
        open_tables(place, {"word": "id, length"}, "a list of words")

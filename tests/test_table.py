"""A table in a file: what is written is found, and a file that cannot be used is told once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from groundrules.table import Table

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

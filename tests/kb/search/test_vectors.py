"""Laws of the index of vectors: exact search over all vectors is the oracle."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundrules.errors import SourceError
from groundrules.kb.search import vectors
from groundrules.kb.search.vectors import WIDTH, SqliteVectors

Make = Callable[[], SqliteVectors]


def unit(count: int, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, WIDTH)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def exact(ids: list[int], rows: np.ndarray, sought: np.ndarray, most: int) -> list[int]:
    halves = rows.astype(np.float16).astype(np.float32)
    return [ids[place] for place in np.argsort(-(halves @ sought), kind="stable")[:most]]


@pytest.fixture
def make() -> Iterator[Make]:
    opened: list[SqliteVectors] = []

    def new() -> SqliteVectors:
        opened.append(SqliteVectors(sqlite3.connect(":memory:"), write=True))
        return opened[-1]

    yield new
    for one in opened:
        one.close()


def test_search_is_exact_where_all_vectors_are_candidates(make: Make) -> None:
    index, rows = make(), unit(300)
    ids = [3 * number + 1 for number in range(300)]
    index.add(ids, rows)

    for sought in unit(5, seed=1):
        found = index.search(sought, 10)
        assert [number for number, _ in found] == exact(ids, rows, sought, 10)
        assert all(
            cosine == pytest.approx(float(rows[ids.index(number)] @ sought), abs=1e-3)
            for number, cosine in found
        )


def test_what_is_added_deleted_and_replaced_is_what_is_found(make: Make) -> None:
    index, rows = make(), unit(40)
    index.add(range(1, 41), rows)
    index.delete([2, 3, 400])
    index.add([4, 2], rows[[7, 9]])

    assert index.count() == 39
    kept = {number: rows[number - 1] for number in range(1, 41) if number != 3}
    kept |= {4: rows[7], 2: rows[9]}
    for sought in unit(5, seed=2):
        found = [number for number, _ in index.search(sought, 6)]
        cosines = {number: float(row @ sought) for number, row in kept.items()}
        assert min(cosines[n] for n in found) >= sorted(cosines.values())[-6] - 1e-3
    assert {number for number, _ in index.search(rows[7], 2)} == {4, 8}


def test_search_among_some_finds_nothing_else(make: Make) -> None:
    index, rows = make(), unit(50)
    index.add(range(1, 51), rows)

    found = index.search(rows[0], 10, among=[5, 9, 99])

    assert {number for number, _ in found} == {5, 9}
    assert index.search(rows[0], 10, among=[]) == []


def test_an_empty_index_finds_nothing(make: Make) -> None:
    index = make()
    assert index.count() == 0
    assert index.search(unit(1)[0], 5) == []


@settings(max_examples=25)
@given(st.lists(st.tuples(st.booleans(), st.sets(st.integers(1, 30), min_size=1)), max_size=6))
def test_any_sequence_of_changes_leaves_what_a_dictionary_would(
    changes: list[tuple[bool, set[int]]],
) -> None:
    rows = unit(31)
    with closing(sqlite3.connect(":memory:")) as database:
        index = SqliteVectors(database, write=True)
        kept: set[int] = set()
        for adds, some in changes:
            if adds:
                index.add(sorted(some), rows[sorted(some)])
                kept |= some
            else:
                index.delete(some)
                kept -= some
            found = index.search(rows[0], 50)
            assert {number for number, _ in found} == kept
            assert index.count() == len(kept)


def test_signs_find_the_nearest_of_many_though_few_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(3)
    rows = unit(8000)
    sought = rows[:50] + 0.02 * rng.normal(size=(50, WIDTH)).astype(np.float32)
    sought /= np.linalg.norm(sought, axis=1, keepdims=True)
    monkeypatch.setattr(vectors, "CANDIDATES", 100)
    with closing(sqlite3.connect(":memory:")) as database:
        index = SqliteVectors(database, write=True)
        index.add(range(1, 8001), rows)

        first = [index.search(one, 1)[0][0] for one in sought]
        read = index._candidates(sought[0], 100)

    assert first == list(range(1, 51))
    assert len(read) == 100


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vector SET vector = zeroblob(768) WHERE id = 3",
        "UPDATE vector SET vector = x'00ff' WHERE id = 3",
        "UPDATE signs SET bits = x'00'",
        "DROP TABLE vector",
    ],
)
def test_damaged_vectors_are_one_clear_error(damage: str) -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        index = SqliteVectors(database, "texts.sqlite", write=True)
        index.add(range(1, 11), unit(10))
        database.execute(damage)

        with pytest.raises(SourceError, match=r"^texts\.sqlite: the vectors (are|cannot)") as error:
            index.search(unit(1)[0], 5)

    assert "\n" not in str(error.value)

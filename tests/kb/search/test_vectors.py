"""Laws of the index of vectors: exact search over all vectors is the oracle."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import numpy as np
import pytest

from groundrules.errors import SourceError
from groundrules.kb.search import vectors
from groundrules.kb.search.vectors import LAYOUT, WIDTH, SqliteVectors

Make = Callable[..., SqliteVectors]


def unit(count: int, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, WIDTH)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def exact(ids: list[int], rows: np.ndarray, sought: np.ndarray, most: int) -> list[int]:
    halves = rows.astype(np.float16).astype(np.float32)
    return [ids[place] for place in np.argsort(-(halves @ sought), kind="stable")[:most]]


@pytest.fixture
def make() -> Make:
    def new(path: str = "") -> SqliteVectors:
        database = sqlite3.connect(":memory:")
        database.executescript(LAYOUT)
        return SqliteVectors(database, path)

    return new


def test_search_is_exact_whatever_the_block(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_BLOCK", 64)
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


def test_search_among_some_finds_nothing_else(make: Make) -> None:
    index, rows = make(), unit(50)
    index.add(range(1, 51), rows)

    found = index.search(rows[0], 10, among=[5, 9, 99])

    assert {number for number, _ in found} == {5, 9}
    assert index.search(rows[0], 10, among=[]) == []


def test_an_empty_index_finds_nothing(make: Make) -> None:
    index = make()
    assert index.search(unit(1)[0], 5) == []


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vector SET vector = zeroblob(768) WHERE id = 3",
        "UPDATE vector SET vector = x'00ff' WHERE id = 3",
        "DROP TABLE vector",
    ],
)
def test_damaged_vectors_are_one_clear_error(damage: str, make: Make) -> None:
    index = make("texts.sqlite")
    index.add(range(1, 11), unit(10))
    index._database.execute(damage)
    with pytest.raises(SourceError, match=r"^texts\.sqlite: the vectors (are|cannot)") as error:
        index.search(unit(1)[0], 5)
    assert "\n" not in str(error.value)

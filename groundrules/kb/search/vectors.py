"""Vectors by number, kept beside the texts in SQLite.

The index is exact but for its first step: each vector has the signs of its numbers as 384
bits, the texts whose bits differ least from those of the query are the candidates, and their
vectors decide (records.md has what that costs and finds, and what else was tried).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from groundrules.errors import SourceError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]
    Bits = npt.NDArray[np.uint64]

#: Numbers of a vector; a multiple of 64.
WIDTH = 384
#: How many candidates the signs give at least.
CANDIDATES = 1000

_BLOCK = 1024
_SCHEMA = """
CREATE TABLE IF NOT EXISTS vector(id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS signs(first INTEGER PRIMARY KEY, ids BLOB NOT NULL, bits BLOB NOT NULL);
"""


class SqliteVectors:
    """Vectors in the tables `vector` and `signs` of a database, as float16 and as signs.

    What is added or removed is there for others when the connection commits. The signs are in
    memory from the first search on: 56 bytes a vector.
    """

    def __init__(
        self, database: sqlite3.Connection, path: str = "", *, write: bool = False
    ) -> None:
        self._database, self._path = database, path
        self._loaded: tuple[Any, Bits] | None = None
        if write:
            database.executescript(_SCHEMA)

    def add(self, ids: Sequence[int], vectors: Array) -> None:
        """Add vectors; what a number had before is replaced."""
        import numpy as np

        known = self._database.execute("SELECT max(id) FROM vector").fetchone()[0] or 0
        if min(ids, default=known + 1) <= known:
            self.delete(ids)
        halves = vectors.astype("<f2")
        self._database.executemany(
            "INSERT INTO vector VALUES (?, ?)",
            ((one, half.tobytes()) for one, half in zip(ids, halves, strict=True)),
        )
        order = np.argsort(np.asarray(ids, np.int64), kind="stable")
        numbers = np.asarray(ids, "<i8")[order]
        bits = np.packbits(halves[order] > 0, axis=1)
        self._database.executemany(
            "INSERT INTO signs VALUES (?, ?, ?)",
            (
                (int(part[0]), part.tobytes(), bits[at : at + _BLOCK].tobytes())
                for at in range(0, len(numbers), _BLOCK)
                for part in [numbers[at : at + _BLOCK]]
            ),
        )
        self._loaded = None

    def delete(self, ids: Collection[int]) -> None:
        """Remove what is there of these numbers."""
        import numpy as np

        gone = np.asarray(sorted(ids), np.int64)
        self._database.executemany("DELETE FROM vector WHERE id = ?", ((int(i),) for i in gone))
        for first, numbers, bits in self._ask("SELECT first, ids, bits FROM signs").fetchall():
            array = np.frombuffer(numbers, "<i8")
            kept = ~np.isin(array, gone)
            if kept.all():
                continue
            self._database.execute("DELETE FROM signs WHERE first = ?", (first,))
            if kept.any():
                rows = np.frombuffer(bits, np.uint8).reshape(len(array), -1)[kept]
                self._database.execute(
                    "INSERT INTO signs VALUES (?, ?, ?)",
                    (int(array[kept][0]), array[kept].tobytes(), rows.tobytes()),
                )
        self._loaded = None

    def search(
        self, vector: Array, most: int, among: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """Return the numbers of the nearest vectors with their cosines, the nearest first."""
        import numpy as np

        ids = self._candidates(vector, max(CANDIDATES, 10 * most)) if among is None else list(among)
        numbers, rows = self._read(ids)
        if not numbers:
            return []
        cosines = rows @ vector
        best = sorted(zip((-cosines).tolist(), numbers, strict=True))[:most]
        if not np.isfinite(cosines).all():
            raise _damaged(self._path)
        return [(number, -negative) for negative, number in best]

    def count(self) -> int:
        """Return how many vectors there are."""
        return int(self._ask("SELECT count(*) FROM vector").fetchone()[0])

    def close(self) -> None:
        """Forget the signs; the database is its owner's to close."""
        self._loaded = None

    def _candidates(self, vector: Array, most: int) -> list[int]:
        """Return the numbers whose signs differ least from those of a vector."""
        import numpy as np

        numbers, bits = self._signs()
        if len(numbers) <= most:
            return [int(number) for number in numbers]
        sought = np.packbits(vector > 0).view(np.uint64)
        differ = np.zeros(len(numbers), np.uint16)
        # in steps, so that what is counted stays in the cache of the processor
        for at in range(0, len(numbers), 1 << 15):
            part = differ[at : at + (1 << 15)]
            for row, sign in zip(bits, sought, strict=True):
                part += np.bitwise_count(row[at : at + (1 << 15)] ^ sign)
        nearest = np.argpartition(differ, most)[:most]
        return sorted(int(number) for number in numbers[nearest])

    def _signs(self) -> tuple[Any, Bits]:
        """Return the numbers, (n,), and their signs, (6, n)."""
        import numpy as np

        if self._loaded is None:
            numbers, bits = [b""], [b""]
            for ids, part in self._ask("SELECT ids, bits FROM signs ORDER BY first"):
                numbers.append(ids)
                bits.append(part)
            found = np.frombuffer(b"".join(numbers), "<i8")
            joined = b"".join(bits)
            if len(joined) * 8 != len(found) * WIDTH:
                raise _damaged(self._path)
            rows = np.frombuffer(joined, np.uint64).reshape(len(found), WIDTH // 64)
            self._loaded = found, np.ascontiguousarray(rows.T)
        return self._loaded

    def _read(self, ids: Sequence[int]) -> tuple[list[int], Array]:
        import numpy as np

        numbers: list[int] = []
        parts: list[bytes] = []
        sql = "SELECT id, vector FROM vector WHERE id IN (SELECT value FROM json_each(?))"
        for number, part in self._ask(sql, (json.dumps(list(ids)),)):
            numbers.append(number)
            parts.append(part)
        if any(len(part) != 2 * WIDTH for part in parts):
            raise _damaged(self._path)
        rows = np.frombuffer(b"".join(parts), "<f2").astype(np.float32).reshape(-1, WIDTH)
        if not (np.abs(np.einsum("ij,ij->i", rows, rows) - 1) < 0.02).all():  # or no number
            raise _damaged(self._path)
        return numbers, rows

    def _ask(self, sql: str, values: Sequence[int | str] = ()) -> sqlite3.Cursor:
        try:
            return self._database.execute(sql, values)
        except sqlite3.Error as error:
            raise SourceError(f"the vectors cannot be read: {error}", path=self._path) from None


def _damaged(path: str) -> SourceError:
    return SourceError("the vectors are damaged; delete the file and index anew", path=path)

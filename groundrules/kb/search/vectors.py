"""Vectors by number, kept beside the texts in SQLite; a search looks at all of them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from groundrules.errors import SourceError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]

#: Numbers of a vector.
WIDTH = 384
#: Vectors that are in memory at a time.
_BLOCK = 4096
LAYOUT = "CREATE TABLE vector(id INTEGER PRIMARY KEY, vector BLOB NOT NULL);"


class SqliteVectors:
    """Vectors in the table `vector` of a database, as float16."""

    def __init__(self, database: sqlite3.Connection, path: str = "") -> None:
        self._database, self._path = database, path

    def add(self, ids: Sequence[int], vectors: Array) -> None:
        """Add vectors by their numbers."""
        rows = zip(ids, vectors.astype("<f2"), strict=True)
        self._database.executemany(
            "INSERT INTO vector VALUES (?, ?)", ((one, half.tobytes()) for one, half in rows)
        )

    def search(
        self, vector: Array, most: int, among: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """Return the numbers of the nearest vectors with their cosines, the nearest first."""
        import numpy as np

        sql, values = "SELECT id, vector FROM vector", tuple[str, ...]()
        if among is not None:
            sql += " WHERE id IN (SELECT value FROM json_each(?))"
            values = (json.dumps(list(among)),)
        best: list[tuple[float, int]] = []
        try:
            found = self._database.execute(sql, values)
            while block := found.fetchmany(_BLOCK):
                if any(len(part) != 2 * WIDTH for _, part in block):
                    raise self._damaged()
                rows = np.frombuffer(b"".join(part for _, part in block), "<f2")
                rows = rows.astype(np.float32).reshape(-1, WIDTH)
                if not (np.abs(np.einsum("ij,ij->i", rows, rows) - 1) < 0.02).all():
                    raise self._damaged()  # or no number
                near = zip((-(rows @ vector)).tolist(), (one for one, _ in block), strict=True)
                best = sorted((*best, *near))[:most]
        except sqlite3.Error as error:
            raise SourceError(f"the vectors cannot be read: {error}", path=self._path) from None
        return [(number, -negative) for negative, number in best]

    def _damaged(self) -> SourceError:
        message = "the vectors are damaged; delete the file and index anew"
        return SourceError(message, path=self._path)

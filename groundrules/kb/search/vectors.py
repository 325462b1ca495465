"""Vectors by number: kept beside the texts in SQLite, or in Qdrant behind the same functions.

The embedded index is exact but for its first step: each vector has the signs of its numbers as 384
bits, the texts whose bits differ least from those of the query are the candidates, and their
vectors decide (docs/records/retrieval.md has what that costs and finds, and what else was tried).
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from groundrules.errors import ConfigError, SourceError
from groundrules.net import is_local

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
_KEY = "QDRANT_API_KEY"


def _key(url: str) -> str | None:
    """Return the key of a server, None where it would travel in the clear."""
    parts = urlsplit(url)
    safe = parts.scheme == "https" or is_local(parts.hostname or "")
    return os.environ.get(_KEY) if safe else None


class VectorIndex(Protocol):
    """Unit vectors, each under a number of at least 1."""

    def add(self, ids: Sequence[int], vectors: Array) -> None:
        """Add vectors, (n, 384) with rows of length 1; what a number had before is replaced."""

    def delete(self, ids: Collection[int]) -> None:
        """Remove what is there of these numbers."""

    def search(
        self, vector: Array, most: int, among: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """Return the numbers of the nearest vectors with their cosines, the nearest first."""
        ...

    def count(self) -> int:
        """Return how many vectors there are."""
        ...

    def close(self) -> None:
        """Let go of what it is kept in."""


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


class QdrantVectors:
    """Vectors in a collection of a Qdrant server.

    `where` is its URL with the collection as its path (http://localhost:6333/records), or, for the
    client's local mode, `:memory:`. The key of the server stands in $QDRANT_API_KEY.

    Raises:
        ConfigError: the extra [records] is not installed, or `where` names no collection.
        SourceError: the server cannot be reached or refuses.
    """

    def __init__(self, where: str, *, write: bool = False) -> None:
        try:
            from qdrant_client import QdrantClient, models
        except ImportError:
            raise ConfigError(
                "vectors in Qdrant need qdrant-client, which is not installed; run: "
                "pip install 'groundrules[records]'"
            ) from None
        self._models = models
        self._where = where
        url, _, self._name = where.rpartition("/")
        if where == ":memory:":
            self._name = "records"
            self._client = QdrantClient(":memory:")
        elif url.startswith(("http://", "https://")) and self._name and "//" in url:
            # its release is not asked for: that would be one more request, and a warning
            self._client = QdrantClient(
                url=url, api_key=_key(url), check_compatibility=False, timeout=30
            )
        else:
            raise ConfigError(f"{where!r}: expected http://HOST:6333/COLLECTION")
        there = self._call("collection_exists", self._name)
        if not there and not write:
            raise SourceError("no such collection; index the texts anew", path=where)
        if not there:
            self._call(
                "create_collection",
                self._name,
                vectors_config=models.VectorParams(size=WIDTH, distance=models.Distance.COSINE),
            )

    def add(self, ids: Sequence[int], vectors: Array) -> None:
        """Add vectors; what a number had before is replaced."""
        for at in range(0, len(ids), 256):
            points = [
                self._models.PointStruct(id=number, vector=vector.tolist())
                for number, vector in zip(ids[at : at + 256], vectors[at : at + 256], strict=True)
            ]
            self._call("upsert", self._name, points=points, wait=True)

    def delete(self, ids: Collection[int]) -> None:
        """Remove what is there of these numbers."""
        chosen = self._models.PointIdsList(points=sorted(ids))
        self._call("delete", self._name, points_selector=chosen, wait=True)

    def search(
        self, vector: Array, most: int, among: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """Return the numbers of the nearest vectors with their cosines, the nearest first."""
        models = self._models
        chosen = None
        if among is not None:
            chosen = models.Filter(must=[models.HasIdCondition(has_id=sorted(among))])
        answer = self._call(
            "query_points", self._name, query=vector.tolist(), limit=most, query_filter=chosen
        )
        found = [(int(point.id), float(point.score)) for point in answer.points]
        return sorted(found, key=lambda one: (-one[1], one[0]))

    def count(self) -> int:
        """Return how many vectors there are."""
        return int(self._call("count", self._name, exact=True).count)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _call(self, name: str, *values: Any, **named: Any) -> Any:
        try:
            return getattr(self._client, name)(*values, **named)
        except Exception as error:  # the client, its HTTP library and pydantic each raise their own
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            raise SourceError(f"Qdrant: {reason}", path=self._where) from None

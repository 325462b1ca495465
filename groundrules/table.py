"""A table in an SQLite file that processes share: what was asked or worked out before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from groundrules.files import own_file

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")

#: The most bytes of a value.
MOST_BYTES = 50_000_000
#: How many seconds to wait for a process that writes.
PATIENCE = 5.0


class Table:
    """The one table of a file, which is made where there is none unless it is `read_only`.

    A file that cannot be used, or has another layout, is no error: nothing is found, nothing is
    kept, and `fault` says why. Of `most` rows, numbered by a column `id`, the oldest go first.
    """

    def __init__(
        self,
        path: Path,
        layout: str,
        version: int = 0,
        *,
        most: int | None = None,
        read_only: bool = False,
    ) -> None:
        self.path = path
        self.fault = ""
        self._layout, self._version = layout, version
        self._name = layout.split()[2]
        self._most = most
        self._read_only = read_only

    @property
    def note(self) -> str:
        """What to tell who asked, empty where the file can be used."""
        if not self.fault:
            return ""
        return f"the cache {self.path} cannot be used ({self.fault}); went on without it"

    def select(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query, none where the file cannot be used."""
        return self._do(lambda database: database.execute(query, values).fetchall()) or []

    def write(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Execute a statement for each row, all or none."""

        def act(database: sqlite3.Connection) -> None:
            database.execute("BEGIN IMMEDIATE")
            database.executemany(statement, rows)
            if self._most is not None:
                oldest = f"(SELECT max(id) FROM {self._name}) - ?"  # noqa: S608 - a constant
                kept = f"DELETE FROM {self._name} WHERE id <= {oldest}"  # noqa: S608 - as above
                database.execute(kept, (self._most,))
            database.execute("COMMIT")

        self._do(act)

    def _do(self, act: Callable[[sqlite3.Connection], T]) -> T | None:
        import sqlite3

        if self.fault:
            return None
        try:
            with self._open() as database:
                return act(database)
        except (sqlite3.Error, OSError) as error:
            self.fault = " ".join(str(error).split()) or type(error).__name__
            return None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        import sqlite3

        # One connection a call: it crosses no thread and no fork, and it is always closed.
        if self._read_only:
            place = self.path.absolute().as_uri() + "?mode=ro"
        else:
            own_file(self.path)  # what is kept may be confidential
            place = self.path.absolute().as_uri()
        connection = sqlite3.connect(place, uri=True, timeout=PATIENCE, isolation_level=None)
        with closing(connection) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
            database.execute("PRAGMA trusted_schema = OFF")
            database.execute("PRAGMA cell_size_check = ON")
            if not self._read_only:
                database.execute("PRAGMA synchronous = OFF")  # what a crash loses is made again
                self._create(database)
            # no view, no trigger, no other table
            found = database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if found.fetchall() != [(self._layout,)] or version != self._version:
                raise sqlite3.DatabaseError("it has another layout")
            yield database

    def _create(self, database: sqlite3.Connection) -> None:
        if database.execute("SELECT 1 FROM sqlite_schema").fetchone():
            return
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("BEGIN IMMEDIATE")
        # Another process may have been quicker.
        if not database.execute("SELECT 1 FROM sqlite_schema").fetchone():
            database.execute(self._layout)
            database.execute(f"PRAGMA user_version = {self._version}")
        database.execute("COMMIT")

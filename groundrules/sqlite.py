"""SQLite files: opened, written anew, and a table that processes share of what was asked before."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from groundrules.errors import SourceError
from groundrules.files import beside, own, own_file

T = TypeVar("T")

#: The most bytes of a value.
MOST_BYTES = 50_000_000
#: How many seconds to wait for a process that writes.
PATIENCE = 5.0
#: How a new file is written: a crash leaves none, so nothing is kept to undo it.
_NEW = """PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;"""


def open_database(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Return a database that any thread may use, made where there is none unless it is `read_only`.

    A file may be of a stranger: no value is longer than `MOST_BYTES`, and no view or trigger in it
    does more than look. sqlite3.Error where it cannot be opened.
    """
    if path.exists() and not path.is_file():  # a pipe would wait for who writes to it
        raise sqlite3.OperationalError("no regular file")
    # What is only read has no transactions, which would keep the file from who writes it.
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}",
        uri=True,
        timeout=PATIENCE,
        isolation_level=None if read_only else "DEFERRED",
        check_same_thread=False,
    )
    try:
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("PRAGMA cell_size_check = ON")
    except BaseException:
        database.close()
        raise
    return database


def open_tables(path: Path, tables: Mapping[str, str], what: str) -> sqlite3.Connection:
    """Return a database that is only read and has some columns, by table.

    SourceError where it has them not, which says `what` it should be.
    """
    try:
        database = open_database(path, read_only=True)
        try:
            for table, columns in tables.items():
                database.execute(f"SELECT {columns} FROM {table} LIMIT 0")  # noqa: S608 - constants
        except BaseException:
            database.close()
            raise
    except sqlite3.Error as error:
        raise SourceError(f"not {what}: {_line(error)}", path=str(path)) from None
    return database


@contextmanager
def new_database(path: Path, layout: str) -> Iterator[sqlite3.Connection]:
    """Give a new database, which takes the place of a file once it is whole.

    The same rows make the same bytes. SourceError where it cannot be written.
    """
    try:
        with beside(path) as part:
            with closing(sqlite3.connect(part)) as database:
                database.executescript(f"{_NEW}{layout}")
                with database:
                    yield database
            with part.open("r+b") as file:
                file.seek(96)  # which release of SQLite wrote it; nothing reads that
                file.write(bytes(4))
    except (sqlite3.Error, OSError) as error:
        raise SourceError(f"cannot be written: {_line(error)}", path=str(path)) from None


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
        if self.fault:
            return None
        try:
            with self._open() as database:
                return act(database)
        except (sqlite3.Error, OSError) as error:
            self.fault = _line(error)
            return None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        if not self._read_only:
            own_file(self.path)  # what is kept may be confidential
            if not own(self.path.stat()):
                raise OSError("others may have written it")
        # One connection a call: it crosses no fork, and it is always closed.
        with closing(open_database(self.path, read_only=self._read_only)) as database:
            if not self._read_only:
                database.execute("PRAGMA synchronous = OFF")  # what a crash loses is made again
                self._create(database)
            found = database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if found.fetchall() != [(self._layout,)] or version != self._version:  # or a view
                raise sqlite3.DatabaseError("it has another layout")
            yield database

    def _create(self, database: sqlite3.Connection) -> None:
        if database.execute("SELECT 1 FROM sqlite_schema").fetchone():
            return
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("BEGIN IMMEDIATE")
        if not database.execute("SELECT 1 FROM sqlite_schema").fetchone():  # nobody was quicker
            database.execute(self._layout)
            database.execute(f"PRAGMA user_version = {self._version}")
        database.execute("COMMIT")


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__

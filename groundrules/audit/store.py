"""A store of results: what reports say, as RDF in a folder, to be asked by SPARQL.

Each report is a named graph of its own, as `--output-format trig` writes it; what texts and sources
state are graphs that all reports add to. A folder has `results.json`, which says what it is,
`graph/`, and `SHA256SUMS` of its files. docs/reference/queries.md has queries that ship.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rdflib.term import Node, URIRef

from groundrules.audit.kept import hash_of
from groundrules.dataset import Result, TripleStore
from groundrules.errors import GroundrulesError, RuleError, SourceError
from groundrules.explain.formats.json import encode_node, read_node
from groundrules.explain.graph import describe, name_of, stated
from groundrules.explain.vocabulary import VOCABULARIES, plain, term
from groundrules.files import write_atomically
from groundrules.terms import Report, Run, Triple

if TYPE_CHECKING:
    from groundrules.audit.runner import Done

_MARK, _GRAPH, _SUMS = "results.json", "graph", "SHA256SUMS"
#: Files of the database that hold nothing of the results: what it did, and who has it open.
_NOTES = ("LOG", "LOCK")
_SCHEMA = 1
_QUERIES = Path(__file__).parent / "queries"

#: How long a query may take, in seconds, and how many rows of it are read.
SECONDS = 60.0
MOST = 10_000
#: After how many reports what was added is put on the disk, and not kept in memory.
_FLUSHED = 100


@dataclass(frozen=True, slots=True)
class Given:
    """Where a text that was audited stood, `t.jsonl:3`, and when it was written, if known."""

    place: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query that ships: what it answers, its text, and an answer as an example."""

    name: str
    question: str
    text: str
    example: str


def add(folder: Path, reports: Iterable[tuple[Report, Given]]) -> int:
    """Add reports to a store, each with where its text stood; return how many were not in it.

    A store is made if there is none. What it has of a report already is replaced where more was
    decided since. SourceError if the folder is something else, was changed since it was written,
    another process writes to it, or it cannot be written.
    """
    changed = 0
    with closing(_open_to_write(folder)) as store:
        for number, (report, given) in enumerate(reports, 1):
            try:
                for name, triples in stated(report).items():
                    store.extend(name, triples)
                name = name_of(report, dated=True)
                triples = [*describe(report, dated=True), *_given(name, given)]
                changed += store.replace(name, triples)
                if not number % _FLUSHED:
                    store.flush()
            except (OSError, RuntimeError) as error:
                raise SourceError(f"cannot be written: {error}", path=str(folder)) from None
        store.flush()  # what stands in the journal alone is dropped there where it is damaged
    try:
        write_atomically(folder / _SUMS, _sums(folder))
    except OSError as error:
        raise SourceError(f"cannot be written: {error.strerror}", path=str(folder)) from None
    return changed


def _refuse_changed(folder: Path) -> None:
    """Raise SourceError where a file is not as the sums say; there are none after a kill."""
    sums = folder / _SUMS
    if sums.exists() and sums.read_bytes() != _sums(folder):
        raise SourceError("was changed since it was written; make it anew", path=str(folder))


def _sums(folder: Path) -> bytes:
    """Return a line for each file of a store, as `sha256sum` writes it."""
    names = [_MARK, *(f"{_GRAPH}/{path.name}" for path in (folder / _GRAPH).iterdir()
                      if not path.name.startswith(_NOTES))]  # fmt: skip
    return "".join(f"{hash_of(folder / name)}  {name}\n" for name in sorted(names)).encode()


def add_audit(folder: Path, out: Path, done: Done) -> int:
    """Add what an audit has found, and what it could not check; return how many were not in it.

    A text that has no report is there as one that nothing was read of, with the reason.
    SourceError as of `add` and `read_report`.
    """
    from groundrules.audit.results import read_report, sorted_results

    run = Run(version=done.manifest["version"], at=done.manifest["at"])

    def reports() -> Iterator[tuple[Report, Given]]:
        for one in sorted_results(out, done.keys):
            given = Given(one.place, one.date)
            if one.error:
                yield Report(one.id, "", unread=(one.error,), run=run), given
            else:
                yield read_report(out, one), given
        for fault in done.faults:
            yield Report(fault.place, "", unread=(fault.message,), run=run), Given(fault.place)

    return add(folder, reports())


def _given(name: URIRef, given: Given) -> Iterator[Triple]:
    for key, words in (("gr:row", given.place), ("schema:dateCreated", given.date)):
        if (value := plain(words)) is not None:
            yield Triple(name, term(key), value)


def ask(
    folder: Path, sparql: str, *, most: int = MOST, seconds: float = SECONDS, path: str = ""
) -> Result:
    """Return what a store says to a query that only reads; `path` is the file it comes from.

    The prefixes of `VOCABULARIES` need not be declared. It is run in a process of its own, which is
    ended when its time is up. RuleError with the place for what is no such query, an update and
    SERVICE among it; SourceError where the folder is no store or the time is not enough.
    """
    check(folder)
    # no folder of the user's is on the path, the current one neither
    given = json.dumps(([one for one in sys.path if one], str(folder), sparql, most))
    try:
        done = subprocess.run(  # noqa: S603 - our own text
            [sys.executable, "-P", "-c", _CHILD],
            input=given.encode(), capture_output=True, timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise SourceError(f"no answer within {seconds:g} s; ask for less", path=path) from None
    if done.returncode:
        raise SourceError("the query was ended: too little memory?", path=str(folder))
    kind, *said = json.loads(done.stdout)
    if kind == "error":
        name, message, place, line, column = said
        if message.startswith("not SPARQL"):
            message += "; expected SELECT, ASK, CONSTRUCT or DESCRIBE"
        error = {"RuleError": RuleError}.get(name, SourceError)
        raise error(message, path=place or path, line=line, column=column)
    form, columns, rows, yes, whole = said
    return Result(form, tuple(columns), tuple(map(_read, rows)), yes, whole)


def open_to_read(folder: Path) -> TripleStore:
    """Open a store; SourceError if the folder is none, was changed, or is being written to.

    Oxigraph reads on over a table that is damaged, or never ends.
    """
    check(folder)
    _refuse_writers(folder)
    _refuse_changed(folder)
    return TripleStore(folder / _GRAPH)


def check(folder: Path) -> None:
    """Raise SourceError unless a folder is a store of results."""
    mark = folder / _MARK
    try:
        found = json.loads(mark.read_bytes())
    except FileNotFoundError:
        raise SourceError(
            "not a store of results (groundrules audit --store makes one)", path=str(folder)
        ) from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=str(mark)) from None
    except (ValueError, RecursionError):
        raise SourceError("damaged; expected what groundrules wrote", path=str(mark)) from None
    if not isinstance(found, Mapping) or found.get("schema") != _SCHEMA:
        raise SourceError("written by another version", path=str(folder))


@cache
def named_queries() -> Mapping[str, NamedQuery]:
    """Return the queries that ship, by name."""
    return {path.stem: _named(path) for path in sorted(_QUERIES.glob("*.rq"))}


def _named(path: Path) -> NamedQuery:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    head = [line for line in lines if line.startswith("#")]
    first, *example = (line.removeprefix("#").removeprefix(" ") for line in head)
    body = "".join(line for line in lines if not line.startswith("#"))
    return NamedQuery(path.stem, first.strip(), body, "".join(example).strip("\n"))


def _open_to_write(folder: Path) -> TripleStore:
    try:
        if not (folder / _MARK).is_file():
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise SourceError(
                    "is not a store of results; expected a new or empty folder", path=str(folder)
                )
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / _MARK, f'{{"schema": {_SCHEMA}}}\n'.encode())
        check(folder)
        _refuse_writers(folder)
        _refuse_changed(folder)
        store = TripleStore(folder / _GRAPH, write=True)
        (folder / _SUMS).unlink(missing_ok=True)
    except OSError as error:
        raise SourceError(f"cannot be made: {error.strerror}", path=str(folder)) from None
    return store


_CHILD = """
import json, sys
path, *asked = json.load(sys.stdin)
sys.path[:] = path
from groundrules.audit.store import _answer
_answer(*asked)
"""


def _answer(folder: str, sparql: str, most: int) -> None:
    """Put a query to a store and write what it says, or what is wrong with it, to stdout."""
    try:
        found = open_to_read(Path(folder)).ask(sparql, VOCABULARIES, most)
    except GroundrulesError as error:
        name = type(error).__name__
        said = ("error", name, error.message, error.path, error.line, error.column)
        sys.stdout.write(json.dumps(said))
        return
    rows = [[None if node is None else encode_node(node) for node in row] for row in found.rows]
    sys.stdout.write(
        json.dumps(("result", found.form, found.columns, rows, found.yes, found.whole))
    )


def _read(row: Iterable[Any]) -> tuple[Node | None, ...]:
    return tuple(None if term is None else read_node(term) for term in row)


def _refuse_writers(folder: Path) -> None:
    """Raise SourceError while another process writes: what is read then may be anything."""
    try:
        import fcntl
    except ImportError:
        return
    with suppress(FileNotFoundError), (folder / _GRAPH / "LOCK").open("rb+") as lock:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SourceError("another process is writing to it", path=str(folder)) from None

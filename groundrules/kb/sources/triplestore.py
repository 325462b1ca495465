"""RDF files and what is built from them: a store on disk that answers queries.

A store is a folder: `graph/` with the statements, `names.sqlite` with the index of names, and
`build.json`, which says what was loaded, once all of it is.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import json
import math
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import quote

from rdflib.term import URIRef

from groundrules.dataset import FORMS, TripleStore, quads, read_rdf
from groundrules.errors import SourceError, did_you_mean
from groundrules.files import write_atomically
from groundrules.kb.link.aliases import Progress, build_index, no_progress
from groundrules.kb.records import formats as records
from groundrules.kb.sources.query import fill
from groundrules.kb.sources.source import Answer, Calls, Fault, Query, Status
from groundrules.terms import SOURCE, Triple

GRAPH, NAMES, STATE = "graph", "names.sqlite", "build.json"

_SCHEMA = 1
_PACKED = (".gz", ".bz2")

#: Statements between two checkpoints: 100 MB of memory.
_STATEMENTS = 100_000
_BLOCK = 1 << 18
_HEAD = 1 << 16  # bytes by which a JSON file shows its form
_LINE = 1 << 26  # bytes
#: How much RDF is held in memory; more belongs into a store.
_MOST = 1 << 30  # bytes


@dataclass(frozen=True, slots=True)
class Dump:
    """A file that was loaded into a store.

    `done` counts its statements or records, and `sha256` is of those; `faults` counts the records
    that could not be read.
    """

    name: str
    form: str
    done: int = 0
    sha256: str = ""
    faults: int = 0


@dataclass(frozen=True, slots=True)
class Build:
    """What a store was built from, and how many statements it has."""

    dumps: tuple[Dump, ...] = ()
    languages: tuple[str, ...] = ("en", "mul")
    statements: int = 0

    @property
    def digest(self) -> str:
        """The SHA-256 of what was loaded: equal for stores of equal files."""
        parts = sorted((dump.form, dump.sha256) for dump in self.dumps)
        told = json.dumps([_SCHEMA, parts, self.languages])
        return hashlib.sha256(told.encode()).hexdigest()


class StoreGraph:
    """A graph that a store answers for."""

    def __init__(
        self, store: TripleStore, name: str, digest: str, names: Path | None = None
    ) -> None:
        self.store = store
        self.digest = digest
        #: The index of its names, if one was built.
        self.names = names
        self._name = name
        self._calls = Calls()

    @property
    def name(self) -> str:
        """The name of the file or folder."""
        return self._name

    @property
    def iri(self) -> URIRef:
        """The name of its graph in a dataset."""
        return SOURCE[quote(self._name, safe="", errors="surrogatepass")]

    @property
    def calls(self) -> Calls:
        """The queries so far, each a request."""
        return self._calls

    def select(self, query: Query) -> Answer:
        """Answer a query; ValueError if it is bad."""
        text = fill(query)
        start = time.perf_counter()
        try:
            return Answer(tuple(self.store.select(text)))
        except SourceError as error:
            fault = Fault(Status.ERROR, "STORE", str(error))
            items = query.values[query.batch] if query.batch else ((),)
            return Answer(faults=dict.fromkeys(map(tuple, items), fault))
        finally:
            self._calls = replace(
                self._calls,
                requests=self._calls.requests + 1,
                seconds=self._calls.seconds + time.perf_counter() - start,
            )


def open_graph(path: Path) -> StoreGraph:
    """Open a store, or read an RDF file or a folder of such into memory.

    A file ends in .nt, .ttl, .nq, .trig, .rdf, .owl or .jsonld, and may be packed (.gz, .bz2);
    named graphs are read as one. SourceError if there is nothing to read, on bad syntax, and where
    the files hold more than 1 GB, which is what stores are for.
    """
    if (path / STATE).is_file():
        build = read_build(path)
        names = path / NAMES
        store = TripleStore(path / GRAPH)
        return StoreGraph(store, _called(path), build.digest, names if names.is_file() else None)
    if path.is_dir():
        found = sorted(
            one
            for one in path.iterdir()
            if one.is_file() and (form := _form(one)) and not has_records(form)
        )
        if not found and (path / GRAPH).is_dir():
            raise SourceError("not built to the end; delete it and build it anew", path=str(path))
        if not found:
            raise SourceError("neither a store nor a folder with RDF files", path=str(path))
    elif path.exists():
        found = [path]
    else:
        raise SourceError("no such file or folder", path=str(path))
    store = TripleStore()
    room = _MOST
    parts = []
    for number, one in enumerate(found):
        with _Stream(one, most=room) as stream:
            if has_records(stream.form):
                raise SourceError(
                    f"{stream.form}; records become a store first: groundrules kb build",
                    path=str(one),
                )
            read = _Reading(str)
            statements = read.statements(stream, number)
            while batch := list(islice(statements, _STATEMENTS)):
                store.load(batch)
            room -= stream.size
            parts.append(read.dump(one.name, stream.form))
    return StoreGraph(store, _called(path), Build(tuple(parts)).digest)


def _called(path: Path) -> str:
    return path.name or path.resolve().name  # of "." and ".."


def read_build(folder: Path) -> Build:
    """Return what a store was built from; SourceError if the folder is no store."""
    path = folder / STATE
    try:
        state = json.loads(path.read_text("utf-8"))
        if state.pop("schema") != _SCHEMA:
            raise SourceError("built by another version; build it anew", path=str(folder))
        if not state.pop("complete", True):
            raise SourceError("not built to the end; build it anew", path=str(folder))
        told = state.pop("dumps")
        dumps = tuple(Dump(**{k: v for k, v in one.items() if k != "whole"}) for one in told)
        return Build(dumps, tuple(state.pop("languages")), **state)
    except FileNotFoundError:
        raise SourceError(
            "not a store (groundrules kb build makes one)", path=str(folder)
        ) from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise SourceError("damaged; build the store anew", path=str(path)) from None


def form_of(path: Path) -> str:
    """Return the form of a file, by its name; SourceError if that says nothing known."""
    if form := _form(path):
        return form
    formats = records.formats().values()
    if like := [one.name for one in formats if _ending(path) in one.endings]:
        raise SourceError(f"does not begin as {' or '.join(like)} does", path=str(path))
    others = (ending for one in formats for ending in one.endings)
    known = list(dict.fromkeys([*FORMS, *others]))
    endings = ", ".join(known)
    near = did_you_mean(path.suffix, [*known, *_PACKED])
    raise SourceError(
        f"not known to be RDF or records; expected one of {endings}, also packed as .gz or "
        f".bz2{near}",
        path=str(path),
    )


def _form(path: Path) -> str:
    ending = _ending(path)
    if ending in FORMS:
        return FORMS[ending]

    def head() -> bytes:
        if not path.is_file():
            return b""
        with _Stream(path, form=ending) as stream:
            return stream.head()

    return records.form_of(ending, head)


def has_records(form: str) -> bool:
    """Return whether files of a form have records, which become a store before they answer."""
    return form not in FORMS.values()


def _ending(path: Path) -> str:
    return (path.with_suffix("") if path.suffix in _PACKED else path).suffix


def build_store(
    dumps: Sequence[Path],
    out: Path,
    *,
    progress: Progress | None = None,
    languages: Sequence[str] = ("en", "mul"),
    fault: Callable[[str], None] | None = None,
) -> Build:
    """Load files into a new store and index its names in the languages.

    At most 100,000 statements and one record are in memory. `fault` is told of each record that
    cannot be read, in a line, and the others are read all the same.

    Raises:
        SourceError: what cannot be read, with file and line; a file that is cut short; a full disk;
            a folder that is not new or empty.
    """
    names = [dump.name for dump in dumps]
    if twice := {name for name in names if names.count(name) > 1}:
        raise SourceError(f"two files are called {min(twice)}", path=str(out))
    for dump in dumps:
        form_of(dump)
        if not dump.is_file():
            raise SourceError("no such file", path=str(dump))
    try:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise SourceError("is there already; expected a new or empty folder", path=str(out))
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"cannot be made: {error.strerror}", path=str(out)) from None
    report = progress or no_progress
    total = sum(dump.stat().st_size for dump in dumps)
    loaded: list[Dump] = []
    past = 0
    try:
        with closing(TripleStore(out / GRAPH, write=True)) as store:
            for dump in dumps:
                at = partial(_at, report, past, total)
                loaded.append(_load(store, dump, len(loaded), at, fault or str))
                past += dump.stat().st_size
            return _finish(store, out, Build(tuple(loaded), tuple(languages)), report)
    except (OSError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        reason = "no space left on the disk" if "No space left" in reason else reason
        raise SourceError(f"{reason}; delete it and build it anew", path=str(out)) from None


def _at(report: Progress, past: int, total: int, done: int) -> None:
    report("load", past + done, total)


def _finish(store: TripleStore, out: Path, build: Build, report: Progress) -> Build:
    """Index what was loaded and say that it is all."""
    found = {one.name: one for dump in build.dumps for one in records.domains_of(dump.form)}
    for _, domain in sorted(found.items()):
        report("join", 0, 1)
        store.load(quads(records.vocabulary(domain)))
        joined = records.joined(store, domain)
        while batch := quads(islice(joined, _STATEMENTS)):
            store.load(batch)
    store.settle()
    facts = {"digest": build.digest, "languages": " ".join(build.languages)}
    build_index(store, out / NAMES, languages=build.languages, progress=report, facts=facts)
    build = replace(build, statements=len(store))
    state = json.dumps({"schema": _SCHEMA, **asdict(build)}, indent=2)
    write_atomically(out / STATE, state.encode())
    return build


def _load(
    store: TripleStore,
    path: Path,
    place: int,
    progress: Callable[[int], None],
    fault: Callable[[str], object],
) -> Dump:
    """Load a file into a store, `place` being which it is of its files."""
    with _Stream(path, form=form_of(path)) as stream:
        read = _Reading(lambda line: fault(f"{path}: {line}"))
        statements = read.statements(stream, place)
        while batch := list(islice(statements, _STATEMENTS)):
            store.load(batch)
            progress(stream.at())
        return read.dump(path.name, stream.form)


#: A statement or the digest of a record, and the statements it gives; what
#: is wrong with it, if it cannot be read.
_Record = tuple[bytes, tuple[Any, ...], str]


@dataclass(slots=True)
class _Reading:
    """A file as far as it is read: how many records, how many faults, the digest of its bytes."""

    fault: Callable[[str], object]
    done: int = 0
    faults: int = 0
    seen: hashlib._Hash = field(default_factory=hashlib.sha256)

    def statements(self, stream: _Stream, number: int) -> Iterator[Any]:
        for key, record, wrong in _records(stream, number):
            self.done += 1
            self.seen.update(key)
            if wrong:
                self.faults += 1
                self.fault(f"record {self.done}: {wrong}")
            yield from record

    def dump(self, name: str, form: str) -> Dump:
        return Dump(name, form, self.done, self.seen.hexdigest(), self.faults)


def _records(stream: _Stream, number: int) -> Iterator[_Record]:
    """Yield the records of a file."""
    if has_records(stream.form):
        return _read(records.read_records(stream, stream.form))
    label = f"d{number}_"
    base = f"file:///{quote(stream.path.name, errors='surrogatepass')}"
    found = read_rdf(
        cast(BinaryIO, stream), stream.form, base=base, label=label, path=str(stream.path)
    )
    # Which number a file has in its store changes nothing of what it says.
    return ((str(quad).replace(f"_:{label}", "_:").encode(), (quad,), "") for quad in found)


def _read(found: Iterator[tuple[bytes, list[Triple] | str]]) -> Iterator[_Record]:
    for key, said in found:
        if isinstance(said, str):
            yield key, (), said
            continue
        try:
            statements = quads(said)
        except SourceError as error:
            yield key, (), str(error)
        else:
            yield key, statements, ""


class _Stream:
    """The bytes of a file, unpacked."""

    def __init__(self, path: Path, most: float = math.inf, form: str = "") -> None:
        """Open a file; to read more than `most` bytes of it is a SourceError."""
        self.path = path
        self.form = form or form_of(path)
        self.size = 0
        self._most = most
        self._ahead = memoryview(b"")
        if path.exists() and not path.is_file():  # a pipe would wait for who writes to it
            raise SourceError("is no regular file", path=str(path))
        try:
            self._raw = path.open("rb")
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
        self._file: Any = self._raw
        if path.suffix == ".gz":
            self._file = gzip.GzipFile(fileobj=self._raw)
        elif path.suffix == ".bz2":
            self._file = bz2.BZ2File(self._raw)

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self._raw.close()

    def at(self) -> int:
        """Return how many bytes of the file, packed, have been read."""
        return self._raw.tell()

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, none at the end; SourceError if the file is cut short."""
        data = self._ahead or memoryview(self._block())
        cut = size if size >= 0 else len(data)
        self._ahead = data[cut:]
        return bytes(data[:cut])

    def head(self) -> bytes:
        """Return what a file that was not read yet begins with."""
        return self._block()[:_HEAD]

    def lines(self) -> Iterator[bytes]:
        """Yield the lines; SourceError for one of more than 64 MB."""
        rest: list[bytes] = []
        length = 0
        while data := self.read():
            first, *others = data.split(b"\n")
            rest.append(first)
            length += len(first)
            if others:
                *lines, last = others
                yield b"".join(rest) + b"\n"
                for line in lines:
                    yield line + b"\n"
                rest, length = [last], len(last)
            if length > _LINE:
                raise SourceError(f"a line of more than {_LINE:,} bytes", path=str(self.path))
        if length:
            yield b"".join(rest)

    def _block(self) -> bytes:
        try:
            data: bytes = self._file.read(_BLOCK)
        except EOFError:
            raise SourceError("the file is cut short", path=str(self.path)) from None
        except (OSError, zlib.error, ValueError) as error:
            raise SourceError(f"cannot be read: {error}", path=str(self.path)) from None
        self.size += len(data)
        if self.size > self._most:
            raise SourceError(
                f"more than {_MOST:,} bytes of RDF; build a store of it: groundrules kb build",
                path=str(self.path),
            )
        return data

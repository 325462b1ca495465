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
import re
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import quote

from pydantic import TypeAdapter
from rdflib.namespace import RDFS
from rdflib.term import Literal, Node, URIRef

from groundrules.dataset import FORMS, TripleStore, quads, read_rdf
from groundrules.errors import SourceError, did_you_mean
from groundrules.files import write_atomically
from groundrules.kb.link.aliases import Progress, build_index, no_progress
from groundrules.kb.records import formats as records
from groundrules.kb.sources.profile import LABELS
from groundrules.kb.sources.query import fill, query_text
from groundrules.kb.sources.source import Answer, Calls, Fault, Query, Status
from groundrules.terms import SOURCE, Triple

GRAPH, NAMES, STATE = "graph", "names.sqlite", "build.json"

_SCHEMA = 1
#: What gives a name in parts, by the end of its IRI, and what is spelt as a name is.
_PARTS = (re.compile(r"(?i)(?:given|first)_?name$"), re.compile(r"(?i)(?:family|last|sur)_?name$"))
_SPELT = re.compile(r"(?i)[a-z]{2}[^0-9]*$")
_PACKED: Mapping[str, Callable[[Any], Any]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file),
    ".bz2": bz2.BZ2File,
}

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

    `done` counts its statements or records, and `sha256` is of its bytes, unpacked; `faults` counts
    the records that could not be read.
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
            self._calls += Calls(requests=1, seconds=time.perf_counter() - start)


def open_graph(path: Path) -> StoreGraph:
    """Open a store, or read an RDF file or a folder of such into memory.

    A file ends in .nt, .ttl, .nq, .trig, .rdf, .owl or .jsonld, and may be packed (.gz, .bz2);
    named graphs are read as one. SourceError if there is nothing to read, on bad syntax, and where
    the files hold more than 1 GB, which is what stores are for.
    """
    name = path.name or path.resolve().name  # of "." and ".."
    if (path / STATE).is_file():
        build = read_build(path)
        names = path / NAMES
        index = names if names.is_file() else None
        return StoreGraph(TripleStore(path / GRAPH), name, build.digest, index)
    if path.is_dir():
        found = sorted(one for one in path.iterdir() if one.is_file() and _ending(one) in FORMS)
        if not found:
            unfinished = "not built to the end; delete it and build it anew"
            neither = "neither a store nor a folder with RDF files"
            raise SourceError(unfinished if (path / GRAPH).is_dir() else neither, path=str(path))
    elif path.exists():
        found = [path]
    else:
        raise SourceError("no such file or folder", path=str(path))
    store = TripleStore()
    room = _MOST
    dumps = []
    for number, one in enumerate(found):
        with _Stream(one, most=room) as stream:
            if has_records(stream.form):
                raise SourceError(
                    f"{stream.form}; records become a store first: groundrules kb build",
                    path=str(one),
                )
            dumps.append(_load(store, stream, number))
            room -= stream.size
    return StoreGraph(store, name, Build(tuple(dumps)).digest)


def read_build(folder: Path) -> Build:
    """Return what a store was built from; SourceError if the folder is no store."""
    path = folder / STATE
    try:
        state = json.loads(path.read_text("utf-8"))
        if state.pop("schema") != _SCHEMA:
            raise SourceError("built by another version; build it anew", path=str(folder))
        return TypeAdapter(Build).validate_python(state)
    except FileNotFoundError:
        raise SourceError(
            "not a store (groundrules kb build makes one)", path=str(folder)
        ) from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise SourceError("damaged; build the store anew", path=str(path)) from None


def domain_of(folder: Path) -> str:
    """Return the domain of whose records a store was built, empty for what is no such store."""
    dumps = read_build(folder).dumps if (folder / STATE).is_file() else ()
    return next((one.name for dump in dumps for one in records.domains_of(dump.form)), "")


def form_of(path: Path) -> str:
    """Return the form of a file, by its name; SourceError if that says nothing known."""
    ending = _ending(path)
    if ending in FORMS:
        return FORMS[ending]

    def head() -> bytes:
        if not path.is_file():
            return b""
        with _Stream(path, form=ending) as stream:
            return stream.read(_HEAD)

    if form := records.form_of(ending, head):
        return form
    formats = records.formats().values()
    if like := [one.name for one in formats if ending in one.endings]:
        raise SourceError(f"does not begin as {' or '.join(like)} does", path=str(path))
    known = list(dict.fromkeys([*FORMS, *(end for one in formats for end in one.endings)]))
    near = did_you_mean(path.suffix, [*known, *_PACKED])
    raise SourceError(
        f"not known to be RDF or records; expected one of {', '.join(known)}, also packed as .gz "
        f"or .bz2{near}",
        path=str(path),
    )


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
                with _Stream(dump) as stream:
                    at = partial(_at, report, past, total)
                    loaded.append(_load(store, stream, len(loaded), at, fault or str))
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
    name_persons(store)
    store.settle()
    facts = {"digest": build.digest, "languages": " ".join(build.languages)}
    build_index(store, out / NAMES, languages=build.languages, progress=report, facts=facts)
    build = replace(build, statements=len(store))
    state = json.dumps({"schema": _SCHEMA, **asdict(build)}, indent=2)
    write_atomically(out / STATE, state.encode())
    return build


def name_persons(store: TripleStore) -> None:
    """Name whoever a graph gives a given and a family name, and no label."""
    used = [row["p"] for row in store.select(query_text("predicates"))]
    given, family = (
        {t.subject: t.object for p in used if isinstance(p, URIRef) and part.search(p)
         for t in store.triples(None, p, None) if isinstance(t.object, Literal)}
        for part in _PARTS
    )  # fmt: skip
    add_names(store, {s: f"{given[s]} {family[s]}" for s in given.keys() & family.keys()})


def add_names(store: TripleStore, names: Mapping[Node, str]) -> None:
    """Label things of a graph that no property names yet."""
    labelled = {s for s in names if any(True for p in LABELS for _ in store.triples(s, p, None))}
    found = ((s, name) for s, name in names.items() if s not in labelled and _SPELT.match(name))
    store.load(quads(Triple(s, RDFS.label, Literal(name)) for s, name in sorted(found)))


def _load(
    store: TripleStore,
    stream: _Stream,
    number: int,
    progress: Callable[[int], object] = str,
    fault: Callable[[str], object] = str,
) -> Dump:
    """Load a file into a store, `number` being which it is of its files."""
    statements = stream.statements(number, fault)
    while batch := list(islice(statements, _STATEMENTS)):
        store.load(batch)
        progress(stream.at())
    digest = stream.seen.hexdigest()
    return Dump(stream.path.name, stream.form, stream.done, digest, stream.faults)


class _Stream:
    """A file as far as it is read: its bytes, unpacked, and what they state."""

    def __init__(self, path: Path, most: float = math.inf, form: str = "") -> None:
        """Open a file; to read more than `most` bytes of it is a SourceError."""
        self.path, self.form = path, form or form_of(path)
        self.size = self.done = self.faults = 0
        self.seen = hashlib.sha256()
        self._most = most
        if path.exists() and not path.is_file():  # a pipe would wait for who writes to it
            raise SourceError("is no regular file", path=str(path))
        try:
            self._raw = path.open("rb")
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
        self._file = _PACKED[path.suffix](self._raw) if path.suffix in _PACKED else self._raw

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self._raw.close()

    def at(self) -> int:
        """Return how many bytes of the file, packed, have been read."""
        return self._raw.tell()

    def statements(self, number: int, fault: Callable[[str], object]) -> Iterator[Any]:
        """Yield what the file states; `fault` is told of each record that cannot be read."""
        if not has_records(self.form):
            base = f"file:///{quote(self.path.name, errors='surrogatepass')}"
            label, path = f"d{number}_", str(self.path)
            stream = cast(BinaryIO, self)
            for quad in read_rdf(stream, self.form, base=base, label=label, path=path):
                self.done += 1
                yield quad
            return
        for said in records.read_records(self, self.form):
            self.done += 1
            try:
                if isinstance(said, str):
                    raise SourceError(said)
                yield from quads(said)
            except SourceError as error:
                self.faults += 1
                fault(f"{self.path}: record {self.done}: {error}")

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, none at the end; SourceError if the file is cut short."""
        return self._take(self._file.read, size if size >= 0 else _BLOCK)

    def lines(self) -> Iterator[bytes]:
        """Yield the lines; SourceError for one of more than 64 MB."""
        while line := self._take(self._file.readline, _LINE + 1):
            if len(line) > _LINE:
                raise SourceError(f"a line of more than {_LINE:,} bytes", path=str(self.path))
            yield line

    def _take(self, take: Callable[[int], bytes], size: int) -> bytes:
        try:
            data = take(size)
        except EOFError:
            raise SourceError("the file is cut short", path=str(self.path)) from None
        except (OSError, zlib.error, ValueError) as error:
            raise SourceError(f"cannot be read: {error}", path=str(self.path)) from None
        self.size += len(data)
        self.seen.update(data)
        if self.size > self._most:
            raise SourceError(
                f"more than {_MOST:,} bytes of RDF; build a store of it: groundrules kb build",
                path=str(self.path),
            )
        return data

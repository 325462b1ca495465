"""What is audited, one small task a text: read from files, folders, tables or a query, as it comes.

A row has `answer` (or `text`), and may have `context` (a text, an object with `name` and `text`, or
a list of these), `sources` (files in the folder of the table or below it; in a CSV file several are
separated by ";"), `id`, `question` and `date`. A query returns `?text`, and may return `?context`,
`?id`, `?question` and `?date`; rows of one `?id` that follow each other are one text with several
contexts.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import IO, Any

from groundrules.checks.inputs import hash_of
from groundrules.claims.corpus import CONTENTS, is_corpus
from groundrules.claims.document import MAX_BYTES, Document, from_text
from groundrules.errors import ConfigError, SourceError, did_you_mean

#: How the names of tables end, and those of texts.
LINES, CSV, PARQUET = (".jsonl", ".ndjson"), (".csv",), (".parquet",)
TEXTS = (
    ".txt", ".text", ".md", ".markdown", ".html", ".htm", ".xhtml", ".pdf", ".docx"
)  # fmt: skip

_FIELDS = ("answer", "text", "context", "sources", "id", "question", "date")
_LONGEST_LINE = 64 * 2**20
_LONGEST_NAME = 1_000
_ROWS = 200

#: Keeps a source that stands in a row.
Keep = Callable[[Document], object]


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is given: its words, or where it is read from.

    With neither `words` nor `path` it is a source that was kept, and `sha256` names it; else that
    is the hash of the words or of the file.
    """

    name: str
    sha256: str
    words: str | None = None
    path: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A text to check; `key` is a hash of all that its report depends on, `place` its file:line."""

    key: str
    id: str
    place: str
    answer: Text
    contexts: tuple[Text, ...] = ()
    question: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """What was given and cannot be checked; `str()` is the one line that says why."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class _Row:
    place: str
    folder: Path
    fields: Any


def read_tasks(
    inputs: Sequence[str],
    settings: str,
    *,
    contexts: Sequence[str] = (),
    query: str = "",
    keep: Keep | None = None,
) -> Iterator[Task | Fault]:
    """Yield a task for each text of the inputs, in their order, or the fault that it has.

    `settings` is a hash of all that a check depends on besides; `contexts` are files or indexes
    that every text is checked against; with a `query`, a file, the inputs are RDF files or stores.
    Sources that stand in rows are given to `keep`. Two texts of one id are numbered, and a text
    that was given before is a fault.

    Raises:
        SourceError: an input, a context or the query cannot be read.
        ConfigError: an input is none, or needs an extra that is missing.
    """
    common = tuple(_source(Path(name), name) for name in contexts)
    seen: dict[bytes, int] = {}
    for one in _found(inputs, query):
        made: Task | Fault
        try:
            if isinstance(one, Fault):
                made = one
            elif isinstance(one, Path):
                made = _of_file(one, settings, common)
            else:
                made = _of_row(one, settings, common, keep)
        except SourceError as error:
            made = Fault(one.place if isinstance(one, _Row) else error.path, error.message)
        yield _apart(made, seen) if isinstance(made, Task) else made


def _apart(task: Task, seen: dict[bytes, int]) -> Task | Fault:
    """Return a task with an id of its own, a fault where the same was given before."""
    whole, name = (bytes.fromhex(hash_of(word))[:12] for word in (task.key, f"id {task.id}"))
    if whole in seen:
        return Fault(task.place, f"is the same as an earlier text, {task.id!r}; checked once")
    seen[whole] = 1
    number = seen[name] = seen.get(name, 0) + 1
    if number == 1:
        return task
    return _task(
        f"{task.id}#{number}", task.place, task.answer, task.contexts, task.question, task.date,
        hash_of(task.key),
    )  # fmt: skip


def _task(
    name: str,
    place: str,
    answer: Text,
    contexts: tuple[Text, ...],
    question: str,
    date: str,
    settings: str,
) -> Task:
    given = sorted((one.name, one.sha256) for one in contexts)
    whole = [settings, name, answer.name, answer.sha256, given, question, date]
    return Task(hash_of(json.dumps(whole)), name, place, answer, contexts, question, date)


# --- what is given ----------------------------------------------------------------------------


def _found(inputs: Sequence[str], query: str) -> Iterator[_Row | Path | Fault]:
    if query:
        text = _query(query)
        for name in inputs:
            yield from _selected(name, query, text)
        return
    for name in inputs:
        path = Path(name)
        if path.is_dir():
            yield from _guarded(_of_folder(path))
        elif not path.exists():
            names = [str(one) for one in path.parent.iterdir()] if path.parent.is_dir() else []
            raise SourceError(f"no such file or folder{did_you_mean(name, names)}", path=name)
        elif (rows := _table(path)) is not None:
            yield from _guarded(rows)
        else:
            yield path


def _guarded(rows: Iterator[_Row | Path | Fault]) -> Iterator[_Row | Path | Fault]:
    """Yield rows up to where their file cannot be read, which does not stop the others."""
    try:
        yield from rows
    except SourceError as error:
        yield Fault(error.path, error.message)


def _of_folder(folder: Path) -> Iterator[_Row | Path | Fault]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(place, name)
            if name.startswith("."):
                continue
            if (rows := _table(path)) is not None:
                yield from _guarded(rows)
            elif path.suffix.lower() in TEXTS:
                yield path
            else:
                yield Fault(str(path), "is not read; expected txt, md, html, pdf, docx or a table")


def _table(path: Path) -> Iterator[_Row | Path | Fault] | None:
    """Return the rows of a table, None for a file that is none."""
    bare = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    ending = bare.suffix.lower()
    if ending in LINES:
        return _json_lines(path)
    if ending in CSV:
        return _csv(path)
    return _parquet(path) if ending in PARQUET else None


def _open(path: Path) -> IO[bytes] | gzip.GzipFile:
    packed = path.suffix.lower() == ".gz"
    return gzip.open(path, "rb") if packed else path.open("rb")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, packed or not, with their numbers."""
    try:
        with _open(path) as file:
            number = 0
            while line := file.readline(_LONGEST_LINE):
                number += 1
                yield number, line
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError(f"cannot be read: {reason}", path=str(path)) from None


def _json_lines(path: Path) -> Iterator[_Row | Path | Fault]:
    for number, line in _lines(path):
        place = f"{path}:{number}"
        if not line.strip():
            continue
        try:
            fields = json.loads(line.decode("utf-8-sig"))
        except UnicodeDecodeError:
            yield Fault(place, "not UTF-8; expected one JSON object a line")
        except (ValueError, RecursionError) as error:
            yield Fault(place, f"not JSON: {error}; expected one object a line")
        else:
            yield _Row(place, path.parent, fields)


def _csv(path: Path) -> Iterator[_Row | Path | Fault]:
    csv.field_size_limit(_LONGEST_LINE)
    # what is no UTF-8 becomes lone surrogates, which no text may have
    lines = (
        line.decode("utf-8-sig" if number == 1 else "utf-8", "surrogateescape")
        for number, line in _lines(path)
    )
    reader = csv.reader(lines)
    head: list[str] = []
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield Fault(f"{path}:{line}", f"not CSV: {error}")
            continue
        if cells is None:
            return
        if not head:
            head = [name.strip() for name in cells]
            if not {"answer", "text"} & set(head):
                raise SourceError(
                    f"has no column answer; it has {', '.join(head[:20])}", path=str(path)
                )
        elif cells and len(cells) != len(head):
            yield Fault(f"{path}:{line}", f"{len(cells)} cells; expected {len(head)}")
        elif cells:
            fields: dict[str, Any] = dict(zip(head, cells, strict=True))
            if fields.get("sources"):
                fields["sources"] = [part.strip() for part in fields["sources"].split(";")]
            yield _Row(f"{path}:{line}", path.parent, fields)


def _parquet(path: Path) -> Iterator[_Row | Path | Fault]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise ConfigError(
            "Parquet needs pyarrow; run: pip install 'groundrules[parquet]'", path=str(path)
        ) from None
    number = 0
    try:
        with ParquetFile(path) as file:
            wanted = [name for name in file.schema_arrow.names if name in _FIELDS]
            for batch in file.iter_batches(batch_size=_ROWS, columns=wanted):
                for fields in batch.to_pylist():
                    number += 1
                    yield _Row(f"{path}:{number}", path.parent, fields)
    except (ArrowException, OSError) as error:
        reason = " ".join(str(error).split())
        raise SourceError(f"not Parquet: {reason}", path=str(path)) from None


def _query(name: str) -> str:
    try:
        return Path(name).read_text("utf-8")
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=name) from None
    except UnicodeDecodeError:
        raise SourceError("not UTF-8; expected a SPARQL query", path=name) from None


def _selected(name: str, query: str, text: str) -> Iterator[_Row | Path | Fault]:
    """Yield a row for each text that a query returns of an RDF file, a folder or a store."""
    from groundrules.kb.triplestore import open_graph

    def numbered() -> Iterator[tuple[int, dict[str, Any]]]:
        try:
            yield from enumerate(open_graph(Path(name)).store.select(text), 1)
        except ValueError as error:
            raise SourceError(str(error), path=query) from None

    def identity(item: tuple[int, dict[str, Any]]) -> tuple[int, str]:
        number, row = item
        return (0, str(row["id"])) if "id" in row else (number, "")

    for _, group in groupby(numbered(), identity):
        first: dict[str, Any] = {}
        contexts = []
        at = 0
        for number, row in group:
            at, first = at or number, first or row
            if "context" in row:
                contexts.append(str(row["context"]))
        if "text" not in first and "answer" not in first:
            raise SourceError("the query returns no ?text", path=query)
        fields: dict[str, Any] = {key: str(value) for key, value in first.items()}
        fields.pop("sources", None)  # a graph names no files of ours
        fields["context"] = list(dict.fromkeys(contexts))
        yield _Row(f"{name}:{at}", Path(), fields)


# --- what a row or a file asks for ------------------------------------------------------------


def _of_file(path: Path, settings: str, common: tuple[Text, ...]) -> Task:
    answer = _source(path, str(path))
    return _task(str(path), str(path), answer, common, "", "", settings)


def _of_row(row: _Row, settings: str, common: tuple[Text, ...], keep: Keep | None) -> Task:
    """Return the task of a row; SourceError without a place where it is none."""
    fields = row.fields
    if not isinstance(fields, Mapping):
        raise SourceError("not an object; expected answer, context, id")
    body = fields.get("answer") if fields.get("answer") is not None else fields.get("text")
    if not isinstance(body, str) or not body.strip():
        has = ", ".join(map(str, fields))[:100]
        raise SourceError(f"no answer; expected a text in answer; it has {has or 'nothing'}")
    name = _word(fields, "id") or row.place
    document = from_text(body, name)
    answer = Text(name, hash_of(body), body)
    question, date = _word(fields, "question", _LONGEST_LINE), _word(fields, "date")
    own = (*_written(fields.get("context"), keep), *_named(fields.get("sources"), row.folder))
    return _task(document.name, row.place, answer, (*own, *common), question, date, settings)


def _word(fields: Mapping[str, Any], name: str, most: int = _LONGEST_NAME) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if isinstance(value, bool) or not (isinstance(value, str | int) or hasattr(value, "isoformat")):
        raise SourceError(f"{name} is {str(value)[:40]!r}; expected a text")
    text = str(value).strip()
    if len(text) > most:
        raise SourceError(f"{name} is longer than {most:,} characters")
    return from_text(text, name).text


def _written(value: Any, keep: Keep | None) -> Iterator[Text]:
    """Yield the sources whose words stand in a row, and keep them."""
    for item in value if isinstance(value, list) else [value]:
        if item is None or item == "":
            continue
        named = isinstance(item, Mapping)
        text = item.get("text") if named else item
        if not isinstance(text, str):
            raise SourceError("context is no text; expected a text, or an object with name, text")
        name = _word(item, "name") if named else ""
        document = from_text(text, name or f"context-{hash_of(text)[:8]}")
        if keep is not None:
            keep(document)
        yield Text(document.name, source_key(document))


def _named(value: Any, folder: Path) -> Iterator[Text]:
    """Yield the sources that a row names as files; a table leads to none outside its folder."""
    for item in value if isinstance(value, list) else [value]:
        if item is None or item == "":
            continue
        if not isinstance(item, str) or len(item) > _LONGEST_NAME or "\0" in item:
            raise SourceError("sources is no list of files")
        path = folder / item
        try:
            inside = path.resolve().is_relative_to(folder.resolve())
        except (OSError, RuntimeError):
            inside = False
        if not inside:
            raise SourceError(
                f"sources names {item!r}; expected a file in the folder of the table or below it"
            )
        try:
            yield _source(path, item)
        except SourceError as error:
            raise SourceError(f"sources names {item!r}, which {error.message}") from None


def _source(path: Path, name: str) -> Text:
    """Return a file, or an index of documents, by its hash; SourceError where it is none."""
    file = path / CONTENTS if path.is_dir() and is_corpus(path) else path
    try:
        state = file.stat()
        if state.st_size > MAX_BYTES:
            raise SourceError(f"is larger than {MAX_BYTES // 2**20} MiB; split it", path=name)
        return Text(name, _digest(file, state.st_mtime_ns, state.st_size), None, str(path))
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=name) from None


@lru_cache(maxsize=4096)
def _digest(path: Path, _changed: int, _size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def source_key(document: Document) -> str:
    """Return the name under which a source is kept: a hash of all that it is."""
    parts = (document.name, document.format, document.text, document.unread, document.sha256)
    return hash_of(json.dumps(parts))


def count_tasks(found: Iterable[Task | Fault]) -> tuple[set[str], list[Fault]]:
    """Return the keys of tasks and what is wrong with the others."""
    keys, faults = set(), []
    for one in found:
        if isinstance(one, Task):
            keys.add(one.key)
        else:
            faults.append(one)
    return keys, faults

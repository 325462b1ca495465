"""What is audited, one small task a text: read from files, folders or tables, as it comes.

A row has `answer` (or `text`), and may have `context` (a text, an object with `name` and `text`, or
a list of these), `sources` (files in the folder of the table or below it; in a CSV file several are
separated by ";"), `id`, `question` and `date`.

Of a folder only regular files are opened that are in it: a link that leads out of it, a link to a
folder and a pipe are told and left alone.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BufferedReader
from pathlib import Path
from typing import Any

from groundrules.checks.inputs import hash_of
from groundrules.claims.documents.document import MAX_BYTES, Document, from_text, not_decoded
from groundrules.claims.facts.corpus import CONTENTS, is_corpus
from groundrules.config import HeldTo, documents_for
from groundrules.errors import SourceError, did_you_mean
from groundrules.files import open_within

#: How the names of tables end, and those of texts.
LINES, CSV = (".jsonl", ".ndjson"), ".csv"
TEXTS = (
    ".txt", ".text", ".md", ".markdown", ".html", ".htm", ".xhtml", ".pdf", ".docx"
)  # fmt: skip

_LONGEST_LINE = 64 * 2**20
_LONGEST_NAME = 1_000

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
    """A text to check; `key` is a hash of all that its report depends on, `place` its file:line.

    `id` is the name of its answer too, so that reports, logs and stores have it.
    """

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


@dataclass(frozen=True, slots=True)
class _File:
    """A file, which is opened only where it is in a folder, if one is given."""

    path: Path
    folder: Path | None = None


def read_tasks(
    inputs: Sequence[str],
    settings: str,
    *,
    contexts: Sequence[str] = (),
    held_to: HeldTo = (),
    keep: Keep | None = None,
) -> Iterator[Task | Fault]:
    """Yield a task for each text of the inputs, in their order, or the fault that it has.

    `settings` is a hash of all that a check depends on besides; `contexts` are files or indexes
    that every text is checked against; without them `held_to` names those of a file.
    Sources that stand in rows are given to `keep`. A text whose id an earlier one has is named by
    its place too, and a text that was given before is a fault.

    Raises:
        SourceError: an input or a context cannot be read.
    """
    common = tuple(_source(Path(name), name) for name in contexts)
    seen: set[bytes] = set()
    for one in _found(inputs):
        made: Task | Fault
        try:
            if isinstance(one, Fault):
                made = one
            elif isinstance(one, _File):
                named = () if common else documents_for(one.path, held_to)
                own = tuple(_source(path, str(path)) for path in named)
                made = _of_file(one, settings, own or common)
            else:
                made = _of_row(one, settings, common, keep)
        except SourceError as error:
            made = Fault(one.place if isinstance(one, _Row) else error.path, error.message)
        yield _apart(made, seen) if isinstance(made, Task) else made


def _apart(task: Task, seen: set[bytes]) -> Task | Fault:
    """Return a task with an id that no other has, a fault where the same was given before."""
    whole, name = _short(task.key), _short(f"id {task.id}")
    if whole in seen:
        return Fault(task.place, f"is the same as an earlier text, {task.id!r}; checked once")
    twice = name in seen
    seen |= {whole, name}
    if not twice:
        return task
    own = f"{task.id} ({task.place})"
    answer, key = replace(task.answer, name=own), hash_of(f"{task.key} {own}")
    return replace(task, key=key, id=own, answer=answer)


def _short(word: str) -> bytes:
    return bytes.fromhex(hash_of(word))[:12]


def _task(
    name: str,
    place: str,
    answer: Text,
    contexts: tuple[Text, ...],
    question: str,
    date: str,
    settings: str,
) -> Task:
    sources = sorted((one.name, one.sha256) for one in contexts)
    whole = [settings, name, answer.name, answer.sha256, sources, question, date]
    key = hash_of(json.dumps(whole))
    return Task(key, name, place, answer, contexts, question, date)


# --- what is given ----------------------------------------------------------------------------


def _found(inputs: Sequence[str]) -> Iterator[_Row | _File | Fault]:
    for name in inputs:
        path = Path(name)
        if path.is_dir():
            yield from _guarded(_of_folder(path))
        elif not path.exists():
            names = [str(one) for one in path.parent.iterdir()] if path.parent.is_dir() else []
            raise SourceError(f"no such file or folder{did_you_mean(name, names)}", path=name)
        elif (rows := _table(_File(path))) is not None:
            yield from _guarded(rows)
        else:
            yield _File(path)


def _guarded(rows: Iterator[_Row | _File | Fault]) -> Iterator[_Row | _File | Fault]:
    """Yield rows up to where their file cannot be read, which does not stop the others."""
    try:
        yield from rows
    except SourceError as error:
        yield Fault(error.path, error.message)


def _of_folder(folder: Path) -> Iterator[_Row | _File | Fault]:
    unread: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=unread.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if os.path.islink(Path(place, name)):  # noqa: PTH114 - where it leads need not be there
                yield Fault(str(Path(place, name)), "is a link to a folder; links are not followed")
        for name in sorted(files):
            path = Path(place, name)
            file = _File(path, folder)
            if name.startswith("."):
                continue
            if (rows := _table(file)) is not None:
                yield from _guarded(rows)
            elif path.suffix.lower() in TEXTS:
                yield file
            else:
                yield Fault(str(path), "is not read; expected txt, md, html, pdf, docx or a table")
    for error in unread:
        yield Fault(str(error.filename), f"cannot be read: {error.strerror}")


def _table(file: _File) -> Iterator[_Row | _File | Fault] | None:
    """Return the rows of a table, None for a file that is none."""
    ending = file.path.suffix.lower()
    if ending in LINES:
        return _json_lines(file)
    return _csv(file) if ending == CSV else None


@contextmanager
def _opened(file: _File, name: str = "") -> Iterator[BufferedReader]:
    """Give a file to read; SourceError by its name where it is none to be read."""
    name = name or str(file.path)
    try:
        found = open_within(file.path, file.folder)
    except ValueError as error:
        raise SourceError(str(error), path=name) from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=name) from None
    with found:
        yield found


def _lines(file: _File) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with their numbers."""
    with _opened(file) as lines:
        try:
            yield from enumerate(iter(lambda: lines.readline(_LONGEST_LINE), b""), 1)
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", path=str(file.path)) from None


def _json_lines(file: _File) -> Iterator[_Row | _File | Fault]:
    path = file.path
    for number, line in _lines(file):
        place = f"{path}:{number}"
        if not line.strip():
            continue
        try:
            fields = json.loads(line.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            yield Fault(place, f"{not_decoded(error)}, one JSON object a line")
        except (ValueError, RecursionError) as error:
            yield Fault(place, f"not JSON: {error}; expected one object a line")
        else:
            yield _Row(place, path.parent, fields)


def _csv(file: _File) -> Iterator[_Row | _File | Fault]:
    path = file.path
    csv.field_size_limit(_LONGEST_LINE)
    # what is no UTF-8 spoils its row alone
    reader = csv.reader(line.decode("utf-8-sig" if number == 1 else "utf-8", "surrogateescape")
                        for number, line in _lines(file))  # fmt: skip
    try:
        head = [name.strip() for name in next(reader, [])]
        if head and not {"answer", "text"} & set(head):
            told = f"has no column answer; it has {', '.join(head[:20])}"
            raise SourceError(told, path=str(path))
        line = reader.line_num + 1
        for cells in reader:
            place, line = f"{path}:{line}", reader.line_num + 1
            if cells and len(cells) != len(head):
                yield Fault(place, f"{len(cells)} cells; expected {len(head)}")
            elif cells and (why := _undecoded(cells)):
                yield Fault(place, why)
            elif cells:
                fields: dict[str, Any] = dict(zip(head, cells, strict=True))
                if fields.get("sources"):
                    fields["sources"] = [part.strip() for part in fields["sources"].split(";")]
                yield _Row(place, path.parent, fields)
    except csv.Error as error:
        raise SourceError(f"not CSV: {error}", path=f"{path}:{reader.line_num}") from None


def _undecoded(cells: Sequence[str]) -> str:
    """Return why some cells are no UTF-8, empty where they are."""
    try:
        "".join(cells).encode(errors="surrogateescape").decode()
    except UnicodeDecodeError as error:
        return not_decoded(error)
    return ""


# --- what a row or a file asks for ------------------------------------------------------------


def _of_file(file: _File, settings: str, common: tuple[Text, ...]) -> Task:
    name = str(file.path)
    return _task(name, name, _text(file, name), common, "", "", settings)


def _of_row(row: _Row, settings: str, common: tuple[Text, ...], keep: Keep | None) -> Task:
    """Return the task of a row; SourceError without a place where it is none."""
    fields = row.fields
    if not isinstance(fields, Mapping):
        raise SourceError("not an object; expected answer, context, id")
    body = fields.get("answer") if fields.get("answer") is not None else fields.get("text")
    if isinstance(body, str) and not body.strip():
        raise SourceError("its answer is empty; expected a text")
    if not isinstance(body, str):
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
    if isinstance(value, bool) or not isinstance(value, str | int):
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
        try:
            yield _text(_File(folder / item, folder), item)
        except SourceError as error:
            raise SourceError(
                f"sources names {item!r}, which {error.message}; expected a file in the folder of "
                "the table or below it"
            ) from None


def _source(path: Path, name: str) -> Text:
    """Return a file, or an index of documents, by its hash; SourceError where it is none."""
    index = path.is_dir() and is_corpus(path)
    found = _text(_File(path / CONTENTS if index else path), name)
    return replace(found, path=str(path))


def _text(file: _File, name: str) -> Text:
    """Return a file by its hash; SourceError where it is none to be read, or too large."""
    with _opened(file, name) as opened:
        state = os.fstat(opened.fileno())
        if state.st_size > MAX_BYTES:
            raise SourceError(f"is larger than {MAX_BYTES // 2**20} MiB; split it", path=name)
        known = (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size)
    return Text(name, _digest(file, name, known), None, str(file.path))


@lru_cache(maxsize=4096)
def _digest(file: _File, name: str, state: tuple[int, ...]) -> str:
    """Return the hash of a file, as long as inode, time and size are those it was read by."""
    with _opened(file, name) as opened:
        try:
            return hashlib.file_digest(opened, "sha256").hexdigest()
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", path=name) from None


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

"""What was read or found before, kept on disk by content: the same again costs nothing.

A key is the SHA-256 of all that a value depends on, the release and the files of groundrules and
of its models among them. A file holds frozen data as JSON with its hash; one that is damaged, or
was written by something else, counts as missing. `GROUNDRULES_CACHE=off` keeps nothing.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints
from typing import Literal as OneOf

from rdflib.term import BNode, Literal, Node, URIRef

from groundrules import plugins
from groundrules.config import cache_folder
from groundrules.files import beside, own, own_file, own_folder

T = TypeVar("T")

#: The most bytes of one file and of all; the oldest go first.
MOST_BYTES = 64_000_000
MOST_KEPT = 400_000_000

_MAGIC = b"groundrules kept 1\n"
_PACKAGE = Path(__file__).parent
#: The libraries whose release may change what is read.
_LIBRARIES = ("spacy", "thinc", "rdflib", "pyoxigraph", "onnxruntime", "numpy")


def kept(kind: type[T], parts: Iterable[str], make: Callable[[], T]) -> T:
    """Return the value of a kind that was kept under some parts, else make it and keep it."""
    name = key(kind, parts)
    found = read(kind, name)
    if found is None:
        found = make()
        write(kind, name, found)
    return found


def key(kind: type, parts: Iterable[str]) -> str:
    """Return the name under which a value is kept: a hash of its kind and all it depends on."""
    state = hashlib.sha256()
    for part in (kind.__qualname__, stamp(), *parts):
        raw = part.encode("utf-8", "surrogatepass")
        state.update(f"{len(raw)}:".encode())
        state.update(raw)
    return state.hexdigest()


def release() -> str:
    """Return the release of groundrules."""
    with contextlib.suppress(PackageNotFoundError):
        return version("groundrules")
    return "unknown"


def stamp() -> str:
    """Return a hash of what reads: releases, and size and time of the files of this package.

    So are the packages of domains, which read texts as well.
    """
    return _stamp(tuple(plugins.registered(plugins.DOMAINS).values()))


@cache
def _stamp(domains: tuple[str, ...]) -> str:
    state = hashlib.sha256(repr(sys.version_info[:3]).encode())
    for library in ("groundrules", *_LIBRARIES):
        with contextlib.suppress(PackageNotFoundError):
            state.update(f"{library} {version(library)}\n".encode())
    packages = {_PACKAGE, *(place for value in domains for place in _package(value))}
    walked = (found for package in sorted(packages) for found in os.walk(package))
    for folder, folders, files in walked:
        folders[:] = sorted(one for one in folders if one != "__pycache__")
        for file in sorted(files):
            found = Path(folder, file).stat()
            state.update(f"{folder}/{file} {found.st_size} {found.st_mtime_ns}\n".encode())
    return state.hexdigest()


def _package(value: str) -> tuple[Path, ...]:
    """Return the folders of the package that an entry point leads to, without importing it."""
    with contextlib.suppress(ImportError, ValueError):
        spec = find_spec(value.partition(":")[0].partition(".")[0])
        return tuple(map(Path, spec.submodule_search_locations or ())) if spec else ()
    return ()


def read(kind: type[T], name: str) -> T | None:
    """Return what is kept under a name, None if nothing is, or it cannot be used."""
    place = _place(name)
    if place is None:
        return None
    try:
        if not own(place.lstat()):  # who may write it can make its hash too
            return None
        body = loaded(place)
        os.utime(place)
    except (OSError, ValueError):
        return None
    try:
        return unpack(kind, body)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def write(kind: type[T], name: str, value: T) -> None:
    """Keep a value under a name; where that cannot be done, nothing is kept."""
    place = _place(name)
    if place is None:
        return
    with contextlib.suppress(OSError):
        own_folder(place.parent)
        body = pack(kind, value)
        save(place, body)
        _count(place.parent, len(_MAGIC) + 64 + len(body))


def loaded(place: Path) -> bytes:
    """Return the body of a file that `save` wrote; ValueError where it is damaged or foreign."""
    handle = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as file:
        raw = file.read(MOST_BYTES + 1)
    head, digest, body = raw[: len(_MAGIC)], raw[len(_MAGIC) :][:64], raw[len(_MAGIC) + 64 :]
    if len(raw) > MOST_BYTES or head != _MAGIC:
        raise ValueError("it is no file of groundrules")
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise ValueError("it is damaged")
    return body


def save(place: Path, body: bytes) -> None:
    """Write a body with its hash, whole or not at all, for this user alone."""
    if len(body) > MOST_BYTES - len(_MAGIC) - 64:
        return
    own_file(place)
    with beside(place) as part:
        part.write_bytes(_MAGIC + hashlib.sha256(body).hexdigest().encode() + body)


def _place(name: str) -> Path | None:
    folder = cache_folder()
    return folder / "kept" / name if folder else None


#: Of the bound, what a process writes to a folder between two counts of it.
_SHARE = 16
#: Bytes that this process has written to a folder since it counted its files.
_since: dict[Path, int] = {}


def _count(folder: Path, written: int) -> None:
    """Keep the files of a folder within their bound, after some bytes were written there.

    They are counted on the first write of a process, and again when it has written a share of the
    bound: what is too much is a share of each process at most.
    """
    total = _since.get(folder, MOST_KEPT) + written
    if total >= MOST_KEPT // _SHARE:
        total = 0
        _bound(folder)
    _since[folder] = total


def _bound(folder: Path) -> None:
    """Remove the files that were used longest ago where all together are too large."""
    held = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                found = entry.stat(follow_symlinks=False)
                held.append((found.st_mtime_ns, found.st_size, entry.path))
    total = sum(size for _, size, _ in held)
    for _, size, path in sorted(held):
        if total <= MOST_KEPT:
            break
        with contextlib.suppress(OSError):
            Path(path).unlink()
        total -= size


# --- frozen data as JSON ----------------------------------------------------------------------


def pack(kind: type[T], value: T) -> bytes:
    """Return frozen data as JSON: a dataclass as the list of its fields."""
    one: Any = kind
    return json.dumps(_writer(one)(value), separators=(",", ":")).encode()


def unpack(kind: type[T], body: bytes) -> T:
    """Return the data of a kind that `pack` wrote; ValueError or TypeError if it is no such."""
    one: Any = kind
    found: T = _reader(one)(json.loads(body))
    return found


def _same(value: Any) -> Any:
    return value


def _write_node(node: Any) -> Any:
    if isinstance(node, Literal):
        return [str(node), str(node.datatype) if node.datatype else None, node.language]
    return ["", str(node)] if isinstance(node, BNode) else str(node)


def _read_node(data: Any) -> Any:
    if isinstance(data, str):
        return URIRef(data)
    if len(data) == 2:
        return BNode(_text(data[1]))
    lexical, datatype, language = data
    kind = None if datatype is None else URIRef(_text(datatype))
    return Literal(_text(lexical), lang=language, datatype=kind, normalize=False)


def _plain(*kinds: type) -> Callable[[Any], Any]:
    """Return what takes data of some kinds of JSON alone; a flag is no number."""

    def take(data: Any) -> Any:
        if type(data) not in kinds:
            raise TypeError("expected other data")
        return data

    return take


_text = _plain(str)


@cache
def _writer(kind: Any) -> Callable[[Any], Any]:
    """Return what makes JSON of a value of a type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Node):
        return _write_node
    if dataclasses.is_dataclass(kind):
        fields = [(name, _writer(hint)) for name, hint in _fields(kind)]
        return lambda value: [write(getattr(value, name)) for name, write in fields]
    if origin in (Union, types.UnionType):
        (inner,) = (_writer(one) for one in arguments if one is not type(None))
        return lambda value: None if value is None else inner(value)
    if origin is tuple and arguments[-1] is not Ellipsis:
        each = [_writer(one) for one in arguments]
        return lambda value: [write(one) for write, one in zip(each, value, strict=True)]
    if origin is not None and _is_many(origin):
        write = _writer(arguments[0])
        if origin is tuple:
            return list if write is _same else lambda value: [write(one) for one in value]
        return lambda value: sorted(write(one) for one in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        first, second = map(_writer, arguments)
        return lambda value: [[first(name), second(held)] for name, held in value.items()]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return lambda value: value.value
    return _same


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """Return what makes a value of a type from JSON."""
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Node):
        return _read_node
    if dataclasses.is_dataclass(kind):
        made: Any = kind
        takes = [take for _, take in ((name, _reader(hint)) for name, hint in _fields(kind))]
        return lambda data: made(*[take(one) for take, one in zip(takes, data, strict=True)])
    if origin in (Union, types.UnionType):
        (inner,) = (_reader(one) for one in arguments if one is not type(None))
        return lambda data: None if data is None else inner(data)
    if origin is tuple and arguments[-1] is not Ellipsis:
        each = [_reader(one) for one in arguments]
        return lambda data: tuple(take(one) for take, one in zip(each, data, strict=True))
    if origin is not None and _is_many(origin):
        take = _reader(arguments[0])
        return lambda data: origin(take(one) for one in data)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        first, second = map(_reader, arguments)
        return lambda data: {first(name): second(held) for name, held in data}
    if origin is OneOf:
        return lambda data: _one_of(data, arguments)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    number = _plain(int, float)
    return {str: _text, int: number, float: number, bool: _plain(bool)}[kind]


def _is_many(origin: type) -> bool:
    return isinstance(origin, type) and (origin is tuple or issubclass(origin, AbstractSet))


def _fields(kind: Any) -> list[tuple[str, Any]]:
    hints = get_type_hints(kind)
    return [(field.name, hints[field.name]) for field in dataclasses.fields(kind)]


def _one_of(data: Any, values: tuple[Any, ...]) -> Any:
    if data not in values:
        raise ValueError("expected one of a few words")
    return data

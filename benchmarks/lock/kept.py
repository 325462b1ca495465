"""What models made of texts before, kept on disk between runs of the lock.

A change of how texts are compared leaves what was read of them alone: extractions are kept by a
digest of the rooms that read, parses by that of the models and of what reads their scores, and the
lines of a text by that of all code which they depend on.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import groundrules
from groundrules import cache
from groundrules.align import parses
from groundrules.claims.facts import offline
from groundrules.models.shipped import folder

_PACKAGE = Path(groundrules.__file__).parent
#: The rooms that read a text, from which extractions are kept.
READING = ("calendar.py", "claims", "domain.py", "legal", "models", "terms.py")
#: The rooms on which no line depends.
APART = ("audit", "cli", "evaluate", "explain/formats", "guardrail.py", "integrations", "llm",
         "service")  # fmt: skip


def digest_of(parts: Iterable[Path], libraries: Sequence[str] = ()) -> str:
    """Return a hash of files and folders, by their contents, and of the releases of libraries."""
    from importlib.metadata import version

    state = hashlib.sha256(repr([version(one) for one in libraries]).encode())
    for part in parts:
        for path in sorted(part.rglob("*")) if part.is_dir() else [part]:
            if path.is_file() and path.suffix != ".pyc":
                state.update(f"{path.relative_to(_PACKAGE).as_posix()}\0".encode())
                state.update(path.read_bytes())
    return state.hexdigest()


@functools.cache
def reading() -> str:
    """Return the digest of what reads texts."""
    return digest_of((_PACKAGE / one for one in READING), ("spacy", "thinc", "onnxruntime"))


@functools.cache
def judging() -> str:
    """Return the digest of all that a line depends on."""
    apart = [_PACKAGE / one for one in APART]
    parts = [
        path
        for path in sorted(_PACKAGE.rglob("*"))
        if path.is_file() and not any(path.is_relative_to(one) for one in apart)
    ]
    return digest_of(parts, ("spacy", "thinc", "onnxruntime", "rdflib", "pyoxigraph", "numpy"))


class Shelf:
    """Bytes by key in one SQLite file, which processes share."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=60, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=OFF")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID"
        )

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return what is there."""
        found: dict[bytes, bytes] = {}
        for at in range(0, len(keys), 500):
            part = keys[at : at + 500]
            marks = ",".join("?" * len(part))
            query = f"SELECT key, value FROM kept WHERE key IN ({marks})"
            found.update(self._connection.execute(query, part))
        return found

    def put(self, values: dict[bytes, bytes]) -> None:
        """Keep some more."""
        self._connection.execute("BEGIN IMMEDIATE")
        rows = values.items()
        self._connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", rows)
        self._connection.execute("COMMIT")


def _key(*parts: str) -> bytes:
    return hashlib.sha256(json.dumps(parts).encode()).digest()[:20]


class _Pipeline:
    """The pipeline of sentences by themselves, whose parses come from the shelf."""

    def __init__(self, shelf: Shelf, of: str) -> None:
        self._shelf, self._of = shelf, of

    def __call__(self, text: str, disable: Sequence[str]) -> Any:
        return self.pipe([text], disable=disable)[0]

    def pipe(self, texts: Sequence[str], *, disable: Sequence[str], batch_size: int = 64) -> Any:
        from spacy.tokens import Doc

        nlp = offline.load()
        keys = {text: _key(self._of, *disable, text) for text in texts}
        known = self._shelf.get(list(keys.values()))
        missing = [text for text, key in keys.items() if key not in known]
        made = dict(
            zip(missing, nlp.pipe(missing, batch_size=batch_size, disable=disable), strict=True)
        )
        if made:
            self._shelf.put({keys[text]: doc.to_bytes() for text, doc in made.items()})
        return [
            made[text] if text in made else Doc(nlp.vocab).from_bytes(known[keys[text]])
            for text in texts
        ]


def keep(place: Path) -> ExitStack:
    """Have parses and extractions come from a folder until the stack is closed."""
    place.mkdir(parents=True, exist_ok=True)
    shelf = Shelf(place / "kept.sqlite")
    code = digest_of([folder("english"), _PACKAGE / "models"], ("spacy", "thinc", "onnxruntime"))
    pipeline = _Pipeline(shelf, code)

    stack = ExitStack()
    read: Callable[[], Any] = lambda: pipeline  # noqa: E731
    stack.enter_context(patch.object(parses, "load", read))
    stack.enter_context(patch.object(cache, "stamp", reading))
    return stack

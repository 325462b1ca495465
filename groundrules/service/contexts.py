"""The index: contexts that were read once, by their hash, as many as there is room for."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from groundrules.claims.document import Document, parts
from groundrules.files import write_atomically
from groundrules.service.access import ASKING
from groundrules.service.work import Given

#: How many times as large a file of contexts may be as what is kept in memory.
_LARGER = 8
#: How a file of answers about contexts ends.
_ANSWERS = ".answers.json"

#: Answers of a language model by their keys, as `llm.client` keeps them.
Answers = Mapping[str, str]


class Contexts:
    """Contexts in memory; those that were used longest ago go first.

    With them are kept the answers that a language model gave about each by itself. With a folder
    both are in its files besides, which the services that share it all read, and which stay until
    somebody takes them away.
    """

    def __init__(self, most: int, folder: Path | None = None) -> None:
        self._most, self._folder = most, folder
        self._held: OrderedDict[str, tuple[Document, ...]] = OrderedDict()
        self._answers: dict[str, Answers] = {}
        self.bytes = 0

    def keep(self, documents: Sequence[Document], answers: Answers | None = None) -> str | None:
        """Keep contexts and return their id; None where they are larger than all that is kept.

        Answers for which there is no room are not kept.
        """
        if _size(documents) > self._most:
            return None
        name = identity(documents)
        if self._folder is not None:
            self._write(name, documents, answers or {})
        self._hold(name, documents, answers or {})
        return name

    def _hold(self, name: str, documents: Sequence[Document], answers: Answers) -> None:
        if name in self._held:
            answers = {**self._answers[name], **answers}
            self._let_go(name)
        if _size(documents, answers) > self._most:
            answers = {}
        self._held[name], self._answers[name] = tuple(documents), answers
        self.bytes += _size(documents, answers)
        while self.bytes > self._most:
            self._let_go(next(iter(self._held)))

    def _let_go(self, name: str) -> None:
        self.bytes -= _size(self._held.pop(name), self._answers.pop(name))

    def get(self, name: str) -> tuple[Document, ...] | None:
        """Return the contexts of an id; None where who asks has none, or not any more."""
        found = self._held[name] if name in self._held else self._read(name)
        if found is None or identity(found) != name:
            return None
        if name in self._held:
            self._held.move_to_end(name)
        else:
            self._hold(name, found, self._read_answers(name))
        return found

    def answers(self, name: str) -> Answers:
        """Return the answers of a language model about the contexts of an id, by their keys."""
        return self._answers.get(name, {})

    def _write(self, name: str, documents: Sequence[Document], answers: Answers) -> None:
        path = self._path(name)
        if path is not None and not path.exists():
            data = [asdict(one) | {"unread": list(one.unread)} for one in documents]
            body = json.dumps(data, ensure_ascii=False).encode(errors="surrogatepass")
            write_atomically(path, body, 0o600)
        if path is not None and answers:
            known = {**self._read_answers(name), **answers}
            told = json.dumps(known, ensure_ascii=False).encode(errors="surrogatepass")
            write_atomically(path.with_suffix(_ANSWERS), told, 0o600)

    def _read_answers(self, name: str) -> Answers:
        """Return the answers of a file, none where it is none; a client tests each."""
        path = self._path(name)
        try:
            if path is None or path.with_suffix(_ANSWERS).stat().st_size > _LARGER * self._most:
                return {}
            told = json.loads(
                path.with_suffix(_ANSWERS).read_bytes().decode(errors="surrogatepass")
            )
            return {key: one for key, one in told.items() if isinstance(one, str)}
        except (OSError, ValueError, AttributeError, RecursionError):
            return {}

    def _read(self, name: str) -> tuple[Document, ...] | None:
        """Return the contexts of a file; None where there is none."""
        path = self._path(name)
        try:
            if path is None or path.stat().st_size > _LARGER * self._most:
                return None
            rows = json.loads(path.read_bytes().decode(errors="surrogatepass"))
            return tuple(Document(**{**row, "unread": tuple(row["unread"])}) for row in rows)
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None

    def _path(self, name: str) -> Path | None:
        kind, _, hashed = name.partition(":")
        whole = kind == "sha256" and re.fullmatch(r"[0-9a-f]{64}", hashed)
        return self._folder / f"{hashed}.json" if self._folder is not None and whole else None

    def __len__(self) -> int:
        return len(self._held)


def identity(documents: Sequence[Document]) -> str:
    """Return the id of contexts: the hash of their names, formats and texts under who asks's key.

    Nobody else can tell from it, or reckon it, what they are.
    """
    state = hmac.new(ASKING.get().encode(), digestmod="sha256")
    for document in documents:
        for part in parts(document):
            raw = part.encode(errors="surrogatepass")
            state.update(f"{len(raw)}:".encode())
            state.update(raw)
    return f"sha256:{state.hexdigest()}"


def digest(given: Given) -> str:
    """Return the hash of what was sent, by which the worker that has read it is found."""
    name, data = given.name.encode(), given.data
    if data is None:
        data = (given.text or "").encode(errors="surrogatepass")
    return hashlib.sha256(b"%d:%b%b" % (len(name), name, data)).hexdigest()


def _size(documents: Sequence[Document], answers: Answers | None = None) -> int:
    told = (answers or {}).values()
    return 4 * (sum(len(one.text) for one in documents) + sum(map(len, told)))

"""The index: contexts that were read once, by their hash, as many as there is room for."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence

from groundrules.claims.document import Document, parts
from groundrules.service.jobs import Given


class Contexts:
    """Contexts in memory; those that were used longest ago go first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[str, tuple[Document, ...]] = OrderedDict()
        self.bytes = 0

    def keep(self, documents: Sequence[Document]) -> str | None:
        """Keep contexts and return their id; None where they are larger than all that is kept."""
        size = _size(documents)
        if size > self._most:
            return None
        name = identity(documents)
        if name not in self._held:
            self._held[name] = tuple(documents)
            self.bytes += size
        self._held.move_to_end(name)
        while self.bytes > self._most:
            _, gone = self._held.popitem(last=False)
            self.bytes -= _size(gone)
        return name

    def get(self, name: str) -> tuple[Document, ...] | None:
        """Return the contexts of an id; None where there are none, or none any more."""
        if name in self._held:
            self._held.move_to_end(name)
        return self._held.get(name)

    def __len__(self) -> int:
        return len(self._held)


def identity(documents: Sequence[Document]) -> str:
    """Return the id of contexts: the hash of their names, formats and texts."""
    state = hashlib.sha256()
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


def _size(documents: Sequence[Document]) -> int:
    return sum(4 * len(document.text) for document in documents)

"""The index: contexts that were read once, by their hash, as many as there is room for."""

from __future__ import annotations

import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Sequence

from groundrules.claims.documents.document import Document, parts
from groundrules.service.access import ASKING
from groundrules.service.work import Given


class Contexts:
    """Contexts in memory, of so many bytes; those that were used longest ago go first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[str, tuple[Document, ...]] = OrderedDict()
        self.bytes = 0

    def keep(self, documents: Sequence[Document]) -> str | None:
        """Keep contexts and return their id; None where they are larger than all that is kept."""
        if _size(documents) > self._most:
            return None
        name = identity(documents)
        if name not in self._held:
            self._held[name] = tuple(documents)
            self.bytes += _size(documents)
        self._held.move_to_end(name)
        while self.bytes > self._most:
            self.bytes -= _size(self._held.popitem(last=False)[1])
        return name

    def get(self, name: str) -> tuple[Document, ...] | None:
        """Return the contexts of an id; None where who asks has none, or not any more."""
        found = self._held.get(name)
        if found is None or identity(found) != name:
            return None
        self._held.move_to_end(name)
        return found

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


def _size(documents: Sequence[Document]) -> int:
    return 4 * sum(len(one.text) for one in documents)

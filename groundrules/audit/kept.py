"""What an audit log has the hashes of: a folder beside it, in which each thing is named by its own.

`LOG.kept/ab/cdef…` is a file whose SHA-256 is abcdef…, so that `sha256sum` can check it. Things can
be erased from it, such as personal data; the log, which has only their hashes, stays whole.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from groundrules.errors import SourceError
from groundrules.files import open_regular, own_folder, read_whole, write_atomically

_HASH = re.compile(r"[0-9a-f]{64}")


class Kept:
    """A folder of things by their hashes; only this user may read it.

    It is made with the first thing that is kept. `erased` are the hashes of what a log says was
    erased.
    """

    def __init__(self, folder: Path, erased: Collection[str] = ()) -> None:
        self.folder = folder
        self._erased = erased
        self._there: set[str] = set()

    def keep(self, data: bytes) -> str:
        """Keep bytes and return their SHA-256; SourceError where they cannot be written."""
        name = hashlib.sha256(data).hexdigest()
        if name in self._there:
            return name
        path = self.place(name)
        try:
            if not path.is_file() or hash_of(path) != name:
                own_folder(path.parent)
                write_atomically(path, data)
        except OSError as error:
            raise SourceError(f"cannot be written: {error.strerror}", path=str(path)) from None
        self._there.add(name)
        return name

    def get(self, name: str) -> bytes:
        """Return the bytes of a hash; SourceError where they are not kept or were changed."""
        path = self.place(name)
        try:
            data = read_whole(path)
        except FileNotFoundError:
            gone = "was erased" if name in self._erased else "is lost: it was kept, and not erased"
            raise SourceError(gone, path=str(path)) from None
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
        if hashlib.sha256(data).hexdigest() != name:
            raise SourceError("was changed: it does not have the hash of its name", path=str(path))
        return data

    def has(self, name: str) -> bool:
        """Return whether something of a hash is there."""
        return self.place(name).is_file()

    def erase(self, name: str) -> bool:
        """Erase what has a hash, and return whether it was there."""
        path = self.place(name)
        there = path.is_file()
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise SourceError(f"cannot be erased: {error.strerror}", path=str(path)) from None
        self._there.discard(name)
        return there

    def damaged(self) -> Iterator[Path]:
        """Yield the files that do not have the hash of their name."""
        for path in sorted(self.folder.glob("*/*")):
            if path.name.startswith("."):
                continue  # what a crash has left half written, which nothing names
            if hash_of(path) != path.parent.name + path.name:
                yield path

    def place(self, name: str) -> Path:
        """Return where something of a hash is kept."""
        if not _HASH.fullmatch(name):
            raise SourceError(f"{name!r} is no hash of what is kept", path=str(self.folder))
        return self.folder / name[:2] / name[2:]


def beside(log: Path, erased: Collection[str] = ()) -> Kept:
    """Return what is kept beside a log."""
    return Kept(log.with_name(f"{log.name}.kept"), erased)


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file, empty where it is none or cannot be read."""
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""

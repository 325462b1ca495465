"""Files: read to a limit, written whole or not at all, and those that are for their user alone.

And TOML, which others write too, read to a limit.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parent

#: The most parts of a key: the standard reader needs the square of their number.
MOST_PARTS = 64
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w.-])(?:{_PART}[ \t]*+\.[ \t]*+){{{MOST_PARTS}}}")


def from_project(path: Path | str) -> str:
    """Return the path of a file of this package from the root of its project.

    ValueError where the file is elsewhere.
    """
    return Path(path).relative_to(_PACKAGE.parent).as_posix()


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table of a TOML text; TOMLDecodeError too where a key is of very many parts."""
    if found := _LONG_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        raise tomllib.TOMLDecodeError(
            f"a key of more than {MOST_PARTS} parts (at line {line}, column {column})"
        )
    return tomllib.loads(text)


def read_bounded(path: Path, most: int) -> bytes:
    """Return the first `most` + 1 bytes of a file; a pipe that nobody writes to is empty.

    Whoever calls refuses what is longer than `most`. OSError as of `open`.
    """
    ways = (getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
    handle = os.open(path, os.O_RDONLY | sum(ways))
    try:
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)  # only to open a pipe would wait for its other end
        with open(handle, "rb", closefd=False) as file:
            return file.read(most + 1)
    finally:
        os.close(handle)


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Give a new file beside another, which takes its place once it is whole, else goes.

    The mode and owner of the old one are kept, and a link stays a link.
    """
    path = path.resolve()
    old = path.stat() if path.exists() else None
    mode = old.st_mode & 0o7777 if old else 0o666 & ~_umask()
    if old and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied")
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:64]}.", dir=path.parent)
    os.close(handle)
    try:
        yield Path(name)
        with open(name, "rb+") as file:  # noqa: PTH123 - mkstemp gives a str
            os.fsync(file.fileno())
        if old and hasattr(os, "chown"):
            with contextlib.suppress(OSError):  # only root may give a file to another
                os.chown(name, old.st_uid, old.st_gid)
        Path(name).chmod(mode)
        os.replace(name, path)  # noqa: PTH105 - as the tests of a crash take its place
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that it is found with all of its old bytes or all of the new ones.

    What is no regular file, such as a pipe, is written to.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    with beside(path) as part:
        part.write_bytes(data)


def own_folder(folder: Path) -> None:
    """Make a folder, and what it stands in, that only this user may read, if there is none."""
    for place in (*reversed(folder.parents), folder):
        if not place.exists():
            place.mkdir(mode=0o700, exist_ok=True)


def own_file(path: Path) -> None:
    """Make a file that only this user may read, in such a folder, if there is none."""
    own_folder(path.parent)
    path.touch(mode=0o600)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@contextmanager
def locked(handle: int) -> Iterator[None]:
    """Keep other processes from a file that is locked; a lock goes with its process."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, 2**62, os.SEEK_SET)  # what is locked cannot be read
        msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        try:
            yield
        finally:
            os.lseek(handle, 2**62, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)
        yield  # closing the file frees it

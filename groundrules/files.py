"""Files and TOML read to a limit; files written whole or not at all, and for their user alone."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any

#: Handles that are open already, by their names.
_HANDLE = re.compile(r"/dev/fd/\d+|/dev/stdin|/proc/self/fd/\d+")
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
)

#: What is said of a link that leads out of the folder that was named.
LEADS_OUT = "leads out of the folder, and is left alone"

#: The most parts of a key: the standard reader needs the square of their number.
MOST_PARTS = 64
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w.-])(?:{_PART}[ \t]*+\.[ \t]*+){{{MOST_PARTS}}}")


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table of a TOML text; TOMLDecodeError too where a key or a number is too long."""
    found, what = _LONG_KEY.search(text), f"a key of more than {MOST_PARTS} parts"
    try:
        if not found:
            return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        found, what = re.search(r"\d[\d_]{4300}", text), "a number of more than 4,300 digits"
    at = found.start() if found else 0
    place = f"(at line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)})"
    raise tomllib.TOMLDecodeError(f"{what} {place}")


@contextmanager
def open_regular(path: Path | str) -> Iterator[BufferedReader]:
    """Open a regular file, or a handle that this process was started with, to be read.

    A pipe or a device has no end, and who writes to it may wait for ever: it is never read. What a
    shell passes (`<(command)`, `/dev/stdin`) is an open handle, and read by its own name alone.

    Raises OSError as of `open`, whose reason says what there is in place of a file.
    """
    ways = (getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
    handle = os.open(path, os.O_RDONLY | sum(ways))
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode) and not _HANDLE.fullmatch(str(path)):
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
            what = next((what for test, what in _KINDS if test(mode)), "a device")
            raise OSError(errno.EINVAL, f"it is {what}; expected a regular file", str(path))
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)
        with open(handle, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(handle)


def read_bounded(path: Path | str, most: int) -> bytes:
    """Return the first `most` + 1 bytes of a regular file; see `open_regular` for errors.

    Whoever calls refuses what is longer than `most`.
    """
    with open_regular(path) as file:
        return file.read(most + 1)


def read_whole(path: Path | str) -> bytes:
    """Return all bytes of a regular file; see `open_regular` for errors."""
    with open_regular(path) as file:
        return file.read()


def open_within(path: Path, folder: Path | None) -> BufferedReader:
    """Open a regular file to read, one that is in a folder if that is given, whatever its links.

    Nothing waits for a pipe. ValueError that says what else it is; OSError as of `open`.
    """
    ways = (getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOFOLLOW"))
    try:
        real = path.resolve(strict=True)
    except RuntimeError:  # as Python before 3.13 tells it
        raise ValueError("is a link that leads to itself") from None
    if folder is not None and not real.is_relative_to(folder.resolve()):
        raise ValueError(LEADS_OUT)
    if not real.is_file():
        raise ValueError(f"is {_kind(real)} and no regular file")
    handle = os.open(real, os.O_RDONLY | sum(ways))
    try:
        # what took its place meanwhile: it must be the same, and still be where it was
        held, again = os.fstat(handle), path.resolve(strict=True)
        if not stat.S_ISREG(held.st_mode):
            raise ValueError("is no regular file")
        if not os.path.samestat(held, again.lstat()):
            raise ValueError("was replaced while it was opened")
        if folder is not None and not again.is_relative_to(folder.resolve()):
            raise ValueError(LEADS_OUT)
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _kind(path: Path) -> str:
    """Return in words what a path is that is no regular file."""
    kinds = ((stat.S_ISDIR, "a folder"), *_KINDS)
    return next((told for test, told in kinds if test(path.stat().st_mode)), "a device")


@contextmanager
def beside(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """Give a new file beside another, which takes its place once it is whole, else goes.

    The mode and owner of the old one are kept, and a link stays a link.
    """
    path = path.resolve()
    old = path.stat() if path.exists() else None
    mode = old.st_mode & 0o7777 if old else mode & ~_umask()
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


def write_atomically(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file so that it is found with all of its old bytes or all of the new ones.

    `mode` is that of a new file, but for what the umask takes. What is no regular file, such as a
    pipe, is written to.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    with beside(path, mode) as part:
        part.write_bytes(data)


def own(found: os.stat_result) -> bool:
    """Return whether only this user and root may have written a regular file."""
    strange = hasattr(os, "geteuid") and (
        found.st_uid not in (0, os.geteuid()) or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )
    return stat.S_ISREG(found.st_mode) and not strange


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

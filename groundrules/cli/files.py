"""Files that are written whole or not at all, and texts that keep the form of their file."""

from __future__ import annotations

import codecs
import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from groundrules.errors import ConfigError, SourceError

#: The marks at the head of a file, with the codec of what follows; that of UTF-32 goes first, as
#: it begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)


def write_over(name: str, old: str, new: str) -> None:
    """Put a text in the place of the one that a file had, its mark and byte order kept.

    SourceError where the file no longer has the old text, or cannot be written.
    """
    path = Path(name)
    try:
        data = path.read_bytes()
        mark, codec = _form(data)
        if data != mark + old.encode(codec):
            raise SourceError("has changed since it was read; expected no other change", path=name)
        replace_whole(path, mark + new.encode(codec))
    except OSError as error:
        raise SourceError(f"cannot write: {error.strerror}", path=name) from None


def _form(data: bytes) -> tuple[bytes, str]:
    """Return the mark at the head of a file and the codec of what follows it."""
    return next((found for found in _MARKS if data.startswith(found[0])), (b"", "utf-8"))


def replace_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is found with all of its old bytes or all of the new ones.

    Its mode is kept, a link stays a link; what is no regular file, such as a pipe, is written to.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    mode = path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask()
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied")
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:64]}.", dir=path.parent)
    try:
        with open(handle, "wb") as file:  # noqa: PTH123 - a handle has no path
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        os.replace(name, path)  # noqa: PTH105 - as the tests of a crash take its place
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def refuse_inputs(output: str | None, inputs: Iterable[str]) -> None:
    """Raise ConfigError where a report would be written over what it was made from."""
    for name in inputs:
        if output is not None and _same(output, name):
            what = "" if name == output else f", the same file as {name}"
            raise ConfigError(f"is read by this check{what}; expected another file for -o",
                              path=output)  # fmt: skip


def _same(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False

"""Texts that keep the form of their file, and files that are not written over."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from pathlib import Path

from groundrules.config import Config
from groundrules.errors import ConfigError, SourceError
from groundrules.files import write_atomically

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
        write_atomically(path, mark + new.encode(codec))
    except OSError as error:
        raise SourceError(f"cannot write: {error.strerror}", path=name) from None


def _form(data: bytes) -> tuple[bytes, str]:
    """Return the mark at the head of a file and the codec of what follows it."""
    return next((found for found in _MARKS if data.startswith(found[0])), (b"", "utf-8"))


def refuse_inputs(output: str | None, inputs: Iterable[str | None], config: Config) -> None:
    """Raise ConfigError where something would be written over what it was made from."""
    own = (str(config.base / name) for name in ("groundrules.toml", "pyproject.toml"))
    for name in filter(None, (*inputs, *own)):
        if output is not None and _same(output, name):
            what = "" if name == output else f", the same file as {name}"
            raise ConfigError(f"is read by this command{what}; expected another file for -o",
                              path=output)  # fmt: skip


def _same(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False

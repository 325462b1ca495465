"""The terminal and files: colour, width, output and progress; what is not written over."""

from __future__ import annotations

import codecs
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from groundrules.errors import ConfigError, SourceError
from groundrules.files import write_atomically

if TYPE_CHECKING:
    from groundrules.config import Config

T = TypeVar("T")

#: Seconds after which it is shown that something is under way, and between two signs of it.
_SOON, _TICK = 2.0, 0.5

#: Controls that JSON and Turtle let stand, and what turns the direction of writing; no ESC, with
#: which our own colours begin.
_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

#: The marks at the head of a file, with the codec of what follows; that of UTF-32 goes first, as
#: it begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)


def wants_color(choice: str, stream: TextIO) -> bool:
    """Return whether to colour a stream: `always`, `never`, or `auto`.

    `auto` colours a terminal unless NO_COLOR (no-color.org) is set or TERM is `dumb`.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def columns(stream: TextIO) -> int | None:
    """Return the width of a terminal in cells, None for a file or a pipe."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def write(text: str, output: str | None) -> None:
    """Write to a file, whole or not at all, or to stdout; ConfigError where that fails.

    On stdout what could turn or command a terminal is escaped, as JSON and Turtle would have it.
    """
    if output is None:
        sys.stdout.write(_STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
        return
    try:
        write_atomically(Path(output), text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ConfigError(f"cannot write: {error.strerror}", path=output) from None


def write_as(
    form: str, data: Callable[[], object], text: Callable[[], str], output: str | None = None
) -> None:
    """Write a result as JSON or as text: only what is asked for is made.

    Dataclasses are written by their fields, literals of RDF as in a report.
    """
    if form == "json":
        made = json.dumps(encode(data()), ensure_ascii=False, indent=2, allow_nan=False)
        write(f"{made}\n", output)
    else:
        write(text(), output)


def encode(value: Any) -> Any:
    """Return a value as what JSON has; what is undefined is null."""
    from rdflib.term import Literal

    if isinstance(value, Literal):
        from groundrules.explain.formats.json import encode_node

        return encode_node(value)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {one.name: encode(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): encode(one) for key, one in value.items()}
    if isinstance(value, list | tuple | frozenset):
        return [*map(encode, value)]
    return None if isinstance(value, float) and value != value else value


def watched() -> bool:
    """Return whether somebody sees on stderr how far something is."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def progress(items: Iterable[T], *, total: int | None = None, label: str = "") -> Iterator[T]:
    """Yield the items, and show how many of them are done."""
    total = len(items) if total is None and isinstance(items, Sized) else total
    with progress_bar() as show:
        for done, item in enumerate(items):
            show(label, done, total)
            yield item


@contextmanager
def progress_bar() -> Iterator[Callable[..., None]]:
    """Give a function that shows how much of what is done, where stderr is a terminal.

    A bar with a clock is there once it takes long, also while nothing is told.
    """
    if not watched():
        yield lambda what, done, total, more="": None
        return
    from tqdm import tqdm

    form = "{desc} {percentage:3.0f}%|{bar}| {elapsed}, {remaining} left{postfix}"
    ended = Event()
    with tqdm(total=1, file=sys.stderr, leave=False, bar_format=form, delay=_SOON) as bar:

        def show(what: str, done: int, total: int, more: str = "") -> None:
            if what != bar.desc.rstrip(": "):
                bar.set_description_str(what, refresh=False)
                # what was there before tells nothing of the rate
                bar.n = bar.initial = bar.last_print_n = done
                bar.start_t = bar.last_print_t = time.time()
            bar.total = total
            bar.set_postfix_str(more, refresh=False)
            bar.update(done - bar.n)

        def tick() -> None:
            wait = _SOON
            while not ended.wait(wait):
                bar.refresh()
                wait = _TICK

        Thread(target=tick, daemon=True).start()
        try:
            yield show
        finally:
            ended.set()


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows in columns, without those that are empty; a terminal cuts the last one."""
    lines = [[plain(cell) for cell in row] for row in rows]
    used = [n for n in range(len(head)) if any(row[n] for row in lines)]
    cells = [[row[n] for n in used] for row in [list(head), *lines]]
    widths = [min(max(len(row[n]) for row in cells), 60) for n in range(len(used))]
    most = columns(sys.stdout)
    padded = ([f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)] for row in cells)
    drawn = ("  ".join(row).rstrip() for row in padded)
    return "".join(
        (line if most is None or len(line) <= most else line[: most - 1] + "…") + "\n"
        for line in drawn
    )


def plain(text: str) -> str:
    """Return a text of the outside in one line, without what steers a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


# --- files ---------------------------------------------------------------------------------------


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
    """Raise ConfigError where an output has no folder, or would be over what it is made from."""
    if output is not None and not Path(output).parent.is_dir():
        folder = str(Path(output).parent)
        raise ConfigError(f"cannot be written: there is no folder {folder!r}", path=output)
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

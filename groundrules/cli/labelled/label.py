"""`groundrules label`: walk a person through passages and keep each answer as it is given."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.options import Parser
from groundrules.cli.terminal import columns, plain
from groundrules.errors import ConfigError
from groundrules.files import read_whole

if TYPE_CHECKING:
    from groundrules.models.labels import Row

_ANSWERS = {"y": "yes", "n": "no", "s": "skip", "b": "back", "q": "quit"}
_HELP = "y supported, n not, s skip, b back, q quit > "
#: Stand around the value until the lines are broken; in no text, since they are not printable.
_OPEN, _CLOSE = "\ue000", "\ue001"


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "label",
        "Label passages by hand: does the passage support the value? Every answer is saved at "
        "once; start again with the same files to go on.",
        ("groundrules label rows.jsonl", "groundrules label rows.jsonl -o labels.jsonl"),
    )
    add = result.add_argument
    add("file", metavar="FILE", help="rows of JSON lines: premise, type, value")
    add("-o", "--output", metavar="FILE", help="add the labels to it (default FILE.labels.jsonl)")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.models.labels import read_rows

    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise ConfigError("asks a person; expected a terminal", path="label")
    source = Path(args.file)
    target = Path(args.output) if args.output else source.with_suffix(".labels.jsonl")
    rows = read_rows(source)
    labels = {row.pair: row.label for row in rows}
    try:
        if target.exists():
            if target.samefile(source):
                raise ConfigError("-o is the file of the rows; expected another", path=str(target))
            mend(target, rows)
            kept = {row.pair: row.label for row in read_rows(target)}
            labels |= {pair: label for pair, label in kept.items() if pair in labels}
        left = [row for row in rows if labels[row.pair] is None]
        with target.open("a", encoding="utf-8") as file:

            def save(row: Row, label: int) -> None:
                file.write(line(row, label))
                file.flush()
                os.fsync(file.fileno())
                labels[row.pair] = label

            walk(left, save, ask)
    except OSError as error:
        raise ConfigError(f"cannot write: {error.strerror}", path=str(target)) from None
    done = sum(label is not None for label in labels.values())
    print(f"{done} of {len(rows)} labelled, in {target}")
    return 0


def line(row: Row, label: int) -> str:
    """Return the line that keeps a label."""
    return json.dumps({**row.fields, "label": label}) + "\n"


def mend(path: Path, rows: Sequence[Row]) -> None:
    """Cut the line off that was being written when a session was killed."""
    data = read_whole(path)
    torn = data[data.rfind(b"\n") + 1 :]
    if torn and any(line(row, label).encode().startswith(torn) for row in rows for label in (0, 1)):
        with path.open("r+b") as file:
            file.truncate(len(data) - len(torn))


def walk(rows: Sequence[Row], save: Callable[[Row, int], None], ask: Callable[[str], str]) -> None:
    """Show one row after the other, ask, and save each label at once."""
    given: dict[int, int] = {}
    at = 0
    while at < len(rows):
        was = f" · you said {'supported' if given[at] else 'not'}" if at in given else ""
        answer = ask(f"\n{at + 1} of {len(rows)}{was}\n{show(rows[at])}\n{_HELP}")
        if answer == "quit":
            return
        if answer == "back":
            at = max(0, at - 1)
            continue
        if answer != "skip":
            given[at] = int(answer == "yes")
            save(rows[at], given[at])
        at += 1


def show(row: Row) -> str:
    """Return the hypothesis and the passage with its value marked, broken to the terminal."""
    claim, value, text = map(plain, (row.hypothesis, str(row.fields.get("value", "")), row.premise))
    if value:
        found = re.compile(re.escape(value).replace(r"\ ", r"\s+"), re.I)
        text = found.sub(rf"{_OPEN}\g<0>{_CLOSE}", text)
    width = min(columns(sys.stdout) or 80, 100)
    lines = textwrap.wrap(text, width - 2, break_on_hyphens=False)
    shown = "\n".join(f"  {one}" for one in lines)
    shown = shown.replace(_OPEN, "[[").replace(_CLOSE, "]]")
    return f"{textwrap.fill(claim, width)}\n\n{shown}\n"


def ask(question: str) -> str:
    """Print a question and return what the person chose: yes, no, skip, back or quit."""
    while True:
        try:
            said = input(question).strip().lower()[:1]
        except EOFError:
            return "quit"
        if said in _ANSWERS:
            return _ANSWERS[said]
        question = _HELP

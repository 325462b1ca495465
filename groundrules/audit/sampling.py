"""A spot check: statements drawn from every verdict for a person to read, and what that shows.

The share of a verdict that is wrong lies in the interval of Wilson (1927), 95 times of 100.
"""

from __future__ import annotations

import csv
import io
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from groundrules.audit.results import Result, read_report, sorted_results
from groundrules.errors import ConfigError, SourceError
from groundrules.explain.findings import standing
from groundrules.explain.place import cell
from groundrules.explain.words import DECIDED, STANDINGS
from groundrules.files import read_whole, write_atomically

SAMPLE = "sample.csv"
_COLUMNS = (
    "wrong", "verdict", "of", "id", "statement", "text", "source", "passage", "fingerprint", "key",
)  # fmt: skip
_YES, _NO = ("yes", "y", "1", "true", "wrong"), ("no", "n", "0", "false", "right")
_Z = 1.959964  # of the normal distribution, 95 of 100 lie within so many deviations
#: What is drawn from: the verdicts that nobody decided otherwise.
VERDICTS = tuple(one for one in STANDINGS if one not in DECIDED)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the statements of a verdict there are, were read, and are wrong.

    Their share lies between `low` and `high`, 95 times of 100.
    """

    of: int
    read: int
    wrong: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What a person said of a sample, by verdict; `blank` of it is not filled in."""

    verdicts: Mapping[str, Share]
    blank: int

    @property
    def read(self) -> int:
        """How many were read."""
        return sum(one.read for one in self.verdicts.values())


def draw_sample(out: Path, keys: set[str], size: int) -> dict[str, tuple[int, int]]:
    """Write about so many statements to `sample.csv`, of each verdict as many.

    Return how many were drawn of each verdict, and of how many. Whoever reads it fills in `wrong`:
    yes, no. What a person decided is not drawn.

    Raises:
        ConfigError: a sample is there that a person has begun to fill in.
        SourceError: a report is not there or has changed.
    """
    path = out / SAMPLE
    if path.exists() and any(row.get("wrong", "").strip() for row in _rows(path)):
        raise ConfigError("is filled in; expected another folder, or to move it", path=str(path))
    found: dict[str, list[tuple[Result, int]]] = {told: [] for told in VERDICTS}
    for result in sorted_results(out, keys):
        for told, places in found.items():
            places += [(result, number) for number in range(result.outcomes.get(told, 0))]
    totals = {told: len(places) for told, places in found.items() if places}
    each = -(-size // max(1, len(totals)))
    chance = random.Random(0)  # the same results give the same file
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(_COLUMNS)
    for told, total in totals.items():
        for at in sorted(chance.sample(range(total), min(each, total))):
            table.writerow(_row(out, *found[told][at], told, total))
    write_atomically(path, text.getvalue().encode(errors="backslashreplace"))
    return {told: (min(each, total), total) for told, total in totals.items()}


def _row(out: Path, result: Result, number: int, told: str, total: int) -> list[str]:
    """Return the row of the statement with a number among those of a verdict in a text."""
    report = read_report(out, result)
    statement = [one for one in report.statements if standing(one, report) == told][number]
    place = statement.passages[0] if statement.passages else None
    passage = report.sources.get(place.source, "")[place.start : place.end] if place else ""
    cells = [
        told, str(total), result.id, str(statement.number), statement.text,
        place.source if place else "", passage, statement.fingerprint, result.key,
    ]  # fmt: skip
    return ["", *map(cell, cells)]


def read_sample(path: Path) -> Reading:
    """Return what a sample shows, filled in or not; SourceError with the row that is none."""
    counts: dict[str, Counter[str]] = {}
    for number, row in enumerate(_rows(path), 1):
        answer = (row.get("wrong") or "").strip().casefold()
        told, total = row.get("verdict") or "", row.get("of") or ""
        if answer and answer not in (*_YES, *_NO):
            raise SourceError(
                f"row {number}: wrong is {answer[:40]!r}; expected yes or no", path=str(path)
            )
        if told not in VERDICTS or not total.isascii() or not total.isdecimal():
            raise SourceError(f"row {number} has no verdict; expected it as drawn", path=str(path))
        found = counts.setdefault(told, Counter())
        found["of"] = int(total)
        found["wrong" if answer in _YES else "right" if answer else "blank"] += 1
    verdicts = {}
    for told in VERDICTS:
        if told in counts:
            one = counts[told]
            read = one["wrong"] + one["right"]
            bounds = interval(one["wrong"], read) if read else (0.0, 1.0)
            verdicts[told] = Share(one["of"], read, one["wrong"], *bounds)
    return Reading(verdicts, sum(one["blank"] for one in counts.values()))


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        text = read_whole(path).decode("utf-8-sig")
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except UnicodeDecodeError:
        raise SourceError("not UTF-8; save it as CSV in UTF-8", path=str(path)) from None
    table = csv.DictReader(io.StringIO(text, newline=""), restkey="more", restval="")
    try:
        if "wrong" not in (table.fieldnames or ()):
            raise SourceError("has no column wrong; expected a sample of audit", path=str(path))
        yield from table
    except csv.Error as error:
        raise SourceError(f"not CSV: {error}", path=str(path), line=table.line_num) from None


def interval(wrong: int, read: int) -> tuple[float, float]:
    """Return the interval of Wilson on a share, missed 5 times of 100."""
    square = _Z * _Z
    middle = (wrong + square / 2) / (read + square)
    half = _Z / (read + square) * math.sqrt(wrong * (read - wrong) / read + square / 4)
    return (middle - half if wrong else 0.0), (middle + half if wrong < read else 1.0)

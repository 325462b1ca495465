"""A spot check: statements that passed, drawn for a person to read, and what their answers show.

The share of statements that passed and are wrong lies, 95 times of 100, in the interval of Clopper
and Pearson (Biometrika 26, 1934), which is exact: it is never narrower than it may be.
"""

from __future__ import annotations

import csv
import io
import math
import random
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from groundrules.audit.results import Result, read_report, sorted_results
from groundrules.errors import ConfigError, SourceError
from groundrules.explain.findings import standing
from groundrules.files import read_whole, write_atomically
from groundrules.terms import Outcome, Report, Statement

SAMPLE = "sample.csv"
_COLUMNS = ("wrong", "id", "statement", "text", "source", "passage", "fingerprint", "key")
_YES, _NO = ("yes", "y", "1", "true", "wrong"), ("no", "n", "0", "false", "right")
#: What makes a cell a formula to those that open tables.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the statements read are wrong, and where their share lies, 95 times of 100."""

    wrong: int
    read: int
    blank: int
    low: float
    high: float


def draw_sample(out: Path, keys: set[str], size: int, seed: int) -> tuple[int, int]:
    """Write so many statements that passed to `sample.csv`; return how many, and of how many.

    The same results, size and seed give the same file. Whoever reads it fills in `wrong`: yes, no.

    Raises:
        ConfigError: a sample is there that a person has begun to fill in.
        SourceError: a report is not there or has changed.
    """
    path = out / SAMPLE
    if path.exists() and any(row.get("wrong", "").strip() for row in _rows(path)):
        raise ConfigError("is filled in; expected another folder, or to move it", path=str(path))
    total = sum(_passed(result) for result in sorted_results(out, keys))
    drawn = sorted(random.Random(seed).sample(range(total), min(size, total)))
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(_COLUMNS)
    first = 0
    for result in sorted_results(out, keys):
        last = first + _passed(result)
        here = [n - first for n in drawn[bisect_left(drawn, first) : bisect_left(drawn, last)]]
        if here:
            report = read_report(out, result)
            statements = [one for one in report.statements if _passes(one, report)]
            table.writerows(_row(result, report, statements[number]) for number in here)
        first = last
    write_atomically(path, text.getvalue().encode(errors="backslashreplace"))
    return len(drawn), total


def _passed(result: Result) -> int:
    return result.outcomes.get(Outcome.SUPPORTED.value, 0)


def _passes(statement: Statement, report: Report) -> bool:
    return standing(statement, report) == Outcome.SUPPORTED.value


def _row(result: Result, report: Report, statement: Statement) -> list[str]:
    place = statement.passages[0] if statement.passages else None
    passage = report.sources.get(place.source, "")[place.start : place.end] if place else ""
    cells = [
        result.id, str(statement.number), statement.text, place.source if place else "", passage,
        statement.fingerprint, result.key,
    ]  # fmt: skip
    return ["", *(f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in cells)]


def read_sample(path: Path) -> Share:
    """Return what a filled-in sample shows; SourceError with the line where it cannot be read."""
    wrong = right = blank = 0
    for number, row in enumerate(_rows(path), 1):
        answer = (row.get("wrong") or "").strip().casefold()
        if answer and answer not in (*_YES, *_NO):
            raise SourceError(
                f"row {number}: wrong is {answer[:40]!r}; expected yes or no", path=str(path)
            )
        wrong += answer in _YES
        right += answer in _NO
        blank += not answer
    if not wrong + right:
        raise SourceError("nothing is filled in; expected yes or no in wrong", path=str(path))
    return Share(wrong, wrong + right, blank, *interval(wrong, wrong + right))


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
    """Return the interval of Clopper and Pearson on a share, at 95 %."""

    def tail(share: float, numbers: range) -> float:
        return math.fsum(
            math.exp(
                math.lgamma(read + 1) - math.lgamma(n + 1) - math.lgamma(read - n + 1)
                + n * math.log(share) + (read - n) * math.log1p(-share)
            )
            for n in numbers
        )  # fmt: skip

    half = _ALPHA / 2
    low = _least(lambda p: tail(p, range(wrong, read + 1)) >= half) if wrong else 0.0
    high = _least(lambda p: tail(p, range(wrong + 1)) <= half) if wrong < read else 1.0
    return low, high


def _least(holds: Callable[[float], bool]) -> float:
    """Return the least share from which something holds, by halving."""
    low, high = 0.0, 1.0
    for _ in range(50):  # more than the digits shown; 1 itself is not reached
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high

"""A spot check: statements drawn from every verdict for a person to read, and what that shows.

The share of a verdict that is wrong lies, 95 times of 100, in the interval of Clopper and Pearson
(Biometrika 26, 1934), which is exact: it is never narrower than it may be. That of all verdicts is
weighted by how many there are of each; its bounds are made of theirs, each held 1 - 0.05/k often.
"""

from __future__ import annotations

import csv
import io
import math
import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from groundrules.audit.results import Result, read_report, sorted_results
from groundrules.errors import ConfigError, SourceError
from groundrules.explain.findings import standing
from groundrules.explain.place import cell
from groundrules.explain.words import DECIDED, STANDINGS
from groundrules.files import read_whole, write_atomically
from groundrules.terms import Report, Statement

SAMPLE = "sample.csv"
_COLUMNS = (
    "wrong", "verdict", "of", "id", "statement", "text", "source", "passage", "fingerprint", "key",
)  # fmt: skip
_YES, _NO = ("yes", "y", "1", "true", "wrong"), ("no", "n", "0", "false", "right")
_ALPHA = 0.05
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
    def of(self) -> int:
        """How many statements there are of the verdicts that were drawn from."""
        return sum(one.of for one in self.verdicts.values())

    @property
    def read(self) -> int:
        """How many were read."""
        return sum(one.read for one in self.verdicts.values())

    @property
    def wrong(self) -> int:
        """How many of these are wrong."""
        return sum(one.wrong for one in self.verdicts.values())

    @property
    def share(self) -> float | None:
        """The share of all verdicts that is wrong, None where some verdict was not read."""
        found = self.verdicts.values()
        if not found or not all(one.read for one in found):
            return None
        return math.fsum(one.of * one.wrong / one.read for one in found) / self.of

    @property
    def bounds(self) -> tuple[float, float]:
        """Between what that share lies, 95 times of 100 or more often."""
        found = [one for one in self.verdicts.values() if one.of]
        each = [interval(one.wrong, one.read, _ALPHA / len(found)) for one in found]
        low, high = (
            math.fsum(one.of * bounds[end] for one, bounds in zip(found, each, strict=True))
            / self.of
            for end in (0, 1)
        )
        return low, high


def draw_sample(out: Path, keys: set[str], size: int, seed: int) -> dict[str, tuple[int, int]]:
    """Write so many statements to `sample.csv`, as many of each verdict as there are to be had.

    Return how many were drawn of each verdict, and of how many. The same results, size and seed
    give the same file. Whoever reads it fills in `wrong`: yes, no. What a person decided is not
    drawn.

    Raises:
        ConfigError: a sample is there that a person has begun to fill in.
        SourceError: a report is not there or has changed.
    """
    path = out / SAMPLE
    if path.exists() and any(row.get("wrong", "").strip() for row in _rows(path)):
        raise ConfigError("is filled in; expected another folder, or to move it", path=str(path))
    totals = dict.fromkeys(VERDICTS, 0)
    for result in sorted_results(out, keys):
        for told in VERDICTS:
            totals[told] += result.outcomes.get(told, 0)
    shares = _shared(totals, size)
    chance = random.Random(seed)
    drawn = {
        told: sorted(chance.sample(range(totals[told]), count)) for told, count in shares.items()
    }
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(_COLUMNS)
    table.writerows(_drawn(out, keys, drawn, totals))
    write_atomically(path, text.getvalue().encode(errors="backslashreplace"))
    return {told: (count, totals[told]) for told, count in shares.items()}


def _shared(totals: Mapping[str, int], size: int) -> dict[str, int]:
    """Return how many to draw of each: the same of all, and more of those that have more."""
    shares = {told: 0 for told, total in totals.items() if total}
    left = min(size, sum(totals.values()))
    while left:
        for told in shares:
            if left and shares[told] < totals[told]:
                shares[told] += 1
                left -= 1
    return shares


def _drawn(
    out: Path, keys: set[str], drawn: Mapping[str, list[int]], totals: Mapping[str, int]
) -> Iterator[list[str]]:
    """Yield the rows of the statements with some numbers, counted by verdict over all texts."""
    first = dict.fromkeys(drawn, 0)
    for result in sorted_results(out, keys):
        here: dict[str, list[int]] = {}
        for told, numbers in drawn.items():
            last = first[told] + result.outcomes.get(told, 0)
            low, high = bisect_left(numbers, first[told]), bisect_left(numbers, last)
            here[told] = [number - first[told] for number in numbers[low:high]]
            first[told] = last
        if not any(here.values()):
            continue
        report = read_report(out, result)
        for told, places in here.items():
            own = [one for one in report.statements if standing(one, report) == told]
            yield from (_row(result, report, own[at], told, totals[told]) for at in places)


def _row(result: Result, report: Report, statement: Statement, told: str, total: int) -> list[str]:
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


def interval(wrong: int, read: int, alpha: float = _ALPHA) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson on a share, missed `alpha` of the time."""

    def tail(share: float, numbers: range) -> float:
        return math.fsum(
            math.exp(
                math.lgamma(read + 1) - math.lgamma(n + 1) - math.lgamma(read - n + 1)
                + n * math.log(share) + (read - n) * math.log1p(-share)
            )
            for n in numbers
        )  # fmt: skip

    half = alpha / 2
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

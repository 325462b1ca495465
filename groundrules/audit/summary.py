"""The report of an audit as data, `report.json`, its texts sorted by id, of the results alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from groundrules.audit.results import (
    Finding,
    Result,
    as_written,
    read_report,
    sorted_results,
)
from groundrules.audit.runner import Done
from groundrules.audit.tasks import Fault
from groundrules.explain.formats import Look
from groundrules.explain.words import STANDINGS
from groundrules.files import beside, write_atomically
from groundrules.terms import Conclusion, Logged, Outcome

SCHEMA = 2
REPORT_JSON = "report.json"
_HEAD = b'{"texts": [\n'
#: What came of a text: the names of `Conclusion`, and where nothing of it could be checked.
PASSES, FAILS, NOT_SETTLED, NOT_CHECKED = (one.value.replace(" ", "_") for one in Conclusion)
FAILING = (FAILS, "fails_for_open", "fails_by_level")
PASSING = (PASSES, "passes_by_decision")
KINDS = {
    "error": "it could not be checked",
    NOT_CHECKED: "not all of it could be read or asked about",
    FAILS: "it fails: something speaks against it",
    "fails_for_open": "it fails: it has open statements, which the setting not_enough_info = fail "
    "does not let pass",
    "fails_by_level": "it fails: a finding reaches the level of --fail-level",
    NOT_SETTLED: "too little of it is supported: it is not settled",
    "passes_by_decision": "it passes, as some of what was found is hidden by a baseline or decided "
    "on",
    PASSES: "it passes: enough of it is supported, and nothing speaks against it",
}
_LEVELS = ("error", "warning", "info")


@dataclass(slots=True)
class _Rule:
    name: str
    severity: str
    count: int = 0
    overridden: int = 0
    texts: int = 0


@dataclass(slots=True)
class Summary:
    """Counts over the results of an audit.

    `level` is the severity from which on a finding fails a text. `texts` counts them by what came
    of them, each under one of `KINDS`. `outcomes` counts statements by `STANDINGS`, by source and
    by date (`YYYY-MM-DD` or as it is given) as well; `hashes` has the SHA-256 of each source.
    `errors` and `partial` are the ids of texts of which nothing, or not all, could be checked, each
    with the reason, `unsettled` those that are not settled, with how much is left open, and
    `renamed` those whose id an earlier one has, with that and their place; `kinds` says
    what came of each text by its key.
    """

    level: str = "error"
    texts: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    rules: dict[str, _Rule] = field(default_factory=dict)
    sources: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    hashes: dict[tuple[str, str], str] = field(default_factory=dict)
    dates: dict[str, Counter[str]] = field(default_factory=dict)
    errors: list[tuple[str, str]] = field(default_factory=list)
    partial: list[tuple[str, str]] = field(default_factory=list)
    unsettled: list[tuple[str, str]] = field(default_factory=list)
    renamed: list[tuple[str, str, str]] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)

    def add(self, result: Result, at: str) -> None:
        """Count a result of an audit that began at a time."""
        kind = self.kinds[result.key] = _kind(result, self.level)
        self.texts[kind] += 1
        if result.given:
            self.renamed.append((result.id, result.given, result.place))
        if result.error:
            self.errors.append((result.id, result.error))
            return
        if result.conclusion == Conclusion.NOT_CHECKED or result.unread or result.unasked:
            self.partial.append((result.id, _why(result)))
        if result.conclusion == Conclusion.NOT_SETTLED:
            left, total = result.open
            self.unsettled.append((result.id, f"{left:,} of {total:,}"))
        self.outcomes.update(result.outcomes)
        date = (result.date or at)[:10] or "no date"
        self.dates.setdefault(date, Counter()).update(result.outcomes)
        for one in result.sources:
            self.sources.setdefault((one.name, one.key), Counter()).update(one.outcomes)
            self.hashes[one.name, one.key] = one.sha256
        for finding in result.findings:
            self._find(finding)

    def _find(self, finding: Finding) -> None:
        rule = self.rules.setdefault(finding.rule, _Rule(finding.name, finding.severity))
        rule.count += finding.count
        rule.overridden += finding.overridden
        rule.texts += 1

    def code(self, faults: Sequence[Fault]) -> int:
        """Return the exit code, as `check` would: 1 where a text fails.

        2 where not all could be checked or is settled, and where anything could not be read at all.
        """
        if faults or self.texts["error"]:
            return 2
        if self.failing:
            return 1
        return 2 if self.texts[NOT_SETTLED] or self.texts[NOT_CHECKED] else 0

    @property
    def failing(self) -> int:
        """How many texts fail."""
        return sum(self.texts[kind] for kind in FAILING)

    @property
    def passing(self) -> int:
        """How many texts pass."""
        return sum(self.texts[kind] for kind in PASSING)


def _kind(result: Result, level: str) -> str:
    if result.error:
        return "error"
    if result.because == "open":
        return "fails_for_open"
    reached = result.level in _LEVELS[: _LEVELS.index(level) + 1]
    if result.conclusion != Conclusion.FAILS and reached:
        return "fails_by_level"
    if result.conclusion == Conclusion.PASSES and result.decided:
        return "passes_by_decision"
    return (result.conclusion or Conclusion.NOT_CHECKED.value).replace(" ", "_")


def _why(result: Result) -> str:
    said = [*result.unread, *result.unasked]
    for outcome in (Outcome.UNVERIFIABLE, Outcome.ERROR):
        if count := result.outcomes.get(outcome.value):
            what = "statement" if count == 1 else "statements"
            said.append(f"{count} {what} {STANDINGS[outcome.value]}")
    return "; ".join(said) or "it states nothing"


def write_summary(out: Path, done: Done, level: str = "error") -> Summary:
    """Write the report of an audit; return what it counts.

    `level` is the severity from which on a finding fails a text.
    """
    summary = Summary(level)
    at = str(done.manifest["at"])
    with beside(out / REPORT_JSON) as part, part.open("w", encoding="utf-8") as file:
        # one text a line, so that memory does not grow with them
        file.write(_HEAD.decode())
        for number, result in enumerate(sorted_results(out, done.keys)):
            summary.add(result, at)
            file.write(",\n" if number else "")
            file.write(json.dumps(asdict(result)))
        file.write("\n],\n" if summary.texts else "],\n")
        rest = json.dumps(_data(summary, done), indent=1)
        file.write(rest.removeprefix("{\n") + "\n")
    return summary


def _data(summary: Summary, done: Done) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        **{key: value for key, value in done.manifest.items() if key != "schema"},
        "unchecked": {
            "inputs": [{"place": one.place, "message": one.message} for one in done.faults],
            "texts": [{"id": name, "reason": why} for name, why in summary.errors],
            "parts": [{"id": name, "reason": why} for name, why in summary.partial],
        },
        "renamed": [
            {"id": name, "given": given, "place": place} for name, given, place in summary.renamed
        ],
        "unsettled": [{"id": name, "open": left} for name, left in summary.unsettled],
        "fail_level": summary.level,
        "exit_code": summary.code(done.faults),
        "counts": {
            "texts": {kind: summary.texts[kind] for kind in reversed(KINDS)},
            "statements": sum(summary.outcomes.values()),
            "outcomes": _by_standing(summary.outcomes),
        },
        "rules": [{"rule": rule, **asdict(one)} for rule, one in sorted(summary.rules.items())],
        "sources": [
            {
                "name": name,
                "key": key,
                "sha256": summary.hashes[name, key],
                "outcomes": _by_standing(counts),
            }
            for (name, key), counts in _sources(summary)
        ],
        "dates": [
            {"date": date, "outcomes": _by_standing(counts)}
            for date, counts in sorted(summary.dates.items())
        ],
    }


def _by_standing(counts: Mapping[str, int]) -> dict[str, int]:
    return {one: counts.get(one, 0) for one in STANDINGS}


def _sources(summary: Summary) -> list[tuple[tuple[str, str], Counter[str]]]:
    """Return the sources, the one that most statements rest on first."""
    return sorted(summary.sources.items(), key=lambda item: (-item[1].total(), item[0]))


def told_counts(texts: Mapping[str, int], faults: int) -> str:
    """Return how many texts passed, failed, and were neither, as the exit code is made of them."""
    failing, passing = (sum(texts[one] for one in kinds) for kinds in (FAILING, PASSING))
    unread = f", and {faults:,} of the inputs could not be read" if faults else ""
    return (
        f"{failing:,} fail, {texts['error']:,} could not be checked, "
        f"{texts[NOT_CHECKED]:,} not wholly, {texts[NOT_SETTLED]:,} not settled, "
        f"{passing:,} pass{unread}"
    )


def audited(out: Path) -> dict[str, str]:
    """Return the keys of the texts of a report, each with the hash of its own report."""
    path = out / REPORT_JSON
    with as_written(path), path.open("rb") as file:
        if file.readline() != _HEAD:
            raise ValueError
        lines = (line.rstrip(b",\n") for line in file)
        texts = (json.loads(line) for line in takewhile(lambda one: one != b"]", lines))
        return {str(one["key"]): str(one["report"]) for one in texts}


# --- a form for each text ---------------------------------------------------------------------


def write_forms(
    out: Path, keys: set[str], form: str, look: Look, logged: Logged | None = None
) -> Iterator[int]:
    """Write the report of each text in an output format, `FORM/KEY.FORM`; yield how many so far.

    `logged` is where all of them were logged. ConfigError where there is no such format, or it
    fails; SourceError where a report has changed.
    """
    from groundrules.explain import formats

    render = formats.load(form)
    folder = out / form
    folder.mkdir(exist_ok=True)
    number = 0
    for result in sorted_results(out, keys):
        if not result.error:
            number += 1
            report = replace(read_report(out, result), logged=logged)
            data = render([report], look).encode(errors="backslashreplace")
            write_atomically(folder / f"{result.key}.{form}", data)
            yield number

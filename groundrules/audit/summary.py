"""The report of an audit as data, `report.json`, its texts sorted by id, of the results alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from groundrules.audit.results import Result, as_written, read_report, sorted_results
from groundrules.audit.runner import Done
from groundrules.audit.tasks import Fault
from groundrules.explain.formats import Look
from groundrules.explain.words import STANDINGS
from groundrules.files import write_atomically
from groundrules.terms import Conclusion, Logged, Outcome, Severity

SCHEMA = 2
REPORT_JSON = "report.json"
#: What came of a text: the names of `Conclusion`, and where nothing of it could be checked.
PASSES, FAILS, NOT_SETTLED, NOT_CHECKED = (one.value.replace(" ", "_") for one in Conclusion)
KINDS = {
    "error": "it could not be checked",
    NOT_CHECKED: "not all of it could be read or asked about",
    FAILS: "it fails: something speaks against it, or the policy does not let it pass",
    NOT_SETTLED: "too little of it is supported: it is not settled",
    PASSES: "it passes: enough of it is supported, and nothing speaks against it",
}


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
    of them, each under one of `KINDS`, and `outcomes` statements by `STANDINGS`. `errors` and
    `partial` are the ids of texts of which nothing, or not all, could be checked, each with the
    reason, and `unsettled` those that are not settled, with how much is left open.
    """

    level: str = "error"
    texts: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    rules: dict[str, _Rule] = field(default_factory=dict)
    errors: list[dict[str, str]] = field(default_factory=list)
    partial: list[dict[str, str]] = field(default_factory=list)
    unsettled: list[dict[str, str]] = field(default_factory=list)

    def add(self, result: Result) -> None:
        """Count a result."""
        self.texts[_kind(result, self.level)] += 1
        if result.error:
            self.errors.append({"id": result.id, "reason": result.error})
            return
        if result.conclusion == Conclusion.NOT_CHECKED or result.unread or result.unasked:
            self.partial.append({"id": result.id, "reason": _why(result)})
        if result.conclusion == Conclusion.NOT_SETTLED:
            left, total = result.open
            self.unsettled.append({"id": result.id, "open": f"{left:,} of {total:,}"})
        self.outcomes.update(result.outcomes)
        for one in result.findings:
            rule = self.rules.setdefault(one.rule, _Rule(one.name, one.severity))
            rule.count += one.count
            rule.overridden += one.overridden
            rule.texts += 1

    def code(self, faults: Sequence[Fault]) -> int:
        """Return the exit code, as `check` would: 1 where a text fails.

        2 where not all could be checked or is settled, and where anything could not be read at all.
        """
        if faults or self.texts["error"]:
            return 2
        if self.texts[FAILS]:
            return 1
        return 2 if self.texts[NOT_SETTLED] or self.texts[NOT_CHECKED] else 0


def _kind(result: Result, level: str) -> str:
    if result.error:
        return "error"
    levels = [one.value for one in Severity]
    if result.level in levels[: levels.index(level) + 1]:
        return FAILS
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
    summary, texts = Summary(level), []
    for result in sorted_results(out, done.keys):
        summary.add(result)
        texts.append(asdict(result))
    data = {
        **done.manifest,
        "unchecked": {
            "inputs": [asdict(one) for one in done.faults],
            "texts": summary.errors,
            "parts": summary.partial,
        },
        "unsettled": summary.unsettled,
        "fail_level": level,
        "exit_code": summary.code(done.faults),
        "counts": {
            "texts": {kind: summary.texts[kind] for kind in reversed(KINDS)},
            "statements": sum(summary.outcomes.values()),
            "outcomes": {one: summary.outcomes[one] for one in STANDINGS},
        },
        "rules": [{"rule": rule, **asdict(one)} for rule, one in sorted(summary.rules.items())],
        "texts": texts,
        "schema": SCHEMA,
    }
    write_atomically(out / REPORT_JSON, (json.dumps(data, indent=1) + "\n").encode())
    return summary


def told_counts(texts: Mapping[str, int], faults: int) -> str:
    """Return how many texts passed, failed, and were neither, as the exit code is made of them."""
    unread = f", and {faults:,} of the inputs could not be read" if faults else ""
    return (
        f"{texts[FAILS]:,} fail, {texts['error']:,} could not be checked, "
        f"{texts[NOT_CHECKED]:,} not wholly, {texts[NOT_SETTLED]:,} not settled, "
        f"{texts[PASSES]:,} pass{unread}"
    )


def audited(out: Path) -> dict[str, str]:
    """Return the keys of the texts of a report, each with the hash of its own report."""
    path = out / REPORT_JSON
    with as_written(path):
        texts = json.loads(path.read_bytes())["texts"]
        return {str(one["key"]): str(one["report"]) for one in texts}


# --- a form for each text ---------------------------------------------------------------------


def write_forms(
    out: Path, keys: set[str], form: str, look: Look, logged: Logged | None = None
) -> None:
    """Write the report of each text in an output format, `FORM/KEY.FORM`.

    `logged` is where all of them were logged. ConfigError where there is no such format, or it
    fails; SourceError where a report has changed.
    """
    from groundrules.explain import formats

    render = formats.load(form)
    folder = out / form
    folder.mkdir(exist_ok=True)
    for result in sorted_results(out, keys):
        if not result.error:
            report = replace(read_report(out, result), logged=logged)
            data = render([report], look).encode(errors="backslashreplace")
            write_atomically(folder / f"{result.key}.{form}", data)

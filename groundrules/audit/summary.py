"""The report of an audit: what could not be checked, then outcomes, rules, sources, dates, texts.

`report.json` has all of it, its texts sorted by id, `report.md` what a person reads first, and the
pictures are `outcomes.svg`, `dates.svg` and `sources.svg`. All depend on the results alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from heapq import nlargest
from itertools import takewhile
from pathlib import Path
from typing import Any

from groundrules.audit.bars import draw
from groundrules.audit.results import Finding, Result, read_report, sorted_results
from groundrules.audit.runner import Done
from groundrules.audit.tasks import Fault
from groundrules.errors import SourceError
from groundrules.explain.findings import DECIDED, STANDINGS
from groundrules.explain.formats import Look
from groundrules.explain.listing import UNSETTLED_PAGE
from groundrules.files import beside, write_atomically
from groundrules.terms import Conclusion, Logged, Outcome

SCHEMA = 2
REPORT_JSON, REPORT = "report.json", "report.md"

#: How many rows a table has at most, and a picture.
_ROWS = 50
_WHAT_TO_DO = f"[what to do]({UNSETTLED_PAGE})"
_BARS = 20
_HEAD = b'{"texts": [\n'
_SECTION = re.compile(r"[|\\`*_\[\]<>#]")
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
#: What stands against a text most.
_BAD = (Outcome.ERROR, Outcome.REFUTED, Outcome.CONFLICTING, Outcome.UNVERIFIABLE)


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
    `renamed` those whose id an earlier one has, with that and their place; `worst` are the texts
    with most against them, and `kinds` what came of each by its key.
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
    worst: list[Result] = field(default_factory=list)
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
        if any(result.outcomes.get(one.value) for one in _BAD) or result.level == "error":
            self.worst.append(result)
            if len(self.worst) > 4 * _ROWS:
                self.worst = nlargest(_ROWS, self.worst, key=_badness)

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


def _badness(result: Result) -> tuple[int, ...]:
    return tuple(result.outcomes.get(one.value, 0) for one in _BAD)


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
    _write(out / REPORT, "\n".join(_lines(summary, done)) + "\n")
    _write(out / "outcomes.svg", draw("Statements", [("all texts", summary.outcomes)]))
    dates = sorted(summary.dates.items())
    _write(out / "dates.svg", draw("Statements by date", dates[-_BARS:]))
    named = [(name or "none", counts) for (name, _), counts in _sources(summary)[:_BARS]]
    _write(out / "sources.svg", draw("Statements by source", named))
    return summary


def _write(path: Path, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode(errors="backslashreplace")
    write_atomically(path, data)


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


# --- the page ---------------------------------------------------------------------------------


def _lines(summary: Summary, done: Done) -> Iterator[str]:
    """Yield the lines of the page."""
    manifest, total = done.manifest, sum(summary.texts.values())
    began = f", begun {manifest['at']}" if manifest["at"] else ""
    yield "# Audit"
    yield ""
    yield (
        f"{total:,} texts of {', '.join(map(_code, manifest['inputs']))} checked by groundrules "
        f"{manifest['version']}{began}."
    )
    if manifest.get("redacted"):
        yield ""
        yield (
            "The words of texts and sources are kept out: what has a number is named by the order "
            "in which it occurs, and no hash of it stays."
        )
    yield ""
    yield f"{verdict(summary, len(done.faults))} (exit code {summary.code(done.faults)})."
    yield from _unchecked(summary, done.faults)
    yield from ("", "## Texts", "")
    yield from _table(
        ("", "texts", "share"),
        ((why, *_share(summary.texts[kind], total)) for kind, why in KINDS.items()),
    )
    if summary.unsettled:
        yield from (
            "",
            "## Not settled",
            "",
            f"Too little of these is supported: {_WHAT_TO_DO}.",
            "",
        )
        yield from _table(("text", "statements left open"), summary.unsettled)
    if summary.renamed:
        yield from (
            "",
            "## Ids given before",
            "",
            "An earlier text has the id of each of these.",
            "",
        )
        yield from _table(("text", "its id was", "where"), summary.renamed)
    yield from ("", "## Statements", "", "Each is counted once.", "")
    yield from ("![Statements](outcomes.svg)", "")
    statements = summary.outcomes.total()
    shown = [one for one in STANDINGS if one not in DECIDED or summary.outcomes[one]]
    yield from _table(
        ("", "statements", "share"),
        (
            (told, *_share(summary.outcomes[one], statements))
            for one, told in STANDINGS.items()
            if one != "inline" or one in shown
        ),
    )
    yield from ("", "## By rule", "")
    rules = sorted(summary.rules.items(), key=lambda item: (-item[1].count, item[0]))
    yield from _table(
        ("rule", "name", "severity", "found", "overridden", "texts"),
        (
            (
                rule,
                one.name,
                one.severity,
                f"{one.count:,}",
                f"{one.overridden:,}",
                f"{one.texts:,}",
            )
            for rule, one in rules
        ),
    )
    heads = [STANDINGS[one] for one in shown]
    yield from ("", "## By source", "", "Of each statement the source that is nearest to it.", "")
    yield from ("![Statements by source](sources.svg)", "")
    yield from _table(
        ("source and its SHA-256", *heads),
        (
            (
                f"{_plain(name) or 'none'} {_code(sha256) if sha256 else ''}".strip(),
                *_cells(counts, shown),
            )
            for (name, key), counts in _sources(summary)
            for sha256 in (summary.hashes[name, key],)
        ),
        raw=True,
    )
    yield from ("", "## Over time", "", "![Statements by date](dates.svg)", "")
    yield from _table(
        ("date", *heads),
        (
            (date, *_cells(counts, shown))
            for date, counts in sorted(summary.dates.items(), reverse=True)
        ),
    )
    yield from ("", "## Texts with most against them", "")
    worst = sorted(summary.worst, key=lambda one: (*(-n for n in _badness(one)), one.id, one.key))
    yield from _table(
        ("text", "where", *heads, "report"),
        (
            (_plain(one.id), _plain(one.place), *_cells(one.outcomes, shown),
             f"[{one.key[:12]}](reports/{one.key}.json)")
            for one in worst
        ),
        raw=True,
    )  # fmt: skip
    yield from ("", "## How", "")
    yield from _table(
        ("what", "value"),
        (
            *((f"setting {key}", value) for key, value in manifest["settings"].items()),
            *((f"pack {name}", digest) for name, digest in manifest["packs"].items()),
            *((f"context {name}", "") for name in manifest["contexts"]),
            *((one["role"], f"{one['name']} {one['sha256']}") for one in manifest["knowledge"]),
        ),
    )


def verdict(summary: Summary, faults: int) -> str:
    """Return how many texts passed, failed, and were neither, as the exit code is made of them."""
    return told_counts(summary.texts, faults)


def told_counts(texts: Mapping[str, int], faults: int) -> str:
    """Return `verdict` of how many texts there are of each kind."""
    failing, passing = (sum(texts[one] for one in kinds) for kinds in (FAILING, PASSING))
    unread = f", and {faults:,} of the inputs could not be read" if faults else ""
    return (
        f"{failing:,} fail, {texts['error']:,} could not be checked, "
        f"{texts[NOT_CHECKED]:,} not wholly, {texts[NOT_SETTLED]:,} not settled, "
        f"{passing:,} pass{unread}"
    )


def _unchecked(summary: Summary, faults: Sequence[Fault]) -> Iterator[str]:
    yield from ("", "## What could not be checked", "")
    said = (
        ("Of the inputs these are no texts", [(one.place, one.message) for one in faults]),
        ("Of these texts nothing could be checked", summary.errors),
        ("Of these texts not all could be checked", summary.partial),
    )
    if not any(rows for _, rows in said):
        yield "Nothing: all that was given could be read, and every statement be checked."
    for head, rows in said:
        if rows:
            yield from (f"{head} ({len(rows):,}):", "")
            yield from _table(("where", "why"), rows)
            yield ""


def _table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, raw: bool = False
) -> Iterator[str]:
    """Yield a table; of more rows than `_ROWS` it says how many there are."""
    found = list(rows)
    if not found:
        yield "None."
        return
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in found[:_ROWS]:
        yield f"| {' | '.join(row if raw else map(_plain, row))} |"
    if len(found) > _ROWS:
        yield ""
        yield f"And {len(found) - _ROWS:,} more, which `{REPORT_JSON}` has."


def _share(count: int, total: int) -> tuple[str, str]:
    return f"{count:,}", f"{count / total:.1%}" if total else "–"


def _cells(counts: Mapping[str, int], shown: Sequence[str]) -> list[str]:
    return [f"{counts.get(one, 0):,}" for one in shown]


def _plain(text: str) -> str:
    """Return a text as a cell of a table that shows it and nothing else."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return _SECTION.sub(lambda found: f"\\{found[0]}", line[:300])


def _code(text: str) -> str:
    return f"`{_plain(text).replace(chr(92), '').replace('`', '')}`"


def audited_keys(out: Path) -> set[str]:
    """Return the keys of the texts of a report; SourceError where there is none."""
    return set(audited(out))


def audited(out: Path) -> dict[str, str]:
    """Return the keys of the texts of a report, each with the hash of its own report."""
    path = out / REPORT_JSON
    try:
        with path.open("rb") as file:
            if file.readline() != _HEAD:
                raise ValueError
            lines = (line.rstrip(b",\n") for line in file)
            texts = (json.loads(line) for line in takewhile(lambda one: one != b"]", lines))
            return {str(one["key"]): str(one["report"]) for one in texts}
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise SourceError("is damaged; expected it as audit wrote it", path=str(path)) from None


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
            _write(folder / f"{result.key}.{form}", render([report], look))
            yield number

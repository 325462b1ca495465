"""The pages behind a dossier: each statement of an audit with what it rests on, and lists.

`pages/texts-N.html` have the texts, `pages/GROUP-N.html` the statements that a number of the
dossier counts: of a rule, a source, a date, a kind of text, or all, in the order of `STANDINGS`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from groundrules.audit.results import (
    Result,
    read_report,
    rests_on,
    sorted_results,
    stated_on,
)
from groundrules.explain.findings import standing, why
from groundrules.explain.formats.html.markup import whole_page
from groundrules.explain.place import locate
from groundrules.explain.words import STANDINGS
from groundrules.files import write_atomically
from groundrules.terms import Report, Statement

PAGES, BEHIND = "pages", "dossier.json"
#: Texts of one page, and statements of a page of a list: such a page opens at once.
TEXTS, ROWS = 50, 250
_PAGE = Path(__file__).with_name("pages.html")
_SHOWN = 160  # code points of a statement in a list
_WORDS = 400  # and of a passage


class Entry(NamedTuple):
    """A statement, or a text, in a list: where it stands, and the words that tell it."""

    page: str
    name: str
    words: str


@dataclass(slots=True)
class Behind:
    """What the pages know that a line of a result has not.

    `groups` counts the statements of each list by standing; `models` and `params` are those of the
    checks, `overrides` what was decided, and `texts` where each text stands, by its key.
    """

    groups: dict[str, dict[str, int]] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=dict)
    overrides: list[dict[str, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)


def group(kind: str, name: str) -> str:
    """Return the name of the list of a rule, source, date or kind of text."""
    plain = name.replace("_", "-")
    if kind not in ("rule", "kind") or not plain.replace("-", "").isalnum() or not plain.isascii():
        plain = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:12]
    return f"{kind}-{plain}"


def link(groups: Mapping[str, Mapping[str, int]], name: str, told: str = "") -> str:
    """Return where a list begins, or its statements with one standing do; empty where none is."""
    counts = groups.get(name, {})
    if not sum(counts.values()) or (told and not counts.get(told)):
        return ""
    before = 0
    for one in STANDINGS:
        if one == told:
            break
        before += counts.get(one, 0) if told else 0
    return f"{PAGES}/{name}-{before // ROWS + 1}.html" + (f"#{told}" if told else "")


def write_pages(
    out: Path, keys: set[str], kinds: Mapping[str, str], at: str, style: str
) -> dict[str, Any]:
    """Write the pages of an audit anew; return what else they know, which `dossier.json` keeps.

    `kinds` says what came of each text by its key, `at` when the audit began. SourceError where a
    report is not there or has changed.
    """
    folder = out / PAGES
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    behind = Behind()
    lists: dict[str, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    rows: list[dict[str, Any]] = []
    for number, result in enumerate(sorted_results(out, keys)):
        page = f"texts-{number // TEXTS + 1}.html"
        if number and number % TEXTS == 0:
            _write(folder, f"texts-{number // TEXTS}.html", "Texts", style, texts=rows)
            rows = []
        here = Entry(f"{page}#{result.key[:16]}", result.id, result.place)
        behind.texts[result.key] = f"{PAGES}/{here.page}"
        lists[group("kind", kinds.get(result.key, ""))][""].append(here)
        report = None if result.error else read_report(out, result)
        rows.append(_text(result, report))
        if report is not None:
            _note(behind, result, report, f"{PAGES}/{page}")
            for name, told, entry in _entries(result, report, page, at):
                lists[name][told].append(entry)
    if rows:
        _write(folder, page, "Texts", style, texts=rows)
    for name, found in lists.items():
        behind.groups[name] = {one: len(entries) for one, entries in sorted(found.items())}
        _write_list(folder, name, found, style)
    data = {key: getattr(behind, key) for key in Behind.__slots__}
    write_atomically(out / BEHIND, (json.dumps(data, indent=1) + "\n").encode())
    return data


def _note(behind: Behind, result: Result, report: Report, page: str) -> None:
    """Keep what a report says of models, thresholds and decisions."""
    behind.models.update(report.run.models)
    behind.params.update(report.run.params)
    numbers = {one.fingerprint: one.number for one in report.statements}
    for decision in report.overrides:
        anchor = f"{result.key[:16]}-{numbers.get(decision.fingerprint, '')}".rstrip("-")
        behind.overrides.append(
            {
                "text": result.id,
                "href": f"{page}#{anchor}",
                "kind": decision.kind,
                "outcome": decision.outcome.value if decision.outcome else "",
                "by": decision.by,
                "at": decision.at,
                "why": decision.why,
                "fingerprint": decision.fingerprint,
            }
        )


def _entries(
    result: Result, report: Report, page: str, at: str
) -> Iterator[tuple[str, str, Entry]]:
    """Yield each statement with the lists that have it, and its standing."""
    keys, known = {one.name: one.key for one in result.sources}, stated_on(report)
    date = (result.date or at)[:10] or "no date"
    for statement in report.statements:
        told = standing(statement, report)
        words = " ".join(statement.text.split())
        words = words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…"
        entry = Entry(f"{page}#{result.key[:16]}-{statement.number}", result.id, words)
        source = rests_on(statement, known)
        yield "all", told, entry
        yield group("date", date), told, entry
        yield group("source", f"{source} {keys.get(source, '')}"), told, entry
        for rule in dict.fromkeys(one.rule for one in report.findings_of(statement)):
            yield group("rule", rule), told, entry


# --- how they look ----------------------------------------------------------------------------


def _text(result: Result, report: Report | None) -> dict[str, Any]:
    return {
        "result": result,
        "key": result.key[:16],
        "statements": [_statement(one, report) for one in report.statements] if report else [],
    }


def _statement(statement: Statement, report: Report) -> dict[str, Any]:
    place = statement.passages[0] if statement.passages else None
    said = report.sources.get(place.source, "")[place.start : place.end] if place else ""
    return {
        "number": statement.number,
        "text": statement.text,
        "standing": standing(statement, report),
        "why": why(statement, report),
        "rules": ", ".join(dict.fromkeys(one.rule for one in report.findings_of(statement))),
        "said": said if len(said) <= _WORDS else f"{said[: _WORDS - 1]}…",
        "place": str(locate(place, report) or place.source) if place else "",
    }


def _write_list(folder: Path, name: str, found: Mapping[str, Sequence[Entry]], style: str) -> None:
    """Write the pages of a list, its statements in the order of `STANDINGS`."""
    order = [one for one in ("", *STANDINGS) if found.get(one)]
    flat = [(told, entry) for told in order for entry in found[told]]
    first = {told: at for at, (told, _) in reversed([*enumerate(flat)]) if told}
    title = f"{len(flat):,} {'texts' if name.startswith('kind-') else 'statements'}"
    last = (len(flat) - 1) // ROWS + 1
    for number in range(1, last + 1):
        start = (number - 1) * ROWS
        rows = [
            (told, entry, first.get(told) == at)
            for at, (told, entry) in enumerate(flat[start : start + ROWS], start)
        ]
        _write(folder, f"{name}-{number}.html", title, style, list=name, rows=rows, number=number,
               last=last)  # fmt: skip


def _write(folder: Path, name: str, title: str, style: str, **given: Any) -> None:
    made = whole_page(_PAGE, style=style, title=title, standings=STANDINGS, **given)
    write_atomically(folder / name, made.encode(errors="backslashreplace"))

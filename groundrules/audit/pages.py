"""The pages behind a dossier: each statement of an audit with what it rests on, and lists.

`pages/texts-N.html` have the texts, `pages/GROUP-N.html` the statements that a number of the
dossier counts: of a rule, a source, a date, a kind of text, or all, in the order of `STANDINGS`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from groundrules.audit.results import (
    Result,
    read_report,
    rests_on,
    sorted_results,
    stated_on,
)
from groundrules.explain.findings import STANDINGS, standing, why_open
from groundrules.explain.formats.html.markup import element, plain_page, quoted
from groundrules.explain.place import locate
from groundrules.files import write_atomically
from groundrules.terms import Report, Statement

PAGES, BEHIND = "pages", "dossier.json"
#: Texts of one page, and statements of a page of a list: such a page opens at once.
TEXTS, ROWS = 50, 250
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
    rows: list[Markup] = []
    for number, result in enumerate(sorted_results(out, keys)):
        page = f"texts-{number // TEXTS + 1}.html"
        if number and number % TEXTS == 0:
            _write(folder, f"texts-{number // TEXTS}.html", "Texts", rows, style)
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
        _write(folder, page, "Texts", rows, style)
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


def _text(result: Result, report: Report | None) -> Markup:
    head = element("h2", quoted(result.id))
    where = element(
        "p", quoted(result.place), " · SHA-256 ", element("code", result.sha256), class_="dim"
    )
    if report is None:
        body = [element("p", "Could not be checked: ", quoted(result.error), class_="error")]
    else:
        body = [_statement(one, report, result) for one in report.statements]
    return element("article", head, where, *body, id=result.key[:16])


def _statement(statement: Statement, report: Report, result: Result) -> Markup:
    told = standing(statement, report)
    why = why_open(statement, report) or statement.note
    place = statement.passages[0] if statement.passages else None
    said = report.sources.get(place.source, "")[place.start : place.end] if place else ""
    said = said if len(said) <= _WORDS else f"{said[: _WORDS - 1]}…"
    rules = ", ".join(dict.fromkeys(one.rule for one in report.findings_of(statement)))
    return element(
        "section",
        element("p", element("b", STANDINGS[told], class_=told), " ", quoted(statement.text)),
        element("p", quoted(why), f" ({rules})" if rules else None) if why or rules else None,
        element(
            "p",
            quoted(f"“{said}”"),
            " ",
            quoted(str(locate(place, report) or place.source)),
            class_="dim",
        )
        if place
        else None,
        id=f"{result.key[:16]}-{statement.number}",
    )


def _write_list(folder: Path, name: str, found: Mapping[str, Sequence[Entry]], style: str) -> None:
    """Write the pages of a list, its statements in the order of `STANDINGS`."""
    order = [one for one in ("", *STANDINGS) if found.get(one)]
    flat = [(told, entry) for told in order for entry in found[told]]
    first: set[str] = set()
    pages = range(0, len(flat), ROWS)
    for start in pages:
        rows = []
        for told, (page, text, words) in flat[start : start + ROWS]:
            mark = element("b", STANDINGS[told], class_=told) if told else None
            anchor = element("a", quoted(text), href=page)
            own = None if told in first or not told else told
            first.add(told)
            rows.append(element("li", mark, " ", anchor, " ", quoted(words), id=own))
        number = start // ROWS + 1
        before, after = (_turn(name, number, len(pages), where) for where in ("above", "below"))
        title = f"{len(flat):,} {'texts' if name.startswith('kind-') else 'statements'}"
        _write(folder, f"{name}-{number}.html", title, [before, element("ul", *rows), after], style)


def _turn(name: str, number: int, last: int, where: str) -> Markup | None:
    """Return links to the pages before and after, where there is more than one."""
    if last == 1:
        return None
    parts: list[str] = [f"page {number} of {last} "]
    if number > 1:
        parts.append(element("a", "earlier", href=f"{name}-{number - 1}.html"))
    if number < last:
        parts += [" ", element("a", "later", href=f"{name}-{number + 1}.html")]
    return element("nav", *parts, aria_label=f"pages, {where}")


def _write(folder: Path, name: str, title: str, parts: Iterable[Markup | None], style: str) -> None:
    back = element("p", element("a", "back to the report", href="../report.html"))
    made = plain_page(title, back, element("h1", title), *parts, style=style)
    write_atomically(folder / name, made.encode(errors="backslashreplace"))

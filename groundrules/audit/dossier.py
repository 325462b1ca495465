"""The dossier of an audit, `report.html`: what an auditor reads, checks by links, and signs.

All of it comes from what stands in the folder: `report.json`, `dossier.json`, `sample.csv` and
`sign-off.json`. So it is made anew where a sample was filled in or somebody has signed.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from groundrules.audit.pages import BEHIND, group, link, write_pages
from groundrules.audit.results import as_written
from groundrules.audit.sampling import SAMPLE, Reading, read_sample
from groundrules.audit.signoff import read_sign_off
from groundrules.audit.summary import KINDS, REPORT_JSON, Summary, told_counts
from groundrules.explain.formats.html.markup import element, joined, quoted, whole_page
from groundrules.explain.listing import UNSETTLED_PAGE
from groundrules.explain.words import COLOURS, DECIDED, STANDINGS
from groundrules.files import write_atomically

DOSSIER = "report.html"
_ROWS = 50  # of a table
_BARS = 12  # of a picture
_FOLDER = Path(__file__).parent
_STYLE = _FOLDER / "dossier.css"
_WHERE = ("where", "why")
Data = Mapping[str, Any]
Row = Sequence[str | Markup]
Bar = tuple[str, Mapping[str, int]]
Table = tuple[Sequence[str], Sequence[Row], int]


def write_dossier(
    out: Path, summary: Summary, keys: set[str], at: str, logged: Mapping[str, str] | None = None
) -> None:
    """Write `report.html` and the pages behind it for a folder that has its `report.json`.

    `logged` has the `log`, its `head`, and the files `key_file` and `public_key` by which it is
    signed and verified. SourceError where a report has changed.
    """
    behind = write_pages(out, keys, summary.kinds, at, _STYLE.read_text("utf-8"))
    behind["logged"] = dict(logged or {})
    write_atomically(out / BEHIND, (json.dumps(behind, indent=1) + "\n").encode())
    refresh(out)


def refresh(out: Path) -> None:
    """Write `report.html` anew from what the folder has.

    SourceError where the folder has no dossier.
    """
    data, behind, sample = _load(out / REPORT_JSON), _load(out / BEHIND), _sample(out)
    made = whole_page(
        _FOLDER / "dossier.html",
        style=_STYLE.read_text("utf-8"),
        title="Audit",
        data=data,
        behind=behind,
        signed=read_sign_off(out),
        sample=sample,
        drawn_before=sample is not None and _is_older(sample, data),
        commands=_commands(out),
        tables=_tables(data, behind, sample),
        pictures=_pictures(data, behind),
        unchecked=[one for one in ("error", "unverifiable") if data["counts"]["outcomes"][one]],
        all_of=lambda told: link(behind["groups"], "all", told),
        standings=STANDINGS,
        colours=COLOURS,
        report_json=REPORT_JSON,
        unsettled_page=UNSETTLED_PAGE,
        told=told_counts(data["counts"]["texts"], len(data["unchecked"]["inputs"])),
        verify=_verify,
        join=shlex.join,
    )
    write_atomically(out / DOSSIER, made.encode(errors="backslashreplace"))


def _load(path: Path) -> dict[str, Any]:
    with as_written(path):
        return dict(json.loads(path.read_bytes()))


def _sample(out: Path) -> Reading | None:
    path = out / SAMPLE
    return read_sample(path) if path.exists() else None


def _is_older(sample: Reading, data: Data) -> bool:
    counts = data["counts"]["outcomes"]
    return any(one.of != counts[told] for told, one in sample.verdicts.items())


def _commands(out: Path) -> Mapping[str, str]:
    """Return the command that reads a sample, and the folder."""
    words = {
        "read": ["groundrules", "audit", "--sample-read", str(out / SAMPLE)],
        "out": [str(out)],
    }
    return {name: shlex.join(one) for name, one in words.items()}


def _verify(logged: Mapping[str, str]) -> str:
    """Return the command that verifies a log."""
    words = ["groundrules", "log", "verify", logged["log"], "--head", logged["head"]]
    if logged.get("public_key"):
        words += ["--public-key", logged["public_key"]]
    return shlex.join(words)


# --- pictures and tables ----------------------------------------------------------------------


def _pictures(data: Data, behind: Data) -> Mapping[str, tuple[str, list[Bar]]]:
    """Return the bars of statements: a title, and of each bar its name and counts."""
    found = _by_rule(data, behind)
    named = [(f"{one['rule']} {one['name']}", of) for one, of in found if sum(of.values())]
    sources = [(one["name"] or "none", one["outcomes"]) for one in data["sources"]]
    dates = [(one["date"], one["outcomes"]) for one in data["dates"][-_BARS:]]
    return {
        "outcomes": ("Statements", [("all texts", data["counts"]["outcomes"])]),
        "rules": ("Statements by rule", named[:_BARS]),
        "sources": ("Statements by source", sources[:_BARS]),
        "dates": ("Statements by date", dates),
    }


def _by_rule(data: Data, behind: Data) -> list[tuple[Data, Mapping[str, int]]]:
    """Return the rules with how many statements each has, those with most first."""
    groups = behind["groups"]
    found = [(one, groups.get(group("rule", one["rule"]), {})) for one in data["rules"]]
    return sorted(found, key=lambda pair: (-sum(pair[1].values()), pair[0]["rule"]))


def _tables(data: Data, behind: Data, sample: Reading | None) -> Mapping[str, Table]:
    """Return the tables: the heading, the rows, and how many rows there are."""
    groups, counts, pages = behind["groups"], data["counts"], behind["texts"]
    outcomes, total, texts = counts["outcomes"], counts["statements"], counts["texts"]
    shown = [one for one in STANDINGS if outcomes[one]]  # of the others a column says nothing
    columns = [STANDINGS[one] for one in shown]

    def cells(of: Mapping[str, int], name: str) -> list[Markup]:
        return [_number(of[one], link(groups, name, one)) for one in shown]

    used = [("pack", quoted(name), _code(digest)) for name, digest in data["packs"].items()]
    used += [("model", quoted(name), _code(value)) for name, value in behind["models"].items()]
    used += [
        (quoted(one["role"]), quoted(one["name"]), _code(one["sha256"]))
        for one in data["knowledge"]
    ]
    standings = [
        (element("b", told, class_=one), _number(outcomes[one], link(groups, "all", one)),
         _percent(outcomes[one], total))
        for one, told in STANDINGS.items()
        if one not in DECIDED or outcomes[one]
    ]  # fmt: skip
    kinds = [
        (why, _number(texts[kind], link(groups, group("kind", kind))),
         _percent(texts[kind], sum(texts.values())))
        for kind, why in KINDS.items()
    ]  # fmt: skip
    rules = [
        (quoted(f"{one['rule']} {one['name']}"), one["severity"],
         _number(sum(of.values()), link(groups, group("rule", one["rule"]))),
         f"{one['count']:,}", f"{one['overridden']:,}", f"{one['texts']:,}")
        for one, of in _by_rule(data, behind)
    ]  # fmt: skip
    sources = [
        (joined(quoted(one["name"] or "none"), " ",
                _code(one["sha256"]) if one.get("sha256") else None),
         *cells(one["outcomes"], group("source", f"{one['name']} {one['key']}")))
        for one in data["sources"]
    ]  # fmt: skip
    dates = [
        (quoted(one["date"]), *cells(one["outcomes"], group("date", one["date"])))
        for one in reversed(data["dates"])
    ]
    bad = ("error", "refuted", "conflicting", "unverifiable")
    worst = [one for one in data["texts"] if any(one["outcomes"].get(name) for name in bad)]
    worst.sort(key=lambda one: (*(-one["outcomes"].get(name, 0) for name in bad), one["id"]))
    against = [
        (element("a", quoted(one["id"]), href=pages[one["key"]]), quoted(one["place"]),
         *(_number(one["outcomes"].get(name, 0), pages[one["key"]]) for name in shown))
        for one in worst
    ]  # fmt: skip
    decided = [
        (element("a", quoted(one["text"]), href=one["href"]), quoted(one["kind"]),
         quoted(one["outcome"].replace("_", " ") or "set aside"), quoted(one["by"]),
         quoted(one["at"][:10]), quoted(one["why"]))
        for one in behind["overrides"]
    ]  # fmt: skip
    left = data["unchecked"]
    return {
        "inputs": (_WHERE, [_quoted(one, "place", "message") for one in left["inputs"]], _ROWS),
        "texts": (_WHERE, [_quoted(one, "id", "reason") for one in left["texts"]], _ROWS),
        "parts": (_WHERE, [_quoted(one, "id", "reason") for one in left["parts"]], _ROWS),
        "settings": (("setting", "value"), _pairs(data["settings"]), _ROWS),
        "used": (("what", "name", "hash or value"), used, len(used)),
        "thresholds": (("name", "value"), _pairs(behind["params"]), len(behind["params"])),
        "standings": (("statements", "number", "share"), standings, _ROWS),
        "kinds": (("what came of it", "texts", "share"), kinds, _ROWS),
        "unsettled": (("text", "statements left open"),
                      [_quoted(one, "id", "open") for one in data["unsettled"]], _ROWS),
        "renamed": (("text", "its id was", "where"),
                    [_quoted(one, *one) for one in data["renamed"]], _ROWS),
        "rules": (("rule", "severity", "statements", "found", "set aside", "texts"), rules, _ROWS),
        "sources": (("source and its SHA-256", *columns), sources, _ROWS),
        "dates": (("date", *columns), dates, _ROWS),
        "worst": (("text", "where", *columns), against, _ROWS),
        "sample": (("verdict", "there are", "read", "wrong", "share wrong", "interval"),
                   _sampled(sample) if sample else [], _ROWS),
        "decided": (("text", "how", "now counts as", "by", "on", "why"), decided, _ROWS),
    }  # fmt: skip


def _sampled(found: Reading) -> list[Row]:
    rows: list[Row] = [
        (element("b", STANDINGS[told], class_=told),
         *(f"{number:,}" for number in (one.of, one.read, one.wrong)),
         f"{one.wrong / one.read:.1%}" if one.read else "–", f"{one.low:.1%} to {one.high:.1%}")
        for told, one in found.verdicts.items()
    ]  # fmt: skip
    if (share := found.share) is not None:
        low, high = found.bounds
        rows.append(("all, by how many there are of each", f"{found.of:,}", f"{found.read:,}",
                     f"{found.wrong:,}", f"{share:.1%}", f"{low:.1%} to {high:.1%}"))  # fmt: skip
    return rows


def _quoted(one: Mapping[str, str], *names: str) -> Row:
    return [quoted(one[name]) for name in names]


def _pairs(found: Mapping[str, object]) -> list[Row]:
    return [(quoted(name), _code(str(value))) for name, value in found.items()]


def _code(text: str) -> Markup:
    return element("code", text)


def _number(count: int, href: str) -> Markup:
    told = f"{count:,}"
    return element("a", told, href=href) if href and count else joined(told)


def _percent(count: int, total: int) -> str:
    return f"{count / total:.1%}" if total else "–"

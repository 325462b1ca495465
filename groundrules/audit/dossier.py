"""The dossier of an audit, `report.html`: what an auditor reads, checks by links, and signs.

It is made of `report.json`, `dossier.json` and `sample.csv`, and anew with them.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from groundrules.audit.kept import hash_of
from groundrules.audit.results import Result, as_written, read_report, sorted_results
from groundrules.audit.sampling import SAMPLE, read_sample
from groundrules.audit.summary import KINDS, REPORT_JSON, told_counts
from groundrules.explain.formats import Look, html
from groundrules.explain.formats.html.markup import whole_page
from groundrules.explain.listing import UNSETTLED_PAGE
from groundrules.explain.words import COLOURS, DECIDED, STANDINGS
from groundrules.files import write_atomically
from groundrules.terms import Logged, Report

DOSSIER, BEHIND, PAGES = "report.html", "dossier.json", "html"
_FOLDER = Path(__file__).parent
_STYLE = _FOLDER / "dossier.css"
#: The outcomes that speak against a text, the gravest first.
_BAD = ("error", "refuted", "conflicting", "unverifiable")
Data = Mapping[str, Any]


def write_dossier(
    out: Path, keys: set[str], look: Look, logged: Mapping[str, str] | None = None
) -> None:
    """Write `report.html`, and the page of each text, for a folder that has its `report.json`.

    `look` is that of the pages; `logged` has the `log`, its `head`, and the file `public_key` by
    which it is verified; without it that of the run before holds, as long as `report.json` is as it
    was logged. SourceError where a report has changed.
    """
    digest = hash_of(out / REPORT_JSON)
    before = _load(out / BEHIND)["logged"] if (out / BEHIND).exists() else {}
    logged = logged or (before if before.get("report") == digest else {})
    logged = logged and {**logged, "report": digest}
    behind: dict[str, Any] = {"logged": logged, "models": {}, "params": {}, "overrides": []}
    (out / PAGES).mkdir(exist_ok=True)
    stands = Logged(Path(logged["log"]).name, logged["head"], logged["key"]) if logged else None
    for result in sorted_results(out, keys):
        if not result.error:
            report = replace(read_report(out, result), logged=stands)
            page = html.render([report], look).encode(errors="backslashreplace")
            write_atomically(out / PAGES / f"{result.key}.html", page)
            behind["models"].update(report.run.models)
            behind["params"].update(report.run.params)
            behind["overrides"] += _overrides(result, report)
    write_atomically(out / BEHIND, (json.dumps(behind, indent=1) + "\n").encode())
    refresh(out)


def _overrides(result: Result, report: Report) -> Iterator[dict[str, str]]:
    """Yield what was decided of a text, each with the place of the statement in its page."""
    numbers = {one.fingerprint: f"s{one.number}" for one in report.statements}
    for one in report.overrides:
        anchor = numbers.get(one.fingerprint, "top")
        told = {"text": result.id, "href": f"{PAGES}/{result.key}.html#{anchor}"}
        outcome = one.outcome.value if one.outcome else ""
        yield told | {
            "kind": one.kind,
            "outcome": outcome,
            "by": one.by,
            "at": one.at,
            "why": one.why,
        }


def refresh(out: Path) -> None:
    """Write `report.html` anew from what the folder has.

    SourceError where the folder has no dossier.
    """
    data, behind, path = _load(out / REPORT_JSON), _load(out / BEHIND), out / SAMPLE
    sample = read_sample(path) if path.exists() else None
    counts = data["counts"]["outcomes"]
    shown = [one for one in STANDINGS if counts[one]]  # of the others a column says nothing
    made = whole_page(
        _FOLDER / "dossier.html",
        style=_STYLE.read_text("utf-8"),
        title="Audit",
        data=data,
        behind=behind,
        sample=sample,
        drawn_before=sample
        and any(one.of != counts[told] for told, one in sample.verdicts.items()),
        sample_file=str(path),
        worst=sorted(data["texts"], key=_against, reverse=True),
        kinds=KINDS,
        unchecked=[one for one in ("error", "unverifiable") if counts[one]],
        standings=STANDINGS,
        rows=[one for one in STANDINGS if one not in DECIDED or counts[one]],
        shown=shown,
        columns=[f"#{STANDINGS[one]}" for one in shown],
        used=[
            *(("pack", name, digest) for name, digest in data["packs"].items()),
            *(("model", name, value) for name, value in behind["models"].items()),
            *((one["role"], one["name"], one["sha256"]) for one in data["knowledge"]),
        ],
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


def _verify(logged: Mapping[str, str]) -> str:
    """Return the command that verifies a log."""
    look = Look(public_key=logged.get("public_key", ""))
    return html.verify(look, Logged(logged["log"], logged["head"]))


def _against(text: Data) -> tuple[int, ...]:
    """Return how many statements of a text have each outcome that speaks against it."""
    return tuple(text["outcomes"].get(name, 0) for name in _BAD)

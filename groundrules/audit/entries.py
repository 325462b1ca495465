"""What a run writes to an audit log: its start, each text that it checked, and its end."""

from __future__ import annotations

import gzip
import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from groundrules import __version__
from groundrules.audit import canonical
from groundrules.audit.answered import Answered
from groundrules.audit.kept import Kept
from groundrules.audit.log import Event, Log
from groundrules.audit.settings import keep_file, keep_files
from groundrules.checks.inputs import unread
from groundrules.claims.document import Document
from groundrules.config import Config
from groundrules.explain.formats.json import encode
from groundrules.rules.packs import load_packs
from groundrules.terms import Conclusion, Logged, Override, Report

#: What of a document is kept, and what of a run changes from one time to the next.
_OF_DOCUMENT = ("name", "text", "format", "unread", "sha256")
_PASSING = ("times", "calls", "at")


def begin(log: Log, kept: Kept, config: Config, run: str = "") -> str:
    """Log the start of a run, keep its settings with the files that they name, and return its id.

    What is too large to be kept, or made of more than files, is named in `left`.
    """
    run = run or secrets.token_hex(8)
    files, left = keep_files(kept, config)
    settings = {key: json.loads(value) for key, value in config.chosen}
    data = {"settings": settings, "offline": bool(config.offline), "files": files}
    packs = load_packs(config.packs_in_force, config.base)
    told = {
        "version": __version__,
        "packs": [[pack.name, pack.digest] for pack in packs],
        "left": left,
    }
    log.append(run, [Event("run.start", kept.keep(canonical.dumps(data)), told)])
    return run


def record(
    log: Log,
    kept: Kept,
    report: Report,
    *,
    run: str,
    snapshot: Path | None = None,
    answered: Answered | None = None,
    key: str = "",
) -> str:
    """Log one checked text, all at once, and return the hash of the last line.

    `report` is what `api.check` returned, in this process or another, with its overrides; `run` is
    the id that `begin` returned. Text and sources are kept as the report has them, and the bytes
    of files that still have their hash; so is the report, without time and cost. `snapshot` is
    the file that answered in place of the endpoints, and `answered` what they and a language model
    answered, as `keep_answers` has kept it. Every text of a run may be logged by a process of its
    own; `key` names it in an audit.
    """
    name = {"text": report.source}
    events: list[Event] = []
    for document in documents_of(report):
        data = {field: getattr(document, field) for field in _OF_DOCUMENT}
        kind = "source.in" if events else "text.in"
        told = {
            "name": document.name,
            "format": document.format,
            "sha256": document.sha256,
            "file": keep_file(kept, document),
        }
        events.append(Event(kind, kept.keep(canonical.dumps(data)), {**name, **told}))
    if snapshot:
        events.append(Event("kb.answers", kept.keep(snapshot.read_bytes()), name))
    if answered and answered.responses:
        asked = {"day": answered.day, "responses": list(answered.responses)}
        events.append(Event("kb.answers", fields={**name, **asked}))
    if answered and answered.replies:
        events.append(Event("llm.answers", answered.replies, name))
    events += [Event(kind, fields={**name, **told}) for kind, told in _findings(report)]
    written = canonical.dumps(lasting(report))
    conforms = {
        Conclusion.PASSES: "yes",
        Conclusion.FAILS: "no",
        Conclusion.NOT_SETTLED: "not settled",
        Conclusion.NOT_CHECKED: "not all could be checked",
    }[report.conclusion]
    end = {
        "conforms": conforms,
        "checked": report.run.at,
        "version": report.run.version,
        "models": [list(pair) for pair in report.run.models],
        "sha256": hashlib.sha256(written).hexdigest(),
        **({"key": key} if key else {}),
    }
    packed = gzip.compress(written, mtime=0)  # a tenth of it, where texts are many
    events.append(Event("report", kept.keep(packed), {**name, **end}))
    return log.append(run, events)


def fail(log: Log, run: str, text: str, why: str, key: str = "") -> str:
    """Log that a text could not be checked; `key` names it in an audit."""
    named = {"key": key} if key else {}
    return log.append(run, [Event("fault", fields={"text": text, "why": why, **named})])


def finish(
    log: Log, run: str, counts: Mapping[str, int], written: Mapping[str, str] | None = None
) -> Logged:
    """Log the end of a run with its counts, such as those of `counts_of`; return how it stands.

    `written` has the folder of an `audit`, from that of the log, and the hash of its `report`.
    """
    fields = {"counts": dict(counts), **(written or {})}
    head = log.append(run, [Event("run.end", fields=fields)])
    return Logged(log.path.name, head, log.signer)


def counts_of(reports: Iterable[Report]) -> dict[str, int]:
    """Return how many texts, statements by outcome, findings by severity and overrides there are.

    What was decided of a statement counts, and findings that no longer do are left out.
    """
    counts: Counter[str] = Counter()
    for report in reports:
        counts["texts"] += 1
        counts["overrides"] += len(report.overrides)
        counts.update(report.outcome_of(statement).value for statement in report.statements)
        counts.update(v.severity.value for v in report.violations if report.stands(v))
    return dict(sorted(counts.items()))


def lasting(report: Report) -> dict[str, Any]:
    """Return what of a report must come out again when it is replayed, as JSON.

    Texts are left out, which are kept by themselves, and so are times and costs.
    """
    data = encode(report)
    data["run"] = {key: data["run"][key] for key in data["run"] if key not in _PASSING}
    return {key: value for key, value in data.items() if key not in ("text", "sources", "logged")}


def documents_of(report: Report) -> list[Document]:
    """Return the text of a report and its sources as documents, the text first."""
    texts = {**report.sources, report.source: report.text}
    given = [one for one in report.run.inputs if one.role in ("text", "context")]
    found = [
        Document(one.name, texts[one.name], one.format, sha256=one.sha256)
        for one in given
        if one.name in texts
    ]
    # what was not read of a file is not in its text; the rest of `unread` follows from that
    told = set(unread(found[0], found[1:])) if found else set()
    for line in report.unread:
        near = [place for place, one in enumerate(found) if line.startswith(f"{one.name}: ")]
        if line not in told and near:
            place = max(near, key=lambda at: len(found[at].name))
            what = line.removeprefix(f"{found[place].name}: ")
            found[place] = replace(found[place], unread=(*found[place].unread, what))
    return found


def _findings(report: Report) -> Iterator[tuple[str, dict[str, Any]]]:
    for statement in report.statements:
        yield (
            "statement",
            {
                "number": statement.number,
                "fingerprint": statement.fingerprint,
                "outcome": statement.outcome.value,
                "rule": statement.reason,
            },
        )
    for violation in report.violations:
        yield (
            "violation",
            {
                "rule": violation.rule,
                "severity": violation.severity.value,
                "fingerprint": violation.fingerprint,
                "stands": report.stands(violation),
            },
        )
    for one in report.overrides:
        yield "override", decision_of(one)


def decision_of(override: Override) -> dict[str, str]:
    """Return the fields of an event "override"."""
    return {
        "fingerprint": override.fingerprint,
        "decision": override.kind,
        "outcome": override.outcome.value if override.outcome else "",
        "why": override.why,
        "by": override.by,
        "decided": override.at,
    }

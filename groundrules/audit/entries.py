"""What a run writes to an audit log: its start, each text that it checked, and its end."""

from __future__ import annotations

import gzip
import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from groundrules import __version__
from groundrules.audit import canonical
from groundrules.audit.answered import Answered, is_snapshot
from groundrules.audit.kept import beside
from groundrules.audit.log import Event, Log, read
from groundrules.audit.results import Result
from groundrules.audit.settings import keep_file, keep_files
from groundrules.checks.inputs import unread
from groundrules.claims.documents.document import Document
from groundrules.config import Config
from groundrules.explain.formats.json import encode
from groundrules.rules.packs import load_packs
from groundrules.terms import Conclusion, Logged, Override, Report

#: What of a document is kept, and what of a run changes from one time to the next.
_OF_DOCUMENT = ("name", "text", "format", "unread", "sha256")
_PASSING = ("times", "calls", "at")
_CONFORMS = {
    Conclusion.PASSES: "yes",
    Conclusion.FAILS: "no",
    Conclusion.NOT_SETTLED: "not settled",
    Conclusion.NOT_CHECKED: "not all could be checked",
}


class RunLog:
    """A run of an audit log, whose start is logged at once with its settings and their files.

    What is too large to be kept, or made of more than files, is named in `left`.
    """

    def __init__(self, log: Log, config: Config) -> None:
        self.log, self.kept = log, beside(log.path)
        self.run = secrets.token_hex(8)
        self._snapshot = Path(config.offline) if is_snapshot(config) else None
        files, left = keep_files(self.kept, config)
        settings = {key: json.loads(value) for key, value in config.chosen}
        data = {"settings": settings, "offline": bool(config.offline), "files": files}
        packs = load_packs(config.packs_in_force, config.base)
        told = {
            "version": __version__,
            "packs": [[pack.name, pack.digest] for pack in packs],
            "left": left,
        }
        start = self.kept.keep(canonical.dumps(data))
        log.append(self.run, [Event("run.start", start, told)])

    def record(self, report: Report, answered: Answered | None = None, key: str = "") -> None:
        """Log one checked text, all at once.

        `report` is what `api.check` returned, with its overrides. Text and sources are kept as it
        has them, and the bytes of files that still have their hash; so is the report, without time
        and cost. `answered` is what endpoints and a language model answered, as `keep_answers` has
        kept it; `key` names the text in an audit.
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
                "file": keep_file(self.kept, document),
            }
            events.append(Event(kind, self.kept.keep(canonical.dumps(data)), {**name, **told}))
        if self._snapshot:
            events.append(Event("kb.answers", self.kept.keep(self._snapshot.read_bytes()), name))
        if answered and answered.snapshot:
            events.append(Event("kb.answers", answered.snapshot, name))
        if answered and answered.replies:
            events.append(Event("llm.answers", answered.replies, name))
        events += [Event(kind, fields={**name, **told}) for kind, told in _findings(report)]
        written = canonical.dumps(lasting(report))
        end = {
            "conforms": _CONFORMS[report.conclusion],
            "checked": report.run.at,
            "version": report.run.version,
            "models": [list(pair) for pair in report.run.models],
            "sha256": hashlib.sha256(written).hexdigest(),
            **({"key": key} if key else {}),
        }
        packed = gzip.compress(written, mtime=0)  # a tenth of it, where texts are many
        events.append(Event("report", self.kept.keep(packed), {**name, **end}))
        self.log.append(self.run, events)

    def fail(self, text: str, why: str, key: str = "") -> None:
        """Log that a text could not be checked; `key` names it in an audit."""
        named = {"key": key} if key else {}
        self.log.append(self.run, [Event("fault", fields={"text": text, "why": why, **named})])

    def told(self) -> set[str]:
        """Return the keys of the texts of audits that the log has."""
        return {event["key"] for event in read(self.log.path) if "key" in event}

    def finished(self, result: Result, report: Callable[[], Report]) -> None:
        """Log a text of an audit whose result is written."""
        if result.error:
            self.fail(result.id, result.error, result.key)
        else:
            self.record(report(), result.answered, result.key)

    def finish(self, **written: str) -> Logged:
        """Log the end of the run; return how the log stands then.

        `written` has the folder of an `audit`, from that of the log, and the hash of its `report`.
        """
        head = self.log.append(self.run, [Event("run.end", fields=written)])
        return Logged(self.log.path.name, head, self.log.signer)


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

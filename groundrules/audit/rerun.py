"""A logged check done again from what was kept of it: without network, and without any model asked.

What a knowledge base or a language model answered is replayed. The report must come out as it was,
to the byte of its canonical JSON, but for when it was made and what it has cost.
"""

from __future__ import annotations

import json
import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from groundrules import api, plugins
from groundrules.audit import canonical, settings
from groundrules.audit.entries import lasting
from groundrules.audit.kept import Kept, beside
from groundrules.audit.log import read
from groundrules.audit.results import document_of
from groundrules.config import Config
from groundrules.errors import GroundrulesError, SourceError, did_you_mean
from groundrules.explain.findings import UNGRADED
from groundrules.llm.client import Client
from groundrules.rules.packs import built_in
from groundrules.terms import Outcome, Override, Report

_CACHE = "GROUNDRULES_CACHE"
_LLM = "language model"
_MOST_BYTES = 2**30  # of a report
_CLIPPED = 60  # characters of a statement, or of a setting, that are shown
#: What data of another form than ours raises when it is read.
_ODD = (AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError, zlib.error)


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of a text: `same` is None where it could not be checked again, and `why` says why.

    Where it is False, `why` says where the two differ, and then what else is other than it was.
    """

    run: str
    text: str
    same: bool | None
    why: tuple[str, ...] = ()


@dataclass(slots=True)
class _Text:
    """A text of a log: the hashes of it and of its sources, of answers and of its report."""

    run: str
    name: str
    documents: list[str] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    report: str = ""
    checked: str = ""


def replay(path: Path, *, run: str = "", text: str = "") -> Iterator[Replay]:
    """Yield what comes of each text of a log when it is checked again; of one run or text if named.

    SourceError where the log is not whole, or has no such run or text.
    """
    starts: dict[str, str] = {}
    texts: list[_Text] = []
    erased: set[str] = set()
    for event in read(path):
        if event["kind"] == "erased":
            erased.add(event["payload"])
        if event["kind"] == "run.start":
            starts[event["run"]] = event["payload"]
        _note(event, texts)
    for what, name, known in (
        ("run", run, list(starts)),
        ("text", text, list(dict.fromkeys(one.name for one in texts))),
    ):
        if name and name not in known:
            raise SourceError(f"has no {what} {name!r}{did_you_mean(name, known)}", path=str(path))
    kept = beside(path, erased)
    for one in texts:
        if run in ("", one.run) and text in ("", one.name):
            yield _replayed(one, starts.get(one.run, ""), kept)


def _note(event: Mapping[str, Any], texts: list[_Text]) -> None:
    """Add what an event says of a text; those of one text follow each other."""
    kind, payload = event["kind"], event["payload"]
    if kind == "text.in":
        texts.append(_Text(event["run"], event["text"]))
    if not texts or event.get("text") != texts[-1].name or event["run"] != texts[-1].run:
        return
    if kind in ("text.in", "source.in"):
        texts[-1].documents.append(payload)
    elif kind in ("kb.answers", "llm.answers"):
        texts[-1].answers[kind] = payload
    elif kind == "report":
        texts[-1].report, texts[-1].checked = payload, event["checked"]


def _replayed(text: _Text, start: str, kept: Kept) -> Replay:
    if not text.report:
        return Replay(text.run, text.name, None, ("its check was not logged to its end",))
    try:
        logged = json.loads(_unpacked(kept.get(text.report)))
        with tempfile.TemporaryDirectory() as folder:
            report = _checked(text, logged, start, kept, Path(folder))
    except (GroundrulesError, *_ODD) as error:
        told = str(error) if isinstance(error, GroundrulesError) else f"not as it was kept: {error}"
        return Replay(text.run, text.name, None, (told,))
    why = tuple(_differences(logged, lasting(report), asked="llm.answers" in text.answers))
    return Replay(text.run, text.name, not why, why)


def _unpacked(data: bytes) -> bytes:
    """Return what was packed by gzip, if it is not more than a report can be."""
    packed = zlib.decompressobj(wbits=31)
    found = packed.decompress(data, _MOST_BYTES)
    if not packed.eof:
        raise ValueError("cut off, or too large")
    return found


def _checked(
    text: _Text, logged: Mapping[str, Any], start: str, kept: Kept, folder: Path
) -> Report:
    """Return the report of a text that is checked again."""
    document, *contexts = (document_of(kept.get(payload)) for payload in text.documents)
    if not start:
        raise SourceError("the start of its run is not in the log")
    data = json.loads(kept.get(start))
    config = settings.lay_out(data, kept, folder)
    config = _offline(config, text, kept, folder, replayed=data["offline"])
    client = None
    if config.llm.model != "never":
        client = _client(config, text, kept, folder)
    now = datetime.fromisoformat(text.checked) if text.checked else None
    with _uncached():
        asked = logged["run"]["question"]
        report = api.check(
            document, context=contexts, question=asked, config=config, now=now, client=client
        )
    return report.with_overrides(tuple(map(_decision, logged["overrides"])))


def _decision(data: Mapping[str, Any]) -> Override:
    outcome = Outcome(data["outcome"]) if data["outcome"] else None
    return Override(data["fingerprint"], data["kind"], data["why"], data["by"], data["at"], outcome)


def _offline(config: Config, text: _Text, kept: Kept, folder: Path, *, replayed: bool) -> Config:
    """Return settings under which no endpoint is asked: its answers are those that were kept."""
    answers = text.answers.get("kb.answers", "")
    snapshot = folder / "answers.sqlite"
    if answers:
        snapshot.write_bytes(kept.get(answers))
    elif replayed or any(map(plugins.scheme, config.kb)):
        raise SourceError("what its knowledge base answered was not kept")
    else:
        return config
    return replace(config, offline=str(snapshot))


def _client(config: Config, text: _Text, kept: Kept, folder: Path) -> Client:
    """Return a client that has what a language model answered, and asks none."""
    path = folder / "answers.jsonl"
    answers = text.answers.get("llm.answers", "")
    path.write_bytes(kept.get(answers) if answers else b"")
    # what was not asked for its price has no answer, so no limit is needed to leave it out
    return Client(replace(config.llm, max_calls=0, max_cost=0.0), answers=path)


@contextmanager
def _uncached() -> Iterator[None]:
    """Have nothing answered from a cache, which would be the report itself."""
    before = os.environ.get(_CACHE)
    os.environ[_CACHE] = "off"
    try:
        yield
    finally:
        del os.environ[_CACHE]
        if before is not None:
            os.environ[_CACHE] = before


# --- what differs -------------------------------------------------------------------------------


def _differences(then: Mapping[str, Any], now: Mapping[str, Any], *, asked: bool) -> Iterator[str]:
    """Yield where two reports differ: the first statement, else what else, and the run."""
    then, now = _told(then, asked=asked), _told(now, asked=asked)
    if canonical.dumps(then) == canonical.dumps(now):
        return
    places = [key for key in now if then.get(key) != now[key] and key != "run"]
    if "statements" in places:
        yield _statement(then["statements"], now["statements"])
    else:
        yield f"other {places[0]}" if places else "every verdict and finding is the same"
    run, again = then["run"], now["run"]
    for key in run | again:
        one, other = run.get(key), again.get(key)
        if isinstance(one, list) and isinstance(other, list):  # of many, those that differ
            one, other = ([x for x in a if x not in b] for a, b in ((one, other), (other, one)))
        if one != other:
            yield f"{key}: {_clipped(json.dumps(one))} then, {_clipped(json.dumps(other))} now"


def _told(data: Mapping[str, Any], *, asked: bool) -> dict[str, Any]:
    """Return a report without what only says from where something was read or asked."""
    run = dict(data["run"])
    run.pop("settings")
    run["inputs"] = [
        one if one["role"] in ("text", "context", "question") else {**one, "name": ""}
        for one in run["inputs"]
        if one["role"] != "snapshot"
    ]
    run["packs"] = [
        {**one, "name": one["name"] if one["name"] in built_in() else ""} for one in run["packs"]
    ]
    run["models"] = [one for one in run["models"] if one["name"] != _LLM]
    if not asked:
        return {**data, "run": run}
    run["notes"] = []  # among them what the endpoint of the model refused
    # why it gave no answer, which the reason may tell, is not kept: that it gave none is
    unasked = [one for one in data.get("unasked", ()) if not one.startswith(_LLM)]
    statements = [
        {**one, "note": ""} if one.get("reason") == UNGRADED else one for one in data["statements"]
    ]
    return {**data, "run": run, "reason": "", "unasked": unasked, "statements": statements}


def _statement(then: list[dict[str, Any]], now: list[dict[str, Any]]) -> str:
    """Return how the first statement differs that does."""
    for one, other in zip(then, now, strict=False):
        if one == other:
            continue
        place = f"statement {one['number'] + 1} “{_clipped(one['text'])}”"
        before, after = (f"{s['outcome']} ({s['reason']})" for s in (one, other))
        if before != after:
            return f"{place}: {before} then, {after} now"
        keys = ", ".join(key for key in one if one[key] != other.get(key))
        return f"{place}: {before} both times; other {keys}"
    return f"{len(then)} statements then, {len(now)} now"


def _clipped(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _CLIPPED else f"{words[:_CLIPPED]}…"

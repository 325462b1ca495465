"""Laws of a replay: what was kept gives the same report again, and what differs is told."""

from __future__ import annotations

import gzip
import json
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from groundrules import api
from groundrules.audit import log as log_
from groundrules.audit import rerun
from groundrules.audit.answered import Answered, keep_answers
from groundrules.audit.entries import RunLog, documents_of
from groundrules.audit.kept import Kept, beside
from groundrules.audit.log import Log
from groundrules.audit.rerun import Replay, replay
from groundrules.claims.documents.document import Document
from groundrules.config import Config, LLMConfig
from groundrules.errors import SourceError
from groundrules.explain.findings import why_not_passed
from groundrules.llm.client import Client
from groundrules.terms import Override, Report
from tests.claims.test_grades import ANSWER, CONSENT, FIGURE, LOOSE, RULES, grade, scripted
from tests.llm_server import Server, error
from tests.servers import oxigraph

FACTS = """
@prefix : <https://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:capital a owl:FunctionalProperty ; rdfs:label "capital"@en .
:syldavia rdfs:label "Syldavia"@en ; :capital :klow .
:borduria rdfs:label "Borduria"@en ; :capital :szohod .
:klow rdfs:label "Klow"@en . :szohod rdfs:label "Szohod"@en .
"""
CAPITALS = "The capital of Syldavia is Klow. The capital of Borduria is Klow.\n"
RULE = """\
id = "HR001"
name = "is-rent"
summary = "It is about rent"
message = "{s} is meant"
select = '''
SELECT ?claim ?s WHERE { ?claim a gr:Claim ; rdf:subject ?s }
'''
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("answer.txt").write_text("The rent is $950 a month. The tenant is Ann Lee.", "utf-8")
    Path("lease.txt").write_text("The rent is $900 a month. The tenant is Ann Lee.", "utf-8")
    Path("facts.ttl").write_text(FACTS, "utf-8")
    return tmp_path


def check(config: Config | None = None, **asked: object) -> Report:
    given = {"context": Path("lease.txt"), "config": config or Config(), **asked}
    return api.check(Path("answer.txt"), **given)  # type: ignore[arg-type]


def logged(
    config: Config | None = None, *reports: Report, answered: Answered | None = None
) -> tuple[Log, Kept]:
    """Return a log of a run that ended, with what was kept of it."""
    log = Log(Path("audit.log"))
    run = RunLog(log, config or Config())
    for report in reports:
        run.record(report, answered)
    run.finish()
    return log, run.kept


def outcome() -> Replay:
    (found,) = replay(Path("audit.log"))
    return found


def test_a_check_of_files_comes_out_the_same_though_the_files_are_gone() -> None:
    report = check(question="What is the rent?")
    logged(None, report)
    Path("answer.txt").unlink()
    Path("lease.txt").write_text("The rent is $1 a month.", "utf-8")
    assert outcome() == Replay(outcome().run, "answer.txt", same=True)


def test_the_bytes_of_the_files_are_kept_and_no_text_is_in_the_log() -> None:
    report = check()
    _, kept = logged(None, report)
    for one in report.run.inputs:
        assert kept.get(one.sha256) == Path(one.name).read_bytes()
    log = Path("audit.log").read_text("utf-8")
    assert not any(words in log for words in (report.text.strip(), "rent", "month"))


def test_settings_rules_ontology_and_facts_are_those_that_were_kept() -> None:
    Path("house").mkdir()
    Path("house/is-rent.toml").write_text(RULE, "utf-8")
    Path("terms.ttl").write_text(FACTS, "utf-8")
    Path("answer.txt").write_text(CAPITALS, "utf-8")
    config = Config(
        packs=("core", "./house"),
        settled=0.4,
        ontology="terms.ttl",
        kb=(str(Path("facts.ttl").absolute()),),
        authoritative=(str(Path("facts.ttl").absolute()),),
        rules={"GR301": {"severity": "warning"}},
    )
    report = check(config, context=())
    assert {"HR001", "KB401"} <= {one.rule for one in report.violations}
    logged(config, report)
    for name in ("house/is-rent.toml", "terms.ttl", "facts.ttl", "answer.txt"):
        Path(name).unlink()
    assert (outcome().same, outcome().why) == (True, ())


def test_a_folder_of_facts_keeps_its_name() -> None:
    Path("facts").mkdir()
    Path("facts.ttl").rename("facts/one.ttl")
    Path("answer.txt").write_text(CAPITALS, "utf-8")
    config = Config(kb=("facts",))
    logged(config, check(config, context=()))
    Path("facts/one.ttl").unlink()
    assert (outcome().same, outcome().why) == (True, ())


def test_no_socket_is_opened_and_nothing_is_read_from_the_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path / "cache"))
    logged(None, check())

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr("groundrules.cache.read", refuse)
    monkeypatch.setattr("groundrules.cache.cache_folder", lambda: None)
    with rerun._uncached():
        assert api._kept_as(Document("a", "b"), (), Config(), "") == ""
    assert outcome().same is True


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_what_an_endpoint_answered_is_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path / "cache"))
    Path("answer.txt").write_text(CAPITALS, "utf-8")
    with oxigraph(Path("facts.ttl")) as url:
        config = Config(kb=(url,))
        report = check(config, context=(), snapshot=Path("run.snapshot"))
    held = keep_answers(beside(Path("audit.log")), Path("run.snapshot"), Path("none"))
    logged(config, report, answered=held)
    Path("run.snapshot").unlink()
    assert "KB401" in {one.rule for one in report.violations}
    assert (outcome().same, outcome().why) == (True, ())


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_without_what_an_endpoint_answered_nothing_is_asked() -> None:
    Path("answer.txt").write_text(CAPITALS, "utf-8")
    with oxigraph(Path("facts.ttl")) as url:
        config = Config(kb=(url,))
        logged(config, check(config, context=()))
        assert (outcome().same, outcome().why) == (
            None,
            ("what its knowledge base answered was not kept",),
        )


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("cached", [False, True])
def test_what_a_language_model_answered_is_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cached: bool
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path / "cache"))
    Path("answer.txt").write_text(ANSWER, "utf-8")
    Path("lease.txt").write_text(RULES, "utf-8")
    rows = {LOOSE: CONSENT, FIGURE: grade("neither", "", "98 hours")}
    with Server(scripted(rows)) as server:
        config = Config(llm=LLMConfig(server.url, retries=0))
        if cached:  # then an answer is recorded though the model is not asked again
            check(config)
        report = check(config, client=Client(config.llm, record=Path("answers.jsonl")))
    assert "graded" in {one.reason for one in report.statements}
    held = keep_answers(beside(Path("audit.log")), Path("none"), Path("answers.jsonl"))
    Path("answers.jsonl").unlink()
    logged(config, report, answered=held)
    assert (outcome().same, outcome().why) == (True, ())


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_that_a_model_graded_nothing_is_replayed_whatever_the_cause_was() -> None:
    Path("answer.txt").write_text(f"{LOOSE} {FIGURE}", "utf-8")
    Path("lease.txt").write_text(RULES, "utf-8")
    told = scripted({})
    with Server(lambda one: error(500) if "[P1]" in one.text else told(one)) as server:
        config = Config(llm=LLMConfig(server.url, retries=0))
        report = check(config, client=Client(config.llm, record=Path("answers.jsonl")))
    assert "HTTP 500" in why_not_passed(report)
    held = keep_answers(beside(Path("audit.log")), Path("none"), Path("answers.jsonl"))
    logged(config, report, answered=held)
    assert (outcome().same, outcome().why) == (True, ())


def test_another_verdict_is_told_with_its_statement_and_why() -> None:
    report = check()
    first = report.statements[0]
    then = replace(first, outcome=report.statements[1].outcome, reason="exact")
    run = replace(report.run, version="0.0.9", packs=(("core", "f" * 64), *report.run.packs[1:]))
    logged(None, replace(report, statements=(then, *report.statements[1:]), run=run))
    found = outcome()
    assert found.same is False
    assert found.why[0] == (
        f"statement 1 “{first.text}”: supported (exact) then, refuted ({first.reason}) now"
    )
    told = dict(why.split(": ", 1) for why in found.why[1:])
    assert told["version"].startswith('"0.0.9" then, ')
    assert told["packs"].startswith('[{"name": "core", "value": "ffff')


@pytest.mark.parametrize(
    "change",
    [
        lambda r: replace(r, violations=r.violations[1:]),
        lambda r: replace(r, run=replace(r.run, dataset="0")),
        lambda r: replace(r, run=replace(r.run, models=(("scorer", "another"),))),
        lambda r: replace(r, statements=r.statements[:1]),
        lambda r: replace(r, labels={}),
    ],
)
def test_a_report_that_is_other_in_anything_differs(change: Callable[[Report], Report]) -> None:
    logged(None, change(check()))
    found = outcome()
    assert found.same is False
    assert found.why


def test_what_was_erased_or_changed_is_told_and_the_log_stays_whole() -> None:
    _, kept = logged(None, check())
    events = list(log_.read(Path("audit.log")))
    for kind in ("source.in", "report", "run.start"):
        payload = next(event["payload"] for event in events if event["kind"] == kind)
        data = kept.get(payload)
        kept.erase(payload)
        assert outcome().same is None
        assert "is lost: it was kept, and not erased" in outcome().why[0]
        path = kept.folder / payload[:2] / payload[2:]
        path.write_bytes(data + b" ")
        assert "was changed" in outcome().why[0]
        path.write_bytes(data)
    assert outcome().same is True
    assert log_.verify(Path("audit.log")).exit_code == 0


def test_a_check_that_a_crash_cut_off_is_told() -> None:
    logged(None, check())
    lines = Path("audit.log").read_bytes().splitlines(keepends=True)
    Path("audit.log").write_bytes(b"".join(lines[:-3]))
    assert outcome().why == ("its check was not logged to its end",)


def test_overrides_are_kept_with_the_report() -> None:
    report = check()
    aside = Override(report.violations[0].fingerprint, "override", "the annex", "Ann", "2026-03-01")
    logged(None, replace(report, overrides=(aside,)))
    assert outcome().same is True
    (told,) = (e for e in log_.read(Path("audit.log")) if e["kind"] == "override")
    assert (told["why"], told["by"], told["decision"]) == ("the annex", "Ann", "override")


def test_inline_suppressions_are_followed_again() -> None:
    Path("answer.txt").write_text(
        "The rent is $950 a month. <!-- groundrules: ignore GR302: the annex -->", "utf-8"
    )
    config = Config(inline_suppressions=True)
    report = check(config)
    assert report.overrides
    logged(config, report)
    assert (outcome().same, outcome().why) == (True, ())


def test_what_of_a_file_was_not_read_is_known_again() -> None:
    answer = Document("a.pdf", "The rent is $900.", "pdf", ("page 2 of 2 has no text",), "0" * 64)
    contexts = [
        Document("b", "The rent is $900.", unread=("page 1 of 2 has no text",)),
        Document("b: c", "The rent is $900.", unread=("x", "y")),
        Document("d", " "),
    ]
    report = api.check(answer, context=contexts)
    assert documents_of(report) == [answer, *contexts]


def test_a_run_or_text_that_is_not_there_is_one_line_with_the_nearest() -> None:
    logged(None, check())
    with pytest.raises(SourceError, match=r"has no text 'answr.txt'; did you mean 'answer.txt'"):
        list(replay(Path("audit.log"), text="answr.txt"))
    with pytest.raises(SourceError, match="has no run 'x'"):
        list(replay(Path("audit.log"), run="x"))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"../out.ttl": ""}, "is no name of a file in a folder"),
        ({"/out.ttl": ""}, "is no name of a file in a folder"),
        ({"a/../../out.ttl": ""}, "is no name of a file in a folder"),
        ({"": ""}, "is no name of a file in a folder"),
        ({"a": "zz"}, "'zz' is no hash of what is kept"),
        ({"a": "../../../etc/passwd"}, "is no hash of what is kept"),
        ({"a" * 999: ""}, "not as it was kept"),
        ([], "not as it was kept"),
    ],
)
def test_what_was_kept_is_written_nowhere_else(
    files: dict[str, str] | list[str], said: str
) -> None:
    config = Config(kb=("facts.ttl",))
    report = check(config)
    log = Log(Path("audit.log"))
    run = RunLog(log, config)
    kept = run.kept
    start = next(iter(log_.read(log.path)))["payload"]
    data = json.loads(kept.get(start))
    if isinstance(files, dict):
        files = {name: digest or start for name, digest in files.items()}
    data["files"]["kb"]["facts.ttl"]["files"] = files
    Path("audit.log").unlink()
    log.append(run.run, [log_.Event("run.start", kept.keep(json.dumps(data).encode()))])
    run.record(report)
    assert said in outcome().why[0]


@pytest.mark.parametrize(
    "data",
    [
        b"[]",
        *(gzip.compress(one, mtime=0) for one in (b"[]", b"{", b'{"run": 1}', b"\xff")),
        b"\x1f\x8b",
    ],
)
def test_a_report_that_is_none_is_told_in_a_line(data: bytes) -> None:
    log = Log(Path("audit.log"))
    run = RunLog(log, Config())
    kept = run.kept
    document = kept.keep(b'{"name": "a"}')
    told = {"text": "a", "name": "a", "format": "txt", "sha256": ""}
    log.append(run.run, [
        log_.Event("text.in", document, told),
        log_.Event("report", kept.keep(data), {"text": "a", "checked": ""}),
    ])  # fmt: skip
    assert outcome().same is None
    assert "not as it was kept" in outcome().why[0]

"""What endpoints and models answer several texts and processes: kept, counted, replayed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundrules.audit import log as log_
from groundrules.audit.kept import beside
from groundrules.audit.results import WORK, read_results
from tests.claims.test_grades import CONSENT, FIGURE, LOOSE, RULES, VERBATIM, grade, scripted
from tests.cli.conftest import Outcome
from tests.llm_server import Server
from tests.servers import oxigraph, virtuoso

Cli = Callable[..., Outcome]
FACTS = """
@prefix : <https://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:capital a owl:FunctionalProperty ; rdfs:label "capital"@en .
:syldavia rdfs:label "Syldavia"@en ; :capital :klow .
:borduria rdfs:label "Borduria"@en ; :capital :szohod .
:klow rdfs:label "Klow"@en . :szohod rdfs:label "Szohod"@en .
"""
CLAIMS = {
    "right": "The capital of Syldavia is Klow.",
    "wrong": "The capital of Borduria is Klow.",
    "both": "The capital of Syldavia is Klow. The capital of Borduria is Szohod.",
    "again": "The capital of Syldavia is Szohod.",
}
RUN = ("--jobs", "2", "--isolated", "--log", "a.log")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path / "cache"))
    return tmp_path


def table(rows: dict[str, str], **more: str) -> None:
    lines = (json.dumps({"id": name, "answer": text, **more}) for name, text in rows.items())
    Path("t.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def events(kind: str) -> list[dict[str, Any]]:
    return [event for event in log_.read(Path("a.log")) if event["kind"] == kind]


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("server", [oxigraph, virtuoso])
def test_an_audit_of_what_an_endpoint_says_is_replayed_without_it(
    here: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, server: Callable[..., Any]
) -> None:
    table(CLAIMS)
    Path("facts.ttl").write_text(FACTS, "utf-8")
    with server(Path("facts.ttl")) as url:
        assert cli("audit", "t.jsonl", "-o", "out", "--kb", url, *RUN).code == 1
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    found = cli("replay", "a.log")
    assert (found.code, found.err) == (0, "")
    assert found.out.endswith("4 of 4 identical\n")
    one = cli("replay", "a.log", "--text", "again")
    assert one.out == "again: identical\n1 of 1 identical\n"
    named = [event["payload"] for event in events("kb.answers")]
    assert len(named) == 4
    assert all(beside(Path("a.log")).has(name) for name in named)
    assert not (here / "out" / WORK).exists()


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_of_an_erased_text_goes_what_no_other_rests_on(here: Path, cli: Cli) -> None:
    Path("facts.ttl").write_text(FACTS, "utf-8")
    for name in ("right", "both"):
        Path(name).write_text(CLAIMS[name], "utf-8")
    with oxigraph(Path("facts.ttl")) as url:
        cli("check", "right", "both", "--kb", url, "--log", "a.log")
    mine, theirs = (event["payload"] for event in events("kb.answers"))
    cli("log", "erase", "a.log", "both", "--by", "Ann", "--why", "asked for")
    kept = beside(Path("a.log"))
    assert (kept.has(mine), kept.has(theirs)) == (True, False)
    assert cli("replay", "a.log", "--text", "right").code == 0
    assert cli("replay", "a.log", "--text", "both").code == 2
    assert cli("log", "verify", "a.log").code == 0


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_what_a_model_answered_to_several_processes_is_replayed_without_a_call(
    here: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    table({str(n): f"{LOOSE} {FIGURE} {VERBATIM} {n}." for n in range(4)}, context=RULES)
    rows = {LOOSE: CONSENT, FIGURE: grade("neither", "", "98 hours")}
    texts = " ".join(f"{VERBATIM} {n}." for n in range(4))
    with Server(scripted(rows, texts)) as server:
        cli("audit", "t.jsonl", "-o", "out", "--llm", server.url, *RUN)
        asked = len(server.requests)
    assert asked >= 4
    assert [bool(event["payload"]) for event in events("llm.answers")] == [True] * 4
    assert not any(one.unasked for one in read_results(Path("out")))
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    found = cli("replay", "a.log")
    assert (found.code, found.err) == (0, "")
    assert found.out.endswith("4 of 4 identical\n")
    assert all(one.answered and one.answered.replies for one in read_results(Path("out")))


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_the_limit_of_calls_holds_for_all_processes_and_runs_and_what_was_not_asked_is_told(
    here: Path, cli: Cli
) -> None:
    table({str(n): f"{LOOSE} {n} nights." for n in range(6)}, context=RULES)
    with Server(scripted({LOOSE: CONSENT})) as server:
        audit = ("audit", "t.jsonl", "-o", "out", "--llm", server.url, "--max-calls", "4", *RUN)
        cli(*audit)
        assert len([one for one in server.requests if one.body]) == 4
        told = [path.read_text("utf-8") for path in Path("out/reports").iterdir()]
        left = sum("max_calls = 4 is reached" in one for one in told)
        assert left >= 2
        page = Path("out/report.html").read_text("utf-8")
        assert page.count("max_calls = 4 is reached") >= left
        for one in list(read_results(Path("out")))[2:]:
            Path(f"out/reports/{one.key}.json").unlink()
        cli(*audit, "--no-cache")
        assert len([one for one in server.requests if one.body]) == 4

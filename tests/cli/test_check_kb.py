"""`groundrules check --kb` from end to end: files, servers, replays, and hosts that mean harm."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundrules import api
from groundrules.claims.documents.document import from_text
from groundrules.config import Config
from groundrules.explain.formats import text as as_text
from groundrules.terms import Outcome, Report
from tests.cli.conftest import Outcome as Result
from tests.kb.misbehaving import HTML, TEXT, Misbehaving, Reply
from tests.servers import oxigraph

Cli = Callable[..., Result]
EXAMPLE = Path(__file__).parents[2] / "examples" / "kb"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
PREFIXES = """
@prefix : <https://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:capital a owl:FunctionalProperty ; rdfs:label "capital"@en .
"""
FACTS = (
    PREFIXES
    + """
:syldavia rdfs:label "Syldavia"@en ; :capital :klow .
:borduria rdfs:label "Borduria"@en ; :capital :szohod .
:klow rdfs:label "Klow"@en . :szohod rdfs:label "Szohod"@en .
"""
)
FULL, JSON = ("--output-format", "full"), ("--output-format", "json")
TEXT_ = "The capital of Syldavia is Klow. The capital of Borduria is Klow.\n"


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a folder of facts and texts, and nothing of the user's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GROUNDRULES_OUTPUT_FORMAT", raising=False)
    monkeypatch.delenv("GROUNDRULES_CONTACT", raising=False)
    Path("facts.ttl").write_text(FACTS, encoding="utf-8")
    Path("claims.txt").write_text(TEXT_, encoding="utf-8")


def outcomes(out: str) -> list[tuple[str, str]]:
    """Return outcome and reason of each claim of a report in JSON, in the order of the text."""
    return [(one["outcome"], one["reason"]) for one in json.loads(out)["verdicts"]]


# ---------------------------------------------------------------- files


@pytest.fixture(scope="module")
def example() -> Report:
    text = from_text((EXAMPLE / "claims.txt").read_text(encoding="utf-8"), "examples/kb/claims.txt")
    report = api.check(text, config=Config(kb=(str(EXAMPLE / "facts.ttl"),)), now=NOW)
    return dataclasses.replace(
        report, run=dataclasses.replace(report.run, times=(), at="", calls=())
    )


#: What the example is to be told, by sentence.
TOLD = {
    "opened in 1873": (Outcome.SUPPORTED, "KB201"),
    "in Brackwell": (Outcome.UNVERIFIABLE, "KB103"),
    "opened in 1881": (Outcome.REFUTED, "KB401"),
    "in Westmark": (Outcome.SUPPORTED, "KB201"),
    "operated by": (Outcome.SUPPORTED, "KB201"),
    "is Edith Moss": (Outcome.SUPPORTED, "KB201"),
    "is Helena Brandt": (Outcome.NOT_ENOUGH_INFO, "KB308"),
    "is not Fernham": (Outcome.REFUTED, "KB201"),
    "Dunmore": (Outcome.UNVERIFIABLE, "KB101"),
    "admires": (Outcome.UNVERIFIABLE, "KB103"),
    "may be closed": (Outcome.UNVERIFIABLE, "KB103"),
}


def test_the_example_is_told_as_documented(example: Report) -> None:
    for words, told in TOLD.items():
        (verdict,) = [
            verdict
            for verdict in example.verdicts
            if words in example.text[verdict.claim.span.start : verdict.claim.span.end]
        ]
        assert (verdict.outcome, verdict.reason) == told, words
    assert len(example.verdicts) == len(TOLD)


def test_the_example_in_text(example: Report, golden: Callable[[str, str], None]) -> None:
    golden("kb/text", as_text.dumps(example))


def test_a_refutation_is_an_error_and_has_an_edit(cli: Cli) -> None:
    found = cli("check", "claims.txt", "--kb", "facts.ttl")
    assert (found.code, found.err) == (1, "")
    assert (
        "error[KB401] another-value: facts.ttl has Szohod as “capital” of Borduria, not Klow"
        in found.out
    )
    assert "1 refuted, 1 supported" in found.out

    shown = cli("check", "claims.txt", "--kb", "facts.ttl", "--diff").out
    assert "+The capital of Syldavia is Klow. The capital of Borduria is Szohod." in shown
    fixed = cli("check", "claims.txt", "--kb", "facts.ttl", "--fix")
    assert fixed.code == 0
    assert Path("claims.txt").read_text("utf-8") == TEXT_.replace("Borduria is Klow",
                                                                  "Borduria is Szohod")  # fmt: skip


def test_stdin_and_statistics_are_as_without(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import io
    import sys

    stdin = io.TextIOWrapper(io.BytesIO(TEXT_.encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    found = cli("check", "-", "--stdin-name", "in.txt", "--kb", "facts.ttl", "--statistics")
    assert found.code == 1
    assert "--> in.txt:1:61" in found.out
    assert "ms  knowledge bases" in found.out


def test_the_report_says_what_was_asked_and_on_which_day(cli: Cli) -> None:
    run = json.loads(cli("check", "claims.txt", "--kb", "facts.ttl", "--output-format", "json").out)
    params = {one["name"]: one["value"] for one in run["run"]["params"]}
    assert params["kb"] == "facts.ttl"
    assert len(params["kb.facts.ttl"]) == 64  # the digest of what it states
    assert datetime.fromisoformat(params["now"])


def test_no_claim_is_without_a_verdict(cli: Cli) -> None:
    Path("odd.txt").write_text(
        "Who founded Klow? If Klow falls, Syldavia falls. Most cities are large. Hello.\n"
        "It is said that Borduria won. Klow.\n",
        encoding="utf-8",
    )
    data = json.loads(cli("check", "odd.txt", "--kb", "facts.ttl", "--output-format", "json").out)
    judged = {verdict["claim"] for verdict in data["verdicts"]}
    assert judged == set(range(len(data["claims"])))
    assert all(verdict["message"] for verdict in data["verdicts"])


def test_a_sentence_without_a_claim_is_told(cli: Cli) -> None:
    Path("odd.txt").write_text("And so on, alas. The capital of Syldavia is Klow.\n", "utf-8")
    found = cli("check", "odd.txt", "--kb", "facts.ttl")
    assert "note: 1 of 2 sentences were not read as claims: nothing was asked" in found.out
    assert "not read as claims" not in cli("check", "claims.txt", "--kb", "facts.ttl").out


# ---------------------------------------------------------------- several sources


def other(capital: str) -> None:
    facts = FACTS.replace("example.org/", "other.example/").replace(
        ":szohod .\n:klow", f"{capital} .\n:klow"
    )
    Path("other.ttl").write_text(facts, encoding="utf-8")


def test_sources_that_agree_are_one_voice(cli: Cli) -> None:
    other(":szohod")
    found = cli("check", "claims.txt", "--kb", "facts.ttl", "--kb", "other.ttl",
                "--output-format", "json")  # fmt: skip
    assert outcomes(found.out) == [("supported", "KB201"), ("refuted", "KB401")]


def test_sources_that_disagree_conflict_and_both_are_shown(cli: Cli) -> None:
    other(":klow")
    found = cli("check", "claims.txt", "--kb", "facts.ttl", "--kb", "other.ttl")
    assert found.code == 1
    assert "warning[KB503] sources-disagree: other.ttl bears this out and facts.ttl refutes it" in (
        found.out
    )
    assert "facts.ttl and other.ttl" in found.out
    assert cli("check", "claims.txt", "--kb", "facts.ttl", "--kb", "other.ttl",
               "--fail-level", "warning").code == 1  # fmt: skip


@pytest.mark.parametrize(
    ("prevails", "told"),
    [("facts.ttl", ("refuted", "KB401")), ("other.ttl", ("supported", "KB201"))],
)
def test_the_one_that_prevails_decides(cli: Cli, prevails: str, told: tuple[str, str]) -> None:
    other(":klow")
    Path("groundrules.toml").write_text(f'authoritative = ["{prevails}"]\n', encoding="utf-8")
    found = cli("check", "claims.txt", "--kb", "facts.ttl", "--kb", "other.ttl",
                "--output-format", "json")  # fmt: skip
    assert outcomes(found.out)[1] == told


def test_documents_and_a_knowledge_base_may_disagree(cli: Cli) -> None:
    Path("context.txt").write_text(TEXT_, encoding="utf-8")
    arguments = ("check", "claims.txt", "--kb", "facts.ttl", "--context", "context.txt")
    found = cli(*arguments)
    assert "sources-disagree: the context bears this out and facts.ttl refutes it" in found.out

    Path("groundrules.toml").write_text('authoritative = ["context"]\n', encoding="utf-8")
    found = cli(*arguments, "--output-format", "json")
    assert [outcome for outcome, _ in outcomes(found.out)] == ["supported", "supported"]


def test_what_a_knowledge_base_carries_need_not_be_in_the_documents(cli: Cli) -> None:
    Path("context.txt").write_text("Haddock is a captain. Tintin is a reporter.\n", "utf-8")
    Path("one.txt").write_text("The capital of Syldavia is Klow.\n", encoding="utf-8")
    alone = cli("check", "one.txt", "--context", "context.txt")
    both = cli("check", "one.txt", "--context", "context.txt", "--kb", "facts.ttl")
    assert "\n1 statement: 1 open\n" in alone.out
    assert "GR102" in cli("check", "one.txt", "--context", "context.txt", *FULL).out
    assert "\n1 statement: 1 supported\n" in both.out
    full = cli("check", "one.txt", "--context", "context.txt", "--kb", "facts.ttl", *FULL)
    assert "GR10" not in full.out
    assert both.code == 0


def test_a_figure_that_a_knowledge_base_gives_need_not_be_in_the_documents(cli: Cli) -> None:
    founded = ':founded a owl:FunctionalProperty ; rdfs:label "founding year"@en .\n'
    value = ':syldavia :founded "1881"^^xsd:gYear .\n'
    Path("facts.ttl").write_text(FACTS + founded + value, encoding="utf-8")
    Path("context.txt").write_text("Haddock is a captain. Tintin is a reporter.\n", "utf-8")
    for year, code, outcome in (("1881", 0, "1 supported"), ("1882", 1, "1 refuted")):
        Path("one.txt").write_text(f"The founding year of Syldavia is {year}.\n", "utf-8")
        found = cli("check", "one.txt", "--context", "context.txt", "--kb", "facts.ttl", *FULL)
        assert f"\n1 statement: {outcome}\n" in found.out
        assert found.code == code
        assert ("GR308" in found.out) == (year == "1882")


@pytest.mark.parametrize(
    ("files", "config", "message"),
    [
        (["facts.ttl", "sub/facts.ttl"], "", "two sources are called facts.ttl; rename one"),
        (["facts.ttl"], 'authoritative = ["fact.ttl"]', "authoritative: no source 'fact.ttl'; "
         "expected context, facts.ttl; did you mean 'facts.ttl'?"),
        (["fcts.ttl"], "", "did you mean 'facts.ttl'?"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_clear_line(cli: Cli, files: list[str], config: str, message: str) -> None:
    Path("sub").mkdir()
    Path("sub/facts.ttl").write_text(FACTS, encoding="utf-8")
    Path("groundrules.toml").write_text(config, encoding="utf-8")
    found = cli("check", "claims.txt", *(part for name in files for part in ("--kb", name)))
    assert (found.code, found.out) == (2, "")
    assert message in found.err
    assert found.err.count("\n") == 1


# ---------------------------------------------------------------- servers and replays


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_replay_is_the_same_to_the_byte(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with oxigraph(Path("facts.ttl")) as url:
        check = ("check", "claims.txt", "--kb", url)
        told = cli(*check, "--output-format", "json")
        again = cli(*check, "--output-format", "json")
        made = cli(*check, "--snapshot", "run.snapshot")
    assert (told.code, made.code) == (1, 1)
    calls = {one["name"]: one["value"] for one in json.loads(again.out)["run"]["calls"]}
    assert (calls["requests"], calls["bytes"]) == (0, 0)
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    replay = (*check, "--offline", "run.snapshot")

    for form in ("text", "json", "turtle"):
        first = cli(*replay, "--output-format", form)
        assert (first.code, first.err) == (1, "")
        assert cli(*replay, "--output-format", form) == first
    online, offline = json.loads(told.out), json.loads(cli(*replay, "--output-format", "json").out)
    for report in (online, offline):
        del report["run"]["times"], report["run"]["calls"], report["run"]["at"]
    assert offline["run"]["inputs"].pop()["role"] == "snapshot"
    assert offline == online


@pytest.mark.parametrize("more", [("facts.ttl",), ("http://127.0.0.1:9/", "more.txt")])
def test_a_snapshot_is_of_one_text_and_what_an_endpoint_answers(
    cli: Cli, more: tuple[str, ...]
) -> None:
    found = cli("check", "claims.txt", *more[1:], "--kb", more[0], "--snapshot", "run")
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert "expected one FILE, and --kb with an endpoint" in found.err


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_now_is_that_of_the_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    with oxigraph(Path("facts.ttl")) as url:
        config = Config(kb=(url,))
        first = api.check(TEXT_, config=config, now=NOW, snapshot=Path("run"))
    late = api.check(TEXT_, config=dataclasses.replace(config, offline="run"))
    assert dict(first.run.params)["now"] == dict(late.run.params)["now"] == "2026-03-01"
    assert late.verdicts == first.verdicts


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_what_was_never_asked_is_an_error_and_no_verdict(cli: Cli) -> None:
    Path("more.txt").write_text("The capital of Ruritania is Klow. " + TEXT_, encoding="utf-8")
    with oxigraph(Path("facts.ttl")) as url:
        assert cli("check", "claims.txt", "--kb", url, "--snapshot", "run").code == 1
    found = cli("check", "more.txt", "--kb", url, "--offline", "run")
    assert found.code == 2
    assert "offline, and" in found.out
    assert "KB401" not in found.out
    full = cli("check", "more.txt", "--kb", url, "--offline", "run", *FULL)
    assert "could not be asked (KB002)" in full.out
    assert "NOT_IN_SNAPSHOT" in full.out


def test_why_nothing_is_cached_is_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder", encoding="utf-8")
    found = cli("check", "claims.txt", "--kb", "http://127.0.0.1:9/sparql", "--offline", "cache")
    assert found.code == 2
    assert "cannot be used" in found.out


# ---------------------------------------------------------------- hostile


def flood() -> Iterator[bytes]:
    while True:
        yield b" " * 1_000_000


HOSTILE = {
    "a page": (Reply(body=b"<html>ssh, nothing here</html>", headers=dict(HTML)), "NOT_SPARQL"),
    "a ban": (Reply(403, b"You have been banned until tomorrow", dict(TEXT)), "BANNED"),
    "an apology": (
        Reply(200, b"Set a User-Agent, see the robot policy", dict(TEXT)),
        "UA_REJECTED",
    ),
    "elsewhere": (Reply(302, b"", {"Location": "http://169.254.169.254/"}), "169.254.169.254"),
    "no end": (Reply(body=flood()), "TOO_LARGE"),
    "escapes": (Reply(403, b"\x1b[2Jbanned \xe2\x80\xae\x07", dict(TEXT)), "BANNED"),
    "no answer": (Reply(reset=True), "NETWORK"),
    "too slow": (Reply(500, b"java.util.concurrent.TimeoutException", dict(TEXT)), "QUERY_TIMEOUT"),
}


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize(("reply", "code"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_endpoint_costs_its_verdicts_and_nothing_else(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, reply: Reply, code: str
) -> None:
    monkeypatch.setattr("groundrules.kb.sources.sparql.time.sleep", lambda seconds: None)
    with Misbehaving(reply) as server, Misbehaving() as bystander:
        found = cli("check", "claims.txt", "--kb", server.url, "--kb", "facts.ttl")
        told = cli("check", "claims.txt", "--kb", server.url, "--output-format", "json")
        assert not bystander.requests
    assert outcomes(told.out) == [("error", "KB001")] * 2
    assert told.code == 2
    # what the other source says is told all the same
    assert found.code == 1
    assert "KB401" in found.out
    assert code in found.out
    assert found.out.isprintable() is False  # it has lines
    assert all(line.isprintable() for line in found.out.splitlines())
    assert (found.err, told.err) == ("", "")


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_why_a_source_could_not_be_asked_comes_first_and_once(cli: Cli) -> None:
    with Misbehaving(Reply(403, b"You have been banned", dict(TEXT))) as server:
        told = {
            form: cli("check", "claims.txt", "--kb", server.url, "--output-format", form)
            for form in ("text", "concise", "full", "json")
        }
    report = json.loads(told["json"].out)
    (cause,) = report["unasked"]
    assert "could not be asked: " in cause
    assert "BANNED" in cause
    assert cause in report["reason"]
    keys = list(report)
    assert keys.index("reason") < keys.index("statements")
    for form in ("text", "concise", "full"):
        first, *rest = told[form].out.splitlines()
        assert first == f"error: {cause}"
        assert not [line for line in rest if "BANNED" in line]
        assert "1 error, 0 warnings" in told[form].out
    assert "could not be asked:" not in "".join(told["concise"].out.splitlines()[1:])
    assert {found.code for found in told.values()} == {2}


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_an_endpoint_that_refused_us_is_not_asked_for_the_next_text(cli: Cli) -> None:
    with Misbehaving(Reply(403, b"You have been banned", dict(TEXT))) as server:
        found = cli("check", "claims.txt", "claims.txt", "--kb", server.url, *JSON)
        assert len(server.requests) == 1
    assert found.code == 2
    for report in json.loads(found.out):
        for judged in (report["statements"], report["verdicts"]):
            assert [(one["outcome"], one["reason"]) for one in judged] == [("error", "KB001")] * 2


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_slow_drip_is_cut_off(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundrules.kb.sources.sparql._DEADLINE", 0.3)
    monkeypatch.setattr("groundrules.kb.sources.sparql.time.sleep", lambda seconds: None)
    stop = threading.Event()

    def drip() -> Iterator[bytes]:
        while not stop.wait(0.05):
            yield b" "

    with Misbehaving(Reply(body=drip())) as server:
        found = cli("check", "claims.txt", "--kb", server.url)
        stop.set()
    assert found.code == 2
    assert "no whole answer within" in found.out


NASTY = [
    '"} DROP ALL', "a\\nb'''c", "} UNION { ?s ?p ?o", "?s ?p $names", "\u202egnihtyna", "{s} {p}",
    "\x1b[31mred", "<http://e/>", "\\u0022 }", "line\u2028break", "$(reboot)", "%s%n", "\U0001f600",
]  # fmt: skip


@pytest.mark.parametrize("name", NASTY)
def test_names_are_only_names(cli: Cli, name: str) -> None:
    """Both in what is checked and in what is known."""
    from rdflib import Graph
    from rdflib.namespace import RDFS
    from rdflib.term import Literal, URIRef

    label = f"Klow {name} City"
    graph = Graph().parse(data=FACTS, format="turtle")
    graph.set((URIRef("https://example.org/klow"), RDFS.label, Literal(label, lang="en")))
    graph.serialize("facts.ttl", format="turtle")
    Path("claims.txt").write_text(
        f"The capital of Syldavia is {label}. The capital of Borduria is {label}.\n",
        encoding="utf-8",
    )
    before = Path("facts.ttl").read_bytes()
    found = cli("check", "claims.txt", "--kb", "facts.ttl")

    assert found.code in (0, 1, 2)
    assert found.err == ""
    assert all(line.isprintable() for line in found.out.split("\n"))
    report = json.loads(cli("check", "claims.txt", "--kb", "facts.ttl", *JSON).out)
    told = {one["outcome"] for one in (*report["statements"], *report["verdicts"])}
    assert told
    assert "error" not in told
    assert Path("facts.ttl").read_bytes() == before


#: That an endpoint has a property called "capital", as it tells of its properties.
CAPITAL = {
    "p": {"type": "uri", "value": "http://ex/capital"},
    "k": {"type": "uri", "value": "http://www.w3.org/2000/01/rdf-schema#label"},
    "v": {"type": "literal", "value": "capital"},
}


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_what_a_text_says_never_becomes_a_query(cli: Cli) -> None:
    seen: list[str] = []

    def answer(query: str) -> Reply:
        seen.append(query)
        rows = [CAPITAL] if query.startswith("SELECT DISTINCT ?p ?k ?v") else []
        found = {"head": {"vars": []}, "results": {"bindings": rows}}
        return Reply(body=json.dumps(found).encode())

    Path("claims.txt").write_text(
        'The capital of "} ; DROP ALL ; {" is Klow. The capital of Q1 } DROP ALL # is Klow.\n'
        "The capital of Syldavia is Drop } All.\n",
        encoding="utf-8",
    )
    with Misbehaving(answer) as server:
        assert cli("check", "claims.txt", "--kb", server.url).code == 2  # nothing is known of it
    import pyoxigraph

    for query in seen:  # each parses as a query, so nothing in it has become an update
        pyoxigraph.Store().query(query)
    assert len(seen) > 2


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("cut.nt.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03KLJ", "cut short"),
        ("bad.ttl", b"@prefix : <http://e/> .\n:a :b [ ;\n", "bad.ttl:2:9: not Turtle"),
        ("bad.nt", b"<http://e/a> <http://e/b> <http://e/c> .\nnonsense\n", "bad.nt:2"),
        ("page.rdf", b"<html><body>not found</body></html>", "page.rdf"),
    ],
)
def test_a_dump_that_is_broken_is_one_line_and_no_store_that_looks_whole(
    cli: Cli, name: str, content: bytes, message: str
) -> None:
    Path(name).write_bytes(content)
    for command in (("kb", "build", name, "-o", "store"), ("check", "claims.txt", "--kb", name)):
        found = cli(*command)
        assert (found.code, found.out) == (2, "")
        assert message in found.err
        assert found.err.count("\n") == 1
    half = cli("check", "claims.txt", "--kb", "store")
    assert (half.code, half.out) == (2, "")
    assert half.err == "groundrules: store: not built to the end; delete it and build it anew\n"


def test_a_snapshot_that_is_none_is_one_line(cli: Cli) -> None:
    Path("snapshot").write_bytes(b"SQLite format 3\0" + bytes(100))
    found = cli("check", "claims.txt", "--kb", "http://127.0.0.1:9/", "--offline", "snapshot")
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("groundrules: snapshot: not a snapshot: ")


def test_lookup_shows_the_counts_of_the_source_and_no_other(cli: Cli) -> None:
    found = json.loads(cli("kb", "lookup", "Klow", "--kb", "facts.ttl",
                           "--output-format", "json").out)  # fmt: skip
    assert [entity["prior"] for entity in found["names"]["Klow"]] == [0]


def test_a_file_that_states_nothing_is_told_in_a_line(cli: Cli) -> None:
    Path("facts.ttl").write_text(PREFIXES.partition(":capital")[0], encoding="utf-8")
    found = cli("check", "claims.txt", "--kb", "facts.ttl")
    told = "groundrules: facts.ttl: has no triple; expected RDF that states something\n"
    assert found == Result(2, "", told)

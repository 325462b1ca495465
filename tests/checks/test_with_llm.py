"""A check with a language model, from end to end over HTTP: the jobs of KEA Explain's two prompts.

Both texts are extracted in one question, the rules compare, and all violations are explained in
one question more where that is wanted; the report counts what that has cost.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from groundrules import api
from groundrules.checks import report as checks_report
from groundrules.checks.extractions import parsed
from groundrules.checks.judge import judge
from groundrules.claims.facts import offline
from groundrules.claims.units.blocks import parse
from groundrules.cli.main import main
from groundrules.config import AlignConfig, Config, LLMConfig
from groundrules.explain.formats import json as as_json
from groundrules.explain.formats import text as as_text
from groundrules.explain.repair import key_of
from groundrules.guardrail import GuardError, Policy, guard
from groundrules.llm.client import Client
from groundrules.terms import LLM, Outcome, Report
from tests.claims.test_grades import numbers, of_controls
from tests.llm_server import Reply, Request, Server, Told, chat, error

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]

LEASE = (
    'This Lease is between Alpine Holdings LLC (the "Landlord") and Bright Harbor Books, Inc. '
    '(the "Tenant"). The Tenant shall pay a base rent of $4,850 per month. '
    "It may not sublet the Premises."
)
ANSWER = (
    "Bright Harbor Books pays a base rent of $4,850 per month. "
    "To sublet the Premises is open to Bright Harbor Books."
)
WORDS = (
    "The answer claims that Bright Harbor Books Inc may sublet the premises, but the lease says "
    "that it may not sublet the Premises, so both cannot hold."
)


def triple(subject: str, relation: str, object_: str, evidence: str, **rest: str) -> dict[str, Any]:
    plain: dict[str, Any] = {"polarity": "positive", "modality": "asserted"}
    found = {"subject": subject, "relation": relation, "object": object_, "evidence": evidence}
    return plain | {"attribution": None, "time": None} | found | rest


TRIPLES = {
    "text1": [
        triple("Bright Harbor Books", "pays", "base rent",
               "Bright Harbor Books pays a base rent of $4,850 per month."),
        triple("Bright Harbor Books", "may sublet", "the Premises",
               "To sublet the Premises is open to Bright Harbor Books.", modality="permission"),
        triple("Alpine Holdings LLC", "owns", "the Premises", "Alpine Holdings owns the Premises."),
        triple("Landlord", "may not enter", "Premises", "The Landlord may not enter."),
    ],
    "text2": [
        triple("Bright Harbor Books, Inc.", "may not sublet", "the Premises",
               "It may not sublet the Premises.", polarity="negative", modality="permission"),
    ],
}  # fmt: skip


def job(request: Request) -> str:
    return str(request.body["response_format"]["json_schema"]["name"])


def scripted(request: Request) -> Reply:
    return answered(request, TRIPLES)


def answered(request: Request, triples: object, words: str = WORDS) -> Reply:
    """Return triples, no grade of any statement, or the same wording of every fault."""
    if job(request) in ("triples", "graphs"):
        return chat(triples, usage=(900, 200))
    if job(request) == "grades":
        return chat({"grades": controls_of(request)}, usage=(300, 40))
    numbers = range(1, request.text.count('"fault ') + 1)
    rows = [{"number": n, "explanation": words} for n in numbers]
    return chat({"explanations": rows}, usage=(300, 40))


def controls_of(request: Request) -> list[dict[str, Any]]:
    """Return the right grades of the controls of a question, which are no statements of a text."""
    real = {words for words in numbers(request.text) if words in ANSWER or words in TWELVE}
    return of_controls(request.text, real)


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    monkeypatch.delenv("GROUNDRULES_LLM_KEY", raising=False)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answer.txt").write_text(ANSWER, encoding="utf-8")
    (tmp_path / "lease.txt").write_text(LEASE, encoding="utf-8")
    return tmp_path


def check(answer: Callable[[Request], Reply] | Reply, **limits: float) -> tuple[Report, Server]:
    with Server(answer) as server:
        asked = LLMConfig(server.url, **({"retries": 0} | limits))  # type: ignore[arg-type]
        report = api.check(ANSWER, context=[LEASE], config=Config(llm=asked))
    return report, server


def plain(report: Report) -> Report:
    """Return the report without what only a language model brings."""
    run = replace(
        report.run, times=(), at="", settings=(), calls=(), models=report.run.models[:2], notes=()
    )
    return replace(report, run=run)


def test_both_texts_are_extracted_compared_and_explained_and_all_is_counted() -> None:
    alone = api.check(ANSWER, context=[LEASE])
    assert [v.rule for v in alone.violations if v.rule == "GR205"] == []
    report, server = check(scripted, price_in=1, price_out=10, phrase=True)
    assert [job(request) for request in server.requests].count("triples") == 1
    (conflict,) = [v for v in report.violations if v.rule == "GR205"]
    assert conflict.claim is not None
    assert ANSWER[conflict.claim.span.start : conflict.claim.span.end] in ANSWER
    assert conflict.phrased == WORDS
    asked = len(server.requests)
    assert dict(report.run.calls) == {
        f"{LLM}calls": asked,
        f"{LLM}cached": 0,
        f"{LLM}retries": 0,
        f"{LLM}prompt tokens": 900 + 300 * (asked - 1),
        f"{LLM}completion tokens": 200 + 40 * (asked - 1),
        f"{LLM}cost": pytest.approx((900 + 300 * (asked - 1) + 2000 + 400 * (asked - 1)) / 1e6),
    }
    shown = as_text.dumps(report)
    assert f"= LLM         {WORDS}" in shown
    assert f"language model: {asked} calls, 0 cached, 0 retries, " in shown
    assert "2 of 5 triples of the language model were dropped" in shown
    assert as_json.loads(as_json.dumps(report)) == report


def test_the_prompt_of_kea_explain_has_both_texts_and_its_answer_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path))
    graphs = {
        "knowledge_graph1": [["Bright Harbor Books", "pays", "base rent"]],
        "knowledge_graph2": [["Tenant", "pays", "base rent"], ["Tenant", "owns", "Premises"]],
    }

    def answer(request: Request) -> Reply:
        return answered(request, graphs)

    with Server(answer) as server:
        asked = LLMConfig(server.url, retries=0)
        config = Config(llm=asked, align=AlignConfig(graphs="kea"))
        first, second = (api.check(ANSWER, context=[LEASE], config=config) for _ in range(2))
    (request,) = [one for one in server.requests if job(one) == "graphs"]
    shown = request.body["messages"][1]["content"]
    assert ANSWER in shown
    assert LEASE in shown
    assert "1 of 3 triples of the language model were dropped" in as_text.dumps(first)
    assert first.metrics == second.metrics
    assert dict(second.run.calls)[f"{LLM}cached"] >= 1


def test_what_a_model_invents_is_in_no_report() -> None:
    report, _ = check(scripted)
    shown = as_text.dumps(report) + "".join(report.labels.values())
    assert "owns" not in shown
    assert "enter" not in shown.replace("center", "")


FOUNDERS = (
    "Alice Smith founded Acme Corp in 1990. Bob Jones joined Acme Corp in 1995. "
    "The deposit is $1,900 and the rent is $1,850."
)
SLIPS = "Alice Smith met Bob Jones. Bob Jones founded Acme Corp. The rent is $1,870."


def babble(text: str, draw: random.Random) -> dict[str, Any]:
    """Return a triple of words that stand in a sentence of the text, or are names of both."""
    evidence = draw.choice(re.split(r"(?<=[.])\s+", text))
    words = re.findall(r"[\w$,]*\w", evidence)
    names = [*words, "Alice Smith", "Bob Jones", "Acme Corp", "rent", "deposit"]
    relation = draw.choice(["is", "has", draw.choice(words), f"is {draw.choice(words)} by"])
    polarity = draw.choice(["positive", "positive", "negative"])
    return triple(draw.choice(names), relation, draw.choice(names), evidence, polarity=polarity)


@cache
def without_a_model(align: AlignConfig) -> Report:
    return api.check(SLIPS, context=[FOUNDERS], config=Config(align=align))


@pytest.mark.parametrize("seed", range(3))
def test_no_answer_takes_back_what_the_rules_found(seed: int) -> None:
    draw = random.Random(seed)
    she = triple("Alice Smith", "founded", "Acme Corp", "Bob Jones founded Acme Corp.")
    rows = {
        "text1": [she, *(babble(SLIPS, draw) for _ in range(100))],
        "text2": [babble(FOUNDERS, draw) for _ in range(100)],
    }

    def answer(request: Request) -> Reply:
        return answered(request, rows)

    alone = without_a_model(AlignConfig())
    with Server(answer) as server:
        config = Config(llm=LLMConfig(server.url, retries=0))
        report = api.check(SLIPS, context=[FOUNDERS], config=config)
    assert any(claim.origin == "llm" for claim in report.claims)
    found = {(v.rule, v.message) for v in report.violations}
    assert {(v.rule, v.message) for v in alone.violations} <= found
    verdicts = {v.claim: v.outcome for v in report.verdicts}
    refuted = [v.claim for v in alone.verdicts if v.outcome is Outcome.REFUTED]
    assert len(refuted) == 2
    assert {verdicts[claim] for claim in refuted} == {Outcome.REFUTED}
    against = [one.number for one in report.statements if one.outcome is Outcome.REFUTED]
    assert {one.number for one in alone.statements if one.outcome is Outcome.REFUTED} == {1, 2}
    assert {1, 2} <= set(against)
    assert report.metrics == alone.metrics


@pytest.mark.parametrize("seed", range(2))
def test_no_graph_of_kea_explain_takes_back_what_the_rules_found(seed: int) -> None:
    draw = random.Random(seed)

    def told(text: str) -> list[list[str]]:
        rows = [babble(text, draw) for _ in range(60)]
        named = ["spouse", "founded", "instance of", "is", "never met"]
        relations = [draw.choice([row["relation"], *named]) for row in rows]
        quotes = [[row["evidence"]] * draw.randint(0, 1) for row in rows]
        return [
            [row["subject"], relation, row["object"], *quote]
            for row, relation, quote in zip(rows, relations, quotes, strict=True)
        ]

    graphs = {"knowledge_graph1": told(SLIPS), "knowledge_graph2": told(FOUNDERS)}

    def answer(request: Request) -> Reply:
        return answered(request, graphs)

    kea = AlignConfig(graphs="kea")
    alone = without_a_model(kea)
    with Server(answer) as server:
        config = Config(align=kea, llm=LLMConfig(server.url, retries=0))
        report = api.check(SLIPS, context=[FOUNDERS], config=config)
    possible = [c for c in report.claims if c.origin == "llm" and c.modality == "possibility"]
    assert possible
    found = {(v.rule, v.message) for v in report.violations}
    assert {(v.rule, v.message) for v in alone.violations} <= found
    verdicts = {v.claim: v.outcome for v in report.verdicts}
    refuted = [v.claim for v in alone.verdicts if v.outcome is Outcome.REFUTED]
    assert {verdicts[claim] for claim in refuted} == {Outcome.REFUTED}
    assert not {v.claim for v in report.verdicts if v.outcome is Outcome.REFUTED} & {*possible}
    assert {one.number for one in report.statements if one.outcome is Outcome.REFUTED} >= {1, 2}
    before = {one.name: one for one in alone.metrics}
    assert all(one == before[one.name] for one in report.metrics if one.name != "WL")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (error(500), "HTTP 500"),
        (error(403), "HTTP 403"),
        (chat(None, refusal="I cannot help."), "I cannot help."),
        (chat("no JSON at all"), "malformed"),
        (chat({"text1": "none"}), "malformed"),
    ],
)
def test_a_model_that_fails_leaves_what_the_rules_settled_and_is_named(
    answer: Reply, told: str
) -> None:
    alone = api.check(ANSWER, context=[LEASE])
    report, _ = check(answer)
    settled, open_ = [one.outcome for one in alone.statements], Outcome.NOT_ENOUGH_INFO
    assert settled == [Outcome.SUPPORTED, open_]
    assert [one.outcome for one in report.statements] == [
        Outcome.UNVERIFIABLE if one is open_ else one for one in settled
    ]
    assert told in report.statements[1].note
    rest = replace(plain(report), statements=(), unasked=())
    stages = plain(report).run.stages
    assert replace(rest, run=replace(rest.run, stages=())) == replace(
        plain(alone), statements=(), run=replace(plain(alone).run, stages=())
    )
    assert dict(stages)["ungraded"] == 1
    assert (report.conforms, report.exit_code) == (None, 2)
    assert all(told in line for line in report.unasked)
    named = " ".join(report.unasked)
    assert "language model test-model at 127.0.0.1:" in named
    assert "graded 2 of 2 statements" in named
    assert "read text (line 1), context1 (line 1)" in named


def test_a_budget_is_spent_on_grades_first_and_what_it_leaves_is_told() -> None:
    report, server = check(scripted, max_calls=1)
    assert [job(request) for request in server.requests] == ["grades"]
    assert dict(report.run.calls)[f"{LLM}calls"] == 1
    (line,) = report.unasked
    assert "has not read text (line 1), context1 (line 1): " in line
    assert "max_calls = 1 is reached" in line


@pytest.mark.parametrize("jobs", [("grades",), ("triples",), ("triples", "grades")])
def test_a_model_is_asked_for_the_jobs_that_are_named_and_no_other(jobs: tuple[str, ...]) -> None:
    report, server = check(scripted, jobs=jobs)  # type: ignore[arg-type]
    assert {job(request) for request in server.requests} == set(jobs)
    assert any(v.rule == "GR205" for v in report.violations) is ("triples" in jobs)
    assert not report.unasked


@pytest.mark.parametrize("order", [("grades", "triples"), ("triples", "grades")])
def test_what_is_graded_stays_so_beside_the_triples_of_a_model(order: tuple[str, ...]) -> None:
    """Grades are asked for first, and hold for the text that is compared anew with triples."""

    def answer(request: Request) -> Reply:
        if job(request) != "grades":
            return answered(request, TRIPLES)
        (number,) = (n for words, n in numbers(request.text).items() if words.startswith("To sub"))
        quote = "It may not sublet the Premises."
        row = {"statement": number, "quote": quote, "reason": "no", "grade": "contradicted",
               "wrong": "open to"}  # fmt: skip
        return chat({"grades": [row, *controls_of(request)]})

    report, _ = check(answer, jobs=order)  # type: ignore[arg-type]
    rules = {v.rule for v in report.violations if v.claim and v.claim.span.start > 50}
    assert {"GR104", "GR205"} <= rules


def test_limits_are_those_of_all_checks_that_share_a_client() -> None:
    with Server(scripted) as server:
        client = Client(LLMConfig(server.url, max_calls=1))
        api.check(ANSWER, context=[LEASE], client=client)
        again = api.check(ANSWER, context=[LEASE], client=client)
        assert len(server.requests) == 1
    assert dict(again.run.calls)[f"{LLM}calls"] == 0


TWELVE = " ".join(
    f"Room {n} is let for {400 + n} pounds a month, and its keys are with the porter."
    for n in range(1, 13)
)
ROOMS = " ".join(f"Room {n} is let for {400 + n} pounds." for n in range(1, 13))


def held(answer: Told, text: str = TWELVE, **settings: Any) -> tuple[Report, Server]:
    """Return the report of a text of twelve statements beside its source, and the server."""
    with Server(answer) as server:
        asked = LLMConfig(server.url, **({"retries": 0} | settings))
        report = api.check(text, context=[ROOMS], config=Config(llm=asked))
    return report, server


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_key_or_address_that_is_refused_once_is_asked_no_more(status: int) -> None:
    """Neither for triples, nor grades, nor wording."""
    report, server = held(error(status, "no"), phrase=True, retries=4, concurrency=1)
    assert len(server.requests) == 1
    assert report.exit_code == 2
    (line,) = report.unasked
    assert "has not graded 12 of 12 statements nor read text (line 1), context1 (line 1): " in line
    assert f" (line 1): HTTP {status}: no" in line
    assert {one.outcome for one in report.statements} == {Outcome.UNVERIFIABLE}
    assert all(f"HTTP {status}" in one.note for one in report.statements)


def test_an_endpoint_that_fails_is_asked_no_more_after_three_prompts_of_whatever_job() -> None:
    report, server = held(error(500, "broken"), f"{TWELVE} {TWELVE}", phrase=True, concurrency=1)
    assert len(server.requests) == 3
    assert report.exit_code == 2
    assert [line.endswith(": HTTP 500: broken") for line in report.unasked] == [True]


def test_what_a_model_answered_before_it_failed_counts() -> None:
    """The first question is answered, the grades of six, and nothing after it."""
    first = iter([True])

    def answer(request: Request) -> Reply:
        if not next(first, False):
            return error(500, "broken")
        return chat({"grades": controls_of(request)})

    report, _ = held(answer, concurrency=1)
    (line,) = report.unasked
    assert " has not graded 6 of 12 statements nor read text (line 1), context1 (line 1): " in line
    assert line.endswith(": HTTP 500: broken")
    assert report.exit_code == 2


def test_a_model_that_grades_the_first_statement_alone_leaves_the_others_unverifiable() -> None:
    quote = "Room 1 is let for 401 pounds"

    def answer(request: Request) -> Reply:
        if job(request) != "grades":
            return answered(request, {"text1": [], "text2": []})
        entailed = {"quote": quote, "reason": "so", "grade": "entailed", "wrong": ""}
        rows = [
            {"statement": n, **entailed}
            for words, n in numbers(request.text).items()
            if words.startswith("Room 1 is let")
        ]
        return chat({"grades": rows + controls_of(request)})

    report, _ = held(answer)
    left = [one for one in report.statements if one.outcome is Outcome.UNVERIFIABLE]
    assert len(left) >= 10
    assert {one.note for one in left} == {"not graded: the answer leaves it out"}
    assert not report.unasked
    assert report.exit_code == 2


def test_a_guard_reviews_what_a_model_that_is_down_did_not_grade() -> None:
    with Server(error(401)) as server:
        config = Config(llm=LLMConfig(server.url))
        found = guard(TWELVE, context=[ROOMS], config=config)
        lenient = guard(
            TWELVE,
            context=[ROOMS],
            config=config,
            policy=Policy(unread="retrieve_again", unsettled="retrieve_again"),
        )
    assert (found.decision, lenient.decision) == ("review", "retrieve_again")
    assert "HTTP 401" in str(GuardError(found))


def test_a_doubt_counts_in_a_guard_though_its_statement_was_not_graded() -> None:
    text = "The laundry room is open for 98 hours a week."
    source = "The laundry room is open daily from 07:00 to 21:00."
    policy = Policy(unread="pass")
    alone = guard(text, context=[source], policy=policy)
    assert alone.decision == "review"
    with Server(chat({"grades": []})) as server:
        found = guard(text, context=[source], policy=policy,
                      config=Config(llm=LLMConfig(server.url, retries=0)))  # fmt: skip
    assert found.report.statements[0].outcome is Outcome.UNVERIFIABLE
    assert found.decision == "review"


def test_a_guard_shares_one_client_so_that_a_model_that_is_down_is_asked_once() -> None:
    answers = iter(["Room 1 is let for 900 pounds.", "Room 1 is let for 800 pounds."])
    with Server(error(401)) as server:
        guard(lambda _: next(answers), "Who?", context=[ROOMS], policy=Policy(on_fail="reask"),
              config=Config(llm=LLMConfig(server.url)))  # fmt: skip
        assert len(server.requests) == 1


def test_a_slow_model_is_heard_until_the_deadline_and_the_report_of_the_rules_is_there() -> None:
    wrong = "Room 1 is let for 909 pounds."
    alone = api.check(wrong, context=[ROOMS])
    assert [one.outcome for one in alone.statements] == [Outcome.REFUTED]

    def slow(_: Request) -> Reply:
        server.stopping.wait(30)
        return chat({})

    with Server(slow) as server:
        asked = LLMConfig(server.url, deadline=3.0)
        began = time.monotonic()
        report = api.check(f"{wrong} {TWELVE}", context=[ROOMS], config=Config(llm=asked))
        assert time.monotonic() - began < 25  # of 30 that the model takes
    refuted, *others = report.statements
    assert refuted.outcome is Outcome.REFUTED
    assert report.exit_code == 1
    assert {one.note for one in others} == {"not graded: no answer by the deadline"}
    (line,) = report.unasked
    assert "has not graded 13 of 13 statements" in line
    assert line.endswith(": no answer by the deadline")


def test_violations_are_worded_where_that_is_wanted_and_in_one_call() -> None:
    text = " ".join(f"Room {n} is let for {900 + n} pounds." for n in range(1, 13))

    def answer(request: Request) -> Reply:
        return answered(request, {"text1": [], "text2": []})

    jobs = []
    for phrase in (False, True):
        report, server = held(answer, text, phrase=phrase)
        assert len(report.violations) >= 12
        jobs.append([job(one) for one in server.requests])
    assert jobs[0].count("phrase") == 0
    assert jobs[1] == [*jobs[0], "phrase"]


def test_a_guard_makes_no_call_for_wording() -> None:
    def answer(request: Request) -> Reply:
        return answered(request, {"text1": [], "text2": []})

    text = " ".join(f"Room {n} is let for {900 + n} pounds." for n in range(1, 5))
    with Server(answer) as server:
        config = Config(llm=LLMConfig(server.url, retries=0))
        found = guard(text, context=[ROOMS], config=config)
        assert found.report.violations
        assert {job(one) for one in server.requests} == {"triples", "grades"}


def test_one_parse_of_each_text_serves_the_check_with_a_model_and_the_one_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts: list[str] = []

    def counted(nlp: Any, text: str) -> Any:
        texts.append(text)
        return parse(nlp, text)

    monkeypatch.setattr(offline, "parse", counted)
    parsed.cache_clear()

    report, _ = check(scripted)

    assert any(claim.origin == "llm" for claim in report.claims)
    assert sorted(texts) == sorted([ANSWER, LEASE])


def test_a_model_that_adds_nothing_is_judged_once_with_the_report_of_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cases: list[object] = []

    def counted(case: Any, *arguments: Any, **given: Any) -> Any:
        if given.get("edits"):  # not what is read again
            cases.append(case)
        return judge(case, *arguments, **given)

    def silent(request: Request) -> Reply:
        if job(request) == "triples":
            return chat({"text1": [], "text2": []})
        return answered(request, {})

    monkeypatch.setattr(checks_report, "judge", counted)
    report, server = check(silent)
    assert {"triples", "grades"} <= {job(request) for request in server.requests}
    assert len(cases) == 1
    alone = api.check(ANSWER, context=[LEASE])
    assert plain(report).violations == plain(alone).violations
    assert report.statements[0] == alone.statements[0]
    assert report.statements[1].note == "not graded: the answer leaves it out"

    cases.clear()
    check(scripted)
    assert len(cases) == 2


def test_only_what_a_model_adds_has_its_edits_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[set[Any]] = []

    def counted(case: Any, *arguments: Any, tried: Any = (), **more: Any) -> Any:
        given.append(set(tried))
        return judge(case, *arguments, tried=tried, **more)

    monkeypatch.setattr(checks_report, "judge", counted)
    report, _ = check(scripted)
    alone = api.check(ANSWER, context=[LEASE])
    assert given[:2] == [set(), {key_of(one) for one in alone.violations}]
    assert [one for one in report.violations if key_of(one) not in given[1]]


def test_the_command_line_asks_and_tells(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Server(scripted) as server:
        arguments = ["check", "answer.txt", "--context", "lease.txt", "--llm", server.url]
        arguments.append("--phrase")
        assert main([*arguments, "--output-format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [v["phrased"] for v in data["violations"] if v["rule"] == "GR205"] == [WORDS]
    assert {c["name"]: c["value"] for c in data["run"]["calls"]}["llm calls"] == len(
        server.requests
    )


def test_never_asks_nobody_and_changes_no_byte(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["check", "answer.txt", "--context", "lease.txt", "--output-format", "json"]
    outputs = []
    for more in ([], ["--llm", "never"]):
        main([*arguments, *more])
        data = json.loads(capsys.readouterr().out)
        del data["run"]["times"], data["run"]["at"]
        outputs.append(data)
    assert outputs[0] == outputs[1]
    assert outputs[0]["run"]["calls"] == []

"""A check with a scorer: it may doubt and raise a score, and settles nothing by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from groundrules import api
from groundrules.align import weighing
from groundrules.align.weighing import SIGNS, Weights
from groundrules.checks import documents
from groundrules.config import Config, LLMConfig
from groundrules.errors import ConfigError, GroundrulesError
from groundrules.explain.contrast import focus
from groundrules.explain.formats import json, text
from groundrules.models import readers
from groundrules.models.readers import Asked, Entailment, Reader
from groundrules.terms import LLM, Outcome, Report, Severity
from tests.llm_server import Server
from tests.llm_server import error as fault

SOURCE = (
    "Guests may stay for up to 14 nights. A dog needs the agent's written consent. The laundry "
    "room is open daily. The deposit for the terrace is £60."
)
COPIED = "The deposit for the terrace is £60."
REFUTED = "The deposit for the terrace is £70."
NEAR = "The deposit for the terrace is £60, as the agent says."
LOOSE = "Residents with a dog never have to ask."
ANSWER = f"{COPIED} {REFUTED} {NEAR} {LOOSE}"
STRONG = Weights({name: 2.0 * sign for name, sign in SIGNS.items()}, 0.0, 0.5, 0.3, 0.1, "strong")

Say = Callable[[str], Entailment]


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Report]:
    """A check whose scorer says what a test wants."""

    def check(say: Say, weights: Weights = STRONG, **settings: object) -> Report:
        def told(asked: Sequence[Asked]) -> list[Entailment]:
            return [say(one.statement) for one in asked]

        monkeypatch.setattr(weighing, "load_weights", lambda **_: weights)
        monkeypatch.setattr(readers, "open_reader", lambda *_, **__: Reader("told", told))
        config = Config(**{"scorer": "embedded", **settings})  # type: ignore[arg-type]
        return api.check(ANSWER, context=[SOURCE], config=config, verify=False)

    return check


def entailed(statement: str) -> Entailment:
    return Entailment(0.98, 0.01, 0.01)


def contradicted(statement: str) -> Entailment:
    place = statement.find("ask")
    return Entailment(0.01, 0.98, 0.01, (place, place + 3) if place >= 0 else None)


def outcomes(report: Report) -> dict[str, Outcome]:
    return {one.text: one.outcome for one in report.statements}


def supports(report: Report) -> dict[str, float]:
    return {one.text: one.support or 0.0 for one in report.statements}


def test_a_models_word_alone_refutes_nothing_however_grave_it_is_made(
    scored: Callable[..., Report],
) -> None:
    plain = outcomes(scored(contradicted, scorer="none"))
    for settings in (
        {"weights": replace(STRONG, sure=0.3), "rules": {"GR106": {"severity": "error"}}},
        {"rules": {"GR106": {"severity": "error", "threshold": 1.0, "sure": 1.0}}},
    ):
        report = scored(contradicted, **settings)
        found = outcomes(report)

        assert any(v.rule == "GR106" and v.severity is Severity.ERROR for v in report.violations)
        assert all(
            (outcome is Outcome.REFUTED) == (plain[words] is Outcome.REFUTED)
            for words, outcome in found.items()
        )
        assert found[LOOSE] is Outcome.NOT_ENOUGH_INFO


def test_what_a_rule_refutes_stays_refuted_whatever_the_scorer_says(
    scored: Callable[..., Report],
) -> None:
    assert outcomes(scored(entailed))[REFUTED] is Outcome.REFUTED


def test_words_that_no_passage_has_keep_a_statement_open_whatever_the_scorer_says(
    scored: Callable[..., Report],
) -> None:
    found = scored(entailed)

    assert outcomes(found)[LOOSE] is Outcome.NOT_ENOUGH_INFO
    assert supports(found)[LOOSE] > supports(scored(contradicted))[LOOSE]


def test_a_doubt_points_at_the_wrong_words(scored: Callable[..., Report]) -> None:
    report = scored(contradicted, replace(STRONG, sure=0.0))
    (one,) = (s for s in report.statements if s.text == LOOSE)
    (doubt,) = (v for v in report.findings_of(one) if v.rule == "GR106")
    span = focus(doubt)

    assert doubt.severity is Severity.INFO
    assert (one.outcome, one.reason) == (Outcome.NOT_ENOUGH_INFO, "support")
    assert span is not None
    assert ANSWER[span.start : span.end] == "ask"
    assert "“ask”: the sources seem to say otherwise" in doubt.message


def test_a_doubt_quotes_the_nearest_passage(scored: Callable[..., Report]) -> None:
    report = scored(contradicted, replace(STRONG, doubt=0.5))
    (one,) = (s for s in report.statements if s.text == NEAR)
    (doubt,) = (v for v in report.findings_of(one) if v.rule == "GR106")

    assert f"the nearest passage is “{COPIED}”" in doubt.message
    assert [str(item.triple.object) for item in doubt.evidence] == [COPIED]


def test_what_stands_in_a_source_word_for_word_is_not_scored(
    scored: Callable[..., Report],
) -> None:
    asked: list[str] = []

    def say(statement: str) -> Entailment:
        asked.append(statement)
        return contradicted(statement)

    report = scored(say)

    assert COPIED not in asked
    assert outcomes(report)[COPIED] is Outcome.SUPPORTED
    assert supports(report)[COPIED] == 1


@pytest.mark.parametrize("shown_alone", [("GR3",), ("GR102",), ("LAW",)])
def test_hiding_a_finding_changes_no_verdict_and_no_score(
    scored: Callable[..., Report], shown_alone: tuple[str, ...]
) -> None:
    shown, less = scored(contradicted), scored(contradicted, select=shown_alone)

    assert less.statements == shown.statements
    assert not any(v.rule == "GR106" for v in less.violations)


@pytest.mark.parametrize("scorer", ["", "none"])
def test_without_a_scorer_nothing_of_it_is_in_the_report(
    scored: Callable[..., Report], scorer: str
) -> None:
    report = scored(contradicted, scorer=scorer)

    told = {name for one in report.statements for name, _ in one.contributions}
    assert told
    assert not told & {"entailed", "contradicted"}
    assert not any(v.rule == "GR106" for v in report.violations)
    assert "scorer" not in dict(report.run.models)


def test_no_scorer_reads_unless_one_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a scorer was opened")

    monkeypatch.setattr(readers, "open_reader", never)

    assert api.check(ANSWER, context=[SOURCE], verify=False).statements


def test_a_scorer_that_weighs_nothing_changes_no_verdict(scored: Callable[..., Report]) -> None:
    wording = Weights({"wording": 1.0}, 0.0, 0.5, 0.0, 0.0, "")
    plain, found = scored(contradicted, wording, scorer="none"), scored(contradicted, wording)

    assert outcomes(found) == outcomes(plain)
    assert supports(found) == supports(plain)
    assert {v.rule for v in found.violations} == {v.rule for v in plain.violations}


def test_a_threshold_of_ones_own_prevails_over_the_fitted_one(
    scored: Callable[..., Report],
) -> None:
    high = replace(STRONG, threshold=1.0)

    assert outcomes(scored(entailed, high))[NEAR] is Outcome.NOT_ENOUGH_INFO
    assert dict(scored(entailed, high).run.params)["threshold"] == "1.0"
    assert dict(scored(entailed, high, threshold=0.0).run.params)["threshold"] == "0.0"


def test_the_full_report_says_what_the_score_would_be_but_for_what_speaks_against_it(
    scored: Callable[..., Report],
) -> None:
    full = text.dumps(scored(contradicted), form="full")

    assert re.search(r"support +0\.\d\d of [01]\.\d\d: the scorer .*finds it contradicted", full)


def test_contributions_survive_the_json_format(scored: Callable[..., Report]) -> None:
    report = scored(contradicted)

    assert json.loads(json.dumps(report)).statements == report.statements


def test_the_same_input_gives_the_same_report() -> None:
    one, two = (
        replace(report, run=replace(report.run, times=(), at=""))
        for report in (api.check(ANSWER, context=[SOURCE], verify=False) for _ in range(2))
    )

    assert one == two


@pytest.mark.parametrize("scorer", ["/gone/", "llm", "./nowhere"])
def test_a_scorer_that_cannot_be_had_is_told_before_the_work(
    scorer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the work began")

    monkeypatch.setattr(documents, "resolved", never)
    with pytest.raises(GroundrulesError) as error:
        api.check(ANSWER, context=[SOURCE], config=Config(scorer=scorer))
    assert "\n" not in str(error.value)
    assert error.value.exit_code == 2


def test_a_config_file_makes_nobody_ask_a_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []

    def opened(scorer: str, *, download: bool) -> Reader:
        told.append(download)
        raise ConfigError("not here")

    monkeypatch.setattr(readers, "open_reader", opened)
    for origins in ({"scorer": "pyproject.toml:3"}, {"scorer": "--scorer"}, {}):
        with pytest.raises(ConfigError):
            api.check(ANSWER, context=[SOURCE], config=Config(scorer="x/y", origins=origins))

    assert told == [False, True, True]


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_scorer_at_an_endpoint_is_counted_and_told_where_it_reads_nothing() -> None:
    with Server(fault(500)) as server:
        config = Config(scorer=f"{server.url}#m", llm=LLMConfig(retries=0))
        report = api.check(LOOSE, context=[SOURCE], config=config, verify=False)

    assert dict(report.run.calls)[f"{LLM}calls"] == len(server.requests) == 1
    assert "the scorer has not read 1 statement: HTTP 500: no" in report.run.notes

"""GROG: questions to records of patents, answered from a neighbourhood of their graph."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rdflib.term import URIRef

import groundrules
from groundrules.checks.answers import Ground, Response, ground, open_records, prompt
from groundrules.config import Config, LLMConfig
from groundrules.kb.records.questions import read_question, state
from groundrules.kb.search.neighbourhood import neighbourhood
from groundrules.llm.client import Client
from groundrules.llm.replay import row
from groundrules.terms import Outcome
from tests.papers import grog_store, worked
from tests.papers.worked import of

CASES = worked.cases("grog")
RECORDS = CASES["records"]["input"]
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    return grog_store.build(RECORDS, tmp_path_factory.mktemp("grog"))


def ask(question: str, config: Config, **given: Any) -> Response:
    return groundrules.ask(question, config=config, now=NOW, **given)


@pytest.mark.parametrize(
    ("given", "expected"), of("grog", "grog-claims", "grog-refuse", "grog-title")
)
def test_records_answer_what_they_hold_and_nothing_else(
    config: Config, given: Mapping[str, Any], expected: Mapping[str, Any]
) -> None:
    response = ask(given["question"], config)
    said = " ".join(one.text for one in response.kept).casefold()
    assert bool(response.refusal) is expected["refuse"]
    assert bool(said) is not expected["refuse"]
    assert [part for part in expected.get("contains", ()) if part.casefold() not in said] == []
    assert [part for part in expected.get("contains_not", ()) if part.casefold() in said] == []
    cited = {str(one.thing) for one in response.grounds}
    if "cites" in expected:
        assert cited == {grog_store.iri(one) for one in expected["cites"]}
    if "cites_any" in expected:
        assert cited & {grog_store.iri(one) for one in expected["cites_any"]}


def grounds_of(question: str, config: Config) -> tuple[Ground, ...]:
    connection, index = open_records(config, NOW)
    asked = read_question(question, index, connection.graph.store)
    facts = state(asked, connection.source, connection.graph.store)
    return ground(question, asked, facts, connection, index)


@pytest.mark.parametrize(("given", "expected"), of("grog", "grog-bare-model", "grog-vague"))
def test_of_a_models_answer_only_what_the_records_carry_is_kept(
    config: Config, tmp_path: Path, given: Mapping[str, Any], expected: Mapping[str, Any]
) -> None:
    question = given["question"]
    grounds = grounds_of(question, config)
    numbers = {str(one.thing): one.number for one in grounds}
    answer = {
        "held": True,
        "sentences": [
            {"text": one["text"],
             "records": [numbers[grog_store.iri(cited)] for cited in one["cites"]]}
            for one in given["model_answer"]
        ],
    }  # fmt: skip
    file = tmp_path / "answers.jsonl"
    file.write_text(row(prompt(question, grounds), answer), encoding="utf-8")
    response = ask(question, config, client=Client(LLMConfig(), answers=file))
    kept = [one.outcome is Outcome.SUPPORTED for one in response.sentences]
    pairs = zip(response.sentences, expected["sentences"], strict=True)
    assert kept == [one["keep"] and said.text not in worked.FAILS["grog"] for said, one in pairs]
    assert all(one.reason for one in response.sentences if one.outcome is not Outcome.SUPPORTED)
    said = " ".join(one.text for one in response.kept)
    assert not [part for part in expected.get("contains_not", ()) if part in said]
    assert bool(response.refusal) is not any(kept)


def test_the_neighbourhood_is_what_the_edges_lead_to(config: Config) -> None:
    case = CASES["grog-neighbourhood"]
    connection, _ = open_records(config, NOW)
    start = URIRef(grog_store.iri(case["input"]["start"]))

    def within(hops: int) -> set[str]:
        near = neighbourhood(connection.source, connection.graph, [start], hops=hops, budget=4000)
        ends = {str(end) for one in near.statements for end in (one.subject, one.object)}
        known = {grog_store.iri(record["id"]): record["id"] for record in RECORDS}
        return {known[end] for end in ends if end in known}

    assert within(case["input"]["hops"]) == set(case["expected"]["ids"])
    assert within(1) == set(case["expected"]["one_hop"])


def test_a_text_is_found_by_what_it_means(config: Config) -> None:
    case = CASES["grog-nearest"]
    _, index = open_records(config, NOW)
    found = index.search(case["input"]["query"], case["input"]["k"])
    assert [str(hit.node) for hit in found] == [
        grog_store.iri(one) for one in case["expected"]["ids"]
    ]


def test_a_graph_of_ones_own_bears_out_its_edges(tmp_path: Path) -> None:
    case = CASES["grog-kb"]
    file = tmp_path / "records.ttl"
    file.write_text(case["input"]["turtle"], encoding="utf-8")
    for claim, expected in zip(case["input"]["claims"], case["expected"]["claims"], strict=True):
        report = groundrules.check(claim, config=Config(kb=(str(file),)))
        assert worked.outcome(report) in (expected["outcome"], *expected.get("accept", ()))

"""Answers from records: cited, refused where the records hold none, and checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import groundrules
from groundrules.checks.answers import Ground, Response, ground, open_records, prompt
from groundrules.config import Config, LLMConfig
from groundrules.errors import ConfigError, LLMError, SourceError
from groundrules.kb.records.questions import read_question, state
from groundrules.kb.search.retrieval import TEXTS, index_texts
from groundrules.kb.sources.triplestore import build_store, open_graph
from groundrules.llm.client import Client
from groundrules.llm.replay import row
from tests.claims.test_grades import grade, numbers, of_controls
from tests.llm_server import Reply, Request, Server, chat
from tests.rows import each

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RECORDS = Path(__file__).parents[2] / "examples" / "records" / "patents.xml"
CLAIMS = "What are some claims made in US Patent App. No. 14897520?"
INVENTOR = "Who invented US 9,800,001?"
PATENT = "us-patent/9800001"
#: Sentences that a record which they cite does not state.
MISSTATED = Path(__file__).with_name("misstated.jsonl")

#: What a model says, given the records: sentences with what they cite by the end of an IRI.
ModelSentences = Sequence[tuple[str, Sequence[str]]]


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    store = tmp_path_factory.mktemp("ask") / "store"
    build_store([RECORDS], store)
    index_texts(open_graph(store), store / TEXTS)
    return Config(kb=(str(store),))


def ask(question: str, config: Config, **given: Any) -> Response:
    return groundrules.ask(question, config=config, now=NOW, **given)


def grounds_of(question: str, config: Config) -> tuple[Ground, ...]:
    connection, index = open_records(config, NOW)
    asked = read_question(question, index, connection.graph.store)
    facts = state(asked, connection.source, connection.graph.store)
    return ground(question, asked, facts, connection, index)


@pytest.fixture
def answered(config: Config, tmp_path: Path) -> Callable[..., Response]:
    """Return what becomes of a model's answer."""

    def answer(question: str, said: ModelSentences, *, held: bool = True) -> Response:
        grounds = grounds_of(question, config)

        def rows(some: ModelSentences) -> dict[str, Any]:
            return {
                "held": held,
                "sentences": [
                    {"text": text, "records": [
                        one.number for one in grounds
                        if any(str(one.thing).endswith(end) for end in ends)
                    ] + [int(end) for end in ends if end.isdecimal() and len(end) < 4]}
                    for text, ends in some
                ],
            }  # fmt: skip

        path = tmp_path / "answers.jsonl"
        lines = [row(prompt(question, grounds), rows(said))]
        path.write_text("".join(lines), encoding="utf-8")
        client = Client(LLMConfig(), answers=path)
        return ask(question, config, client=client)

    return answer


def outcomes(response: Response) -> list[str]:
    return [one.outcome.value for one in response.sentences]


def test_claims_of_an_application_are_those_of_its_patent_each_cited(config: Config) -> None:
    response = ask(CLAIMS, config)

    assert response.by == "records"
    assert response.exit_code == 0
    assert [one.text.partition(":")[0] for one in response.kept] == [
        f"Claim {number} of US 9,800,001" for number in range(1, 6)
    ]
    by_number = {one.number: one for one in response.grounds}
    for number, said in enumerate(response.kept, 1):
        (cited,) = said.cites
        assert str(by_number[cited].thing).endswith(f"us-patent/9800001/claim/{number}")
        (place,) = by_number[cited].places
        assert (place.file, place.number, len(place.digest)) == ("patents.xml", 1, 64)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (INVENTOR, ["US 9,800,001 was invented by Ada Lindqvist."]),
        ("When was 14/897,520 filed?", ["US 14/897,520 was filed on 2015-12-10."]),
        ("When was US Patent No. 9,800,001 filed?", ["US 14/897,520 was filed on 2015-12-10."]),
        ("How many claims does US9800001B2 have?", ["US 9,800,001 has 5 claims."]),
        ("Which patents cite US 4,580,670?", ["US 9,800,001 cites US 4,580,670."]),
        ("What does claim 2 of US 9,800,001 depend on?",
         ["Claim 2 of US 9,800,001 depends on claim 1 of US 9,800,001."]),
        ("On what does claim 1 of US 9,800,001 depend?",
         ["Claim 1 of US 9,800,001 is independent: it depends on no other claim."]),
        ("What is US 9,800,001 called?",
         ["The title of US 9,800,001 is “Self-priming pump with a steel rotor”."]),
    ],
)  # fmt: skip
def test_a_question_about_a_field_is_answered_by_its_statements(
    config: Config, question: str, answer: list[str]
) -> None:
    assert [one.text for one in ask(question, config).kept] == answer


@each("question")
def test_what_the_records_do_not_hold_is_refused(config: Config, question: str) -> None:
    response = ask(question, config)

    assert response.refusal
    assert response.sentences == ()
    assert response.exit_code == 1


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Config:
    store = tmp_path_factory.mktemp("library") / "store"
    folder = RECORDS.parent
    build_store([folder / "decisions.json", folder / "statutes.ttl"], store)
    index_texts(open_graph(store), store / TEXTS)
    return Config(kb=(str(store),))


@each("question answer")
def test_what_has_a_name_and_no_number_is_asked_about_by_its_name(
    library: Config, question: str, answer: list[str]
) -> None:
    assert [one.text for one in ask(question, library).kept] == answer


def test_a_question_that_no_statement_answers_is_refused(config: Config) -> None:
    response = ask("Who examined US 9,800,001?", config)
    assert response.refusal.startswith("the records do not say")
    assert response.sentences == ()


def test_what_the_records_state_is_kept_in_the_wordings_of_its_kind(
    answered: Callable[..., Response],
) -> None:
    response = answered(
        CLAIMS,
        [
            ("Claim 2 of US 9,800,001 says: “The pump of claim 1, wherein the rotor (12) has "
             "four blades.”", ["/claim/2"]),
            ("Claim 2 of US 9,800,001 depends on claim 1.", ["/claim/2"]),
            ("US 9,800,001 was granted on October 31, 2017.", [PATENT]),
            ("US 9,800,001 was granted on 31.10.2017.", [PATENT]),
            ("US 14/897,520 was filed on 10 December 2015.", ["14897520"]),
            ("The publication date of US 14/897,520 is June 16, 2016.", ["14897520"]),
            ("“Self-priming pump with a steel rotor” is the title of US 9,800,001.", [PATENT]),
        ],
    )  # fmt: skip

    assert outcomes(response) == ["supported"] * len(response.sentences)
    assert response.exit_code == 0


@pytest.mark.parametrize(
    ("text", "cites", "outcome"),
    [
        ("US 14/897,520 was filed on December 11, 2015.", ["14897520"], "refuted"),
        ("US 14/897,520 was published on December 10, 2015.", ["14897520"], "refuted"),
        ("US 9,800,001 was invented by Ada Lindqvist.", [], "not_enough_info"),
        ("US 9,800,001 was invented by Ada Lindqvist.", [PATENT, "999"], "not_enough_info"),
    ],
    ids=["other date", "date of another kind", "cites nothing", "cites what was not given"],
)
def test_a_hallucination_is_left_out_with_its_reason_and_the_rest_is_kept(
    answered: Callable[..., Response], text: str, cites: list[str], outcome: str
) -> None:
    right = ("According to the records, US 9,800,001 issued on October 31, 2017.", [PATENT])
    response = answered(CLAIMS, [(text, cites), right])

    assert outcomes(response) == [outcome, "supported"]
    assert response.sentences[0].reason
    assert [one.text for one in response.kept] == [right[0]]
    assert response.exit_code == 1


def test_what_is_stated_otherwise_or_of_another_is_left_out(
    answered: Callable[..., Response],
) -> None:
    rows = map(json.loads, MISSTATED.read_text(encoding="utf-8").splitlines())
    response = answered("Tell me about US 9,800,001", [(one["text"], one["cites"]) for one in rows])

    assert [one.text for one in response.kept] == []


def test_an_answer_of_which_nothing_is_carried_is_none(answered: Callable[..., Response]) -> None:
    response = answered(INVENTOR, [("US 9,800,001 was invented by Hugo Petit.", ["9800001"])])

    assert response.refusal
    assert response.kept == ()


def test_a_model_may_say_that_the_records_do_not_hold_it(answered: Callable[..., Response]) -> None:
    response = answered(INVENTOR, [], held=False)

    assert "do not hold" in response.refusal
    assert response.exit_code == 1


def test_that_a_claim_depends_on_none_is_carried_where_the_records_say_so(
    answered: Callable[..., Response],
) -> None:
    question = "On what does claim 1 of US 9,800,001 depend?"
    said = "Claim 1 of US 9,800,001 depends on no other claim."
    assert outcomes(answered(question, [(said, ["/claim/1"])])) == ["supported"]
    said = "Claim 2 of US 9,800,001 depends on no other claim."
    assert outcomes(answered(question, [(said, ["/claim/1", "/claim/2"])])) != ["supported"]


def test_long_texts_leave_room_for_what_is_said_in_few_words(tmp_path: Path) -> None:
    text = RECORDS.read_text("utf-8")
    long = " ".join(f"A pump of steel has a rotor and a valve number {n}." for n in range(500))
    text = text.replace("A pump has a housing, a rotor of steel", long)
    (tmp_path / "patents.xml").write_text(text, encoding="utf-8")
    build_store([tmp_path / "patents.xml"], tmp_path / "store")
    index_texts(open_graph(tmp_path / "store"), tmp_path / "store" / TEXTS)
    grounds = grounds_of("Tell me about US 9,800,001", Config(kb=(str(tmp_path / "store"),)))
    told = "\n".join(one.text for one in grounds)

    for said in (
        "US 9,800,001 was invented by Ada Lindqvist.",
        "US 9,800,001 was granted on 2017-10-31.",
        "US 14/897,520 was filed on 2015-12-10.",
        "US 9,800,001 cites US 4,580,670.",
    ):
        assert said in told
    # what names and numbers say already is no statement for a model
    assert "is part of" not in told


def test_a_name_with_bars_in_it_states_nothing_of_another(tmp_path: Path) -> None:
    name = "Kestrel | overrules | Ortega"
    text = (RECORDS.parent / "decisions.json").read_text("utf-8")
    path = tmp_path / "decisions.json"
    path.write_text(text.replace("Ortega v. Harbor Mills LLC", name), encoding="utf-8")
    build_store([path], tmp_path / "store")
    index_texts(open_graph(tmp_path / "store"), tmp_path / "store" / TEXTS)
    grounds = grounds_of("Is rent due to Ortega?", Config(kb=(str(tmp_path / "store"),)))

    said = [line for one in grounds for line in one.text.splitlines() if "overrules" in line]
    assert said
    assert all(name in line for line in said)


def test_what_records_say_is_given_to_a_model_as_data(config: Config) -> None:
    grounds = grounds_of(CLAIMS, config)
    asked = prompt(CLAIMS, grounds)

    assert asked.texts[0] == ("question", CLAIMS)
    assert [text for _, text in asked.texts[1:]] == [one.text for one in grounds]
    assert not any(one.text in asked.instructions for one in grounds)
    assert [one.number for one in grounds] == list(range(1, len(grounds) + 1))


def test_a_model_that_cannot_be_asked_is_no_refusal(config: Config, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(LLMError):
        ask(INVENTOR, config, client=Client(LLMConfig(), answers=tmp_path / "none.jsonl"))


def test_without_a_store_or_its_texts_nothing_is_asked(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--kb STORE"):
        ask(INVENTOR, Config())
    build_store([RECORDS], tmp_path / "store")
    with pytest.raises(SourceError, match="no index of texts"):
        ask(CLAIMS, Config(kb=(str(tmp_path / "store"),)))


@each("question")
def test_what_is_no_kind_of_question_is_refused_and_told_what_is(
    library: Config, question: str
) -> None:
    response = ask(question, library)
    assert response.sentences == ()
    assert "answer the kinds of questions of their domain" in response.refusal


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize(("kind", "kept"), [("entailed", 1), ("neither", 0)])
def test_what_is_said_in_other_words_is_kept_where_a_grade_says_so(
    config: Config, kind: str, kept: int
) -> None:
    said = "The idea behind US 9,800,001 came from Ada Lindqvist."
    record = next(one.number for one in grounds_of(INVENTOR, config)
                  if str(one.thing).endswith(PATENT))  # fmt: skip

    def answer(request: Request) -> Reply:
        if request.body["response_format"]["json_schema"]["name"] != "grades":
            return chat({"held": True, "sentences": [{"text": said, "records": [record]}]})
        quote = "US 9,800,001 was invented by Ada Lindqvist." if kept else ""
        own = {"statement": numbers(request.text)[said]} | grade(kind, quote)
        return chat({"grades": [own, *of_controls(request.text, {said})]})

    with Server(answer) as server:
        response = ask(INVENTOR, replace(config, llm=LLMConfig(server.url, retries=0)))

    assert len(response.kept) == kept

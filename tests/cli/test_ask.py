"""`groundrules ask`: answers with citations, exit codes, one line where it cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.checks.answers import AnswerSentence, Response
from groundrules.cli.ask import render
from groundrules.kb.search.retrieval import TEXTS, index_texts
from groundrules.kb.sources.triplestore import build_store, open_graph
from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]
RECORDS = Path(__file__).parents[2] / "examples" / "records" / "patents.xml"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("ask") / "store"
    build_store([RECORDS], path)
    index_texts(open_graph(path), path / TEXTS)
    return str(path)


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no settings but those of the command line."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GROUNDRULES_OUTPUT_FORMAT", raising=False)


def test_the_question_of_grog_is_answered_with_claims_and_where_they_stand(
    cli: Cli, store: str
) -> None:
    found = cli("ask", "What are some claims made in US Patent App. No. 14897520?", "--kb", store)

    assert (found.code, found.err) == (0, "")
    first, *_ = found.out.splitlines()
    assert first == (
        "Claim 1 of US 9,800,001: “A pump comprising: a housing (10); a rotor (12) of steel; and "
        "a valve (14).” [1]"
    )
    assert "  [1] claim 1 of US 9,800,001 (patents.xml: record 1, sha256 " in found.out


def test_what_the_records_do_not_hold_is_said_and_exits_with_1(cli: Cli, store: str) -> None:
    found = cli("ask", "Who invented US 7,777,777?", "--kb", store)

    assert (found.code, found.err) == (1, "")
    assert found.out == "No answer: the records hold nothing with the number 7,777,777.\n"


def test_json_has_sentences_records_and_places(cli: Cli, store: str) -> None:
    found = json.loads(
        cli("ask", "Who invented US 9,800,001?", "--kb", store, "--output-format", "json").out
    )

    assert found["answer"] == "US 9,800,001 was invented by Ada Lindqvist."
    assert found["refusal"] is None
    ((sentence,), (record,)) = (found["sentences"], found["records"])
    assert sentence["records"] == [record["number"]]
    assert sentence["outcome"] == "supported"
    assert [place["file"] for place in record["places"]] == ["patents.xml"]


def test_a_terminal_is_shown_no_control_characters() -> None:
    shown = render(Response("q", "m", (AnswerSentence("a \x1b[2Jb\u202e.", (1,)),)))

    assert shown == "a  [2Jb . [1]\n"

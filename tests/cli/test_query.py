"""`groundrules query`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.audit import store
from tests.audit.reports import reports
from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]
pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("results") / "store"
    store.add(folder, ((one, store.Given()) for one in reports()))
    return str(folder)


def test_the_queries_that_ship_are_listed_with_what_they_answer(cli: Cli) -> None:
    found = cli("query")

    assert found.code == 0
    for one in store.named_queries().values():
        assert any(line.split()[0] == one.name for line in found.out.splitlines())


def test_each_form_has_the_same_rows(cli: Cli, results: str) -> None:
    def said(form: str) -> str:
        found = cli("query", "outcomes-by-day", "--store", results, "--output-format", form)
        assert (found.code, found.err) == (0, "")
        return found.out

    text = [line.split() for line in said("text").splitlines()]
    table = list(csv.reader(io.StringIO(said("csv"))))
    bindings = json.loads(said("json"))["results"]["bindings"]

    assert table == text
    assert table[0] == ["day", "outcome", "statements"]
    assert [[row[name]["value"] for name in table[0]] for row in bindings] == table[1:]


def test_no_cell_is_a_formula(cli: Cli, results: str) -> None:
    query = "SELECT * { VALUES ?a { '=1+1' '@x' '-5' 'a=b' } }"
    found = cli("query", query, "--store", results, "--output-format", "csv").out
    assert found.splitlines() == ["a", "'=1+1", "'@x", "-5", "a=b"]


def test_a_question_is_answered_by_yes_or_no(cli: Cli, results: str) -> None:
    ask = "ASK { GRAPH ?g { ?report a gr:Report } }"

    assert cli("query", ask, "--store", results).out == "true\n"
    as_json = cli("query", ask, "--store", results, "--output-format", "json").out
    assert json.loads(as_json) == {"head": {}, "boolean": True}


def test_a_query_can_be_in_a_file_and_is_blamed_with_it(
    cli: Cli, results: str, folder: Path
) -> None:
    (folder / "mine.rq").write_text("ASK {}", encoding="utf-8")
    (folder / "bad.rq").write_text("ASK {\n  ?s }", encoding="utf-8")

    assert cli("query", "mine.rq", "--store", results).out == "true\n"
    found = cli("query", "bad.rq", "--store", results)
    assert found.code == 2
    assert found.err.startswith("groundrules: bad.rq:2:")


def test_rows_that_are_left_out_are_told(cli: Cli, results: str) -> None:
    found = cli("query", "outcomes-by-day", "--store", results, "--most", "1")

    assert len(found.out.splitlines()) == 2
    assert found.err == "groundrules: there are more than 1 rows; --most reads more\n"


def test_no_row_is_told(cli: Cli, results: str) -> None:
    query = "SELECT ?s { GRAPH ?g { ?s a gr:Nothing } }"

    assert cli("query", query, "--store", results).out == "nothing found\n"
    assert cli("query", query, "--store", results, "--output-format", "csv").out == "s\r\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["unchecked-statement"], "did you mean 'unchecked-statements'?"),
        (["unchecked-statements"], "--store is missing"),
        (["none.rq", "--store", "x"], "none.rq: cannot be read: No such file"),
        (["ASK {}", "--store", "."], ".: not a store of results"),
        (["ASK {}", "--store", "nowhere"], "nowhere: not a store of results"),
    ],
)
def test_what_cannot_be_asked_is_one_line(arguments: list[str], message: str, cli: Cli) -> None:
    found = cli("query", *arguments)

    assert (found.code, found.out) == (2, "")
    assert message in found.err
    assert found.err.count("\n") == 1

"""`groundrules kb`: what each sub-command shows, and one clear line where it cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.kb.sources.triplestore import build_store
from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]
DATA = Path(__file__).parents[2] / "kb" / "data"
FIXTURE, PEOPLE = str(DATA / "wikibase_fixture.ttl"), str(DATA / "people.ttl")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("kb") / "store"
    build_store([Path(PEOPLE)], out)
    return str(out)


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no settings but those of the command line."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GROUNDRULES_OUTPUT_FORMAT", raising=False)


def test_build_says_what_the_store_holds_as_info_does(cli: Cli, tmp_path: Path) -> None:
    built = cli("kb", "build", PEOPLE, "-o", "store")

    assert (built.code, built.err) == (0, "")
    rows = dict(line.split(maxsplit=1) for line in built.out.splitlines())
    assert rows["entities"] == "4"
    assert rows["from"] == "people.ttl (Turtle, 253 statements)"
    assert all(line[10:12] == "  " != line[12:14] for line in built.out.splitlines())
    assert cli("kb", "info", "store").out == built.out


def test_options_may_stand_before_what_they_are_for(cli: Cli, store: str) -> None:
    after = cli("kb", "lookup", "Ada Lovelace", "--kb", store)
    before = cli("kb", "lookup", "--kb", store, "Ada Lovelace")
    assert (before.code, before.out, before.err) == (after.code, after.out, after.err)


def test_a_build_that_failed_is_no_store(cli: Cli, tmp_path: Path) -> None:
    text = Path(PEOPLE).read_text("utf-8")
    Path("people.ttl").write_text(f"{text}<a", encoding="utf-8")
    failed = cli("kb", "build", "people.ttl", "-o", "store")
    assert (failed.code, failed.out) == (2, "")
    assert failed.err.startswith("groundrules: people.ttl")
    assert failed.err.count("\n") == 1
    assert cli("kb", "info", "store").code == 2
    again = cli("kb", "build", PEOPLE, "-o", "store")
    assert "is there already; expected a new or empty folder" in again.err


def test_an_index_of_a_file_is_of_use_without_a_store(cli: Cli) -> None:
    made = cli("kb", "index", FIXTURE, "-o", "names.sqlite")

    assert made.code == 0
    assert made.out == cli("kb", "info", "names.sqlite").out
    data = json.loads(cli("kb", "info", "names.sqlite", "--output-format", "json").out)
    assert (data["entities"], data["names"], data["languages"]) == (1, 3, ["en", "mul"])
    again = cli("kb", "index", FIXTURE, "-o", "names.sqlite")
    assert (again.code, again.err) == (2, "groundrules: names.sqlite: is there already\n")


def test_lookup_gives_what_bears_a_name_the_likeliest_first(cli: Cli, store: str) -> None:
    found = cli("kb", "lookup", "example", "A. Example", "nobody", "--kb", store)

    assert found.code == 0
    assert found.out == (
        "name           id     known by  description\n"
        "Gaius Example  Q1048  2         a general\n"
        "\n"
        "name         id    known by  description\n"
        "Ada Example  Q100  12        an example of a person\n"
        "\n"
        "nothing is called 'nobody'\n"
    )
    assert cli("kb", "lookup", "nobody", "--kb", store).code == 1
    data = json.loads(
        cli("kb", "lookup", "ada example", "--kb", store, "--output-format", "json").out
    )
    (ada,) = data["names"]["ada example"]
    assert (ada["iri"], ada["revision"]) == ("http://www.wikidata.org/entity/Q100", "111")
    assert ada["types"] == ["http://www.wikidata.org/entity/Q5"]


def test_plain_rdf_is_looked_up_as_well(cli: Cli) -> None:
    Path("cats.ttl").write_text(
        "@prefix : <http://cats/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':tom rdfs:label "Tom \\u001b[31m" ; :chases :jerry ; :born 1940 .\n'
        ':jerry rdfs:label "Jerry" .'
    )
    looked = cli("kb", "lookup", "Jerry", "--kb", "cats.ttl")
    told = cli("kb", "show", "http://cats/tom", "--kb", "cats.ttl")

    assert "http://cats/jerry" in looked.out
    assert "chases | Jerry" in told.out
    assert "1940" in told.out
    assert "\x1b" not in told.out

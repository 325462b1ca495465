"""`kb index --texts`, `kb near` and `kb show`: what they show, and one line where they cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.kb.search.retrieval import TEXTS, index_texts
from groundrules.kb.sources.triplestore import build_store, open_graph
from tests.cli.conftest import Outcome
from tests.kb.search.test_neighbourhood import GRAPH

Cli = Callable[..., Outcome]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("near")
    (folder / "facts.ttl").write_text(GRAPH, encoding="utf-8")
    build_store([folder / "facts.ttl"], folder / "store")
    index_texts(open_graph(folder / "store"), folder / "store" / TEXTS)
    return str(folder / "store")


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no settings but those of the command line."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GROUNDRULES_OUTPUT_FORMAT", raising=False)


def test_texts_are_indexed_and_found(cli: Cli) -> None:
    Path("facts.ttl").write_text(GRAPH, encoding="utf-8")
    assert cli("kb", "build", "facts.ttl", "-o", "store").code == 0
    missing = cli("kb", "near", "bread", "--kb", "store")
    built = cli("kb", "index", "store", "--texts")
    found = cli("kb", "near", "bread", "--kb", "store", "--most", "1")

    assert missing.code == 2
    assert missing.err.endswith(
        "texts.sqlite: no index of texts there; run: groundrules kb index store --texts\n"
    )
    assert (built.code, built.err) == (0, "")
    assert "texts   10\n" in built.out
    assert found.code == 0
    head, row = found.out.splitlines()
    assert head.split() == ["by", "thing", "id", "text"]
    assert "US 1,000,001" in row
    assert "Bread is baked." in row


def test_show_gives_the_neighbourhood_within_a_budget(cli: Cli, store: str) -> None:
    options = ("kb", "show", "1,000,001", "--kb", store)
    lines = cli(*options).out.splitlines()
    small = cli(*options, "--tokens", "30").out.splitlines()
    data = json.loads(cli(*options, "--output-format", "json").out)

    assert lines[0] == "US 1,000,001 | abstract | Bread is baked."
    assert set(small) < set(lines)
    first, *_ = stated = data["neighbourhood"]["statements"]
    assert [one["text"] for one in stated] == lines
    assert first["object"]["value"] == "Bread is baked."
    assert data["evidence"][0]["pin"].startswith("grants.xml, record 3 (urn:sha256:ab), store ")


def test_show_gives_what_is_stated_around_a_thing(cli: Cli, store: str) -> None:
    for thing in ("http://e/p", "US 1,000,001 B2", "1000001"):
        assert cli("kb", "show", thing, "--kb", store).out.startswith("US 1,000,001 | abstract")
    assert cli("kb", "show", "Ada", "--kb", store).out.startswith("Ada | description | a baker.")
    followed = cli("kb", "show", "http://e/p", "--kb", store, "--relations", "lx:cites").out
    assert "cites | US 900." in followed
    assert "has inventor" not in followed


def test_a_store_that_has_changed_since_is_told(cli: Cli) -> None:
    Path("facts.ttl").write_text(GRAPH, encoding="utf-8")
    cli("kb", "build", "facts.ttl", "-o", "store")
    cli("kb", "index", "store", "--texts")
    Path("more.ttl").write_text(GRAPH.replace("Bread", "Cake"), encoding="utf-8")
    cli("kb", "build", "facts.ttl", "more.ttl", "-o", "new")
    Path("store", TEXTS).rename(Path("new", TEXTS))

    found = cli("kb", "near", "cake", "--kb", "new")
    assert found.code == 2
    assert "the store has changed since; groundrules kb index --texts brings it up" in found.err
    assert cli("kb", "index", "new", "--texts").code == 0
    assert "Cake is baked." in cli("kb", "near", "cake", "--kb", "new").out

"""A word that a setting knows is that name, whatever lies in the folder; a path needs ./ there."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules import plugins, reserved
from groundrules.audit.answered import asks
from groundrules.cli.main import main
from groundrules.config import NETWORK, Config
from groundrules.errors import ConfigError
from groundrules.kb.sources import sparql
from groundrules.kb.sources.connect import connect
from tests.rows import each

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ROOT = Path(__file__).parent.parent
TEXT = "The director of the Alder Valley Railway is Helena Brandt."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of facts that bears the name of an endpoint, and a text, where we are."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    monkeypatch.setenv(NETWORK, "off")
    monkeypatch.delenv("GROUNDRULES_CONTACT", raising=False)
    (tmp_path / "wikidata").mkdir()
    facts = (ROOT / "examples" / "kb" / "facts.ttl").read_bytes()
    (tmp_path / "wikidata" / "facts.ttl").write_bytes(facts)
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every address that is looked up or connected to."""
    found: list[Any] = []

    def refuse(*given: Any, **_: Any) -> None:
        found.append(given)
        raise OSError("no network here")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setitem(sparql.Endpoint.__init__.__kwdefaults__, "sleep", lambda seconds: None)
    return found


@pytest.mark.parametrize("absolute", [True, False])
def test_a_folder_of_its_name_does_not_lift_the_guard_of_the_network(
    absolute: bool, folder: Path, calls: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    own = folder / "groundrules.toml"
    own.write_text('contact = "me@example.org"\nkb = ["wikidata"]\n', encoding="utf-8")

    named = str(own) if absolute else own.name
    assert main(["check", "a.txt", "--config", named]) == 2

    said = capsys.readouterr().err
    assert said.startswith(f"groundrules: {named}:2: names the endpoint 'wikidata'; ")
    assert said.endswith(
        '; "wikidata" is the Wikidata endpoint; for the folder of that name write ./wikidata\n'
    )
    assert said.count("\n") == 1
    assert calls == []


def test_a_folder_of_its_name_does_not_take_the_place_of_an_endpoint(
    folder: Path, calls: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = folder / "settings"
    elsewhere.mkdir()
    (elsewhere / "groundrules.toml").write_text('contact = "me@example.org"\n', encoding="utf-8")
    config = ("--config", str(elsewhere / "groundrules.toml"))

    assert main(["check", "a.txt", "--kb", "wikidata", *config]) == 2

    assert calls, "Wikidata is asked"
    assert capsys.readouterr().err.startswith(
        '--kb: "wikidata" is the Wikidata endpoint; for the folder of that name write ./wikidata\n'
    )


@pytest.mark.parametrize("form", ["./wikidata", "{}/wikidata", "../{name}/wikidata"])
def test_a_path_is_the_folder(
    form: str, folder: Path, calls: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    spec = form.format(folder, name=folder.name)

    main(["check", "a.txt", "--kb", spec])

    shown = capsys.readouterr()
    assert "has Edith Moss as “director”" in shown.out
    assert shown.err == ""
    assert calls == []


@pytest.mark.parametrize("base", [Path(), Path("sub"), Path("/nowhere")])
@pytest.mark.parametrize("name", ["wikidata", "https://x.example/sparql", "http:x"])
def test_guard_and_opener_take_a_word_for_the_same(
    base: Path, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "sub" / "wikidata").mkdir(parents=True)
    (folder / "http:x").mkdir()
    config = Config(kb=(name,), base=base, origins={"kb": "groundrules.toml:1"})

    with pytest.raises(ConfigError, match="reaches no network by itself"):
        _ = config.bases
    monkeypatch.setenv(NETWORK, "on")
    assert config.bases == (name,)
    assert reserved.path_of("kb", name) is None
    assert plugins.scheme(name)
    assert asks(config)

    here = Config(kb=("./wikidata",), base=Path())
    assert here.bases == ("./wikidata",)
    assert not asks(here)
    assert connect("./wikidata", now=NOW).endpoint is None
    assert connect("wikidata", now=NOW, contact="me@example.org").endpoint is not None


@given(st.text(min_size=1).filter(lambda word: "\0" not in word and "~" not in word))
def test_what_is_written_as_a_path_is_read_as_that_path(word: str) -> None:
    for key in ("kb", "ontology", "scorer", "embedding", "offline", "names", "model"):
        path = Path(word)
        assert reserved.path_of(key, reserved.word_for(key, path)) == path or "://" in word


@each("key word")
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_every_name_is_a_name_and_says_what_else_bears_it(
    key: str, word: str, kind: str, tmp_path: Path
) -> None:
    assert reserved.path_of(key, word, tmp_path) is None
    assert reserved.beside(key, word, tmp_path) == ""
    path = tmp_path / word
    path.mkdir() if kind == "folder" else path.touch()

    line = reserved.beside(key, word, tmp_path)

    assert line.startswith(f'"{word}" is ')
    assert line.endswith(f"; for the {kind} of that name write ./{word}")
    assert reserved.path_of(key, word, tmp_path) is None
    assert reserved.path_of(key, f"./{word}", tmp_path) == path

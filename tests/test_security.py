"""What security.md says of files that somebody else wrote: each line is a law here."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundrules import cache as kept
from groundrules import config as config_
from groundrules.checks import kb
from groundrules.config import NETWORK, Config, LLMConfig, find, load, read, refuse_unasked
from groundrules.errors import ConfigError
from groundrules.kb.sources.connect import open_cache
from groundrules.llm.client import Client
from groundrules.llm.endpoint import secret_for, withheld

KEY = "sk-of-the-user-0123456789"
NOW = datetime(2026, 3, 1, tzinfo=UTC)
ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    monkeypatch.setenv("GROUNDRULES_LLM_KEY", KEY)
    for name in (NETWORK, "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def written(folder: Path, text: str) -> Config:
    (folder / "groundrules.toml").write_text(text, encoding="utf-8")
    return read(folder / "groundrules.toml")


# A config file must not take the key


@pytest.mark.parametrize("model", ["https://evil.example/v1", "http://127.0.0.1:9/v1", "gpt-5"])
def test_a_language_model_that_a_file_names_is_not_asked(model: str, tmp_path: Path) -> None:
    config = written(tmp_path, f'[llm]\nmodel = "{model}"\n')

    with pytest.raises(ConfigError, match="reaches no network by itself") as caught:
        Client(config.llm)

    assert str(caught.value).startswith(f"{tmp_path / 'groundrules.toml'}:2: ")
    assert "--llm" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_program_and_a_user_may_name_any_and_are_told_of_a_key_that_is_withheld(
    tmp_path: Path,
) -> None:
    Client(LLMConfig(model="https://x.example/v1"))
    Client(replace(written(tmp_path, '[llm]\nmodel = "gpt-5"\n').llm, origin=""))
    (note,) = Client(LLMConfig(model="http://llm.example/v1")).notes

    assert note == (
        "the key was not sent to llm.example: http:// would carry it in the clear; expected "
        "https://"
    )


def test_once_allowed_it_is_asked_and_gets_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NETWORK, "on")
    config = written(tmp_path, '[llm]\nmodel = "https://evil.example/v1"\n')

    client = Client(config.llm)

    assert client.notes == (
        "the key was not sent to evil.example: a config file names it; expected --llm",
    )
    assert secret_for("https://evil.example/v1", named=False) == ""


@pytest.mark.parametrize("named", [True, False])
def test_the_key_never_goes_in_the_clear_but_to_this_machine(named: bool) -> None:
    assert secret_for("http://llm.example/v1", named=named) == ""
    for local in ("http://127.0.0.1:8000/v1", "http://localhost:8000/v1", "http://[::1]:8000/v1"):
        assert secret_for(local, named=True) == KEY
    for other in ("http://127.0.0.1.evil.example/v1", "http://10.0.0.1/v1", "http://0.0.0.0/v1"):
        assert secret_for(other, named=True) == ""
    assert "in the clear" in withheld("http://10.0.0.1/v1", named=True)


def test_openais_own_key_goes_to_openai_whoever_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert secret_for("https://api.openai.com/v1", named=True) == KEY
    with pytest.raises(ConfigError, match="needs a key"):
        secret_for("https://api.openai.com/v1", named=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-0123456789")
    assert secret_for("https://api.openai.com/v1", named=False) == "sk-openai-0123456789"
    assert secret_for("https://evil.example/v1", named=False) == ""


@pytest.mark.parametrize("spec", ["wikidata", "https://evil.example/sparql", "http://127.0.0.1/"])
def test_an_endpoint_that_a_file_names_is_not_asked(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = written(tmp_path, f'kb = ["{spec}"]\n')

    with pytest.raises(ConfigError, match=r"groundrules\.toml:1: .*reaches no network by itself"):
        _ = config.bases

    with pytest.raises(ConfigError, match="reaches no network by itself"):
        kb.open_sources(config, NOW)
    assert replace(config, origins={"kb": "--kb"}).bases == (spec,)
    assert replace(config, offline="cache").bases == (spec,)
    assert Config(kb=(spec,)).bases == (spec,)
    monkeypatch.setenv(NETWORK, "on")
    assert config.bases == (spec,)


def test_a_model_of_a_hub_that_a_file_names_is_not_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = written(tmp_path, 'embedding = "evil/model"\nscorer = "evil/model"\n')

    for reading in (lambda: config.encoder, lambda: config.scoring):
        with pytest.raises(ConfigError, match="reaches no network by itself"):
            reading()
    (tmp_path / "evil" / "model").mkdir(parents=True)
    assert config.encoder == config.scoring == str(tmp_path / "evil" / "model")
    assert Config(embedding="any/model").encoder == "any/model"
    monkeypatch.setenv(NETWORK, "on")
    assert replace(config, base=Path("/nowhere")).encoder == "evil/model"


def test_model_folders_run_no_code() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]

    (named,) = [one for one in extras["sbert"] if one.startswith("sentence-transformers")]
    assert int(named.rpartition("=")[2].split(".")[0]) >= 6


@pytest.mark.parametrize("value", ["", "off", "0", "ON", "yes please"])
def test_only_on_allows_the_network(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NETWORK, value)

    with pytest.raises(ConfigError):
        refuse_unasked("groundrules.toml:1", "x", "y")
    refuse_unasked("", "x", "y")


def test_no_command_but_the_option_lets_a_file_name_an_endpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from groundrules.cli.main import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(NETWORK, "off")  # what --network sets is taken back
    (tmp_path / "a.txt").write_text("The rent is due.", encoding="utf-8")
    (tmp_path / "groundrules.toml").write_text(
        'kb = ["https://evil.example/sparql"]\n[llm]\nmodel = "https://evil.example/v1"\n',
        encoding="utf-8",
    )
    for line in (
        ["check", "a.txt", "--context", "a.txt"],
        ["check", "a.txt", "--config", "groundrules.toml"],
        ["check", "a.txt", "--context", "a.txt", "--llm", "never"],
        ["ask", "What is due?"],
        ["kb", "lookup", "Rent"],
        ["kb", "show", "Q1"],
        ["kb", "near", "rent"],
    ):
        assert main(line) == 2, line
        said = capsys.readouterr().err
        assert "reaches no network by itself" in said, (line, said)
        assert said.count("\n") == 1
    assert main(["rule"]) == 0, "what asks nothing goes on"


# Where a config file is looked for


def place(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "groundrules.toml").write_text("select = ['GR']\n", encoding="utf-8")
    return folder / "groundrules.toml"


@pytest.mark.parametrize("mark", [".git", ".hg", ".svn", ".git of a worktree"])
def test_the_search_ends_at_the_root_of_a_repository(mark: str, tmp_path: Path) -> None:
    place(tmp_path)
    inner = tmp_path / "repository" / "a"
    inner.mkdir(parents=True)
    assert find(inner) is not None
    name, _, is_file = mark.partition(" ")
    if is_file:
        (tmp_path / "repository" / name).write_text("gitdir: elsewhere\n")
    else:
        (tmp_path / "repository" / name).mkdir()

    assert find(inner) is None

    own = place(tmp_path / "repository")
    assert find(inner) == own, "that of the root itself counts"


def test_the_search_ends_before_a_folder_of_another_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = place(tmp_path)
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find(inner) == theirs
    owner = config_._owner
    for other in (tmp_path, theirs):  # the folder, or the file that another put there
        monkeypatch.setattr(config_, "_owner", lambda p, o=other: 4321 if p == o else owner(p))
        assert find(inner) is None


def test_a_config_is_read_to_its_limit(tmp_path: Path) -> None:
    (tmp_path / "large.toml").write_bytes(b"#" * 2**21)
    with pytest.raises(ConfigError, match="larger than 1,048,576 bytes"):
        load(tmp_path / "large.toml")
    with pytest.raises(ConfigError, match="/dev/zero: cannot be read: it is a device; expected"):
        load("/dev/zero")
    os.mkfifo(tmp_path / "groundrules.toml")
    with pytest.raises(ConfigError, match="cannot be read: it is a named pipe; expected a regular"):
        load(tmp_path / "groundrules.toml")


# What is kept of a text is for its user alone


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path / "cache"))
    mask = os.umask(0o022)
    yield tmp_path / "cache"
    os.umask(mask)


def keep(folder: Path) -> None:
    """Keep something of each kind."""
    open_cache()
    kept.write(str, "key", "answer")


def test_what_is_kept_is_readable_by_no_other(cache: Path) -> None:
    keep(cache)

    found = list(cache.rglob("*"))
    assert sum(path.is_file() for path in found) >= 2
    for path in (cache, *found):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


# The licence


def test_the_licence_names_those_of_what_is_embedded() -> None:
    from packaging.licenses import canonicalize_license_expression

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = set(project["license"].split(" AND "))

    assert canonicalize_license_expression(project["license"]) == project["license"]
    package = ROOT / "groundrules"
    assert "CC BY-SA 4.0" in (package / "models/english/CARD.md").read_text("utf-8")
    for words in ("antonyms", "kinds"):
        assert "WordNet" in (package / f"align/words/{words}.tsv").read_text("utf-8")
    assert named >= {"Apache-2.0", "CC-BY-SA-4.0"}
    matched = {path for glob in project["license-files"] for path in ROOT.glob(glob)}
    assert matched >= set(package.glob("models/*/CARD.md"))


def test_the_page_names_every_variable_of_the_environment_that_matters() -> None:
    page = (ROOT / "docs" / "reference" / "security.md").read_text("utf-8")

    for name in (NETWORK, "GROUNDRULES_LLM_KEY", "OPENAI_API_KEY",
                 "GROUNDRULES_CACHE", "--network"):  # fmt: skip
        assert name in page

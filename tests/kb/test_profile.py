"""The profile of a graph: shown, corrected, given back."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundrules import Config, check
from groundrules.cli.main import main
from groundrules.errors import ConfigError
from groundrules.kb.sources.profile import read_profile
from tests.kb.tables import TABLES

DATA = Path(__file__).parent / "data"
LOANS = str(DATA / "own" / "loans.ttl")
TERMS = "https://register.hartmuseum.example/terms/"


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["kb", "profile", LOANS, "--isolated"]) == 0
    return capsys.readouterr().out


def test_a_profile_shows_by_example_how_each_property_is_said(shown: str) -> None:
    told = tomllib.loads(shown)
    assert f"{TERMS}title" in told["names"]["labels"]
    height = told["property"][f"{TERMS}height"]
    assert (height["kind"], "[X] has a height of [Y]" in height["wordings"]) == ("quantity", True)
    assert "\n# The weight of Kneeling Oarsman is 14.2 kg.\n" in shown
    assert "\n# The director of Hart Museum is Henrik Dahl.\n" in shown
    assert "\n# no wording reaches it\n" in shown


def test_what_is_shown_changes_nothing_given_back(shown: str, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(shown, encoding="utf-8")
    profile = str(tmp_path / "p.toml")
    for text in ("Rosa Imhof restored The Salt Merchants.", "Harbour in Fog was made in 1702."):
        verdicts = [
            [one.outcome for one in check(text, config=Config(kb=(LOANS,), profile=given)).verdicts]
            for given in ("", profile)
        ]
        assert verdicts[0] == verdicts[1]


def test_a_correction_is_followed(tmp_path: Path) -> None:
    graph = tmp_path / "g.ttl"
    graph.write_text(
        "@prefix v: <http://v/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        'v:t rdfs:label "Old Tower" ; v:hgt 40 ; v:rel v:b . v:b rdfs:label "Bell Bay" .\n'
    )
    (tmp_path / "p.toml").write_text(
        '[property."http://v/hgt"]\nlabel = "height"\nunit = "metres"\n'
        '[property."http://v/rel"]\nwordings = ["[X] overlooks [Y]"]\n'
    )
    config = Config(kb=(str(graph),), profile=str(tmp_path / "p.toml"))
    for text in ("The Old Tower is 40 metres high.", "The Old Tower overlooks Bell Bay."):
        assert [one.outcome.value for one in check(text, config=config).verdicts] == ["supported"]


@pytest.mark.parametrize(
    ("text", "message"), TABLES["a profile that is wrong is one line with its place"]
)
def test_a_profile_that_is_wrong_is_one_line_with_its_place(
    tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(ConfigError) as error:
        read_profile(tmp_path / "p.toml")
    assert message in str(error.value)

"""The settings of a command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules.cli import serve
from groundrules.cli.options import Parser
from groundrules.cli.settings import add_llm, add_settings, settings
from groundrules.config import Config, LLMConfig

pytestmark = pytest.mark.usefixtures("folder")


def read(*arguments: str) -> Config:
    parser = Parser("x", "Does.", ("groundrules x",))
    add_settings(parser)
    add_llm(parser)
    return settings(parser.parse(arguments))


def test_no_model_is_asked_unless_one_is_named() -> None:
    assert read().llm == LLMConfig()
    assert LLMConfig().model == "never"


def test_the_options_of_a_model_beat_the_file(folder: Path) -> None:
    text = '[llm]\nmodel = "x"\nmax_calls = 7\nmax_cost = 1\nprice_in = 2\n'
    (folder / "groundrules.toml").write_text(text, encoding="utf-8")
    assert read().llm == LLMConfig(model="x", max_calls=7, max_cost=1.0, price_in=2.0)
    found = read("--llm", "http://127.0.0.1:1/v1", "--max-calls", "3", "--max-cost", "0.5")
    assert found.llm == LLMConfig("http://127.0.0.1:1/v1", max_calls=3, max_cost=0.5, price_in=2.0)
    assert read("--llm", "never").llm.model == "never"
    assert found.origin("llm.model") == "--llm"
    assert found.origin("llm.max_calls") == "--max-calls"
    assert Path(found.origin("llm.price_in")).name == "groundrules.toml:5"


def test_the_jobs_of_a_model_stand_in_an_option_or_a_file(folder: Path) -> None:
    given = serve.parser().parse(["--llm", "m", "--llm-jobs", "grades, terms"])
    assert given.llm_jobs == ("grades", "terms")
    (folder / "groundrules.toml").write_text('[llm]\njobs = ["grades"]\n', "utf-8")
    assert read().llm.jobs == ("grades",)

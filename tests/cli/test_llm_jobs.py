"""`--llm-jobs`: what a language model is asked for, and a mistake in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules.cli.main import main
from groundrules.cli.serve import parser
from groundrules.config import read
from tests.rows import each


@each("given said")
def test_a_mistake_in_the_jobs_of_a_model_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: tuple[str, ...], said: str
) -> None:
    text, source = tmp_path / "text.txt", tmp_path / "source.txt"
    text.write_text("The gate is open.", "utf-8")
    source.write_text("The gate is shut.", "utf-8")
    assert main(["check", str(text), "--context", str(source), "--isolated", *given]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.strip().splitlines()) == 1


def test_the_jobs_stand_in_an_option_or_a_file(tmp_path: Path) -> None:
    args = parser().parse(["--llm", "m", "--llm-jobs", "grades, terms"])
    assert args.llm_jobs == ("grades", "terms")
    file = tmp_path / "groundrules.toml"
    file.write_text('[llm]\njobs = ["grades"]\n', "utf-8")
    assert read(file).llm.jobs == ("grades",)

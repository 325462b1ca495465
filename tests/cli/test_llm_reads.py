"""`--llm-reads`: a setting of a language model, and an error without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules.cli.main import main


def test_reading_by_a_model_needs_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, source = tmp_path / "text.txt", tmp_path / "source.txt"
    text.write_text("The gate is open.", "utf-8")
    source.write_text("The gate is shut.", "utf-8")
    assert main(["check", str(text), "--context", str(source), "--llm-reads"]) == 2
    told = capsys.readouterr().err
    assert "llm-reads needs a language model to read; name one with --llm" in told
    assert "Traceback" not in told

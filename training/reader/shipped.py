"""Read the weights of the shipped reader back, so that training can go on from them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

LAYERS = 6


def read_shipped(folder: Path) -> dict[str, Tensor]:
    """Return the tensors of model.onnx by the names that model.Reader has for them.

    Those in few bits are widened; the word vectors, which MiniLM's own file holds, are left out.
    """
    graph = onnx.load(folder / "model.onnx", load_external_data=False).graph
    stored = [
        (one.name, numpy_helper.to_array(one))
        for one in graph.initializer
        if one.data_location == onnx.TensorProto.DEFAULT
    ]
    named = dict(stored)
    # the rest are constants without a name, in the order in which export.build_graph writes them
    plain = iter([a for name, a in stored if name[1:].isdigit() and a.dtype == np.float32])
    out: dict[str, np.ndarray] = {}

    def linear(name: str, *parts: str) -> None:
        matrix = named[name + ".weight"].astype(np.float32)
        matrix = matrix * named.get(name + ".weight.scale", np.float32(1))
        whole = ("", *parts)
        sides = np.split(matrix, len(parts) or 1, axis=1)
        biases = np.split(_next(plain, matrix.shape[1]), len(parts) or 1)
        for part, side, bias in zip(whole[1:] or [""], sides, biases, strict=True):
            full = name.rpartition(".")[0] + "." + part if part else name
            out[full + ".weight"], out[full + ".bias"] = side.T, bias

    def normal(name: str) -> None:
        out[name + ".weight"], out[name + ".bias"] = _next(plain, 384), _next(plain, 384)

    out["shapes.weight"], out["gaps.weight"] = named["shapes.weight"], named["gaps.weight"]
    places = next(a for a in plain if a.ndim == 2)
    out["encoder.embeddings.position_embeddings.weight"] = places
    normal("encoder.embeddings.LayerNorm")
    for layer in range(LAYERS):
        source, at = f"encoder.layer.{layer}.", f"encoder.encoder.layer.{layer}."
        before = set(out)
        linear(source + "attention.self.query", "query", "key", "value")
        linear(source + "attention.output.dense")
        normal(source + "attention.output.LayerNorm")
        linear(source + "intermediate.dense")
        linear(source + "output.dense")
        normal(source + "output.LayerNorm")
        for name in set(out) - before:
            out[name.replace(source, at)] = out.pop(name)

    def shares() -> np.ndarray:
        found = [next(a for a in plain if a.ndim == 0) for _ in range(LAYERS + 1)]
        return np.log(np.array(found))

    out["syntax_mix"] = shares()
    linear("tags")
    linear("starts")
    linear("arc_head")
    linear("arc_dep")
    arc = named["arc"].astype(np.float32) * named["arc.scale"].astype(np.float32)
    out["arc"] = arc.reshape(-1, arc.shape[-1])
    out["arc_bias"] = next(a for a in plain if a.ndim == 2)[:, 0]
    linear("rel_head")
    linear("rel_dep")
    size = len(named["rel"])
    out["rel"] = named["rel"].reshape(size, -1, size).transpose(1, 0, 2)
    out["name_mix"] = shares()
    linear("name_hidden")
    linear("names")
    return {k: torch.tensor(np.array(v, np.float32)) for k, v in out.items()}


def _next(arrays: Iterator[np.ndarray], size: int) -> np.ndarray:
    """Return the next array of one axis, which must have this size."""
    found = next(a for a in arrays if a.ndim == 1)
    assert len(found) == size, (len(found), size)
    return found


def begin_with(model: torch.nn.Module, folder: Path) -> None:
    """Give a reader the shipped weights; what they leave out stays MiniLM's own."""
    state = model.state_dict()
    for name, tensor in read_shipped(folder).items():
        if name.endswith("position_embeddings.weight"):
            tensor = torch.cat([tensor, state[name][len(tensor) :]])
            types = "encoder.embeddings.token_type_embeddings.weight"
            tensor[:256] -= state[types][0]
        assert state[name].shape == tensor.shape, name
        state[name] = tensor
    model.load_state_dict(state)

"""Make groundrules/models/english of trained weights: the reader as ONNX in a spaCy pipeline.

    python training/reader/export.py --weights build/reader/weights.pt [--more build/treebanks]

The tensors that the reader shares with MiniLM (its word vectors) are declared, and read from
minilm/model.onnx. The parts of speech by rule, the tables of lemmas and the card are of
`training/english`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "english"), str(HERE)]

from assemble import assemble, write
from corpora import read_treebank
from score import measure
from scripts import load

minilm, scorer = load("minilm/export"), load("scorer/export")
MINILM = HERE.parents[1] / "groundrules" / "models" / "minilm" / "model.onnx"
#: Tensors that are kept in more than 8 bits: the scores of classes, and what is not in groups.
WIDE = ("tags", "starts", "names", "shapes", "gaps", "rel", "arc_bias")


def storage(name: str) -> str:
    """Return in which form a tensor is stored."""
    if name.startswith(("encoder.", "arc_", "rel_", "name_hidden")) and name != "arc_bias":
        return "int7"
    return "float16" if name.removesuffix(".weight") in WIDE else "int8-group"


def build_graph(weights: dict[str, np.ndarray]) -> bytes:
    """Return the ONNX model.

    In: input_ids, shapes, gaps (1, t), pool (1, w + 1, t), which makes words of pieces; one row,
    since what a product is rounded to is of all its rows together. Out, of
    each word: tags, names (n, w, k), starts (n, w), arcs (n, w, w + 1) and relations
    (n, w, k, w + 1); the first head is the root.
    """
    graph = minilm.Graph(weights, storage)
    node, constant = graph.node, graph.constant

    graph.encode("input_ids", added={"shapes": "shapes.weight", "gaps": "gaps.weight"})

    def words(mix: str) -> tuple[str, str]:
        shares = np.exp(weights[mix] - weights[mix].max())
        shares = (shares / shares.sum()).astype(np.float32)
        total = ""
        for share, layer in zip(shares, graph.layers, strict=True):
            part = node("Mul", layer, constant(np.array(share, np.float32)))
            total = node("Add", total, part) if total else part
        found = node("MatMul", "pool", graph.unpack(total, minilm.WIDTH))
        ends = (np.array([1]), np.array([np.iinfo(np.int64).max]), np.array([1]))
        return found, node("Slice", found, *(constant(end) for end in ends))

    whole, inner = words("syntax_mix")
    graph.name(graph.linear(inner, "tags"), "tags")
    last = constant(np.array([2]))
    graph.name(node("Squeeze", graph.linear(inner, "starts"), last), "starts")
    head, dep = (
        node("Gelu", graph.linear(x, n)) for x, n in ((whole, "arc_head"), (inner, "arc_dep"))
    )
    turned = node("Transpose", head, perm=[0, 2, 1])
    arcs = node("MatMul", node("MatMul", dep, graph.tensor("arc", weights["arc"])), turned)
    bias = constant(weights["arc_bias"].astype(np.float32)[:, None])
    bias = node("Transpose", node("MatMul", head, bias), perm=[0, 2, 1])
    graph.name(node("Add", arcs, bias), "arcs")
    pads = constant(np.array([0, 0, 0, 0, 0, 1])), constant(np.array(1.0, np.float32))
    right, left = (
        node("Pad", node("Gelu", graph.linear(x, n)), *pads)
        for x, n in ((whole, "rel_head"), (inner, "rel_dep"))
    )
    labels, size, _ = weights["rel"].shape
    flat = weights["rel"].transpose(1, 0, 2).reshape(size, labels * size)
    spread = node("MatMul", left, graph.tensor("rel", flat))
    rows = node("Reshape", spread, constant(np.array([0, -1, size])))
    scores = node("MatMul", rows, node("Transpose", right, perm=[0, 2, 1]))
    count = node("Shape", whole, start=1, end=2)
    shape = node("Concat", constant(np.array([1, -1, labels])), count, axis=0)
    graph.name(node("Reshape", scores, shape), "relations")
    _, inner = words("name_mix")
    graph.name(graph.linear(node("Gelu", graph.linear(inner, "name_hidden")), "names"), "names")
    kinds = {name: len(weights[name + ".bias"]) for name in ("tags", "names")}
    outputs: dict[str, list[object]] = {name: ["n", "w", count] for name, count in kinds.items()}
    outputs |= {"starts": ["n", "w"], "arcs": ["n", "w", "h"], "relations": ["n", "w", labels, "h"]}
    return bytes(
        graph.model(
            "reader", ["input_ids", "shapes", "gaps"], outputs, matrices={"pool": ["n", "h", "t"]}
        )
    )


def read_weights(path: Path) -> dict[str, np.ndarray]:
    """Return the tensors of the trained reader; the encoder's have the names of MiniLM's."""
    state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)["model"]
    return {
        name.removeprefix("encoder."): tensor.float().numpy()
        for name, tensor in state.items()
        if tensor.is_floating_point()
    }


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=Path("groundrules/models/english"))
    parser.add_argument("--more", type=Path, help="a folder of further treebanks, to measure on")
    options = parser.parse_args()
    model, shared = scorer.share(build_graph(read_weights(options.weights)), MINILM)
    classes = json.loads((options.weights.parent / "classes.json").read_text("utf-8"))
    classes = {name: classes[name] for name in ("tags", "labels", "names")}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "model.onnx").write_bytes(model)
        (folder / "shared.json").write_text(json.dumps(shared, indent=1) + "\n", "utf-8")
        (folder / "classes.json").write_text(json.dumps(classes, indent=1) + "\n", "utf-8")
        trees = read_treebank(options.data / "train" / "parse" / "en_ewt-ud-train.conllu.gz")
        sentences = [sentence for document in trees for sentence in document]
        write(assemble(folder, sentences), options.out)
    measure(options.out, options.data, options.more)


if __name__ == "__main__":
    main()

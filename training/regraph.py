"""Make the graphs of the shipped models anew, of the numbers that stand in their files.

    python training/regraph.py

After a change of `Graph` of `training/minilm/export.py`, or of what the exports of the reader and
the scorers build with it: nothing is trained or rounded again. Writes the models, what they share,
and the sizes and hashes in their cards.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from groundrules.models.encoder import shared_arrays

HERE = Path(__file__).parent
MODELS = HERE.parent / "groundrules" / "models"
sys.path[:0] = [str(HERE / name) for name in (".", "english", "reader", "scorer")]

from scripts import load

reader, scorer, restore = load("reader/export"), load("scorer/export"), load("scorer/restore")
shipped, minilm = load("reader/shipped"), reader.minilm


def numbers(graph: onnx.GraphProto) -> dict[str, onnx.TensorProto]:
    """Return the tensors that hold what was learnt: by name, or by their place if they have none.

    What else there is are shapes and places, whole numbers of 64 bits.
    """
    told = [one for one in graph.initializer if one.data_type != onnx.TensorProto.INT64]
    named = {one.name: one for one in told if not re.fullmatch(r"c\d+", one.name)}
    plain = [one for one in told if one.name not in named]
    return named | {f"#{place}": one for place, one in enumerate(plain)}


def refill(model: bytes, folder: Path) -> bytes:
    """Return a model with the numbers of that of a folder in the place of its own."""
    made = onnx.load_from_string(model)
    old = onnx.load(str(folder / "model.onnx"), load_external_data=False)
    shared, _ = shared_arrays(folder)
    given, wanted = numbers(old.graph), numbers(made.graph)
    assert given.keys() == wanted.keys(), given.keys() ^ wanted.keys()
    for key, tensor in wanted.items():
        name = given[key].name
        held = shared[name] if name in shared else numpy_helper.to_array(given[key])
        fresh = numpy_helper.from_array(np.asarray(held, order="C"), tensor.name)
        assert (fresh.data_type, fresh.dims) == (tensor.data_type, tensor.dims), key
        tensor.CopyFrom(fresh)
    return bytes(made.SerializeToString(deterministic=True))


def graphs() -> Iterator[tuple[Path, bytes]]:
    """Yield each model's folder and the whole model, the encoder first."""
    weights, _ = minilm.read_weights()
    folder = MODELS / "minilm"
    yield folder, refill(minilm.build_graph(weights, minilm.shipped), folder)
    state = named(restore.restore(MODELS / "scorer"))
    yield MODELS / "scorer", refill(scorer.build_graph(state), MODELS / "scorer")
    folder = MODELS / "english" / "groundrules_reader"
    types, words = (f"embeddings.{name}_embeddings.weight" for name in ("token_type", "word"))
    state = named(shipped.read_shipped(folder))
    # what the reader shares, and what is a part of its places already
    state |= {words: weights[words], types: np.zeros_like(weights[types])}
    yield folder, refill(reader.build_graph(state), folder)


def named(state: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return tensors of torch as arrays, the encoder's by the names of MiniLM's."""
    return {name.removeprefix("encoder."): one.float().numpy() for name, one in state.items()}


def main() -> None:
    """Write the encoder, and then the others, which share tensors with it."""
    (folder, encoder), *others = list(graphs())
    (folder / "model.onnx").write_bytes(encoder)
    minilm.tell(folder, ("model.onnx", "shared.json"))
    for folder, model in others:
        alone, shared = scorer.share(model, MODELS / "minilm" / "model.onnx")
        (folder / "model.onnx").write_bytes(alone)
        (folder / "shared.json").write_text(json.dumps(shared, indent=1) + "\n", "utf-8")
        minilm.tell(folder, ("model.onnx", "shared.json"))
    english = MODELS / "english"
    card = english / "CARD.md"
    new = f"(all but this card): `{load('english/assemble').digest(english)}`"
    told = re.sub(r"\(all but this card\): `\w+`", new, card.read_text("utf-8"))
    card.write_text(told, "utf-8")


if __name__ == "__main__":
    main()

"""Read the shipped scorer back into weights that training can go on from.

    python training/scorer/restore.py --out FOLDER

Codes of 8 bits times their scales, and vectors as they are, in the order in which
`training/minilm/export.py` writes them. The embeddings were never trained: they are the encoder's.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parent))
import export

from groundrules.models import passage_scorer

LAYERS = 6


def stored_arrays(folder: Path) -> dict[str, np.ndarray]:
    """Return the stored tensors of a model folder by name, in order, those it shares included."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(folder / "model.onnx"), load_external_data=False).graph
    shared = passage_scorer.Scorer(folder)._shared
    return {
        one.name: shared[one.name] if one.name in shared else numpy_helper.to_array(one)
        for one in graph.initializer
    }


def restore(folder: Path) -> dict[str, torch.Tensor]:
    """Return the state dict of `train.Scorer` that the model of a folder was made from."""
    arrays = stored_arrays(folder)
    state = {
        k: v.clone()
        for k, v in export.train.Scorer(export.train.model_folder()).state_dict().items()
    }
    vectors = iter(
        [a for n, a in arrays.items() if a.ndim == 1 and a.dtype == np.float32 and len(a) > 1][1:]
    )

    def matrix(name: str) -> np.ndarray:
        array = arrays[name + ".weight"]
        if name + ".weight.scale" not in arrays:
            return array.astype(np.float32)
        wide = array.astype(np.float32) * arrays[name + ".weight.scale"].astype(np.float32)
        return wide.reshape(-1, array.shape[-1])

    def linear(*names: str, vector: np.ndarray) -> None:
        parts = np.split(matrix(names[0]).T, len(names), axis=0)
        for name, part, bias in zip(names, parts, np.split(vector, len(names)), strict=True):
            target = "encoder." + name if name.startswith("encoder") else name
            state[target + ".weight"] = torch.tensor(part)
            state[target + ".bias"] = torch.tensor(bias)

    def normal(name: str) -> None:
        state[name + ".weight"] = torch.tensor(next(vectors))
        state[name + ".bias"] = torch.tensor(next(vectors))

    normal("encoder.embeddings.LayerNorm")
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        self_ = at + "attention.self."
        linear(self_ + "query", self_ + "key", self_ + "value", vector=next(vectors))
        linear(at + "attention.output.dense", vector=next(vectors))
        normal("encoder." + at + "attention.output.LayerNorm")
        linear(at + "intermediate.dense", vector=next(vectors))
        linear(at + "output.dense", vector=next(vectors))
        normal("encoder." + at + "output.LayerNorm")
    linear("pair", vector=next(vectors))
    one = [a for a in arrays.values() if a.ndim == 1 and a.dtype == np.float32 and len(a) == 1]
    linear("token", vector=one[-1])
    return state


def main() -> None:
    """Write the weights, and how far their scores are from the shipped ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=export.TARGET)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.save(restore(arguments.folder), arguments.out / "scorer.pt")
    rows = [
        ("The lease begins on 1 March 2024.", "The lease starts in March.", 0, ""),
        ("The lease begins on 1 March 2024.", "The lease ends on 1 March 2024.", 0, ""),
    ]
    ours = passage_scorer.Scorer(arguments.folder).score([row[:2] for row in rows])
    theirs = export.score_original(arguments.out / "scorer.pt", rows)
    print("largest change of p(entailment):", float(np.abs(np.array(ours) - theirs).max()))


if __name__ == "__main__":
    main()

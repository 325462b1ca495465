"""Make groundrules/models/scorer from trained weights, and measure what the export changes.

    python training/scorer/export.py --weights SECOND/scorer.pt --pairs clauses.jsonl.gz

writes model.onnx, shared.json and CARD.md. What the scorer has in common with the embedder (word
and position vectors, the layers that were not trained) is not stored again: model.onnx declares
those tensors, and shared.json says where in minilm/model.onnx they stand. The held-out pairs are
scored by torch and by the export. No figure in the card is typed by hand.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from collections import Counter
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


def read_held(path: Path) -> list[tuple[str, str, int, str]]:
    """Return premise, hypothesis, label and origin of the held-out pairs."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [(row[0], row[1], row[2], row[3]) for row in rows if row[5] == "held"]


def score_original(weights: Path, rows: list[tuple[str, str, int, str]]) -> np.ndarray:
    """Return p(entailment) by torch, in float32, one pair at a time."""
    model = train.Scorer(train.model_folder())
    state = torch.load(weights, map_location="cpu")
    model.load_state_dict(state.get("model", state))
    model.eval()
    tokenizer = train.load_tokenizer()
    out = np.zeros(len(rows))
    with torch.no_grad():
        for place, (premise, hypothesis, _, _) in enumerate(rows):
            parts = [
                tokenizer.encode(text, add_special_tokens=False).ids
                for text in (premise, hypothesis)
            ]
            ids, start = train.join(*parts)
            kinds = [0] * start + [1] * (len(ids) - start)
            pair, _ = model(torch.tensor([ids]), torch.tensor([kinds]))
            out[place] = torch.softmax(pair, -1)[0, train.ENTAILMENT]
    return out


def main() -> None:
    """Write the artefact and its card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=2000, help="measure on so many held-out pairs")
    parser.add_argument("--target", type=Path, default=TARGET)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    target: Path = arguments.target
    target.mkdir(parents=True, exist_ok=True)
    weights = read_weights(arguments.weights)
    whole = build_graph(weights)
    model, shared = share(whole, minilm.TARGET / "model.onnx")
    if len(model) > LIMIT_MB * 1e6:
        sys.exit(f"the model takes {len(model) / 1e6:.1f} MB; expected at most {LIMIT_MB}")
    (target / "model.onnx").write_bytes(model)
    (target / "shared.json").write_text(json.dumps(shared, indent=1) + "\n", "utf-8")
    rows = read_held(arguments.pairs)
    every = max(1, len(rows) // arguments.limit)
    rows = rows[::every]
    print(f"{len(model) / 1e6:.1f} MB; scoring {len(rows)} held-out pairs", flush=True)
    write_card(target, arguments, whole, weights, rows)


def write_card(
    target: Path,
    arguments: argparse.Namespace,
    whole: bytes,
    weights: dict[str, np.ndarray],
    rows: list[tuple[str, str, int, str]],
) -> None:
    """Write CARD.md from the figures."""
    from sklearn.metrics import roc_auc_score

    from groundrules.models import passage_scorer

    scorer = passage_scorer.Scorer(target)
    # of one window, since training cuts longer ones
    rows = [row for row in rows if len(scorer.windows(*row[:2])) == 1]
    ours = np.array(scorer.score([row[:2] for row in rows]))
    original = score_original(arguments.weights, rows)
    change = np.abs(ours - original)
    flips = int(((ours >= 0.5) != (original >= 0.5)).sum())
    gold = np.array([row[2] == train.ENTAILMENT for row in rows])
    origins = Counter(row[3] for row in rows)
    lines = []
    for origin, count in sorted(origins.items()):
        here = np.array([row[3] == origin for row in rows])
        both = 0 < gold[here].sum() < count
        area = f"{roc_auc_score(gold[here], ours[here]):.3f}" if both else "–"
        right = ((ours[here] >= 0.5) == gold[here]).mean()
        lines.append(f"| {origin} | {count} | {right:.3f} | {area} |")
    sizes = "".join(
        f"| {name} | {len(data):,} | `{hashlib.sha256(data).hexdigest()}` |\n"
        for name in ("model.onnx", "shared.json")
        for data in [(target / name).read_bytes()]
    )
    shared = json.loads((target / "shared.json").read_text("utf-8"))
    saved = len(whole) - (target / "model.onnx").stat().st_size
    figures = arguments.weights.parent / "figures.json"
    trained = json.loads(figures.read_text("utf-8")) if figures.exists() else {}
    seen = "a checkpoint; training was not finished"
    if trained:
        seen = ", then ".join(
            f"{one['pairs']:,} of {one['of']:,} pairs ({one['cpu_seconds']:,} s of CPU)"
            for one in trained["passes"]
        )
    target.joinpath("CARD.md").write_text(
        Path(__file__)
        .with_name("card.txt")
        .read_text("utf-8")
        .format(
            frozen=train.FROZEN,
            seen=seen,
            group=minilm.GROUP,
            tensors=len(shared["arrays"]),
            saved=saved,
            sizes=sizes,
            pairs=len(rows),
            most=change.max(),
            mean=change.mean(),
            flips=flips,
            origins=chr(10).join(lines),
            window=passage_scorer.WINDOW,
        ),
        "utf-8",
    )
    print(f"max |dp| {change.max():.5f}, mean {change.mean():.6f}, {flips} flips of {len(rows)}")


if __name__ == "__main__":
    main()

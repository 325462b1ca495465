"""Train the reader of English: one MiniLM for tags, trees, sentences and names.

    pip install -e ".[dev]"
    python training/reader/train.py --data ../shared/data --out build/reader [--passes 8]
    python training/reader/train.py --data ../shared/data --out build/further --passes 4 \
        --after groundrules/models/english/groundrules_reader [--more build/treebanks]

The first begins with MiniLM, the second with a reader that was exported; `--more` adds the trees of
a folder (`treebanks.py`). Each writes weights.pt, classes.json and log.jsonl, and goes on from
weights.pt where it was stopped. The weights that are kept are a moving average of those of the
steps.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from data import (
    NAME_TAGS,
    Corpus,
    Segment,
    Sentence,
    batches,
    of_names,
    of_trees,
    segments_of,
    shape,
    written,
)
from model import Reader
from shapes import shaped
from shipped import begin_with
from torch import Tensor, nn

SEED = 0
ENCODER_RATE, HEAD_RATE, WARM = 1.5e-4, 1.5e-3, 100
#: What the rates are multiplied by where training goes on from a reader.
FURTHER = 0.5
#: How much of the average is kept at a step, and how much the loss of sentence starts counts.
KEPT, STARTS = 0.995, 3.0
#: Plain sentences made of the treebank's words, and sentences of rare shapes, a pass.
MADE, SHAPED = 500, 900
#: Sentences that are read together at most: of trees, of names.
TOGETHER, NAMED_TOGETHER = 12, 5
#: The share of words that are hidden in training, and the piece that hides one.
HIDDEN, MASK = 0.03, 103
#: Names are gone through once in so many passes of the trees.
NAME_SHARE = 2


def tensors(batch: Sequence[Segment], corpus: Corpus, hidden: float = 0.0) -> dict[str, Tensor]:
    """Return pieces, shapes, gaps, mask and the matrix that makes words of pieces."""
    rows = [[corpus.pieces(word) for word in segment.words] for segment in batch]
    longest = max(sum(map(len, row)) for row in rows) + 2
    most = max(map(len, rows)) + 1
    ids = torch.zeros(len(batch), longest, dtype=torch.long)
    shapes, gaps = torch.zeros_like(ids), torch.zeros_like(ids)
    mask = torch.zeros(len(batch), longest)
    pool = torch.zeros(len(batch), most, longest)
    first, last = corpus.tokenizer.first, corpus.tokenizer.last
    for n, (row, segment) in enumerate(zip(rows, batch, strict=True)):
        ids[n, 0], pool[n, 0, 0], at = first, 1.0, 1
        for i, (pieces, word) in enumerate(zip(row, segment.words, strict=True)):
            end = at + len(pieces)
            ids[n, at:end] = torch.tensor(pieces)
            if hidden and float(torch.rand(())) < hidden:
                ids[n, at:end] = MASK
            shapes[n, at:end] = shape(word)
            gaps[n, at] = int(i == 0 or segment.spaces[i - 1])
            pool[n, i + 1, at:end] = 1 / len(pieces)
            at = end
        ids[n, at] = last
        mask[n, : at + 1] = 1
    return {"ids": ids, "shapes": shapes, "gaps": gaps, "mask": mask, "pool": pool}


def gold(batch: Sequence[Segment], name: str, classes: Sequence[str], width: int) -> Tensor:
    """Return the classes of the words; -100 where there is no word or no such class."""
    rows = {value: n for n, value in enumerate(classes)}
    out = torch.full((len(batch), width), -100)
    for n, segment in enumerate(batch):
        found = [rows.get(value, -100) for value in getattr(segment, name)]
        out[n, : len(found)] = torch.tensor(found)
    return out


def syntax_loss(model: Reader, batch: Sequence[Segment], corpus: Corpus) -> dict[str, Tensor]:
    """Return the losses of a batch of trees."""
    x = tensors(batch, corpus, HIDDEN)
    layers = model.encode(x["ids"], x["shapes"], x["gaps"], x["mask"])
    words = model.words(layers, model.syntax_mix, x["pool"])
    scores = {name: value.float() for name, value in model.syntax(words).items()}
    width = words.shape[1] - 1
    cross = nn.functional.cross_entropy
    heads = torch.full((len(batch), width), -100)
    starts = torch.full((len(batch), width), -100.0)
    for n, segment in enumerate(batch):
        found = [0 if h == i else h + 1 for i, h in enumerate(segment.heads or ())]
        heads[n, : len(found)] = torch.tensor(found)
        starts[n, : len(found)] = torch.tensor([float(s) for s in segment.starts])
    there = heads >= 0
    valid = torch.cat([torch.ones(len(batch), 1, dtype=torch.bool), there], 1)
    arcs = scores["arcs"].masked_fill(~valid[:, None], -1e4)
    rows, places = there.nonzero(as_tuple=True)
    dep = scores["rel_dep"][rows, places]
    head = scores["rel_head"][rows, heads[rows, places]]
    labels = gold(batch, "labels", corpus.labels, width)[rows, places]
    losses = {
        "arcs": cross(arcs.flatten(0, 1), heads.flatten(), ignore_index=-100),
        "relations": cross(model.relations(dep, head), labels, ignore_index=-100),
        "starts": STARTS
        * nn.functional.binary_cross_entropy_with_logits(scores["starts"][there], starts[there]),
    }
    wanted = gold(batch, "tags", corpus.tags, width).flatten()
    losses["tags"] = cross(scores["tags"].flatten(0, 1), wanted, ignore_index=-100)
    return losses


def name_loss(model: Reader, batch: Sequence[Segment], corpus: Corpus) -> dict[str, Tensor]:
    """Return the loss of a batch of sentences with marked names."""
    x = tensors(batch, corpus, HIDDEN)
    layers = model.encode(x["ids"], x["shapes"], x["gaps"], x["mask"])
    scores = model.name_scores(model.words(layers, model.name_mix, x["pool"])).float()
    wanted = gold(batch, "names", NAME_TAGS, scores.shape[1]).flatten()
    cross = nn.functional.cross_entropy
    return {"names": cross(scores.flatten(0, 1), wanted, ignore_index=-100)}


def planned(corpus: Corpus, number: int, dice: random.Random) -> list[tuple[str, list[Segment]]]:
    """Return the batches of a pass over the trees, with a part of the names among them."""
    trees = [*segments_of(corpus.trees, TOGETHER, dice, of_trees)]
    made = [corpus.lexicon.sentence(dice) for _ in range(MADE)]
    made += [shaped(corpus.words, dice) for _ in range(SHAPED)]
    trees += [of_trees([sentence]) for sentence in made]
    share = corpus.names[number % NAME_SHARE :: NAME_SHARE]
    named = segments_of(share, NAMED_TOGETHER, dice, of_names)
    plan = [("trees", b) for b in batches((written(s, dice) for s in trees), corpus, dice)]
    plan += [("names", b) for b in batches((written(s, dice) for s in named), corpus, dice)]
    dice.shuffle(plan)
    return plan


def development(model: Reader, corpus: Corpus) -> dict[str, float]:
    """Return shares right on the development parts, gold sentences: heads and labels, tags."""
    return {
        name + key: value
        for name, documents in corpus.dev.items()
        for key, value in _right(model, corpus, documents).items()
    }


@torch.no_grad()
def _right(model: Reader, corpus: Corpus, documents: list[list[Sentence]]) -> dict[str, float]:
    model.eval()
    count = dict.fromkeys(("words", "heads", "both", "tags", "all"), 0)
    parts = [of_trees([sentence]) for document in documents for sentence in document]
    for batch in batches(parts, corpus, random.Random(0)):
        x = tensors(batch, corpus)
        with torch.autocast("cpu", torch.bfloat16):
            layers = model.encode(x["ids"], x["shapes"], x["gaps"], x["mask"])
            words = model.words(layers, model.syntax_mix, x["pool"])
            scores = {name: value.float() for name, value in model.syntax(words).items()}
        for n, segment in enumerate(batch):
            size = len(segment.words)
            heads = scores["arcs"][n, :size, : size + 1].argmax(1)
            labels = model.relations(
                scores["rel_dep"][n, :size], scores["rel_head"][n][heads]
            ).argmax(1)
            tags = scores["tags"][n].argmax(1)
            for i in range(size):
                assert segment.heads is not None
                assert segment.labels is not None
                assert segment.tags is not None
                count["all"] += 1
                count["tags"] += corpus.tags[tags[i]] == segment.tags[i]
                if segment.labels[i] == "punct":
                    continue
                head = 0 if segment.heads[i] == i else segment.heads[i] + 1
                right = int(heads[i]) == head
                count["words"] += 1
                count["heads"] += right
                count["both"] += right and corpus.labels[labels[i]] == segment.labels[i]
    model.train()
    return {
        "UAS": count["heads"] / count["words"],
        "LAS": count["both"] / count["words"],
        "tags": count["tags"] / count["all"],
    }


def averaged(average: Reader, model: Reader, step: int) -> None:
    """Move the average towards the weights of a step, faster in the beginning."""
    kept = min(KEPT, (1 + step) / (10 + step))
    with torch.no_grad():
        for mean, value in zip(average.parameters(), model.parameters(), strict=True):
            if value.requires_grad:
                mean.lerp_(value, 1 - kept)


def train(
    corpus: Corpus, out: Path, passes: int, after: Path | None = None, layers: int = 6
) -> None:
    """Train, keeping the weights after each pass."""
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(SEED)
    classes = {"tags": corpus.tags, "labels": corpus.labels}
    (out / "classes.json").write_text(json.dumps(classes | {"names": NAME_TAGS}) + "\n")
    model = Reader(len(corpus.tags), len(corpus.labels), len(NAME_TAGS), layers)
    if after is not None:
        given = json.loads((after / "classes.json").read_text("utf-8"))
        assert given == classes | {"names": list(NAME_TAGS)}
        begin_with(model, after)
        told(out, {"begun": str(after)} | development(model, corpus))
    average = copy.deepcopy(model)
    slower = FURTHER if after is not None else 1.0
    own = [p for n, p in model.named_parameters() if n.startswith("encoder.") and p.requires_grad]
    heads = [p for n, p in model.named_parameters() if not n.startswith("encoder.")]
    optimiser = torch.optim.AdamW(
        [
            {"params": own, "lr": ENCODER_RATE * slower},
            {"params": heads, "lr": HEAD_RATE * slower},
        ],
        weight_decay=0.01,
        betas=(0.9, 0.98),
    )
    plans = [planned(corpus, n, random.Random(SEED + n)) for n in range(passes)]
    total = sum(map(len, plans))

    def rate(step: int) -> float:
        return min(1.0, (step + 1) / WARM) * max(0.02, 1 - step / total)

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, rate)
    done = 0
    kept = out / "weights.pt"
    if kept.exists():
        state = torch.load(kept, weights_only=True)
        average.load_state_dict(state["model"])
        model.load_state_dict(state["last"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        done = state["passes"]
    seen: dict[str, list[float]] = {}
    begun = time.time()
    step = sum(map(len, plans[:done]))
    for number, plan in enumerate(plans[done:], start=done):
        model.train()
        for kind, batch in plan:
            with torch.autocast("cpu", torch.bfloat16):
                losses = (syntax_loss if kind == "trees" else name_loss)(model, batch, corpus)
            loss = sum(losses.values(), torch.zeros(()))
            loss.backward()
            nn.utils.clip_grad_norm_([*own, *heads], 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            schedule.step()
            step += 1
            averaged(average, model, step)
            for name, value in losses.items():
                seen.setdefault(name, []).append(float(value.detach()))
            if step % 50 == 0:
                told(out, {"step": step, "of": total, "minutes": (time.time() - begun) / 60}
                     | {name: sum(found) / len(found) for name, found in seen.items()})  # fmt: skip
                seen.clear()
        state = {"model": average.state_dict(), "last": model.state_dict(), "passes": number + 1}
        state |= {"optimiser": optimiser.state_dict(), "schedule": schedule.state_dict()}
        torch.save(state, kept)
        told(out, {"pass": number + 1} | development(average, corpus))


def told(out: Path, row: dict[str, Any]) -> None:
    """Write a line of the log."""
    row = {k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()}
    with (out / "log.jsonl").open("a") as log:
        log.write(json.dumps(row) + "\n")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=Path("build/reader"))
    parser.add_argument("--passes", type=int, default=8)
    parser.add_argument("--after", type=Path, help="a reader to go on from")
    parser.add_argument("--share", type=float, default=1.0, help="of the documents, for a curve")
    parser.add_argument("--layers", type=int, default=6, help="of MiniLM, for a curve")
    parser.add_argument("--more", type=Path, help="a folder of further treebanks")
    options = parser.parse_args()
    corpus = Corpus(options.data, options.share, options.more)
    train(corpus, options.out, options.passes, options.after, options.layers)


if __name__ == "__main__":
    main()

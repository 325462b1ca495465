"""Measure what the scorer adds to the verdicts: AUC with and without it, by set.

    python training/scorer/measure.py --model FOLDER --data ../shared/data [--limit N]

Each sentence of a claim is scored beside its nearest passages, as a check finds them. Two features:
`entailed`, the log odds of entailment, and `whole`, the log odds that no word piece was put in. The
score of a row is the product of its sentences' probabilities, as in `groundrules eval`. The weights
beside the shipped log odds are fitted on held-out documents of FoolMeTwice and ContractNLI only;
the other sets are reported and nothing is chosen on them.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import time
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parent))

import corpus
import numpy as np
import torch
import train
from scipy.optimize import minimize

from groundrules import api
from groundrules.claims.document import from_text
from groundrules.config import Config
from groundrules.models import metrics

#: Held-out rows the weights are fitted on, then the sets that are only reported.
FITTED = ("closed/foolmetwice", "legal/contract_nli")
REPORTED = (
    "closed/bump",
    "closed/summeval",
    "closed/qags_c",
    "closed/wice",
    "legal/contract_qa",
)
RESAMPLES = 1000


@dataclass(slots=True)
class Sentence:
    """A sentence, its premise, the shipped log odds and what the scorer says of it."""

    premise: str
    text: str
    logit: float
    features: tuple[float, float] = (0.0, 0.0)


@dataclass(slots=True)
class Row:
    """A labelled row: 1 is supported; `document` groups the rows of one source."""

    label: int
    document: str
    sentences: list[Sentence]


def read_rows(data: Path, name: str, limit: int | None) -> list[Row]:
    """Return the rows of a set, grounded; of a set that is fitted on, held-out documents only."""
    out: list[Row] = []
    found = list(corpus.support._jsonl(data / f"{name}.jsonl.gz"))
    for row in found:
        row.setdefault("label", int(row.get("label3") == "Entailment"))
    if name in FITTED:
        found = [
            row for row in found if corpus.part_of("", corpus.document_key(row["doc"])) == "held"
        ]
    documents = list(dict.fromkeys(str(row.get("doc_id", row["doc"])) for row in found))
    if limit is not None and len(found) > limit:
        step = -(-len(found) // limit)
        kept = set(documents[::step])
        found = [row for row in found if str(row.get("doc_id", row["doc"])) in kept]
    for row in found:
        grounding = api.compare(
            from_text(row["claim"], "claim"), [from_text(row["doc"], "source")], config=Config()
        )
        sentences = []
        for sentence in grounding.sentences:
            budget = corpus.WORDS
            chosen: list[tuple[int, int]] = []
            for _, start, end in sentence.passages[:3]:
                size = len(row["doc"][start:end].split())
                if chosen and size > budget:
                    break
                budget -= size
                chosen.append((start, end))
            premise = " ".join(row["doc"][start:end] for start, end in sorted(chosen))
            premise = corpus.support._untag(premise)
            sentences.append(
                Sentence(premise, corpus.support._untag(sentence.text), sentence.logit)
            )
        out.append(Row(int(row["label"]), str(row.get("doc_id", row["doc"])), sentences))
    return out


def score(rows: list[Row], model: train.Scorer) -> float:
    """Fill in the features; return the seconds a pair took."""
    tokenizer = train.load_tokenizer()
    sentences = [sentence for row in rows for sentence in row.sentences]
    coded = []
    for sentence in sentences:
        premise, text = (
            tokenizer.encode(part, add_special_tokens=False).ids
            for part in (sentence.premise, sentence.text)
        )
        ids, start = train.join(premise, text)
        marks = [train.UNKNOWN] * (len(ids) - start - 1)
        coded.append({"ids": ids, "start": start, "label": 0, "origin": "", "marks": marks})
    began = time.process_time()
    labels, tokens = train.score(model, coded)
    seconds = time.process_time() - began
    for sentence, entailed, put_in in zip(sentences, labels[:, 0], tokens, strict=True):
        sentence.features = (_logit(float(entailed)), -_logit(float(put_in)))
    return seconds / max(1, len(sentences))


def _logit(p: float) -> float:
    p = min(max(p, 1e-4), 1 - 1e-4)
    return float(np.log(p / (1 - p)))


def row_scores(rows: list[Row], weights: tuple[float, float, float]) -> np.ndarray:
    """Return the log probability of each row: base, entailed and whole weigh as given."""
    out = []
    for row in rows:
        logits = [
            weights[0] * s.logit + weights[1] * s.features[0] + weights[2] * s.features[1]
            for s in row.sentences
        ]
        out.append(-float(np.logaddexp(0.0, -np.array(logits)).sum()) if logits else np.log(0.5))
    return np.array(out)


def fit(rows: list[Row]) -> tuple[float, float, float]:
    """Return the weights beside the shipped log odds, by ridge logistic regression."""
    single = [row for row in rows if len(row.sentences) == 1]
    base = np.array([row.sentences[0].logit for row in single])
    features = np.array([row.sentences[0].features for row in single])
    signs = np.array([1.0 if row.label else -1.0 for row in single])

    def loss(values: np.ndarray) -> float:
        logits = base + features @ values[:2] + values[2]
        return float(np.logaddexp(0.0, -signs * logits).mean() + 0.01 * (values[:2] ** 2).sum())

    bounds = [(0.0, None), (0.0, None), (None, None)]
    found = minimize(loss, np.zeros(3), bounds=bounds).x
    return 1.0, float(found[0]), float(found[1])


def interval(rows: list[Row], scores: np.ndarray) -> str:
    """Return the AUC and its 95 % bootstrap interval over documents."""
    labels = np.array([row.label for row in rows])
    groups: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(row.document, []).append(place)
    places = [np.array(found) for found in groups.values()]
    rng = np.random.default_rng(train.SEED)
    drawn = []
    for _ in range(RESAMPLES):
        taken = np.concatenate([places[i] for i in rng.integers(0, len(places), len(places))])
        area = metrics.auc(scores[taken], labels[taken])
        if area is not None:
            drawn.append(area)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{metrics.auc(scores, labels):.3f} ({low:.3f} to {high:.3f})"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True, help="folder with scorer.pt")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, help="about so many rows of each set, by document")
    parser.add_argument("--kept", type=Path, help="keep the grounded rows here between runs")
    parser.add_argument("--sets", default=",".join(REPORTED))
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    model = train.Scorer(train.model_folder())
    model.load_state_dict(torch.load(arguments.model / "scorer.pt"))
    model.eval()
    sets: dict[str, list[Row]] = {}
    for name in (*FITTED, *arguments.sets.split(",")):
        file = arguments.kept / f"{name.replace('/', '_')}.pkl" if arguments.kept else None
        if file and file.exists():
            sets[name] = pickle.loads(file.read_bytes())
        else:
            sets[name] = read_rows(arguments.data, name, arguments.limit)
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(pickle.dumps(sets[name]))
        seconds = score(sets[name], model)
    weights = fit([row for name in FITTED for row in sets[name]])
    print(f"weights: entailed {weights[1]:.3f}, whole {weights[2]:.3f}; {seconds:.4f} s a pair")
    print("| set | rows | shipped | entailed alone | whole alone | together |")
    print("|---|--:|---|---|---|---|")
    for name, rows in sets.items():
        cells = [
            interval(rows, row_scores(rows, chosen))
            for chosen in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), weights)
        ]
        print(f"| {name} | {len(rows)} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()

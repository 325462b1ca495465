"""What is found of the evidence for a statement in its document.

    python -m benchmarks.retrieval_documents --data ../shared/data [--rows 400] [--json FILE]
        [--write PAGE]

The share of the gold evidence that is among the k units nearest to a claim, and in the premise:
contract_nli (spans of evidence), wice (a whole set of supporting lines), foolmetwice (gold
sentences). Peer: TF-IDF of scikit-learn over the same units. Beside it the 50 nearest by words,
ordered by the shipped vectors, and both orders fused. What a long document costs tells
`benchmarks.check`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.marks import put_between
from groundrules.align.passages import nearest_passages
from groundrules.align.premises import Index, index_units, premise_places
from groundrules.claims.units.units import Unit, units

BEGIN = "<!-- figures: written by python -m benchmarks.retrieval_documents -->"
END = "<!-- end of figures -->"
KS = (1, 3, 5, 8, 12)
#: Units ordered by vectors.
TOP = 50
SEED = 14


@dataclass(frozen=True)
class Asked:
    """A claim, its document, and its gold evidence: one of several sets of ranges suffices."""

    document: str
    claim: str
    sets: tuple[tuple[tuple[int, int], ...], ...]


# ---------------------------------------------------------------- what is asked


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _placed(document: str, texts: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Return where the pieces of evidence stand; those that do not are left out."""
    found = ((document.find(text), len(text)) for text in texts)
    return tuple((start, start + size) for start, size in found if start >= 0)


def contract_nli(data: Path) -> Iterator[Asked]:
    """Yield the hypotheses that a span entails or contradicts."""
    for row in _rows(data / "legal/contract_nli.jsonl.gz"):
        if ranges := _placed(row["doc"], row["evidence"]):
            yield Asked(row["doc"], row["claim"], (ranges,))


def wice(data: Path) -> Iterator[Asked]:
    """Yield the claims that some lines support, wholly or in part."""
    for row in _rows(data / "closed/wice.jsonl.gz"):
        lines, at = [], 0
        for line in row["doc"].split("\n"):
            lines.append((at, at + len(line)))
            at += len(line) + 1
        sets = [
            tuple(lines[n] for n in numbers)
            for numbers in row["supporting"]
            if numbers and max(numbers) < len(lines)
        ]
        if sets:
            yield Asked(row["doc"], row["claim"], tuple(sets))


def foolmetwice(data: Path) -> Iterator[Asked]:
    """Yield the claims with their gold sentences."""
    for row in _rows(data / "closed/foolmetwice.jsonl.gz"):
        if ranges := _placed(row["doc"], row["gold"]):
            yield Asked(row["doc"], row["claim"], (ranges,))


SETS: dict[str, Callable[[Path], Iterator[Asked]]] = {
    "contract_nli": contract_nli,
    "wice": wice,
    "foolmetwice": foolmetwice,
}


# ---------------------------------------------------------------- recall


def recall(asked: Asked, read: Sequence[Unit], chosen: Sequence[int]) -> float:
    """Return the share of the evidence that some chosen unit touches, of the set found best."""
    held = [(read[n].start, read[n].end) for n in chosen]
    return max(
        sum(any(a < end and start < b for a, b in held) for start, end in ranges) / len(ranges)
        for ranges in asked.sets
    )


def measure_recall(asked: Sequence[Asked]) -> dict[str, Any]:
    """Return recall at each k and in the premise, and milliseconds a claim, by method."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    from groundrules.models.encoder import embedded

    model = embedded()
    known: dict[str, tuple[Index, Any, Any]] = {}
    vectors: dict[str, Any] = {}
    scores: dict[str, dict[str, list[float]]] = {}
    spent: dict[str, float] = {}
    size = 0
    for one in asked:
        if one.document not in known:
            index = index_units([units(one.document)])
            peer = TfidfVectorizer(sublinear_tf=True).fit([u.text for u in index.units])
            known[one.document] = index, peer, peer.transform([u.text for u in index.units])
        index, peer, matrix = known[one.document]
        texts = [unit.text for unit in index.units]
        size += len(texts)
        orders: dict[str, list[int]] = {}
        started = time.process_time()
        top = nearest_passages(one.claim, index.passages, most=TOP, budget=10**9)
        spent["words"] = spent.get("words", 0) + time.process_time() - started
        orders["words"] = top
        started = time.process_time()
        similar = (matrix @ peer.transform([one.claim]).T).toarray().ravel()
        orders["TF-IDF, scikit-learn"] = list(np.argsort(-similar, kind="stable")[:TOP])
        spent["TF-IDF, scikit-learn"] = (
            spent.get("TF-IDF, scikit-learn", 0) + time.process_time() - started
        )
        started = time.process_time()
        missing = [
            t for t in dict.fromkeys([one.claim, *(texts[n] for n in top)]) if t not in vectors
        ]
        if missing:
            vectors |= zip(missing, model.encode(missing), strict=True)
        near = {n: float(vectors[texts[n]] @ vectors[one.claim]) for n in top}
        by_vector = sorted(top, key=lambda n: (-near[n], n))
        orders["vectors over the 50"] = by_vector
        fused = {n: 1 / (60 + place) for place, n in enumerate(top)}
        for place, n in enumerate(by_vector):
            fused[n] += 1 / (60 + place)
        orders["both, fused"] = sorted(top, key=lambda n: (-fused[n], n))
        spent["vectors over the 50"] = (
            spent.get("vectors over the 50", 0) + time.process_time() - started
        )
        for name, order in orders.items():
            held = scores.setdefault(name, {})
            for k in KS:
                held.setdefault(str(k), []).append(recall(one, index.units, order[:k]))
        places = premise_places(one.claim, index)
        held = scores.setdefault("premise", {})
        held.setdefault("premise", []).append(recall(one, index.units, places))
        held.setdefault("units", []).append(len(places))
    means = {
        name: {k: sum(values) / len(values) for k, values in held.items()}
        for name, held in scores.items()
    }
    return {
        "claims": len(asked),
        "documents": len(known),
        "units": size / len(asked),
        "recall": means,
        "milliseconds": {name: 1000 * seconds / len(asked) for name, seconds in spent.items()},
    }


# ---------------------------------------------------------------- the page


def table(sets: dict[str, Any]) -> str:
    """Return the figures as Markdown."""
    heads = " | ".join(f"@{k}" for k in KS)
    out = [
        f"| set, claims, units a document | method | {heads} | ms a claim |",
        "|---|---|" + "--:|" * (len(KS) + 1),
    ]
    for name, part in sets.items():
        head = f"{name}, {part['claims']:,}, {part['units']:.0f}"
        for method, figures in part["recall"].items():
            if method == "premise":
                continue
            cells = " | ".join(f"{figures[str(k)]:.3f}" for k in KS)
            cost = part["milliseconds"].get(method)
            out.append(f"| {head} | {method} | {cells} | {f'{cost:.1f}' if cost else ''} |")
            head = ""
        premise = part["recall"]["premise"]
        told = f"the premise, {premise['units']:.1f} units | {premise['premise']:.3f} |"
        out.append(f"| | {told}" + " |" * len(KS))
    return "\n".join(out) + "\n"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder with the data")
    parser.add_argument("--rows", type=int, default=400, help="at most so many claims a set")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--write", type=Path, help="put the figures into this page")
    options = parser.parse_args()
    found: dict[str, Any] = {}
    for name, load in SETS.items():
        try:
            asked = list(load(options.data))
        except FileNotFoundError as error:
            print(f"{name}: skipped: no {error.filename}", flush=True)
            continue
        chosen = random.Random(SEED).sample(asked, min(options.rows, len(asked)))
        found[name] = measure_recall(chosen)
        print(json.dumps({name: found[name]}), flush=True)
    text = table(found)
    print(text)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    if options.write:
        put_between(options.write, text, BEGIN, END)


if __name__ == "__main__":
    main()

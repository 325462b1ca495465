"""What is found of the evidence for a statement in its document, and what a long document costs.

    python -m benchmarks.retrieval_documents [--data ../shared/data] [--pages 1,10,100,1000]
        [--whole 1,10,100] [--rows 400] [--json FILE] [--plot FILE.svg] [--write PAGE]

recall  the share of the gold evidence that is among the k units nearest to a claim, and in the
        premise: contract_nli (spans of evidence), wice (a whole set of supporting lines),
        foolmetwice (gold sentences). Peer: TF-IDF of scikit-learn over the same units. Beside it
        the 50 nearest by words, ordered by the shipped vectors, and both orders fused.
cost    CPU seconds of the whole command `groundrules check`, ten sentences against a contract of N
        pages of 500 words (`benchmarks.check`): cold with an empty cache, a second time in another
        process, with another sentence in the text, and with the contract parsed whole.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.check import read_answer, slope, write_contract
from benchmarks.marks import put_between
from groundrules.align.passages import nearest_passages
from groundrules.align.premises import Index, index_units, premise_places
from groundrules.claims.units import Unit, units

ROOT = Path(__file__).parents[1]
BEGIN = "<!-- figures: written by python -m benchmarks.retrieval_documents -->"
END = "<!-- end of figures -->"
KS = (1, 3, 5, 8, 12)
#: Units ordered by vectors.
TOP = 50
SEED = 14
PAGES = (1, 3, 10, 30, 100, 300, 1000)
WHOLE = (1, 3, 10, 30, 100)
RUNS = ("cold", "second", "another sentence", "parsed whole")


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
            vectors |= zip(missing, model.encode(missing, batch_size=16), strict=True)
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


# ---------------------------------------------------------------- cost

_CHECK = (
    "import sys; from pathlib import Path; from groundrules import api; "
    "from groundrules.checks import extractions; "
    "extractions.WHOLE_WORDS = int(sys.argv[3]) or extractions.WHOLE_WORDS; "
    "r = api.check(Path(sys.argv[1]), context=Path(sys.argv[2])); "
    "print([(s.outcome.value, s.reason) for s in r.statements])"
)


def _run(text: Path, contract: Path, cache: str, whole: int = 0) -> tuple[float, float, str]:
    """Return CPU seconds, peak memory in MiB and the verdicts of a check in a new process."""
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = {**os.environ, **dict.fromkeys(threads, "1"), "GROUNDRULES_CACHE": cache}
    environment["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, "-c", _CHECK, str(text), str(contract), str(whole)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"a check against {contract.name} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, said


def measure_cost(pages: int, *, whole: bool) -> dict[str, Any]:
    """Return CPU seconds of the runs against that many pages, and whether the verdicts agree."""
    with tempfile.TemporaryDirectory() as folder:
        contract, text = Path(folder) / "contract.txt", Path(folder) / "answer.txt"
        contract.write_text(write_contract(pages), "utf-8")
        text.write_text(read_answer(), "utf-8")
        other = Path(folder) / "other.txt"
        other.write_text(read_answer() + "The rent is due on the fifth day.\n", "utf-8")
        cache = f"{folder}/cache"
        seconds: dict[str, float] = {}
        seconds["cold"], peak, said = _run(text, contract, cache)
        seconds["second"], _, again = _run(text, contract, cache)
        seconds["another sentence"], _, _ = _run(other, contract, cache)
        agree = said == again
        same = None
        if whole:
            seconds["parsed whole"], _, before = _run(text, contract, "off", 10**9)
            same = before == said
        words = len(contract.read_text("utf-8").split())
    return {
        "pages": pages, "words": words, "seconds": seconds, "peak_mib": peak,
        "second_agrees": agree, "whole_agrees": same,
    }  # fmt: skip


def plot(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw seconds against pages; the same figures give the same file."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "groundrules", "svg.fonttype": "none"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.5, 4.2), layout="constrained")
    for name, style in zip(RUNS, ("ko-", "C0o-", "C1.-", "C3.--"), strict=True):
        points = [(r["pages"], r["seconds"][name]) for r in rows if name in r["seconds"]]
        if points:
            axes.plot(*zip(*points, strict=True), style, lw=1.5, label=name)
    last = rows[-1]
    line = [last["seconds"]["cold"] * r["pages"] / last["pages"] for r in rows]
    axes.plot([r["pages"] for r in rows], line, color="0.6", ls=":", lw=1, label="linear")
    axes.set(xscale="log", yscale="log", xlabel="pages of 500 words", ylabel="CPU seconds")
    axes.set_ylim(bottom=0.1)
    axes.set_title("check of ten sentences, whole process")
    axes.legend(fontsize=8, frameon=False, loc="upper left")
    axes.grid(alpha=0.2)
    figure.savefig(path, format="svg", metadata={"Date": None})


# ---------------------------------------------------------------- the page


def table(found: dict[str, Any]) -> str:
    """Return the figures as Markdown."""
    out: list[str] = []
    if sets := found["recall"]:
        out.append("| set, claims, units a document | method | " + " | ".join(f"@{k}" for k in KS)
                   + " | ms a claim |")  # fmt: skip
        out.append("|---|---|" + "--:|" * (len(KS) + 1))
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
            count = f"{premise['units']:.1f}"
            out.append(f"| | the premise, {count} units | {premise['premise']:.3f} |"
                       + " |" * len(KS))  # fmt: skip
        out.append("")
    if rows := found["cost"]:
        out.append("| pages | words | " + " | ".join(RUNS) + " | peak, MiB |")
        out.append("|--:|--:|" + "--:|" * (len(RUNS) + 1))
        for row in rows:
            cells = " | ".join(
                f"{row['seconds'][name]:.2f}" if name in row["seconds"] else "" for name in RUNS
            )
            out.append(f"| {row['pages']:,} | {row['words']:,} | {cells} | {row['peak_mib']:.0f} |")
        out.append("")
        long = [row for row in rows if row["pages"] >= 30]
        steep = slope(long, lambda row: float(row["seconds"]["cold"]))
        if not math.isnan(steep):
            out.append(
                f"Slope of log seconds over log pages, cold, 30 pages and more: {steep:.2f}."
            )
        whole = [row["whole_agrees"] for row in rows if row["whole_agrees"] is not None]
        again = [row["second_agrees"] for row in rows]
        out.append(
            f"Verdicts as with the contract parsed whole: {sum(whole)} of {len(whole)} lengths; "
            f"the second time as the first: {sum(again)} of {len(again)}."
        )
    return "\n".join(out) + "\n"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="the folder with the labelled data")
    parser.add_argument("--rows", type=int, default=400, help="at most so many claims a set")
    parser.add_argument("--pages", default=",".join(map(str, PAGES)), help="lengths, by commas")
    parser.add_argument("--whole", default=",".join(map(str, WHOLE)), help="also parsed whole")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path, help="draw the cost to this svg file")
    parser.add_argument("--write", type=Path, help="put the figures into this page")
    options = parser.parse_args()
    found: dict[str, Any] = {"recall": {}, "cost": []}
    for name, load in SETS.items():
        try:
            asked = list(load(options.data)) if options.data else []
        except FileNotFoundError as error:
            print(f"{name}: skipped: no {error.filename}", flush=True)
            continue
        if not asked:
            print(f"{name}: skipped: it needs a data folder; name it with --data", flush=True)
            continue
        chosen = random.Random(SEED).sample(asked, min(options.rows, len(asked)))
        found["recall"][name] = measure_recall(chosen)
        print(json.dumps({name: found["recall"][name]}), flush=True)
    whole = {int(n) for n in options.whole.split(",") if n}
    for pages in (int(n) for n in options.pages.split(",") if n):
        found["cost"].append(measure_cost(pages, whole=pages in whole))
        print(json.dumps(found["cost"][-1]), flush=True)
    text = table(found)
    print(text)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    if options.plot and found["cost"]:
        plot(found["cost"], options.plot)
    if options.write:
        put_between(options.write, text, BEGIN, END)


if __name__ == "__main__":
    main()

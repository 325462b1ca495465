"""What it costs to find a copied passage in a document, beside Biopython's aligner.

    python -m benchmarks.passages --data ../shared/data [--json FILE]

A context of 100 characters with four substitutions, three dropped characters and one inserted is
put to documents of 10k, 100k and 1M characters, in turn with Biopython's aligner with the same
counting; times are median CPU seconds, optima and spans must be equal. Memory is the peak of a
process that reads a document, of 10k characters to 8M, and aligns one context; what it gains over
the first is told by character.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.check import peak_mib
from groundrules.claims.evidence.smith_waterman import align

SIZES = (10_000, 100_000, 1_000_000)
MEMORY_SIZES = (10_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000)


def read_contracts(data: Path) -> list[str]:
    """Return the contracts in the order of their names."""
    files = sorted((data / "legal" / "contracts").glob("*.txt.gz"))
    return [gzip.decompress(file.read_bytes()).decode("utf-8") for file in files]


def draw_pair(texts: Sequence[str], size: int) -> tuple[str, str]:
    """Return a document of a size and a context of 100 characters that is near its middle."""
    whole = "".join(texts)
    document = (whole * (size // len(whole) + 1))[:size]
    start = document.index(" ", size // 2) + 1
    copy = list(document[start : start + 102])
    for place in (10, 30, 50, 70):
        copy[place] = "#"
    return "".join([*copy[:40], *copy[43:60], "#", *copy[60:]]), document


def biopython() -> Any:
    """Return Biopython's aligner with our counting."""
    from Bio.Align import PairwiseAligner

    return PairwiseAligner(
        mode="local", match_score=2, mismatch_score=-1, open_gap_score=-2, extend_gap_score=-1
    )


def measure_speed(texts: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield for each size both medians and their ratio; the optima and spans must be equal."""
    aligner = biopython()
    for size in SIZES:
        context, document = draw_pair(texts, size)
        # Biopython compares letters as they are
        context, document = (re.sub(r"\s", " ", text.lower()) for text in (context, document))
        align(context, document)
        times: dict[str, list[float]] = {"ours": [], "align": []}
        for _ in range(3 if size == SIZES[-1] else 11):
            started = time.process_time()
            found = align(context, document)
            times["ours"].append(time.process_time() - started)
            started = time.process_time()
            best = aligner.align(context, document)[0]
            times["align"].append(time.process_time() - started)
        spans = best.aligned[1]
        theirs = (best.score, int(spans[0][0]), int(spans[-1][1]))
        if found is None or (found.optimum, found.start, found.end) != theirs:
            raise SystemExit(f"{size}: {found} is not Biopython's {theirs}")
        middle = {name: statistics.median(part) for name, part in times.items()}
        yield {
            "size": size,
            "context": len(context),
            "optimum": found.optimum,
            **{f"{name}_ms": 1000 * value for name, value in middle.items()},
            "ratio": middle["align"] / middle["ours"],
        }


def measure_memory(data: Path, size: int, method: str) -> float:
    """Return the peak in MiB of a new process that aligns once.

    The peak of the parent counts as the child's, so this one must be small still.
    """
    command = [sys.executable, "-m", "benchmarks.passages", "--data", str(data)]
    command += ["--memory", f"{method}:{size}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def main() -> None:
    """Print the tables and, last, one line of JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with the contracts")
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--memory", help="align once and print the peak in MiB: method:size")
    options = parser.parse_args()
    if not list((options.data / "legal" / "contracts").glob("*.txt.gz")):
        parser.error(f"{options.data} has no legal/contracts/*.txt.gz")
    if options.memory:
        method, _, size = options.memory.partition(":")
        pair = draw_pair(read_contracts(options.data), int(size))
        if method == "ours":
            align(*pair)
        else:
            biopython().align(*pair)[0]
        print(peak_mib())
        return
    memory = {}
    for method, sizes in (("ours", MEMORY_SIZES), ("biopython", (SIZES[0], SIZES[-1]))):
        peaks = {size: measure_memory(options.data, size, method) for size in sizes}
        memory[method] = peaks
        for size, peak in peaks.items():
            gained = (peak - peaks[SIZES[0]]) * 2**20 / (size - SIZES[0]) if size > SIZES[0] else 0
            print(f"{method}, {size:,} characters: {peak:.0f} MiB, {gained:.0f} bytes a character")
    texts = read_contracts(options.data)
    speed = []
    print("characters   ours, ms   Biopython align, ms   ratio")
    for row in measure_speed(texts):
        speed.append(row)
        print(
            f"{row['size']:10,} {row['ours_ms']:10.2f} {row['align_ms']:21.1f} "
            f"{row['ratio']:6.0f}x",
            flush=True,
        )
    figures = {"speed": speed, "memory": memory}
    text = json.dumps({"benchmark": "passages", **figures})
    print(text)
    if options.json:
        options.json.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

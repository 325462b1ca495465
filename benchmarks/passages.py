"""Whether a copied passage is in a document, and what it costs to find it.

    python -m benchmarks.passages --data ../shared/data [--json FILE]

Detection. Phrases of 40, 100 and 250 characters are drawn from half of the 40 contracts, the test
half, and changed as a model that copies changes them (SafePassage, Table 2): as they stand, in
another case, with a scanner's errors, with words dropped, inserted, elided, and with all of these.
Each is put to its own contract, where it is, and to another contract of the test half. What the
other one has is told by word trigrams of the phrase before it was changed, not by alignment:

foreign         less than a third of them occur there: it is not in the document
near-duplicate  a third and more, not all: boilerplate in other words; reported apart
shared          the whole phrase occurs there, white space and case aside: it is in the document

`spliced` passages are reported apart too: the first half is the contract's, the second is not.
Precision and recall are those of "is in the document"; the intervals are 95 % bootstrap intervals
over contracts. Beside ours, at its 0.6: exact matching, the same after folding case and white
space, and rapidfuzz's partial_ratio of the folded texts, at 0.6 and at the threshold that has the
best F1 on the other half of the contracts. The optima of 500 of the cases must be Biopython's.

Cost. A context of 100 characters with four substitutions, three dropped characters and one inserted
is put to documents of 10k, 100k and 1M characters, in turn with Biopython's aligner with the same
counting; times are median CPU seconds. Memory is the peak of a process that reads a document, of
10k characters to 8M, and aligns one context; what it gains over the first is told by character.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import json
import random
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundrules.claims.evidence.smith_waterman import THRESHOLD, align

LENGTHS = (40, 100, 250)
PHRASES = 8
SIZES = (10_000, 100_000, 1_000_000)
MEMORY_SIZES = (10_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000)
RESAMPLES = 1000
#: What scanners take for what.
LOOKALIKES = {"l": "1", "o": "0", "e": "c", "m": "rn", "h": "b", "i": "l", "s": "5", "O": "0"}


@dataclass(frozen=True)
class Case:
    """A passage put to a document; `label` is a kind of change, `origin` as the page says."""

    document: int
    context: str
    change: str
    origin: str
    length: int

    @property
    def present(self) -> bool:
        """Whether the passage is in the document."""
        return self.origin in ("own", "shared")


def read_contracts(data: Path) -> list[str]:
    """Return the contracts in the order of their names."""
    files = sorted((data / "legal" / "contracts").glob("*.txt.gz"))
    return [gzip.decompress(file.read_bytes()).decode("utf-8") for file in files]


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text in small letters."""
    return re.findall(r"\w+", text.casefold())


@functools.cache
def trigrams(text: str) -> frozenset[tuple[str, ...]]:
    """Return the distinct runs of three words."""
    words = words_of(text)
    return frozenset(zip(words, words[1:], words[2:], strict=False))


@functools.cache
def fold(text: str) -> str:
    """Return the text in one case, each run of white space as one blank."""
    return " ".join(text.casefold().split())


def tell_origin(phrase: str, document: str) -> str:
    """Return what another contract has of a phrase."""
    if fold(phrase) in fold(document):
        return "shared"
    own = trigrams(phrase)
    share = len(own & trigrams(document)) / max(1, len(own))
    return "foreign" if share < 1 / 3 else "near-duplicate"


def draw_phrases(text: str, dice: random.Random) -> Iterator[tuple[int, str]]:
    """Yield phrases of whole words, at least seven of them, with the length aimed at."""
    for length in LENGTHS:
        if len(text) < 4 * length:
            continue
        drawn = tries = 0
        while drawn < PHRASES and tries < 100 * PHRASES:
            tries += 1
            start = dice.randrange(len(text) - length)
            phrase = re.sub(r"^\S*\s+|\s+\S*$", "", text[start : start + length])
            if len(trigrams(phrase)) >= 5 and sum(map(str.isalpha, phrase)) > len(phrase) / 2:
                drawn += 1
                yield length, phrase


def drop_words(text: str, dice: random.Random) -> str:
    """Leave out one word in eight, at least one."""
    words = text.split(" ")
    gone = dice.sample(range(len(words)), max(1, len(words) // 8))
    return " ".join(word for place, word in enumerate(words) if place not in gone)


def insert_words(text: str, dice: random.Random) -> str:
    """Put in one word for eight, at least one."""
    words = text.split(" ")
    for _ in range(max(1, len(words) // 8)):
        word = dice.choice("said the above-mentioned such also hereby respective duly".split())
        words.insert(dice.randrange(len(words) + 1), word)
    return " ".join(words)


def elide_words(text: str, dice: random.Random) -> str:
    """Replace a run of words, a quarter of them, by three dots."""
    words = text.split(" ")
    run = max(1, len(words) // 4)
    start = dice.randrange(1, max(2, len(words) - run))
    return " ".join([*words[:start], "...", *words[start + run :]])


def change_case(text: str, dice: random.Random) -> str:
    """Write all in capitals, all small, or each word with a capital."""
    return dice.choice([str.upper, str.lower, str.title])(text)


def scan(text: str, dice: random.Random) -> str:
    """Break one word in six, join one in twelve, and misread one letter in thirty."""
    out = []
    for character in text:
        if character == " ":
            out.append("" if dice.random() < 1 / 12 else " ")
        elif character in LOOKALIKES and dice.random() < 1 / 10:
            out.append(LOOKALIKES[character])
        else:
            out.append(character)
            if dice.random() < 1 / 30:
                out.append(" ")
    return "".join(out)


def change_all(text: str, dice: random.Random) -> str:
    """Drop, insert, change case and scan."""
    for change in (drop_words, insert_words, change_case, scan):
        text = change(text, dice)
    return text


CHANGES: dict[str, Callable[[str, random.Random], str]] = {
    "as it stands": lambda text, _: text,
    "case": change_case,
    "scanned": scan,
    "words dropped": drop_words,
    "words inserted": insert_words,
    "words elided": elide_words,
    "all of these": change_all,
}


def draw_cases(texts: Sequence[str], seed: int) -> list[Case]:
    """Return the passages of some contracts, each put to its own and to another."""
    dice = random.Random(seed)
    cases = []
    for number, text in enumerate(texts):
        for length, phrase in draw_phrases(text, dice):
            other = dice.choice([place for place in range(len(texts)) if place != number])
            origin = tell_origin(phrase, texts[other])
            for name, change in CHANGES.items():
                changed = change(phrase, dice)
                cases.append(Case(number, changed, name, "own", length))
                cases.append(Case(other, changed, name, origin, length))
            foreign = texts[other]
            place = dice.randrange(max(1, len(foreign) - length))
            half = foreign[place : place + len(phrase) // 2]
            if tell_origin(half, text) == "foreign":
                spliced = phrase[: len(phrase) // 2] + half
                cases.append(Case(number, spliced, "as it stands", "spliced", length))
    return cases


def score_cases(cases: Sequence[Case], texts: Sequence[str]) -> dict[str, list[float]]:
    """Return what each method gives each case, from 0 to 1."""
    from rapidfuzz.fuzz import partial_ratio

    ours = [align(case.context, texts[case.document]) for case in cases]
    folded = [(fold(case.context), fold(texts[case.document])) for case in cases]
    return {
        "ours": [found.score if found else 0.0 for found in ours],
        "exact": [float(case.context in texts[case.document]) for case in cases],
        "exact, folded": [float(context in document) for context, document in folded],
        "partial_ratio": [partial_ratio(*pair) / 100 for pair in folded],
    }


def precision_recall(flags: Sequence[tuple[bool, bool]]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of pairs (present, said to be)."""
    hits = sum(present and said for present, said in flags)
    precision = hits / max(1, sum(said for _, said in flags))
    recall = hits / max(1, sum(present for present, _ in flags))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def best_threshold(cases: Sequence[Case], scores: Sequence[float]) -> float:
    """Return the threshold with the best F1, the least of equals."""
    kept = [(case.present, score) for case, score in zip(cases, scores, strict=True) if pool(case)]
    return max(
        (number / 100 for number in range(1, 101)),
        key=lambda cut: (precision_recall([(p, s >= cut) for p, s in kept])[2], -cut),
    )


def pool(case: Case) -> bool:
    """Return whether a case counts in the figures of the whole."""
    return case.origin in ("own", "shared", "foreign")


def judge(cases: Sequence[Case], said: Sequence[bool]) -> dict[str, Any]:
    """Return precision and recall with their intervals, and the share said of each kind."""
    rows = [(case, word) for case, word in zip(cases, said, strict=True) if pool(case)]
    by_document: dict[int, list[tuple[bool, bool]]] = {}
    for case, word in rows:
        by_document.setdefault(case.document, []).append((case.present, word))
    groups = list(by_document.values())
    figures = precision_recall([flag for group in groups for flag in group])
    dice = random.Random(0)
    drawn = [
        precision_recall([flag for group in dice.choices(groups, k=len(groups)) for flag in group])
        for _ in range(RESAMPLES)
    ]
    quantiles = [statistics.quantiles(part, n=40) for part in zip(*drawn, strict=True)]
    names = ("precision", "recall", "f1")
    share: dict[str, dict[str, float]] = {}
    for kind, key in (
        ("change", lambda case: case.change if case.origin == "own" else ""),
        ("length", lambda case: str(case.length) if case.origin == "own" else ""),
        ("foreign by length", lambda case: str(case.length) if case.origin == "foreign" else ""),
        ("origin", lambda case: case.origin),
    ):
        parts: dict[str, list[bool]] = {}
        for case, word in zip(cases, said, strict=True):
            if name := key(case):
                parts.setdefault(name, []).append(word)
        share[kind] = {name: statistics.fmean(words) for name, words in parts.items()}
    return {
        **dict(zip(names, figures, strict=True)),
        "ci": {name: (part[0], part[-1]) for name, part in zip(names, quantiles, strict=True)},
        "said": share,
    }


def check_optima(cases: Sequence[Case], texts: Sequence[str]) -> int:
    """Return how many optima were compared with Biopython's; ends the run where one differs."""
    aligner = biopython()
    drawn = random.Random(0).sample(cases, 500)
    for case in drawn:
        # letter by letter as we fold them; the contracts have none that folds to two
        context, document = (
            re.sub(r"\s", " ", text.lower()) for text in (case.context, texts[case.document])
        )
        found = align(case.context, texts[case.document])
        theirs = int(aligner.score(context, document))
        if (found.optimum if found else 0) != theirs:
            raise SystemExit(f"{case}: {found} is not Biopython's {theirs}")
    return len(drawn)


def detect(texts: Sequence[str]) -> dict[str, Any]:
    """Return the figures of all methods on the test half."""
    halves = [list(texts[start::2]) for start in (0, 1)]
    chosen, tested = (draw_cases(half, seed) for seed, half in enumerate(halves))
    fitted = score_cases(chosen, halves[0])["partial_ratio"]
    cut = best_threshold(chosen, fitted)
    scores = score_cases(tested, halves[1])
    methods = {
        f"ours, {THRESHOLD}": ("ours", THRESHOLD),
        "exact": ("exact", 1.0),
        "exact, folded": ("exact, folded", 1.0),
        "partial_ratio, 0.6": ("partial_ratio", 0.6),
        f"partial_ratio, {cut}, the best on the other half": ("partial_ratio", cut),
    }
    count: dict[str, int] = {}
    for case in tested:
        count[case.origin] = count.get(case.origin, 0) + 1
    return {
        "contracts": len(halves[1]),
        "cases": count,
        "equal_optima": check_optima(tested, halves[1]),
        "methods": {
            name: judge(tested, [score >= least for score in scores[method]])
            for name, (method, least) in methods.items()
        },
    }


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
        times: dict[str, list[float]] = {"ours": [], "align": [], "score": []}
        for _ in range(3 if size == SIZES[-1] else 11):
            started = time.process_time()
            found = align(context, document)
            times["ours"].append(time.process_time() - started)
            started = time.process_time()
            best = aligner.align(context, document)[0]
            times["align"].append(time.process_time() - started)
            started = time.process_time()
            score = aligner.score(context, document)
            times["score"].append(time.process_time() - started)
        spans = best.aligned[1]
        theirs = (score, int(spans[0][0]), int(spans[-1][1]))
        if found is None or (found.optimum, found.start, found.end) != theirs:
            raise SystemExit(f"{size}: {found} is not Biopython's {theirs}")
        middle = {name: statistics.median(part) for name, part in times.items()}
        yield {
            "size": size,
            "context": len(context),
            "optimum": found.optimum,
            **{f"{name}_ms": 1000 * value for name, value in middle.items()},
            "ratio": middle["align"] / middle["ours"],
            "ratio_score": middle["score"] / middle["ours"],
        }


def measure_memory(data: Path, size: int, method: str) -> float:
    """Return the peak in MiB of a new process that aligns once.

    The peak of the parent counts as the child's, so this one must be small still.
    """
    command = [sys.executable, "-m", "benchmarks.passages", "--data", str(data)]
    command += ["--memory", f"{method}:{size}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def peak_mib() -> float:
    """Return the peak of this process in MiB."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / (2**20 if sys.platform == "darwin" else 2**10)


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
    print("characters   ours, ms   Biopython align, ms   ratio   score alone, ms   ratio")
    for row in measure_speed(texts):
        speed.append(row)
        print(
            f"{row['size']:10,} {row['ours_ms']:10.2f} {row['align_ms']:21.1f} "
            f"{row['ratio']:6.0f}x {row['score_ms']:17.1f} {row['ratio_score']:6.0f}x",
            flush=True,
        )
    found = detect(texts)
    print(", ".join(f"{name} {count}" for name, count in found["cases"].items()))
    print(f"{found['equal_optima']} optima equal Biopython's")
    for name, row in found["methods"].items():
        print(f"\n{name}")
        for key in ("precision", "recall", "f1"):
            low, high = row["ci"][key]
            print(f"  {key:9} {row[key]:.3f} ({low:.3f} to {high:.3f})")
        for kind, parts in row["said"].items():
            print(f"  {kind}: " + ", ".join(f"{part} {share:.3f}" for part, share in parts.items()))
    figures = {"speed": speed, "memory": memory, **found}
    text = json.dumps({"benchmark": "passages", **figures})
    print(text)
    if options.json:
        options.json.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

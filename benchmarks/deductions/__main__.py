"""The command: see `benchmarks.deductions`."""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundrules.align.deductions import Deduction, deduce
from groundrules.align.projection import Relation

HERE = Path(__file__).parent
BEGIN = "<!-- figures: written by python -m benchmarks.deductions -->"
END = "<!-- end of figures -->"
SETS = {
    "sound, the half that is open": "cases/sound.jsonl.gz",
    "FraCaS": "closed/fracas.jsonl.gz",
    "looked at, by another writer": str(HERE / "seen.jsonl"),
    "looked at, by a third": str(HERE / "seen-2.jsonl"),
    "looked at, by a fourth": str(HERE / "seen-3.jsonl"),
    "looked at, by a fifth": str(HERE / "seen-4.jsonl"),
    "looked at, by a seventh": str(HERE / "seen-5.jsonl"),
    "everyday, looked at": str(HERE / "seen-6.jsonl"),
    "unseen, by a sixth": str(HERE / "unseen.jsonl"),
    "everyday, unseen": str(HERE / "unseen-2.jsonl"),
}
MED = "train/nli/MED.tsv.gz"
_EACH = 5


@dataclass(frozen=True, slots=True)
class Pair:
    """A source and a statement with what a careful reader would say of it."""

    name: str
    source: str
    statement: str
    label: str
    premises: int

    def deduced(self) -> Deduction:
        """Return what the source says of the statement."""
        return deduce(self.statement, self.source, [(0, len(self.source))])


def pairs(path: Path) -> Iterator[Pair]:
    """Yield the pairs of a file of JSON lines, which may be packed."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open("rt") as lines:
        for row in map(json.loads, lines):
            premises = row.get("premises", 0)
            yield Pair(row["id"], row["source"], row["statement"], row["label"], premises)


def monotone(path: Path) -> Iterator[Pair]:
    """Yield each fifth pair of MED, whose statements follow or do not."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        head = next(lines).rstrip("\n").split("\t")
        for number, line in enumerate(lines):
            row = dict(zip(head, line.rstrip("\n").split("\t"), strict=False))
            if number % _EACH == 0:
                follows = row["gold_label"] == "entailment"
                label = "supported" if follows else "open"
                yield Pair(row["index"], row["sentence1"], row["sentence2"], label, 1)


def outcome(found: Deduction) -> str:
    """Return the label that a deduction comes to."""
    if found.supports:
        return "supported"
    return "refuted" if found.finding.relation.refutes else "open"


def cause(found: Deduction) -> str:
    """Return what stopped a statement that follows."""
    if found.finding.relation.refutes:
        return "refuted"
    if found.unread:
        return "a word of the statement is in no proposition"
    if found.finding.premise is None:
        return "no premise has its predicate"
    if found.added:
        return "the source is found to bind it by more"
    if found.finding.relation is Relation.ENTAILED:
        return "the statement is found to say more"
    return "another thing fills a slot"


def share(hits: Sequence[bool]) -> str:
    """Return the share of what is true, with how many were asked."""
    return f"{sum(hits) / len(hits):.3f} of {len(hits)}" if hits else "–"


def report(data: Path, wrong: bool) -> Iterator[str]:
    """Yield the lines of the tables; sets whose files are absent are named."""
    columns = ("may not pass, passes", "may pass, supported", "may pass, refuted", "refuted, found")
    yield f"| set | {' | '.join(columns)} |"
    yield "|---|--:|--:|--:|--:|"
    causes: dict[str, Counter[str]] = {}
    for name, file in SETS.items():
        path = data / file
        if not path.is_file():
            yield f"| {name} | skipped: {path.name} is not there | | | |"
            continue
        found = [(pair, pair.deduced()) for pair in pairs(path)]
        told = [(pair, outcome(one)) for pair, one in found]
        true = [out for pair, out in told if pair.label == "supported"]
        passed = [out == "supported" for pair, out in told if pair.label != "supported"]
        refuted = [out == "refuted" for pair, out in told if pair.label == "refuted"]
        shares = (passed, [o == "supported" for o in true], [o == "refuted" for o in true], refuted)
        yield f"| {name} | " + " | ".join(map(share, shares)) + " |"
        causes[name] = Counter(
            cause(one) for pair, one in found if pair.label == "supported" and not one.supports
        )
        if name == "FraCaS":
            alone = [out == pair.label for pair, out in told if pair.premises == 1]
            yield f"| – with one premise, right of three | {share(alone)} | | | |"
        if wrong:
            for pair, out in told:
                if out != pair.label and "unseen" not in name:
                    print(pair.name, pair.label, "->", out, "|", pair.statement)
    path = data / MED
    if path.is_file():
        right = [(outcome(p.deduced()) == "supported") == (p.label == "supported")
                 for p in monotone(path)]  # fmt: skip
        yield f"| MED, follows or not, right | {share(right)} | | | |"
    yield ""
    yield "| what stopped what follows | " + " | ".join(causes) + " |"
    yield "|---|" + "--:|" * len(causes)
    kinds = sorted({kind for found in causes.values() for kind in found})
    for kind in kinds:
        yield f"| {kind} | " + " | ".join(str(found[kind]) for found in causes.values()) + " |"


def main() -> None:
    """Print the tables, or write them to a page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deductions", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data")
    parser.add_argument(
        "--wrong", action="store_true", help="print what is not right, but for unseen"
    )
    parser.add_argument("--write", type=Path, help="page to write the tables to")
    arguments = parser.parse_args()
    text = "\n".join(report(arguments.data, arguments.wrong))
    print(text)
    if arguments.write:
        page = arguments.write.read_text("utf-8")
        before, rest = page.split(BEGIN)
        arguments.write.write_text(
            f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}", "utf-8"
        )


if __name__ == "__main__":
    main()

"""Build the premise / hypothesis pairs the scorer is trained and measured on.

    python training/scorer/corpus.py --data ../shared/data --out pairs.jsonl.gz
    python training/scorer/corpus.py --data ../shared/data --out clauses.jsonl.gz --second

Each row: premise, hypothesis, label (0 entailment, 1 neutral, 2 contradiction, 3 not entailment),
origin, the true text a broken hypothesis was made from ("" if none), part ("train" or "held").
Held-out parts are split by document (claim, premise) and never trained on. Only sets that may be
used for training are read, and no document that a benchmark reports on, FoolMeTwice and
ContractNLI apart, whose held-out documents are reported.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
import re
import sys
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import pairs
from pairs import CONTRADICTION, ENTAILMENT, UNSUPPORTED
from typed import typed_rows

from groundrules.align.words.passages import Passages, index_passages, nearest_passages

SEED = 20261121
#: Share of the documents of a set that is held out, and words of a premise.
HELD, WORDS = 0.15, 60
#: Pairs taken of each origin for training.
QUOTAS = {
    "mnli": 18500,
    "fever": 9000,
    "conj": 6000,
    "cad": 6000,
    "hans": 2500,
    "breaking": 3000,
    "monotone": 2500,
    "symmetric": 700,
    "foolmetwice": 2000,
    "contractnli": 2600,
    "redocred": 6000,
    "made": 24000,
    "rebroken": 14000,
    "typed_sentence": 9000,
    "typed_document": 5500,
    "typed_class": 3500,
    "typed_agreement": 4000,
}
#: What the second pass has: all clauses, and shares of the pairs with types and of the others.
CLAUSES, TYPED, OTHERS = 18000, 0.3, 0.1
_LABELS = pairs._LABELS | {"non-entailment": UNSUPPORTED, "non_entailment": UNSUPPORTED}
#: Premise, hypothesis, label, origin, true text, key that decides which part it belongs to.
Row = tuple[str, str, int, str, str, str]


def _tsv(path: Path) -> Iterator[dict[str, str]]:
    with pairs._open(path) as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def inference_rows(root: Path) -> Iterator[Row]:
    """Yield the natural language inference sets."""
    for row in pairs._jsonl(root / "mnli_10k.jsonl.gz"):
        key = "" if row["split"] == "mnli_train" else row["premise"]
        yield row["premise"], row["hypothesis"], _LABELS[row["label"]], "mnli", "", key
    for name in ("cad_train", "cad_dev", "cad_test"):
        for row in _tsv(root / f"{name}.tsv.gz"):
            label = _LABELS[row["gold_label"]]
            yield row["sentence1"], row["sentence2"], label, "cad", "", row["sentence1"]
    for name in ("adversarial_train_15k", "conj_dev"):
        for row in _tsv(root / f"{name}.tsv.gz"):
            premise, claim = row["Premise"].strip('"'), row["Hypothesis"].strip('"')
            yield premise, claim, _LABELS[row["Label"]], "conj", "", premise
    with (
        pairs._open(root / "fever-rte_dev.raw.input0.gz") as premises,
        pairs._open(root / "fever-rte_dev.raw.input1.gz") as hypotheses,
        pairs._open(root / "fever-rte_dev.label.gz") as labels,
    ):
        for premise, claim, label in zip(premises, hypotheses, labels, strict=True):
            premise, claim = pairs._untag(premise), pairs._untag(claim)
            yield premise, claim, _LABELS[label.strip()], "fever", "", claim
    for part in ("dev", "test"):
        for row in pairs._jsonl(root / f"fever-symmetric_v0.2_fever_symmetric_{part}.jsonl.gz"):
            premise, claim = pairs._untag(row["sentence1"]), pairs._untag(row["sentence2"])
            origin = "symmetric" if part == "dev" else "symmetric_test"
            yield premise, claim, _LABELS[row["gold_label"]], origin, "", ""
    for row in _tsv(root / "hans_regenerated.txt.gz"):
        premise, claim = pairs._untag(row["sentence1"]), pairs._untag(row["sentence2"])
        yield premise, claim, _LABELS[row["gold_label"]], "hans", "", premise
    for name in ("nmonli_train", "pmonli"):
        for row in pairs._jsonl(root / f"{name}.jsonl.gz"):
            label = _LABELS[row["gold_label"]]
            yield row["sentence1"], row["sentence2"], label, "monotone", "", row["sentence1"]
    for row in _tsv(root / "MED.tsv.gz"):
        label = _LABELS[row["gold_label"]]
        yield row["sentence1"], row["sentence2"], label, "monotone", "", row["sentence1"]
    with zipfile.ZipFile(root / "breaking_nli.zip") as archive:
        rows = [json.loads(line) for line in archive.read("data/dataset.jsonl").splitlines()]
    for row in rows:
        if row["gold_label"] in _LABELS:
            label, premise = _LABELS[row["gold_label"]], row["sentence1"]
            yield premise, row["sentence2"], label, "breaking", "", premise


def document_key(text: str) -> str:
    """Return what decides the part of a document, for its real and its made pairs alike."""
    return " ".join(pairs.split_sentences(text))


def premise_for(claim: str, passages: Passages, most: int) -> str:
    """Return the passages nearest to the claim, joined in the order of the source."""
    places = nearest_passages(claim, passages, most=most, budget=WORDS)
    return " ".join(passages.texts[place] for place in sorted(places))


def document_rows(data: Path, rng: random.Random) -> Iterator[Row]:
    """Yield FoolMeTwice, ContractNLI and statements about Re-DocRED, with nearest passages."""
    for row in pairs._jsonl(data / "closed/foolmetwice.jsonl.gz"):
        label = ENTAILMENT if row["label"] else CONTRADICTION
        passages = index_passages([pairs.split_sentences(row["doc"])])
        key = document_key(row["doc"])
        claim = row["claim"]
        yield " ".join(row["gold"]), claim, label, "foolmetwice", "", key
        yield premise_for(claim, passages, 3), claim, label, "foolmetwice_doc", "", key
    indexed: dict[str, Passages] = {}
    for row in pairs._jsonl(data / "legal/contract_nli.jsonl.gz"):
        if row["doc_id"] not in indexed:
            indexed[row["doc_id"]] = index_passages([pairs.split_sentences(row["doc"])])
        label, claim, key = _LABELS[row["label3"]], row["claim"], document_key(row["doc"])
        near = premise_for(claim, indexed[row["doc_id"]], 2)
        yield near, claim, label, "contractnli_doc", "", key
        if row["evidence"]:
            yield " ".join(row["evidence"]), claim, label, "contractnli", "", key
    owner = {
        sentence: " ".join(sentences)
        for sentences, _ in pairs._documents(data)
        for sentence in sentences
    }
    for premise, claim, label, origin, true in pairs.relation_pairs(data, rng):
        near = premise_for(claim, index_passages([premise]), 3) if premise else ""
        yield near, claim, label, origin, true, owner[premise[0]] if premise else ""


class Slots:
    """Words that fill a place: the same neighbours and the same commonest tag, in some corpus."""

    def __init__(self, texts: Iterable[str], classes: dict[str, str]) -> None:
        self.classes = classes
        self.both: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.left: dict[str, Counter[str]] = defaultdict(Counter)
        self.right: dict[str, Counter[str]] = defaultdict(Counter)
        for text in texts:
            tokens = ["", *re.findall(r"[a-z]+|\d+|[^\w\s]", text.lower()), ""]
            for i in range(1, len(tokens) - 1):
                word = tokens[i]
                if len(word) > 2 and word in classes:
                    self.both[tokens[i - 1], tokens[i + 1]][word] += 1
                    self.left[tokens[i - 1]][word] += 1
                    self.right[tokens[i + 1]][word] += 1

    def break_word(self, text: str, premise: str, rng: random.Random) -> tuple[str, int] | None:
        """Replace a verb, noun, adjective or preposition by another that the place allows."""
        spans = list(re.finditer(r"[A-Za-z]+|\d+|[^\w\s]", text))
        words = ["", *(m.group().lower() for m in spans), ""]
        tags = ("VBD", "VBN", "VBZ", "VB", "VBG", "NN", "NNS", "JJ", "JJ", "RB", "CD", "IN")
        places = [
            i
            for i, word in enumerate(words)
            if self.classes.get(word) in tags and (self.classes[word] != "IN" or rng.random() < 0.2)
        ]
        rng.shuffle(places)
        known = premise.lower() + " " + text.lower()
        for i in places:
            word = words[i]
            for table in (
                self.both.get((words[i - 1], words[i + 1])),
                self.left.get(words[i - 1]),
                self.right.get(words[i + 1]),
            ):
                others = [
                    (other, count)
                    for other, count in (table or {}).items()
                    if self.classes[other] == self.classes[word]
                    and other[:4] not in known
                    and other[:4] != word[:4]
                ]
                if others:
                    new = rng.choices([o for o, _ in others], [c for _, c in others])[0]
                    span = spans[i - 1]
                    new = new.capitalize() if span.group()[0].isupper() else new
                    return pairs._replace(text, span.start(), span.end(), new), UNSUPPORTED
        return None


def _names(text: str) -> list[tuple[str, str]]:
    return [(m.group(), "NAME") for m in pairs._NAME.finditer(text, 1) if len(m.group()) > 3]


def _broken(
    base: str,
    premise: str,
    names: Sequence[tuple[str, str]],
    foreign: Sequence[tuple[str, str]],
    slots: Slots,
    rng: random.Random,
) -> list[tuple[str, int]]:
    """Return the base broken in each way that applies, in random order."""
    ways = [
        pairs.break_name(base, names, foreign, rng),
        pairs.break_roles(base, names, rng),
        pairs.break_number(base, rng),
        pairs.break_opposite(base, rng),
        slots.break_word(base, premise, rng),
        slots.break_word(base, premise, rng),
    ]
    if rng.random() < 0.6:
        ways.append(pairs.break_polarity(base, rng))
    found = [way for way in ways if way and way[0] != base]
    rng.shuffle(found)
    return found


def made_rows(data: Path, slots: Slots, rng: random.Random) -> Iterator[Row]:
    """Yield sentences of documents, kept or compressed, and their broken copies."""
    foreign: list[tuple[str, str]] = []
    for sentences, names in pairs._documents(data):
        key = " ".join(sentences)
        passages = index_passages([sentences])
        fit = [s for s in sentences if 6 <= len(s.split()) <= 45]
        for sentence in rng.sample(fit, min(6, len(fit))):
            short = rng.random() < 0.85
            base = pairs.compress(sentence, slots.classes, rng) if short else sentence
            lower = rng.random() < 0.2
            broken = _broken(base, key, names, foreign, slots, rng)
            for claim, label in [(base, ENTAILMENT), *broken[: 1 + (rng.random() < 0.4)]]:
                premise = premise_for(claim, passages, rng.choice([1, 2, 2, 3]))
                true = base if label != ENTAILMENT else ""
                if lower:
                    claim, true = pairs.newswire(claim), pairs.newswire(true)
                yield premise, claim, label, "made", true, key
        foreign = [*foreign, *names][-400:]


def rebroken_rows(rows: Sequence[Row], slots: Slots, rng: random.Random) -> Iterator[Row]:
    """Yield entailed hypotheses in other words than the premise's, broken in one place."""
    foreign: list[tuple[str, str]] = []
    for premise, claim, label, origin, _, key in rows:
        if label != ENTAILMENT or origin not in ("mnli", "fever", "cad", "foolmetwice"):
            continue
        names = [*_names(claim), *_names(premise)]
        broken = _broken(claim, premise, names, foreign, slots, rng)
        if broken:
            text, kind = broken[0]
            yield premise, text, kind, "rebroken", claim, key
        foreign = [*foreign, *names][-400:]


def part_of(origin: str, key: str) -> str:
    """Return "held" for the held-out documents: the same ones on every run."""
    if origin.endswith("_test"):
        return "held"
    return "held" if key and zlib.crc32(key.encode()) % 1000 < HELD * 1000 else "train"


def quota(origin: str, second: bool) -> float:
    """Return how many pairs of an origin a pass is trained on."""
    if origin == "typed_clause":
        return CLAUSES if second else 0
    share = (TYPED if origin.startswith("typed") else OTHERS) if second else 1
    return share * QUOTAS.get(origin.removesuffix("_doc"), 0)


def main() -> None:
    """Write the pairs of a pass, shuffled."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--second", action="store_true", help="the pairs of the second pass")
    arguments = parser.parse_args()
    rng = random.Random(SEED)
    real = list(inference_rows(arguments.data / "train/nli"))
    real += document_rows(arguments.data, rng)
    classes = pairs.word_classes(arguments.data / "train/parse")
    slots = Slots((text for row in real for text in row[:2] if row[3] != "hans"), classes)
    rows = [*real, *made_rows(arguments.data, slots, rng), *rebroken_rows(real, slots, rng)]
    typed = typed_rows(arguments.data, random.Random(SEED))
    rows += [row for row in typed if quota(row[3], arguments.second)]
    rng.shuffle(rows)
    counts: Counter[tuple[str, str, int]] = Counter()
    taken: Counter[tuple[str, str]] = Counter()
    with gzip.open(arguments.out, "wt", encoding="utf-8") as out:
        for premise, claim, label, origin, true, key in rows:
            part = part_of(origin, key)
            most = quota(origin, arguments.second) if part == "train" else 1500
            taken[origin, part] += 1
            if not premise or not claim or taken[origin, part] > most:
                continue
            counts[part, origin, label] += 1
            row = (premise, claim, label, origin, true, part)
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    for name, count in sorted(counts.items()):
        print(*name, count)


if __name__ == "__main__":
    main()

"""Figures of the offline extractor: OpenIE and pair recall.

    python benchmarks/extract.py [--data ../shared/data] [--json FILE] [--only carb,pairs,...]

CaRB is scored as its authors do (Bhardwaj, Aggarwal and Mausam, EMNLP 2019: token overlap per
slot, precision one to one, recall many to one), reimplemented here and equal to their script on
their published system outputs.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import string
import tarfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from groundrules.claims.documents.document import Document
from groundrules.claims.facts.clauses import Argument, Clause, clauses
from groundrules.claims.facts.offline import extract, load
from groundrules.claims.names.resolve import resolve
from groundrules.claims.units.blocks import parse

# --- CaRB -------------------------------------------------------------------------------------

_FORMS_OF_BE = ("be", "is", "am", "are", "was", "were", "been", "being")
_SAID = ("said", "told", "added", "adds", "says")
_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


@dataclass(frozen=True)
class Tuple:
    """An OpenIE tuple: a relation and its arguments, as words of the sentence."""

    relation: str
    arguments: tuple[str, ...]
    confidence: float = 1.0


def carb_key(sentence: str) -> str:
    """Return the sentence as CaRB compares it: no spaces, no brackets, no punctuation."""
    text = sentence.replace(" ", "")
    for escaped, plain in _BRACKETS.items():
        text = text.replace(escaped, plain)
    return _PUNCTUATION.sub("", text)


def _overlap(gold: list[str], found: list[str]) -> int:
    left = list(found)
    count = 0
    for word in gold:
        if word in left:
            count += 1
            left.remove(word)
    return count


def _lenient(gold: tuple[str, ...], found: tuple[str, ...]) -> tuple[float, float]:
    """Precision and recall of the words of one tuple against another, slot by slot."""
    gold_relation, relation = gold[0].split(), found[0].split()
    matched = _overlap(gold_relation, relation)
    left = list(relation)
    for word in gold_relation:
        if word in left:
            left.remove(word)
    if "be" in left and any(form in gold_relation for form in _FORMS_OF_BE):
        matched += 1
    if not matched:
        return 0.0, 0.0
    hits, total_found, total_gold = matched, len(relation), len(gold_relation)
    for slot in range(1, len(gold)):
        gold_words, words = gold[slot].split(), found[slot].split()
        hits += _overlap(gold_words, words)
        total_found += len(words)
        total_gold += len(gold_words)
    return hits / total_found, hits / total_gold


def carb_match(gold: Tuple, found: Tuple) -> tuple[float, float]:
    """CaRB's binary lenient match; a tuple of saying may have its sides exchanged."""
    one: tuple[str, ...] = (gold.relation, *gold.arguments[:1])
    if len(gold.arguments) > 1:
        one = (*one, " ".join(gold.arguments[1:]))
    if len(found.arguments) < min(2, len(gold.arguments)):
        return 0.0, 0.0
    rest = " ".join(found.arguments[1:])
    straight = _lenient(one, (found.relation, found.arguments[0], rest))
    if any(word in gold.relation for word in _SAID):
        return max(straight, _lenient(one, (found.relation, rest, found.arguments[0])))
    return straight


def carb_score(
    gold: Mapping[str, Sequence[Tuple]], found: Mapping[str, Sequence[Tuple]]
) -> dict[str, float]:
    """Return precision, recall and F1 at the best confidence, and the area under the curve."""
    levels = sorted({t.confidence for tuples in found.values() for t in tuples})
    size = len(levels)
    hits_p, all_p = [0.0] * size, [0.0] * size
    hits_r, all_r = [0.0] * size, [0.0] * size
    for sentence, wanted in gold.items():
        had = list(found.get(sentence, ()))
        scores = [[carb_match(g, t) for t in had] for g in wanted]
        previous = 0
        for level in sorted(t.confidence for t in had):
            position = levels.index(level)
            chosen = [i for i, t in enumerate(had) if t.confidence >= level]
            recall = sum(max((row[i][1] for i in chosen), default=0.0) for row in scores)
            precision, rows, columns = 0.0, set[int](), set[int]()
            for _ in range(min(len(wanted), len(chosen))):
                best, at = -1.0, (-1, -1)
                for r, row in enumerate(scores):
                    if r in rows:
                        continue
                    for i in chosen:
                        if i not in columns and row[i][0] > best:
                            best, at = row[i][0], (r, i)
                rows.add(at[0])
                columns.add(at[1])
                precision += best
            for i in range(previous, position + 1):
                hits_p[i] += precision
                all_p[i] += len(chosen)
                hits_r[i] += recall
                all_r[i] += len(wanted)
            previous = max(previous, position + 1)
        for i in range(previous, size):
            all_r[i] += len(wanted)
    points = []
    for i in range(size):
        p = hits_p[i] / all_p[i] if all_p[i] else 1.0
        r = hits_r[i] / all_r[i] if all_r[i] else 0.0
        points.append((p, r, 2 * p * r / (p + r) if p + r else 0.0))
    if not points:
        return {"precision": 0.0, "recall": 0.0, "f1": 0.0, "auc": 0.0}
    p, r, f = max(points, key=lambda point: point[2])
    curve = [(point[1], point[0]) for point in points] + [(0.0, 1.0)]
    area = sum((a[0] - b[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(curve))
    return {"precision": p, "recall": r, "f1": f, "auc": area}


def tuples_of(clause: Clause, words: Sequence[str], glue: Sequence[str]) -> Iterator[Tuple]:
    """Return a clause as OpenIE tuples: one for each subject and each first argument."""

    def text(indices: Iterable[int]) -> str:
        order = sorted(set(indices))
        return "".join(words[i] + (glue[i] if i + 1 in order else " ") for i in order).strip()

    def whole(token: Any) -> list[int]:
        inside = {t.i for t in token.subtree}
        for child in token.children:
            if child.dep_ in {"cc", "conj", "preconj", "punct"} and child.i > token.i:
                inside -= {t.i for t in child.subtree}
            if child.dep_ in {"relcl", "appos", "parataxis"} or (
                child.dep_ in {"acl"} and child.i == clause.verb.i
            ):
                inside -= {t.i for t in child.subtree}
        inside -= {clause.verb.i}
        while inside and token.doc[max(inside)].is_punct:
            inside.discard(max(inside))
        while inside and token.doc[min(inside)].is_punct:
            inside.discard(min(inside))
        return sorted(inside)

    arguments = [a for a in clause.arguments if a.token.tag_ not in {"WDT", "WRB"}]
    first = [a for a in arguments if a.role in {"object", "be", "to", "clause"}]
    rest = [a for a in arguments if a.role in {"prep", "agent", "time"}]
    relation = list(clause.words)
    confidence = 0.7 if clause.implied else 1.0
    subjects = clause.subjects
    if not subjects:
        return

    def said(a: Argument) -> list[int]:
        return [*([a.place] if a.place >= 0 else []), *whole(a.token)]

    for subject in subjects:
        start = text(whole(subject))
        if not start:
            continue
        reduced = clause.implied and clause.passive and clause.verb.dep_ == "acl"
        verb = ("is " if reduced else "") + text(relation)
        groups = [[a, *rest] for a in first]
        if not first:
            for n, a in enumerate(rest):
                groups.append([a, *rest[:n], *rest[n + 1 :]])
            groups = groups[:1]
        for group in groups:
            head, others = group[0], group[1:]
            link = verb
            if head.place >= 0:
                link = f"{verb} {text([head.place])}"
            slots = [text(whole(head.token))]
            slots += [text(said(a)) for a in sorted(others, key=lambda a: a.token.i)]
            yield Tuple(link, (start, *[s for s in slots if s]), confidence)
        if not groups:
            yield Tuple(verb, (start,), confidence * 0.5)


def nominal_tuples(doc: Any, words: Sequence[str]) -> Iterator[Tuple]:
    """Yield the tuples of appositions: `Mark, the presenter` gives (Mark; is; the presenter)."""
    for token in doc:
        if token.dep_ == "appos" and token.pos_ in {"NOUN", "PROPN"}:
            sides = []
            for end in (token.head, token):
                drop = {
                    c.i
                    for c in end.children
                    if c.dep_ in {"appos", "relcl", "conj", "cc", "punct", "acl"}
                }
                inside = [
                    t.i
                    for t in end.subtree
                    if not any(a.i in drop for a in [t, *t.ancestors] if a.i != end.i)
                ]
                sides.append(" ".join(words[i] for i in inside))
            yield Tuple("is", (sides[0], sides[1]), 0.6)


def carb_tuples(sentence: str) -> list[Tuple]:
    """Return the OpenIE tuples of one tokenised sentence."""
    out: list[Tuple] = []
    for block in parse(load(), sentence):
        words = [sentence[s:e] for s, e in block.offsets]
        glue = [
            sentence[block.offsets[i][1] : block.offsets[i + 1][0]] if i + 1 < len(words) else ""
            for i in range(len(words))
        ]
        glue = [" " if g.strip() == "" and g else g for g in glue]
        for clause in clauses(block.doc):
            out += tuples_of(clause, words, glue)
        out += nominal_tuples(block.doc, words)
    return list(dict.fromkeys(out))


def read_carb(archive: Path, part: str) -> tuple[list[str], dict[str, list[Tuple]]]:
    """Return the sentences and the gold tuples of CaRB's `dev` or `test`."""
    with tarfile.open(archive) as tar:
        lines = _member(tar, f"{part}.tsv").read().decode("utf-8").splitlines()
        sentences = _member(tar, f"{part}.txt").read().decode("utf-8").splitlines()
    gold: dict[str, list[Tuple]] = defaultdict(list)
    for line in lines:
        cells = line.strip().split("\t")
        arguments = tuple(a.strip() for a in cells[2:] if "C: " not in a)
        gold[carb_key(cells[0].strip())].append(Tuple(cells[1].strip(), arguments))
    return [s.strip() for s in sentences if s.strip()], dict(gold)


def _member(tar: tarfile.TarFile, suffix: str) -> io.BufferedReader:
    for name in tar.getnames():
        if name.endswith("/" + suffix):
            stream = tar.extractfile(name)
            assert stream is not None
            return stream  # type: ignore[return-value]
    raise FileNotFoundError(suffix)


def carb(data: Path, part: str = "test") -> dict[str, float]:
    """CaRB's precision, recall, F1 and AUC."""
    sentences, gold = read_carb(data / "extract" / "carb.tar.gz", part)
    found = {carb_key(s): carb_tuples(s) for s in sentences}
    return carb_score(gold, found) | {"tuples": sum(map(len, found.values()))}


# --- pairs ------------------------------------------------------------------------------------


def _words(text: str) -> frozenset[str]:
    words = re.findall(r"\w+", text.casefold())
    return frozenset(w for w in words if w not in {"the", "a", "an", "of", "and", "in", "s"})


def _names_it(gold: frozenset[str], label: frozenset[str]) -> bool:
    """One is part of the other: `Barack Obama` and `Obama`, `Paris` and `city of Paris`."""
    return bool(gold and label) and (gold <= label or label <= gold)


def connected(document: Document) -> list[tuple[frozenset[str], frozenset[str]]]:
    """Give the pairs of labels our claims connect, values by their words."""
    extraction = resolve([extract(document)])[0]
    pairs = []
    for claim in extraction.claims:
        ends = []
        for node, part in ((claim.triple.subject, 0), (claim.triple.object, 2)):
            place = claim.parts[part]
            quote = document.text[place.start : place.end] if place else ""
            ends.append(
                _words(
                    extraction.labels.get(node, "")
                    + " "
                    + ("" if extraction.labels.get(node) else quote)
                )
            )
        pairs.append((ends[0], ends[1]))
    return pairs


def pair_recall(rows: Iterable[tuple[str, list[tuple[list[str], list[str]]]]]) -> dict[str, float]:
    """Share of gold pairs that some claim connects, in either direction."""
    total = hit = documents = 0
    for text, gold in rows:
        documents += 1
        pairs = connected(Document("text", text))
        for subjects, objects in gold:
            left, right = [_words(s) for s in subjects], [_words(o) for o in objects]
            total += 1
            hit += any(
                (any(_names_it(g, s) for g in left) and any(_names_it(g, o) for g in right))
                or (any(_names_it(g, o) for g in left) and any(_names_it(g, s) for g in right))
                for s, o in pairs
            )
    return {"documents": documents, "pairs": total, "recall": hit / total if total else 0.0}


def text2kgbench(data: Path, limit: int) -> dict[str, float]:
    """Pair recall on Text2KGBench (Wikidata-TekGen test)."""
    rows: list[tuple[str, list[tuple[list[str], list[str]]]]] = []
    with tarfile.open(data / "extract" / "text2kgbench.tar.gz") as tar:
        for name in sorted(tar.getnames()):
            if re.search(r"wikidata_tekgen/ground_truth/.*\.jsonl$", name):
                stream = tar.extractfile(name)
                assert stream is not None
                for line in stream.read().decode("utf-8").splitlines():
                    row = json.loads(line)
                    rows.append((row["sent"], [([t["sub"]], [t["obj"]]) for t in row["triples"]]))
    return pair_recall(_sample(rows, limit))


def redocred(data: Path, limit: int) -> dict[str, float]:
    """Pair recall on Re-DocRED (dev): facts of whole documents, many across sentences."""
    with tarfile.open(data / "extract" / "redocred.tar.gz") as tar:
        documents = json.loads(_member(tar, "dev_revised.json").read())
    rows = []
    for d in documents:
        text = " ".join(" ".join(words) for words in d["sents"])
        names = [[m["name"] for m in vertex] for vertex in d["vertexSet"]]
        gold = sorted({(label["h"], label["t"]) for label in d["labels"]})
        rows.append((text, [(names[h], names[t]) for h, t in gold]))
    return pair_recall(_sample(rows, limit))


def refchecker(data: Path, limit: int) -> dict[str, float]:
    """Share of RefChecker's triples whose two ends one of our claims connects."""
    rows = []
    with tarfile.open(data / "extract" / "refchecker.tar.gz") as tar:
        for name in sorted(n for n in tar.getnames() if n.endswith("_answers.json")):
            stream = tar.extractfile(name)
            assert stream is not None
            for row in json.loads(stream.read()):
                kg = row.get("claude2_response_kg") or []
                gold = [
                    ([t["triplet"][0]], [t["triplet"][2]]) for t in kg if len(t["triplet"]) == 3
                ]
                if gold and row.get("response"):
                    rows.append((row["response"], gold))
    chosen = _sample(rows, limit)
    ours = sum(len(extract(Document("text", text)).claims) for text, _ in chosen)
    theirs = sum(len(gold) for _, gold in chosen)
    return pair_recall(chosen) | {"ours per theirs": ours / theirs if theirs else 0.0}


def _sample(rows: list[Any], limit: int) -> list[Any]:
    if limit and limit < len(rows):
        return random.Random(0).sample(rows, limit)
    return rows


def main() -> int:
    """Run the benchmarks and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--only", default="carb,text2kgbench,redocred,refchecker")
    parser.add_argument("--limit", type=int, default=300, help="documents a set, 0 for all")
    parser.add_argument("--part", default="test", help="CaRB: dev or test")
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f"skipped: no data folder at {options.data}; name it with --data")
        return 0
    jobs = {
        "carb": lambda: carb(options.data, options.part),
        "text2kgbench": lambda: text2kgbench(options.data, options.limit),
        "redocred": lambda: redocred(options.data, options.limit // 3),
        "refchecker": lambda: refchecker(options.data, options.limit),
    }
    figures: dict[str, Any] = {}
    for name in options.only.split(","):
        start = time.perf_counter()
        figures[name] = jobs[name]()
        print(
            name,
            json.dumps(figures[name], default=float),
            f"{time.perf_counter() - start:.1f} s",
            flush=True,
        )
    if options.json:
        options.json.write_text(
            json.dumps(figures, indent=2, default=float) + "\n", encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

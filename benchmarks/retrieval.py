"""What retrieval finds among records of patents and things of Wikidata.

    python -m benchmarks.retrieval --data ../shared/data [--things 20000]
        [--folder FOLDER] [--json FILE]

Patents: the claims of 100 real patents (patents/patenteval_c2a) as grants in the format of the
USPTO (`benchmarks.records`), without their abstracts. They are asked for by their numbers, by the
machine-written abstracts of the same claims, and by questions from fields of the records; whatever
belongs to the patent is a hit. Things: those of open/wikidata_subset that have a description, asked
for by it. The weight of the vectors is chosen on half of the questions, what is reported is of the
other half. `--folder` keeps what was built, for another run.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.records import FIRMS, FIRST, Patent, draw, grant_xml, read_claims
from groundrules.kb.search import retrieval
from groundrules.kb.search.retrieval import TEXTS, TextIndex, index_texts
from groundrules.kb.sources.triplestore import build_store, open_graph

SEED = 6
LABELS = ("rdf-schema#label", "core#altLabel", "schema.org/description")
#: Questions that need no weight.
EXACT = ("patents by number", "things by id")
#: A question and what is right.
Asked = tuple[str, str]
Ranks = dict[str, list[list[str]]]


# ---------------------------------------------------------------- what is asked


def numbers(patents: Sequence[Patent]) -> Iterator[Asked]:
    """Yield questions by the numbers of patents and applications, in many writings."""
    for place, patent in enumerate(patents):
        n, a = f"{patent.number:,}", str(patent.application)
        shown = f"{a[:2]}/{a[2:5]},{a[5:]}"
        yield (
            (f"What does U.S. Patent No. {n} claim?", f"US{patent.number}B2", f"US {n} B2",
             f"who invented patent {patent.number}")[place % 4],
            str(patent.number),
        )  # fmt: skip
        yield (
            (f"What are some claims made in US Patent App. No. {a}?", f"application {shown}",
             f"Appl. No. {shown}, filed in 2014", f"US {a}")[place % 4],
            str(patent.number),
        )  # fmt: skip


def paraphrases(data: Path, patents: Sequence[Patent]) -> Iterator[Asked]:
    """Yield the abstracts that machines wrote of the claims of each patent."""
    with gzip.open(data / "patents/patenteval_c2a.json.gz", "rt", encoding="utf-8") as file:
        rows = json.load(file)
    places = {
        text: place for place, text in enumerate(dict.fromkeys(r["input_claim"] for r in rows))
    }
    seen = set()
    for row in rows:
        for text in (row["output1"], row["output2"]):
            if text not in seen:
                seen.add(text)
                yield text, str(patents[places[row["input_claim"]]].number)


def questions(patents: Sequence[Patent]) -> Iterator[Asked]:
    """Yield questions from fields of the records: a title, and what a dependent claim adds."""
    rng = random.Random(SEED)
    for patent in patents:
        number = str(patent.number)
        yield f"Which patent is about {patent.title.lower()}?", number
        added = [
            found[1].split()
            for text in patent.claims[1:]
            if (found := re.search(r"\b(?:wherein|further comprising)\b\s*(.{40,})", text))
        ]
        if added:
            words = rng.choice(added)[:14]
            who = patent.firm if rng.random() < 0.5 else "anyone"
            yield f"Has {who} a claim where {' '.join(words)}?", number


def read_things(data: Path, most: int) -> dict[str, dict[str, list[str]]]:
    """Return names and descriptions of things of Wikidata, drawn by the digest of their IRIs."""
    line = re.compile(r'<([^>]*/Q\d+)> <([^>]*)> "((?:[^"\\]|\\.)*)"@en \.')
    found: dict[str, dict[str, list[str]]] = {}
    with gzip.open(data / "open/wikidata_subset.nt.gz", "rt", encoding="utf-8") as file:
        for text in file:
            if (match := line.match(text)) and match[2].endswith(LABELS):
                found.setdefault(match[1], {}).setdefault(match[2], []).append(match[3])
    described = [
        one for one, told in found.items() if len(told) > 1 and any("desc" in p for p in told)
    ]
    described.sort(key=lambda one: hashlib.sha256(one.encode()).digest())
    return {one: found[one] for one in described[:most]}


def descriptions(things: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, list[Asked]]:
    """Return questions by description, as it is and with a third of its words left out."""
    rng = random.Random(SEED)
    owners: dict[str, list[str]] = {}
    for one, told in things.items():
        for predicate, texts in told.items():
            if predicate.endswith("description"):
                for text in texts:
                    owners.setdefault(text.casefold(), []).append(one)
    single = [(text, one[0]) for text, one in owners.items() if len(one) == 1]
    single = [(text, one) for text, one in single if len(text.split()) >= 5]
    chosen = rng.sample(single, min(500, len(single)))
    part = []
    for text, one in chosen:
        words = text.split()
        kept = sorted(rng.sample(range(len(words)), -(-2 * len(words) // 3)))
        part.append((f"Which one is the {' '.join(words[n] for n in kept)}?", one))
    ids = [(f"what is {one.rpartition('/')[2]}?", one) for _, one in chosen[:100]]
    return {"things by id": ids, "things by description": chosen, "things by part of it": part}


# ---------------------------------------------------------------- what is found


def build(folder: Path, name: str, dump: Path) -> tuple[TextIndex, dict[str, float]]:
    """Return the index of the texts of a file, built unless it is there, and what that took."""
    store = folder / name
    build_store([dump], store)
    start = time.perf_counter()
    index_texts(open_graph(store), store / TEXTS)
    seconds = time.perf_counter() - start
    index = TextIndex(store / TEXTS)
    texts, things = index.sizes()
    size = (store / TEXTS).stat().st_size
    return index, {"texts": texts, "things": things, "seconds": seconds, "bytes": size}


def rank(
    index: TextIndex,
    asked: Sequence[Asked],
    owner: Callable[[str], str],
    ways: Mapping[str, float],
) -> Ranks:
    """Return what is found for each question with each weight of the vectors."""
    found: Ranks = {way: [] for way in ways}
    for question, _ in asked:
        vector = index.encode(question)
        for way, weight in ways.items():
            hits = index.search(question, 100, vector=vector, weight=weight)
            found[way].append(list(dict.fromkeys(owner(hit.node) for hit in hits)))
    return found


def plain(index: TextIndex) -> None:
    """Leave identifiers out, so that each way stands alone."""
    index._identified = lambda question: {}  # the ablation


def fuse(words: Sequence[str], vectors: Sequence[str], weight: float, flat: int) -> list[str]:
    """Return what reciprocal rank fusion makes of two rankings."""
    scores: dict[str, float] = {}
    for share, ranked in ((1 - weight, words), (weight, vectors)):
        for place, one in enumerate(ranked, 1):
            scores[one] = scores.get(one, 0.0) + share / (flat + place)
    return sorted(scores, key=lambda one: (-scores[one], one))


def score(ranked: Sequence[Sequence[str]], right: Sequence[str]) -> dict[str, float]:
    """Return recall at 1, 5 and 20 and the mean reciprocal rank."""
    places = [r.index(one) + 1 if one in r else 0 for r, one in zip(ranked, right, strict=True)]
    count = max(len(places), 1)
    found = {f"recall@{k}": sum(0 < p <= k for p in places) / count for k in (1, 5, 20)}
    return {**found, "MRR": sum(1 / p for p in places if p) / count, "n": len(places)}


def judge(sets: Mapping[str, tuple[list[Asked], Ranks, Ranks]]) -> dict[str, Any]:
    """Choose weight and constant on the even questions; return the scores of the odd ones.

    The weight is the largest that costs no more than 0.001 of the best mean reciprocal rank: these
    questions have the words of the texts, others will not.
    """
    grid: dict[tuple[float, int], float] = {}
    for flat in (1, 10, 60):
        for step in range(11):
            weight = step / 10
            means = [
                score([fuse(w, v, weight, flat) for w, v in
                       zip(alone["words"][::2], alone["vectors"][::2], strict=True)],
                      [right for _, right in asked[::2]])["MRR"]
                for name, (asked, alone, _) in sets.items() if name not in EXACT
            ]  # fmt: skip
            grid[weight, flat] = statistics.mean(means)
    best = max(grid.values())
    near = [one for one in grid if grid[one] >= best - 0.001]
    weight, flat = max(near, key=lambda one: (one[0], grid[one]))
    table = {}
    for name, (asked, alone, whole) in sets.items():
        right = [one for _, one in asked[1::2]]
        words, vectors = alone["words"][1::2], alone["vectors"][1::2]
        table[name] = {
            "BM25": score(words, right),
            "vectors": score(vectors, right),
            "fused": score(
                [fuse(w, v, weight, flat) for w, v in zip(words, vectors, strict=True)], right
            ),
            "shipped": score(whole["shipped"][1::2], right),
        }
    shown = {f"{w:.1f} {f}": round(value, 4) for (w, f), value in grid.items()}
    return {"weight": weight, "flat": flat, "grid": shown, "table": table}


def quality(data: Path, folder: Path, things: int) -> dict[str, Any]:
    """Return what is found on patents and on things of Wikidata."""
    patents = draw(read_claims(data), 1)
    dump = folder / "grants.xml"
    dump.write_text(
        "".join(grant_xml(replace(patent, abstract="")) for patent in patents), encoding="utf-8"
    )
    told = read_things(data, things)
    facts = folder / "things.nt"
    with facts.open("w", encoding="utf-8") as file:
        for one, by in told.items():
            for predicate, texts in by.items():
                file.writelines(f'<{one}> <{predicate}> "{text}"@en .\n' for text in texts)
    assert {patent.number for patent in patents} == set(range(FIRST, FIRST + len(patents)))
    assert all(patent.firm in FIRMS for patent in patents)
    applications = {str(p.application): str(p.number) for p in patents}

    def invention(node: str) -> str:
        number = re.search(r"us-(?:patent|application)/(\w+)", node)
        return applications.get(number[1], number[1]) if number else node

    sets: dict[str, tuple[list[Asked], Ranks, Ranks]] = {}
    costs = {}
    groups: tuple[tuple[str, Path, Callable[[str], str], dict[str, list[Asked]]], ...] = (
        ("patents", dump, invention, {
            "patents by number": list(numbers(patents)),
            "patents by paraphrase": list(paraphrases(data, patents)),
            "patents by question": list(questions(patents)),
        }),
        ("things", facts, str, descriptions(told)),
    )  # fmt: skip
    for name, path, owner, asked in groups:
        index, costs[name] = build(folder, name, path)
        for kind, some in asked.items():
            whole = rank(index, some, owner, {"shipped": retrieval.WEIGHT})
            with closing(TextIndex(index.path)) as other:
                plain(other)
                alone = rank(other, some, owner, {"words": 0.0, "vectors": 1.0})
                sets[kind] = (some, alone, whole)
            print(f"{kind}: {len(some)} questions", file=sys.stderr, flush=True)
        index.close()
    return {"indexes": costs, **judge(sets)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--things", type=int, default=20_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (args.data / "patents").is_dir():
            print(f"{args.data}: no such data; nothing measured")
            return
        text = json.dumps(quality(args.data, folder, args.things), indent=1)
        if args.json:
            args.json.write_text(text + "\n")
        print(text)


if __name__ == "__main__":
    main()

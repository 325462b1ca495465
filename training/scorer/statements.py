"""Build the pairs that teach the scorer to read statements: written twins and open sets.

    python training/scorer/statements.py --data ../shared/data --out statements.jsonl.gz

Rows as of `corpus.py`: premise, hypothesis, label, origin, true text, part. The premise of a twin
is what `check` would hold the statement against (`groundrules/align/premises.py`). Both sides of a
twin have the same true text and stand together. Every tenth passage is kept out (part "held").
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import corpus
import written
from corpus import Row
from pairs import CONTRADICTION, ENTAILMENT, UNSUPPORTED, _jsonl

from groundrules.align.premises import Index, index_units, premise_places, premise_text
from groundrules.claims.units import Kind, units

NEUTRAL = 1
_CONTRACT_NLI = {"Entailment": ENTAILMENT, "Contradiction": CONTRADICTION, "NotMentioned": NEUTRAL}
SEED = 20261122
#: Pairs taken of each open set, so that short and other pairs stay in the mix.
QUOTAS = {
    "mnli": 4500,
    "fever": 3000,
    "conj": 1200,
    "cad": 2000,
    "hans": 300,
    "breaking": 500,
    "monotone": 500,
    "symmetric": 700,
    "foolmetwice": 800,
    "foolmetwice_doc": 800,
    "contractnli": 700,
    "contractnli_doc": 900,
}
FOLDER = Path(__file__).parent / "written"


def premise_of(claim: str, index: Index) -> str:
    """Return what a claim about a document is held against."""
    return premise_text(premise_places(claim, index), index)


def written_rows(passages: Iterable[written.Passage], rng: random.Random) -> Iterator[Row]:
    """Yield both sides of each written twin, some sentences as they stand, some of elsewhere."""
    passages = list(passages)
    for place, passage in enumerate(passages):
        part = "held" if passage.kept_out else "train"
        index = index_units([units(passage.text)])
        for twin in passage.twins:
            true, false = twin.read(True)[0], twin.read(False)[0]
            wrong = CONTRADICTION if twin.said else NEUTRAL
            yield premise_of(true, index), true, ENTAILMENT, "written", true, part
            yield premise_of(false, index), false, wrong, "written", true, part
        said = [u.text for u in index.units if u.kind in (Kind.SENTENCE, Kind.ITEM)]
        if said and place % 2 == 0:
            copied = rng.choice(said)
            yield premise_of(copied, index), copied, ENTAILMENT, "copied", "", part
        if place % 3 == 0:
            other = rng.choice(passages)
            if other is not passage and other.kept_out == passage.kept_out:
                claim = rng.choice(other.twins).read(True)[0]
                yield premise_of(claim, index), claim, NEUTRAL, "elsewhere", "", part


def shared_rows(data: Path) -> Iterator[Row]:
    """Yield the twins that stood at the beginning (`train/twins`), in the same form."""
    for path in sorted((data / "train/twins").glob("*.jsonl.gz")):
        for number, row in enumerate(_jsonl(path)):
            part = "held" if number % written.KEPT_OUT == 0 else "train"
            index = index_units([units(row["passage"])])
            for twin in row["twins"]:
                true, false = twin["true"], twin["false"]
                wrong = NEUTRAL if twin["error"] == "invented" else UNSUPPORTED
                yield premise_of(true, index), true, ENTAILMENT, "twins", true, part
                yield premise_of(false, index), false, wrong, "twins", true, part


def open_rows(data: Path, rng: random.Random) -> Iterator[Row]:
    """Yield the open sets, to their quotas; the same documents are held out as of `corpus.py`."""
    rows: dict[str, list[Row]] = defaultdict(list)
    for row in corpus.inference_rows(data / "train/nli"):
        rows[row[3]].append(row)
    for row in document_rows(data):
        rows[row[3]].append(row)
    for origin, quota in QUOTAS.items():
        found = rows[origin]
        rng.shuffle(found)
        for premise, claim, label, _, true, key in found[:quota]:
            yield premise, claim, label, origin, true, corpus.part_of(origin, key)


def document_rows(data: Path) -> Iterator[Row]:
    """Yield FoolMeTwice and ContractNLI with gold evidence and with what `check` finds."""
    for row in _jsonl(data / "closed/foolmetwice.jsonl.gz"):
        label = ENTAILMENT if row["label"] else CONTRADICTION
        key, claim = corpus.document_key(row["doc"]), row["claim"]
        yield " ".join(row["gold"]), claim, label, "foolmetwice", "", key
        index = index_units([units(row["doc"])])
        yield premise_of(claim, index), claim, label, "foolmetwice_doc", "", key
    indexed: dict[str, Index] = {}
    for row in _jsonl(data / "legal/contract_nli.jsonl.gz"):
        if row["doc_id"] not in indexed:
            indexed[row["doc_id"]] = index_units([units(row["doc"])])
        label, claim = _CONTRACT_NLI[row["label3"]], row["claim"]
        key = corpus.document_key(row["doc"])
        near = premise_of(claim, indexed[row["doc_id"]])
        yield near, claim, label, "contractnli_doc", "", key
        if row["evidence"]:
            yield " ".join(row["evidence"]), claim, label, "contractnli", "", key


def main() -> None:
    """Write the rows; say how many of each origin."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--written", type=Path, default=FOLDER)
    parser.add_argument("--without-open", action="store_true", help="twins only")
    parser.add_argument(
        "--passages", type=int, help="train on so many written ones; all that are kept out stay"
    )
    arguments = parser.parse_args()
    rng = random.Random(SEED)
    passages = [p for path in sorted(arguments.written.glob("*.txt")) for p in written.read(path)]
    if arguments.passages is not None:
        trained = [p for p in passages if not p.kept_out]
        drawn = set(random.Random(SEED).sample(range(len(trained)), arguments.passages))
        passages = [p for p in passages if p.kept_out]
        passages += [p for place, p in enumerate(trained) if place in drawn]
    rows = [*written_rows(passages, rng), *shared_rows(arguments.data)]
    if not arguments.without_open:
        rows += open_rows(arguments.data, rng)
    counts = Counter((row[5], row[3]) for row in rows)
    with gzip.open(arguments.out, "wt", encoding="utf-8") as lines:
        for row in rows:
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
    for (part, origin), count in sorted(counts.items()):
        print(part, origin, count)


if __name__ == "__main__":
    main()

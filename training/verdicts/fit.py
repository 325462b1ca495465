"""Fit how likely a text is right throughout, given what a check found: `models/verdicts`.

    python training/verdicts/fit.py --measured build/answers.jsonl

What is fitted are whole answers, as the probability is of a whole text. Those that models wrote are
of `benchmarks/prose/tuning*.jsonl`. They are few and all have faults, so others are made: beside
each passage of `training/scorer/written` that no scorer was trained on stand `MADE` answers, each
of some sentences of the passage as they are and some sides of its twins, in half of the answers all
true. Each counts as often as it would be drawn if every twin were false with probability `FALSE`,
whatever the others are. Nothing is of a set that a benchmark reports on.

An answer is right where all its sentences are. Only those count that pass or fail and were all
checked, for no other has a probability. The model is a product: a statement of a category
(`groundrules.checks.verdicts.category`) is right with one probability, whatever the others are.
These are fitted by maximum likelihood on all answers; the figures of the card are those of the half
of the sources that the fit of the other half did not see. The precision of a rule is the share of
the statements it refuted that are wrong, one added to each count, here and on the twins of
`rules/precision.json`; of a rule that refuted fewer than `FEW` that of all rules together.

What a check finds is slow and kept in `--measured`: delete the file when rules or models change.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parents[1] / "scorer"))
import written

from groundrules import api
from groundrules.checks.verdicts import CATEGORIES, category
from groundrules.claims.document import from_text
from groundrules.claims.units import units
from groundrules.config import Config
from groundrules.evaluate.documents import join
from groundrules.evaluate.rows import read_rows
from groundrules.models.metrics import auc
from groundrules.terms import Conclusion, Outcome

Floats = npt.NDArray[np.float64]

#: Answers that are made beside a passage, and sentences that one has of each kind at most.
MADE, COPIES, TWINS = 2, 4, 4
#: How likely a twin is false in the answers that the probability is of.
FALSE = 0.2
#: The fewest statements a rule refuted by which its own precision is told.
FEW = 10
#: How many statements more of each category are taken to be right, and as many to be wrong.
SHRINKAGE = 1.0
BINS = 5
_HERE = Path(__file__).parent
_FOLDER = _HERE.parents[1] / "groundrules" / "models" / "verdicts"
_WRITTEN = _HERE.parent / "scorer" / "written"
_PRECISION = _HERE.parents[1] / "docs" / "reference" / "rules" / "precision.json"
_TUNING = _HERE.parents[1] / "benchmarks" / "prose"


@dataclass(frozen=True)
class Sample:
    """A source and an answer to it: its sentences, each right (1) or wrong (0)."""

    source: str
    sentences: tuple[str, ...]
    labels: tuple[int, ...]
    weight: float = 1.0

    @property
    def key(self) -> str:
        """The name under which what was found in it is kept."""
        parts = [self.source, *self.sentences, repr(self.labels)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @property
    def half(self) -> int:
        """Which half its source is in, 0 or 1."""
        return int(hashlib.sha256(self.source.encode()).hexdigest(), 16) % 2


@dataclass(frozen=True)
class Row:
    """A checked answer: its conclusion, and category, reason and label of each statement."""

    right: bool
    half: int
    conclusion: str
    statements: tuple[tuple[str, str, int], ...]
    weight: float = 1.0

    @property
    def counts(self) -> list[int]:
        """How many statements there are of each category."""
        found = Counter(name for name, _, _ in self.statements)
        return [found[name] for name in CATEGORIES]


def made(passages: Iterable[written.Passage]) -> Iterator[Sample]:
    """Yield the answers that are made beside passages, the same ones each time."""
    for passage in passages:
        chance = random.Random(passage.text)
        copies = [unit.text for unit in units(passage.text)]
        for _ in range(MADE):
            right = chance.random() < 0.5
            twins = chance.sample(passage.twins, min(len(passage.twins), chance.randint(1, TWINS)))
            wrong = 0 if right else chance.randint(1, len(twins))
            told = [
                (twin.read(number >= wrong)[0], int(number >= wrong))
                for number, twin in enumerate(twins)
            ]
            some = chance.sample(copies, min(len(copies), chance.randint(0, COPIES)))
            told += [(" ".join(copy.split()), 1) for copy in some]
            chance.shuffle(told)
            sentences, labels = zip(*told, strict=True)
            yield Sample(passage.text, sentences, labels, _weight(len(twins), wrong))


def _weight(twins: int, wrong: int) -> float:
    """Return how often a draw of so many twins, so many of them false, counts; see `FALSE`."""
    wanted = math.comb(twins, wrong) * FALSE**wrong * (1 - FALSE) ** (twins - wrong)
    return wanted / (0.5 if wrong == 0 else 0.5 / twins)


def answered(path: Path) -> Iterator[Sample]:
    """Yield the answers of a file of `benchmarks/prose`."""
    for row in read_rows(path):
        answer = row.fields["answer"]
        sentences, labels = zip(*((one["s"], int(one["label"])) for one in answer), strict=True)
        yield Sample(row.fields["doc"], sentences, labels)


def measure(sample: Sample) -> Row:
    """Return what a check finds in an answer."""
    text, places = join(sample.sentences)
    report = api.check(
        from_text(text, "answer"),
        context=[from_text(sample.source, "source")],
        config=Config(),
        verify=False,
    )
    told = []
    for one in report.statements:
        about = [n for n, (a, b) in enumerate(places) if one.span.start < b and a < one.span.end]
        label = min((sample.labels[n] for n in about), default=1)
        told.append((category(one, report.violations), one.reason, label))
        if one.outcome in (Outcome.UNVERIFIABLE, Outcome.ERROR):
            told.pop()
    return Row(all(sample.labels), sample.half, report.conclusion.value, tuple(told), sample.weight)


def measured(samples: Sequence[Sample], kept: Path | None, jobs: int) -> list[Row]:
    """Return the rows of samples, which are read from a file and added to it."""
    known: dict[str, Row] = {}
    if kept is not None and kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            key, data = json.loads(line)
            told = tuple((name, reason, label) for name, reason, label in data.pop("statements"))
            known[key] = Row(**data, statements=told)
    missing = [one for one in samples if one.key not in known]
    with ProcessPoolExecutor(jobs) as pool:
        for number, (one, row) in enumerate(zip(missing, pool.map(measure, missing), strict=True)):
            known[one.key] = row
            if kept is not None:
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([one.key, asdict(row)], ensure_ascii=False) + "\n")
            print(f"\r{number + 1} of {len(missing)}", end="", file=sys.stderr, flush=True)
    return [replace(known[one.key], weight=one.weight) for one in samples]


def given(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that have a probability."""
    return [row for row in rows if row.conclusion in (Conclusion.PASSES, Conclusion.FAILS)]


def fit(rows: Sequence[Row]) -> dict[str, float]:
    """Return by category the probability that a statement is right, of greatest likelihood."""
    from scipy.optimize import minimize

    counts = np.array([row.counts for row in rows], float)
    right = np.array([row.right for row in rows])
    weights = np.array([row.weight for row in rows])

    def loss(hazards: Floats) -> float:
        total = np.clip(counts @ hazards, 1e-9, 50)
        value = weights @ np.where(right, total, -np.log(-np.expm1(-total)))
        pull = hazards - np.log(-np.expm1(-np.clip(hazards, 1e-9, 50)))
        return float(value + SHRINKAGE * pull.sum())

    start = np.full(len(CATEGORIES), 0.2)
    found = minimize(loss, start, bounds=[(1e-6, 20)] * len(start), method="L-BFGS-B")
    rates = dict(zip(CATEGORIES, np.exp(-found.x), strict=True))
    return {name: round(float(rate), 4) for name, rate in rates.items()}


def precisions(rows: Iterable[Row]) -> tuple[dict[str, float], dict[str, tuple[int, int]]]:
    """Return the precision of each rule that refuted enough, of all as "", and what was counted."""
    found: dict[str, list[int]] = {}
    for row in rows:
        for name, reason, label in row.statements:
            if name == "refuted":
                found.setdefault(reason, []).append(label)
    twins = json.loads(_PRECISION.read_text(encoding="utf-8"))
    counts = {}
    for rule, labels in sorted(found.items()):
        more = twins.get(rule, {}).get("train/twins", {"wrong": 0, "true": 0})
        counts[rule] = (labels.count(0) + more["wrong"], labels.count(1) + more["true"])
    whole = (sum(wrong for wrong, _ in counts.values()), sum(true for _, true in counts.values()))
    own = {rule: count for rule, count in counts.items() if sum(count) >= FEW}
    return {
        rule: round((wrong + 1) / (wrong + true + 2), 4)
        for rule, (wrong, true) in {"": whole, **own}.items()
    }, counts


def predicted(
    rows: Iterable[Row], rates: Mapping[str, float], precision: Mapping[str, float]
) -> Floats:
    """Return the probability that each answer is right throughout, as the check tells it."""
    out = []
    for row in rows:
        value = 1.0
        for name, reason, _ in row.statements:
            rate = rates[name]
            if name == "refuted":
                rate = min(rate, 1 - precision.get(reason, precision[""]))
            value *= rate
        out.append(value)
    return np.array(out)


def main() -> None:
    """Check the answers, fit, write the rates and the card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measured", type=Path, help="keep what is found here")
    parser.add_argument("--out", type=Path, default=_FOLDER)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    passages = [one for path in sorted(_WRITTEN.glob("*.txt")) for one in written.read(path)]
    samples = list(made(one for one in passages if one.kept_out))
    count = len(samples)
    for path in sorted(_TUNING.glob("tuning*.jsonl")):
        samples += answered(path)
    rows = measured(samples, arguments.measured, arguments.jobs)
    precision, refuted = precisions(rows)
    told = given(rows)
    rates = fit(told)
    unseen = []
    for half in (0, 1):
        other = [row for row in rows if row.half != half]
        here = [row for row in told if row.half == half]
        unseen.append(predicted(here, fit(given(other)), precisions(other)[0]))
    kept_out = [row for half in (0, 1) for row in told if row.half == half]
    digest = hashlib.sha256("\n".join(one.key for one in samples).encode()).hexdigest()
    data = {
        "schema": 2,
        "rates": rates,
        "precision": precision,
        "answers": len(told),
        "sha256_of_answers": digest,
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, indent=1) + "\n"
    (arguments.out / "rates.json").write_text(text, encoding="utf-8")
    card = _card(text, data, rows, count, refuted, kept_out, np.concatenate(unseen))
    (arguments.out / "CARD.md").write_text(card, encoding="utf-8")
    print(card)


def calibration(
    told: Floats, labels: Floats, weights: Floats
) -> tuple[list[tuple[int, float, float]], float]:
    """Return bins of about one size, each with its mean probability and share right, and the error.

    The error is the mean distance of the two, by the weights of a bin.
    """
    bins, error = [], 0.0
    for part in np.array_split(np.argsort(told, kind="stable"), BINS):
        mean, share = (
            float(np.average(one[part], weights=weights[part])) for one in (told, labels)
        )
        bins.append((len(part), mean, share))
        error += float(weights[part].sum() / weights.sum()) * abs(mean - share)
    return bins, error


def _card(
    text: str,
    data: Mapping[str, Any],
    rows: Sequence[Row],
    count: int,
    refuted: Mapping[str, tuple[int, int]],
    kept_out: Sequence[Row],
    unseen: Floats,
) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    told = given(rows)
    by = Counter((row.conclusion, row.right) for row in rows)
    conclusions = "\n".join(
        f"| {one.value} | {by[one, True]} | {by[one, False]} |" for one in Conclusion
    )
    rates = "\n".join(f"| {name} | {rate:.4f} |" for name, rate in data["rates"].items())
    rules = "\n".join(
        f"| {rule} | {wrong} | {true} | {data['precision'].get(rule, data['precision']['']):.4f} |"
        for rule, (wrong, true) in refuted.items()
    )
    labels = np.array([row.right for row in kept_out], float)
    weights = np.array([row.weight for row in kept_out])
    bins, error = calibration(unseen, labels, weights)
    shown = "\n".join(f"| {n} | {mean:.2f} | {share:.2f} |" for n, mean, share in bins)
    mean = np.average(labels, weights=weights)
    brier, base = (
        float(np.average((one - labels) ** 2, weights=weights)) for one in (unseen, mean)
    )
    return f"""# The rates of verdicts

How likely a statement is right, given what a check found in it; the probability of a text is their
product (`groundrules/checks/verdicts.py`). Made by `python training/verdicts/fit.py`; change that,
not this. SHA-256 of `rates.json`: `{digest}`.

**Fitted on whole answers.** {len(rows)} of them: {count} made beside the passages of
`training/scorer/written` that no scorer was trained on, each of some sentences of the passage as
they are and some true or false sides of its twins, in about half of them all true, and each
counted as often as it would be drawn if one twin in five were false; and {len(rows) - count} that
models wrote, of `benchmarks/prose/tuning*.jsonl`. None is of a set that a benchmark reports on.
What the check says of them without a language model, and how many are right throughout:

| conclusion | right | with a fault |
|---|--:|--:|
{conclusions}

A probability is given, and fitted, only where the check comes to an answer, `passes` or `fails`,
and all was checked: {len(told)} answers. What is neither supported nor refuted is `doubted` if it
has an error or a warning, else `unsettled`:

| category | a statement is right |
|---|--:|
{rates}

**What a rule refuted** is right no more often than one less its precision: of the statements that
it refuted here and on `train/twins`, the share that is wrong, one added to each count. Of a rule
that refuted fewer than {FEW} it is that of all rules together, {data["precision"][""]:.4f}.

| rule | wrong | right | precision |
|---|--:|--:|--:|
{rules}

**Calibration on the half that was kept out.** The sources are parted in two halves by a hash; each
half is told by what was fitted on the other. {len(kept_out)} answers in {BINS} bins:

| answers | mean probability | share right |
|--:|--:|--:|
{shown}

The lowest bin has what a rule refuted, where the bound holds whatever the fit says: the probability
is lower there than the share. Calibration error {error:.3f}, Brier score {brier:.3f} (that of
always saying the mean, {float(mean):.2f}: {base:.3f}), AUC {auc(unseen, labels.astype(int)):.3f}
without the weights.

**Limits.** The probability is that of answers in which one sentence in five that is in free words
is wrong: where fewer are it is too low. Most of them are made, and copy more than a model does. A
grade of a language model changes no rate. The rules were made with the tuning answers in view.
The rates hold for the rules and models of the day: fit again when those change. The answers and the
rates are our own, Apache-2.0.
"""


if __name__ == "__main__":
    main()

"""Train a stand-in for a cross-encoder of a hub, and tell what it is good for by training rows.

    python training/scorer/stand_in.py rows --data ../shared/data --out FOLDER
    python training/scorer/stand_in.py train --out FOLDER [--minutes M]
    python training/scorer/stand_in.py curve --out FOLDER

It goes on from the shipped scorer, which has read 118,000 pairs of open sets. A row is a premise, a
statement and a label: both sides of written twins, sentences of the same passages as they stand and
altered by `benchmarks.alterations`, and pairs of `train/nli`. The passages are those of `written`
that are not kept out and of `train/twins`: none of a set that anything is told of. At each number of
`AT` the mean of the weights so far is kept. `curve` measures each on the answers that ship and tells
what a licence, and what the best bound that the sets themselves could name, make of near and near-2.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent))
import corpus
import restore
import train
import written

from benchmarks.alterations.__main__ import OWN, altered
from benchmarks.alterations.documents import Document
from benchmarks.alterations.operators import operators
from groundrules.align.premises import index_units, premise, premise_places
from groundrules.claims.units import units
from groundrules.config import Config
from groundrules.evaluate import licences
from groundrules.evaluate.rows import read_rows
from groundrules.models.readers import Asked, Entailment, Reader
from groundrules.terms import Outcome

SEED, LENGTH, WIDTH, RATE, WARMUP, KEPT = 20261129, 192, 32, 6e-5, 40, 0.97
#: Rows read when the mean of the weights is kept, and parts of the rows: twins, altered, open.
AT = (0, 1_000, 3_000, 10_000, 30_000, 100_000)
PARTS = (0.4, 0.3, 0.3)
PROSE = Path(__file__).parents[2] / "benchmarks/prose"
Row = tuple[str, str, int]


def passages(data: Path) -> Iterator[tuple[str, list[Row]]]:
    """Yield passages that may be trained on, with the sides of their twins."""
    for path in sorted((Path(__file__).parent / "written").glob("*.txt")):
        for one in written.read(path):
            if not one.kept_out:
                wrong = [train.CONTRADICTION if twin.said else train.NEUTRAL for twin in one.twins]
                sides = [(twin.read(True)[0], train.ENTAILMENT) for twin in one.twins]
                sides += [(t.read(False)[0], w) for t, w in zip(one.twins, wrong, strict=True)]
                yield one.text, [("", *side) for side in sides]
    for path in sorted((data / "train/twins").glob("*.jsonl.gz")):
        for row in corpus.support._jsonl(path):
            sides = [("", t["true"], train.ENTAILMENT) for t in row["twins"]]
            yield (
                row["passage"],
                sides + [("", t["false"], train.UNSUPPORTED) for t in row["twins"]],
            )


def rows(data: Path, most: int) -> list[Row]:
    """Return training rows in the order in which they are read."""
    rng = random.Random(SEED)
    twins: list[Row] = []
    made: list[Row] = []
    found = list(passages(data))
    rng.shuffle(found)
    for text, sides in found:
        index = index_units([units(text)])

        def beside(said: str, label: int, index: object = index) -> Row:
            return " ".join(premise(premise_places(said, index), index)), said, label  # type: ignore[arg-type]

        twins += [beside(said, label) for _, said, label in sides]
        named = altered([Document("", "field", text)])
        for name in rng.sample(sorted(named), min(8, len(named))):
            one = rng.choice(named[name])
            right = name == OWN or operators()[name].keeps
            made.append(beside(one.altered, train.ENTAILMENT if right else train.UNSUPPORTED))
        if len(twins) > PARTS[0] * most and len(made) > PARTS[1] * most:
            break
    nli = [row[:3] for row in corpus.inference_rows(data / "train/nli") if row[0] and row[1]]
    out: list[Row] = []
    for part, share in zip((twins, made, nli), PARTS, strict=True):
        out += rng.sample(part, min(len(part), int(share * most)))
    rng.shuffle(out)
    return out


class Pairs:
    """The encoder with its head, and the pairs as it reads them."""

    def __init__(self, weights: dict[str, torch.Tensor]) -> None:
        self.model = train.Scorer(train.model_folder())
        self.model.load_state_dict(weights)
        self.model.eval()
        self.tokenizer = train.load_tokenizer()

    def coded(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, object]]:
        """Return pairs as word pieces."""
        both = self.tokenizer.encode_batch([text for pair in pairs for text in pair],
                                           add_special_tokens=False)  # fmt: skip
        out = []
        for n in range(len(pairs)):
            ids, start = train.join(both[2 * n].ids, both[2 * n + 1].ids, LENGTH)
            out.append({"ids": ids, "start": start, "label": 0, "origin": "", "marks": []})
        return out

    def read(self, asked: Sequence[Asked]) -> list[Entailment]:
        """Return what it makes of statements."""
        coded = self.coded([(" ".join(one.passages), one.statement) for one in asked])
        shares, _ = train.score(self.model, coded)
        return [Entailment(float(e), float(c), float(n)) for e, n, c in shares]


def fit(folder: Path, minutes: float) -> None:
    """Train on the rows in their order, and keep the mean of the weights at each number."""
    told = [json.loads(line) for line in (folder / "rows.jsonl").read_text("utf-8").splitlines()]
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    pairs = Pairs(restore.restore(restore.export.TARGET))
    model = pairs.model
    for part in (model.encoder.embeddings, *model.encoder.encoder.layer[: train.FROZEN]):
        part.requires_grad_(False)
    chosen = [one for one in model.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(chosen, lr=RATE, weight_decay=0.01, fused=True)
    mean = {name: one.clone() for name, one in model.state_dict().items()}
    began, spent, seen, step, running = time.monotonic(), time.process_time(), 0, 0, 0.0
    torch.save(mean, folder / "0.pt")
    for at in range(0, len(told), 40 * WIDTH):
        pool = told[at : at + 40 * WIDTH]
        coded = pairs.coded([(p, s) for p, s, _ in pool])
        order = sorted(range(len(pool)), key=lambda n: len(coded[n]["ids"]))  # type: ignore[arg-type]
        groups = [order[n : n + WIDTH] for n in range(0, len(order), WIDTH)]
        random.Random(at).shuffle(groups)
        for group in groups:
            ids, kinds, *_ = train.collate([coded[n] for n in group])
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits, _ = model(ids, kinds)
            loss = train.loss_of(logits, torch.tensor([pool[n][2] for n in group]))
            for one in optimiser.param_groups:
                one["lr"] = RATE * min(1.0, (step + 1) / WARMUP)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(chosen, 1.0)
            optimiser.step()
            optimiser.zero_grad()
            kept = min(KEPT, (step + 1) / (step + 10))
            with torch.no_grad():
                for name, one in model.state_dict().items():
                    mean[name].mul_(kept).add_(one, alpha=1 - kept)
            before, seen, step = seen, seen + len(group), step + 1
            running = 0.95 * running + 0.05 * float(loss.detach())
            if step % 20 == 0:
                print(f"{seen} rows, loss {running / (1 - 0.95**step):.3f}, "
                      f"{time.process_time() - spent:.0f} s of CPU", flush=True)  # fmt: skip
            over = (time.monotonic() - began) / 60 > minutes
            for number in {n for n in AT if before < n <= seen} | ({seen} if over else set()):
                torch.save(mean, folder / f"{number}.pt")
            if over:
                return
    torch.save(mean, folder / f"{seen}.pt")


def asked_of(name: str, path: Path, folder: Path) -> list[tuple[licences.Told, list[Asked]]]:
    """Return the sentences of a set as the rules judge them, with what a reader is asked of each."""
    asked: list[Asked] = []

    def read(some: Sequence[Asked]) -> list[Entailment]:
        asked.extend(some)
        return [
            Entailment(n / 1e6, 1 - n / 1e6, 0.0) for n in range(len(asked) - len(some), len(asked))
        ]

    out = []
    for row in read_rows(path):
        reader = Reader("asked", read)
        told = licences.read_row(row, reader, Config()).told
        # a sentence is known by the first of its statements, the least entailed
        out += [(o, [asked[round(o.found.entailed * 1e6)]] if isinstance(o.found, Entailment) else [])
                for o in told]  # fmt: skip
    print(f"{name}: {len(out)} sentences", file=sys.stderr, flush=True)
    return out


def curve(folder: Path) -> None:
    """Print the table."""
    sets = {"measured": licences.MEASURED} | {n: PROSE / f"{n}.jsonl" for n in ("near", "near-2")}
    import pickle

    cache = folder / "asked.pickle"
    if not cache.exists():
        cache.write_bytes(
            pickle.dumps({name: asked_of(name, path, folder) for name, path in sets.items()})
        )
    told = pickle.loads(cache.read_bytes())
    for path in sorted(folder.glob("*.pt"), key=lambda one: int(one.stem)):
        pairs = Pairs(torch.load(path))
        read = {name: _read(some, pairs.read) for name, some in told.items()}
        licence = licences.measure(read["measured"], Reader(path.stem, pairs.read), path.stem)
        near = [one for name in ("near", "near-2") for one in read[name]]
        print(f"| {int(path.stem):,} | {_auc(read['measured']):.3f} | {licence.told()} | "
              f"{_auc(near):.3f} | {_at(near, guarded=False)} | {_at(near, guarded=True)} | "
              f"{_with(read['near'], licence)} | {_with(read['near-2'], licence)} |", flush=True)  # fmt: skip


def _read(
    told: Sequence[tuple[licences.Told, list[Asked]]],
    read: Callable[[Sequence[Asked]], list[Entailment]],
) -> list[licences.Told]:
    found = iter(read([one for _, asked in told for one in asked]))
    return [
        licences.Told(o.label, o.outcome, next(found) if asked else None, o.held, o.language)
        for o, asked in told
    ]


def _auc(told: Sequence[licences.Told]) -> float:
    from sklearn.metrics import roc_auc_score

    read = [one for one in told if one.read]
    return float(roc_auc_score([o.label for o in read], [o.found.entailed for o in read]))  # type: ignore[union-attr]


def _at(told: Sequence[licences.Told], *, guarded: bool) -> str:
    """Return what the lowest bound supports at which at most 0.005 of the wrong ones pass."""
    best = (0.0, 0.0)
    for bound in sorted(
        {o.found.entailed for o in told if isinstance(o.found, Entailment)}, reverse=True
    ):
        passed = [o for o in told if o.outcome is Outcome.SUPPORTED or (
            isinstance(o.found, Entailment) and o.outcome is not Outcome.REFUTED
            and o.found.entailed >= bound and not (guarded and o.held))]  # fmt: skip
        right, wrong = (
            sum(o.label == n for o in passed) / sum(o.label == n for o in told) for n in (1, 0)
        )
        if wrong > 0.005:
            break
        best = right, wrong
    return f"{best[0]:.3f} / {best[1]:.3f}"


def _with(told: Sequence[licences.Told], licence: object) -> str:
    ends = [(one.label, licences.outcome(one, licence)) for one in told]  # type: ignore[arg-type]
    return " / ".join(
        f"{sum(e is Outcome.SUPPORTED for n, e in ends if n == label) / sum(n == label for n, _ in ends):.3f}"
        for label in (1, 0)
    )


def main() -> None:
    """Write rows, train on them, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("rows", "train", "curve"))
    parser.add_argument("--data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, default=60_000)
    parser.add_argument("--minutes", type=float, default=1e9)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.what == "rows":
        lines = [
            json.dumps(one, ensure_ascii=False) + "\n"
            for one in rows(arguments.data, arguments.most)
        ]
        (arguments.out / "rows.jsonl").write_text("".join(lines), "utf-8")
        print(len(lines))
    elif arguments.what == "train":
        fit(arguments.out, arguments.minutes)
    else:
        curve(arguments.out)


if __name__ == "__main__":
    main()

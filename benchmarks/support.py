"""Flagging unsafe passages in contracts: the shipped scorer, simple rivals, and a few labels more.

    python -m benchmarks.support --data ../shared/data [--write PAGE] [--json FILE]

The rows are made of contract_qa (247 contracts of CUAD): a statement such as "Virginia law governs
this contract." becomes type and value, its premise the passage around the value. Half of the rows
are safe; the others have a false value (the row's own), a wrong type, or a passage of the same
contract that does not say it. Contracts are split in two: one half is the pool that thresholds and
labels are taken from, the other is reported on.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import math
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.__main__ import describe_machine, write_page
from groundrules.models import head, labels, passage_scorer
from groundrules.models.embed import encode
from groundrules.models.passage_scorer import hypothesis

Array = npt.NDArray[np.float64]

SEED = 20261121
#: Code points of a premise on either side of the value, before it grows to a sentence's end.
AROUND = 240
LABELS = (100, 200, 300, 400, 500)
DRAWS = 5
RESAMPLES = 1000
_MONTHS = "January February March April May June July August September October November December"
_NUMBERS = {
    **dict(enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)),
    15: "fifteen",
    30: "thirty",
    45: "forty-five",
    60: "sixty",
    90: "ninety",
}


@dataclass(frozen=True)
class Field:
    """How statements of one field read, what tells their passage, and types that it is not."""

    kind: str
    patterns: tuple[str, ...]
    cues: str
    wrong: tuple[str, ...]


_DATE = r"(?P<value>[A-Z][a-z]+ \d{1,2}, \d{4})"
FIELDS = {
    "law": Field(
        "Governing law",
        (
            r"(?P<value>.+) law governs this contract\.",
            r".+ governed by the laws of (?P<value>.+)\.",
            r".+ decided under (?P<value>.+) law\.",
        ),
        r"govern|construed|interpreted",
        ("Place of delivery", "Party", "Place of birth"),
    ),
    "agreement": Field(
        "Agreement date",
        (rf".+ {_DATE}\.",),
        r"dated|made|enter|as of|executed|day of|date",
        ("Expiration date", "Date of payment"),
    ),
    "effective": Field(
        "Effective date",
        (rf".+ {_DATE}\.",),
        r"effective|commenc",
        ("Expiration date", "Date of payment"),
    ),
    "expiration": Field(
        "Expiration date",
        (rf".+ {_DATE}\.",),
        r"expir|terminat|until|through|\bend|\bterm\b|conclud",
        ("Agreement date", "Date of payment"),
    ),
    "renewal": Field(
        "Renewal term",
        (r".+ renews for (?:successive )?(?P<value>.+)\.",),
        r"renew|extend|extension|successive|additional",
        ("Notice period", "Warranty period"),
    ),
    "notice": Field(
        "Notice period to stop the renewal",
        (r".+ be given (?P<value>.+) in advance\.",),
        r"notice|notif|prior|written|advance",
        ("Renewal term", "Warranty period"),
    ),
    "parties": Field(
        "Party",
        (),
        r"\bbetween\b|among|part(?:y|ies)\b",
        ("Governing law", "Arbitrator", "Place of delivery"),
    ),
    "role": Field("", (), r"", ("Governing law", "Arbitrator")),
}


@dataclass(frozen=True)
class Row:
    """A premise with a type and a value, whether it supports them, and what is wrong if not."""

    premise: str
    type: str
    value: str
    label: int
    error: str
    field: str
    doc_id: str


def read_rows(data: Path) -> list[Row]:
    """Return one safe row for each true statement that could be placed, and one unsafe each."""
    with gzip.open(data / "legal/contract_qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    rng = random.Random(SEED)
    rows: list[Row] = []
    for row in found:
        if not row["label"]:
            continue
        field = row["id"].split("-")[2]
        read = type_and_values(field, row["claim"], row["foil"])
        if read is None:
            continue
        kind, true, false = read
        place = locate(field, kind, true, row["doc"])
        if place is None:
            continue
        premise, doc = passage(row["doc"], *place), row["doc_id"]
        error = rng.choices(("value", "type", "passage"), (2, 1, 1))[0]
        other = elsewhere(row["doc"], premise, field, true, rng)
        rows.append(Row(premise, kind, true, 1, "", field, doc))
        if error == "value" or (error == "passage" and other is None):
            # the sets' own name of what was done
            what = {"law": "entity_substitution", "parties": "entity_substitution",
                    "renewal": "number_change", "notice": "number_change",
                    "role": "role_swap"}.get(field, "date_shift")  # fmt: skip
            rows.append(Row(premise, kind, false, 0, what, field, doc))
        elif error == "type":
            wrong = rng.choice(FIELDS[field].wrong)
            rows.append(Row(premise, wrong, true, 0, "wrong_type", field, doc))
        else:
            assert other is not None
            rows.append(Row(other, kind, true, 0, "another_passage", field, doc))
    return list(dict.fromkeys(rows))


def type_and_values(field: str, claim: str, foil: str) -> tuple[str, str, str] | None:
    """Return type, true value and false value of a statement and its foil."""
    if field == "parties":
        named = [
            match
            for text in (claim, foil)
            if (
                match := re.match(
                    r".+ is made between (?P<a>.+?) and (?P<b>.+)\.$|"
                    r"(?P<c>.+?) is a party to .+ with (?P<d>.+)\.$",
                    text,
                    re.S,
                )
            )
        ]
        if len(named) < 2:
            return None
        true, false = ([p for p in match.groups() if p] for match in named)
        pairs = [(t, f) for t, f in zip(true, false, strict=False) if t != f]
        return ("Party", *pairs[0]) if len(pairs) == 1 else None
    if field == "role":
        named = [
            match
            for text in (claim, foil)
            if (
                match := re.match(
                    r"Under .+?, (?P<a>[A-Z].+) acts as (?P<b>.+)\.$|"
                    r"(?P<c>.+?) is the (?P<d>.+?) and .+ under the agreement\.$",
                    text,
                    re.S,
                )
            )
        ]
        if len(named) < 2:
            return None
        (true, kind), (false, other) = ([p for p in match.groups() if p] for match in named)
        return (kind, true, false) if kind == other and true != false else None
    for pattern in FIELDS[field].patterns:
        true_, false_ = re.match(pattern, claim, re.S), re.match(pattern, foil, re.S)
        if true_ and false_:
            return FIELDS[field].kind, true_["value"], false_["value"]
    return None


def forms(field: str, value: str) -> str:
    """Return a pattern of the ways in which a contract writes a value."""
    date = re.fullmatch(r"([A-Z][a-z]+) (\d{1,2}), (\d{4})", value)
    if date:
        month, day, year = date[1], int(date[2]), date[3]
        number = _MONTHS.split().index(month) + 1
        name = rf"{month[:3]}(?:{month[3:]})?\.?"
        nth = rf"0?{day}\s?(?:st|nd|rd|th)?"
        return (
            rf"{name}\s+{nth}\s*,?\s*{year}|{nth}\s+(?:day\s+)?(?:of\s+)?{name}\s*,?\s*{year}|"
            rf"\b0?{number}/0?{day}/(?:{year}|{year[2:]})\b"
        )
    amount = re.fullmatch(r"(\d+) (\w+?)s?", value)
    if amount:
        number = int(amount[1])
        word = _NUMBERS.get(number, amount[1])
        return rf"\b(?:{number}|{word})\b\s*(?:\(\s*\w+\s*\)\s*)?-?\s*(?:\w+\s+)?{amount[2]}"
    if field == "law":
        value = value.split(",")[0]
    return r"\W+".join(map(re.escape, re.findall(r"\w+", value)))


def locate(field: str, kind: str, value: str, doc: str) -> tuple[int, int] | None:
    """Return where the document states the value as one of its type: the first such place."""
    cues = re.compile(re.escape(kind) if field == "role" else FIELDS[field].cues, re.I)
    for match in re.finditer(forms(field, value), doc, re.I):
        if cues.search(passage(doc, *match.span())):
            return match.span()
    return None


def passage(doc: str, start: int, end: int) -> str:
    """Return what stands around a place: to the ends of its sentences, or a little less."""
    low, high = max(0, start - AROUND), min(len(doc), end + AROUND)
    edges = [m.end() for m in re.finditer(r"\n\n|[.;] (?=[A-Z(])", doc[low:start])]
    left = low + (edges[0] if edges and low else 0)
    if paragraph := [m.end() for m in re.finditer(r"\n\n", doc[left:start])]:
        left += paragraph[-1]
    stop = re.search(r"\n\n|[.;](?=\s)", doc[end:high])
    right = end + stop.end() if stop else high
    return " ".join(doc[left:right].split())


def elsewhere(doc: str, premise: str, field: str, value: str, rng: random.Random) -> str | None:
    """Return a passage of the document that states neither the value nor the premise."""
    shapes = re.compile(forms(field, value), re.I)
    parts = [" ".join(part.split()) for part in re.split(r"\n\n|(?<=[.;])\s+(?=[A-Z])", doc)]
    fit = [
        part
        for part in parts
        if 60 <= len(part) <= 400 and part not in premise and not shapes.search(part)
    ]
    return rng.choice(fit) if fit else None


# ---- figures


def flagged(scores: Array, threshold: float) -> npt.NDArray[np.bool_]:
    """Return which rows are flagged as unsafe."""
    return scores < threshold


def figures(flags: npt.NDArray[np.bool_], gold: Array) -> tuple[float, float, float]:
    """Return precision, recall and F1 of flagging unsafe passages (label 0)."""
    hits = int((flags & (gold == 0)).sum())
    given, unsafe = int(flags.sum()), int((gold == 0).sum())
    return hits / max(1, given), hits / max(1, unsafe), 2 * hits / max(1, given + unsafe)


def best_threshold(scores: Array, gold: Array) -> float:
    """Return the threshold with the best F1 on these rows."""
    tried = np.unique(scores)
    middles = [*(tried[1:] + tried[:-1]) / 2, float(tried[-1]) + 1]
    return float(max(middles, key=lambda one: figures(flagged(scores, one), gold)[2]))


def resamples(rows: Sequence[Row]) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the places of rows of contracts that are drawn with replacement."""
    groups: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(row.doc_id, []).append(place)
    places = [np.array(found) for found in groups.values()]
    rng = np.random.default_rng(SEED)
    for _ in range(RESAMPLES):
        yield np.concatenate([places[i] for i in rng.integers(0, len(places), len(places))])


def judge(draws: Sequence[npt.NDArray[np.bool_]], rows: Sequence[Row]) -> dict[str, Any]:
    """Return the figures of a judge, the mean over its draws, each with its 95 % interval."""
    gold = np.array([row.label for row in rows], np.float64)
    means = np.mean([figures(flags, gold) for flags in draws], axis=0)
    spread = [
        np.mean([figures(flags[taken], gold[taken]) for flags in draws], axis=0)
        for taken in resamples(rows)
    ]
    low, high = np.quantile(spread, [0.025, 0.975], axis=0)
    names = ("precision", "recall", "f1")
    kinds = {}
    for kind in sorted({row.error for row in rows}):
        here = np.array([row.error == kind for row in rows])
        kinds[kind] = float(np.mean([flags[here].mean() for flags in draws]))
    return {
        **{name: [float(means[i]), float(low[i]), float(high[i])] for i, name in enumerate(names)},
        "f1_draws": [figures(flags, gold)[2] for flags in draws],
        "flagged": kinds,
    }


def overlap(row: Row) -> float:
    """Return the share of the words of type and value that stand in the premise."""
    words = re.findall(r"\w+", hypothesis(row.type, row.value).lower())
    there = set(re.findall(r"\w+", row.premise.lower()))
    return sum(word in there for word in words) / max(1, len(words))


def value_overlap(row: Row) -> float:
    """Return the share of the words of the value that stand in the premise."""
    words = re.findall(r"\w+", row.value.lower())
    there = set(re.findall(r"\w+", row.premise.lower()))
    return sum(word in there for word in words) / max(1, len(words))


def cosine(rows: Sequence[Row]) -> Array:
    """Return the cosines of premises and hypotheses by the embedded MiniLM (SBERT)."""
    left = encode([row.premise for row in rows])
    right = encode([hypothesis(row.type, row.value) for row in rows])
    return np.einsum("ij,ij->i", left, right).astype(np.float64)


def compare(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the figures of all judges on the half of the contracts that is reported on."""
    documents = sorted({row.doc_id for row in rows})
    random.Random(SEED).shuffle(documents)
    known = set(documents[: len(documents) // 2])
    pool = [row for row in rows if row.doc_id in known]
    test = [row for row in rows if row.doc_id not in known]
    pool_gold = np.array([row.label for row in pool], np.float64)
    scorer = passage_scorer.embedded()
    read = {
        "pool": scorer.read([(row.premise, hypothesis(row.type, row.value)) for row in pool]),
        "test": scorer.read([(row.premise, hypothesis(row.type, row.value)) for row in test]),
    }
    judges: dict[str, Any] = {"flag everything": judge([np.ones(len(test), bool)], test)}
    simple: dict[str, Callable[[Sequence[Row]], Array]] = {
        "token overlap, type and value": lambda part: np.array([overlap(row) for row in part]),
        "token overlap, value": lambda part: np.array([value_overlap(row) for row in part]),
        "SBERT cosine": cosine,
    }
    for name, score in simple.items():
        threshold = best_threshold(score(pool), pool_gold)
        flags = flagged(score(test), threshold)
        judges[f"{name}, threshold {threshold:.2f} from the pool"] = judge([flags], test)
    judges["shipped scorer, threshold 0.5"] = judge([flagged(read["test"].logits, 0.0)], test)
    threshold = best_threshold(read["pool"].logits, pool_gold)
    shown = 1 / (1 + math.exp(-threshold))
    name = f"shipped scorer, threshold {shown:.2f} from the pool"
    judges[name] = judge([flagged(read["test"].logits, threshold)], test)
    vectors = {part: found.vectors.astype(np.float64) for part, found in read.items()}
    for size in LABELS:
        draws = []
        for draw in range(DRAWS):
            places = sorted(random.Random(f"{SEED} {draw}").sample(range(len(pool)), size))
            labelled = [labels.read_row({**dataclasses.asdict(pool[place])}) for place in places]
            folds, _ = head.split(labelled)
            weights, *_ = head.learn(
                vectors["pool"][places], pool_gold[places], read["pool"].logits[places], folds
            )
            logits = head.judge(vectors["test"], read["test"].logits, weights)
            draws.append(flagged(logits, 0.0))
        judges[f"after train-scorer, {size} labels"] = judge(draws, test)
        print(f"{size} labels: F1 {judges[f'after train-scorer, {size} labels']['f1']}", flush=True)
    counts = Counter(row.error for row in test)
    return {
        "rows": len(rows),
        "pool": [len(pool), len(known)],
        "test": [len(test), len(documents) - len(known)],
        "errors": dict(sorted(counts.items())),
        "judges": judges,
    }


# ---- the page

_KINDS = {
    "entity_substitution": "another name",
    "date_shift": "another date",
    "number_change": "another number",
    "role_swap": "the other party",
    "wrong_type": "wrong type",
    "another_passage": "another passage",
    "": "none (false alarms)",
}


def page(found: dict[str, Any]) -> str:
    """Return the tables."""

    def cell(values: Sequence[float]) -> str:
        mean, low, high = values
        return f"{mean:.3f} ({low:.3f} to {high:.3f})"

    count, contracts = found["test"]
    lines = [
        f"{count} rows of {contracts} contracts; {found['pool'][0]} rows of {found['pool'][1]} "
        "others are the pool.",
        "",
        "| judge | precision | recall | F1 (95 %) |",
        "|---|---|---|---|",
    ]
    for name, row in found["judges"].items():
        cells = " | ".join(cell(row[key]) for key in ("precision", "recall", "f1"))
        lines.append(f"| {name} | {cells} |")
    lines.append("| SafePassage, best fine-tuned encoder, on its own data | – | 0.857 | 0.891 |")
    shown = [name for name in found["judges"] if "everything" not in name]
    shown = [name for name in shown if not any(f" {n} labels" in name for n in LABELS[1:-1])]
    lines += [
        "",
        "Flagged, by what is wrong:",
        "",
        "| what is wrong | rows | " + " | ".join(shown) + " |",
        "|---|--:" + "|--:" * len(shown) + "|",
    ]
    for kind, words in _KINDS.items():
        shares = [f"{found['judges'][name]['flagged'][kind]:.2f}" for name in shown]
        lines.append(f"| {words} | {found['errors'][kind]} | {' | '.join(shares)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--data", type=Path, required=True, help="the folder with the labelled data"
    )
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--write", type=Path, help="put the tables into this page")
    options = parser.parse_args()
    file = options.data / "legal/contract_qa.jsonl.gz"
    if not file.is_file():
        raise SystemExit(f"no {file}; name the data folder with --data")
    found = compare(read_rows(options.data))
    tables = page(found)
    print(tables)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    if options.write:
        write_page(options.write, f"{describe_machine()}; {time.strftime('%Y-%m-%d')}.\n\n{tables}")


if __name__ == "__main__":
    main()

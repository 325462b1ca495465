"""The texts whose verdicts are locked, with what is known of their statements.

A label says what a careful reader would: `true` may pass, `wrong` may not and deserves an error,
`open` may not pass and deserves none; `wrong|open` takes either, and an empty one nobody has given.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from benchmarks.alarms import JUDGED, contracts, is_named
from groundrules.evaluate.documents import join

_ROOT = Path(__file__).parents[2]
_PROSE = Path(__file__).parents[1] / "prose"
_KB = _ROOT / "tests/kb/data"
_PAPERS = _ROOT / "tests/papers"
_EXAMPLES = _ROOT / "examples"
#: Of the documents of contract_qa and contract_nli, and of whole contracts, one in so many.
_CONTRACTS, _WHOLE = 2, 4
#: Whole contracts of more code points take a minute each.
_LONGEST = 60_000
_LABELS = {
    "supported": "true",
    "refuted": "wrong",
    "open": "open",
    "nei": "open",
    "not enough info": "open",
    "unverifiable": "open",
    "conflicting": "wrong",
    "Entailment": "true",
    "Contradiction": "wrong",
    "NotMentioned": "open",
    1: "true",
    0: "wrong",
}
#: Texts without a line of which anything is known: each statement that is found has one.
FOUND = ()


@dataclass(frozen=True, slots=True)
class Item:
    """A statement that has a line: its place in the text and its label."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Unit:
    """A text that is checked as a whole, against `sources`, a `graph` or an `ontology`.

    Of a `loud` one a warning is worth what an error is. `contract` is checked against itself, by
    the rules of the ontology alone.
    """

    set: str
    name: str
    text: str
    sources: tuple[str, ...] = ()
    items: tuple[Item, ...] = FOUND
    graph: str = ""
    ontology: str = ""
    loud: bool = False
    contract: bool = False

    @property
    def digest(self) -> str:
        """A hash of all that its lines depend on, but for the code."""
        told = repr(replace(self, graph=_contents(self.graph)))
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()

    def within(self, number: int, of: int) -> bool:
        """Return whether it is of one part of all units, which are split by their names."""
        return int(hashlib.sha256(f"{self.set}/{self.name}".encode()).hexdigest(), 16) % of < number


Sets = Mapping[str, Callable[[str, Path], Iterator[Unit]]]


def _prose(file: str, name: str, data: Path) -> Iterator[Unit]:
    for row in _rows(data / file):
        text, places = join(item["s"] for item in row["answer"])
        items = (
            Item(start, end, _LABELS[item["label"]])
            for (start, end), item in zip(places, row["answer"], strict=True)
        )
        yield Unit(name, row["id"], text, (row["doc"],), tuple(items))


def _pairs(file: str, name: str, data: Path) -> Iterator[Unit]:
    for row in _rows(data / file):
        items = _whole(row["statement"], row["label"])
        yield Unit(name, row["id"], row["statement"], (row["source"],), items)


def _claims(file: str, label: str, name: str, data: Path) -> Iterator[Unit]:
    rows = [row for row in _rows(data / file) if _nth(f"{name}/{row['doc_id']}", _CONTRACTS)]
    for row in sorted(rows, key=lambda row: str(row["doc_id"])):
        items = _whole(row["claim"], row[label])
        yield Unit(name, row["id"], row["claim"], (row["doc"],), items)


def _legal(file: str, name: str, data: Path) -> Iterator[Unit]:
    for row in _rows(data / file):
        items = _whole(row["text"], "refuted" if row["faulty"] else "open")
        yield Unit(name, row["id"], row["text"], (), items, ontology="legal", loud=True)


def _kb_claims(file: str, name: str, data: Path) -> Iterator[Unit]:
    folder = data / file
    graph = str(folder / "graph.ttl.gz")
    for number, row in enumerate(_rows(folder / "claims.jsonl.gz")):
        items = _whole(row["text"], row["label"], *row.get("also", ()))
        yield Unit(name, f"{row['set']}-{number}", row["text"], (), items, graph)


def _kb_sentences(name: str, _: Path) -> Iterator[Unit]:
    rows = tomllib.loads((_KB / "sentences.toml").read_text("utf-8"))["sentence"]
    for number, row in enumerate(rows):
        says = row["says"]
        label = "refuted" if "refuted" in says or "conflicting" in says else "supported"
        items = _whole(row["text"], row.get("label") or (label if says else "open"))
        graph = str((_KB / row.get("graph", "world.ttl")).relative_to(_ROOT))
        yield Unit(name, str(number), row["text"], (), items, graph)


def _worked(name: str, _: Path) -> Iterator[Unit]:
    for paper in sorted(_PAPERS.glob("*.json")):
        cases = json.loads(paper.read_text("utf-8"))
        for case in cases if isinstance(cases, list) else ():
            if case.get("kind") not in ("check", "kb"):
                continue
            sides = [("", case["input"], case["expected"])]
            if "mirror" in case["input"]:
                sides.append(("-mirror", case["input"]["mirror"], case["expected"]["mirror"]))
            for side, given, expected in sides:
                for number, claim in enumerate(given["claims"]):
                    wanted = expected["claims"][number]
                    items = _whole(claim, wanted["outcome"], *wanted.get("accept", ()))
                    unit = f"{case['id']}{side}-{number}"
                    sources = (given["context"],) if "context" in given else ()
                    graph = given.get("turtle", "")
                    yield Unit(name, unit, claim, sources, items, graph)


def _examples(name: str, _: Path) -> Iterator[Unit]:
    def read(path: str) -> str:
        return (_EXAMPLES / path).read_text("utf-8")

    for text, source, ontology in (
        ("lease/answer.txt", "lease/lease.txt", ""),
        ("policy/answer.txt", "policy/policy.md", ""),
        ("ontology/lease/answer.txt", "ontology/lease/lease.txt", "legal"),
        ("ontology/judgment/brief.txt", "ontology/judgment/opinion.txt", "legal"),
    ):
        yield Unit(name, text, read(text), (read(source),), FOUND, ontology=ontology)
    yield Unit(name, "kb/claims.txt", read("kb/claims.txt"), graph="examples/kb/facts.ttl")


def _alarms(name: str, data: Path) -> Iterator[Unit]:
    if not (data / "legal/contracts").is_dir():
        raise FileNotFoundError(data / "legal/contracts")
    judged = tomllib.loads(JUDGED.read_text("utf-8"))["judged"]
    for _, contract, text in contracts(data):
        verdicts = {one["verdict"] for one in judged if is_named(contract, one["contract"])}
        if len(text) <= _LONGEST and (verdicts or _nth(contract, _WHOLE)):
            label = "wrong" if "real" in verdicts else "" if "doubtful" in verdicts else "open"
            items = (Item(0, len(text), label),)
            yield Unit(name, contract, text, (), items, loud=True, contract=True)


#: The sets by name, each made of its name and the folder of the data, of which some files are;
#: FileNotFoundError where they are not there.
SETS: Sets = {
    **{
        f"prose/{one}": partial(_prose, str(_PROSE / f"{one}.jsonl"))
        for one in ("tuning", "tuning-2", "unseen", "unseen-2", "near", "near-2")
    },
    "field/dev": partial(_prose, "field/dev.jsonl.gz"),
    "sound": partial(_pairs, "cases/sound.jsonl.gz"),
    "fracas": partial(_pairs, "closed/fracas.jsonl.gz"),
    "worked": _worked,
    "examples": _examples,
    "kb/sentences": _kb_sentences,
    "kb/claims": partial(_kb_claims, "cases/kb"),
    "legal_faults": partial(_legal, "cases/legal_faults.jsonl.gz"),
    "alarms": _alarms,
    "contract_qa": partial(_claims, "legal/contract_qa.jsonl.gz", "label"),
    "contract_nli": partial(_claims, "legal/contract_nli.jsonl.gz", "label3"),
}
#: The sets whose texts are in this project, which need no data besides.
OURS = tuple(
    name
    for name in SETS
    if name.startswith("prose/") or name in ("worked", "examples", "kb/sentences")
)


@cache
def _contents(graph: str) -> str:
    path = _ROOT / graph if graph and "\n" not in graph else None
    return hashlib.sha256(path.read_bytes()).hexdigest() if path else graph


def _rows(path: Path) -> list[dict[str, Any]]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _whole(text: str, *labels: Any) -> tuple[Item, ...]:
    told = dict.fromkeys(_LABELS[label] for label in labels)
    return (Item(0, len(text), "|".join(told)),)


def _nth(name: str, of: int) -> bool:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % of == 0


def read_sets(data: Path, names: Sequence[str]) -> Iterator[tuple[str, list[Unit] | Path]]:
    """Yield the units of each set, or the file that it lacks."""
    for name in names:
        try:
            yield name, list(SETS[name](name, data))
        except FileNotFoundError as error:
            yield name, Path(str(error.filename or error))

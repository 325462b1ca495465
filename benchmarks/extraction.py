"""SafePassage end to end: answers of a model about five contracts, hallucinations planted in them.

    python -m benchmarks.extraction --data ../shared/data [--part dev] [--json FILE] [--write PAGE]

`extraction.toml` has values of thirteen contracts with the words that state them, read by hand.
From these each kind of hallucination is made, by a seeded draw:

* invented: a value and a passage that no contract has;
* foreign: value and passage of another contract;
* other value: a value of another contract beside a real passage of this one;
* date, amount, name: the real passage, the value altered;
* type: value and passage are real, but of another field;
* passage: the value is real, its passage is a real one about something else.

Real and planted values are put into recorded answers, one to each chunk of the contract, and go
through `groundrules.api.extract` and its client as the answers of a model would. A planted value
counts as caught if it is rejected, and for its reason if the rule is one that names the fault.

The part that is reported is scored twice: by the scorer that ships, and by an LLM grader whose
answers are recorded in `extraction_grades.jsonl`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from benchmarks.marks import put_between
from groundrules import api
from groundrules.claims.documents.document import Document, from_text
from groundrules.claims.evidence.fields import Field, Quote
from groundrules.claims.evidence.quotes import kinds, locate, term
from groundrules.claims.evidence.schemas import Schema, read_schema
from groundrules.claims.units.chunks import chunk
from groundrules.config import Config, LLMConfig
from groundrules.llm.client import Client
from groundrules.llm.prompt import Prompt
from groundrules.llm.replay import row
from groundrules.models.passage_scorer import EMBEDDED, LLM, grading
from groundrules.terms import Outcome

#: The rules that name the fault of each kind.
REASONS = {
    "invented": {"SP102"},
    "foreign": {"SP102", "SP103"},
    "other value": {"SP104", "SP105"},
    "date": {"SP104", "SP105"},
    "amount": {"SP104", "SP105"},
    "name": {"SP104"},
    "type": {"SP106", "SP108", "SP109", "SP110"},
    "passage": {"SP104", "SP106", "SP110"},
}
#: Made up, in the tone of contracts: none is in any of the forty.
INVENTED = (
    ("Harrow & Lisle Holdings plc", "Harrow & Lisle Holdings plc shall act as the sole guarantor "
     "of all sums due under this instrument."),
    ("March 9, 2017", "The parties executed this instrument at Bergen on March 9, 2017, in four "
     "counterparts."),
    ("$412,750", "A non-refundable facility charge of $412,750 is owed upon the second milestone."),
    ("45 days", "Written objections must reach the arbitration clerk no later than 45 days after "
     "the award is deposited."),
    ("Province of Manitoba", "All questions of interpretation are reserved to the courts of the "
     "Province of Manitoba."),
    ("Odalys Ferreira", "Odalys Ferreira is appointed trustee and may act alone in every matter of "
     "the escrow."),
)  # fmt: skip
BEGIN = "<!-- figures: written by python -m benchmarks.extraction -->"
END = "<!-- end of figures -->"
#: How many of a kind are planted in a contract, where it has what they are made from.
OF_A_KIND = 2


@dataclass(frozen=True)
class Entry:
    """A value of a record; `kind` says what is wrong with it, "" for what is real."""

    field: str
    value: str
    context: str
    kind: str = ""


def draw(names: Sequence[str], sizes: Mapping[str, int]) -> list[str]:
    """Return eight contracts, then five: seeded draws of those of 12,000 to 50,000 characters."""
    fit = sorted(n for n in names if 12_000 <= sizes[n] <= 50_000)
    first = random.Random(5).sample(fit, 8)
    return first + random.Random(6).sample([n for n in fit if n not in first], 5)


def read_contracts(data: Path) -> dict[str, str]:
    """Return the text of each contract by the name of its file."""
    files = sorted((data / "legal" / "contracts").glob("*.gz"))
    if not files:
        raise SystemExit(f"{data}/legal/contracts is absent: nothing to extract from")
    return {file.name: gzip.open(file, "rt", encoding="utf-8").read() for file in files}


def planted(
    real: Sequence[Entry], others: Sequence[Entry], text: str, rng: random.Random
) -> Iterator[Entry]:
    """Yield what a model might make up about a contract, a few of each kind."""
    fields = [entry.field for entry in real]
    for value, context in rng.sample(INVENTED, OF_A_KIND):
        yield Entry(rng.choice(fields), value, context, "invented")
    absent = [e for e in others if not near(e.context, text) and e.value not in text]
    for entry in rng.sample(absent, OF_A_KIND):
        yield Entry(entry.field, entry.value, entry.context, "foreign")
    for entry in rng.sample(absent, OF_A_KIND):
        beside = rng.choice(real)
        yield Entry(beside.field, entry.value, beside.context, "other value")
    altered: dict[str, list[Entry]] = defaultdict(list)
    for entry in real:
        for kind, value in changed(entry.value, rng):
            altered[kind].append(Entry(entry.field, value, entry.context, kind))
    for entries in altered.values():
        yield from rng.sample(entries, min(OF_A_KIND, len(entries)))
    yield from moved(real, rng)


def near(context: str, text: str) -> bool:
    """Return whether a text has words of another, up to noise."""
    place = locate(Quote(context, "x", (0, len(text))), [from_text(text, "x")], 0.6)
    return place is not None and place.score >= 0.6


def changed(value: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield a value altered, and the kind of what was altered."""
    node = term(value)
    kind = str(getattr(node, "datatype", "") or "").rpartition("#")[2]
    if kind == "date":
        day = date.fromisoformat(str(node)) + timedelta(days=rng.choice([1, -1, 30, 365, -700]))
        yield "date", day.strftime("%B %-d, %Y")
    elif digits := list(re.finditer(r"\d", value)):
        at = rng.choice(digits).start()
        digit = rng.choice([d for d in "123456789" if d != value[at]])
        yield "amount", value[:at] + digit + value[at + 1 :]
    elif kind == "" and (words := re.findall(r"[A-Z][a-z]{3,}", value)):
        word = rng.choice(words)
        yield "name", value.replace(word, rng.choice(["Norfield", "Ashbourne", "Calder"]))


#: Words of fields that one value can fill alike, so that a move between two of them is no fault.
ALIKE = (
    {"agreement", "effective", "commencement", "start"},
    {"payment", "cure", "termination", "notice", "dispute", "period", "term"},
    {"client", "company", "customer", "principal"},
)  # fmt: skip


def moved(real: Sequence[Entry], rng: random.Random) -> Iterator[Entry]:
    """Yield values under another field, and values with the passage of another field."""
    pairs = [
        (a, b) for a in real for b in real
        if a.field != b.field and term(a.value) != term(b.value)
    ]  # fmt: skip
    unlike = [
        (a, b)
        for a, b in pairs
        if not any(
            set(a.field.split("_")) & group and set(b.field.split("_")) & group for group in ALIKE
        )
    ]
    for a, b in rng.sample(unlike, OF_A_KIND):
        yield Entry(b.field, a.value, a.context, "type")
    # a pair whose passage may have the value by accident is left out
    apart = [(a, b) for a, b in pairs if not stands(a.value, b.context)]
    by_field = {a.field: (a, b) for a, b in rng.sample(apart, len(apart))}
    for a, b in rng.sample(list(by_field.values()), OF_A_KIND):
        yield Entry(a.field, a.value, b.context, "passage")


def stands(value: str, context: str) -> bool:
    """Return whether a context may have a value: a word or a figure of it."""
    words = set(re.findall(r"[a-z]{4,}|\d+", context.casefold()))
    return bool(words & set(re.findall(r"[a-z]{4,}|\d+", value.casefold())))


def schema_of(real: Sequence[Entry], entries: Sequence[Entry]) -> dict[str, Any]:
    """Return a schema of lists, so that what is real and what is planted stand side by side.

    It declares dates as dates and periods as durations, as a careful author would: a field is
    of the kind that its real value is alone, a plain string where that is none.
    """
    text = {"type": "string"}
    declared = {
        entry.field: {"format": kind}
        for entry in real
        if (kind := kinds(Field((), "", entry.value))[1])
    }
    lists = {
        name: {
            "type": "array",
            "items": {
                "title": name.replace("_", " "),
                "properties": {"value": {**text, **declared.get(name, {})}, "context": text},
            },
        }
        for name in dict.fromkeys(entry.field for entry in entries)
    }
    return {"title": "Contract", "properties": lists}


def answers(document: Document, schema: Schema, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield a recorded answer to each chunk: what stands in it, and what is made up in the last."""
    ranges = chunk(document.text)
    held: dict[int, list[Entry]] = defaultdict(list)
    for entry in entries:
        place = locate(Quote(entry.context, document.name, (0, 0)), [document], 0.6)
        found = [
            n for n, (start, end) in enumerate(ranges)
            if place and place.score >= 0.6 and start <= place.start and place.end <= end
        ]  # fmt: skip
        held[found[0] if found else len(ranges) - 1].append(entry)
    for number, (start, end) in enumerate(ranges):
        answer: dict[str, list[dict[str, str]]] = {n: [] for n in schema.shape["properties"]}
        for entry in held[number]:
            answer[entry.field].append({"value": entry.value, "context": entry.context})
        text = document.text[start:end]
        yield row(Prompt("values", "", ((document.name, text),), schema.shape), answer)


def grades() -> Iterator[str]:
    """Yield the recorded answers of the LLM grader."""
    for line in Path(__file__).with_name("extraction_grades.jsonl").open(encoding="utf-8"):
        its = json.loads(line)
        yield row(grading(its["passage"], its["statement"]), {"answer": its["answer"]})


def run(
    document: Document, real: Sequence[Entry], entries: Sequence[Entry], scorer: str
) -> list[tuple[Entry, str]]:
    """Return each entry with the rule that rejects it, "" for what passes."""
    schema = schema_of(real, entries)
    config = Config(scorer=scorer)
    with tempfile.TemporaryDirectory() as folder:
        recorded = Path(folder) / "answers.jsonl"
        lines = [*answers(document, read_schema(schema), entries), *grades()]
        recorded.write_text("".join(lines), encoding="utf-8")
        client = Client(LLMConfig(), answers=recorded)
        record = api.extract(document, schema, config=config, client=client)
    left = list(entries)
    found = []
    report = record.report
    for claim, verdict in zip(report.claims, report.verdicts, strict=True):
        field = report.labels[claim.triple.predicate].partition("[")[0]
        value = json.loads(f'"{report.text[claim.span.start : claim.span.end]}"')
        line = report.text[claim.span.end : report.text.index("\n", claim.span.end)]
        entry = next(
            e for e in left
            if (e.field, e.value) == (field, value)
            and json.dumps(e.context, ensure_ascii=False) in line
        )  # fmt: skip
        left.remove(entry)
        found.append((entry, "" if verdict.outcome is Outcome.SUPPORTED else verdict.reason))
    assert not left, left
    return found


def evaluate(data: Path, part: str, scorer: str = EMBEDDED) -> dict[str, Any]:
    """Return what was caught of each kind, and what was lost of what is real."""
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    texts = read_contracts(data)
    chosen = draw(list(texts), {name: len(text.encode()) for name, text in texts.items()})
    start = time.process_time()
    known = {}
    for contract in listed["contract"]:
        name = next(name for name in chosen if name.startswith(contract["name"]))
        known[name] = contract["part"], [Entry(*value) for value in contract["values"]]
    rows = []
    for name, (its, real) in known.items():
        if its != part:
            continue
        text = texts[name]
        others = [e for other, (p, es) in known.items() if other != name and p == part for e in es]
        rng = random.Random(name)
        document = from_text(text, f"{name[:12]}.txt")
        entries = list(dict.fromkeys([*real, *planted(real, others, text, rng)]))
        for entry in real:
            assert near(entry.context, text), (name, entry)
        # a real value with a false passage beside its true one is one value with two passages
        for alone in (False, True):
            part_ = [entry for entry in entries if (entry.kind == "passage") is alone]
            rows += [(name[:12], entry, rule) for entry, rule in run(document, real, part_, scorer)]
    kinds: dict[str, dict[str, Any]] = {}
    for kind in REASONS:
        its = [rule for _, entry, rule in rows if entry.kind == kind]
        kinds[kind] = {
            "planted": len(its),
            "rejected": sum(map(bool, its)),
            "for_its_reason": sum(rule in REASONS[kind] for rule in its),
            "rules": dict(Counter(its)),
        }
    real_rules = [rule for _, entry, rule in rows if not entry.kind]
    return {
        "scorer": scorer,
        "contracts": sum(its == part for its, _ in known.values()),
        "kinds": kinds,
        "real": len(real_rules),
        "lost": sum(map(bool, real_rules)),
        "seconds": round(time.process_time() - start, 1),
        "wrong": [
            {"contract": name, "field": e.field, "value": e.value, "context": e.context,
             "kind": e.kind or "real", "rule": rule}
            for name, e, rule in rows
            if bool(e.kind) != bool(rule)
        ],
    }  # fmt: skip


def main() -> None:
    """Print the table, and write the figures where asked to."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("dev", "test"), default="test")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--write", type=Path, help="put the table into a page, between its marks")
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    args = parser.parse_args()
    # the answers of a grader were recorded of the part that is reported
    scorers = (EMBEDDED, LLM) if args.part == "test" else (EMBEDDED,)
    found = [evaluate(args.data, args.part, scorer) for scorer in scorers]
    text = "\n\n".join(table(one, args.part) for one in found)
    print(text)
    if args.show:
        for wrong in (row for one in found for row in one["wrong"]):
            print(json.dumps(wrong, ensure_ascii=False))
    if args.json:
        args.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if args.write:
        put_between(args.write, text, BEGIN, END)


def table(found: Mapping[str, Any], part: str) -> str:
    """Return the figures as a table in Markdown."""
    lines = [
        f"Scorer {found['scorer']}: {found['contracts']} contracts, part {part}; "
        f"{found['seconds']} s of CPU.",
        "",
        "| planted | values | rejected | for its reason | rules |",
        "|---|--:|--:|--:|---|",
    ]
    for kind, its in found["kinds"].items():
        rules = ", ".join(f"{rule or 'passed'} {n}" for rule, n in sorted(its["rules"].items()))
        figures = f"{its['planted']} | {its['rejected']} | {its['for_its_reason']}"
        lines.append(f"| {kind} | {figures} | {rules} |")
    lines += ["", f"Of {found['real']} real values {found['lost']} were lost."]
    return "\n".join(lines)


if __name__ == "__main__":
    main()

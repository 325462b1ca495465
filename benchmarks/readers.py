"""What a licence makes of readers, good and bad: measured on some answers, told of others.

    python -m benchmarks.readers [--write benchmarks/reports/readers.md]

One reader is what a language model answered to the token reader's question, recorded once
(`benchmarks.letters`). The others are no models. The good ones are drawn: they know the labels and
err in so many of a hundred, by a seed, so that the table says what the licence and the rules make
of a reader that is as good as that, and nothing of any model. The bad ones are random, constant,
and the better of the good ones reversed. All are measured on `MEASURED_ON` and told of `TOLD_OF`.
The tokens are of what a model at an endpoint is asked about twelve statements, the controls
with them, beside a source of 700 words, at three bytes a token, and of its answers.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from benchmarks.letters import Letters, load, recorded_reader
from benchmarks.marks import put_between
from benchmarks.recorded import digest
from groundrules.align.premises import indexed, premise
from groundrules.checks import plan as plans
from groundrules.checks.clock import Clock
from groundrules.checks.report import by_rules
from groundrules.claims.document import Document
from groundrules.claims.token_reader import handfuls, question
from groundrules.config import Config
from groundrules.evaluate import licences
from groundrules.evaluate.documents import (
    Checked,
    DocumentEvaluation,
    check_row,
    summarize,
)
from groundrules.evaluate.rows import Row, read_rows
from groundrules.llm.prompt import Prompt, sum_of, write_messages
from groundrules.llm.transport import BYTES_A_TOKEN, size
from groundrules.models.licences import Licence
from groundrules.models.readers import Asked, Entailment, Reader

BEGIN, END = "<!-- readers: begin -->", "<!-- readers: end -->"
_PROSE = Path(__file__).parent / "prose"
MEASURED_ON = ("tuning", "tuning-2", "unseen", "near")
TOLD_OF = "unseen-2"
RECORDED = "a recorded language model"
#: Words of the source that the tokens are told of, and statements of the answer.
WORDS, STATEMENTS = 700, 12
#: Tokens of a line of an answer without blanks: two vocabularies in use count four (cl100k, o200k),
#: one more where each digit is a token.
A_LINE = 5
#: In so many of a hundred the good readers err.
ERRORS = (1, 5, 15)


About = Callable[[Row], None]


def readers(labels: Mapping[str, int]) -> dict[str, Reader]:
    """Return the readers by name, for sentences with these labels."""

    def of(name: str, say: Callable[[str], Entailment]) -> Reader:
        def read(asked: Sequence[Asked]) -> list[Entailment | str]:
            return [say(one.statement) for one in asked]

        return Reader(name, read)

    def label(statement: str) -> int:
        """Return the label of the sentence that a statement is, or is a part of."""
        found = labels.get(statement)
        if found is None:
            found = min((one for said, one in labels.items() if statement in said), default=0)
        return found

    def drawn(errors: int) -> Callable[[str], Entailment]:
        def say(statement: str) -> Entailment:
            draw = random.Random(f"{errors} {statement}")
            right = label(statement) ^ (draw.random() < errors / 100)
            sure = draw.betavariate(8, 1.2)
            rest = (1 - sure) / 2
            return Entailment(sure, rest, rest) if right else Entailment(rest, sure, rest)

        return say

    def at_random(statement: str) -> Entailment:
        draw = random.Random(statement)
        one, other = sorted((draw.random(), draw.random()))
        return Entailment(one, other - one, 1 - other)

    def turned(statement: str) -> Entailment:
        found = drawn(ERRORS[0])(statement)
        return Entailment(found.contradicted, found.entailed, found.neither)

    good = {f"drawn, {n} of 100 wrong": of(f"drawn-{n}", drawn(n)) for n in ERRORS}
    constant = of("constant", lambda _: Entailment(0.95, 0.02, 0.03))
    bad = {"random": of("random", at_random), "constant": constant}
    return {**good, **bad, "the first reversed": of("reversed", turned)}


class Recorded:
    """The recorded reader, told before each row beside which source its statements stand."""

    def __init__(self) -> None:
        self.client = Letters(load())
        self.reader = recorded_reader(self.client)

    def about(self, row: Row) -> None:
        """Say which source is shown next."""
        self.client.source = digest(row.fields["doc"])


def licensed(
    rows: Sequence[Row], reader: Reader, config: Config, about: About = lambda _: None
) -> Licence:
    """Return the licence of a reader on the answers of some rows."""
    told: list[licences.Told] = []
    for row in rows:
        about(row)
        told += licences.read_row(row, reader, config).told
    return licences.measure(told, reader, reader.name)


def once(find: Callable[..., Any]) -> Callable[..., Any]:
    """Return what finds what the rules make of statements, once for all readers."""
    known: dict[str, Any] = {}

    def found(document: Document, plan: plans.Plan, clock: Clock) -> Any:
        key = f"{document.text}\n{plan.contexts[0].text}"
        if key not in known:
            known[key] = find(document, plan, clock)
        return known[key]

    return found


@contextmanager
def reading(reader: Reader, licence: Licence) -> Iterator[Config]:
    """Give a configuration whose checks are read by a licensed reader."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "licence.toml").write_text(licence.dumps(), encoding="utf-8")
        config = Config(readers=("licence.toml",), base=Path(folder))
        with patch.object(plans, "open_named", lambda *_: reader):
            yield config


def checked(rows: Sequence[Row], config: Config, about: About = lambda _: None) -> list[Checked]:
    """Return the checks of some rows."""
    out = []
    for row in rows:
        about(row)
        out.append(check_row(row, config))
    return out


def figures(
    rows: Sequence[Row], reader: Reader, licence: Licence, about: About = lambda _: None
) -> DocumentEvaluation:
    """Return the figures of some rows, checked with a licensed reader."""
    with reading(reader, licence) as config:
        return summarize(checked(rows, config, about))


def tokens(rows: Sequence[Row]) -> tuple[int, int]:
    """Return the tokens of an answer of `STATEMENTS` statements, and those but for the prefix.

    They are those of the questions, with the controls, and of what is answered. The source has
    `WORDS` words, of the longest of the rows and those of the next.
    """
    ordered = sorted(rows, key=lambda one: -len(one.fields["doc"]))
    words = itertools.chain.from_iterable(one.fields["doc"].split(" ") for one in ordered)
    index = indexed((" ".join(itertools.islice(words, WORDS)),))
    shown = premise(range(len(index.units)), index)
    said = dict.fromkeys(item["s"] for one in ordered for item in one.fields["answer"])
    asked = [Asked(one, shown) for one in itertools.islice(said, STATEMENTS)]
    meter = Meter()
    for one in handfuls(asked):
        meter.count(question(one), None)
    return meter.whole, meter.new


@dataclass
class Meter:
    """Tokens of what is asked and answered, all of them and those beyond a prefix seen before.

    That is the longest that any question before begins with.
    """

    whole: int = 0
    new: int = 0
    _seen: list[str] = field(default_factory=list)

    def count(self, prompt: Prompt, answer: Any) -> None:
        """Count a question and its answer."""
        text = "".join(part["content"] for part in write_messages(prompt))
        kept = max((_alike(text, one) for one in self._seen), default=0)
        told = size(json.dumps(answer)) // BYTES_A_TOKEN
        if prompt.lines:
            sums = {sum_of(n): answer[sum_of(n)] for n in prompt.sums}
            told = prompt.lines * A_LINE + size(json.dumps(sums)) // BYTES_A_TOKEN
        both = size(text) // BYTES_A_TOKEN + told
        self.whole += both
        self.new += both - size(text[:kept]) // BYTES_A_TOKEN
        self._seen.append(text)


def _alike(one: str, other: str) -> int:
    """Return with how many characters both begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def page(
    lines: Mapping[str, tuple[Licence, DocumentEvaluation | None]], none: DocumentEvaluation
) -> str:
    """Return the table of readers, the rules alone first."""
    heads = ["reader", "licence", "true found supported", "wrong passed as supported",
             "wrong with an error", "true with an error"]  # fmt: skip
    out = [f"| {' | '.join(heads)} |", "|---|---|" + "--:|" * (len(heads) - 2)]
    out.append(_line("none: the rules alone", "", none))
    for name, (licence, found) in lines.items():
        out.append(_line(name, licence.told(), found))
    return "\n".join(out)


def _line(name: str, told: str, found: DocumentEvaluation | None) -> str:
    if found is None:  # a licence that decides nothing changes no verdict
        return f"| {name} | {told} | as the rules alone | | | |"
    return f"| {name} | {told} | {shares(found)} |"


def shares(found: DocumentEvaluation) -> str:
    """Return the shares of a table as its cells."""
    told = (found.true_supported, found.wrong_supported, found.wrong_error, found.true_error)
    return " | ".join("–" if one is None else f"{one:.3f}" for one in told)


def main() -> None:
    """Measure the readers, print the tables, and write them into a page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    rows = {name: read_rows(_PROSE / f"{name}.jsonl") for name in (*MEASURED_ON, TOLD_OF)}
    items = [item for some in rows.values() for row in some for item in row.fields["answer"]]
    labels = {item["s"]: int(item["label"]) for item in items}
    measured = [row for name in MEASURED_ON for row in rows[name]]
    lines: dict[str, tuple[Licence, DocumentEvaluation | None]] = {}
    recorded = Recorded()
    with patch.object(licences, "by_rules", once(by_rules)):
        for name, reader in {RECORDED: recorded.reader, **readers(labels)}.items():
            about = recorded.about if name == RECORDED else lambda _: None
            licence = licensed(measured, reader, Config(), about)
            print(f"{name}: {licence.told()}", file=sys.stderr, flush=True)
            decides = licence.supports or licence.refutes or licence.doubts
            found = figures(rows[TOLD_OF], reader, licence, about) if decides else None
            lines[name] = licence, found
    none = summarize(checked(rows[TOLD_OF], Config()))
    whole, apart = tokens(rows[TOLD_OF])
    cost = (
        f"{STATEMENTS} statements beside {WORDS} words are {whole:,} tokens with their controls "
        f"and the answers, {apart:,} where the server keeps the prefix."
    )
    text = (
        f"{page(lines, none)}\n\nMeasured on prose/{', prose/'.join(MEASURED_ON)}, told of "
        f"prose/{TOLD_OF}. {cost}"
    )
    print(text)
    if arguments.write:
        put_between(arguments.write, text, BEGIN, END)


if __name__ == "__main__":
    main()

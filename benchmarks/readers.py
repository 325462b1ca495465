"""What a licence makes of readers, good and bad: measured on some answers, told of others.

    python -m benchmarks.readers --data ../shared/data [--write docs/readers.md]

The good one is recorded: what a language model graded (`benchmarks/prose/grades.jsonl`) as three
shares, the same for each grade, since a grade has none. The bad ones are a random one, a constant
one, and the good one reversed. All are measured on `MEASURED_ON` and told of `TOLD_OF`, which no
licence here has seen. The tokens are of the question that a model at an endpoint is asked, about
twelve statements and the three controls, beside a source of that set, at three bytes a token.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from benchmarks.prose import Recorded
from groundrules.align.statements import to_grade
from groundrules.checks import plan as plans
from groundrules.checks.clock import Clock
from groundrules.checks.documents import compare, read
from groundrules.checks.report import left_open
from groundrules.claims.document import Document, from_text
from groundrules.claims.grades import grade_statements
from groundrules.claims.token_reader import question
from groundrules.config import Config
from groundrules.evaluate import licences
from groundrules.evaluate.documents import DocumentEvaluation, check_row, join, read_rows, summarize
from groundrules.evaluate.licences import measure, read_row
from groundrules.evaluate.rows import Row
from groundrules.llm.prompt import write_messages
from groundrules.llm.transport import BYTES_A_TOKEN, size
from groundrules.models.licences import Licence
from groundrules.models.readers import Asked, Entailment, Reader

BEGIN, END = "<!-- readers: begin -->", "<!-- readers: end -->"
_PROSE = Path(__file__).parent / "prose"
MEASURED_ON = ("prose/tuning", "prose/unseen", "field/dev")
TOLD_OF = "prose/unseen-2"
#: The shares of a grade: a grade says no more than its kind.
SHARES = {
    "entailed": Entailment(0.95, 0.02, 0.03),
    "contradicted": Entailment(0.02, 0.95, 0.03),
    "neither": Entailment(0.05, 0.15, 0.80),
}
_NONE = "no recorded grade"

Told = Mapping[str, Entailment]


def grades_of(row: Row, client: Recorded, config: Config) -> dict[str, Entailment]:
    """Return what the recorded grades say of the statements of an answer, by their words."""
    text, _ = join(item["s"] for item in row.fields["answer"])
    document, context = from_text(text, "answer"), from_text(row.fields["doc"], "doc")
    plan = plans.make_plan(document, [context], config, now=datetime.now(UTC))
    found = read(document, plan, Clock(), client)
    beside = compare(found, plan, Clock())
    told = grade_statements(found.text, found.sources, to_grade(beside.statements), client)
    words = {one.number: one.text for one in beside.statements}
    return {words[number]: SHARES[grade.kind] for number, grade in told.by_number.items()}


def readers(told: Told) -> dict[str, Reader]:
    """Return the readers by name; what the good one has not graded none has read."""

    def of(name: str, say: Callable[[str], Entailment]) -> Reader:
        def answer(asked: Sequence[Asked]) -> list[Entailment | str]:
            return [say(one.statement) if one.statement in told else _NONE for one in asked]

        return Reader(name, answer)

    def at_random(statement: str) -> Entailment:
        draw = random.Random(statement)
        one, other = sorted((draw.random(), draw.random()))
        return Entailment(one, other - one, 1 - other)

    def turned(statement: str) -> Entailment:
        found = told[statement]
        return Entailment(found.contradicted + found.neither, found.entailed, 0.0)

    return {
        "recorded grades": of("recorded grades", lambda statement: told[statement]),
        "random": of("random", at_random),
        "constant": of("constant", lambda _: SHARES["entailed"]),
        "reversed": of("reversed", turned),
    }


def licensed(rows: Sequence[Row], reader: Reader, config: Config) -> Licence:
    """Return the licence of a reader on the answers of some rows."""
    found = [pair for row in rows for pair in read_row(row, reader, config)]
    known = [(one, label) for one, label in found if isinstance(one, Entailment)]
    return measure(known, reader, reader.name)


def once(find: Callable[..., Any]) -> Callable[..., Any]:
    """Return what finds the statements that rules leave open, once for all readers."""
    known: dict[str, Any] = {}

    def found(document: Document, plan: plans.Plan, clock: Clock) -> Any:
        key = f"{document.text}\n{plan.contexts[0].text}"
        if key not in known:
            known[key] = find(document, plan, clock)
        return known[key]

    return found


def figures(rows: Sequence[Row], reader: Reader, licence: Licence) -> DocumentEvaluation:
    """Return the figures of some rows, checked with a licensed reader."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "licence.toml").write_text(licence.dumps(), encoding="utf-8")
        config = Config(readers=("reader",), licensed=("licence.toml",), base=Path(folder))
        with patch.object(plans, "open_named", lambda *_: reader):
            return summarize([check_row(row, config) for row in rows])


def tokens(rows: Sequence[Row]) -> tuple[int, int]:
    """Return the tokens of fifteen questions about a source, and those but for the prefix."""
    row = max(rows, key=lambda one: len(one.fields["doc"]))
    said = [item["s"] for item in row.fields["answer"]]
    asked = [question(Asked(one, (row.fields["doc"],))) for one in (said * 2)[:15]]
    messages = ["\n".join(part["content"] for part in write_messages(one)) for one in asked]
    sizes = [size(one) // BYTES_A_TOKEN for one in messages]
    shared = size(messages[0].partition('"statement">>>')[0]) // BYTES_A_TOKEN
    return sum(sizes), shared + sum(one - shared for one in sizes)


def page(
    lines: Mapping[str, tuple[Licence, DocumentEvaluation | None]], none: DocumentEvaluation
) -> str:
    """Return the table of readers, the rules alone first."""
    heads = ["reader", "licence", "true found supported", "wrong passed as supported",
             "wrong with an error", "true with an error", "calibration error"]  # fmt: skip
    out = [f"| {' | '.join(heads)} |", "|---|---|" + "--:|" * (len(heads) - 2)]
    out.append(_line("none: the rules alone", "", none))
    for name, (licence, found) in lines.items():
        out.append(_line(name, licence.told(), found))
    return "\n".join(out)


def _line(name: str, told: str, found: DocumentEvaluation | None) -> str:
    if found is None:  # a licence that decides nothing changes no verdict
        return f"| {name} | {told} | as the rules alone | | | | |"
    shares = (found.true_supported, found.wrong_supported, found.wrong_error, found.true_error,
              found.calibration_error)  # fmt: skip
    return f"| {name} | {told} | {' | '.join(f'{one:.3f}' for one in shares if one is not None)} |"


def main() -> None:
    """Measure the readers, print the table, and write it into a page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    files = {
        name: arguments.data / "field/dev.jsonl.gz"
        if name == "field/dev"
        else _PROSE / f"{name.removeprefix('prose/')}.jsonl"
        for name in (*MEASURED_ON, TOLD_OF)
    }
    rows = {name: read_rows(path) for name, path in files.items()}
    plain = replace(Config(), scorer="")
    client = Recorded(_PROSE / "grades.jsonl")
    told: dict[str, Entailment] = {}
    for some in rows.values():
        for row in some:
            told |= grades_of(row, client, plain)
        print(f"{len(told)} statements with a recorded grade", file=sys.stderr, flush=True)
    measured = [row for name in MEASURED_ON for row in rows[name]]
    lines: dict[str, tuple[Licence, DocumentEvaluation | None]] = {}
    with patch.object(licences, "left_open", once(left_open)):
        for name, reader in readers(told).items():
            licence = licensed(measured, reader, plain)
            print(f"{name}: {licence.told()}", file=sys.stderr, flush=True)
            decides = licence.supports or licence.refutes or licence.doubts
            lines[name] = licence, figures(rows[TOLD_OF], reader, licence) if decides else None
    none = summarize([check_row(row, plain) for row in rows[TOLD_OF]])
    whole, apart = tokens(rows[TOLD_OF])
    text = (
        f"{page(lines, none)}\n\nMeasured on {', '.join(MEASURED_ON)}, told of {TOLD_OF}. Fifteen "
        f"questions beside its longest source are {whole:,} tokens, {apart:,} where the server "
        "keeps the prefix."
    )
    print(text)
    if arguments.write:
        head, _, rest = arguments.write.read_text(encoding="utf-8").partition(BEGIN)
        _, _, tail = rest.partition(END)
        arguments.write.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()

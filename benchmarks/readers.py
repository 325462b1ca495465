"""What a licence makes of readers, good and bad: measured on some answers, told of others.

    python -m benchmarks.readers [--write docs/readers.md]

No reader here is a model. The good ones are drawn: they know the labels and err in so many of a
hundred, by a seed, so that the table says what the licence and the rules make of a reader that is
as good as that, and nothing of any model. The bad ones are random, constant, and the better of the
good ones reversed. All are measured on `MEASURED_ON` and told of `TOLD_OF`. The tokens are of the
question that a model at an endpoint is asked, about twelve statements and the three controls,
beside the longest source of that set, at three bytes a token.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from groundrules.checks import plan as plans
from groundrules.checks.clock import Clock
from groundrules.checks.report import left_open
from groundrules.claims.document import Document
from groundrules.claims.token_reader import question
from groundrules.config import Config
from groundrules.evaluate import licences
from groundrules.evaluate.documents import DocumentEvaluation, check_row, read_rows, summarize
from groundrules.evaluate.rows import Row
from groundrules.llm.prompt import write_messages
from groundrules.llm.transport import BYTES_A_TOKEN, size
from groundrules.models.licences import Licence
from groundrules.models.readers import Asked, Entailment, Reader

BEGIN, END = "<!-- readers: begin -->", "<!-- readers: end -->"
_PROSE = Path(__file__).parent / "prose"
MEASURED_ON = ("tuning", "tuning-2", "unseen", "near")
TOLD_OF = "unseen-2"
#: In so many of a hundred the good readers err.
ERRORS = (1, 5, 15)


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


def licensed(rows: Sequence[Row], reader: Reader, config: Config) -> Licence:
    """Return the licence of a reader on the answers of some rows."""
    found = [pair for row in rows for pair in licences.read_row(row, reader, config)]
    known = [(one, label) for one, label in found if isinstance(one, Entailment)]
    return licences.measure(known, reader, reader.name)


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
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    rows = {name: read_rows(_PROSE / f"{name}.jsonl") for name in (*MEASURED_ON, TOLD_OF)}
    items = [item for some in rows.values() for row in some for item in row.fields["answer"]]
    labels = {item["s"]: int(item["label"]) for item in items}
    measured = [row for name in MEASURED_ON for row in rows[name]]
    lines: dict[str, tuple[Licence, DocumentEvaluation | None]] = {}
    with patch.object(licences, "left_open", once(left_open)):
        for name, reader in readers(labels).items():
            licence = licensed(measured, reader, Config())
            print(f"{name}: {licence.told()}", file=sys.stderr, flush=True)
            decides = licence.supports or licence.refutes or licence.doubts
            lines[name] = licence, figures(rows[TOLD_OF], reader, licence) if decides else None
    none = summarize([check_row(row, Config()) for row in rows[TOLD_OF]])
    whole, apart = tokens(rows[TOLD_OF])
    text = (
        f"{page(lines, none)}\n\nMeasured on prose/{', prose/'.join(MEASURED_ON)}, told of "
        f"prose/{TOLD_OF}. Fifteen questions beside its longest source are {whole:,} tokens, "
        f"{apart:,} where the server keeps the prefix."
    )
    print(text)
    if arguments.write:
        head, _, rest = arguments.write.read_text(encoding="utf-8").partition(BEGIN)
        _, _, tail = rest.partition(END)
        arguments.write.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()

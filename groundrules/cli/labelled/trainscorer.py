"""`groundrules train-scorer`: fit the support scorer to a few hundred labels of one's own."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.options import Parser
from groundrules.cli.settings import add_llm, add_settings, print_usage, settings
from groundrules.cli.terminal import write
from groundrules.errors import ConfigError

if TYPE_CHECKING:
    from groundrules.config import Config
    from groundrules.models.head import Fit
    from groundrules.models.labels import Row


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "train-scorer",
        "Fit the support scorer to labelled passages: 100 to 500 are enough. Takes "
        "seconds, and gives the same scorer for the same labels.",
        (
            "groundrules train-scorer labels.jsonl -o scorer/",
            "groundrules train-scorer labels.jsonl -o scorer/ --silver more.jsonl --llm MODEL",
            'then: scorer = "scorer/" in [tool.groundrules]',
        ),
    )
    add = result.add_argument
    add("file", metavar="FILE", help="labelled rows of JSON lines: premise, type, value, label")
    add("-o", "--output", metavar="DIR", required=True, help="the folder of the scorer")
    add("--silver", metavar="FILE",
        help="more rows, learned first; --llm labels those that have no label")  # fmt: skip
    add_settings(result)
    add_llm(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.models.head import fit
    from groundrules.models.labels import read_rows
    from groundrules.models.metrics import scikit_learn
    from groundrules.models.passage_scorer import HEAD, write_head

    config = settings(args)
    scikit_learn("linear_model")  # before a model is asked
    rows = read_rows(Path(args.file))
    known = {row.pair for row in rows if row.label is not None}
    silver = (
        [row for row in read_rows(Path(args.silver)) if row.pair not in known]
        if args.silver
        else []
    )
    graded = grade(silver, config, args.silver)
    found = fit(rows, graded, name=args.file)
    folder = Path(args.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not (folder / HEAD).is_file():
            raise ConfigError("has other files; expected a new folder", path=args.output)
        write_head(found.head, folder)
    except OSError as error:
        raise ConfigError(f"cannot write: {error.strerror}", path=args.output) from None
    write(table(found) + f"\nwritten to {folder}\n", None)
    return 0


def grade(rows: Sequence[Row], config: Config, name: str) -> list[Row]:
    """Return the rows with labels, those that have none graded by the LLM of a configuration."""
    from groundrules.llm.client import connect
    from groundrules.models.passage_scorer import LLM, score_support

    open_ = [row for row in rows if row.label is None]
    if not open_:
        return list(rows)
    client = connect(config.llm)
    if client is None:
        raise ConfigError(
            f"{len(open_)} rows have no label; name a model that grades them with --llm", path=name
        )
    try:
        scores = score_support([row.pair for row in open_], LLM, client=client)
    finally:  # what was asked has cost, whatever came of it
        print_usage(client)
    labels = {row.pair: int(score) for row, score in zip(open_, scores, strict=True)}
    return [replace(row, label=labels.get(row.pair, row.label)) for row in rows]


def table(found: Fit) -> str:
    """Return as text how good the scorer is, and what it was made of."""
    apart = f"by {found.groups} documents" if found.groups else "row by row: fewer than 5 documents"
    lines = ["            precision  recall     F1   of flagging unsafe passages, cross-validated"]
    for name, one in (("as shipped", found.before), ("fitted", found.after)):
        lines.append(f"{name:<12}{one.precision:>9.3f}  {one.recall:>6.3f}  {one.f1:>5.3f}")
    told = f"{found.rows} labels, {found.unsafe} of them unsafe, after {found.silver} silver labels"
    return "\n".join([*lines, "", f"{told}; split {apart}"]) + "\n"

"""`groundrules score-models`: which model's extracted values are safe most often."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_llm, add_settings, print_usage, settings
from groundrules.cli.terminal import progress, refuse_inputs, write_as
from groundrules.cli.terminal import table as columns

if TYPE_CHECKING:
    from groundrules.evaluate.values import Score

_WIDEST = 40  # characters of a model's name


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "score-models",
        "Rank models by the share of the values they extracted that are safe: the passage is in "
        "the document and supports the value. Rows of JSON lines: model, document (a path "
        "relative to the file) or doc (the text), type, value, context; and human, what a person "
        "said of the value from 0 to 1, where one did.",
        (
            "groundrules score-models runs/*.jsonl",
            "groundrules score-models runs/*.jsonl --output-format json",
        ),
    )
    add = result.add_argument
    add("files", nargs="+", metavar="FILE", help="a .jsonl or .jsonl.gz file")
    add("-o", "--output", metavar="FILE", help="write the figures to a file")
    add_llm(result)
    add_format(result, "text", "json")
    add_settings(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.evaluate.values import read_runs, score_models
    from groundrules.llm.client import connect

    form = output_format(args)
    config = settings(args)
    refuse_inputs(args.output, (*args.files, args.config), config)
    rows, documents = read_runs(Path(name) for name in args.files)
    client = connect(config.llm)
    try:
        scores = score_models(
            rows,
            documents,
            config,
            client=client,
            progress=partial(progress, total=len(documents), label="scoring"),
        )
    finally:  # what was asked has cost, whatever came of it
        print_usage(client)
    write_as(
        form,
        lambda: [{**asdict(score), "broken": dict(score.broken)} for score in scores],
        lambda: table(scores),
        args.output,
    )
    return 0


def table(scores: Sequence[Score]) -> str:
    """Return the scores as text, with what the other values break."""
    head = ("model", "score", "95 %", "human", "changed", "values", "documents", "fails")
    return columns(
        head,
        (
            (
                one.model[:_WIDEST],
                f"{one.score:.3f}",
                "–" if one.low is None else f"{one.low:.3f} to {one.high:.3f}",
                "" if one.human is None else f"{one.human:.3f}",
                "–" if one.changed is None else f"{one.changed:.3f}",
                str(one.values),
                str(one.documents),
                ", ".join(f"{rule} {count}" for rule, count in one.broken),
            )
            for one in scores
        ),
    )

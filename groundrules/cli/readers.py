"""`groundrules readers`: which reader of meaning, where it runs, what it costs, how good it was."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.terminal import write_as
from groundrules.models.choices import CHOICES, COMMAND, SET


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "readers",
        "List the readers of meaning: where each runs, what it costs, how good it was.",
        ("groundrules readers", "groundrules readers --output-format json"),
    )
    add_format(result, "text", "json")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    write_as(output_format(args), lambda: [asdict(one) for one in CHOICES], _text)
    return 0


def _text() -> str:
    lines = []
    for one in CHOICES:
        told = {
            "reader": one.name,
            "texts go": one.where,
            "can": one.can,
            "tokens of 1,000 statements": one.tokens or "none",
            "measured": one.measured or "not: none was at hand",
        }
        lines.append(f"{one.have}: {one.take.replace('`', '')}")
        lines += [f"  {name:<28}{value}" for name, value in told.items() if value]
        lines.append("")
    lines += [
        "Measured are, of true statements, those found supported, and of wrong ones those passed",
        f"as supported and those with an error, on {SET}: {COMMAND}.",
        "Measure your own: groundrules eval FILE --reader NAME --license OUT",
    ]
    return "\n".join(lines) + "\n"

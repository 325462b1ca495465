"""`groundrules eval`: how good the verdicts are on labelled data."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from groundrules.cli.options import Parser, add_format, output_format, positive
from groundrules.cli.settings import add_readers, add_settings, settings
from groundrules.cli.terminal import encode, progress, refuse_inputs, write_as

#: What only JSON tells of a part of the rows.
_LEFT_OUT = ("ci", "confusion")


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "eval",
        "Measure the verdicts on labelled data: JSON Lines with doc (or context), claim and label, "
        "or with doc and answer, a list of objects with s and label; they are checked as whole "
        "texts and measured by sentence. Claims with label3 (Entailment, Contradiction, "
        "NotMentioned) are also judged three ways. With --kb: rows with text and label, judged by "
        "a knowledge base; label is 0 or 1, or an outcome by name.",
        (
            "groundrules eval contract_qa.jsonl.gz --by error",
            "groundrules eval contract_nli.jsonl.gz --by label3",
            "groundrules eval rows.jsonl --limit 200 --seed 1 --output-format json",
            "groundrules eval answers.jsonl --no-reader",
            "groundrules eval codex_claims.jsonl.gz --kb STORE",
        ),
    )
    add = result.add_argument
    add("file", metavar="FILE", help="a .jsonl or .jsonl.gz file")
    add("--kb", action="append", metavar="KB",
        help="judge by a knowledge base: wikidata, endpoint, RDF file or store")  # fmt: skip
    add(
        "--by",
        metavar="FIELD",
        help="break the figures down by a field of the rows; a "
        "value of one label is set beside the rows of the other without one",
    )
    add("--limit", type=positive, metavar="N", help="take a sample of about N rows, by document")
    add("--seed", type=int, default=0, metavar="S", help="the seed of the sample (default 0)")
    add("--model", metavar="NAME", help="another spaCy pipeline, such as en_core_web_lg")
    add("--no-cache", action="store_true", help="read and write no cache")
    add("-o", "--output", metavar="FILE", help="write the figures to a file")
    add_format(result, "text", "json")
    add_settings(result)
    add_readers(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    form = output_format(args)
    config = settings(args)
    refuse_inputs(args.output, (args.file, args.config), config)
    options: dict[str, Any] = {
        "config": config,
        "by": args.by,
        "limit": args.limit,
        "seed": args.seed,
        "progress": lambda rows, total: progress(rows, total=total, label="evaluating"),
    }
    found: Any
    if args.kb:
        from groundrules.evaluate import kb

        found = kb.evaluate(args.file, now=datetime.now(UTC), **options)
    else:
        from groundrules.evaluate import documents, licences

        licences.refuse_own_data(args.file, config)
        found = documents.evaluate(args.file, **options)
    write_as(form, lambda: found, lambda: render(encode(found)), args.output)
    return 0


def render(data: Mapping[str, Any]) -> str:
    """Return figures as text under the names that JSON has: each with its interval, then tables."""
    intervals = data.get("ci") or {}
    lines, tables = [], []
    for name, value in data.items():
        if isinstance(value, Mapping) and name != "ci":
            tables += _part(name, value)
        elif name != "ci":
            ends = " to ".join(map(_figure, intervals.get(name, ())))
            line = f"{_words(name):<32}{_figure(value):>9}" + (f"   {ends}" if ends else "")
            lines.append(line.rstrip())
    return "\n".join(lines + tables) + "\n"


def _part(name: str, part: Mapping[str, Any]) -> list[str]:
    """Return the lines of figures that belong together: one line, or a table of those alike."""
    rows = {key: value for key, value in part.items() if isinstance(value, Mapping)}
    alone = {key: value for key, value in part.items() if not isinstance(value, Mapping)}
    told = ", ".join(f"{_words(key)} {_figure(value)}" for key, value in alone.items())
    lines = ["", f"{_words(name)}: {told}"] if told else []
    cells = {
        key: {one: value for one, value in row.items() if not isinstance(value, Mapping)}
        for key, row in rows.items()
    }
    cells = {key: row for key, row in cells.items() if row}
    heads = list(dict.fromkeys(one for row in cells.values() for one in row))
    table = (
        {_words(name): dict(zip(heads, map(_words, heads), strict=True)), **cells} if heads else {}
    )
    drawn = {key: [_figure(row.get(one, 0)) for one in heads] for key, row in table.items()}
    widths = [max(9, *map(len, column)) for column in zip(*drawn.values(), strict=True)]
    left = max(map(len, drawn), default=0)
    lines += [""] if drawn else []
    for key, figures in drawn.items():
        told = "".join(f"  {one:>{width}}" for one, width in zip(figures, widths, strict=True))
        lines.append(f"{key:<{left}}{told}")
    for key, row in rows.items():
        deeper = {inner: one for inner, one in row.items() if isinstance(one, Mapping)}
        if key not in cells:
            lines += _part(key, deeper)
        for inner, one in deeper.items() if key in cells else ():
            lines += _part(f"{key}, {inner}", one) if inner not in _LEFT_OUT else []
    return lines


def _words(name: str) -> str:
    return name.replace("_", " ")


def _figure(value: object) -> str:
    if value is None:
        return "undefined"
    return f"{value:.3f}" if isinstance(value, float) else str(value)

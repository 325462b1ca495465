"""`groundrules extract`: a record by a schema, and only what of it has its evidence in the text."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_llm, add_settings, settings
from groundrules.cli.terminal import columns, refuse_inputs, wants_color, write
from groundrules.explain import formats

if TYPE_CHECKING:
    from groundrules.checks.values import Record

#: The safe record; the others are forms of the report.
_RECORD = "record"


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "extract",
        "Extract values to a schema with a language model, each with the passage it was copied "
        "from. Values whose passage is not in the document, or does not have or support them, are "
        "rejected: the safe record goes to stdout, what was rejected and why to stderr.",
        (
            "groundrules extract lease.pdf --schema lease.json --llm http://127.0.0.1:8000/v1",
            "groundrules extract lease.txt annex.docx --schema lease.json --llm MODEL",
            "groundrules extract lease.txt --schema lease.json --answers recorded.jsonl",
        ),
    )
    add = result.add_argument
    add("files", nargs="+", metavar="FILE", help="a document; - is stdin")
    add("--schema", required=True, metavar="FILE", help="a JSON Schema")
    add_llm(result)
    add("--scorer", metavar="NAME",
        help="what judges how far a passage carries a value: embedded, a folder, a hub name of a "
             "CrossEncoder, or llm (default embedded)")  # fmt: skip
    add("--answers", metavar="FILE", help="recorded answers, asked in place of a model")
    add("-o", "--output", metavar="FILE", help="write the result to a file")
    add_format(result, _RECORD, *formats.names())
    add_settings(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if a value was rejected, 2 if not all could be asked."""
    from groundrules import api
    from groundrules.claims.documents import document
    from groundrules.explain.formats import text
    from groundrules.llm.client import Client

    form = output_format(args)
    config = settings(args)
    refuse_inputs(args.output, (*args.files, args.schema, args.answers, args.config), config)
    documents = [document.read(name) for name in args.files]
    client = Client(config.llm, answers=Path(args.answers)) if args.answers else None
    record = api.extract(documents, Path(args.schema), config=config, client=client)
    write(_render(record, form, to_file=args.output is not None), args.output)
    if form == _RECORD:
        look = formats.Look(columns=columns(sys.stderr))
        sys.stderr.write(text.render([record.report], look))
    return record.exit_code


def _render(record: Record, form: str, *, to_file: bool) -> str:
    if form == _RECORD:
        return json.dumps(record.safe, ensure_ascii=False, indent=2) + "\n"
    look = formats.Look(
        color=not to_file and wants_color("auto", sys.stdout),
        columns=None if to_file else columns(sys.stdout),
    )
    return formats.load(form)([record.report], look)

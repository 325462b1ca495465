"""`groundrules index`: read documents once, to check texts against them often."""

from __future__ import annotations

import argparse
from pathlib import Path

from groundrules.cli.options import Parser


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "index",
        "Read documents once and keep what was read in a folder, which --context takes in their "
        "place. The verdicts are the same.",
        (
            "groundrules index contracts/*.pdf -o contracts.index",
            "groundrules check answer.txt --context contracts.index",
        ),
    )
    add = result.add_argument
    add("files", nargs="+", metavar="FILE", help="a document: txt, md, html, pdf, docx")
    add("-o", "--output", metavar="DIR", required=True,
        help="the folder, which is new, empty or such an index")  # fmt: skip
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.claims.facts.corpus import write_corpus

    found = write_corpus([Path(name) for name in args.files], Path(args.output))
    words = sum(len(document.text.split()) for document in found)
    documents = "1 document" if len(found) == 1 else f"{len(found):,} documents"
    print(f"{args.output}: {documents}, {words:,} words")
    return 0

"""`groundrules lsp`: findings in an editor while one writes."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import redirect_stdout

from groundrules.cli.options import Parser


def parser() -> Parser:
    """Return the parser of the command."""
    return Parser(
        "lsp",
        "Serve an editor by the Language Server Protocol, over stdin and stdout. What texts are "
        "checked against is in the table `context` of the nearest config file.",
        ("groundrules lsp",),
    )


def run(args: argparse.Namespace) -> int:
    """Run the command until the editor goes away."""
    from groundrules.lsp import Server

    # the server closes what it has written to, and nothing else may be printed there
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out, redirect_stdout(sys.stderr):
        Server().start_io(sys.stdin.buffer, out)
    return 0

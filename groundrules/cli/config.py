"""`groundrules config`: the settings in force."""

from __future__ import annotations

import argparse
import json

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_settings, settings
from groundrules.cli.terminal import write


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "config",
        "Show the settings in force.",
        ("groundrules config", "groundrules config --show-source"),
    )
    result.add_argument("--show-source", action="store_true", help="show where each comes from")
    add_format(result, "text", "json")
    add_settings(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    form = output_format(args)
    rows = [
        (key, list(value) if isinstance(value, tuple) else value, origin)
        for key, value, origin in settings(args).values()
    ]
    if form == "json":
        data = {key: {"value": value, "source": origin} for key, value, origin in rows}
        write(json.dumps(data, ensure_ascii=False, indent=2) + "\n", None)
        return 0
    # JSON strings, numbers, booleans and arrays of strings are TOML too.
    lines = [
        (f"{key} = {json.dumps(value, ensure_ascii=False)}", origin) for key, value, origin in rows
    ]
    width = max(len(line) for line, _ in lines)
    for line, origin in lines:
        write(f"{line:<{width}}  # {origin}\n" if args.show_source else f"{line}\n", None)
    return 0

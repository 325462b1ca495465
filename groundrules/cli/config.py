"""`groundrules config`: the settings in force."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_settings, settings
from groundrules.cli.terminal import write_as


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "config",
        "Show the settings in force, each with where it comes from.",
        ("groundrules config", "groundrules config --output-format json"),
    )
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
    write_as(
        form,
        lambda: {key: {"value": value, "source": origin} for key, value, origin in rows},
        lambda: _lines(rows),
    )
    return 0


def _lines(rows: Sequence[tuple[str, object, str]]) -> str:
    lines = [(f"{key} = {_toml(value)}", origin) for key, value, origin in rows]
    width = max(len(line) for line, _ in lines)
    return "".join(f"{line:<{width}}  # {origin}\n" for line, origin in lines)


def _toml(value: object) -> str:
    """Return a value as TOML, which JSON is but for objects."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_toml(key)} = {_toml(one)}' for key, one in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)

"""`groundrules rules`: the rules of the packs in force."""

from __future__ import annotations

import argparse
import json

from groundrules.cli.docs import kind
from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.rule import encode
from groundrules.cli.settings import add_settings, every_pack, rules, settings
from groundrules.cli.terminal import write


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "rules",
        "List the rules.",
        ("groundrules rules", "groundrules rules --pack values --output-format json"),
    )
    result.add_argument(
        "--pack", action="append", metavar="PACK", help="only this pack; may be given several times"
    )
    add_format(result, "text", "json")
    add_settings(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from dataclasses import replace

    form = output_format(args)
    config = settings(args)
    found = rules(replace(config, packs=tuple(args.pack)) if args.pack else every_pack(config))
    if form == "json":
        write(json.dumps([encode(one) for one in found], ensure_ascii=False, indent=2) + "\n", None)
        return 0
    width = max((len(one.name) for one in found), default=0)
    column = max((len(kind(one)) for one in found), default=0)
    for one in found:
        status = "" if one.status == "stable" else f" ({one.status})"
        write(
            f"{one.id}  {one.name:<{width}}  {kind(one):<{column}}  {one.summary}{status}\n", None
        )
    return 0

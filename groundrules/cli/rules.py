"""`groundrules rules`: the rules of the packs in force."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.rule import kind
from groundrules.cli.settings import add_settings, every_pack, rules, settings
from groundrules.cli.terminal import write_as
from groundrules.explain.rulejson import encode
from groundrules.rules.rule import Rule


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
    write_as(form, lambda: [encode(one) for one in found], lambda: _table(found))
    return 0


def _table(found: Sequence[Rule]) -> str:
    width = max((len(one.name) for one in found), default=0)
    column = max((len(kind(one)) for one in found), default=0)
    return "".join(
        f"{one.id}  {one.name:<{width}}  {kind(one):<{column}}  {one.summary}"
        f"{'' if one.status == 'stable' else f' ({one.status})'}\n"
        for one in found
    )

"""`groundrules rule`: the page of a rule."""

from __future__ import annotations

import argparse
import re

from groundrules.cli import docs
from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_settings, every_pack, packs, settings
from groundrules.cli.terminal import write_as
from groundrules.config import Config
from groundrules.explain.rulejson import encode
from groundrules.files import read_whole
from groundrules.rules.packs import find_pack, find_rule
from groundrules.rules.rule import Rule, load_rule


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "rule",
        "Explain a rule: the fault, why it matters, the query, the edit and the tests.",
        ("groundrules rule GR201", "groundrules rule object-conflict --output-format json"),
    )
    result.add_argument("rule", metavar="RULE", help="the id or the name of a rule")
    add_format(result, "text", "json")
    add_settings(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    form = output_format(args)
    config = every_pack(settings(args))
    found = _at_once(args.rule, config) or find_rule(args.rule, packs(config))
    write_as(form, lambda: encode(found), lambda: docs.page(found))
    return 0


def _at_once(word: str, config: Config) -> Rule | None:
    """Return the rule of that id or name without reading the others, None if it takes a search."""
    mark = re.compile(rf"""^id\s*=\s*["']{re.escape(word.upper())}["']""", re.MULTILINE)
    for pack in config.packs:
        for path in sorted(find_pack(pack, config.base).glob("*.toml")):
            text = read_whole(path).decode("utf-8", "replace")
            if path.stem == word.lower() or mark.search(text):
                return load_rule(path)
    return None

"""`groundrules ontology`: the two things that are done with one, each a command of its own."""

from __future__ import annotations

import argparse

from groundrules.cli.options import Parser, one_of
from groundrules.errors import ConfigError

#: main.py finds cli/ontology/check.py and read.py.
_ACTIONS = ("check", "read")


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "ontology",
        "Check an ontology, or show what of a text is read in its terms.",
        (
            "groundrules ontology check house.ttl",
            "groundrules ontology read answer.txt --ontology house.ttl",
        ),
    )
    result.add_argument(
        "action",
        type=one_of(*_ACTIONS),
        metavar="|".join(_ACTIONS),
        help="what to do; see `groundrules ontology check --help` and `groundrules ontology read "
        "--help`",
    )
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command, which has said what to do behind its options."""
    told = f"{args.action} comes before its options: groundrules ontology {args.action} FILE"
    raise ConfigError(told)

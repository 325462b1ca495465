"""`groundrules push`: load a store of results into a SPARQL server."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from groundrules.cli.options import Parser
from groundrules.errors import ConfigError

_USER, _PASSWORD = "GROUNDRULES_PUSH_USER", "GROUNDRULES_PUSH_PASSWORD"


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "push",
        "Load a store of results into a SPARQL server, by SPARQL 1.1 Update. The graph of each "
        "report takes the place of the one that the server has. A user and password come from "
        f"${_USER} and ${_PASSWORD} alone; http:// is for this machine.",
        (
            "groundrules push http://127.0.0.1:7878/update --store results/",
            "groundrules push https://kb.example.org/sparql --store results/",
        ),
    )
    add = result.add_argument
    add("url", metavar="URL", help="where the server takes updates: https://…/sparql")
    add("--store", metavar="DIR", required=True,
        help="a folder that `groundrules audit --store` wrote")  # fmt: skip
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.audit.push import push

    user, password = os.environ.get(_USER), os.environ.get(_PASSWORD)
    if (user is None) != (password is None):
        raise ConfigError(f"expected both ${_USER} and ${_PASSWORD}, or none", path="push")
    login = (user, password) if user is not None and password is not None else None
    graphs, triples = push(Path(args.store), args.url, login=login)
    print(f"{args.url}: {graphs:,} graphs, {triples:,} triples")
    return 0

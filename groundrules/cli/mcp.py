"""`groundrules mcp`: the checks as tools of an agent, over stdio or HTTP."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from groundrules.cli.options import Parser
from groundrules.cli.serve import add_serving, named, refuse_idle_totals, short
from groundrules.cli.settings import CACHE, settings
from groundrules.errors import ConfigError

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from groundrules.llm.budget import Totals

_MIB = 2**20


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "mcp",
        "Serve check_claims, explain_rule and lookup_statements to an agent by the Model Context "
        "Protocol: over stdin and stdout, or over HTTP. A client names no file and no URL: of "
        "knowledge bases it may ask those that are named here.",
        (
            "groundrules mcp",
            "groundrules mcp --kb wikidata --kb court=records/ --ontology legal",
            "groundrules mcp --http 127.0.0.1:8090",
        ),
    )
    add = result.add_argument
    add("--http", metavar="[HOST:]PORT",
        help="streamable HTTP at /mcp instead of stdio; the host is 127.0.0.1 by default, another "
             "needs keys")  # fmt: skip
    add("--ontology", metavar="NAME|FILE", help="an ontology that claims must obey")
    add_serving(result, "call", 60.0)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command until the client goes away or it is told to end."""
    from groundrules.checks.plan import make_plan
    from groundrules.claims.documents.document import Document
    from groundrules.integrations import mcpserver
    from groundrules.integrations.tools import Offer
    from groundrules.llm.budget import Totals
    from groundrules.service.access import read_keys

    named_here = named(args.kb)
    args.kb = list(named_here.values()) or None
    config = settings(args)
    refuse_idle_totals(args, config)
    names = list(named_here) or [short(spec) for spec in config.kb]
    kbs = {
        name: replace(config, kb=(spec,)).bases[0]
        for name, spec in zip(names, config.kb, strict=True)
    }
    os.environ.setdefault(CACHE, "off")  # what is kept there are texts of clients
    keys = read_keys(args.keys)
    with ExitStack() as stack:
        totals = None
        if config.asks:
            folder = stack.enter_context(TemporaryDirectory(prefix="groundrules-"))
            spent = Path(folder, "tokens.json")
            totals = Totals(spent, args.max_tokens_hour, args.max_tokens_day)
        offer = Offer(config, kbs, totals, args.seconds)
        if config.readers:
            make_plan(Document("trial", "A trial."), [], config, bare=True)  # a fault is told now
        server = mcpserver.make_server(offer, seconds=args.seconds, memory=args.memory * _MIB)
        return _serve(args, server, keys, totals)


def _serve(
    args: argparse.Namespace, server: MCPServer[Any], keys: Sequence[str], totals: Totals | None
) -> int:
    from groundrules.integrations import mcpserver
    from groundrules.service.access import listen

    if not args.http:
        server.run("stdio")
        return 0
    host, port = _address(args.http)
    with listen(host, port, keys) as listening:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}{mcpserver.PATH}"
        listening.listen()  # who reads the address may ask at once
        print(address, file=sys.stderr, flush=True)
        mcpserver.serve_http(mcpserver.http_app(server, host, keys, totals), listening)
    return 0


def _address(given: str) -> tuple[str, int]:
    host, _, port = given.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise ConfigError(f"--http {given!r} is no address; expected HOST:PORT", path="mcp")
    return host.strip("[]") or "127.0.0.1", int(port)

"""`groundrules kb show`: what is stated around a thing."""

from __future__ import annotations

import argparse

from groundrules.cli.kb import stores
from groundrules.cli.kb.near import encode_neighbourhood
from groundrules.cli.options import Parser, add_format, names, output_format, positive
from groundrules.cli.settings import add_settings
from groundrules.cli.terminal import write_as
from groundrules.errors import ConfigError, SourceError


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "kb show",
        "Show what is stated around a thing.",
        (
            "groundrules kb show 9,123,456 --kb records/",
            "groundrules kb show Q42 --kb wikidata --hops 2",
            "groundrules kb show 14/897,520 --kb records/ --relations ^lx:partOf,lx:hasInventor",
        ),
    )
    add = result.add_argument
    add("things", nargs="+", metavar="ID", help="an IRI, an id of Wikidata, a number or a name")
    add("--kb", dest="source", metavar="KB",
        help="wikidata, the URL of an endpoint, an RDF file, a folder or a store")  # fmt: skip
    add("--hops", type=int, choices=range(4), default=1, metavar="N",
        help="how far (0 to 3, default 1)")  # fmt: skip
    add("--budget", dest="most_tokens", type=positive, default=20_000, metavar="TOKENS",
        help="how much of it (default 20000)")  # fmt: skip
    add("--relations", type=names, default=None, metavar="LIST",
        help="follow these alone: IRIs, or names like lx:cites; ^ is the way back")  # fmt: skip
    add("--offline", metavar="SNAPSHOT|cache",
        help="ask no endpoint; a snapshot or the cache answers")  # fmt: skip
    add_settings(result)
    add_format(result, "text", "json")
    result.set_defaults(action="show")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.kb.search.neighbourhood import check_answered, find, neighbourhood
    from groundrules.kb.search.texts import expand

    form = output_format(args)
    try:
        relations = None if args.relations is None else [expand(one) for one in args.relations]
    except ValueError as error:
        raise ConfigError(f"--relations: {error}", path="kb show") from None
    connection, name = stores.connect_first(args)
    seeds = [find(connection, thing, name) for thing in args.things]
    found = neighbourhood(
        connection.source,
        connection.graph,
        seeds,
        hops=args.hops,
        budget=args.most_tokens,
        relations=relations,
    )
    check_answered(found, name)
    if not found.statements:
        raise SourceError(f"nothing is stated of {', '.join(seeds)}", path=name)
    write_as(
        form,
        lambda: {"schema": 1, "neighbourhood": encode_neighbourhood(found)},
        lambda: found.text() + "".join(f"(not read: {one.text})\n" for one in found.many),
    )
    return 0

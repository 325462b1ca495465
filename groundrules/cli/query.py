"""`groundrules query`: ask a store of results by SPARQL."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundrules.cli.options import Parser, add_format, output_format, positive
from groundrules.cli.terminal import table, write
from groundrules.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from rdflib.term import Node

    from groundrules.dataset import Result

_MOST_BYTES = 1 << 20  # of a file with a query


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "query",
        "Ask a store of results by SPARQL: SELECT, ASK, CONSTRUCT or DESCRIBE. What a report says "
        "is in a graph of its own: GRAPH ?report { … }. Nothing is changed and nothing fetched.",
        (
            "groundrules query --list",
            "groundrules query unchecked-statements --store results/",
            "groundrules query mine.rq --store results/ --output-format csv",
            "groundrules query --verify --store results/",
            "groundrules query 'SELECT ?text { GRAPH ?report { ?statement schema:text ?text } }' "
            "--store results/",
        ),
    )
    add = result.add_argument
    add("query", nargs="?", metavar="QUERY|NAME|FILE.rq",
        help="a query, the name of one that ships, or a file")  # fmt: skip
    add("--list", action="store_true", help="list the queries that ship")
    add("--verify", action="store_true",
        help="say whether the store is as it was written, every byte of it")  # fmt: skip
    add("--store", metavar="DIR", help="a folder that `groundrules audit --store` wrote")
    add("--most", type=positive, metavar="N", help="how many rows (default 10000)")
    add_format(result, "text", "json", "csv", "tsv")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; with `--verify` return 1 if the store was changed."""
    from groundrules.audit import store

    form = output_format(args)
    if args.verify:
        return _verify(args)
    if args.list:
        if args.query:
            raise ConfigError("--list goes without a query", path="query")
        _list(form)
        return 0
    if not args.query:
        raise ConfigError(
            "expected a query, the name of one (groundrules query --list) or a file", path="query"
        )
    text, path = _read(args.query)
    if not args.store:
        raise ConfigError("--store is missing; expected the folder of a store", path="query")
    most = args.most or store.MOST
    found = store.ask(Path(args.store), text, most=most, path=path)
    _show(found, form)
    if not found.whole:
        print(f"groundrules: there are more than {most:,} rows; --most reads more", file=sys.stderr)
    return 0


def _verify(args: argparse.Namespace) -> int:
    from groundrules.audit import store

    if args.query or args.list:
        raise ConfigError("--verify goes without a query", path="query")
    if not args.store:
        raise ConfigError("--store is missing; expected the folder of a store", path="query")
    digest, changed = store.verify(Path(args.store))
    for one in changed:
        print(f"{args.store}: {one}")
    print(f"{args.store}: {'not as it was written' if changed else f'ok, {digest}'}")
    return int(bool(changed))


def _read(query: str) -> tuple[str, str]:
    """Return the text of a query and the file it is in, empty where it was typed."""
    from groundrules.audit.store import named_queries
    from groundrules.files import read_bounded

    named = named_queries()
    if query in named:
        return named[query].text, f"{query}.rq"
    if not query.endswith(".rq"):
        if any(sign in query for sign in " \t\n{"):
            return query, ""
        near = did_you_mean(query, named)
        raise ConfigError(
            f"no query {query!r}; expected SPARQL, a file .rq or one of {', '.join(named)}{near}"
        )
    try:
        data = read_bounded(Path(query), _MOST_BYTES)
        if len(data) > _MOST_BYTES:
            raise ConfigError(f"more than {_MOST_BYTES:,} bytes", path=query)
        return data.decode("utf-8-sig"), query
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path=query) from None
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8", path=query) from None


def _list(form: str) -> None:
    from groundrules.audit.store import named_queries

    named = named_queries().values()
    if form == "json":
        rows = [{"name": one.name, "question": one.question, "query": one.text} for one in named]
        write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n", None)
    else:
        listed = [(one.name, one.question) for one in named]
        write(table(("query", "what it answers"), listed), None)


def _show(found: Result, form: str) -> None:
    if form == "json":
        write(json.dumps(encode(found), ensure_ascii=False, indent=2) + "\n", None)
    elif found.form == "ask":
        write(f"{'true' if found.yes else 'false'}\n", None)
    elif form == "text":
        rows = [[_shown(node) for node in row] for row in found.rows]
        if rows:
            write(table(found.columns, rows), None)
        else:
            write("nothing found\n", None)
    else:
        write(_csv(found) if form == "csv" else _tsv(found), None)


def encode(found: Result) -> dict[str, Any]:
    """Return an answer in the SPARQL 1.1 Query Results JSON Format."""
    from groundrules.explain.formats.json import encode_node

    if found.form == "ask":
        return {"head": {}, "boolean": found.yes}
    rows = [
        {
            name: encode_node(node)
            for name, node in zip(found.columns, row, strict=True)
            if node is not None
        }
        for row in found.rows
    ]
    return {"head": {"vars": list(found.columns)}, "results": {"bindings": rows}}


def _csv(found: Result) -> str:
    """Return rows in the SPARQL 1.1 CSV format, where a term is its value alone and no formula."""
    from groundrules.explain.place import cell

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(found.columns)
    writer.writerows([cell(_shown(node)) for node in row] for row in found.rows)
    return out.getvalue()


def _tsv(found: Result) -> str:
    """Return rows in the SPARQL 1.1 TSV format, where a term is as in Turtle."""
    from groundrules.dataset import as_text

    lines = [[f"?{name}" for name in found.columns]]
    lines += [["" if node is None else as_text(node) for node in row] for row in found.rows]
    return "".join("\t".join(line) + "\n" for line in lines)


def _shown(node: Node | None) -> str:
    return "" if node is None else str(node)

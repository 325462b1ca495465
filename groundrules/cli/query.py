"""`groundrules query`: ask a store of results by SPARQL."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundrules.cli.options import Parser, add_format, output_format, positive
from groundrules.cli.terminal import table, write, write_as
from groundrules.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from groundrules.dataset import Result

_MOST_BYTES = 1 << 20  # of a file with a query


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "query",
        "Ask a store of results by SPARQL: SELECT, ASK, CONSTRUCT or DESCRIBE; without QUERY, list "
        "the queries that ship. What a report says is in a graph of its own: GRAPH ?report { … }. "
        "Nothing is changed and nothing fetched.",
        (
            "groundrules query",
            "groundrules query unchecked-statements --store results/",
            "groundrules query mine.rq --store results/ --output-format csv",
            "groundrules query 'SELECT ?text { GRAPH ?report { ?statement schema:text ?text } }' "
            "--store results/",
        ),
    )
    add = result.add_argument
    add("query", nargs="?", metavar="QUERY|NAME|FILE.rq",
        help="a query, the name of one that ships, or a file")  # fmt: skip
    add("--store", metavar="DIR", help="a folder that `groundrules audit --store` wrote")
    add("--most", type=positive, metavar="N", default=10_000,
        help="how many rows (default 10000)")  # fmt: skip
    add_format(result, "text", "json", "csv")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.audit import store

    form = output_format(args)
    if not args.query:
        listed = [(one.name, one.question) for one in store.named_queries().values()]
        write(table(("query", "what it answers"), listed), None)
        return 0
    text, path = _read(args.query)
    if not args.store:
        raise ConfigError("--store is missing; expected the folder of a store", path="query")
    found = store.ask(Path(args.store), text, most=args.most, path=path)
    rows = [["" if node is None else str(node) for node in row] for row in found.rows]
    if form == "csv" and found.form != "ask":
        write(_csv([found.columns, *rows]), None)
    else:
        write_as(form, lambda: encode(found), lambda: _text(found, rows))
    if not found.whole:
        print(f"groundrules: there are more than {args.most:,} rows; --most reads more",
              file=sys.stderr)  # fmt: skip
    return 0


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


def _text(found: Result, rows: Sequence[Sequence[str]]) -> str:
    if found.form == "ask":
        return f"{'true' if found.yes else 'false'}\n"
    return table(found.columns, rows) if rows else "nothing found\n"


def encode(found: Result) -> dict[str, Any]:
    """Return an answer in the SPARQL 1.1 Query Results JSON Format."""
    from groundrules.explain.formats.json import encode_node

    if found.form == "ask":
        return {"head": {}, "boolean": found.yes}
    named = (zip(found.columns, row, strict=True) for row in found.rows)
    rows = [{name: encode_node(node) for name, node in row if node is not None} for row in named]
    return {"head": {"vars": list(found.columns)}, "results": {"bindings": rows}}


def _csv(rows: Sequence[Sequence[str]]) -> str:
    """Return rows in the SPARQL 1.1 CSV format, where a term is its value alone and no formula."""
    from groundrules.explain.place import cell

    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([map(cell, row) for row in rows])
    return out.getvalue()

"""`groundrules kb check`: the records of a store before the rules of an ontology."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundrules import domain
from groundrules.cli.options import Parser, add_format, names, output_format
from groundrules.cli.terminal import progress_bar, write

if TYPE_CHECKING:
    from groundrules.checks.store import Finding


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "kb check",
        "Check that the records of a store agree with themselves and with an ontology.",
        (
            "groundrules kb check records/",
            "groundrules kb check records/ --select LAW05 --output-format json",
            "groundrules kb check facts.ttl --ontology house.ttl",
        ),
    )
    add = result.add_argument
    add("store", metavar="STORE|FILE", help="a store that kb build made, an RDF file or a folder")
    add("--ontology", default=domain.built_in(), metavar="NAME|FILE",
        help="the ontology: that of a domain or a file (default %(default)s)")  # fmt: skip
    add("--select", type=names, default=(), metavar="LIST",
        help="only the rules whose ids begin so")  # fmt: skip
    add("--ignore", type=names, default=(), metavar="LIST",
        help="not the rules whose ids begin so")  # fmt: skip
    add_format(result, "text", "json")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if a record has an error."""
    from groundrules.checks.store import check_records
    from groundrules.kb.triplestore import open_graph
    from groundrules.ontology.load import load
    from groundrules.rules.packs import load_pack

    form = output_format(args)
    ontology = load(args.ontology)
    rules = [
        rule
        for pack in ("owl", domain.load(ontology.domain or domain.built_in()).pack)
        if pack
        for rule in load_pack(pack).rules
        if (not args.select or rule.id.startswith(tuple(args.select)))
        and not (args.ignore and rule.id.startswith(tuple(args.ignore)))
    ]
    store = open_graph(Path(args.store)).store
    count = 0
    found: list[Finding] = []
    with progress_bar() as progress:
        for _, findings in check_records(store, ontology, rules):
            count += 1
            found += findings
            progress("check", count, count)
    severities = Counter(one.violation.severity.value for one in found)
    if form == "json":
        data = {"schema": 1, "records": count, "findings": [_encode(one) for one in found]}
        write(json.dumps(data, ensure_ascii=False, indent=2) + "\n", None)
    else:
        for one in found:
            write(_line(one) + "\n", None)
        parts = [f"{n} {name}{'' if n == 1 else 's'}" for name, n in severities.items()]
        write(f"{count:,} records: {', '.join(parts) or 'nothing found'}\n", None)
    return int(bool(severities["error"]))


def _line(one: Finding) -> str:
    violation = one.violation
    because = f": {violation.because}" if violation.because else ""
    place = "; ".join(one.places) or str(one.record)
    return " ".join(
        f"{place}: {violation.severity.value} {violation.rule} {violation.name}: "
        f"{violation.message}{because}".split()
    )


def _encode(one: Finding) -> dict[str, Any]:
    violation = one.violation
    return {
        "record": one.record,
        "places": list(one.places),
        "rule": violation.rule,
        "name": violation.name,
        "severity": violation.severity.value,
        "message": violation.message,
        "because": violation.because,
    }

"""`groundrules kb check`: the records of a store before the rules of an ontology."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundrules import domain
from groundrules.cli.options import Parser, add_format, names, output_format
from groundrules.cli.terminal import progress_bar, write_as
from groundrules.errors import ConfigError

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
    add("--ontology", default="", metavar="NAME|FILE",
        help="the ontology: that of a domain or a file (default: the domain whose terms the "
             "store uses)")  # fmt: skip
    add("--select", type=names, default=(), metavar="LIST",
        help="only the rules whose ids begin so")  # fmt: skip
    add("--ignore", type=names, default=(), metavar="LIST",
        help="not the rules whose ids begin so")  # fmt: skip
    add_format(result, "text", "json")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if a record has an error."""
    from groundrules.checks.store import check_records
    from groundrules.kb.records.formats import domain_of
    from groundrules.kb.sources.triplestore import open_graph
    from groundrules.ontology.load import load
    from groundrules.rules.packs import load_pack

    form = output_format(args)
    store = open_graph(Path(args.store)).store
    used = domain_of(store)
    if not (args.ontology or used):
        known = ", ".join(domain.names())
        raise ConfigError(
            f"has no term of a domain ({known}); expected --ontology NAME|FILE", path=args.store
        )
    ontology = load(args.ontology or used)
    judged_by = ontology.domain or used
    rules = [
        rule
        for pack in ("owl", domain.load(judged_by).pack if judged_by else "")
        if pack
        for rule in load_pack(pack).rules
        if (not args.select or rule.id.startswith(tuple(args.select)))
        and not (args.ignore and rule.id.startswith(tuple(args.ignore)))
    ]
    count = 0
    found: list[Finding] = []
    with progress_bar() as progress:
        for _, findings in check_records(store, ontology, rules):
            count += 1
            found += findings
            progress("check", count, count)
    severities = Counter(one.violation.severity.value for one in found)
    parts = [f"{n} {name}{'' if n == 1 else 's'}" for name, n in severities.items()]
    last = f"{count:,} records: {', '.join(parts) or 'nothing found'}\n"
    write_as(
        form,
        lambda: {"schema": 1, "records": count, "findings": [_encode(one) for one in found]},
        lambda: "".join(f"{_line(one)}\n" for one in found) + last,
    )
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

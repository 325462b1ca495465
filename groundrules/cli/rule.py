"""`groundrules rule`: the page of a rule."""

from __future__ import annotations

import argparse
import json
from typing import Any

from groundrules.cli import docs
from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_settings, packs, settings
from groundrules.cli.terminal import write
from groundrules.rules.packs import find_rule
from groundrules.rules.rule import Rule


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
    found = find_rule(args.rule, packs(settings(args)))
    if form == "json":
        write(json.dumps(encode(found), ensure_ascii=False, indent=2) + "\n", None)
    else:
        write(docs.page(found), None)
    return 0


def encode(found: Rule) -> dict[str, Any]:
    """Return a rule as JSON, the keys as in its file."""
    edit = found.edit
    return {
        "schema": 1,
        "id": found.id,
        "name": found.name,
        "summary": found.summary,
        "severity": found.severity.value if found.form == "select" else None,
        "status": found.status,
        "source": found.source,
        "why": found.why,
        "message": found.message,
        found.form: found.query,
        "params": dict(found.params),
        "metric": found.metric or None,
        "per": found.per or None,
        "supersedes": list(found.supersedes),
        "edit": edit
        and {
            "operations": docs.operations(edit, found.prefixes),
            "applicability": edit.applicability,
        },
        "tests": [test.name for test in found.tests],
        "path": found.path,
        "digest": found.digest,
    }

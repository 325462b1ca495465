"""`groundrules rule`: the page of a rule."""

from __future__ import annotations

import argparse
import json
import re
from typing import Any

from groundrules.cli import docs
from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_settings, every_pack, packs, settings
from groundrules.cli.terminal import write
from groundrules.config import Config
from groundrules.rules.packs import find_pack, find_rule
from groundrules.rules.rule import TRAITS, Rule, load_rule


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
    if form == "json":
        write(json.dumps(encode(found), ensure_ascii=False, indent=2) + "\n", None)
    else:
        write(docs.page(found), None)
    return 0


def _at_once(word: str, config: Config) -> Rule | None:
    """Return the rule of that id or name without reading the others, None if it takes a search."""
    mark = re.compile(rf"""^id\s*=\s*["']{re.escape(word.upper())}["']""", re.MULTILINE)
    for pack in config.packs:
        for path in sorted(find_pack(pack, config.base).glob("*.toml")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if path.stem == word.lower() or mark.search(text):
                return load_rule(path)
    return None


def encode(found: Rule) -> dict[str, Any]:
    """Return a rule as JSON, the keys as in its file."""
    edit = found.edit
    return {
        "schema": 1,
        "id": found.id,
        "name": found.name,
        "summary": found.summary,
        "severity": found.severity.value if found.finds_faults else None,
        "verdict": found.verdict,
        "status": found.status,
        "source": found.source,
        "why": found.why,
        "message": found.message,
        "denied": found.denied or None,
        found.form: found.query,
        **{key: getattr(found.traits, key) or None for key in TRAITS},
        "params": dict(found.params),
        "shared": dict(found.shared),
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

"""`groundrules rule`: the page of a rule, or a list of the rules."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_settings, every_pack, packs, rules, settings
from groundrules.cli.terminal import table, write_as
from groundrules.config import Config
from groundrules.explain.rulejson import encode, operations, pattern
from groundrules.files import read_whole
from groundrules.rules.packs import find_pack, find_rule
from groundrules.rules.rule import TRAITS, EditTemplate, Rule, RuleTest, load_rule
from groundrules.terms import Outcome

#: By rule and set of answers, how many wrong and how many true statements it accused.
Measured = Mapping[str, Mapping[str, Mapping[str, int]]]

_GIVEN = ("ontology", "context", "claims", "facts")


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "rule",
        "Explain a rule: the fault, why it matters, the query, the edit and the tests; without "
        "RULE, list the rules.",
        (
            "groundrules rule GR201",
            "groundrules rule object-conflict --output-format json",
            "groundrules rule",
        ),
    )
    result.add_argument("rule", nargs="?", metavar="RULE", help="the id or the name of a rule")
    add_format(result, "text", "json")
    add_settings(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    form = output_format(args)
    config = every_pack(settings(args))
    if args.rule is None:
        listed = rules(config)
        rows = [(one.id, one.name, kind(one), one.summary, one.status.replace("stable", ""))
                for one in listed]  # fmt: skip
        heads = ("rule", "name", "gives", "what is wrong", "status")
        write_as(form, lambda: [encode(one) for one in listed], lambda: table(heads, rows))
        return 0
    found = _at_once(args.rule, config) or find_rule(args.rule, packs(config))
    write_as(form, lambda: encode(found), lambda: page(found))
    return 0


def _at_once(word: str, config: Config) -> Rule | None:
    """Return the rule of that id or name without reading the others, None if it takes a search."""
    mark = re.compile(rf"""^id\s*=\s*["']{re.escape(word.upper())}["']""", re.MULTILINE)
    for pack in config.packs:
        for path in sorted(find_pack(pack, config.base).glob("*.toml")):
            text = read_whole(path).decode("utf-8", "replace")
            if path.stem == word.lower() or mark.search(text):
                return load_rule(path)
    return None


def page(rule: Rule, measured: Measured | None = None) -> str:
    """Return the page of a rule in Markdown: the fault, why, how precise, the query, the tests."""
    facts = [f"**{'derivation' if rule.form == 'construct' else kind(rule)}**"]
    facts += [f"verdict {_words(rule.verdict)}"] if rule.verdict else []
    facts += [f"metric {rule.metric}"] if rule.metric else []
    facts += [f"after {rule.source}"] if rule.source else []
    facts += [rule.status] if rule.status != "stable" else []
    traits = {key: getattr(rule.traits, key) for key in TRAITS}
    facts += [f"{key.replace('_', ' ')} {value}" for key, value in traits.items() if value]
    facts += [f"supersedes {', '.join(rule.supersedes)}"] if rule.supersedes else []
    parts = [f"# {rule.id} {rule.name}", f"{rule.summary}.", " · ".join(facts)]
    if rule.why:
        parts += ["## Why", rule.why.strip()]
    if found := (measured or {}).get(rule.id):
        parts += ["## Measured", _measured(found)]
    if rule.message:
        parts += ["## Message", f"    {rule.message}"]
    if rule.denied:
        parts += ["Of a claim that denies it, which it judges the other way:", f"    {rule.denied}"]
    parts += ["## Query", _fence("sparql", rule.query)]
    if rule.because or rule.axiom:
        axioms = [f"    {pattern(triple, rule.prefixes)}" for triple in rule.axiom]
        because = [f"    because {rule.because}"] if rule.because else []
        parts += ["## Reason", "\n".join([*because, *axioms])]
    if rule.params:
        defaults = {name: f"`{value}`" for name, value in rule.params.items()}
        rows = "\n".join(f"| `{name}` | {value} |" for name, value in defaults.items())
        parts += ["## Parameters", f"| name | default |\n|---|---|\n{rows}"]
    if rule.edit:
        parts += ["## Edit", _edit(rule.edit, rule.prefixes)]
    if rule.tests:
        parts += ["## Tests", *(_test(test) for test in rule.tests)]
    return "\n\n".join(parts) + "\n"


def kind(rule: Rule) -> str:
    """Return what a rule gives: a violation of its severity, a verdict without one, new facts."""
    if rule.form == "construct":
        return "derives"
    return _words(rule.verdict) if rule.verdict and not rule.finds_faults else rule.severity.value


def _words(outcome: Outcome) -> str:
    return "not checked" if outcome is Outcome.ERROR else outcome.value.replace("_", " ")


def _measured(found: Mapping[str, Mapping[str, int]]) -> str:
    lines = ["| answers | wrong statements | true statements | precision |", "|---|--:|--:|--:|"]
    for name, counts in found.items():
        wrong, true = counts["wrong"], counts["true"]
        lines.append(f"| {name} | {wrong} | {true} | {wrong / (wrong + true):.2f} |")
    note = "Statements that it gave an error or a warning, by `python -m benchmarks.prose`."
    return f"{note}\n\n" + "\n".join(lines)


def _fence(language: str, text: str) -> str:
    return f"```{language}\n{text.strip()}\n```"


def _edit(edit: EditTemplate, prefixes: Mapping[str, str]) -> str:
    lines = "\n".join(operations(edit, prefixes))
    return _fence("", lines) + f"\n\nApplicability: {edit.applicability}."


def _test(test: RuleTest) -> str:
    lines = [f"{key}: {getattr(test, key).strip()}" for key in _GIVEN if getattr(test, key)]
    if test.expect is not None:
        rows = "; ".join(
            ", ".join(f"{name} = {value}" for name, value in row.items()) for row in test.expect
        )
        lines.append(f"expect: {rows or 'nothing'}")
    if test.outcome is not None:
        lines.append(f"outcome: {_words(test.outcome)}")
    if test.metric is not None:
        lines.append(f"metric: {test.metric:g}")
    if test.fixed is not None:
        lines.append(f"fixed: {test.fixed.strip() or 'deleted'}")
    if test.derives is not None:
        lines.append(f"derives: {test.derives.strip()}")
    return f"**{test.name}**\n\n" + _fence("", "\n".join(lines))

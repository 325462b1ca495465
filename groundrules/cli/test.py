"""`groundrules test`: the tests that stand beside the rules, and in lexicons."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from groundrules.cli.options import Parser
from groundrules.cli.settings import add_settings, every_pack, rules, settings
from groundrules.cli.terminal import progress, write

if TYPE_CHECKING:
    from groundrules.config import Config


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "test",
        "Run the tests that stand beside the rules, and those of the lexicon of a domain's pack.",
        ("groundrules test", "groundrules test ./house-rules"),
    )
    result.add_argument("packs", nargs="*", metavar="PACK", help="a pack, by name or folder")
    add_settings(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if a test fails."""
    from groundrules.checks import testing

    config = settings(args)
    config = replace(config, packs=tuple(args.packs)) if args.packs else every_pack(config)
    found = rules(config)
    cases = list(testing.cases(found))
    failures = 0
    for rule, test in progress(cases, total=len(cases), label="testing"):
        for message in testing.run_test(rule, test):
            failures += 1
            write(f"{testing.Failure(rule, test, message)}\n", None)
    untested = [rule.id for rule in found if not rule.tests]
    if untested:
        write(f"without a test: {', '.join(untested)}\n", None)
    unread = _lexicons(config)
    noun = "failure" if failures == 1 else "failures"
    write(f"{len(cases)} tests of {len(found)} rules: {failures} {noun}\n", None)
    return int(bool(failures or unread))


def _lexicons(config: Config) -> int:
    """Run the tests of the lexicons of domains whose packs are tested; return how many fail."""
    from groundrules.domain import domains
    from groundrules.ontology.load import load
    from groundrules.ontology.read.control_texts import failing
    from groundrules.ontology.read.lexicon import read_lexicon

    failed = 0
    for name in (one.name for one in domains() if one.pack in config.packs):
        ontology = load(name)
        tests = read_lexicon(ontology).tests
        wrong = set()
        for example, at, told in failing(ontology):
            wrong.add(example)
            write(f"{ontology.lexicon}:{at}: {example.text}: {told}\n", None)
        failed += len(wrong)
        if tests:
            noun = "failure" if len(wrong) == 1 else "failures"
            write(f"{len(tests)} tests of the lexicon of {name}: {len(wrong)} {noun}\n", None)
    return failed

"""`groundrules test`: the tests that stand beside the rules."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from groundrules.cli.options import Parser
from groundrules.cli.settings import add_settings, every_pack, rules, settings
from groundrules.cli.terminal import progress, write

if TYPE_CHECKING:
    from groundrules.rules.rule import Rule


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "test",
        "Run the tests that stand beside the rules.",
        ("groundrules test", "groundrules test ./house-rules --profile"),
    )
    result.add_argument("packs", nargs="*", metavar="PACK", help="a pack, by name or folder")
    result.add_argument(
        "--profile", action="store_true", help="show the time of each rule on a standard dataset"
    )
    add_settings(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if a test fails or a rule slows down with the context."""
    from groundrules.checks import testing

    config = settings(args)
    found = rules(replace(config, packs=tuple(args.packs)) if args.packs else every_pack(config))
    cases = list(testing.cases(found))
    failures = 0
    for rule, test in progress(cases, total=len(cases), label="testing"):
        for message in testing.run_test(rule, test):
            failures += 1
            write(f"{testing.Failure(rule, test, message)}\n", None)
    slow = _profile(found) if args.profile else 0
    untested = [rule.id for rule in found if not rule.tests]
    if untested:
        write(f"without a test: {', '.join(untested)}\n", None)
    noun = "failure" if failures == 1 else "failures"
    write(f"{len(cases)} tests of {len(found)} rules: {failures} {noun}\n", None)
    return int(bool(failures or slow))


def _profile(found: list[Rule]) -> int:
    """Print the time of each rule; return how many grow with the context."""
    from groundrules.checks import testing

    timings = testing.profile(found)
    for timing in timings:
        grows = "  grows with the context" if timing.grows else ""
        write(f"{timing.rule}  {timing.small:8.1f} ms  {timing.large:8.1f} ms{grows}\n", None)
    return sum(timing.grows for timing in timings)

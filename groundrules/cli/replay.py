"""`groundrules replay`: logged texts checked again, from nothing but what was kept of them."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.terminal import refuse_inputs, write
from groundrules.config import Config
from groundrules.errors import ConfigError, SourceError
from groundrules.explain import formats

if TYPE_CHECKING:
    from groundrules.terms import Logged, Report


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "replay",
        "Check logged texts again without network or language model, and say what differs.",
        (
            "groundrules replay audit.log",
            "groundrules replay audit.log --text answer.txt",
            "groundrules replay audit.log --output-format html -o report.html",
            "groundrules check answer.txt --context lease.txt --log audit.log",
        ),
    )
    add = result.add_argument
    add("log", metavar="LOG", help="an audit log, with what was kept beside it")
    add("--run", default="", metavar="ID", help="only the texts of this run")
    add("--text", default="", metavar="NAME", help="only this text")
    add_format(result, *formats.names())
    add("-o", "--output", metavar="FILE",
        help="write the reports that came out, which say whether they are those that were logged"
        )  # fmt: skip
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if a report differs, 2 if one could not be made again."""
    from groundrules.audit.rerun import replay
    from groundrules.explain.place import printable

    log, form = Path(args.log), output_format(args)
    if args.output_format and not args.output:
        raise ConfigError("--output-format needs -o: stdout says what is identical", path="replay")
    refuse_inputs(args.output, [args.log], Config())
    stands = _stands(log) if args.output else None
    found = []
    reports: list[Report] = []
    for one in replay(log, run=args.run, text=args.text):
        said = {True: "identical", False: "differs", None: "could not be replayed"}[one.same]
        print(printable(f"{one.text}: {said}"), flush=True)
        for why in one.why:
            print(printable(f"  {why}"))
        found.append(one.same)
        if stands and one.report:
            reports.append(replace(one.report, logged=replace(stands, replayed=one.same)))
    if reports:
        write(formats.load(form)(reports, formats.Look(log=str(log))), args.output)
    same = found.count(True)
    print(f"{same} of {len(found)} identical")
    if None in found:
        return 2
    return int(False in found)


def _stands(path: Path) -> Logged:
    """Return how a log stands; SourceError where it is not as it was written."""
    from groundrules.audit.log import verify
    from groundrules.terms import Logged

    chain = verify(path)
    if chain.line:
        raise SourceError(chain.why, path=str(path), line=chain.line)
    signed = chain.keys and chain.signed == chain.events
    return Logged(path.name, chain.head, next(reversed(chain.keys)) if signed else "")

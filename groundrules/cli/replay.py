"""`groundrules replay`: logged texts checked again, from nothing but what was kept of them."""

from __future__ import annotations

import argparse
from pathlib import Path

from groundrules.cli.options import Parser


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "replay",
        "Check logged texts again without network or language model, and say what differs.",
        (
            "groundrules replay audit.log",
            "groundrules replay audit.log --text answer.txt",
            "groundrules check answer.txt --context lease.txt --log audit.log",
        ),
    )
    add = result.add_argument
    add("log", metavar="LOG", help="an audit log, with what was kept beside it")
    add("--run", default="", metavar="ID", help="only the texts of this run")
    add("--text", default="", metavar="NAME", help="only this text")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if a report differs, 2 if one could not be made again."""
    from groundrules.audit.rerun import replay
    from groundrules.explain.place import printable

    found = []
    for one in replay(Path(args.log), run=args.run, text=args.text):
        said = {True: "identical", False: "differs", None: "could not be replayed"}[one.same]
        print(printable(f"{one.text}: {said}"), flush=True)
        for why in one.why:
            print(printable(f"  {why}"))
        found.append(one.same)
    same = found.count(True)
    print(f"{same} of {len(found)} identical")
    if None in found:
        return 2
    return int(False in found)

"""What each rule, finder, derivation, model, module of `align` and reader of `claims` is worth.

    python -m benchmarks.ablate [--data ../shared/data] [--only SET] [--kinds rule,finder]
                                [--kept build/lock] [--known] [--processes 2]
                                [--json FILE] [--write docs/quality.md]

Each text of the lock (`benchmarks/lock`) is checked with every function of `align` watched that may
find nothing, and once more without each target that found something in it: a rule, a function with
one in its place that finds nothing, a model with a plain figure. What found nothing in a text can
change nothing there. Verdicts that change are counted right or wrong by the labels.

Of the contracts one text in eight is taken. A module that finds something in a larger share of the
texts than `--often` is tried on one text in six; of other functions than finders and derivations
those are tried that find something more seldom and would take some lines with them, and of the
readers of sentences in `claims`, for which no contract is read. What was found is kept by a digest
of the code, so that a run that is stopped goes on where it was; `--known` tries nothing more and
tells what was found so far, texts in an order that has no meaning.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path

from benchmarks.ablate.names import saved
from benchmarks.ablate.run import SUPERSEDING, read, run
from benchmarks.ablate.table import Worth, page, worths
from benchmarks.ablate.targets import MODELS, Target, functions, is_effective, kind_of, modules
from benchmarks.lock.sets import SETS, Unit, read_sets
from benchmarks.marks import put_between
from groundrules.rules.packs import shipped

BEGIN = "<!-- ablation: begin -->"
END = "<!-- ablation: end -->"
KINDS = ("rule", "finder", "derivation", "model", "module", "function", "reader")
#: The sets whose texts are put beside documents or an ontology, and the share of the contracts.
LEFT_OUT = ("kb/claims", "kb/sentences", "alarms")
ONE_IN = 8
#: Of the texts one in so many is taken for a module that finds something in many, and so many lines
#: a function has to take with it.
SAMPLED, FEW = 6, 15


def targets(kinds: Sequence[str]) -> list[Target]:
    """Return all targets of some kinds."""
    found = [Target(name, kind_of(name), (name,)) for name in functions()]
    found += [Target(name, "rule") for name in sorted(shipped()) if _reads_documents(name)]
    found += [Target(name, "model") for name in MODELS]
    alone = {one.functions for one in found}
    for name, asked in modules().items():
        if asked not in alone:
            found.append(Target(f"{name}.*", "module", asked))
    return [one for one in found if one.kind in kinds]


def _reads_documents(rule: str) -> bool:
    """Return whether a rule is one of those on texts: not on values, or a store's answers."""
    return not rule.startswith(("KB", "SP", "DR"))


def main() -> None:
    """Try what is there, print the tables, and write them into the page if asked to."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ablate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", action="append", metavar="SET", choices=SETS)
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of targets, by commas")
    parser.add_argument("--often", type=float, default=0.05, help="share of texts that is often")
    parser.add_argument("--kept", type=Path, default=Path("build/lock"))
    parser.add_argument("--known", action="store_true", help="try nothing more")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write what was found to this file")
    parser.add_argument("--write", type=Path, help="put the tables into this page")
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    units: list[Unit] = []
    for name, found in read_sets(options.data, options.only or list(SETS)):
        if name in LEFT_OUT:
            continue
        if isinstance(found, Path):
            print(f"skipped {name}: no {found}", file=sys.stderr)
        else:
            one_in = ONE_IN if name.startswith("contract") else 1
            units += [unit for unit in found if unit.within(1, one_in)]
    readers = targets(["reader"]) if "reader" in options.kinds.split(",") else []
    chosen = targets([one for one in options.kinds.split(",") if one != "reader"])
    if options.known:
        known = read(options.kept)
        units = [unit for unit in units if unit.digest in known]
    else:
        known = run(units, options.kept, options.processes, lambda _: first(chosen))
    seen = [known[unit.digest]["base"] for unit in units]
    texts = {
        one.name: sum(is_effective(one, base["seen"], base["fired"]) for base in seen)
        for one in chosen
    }
    often = {name for name, count in texts.items() if count > options.often * len(units)}
    chosen = [
        one
        for one in chosen
        if one.kind != "function"
        or not texts[one.name]
        or (one.name not in often and saved(one.functions)[0] >= FEW)
    ]
    rest = [one for one in chosen if one.kind in ("module", "function")]
    if not options.known:
        known = run(
            units,
            options.kept,
            options.processes,
            lambda unit: [one for one in rest if one.name not in often or unit.within(1, SAMPLED)],
        )
    worth = worths(units, known, chosen)
    if readers:
        short = [unit for unit in units if not unit.set.startswith("contract")]
        worth |= _of_readers(short, readers, options)
    statements = sum(len(known[unit.digest]["base"]["lines"]) for unit in units)
    text = page(worth, len(units), statements)
    print(text)
    if options.json:
        rows = {
            name: {field.name: getattr(one, field.name) for field in fields(one)}
            for name, one in worth.items()
        }
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if options.write:
        put_between(options.write, text, BEGIN, END)


def _of_readers(
    units: Sequence[Unit], readers: Sequence[Target], options: argparse.Namespace
) -> dict[str, Worth]:
    """Return what the readers are worth that find something seldom, by texts read anew."""
    found = partial(run, units, options.kept, options.processes, reads=True)
    known = read(options.kept, reads=True) if options.known else found(lambda _: ())
    units = [unit for unit in units if unit.digest in known]
    seen = [known[unit.digest]["base"]["seen"] for unit in units]
    tried = [
        one
        for one in readers
        if sum(is_effective(one, base, ()) for base in seen) <= options.often * len(units)
        and saved(one.functions)[0] >= FEW
    ]
    if not options.known:
        known = found(lambda _: tried)
    return worths(units, known, tried)


def first(chosen: Sequence[Target]) -> list[Target]:
    """Return what is tried on every text; a rule that supersedes none needs no second check."""
    return [
        one
        for one in chosen
        if one.kind in ("finder", "derivation", "model")
        or (one.kind == "rule" and one.name in SUPERSEDING)
    ]


if __name__ == "__main__":
    main()

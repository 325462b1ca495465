"""`groundrules ontology check`: an ontology and its data before HermiT and before our own rules."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.options import Parser, one_of, positive
from groundrules.cli.settings import add_settings, settings
from groundrules.cli.terminal import write
from groundrules.config import Config

if TYPE_CHECKING:
    from groundrules.terms import Triple, Violation


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "ontology check",
        "Check that an ontology and its data are consistent: by HermiT, and by the packs that a "
        "check with this ontology runs.",
        (
            "groundrules ontology check legal",
            "groundrules ontology check house.ttl --data people.ttl",
            "groundrules ontology check house.ttl --reasoner none",
        ),
    )
    add = result.add_argument
    add("ontology", metavar="NAME|FILE", help="the ontology: of a domain, or a file")
    add("--data", metavar="FILE", help="an RDF file of individuals")
    add("--reasoner", type=one_of("hermit", "none"), default="hermit", metavar="hermit|none",
        help="who cross-checks our rules (default hermit; needs Java and owlready2)")  # fmt: skip
    add("--timeout", type=positive, default=60, metavar="SECONDS",
        help="the most time that the reasoner has (default 60)")  # fmt: skip
    add_settings(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 on a fault.

    A fault is an inconsistency, a class that can have no member or an error of our rules; a
    cross-check that was skipped finds none.
    """
    from groundrules.ontology.close import closed
    from groundrules.ontology.load import load, read, split

    ontology = load(args.ontology)
    stated, _, _ = read(ontology.path)
    axioms, individuals, notes = ontology.axioms, list(ontology.individuals), ontology.notes
    if args.data:
        data, _, more = read(Path(args.data).expanduser())
        stated += data
        terms, own = split(data)
        individuals += own
        notes += more
        if terms:
            axioms = closed((*axioms, *terms))
    write(f"{ontology.name}: {len(axioms):,} axioms, closed; {len(individuals):,} statements "
          "about individuals\n", None)  # fmt: skip
    for note in notes:
        write(f"note: {note}\n", None)
    found = violations(axioms, individuals, settings(args))
    failed = any(v.severity == "error" for v in found)
    if args.reasoner != "none":
        failed |= not _cross_check(stated, args.timeout)
    counts = Counter(v.severity.value for v in found)
    parts = [f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items()]
    write(f"our rules: {', '.join(parts) or 'nothing found'}\n", None)
    for violation in found:
        because = f": {violation.because}" if violation.because else ""
        write(f"  {violation.rule} {violation.name}: {violation.message}{because}\n", None)
    return int(failed)


def _cross_check(stated: list[Triple], timeout: float) -> bool:
    """Print what HermiT says; return False if it finds a fault."""
    from groundrules.ontology.load import split
    from groundrules.ontology.reasoner import cross_check

    start = time.perf_counter()
    said = cross_check(stated, timeout=timeout)
    spent = f"({time.perf_counter() - start:.1f} s)"
    if said.consistent is None:
        write(f"cross-check skipped: {said.reason}\n", None)
        return True
    names = ", taking different names for different individuals" if said.unique_names else ""
    if said.consistent:
        write(f"HermiT: consistent{names} {spent}\n", None)
        for iri in said.unsatisfiable:
            write(f"  but nothing can be a {iri.n3()}\n", None)
        return not said.unsatisfiable
    axioms, individuals = split(stated)
    alone = cross_check(axioms, timeout=timeout).consistent if individuals else False
    blame = "; the axioms alone are consistent" if alone else ""
    write(f"HermiT: inconsistent{names}{blame} {spent}\n", None)
    return False


def violations(
    axioms: Iterable[Triple], individuals: Iterable[Triple], config: Config
) -> tuple[Violation, ...]:
    """Return what the packs in force find wrong with statements about individuals, taken as said.

    There is no source: what compares two texts and what gives verdicts does not run.
    """
    from rdflib.namespace import RDFS

    from groundrules.checks.judge import Rules
    from groundrules.checks.store import check_statements
    from groundrules.rules.packs import load_packs, overrides_of

    known, stated = tuple(axioms), tuple(individuals)
    labels = {t.subject: str(t.object) for t in known + stated if t.predicate == RDFS.label}
    packs = load_packs(config.packs_in_force, config.base)
    rules = {rule.id: rule for pack in packs for rule in pack.rules}
    left = {one.id for one in rules.values() if one.verdict is not None or one.traits.finds}
    given = overrides_of(config.rules, packs, config.base)
    chosen = Rules(
        tuple(rule for rule in rules.values() if rule.id not in left),
        {name: table for name, table in given.items() if name not in left},
        ignore=config.ignore,
    )
    return check_statements(stated, known, chosen, labels)

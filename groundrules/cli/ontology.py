"""`groundrules ontology check`: what is wrong with an ontology and its data, and by which axiom."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rdflib.term import Node, URIRef

from groundrules.cli.options import Parser, add_format, one_of, output_format, positive
from groundrules.cli.settings import add_settings, settings
from groundrules.cli.terminal import write_as
from groundrules.config import Config
from groundrules.terms import Severity, Triple

if TYPE_CHECKING:
    from groundrules.ontology.debugging import OntologyFault
    from groundrules.ontology.load import Ontology
    from groundrules.ontology.reasoner import CrossCheck
    from groundrules.terms import Violation


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "ontology",
        "Check an ontology and the individuals in it: by HermiT, by the packs that a check with "
        "this ontology runs, and for what is amiss in the terms themselves. Each finding has the "
        "axioms that make it so. The tests of its lexicon are run too.",
        (
            "groundrules ontology check legal",
            "groundrules ontology check house.ttl",
            "groundrules ontology check house.ttl --reasoner none",
            "groundrules ontology check house.ttl --output-format json",
        ),
    )
    add = result.add_argument
    add("action", type=one_of("check"), metavar="check", help="what to do")
    add("ontology", metavar="NAME|FILE", help="the ontology: of a domain, or a file")
    add("--reasoner", type=one_of("hermit", "none"), default="hermit", metavar="hermit|none",
        help="who cross-checks our rules (default hermit; needs Java and owlready2)")  # fmt: skip
    add("--timeout", type=positive, default=60, metavar="SECONDS",
        help="the most time that the reasoner has (default 60)")  # fmt: skip
    add_settings(result)
    add_format(result, "text", "json")
    return result


@dataclass(frozen=True, slots=True)
class _Checked:
    """What is checked: what its files state, and the prefixes that they declare."""

    ontology: Ontology
    stated: tuple[Triple, ...]
    prefixes: Mapping[str, str]

    def short(self, node: Node) -> str:
        """Return a term as the files write it."""
        from groundrules.ontology.debugging import shortened

        return shortened(node, self.prefixes)

    def axioms(self, found: OntologyFault) -> list[str]:
        """Return the axioms of a finding in words."""
        from groundrules.ontology.debugging import worded

        return [worded(axiom, self.prefixes) for axiom in found.axioms]


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 on a fault.

    A fault is an inconsistency, a class or property that can have no member, an error of our rules
    or a test of the lexicon that fails; a cross-check that was skipped finds none.
    """
    from groundrules.ontology.load import load, prefixes, read

    form = output_format(args)
    ontology = load(args.ontology)
    stated, _, _ = read(ontology.path)
    head = f"{ontology.name}: {len(ontology.axioms):,} axioms, closed; "
    head += f"{len(ontology.individuals):,} statements about individuals"
    checked = _Checked(ontology, tuple(stated), prefixes([ontology.path]))
    said, lines = None, [head, *(f"note: {note}" for note in ontology.notes)]
    if args.reasoner != "none":
        said, told = _cross_check(stated, args.timeout)
        lines += told
    found = list(_found(checked, said, settings(args)))
    write_as(
        form,
        lambda: {"schema": 1, "notes": lines, "findings": [_encode(one, checked) for one in found]},
        lambda: "".join(f"{line}\n" for line in (*lines, *_text(found, checked))),
    )
    inconsistent = said is not None and said.consistent is False
    return int(inconsistent or any(one.severity is Severity.ERROR for one in found))


def _cross_check(stated: list[Triple], timeout: float) -> tuple[CrossCheck, list[str]]:
    """Return what HermiT says, and that in lines."""
    from groundrules.ontology.load import split
    from groundrules.ontology.reasoner import cross_check

    start = time.perf_counter()
    said = cross_check(stated, timeout=timeout)
    spent = f"({time.perf_counter() - start:.1f} s)"
    if said.consistent is None:
        return said, [f"cross-check skipped: {said.reason}"]
    names = ", taking different names for different individuals" if said.unique_names else ""
    if said.consistent:
        return said, [f"HermiT: consistent{names} {spent}"]
    axioms, individuals = split(stated)
    alone = cross_check(axioms, timeout=timeout).consistent if individuals else False
    blame = "; the axioms alone are consistent" if alone else ""
    return said, [f"HermiT: inconsistent{names}{blame} {spent}"]


def _found(checked: _Checked, said: CrossCheck | None, config: Config) -> Iterator[OntologyFault]:
    """Yield what is wrong: with the terms, with the individuals, with the lexicon."""
    from rdflib.namespace import RDF

    from groundrules.ontology.debugging import OntologyFault, faults, reasons
    from groundrules.ontology.read.control_texts import failing

    short = checked.short
    own = tuple(faults(checked.stated, short))
    yield from (*own, *_misspelt(checked.stated, short))
    empty = {one.nodes[0] for one in own if one.rule == "ONT101"}
    for iri in said.unsatisfiable if said is not None else ():
        if iri not in empty:
            yield OntologyFault("ONT101", "empty-class", Severity.ERROR,
                                f"nothing can be a {short(iri)}; HermiT says so, by more than our "
                                "rules work out", (iri,))  # fmt: skip
    nodes = (n for t in checked.stated for n in (t.subject, t.predicate, t.object))
    named: dict[Node, str] = {node: short(node) for node in nodes if isinstance(node, URIRef)}
    for violation in _violations(checked.ontology, config, named):
        because = f": {violation.because}" if violation.because else ""
        beside = dict.fromkeys(item.triple for item in violation.evidence)
        axioms_ = (t for t in violation.axioms if t.predicate not in (RDF.first, RDF.rest))
        why = (*((one,) for one in beside), *reasons(checked.stated, axioms_))
        nodes_ = (violation.claim.triple.subject,) if violation.claim else ()
        yield OntologyFault(violation.rule, violation.name, violation.severity,
                            f"{violation.message}{because}", nodes_, why)  # fmt: skip
    for example, line, told in failing(checked.ontology):
        yield OntologyFault(
            "ONT301", "lexicon-test", Severity.ERROR,
            f"{checked.ontology.lexicon}:{line}: “{example.text}”: {told}",
        )  # fmt: skip


def _misspelt(every: Sequence[Triple], short: Callable[[Node], str]) -> Iterator[OntologyFault]:
    """Yield the terms that OWL and other standard vocabularies lack: they say nothing."""
    from groundrules.ontology.debugging import OntologyFault
    from groundrules.rules.spelling import meant

    nodes = (node for t in every for node in (t.subject, t.predicate, t.object))
    for node in dict.fromkeys(node for node in nodes if isinstance(node, URIRef)):
        term = meant(str(node))
        if term is not None:
            near = f"; did you mean {short(URIRef(term))!r}?" if term else ""
            yield OntologyFault("ONT203", "unknown-term", Severity.ERROR,
                                f"{short(node)} is no term of its vocabulary{near}",
                                (node,))  # fmt: skip


def _encode(one: OntologyFault, checked: _Checked) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "name": one.name,
        "severity": one.severity.value,
        "message": one.message,
        "terms": [str(node) for node in one.nodes],
        "axioms": checked.axioms(one),
    }


def _text(found: Sequence[OntologyFault], checked: _Checked) -> Iterator[str]:
    counts = Counter(one.severity.value for one in found)
    parts = [f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items()]
    yield f"our rules: {', '.join(parts) or 'nothing found'}"
    for one in found:
        yield f"  {one.rule} {one.name}: {one.message}"
        if one.nodes:
            yield f"    term   {one.nodes[0].n3()}"
        yield from (f"    axiom  {words}" for words in checked.axioms(one))


def _violations(
    ontology: Ontology, config: Config, named: Mapping[Node, str]
) -> tuple[Violation, ...]:
    """Return what the packs in force find wrong with statements about individuals, taken as said.

    There is no source: what compares two texts and what gives verdicts does not run. What has no
    label is called as `named` says.
    """
    from rdflib.namespace import RDFS

    from groundrules.checks.judge import Rules
    from groundrules.checks.store import check_statements
    from groundrules.rules.packs import load_packs, overrides_of

    every = ontology.axioms + ontology.individuals
    labels = dict(named) | {t.subject: str(t.object) for t in every if t.predicate == RDFS.label}
    packs = load_packs(config.packs_in_force, config.base)
    rules = {rule.id: rule for pack in packs for rule in pack.rules
             if rule.verdict is None and not rule.traits.finds}  # fmt: skip
    given = overrides_of(config.rules, packs, config.base)
    chosen = Rules(
        tuple(rules.values()), {name: table for name, table in given.items() if name in rules}
    )
    return check_statements(ontology.individuals, ontology.axioms, chosen, labels)

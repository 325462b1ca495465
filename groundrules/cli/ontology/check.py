"""`groundrules ontology check`: what is wrong with an ontology and its data, and by which axiom."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rdflib.term import Node, URIRef

from groundrules.cli.options import Parser, add_format, one_of, output_format, positive
from groundrules.cli.settings import add_settings, settings
from groundrules.cli.terminal import write
from groundrules.config import Config
from groundrules.explain import formats
from groundrules.terms import STATEMENT, Claim, Evidence, Input, Report, Run, Severity, Span, Triple

if TYPE_CHECKING:
    from groundrules.ontology.justifications import Axiom
    from groundrules.ontology.load import Ontology
    from groundrules.ontology.reasoner import CrossCheck
    from groundrules.ontology.termplaces import Place, Places
    from groundrules.terms import EditOperation, Violation


#: The forms of a report for programs: what is for a person is the text.
_FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit")


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "ontology check",
        "Check an ontology and its data: by HermiT, by the packs that a check with this ontology "
        "runs, and for what is amiss in the terms themselves. Each finding has its line, and the "
        "axioms that make it so. The tests of its lexicon are run too.",
        (
            "groundrules ontology check legal",
            "groundrules ontology check house.ttl --data people.ttl",
            "groundrules ontology check house.ttl --reasoner none",
            "groundrules ontology check house.ttl --fix-hints",
            "groundrules ontology check house.ttl --output-format sarif -o house.sarif",
        ),
    )
    add = result.add_argument
    add("ontology", metavar="NAME|FILE", help="the ontology: of a domain, or a file")
    add("--data", metavar="FILE", help="an RDF file of individuals")
    add("--reasoner", type=one_of("hermit", "none"), default="hermit", metavar="hermit|none",
        help="who cross-checks our rules (default hermit; needs Java and owlready2)")  # fmt: skip
    add("--timeout", type=positive, default=60, metavar="SECONDS",
        help="the most time that the reasoner has (default 60)")  # fmt: skip
    add("--fix-hints", action="store_true",
        help="say which triples to take out or to add; nothing is written")  # fmt: skip
    add_settings(result)
    add_format(result, *_FORMATS)
    add("-o", "--output", metavar="FILE", help="write the result to a file")
    return result


#: An axiom in words, where a file has it, and what it states of a named thing.
_Told = tuple[str, "Place | None", Triple]


@dataclass(frozen=True, slots=True)
class _Finding:
    """One thing that is wrong, where a file has it, and the axioms that make it so, with theirs."""

    rule: str
    name: str
    severity: Severity
    message: str
    triple: Triple
    place: Place | None = None
    axioms: tuple[_Told, ...] = ()
    stated: tuple[Triple, ...] = ()
    edit: tuple[EditOperation, ...] = ()


@dataclass(frozen=True, slots=True)
class _Checked:
    """What is checked, and where its files speak of what."""

    ontology: Ontology
    stated: tuple[Triple, ...]
    data: tuple[Triple, ...]
    places: Places

    def told(self, axioms: Iterable[Axiom]) -> tuple[_Told, ...]:
        """Return axioms in words, each with its place."""
        from groundrules.ontology.manchester import worded

        return tuple(
            (worded(one, self.places.short), self.places.of_axiom(one), one[0]) for one in axioms
        )


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 on a fault.

    A fault is an inconsistency, a class or property that can have no member, an error of our rules
    or a test of the lexicon that fails; a cross-check that was skipped finds none.
    """
    from groundrules.ontology.close import closed
    from groundrules.ontology.load import load, read, split
    from groundrules.ontology.termplaces import places

    form = output_format(args)
    ontology = load(args.ontology)
    stated, _, _ = read(ontology.path)
    axioms, individuals, notes = ontology.axioms, list(ontology.individuals), ontology.notes
    paths, data = [ontology.path], list[Triple]()
    if args.data:
        paths.append(Path(args.data).expanduser())
        data, _, more = read(paths[-1])
        terms, own = split(data)
        individuals += own
        notes += more
        if terms:
            axioms = closed((*axioms, *terms))
    head = f"{ontology.name}: {len(axioms):,} axioms, closed; {len(individuals):,} statements "
    head += "about individuals"
    checked = _Checked(ontology, tuple(stated), tuple(data), places(paths))
    said, lines = None, [head, *(f"note: {note}" for note in notes)]
    if args.reasoner != "none":
        said, told = _cross_check([*stated, *data], args.timeout)
        lines += told
    found = list(_found(checked, axioms, individuals, said, settings(args)))
    if not args.fix_hints:
        found = [replace(one, edit=()) for one in found]
    if form == "text":
        write("".join(f"{line}\n" for line in (*lines, *_text(found, checked))), args.output)
    else:
        reports = _reports(found, lines, checked)
        write(formats.load(form)(reports, formats.Look()), args.output)
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


def _found(
    checked: _Checked,
    axioms: tuple[Triple, ...],
    individuals: Sequence[Triple],
    said: CrossCheck | None,
    config: Config,
) -> Iterator[_Finding]:
    """Yield what is wrong: with the terms, with the data, with the lexicon."""
    from rdflib.namespace import OWL, RDF

    from groundrules.ontology.debugging import faults
    from groundrules.ontology.hints import hint
    from groundrules.ontology.justifications import reasons

    short, stated = checked.places.short, checked.stated
    empty = set()
    for one in faults(stated, short, checked.data):
        empty |= {one.nodes[0]} if one.rule == "ONT101" else set()
        place = checked.places.of(one.nodes)
        triple = Triple(one.nodes[0], RDF.type, OWL.Class)
        yield _Finding(one.rule, one.name, one.severity, one.message, triple, place,
                       checked.told(one.axioms),
                       tuple(t for axiom in one.axioms for t in axiom),
                       hint(one, stated, checked.data, one.nearest))  # fmt: skip
    yield from _misspelt(checked)
    for iri in said.unsatisfiable if said is not None else ():
        if iri not in empty:
            yield _Finding("ONT101", "empty-class", Severity.ERROR,
                           f"nothing can be a {short(iri)}; HermiT says so, by more than our rules "
                           "work out", Triple(iri, RDF.type, OWL.Class),
                           checked.places.of([iri]))  # fmt: skip
    nodes = (n for t in (*individuals, *stated) for n in (t.subject, t.predicate, t.object))
    named: dict[Node, str] = {node: short(node) for node in nodes if isinstance(node, URIRef)}
    for violation in violations(axioms, individuals, config, named):
        because = f": {violation.because}" if violation.because else ""
        claim = violation.claim
        beside = dict.fromkeys(item.triple for item in violation.evidence)
        axioms_ = (t for t in violation.axioms if t.predicate not in (RDF.first, RDF.rest))
        why = (*((one,) for one in beside), *reasons((*stated, *checked.data), axioms_))
        triple = claim.triple if claim else Triple(URIRef("urn:all"), RDF.type, OWL.Ontology)
        yield _Finding(violation.rule, violation.name, violation.severity,
                       f"{violation.message}{because}", triple,
                       checked.places.of_statement(triple) if claim else None,
                       checked.told(why), violation.axioms,
                       violation.edit.operations if violation.edit else ())  # fmt: skip
    yield from _lexicon(checked.ontology)


def _misspelt(checked: _Checked) -> Iterator[_Finding]:
    """Yield the terms that OWL and other standard vocabularies lack: they say nothing."""
    from rdflib.namespace import OWL, RDF

    from groundrules.ontology.hints import renamed
    from groundrules.rules.spelling import meant

    short, every = checked.places.short, (*checked.stated, *checked.data)
    nodes = (node for t in every for node in (t.subject, t.predicate, t.object))
    for node in dict.fromkeys(node for node in nodes if isinstance(node, URIRef)):
        term = meant(str(node))
        if term is not None:
            near = f"; did you mean {short(URIRef(term))!r}?" if term else ""
            yield _Finding("ONT203", "unknown-term", Severity.ERROR,
                           f"{short(node)} is no term of its vocabulary{near}",
                           Triple(node, RDF.type, OWL.Class), checked.places.of([node]),
                           edit=renamed(node, URIRef(term), every) if term else ())  # fmt: skip


def _lexicon(ontology: Ontology) -> Iterator[_Finding]:
    """Yield the tests of the lexicon that fail, each with its line."""
    from rdflib.namespace import RDFS
    from rdflib.term import Literal

    from groundrules.ontology.read.examples import failing

    for example, line, told in failing(ontology):
        triple = Triple(URIRef("urn:lexicon"), RDFS.comment, Literal(example.text))
        yield _Finding("ONT301", "lexicon-test", Severity.ERROR, f"“{example.text}”: {told}",
                       triple, (str(ontology.lexicon), line))  # fmt: skip


def _text(found: Sequence[_Finding], checked: _Checked) -> Iterator[str]:
    counts = Counter(one.severity.value for one in found)
    parts = [f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items()]
    yield f"our rules: {', '.join(parts) or 'nothing found'}"
    for one in found:
        yield f"  {one.rule} {one.name}: {one.message}"
        subject: Node = one.triple.subject
        iri = "" if str(subject).startswith("urn:") and not one.place else subject.n3()
        if one.place:
            yield f"    at     {_shown(one.place)}  {iri}"
        for words, place, _ in one.axioms:
            yield f"    axiom  {words}" + (f"  {_shown(place)}" if place else "")
        yield from _patch(one, checked)


def _patch(one: _Finding, checked: _Checked) -> Iterator[str]:
    """Yield what would mend a finding, as the lines of a patch, each with its place."""
    from groundrules.ontology.hints import shown

    lines = shown(one.edit, checked.places.short)
    for number, (operation, (mark, words)) in enumerate(zip(one.edit, lines, strict=True)):
        place = checked.places.of_statement(operation.triple) if mark == "-" else None
        head = "fix" if number == 0 else ""
        yield f"    {head:<6} {mark} {words}" + (f"  {_shown(place)}" if place else "")


def _shown(place: Place) -> str:
    return f"{place[0]}:{place[1]}"


def _reports(found: Sequence[_Finding], notes: Sequence[str], checked: _Checked) -> list[Report]:
    """Return the findings as a report for each file, what has no place with the first."""
    files = {path: "\n".join(lines) for path, lines in checked.places.texts.items()}
    if checked.ontology.lexicon:
        files[str(checked.ontology.lexicon)] = checked.ontology.lexicon.read_text("utf-8")
    first = str(checked.ontology.path)
    by: dict[str, list[Violation]] = {path: [] for path in files}
    for number, one in enumerate(found):
        place = one.place or (first, 1)
        by[place[0]].append(_violation(one, number, place, files))
    stated = {path: _declared(path, text, checked) for path, text in files.items()}
    return [
        Report(
            path,
            files[path],
            sources=files,
            claims=stated[path],
            violations=tuple(violations),
            run=Run(inputs=(Input(path, "text", format="txt"),), notes=tuple(notes)),
        )
        for path, violations in by.items()
        if path == first or violations
    ]


def _violation(one: _Finding, number: int, at: Place, files: Mapping[str, str]) -> Violation:
    from groundrules.explain.place import line_range
    from groundrules.terms import Edit, Violation

    def span(place: Place) -> Span:
        start, end = line_range(files[place[0]], place[1])
        words = files[place[0]][start:end]
        return Span(place[0], start + len(words) - len(words.lstrip()), end)

    told = "; ".join(words for words, _, _ in one.axioms)
    claim = Claim(STATEMENT[f"ontology:{number}"], one.triple, span(at))
    evidence = tuple(
        Evidence(said, place[0], span(place)) for _, place, said in one.axioms if place
    )
    return Violation(one.rule, one.name, one.severity, one.message, claim, evidence,
                     axioms=one.stated,
                     edit=Edit(one.edit, "display") if one.edit else None,
                     because=f"{one.message}: {told}" if told else one.message)  # fmt: skip


def _declared(path: str, text: str, checked: _Checked) -> tuple[Claim, ...]:
    """Return what a file says of what kind its things are, each at its line."""
    from rdflib.namespace import RDF

    from groundrules.explain.place import line_range

    out: list[Claim] = []
    for triple in (*checked.stated, *checked.data):
        place = checked.places.of_statement(triple) if triple.predicate == RDF.type else None
        if place is not None and place[0] == path:
            span = Span(path, *line_range(text, place[1]))
            out.append(Claim(STATEMENT[f"ontology:said:{len(out)}"], triple, span))
    return tuple(out)


def violations(
    axioms: Iterable[Triple],
    individuals: Iterable[Triple],
    config: Config,
    named: Mapping[Node, str] | None = None,
) -> tuple[Violation, ...]:
    """Return what the packs in force find wrong with statements about individuals, taken as said.

    There is no source: what compares two texts and what gives verdicts does not run. What has no
    label is called as `named` says.
    """
    from rdflib.namespace import RDFS

    from groundrules.checks.judge import Rules
    from groundrules.checks.store import check_statements
    from groundrules.rules.packs import load_packs, overrides_of

    known, stated = tuple(axioms), tuple(individuals)
    labels: dict[Node, str] = dict(named or {})
    labels |= {t.subject: str(t.object) for t in known + stated if t.predicate == RDFS.label}
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

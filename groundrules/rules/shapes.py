"""SHACL at the border: the shapes of a pack over what one document and its sources say.

A `*.shacl.ttl` beside the rules of a pack runs through pySHACL (extra [shacl]) on a small graph:
what the text and the sources vouch for, and the axioms of the ontology. Core constraints and
SPARQL constraints are run; SERVICE, FROM, rules, JavaScript and custom targets are refused, and
nothing is imported. Each sh:ValidationResult about something the text says is a violation.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rdflib.namespace import RDF, RDFS, SH
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.dataset import PREFIXES, UNCOMMITTED, Dataset, check_query, parse_turtle
from groundrules.errors import ConfigError, RuleError, SourceError
from groundrules.files import read_bounded
from groundrules.rules.spelling import MOST_MARKS, marks, unknown_terms
from groundrules.terms import (
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Severity,
    Triple,
    Violation,
)

if TYPE_CHECKING:
    from rdflib.graph import Graph

_MOST_BYTES = 4 * 2**20
_MOST_MESSAGE = 400
#: Statements that shapes may look up in all, for half a minute; those of a document take thousands.
_MOST_LOOKUPS = 1_000_000
_REFUSED = (SH.js, SH.jsLibrary, SH.rule, SH.target, SH.jsFunctionName)
_QUERIES = (SH.select, SH.ask, SH.construct, SH.update)
_SEVERITIES = {str(SH.Warning): Severity.WARNING, str(SH.Info): Severity.INFO}


def read_shapes(paths: Sequence[Path]) -> Graph:
    """Return the shapes of some files; RuleError where one cannot be read or may not run."""
    from rdflib.graph import Graph

    shapes = Graph()
    for path in paths:
        try:
            data = read_bounded(path, _MOST_BYTES)
            if len(data) > _MOST_BYTES:
                raise RuleError(f"larger than {_MOST_BYTES:,} bytes", path=str(path))
            text = data.decode("utf-8")
            triples = parse_turtle(text, path=str(path))
        except OSError as error:
            raise RuleError(f"cannot be read: {error.strerror}", path=str(path)) from None
        except UnicodeDecodeError as error:
            raise RuleError(f"not UTF-8 at byte {error.start}", path=str(path)) from None
        except SourceError as error:
            raise RuleError(
                error.message, path=str(path), line=error.line, column=error.column
            ) from None
        for message, at in unknown_terms(text, PREFIXES):
            line = text.count("\n", 0, at) + 1
            raise RuleError(message, path=str(path), line=line)
        _check_shapes(triples, str(path))
        for triple in triples:
            shapes.add((triple.subject, triple.predicate, triple.object))
    if not any(str(predicate).startswith(str(SH)) for predicate in shapes.predicates()):
        raise RuleError(f"no shape in it; expected terms of {SH!s}", path=str(paths[0]))
    return shapes


def validate(
    dataset: Dataset,
    shapes: Sequence[Path],
    *,
    claims: Mapping[URIRef, Claim],
    evidence: Mapping[URIRef, Claim] | None = None,
    axioms: Iterable[Triple] = (),
    labels: Mapping[Node, str] | None = None,
    select: Sequence[str] = (),
) -> tuple[Violation, ...]:
    """Return the violations of the shapes by what the claims say, in the order of the results.

    The named graphs of the dataset are the sources. A violation is named after the shape that has
    a name: the local name of its IRI is the rule, `sh:name` or the constraint its name. Its claim
    says the value, else something on the path, else anything of the focus node; a result about
    nothing that the text says is left out. ConfigError without pySHACL.
    """
    try:
        import pyshacl
        from pyshacl.errors import ReportableRuntimeError, ShapeRecursionWarning
    except ImportError:
        raise ConfigError(
            f"{shapes[0].name} needs pySHACL, which is not installed; run: "
            "pip install 'groundrules[shacl]'"
        ) from None
    graph = read_shapes(shapes)
    said = [
        c for c in claims.values() if c.polarity == "positive" and c.modality not in UNCOMMITTED
    ]
    data = _bounded(str(shapes[0]))
    sources = [(name, triple) for name in dataset.graphs() for triple in dataset.triples(name)]
    for triple in (*(c.triple for c in said), *(triple for _, triple in sources), *axioms):
        if not isinstance(triple.subject, Literal) and isinstance(triple.predicate, URIRef):
            data.add((triple.subject, triple.predicate, triple.object))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", ShapeRecursionWarning)
            _, results, _ = pyshacl.validate(
                data, shacl_graph=graph, inference="none", advanced=False, js=False,
                do_owl_imports=False, inplace=True, allow_warnings=True, max_validation_depth=20,
            )  # fmt: skip
    # a bad pattern, a list that bites its tail, a shape that asks for itself
    except (
        ReportableRuntimeError, ValueError, re.error, ShapeRecursionWarning, RecursionError,
    ) as error:  # fmt: skip
        reason = " ".join(str(error.args[0] if error.args else error).split())
        raise RuleError(f"the shapes cannot run: {reason}", path=str(shapes[0])) from None
    if not hasattr(results, "subjects"):
        raise RuleError(f"the shapes cannot run: {results}", path=str(shapes[0]))
    seen = _Seen(said, evidence or {}, sources)
    found: dict[tuple[str, str, str, str], Violation] = {}
    for result in results.subjects(RDF.type, SH.ValidationResult):
        one = _violation(result, results, graph, seen, labels or {})
        if one and one.claim and _chosen(one.rule, select):
            found[one.rule, str(one.claim.id), one.name, one.message] = one
    return tuple(found[key] for key in sorted(found))


def _bounded(path: str) -> Graph:
    """Return a graph in which only so much can be looked up; RuleError then.

    A path of several steps of any length takes a power of the number of things in a ring.
    """
    from rdflib.graph import Graph

    looked = 0

    class Bounded(Graph):
        def triples(self, triple: Any) -> Any:
            nonlocal looked
            looked += 1
            for found in super().triples(triple):
                looked += 1
                if looked > _MOST_LOOKUPS:
                    raise RuleError(
                        f"the shapes look up more than {_MOST_LOOKUPS:,} statements; expected "
                        "fewer steps of any length (*, +, sh:zeroOrMorePath) in a path",
                        path=path,
                    )
                yield found

    return Bounded()


def _chosen(rule: str, select: Sequence[str]) -> bool:
    return not select or any(rule.startswith(prefix) for prefix in select)


def _check_shapes(triples: Iterable[Triple], path: str) -> None:
    """Raise RuleError if the shapes would run code, reach the network or hold a bad query."""
    from pyparsing import ParseException
    from rdflib.plugins.sparql.parser import parseQuery

    stated = list(triples)
    prefixes = dict(PREFIXES)
    names = {t.subject: str(t.object) for t in stated if t.predicate == SH.prefix}
    for t in stated:
        if t.predicate == SH.namespace and t.subject in names:
            prefixes[names[t.subject]] = str(t.object)
        if t.predicate in _REFUSED:
            raise RuleError(f"sh:{str(t.predicate).rpartition('#')[2]} is not run", path=path)
    for t in stated:
        if t.predicate not in _QUERIES:
            continue
        if marks(str(t.object)) > MOST_MARKS:  # before the store reads them, for seconds
            raise RuleError(
                f"{_name(t.subject)}: more than {MOST_MARKS} patterns and steps of paths in a "
                "query; expected several shapes",
                path=path,
            )
        try:
            check_query(str(t.object), prefixes)
        except RuleError as error:
            raise RuleError(f"{_name(t.subject)}: {error.message}", path=path) from None
        try:
            parsed = parseQuery(_declared(str(t.object), prefixes))
        except ParseException as error:  # of what only a later SPARQL has
            raise RuleError(f"{_name(t.subject)}: not SPARQL 1.1: {error}", path=path) from None
        except RecursionError:
            raise RuleError(f"{_name(t.subject)}: nested too deeply", path=path) from None
        # rdflib would fetch what FROM names.
        if parsed[1].datasetClause:
            raise RuleError(f"{_name(t.subject)}: FROM is refused in a query", path=path)


def _declared(query: str, prefixes: Mapping[str, str]) -> str:
    return "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in prefixes.items()) + query


class _Seen:
    """What the text says and what the sources say, to find again by focus and path."""

    def __init__(
        self,
        said: Iterable[Claim],
        evidence: Mapping[URIRef, Claim],
        sources: Iterable[tuple[URIRef, Triple]],
    ) -> None:
        self.about: dict[Node, list[Claim]] = {}
        for claim in sorted(said, key=lambda c: (c.span, str(c.id))):
            self.about.setdefault(claim.triple.subject, []).append(claim)
        self.spans = {
            c.triple: c.span
            for c in sorted(evidence.values(), key=lambda c: (c.span, str(c.id)), reverse=True)
        }
        self.stated: dict[tuple[Node, Node], list[tuple[URIRef, Triple]]] = {}
        for name, triple in sources:
            self.stated.setdefault((triple.subject, triple.predicate), []).append((name, triple))

    def claim(self, focus: Node | None, path: Node | None, value: Node | None) -> Claim | None:
        """Return the claim that says the value, else one on the path, else one of the focus."""
        near = self.about.get(focus, []) if focus is not None else []
        on_path = [claim for claim in near if path in (None, claim.triple.predicate)]
        exact = [claim for claim in on_path if claim.triple.object == value]
        return next(iter((*exact, *on_path, *near)), None)

    def evidence(self, said: Triple, focus: Node, path: Node) -> Iterator[Evidence]:
        """Yield what the sources state on the path besides what the text says."""
        for name, triple in self.stated.get((focus, path), ()):
            if triple != said:
                yield Evidence(triple, str(name), self.spans.get(triple))


def _violation(
    result: Node, results: Graph, shapes: Graph, seen: _Seen, labels: Mapping[Node, str]
) -> Violation | None:
    focus, path, value, shape, component, severity = (
        results.value(result, predicate)
        for predicate in (SH.focusNode, SH.resultPath, SH.value, SH.sourceShape,
                          SH.sourceConstraintComponent, SH.resultSeverity)
    )  # fmt: skip
    claim = seen.claim(focus, path, value)
    if claim is None or shape is None or component is None:
        return None
    named = _named(shape, shapes)
    parameter = re.sub(r"ConstraintComponent$", "", _name(component))
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", parameter).lower()
    predicate = SH._NS[parameter[:1].lower() + parameter[1:]]
    own = shapes.value(shape, SH.name) or shapes.value(named, SH.name)
    said = claim.triple
    exact = value is not None and (said.subject, said.predicate, said.object) == (
        focus,
        path,
        value,
    )
    return Violation(
        rule=_name(named),
        name=str(own) if own else kind,
        severity=_SEVERITIES.get(str(severity), Severity.ERROR),
        message=_message(results.objects(result, SH.resultMessage), (focus, path, value), labels),
        claim=claim,
        evidence=tuple(seen.evidence(claim.triple, focus, path)) if focus and path else (),
        edit=Edit((EditOperation("DELETE", claim.triple),)) if exact else None,
        bindings=tuple(
            (name, node)
            for name, node in (("focus", focus), ("path", path), ("value", value))
            if node is not None
        ),
        axioms=tuple(
            sorted(
                (Triple(named, predicate, o) for o in shapes.objects(shape, predicate)),
                key=lambda t: t.object.n3(),
            )
        ),
        because=_because(shape, named, shapes),
    )


def _because(shape: Node, named: Node, shapes: Graph) -> str:
    texts = (
        shapes.value(node, p) for node in (shape, named) for p in (SH.description, RDFS.comment)
    )
    return " ".join(str(next(filter(None, texts), "")).split())


def _message(
    messages: Iterable[Node], nodes: Iterable[Node | None], labels: Mapping[Node, str]
) -> str:
    """Return the first message, the nodes in it called as the texts do, on one line of 400."""
    text = min((str(message) for message in messages), default="")
    for node in nodes:
        if isinstance(node, URIRef) and node in labels:
            text = text.replace(node.n3(), labels[node])
    text = " ".join(text.split())
    return text if len(text) <= _MOST_MESSAGE else text[: _MOST_MESSAGE - 1] + "…"


def _named(shape: Node, shapes: Graph) -> Node:
    """Return the nearest shape with an IRI from which this one hangs, else the shape itself."""
    seen, layer = {shape}, [shape]
    while layer:
        for node in layer:
            if isinstance(node, URIRef):
                return node
        above = sorted({s for node in layer for s in shapes.subjects(None, node)} - seen, key=str)
        seen.update(above)
        layer = above
    return shape


def _name(node: Node) -> str:
    if isinstance(node, BNode):
        return "shape"
    return re.split(r"[#/:]", str(node).rstrip("#/:"))[-1] or str(node)

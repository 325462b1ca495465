"""The dataset of a check: what is claimed, what is known, and the scores that join them.

Default graph: claims, reified evidence, ontology, alignment and metric facts. Named graphs: what
each source states, one per source and per deriving rule, so that `GRAPH ?source { … }` finds the
evidence and its origin in one stroke. Terms in and out are rdflib's; the store is Oxigraph's.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import pyoxigraph as ox
from pyoxigraph import DefaultGraph, NamedNode, Quad, QuerySolutions, QueryTriples, Store
from rdflib.namespace import OWL, RDF, RDFS, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.errors import RuleError, SourceError
from groundrules.terms import GR, METRIC, SOURCE, Claim, Modality, Triple

# rdflib logs a traceback for each ill-typed literal of a source; bad literals are normal input.
logging.getLogger("rdflib").addHandler(logging.NullHandler())

#: The prefixes every query and Turtle text may use undeclared.
PREFIXES: Mapping[str, str] = {
    "rdf": str(RDF),
    "rdfs": str(RDFS),
    "owl": str(OWL),
    "xsd": str(XSD),
    "gr": str(GR._NS),
    "metric": str(METRIC),
}

#: Where the statements of the checked text come from, unless its name is told.
TEXT = SOURCE["text"]

#: Modes in which a source does not vouch for what it says.
UNCOMMITTED = frozenset({Modality.POSSIBILITY, Modality.CONDITION})

# rdflib makes a term anew whenever one of its vocabulary is named.
_TYPE, _SUBJECT, _PREDICATE, _OBJECT = RDF.type, RDF.subject, RDF.predicate, RDF.object
_SOURCE, _POLARITY, _MODALITY, _STANCE = GR.source, GR.polarity, GR.modality, GR.stance
_SENTENCE, _ATTRIBUTION = GR.sentence, GR.attribution

#: Claims of which is kept what the store makes of them.
_CLAIMS = 4096
_MAX_QUERY = 20_000
_MAX_DEPTH = 64
_MAX_SIGNS = 2_000


class Dataset:
    """An RDF dataset in memory."""

    def __init__(self) -> None:
        self._store = Store()
        self._undo: list[tuple[Any, Callable[[Any], None]]] | None = None

    def __len__(self) -> int:
        """Return the number of statements in all graphs."""
        return len(self._store)

    def __contains__(self, triple: Triple) -> bool:
        """Return whether the default graph has the triple."""
        return (
            Quad(_out(triple.subject), _out(triple.predicate), _out(triple.object), DefaultGraph())
            in self._store
        )

    def add(self, triples: Iterable[Triple], graph: URIRef | None = None) -> None:
        """Add the triples to a named graph, or to the default graph; SourceError on a bad IRI."""
        self._extend(quads(triples, graph))

    def _extend(self, added: Iterable[Any]) -> None:
        if self._undo is not None:
            added = [quad for quad in dict.fromkeys(added) if quad not in self._store]
            self._undo += [(quad, self._store.remove) for quad in added]
        self._store.extend(added)

    def add_axioms(self, axioms: tuple[Triple, ...]) -> None:
        """Add triples that many checks share to the default graph; SourceError as for `add`.

        What the store makes of them is kept for the same tuple, not for an equal one.
        """
        self._extend(_ready(_Same(axioms)))

    def remove(self, triples: Iterable[Triple], graph: URIRef | None = None) -> None:
        """Remove the triples from a named graph, or from the default graph."""
        for quad in quads(triples, graph):
            if self._undo is not None and quad in self._store:
                self._undo.append((quad, self._store.add))
            self._store.remove(quad)

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Take back at the end what is added and removed until then."""
        outer, self._undo = self._undo, []
        graphs = set(self._store.named_graphs())
        try:
            yield
        finally:
            for quad, undo in reversed(self._undo):
                undo(quad)
            for graph in set(self._store.named_graphs()) - graphs:
                self._store.remove_graph(graph)
            self._undo = outer

    def add_claims(self, claims: Iterable[Claim], text: URIRef = TEXT) -> None:
        """Reify the claims in the default graph, each under its id as a gr:Claim.

        `text` names the checked text as their gr:source; no named graph has them.
        """
        self._extend(q for one in claims for q in _reified(one, GR.Claim, text))

    def add_statements(self, statements: Iterable[Claim], text: URIRef = TEXT) -> None:
        """Reify statements of the text, `id gr:text "its words"`, each under its id."""
        stated = list(statements)
        self._extend(q for one in stated for q in _reified(one, GR.Statement, text))
        self.add(claim.triple for claim in stated)

    def add_assertions(self, assertions: Iterable[Claim], text: URIRef = TEXT) -> None:
        """Reify what the text says in the terms of an ontology, each under its id."""
        stated = list(assertions)
        self._extend(q for one in stated for q in _reified(one, GR.Assertion, text))
        self.add(Triple(claim.id, GR.reads, claim.reads) for claim in stated if claim.reads)

    def add_evidence(self, claims: Iterable[Claim], source: URIRef) -> None:
        """Add the statements of a source.

        Each is reified in the default graph under its id as a gr:Evidence with its gr:source.
        The named graph `source` holds those that the source vouches for: positive, and neither
        possible nor conditional.
        """
        self._extend(itertools.chain.from_iterable(_stated(one, source) for one in claims))

    def parse(
        self,
        turtle: str,
        graph: URIRef | None = None,
        *,
        prefixes: Mapping[str, str] = PREFIXES,
        path: str = "",
    ) -> None:
        """Add a Turtle text to a named graph or the default graph; SourceError on bad syntax."""
        self.add(parse_turtle(turtle, prefixes=prefixes, path=path), graph)

    def query(self, sparql: str, prefixes: Mapping[str, str] = PREFIXES) -> list[dict[str, Node]]:
        """Return the rows of a SELECT, each without its unbound columns.

        RuleError, with the line and column of the query, on bad syntax, on SERVICE (a query
        never reaches the network) and on any other form of query.
        """
        result = self._run(sparql, prefixes)
        if not isinstance(result, QuerySolutions):
            raise RuleError("the query is not a SELECT")
        with _failing(RuleError):
            return list(_rows(result))

    def construct(self, sparql: str, prefixes: Mapping[str, str] = PREFIXES) -> list[Triple]:
        """Return the triples of a CONSTRUCT; RuleError as for `query`."""
        result = self._run(sparql, prefixes)
        if not isinstance(result, QueryTriples):
            raise RuleError("the query is not a CONSTRUCT")
        with _failing(RuleError):
            return [Triple(_in(t.subject), _in(t.predicate), _in(t.object)) for t in result]

    def _run(self, sparql: str, prefixes: Mapping[str, str]) -> Any:
        check_query(sparql, prefixes)
        with _failing(RuleError):
            return self._store.query(sparql, prefixes=dict(prefixes))

    def states(self, triple: Triple) -> bool:
        """Return whether any named graph has the triple."""
        quads = self._store.quads_for_pattern(
            _out(triple.subject), _out(triple.predicate), _out(triple.object), None
        )
        return any(not isinstance(quad.graph_name, DefaultGraph) for quad in quads)

    def triples(self, graph: URIRef | None = None) -> Iterator[Triple]:
        """Yield the triples of a named graph, or of the default graph."""
        name: Any = DefaultGraph() if graph is None else _iri(graph)
        for quad in self._store.quads_for_pattern(None, None, None, name):
            yield Triple(_in(quad.subject), _in(quad.predicate), _in(quad.object))

    def graphs(self) -> list[URIRef]:
        """Return the names of the named graphs that have names, sorted."""
        names = (_in(name) for name in self._store.named_graphs())
        return sorted(name for name in names if isinstance(name, URIRef))

    def digest(self) -> str:
        """Return the SHA-256 of the sorted N-Quads, blank nodes named by what surrounds them.

        Isomorphic datasets have one digest. So have two that differ only in how blank nodes of
        equal surroundings are joined, which `_labelled` does not tell apart. Stances follow from
        polarity and modality and are left out.
        """
        dump = (self._store.dump(format=ox.RdfFormat.N_QUADS) or b"").split(b"\n")[:-1]
        lines = [line for line in dump if _SAID not in line or not _TELLS_STANCE.match(line)]
        blank = {line for line in lines if b"_:" in line and _BLANK.search(line)}
        if blank:
            named = _labelled(tuple(sorted(blank)))
            lines = [*(line for line in lines if line not in blank), *named]
        return hashlib.sha256(b"\n".join([*sorted(lines), b""])).hexdigest()


#: A line of N-Quads that says a stance, and what it has in it, as a literal of another may too.
_SAID = f" <{GR.stance}> ".encode()
_TELLS_STANCE = re.compile(rb"\S+" + re.escape(_SAID))
#: A line of N-Quads that has a blank node: as subject, object or graph; and the terms of a line.
_BLANK = re.compile(rb'^_:|^\S+ \S+ _:| _:[^\s"]+ \.$')
_TERMS = re.compile(rb'(\S+) (\S+) (_:\S+|.+?)(?: (_:[^\s"]+))? \.')
#: How far around a blank node is looked, in statements: each round costs one look at all.
_ROUNDS = 16


@lru_cache(maxsize=8)  # they are those of an ontology, which many checks share
def _labelled(lines: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return lines of N-Quads with each blank node named by the hash of its neighbourhood.

    That is colour refinement: a round hashes the statements of a node, its neighbours named as the
    round before did, until no round tells more nodes apart.
    """
    quads = [terms.groups(b"") for terms in map(_TERMS.fullmatch, lines) if terms]
    names = {end: b"" for quad in quads for end in quad if end.startswith(b"_:")}
    for _ in range(_ROUNDS):
        around: defaultdict[bytes, list[bytes]] = defaultdict(list)
        for quad in quads:
            for place, node in enumerate(quad):
                if node in names:
                    ends = (b"_" if end == node else names.get(end, end) for end in quad)
                    around[node].append(b"%d " % place + b" ".join(ends))
        told = len({*names.values()})
        names = {
            node: hashlib.sha256(b"\n".join([names[node], *sorted(said)])).hexdigest().encode()
            for node, said in around.items()
        }
        if len({*names.values()}) == told:
            break
    return tuple(b" ".join(names.get(end, end) for end in quad) for quad in quads)


class _Same:
    """Triples told apart by which tuple they are in, for it takes long to compare all of them."""

    __slots__ = ("triples",)

    def __init__(self, triples: tuple[Triple, ...]) -> None:
        self.triples = triples

    def __hash__(self) -> int:
        return id(self.triples)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.triples is other.triples


@lru_cache(maxsize=8)
def _ready(axioms: _Same) -> tuple[Any, ...]:
    return quads(axioms.triples)


class TripleStore:
    """RDF in memory or in a folder on disk: one graph that is filled in bulk, or named ones."""

    def __init__(self, folder: Path | None = None, *, write: bool = False) -> None:
        """Open a folder; SourceError if it holds no store, or if another process writes to it."""
        self._path = str(folder or "")
        try:
            if folder is None:
                self._store = Store()
            elif write:
                self._store = Store(str(folder))
            else:
                self._store = Store.read_only(str(folder))
        except OSError as error:
            reason = _line(error)
            if "lock" in reason.casefold():
                reason = "another process is writing to it"
            raise SourceError(f"cannot open the store: {reason}", path=self._path) from None

    def __len__(self) -> int:
        """Return the number of statements, counted one by one."""
        return len(self._store)

    def close(self) -> None:
        """Let go of the folder; nothing can be asked from then on."""
        del self._store

    def load(self, statements: Iterable[Any]) -> None:
        """Add what `read_rdf` yields, all or nothing; OSError if the disk is full."""
        self._store.bulk_extend(statements)

    def settle(self) -> None:
        """Write all to disk and arrange it for reading; OSError if the disk is full."""
        self._store.flush()
        self._store.optimize()

    def select(self, sparql: str) -> Iterator[dict[str, Node]]:
        """Yield the rows of a SELECT, each without its unbound columns.

        The text is ours, its terms checked; ValueError on bad syntax, SourceError where the store
        fails.
        """
        with _failing(SourceError, self._path):
            try:
                result = self._store.query(sparql)
            except SyntaxError as error:
                raise ValueError(f"not SPARQL: {_line(error)}") from None
            if not isinstance(result, QuerySolutions):
                raise ValueError("the query is not a SELECT")
            yield from _rows(result)

    def triples(
        self,
        subject: Node | None = None,
        predicate: Node | None = None,
        object: Node | None = None,  # noqa: A002 - the name that RDF has for it
        graph: URIRef | None = None,
    ) -> Iterator[Triple]:
        """Yield the triples of these terms, None for any, of a named graph or the default one.

        SourceError where the store fails.
        """
        name: Any = DefaultGraph() if graph is None else _iri(graph)
        s, p, o = (None if term is None else _out(term) for term in (subject, predicate, object))
        with _failing(SourceError, self._path):
            for quad in self._store.quads_for_pattern(s, p, o, name):
                yield Triple(_in(quad.subject), _in(quad.predicate), _in(quad.object))


def quads(triples: Iterable[Triple], graph: URIRef | None = None) -> tuple[Any, ...]:
    """Return triples as statements for `TripleStore.load`, of a named graph or the default one.

    SourceError on a bad IRI or literal.
    """
    name: Any = DefaultGraph() if graph is None else _iri(graph)
    return tuple(Quad(_out(t.subject), _out(t.predicate), _out(t.object), name) for t in triples)


def as_text(node: Node) -> str:
    """Return a term as in N-Triples; SourceError where there is none."""
    return str(_out(node))


def write_rdf(statements: Iterable[Any], form: str, prefixes: Mapping[str, str]) -> str:
    """Return what `quads` made as Turtle, TriG, N-Triples or JSON-LD, in its order.

    Equal statements give equal texts. All but TriG leave out the names of the graphs.
    """
    kind: ox.RdfFormat = getattr(ox.RdfFormat, form.upper().replace("-", "_"))
    found = statements if form == "TriG" else (quad.triple for quad in statements)
    written = ox.serialize(found, format=kind, prefixes=dict(prefixes))
    assert written is not None
    return written.decode().replace("\t", "  ")  # none but those that indent: others are escaped


#: The forms of RDF, by how the name of a file ends.
FORMS: Mapping[str, str] = {
    ".nt": "N-Triples",
    ".nq": "N-Quads",
    ".ttl": "Turtle",
    ".trig": "TriG",
    ".rdf": "RDF/XML",
    ".owl": "RDF/XML",
    ".jsonld": "JSON-LD",
}

#: How the parser names the blank nodes that have no label.
_ANONYMOUS = re.compile(r"[a-f][0-9a-f]{15,31}")
#: How deep the elements of an XML or JSON file may stand, and how long its entities may be.
_DEEPEST = 200
_ENTITY = 500


def read_rdf(
    stream: BinaryIO, form: str, *, base: str | None = None, label: str = "", path: str = ""
) -> Iterator[Any]:
    """Yield the statements of a file for `TripleStore.load`, in its order, without their graphs.

    `form` is a value of `FORMS`; `base` is the IRI that relative ones are resolved against. Blank
    nodes get names that start with `label` and depend on nothing but the file. Nothing is fetched.
    SourceError with the place on bad syntax or a triple term; what `stream.read` raises goes
    through.
    """
    syntax = getattr(ox.RdfFormat, re.sub(r"\W", "_", form).upper())
    fresh: dict[str, str] = {}

    def name(node: Any) -> Any:
        if type(node) is ox.Triple:
            raise SourceError("triple terms (RDF 1.2) are not supported", path=path)
        old = node.value
        if _ANONYMOUS.fullmatch(old):
            old = fresh.setdefault(old, f"-{len(fresh)}")
        return ox.BlankNode(f"{label}{old}")

    kept = (ox.NamedNode, ox.Literal)
    graphs = form in ("N-Quads", "TriG", "JSON-LD")
    guards: Mapping[str, Any] = {"RDF/XML": _GuardedXml, "JSON-LD": _GuardedJson}
    guarded: Any = guards[form](stream, path) if form in guards else stream
    try:
        for quad in ox.parse(guarded, syntax, base_iri=base):
            subject, value = quad.subject, quad.object
            if type(subject) is not ox.NamedNode or type(value) not in kept:
                subject = subject if type(subject) is ox.NamedNode else name(subject)
                value = value if type(value) in kept else name(value)
                yield ox.Quad(subject, quad.predicate, value)
            elif graphs:
                yield ox.Quad(subject, quad.predicate, value)
            else:
                yield quad
    except SyntaxError as error:
        raise _misread(error, form, path) from None
    except ValueError as error:
        raise SourceError(f"not {form}: {_line(error)}", path=path) from None


class _GuardedXml:
    """An XML stream that a first parser has seen: not too deep, its entities short and plain.

    The RDF parser would take quadratic time for the depth, and entities that name others grow
    without bound.
    """

    def __init__(self, stream: BinaryIO, path: str) -> None:
        from xml.parsers import expat

        self._stream, self._path, self._depth = stream, path, 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = self._entity

    def read(self, size: int = -1) -> bytes:
        from xml.parsers import expat

        data = self._stream.read(size)
        try:
            self._parser.Parse(data, not data)
        except expat.ExpatError as error:
            message = expat.ErrorString(error.code)
            raise SourceError(
                f"not RDF/XML: {message}", path=self._path, line=error.lineno
            ) from None
        return data

    def _fail(self, message: str) -> None:
        raise SourceError(message, path=self._path, line=self._parser.CurrentLineNumber)

    def _start(self, *_: object) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            self._fail(f"nested more than {_DEEPEST} deep")

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _entity(self, name: str, parameter: bool, value: str | None, *_: object) -> None:
        if parameter or value is None or len(value) > _ENTITY or "&" in value or "<" in value:
            self._fail(f"entity {name} is not a short plain text")


class _GuardedJson:
    """A JSON stream that is refused where it is nested too deep: the RDF parser recurses."""

    def __init__(self, stream: BinaryIO, path: str) -> None:
        self._stream, self._path, self._depth = stream, path, 0
        self._quoted = False
        self._rest = b""  # a backslash whose character is not read yet

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        text = self._rest + data
        self._rest = b"\\" * ((len(text) - len(text.rstrip(b"\\"))) % 2)
        for found in re.finditer(rb'\\.|["\[\]{}]', text, re.S):
            mark = found[0]
            if mark == b'"':
                self._quoted = not self._quoted
            elif not self._quoted and mark in (b"[", b"{", b"]", b"}"):
                self._depth += 1 if mark in (b"[", b"{") else -1
                if self._depth > _DEEPEST:
                    raise SourceError(f"nested more than {_DEEPEST} deep", path=self._path)
        return data


def parse_turtle(
    turtle: str, *, prefixes: Mapping[str, str] = PREFIXES, path: str = ""
) -> list[Triple]:
    """Return the triples of a Turtle text in its order; SourceError with the place on bad syntax.

    Blank nodes get fresh names. Triple terms of RDF 1.2 are refused.
    """
    data = turtle.encode("utf-8", "surrogatepass")
    return parse_rdf(data, "Turtle", path=path, prefixes=prefixes, fresh=True)


def parse_rdf(
    data: bytes,
    form: str,
    *,
    base: str | None = None,
    path: str = "",
    most: int = 1_000_000,
    prefixes: Mapping[str, str] | None = None,
    fresh: bool = False,
) -> list[Triple]:
    """Return the triples of an RDF file in its order, those of its named graphs too.

    `form` is "Turtle" (N-Triples too), "RDF/XML" or "JSON-LD"; `base` is the IRI that relative
    ones are resolved against; Turtle may use the `prefixes`. Blank nodes keep the labels that the
    file gives them, or get `fresh` ones. Nothing is fetched: a remote context is a SourceError,
    like bad syntax and more than `most` triples.
    """
    syntax = getattr(ox.RdfFormat, re.sub(r"\W", "_", form).upper())
    known = prefixes.items() if prefixes and form == "Turtle" else ()
    # One line, so that the lines of the text keep their numbers.
    header = "".join(f"@prefix {name}: <{iri}> . " for name, iri in known).encode()
    found = []
    try:
        for quad in ox.parse(header + data, syntax, base_iri=base, rename_blank_nodes=fresh):
            found.append(Triple(_in(quad.subject), _in(quad.predicate), _in(quad.object)))
            if len(found) > most:
                raise SourceError(f"more than {most:,} statements", path=path)
    except SyntaxError as error:
        if "LoadDocumentCallback" in (error.msg or ""):
            raise SourceError(
                "its JSON-LD context is remote and is not fetched; expected one in the file",
                path=path,
            ) from None
        raise _misread(error, form, path, len(header), data) from None
    except (OSError, ValueError) as error:
        raise SourceError(f"not {form}: {_line(error)}", path=path) from None
    return found


def _misread(
    error: SyntaxError, form: str, path: str, header: int = 0, data: bytes = b""
) -> SourceError:
    """Return the fault of an RDF text, its place as in the text without the header."""
    line, column = error.lineno, error.offset
    if form == "JSON-LD" and line and column:  # counted in bytes
        before = data.split(b"\n")[line - 1][: column - 1] if data else None
        column = None if before is None else len(before.decode("utf-8", "replace")) + 1
    if header and line == 1:
        column = max(1, (column or 1) - header)
    place = r"^Parser error at line .*?columns? \d+(?: and (?:column )?\d+)?: "
    message = re.sub(place, "", " ".join((error.msg or "").split()))
    return SourceError(f"not {form}: {message}", path=path, line=line, column=column)


@lru_cache(maxsize=4096)
def _checked(sparql: str, prefixes: tuple[tuple[str, str], ...]) -> None:
    if len(sparql) > _MAX_QUERY:
        raise RuleError(f"the query is longer than {_MAX_QUERY:,} characters")
    # The parser recurses and would take the process down with it.
    depth = 0
    for character in sparql:
        depth += (character in "([{") - (character in ")]}")
        if depth > _MAX_DEPTH:
            raise RuleError(f"the query nests more than {_MAX_DEPTH} brackets")
    if re.search(r"[!+^-](?:\s*[!+^-]){" + str(_MAX_DEPTH) + "}", sparql):
        raise RuleError(f"the query has more than {_MAX_DEPTH} signs in a row")
    if sparql.count("<<") > _MAX_DEPTH:
        raise RuleError(f"the query has more than {_MAX_DEPTH} triple terms")
    # each makes what is before it one deeper
    if len(re.findall(r"[+*/-]|\bminus\b", sparql, re.I)) > _MAX_SIGNS:
        raise RuleError(f"the query has more than {_MAX_SIGNS:,} of + - * / and MINUS")

    names = dict(prefixes)
    if re.search("service", sparql, re.I):
        # Whatever the word is - a name, text, a keyword - renaming it leaves the query valid
        # unless it is the keyword; so no trick of quoting hides a SERVICE from this test.
        renamed = re.sub("service", "servicx", sparql, flags=re.I)
        aliases = {re.sub("service", "servicx", k, flags=re.I): v for k, v in prefixes}
        fault = _fault(renamed, aliases)
        if fault:
            message, offset = fault
            if renamed[offset : offset + 7].lower() == "servicx":
                message = "SERVICE is refused; a query reads only the dataset"
            raise _located(message.replace("SERVICX", "SERVICE"), sparql, offset)
    fault = _fault(sparql, names)
    if fault:
        raise _located(fault[0], sparql, fault[1])


def _located(message: str, sparql: str, offset: int) -> RuleError:
    before = sparql[:offset]
    return RuleError(
        message, line=before.count("\n") + 1, column=offset - before.rfind("\n")
    )  # fmt: skip


def _fault(sparql: str, prefixes: Mapping[str, str]) -> tuple[str, int] | None:
    """Return what is wrong with the syntax of a query and the offset, None if nothing is.

    The parser reports the furthest character it looked at, which for a keyword is the length of
    the keyword past the fault; the padding keeps the end of the text from cutting that short.
    """
    padded = sparql + " " * 40
    try:
        Store().query(padded, prefixes=dict(prefixes))
    except SyntaxError as error:
        text = _line(error)
        match = re.match(r"error at (\d+):(\d+): expected (?:one of )?(.*)", text)
        if not match:
            return f"not SPARQL: {text}", 0
        lines = padded.split("\n")
        offset = sum(len(line) + 1 for line in lines[: int(match[1]) - 1]) + int(match[2]) - 1
        items = [item for item in re.split(r", (?![^\[]{0,400}\])", match[3]) if item != "[_]"]
        reasons = [item for item in items if re.fullmatch(r"\w+ \w+ [\w ]+", item)]
        if reasons:
            return f"not SPARQL: {reasons[0][0].lower()}{reasons[0][1:]}", min(offset, len(sparql))
        if items and all(re.fullmatch(r"[A-Za-z_]\w*", item) for item in items):
            offset -= min(len(item) for item in items)
        offset = min(max(0, offset), len(sparql))
        offset += len(sparql[offset:]) - len(sparql[offset:].lstrip())
        near = re.match(r"\S{1,30}", sparql[offset:])
        return f"not SPARQL {'at ' + repr(near[0]) if near else 'at its end'}", offset
    except (OSError, RuntimeError, ValueError) as error:  # a bad IRI of a prefix, a surrogate
        return f"bad query: {_line(error)}", 0
    return None


def check_query(sparql: str, prefixes: Mapping[str, str] = PREFIXES) -> None:
    """Raise RuleError, with line and column in the query, unless it may run.

    It may not if it is not SPARQL, has a SERVICE, is longer than 20,000 characters or nests more
    than 64 brackets.
    """
    _checked(sparql, tuple(sorted(prefixes.items())))


#: Reads queries, each in at most so many seconds of the processor, and says after each that it has.
_TRIAL = """
import json, sys
folder, seconds, queries = json.load(sys.stdin)
sys.path.append(folder)
from pyoxigraph import Store
try:
    from signal import ITIMER_PROF, setitimer
except ImportError:
    ITIMER_PROF, setitimer = 0, lambda *_: None
for sparql, prefixes in queries:
    setitimer(ITIMER_PROF, seconds)
    try:
        Store().query(sparql, prefixes=dict(prefixes))
    except Exception:
        pass
    print(flush=True)
"""
_SECONDS = 0.5  # those that ship take 5 ms at most
_MOST_SECONDS = 60.0  # of all, where the system cannot limit one


@lru_cache(maxsize=64)
def first_too_slow(queries: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]) -> int | None:
    """Return which of some queries the store cannot read in half a second, by its place.

    Each comes with its prefixes. They are read in a process of their own, for the store cannot be
    stopped while it plans one. None where all can be read; what is no query is not told here.
    """
    if not queries:
        return None
    given = json.dumps((str(Path(ox.__file__).parents[1]), _SECONDS, queries))
    try:
        done = subprocess.run(  # noqa: S603 - our own text, and no folder of the user's on the path
            [sys.executable, "-P", "-c", _TRIAL],
            input=given, capture_output=True, text=True, timeout=_MOST_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        return len(bytes(late.stdout or b"").splitlines())
    except OSError:
        return None  # no second process can be had here
    read = len(done.stdout.splitlines())
    return read if read < len(queries) else None


def columns(sparql: str, prefixes: Mapping[str, str] = PREFIXES) -> tuple[str, ...]:
    """Return the columns of a SELECT, in order, none for another form; RuleError if it is bad."""
    check_query(sparql, prefixes)
    result = Store().query(sparql, prefixes=dict(prefixes))
    if not isinstance(result, QuerySolutions):
        return ()
    return tuple(variable.value for variable in result.variables)


_COUNTS = re.compile(r"\b(?:COUNT|SUM|MIN|MAX|AVG|SAMPLE|GROUP_CONCAT)\s*\(", re.I)
_GROUPS = re.compile(r"\bGROUP\s+BY\b", re.I)


def bound(sparql: str, prefixes: Mapping[str, str] = PREFIXES) -> frozenset[str]:
    """Return the variables that each row of a SELECT binds or may bind, shown or not.

    Of a query that groups or counts, or whose clauses cannot be told apart, there are none.
    """
    where = re.search(r"\bWHERE\b|\{", sparql, re.I)
    if where is None or _COUNTS.search(sparql[: where.start()]) or _GROUPS.search(sparql):
        return frozenset()
    try:
        return frozenset(columns(f"SELECT * {sparql[where.start() :]}", prefixes))
    except RuleError:
        return frozenset()


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())


@contextmanager
def _failing(kind: type[RuleError | SourceError], path: str = "") -> Iterator[None]:
    """Raise an error of ours where the store fails."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        raise kind(f"the query failed: {_line(error)}", path=path) from None


def _rows(solutions: Any) -> Iterator[dict[str, Node]]:
    names = [variable.value for variable in solutions.variables]
    for solution in solutions:
        yield {
            name: _in(term) for name, term in zip(names, solution, strict=True) if term is not None
        }


def stance(polarity: str, modality: str) -> str:
    """Return what a claim does with its triple: "affirmed", "denied", or "open".

    What is possible or conditional is neither affirmed nor denied.
    """
    if modality in UNCOMMITTED:
        return "open"
    return "affirmed" if polarity == "positive" else "denied"


def _reified(claim: Claim, kind: URIRef, source: URIRef) -> Iterator[Any]:
    """Yield what is said of a claim in the default graph, in the terms of the store."""
    node, triple, default = _out(claim.id), claim.triple, DefaultGraph()
    said = (
        (_TYPE, _iri(kind)),
        (_SOURCE, _iri(source)),
        (_SUBJECT, _out(triple.subject)),
        (_PREDICATE, _out(triple.predicate)),
        (_OBJECT, _out(triple.object)),
        (_POLARITY, _plain(claim.polarity)),
        (_MODALITY, _plain(str(claim.modality))),
        (_STANCE, _plain(stance(claim.polarity, claim.modality))),
        (_SENTENCE, _plain(claim.sentence)),
    )
    yield from (Quad(node, _iri(predicate), value, default) for predicate, value in said)
    if claim.attribution is not None:
        yield Quad(node, _iri(_ATTRIBUTION), _out(Literal(claim.attribution)), default)


@lru_cache(maxsize=_CLAIMS)
def _stated(claim: Claim, source: URIRef) -> tuple[Any, ...]:
    """Return what a source states in the terms of the store, reified and in its named graph.

    A text is read again with its edits beside the same sources.
    """
    vouched = claim.polarity == "positive" and claim.modality not in UNCOMMITTED
    named = quads([claim.triple], source) if vouched else ()
    return *named, *_reified(claim, GR.Evidence, source)


@lru_cache(maxsize=4096)
def _plain(value: str | int) -> Any:
    return _out(Literal(value))


# Making a term of rdflib takes long, and the terms of a check are few.
_reference = lru_cache(maxsize=65536)(URIRef)


#: Literals up to this many characters are kept.
_SHORT = 100


@lru_cache(maxsize=16384)
def _read_literal(text: str, language: str | None, datatype: str) -> Literal:
    if language:
        return Literal(text, lang=language)
    if datatype == str(XSD.string):
        return Literal(text)
    return Literal(text, datatype=_reference(datatype), normalize=False)


@lru_cache(maxsize=65536)
def _iri(iri: str) -> NamedNode:
    try:
        return NamedNode(iri)
    except ValueError:
        raise SourceError(f"{iri!r} is not an absolute IRI") from None


def _out(term: Node) -> Any:
    """Return the store's form of an rdflib term."""
    # the type first: rdflib's classes are abstract, of which it takes long to ask for an instance
    if type(term) is URIRef or isinstance(term, URIRef):
        return _iri(str(term))
    if type(term) is Literal or isinstance(term, Literal):
        try:
            if term.language:
                return ox.Literal(str(term), language=term.language)
            if term.datatype is not None:
                return ox.Literal(str(term), datatype=_iri(str(term.datatype)))
            return ox.Literal(str(term))
        except ValueError as error:
            # A lone surrogate or a language tag that is none.
            raise SourceError(f"bad literal {str(term)!r}: {_line(error)}") from None
    if isinstance(term, BNode):
        return ox.BlankNode(str(term))
    raise SourceError(f"{term!r} is not an RDF term")


def _in(term: Any) -> Node:
    """Return the rdflib form of a term of the store; lexical forms stay as they are."""
    if isinstance(term, ox.NamedNode):
        return _reference(term.value)
    if isinstance(term, ox.Literal):
        read = _read_literal if len(term.value) <= _SHORT else _read_literal.__wrapped__
        return read(term.value, term.language, term.datatype.value)
    if isinstance(term, ox.BlankNode):
        return BNode(term.value)
    raise SourceError("triple terms (RDF 1.2) are not supported")

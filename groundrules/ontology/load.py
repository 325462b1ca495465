"""Ontologies read from files: untrusted data, bounded in size and depth, nothing ever fetched."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from rdflib.namespace import OWL, RDF, RDFS, SKOS
from rdflib.term import BNode, Node

from groundrules import domain
from groundrules.dataset import PREFIXES, parse_rdf
from groundrules.errors import SourceError, did_you_mean
from groundrules.files import read_bounded
from groundrules.ontology.close import close
from groundrules.terms import GR, Triple

#: Bounds on all files of an ontology together, and on the nesting of JSON.
MOST_BYTES = 64 * 2**20
MOST_TRIPLES = 1_000_000
MOST_FILES = 100
MOST_DEPTH = 200


@dataclass(frozen=True, slots=True)
class Ontology:
    """A terminology: what is stated of its classes and properties, and what follows.

    `axioms` are closed (see `close`), and which individuals are the same or different is among
    them; `individuals` are the statements about things that are neither classes nor properties;
    `lexicon` is the TOML file that says how texts word the terms, None where there is none;
    `domain` is the name of the domain that it is of, empty for a file;
    `digest` is the SHA-256 of the file, of all files where it imports others; `notes` say what was
    left out.
    """

    name: str
    path: Path
    axioms: tuple[Triple, ...]
    individuals: tuple[Triple, ...] = ()
    lexicon: Path | None = None
    digest: str = ""
    notes: tuple[str, ...] = ()
    domain: str = ""

    @property
    def is_shipped(self) -> bool:
        """Whether it comes with this package; a file elsewhere may bear the same name."""
        return self.domain == domain.built_in()


def load(name: str | Path, base: Path | str = ".") -> Ontology:
    """Return the ontology of an installed domain by name, or that of a file relative to `base`.

    Turtle, N-Triples, RDF/XML and JSON-LD are told apart by the ending of the name or the first
    characters. `owl:imports` are followed to files of the same folder by relative names; the rest
    is left out with a note.

    Raises:
        SourceError: a file cannot be read or passes a bound; its closure is too large.
        ConfigError: a domain that cannot be loaded.
    """
    path = place(name, base)
    if "\0" not in str(path) and not path.exists():
        known = [*domain.names(), *(one.name for one in path.parent.glob("*") if one.is_file())]
        raise SourceError(
            f"no such ontology; expected {', '.join(domain.names())} or an RDF file"
            + did_you_mean(path.name, known[:1000]),
            path=str(name),
        )
    files, digest, notes = _files(path)
    lexicon = path.with_suffix(".lexicon.toml")
    try:
        axioms, individuals = _known(files)
    except SourceError as error:
        raise SourceError(error.message, path=str(path)) from None
    known_as = str(name) if str(name) in domain.names() else ""
    return Ontology(
        known_as or path.name,
        path,
        axioms,
        individuals=individuals,
        lexicon=lexicon if lexicon.is_file() else None,
        digest=digest,
        notes=notes,
        domain=known_as,
    )


def place(name: str | Path, base: Path | str = ".") -> Path:
    """Return the file of an ontology: that of an installed domain, or one relative to `base`."""
    if str(name) in domain.names():
        return domain.load(str(name)).ontology
    return Path(base, name).expanduser()


def files_of(path: Path) -> tuple[Path, ...]:
    """Return the file of an ontology with those that it imports and its lexicon, if it has one."""
    lexicon = path.with_suffix(".lexicon.toml")
    own = tuple(Path(place) for _, _, place, _ in _files(path)[0])
    return (*own, lexicon) if lexicon.is_file() else own


_PREFIX = re.compile(
    r"""(?im)^[ \t]*@?prefix\s+(?P<name>[\w.-]*):\s*<(?P<iri>[^<>\s]+)>
      | \bxmlns:(?P<xml>[\w.-]+)\s*=\s*["'](?P<uri>[^"'<>\s]+)["']""",
    re.X,
)


def prefixes(paths: Iterable[Path]) -> dict[str, str]:
    """Return the prefixes that some files, and those that they import, declare, the first ones."""
    out: dict[str, str] = {}
    for data, *_ in dict.fromkeys(file for path in paths for file in _files(path)[0]):
        for found in _PREFIX.finditer(data.decode("utf-8", errors="replace")):
            name, iri = found["name"] or found["xml"] or "", found["iri"] or found["uri"]
            out.setdefault(name, iri)
    return out


def has_named_things(ontology: Ontology) -> bool:
    """Return whether the file of an ontology has named things besides terms."""
    return any(t.predicate in _NAMES for t in ontology.individuals)


def read(path: Path) -> tuple[list[Triple], str, tuple[str, ...]]:
    """Return the statements of a file and those it imports, their digest, and what was left out.

    Errors as for `load`.
    """
    files, digest, notes = _files(path)
    return _stated(files), digest, notes


#: What `_parse` is given: the bytes of a file, its name and path, how its blank nodes begin.
_File = tuple[bytes, str, str, str]


def _files(path: Path) -> tuple[tuple[_File, ...], str, tuple[str, ...]]:
    """Return a file and those it imports, their digest, and what was left out."""
    folder, first = path.parent, path.name
    queue, seen = [first], {first}
    files: list[_File] = []
    digests: list[str] = []
    notes: list[str] = []
    size = count = 0
    while queue:
        name = queue.pop(0)
        place = folder / name
        data = _bytes(place, MOST_BYTES - size)
        size += len(data)
        digests.append(hashlib.sha256(data).hexdigest())
        files.append((data, name, str(place), f"{digests[-1][:8]}-"))
        count += len(_parse(*files[-1]))
        if count > MOST_TRIPLES:
            raise SourceError(f"more than {MOST_TRIPLES:,} statements", path=str(place))
        for imported in _imports(*files[-1]):
            local = _local(folder, imported)
            if local is None:
                notes.append(f"import {imported} was not fetched")
            elif local not in seen:
                seen.add(local)
                queue.append(local)
        if len(seen) > MOST_FILES:
            raise SourceError(f"imports more than {MOST_FILES} files", path=str(path))
    digest = digests[0]
    if len(digests) > 1:
        digest = hashlib.sha256("".join(digests).encode()).hexdigest()
    return tuple(files), digest, tuple(dict.fromkeys(notes))


def _stated(files: Iterable[_File]) -> list[Triple]:
    return list(dict.fromkeys(triple for file in files for triple in _parse(*file)))


@lru_cache(maxsize=4)  # each may be of a million statements
def _known(files: tuple[_File, ...]) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
    """Return the closed axioms of files and their individuals, one object for the same bytes."""
    axioms, individuals = split(_stated(files))
    return close(axioms), tuple(individuals)


def _bytes(path: Path, most: int) -> bytes:
    try:
        data = read_bounded(path, most)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError(f"cannot be read: {reason}", path=str(path)) from None
    if len(data) > most:
        raise SourceError(f"larger than {MOST_BYTES:,} bytes", path=str(path))
    return data


def _local(folder: Path, node: Node) -> str | None:
    """Return the name in the folder of the file that an import names, None if it is not there.

    Relative names were resolved against `file:///NAME`, so no path leads out of the folder but
    by a symbolic link, which is not followed out of it.
    """
    parts = urlsplit(str(node))
    if parts.scheme != "file" or parts.netloc:
        return None
    name = unquote(parts.path).lstrip("/")
    try:
        place = (folder / name).resolve()
        inside = place.is_relative_to(folder.resolve()) and place.is_file()
    except (OSError, ValueError):
        return None
    return place.relative_to(folder.resolve()).as_posix() if name and inside else None


@lru_cache(maxsize=8)
def _parse(data: bytes, name: str, path: str, prefix: str) -> tuple[Triple, ...]:
    """Return the statements of one file, blank nodes named by the prefix and their order."""
    form = _form(data, name)
    data = data.removeprefix(b"\xef\xbb\xbf")
    base = f"file:///{quote(name)}"
    if form == "RDF/XML":
        _check_xml(data, path)
    elif form == "JSON-LD":
        _check_json(data, path)
    elif form != "Turtle":
        raise SourceError(
            f"{form} is not read; expected Turtle, N-Triples, RDF/XML or JSON-LD",
            path=path,
        )
    triples = parse_rdf(data, form, base=base, path=path, most=MOST_TRIPLES, prefixes=PREFIXES)
    labels: dict[Node, BNode] = {}

    def named(node: Node) -> Node:
        if isinstance(node, BNode):
            return labels.setdefault(node, BNode(f"{prefix}{len(labels)}"))
        return node

    return _shared([Triple(named(t.subject), t.predicate, named(t.object)) for t in triples])


def _shared(triples: Sequence[Triple]) -> tuple[Triple, ...]:
    """Return statements in which restrictions of equal wording are one node.

    They are one class, whose closure would else have each as a subclass of each other.
    """
    told: defaultdict[Node, set[tuple[Node, Node]]] = defaultdict(set)
    restrictions = {t.subject for t in triples if t.predicate == OWL.onProperty}
    for one in triples:
        if one.subject in restrictions and isinstance(one.subject, BNode):
            told[one.subject].add((one.predicate, one.object))
    first: dict[frozenset[tuple[Node, Node]], Node] = {}
    same = {node: first.setdefault(frozenset(said), node) for node, said in told.items()}
    return tuple(dict.fromkeys(
        Triple(same.get(t.subject, t.subject), t.predicate, same.get(t.object, t.object))
        for t in triples
    ))  # fmt: skip


@lru_cache(maxsize=8)
def _imports(data: bytes, name: str, path: str, prefix: str) -> tuple[Node, ...]:
    triples = _parse(data, name, path, prefix)
    return tuple(triple.object for triple in triples if triple.predicate == OWL.imports)


_ENDINGS = {
    ".ttl": "Turtle",
    ".nt": "Turtle",
    ".rdf": "RDF/XML",
    ".jsonld": "JSON-LD",
    ".json": "JSON-LD",
    ".owx": "OWL/XML",
    ".ofn": "OWL functional syntax",
    ".omn": "Manchester syntax",
}


def _form(data: bytes, name: str) -> str:
    """Return the format of a file: by its ending, and of `.owl`, `.xml` and others by its head."""
    ending = Path(name).suffix.lower()
    head = re.sub(
        rb"<!--.{0,8192}?-->|<\?.{0,8192}?\?>",
        b"",
        data[:8192].removeprefix(b"\xef\xbb\xbf"),
        flags=re.S,
    )
    if ending in _ENDINGS and ending != ".rdf":
        return _ENDINGS[ending]
    if re.match(rb"\s*<!DOCTYPE\s|\s*<[\w.-]+(?::[\w.-]+)?[\s>]", head):
        root = re.search(rb"<(?:[\w.-]+:)?([A-Za-z]\w*)[\s>]", re.sub(rb"<![^<]*>", b"", head))
        return "OWL/XML" if root and root[1] == b"Ontology" else "RDF/XML"
    if re.match(rb"\s*[{\[]\s*[\"{\[}\]]", head):
        return "JSON-LD"
    if re.search(rb"^[^\S\n]*+(?:Prefix|Ontology)\s*\(", head, re.M):
        return "OWL functional syntax"
    if re.search(rb"^[^\S\n]*+(?:Prefix|Ontology):\s", head, re.M):
        return "Manchester syntax"
    return _ENDINGS.get(ending, "Turtle")


def _check_xml(data: bytes, path: str) -> None:
    """Raise SourceError unless the XML is well-formed, flat enough and declares what it refers to.

    libxml2 bounds depth and what entities expand to; it fetches nothing.
    """
    from lxml import etree

    inside: Any = "internal"  # the stubs do not know it
    parser = etree.XMLParser(
        resolve_entities=inside, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        message = error.msg.partition(", line")[0]
        line, column = error.position
        raise SourceError(f"not RDF/XML: {message}", path=path, line=line, column=column) from None


def _check_json(data: bytes, path: str) -> None:
    depth = 0
    for match in re.finditer(rb'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', data, re.S):
        mark = match[0]
        depth += (mark in b"[{") - (mark in b"]}")
        if depth > MOST_DEPTH:
            raise SourceError(f"nested more than {MOST_DEPTH} deep", path=path)


_META = (str(OWL), str(RDFS), str(RDF), str(GR._NS))
_NAMES = (RDFS.label, SKOS.prefLabel)
_IDENTITY = (OWL.sameAs, OWL.differentFrom)
#: Predicates whose subject, or whose object, is a class or property.
_OF_TERMS = frozenset(
    {
        RDFS.subClassOf,
        RDFS.subPropertyOf,
        RDFS.domain,
        RDFS.range,
        OWL.equivalentClass,
        OWL.equivalentProperty,
        OWL.disjointWith,
        OWL.propertyDisjointWith,
        OWL.inverseOf,
        OWL.complementOf,
        GR.precedes,
        GR.usuallyPrecedes,
        GR.datedAfter,
        GR.datedBefore,
    }
)


def split(triples: Iterable[Triple]) -> tuple[list[Triple], list[Triple]]:
    """Return the statements about classes and properties, and those about individuals.

    What the first kind is made of (lists, restrictions) belongs to it, and so do owl:sameAs,
    owl:differentFrom and negative assertions, which rules read as axioms.
    """
    stated = list(triples)
    about: defaultdict[Node, list[Node]] = defaultdict(list)
    terms: set[Node] = set()
    for triple in stated:
        s, p, o = triple.subject, triple.predicate, triple.object
        if isinstance(o, BNode):
            about[s].append(o)
        if p == RDF.type:
            if not str(o).startswith(_META):
                terms.add(o)
            elif o not in (OWL.NamedIndividual, OWL.Thing):
                terms.add(s)
        elif p in _OF_TERMS:
            terms |= {s, o}
        elif p == OWL.imports:
            terms.add(s)
        elif not str(p).startswith(_META):
            terms.add(p)
    reached = list(terms)
    while reached:
        for part in about[reached.pop()]:
            if part not in terms:
                terms.add(part)
                reached.append(part)
    axioms, individuals = [], []
    for triple in stated:
        if triple.subject in terms or triple.predicate in _IDENTITY:
            axioms.append(triple)
        elif triple.object not in (OWL.NamedIndividual, OWL.Thing):
            individuals.append(triple)
    return axioms, individuals

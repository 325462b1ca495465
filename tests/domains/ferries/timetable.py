"""Timetables: a line each crossing, `Clansman | Oban | Craignure`."""

from functools import partial
from pathlib import Path
from urllib.parse import quote

from rdflib.namespace import RDF, RDFS
from rdflib.term import URIRef

from ferries.crossings import FER
from groundrules.dataset import TripleStore, quads
from groundrules.kb.records.formats import RECORD, RecordFormat, add_statement, digest
from groundrules.kb.sources.connect import Connection
from groundrules.kb.sources.rdf import RdfSource
from groundrules.kb.sources.triplestore import StoreGraph
from groundrules.terms import Triple


def read_line(line):
    """Return a ship and what a line states of it."""
    ship, origin, target = (part.strip() for part in line.decode().split("|"))
    node = RECORD[f"ferry/{quote(ship)}"]
    found = [Triple(node, RDF.type, FER.Ferry)]
    add_statement(found, node, RDFS.label, ship)
    for name, port in (("from", origin), ("to", target)):
        place = URIRef(RECORD[f"port/{quote(port)}"])
        add_statement(found, node, FER[name], place)
        add_statement(found, place, RDFS.label, port)
    return node, found


def split(stream):
    """Yield the lines of a timetable."""
    for line in stream.lines():
        if line.strip():
            yield digest(line), partial(read_line, line)


TIMETABLE = RecordFormat(name="timetable", endings=(".timetable",), split=split, domain="ferries")


def open_timetable(spec, *, axioms, **_):
    """Return a timetable as a knowledge base: `ferries:FILE`."""
    path = Path(spec.partition(":")[2])
    lines = path.read_bytes().splitlines()
    store = TripleStore()
    store.load(quads(triple for line in lines for triple in read_line(line)[1]))
    graph = StoreGraph(store, path.name, digest(path.read_bytes()).hex())
    return Connection(RdfSource(graph, None, axioms), graph)

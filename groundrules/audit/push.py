"""A store of results loaded into a SPARQL server, by SPARQL 1.1 Update: all of it or nothing.

Each request names whole triples, written as `kb.query` writes them, so that no text of a report can
speak to the server. They are put into graphs beside, each of which is copied to its place when the
server has them all, the graph of a report in place of the old one. So nothing of a store is among
the results of a server that does not take the whole.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from rdflib.namespace import XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.audit.store import open_to_read
from groundrules.dataset import TripleStore
from groundrules.errors import SourceError
from groundrules.explain.vocabulary import OWN
from groundrules.kb.sources.query import write
from groundrules.kb.sources.sparql import send_update
from groundrules.terms import Triple

#: Triples in a request: Virtuoso compiles each, and takes 10,000 lines at most.
_SIZE = 1_000
_GRAPHS = 100  # whole graphs
_RETRIES = 4
_WAIT = 60.0  # the longest that a server may make us wait
_SECONDS = re.compile(r"(?:(?<!\d)(?<!\d\.)(\d+)(?:\.(\d*))?S)?$", re.A)

#: A graph and triples that it gets.
_Given = tuple[URIRef, tuple[Triple, ...]]
#: What a request does: an operation as text, or a graph that gets triples.
_Part = str | _Given


def push(
    folder: Path,
    url: str,
    *,
    login: tuple[str, str] | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[int, int]:
    """Load a store into a server; return how many graphs and triples it has of it.

    SourceError if the folder is no store, or the server does not take it after as many tries as
    that is worth; ConfigError as of `send_update`.
    """
    store = open_to_read(folder)
    graphs = sorted(store.named())
    send = partial(_send, url, login=login, sleep=sleep)
    groups = [graphs[at : at + _GRAPHS] for at in range(0, len(graphs), _GRAPHS)]
    sent = 0
    for group in groups:
        send(_cleared(group))
    try:
        for batch in _batches(store, graphs):
            send(batch)
            sent += sum(len(triples) for _, triples in batch)
    except SourceError as error:
        left = [group for group in groups if send_update(url, _text(_cleared(group)), login)]
        rest = f"some of it is left in graphs named {OWN}push:…" if left else "all is as it was"
        raise SourceError(f"{error.message}; {rest}", path=url) from None
    for step in (_put, _cleared):
        for group in groups:
            send(step(group))
    return len(graphs), sent


def _beside(graph: URIRef) -> URIRef:
    """Return the name of the graph in which another one is until the server has all."""
    return URIRef(f"{OWN}push:{graph}")


def _cleared(graphs: Sequence[URIRef]) -> list[_Part]:
    return [f"DROP SILENT GRAPH {write(_beside(graph))}" for graph in graphs]


def _put(graphs: Sequence[URIRef]) -> list[_Part]:
    """Return what puts graphs in their places; twice it does the same, so it can be sent again."""
    dropped = [graph for graph in graphs if graph.startswith(f"{OWN}report:")]
    return [
        *(f"DROP SILENT GRAPH {write(graph)}" for graph in dropped),
        *(f"ADD GRAPH {write(_beside(graph))} TO {write(graph)}" for graph in graphs),
    ]


def _batches(store: TripleStore, graphs: Sequence[URIRef]) -> Iterator[list[_Given]]:
    """Yield the store in parts of so many triples."""
    batch: list[_Given] = []
    room = _SIZE
    for graph in graphs:
        triples = store.triples(graph=graph)
        while part := tuple(islice(triples, room)):
            batch.append((_beside(graph), part))
            room -= len(part)
            if not room:
                yield batch
                batch, room = [], _SIZE
    if batch:
        yield batch


def _send(
    url: str,
    batch: Sequence[_Part],
    *,
    login: tuple[str, str] | None,
    sleep: Callable[[float], None],
) -> None:
    text = _text(batch)
    for attempt in range(_RETRIES + 1):
        refused = send_update(url, text, login)
        if refused is None:
            return
        if "duration" in refused.message and text != (longer := _text(batch, longer=True)):
            text = longer  # Virtuoso takes those alone that have parts of a second
            refused = send_update(url, text, login)
            if refused is None:
                return
        if refused.split and (halves := _halves(batch)):
            for half in halves:
                _send(url, half, login=login, sleep=sleep)
            return
        wait = random.uniform(0.5, 1.0) * 2**attempt if refused.wait is None else refused.wait
        if not refused.again or attempt == _RETRIES or wait > _WAIT:
            raise SourceError(refused.message, path=url)
        sleep(wait)


def _halves(batch: Sequence[_Part]) -> tuple[Sequence[_Part], ...]:
    """Return a request in two, nothing where it has one thing alone."""
    if len(batch) > 1:
        middle = len(batch) // 2
        return batch[:middle], batch[middle:]
    (part,) = batch
    if isinstance(part, str) or len(part[1]) < 2:
        return ()
    graph, triples = part
    middle = len(triples) // 2
    return [(graph, triples[:middle])], [(graph, triples[middle:])]


def _text(batch: Sequence[_Part], *, longer: bool = False) -> str:
    """Return a request; durations are written with millionths of a second where `longer`."""

    def said(term: Node) -> str:
        return write(_longer(term) if longer else term)

    def operation(part: _Part) -> str:
        if isinstance(part, str):
            return part
        graph, triples = part
        lines = "".join(
            f"{said(t.subject)} {said(t.predicate)} {said(t.object)} .\n" for t in triples
        )
        return f"INSERT DATA {{ GRAPH {write(graph)} {{\n{lines}}} }}"

    return " ;\n".join(map(operation, batch))


def _longer(term: Node) -> Node:
    """Return a duration with millionths of a second, every other term as it is: PT1H0.000000S."""
    if not isinstance(term, Literal) or term.datatype != XSD.duration:
        return term
    match = _SECONDS.search(term)
    assert match is not None  # it finds nothing at the end, too
    time_ = "" if "T" in term else "T"
    text = f"{term[: match.start()]}{time_}{match[1] or 0}.{match[2] or '':0<6}S"
    return Literal(text, datatype=XSD.duration, normalize=False)

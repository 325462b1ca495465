"""A store of results loaded into a SPARQL server, by SPARQL 1.1 Update.

Each request names whole triples, written as `kb.query` writes them, so that no text of a report can
speak to the server. The graph of a report is dropped before it comes anew; what texts and sources
state is added to. A push that stopped is begun again: what the server has it has once.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from rdflib.term import URIRef

from groundrules.audit.store import open_to_read
from groundrules.dataset import TripleStore
from groundrules.errors import SourceError
from groundrules.explain.vocabulary import OWN
from groundrules.kb.query import write
from groundrules.kb.sparql import send_update
from groundrules.terms import Triple

#: Triples in a request: Virtuoso compiles each, and takes 10,000 lines at most.
_SIZE = 1_000
_RETRIES = 4
_WAIT = 60.0  # the longest that a server may make us wait

#: Triples of a graph, and whether the graph is dropped before.
_Part = tuple[URIRef, list[Triple], bool]


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
    sent = 0
    for batch in _batches(store):
        _send(url, batch, login, sleep)
        sent += sum(len(triples) for _, triples, _ in batch)
    return sum(1 for _ in store.named()), sent


def _batches(store: TripleStore) -> Iterator[list[_Part]]:
    """Yield the store in parts of so many triples."""
    batch: list[_Part] = []
    room = _SIZE
    for graph in sorted(store.named()):
        triples = store.triples(graph=graph)
        drop = graph.startswith(f"{OWN}report:")
        while part := list(islice(triples, room)):
            batch.append((graph, part, drop))
            drop = False
            room -= len(part)
            if not room:
                yield batch
                batch, room = [], _SIZE
    if batch:
        yield batch


def _send(
    url: str, batch: list[_Part], login: tuple[str, str] | None, sleep: Callable[[float], None]
) -> None:
    text = " ;\n".join(_operations(batch))
    for attempt in range(_RETRIES + 1):
        refused = send_update(url, text, login)
        if refused is None:
            return
        if refused.split and sum(len(triples) for _, triples, _ in batch) > 1:
            for half in _halves(batch):
                _send(url, half, login, sleep)
            return
        wait = random.uniform(0.5, 1.0) * 2**attempt if refused.wait is None else refused.wait
        if not refused.again or attempt == _RETRIES or wait > _WAIT:
            raise SourceError(f"{refused.message}; what came before is there", path=url)
        sleep(wait)


def _halves(batch: list[_Part]) -> Iterator[list[_Part]]:
    if len(batch) > 1:
        middle = len(batch) // 2
        yield batch[:middle]
        yield batch[middle:]
        return
    ((graph, triples, drop),) = batch
    middle = len(triples) // 2
    yield [(graph, triples[:middle], drop)]
    yield [(graph, triples[middle:], False)]


def _operations(batch: Iterable[_Part]) -> Iterator[str]:
    for graph, triples, drop in batch:
        name = write(graph)
        if drop:
            yield f"DROP SILENT GRAPH {name}"
        lines = "".join(
            f"{write(t.subject)} {write(t.predicate)} {write(t.object)} .\n" for t in triples
        )
        yield f"INSERT DATA {{ GRAPH {name} {{\n{lines}}} }}"

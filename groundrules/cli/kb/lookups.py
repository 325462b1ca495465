"""`groundrules kb`: names and statements of a knowledge base looked up, and its records checked."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules import domain
from groundrules.cli.settings import settings
from groundrules.cli.terminal import plain, progress_bar, table, write_as
from groundrules.errors import ConfigError, SourceError

if TYPE_CHECKING:
    from groundrules.checks.store import Finding
    from groundrules.kb.sources.connect import Connection
    from groundrules.kb.sources.source import Entity

_WIKIDATA = re.compile(r"^http://www\.wikidata\.org/entity/(?=[QPL]\d+$)")


def only(args: argparse.Namespace) -> str:
    """Return the one thing that an action is about; ConfigError where there are several."""
    first, *more = args.things
    if more:
        raise ConfigError(f"unexpected argument {more[0]!r}", path=f"kb {args.action}")
    return str(first)


def _connect(args: argparse.Namespace) -> tuple[Connection, str]:
    """Return the first knowledge base and how it is called; ConfigError where none is named."""
    from groundrules.kb.sources.connect import connect_as

    config = settings(args)
    if args.action == "profile":
        config = replace(config, kb=(only(args),))
    if not config.kb:
        raise ConfigError("--kb is needed: wikidata, an endpoint, a file, a folder or a store",
                          path=f"kb {args.action}")  # fmt: skip
    return connect_as(config, config.bases[0], datetime.now(UTC)), config.kb[0]


def lookup(args: argparse.Namespace, form: str) -> int:
    """Show what bears some names, the likeliest first; return 1 if nothing bears one."""
    connection, kb = _connect(args)
    found: dict[str, tuple[Entity, ...]] = {}
    for name, answer in connection.bearers(args.things).items():
        if not isinstance(answer, tuple):
            raise answer.error(kb)
        found[name] = answer
    write_as(
        form,
        lambda: {"schema": 1, "names": found},
        lambda: "\n".join(_bearers(name, entities) for name, entities in found.items()),
    )
    return 0 if any(found.values()) else 1


def _bearers(name: str, entities: Sequence[Entity]) -> str:
    rows = [(e.label, _WIKIDATA.sub("", e.iri), f"{e.prior:,}", e.description) for e in entities]
    if not rows:
        return f"nothing is called {plain(name)!r}\n"
    return table(("name", "id", "known by", "description"), rows)


def profile(args: argparse.Namespace, _: str) -> int:
    """Show what is read off a graph, to be corrected and given back."""
    from groundrules.kb.link.profiled import profile_of
    from groundrules.kb.sources.rdf import RdfSource

    found, name = _connect(args)
    if not isinstance(found.source, RdfSource):
        raise ConfigError("is in the model of Wikidata, which needs no profile", path=name)
    sys.stdout.write(profile_of(found.source, found.graph, name))
    return 0


def near(args: argparse.Namespace, form: str) -> int:
    """Show what the texts of a store say about a question; return 1 if they say nothing."""
    from groundrules.kb.search.neighbourhood import called
    from groundrules.kb.search.retrieval import open_texts

    question = only(args)
    connection, name = _connect(args)
    index = open_texts(connection.graph)
    if index is None:
        raise ConfigError("expected a store that kb build made", path=name)
    hits = index.search(question, args.most, vector=index.encode(question))
    index.close()
    rows = [(hit.how, hit.title or called(hit.node), hit.node, hit.text) for hit in hits]
    write_as(
        form,
        lambda: {"schema": 1, "hits": hits},
        lambda: table(("by", "thing", "id", "text"), rows) if rows else "nothing found\n",
    )
    return 0 if hits else 1


def show(args: argparse.Namespace, form: str) -> int:
    """Show what is stated around some things."""
    from groundrules.kb.search.neighbourhood import check_answered, find, neighbourhood
    from groundrules.kb.search.texts import expand

    try:
        relations = None if args.relations is None else [expand(one) for one in args.relations]
    except ValueError as error:
        raise ConfigError(f"--relations: {error}", path="kb show") from None
    connection, name = _connect(args)
    seeds = [find(connection, thing, name) for thing in args.things]
    found = neighbourhood(
        connection.source,
        connection.graph,
        seeds,
        hops=args.hops,
        budget=args.tokens,
        relations=relations,
    )
    check_answered(found, name)
    if not found.statements:
        raise SourceError(f"nothing is stated of {', '.join(seeds)}", path=name)
    lines = [one.text for one in found.statements]
    lines += [f"(not read: {one.text})" for one in found.many]
    write_as(
        form,
        lambda: {"schema": 1, "neighbourhood": found, "evidence": found.evidence()},
        lambda: "".join(f"{plain(line)}\n" for line in lines),
    )
    return 0


def check(args: argparse.Namespace, form: str) -> int:
    """Put the records of a store to the rules of an ontology; return 1 if one has an error."""
    from groundrules.checks.store import check_records
    from groundrules.kb.sources.triplestore import domain_of, open_graph
    from groundrules.ontology.load import load
    from groundrules.rules.packs import load_packs

    name = only(args)
    store = open_graph(Path(name)).store
    used = domain_of(Path(name))
    if not (args.ontology or used):
        known = ", ".join(domain.names())
        raise ConfigError(
            f"has no records of a domain ({known}); expected --ontology NAME|FILE", path=name
        )
    ontology = load(args.ontology or used)
    judged_by = ontology.domain or used
    packs = load_packs(("owl", *filter(None, [judged_by and domain.load(judged_by).pack])))
    rules = [
        rule
        for pack in packs
        for rule in pack.rules
        if rule.id.startswith(tuple(args.select) or "")
    ]
    count = 0
    found: list[Finding] = []
    with progress_bar() as progress:
        for _, findings in check_records(store, ontology, rules):
            count += 1
            found += findings
            progress("check", count, count)
    severities = Counter(one.violation.severity.value for one in found)
    parts = [f"{n} {name}{'' if n == 1 else 's'}" for name, n in severities.items()]
    last = f"{count:,} records: {', '.join(parts) or 'nothing found'}\n"
    write_as(
        form,
        lambda: {"schema": 1, "records": count, "findings": found},
        lambda: "".join(f"{line}\n" for line in _lines(found)) + last,
    )
    return int(bool(severities["error"]))


def _lines(found: Iterable[Finding]) -> Iterable[str]:
    for one in found:
        violation = one.violation
        because = f": {violation.because}" if violation.because else ""
        place = "; ".join(one.places) or str(one.record)
        told = f"{violation.severity.value} {violation.rule} {violation.name}: {violation.message}"
        yield " ".join(f"{place}: {told}{because}".split())

"""`groundrules kb`: build a knowledge base, see what it holds, look names and statements up."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundrules.cli.files import refuse_inputs
from groundrules.cli.options import Parser, add_format, names, one_of, output_format
from groundrules.cli.settings import add_settings, here, settings
from groundrules.cli.terminal import plain, progress_bar, table, write_as
from groundrules.errors import ConfigError, SourceError
from groundrules.reserved import path_of

if TYPE_CHECKING:
    from rdflib.term import Node, URIRef

    from groundrules.config import Config
    from groundrules.kb.sources.connect import Connection
    from groundrules.kb.sources.source import Entity, Statement, Value

#: Those that have options of their own: see main.py, which finds cli/kb/check.py and its like.
_APART = ("check", "near", "show")
_ACTIONS = (
    "build", "check", "index", "info", "lookup", "near", "show", "snapshot", "statements",
)  # fmt: skip
_PREDICATES = """
SELECT DISTINCT ?p WHERE { VALUES ?s { $subject } ?s ?p ?o }
"""
_STATEMENT = "http://www.wikidata.org/entity/statement/"
_DIRECT = "http://www.wikidata.org/prop/direct/"
_P = "http://www.wikidata.org/prop/"


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "kb",
        "Build a knowledge base on disk, see what it holds, look names and statements up.",
        (
            "groundrules kb build latest-truthy.nt.bz2 -o wikidata/",
            "groundrules kb build facts.nt.gz more.ttl -o facts/",
            "groundrules kb build ipg260106.xml wrappers.json opinions.jsonl -o records/",
            "groundrules kb build statutes.csv --mapping statutes.toml -o records/",
            "groundrules kb index facts.ttl -o names.sqlite",
            "groundrules kb index records/ --texts",
            "groundrules kb near 'a rotor blade that heats itself' --kb records/",
            "groundrules kb show 9,123,456 --kb records/",
            "groundrules kb check records/",
            "groundrules kb info facts/",
            "groundrules kb lookup 'Ada Lovelace' --kb facts/",
            "groundrules kb statements Q7259 P19 P569 --kb wikidata",
            "groundrules kb snapshot claims.txt --kb wikidata -o claims.snapshot",
        ),
    )
    add = result.add_argument
    add("action", type=one_of(*_ACTIONS), metavar="|".join(_ACTIONS), help="what to do")
    add(
        "things",
        nargs="*",
        metavar="ARG",
        help="build: RDF files, records of patents (.xml, .json), court "
        "decisions (.json, .jsonl) or tables (.csv, .tsv, .jsonl, .parquet), also .gz and .bz2; "
        "index: a file, "
        "folder or store; info: a store or an index; lookup: names; statements: an IRI or id, then "
        "perhaps properties; snapshot: a text",
    )
    add("-o", "--output", metavar="PATH", help="build: the store, goes on where a build stopped; "
        "index, snapshot: the file")  # fmt: skip
    add("--kb", dest="source", metavar="KB",
        help="lookup, statements, snapshot: wikidata, the URL of a SPARQL endpoint, an RDF file, a "
             "folder or a store")  # fmt: skip
    add("--languages", type=names, default=("en", "mul"), metavar="LIST",
        help="build, index: the languages of names, the best first (default en,mul)")  # fmt: skip
    add("--mapping", metavar="FILE",
        help="build: how the columns of tables are read (TOML)")  # fmt: skip
    add("--texts", action="store_true",
        help="index: of a store, its texts, for kb near; a build that stopped goes on")  # fmt: skip
    add("--offline", metavar="SNAPSHOT|cache",
        help="lookup, statements: ask no endpoint; a snapshot or the cache answers")  # fmt: skip
    add_settings(result)
    add_format(result, "text", "json")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    form = output_format(args)
    if args.action in _APART:
        raise ConfigError(f"{args.action} comes before its options: groundrules kb {args.action}")
    return _COMMANDS[args.action](args, form)


def _build(args: argparse.Namespace, form: str) -> int:
    from groundrules.kb.sources.triplestore import build_store

    dumps = [Path(name) for name in _things(args, "DUMP")]
    out = _output(args, "a folder")
    mapping = Path(args.mapping) if args.mapping else None
    faults: list[str] = []
    try:
        with progress_bar() as progress:
            build = build_store(
                dumps, out, progress=progress, languages=args.languages, mapping=mapping,
                fault=faults.append,
            )  # fmt: skip
    finally:
        for fault in faults:
            print(plain(fault), file=sys.stderr)
    _show(_about_store(out), form)
    return int(any(dump.faults for dump in build.dumps))


def _index(args: argparse.Namespace, form: str) -> int:
    from groundrules.kb.link.aliases import build_index
    from groundrules.kb.sources.triplestore import open_graph

    (name,) = _things(args, "STORE_OR_FILE", most=1)
    if args.texts:
        return _index_texts(args, Path(name), form)
    out = _output(args, "a file")
    if out.exists():
        raise ConfigError("is there already", path=str(out))
    graph = open_graph(Path(name))
    facts = {"digest": graph.digest, "languages": " ".join(args.languages)}
    with progress_bar() as progress:
        build_index(graph.store, out, languages=args.languages, progress=progress, facts=facts)
    return _show(_about_index(out), form)


def _index_texts(args: argparse.Namespace, store: Path, form: str) -> int:
    from groundrules.kb.search.retrieval import TEXTS, index_texts
    from groundrules.kb.sources.triplestore import STATE, open_graph, read_build

    if not (store / STATE).is_file() or args.output:
        raise ConfigError(
            "--texts is for a store that kb build made, and goes into it; without -o",
            path=str(store),
        )
    if not read_build(store).complete:
        raise SourceError("not built to the end; the same kb build goes on", path=str(store))
    with progress_bar() as progress:
        index_texts(
            open_graph(store),
            store / TEXTS,
            languages=args.languages,
            progress=progress,
        )
    return _show(_about_texts(store / TEXTS), form)


def _about_texts(path: Path) -> dict[str, Any]:
    from groundrules.kb.search.retrieval import TextIndex

    index = TextIndex(path)
    texts, things = index.sizes()
    found = {
        "index": str(path),
        "texts": texts,
        "things": things,
        "model": index.state["model"],
        "digest": index.digest,
        "bytes": _bytes(path),
    }
    index.close()
    return found


def _info(args: argparse.Namespace, form: str) -> int:
    (name,) = _things(args, "STORE", most=1)
    path = Path(name)
    if not path.exists():
        raise SourceError("no such file or folder", path=name)
    return _show(_about_store(path) if path.is_dir() else _about_index(path), form)


def _about_store(path: Path) -> dict[str, Any]:
    from groundrules.kb.sources.triplestore import GRAPH, NAMES, read_build

    build = read_build(path)
    found: dict[str, Any] = {
        "store": str(path),
        "state": "complete" if build.complete else "incomplete: the same kb build goes on",
    }
    if build.complete:
        found["statements"] = build.statements
        found.update(_about_names(path / NAMES))
    found["languages"] = list(build.languages)
    found["bytes"] = _bytes(path / GRAPH) + _bytes(path / NAMES)
    found["digest"] = build.digest
    found["from"] = [asdict(dump) for dump in build.dumps]
    return found


def _about_index(path: Path) -> dict[str, Any]:
    from groundrules.kb.link.aliases import AliasIndex

    index = AliasIndex(path)
    facts = index.facts
    index.close()
    return {
        "index": str(path),
        **_about_names(path),
        "languages": facts.get("languages", "").split(),
        "bytes": _bytes(path),
        "digest": facts.get("digest", ""),
    }


def _about_names(path: Path) -> dict[str, int]:
    from groundrules.kb.link.aliases import AliasIndex

    index = AliasIndex(path)
    entities, keys = index.sizes()
    index.close()
    return {"entities": entities, "names": keys}


def _bytes(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def _show(found: dict[str, Any], form: str) -> int:
    write_as(form, lambda: {"schema": 1, **found}, lambda: _lines(found))
    return 0


def _lines(found: dict[str, Any]) -> str:
    rows = []
    for key, value in found.items():
        if key == "bytes":
            rows.append(("size", f"{value / 1e6:,.1f} MB"))
        elif key == "from":
            rows += [("from" if not n else "", _dump(dump)) for n, dump in enumerate(value)]
        elif isinstance(value, list):
            rows.append((key, ", ".join(value)))
        else:
            rows.append((key, f"{value:,}" if isinstance(value, int) else value))
    width = max(len(key) for key, _ in rows)
    return "".join(f"{key:<{width}}  {value}\n" for key, value in rows)


def _dump(dump: dict[str, Any]) -> str:
    from groundrules.kb.sources.triplestore import has_records

    unit = "records" if has_records(dump["form"]) else "statements"
    rest = f", {dump['faults']:,} not read" if dump["faults"] else ""
    rest += "" if dump["whole"] else ", not whole"
    return f"{dump['name']} ({dump['form']}, {dump['done']:,} {unit}{rest})"


def _lookup(args: argparse.Namespace, form: str) -> int:
    wanted = _things(args, "NAME")
    connection, kb = connect_first(args)
    found: dict[str, tuple[Entity, ...]] = {}
    for name, answer in connection.bearers(wanted).items():
        if not isinstance(answer, tuple):
            raise answer.error(kb)
        found[name] = answer
    write_as(
        form,
        lambda: {"schema": 1, "names": {n: [_encode(one) for one in found[n]] for n in wanted}},
        lambda: "\n".join(_bearers(name, entities) for name, entities in found.items()),
    )
    return 0 if any(found.values()) else 1


def _bearers(name: str, entities: Sequence[Entity]) -> str:
    rows = [(e.label, short(e.iri), f"{e.prior:,}", e.description) for e in entities]
    if not rows:
        return f"nothing is called {plain(name)!r}\n"
    return table(("name", "id", "known by", "description"), rows)


def _encode(entity: Entity) -> dict[str, Any]:
    return {**asdict(entity), "revision": entity.revision or None}


def _statements(args: argparse.Namespace, form: str) -> int:
    subject, *chosen = (_iri(thing) for thing in _things(args, "ID"))
    connection, kb = connect_first(args)
    predicates = [_claimed(iri) for iri in chosen] or _predicates(connection, subject, kb)
    try:
        facts = connection.source.statements([(subject, one) for one in predicates])
    except ValueError as error:
        raise ConfigError(str(error), path=kb) from None
    stated: list[Statement] = []
    for fact in facts.values():
        if fact.fault:
            raise fact.fault.error(kb)
        stated += [one for one in fact.statements if one.subject == subject or chosen]
    if not stated:
        raise SourceError(f"nothing is stated of {subject}", path=kb)
    labels = _labels(connection, stated)
    write_as(
        form,
        lambda: {"schema": 1, "statements": [_encode_statement(one) for one in stated]},
        lambda: _stated(connection, stated, labels),
    )
    return 0


def _stated(connection: Connection, stated: Sequence[Statement], labels: dict[URIRef, str]) -> str:
    ranked = connection.source.capabilities().ranks
    rows = [
        (
            labels.get(one.predicate, short(one.predicate)),
            _value(one.value, labels),
            _time(one, labels),
            "" if not ranked else one.rank if one.best else f"{one.rank}, not best",
            "" if one.references is None else str(one.references),
            one.pin.removeprefix(_STATEMENT),
        )
        for one in stated
    ]
    return table(("property", "value", "when", "rank", "sources", "statement"), rows)


def _predicates(connection: Connection, subject: URIRef, kb: str) -> list[URIRef]:
    """Return the predicates of what is stated of a thing, as claims use them."""
    from groundrules.kb.sources.source import Query

    answer = connection.graph.select(Query(_PREDICATES, {"subject": [(subject,)]}))
    for fault in answer.faults.values():
        raise fault.error(kb)
    used = {str(row["p"]) for row in answer.rows}
    claimed = {_claimed(iri) for iri in used if re.fullmatch(rf"{_P}(?:direct/)?P\d+", iri)}
    from rdflib.term import URIRef

    return sorted(claimed or map(URIRef, used), key=lambda iri: (len(iri), iri))


def _claimed(iri: str) -> URIRef:
    """Return the predicate that claims use for a property."""
    from rdflib.term import URIRef

    return URIRef(re.sub(r"^http://www\.wikidata\.org/(?:entity|prop)/(?=P\d+$)", _DIRECT, iri))


def _labels(connection: Connection, stated: Sequence[Statement]) -> dict[URIRef, str]:
    """Return the labels of the properties and values of statements, as far as there are any."""
    from rdflib.term import URIRef

    known = connection.source.properties()
    found = {one.predicate: known[one.predicate].label for one in stated if one.predicate in known}
    things = {
        value.node
        for one in stated
        for value in (one.value, one.start, one.end, one.point)
        if value and isinstance(value.node, URIRef)
    }
    for iri, entity in connection.source.resolve(sorted(things)).items():
        if label := getattr(entity, "label", ""):
            found[iri] = label
    return {iri: label for iri, label in found.items() if label}


def _value(value: Value, labels: dict[URIRef, str]) -> str:
    from rdflib.term import URIRef

    if value.kind in ("somevalue", "novalue"):
        return {"somevalue": "(some value)", "novalue": "(no value)"}[value.kind]
    node: Node = value.node
    if isinstance(node, URIRef):
        label = labels.get(node)
        return f"{label} ({short(node)})" if label else short(node)
    return str(node)


def _time(one: Statement, labels: dict[URIRef, str]) -> str:
    parts = (("from", one.start), ("to", one.end), ("at", one.point))
    return " ".join(f"{word} {_value(value, labels)}" for word, value in parts if value)


def _encode_statement(one: Statement) -> dict[str, Any]:
    def value(value: Value | None) -> dict[str, Any] | None:
        if value is None:
            return None
        return {
            "kind": value.kind,
            "value": str(value.node),
            "datatype": getattr(value.node, "datatype", None),
            "language": getattr(value.node, "language", None),
            "low": value.low,
            "high": value.high,
            "unit": value.unit or None,
        }

    return {
        "subject": one.subject,
        "property": one.predicate,
        "value": value(one.value),
        "rank": one.rank,
        "best": one.best,
        "start": value(one.start),
        "end": value(one.end),
        "point": value(one.point),
        "references": one.references,
        "iri": one.iri,
        "revision": one.revision or None,
        "retrieved": one.retrieved or None,
    }


def _snapshot(args: argparse.Namespace, form: str) -> int:
    import hashlib

    from groundrules import api
    from groundrules.claims import document

    (name,) = _things(args, "TEXT", most=1)
    out = _output(args, "a file")
    config, specs = _config(args)
    refuse_inputs(args.output, (name, args.config), config)
    paths = [path for spec in specs if (path := path_of("kb", spec))]
    if local := [str(path) for path in paths if path.exists()]:
        raise ConfigError(
            "a snapshot keeps what an endpoint answers; this is a file that can be kept itself",
            path=local[0],
        )
    report = api.check(document.read(name), config=replace(config, kb=specs), snapshot=out)
    digest = hashlib.sha256(out.read_bytes()).hexdigest()
    calls = {key: count for key, count in report.run.calls if key != "bytes"}
    return _show({"snapshot": str(out), "sha256": digest, **calls}, form)


_COMMANDS = {
    "build": _build,
    "index": _index,
    "info": _info,
    "lookup": _lookup,
    "statements": _statements,
    "snapshot": _snapshot,
}


def _things(args: argparse.Namespace, word: str, most: int | None = None) -> list[str]:
    place = f"kb {args.action}"
    if not args.things:
        raise ConfigError(f"the following arguments are required: {word}", path=place)
    if most is not None and len(args.things) > most:
        raise ConfigError(f"unexpected argument {args.things[most]!r}", path=place)
    return list(args.things)


def _output(args: argparse.Namespace, what: str) -> Path:
    if not args.output:
        raise ConfigError(f"-o is needed: {what} to write", path=f"kb {args.action}")
    return Path(args.output)


def _config(args: argparse.Namespace) -> tuple[Config, tuple[str, ...]]:
    """Return the settings and the knowledge bases: that of the option, else those configured."""
    config = settings(args)
    if args.source:
        given = here("kb", args.source, config)
        config = replace(config, kb=(given,), origins={**config.origins, "kb": "--kb"})
    if not config.kb:
        raise ConfigError("--kb is needed: wikidata, an endpoint, a file, a folder or a store",
                          path=f"kb {args.action}")  # fmt: skip
    return config, config.bases


def connect_first(args: argparse.Namespace) -> tuple[Connection, str]:
    """Return the first knowledge base and how the user calls it."""
    from groundrules.kb.sources.connect import connect

    config, (spec, *_) = _config(args)
    connection = connect(
        spec,
        now=datetime.now(UTC),
        names=config.index,
        contact=config.contact,
        offline=config.offline,
    )
    return connection, args.source or spec


def _iri(thing: str) -> URIRef:
    from rdflib.term import URIRef

    from groundrules.kb.sources.query import is_iri
    from groundrules.kb.sources.wikidata import WIKIDATA_ID

    if WIKIDATA_ID.fullmatch(thing):
        return URIRef(f"http://www.wikidata.org/entity/{thing}")
    if not is_iri(thing):
        raise ConfigError(
            f"{thing!r} is neither an IRI nor an id of Wikidata", path="kb statements"
        )
    return URIRef(thing)


def short(iri: str) -> str:
    """Return the id of a thing of Wikidata, the IRI of any other."""
    return re.sub(r"^http://www\.wikidata\.org/(?:entity|prop/direct)/(?=[QPL]\d+$)", "", iri)

"""`groundrules kb`: a knowledge base is built and indexed, and what it holds is shown."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from groundrules.cli.kb import lookups
from groundrules.cli.options import Parser, add_format, names, one_of, output_format, positive
from groundrules.cli.settings import add_settings
from groundrules.cli.terminal import plain, progress_bar, write_as
from groundrules.errors import ConfigError, SourceError


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "kb",
        "Build a knowledge base on disk, see what it holds, check it, look something up.",
        (
            "groundrules kb build latest-truthy.nt.bz2 -o wikidata/",
            "groundrules kb build ipg260106.xml opinions.jsonl -o records/",
            "groundrules kb index facts.ttl -o names.sqlite",
            "groundrules kb profile facts.ttl",
            "groundrules kb lookup 'Ada Lovelace' --kb facts/",
            "groundrules kb near 'a rotor blade that heats itself' --kb records/",
            "groundrules kb show 9,123,456 --kb records/ --relations ^lx:partOf,lx:hasInventor",
        ),
    )
    add = result.add_argument
    add("action", type=one_of(*_COMMANDS), metavar="|".join(_COMMANDS), help="what to do")
    add("things", nargs="+", metavar="ARG",
        help="build: RDF files, records of patents (.xml, .json) or court decisions (.json, "
             ".jsonl), also .gz and .bz2; index, check: a file, folder or store; info: a store or "
             "an index; profile: a file, a store or an endpoint; lookup: names; near: a "
             "question, a sentence or a number; show: IRIs, ids of Wikidata, numbers or names"
        )  # fmt: skip
    add("-o", "--output", metavar="PATH", help="build: the store, a new folder; "
        "index: the file")  # fmt: skip
    add("--kb", action="append", metavar="KB",
        help="lookup, near, show: wikidata, the URL of a SPARQL endpoint, an RDF file, a "
             "folder or a store; of near a store with an index of texts")  # fmt: skip
    add("--languages", type=names, default=("en", "mul"), metavar="LIST",
        help="build, index: the languages of names, the best first (default en,mul)")  # fmt: skip
    add("--texts", action="store_true",
        help="index: of a store, its texts, for kb near")  # fmt: skip
    add("--offline", metavar="SNAPSHOT|cache",
        help="lookup, show: ask no endpoint; a snapshot or the cache answers")  # fmt: skip
    add("--most", type=positive, default=10, metavar="N",
        help="near: how many things (default 10)")  # fmt: skip
    add("--hops", type=int, choices=range(4), default=1, metavar="N",
        help="show: how far (0 to 3, default 1)")  # fmt: skip
    add("--tokens", type=positive, default=20_000, metavar="N",
        help="show: how much of it (default 20000)")  # fmt: skip
    add("--relations", type=names, metavar="LIST",
        help="show: follow these alone: IRIs, or names like lx:cites; ^ is the way back"
        )  # fmt: skip
    add("--ontology", metavar="NAME|FILE",
        help="check: the ontology, of a domain or a file (default: the domain whose terms the "
             "store uses)")  # fmt: skip
    add("--select", type=names, default=(), metavar="LIST",
        help="check: only the rules whose ids begin so")  # fmt: skip
    add_settings(result)
    add_format(result, "text", "json")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if nothing is found, or a record could not be read or is wrong."""
    return _COMMANDS[args.action](args, output_format(args))


def _build(args: argparse.Namespace, form: str) -> int:
    from groundrules.kb.sources.triplestore import build_store

    dumps = [Path(name) for name in args.things]
    out = _output(args, "a folder")
    faults: list[str] = []
    try:
        with progress_bar() as progress:
            build = build_store(
                dumps, out, progress=progress, languages=args.languages, fault=faults.append,
            )  # fmt: skip
    finally:
        for fault in faults:
            print(plain(fault), file=sys.stderr)
    _show(_about_store(out), form)
    return int(any(dump.faults for dump in build.dumps))


def _index(args: argparse.Namespace, form: str) -> int:
    from groundrules.kb.link.aliases import build_index
    from groundrules.kb.sources.triplestore import open_graph

    name = lookups.only(args)
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
    from groundrules.kb.search.retrieval import TEXTS, TextIndex, index_texts
    from groundrules.kb.sources.triplestore import STATE, open_graph

    if not (store / STATE).is_file() or args.output:
        raise ConfigError(
            "--texts is for a store that kb build made, and goes into it; without -o",
            path=str(store),
        )
    path = store / TEXTS
    with progress_bar() as progress:
        index_texts(open_graph(store), path, languages=args.languages, progress=progress)
    with closing(TextIndex(path)) as index:
        texts, things = index.sizes()
        about = {"model": index.state["model"], "digest": index.digest, "bytes": _bytes(path)}
    return _show({"index": str(path), "texts": texts, "things": things, **about}, form)


def _info(args: argparse.Namespace, form: str) -> int:
    name = lookups.only(args)
    path = Path(name)
    if not path.exists():
        raise SourceError("no such file or folder", path=name)
    return _show(_about_store(path) if path.is_dir() else _about_index(path), form)


def _about_store(path: Path) -> dict[str, Any]:
    from groundrules.kb.sources.triplestore import GRAPH, NAMES, read_build

    build = read_build(path)
    held = _about_index(path / NAMES)
    return {
        "store": str(path),
        "statements": build.statements,
        **{key: held[key] for key in ("entities", "names")},
        "languages": list(build.languages),
        "bytes": _bytes(path / GRAPH) + _bytes(path / NAMES),
        "digest": build.digest,
        "from": [asdict(dump) for dump in build.dumps],
    }


def _about_index(path: Path) -> dict[str, Any]:
    from groundrules.kb.link.aliases import AliasIndex

    with closing(AliasIndex(path)) as index:
        facts, (entities, names) = index.facts, index.sizes()
    return {
        "index": str(path),
        "entities": entities,
        "names": names,
        "languages": facts.get("languages", "").split(),
        "bytes": _bytes(path),
        "digest": facts.get("digest", ""),
    }


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
    return f"{dump['name']} ({dump['form']}, {dump['done']:,} {unit}{rest})"


def _output(args: argparse.Namespace, what: str) -> Path:
    if not args.output:
        raise ConfigError(f"-o is needed: {what} to write", path=f"kb {args.action}")
    return Path(args.output)


_COMMANDS = {
    "build": _build, "index": _index, "info": _info, "check": lookups.check,
    "profile": lookups.profile, "lookup": lookups.lookup, "near": lookups.near,
    "show": lookups.show,
}  # fmt: skip

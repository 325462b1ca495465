"""`groundrules ontology`: what ontologies there are, and what one says of a term."""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from groundrules import domain
from groundrules.cli.options import Parser, add_format, one_of, output_format
from groundrules.cli.terminal import write_as
from groundrules.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from rdflib.term import URIRef

    from groundrules.ontology.glossary import Entry

#: The last two have options of their own: main.py finds cli/ontology/check.py and read.py.
_ACTIONS = ("list", "show", "check", "read")
_DEEPEST = 40


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "ontology",
        "List the ontologies of the domains or the terms of one, explain a term, check one, or "
        "show what of a text is read in its terms.",
        (
            "groundrules ontology list",
            "groundrules ontology list legal",
            "groundrules ontology show LeaseAgreement",
            "groundrules ontology show landlord --ontology house.ttl",
            "groundrules ontology check house.ttl",
            "groundrules ontology read answer.txt --ontology house.ttl",
        ),
    )
    result.add_argument(
        "action",
        type=one_of(*_ACTIONS),
        metavar="|".join(_ACTIONS),
        help="what to do; for check see `groundrules ontology check --help`, and so for read",
    )
    result.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="list: an ontology (a domain or a file); show: a class or property, by name or label",
    )
    result.add_argument(
        "--ontology",
        metavar="NAME|FILE",
        help="show: the ontology that has the term (default: those of all domains)",
    )
    add_format(result, "text", "json")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    form = output_format(args)
    if args.action in ("check", "read"):
        told = f"{args.action} comes before its options: groundrules ontology {args.action} FILE"
        raise ConfigError(told)
    if args.action == "show":
        if args.name is None:
            raise ConfigError("the following arguments are required: NAME", path="ontology show")
        wanted = (args.ontology,) if args.ontology else domain.names()
        entries = {iri: entry for name in wanted for iri, entry in _read(name)[0].items()}
        found = find(args.name, entries, ", ".join(wanted))
        write_as(
            form,
            lambda: {"schema": 1, "terms": [encode(one, entries) for one in found]},
            lambda: "\n".join(page(one, entries) for one in found),
        )
    elif args.name is None:
        _list(form)
    else:
        entries, _ = _read(args.name)
        write_as(
            form,
            lambda: {"schema": 1, "terms": [stated(one) for one in entries.values()]},
            lambda: tree(entries),
        )
    return 0


def _list(form: str) -> None:
    rows = []
    for name in domain.names():
        entries, digest = _read(name)
        classes = sum(entry.is_class for entry in entries.values())
        rows.append((name, classes, len(entries) - classes, digest))
    keys = ("name", "classes", "properties", "digest")
    write_as(
        form,
        lambda: {"schema": 1, "ontologies": [dict(zip(keys, r, strict=True)) for r in rows]},
        lambda: "".join(
            f"{name}  {classes} classes, {properties} properties  {digest[:12]}\n"
            for name, classes, properties, digest in rows
        ),
    )


def _read(name: str) -> tuple[dict[URIRef, Entry], str]:
    """Return the terms of an ontology and its digest; its axioms need not be closed for that."""
    from groundrules.ontology.glossary import glossary
    from groundrules.ontology.load import place, read

    statements, digest, _ = read(place(name))
    return glossary(statements), digest


def find(word: str, entries: dict[URIRef, Entry], ontology: str) -> list[Entry]:
    """Return the entries that a word names: an IRI, a local name, a label or another name.

    ConfigError with the nearest known word if there is none.
    """
    from groundrules.ontology.glossary import local_name

    local = word if "://" in word else word.rpartition(":")[2]
    ways = (
        lambda e: str(e.iri) == word,
        lambda e: local_name(e.iri) == local,
        lambda e: e.label.casefold() == word.casefold(),
        lambda e: local_name(e.iri).casefold() == local.casefold(),
        lambda e: word.casefold() in (name.casefold() for name in e.names),
    )
    for way in ways:
        if found := [entry for entry in entries.values() if way(entry)]:
            return found
    known = dict.fromkeys(
        word for e in entries.values() for word in (local_name(e.iri), e.label, *e.names)
    )
    raise ConfigError(f"{ontology}: no class or property {word!r}{did_you_mean(word, known)}")


def tree(entries: dict[URIRef, Entry]) -> str:
    """Return the classes as an indented tree and the properties from what to what."""
    from groundrules.ontology.glossary import walk

    classes = {iri: entry for iri, entry in entries.items() if entry.is_class}
    lines = ["classes"]
    # A tree that is absurdly deep would be mostly indentation.
    lines += ["  " * min(depth + 1, _DEEPEST) + entry.label for depth, entry in walk(classes)]
    properties = [entry for entry in entries.values() if not entry.is_class]
    lines += ["properties"] + [f"  {entry.label}  ({_ends(entry)})" for entry in properties]
    return "\n".join(lines) + "\n"


def _ends(entry: Entry) -> str:
    domain = " and ".join(entry.domain) or "anything"
    return f"{domain} -> {' and '.join(entry.range) or 'anything'}"


def page(entry: Entry, entries: dict[URIRef, Entry]) -> str:
    """Return what an ontology says of a term, one kind of statement a line."""
    lines = [f"{entry.label} ({entry.kind})  {entry.iri}"]
    lines += [f"  {entry.definition}"] if entry.definition else []
    lines += [f"  Example: {entry.example}"] if entry.example else []
    rows = [(word, text) for word, text in _rows(entry, entries) if text]
    width = max((len(word) for word, _ in rows), default=0)
    lines += [f"  {word:<{width}}  {text}" for word, text in rows]
    return "\n".join(lines) + "\n"


def _rows(entry: Entry, entries: dict[URIRef, Entry]) -> Iterator[tuple[str, str]]:
    from groundrules.ontology.glossary import ancestors, exclusions, local_name

    def labels(iris: list[URIRef]) -> str:
        return ", ".join(entries[i].label if i in entries else local_name(i) for i in iris)

    yield "also called", ", ".join(entry.names)
    yield "kind of", labels(ancestors(entries, entry.iri))
    yield "kinds", labels([one.iri for one in entries.values() if entry.iri in one.parents])
    yield "excludes", labels(exclusions(entries, entry.iri))
    yield "requires", "; ".join(entry.requires)
    yield "key", "; ".join(entry.keys)
    yield "from", " and ".join(entry.domain)
    yield "to", " and ".join(entry.range)
    yield "inverse of", labels(list(entry.inverse))
    yield "traits", ", ".join(entry.traits)
    yield "to break it", f"is a {entry.severity}" if entry.severity else ""
    if entry.is_class:
        theirs = [one for one in entries.values() if entry.iri in one.starts]
        yield "properties", ", ".join(one.label for one in theirs)
    yield "checked by", ", ".join(rules(entry, entries))


def stated(entry: Entry) -> dict[str, Any]:
    """Return what is stated of an entry itself as JSON."""
    return {
        "iri": entry.iri,
        "kind": entry.kind,
        "label": entry.label,
        "definition": entry.definition,
        "example": entry.example,
        "names": list(entry.names),
        "parents": list(entry.parents),
        "inverse": list(entry.inverse),
        "domain": list(entry.domain),
        "range": list(entry.range),
        "requires": list(entry.requires),
        "keys": list(entry.keys),
        "traits": list(entry.traits),
        "severity": entry.severity or None,
    }


def encode(entry: Entry, entries: dict[URIRef, Entry]) -> dict[str, Any]:
    """Return an entry as JSON, with what follows from those above it and what checks it."""
    from groundrules.ontology.glossary import ancestors, exclusions

    return {
        **stated(entry),
        "ancestors": ancestors(entries, entry.iri),
        "excludes": exclusions(entries, entry.iri),
        "rules": rules(entry, entries),
    }


def rules(entry: Entry, entries: dict[URIRef, Entry]) -> list[str]:
    """Return the rules of the pack `owl` whose queries read what is stated of a term."""
    from groundrules.dataset import PREFIXES
    from groundrules.ontology.glossary import ancestors
    from groundrules.rules.packs import find_pack

    used = {str(axiom) for axiom in entry.axioms}
    for iri in ancestors(entries, entry.iri):
        used |= {str(axiom) for axiom in entries[iri].axioms} if iri in entries else set()
    # In the closed axioms groups are pairs.
    owl = PREFIXES["owl"]
    pairs = {"AllDisjointClasses": "disjointWith", "disjointUnionOf": "disjointWith",
             "AllDisjointProperties": "propertyDisjointWith"}  # fmt: skip
    used |= {owl + pair for group, pair in pairs.items() if owl + group in used}
    used -= {PREFIXES["rdfs"] + name for name in ("subClassOf", "subPropertyOf")}
    names = {
        f"{prefix}:{iri.removeprefix(base)}"
        for iri in used
        for prefix, base in PREFIXES.items()
        if iri.startswith(base)
    }
    if not names:
        return []
    read = re.compile(r"(?<![\w:])(?:" + "|".join(map(re.escape, sorted(names))) + r")(?![\w-])")
    found = []
    for path in find_pack("owl").glob("*.toml"):
        rule = tomllib.loads(path.read_text(encoding="utf-8"))
        if read.search(str(rule.get("select", "")) + str(rule.get("axiom", ""))):
            found.append(f"{rule['id']} {rule['name']}")
    return sorted(found)

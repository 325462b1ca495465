"""`groundrules ontology read`: what of a text is read in the terms of an ontology, and what not."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_settings, settings
from groundrules.cli.terminal import plain, write_as
from groundrules.errors import ConfigError

if TYPE_CHECKING:
    from groundrules.claims.document import Document
    from groundrules.config import Config


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "ontology read",
        "Show what a text says in the terms of an ontology, sentence by sentence. A sentence that "
        "names a class, role or value and of which nothing is read is listed with the reason.",
        (
            "groundrules ontology read answer.txt --ontology house.ttl",
            "groundrules ontology read brief.txt --ontology legal --output-format json",
        ),
    )
    add = result.add_argument
    add("file", metavar="FILE", help="a document: txt, md, html, pdf, docx; - is stdin")
    add("--ontology", metavar="NAME|FILE",
        help="the ontology: of a domain, or a file (default that of the settings)")  # fmt: skip
    add_settings(result)
    add_format(result, "text", "json")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.claims import document

    form = output_format(args)
    config = settings(args)
    if not config.ontology:
        raise ConfigError("--ontology is missing; expected the name of a domain, or a file",
                          path="ontology read")  # fmt: skip
    text = document.read(args.file)
    found = sentences(text, config)
    write_as(form, lambda: {"schema": 1, "sentences": found}, lambda: _text(text.name, found))
    return 0


def sentences(text: Document, config: Config) -> list[dict[str, Any]]:
    """Return each sentence with what is read of it, and why nothing is where it names a term."""
    from rdflib.namespace import RDF

    from groundrules.checks.extractions import extraction_of
    from groundrules.claims.resolve import resolve
    from groundrules.explain.place import line_column
    from groundrules.ontology.load import load, prefixes
    from groundrules.ontology.read.examples import line
    from groundrules.ontology.read.lexicon import read_lexicon
    from groundrules.ontology.read.reader import read_terms

    ontology = load(config.ontology, config.base)
    (extraction,) = resolve([extraction_of(text, config.model)])
    reading = read_terms(extraction, [], ontology)
    labels = {**reading.labels, **extraction.labels}
    names = {**prefixes([ontology.path]), **read_lexicon(ontology).prefixes}
    said: dict[int, dict[str, None]] = {}
    for claim in reading.assertions:
        told = line(claim, labels, names).replace(f" {RDF.type} ", " a ")
        said.setdefault(claim.sentence, {})[told] = None
    return [
        {
            "line": line_column(text.text, span.start)[0],
            "start": span.start,
            "end": span.end,
            "text": plain(text.text[span.start : span.end]),
            "assertions": list(said.get(number, ())),
            "unread": reading.unread.get(number),
        }
        for number, span in enumerate(extraction.sentences)
    ]


def _text(name: str, found: list[dict[str, Any]]) -> str:
    lines = []
    for one in found:
        if not (one["assertions"] or one["unread"]):
            continue
        lines.append(f"{plain(name)}:{one['line']}: {one['text']}")
        lines += (f"  {plain(said)}" for said in one["assertions"])
        lines += [f"  not read: {plain(one['unread'])}"] if one["unread"] else []
    read = sum(bool(one["assertions"]) and not one["unread"] for one in found)
    left = sum(bool(one["unread"]) for one in found)
    noun = "sentence" if len(found) == 1 else "sentences"
    rest = len(found) - read - left
    lines.append(f"{len(found)} {noun}: {read} read, {left} about terms and not read, "
                 f"{rest} about none")  # fmt: skip
    return "".join(f"{one}\n" for one in lines)

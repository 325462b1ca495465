"""`groundrules facts`: what a rule sees of a text, in the terms that its query is written in."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from rdflib.namespace import OWL, RDF, RDFS, XSD
from rdflib.term import BNode, Node

from groundrules.cli.options import Parser
from groundrules.cli.settings import add_settings, settings
from groundrules.cli.terminal import plain, write
from groundrules.terms import ENTITY, GR, METRIC, RELATION, SOURCE, STATEMENT, Triple

if TYPE_CHECKING:
    from groundrules.checks.facts import Facts

#: What is said of a node before the rest.
_FIRST: dict[object, int] = {RDF.type: 0, RDF.subject: 1, RDF.predicate: 2, RDF.object: 3}


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "facts",
        "Show what a rule sees of a text, sentence by sentence: statements, claims, assertions in "
        "the terms of an ontology, and the scores that join them to the sources. A sentence that "
        "names a term of the ontology and of which nothing is read has the reason. What is printed "
        "as turtle may stand in the [[test]] of a rule.",
        (
            "groundrules facts answer.txt",
            "groundrules facts answer.txt --context lease.txt",
            "groundrules facts answer.txt --ontology house.ttl",
        ),
    )
    add = result.add_argument
    add("file", metavar="FILE", help="a document: txt, md, html, pdf, docx; - is stdin")
    add("--context", action="append", default=[], metavar="FILE|DIR",
        help="a document to compare with, or a folder that `groundrules index` wrote; may be given "
             "several times")  # fmt: skip
    add("--question", default="", metavar="TEXT", help="what the text answers")
    add("--ontology", metavar="NAME|FILE",
        help="an ontology in whose terms the text is read too: of a domain, or a file"
        )  # fmt: skip
    add_settings(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.checks.facts import facts_of
    from groundrules.checks.inputs import contexts_of, distinct
    from groundrules.claims.documents import document

    text = document.read(args.file)
    given = [document.read(name) if name == "-" else Path(name) for name in args.context]
    contexts = distinct(contexts_of(given), text)
    facts = facts_of(text, contexts, settings(args), question=args.question)
    names = _prefixes(facts)
    body = "".join((*_sentences(facts, text.name, names), *_derived(facts, names)))
    used = {word.partition(":")[0] for word in re.findall(r"(?<![A-Za-z0-9])[A-Za-z0-9]+:", body)}
    head = (f"@prefix {name}: <{base}> .\n" for name, base in names.items() if name in used)
    write("".join((*head, body)), None)
    return 0


def _prefixes(facts: Facts) -> dict[str, str]:
    """Return short names of namespaces; nodes of the text and of each source have some."""
    found = dict(facts.prefixes)
    found |= {"rdf": str(RDF), "rdfs": str(RDFS), "owl": str(OWL), "xsd": str(XSD)}
    found |= {"gr": str(GR._NS), "metric": str(METRIC), "entity": str(ENTITY)}
    found |= {"relation": str(RELATION), "source": str(SOURCE)}
    for number, name in enumerate(facts.texts):
        base = f"{STATEMENT}{quote(name, safe='', errors='surrogatepass')}"
        ending = str(number) if number else ""
        found[f"claim{ending}"] = f"{base}-"
        found[f"sentence{ending}"] = f"{base}:sentence:"
        found[f"passage{ending}"] = f"{base}:passage:"
        read = quote(f"{name}:ontology:", safe=":", errors="surrogatepass")
        found[f"assertion{ending}"] = f"{STATEMENT}{read}"
    return found


def _sentences(facts: Facts, name: str, names: dict[str, str]) -> Iterator[str]:
    """Yield what is known of each sentence as Turtle, and after them the rest."""
    from groundrules.checks.case import build
    from groundrules.explain.place import line_column

    own = [*facts.case.statements, *facts.case.claims, *facts.case.assertions]
    order: dict[Node, int] = {claim.id: place for place, claim in enumerate(own)}
    sentence: dict[Node, int] = {claim.id: claim.sentence for claim in own}
    said: dict[Node, list[Triple]] = {}
    for one in (*build(facts.case).triples(), *facts.metrics):
        said.setdefault(one.subject, []).append(one)
    for found in said.values():
        found.sort(key=lambda t: (_FIRST.get(t.predicate, 9), str(t.predicate), str(t.object)))

    def key(node: Node) -> tuple[int, str, str]:
        words = " ".join(f"{one.predicate} {one.object}" for one in said[node])
        return order.get(node, len(own)), "" if isinstance(node, BNode) else str(node), words

    last = len(facts.sentences)
    groups: dict[int, list[Triple]] = {number: [] for number in range(last + 1)}
    for node in sorted(said, key=key):
        about = [sentence[t.object] for t in said[node]
                 if t.predicate == GR.claim and t.object in sentence]  # fmt: skip
        groups[sentence.get(node, min(about, default=last))] += said[node]
    text = facts.texts[name]
    for number, triples in groups.items():
        told = "of sources, and in all"
        if number < last:
            span = facts.sentences[number]
            line, _ = line_column(text, span.start)
            told = f"{plain(name)}:{line}: {plain(text[span.start : span.end])}"
        yield f"\n# {told}\n"
        if number in facts.unread:
            yield f"# not read: {plain(facts.unread[number])}\n"
        yield _turtle(triples, names)


def _derived(facts: Facts, names: dict[str, str]) -> Iterator[str]:
    """Yield what rules derive, as comments."""
    for rule, triple in facts.derived:
        yield f"\n# derived by {rule}: {' '.join(_turtle([triple], names).split())}\n"


def _turtle(triples: Iterable[Triple], names: dict[str, str]) -> str:
    """Return triples as Turtle, a node a line and without the prefixes."""
    from groundrules.dataset import quads, write_rdf

    written = write_rdf(quads(triples), "Turtle", names)
    body = re.sub(r"^@prefix .*\n", "", written, flags=re.MULTILINE)
    body = re.sub(r" ;\n *", " ; ", body)  # a literal has no line end of its own
    alone = {one for one in re.findall(r"_:\w+", body) if body.count(f"{one} ") == 1}
    return re.sub(r"^_:\w+", lambda f: "[]" if f[0] in alone else f[0], body, flags=re.MULTILINE)

"""`groundrules facts`: what a rule sees of a text, in the terms that its query is written in."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rdflib.namespace import OWL, RDF, RDFS, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_settings, settings
from groundrules.cli.terminal import plain, table, write, write_as
from groundrules.terms import ENTITY, GR, METRIC, RELATION, SOURCE, STATEMENT, Claim, Triple

if TYPE_CHECKING:
    from groundrules.checks.facts import Facts

#: What may follow a prefix in Turtle as it is, a percent-encoded character too.
_LOCAL = re.compile(r"(?:\w|%[0-9A-F]{2})(?:[\w:-]|%[0-9A-F]{2}|\.(?=[\w:%-]))*")
_BARE = {
    XSD.integer: re.compile(r"[+-]?\d+"),
    XSD.boolean: re.compile(r"true|false"),
    XSD.double: re.compile(r"[+-]?(?<!\d)\d+(?:\.\d+)?[eE][+-]?\d+"),
}
#: What is said of a node, in this order; the rest by name.
_FIRST = (
    RDF.type, RDF.subject, RDF.predicate, RDF.object, GR.text, GR.polarity, GR.modality,
    GR.stance, GR.attribution, GR.reads,
)  # fmt: skip
#: What a table has columns for, or what each claim has alike.
_SHOWN = (
    RDF.type, RDF.subject, RDF.predicate, RDF.object, GR.polarity, GR.modality, GR.stance,
    GR.sentence, GR.source, GR.text,
)  # fmt: skip


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "facts",
        "Show what a rule sees of a text: statements, claims, assertions in the terms of an "
        "ontology, and the scores that join them to the sources. What is printed as turtle may "
        "stand in the [[test]] of a rule.",
        (
            "groundrules facts answer.txt",
            "groundrules facts answer.txt --context lease.txt",
            "groundrules facts answer.txt --context lease.txt --output-format turtle",
            "groundrules facts answer.txt --ontology legal --output-format json",
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
    add_format(result, "text", "turtle", "trig", "json")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.checks.facts import facts_of
    from groundrules.checks.inputs import contexts_of, distinct
    from groundrules.claims import document

    form = output_format(args)
    text = document.read(args.file)
    given = [document.read(name) if name == "-" else Path(name) for name in args.context]
    contexts = distinct(contexts_of(given), text)
    found = _Page(facts_of(text, contexts, settings(args), question=args.question), text.name)
    if form in ("turtle", "trig"):
        write(found.turtle(graphs=form == "trig"), None)
    else:
        write_as(form, found.data, found.table)
    return 0


@dataclass(frozen=True)
class _Page:
    """The facts of a text as they are written."""

    facts: Facts
    name: str

    @cached_property
    def prefixes(self) -> dict[str, str]:
        """The short names of namespaces; nodes of the text and of its sources have some each."""
        found = dict(self.facts.prefixes)
        found |= {"rdf": str(RDF), "rdfs": str(RDFS), "owl": str(OWL), "xsd": str(XSD)}
        found |= {"gr": str(GR._NS), "metric": str(METRIC), "entity": str(ENTITY)}
        found |= {"relation": str(RELATION), "source": str(SOURCE)}
        for number, name in enumerate(self.facts.texts):
            base = f"{STATEMENT}{quote(name, safe='', errors='surrogatepass')}"
            ending = str(number) if number else ""
            found[f"claim{ending}"] = f"{base}-"
            found[f"sentence{ending}"] = f"{base}:sentence:"
            found[f"passage{ending}"] = f"{base}:passage:"
            read = quote(f"{name}:ontology:", safe=":", errors="surrogatepass")
            found[f"assertion{ending}"] = f"{STATEMENT}{read}"
        return found

    @cached_property
    def rows(self) -> dict[Node, list[tuple[Node, Node]]]:
        """What is said of each node of the default graph, in the order of the page."""
        from groundrules.checks.case import build

        found: dict[Node, list[tuple[Node, Node]]] = {}
        for triple in (*build(self.facts.case).triples(), *self.facts.metrics):
            found.setdefault(triple.subject, []).append((triple.predicate, triple.object))
        order: dict[Node, int] = {predicate: place for place, predicate in enumerate(_FIRST)}
        for said in found.values():
            said.sort(key=lambda row: (order.get(row[0], 99), str(row[0]), str(row[1])))
        return {node: found[node] for node in self._ordered(found)}

    def _ordered(self, found: Mapping[Node, Sequence[tuple[Node, Node]]]) -> list[Node]:
        """Return nodes with the claims of each sentence together, what is said of them after."""
        case = self.facts.case
        own = [*case.statements, *case.claims, *case.assertions]
        own.sort(key=lambda claim: claim.sentence)
        place: dict[Node, tuple[int, int, str]] = {
            claim.id: (0, number, "") for number, claim in enumerate(own)
        }

        def key(node: Node) -> tuple[int, int, str]:
            if node in place:
                return place[node]
            named = [place[o] for p, o in found[node] if p == GR.claim and o in place]
            words = " ".join(f"{p.n3()} {o.n3()}" for p, o in found[node])
            if named:
                return (*min(named)[:2], f" {words}")
            evidence = (RDF.type, GR.Evidence) in found[node] or (GR.text in dict(found[node]))
            named_so = "" if isinstance(node, BNode) else str(node)
            return (2 if evidence else 1, 0, f"{named_so} {words}")

        return sorted(found, key=key)

    def short(self, node: Node) -> str:
        """Return a term as in Turtle under the prefixes; a blank node by its label."""
        if isinstance(node, URIRef):
            for prefix, base in sorted(self.prefixes.items(), key=lambda pair: -len(pair[1])):
                local = node.removeprefix(base)
                if local != str(node) and _LOCAL.fullmatch(local):
                    return f"{prefix}:{local}"
            return node.n3()
        if isinstance(node, Literal):
            bare = _BARE.get(node.datatype) if node.datatype else None
            if bare and bare.fullmatch(str(node)):
                return str(node)
            if node.datatype == XSD.double and re.fullmatch(r"[+-]?\d+(?:\.\d+)?", str(node)):
                return f"{node}e0"
            words = Literal(str(node)).n3()
            if node.datatype is not None:
                return f"{words}^^{self.short(node.datatype)}"
            return f"{words}@{node.language}" if node.language else words
        return node.n3()

    def line(self, claim: Claim) -> int:
        """Return the line of the text in which a claim begins."""
        from groundrules.explain.place import line_column

        return line_column(self.facts.texts[self.name], claim.span.start)[0]

    # --- Turtle -----------------------------------------------------------------------------

    def turtle(self, *, graphs: bool) -> str:
        """Return the facts as Turtle; with `graphs` what sources state, and rules derive, too."""
        body = "".join(self._told(self.rows))
        if graphs:
            for name, triples in self._graphs().items():
                rows: dict[Node, list[tuple[Node, Node]]] = {}
                for one in triples:
                    rows.setdefault(one.subject, []).append((one.predicate, one.object))
                told = "".join(self._told(rows)).replace("\n", "\n  ").rstrip()
                body += f"\n{self.short(name)} {{\n  {told}\n}}\n"
        used = {
            word.partition(":")[0] for word in re.findall(r"(?<![A-Za-z0-9])[A-Za-z0-9]+:", body)
        }
        head = "".join(
            f"@prefix {prefix}: <{base}> .\n"
            for prefix, base in self.prefixes.items()
            if prefix in used
        )
        return f"{head}\n{body.lstrip()}"

    def _told(self, rows: Mapping[Node, Sequence[tuple[Node, Node]]]) -> Iterator[str]:
        heads: dict[Node, Claim] = {claim.id: claim for claim in self.facts.case.statements}
        named = {o for said in rows.values() for _, o in said if isinstance(o, BNode)}
        for node, said in rows.items():
            if node in heads:
                yield f"\n# {self.name}:{self.line(heads[node])}\n"
            subject = "[]" if isinstance(node, BNode) and node not in named else self.short(node)
            parts = (f"{'a' if p == RDF.type else self.short(p)} {self.short(o)}" for p, o in said)
            yield f"{subject} {' ; '.join(parts)} .\n"

    def _graphs(self) -> dict[URIRef, list[Triple]]:
        from groundrules.checks.case import build
        from groundrules.rules.engine import rule_graph

        dataset = build(self.facts.case)
        found = {
            name: sorted(dataset.triples(name), key=lambda t: (str(t.subject), str(t.predicate)))
            for name in dataset.graphs()
        }
        for rule, triple in self.facts.derived:
            found.setdefault(rule_graph(rule), []).append(triple)
        return found

    # --- table and JSON ---------------------------------------------------------------------

    def _claims(self) -> Iterator[tuple[str, Claim]]:
        case = self.facts.case
        kinds = (("statement", case.statements), ("claim", case.claims))
        rows = [
            (claim.sentence, place, kind, claim)
            for place, (kind, claims) in enumerate((*kinds, ("assertion", case.assertions)))
            for claim in claims
        ]
        for _, _, kind, claim in sorted(rows, key=lambda row: row[:2]):
            yield kind, claim

    def _beside(self) -> Iterator[tuple[Node, Sequence[tuple[Node, Node]]]]:
        """Yield the nodes that are neither claims nor what a source states, and what they say."""
        own = {claim.id for _, claim in self._claims()}
        for node, said in self.rows.items():
            stated = (RDF.type, GR.Evidence) in said or GR.text in dict(said)
            if node not in own and not stated:
                yield node, said

    def table(self) -> str:
        """Return the claims as a table, and below it what is known of them and of things."""
        rows = []
        for kind, claim in self._claims():
            ends = (claim.triple.subject, claim.triple.predicate, claim.triple.object)
            s, p, o = map(self.short, ends)
            more = [
                f"{self.short(p)} {self.short(o)}"
                for p, o in self.rows[claim.id]
                if p not in _SHOWN
            ]
            stance = next((str(o) for p, o in self.rows[claim.id] if p == GR.stance), "")
            said = "" if stance == "affirmed" else stance
            place = str(self.line(claim))
            rows.append((place, kind, self.short(claim.id), s, p, o, said, " ; ".join(more)))
        head = ("line", "kind", "node", "subject", "predicate", "object", "stance", "besides")
        text = table(head, rows) if rows else "the text says nothing that is read\n"
        beside = [self._phrase(node, said) for node, said in self._beside()]
        beside += [
            self._phrase(triple.subject, [(triple.predicate, triple.object)])
            + f"  (derived by {rule})"
            for rule, triple in self.facts.derived
        ]
        text += "".join(f"\n{line}" for line in beside) + ("\n" if beside else "")
        stated = {name: len(claims) for name, claims in self._stated()}
        for name, count in stated.items():
            text += f"\n{count:,} statement{'' if count == 1 else 's'} of {plain(name)}"
            text += "; --output-format turtle has them\n"
        return text

    def _stated(self) -> Iterator[tuple[str, Sequence[Claim]]]:
        from groundrules.explain.place import source_name

        found: dict[str, list[Claim]] = {}
        for source, claims in self.facts.case.evidence:
            found.setdefault(source_name(str(source)), []).extend(claims)
        return iter(found.items())

    def _phrase(self, node: Node, said: Sequence[tuple[Node, Node]]) -> str:
        subject = "[]" if isinstance(node, BNode) else self.short(node)
        parts = (f"{'a' if p == RDF.type else self.short(p)} {self.short(o)}" for p, o in said)
        return plain(f"{subject} {' ; '.join(parts)} .")

    def data(self) -> dict[str, Any]:
        """Return the facts as JSON; terms are as in Turtle under `prefixes`."""
        claims = [
            {
                "kind": kind,
                "node": self.short(claim.id),
                "line": self.line(claim),
                "start": claim.span.start,
                "end": claim.span.end,
                **self._members(self.rows[claim.id]),
            }
            for kind, claim in self._claims()
        ]
        beside = [
            {"node": None if isinstance(node, BNode) else self.short(node), **self._members(said)}
            for node, said in self._beside()
        ]
        derived = [
            {"rule": rule, "triple": [self.short(n) for n in (t.subject, t.predicate, t.object)]}
            for rule, t in self.facts.derived
        ]
        return {
            "schema": 1,
            "prefixes": self.prefixes,
            "claims": claims,
            "facts": beside,
            "derived": derived,
        }

    def _members(self, said: Sequence[tuple[Node, Node]]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for predicate, value in said:
            found.setdefault(self.short(predicate), []).append(self.short(value))
        return found

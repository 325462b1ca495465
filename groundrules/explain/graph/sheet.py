"""The graph of a report while it is made: its nodes, and what several kinds of them share."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from pathlib import PurePath
from urllib.parse import quote

from rdflib.term import Literal, Node, URIRef

from groundrules.explain.foil import parts_of
from groundrules.explain.place import source_name, source_text
from groundrules.explain.vocabulary import AROUND, OWN, clean, count, hash_of, plain, term
from groundrules.terms import STATEMENT, Claim, Input, Report, Span, Triple, source_iri

#: A predicate as a prefixed name, and its value; None where there is none.
Row = tuple[str, Node | None]
_SHA256 = re.compile(r"[0-9a-f]{64}")


def name_of(report: Report) -> URIRef:
    """Return the IRI of a report, which names its graph.

    It is a hash of what was checked with what and of what was found, not of the time, nor of what
    was decided since.
    """
    return URIRef(f"{OWN}report:{_key(report)}")


def _key(report: Report) -> str:
    run = report.run
    inputs = [(one.name, one.role, one.sha256, one.format) for one in run.inputs]
    told = (run.version, run.packs, run.models, run.params, run.settings, run.question)
    found = [(one.fingerprint, one.outcome, one.reason) for one in report.statements]
    ruled = [(one.rule, one.fingerprint, one.severity) for one in report.violations]
    said = [report.source, _sha256(report.text), inputs, told, run.dataset, found, ruled]
    return hash_of(json.dumps(said))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()


class Sheet:
    """The triples of one report, and the nodes that stand for its text, sources and claims."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._key = _key(report)
        self.name = self.own("report")
        self.run = self.own("run")
        #: By subject, in the order in which these come.
        self.rows: dict[URIRef, dict[tuple[URIRef, Node], None]] = {self.name: {}}
        self._described: set[Node] = set()
        self.documents: dict[str, URIRef] = {}
        self.text = self.document(report.source)
        seen: Counter[str] = Counter()
        self.statements: dict[int, URIRef] = {}
        #: What stands for the focus nodes of rules in a store of many texts.
        self.minted: dict[Node, URIRef] = {}
        for one in report.statements:
            mark = one.fingerprint
            seen[mark] += 1
            nth = f":{seen[mark]}" if seen[mark] > 1 else ""
            node = URIRef(f"{STATEMENT}{hash_of(self.text)[:16]}:{mark}{nth}")
            self.statements[one.number] = self.minted[one.id] = node
        for claim in (*report.claims, *report.assertions):
            self.minted.setdefault(claim.id, self.claim_node(claim))

    def add(self, subject: URIRef, *rows: Row) -> None:
        """Add what is said of a node, but for what has no value."""
        own = self.rows.setdefault(subject, {})
        for name, value in rows:
            if value is not None:
                own[term(name), value] = None

    def is_new(self, node: URIRef) -> bool:
        """Return whether nothing was said of a node yet; from now on something was."""
        new = node not in self._described
        self._described.add(node)
        return new

    def own(self, kind: str, name: str = "") -> URIRef:
        """Return a node of this report alone."""
        return URIRef(f"{OWN}{kind}:{self._key}{name and f':{name}'}")

    def node(self, node: Node) -> URIRef | Literal:
        """Return the node that stands for one of the report."""
        return self.minted.get(node) or clean(node, self.text)

    def claim_node(self, claim: Claim) -> URIRef:
        """Return the node of a claim that is no statement."""
        parts = [repr(clean(one, self.text)) for one in parts_of(claim.triple)]
        return URIRef(f"{OWN}claim:{hash_of(self.text, str(claim.id), *parts)}")

    def parts(self, triple: Triple) -> list[str]:
        """Return the parts of a triple, of which the name of its node is made."""
        return [repr(self.node(one)) for one in parts_of(triple)]

    def _input(self, name: str) -> Input | None:
        """Return the input that a source is; a knowledge base is called by its last name alone."""
        inputs = self.report.run.inputs
        for one in inputs:
            if one.name == name and one.role != "question":
                return one
        bases = [one for one in inputs if one.role == "knowledge base"]
        return next((one for one in bases if PurePath(one.name).name == name), None)

    def digest(self, source: str) -> str:
        """Return the digest of a source that cannot change, or of its bytes; empty if unknown."""
        name = source_name(source)
        one = self._input(name)
        return dict(self.report.run.params).get(f"kb.{name}", one.sha256 if one else "")

    def document(self, source: str) -> URIRef:
        """Return the node of a text or source, by its bytes where these are known."""
        name = source_name(source)
        if name not in self.documents:
            one = self._input(name)
            digest = one.sha256 if one else ""
            if not digest and (text := source_text(self.report, source)) is not None:
                digest = _sha256(text)
            known = _SHA256.fullmatch(digest)
            node = URIRef(f"{OWN}document:{digest}") if known else source_iri(name)
            self.documents[name] = node
            url = name if name.startswith(("https://", "http://")) else ""
            self.add(
                node,
                ("rdf:type", term("prov:Entity")),
                ("rdf:type", term("schema:DigitalDocument")),
                ("schema:name", plain(name)),
                ("schema:encodingFormat", plain(one.format) if one else None),
                ("schema:sha256", plain(digest) if known else None),
                ("schema:url", clean(URIRef(url)) if url else None),
            )
        return self.documents[name]

    def place(self, span: Span) -> URIRef:
        """Return where something stands, as a Web Annotation target; code points count."""
        document = self.document(span.source)
        start, end = span.start, span.end
        node = URIRef(f"{OWN}place:{hash_of(document)[:16]}:{start}-{end}")
        if not self.is_new(node):
            return node
        position, words = URIRef(f"{node}:position"), URIRef(f"{node}:quote")
        self.add(
            node,
            ("rdf:type", term("oa:SpecificResource")),
            ("oa:hasSource", document),
            ("oa:hasSelector", position),
        )
        self.add(
            position,
            ("rdf:type", term("oa:TextPositionSelector")),
            ("oa:start", count(start)),
            ("oa:end", count(end)),
        )
        text = source_text(self.report, span.source)
        if text is not None and start < end <= len(text):
            self.add(node, ("oa:hasSelector", words))
            self.add(
                words,
                ("rdf:type", term("oa:TextQuoteSelector")),
                ("oa:exact", clean(Literal(text[start:end]))),
                ("oa:prefix", clean(Literal(text[max(0, start - AROUND) : start]))),
                ("oa:suffix", clean(Literal(text[end : end + AROUND]))),
            )
        return node

    @property
    def engine(self) -> URIRef:
        """The node of this version of groundrules."""
        version = quote(self.report.run.version or "unknown", safe="", errors="replace")
        return URIRef(f"{OWN}engine:{version}")

    def person(self, name: str) -> URIRef:
        """Return the node of who decided something."""
        node = URIRef(f"{OWN}person:{hash_of(name)}")
        self.add(node, ("rdf:type", term("prov:Person")), ("schema:name", plain(name)))
        return node

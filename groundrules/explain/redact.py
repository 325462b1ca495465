"""Redaction: a report without the words of text and sources, to hand on where those may not be.

Kept are verdicts, rules and places. What a text names is named by the order in which it occurs
(`[name 1]`, `[amount 2]`), fingerprints are numbered, and no hash, score, metric, time or cost
stays: nothing in a redacted report is made of the words, so no guess of them can be confirmed.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

from rdflib.namespace import XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.errors import SourceError
from groundrules.explain.place import source_name
from groundrules.terms import (
    GR,
    RELATION,
    SOURCE,
    Account,
    Claim,
    EditOperation,
    Evidence,
    Override,
    Report,
    Span,
    Statement,
    Triple,
    Verdict,
    Violation,
    source_iri,
)

_MASK = "▒"
_LINE = "\n\r\x0b\x0c\x85\u2028\u2029"
_MASKED = re.compile(rf"[^{_LINE}]")
_VOCABULARIES = (str(GR), "http://www.w3.org/")
_KEPT_OUT = "kept out"
_NODE = "urn:groundrules:redacted:"
#: Columns of a row that are places, which stay, and those that are scores.
_PLACES, _SCORES = frozenset(("start", "end")), frozenset(("similarity", "score", "support"))
#: Settings that are a number or yes and no say nothing of the texts.
_PLAIN = re.compile(r"true|false|null|-?\d+(?:\.\d+)?")
_TIMES = frozenset(
    str(XSD[name]) for name in (
        "date", "dateTime", "time", "duration", "gDay", "gMonth", "gMonthDay", "gYear", "gYearMonth"
    )
)  # fmt: skip


def redacted(report: Report) -> Report:
    """Return a report with all words of text and sources masked, named or left out.

    Texts keep their length and their lines, so that each place stays; what occurs twice has one
    name twice. The verdicts are the same, and so is what was decided.
    """
    return redact(report)[0]


def redact(report: Report, name: str = "text") -> tuple[Report, dict[str, str]]:
    """Return a redacted report, whose text has a new name, and what each name stands for."""
    names = _Names()
    return _Redaction(report, names, name).made(), names.key


def is_plain(setting: str) -> bool:
    """Return whether a setting, as JSON, is a number or yes or no."""
    return bool(_PLAIN.fullmatch(setting))


def write_key(path: Path, data: object) -> None:
    """Write what names stand for to a new file that only this user may read.

    SourceError where the file is there already, or cannot be written.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(json.dumps(data, ensure_ascii=False, indent=1) + "\n")
    except FileExistsError:
        raise SourceError("is there already; expected a new file", path=str(path)) from None
    except OSError as error:
        raise SourceError(f"cannot be written: {error.strerror}", path=str(path)) from None


class _Names:
    """Names of things by the order in which they occur, and the key to them."""

    def __init__(self) -> None:
        self.key: dict[str, str] = {}
        self._known: dict[object, str] = {}
        self._counts: Counter[str] = Counter()

    def name(self, kind: str, thing: object, words: str = "", form: str = "[{} {}]") -> str:
        """Return the name of a thing, which the key has with its words."""
        if thing not in self._known:
            self._counts[kind] += 1
            name = self._known[thing] = form.format(kind, self._counts[kind])
            self.key[name] = words or str(thing)
        return self._known[thing]


class _Redaction:
    """One report redacted: what is named in one part of it has the same name in the others."""

    def __init__(self, report: Report, names: _Names, own: str) -> None:
        self._report, self._names, self._own = report, names, own
        self._labels: dict[Node, str] = {}
        self._sources = self._named_sources()

    def made(self) -> Report:
        """Return the report without its words."""
        report = self._report
        return replace(
            report,
            source=self._source(report.source),
            text=_mask(report.text),
            statements=tuple(map(self._statement, report.statements)),
            claims=tuple(map(self._claim, report.claims)),
            assertions=tuple(map(self._claim, report.assertions)),
            verdicts=tuple(map(self._verdict, report.verdicts)),
            violations=tuple(map(self._violation, report.violations)),
            metrics=(),
            probability=None,
            sources={self._source(name): _mask(text) for name, text in report.sources.items()},
            run=replace(
                report.run,
                inputs=tuple(
                    replace(one, name=self._source(one.name), sha256="")
                    for one in report.run.inputs
                ),
                dataset="",
                times=(),
                calls=(),
                notes=(_KEPT_OUT,) * len(report.run.notes),
                settings=tuple(
                    (key, value if is_plain(value) else f'"{_KEPT_OUT}"')
                    for key, value in report.run.settings
                ),
                question=_mask(report.run.question),
            ),
            unread=("a part of text or sources could not be read",) * len(report.unread),
            unasked=("a source could not be asked",) * len(report.unasked),
            overrides=tuple(map(self._override, report.overrides)),
            logged=None,
            labels=self._labels,
        )

    def _named_sources(self) -> dict[str, str]:
        """Return a new name for each text and source, by the order in which they were given."""
        report = self._report
        names = {report.source: self._own}
        self._names.key[self._own] = report.source
        given = [(one.name, one.role) for one in report.run.inputs]
        for source, role in [*given, *((one, "source") for one in report.sources)]:
            name = source_name(source)
            if name not in names:
                kind = role.replace(" ", "-")
                names[name] = self._names.name(kind, ("source", name), name, "{}-{}")
        return names

    def _source(self, source: str) -> str:
        name = source_name(source)
        new = self._sources.get(name) or self._names.name("source", ("source", name), name, "{}-{}")
        return str(source_iri(new)) if source.startswith(str(SOURCE)) else new

    def _mark(self, fingerprint: str) -> str:
        return self._names.name("", ("fingerprint", fingerprint), fingerprint, "{0}{1:016x}")

    def _span(self, one: Span) -> Span:
        return replace(one, source=self._source(one.source))

    def _maybe(self, one: Span | None) -> Span | None:
        return None if one is None else self._span(one)

    def _iri(self, kind: str, node: URIRef) -> URIRef:
        name = self._names.name(kind, node, self._report.labels.get(node, ""))
        new = URIRef(_NODE + name.strip("[]").replace(" ", "-"))
        self._labels[new] = name
        return new

    def _node(self, node: Node, kind: str = "name") -> Node:
        """Return a node without its words; none are in what comes of the standards and of us."""
        match node:
            case Literal():
                return self._literal(node)
            case URIRef():
                if str(node).startswith(_VOCABULARIES):
                    return node
                kind = "relation" if str(node).startswith(str(RELATION)) else kind
                return self._iri(kind, node)
        return BNode(self._names.name("node", node, "", "{}-{}"))

    def _literal(self, node: Literal) -> Literal:
        datatype = str(node.datatype or XSD.string)
        kind = "date" if datatype in _TIMES else "amount"
        kind = "text" if datatype == str(XSD.string) else kind
        return Literal(self._names.name(kind, (datatype, node.language, str(node)), str(node)))

    def _triple(self, triple: Triple) -> Triple:
        predicate = self._node(triple.predicate, "relation")
        return Triple(self._node(triple.subject), predicate, self._node(triple.object))

    def _claim(self, one: Claim) -> Claim:
        subject, predicate, object_ = one.parts
        return replace(
            one,
            id=self._iri("claim", one.id),
            triple=self._triple(one.triple),
            span=self._span(one.span),
            parts=(self._maybe(subject), self._maybe(predicate), self._maybe(object_)),
            attribution=one.attribution and self._names.name("name", ("who", one.attribution),
                                                             one.attribution),
            time=None if one.time is None else self._literal(one.time),
            confidence=1.0,
            reads=None if one.reads is None else self._iri("claim", one.reads),
        )  # fmt: skip

    def _evidence(self, one: Evidence) -> Evidence:
        return replace(
            one,
            triple=self._triple(one.triple),
            source=self._source(one.source),
            span=self._maybe(one.span),
            score=float(one.score >= 1),  # whether it says so, or only stands near
            pin=one.pin and self._names.name("revision", ("pin", one.pin), one.pin),
        )

    def _statement(self, one: Statement) -> Statement:
        return replace(
            one,
            id=self._iri("statement", one.id),
            text=_mask(one.text),
            span=self._span(one.span),
            note=one.note and _KEPT_OUT,
            support=None,
            contributions=(),
            passages=tuple(map(self._span, one.passages)),
            accounts=tuple(map(self._account, one.accounts)),
            known_as=self._mark(one.fingerprint),
        )

    def _account(self, one: Account) -> Account:
        return Account(
            self._span(one.span),
            self._names.name("figure", ("figure", one.text), one.text),
            one.status,
            one.how and _KEPT_OUT,
            tuple(map(self._span, one.places)),
        )

    def _verdict(self, one: Verdict) -> Verdict:
        return replace(
            one,
            claim=self._claim(one.claim),
            support=None,
            message=one.message and _KEPT_OUT,
            evidence=tuple(map(self._evidence, one.evidence)),
        )

    def _violation(self, one: Violation) -> Violation:
        return replace(
            one,
            message=one.name.replace("-", " "),
            claim=None if one.claim is None else self._claim(one.claim),
            others=tuple(map(self._claim, one.others)),
            evidence=tuple(map(self._evidence, one.evidence)),
            edit=one.edit
            and replace(
                one.edit,
                operations=tuple(
                    EditOperation(step.action, self._triple(step.triple))
                    for step in one.edit.operations
                ),
            ),
            score=None,
            bindings=tuple(
                (name, self._bound(name, node))
                for name, node in one.bindings
                if name not in _SCORES
            ),
            axioms=tuple(map(self._triple, one.axioms)),
            because=one.because and _KEPT_OUT,
            phrased=one.phrased and _KEPT_OUT,
            known_as=self._mark(one.fingerprint),
        )

    def _bound(self, name: str, node: Node) -> Node:
        place = name in _PLACES and isinstance(node, Literal) and isinstance(node.value, int)
        return node if place else self._node(node)

    def _override(self, one: Override) -> Override:
        return replace(
            one,
            fingerprint=self._mark(one.fingerprint),
            why=one.why and _KEPT_OUT,
            by=one.by and self._names.name("person", ("person", one.by), one.by),
        )


def _mask(text: str) -> str:
    return _MASKED.sub(_MASK, text)

"""Redaction: a report without the words of text and sources, to hand on where those may not be.

Kept are verdicts, rules and places. What a text names is named by the order in which it occurs
(`[name 1]`, `[amount 2]`), fingerprints are numbered, and no hash, score, metric, time or cost
stays: nothing in a redacted report is made of the words, so no guess of them can be confirmed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from rdflib.namespace import XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.explain.place import source_name
from groundrules.terms import (
    GR,
    RELATION,
    SOURCE,
    Account,
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Input,
    Override,
    Report,
    Run,
    Statement,
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
    return _Redaction(report).made()


#: Words of ours, which stay, by the type that has them: what is not named here is kept out.
_KEPT: Mapping[type, tuple[str, ...]] = {
    Claim: ("polarity", "origin"),
    Statement: ("reason",),
    Account: ("status",),
    Verdict: ("reason", "stage"),
    Violation: ("rule", "name"),
    EditOperation: ("action",),
    Edit: ("applicability",),
    Override: ("kind", "at"),
    Input: ("role", "format"),
    Run: ("version", "at"),
}
#: What is made of the words, and what stands for it.
_MADE: Mapping[type, Mapping[str, object]] = {
    Report: {"metrics": (), "logged": None},
    Claim: {"confidence": 1.0},
    Verdict: {"support": None},
    Violation: {"score": None},
    Input: {"sha256": ""},
    Run: {"dataset": "", "times": (), "calls": (), "notes": ()},
}
#: Kinds of what is named, by the field that has it.
_NAMED = {"attribution": "name", "by": "person", "pin": "revision", "predicate": "relation",
          "reads": "claim"}  # fmt: skip


class _Redaction:
    """One report redacted: what is named in one part of it has the same name in the others."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._known: defaultdict[str, dict[object, int]] = defaultdict(dict)
        self._labels: dict[Node, str] = {}
        self._sources = self._named_sources()

    def _name(self, kind: str, thing: object, form: str = "[{} {}]") -> str:
        """Return the name of a thing: its kind, and in which place of it that occurs."""
        known = self._known[kind]
        return form.format(kind, known.setdefault(thing, len(known) + 1))

    def made(self) -> Report:
        """Return the report without its words."""
        made: Report = self._part(self._report)
        return replace(
            made,
            sources={
                self._source(name): _mask(text) for name, text in self._report.sources.items()
            },
            unread=("a part of text or sources could not be read",) * len(made.unread),
            unasked=("a source could not be asked",) * len(made.unasked),
            policy=self._report.policy,
            labels=self._labels,
        )

    def _named_sources(self) -> dict[str, str]:
        """Return a new name for each text and source, by the order in which they were given."""
        report = self._report
        names = {report.source: "text"}
        given = [(one.name, one.role) for one in report.run.inputs]
        for source, role in [*given, *((one, "source") for one in report.sources)]:
            name = source_name(source)
            if name not in names:
                names[name] = self._name(role.replace(" ", "-"), name, "{}-{}")
        return names

    def _source(self, source: str) -> str:
        name = source_name(source)
        new = self._sources.get(name) or self._name("source", name, "{}-{}")
        return str(source_iri(new)) if source.startswith(str(SOURCE)) else new

    def _part(self, one: Any) -> Any:
        """Return a part of a report with each of its fields redacted."""
        kind = type(one)
        fixed = dict(_MADE.get(kind, {}))
        if isinstance(one, Statement | Violation | Override):
            name = "fingerprint" if kind is Override else "known_as"
            fixed[name] = self._name("fingerprint", one.fingerprint, "{1:016x}")
        match one:
            case Evidence():
                fixed["score"] = float(one.score >= 1)  # whether it says so, or only stands near
            case Violation():
                fixed |= {"message": one.name.replace("-", " "), "traits": one.traits}
                fixed["bindings"] = tuple(
                    (name, node if name in _PLACES and _is_count(node) else self._node(node))
                    for name, node in one.bindings
                    if name not in _SCORES
                )
            case Run():
                fixed |= {name: getattr(one, name) for name in ("packs", "models", "params")}
                fixed |= {"stages": one.stages, "settings": tuple(
                    (name, value if _PLAIN.fullmatch(value) else f'"{_KEPT_OUT}"')
                    for name, value in one.settings
                )}  # fmt: skip
        left = (field.name for field in fields(one) if field.name not in fixed)
        return replace(one, **fixed, **{name: self._field(one, name) for name in left})

    def _field(self, one: Any, name: str) -> Any:
        value = getattr(one, name)
        if isinstance(value, Node):
            kind = type(one).__name__.lower() if name == "id" else _NAMED.get(name, "name")
            return self._node(value, kind)
        if isinstance(value, tuple):
            return tuple(map(self._value, value))
        if not isinstance(value, str) or isinstance(value, Enum) or not value:
            return self._value(value)
        if name == "source" or (name == "name" and isinstance(one, Input)):
            return self._source(value)
        if name in _KEPT.get(type(one), ()):
            return value
        if isinstance(one, Account) and name == "text":
            return self._name("figure", value)
        if name in ("text", "question"):
            return _mask(value)
        named = _NAMED.get(name)
        return self._name(named, value) if named else _KEPT_OUT

    def _value(self, value: Any) -> Any:
        """Return a value that no field names: a part, or one of several."""
        if is_dataclass(value):
            return self._part(value)
        words = value and isinstance(value, str) and not isinstance(value, Enum)
        return _KEPT_OUT if words else value

    def _iri(self, kind: str, node: URIRef) -> URIRef:
        name = self._name(kind, node)
        new = URIRef(_NODE + name.strip("[]").replace(" ", "-"))
        self._labels[new] = name
        return new

    def _node(self, node: Node, kind: str = "name") -> Node:
        """Return a node without its words; none are in what comes of the standards and of us."""
        match node:
            case Literal():
                datatype = str(node.datatype or XSD.string)
                kind = "date" if datatype in _TIMES else "amount"
                kind = "text" if datatype == str(XSD.string) else kind
                thing = (datatype, node.language, str(node))
                return Literal(self._name(kind, thing))
            case URIRef():
                if str(node).startswith(_VOCABULARIES):
                    return node
                kind = "relation" if str(node).startswith(str(RELATION)) else kind
                return self._iri(kind, node)
        return BNode(self._name("node", node, "{}-{}"))


def _is_count(node: Node) -> bool:
    return isinstance(node, Literal) and isinstance(node.value, int)


def _mask(text: str) -> str:
    return _MASKED.sub(_MASK, text)

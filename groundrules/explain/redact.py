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
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

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
    return redact(report)[0]


def redact(report: Report) -> tuple[Report, dict[str, str]]:
    """Return a redacted report, and what each name in it stands for."""
    names = _Names()
    return _Redaction(report, names).made(), names.key


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

    def __init__(self, report: Report, names: _Names) -> None:
        self._report, self._names = report, names
        self._labels: dict[Node, str] = {}
        self._sources = self._named_sources()

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
        self._names.key["text"] = report.source
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

    def _part(self, one: Any) -> Any:
        """Return a part of a report with each of its fields redacted."""
        kind = type(one)
        fixed = dict(_MADE.get(kind, {}))
        if isinstance(one, Statement | Violation | Override):
            name = "fingerprint" if kind is Override else "known_as"
            mark = one.fingerprint
            fixed[name] = self._names.name("", ("fingerprint", mark), mark, "{0}{1:016x}")
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
            return self._names.name("figure", ("figure", value), value)
        if name in ("text", "question"):
            return _mask(value)
        named = _NAMED.get(name)
        return self._names.name(named, (named, value), value) if named else _KEPT_OUT

    def _value(self, value: Any) -> Any:
        """Return a value that no field names: a part, or one of several."""
        if is_dataclass(value):
            return self._part(value)
        words = value and isinstance(value, str) and not isinstance(value, Enum)
        return _KEPT_OUT if words else value

    def _iri(self, kind: str, node: URIRef) -> URIRef:
        name = self._names.name(kind, node, self._report.labels.get(node, ""))
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
                return Literal(self._names.name(kind, thing, str(node)))
            case URIRef():
                if str(node).startswith(_VOCABULARIES):
                    return node
                kind = "relation" if str(node).startswith(str(RELATION)) else kind
                return self._iri(kind, node)
        return BNode(self._names.name("node", node, "", "{}-{}"))


def _is_count(node: Node) -> bool:
    return isinstance(node, Literal) and isinstance(node.value, int)


def _mask(text: str) -> str:
    return _MASKED.sub(_MASK, text)

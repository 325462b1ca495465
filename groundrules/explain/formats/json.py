"""The `json` format: the whole report, versioned, and back again without loss.

The fields of `terms.Report` are its keys. Nodes have the form of the SPARQL 1.1 Query Results JSON
Format (W3C 2013, section 3.2.2). What is derived only helps a reader, and is written and not read,
a `fingerprint` only where the words it is made of are kept out; the traits of a violation are those
that its rule ships with. The JSON Schema is made of the same fields, as pydantic models; see
docs/reference/json-schema.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from enum import Enum
from functools import cache, reduce
from operator import or_
from types import GenericAlias, UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints
from typing import Literal as OneOf

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    WithJsonSchema,
    create_model,
)
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.errors import SourceError
from groundrules.explain.contrast import Explanation, explain
from groundrules.explain.findings import why_not_passed
from groundrules.explain.formats import Look
from groundrules.explain.place import locate, quote
from groundrules.explain.repair import fixed
from groundrules.rules.packs import built_in, load_packs, traits_of
from groundrules.terms import Claim, Conclusion, Report, Span, Statement, Traits, Violation

SCHEMA = 1

_SURROGATE = re.compile("[\ud800-\udfff]")
#: Fields that are derived from others, or made of what ships.
_UNWRITTEN = ("traits", "known_as")


def schema() -> str:
    """Return the JSON Schema of a report (2020-12)."""
    told = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://groundrules.dev/schema/report-{SCHEMA}.json",
        **model(Report).model_json_schema(),
        "title": "groundrules report",
        "description": "What `groundrules check --output-format json` writes.",
    }
    return json.dumps(told, indent=2) + "\n"


def dumps(report: Report, *, indent: int | None = 2) -> str:
    """Return the report as JSON that ends in a line break; equal reports give equal bytes."""
    text = json.dumps(encode(report), ensure_ascii=False, indent=indent, allow_nan=False)
    # A lone surrogate is not UTF-8, but its escape is JSON.
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def render(reports: Sequence[Report], look: Look) -> str:
    """Return one report as JSON, several as an array of them."""
    parts = [dumps(report) for report in reports]
    if len(parts) == 1:
        return parts[0]
    return "[\n" + ",\n".join(part.strip() for part in parts) + "\n]\n"


def render_lines(reports: Sequence[Report], look: Look) -> str:
    """Return a line of JSON a report: the `jsonl` format."""
    return "".join(dumps(report, indent=None) for report in reports)


def loads(text: str) -> Report:
    """Return the report that `dumps` wrote.

    Raises SourceError where the text is not such a report or of another schema version.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"not JSON: {error}") from error
    version = data.get("schema") if isinstance(data, dict) else None
    if version != SCHEMA:
        raise SourceError(f"report of schema {version!r}; expected {SCHEMA}")
    try:
        model(Report).model_validate(data)
        return decode(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        at = ".".join(map(str, first["loc"]))
        raise SourceError(f"not a report: {at}: {first['msg']}") from error
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SourceError(f"not a report: {type(error).__name__} {error}") from error


# --- what a report is as JSON -----------------------------------------------------------------


def _is_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("expected a string")
    return value


#: Any string: pydantic's own refuses a lone surrogate, which a text may have.
_Text = Annotated[str, PlainValidator(_is_text), WithJsonSchema({"type": "string"})]
_Share = Annotated[float, Field(ge=0, le=1)]


def _closed_model(name: str, /, **told: Any) -> type[BaseModel]:
    made: type[BaseModel] = create_model(name, __config__=ConfigDict(extra="forbid"), **told)
    return made


_Node = _closed_model(
    "Node",
    type=(OneOf["uri", "literal", "bnode"], ...),
    value=(_Text, ...),
    datatype=(_Text, ""),
    lang=(_Text, Field("", alias="xml:lang")),
)
#: What is written and not read, by the type that it is derived from.
_DERIVED: Mapping[type, Mapping[str, Any]] = {
    Span: {"line": (int, 0), "column": (int, 0), "quote": (_Text, "")},
    Statement: {
        "fingerprint": (_Text, ...), "findings": (list[int], ...), "claims": (list[int], ...),
    },
    Violation: {
        "statement": (int | None, ...),
        "fingerprint": (_Text, ...),
        "explanation": (Explanation, ...),
    },
    Report: {
        "version": (OneOf[SCHEMA], Field(alias="schema")),
        "conforms": (bool | None, ...),
        "conclusion": (Conclusion, ...),
        "guardrail": (OneOf["pass", "retrieve again", "human"], ...),
        "reason": (_Text, ...),
        "fixed": (_Text | None, ...),
    },
}  # fmt: skip
_SHARES = ("support", "confidence", "unverifiable", "settled")


@cache
def model(kind: type) -> type[BaseModel]:
    """Return the pydantic model of a type of `terms` as it is written."""
    own = {name: (_form(part, of=kind, name=name), ...) for name, part in _fields(kind)}
    return _closed_model(kind.__name__, **own, **_DERIVED.get(kind, {}))


def _form(kind: Any, *, of: type, name: str = "") -> Any:
    """Return the type that a value of some type is written as."""
    if get_origin(kind) is UnionType:
        return reduce(or_, (_form(one, of=of, name=name) for one in get_args(kind)))
    if get_origin(kind) is tuple:
        item = _item_of(kind)
        if get_origin(item) is tuple:
            value, pair = _form(get_args(item)[1], of=of), f"{of.__name__}{name.capitalize()}"
            return GenericAlias(list, _closed_model(pair, name=(_Text, ...), value=(value, ...)))
        whole = (item, of) == (Claim, Report)
        return GenericAlias(list, model(Claim) if whole else _form(item, of=of))
    if get_origin(kind) is Mapping:
        label = _closed_model("Label", node=(_Node, ...), label=(_Text, ...))
        return GenericAlias(*((list, label) if name == "labels" else (dict, (_Text, _Text))))
    if kind is Claim:
        return int | model(Claim)
    if kind is str or kind is URIRef:
        return _Text
    if kind is float and name in _SHARES:
        return _Share
    if isinstance(kind, type) and issubclass(kind, Node):
        return _Node
    return model(kind) if isinstance(kind, type) and is_dataclass(kind) else kind


def encode(report: Report) -> dict[str, Any]:
    """Return the report as dictionaries, lists and scalars, in a fixed order."""
    places = {claim.id: index for index, claim in enumerate(report.claims)}
    numbers = {statement.number for statement in report.statements}

    def write(value: Any, kind: Any) -> Any:
        if value is None or isinstance(value, Enum):
            return value and value.value
        kind = _without_none(kind)
        if kind is URIRef:
            return str(value)
        if isinstance(value, Node):
            return encode_node(value)
        if isinstance(value, Claim) and value.id in places:
            index = places[value.id]
            return index if report.claims[index] == value else record(value)
        if is_dataclass(value):
            return record(value)
        if isinstance(value, tuple):
            item = _item_of(kind)
            if get_origin(item) is tuple:
                part = get_args(item)[1]
                return [{"name": name, "value": write(one, part)} for name, one in value]
            return [write(one, item) for one in value]
        return value

    def record(value: Any) -> dict[str, Any]:
        return {
            name: write(getattr(value, name), kind) for name, kind in _fields(value.__class__)
        } | derived(value)

    def derived(value: Any) -> dict[str, Any]:
        match value:
            case Span():
                place, words = locate(value, report), quote(value, report)
                at = {"line": place.line, "column": place.column} if place else {}
                return at | ({"quote": words} if words else {})
            case Statement():
                found = enumerate(report.violations)
                own = [i for i, one in found if one.claim and one.claim.sentence == value.number]
                said = [i for i, one in enumerate(report.claims) if one.sentence == value.number]
                return {"fingerprint": value.fingerprint, "findings": own, "claims": said}
            case Violation():
                number = value.claim.sentence if value.claim else None
                return {
                    "statement": number if number in numbers else None,
                    "fingerprint": value.fingerprint,
                    "explanation": asdict(explain(value, report)),
                }
        return {}

    labels = sorted(report.labels.items(), key=lambda item: item[0].n3())
    return {
        "schema": SCHEMA,
        "conforms": report.conforms,
        "conclusion": report.conclusion.value,
        "guardrail": report.guardrail,
        "reason": why_not_passed(report),
        "fixed": fixed(report),
        **record(report),
        "claims": [record(claim) for claim in report.claims],
        "assertions": [record(claim) for claim in report.assertions],
        "labels": [{"node": encode_node(node), "label": label} for node, label in labels],
        "sources": dict(sorted(report.sources.items())),
    }


def decode(data: Mapping[str, Any]) -> Report:
    """Return the report of what `encode` made; KeyError or TypeError where a part is missing."""
    claims = tuple(_read(item, Claim, ()) for item in data["claims"])
    labels = {read_node(item["node"]): item["label"] for item in data["labels"]}
    found: Report = _read({**data, "labels": labels}, Report, claims)
    return found


def _read(item: Any, kind: Any, claims: tuple[Claim, ...]) -> Any:
    """Return what was written of a value of some type; claims may be named by their index."""
    if item is None:
        return None
    kind = _without_none(kind)
    if get_origin(kind) is tuple:
        one = _item_of(kind)
        if get_origin(one) is tuple:
            part = get_args(one)[1]
            return tuple((pair["name"], _read(pair["value"], part, claims)) for pair in item)
        return tuple(_read(value, one, claims) for value in item)
    if get_origin(kind) is not None or not isinstance(kind, type):
        return dict(item) if isinstance(item, dict) else item
    if issubclass(kind, Node):
        return URIRef(item) if kind is URIRef else read_node(item)
    if kind is Claim and isinstance(item, int):
        return claims[item]
    if not is_dataclass(kind):
        return kind(item) if issubclass(kind, Enum) else item
    made = {name: _read(item[name], part, claims) for name, part in _fields(kind)}
    if kind is Violation:
        made["traits"] = _shipped().get(made["rule"], Traits())
    if kind in (Statement, Violation) and kind(**made).fingerprint != item["fingerprint"]:
        made["known_as"] = item["fingerprint"]
    return kind(**made)


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a type that are written, each with its own type."""
    hints = get_type_hints(kind)
    names = (one.name for one in fields(kind))
    return tuple((name, hints[name]) for name in names if name not in _UNWRITTEN)


@cache
def _without_none(kind: Any) -> Any:
    if get_origin(kind) is not UnionType:
        return kind
    return next(one for one in get_args(kind) if one is not type(None))


def _item_of(kind: Any) -> Any:
    """Return the type of what a tuple has, all of one."""
    return get_args(kind)[0]


def encode_node(node: Node) -> dict[str, str]:
    """Return a term of RDF in the SPARQL 1.1 Query Results JSON Format."""
    match node:
        case URIRef():
            return {"type": "uri", "value": str(node)}
        case Literal():
            result = {"type": "literal", "value": str(node)}
            if node.language:
                result["xml:lang"] = node.language
            elif node.datatype:
                result["datatype"] = str(node.datatype)
            return result
        case BNode():
            return {"type": "bnode", "value": str(node)}
    raise TypeError(f"{node!r} is not an RDF term")


def read_node(item: dict[str, str]) -> Node:
    """Return the term that `encode_node` has written; KeyError or ValueError where it is none."""
    match item["type"]:
        case "uri":
            return URIRef(item["value"])
        case "bnode":
            return BNode(item["value"])
        case "literal":
            datatype = item.get("datatype")
            return Literal(
                item["value"],
                lang=item.get("xml:lang"),
                datatype=URIRef(datatype) if datatype else None,
                normalize=False,
            )
    raise ValueError(f"unknown node type {item['type']!r}")


@cache
def _shipped() -> dict[str, Traits]:
    return traits_of(load_packs(built_in()))

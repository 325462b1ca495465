"""Tables as RDF: a mapping says what a row is about and what its columns mean.

    [prefixes]
    ex = "https://example.org/"

    [record]
    class = "lx:Statute"
    id    = "ex:statute/{code}"      # {column}, percent-encoded
    label = "{title}"

    [columns]
    title   = "lx:shortTitle"
    enacted = { property = "lx:enactmentDate", datatype = "xsd:date" }
    amends  = { property = "lx:amends", reference = "ex:statute/{}", separator = ";" }
    body    = { property = "lx:enactedBy", reference = "ex:{}", class = "lx:Legislature" }

A mapping has no code in it. `{}` is the value itself. The prefixes rdf, rdfs, owl, xsd, skos,
schema, dcterms and those of the domains, as lx, are known. In JSON Lines a column with dots leads
into objects, and a list has several values.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rdflib.namespace import OWL, RDF, RDFS, SKOS, XSD
from rdflib.term import Literal, URIRef

from groundrules.domain import Domain, domains
from groundrules.errors import ConfigError, SourceError, did_you_mean
from groundrules.files import parse_toml, read_bounded
from groundrules.kb.records.formats import (
    DCTERMS,
    SCHEMA,
    Bytes,
    Read,
    RecordFormat,
    add_statement,
    day,
    digest,
    no_number,
    stated,
)
from groundrules.kb.sources.query import is_iri
from groundrules.terms import Triple

#: The tables, all read by a mapping.
CSV, TSV, LINES = "CSV", "TSV", "JSON Lines"

_MOST_BYTES = 1_000_000
_PREFIXES = {
    "rdf": str(RDF), "rdfs": str(RDFS), "owl": str(OWL), "xsd": str(XSD), "skos": str(SKOS),
    "schema": str(SCHEMA), "dcterms": str(DCTERMS),
}  # fmt: skip
#: An IRI begins so; all else that has a colon is a prefix that is not known.
_SCHEMES = ("http://", "https://", "urn:")
_FIELD = re.compile(r"\{([^{}]*)\}")
_LONGEST = 1 << 26
_TRUE = {"true": "true", "1": "true", "yes": "true", "false": "false", "0": "false", "no": "false"}
_FORMS = {
    XSD.integer: re.compile(r"[+-]?\d{1,200}", re.A),
    XSD.decimal: re.compile(r"[+-]?(?:\d{1,200}(?:\.\d{0,200})?|\.\d{1,200})", re.A),
    XSD.double: re.compile(r"[+-]?(?:\d{1,200}(?:\.\d{0,200})?|\.\d{1,200})(?:[eE][+-]?\d{1,3})?",
                           re.A),
    XSD.gYear: re.compile(r"-?\d{4,9}", re.A),
    XSD.gYearMonth: re.compile(r"-?\d{4,9}-(?:0[1-9]|1[0-2])", re.A),
    XSD.dateTime: re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?",
                             re.A),
    XSD.anyURI: re.compile(r"[^\s<>\"{}|\\^`]{1,2000}"),
}  # fmt: skip
_DATATYPES = (XSD.string, XSD.date, XSD.boolean, *_FORMS)


@dataclass(frozen=True, slots=True)
class Column:
    """What the values of a column are: of a datatype, or things that a reference names."""

    name: str
    property: URIRef
    datatype: URIRef = XSD.string
    reference: str = ""
    kind: URIRef | None = None
    label: str = ""
    separator: str = ""


@dataclass(frozen=True, slots=True)
class Mapping:
    """How the rows of a table are read; `digest` is of the bytes of its file."""

    path: str
    kind: URIRef | None
    id: str
    columns: tuple[Column, ...]
    label: str = ""
    digest: bytes = b""

    def fields(self) -> set[str]:
        """Return the columns that it takes values from."""
        templates = (self.id, self.label, *(c.reference for c in self.columns),
                     *(c.label for c in self.columns))  # fmt: skip
        named = {name for text in templates for name in _FIELD.findall(text) if name}
        return named | {column.name for column in self.columns}


def read_mapping(path: Path) -> Mapping:
    """Return the mapping of a TOML file; ConfigError with file and line if it is none."""
    try:
        data = read_bounded(path, _MOST_BYTES)
        if len(data) > _MOST_BYTES:
            raise ConfigError(f"larger than {_MOST_BYTES:,} bytes", path=str(path))
        text = data.decode("utf-8")
        table = parse_toml(text)
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except UnicodeDecodeError:
        raise ConfigError("not UTF-8", path=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        raise ConfigError(
            f"not TOML: {re.sub(r' [(]at line.*', '', str(error))}",
            path=str(path),
            line=int(found[1]) if found else None,
        ) from None
    except RecursionError:
        raise ConfigError("nested too deep", path=str(path)) from None
    return _Reader(str(path), text).mapping(table, hashlib.sha256(data).digest())


class _Reader:
    """Reads a mapping and says where in its text a fault is."""

    def __init__(self, path: str, text: str) -> None:
        self._path, self._lines = path, text.splitlines()
        self._prefixes = dict(_PREFIXES)
        for one in domains():
            self._prefixes |= one.prefixes

    def mapping(self, table: dict[str, Any], digest: bytes) -> Mapping:
        self._known("", table, ("prefixes", "record", "columns"))
        for name, iri in self._table(table, "prefixes", optional=True).items():
            if not isinstance(iri, str) or not is_iri(iri):
                raise self._fault(name, f"prefix {name!r}: expected an IRI")
            self._prefixes[name] = iri
        record = self._table(table, "record")
        self._known("record", record, ("class", "id", "label"))
        if "id" not in record:
            raise self._fault("[record]", "record has no id; expected a template with {column}")
        columns = self._table(table, "columns")
        return Mapping(
            self._path,
            self._iri("class", record["class"]) if "class" in record else None,
            self._of_row("id", self._template("id", record["id"], iri=True)),
            tuple(self._column(name, value) for name, value in columns.items()),
            self._of_row("label", self._template("label", record.get("label")))
            if "label" in record
            else "",
            digest,
        )

    def _column(self, name: str, value: Any) -> Column:
        if isinstance(value, str):
            return Column(name, self._iri(name, value))
        if not isinstance(value, dict):
            raise self._fault(name, f"column {name!r}: expected a property or a table")
        allowed = ("property", "datatype", "reference", "class", "label", "separator")
        self._known(name, value, allowed)
        if "property" not in value:
            raise self._fault(name, f"column {name!r} has no property")
        if "reference" in value and "datatype" in value:
            raise self._fault(name, f"column {name!r}: a datatype or a reference, not both")
        for key in ("class", "label"):
            if key in value and "reference" not in value:
                raise self._fault(name, f"column {name!r}: {key} is of what a reference names")
        datatype = self._iri(name, value.get("datatype", str(XSD.string)))
        if datatype not in _DATATYPES:
            short = [f"xsd:{str(one).removeprefix(str(XSD))}" for one in _DATATYPES]
            near = did_you_mean(str(value["datatype"]), short)
            raise self._fault(
                name, f"datatype {value['datatype']!r}: expected one of {', '.join(short)}{near}"
            )
        separator = value.get("separator", "")
        if not isinstance(separator, str):
            raise self._fault(name, f"column {name!r}: expected a text as separator")
        return Column(
            name,
            self._iri(name, value["property"]),
            datatype,
            self._template(name, value["reference"], iri=True) if "reference" in value else "",
            self._iri(name, value["class"]) if "class" in value else None,
            self._template(name, value["label"]) if "label" in value else "",
            separator,
        )

    def _table(self, table: dict[str, Any], key: str, optional: bool = False) -> dict[str, Any]:
        value = table.get(key, {} if optional else None)
        if not isinstance(value, dict):
            raise self._fault(key, f"[{key}] is missing" if value is None else f"{key}: no table")
        return value

    def _known(self, place: str, table: dict[str, Any], allowed: Sequence[str]) -> None:
        for key in table:
            if key not in allowed:
                where = f" in {place}" if place else ""
                raise self._fault(
                    key if self._line(key) else place,
                    f"unknown key {key!r}{where}; expected {', '.join(allowed)}"
                    f"{did_you_mean(key, allowed)}",
                )

    def _iri(self, place: str, value: Any) -> URIRef:
        """Return a short or a whole IRI in full."""
        if not isinstance(value, str):
            raise self._fault(place, f"{value!r}: expected an IRI")
        whole = self._expand(value)
        if not is_iri(whole) or not whole.startswith(_SCHEMES):
            prefix = value.partition(":")[0]
            near = did_you_mean(prefix, self._prefixes)
            raise self._fault(place, f"{value!r} is no IRI; expected prefix:name{near}")
        # what the ontology lacks no rule would read
        for one in domains():
            for space in one.prefixes.values():
                if whole.startswith(space):
                    self._check_term(place, value, whole.removeprefix(space), one, space)
        return URIRef(whole)

    def _check_term(self, place: str, value: str, name: str, of: Domain, space: str) -> None:
        terms = {str(triple.subject) for triple in stated(of.ontology)}
        names = [one.removeprefix(space) for one in terms if one.startswith(space)]
        if name not in names:
            near = did_you_mean(name, sorted(names))
            raise self._fault(place, f"{value!r} is no term of the {of.name} ontology{near}")

    def _expand(self, value: str) -> str:
        prefix, colon, name = value.partition(":")
        known = self._prefixes.get(prefix) if colon and not name.startswith("//") else None
        return known + name if known else value

    def _template(self, place: str, value: Any, iri: bool = False) -> str:
        if not isinstance(value, str) or not value:
            raise self._fault(place, f"{value!r}: expected a text with {{column}}")
        bare = _FIELD.sub("x", value)
        if "{" in bare or "}" in bare:
            raise self._fault(place, f"{value!r}: a brace without its other")
        if not iri:
            return value
        whole = self._expand(bare)
        if not is_iri(whole) or not whole.startswith(_SCHEMES):
            near = did_you_mean(value.partition(":")[0], self._prefixes)
            raise self._fault(place, f"{value!r} makes no IRI; expected prefix:name{near}")
        if not _FIELD.search(value):
            raise self._fault(place, f"{value!r} is the same for all; expected {{column}} in it")
        return self._expand(value)

    def _of_row(self, place: str, template: str) -> str:
        if "{}" in template:
            raise self._fault(place, "{} is the value of a column; expected {column}")
        return template

    def _line(self, key: str) -> int | None:
        return _line(self._lines, key)

    def _fault(self, key: str, message: str) -> ConfigError:
        return ConfigError(message, path=self._path, line=self._line(key))


def _line(lines: Sequence[str], key: str) -> int | None:
    """Return the last line that begins with a key; columns come last."""
    begins = re.compile(rf"\s*[\[\"']?{re.escape(key.strip('[]'))}[\"'\]]?\s*(?:=|$|\])")
    found = (number for number, text in enumerate(lines, 1) if begins.match(text))
    return max(found, default=None)


# ---------------------------------------------------------------- rows


def read_rows(
    form: str, stream: Bytes, mapping: Mapping
) -> Iterator[tuple[bytes, Callable[[], Read]]]:
    """Yield the rows of a table: a digest of each, and what reads it.

    ConfigError where the table lacks a column of the mapping or has it twice, SourceError where
    its head cannot be read.
    """
    rows = _lines if form == LINES else _delimited
    for data, row in rows(stream, form, mapping):
        yield digest(data), partial(_read, mapping, row)


def _delimited(stream: Bytes, form: str, mapping: Mapping) -> Iterator[tuple[bytes, Any]]:
    # One limit for the process: the longest cell that any table may have.
    csv.field_size_limit(_LONGEST)
    taken: list[bytes] = []
    broken = False

    def lines() -> Iterator[str]:
        nonlocal broken
        for number, line in enumerate(stream.lines()):
            data = line.removeprefix(b"\xef\xbb\xbf") if not number else line
            taken.append(data)
            try:
                yield data.decode("utf-8")
            except UnicodeDecodeError:
                broken = True
                yield data.decode("utf-8", "replace")

    reader = csv.reader(lines(), delimiter="\t" if form == TSV else ",", strict=False)
    head = next(reader, None)
    if head is None:
        return
    if broken:
        raise SourceError("not UTF-8", path=str(stream.path))
    head = [name.strip() for name in head]
    _check_columns(stream, mapping, head)
    taken.clear()
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            data, fault = b"".join(taken), f"not {form}: {error}"
            taken.clear()
            yield data, _failing(fault)
            continue
        if cells is None:
            return
        data, bad = b"".join(taken), broken
        taken.clear()
        broken = False
        if not cells:
            continue
        if bad:
            yield data, _failing("not UTF-8")
        elif len(cells) != len(head):
            yield data, _failing(f"{len(cells)} cells; expected {len(head)}")
        else:
            yield data, dict(zip(head, cells, strict=True))


def _failing(message: str) -> Callable[[], dict[str, Any]]:
    def fail() -> dict[str, Any]:
        raise ValueError(message)

    return fail


def _check_columns(stream: Bytes, mapping: Mapping, head: Sequence[str]) -> None:
    for name in sorted(mapping.fields()):
        if head.count(name) == 1:
            continue
        lines = Path(mapping.path).read_text("utf-8").splitlines()
        used = (n for n, text in enumerate(lines, 1) if f"{{{name}}}" in text)
        fault = (
            f"{stream.path.name} has two columns {name!r}"
            if name in head
            else f"{stream.path.name} has no column {name!r}; it has {', '.join(head[:20])}"
            f"{did_you_mean(name, head)}"
        )
        raise ConfigError(fault, path=mapping.path, line=_line(lines, name) or next(used, None))


def _lines(stream: Bytes, form: str, mapping: Mapping) -> Iterator[tuple[bytes, Any]]:
    for line in stream.lines():
        if not line.strip():
            continue

        def parse(text: bytes = line) -> dict[str, Any]:
            try:
                value = json.loads(text, parse_constant=no_number)
            except UnicodeDecodeError:
                raise ValueError("not UTF-8") from None
            except ValueError as error:
                raise ValueError(f"not JSON: {error}") from None
            if not isinstance(value, dict):
                raise ValueError("expected an object")
            return value

        yield line, parse


def _read(mapping: Mapping, told: dict[str, Any] | Callable[[], dict[str, Any]]) -> Read:
    """Return what a row says; ValueError that says what is wrong."""
    row = told() if callable(told) else told
    found: list[Triple] = []
    node = _node(mapping.id, row, "")
    if mapping.kind is not None:
        add_statement(found, node, RDF.type, mapping.kind)
    if mapping.label:
        add_statement(found, node, RDFS.label, _filled(mapping.label, row, "", plain=True).strip())
    for column in mapping.columns:
        for value in _values(row, column):
            if not column.reference:
                add_statement(found, node, column.property, _literal(column, value))
                continue
            other = _node(column.reference, row, value)
            add_statement(found, node, column.property, other)
            if column.kind is not None:
                add_statement(found, other, RDF.type, column.kind)
            if column.label:
                add_statement(
                    found, other, RDFS.label, _filled(column.label, row, value, plain=True)
                )
    return node, found


def _values(row: dict[str, Any], column: Column) -> Iterator[str]:
    for one in _cells(row, column.name):
        text = _shown(one)
        for part in text.split(column.separator) if column.separator else [text]:
            if part.strip():
                yield part.strip()


def _cells(row: dict[str, Any], name: str) -> list[Any]:
    """Return the values of a column; one with dots leads into objects, those of a list too."""
    if name in row:
        cells = [row[name]]
    else:
        cells = [row]
        for part in name.split("."):
            spread = [one for cell in cells for one in (cell if isinstance(cell, list) else [cell])]
            cells = [one[part] for one in spread if isinstance(one, dict) and part in one]
    return [one for cell in cells for one in (cell if isinstance(cell, list) else [cell])]


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        raise ValueError(f"a {type(value).__name__} where a value was expected")
    return str(value)


def _node(template: str, row: dict[str, Any], value: str) -> URIRef:
    iri = _filled(template, row, value)
    if not is_iri(iri):
        raise ValueError(f"{iri[:60]!r} is no IRI")
    return URIRef(iri)


def _filled(template: str, row: dict[str, Any], value: str, plain: bool = False) -> str:
    def fill(match: re.Match[str]) -> str:
        name = match[1]
        text = value if not name else next(map(_shown, _cells(row, name)), "").strip()
        if not text and not plain:
            raise ValueError(f"no {name or 'value'}, which names the thing")
        return text if plain else quote(text, safe="")

    return _FIELD.sub(fill, template)


def _literal(column: Column, value: str) -> Literal:
    if column.datatype == XSD.string:
        return Literal(value)
    if column.datatype == XSD.date:
        try:
            known = day(value)
        except ValueError as error:
            raise ValueError(f"{column.name}: {error}") from None
        assert known is not None
        return known
    if column.datatype == XSD.boolean:
        if value.casefold() not in _TRUE:
            raise ValueError(f"{column.name}: {value[:40]!r} is no xsd:boolean")
        return Literal(_TRUE[value.casefold()], datatype=XSD.boolean, normalize=False)
    if not _FORMS[column.datatype].fullmatch(value):
        short = str(column.datatype).removeprefix(str(XSD))
        raise ValueError(f"{column.name}: {value[:40]!r} is no xsd:{short}")
    return Literal(value, datatype=column.datatype, normalize=False)


CSV_FILES = RecordFormat(name=CSV, endings=(".csv",), split=partial(read_rows, CSV), table=True)
TSV_FILES = RecordFormat(name=TSV, endings=(".tsv",), split=partial(read_rows, TSV), table=True)
LINE_FILES = RecordFormat(
    name=LINES, endings=(".jsonl", ".ndjson"), split=partial(read_rows, LINES), table=True
)

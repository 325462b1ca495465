"""Records as RDF under an ontology: patents, court decisions, and what else is registered.

A record is read by itself: what a file says of one thing becomes statements about it, and things
that several records speak of meet by their numbers. A record that cannot be read is a fault of its
own; the others are read all the same. A form of files is an entry point of the group
`groundrules.record_formats`, a `RecordFormat`.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Protocol

from rdflib.namespace import OWL, RDF, RDFS, SKOS, XSD, Namespace
from rdflib.term import Literal, Node, URIRef

from groundrules import plugins
from groundrules.calendar import Date, exists, write_date
from groundrules.dataset import TripleStore, parse_turtle
from groundrules.domain import Domain, domains
from groundrules.errors import SourceError
from groundrules.terms import Triple

SCHEMA = Namespace("http://schema.org/")
DCTERMS = Namespace("http://purl.org/dc/terms/")
PROV = Namespace("http://www.w3.org/ns/prov#")
#: The names of things that have none but their numbers.
RECORD = Namespace("https://w3id.org/groundrules/record/")

#: Bytes of one record.
_LARGEST = 1 << 26
#: Bytes of a JSON file, which is read whole.
_MOST = 1 << 30
_BLANK = b" \t\r\n\xef\xbb\xbf"
_DECLARATION = re.compile(rb"(?=<\?xml\s)")
_DAY = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)", re.A)

#: The node that a record is about, and its statements.
Read = tuple[URIRef, list[Triple]]


class Bytes(Protocol):
    """A file that is being read, unpacked."""

    path: Path

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, none at the end."""

    def lines(self) -> Iterator[bytes]:
        """Yield the lines."""


#: What is in a file: a digest of each record, and what reads it, which raises ValueError.
Records = Iterator[tuple[bytes, Callable[[], Read | None]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordFormat:
    """A form of files of records.

    `endings` are those of the names of its files (".xml"); of several forms with one ending that
    is taken whose `begins` is true of the first characters. `split` of a file yields its records;
    `domain` is whose terms they are in, empty where they may be in those of any.
    """

    name: str
    endings: tuple[str, ...]
    split: Callable[[Bytes], Records]
    begins: Callable[[str], bool] | None = None
    domain: str = ""


def formats() -> Mapping[str, RecordFormat]:
    """Return the forms of records by their names; ConfigError where one cannot be loaded."""
    return _loaded(tuple(plugins.registered(plugins.RECORD_FORMATS)), tuple(sys.path))


@cache
def _loaded(names: tuple[str, ...], _: tuple[str, ...]) -> Mapping[str, RecordFormat]:
    found = (plugins.load(plugins.RECORD_FORMATS, name, RecordFormat) for name in names)
    return {one.name: one for one in found}


def form_of(ending: str, head: Callable[[], bytes]) -> str:
    """Return the form of a file whose name ends so, empty where it is that of no records.

    `head` returns the first bytes of the file; it is called where there are several forms.
    """
    known = [one for one in formats().values() if ending in one.endings]
    if any(one.begins for one in known):
        text = head().decode("utf-8", "replace")
        for one in known:
            with plugins.blame(plugins.RECORD_FORMATS, one.name):
                if one.begins and one.begins(text):
                    return one.name
    return next((one.name for one in known if not one.begins), "")


def _is_guest(form: str) -> bool:
    """Return whether a form is of another package: what that gives is looked at."""
    return any(
        plugins.load(plugins.RECORD_FORMATS, name, RecordFormat).name == form
        for name, value in plugins.registered(plugins.RECORD_FORMATS).items()
        if not plugins.is_own(value)
    )


def read_records(stream: Bytes, form: str) -> Iterator[list[Triple] | str]:
    """Yield the statements of each record of a file, or what is wrong with it.

    Only one record is in memory. SourceError where a file cannot be split into records.
    """
    number, guest = 0, _is_guest(form)
    with plugins.blame(plugins.RECORD_FORMATS, form):
        for key, parse in formats()[form].split(stream):
            number += 1
            try:
                read = parse()
                if read is None:
                    yield []
                    continue
                node, statements = read
                if guest:
                    plugins.expect((node, statements), tuple[Node, list[Triple]])
                statements += _provenance(node, key, stream.path.name, number)
                yield statements
            except RecursionError:
                yield "nested too deep"
            except ValueError as error:
                yield " ".join(str(error).split())


def split_xml(stream: Bytes, read: Callable[[bytes], Read | None]) -> Records:
    """Yield the records of XML documents that are one after the other in a file."""
    for data in _documents(stream):
        whole = len(data) <= _LARGEST
        yield digest(data), partial(read, data) if whole else _too_large


def split_json(
    stream: Bytes, read: Callable[[Mapping[str, Any]], Read], under: tuple[str, ...] = ("results",)
) -> Records:
    """Yield the records of a JSON file, each an object: see `_objects`."""
    for text in _objects(stream, under):
        yield digest(text.encode()), partial(_parse, read, text)


def _parse(read: Callable[[Mapping[str, Any]], Read], text: str) -> Read:
    return read(_object(text))


def _too_large() -> Read:
    raise ValueError(f"more than {_LARGEST:,} bytes")


def digest(data: bytes) -> bytes:
    """Return the digest of the bytes of a record."""
    return hashlib.sha256(data).digest()


def _documents(stream: Bytes) -> Iterator[bytes]:
    """Yield the XML documents that are one after the other in a file, each with its declaration.

    Of one that is too large the beginning is kept, which is too large as well.
    """
    kept: list[bytes] = []
    rest = b""
    while block := stream.read():
        # a declaration may lie across two blocks
        *ended, last = _DECLARATION.split(rest + block)
        for part in ended:
            kept.append(part)
            if (data := b"".join(kept)).strip(_BLANK):
                yield data
            kept.clear()
        cut = max(0, len(last) - 5)
        rest = last[cut:]
        if sum(map(len, kept)) <= _LARGEST:
            kept.append(last[:cut])
    if (data := b"".join((*kept, rest))).strip(_BLANK):
        yield data


def _objects(stream: Bytes, under: tuple[str, ...]) -> Iterator[str]:
    """Yield the text of each record of a JSON file, which is held in memory.

    That is one object, an array of objects, an object that has them under one of some keys, or
    objects line by line, where a line that is no JSON is a record too. SourceError for all else.
    """
    parts: list[bytes] = []
    room, path = _MOST, str(stream.path)
    while block := stream.read():
        parts.append(block)
        room -= len(block)
        if room < 0:
            raise SourceError(f"more than {_MOST:,} bytes of JSON", path=path)
    text = b"".join(parts).decode("utf-8-sig", "replace")
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        if len(lines) > 1 and _is_json(lines[0]):
            yield from lines
            return
        whole = json.loads(text)
    except RecursionError:
        raise SourceError("nested too deep", path=path) from None
    except ValueError as error:
        raise SourceError(f"not JSON: {error}", path=path) from None
    listed = whole
    for key in under if isinstance(whole, dict) else ():
        listed = whole[key] if isinstance(whole.get(key), list) else listed
    yield from map(json.dumps, listed if isinstance(listed, list) else [listed])


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def no_number(name: str) -> None:
    """Refuse NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(f"{name} is no value of JSON")


def _object(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text, parse_constant=no_number)
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError("expected an object")
    return value


def _provenance(node: URIRef, key: bytes, name: str, number: int) -> Iterator[Triple]:
    """Yield where a record came from: its file, its number in it and its digest."""
    record = URIRef(f"urn:sha256:{key.hex()}")
    yield Triple(node, PROV.wasDerivedFrom, record)
    yield Triple(record, DCTERMS.source, Literal(name.encode("utf-8", "replace").decode()))
    yield Triple(record, SCHEMA.position, Literal(str(number), datatype=XSD.integer))


# ---------------------------------------------------------------- what is common to all


def add_statement(found: list[Triple], subject: URIRef, predicate: URIRef, value: object) -> None:
    """Add a statement unless there is no value; a bare str is a text, an int a number."""
    if value is None or value == "":
        return
    node: Node
    if isinstance(value, Literal | URIRef):
        node = value
    elif isinstance(value, int):
        node = Literal(str(value), datatype=XSD.integer)
    else:
        node = Literal(str(value))
    found.append(Triple(subject, predicate, node))


def day(text: object) -> Literal | None:
    """Return a date as precise as it is written, None for an empty one; ValueError if it is none.

    YYYYMMDD and YYYY-MM-DD, where 00 stands for a month or a day that is not known; what follows a
    day, as in a time, is left out.
    """
    if text is None or text == "":
        return None
    match = _DAY.match(str(text).strip())
    rest = str(text).strip()[match.end() :] if match else ""
    if match is None or (rest and rest[0] not in "T "):
        raise ValueError(f"{str(text)[:40]!r} is no date; expected YYYYMMDD or YYYY-MM-DD")
    year, month, number = (int(part) for part in match.groups())
    if not year or not exists(Date(year, month or 1, number or 1)):
        raise ValueError(f"{match[0]!r} is no day of the calendar")
    return write_date(Date(year, month or None, (month and number) or None))


# ---------------------------------------------------------------- what makes a store of them

_PROPERTIES = (OWL.ObjectProperty, OWL.DatatypeProperty)
_TOLD = (
    RDF.type, RDFS.label, SKOS.altLabel, RDFS.domain, RDFS.range, RDFS.subPropertyOf, OWL.inverseOf,
)  # fmt: skip


@cache
def stated(ontology: Path) -> tuple[Triple, ...]:
    """Return what the Turtle file of an ontology states."""
    return tuple(parse_turtle(ontology.read_text("utf-8"), path=str(ontology)))


def domains_of(form: str) -> tuple[Domain, ...]:
    """Return the domains that records of a form are of."""
    found = formats().get(form)
    return tuple(one for one in domains() if found and found.domain in ("", one.name))


def vocabulary(domain: Domain) -> list[Triple]:
    """Return what an ontology says of its properties, and which class is below which.

    The names of classes are left out: no text means a class by "lease".
    """
    told = stated(domain.ontology)
    properties = {t.subject for t in told if t.predicate == RDF.type and t.object in _PROPERTIES}
    worded = (
        Triple(URIRef(subject), SKOS.altLabel, Literal(text, lang="en"))
        for subject, texts in domain.wordings.items()
        for text in texts
    )
    return [
        t
        for t in (*told, *worded)
        if isinstance(t.object, URIRef | Literal)
        and (
            (t.subject in properties and t.predicate in _TOLD)
            or (t.predicate == RDFS.subClassOf and isinstance(t.object, URIRef))
        )
    ]


def joined(store: TripleStore, domain: Domain) -> Iterator[Triple]:
    """Yield what follows from several records of a store, as a domain joins them."""
    for row in store.select(domain.joins) if domain.joins else ():
        s, p, o = row["s"], row["p"], row["o"]
        if isinstance(s, URIRef) and isinstance(p, URIRef) and isinstance(o, URIRef):
            yield Triple(s, p, o)


def texts(value: object) -> str:
    """Return a value of JSON as a text in one line, empty unless it is a text or a number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def objects(value: object) -> Iterable[Mapping[str, Any]]:
    """Return the objects of a list of JSON, or the one object; what is neither has none."""
    several = value if isinstance(value, list) else [value]
    return [one for one in several if isinstance(one, dict)]

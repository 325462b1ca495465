"""Records as RDF under the legal ontology: patents, court decisions, tables.

A record is read by itself: what a file says of one thing becomes statements about it, and things
that several records speak of meet by their numbers. A record that cannot be read is a fault of its
own; the others are read all the same.

======================  ===========================================================================
``USPTO XML``           bulk files of grants and published applications (`legal/uspto.py`)
``USPTO JSON``          file wrappers of the Open Data Portal (`legal/uspto.py`)
``CourtListener JSON``  clusters, opinions, dockets and courts of its API (`legal/courts.py`)
``CSV``, ``TSV``,       rows, by a mapping (`mapping.py`)
``JSON Lines``,
``Parquet``
======================  ===========================================================================
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rdflib.namespace import OWL, RDF, RDFS, SKOS, XSD, Namespace
from rdflib.term import Literal, Node, URIRef

from groundrules.calendar import Date, exists, write_date
from groundrules.dataset import TripleStore, parse_turtle
from groundrules.errors import SourceError
from groundrules.terms import Triple

if TYPE_CHECKING:
    from groundrules.kb.mapping import Mapping as TableMapping

USPTO, WRAPPERS, COURTS = "USPTO XML", "USPTO JSON", "CourtListener JSON"
CSV, TSV, LINES, PARQUET = "CSV", "TSV", "JSON Lines", "Parquet"
#: The forms of records, by how the name of a file ends; JSON is told by what it begins with.
FORMS: Mapping[str, str] = {
    ".xml": USPTO, ".csv": CSV, ".tsv": TSV, ".jsonl": LINES, ".ndjson": LINES, ".parquet": PARQUET,
}  # fmt: skip
#: Those that a mapping says how to read.
TABLES = (CSV, TSV, LINES, PARQUET)
ALL = (USPTO, WRAPPERS, COURTS, *TABLES)

LX = Namespace("https://w3id.org/groundrules/legal#")
SCHEMA = Namespace("http://schema.org/")
DCTERMS = Namespace("http://purl.org/dc/terms/")
PROV = Namespace("http://www.w3.org/ns/prov#")
#: The names of things that have none but their numbers.
RECORD = Namespace("https://w3id.org/groundrules/record/")
#: The properties whose values are texts to be read, not compared.
TEXTS = (DCTERMS.title, DCTERMS.abstract, SCHEMA.text)

#: Bytes of one record.
_LARGEST = 1 << 26
_BLANK = b" \t\r\n\xef\xbb\xbf"
_DECLARATION = re.compile(rb"<\?xml\s")
_ARRAY = re.compile(r'\s*(?:\{(?:\s*"(?!patentFileWrapperDataBag"|results")[^"\\]*"\s*:\s*'
                    r'(?:"(?:[^"\\]|\\.)*"|null|true|false|-?[0-9][0-9.eE+-]*)\s*,)*\s*'
                    r'"(?:patentFileWrapperDataBag|results)"\s*:\s*)?\[')  # fmt: skip
_DAY = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)", re.A)
_SEPARATORS = re.compile(r"[\s,]*")

#: The node that a record is about, and its statements.
Read = tuple[URIRef, list[Triple]]


class Bytes(Protocol):
    """A file that is being read, unpacked."""

    path: Path

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, none at the end."""

    def lines(self) -> Iterator[bytes]:
        """Yield the lines."""


def json_form(head: bytes) -> str:
    """Return the form of JSON that begins so, an empty string where it is that of no records."""
    text = head.decode("utf-8", "replace")
    if '"patentFileWrapperDataBag"' in text:
        return WRAPPERS
    if re.search(r'"type"\s*:\s*"(?:item|property|lexeme)"', text):
        return ""  # an entity of Wikidata, whatever its references are
    if re.search(r'courtlistener\.com/|"sub_opinions"|"opinions_cited"|"docket_number"', text):
        return COURTS
    return ""


def read_records(
    stream: Bytes, form: str, mapping: TableMapping | None = None, skip: int = 0
) -> Iterator[tuple[bytes, list[Triple] | str]]:
    """Yield each record of a file: a digest of its bytes, and its statements or what is wrong.

    The statements of the first `skip` records are left out. Only one record is in memory. A table
    needs a mapping; ConfigError where that does not fit the columns, SourceError where a file
    cannot be split into records.
    """
    number = 0
    for key, parse in _split(stream, form, mapping):
        number += 1
        if number <= skip:
            yield key, []
            continue
        try:
            read = parse()
            if read is None:
                yield key, []
                continue
            node, statements = read
            statements += _provenance(node, key, stream.path.name, number)
            yield key, statements
        except RecursionError:
            yield key, "nested too deep"
        except ValueError as error:
            yield key, " ".join(str(error).split())


def _split(
    stream: Bytes, form: str, mapping: TableMapping | None
) -> Iterator[tuple[bytes, Callable[[], Read | None]]]:
    """Yield the records of a file: a digest of each, and what reads it."""
    if form == USPTO:
        from groundrules.legal.uspto import read_document

        for data, key, whole in _documents(stream):
            yield key, partial(read_document, data) if whole else _too_large
        return
    if form in TABLES:
        from groundrules.kb.mapping import read_rows

        assert mapping is not None
        for key, row in read_rows(stream, form, mapping):
            yield key, row
        return
    from groundrules.legal.courts import read_court_record
    from groundrules.legal.uspto import read_wrapper

    read = read_wrapper if form == WRAPPERS else read_court_record
    for text in _objects(stream):
        yield _digest(text.encode()), partial(_parse, read, text)


def _parse(read: Callable[[Mapping[str, Any]], Read], text: str) -> Read:
    return read(_object(text))


def _too_large() -> Read:
    raise ValueError(f"more than {_LARGEST:,} bytes")


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _documents(stream: Bytes) -> Iterator[tuple[bytes, bytes, bool]]:
    """Yield the XML documents that are one after the other in a file: bytes, digest, whether whole.

    Each begins with its declaration; bytes of one that is too large are not kept.
    """
    rest = b""
    size, seen = 0, hashlib.sha256()
    kept: list[bytes] = []

    def add(part: bytes) -> None:
        nonlocal size
        size += len(part)
        seen.update(part)
        if size <= _LARGEST:
            kept.append(part)

    def close() -> Iterator[tuple[bytes, bytes, bool]]:
        nonlocal size, seen
        data = b"".join(kept)
        if size > _LARGEST or data.strip(_BLANK):
            yield data, seen.digest(), size <= _LARGEST
        size, seen = 0, hashlib.sha256()
        kept.clear()

    while block := stream.read():
        data = rest + block
        start = 0
        for found in _DECLARATION.finditer(data):
            add(data[start : found.start()])
            yield from close()
            start = found.start()
        # A declaration may lie across two blocks.
        cut = max(start, len(data) - 5)
        add(data[start:cut])
        rest = data[cut:]
    add(rest)
    yield from close()


def _objects(stream: Bytes) -> Iterator[str]:
    """Yield the text of each record of a JSON file.

    That is one object, objects line by line or one after the other, an array of them, or an object
    that has them under "results" or "patentFileWrapperDataBag". What is no JSON is a SourceError,
    for what follows it cannot be told; a line that is none is a record.
    """
    import codecs

    decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
    # only where a value ends is asked here: a number that is too long is a fault of its record
    decoder = json.JSONDecoder(parse_int=str, parse_float=str)
    path = str(stream.path)
    text = decode(stream.read())
    while len(text) < 4096 and (block := stream.read()):
        text += decode(block)
    opening = _ARRAY.match(text)
    listed = opening is not None
    position = opening.end() if opening else 0
    number = 0
    ended = False
    while True:
        separators = _SEPARATORS.match(text, position)
        assert separators is not None  # it matches nothing at all too
        position = separators.end()
        if position == len(text) and not ended:
            pass
        elif position == len(text):
            if listed:
                raise SourceError(f"record {number + 1}: the file is cut short", path=path)
            return
        elif listed and text[position] == "]":
            return
        else:
            try:
                _, end = decoder.raw_decode(text, position)
            except RecursionError:
                raise SourceError(f"record {number + 1}: nested too deep", path=path) from None
            except ValueError as error:
                if ended:
                    line = text.find("\n", position)
                    if not listed and line >= 0:
                        number += 1
                        yield text[position:line]
                        position = line
                        continue
                    cut = f"not JSON: {error}"
                    if listed and _is_cut(error, text):
                        cut = "the file is cut short"
                    raise SourceError(f"record {number + 1}: {cut}", path=path) from None
            else:
                if end < len(text) or ended:
                    number += 1
                    yield text[position:end]
                    position = end
                    continue
        if len(text) - position > _LARGEST:
            raise SourceError(
                f"record {number + 1}: not JSON, or more than {_LARGEST:,} characters", path=path
            )
        # Twice as much each time, so that a long record is not begun too often.
        parts = [text[position:]]
        position = 0
        wanted = max(1 << 16, len(parts[0]))
        while wanted > 0 and not ended:
            block = stream.read()
            ended = not block
            parts.append(decode(block, ended))
            wanted -= len(block)
        text = "".join(parts)


def _is_cut(error: ValueError, text: str) -> bool:
    """Return whether a text is no JSON because it ends, not for what is in it."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated") or error.pos >= len(text.rstrip())


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


def say(found: list[Triple], subject: URIRef, predicate: URIRef, value: object) -> None:
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
#: What texts say for a property besides its names.
_WORDED = {
    LX.grantDate: ("granted on", "issued on", "was granted", "was issued"),
    LX.filingDate: ("was filed", "was filed on"),
    LX.publicationDate: ("was published", "was published on"),
    LX.decisionDate: ("was decided", "was decided on"),
}
#: What a decision cites, of what its opinions cite; and applications by their publications.
_JOINED = f"""
PREFIX lx: <{LX}>
PREFIX owl: <{OWL}>
SELECT DISTINCT ?a ?b WHERE {{
  {{ ?part lx:cites ?other . ?part lx:partOf ?a . ?other lx:partOf ?b }}
  UNION
  {{ ?part lx:cites ?place . ?part lx:partOf ?a . ?b lx:hasCitation ?place
     FILTER NOT EXISTS {{ ?besides lx:hasCitation ?place FILTER(?besides != ?b) }} }}
  UNION
  {{ ?a lx:cites ?publication . ?publication owl:sameAs ?b }}
  FILTER(?a != ?b)
}}"""


@cache
def legal() -> tuple[Triple, ...]:
    """Return what the legal ontology states."""
    path = Path(__file__).parent.parent / "legal" / "legal.ttl"
    return tuple(parse_turtle(path.read_text("utf-8"), path=str(path)))


def vocabulary() -> list[Triple]:
    """Return what the legal ontology says of its properties, and which class is below which.

    The names of classes are left out: no text means a class by "lease".
    """
    told = legal()
    properties = {t.subject for t in told if t.predicate == RDF.type and t.object in _PROPERTIES}
    worded = (
        Triple(subject, SKOS.altLabel, Literal(text, lang="en"))
        for subject, texts in _WORDED.items()
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


def joined(store: TripleStore) -> Iterator[Triple]:
    """Yield which decisions and applications cite each other, as their parts and papers do."""
    for row in store.select(_JOINED):
        a, b = row["a"], row["b"]
        if isinstance(a, URIRef) and isinstance(b, URIRef):
            yield Triple(a, LX.cites, b)


def texts(value: object) -> str:
    """Return a value of JSON as a text in one line, empty unless it is a text or a number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def objects(value: object) -> Iterable[Mapping[str, Any]]:
    """Return the objects of a list of JSON, or the one object; what is neither has none."""
    several = value if isinstance(value, list) else [value]
    return [one for one in several if isinstance(one, dict)]

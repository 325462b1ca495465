"""Wikidata's JSON dumps as RDF, in the form that the query service has (Wikibase RDF, munged).

Source: mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format and the RDF writer of Wikibase for
dates. Left out: the forms and senses of lexemes, the values of references beside the simple one,
and the addresses of sitelinks, which are counted.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from groundrules import calendar
from groundrules.kb.query import is_iri, is_language

WD = "http://www.wikidata.org/entity/"
PROP = "http://www.wikidata.org/prop/"
WIKIBASE = "http://wikiba.se/ontology#"

_WDS = WD + "statement/"
_WDV = "http://www.wikidata.org/value/"
_WDREF = "http://www.wikidata.org/reference/"
_GENID = "http://www.wikidata.org/.well-known/genid/"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_SCHEMA = "http://schema.org/"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
_SAME = "http://www.w3.org/2002/07/owl#sameAs"
_DERIVED = "http://www.w3.org/ns/prov#wasDerivedFrom"
_WKT = "http://www.opengis.net/ont/geosparql#wktLiteral"
_JULIAN = WD + "Q1985786"
_EARTH = WD + "Q2"
_NO_UNIT = WD + "Q199"

_ID = re.compile(r"[QPL][1-9]\d*(?:-[FS][1-9]\d*)?", re.A)
_TIME = re.compile(r"([+-])(\d{1,16})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)Z", re.A)
_DECIMAL = re.compile(r"[+-]?\d{1,200}(?:\.\d{1,200})?", re.A)
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.A)
_RANKS = {"preferred": "PreferredRank", "normal": "NormalRank", "deprecated": "DeprecatedRank"}

#: The precisions of a time (Wikibase): 9 a year, 10 a month, 11 a day.
_YEAR, _MONTH, _DAY = 9, 10, 11

#: Common units: the SI unit and how many of it one is (P2370 of the units).
_SI: Mapping[str, tuple[str, str]] = {
    # length in metres
    "Q11573": ("Q11573", "1"), "Q828224": ("Q11573", "1000"), "Q174728": ("Q11573", "0.01"),
    "Q174789": ("Q11573", "0.001"), "Q3710": ("Q11573", "0.3048"), "Q218593": ("Q11573", "0.0254"),
    "Q253276": ("Q11573", "1609.344"), "Q93318": ("Q11573", "1852"),
    "Q482798": ("Q11573", "0.9144"),
    # mass in kilograms
    "Q11570": ("Q11570", "1"), "Q41803": ("Q11570", "0.001"), "Q191118": ("Q11570", "1000"),
    "Q100995": ("Q11570", "0.45359237"),
    # time in seconds
    "Q11574": ("Q11574", "1"), "Q7727": ("Q11574", "60"), "Q25235": ("Q11574", "3600"),
    "Q573": ("Q11574", "86400"),
    # area in square metres
    "Q25343": ("Q25343", "1"), "Q712226": ("Q25343", "1000000"), "Q35852": ("Q25343", "10000"),
    "Q232291": ("Q25343", "2589988.110336"), "Q81292": ("Q25343", "4046.8564224"),
}  # fmt: skip


class _EntityError(ValueError):
    """What is wrong with an entity."""


def entity_lines(line: bytes, languages: Collection[str] = ("en", "mul")) -> str:
    """Return an entity of a dump, one JSON object, as N-Triples.

    Labels, descriptions and aliases are those in the languages; values keep theirs. ValueError
    that says what is wrong if the object is none of an entity.
    """
    try:
        entity = json.loads(line)
    except RecursionError:
        raise ValueError("not JSON: nested too deep") from None
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    try:
        return "".join(_entity(entity, set(languages)))
    except _EntityError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise ValueError(f"not an entity of Wikidata: {type(error).__name__} {error}") from None


def _entity(entity: Any, languages: set[str]) -> Iterator[str]:
    if not isinstance(entity, dict):
        raise _EntityError("not an entity of Wikidata: expected an object with an id")
    if "redirect" in entity:
        yield _line(_thing(entity["entity"]), _SAME, _thing(entity["redirect"]))
        return
    name = _id(entity.get("id"))
    subject = f"<{WD}{name}>"
    if "lastrevid" in entity:
        yield _line(subject, _SCHEMA + "version", _integer(entity["lastrevid"]))
    if _STAMP.fullmatch(str(entity.get("modified", ""))):
        yield _line(subject, _SCHEMA + "dateModified", _typed(entity["modified"], "dateTime"))
    for key, predicate in (
        ("labels", _RDFS + "label"),
        ("lemmas", WIKIBASE + "lemma"),
        ("descriptions", _SCHEMA + "description"),
        ("aliases", _ALIAS),
    ):
        for language, terms in _dict(entity.get(key)).items():
            if language in languages:
                for term in terms if isinstance(terms, list) else [terms]:
                    yield _line(subject, predicate, _text(term["value"], term["language"]))
    if "sitelinks" in entity:
        count = len(_dict(entity["sitelinks"]))
        yield _line(subject, WIKIBASE + "sitelinks", _integer(count))
    if entity.get("type") == "property":
        yield from _property(name, subject, entity["datatype"])
    claims = _dict(entity.get("claims", entity.get("statements")))
    for key, statements in claims.items():
        yield from _statements(subject, _id(key), statements)


def _property(name: str, subject: str, datatype: str) -> Iterator[str]:
    kind = "".join(part[:1].upper() + part[1:] for part in datatype.split("-"))
    if not re.fullmatch(r"[A-Za-z]+", kind):
        raise _EntityError(f"{datatype!r} is no datatype")
    yield f"{subject} {_TYPE} <{WIKIBASE}Property> .\n"
    yield _line(subject, WIKIBASE + "propertyType", f"<{WIKIBASE}{kind}>")
    for word, path in (
        ("directClaim", "direct/"), ("claim", ""), ("statementProperty", "statement/"),
        ("statementValue", "statement/value/"), ("qualifier", "qualifier/"),
        ("qualifierValue", "qualifier/value/"), ("reference", "reference/"),
        ("novalue", "novalue/"),
    ):  # fmt: skip
        yield _line(subject, WIKIBASE + word, f"<{PROP}{path}{name}>")


def _statements(subject: str, name: str, statements: list[Any]) -> Iterator[str]:
    ranks = {statement["rank"] for statement in statements}
    best = "preferred" if "preferred" in ranks else "normal"
    for statement in statements:
        guid = statement["id"]
        node = f"<{_WDS}{re.sub(r'[^A-Za-z0-9_-]', '-', guid)}>"
        rank = statement["rank"]
        yield _line(subject, PROP + name, node)
        yield f"{node} {_TYPE} <{WIKIBASE}Statement> .\n"
        yield _line(node, WIKIBASE + "rank", f"<{WIKIBASE}{_RANKS[rank]}>")
        yield from _snak(node, "statement/", statement["mainsnak"], guid)
        if rank == best:
            yield f"{node} {_TYPE} <{WIKIBASE}BestRank> .\n"
            yield from _snak(subject, "direct/", statement["mainsnak"], guid)
        for snaks in _dict(statement.get("qualifiers")).values():
            for snak in snaks:
                yield from _snak(node, "qualifier/", snak, guid)
        for reference in statement.get("references", ()):
            if not re.fullmatch(r"[0-9A-Za-z]{1,64}", reference["hash"]):
                raise _EntityError(f"{reference['hash']!r} is no hash")
            source = f"<{_WDREF}{reference['hash']}>"
            yield _line(node, _DERIVED, source)
            for snaks in _dict(reference["snaks"]).values():
                for snak in snaks:
                    yield from _snak(source, "reference/", snak, reference["hash"])


def _snak(subject: str, path: str, snak: Mapping[str, Any], owner: str) -> Iterator[str]:
    """Yield a value, no value or some value of a property, `path` its namespace under prop/."""
    name = _id(snak["property"])
    predicate = f"{PROP}{path}{name}"
    kind = snak["snaktype"]
    if kind == "novalue":
        yield f"{subject} {_TYPE} <{PROP}novalue/{name}> .\n"
        return
    if kind == "somevalue":
        # The main value and the truthy one are the same unknown thing.
        place = path if path in ("qualifier/", "reference/") else ""
        key = f"{owner} {place} {name} {snak.get('hash', '')}"
        yield _line(subject, predicate, f"<{_GENID}{_digest(key)}>")
        return
    if kind != "value":
        raise _EntityError(f"{kind!r} is no kind of snak")
    simple, parts = _value(snak["datavalue"], str(snak.get("datatype", "")))
    yield _line(subject, predicate, simple)
    if not parts or path not in ("statement/", "qualifier/"):
        return
    node = _node(parts)
    yield _line(subject, f"{PROP}{path}value/{name}", node)
    yield from _full(node, parts)
    if path == "statement/" and (normal := _normalised(parts)):
        node = _node(normal)
        yield _line(subject, f"{PROP}{path}value-normalized/{name}", node)
        yield from _full(node, normal)


#: The properties of a value node with their terms; the first is its class.
_Parts = tuple[tuple[str, str], ...]


def _value(data: Mapping[str, Any], datatype: str) -> tuple[str, _Parts]:
    """Return the simple term of a value, and the parts of its full form if it has one."""
    kind, value = data["type"], data["value"]
    if kind == "wikibase-entityid":
        if "id" in value:
            return _thing(value["id"]), ()
        letter = {"item": "Q", "property": "P"}[value["entity-type"]]
        return _thing(f"{letter}{value['numeric-id']}"), ()
    if kind == "time":
        return _time(value)
    if kind == "quantity":
        return _quantity(value)
    if kind == "globecoordinate":
        return _coordinate(value)
    if kind == "monolingualtext":
        return _text(value["text"], value["language"]), ()
    if kind == "string":
        if datatype in ("url", "commonsMedia", "geo-shape", "tabular-data"):
            return _address(value, datatype), ()
        return _text(value), ()
    raise _EntityError(f"{kind!r} is no type of value")


def _time(value: Mapping[str, Any]) -> tuple[str, _Parts]:
    stated = xsd_time(value["time"], int(value["precision"]), value["calendarmodel"])
    simple = _text(value["time"]) if stated is None else _typed(stated, "dateTime")
    return simple, (
        ("TimeValue", ""),
        ("timeValue", simple),
        ("timePrecision", _integer(value["precision"])),
        ("timeTimezone", _integer(value.get("timezone", 0))),
        ("timeCalendarModel", _concept(value["calendarmodel"])),
    )


def xsd_time(time: str, precision: int, model: str) -> str | None:
    """Return a time of Wikibase as xsd:dateTime 1.1, None if that cannot hold it.

    Wikibase counts years as historians do (-0001 is 1 BCE, there is no year 0), XSD 1.1 has a year
    0. A Julian date is converted where the day is known; at a year and coarser month and day are 1.
    """
    found = _TIME.fullmatch(time)
    if found is None or not int(found[2]):
        return None
    year = int(found[2]) * (-1 if found[1] == "-" else 1)
    month, day = min(max(int(found[3]), 1), 12), max(int(found[4]), 1)
    if model == _JULIAN and precision >= _DAY and -4713 <= year <= 1_465_072:
        year, month, day = calendar.numbered(
            calendar.julian_day_number(_astronomical(year), month, day)
        )
        return _date(year, month, day, found[5])
    if precision <= _YEAR:
        month = day = 1
    elif precision == _MONTH:
        day = 1
    # The writer leaves the negative years of centuries and coarser as they are.
    if precision >= _YEAR:
        year = _astronomical(year)
    day = min(day, calendar.month_length(year, month))
    return _date(year, month, day, found[5])


def _date(year: int, month: int, day: int, time: str) -> str:
    return f"{'-' if year < 0 else ''}{abs(year):04d}-{month:02d}-{day:02d}T{time}Z"


def _astronomical(year: int) -> int:
    return year + 1 if year < 0 else year


def _quantity(value: Mapping[str, Any]) -> tuple[str, _Parts]:
    unit = _concept(_NO_UNIT if value["unit"] == "1" else value["unit"])
    amount = _decimal(value["amount"])
    parts = [("QuantityValue", ""), ("quantityAmount", amount), ("quantityUnit", unit)]
    for key, word in (("upperBound", "quantityUpperBound"), ("lowerBound", "quantityLowerBound")):
        if value.get(key) is not None:
            parts.append((word, _decimal(value[key])))
    return amount, tuple(parts)


def _normalised(parts: _Parts) -> _Parts:
    """Return a quantity in its SI unit, nothing where the unit is not a common one."""
    from decimal import Decimal, localcontext

    unit = dict(parts).get("quantityUnit", "").removeprefix(f"<{WD}").removesuffix(">")
    if unit not in _SI:
        return ()
    base, factor = _SI[unit]
    found = [parts[0]]
    with localcontext(prec=400):
        for word, term in parts[1:]:
            if word == "quantityUnit":
                found.append((word, f"<{WD}{base}>"))
            else:
                stated = Decimal(term.split('"')[1])
                amount = f"{stated * Decimal(factor):+f}"
                amount = amount.rstrip("0").rstrip(".") if "." in amount else amount
                found.append((word, _decimal(amount)))
    return tuple(found)


def _coordinate(value: Mapping[str, Any]) -> tuple[str, _Parts]:
    latitude, longitude = float(value["latitude"]), float(value["longitude"])
    globe = _concept(value.get("globe") or _EARTH)
    point = f"Point({longitude:.12g} {latitude:.12g})"
    if globe != f"<{_EARTH}>":
        point = f"{globe} {point}"
    parts = [
        ("GlobecoordinateValue", ""),
        ("geoLatitude", _typed(repr(latitude), "double")),
        ("geoLongitude", _typed(repr(longitude), "double")),
        ("geoGlobe", globe),
    ]
    if value.get("precision") is not None:
        parts.append(("geoPrecision", _typed(repr(float(value["precision"])), "double")))
    return f'"{point}"^^<{_WKT}>', tuple(parts)


def _address(value: str, datatype: str) -> str:
    from urllib.parse import quote

    address = value
    if datatype == "commonsMedia":
        address = f"http://commons.wikimedia.org/wiki/Special:FilePath/{quote(value)}"
    elif datatype != "url":
        address = f"http://commons.wikimedia.org/data/main/{quote(value)}"
    # What people enter as an address need not be one; it is kept as what it is then, a text.
    return f"<{address}>" if is_iri(address) else _text(address)


def _node(parts: _Parts) -> str:
    return f"<{_WDV}{_digest(repr(parts))}>"


def _full(node: str, parts: _Parts) -> Iterator[str]:
    (kind, _), *rest = parts
    yield f"{node} {_TYPE} <{WIKIBASE}{kind}> .\n"
    for word, term in rest:
        yield _line(node, WIKIBASE + word, term)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _line(subject: str, predicate: str, term: str) -> str:
    return f"{subject} <{predicate}> {term} .\n"


def _dict(value: Any) -> dict[str, Any]:
    # PHP writes an empty map as a list.
    if value in (None, []):
        return {}
    if not isinstance(value, dict):
        raise _EntityError("not an entity of Wikidata: expected an object")
    return value


def _id(value: Any) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise _EntityError(f"{value!r:.80} is no id of Wikidata")
    return value


def _thing(value: Any) -> str:
    return f"<{WD}{_id(value)}>"


def _concept(iri: str) -> str:
    if not is_iri(iri):
        raise _EntityError(f"{iri!r:.80} is no IRI")
    return f"<{iri}>"


def _integer(value: Any) -> str:
    return _typed(str(int(value)), "integer")


def _decimal(value: str) -> str:
    if not _DECIMAL.fullmatch(value):
        raise _EntityError(f"{value!r:.80} is no decimal number")
    return _typed(value, "decimal")


def _typed(text: str, datatype: str) -> str:
    return f'"{text}"^^<{_XSD}{datatype}>'


def _text(text: str, language: str = "") -> str:
    for raw, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(raw, escaped)
    if not text.isascii() and re.search("[\ud800-\udfff]", text):
        raise _EntityError("a text has half a character (a lone surrogate)")
    if not language:
        return f'"{text}"'
    # Codes of Wikidata that are no language tags ("be-x-old" is one) stand as texts without.
    return f'"{text}"@{language}' if is_language(language) else f'"{text}"'

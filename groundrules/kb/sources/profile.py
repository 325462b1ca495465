"""Which properties of a graph name its things: the known ones, those below them, and its own.

What a graph of its own vocabulary names things by is told in a setting, or is read off once by
counting which of its literals do: those whose property is called a name and which are one for
almost every thing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated
from typing import Literal as OneOf

from pydantic import AfterValidator, BaseModel, StrictBool, ValidationError
from rdflib.namespace import DCTERMS, RDF, RDFS, SKOS, Namespace
from rdflib.term import Literal, Node, URIRef

from groundrules.errors import ConfigError, did_you_mean
from groundrules.files import parse_toml, read_bounded
from groundrules.kb.link.label_wordings import happens_once, is_of_years
from groundrules.kb.link.properties import key
from groundrules.kb.sources.literals import is_year, measured
from groundrules.kb.sources.query import choice, is_iri, query_text, write
from groundrules.kb.sources.source import LASTING, Answer, Graph, Property, Query

SCHEMA = Namespace("http://schema.org/")
_FOAF = Namespace("http://xmlns.com/foaf/0.1/")
#: The languages that names are looked for in, the better one first; "mul" is Wikidata's default.
LANGUAGES = ("en", "mul", "")
LABELS = (RDFS.label, SKOS.prefLabel, SCHEMA.name, _FOAF.name)
ALIASES = (SKOS.altLabel, SCHEMA.alternateName)
DESCRIPTIONS = (SCHEMA.description, DCTERMS.description, RDFS.comment, SKOS.definition)
TYPES = (RDF.type, URIRef("http://www.wikidata.org/prop/direct/P31"))
#: What types begin with that are the bookkeeping of Wikibase, and how well known a thing is there.
BOOKKEEPING = ("http://wikiba.se/ontology#", "http://www.wikidata.org/prop/novalue/")
SITELINKS = URIRef("http://wikiba.se/ontology#sitelinks")

#: What a property is called that names things, and one that gives a name besides.
_NAMING = re.compile(r"(?<!role)(?<!job)(?:name|label|title|denomination)(?:en)?$")
_BESIDES = re.compile(r"^(?:alias|alternative|alternate|short|former|also|nick|trading|abbrev)")
#: The share of things whose name is theirs alone, and how long a name is on average at most.
_APART, _LONG = 0.5, 80
#: How many texts tell whether those of a property are amounts.
_FEW = 12
#: How many names of a property tell the languages of a graph, and how many of those there may be.
_LOOK, _MOST_LANGUAGES = 300, 8
#: How many things of a property are counted; an endpoint is not asked for all it has.
_MOST_COUNTED = 3000


@dataclass(frozen=True, slots=True)
class Naming:
    """The properties by which things are called: their labels, the better first, and aliases.

    Of a thing that has no English label those of other `languages` are its names as well.
    """

    labels: tuple[URIRef, ...] = LABELS
    aliases: tuple[URIRef, ...] = ALIASES
    languages: tuple[str, ...] = LANGUAGES

    def spoken(self, variable: str) -> str:
        """Return the filter that a literal, if it is one, is of one of the languages."""
        tags = ", ".join(f'"{one}"' for one in self.languages)
        return f"FILTER(!isLiteral({variable}) || LANG({variable}) IN ({tags}))"

    @property
    def all(self) -> tuple[URIRef, ...]:
        """Labels, then aliases."""
        return (*self.labels, *self.aliases)


#: What is known without asking.
KNOWN = Naming()


def read_naming(
    graph: Graph, properties: Mapping[URIRef, Property], told: Collection[URIRef] = ()
) -> Naming:
    """Return what names the things of a graph: what is `told`, what is known, what is counted.

    A graph that has no property called a name besides the known ones is not asked.
    """
    below = [n for known in LABELS if known in properties for n in properties[known].narrower]
    also = [n for known in ALIASES if known in properties for n in properties[known].narrower]
    own = [
        iri
        for iri, known in sorted(properties.items())
        if iri not in {*KNOWN.all, *below, *also, *told}
        and known.kind == "text"
        and _NAMING.search(_local(iri))
    ]
    counted = _counted(graph, own) if own and not told else []
    besides = [iri for iri in counted if _BESIDES.search(_local(iri))]
    labels = (*told, *LABELS, *below, *(iri for iri in counted if iri not in besides))
    aliases = tuple(dict.fromkeys((*ALIASES, *also, *besides)))
    used = [iri for iri in (*labels, *aliases) if iri in properties]
    return Naming(tuple(dict.fromkeys(labels)), aliases, (*LANGUAGES, *_languages(graph, used)))


def _languages(graph: Graph, named: Collection[URIRef]) -> list[str]:
    """Return the languages of names of things that have none in English, the commonest first."""
    ends = (f"{{ SELECT ?s WHERE {{ ?s {write(iri)} ?n }} LIMIT {_LOOK} }}" for iri in named)
    text = query_text("languages", ends=" UNION ".join(ends), names=choice(named, "|"))
    answer = graph.select(Query(text, days=LASTING)) if named else Answer()
    spoken: dict[Node, set[str]] = {}
    for row in answer.rows:
        spoken.setdefault(row["s"], set()).add(str(row.get("language", "")))
    count = Counter(
        tag for tags in spoken.values() for tag in tags
        if tag.lower().startswith("en-") or tags.isdisjoint(LANGUAGES)
    )  # fmt: skip
    return sorted(set(count) - {*LANGUAGES}, key=lambda tag: (-count[tag], tag))[:_MOST_LANGUAGES]


def _counted(graph: Graph, properties: Iterable[URIRef]) -> list[URIRef]:
    """Return the properties that name things, that of the most things first."""
    answer = graph.select(Query(query_text("naming", samples=_samples(properties)), days=LASTING))
    found = []
    for row in answer.rows:
        things, names, length = (_number(row.get(key)) for key in ("things", "names", "length"))
        if things and names >= _APART * things and length <= _LONG:
            found.append((-things, str(row["p"])))
    return [URIRef(iri) for _, iri in sorted(found)]


def _number(node: Node | None) -> float:
    try:
        return float(str(node)) if isinstance(node, Literal) else 0.0
    except ValueError:
        return 0.0


def _local(iri: URIRef) -> str:
    """Return the last part of an IRI in small letters, without what parts its words."""
    return re.sub(r"[^a-z]", "", re.split(r"[/#:]", str(iri))[-1].lower())


#: Of so many things a graph tells whether one may have several values of a property.
_TOLD_OF = 3


def _samples(properties: Iterable[URIRef]) -> str:
    """Return the pattern of some things that each property has values of, all of which follow."""
    parts = (
        f"{{ SELECT DISTINCT ({write(iri)} AS ?p) ?s WHERE {{ ?s {write(iri)} ?any }}"
        f" LIMIT {_MOST_COUNTED} }}"
        for iri in properties
    )
    return f"{{ {' UNION '.join(parts)} }}"


def single_valued(graph: Graph, properties: Mapping[URIRef, Property]) -> frozenset[URIRef]:
    """Return the properties of days and amounts of which no thing of a graph has two.

    Only of a graph that is at hand, by the first 3,000 things, and where three or more have the
    property; of what happens to a thing once, as its launch does, one is enough.
    """
    kinds = ("time", "quantity")
    asked = [iri for iri, known in sorted(properties.items()) if known.kind in kinds]
    text = query_text("single", samples=_samples(asked))
    rows = graph.select(Query(text)).rows if asked else ()
    return frozenset(
        iri
        for row in rows
        for iri in (URIRef(str(row["p"])),)
        for least in (1 if happens_once(properties[iri].label) else _TOLD_OF,)
        if least <= _number(row.get("things")) == _number(row.get("values"))
    )


def kinds_of_texts(graph: Graph, properties: Mapping[URIRef, Property]) -> dict[URIRef, Property]:
    """Return the properties whose texts are amounts with a unit, or years, with that kind."""
    asked = [
        iri for iri, known in sorted(properties.items())
        if known.kind == "text" and iri not in KNOWN.all and not _NAMING.search(_local(iri))
    ][:_MOST_LANGUAGES * _LOOK]  # fmt: skip
    if not asked:
        return {}
    few = (
        f"{{ SELECT ({p} AS ?p) ?v WHERE {{ ?s {p} ?v }} LIMIT {_FEW} }}" for p in map(write, asked)
    )
    text = f"SELECT ?p ?v WHERE {{ {' UNION '.join(few)} }}"
    values: dict[Node, list[str]] = {}
    for row in graph.select(Query(text, days=LASTING)).rows:
        values.setdefault(row["p"], []).append(str(row["v"]))
    found = {}
    for iri in asked:
        known, texts = properties[iri], values.get(iri, [])
        if texts and all(measured(one) for one in texts):
            found[iri] = replace(known, kind="quantity")
        elif texts and is_of_years(known.label) and all(map(is_year, texts)):
            found[iri] = replace(known, kind="time")
    return found


_MOST_BYTES = 10_000_000


def _wording(text: str) -> str:
    if "[X]" not in text or key(text) is None:
        raise ValueError("expected a sentence with [X] and [Y]")
    return text


def _iri(text: str) -> URIRef:
    if not is_iri(text):
        raise ValueError("expected an IRI")
    return URIRef(text)


class _Table(BaseModel, extra="forbid"):
    """A table of a profile, which has no other keys than these."""


class _Names(_Table):
    labels: tuple[Annotated[str, AfterValidator(_iri)], ...] = ()


class _Correction(_Table):
    label: str = ""
    aliases: tuple[str, ...] = ()
    kind: OneOf["item", "time", "quantity", "text", "identifier"] = "item"
    unit: str = ""
    functional: StrictBool = False
    temporal: StrictBool = False
    wordings: tuple[Annotated[str, AfterValidator(_wording)], ...] = ()


class Profile(_Table):
    """What the user of a graph corrects: what names its things, and what its properties are."""

    names: _Names = _Names()
    property: dict[Annotated[str, AfterValidator(_iri)], _Correction] = {}

    def correct(self, known: Mapping[URIRef, Property]) -> dict[URIRef, Property]:
        """Return properties with what the profile says of them."""
        found = dict(known)
        for iri, correction in self.property.items():
            told = correction.model_dump(exclude_unset=True)
            if "functional" in told:
                told["functional"] = "strict" if told["functional"] else ""
            if iri in known:
                found[URIRef(iri)] = replace(known[URIRef(iri)], **told)
        return found


#: What is read off a graph as it stands.
READ_OFF = Profile()


def read_profile(path: Path) -> Profile:
    """Return the profile of a TOML file; ConfigError with file and line if it is none."""
    try:
        text = read_bounded(path, _MOST_BYTES).decode("utf-8")
        return Profile.model_validate(parse_toml(text))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except ValidationError as error:
        first = error.errors()[0]
        key = next((k for k in reversed(first["loc"]) if isinstance(k, str) and k != "[key]"), "")
        at = next((n for n, line in enumerate(text.splitlines(), 1) if key in line), None)
        said = first["msg"].removeprefix("Value error, ").replace("Input should be", "expected")
        said = "expected a table" if first["type"] == "model_type" else said
        if first["type"] == "extra_forbidden":
            tables: dict[str, type[_Table]] = {"names": _Names, "property": _Correction}
            known = tables.get(str(first["loc"][0]), Profile).model_fields
            said = f"no such key{did_you_mean(key, known)}; expected {', '.join(known)}"
        raise ConfigError(f"{key!r}: {said}", path=str(path), line=at) from None
    except (ValueError, RecursionError) as error:  # also of TOML and of UTF-8
        raise ConfigError(f"not TOML: {error}", path=str(path)) from None

"""A knowledge base by the name that users give it: wikidata, an endpoint, a file, a store."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from functools import lru_cache
from pathlib import Path
from types import FunctionType

from rdflib.namespace import OWL, RDF, RDFS
from rdflib.term import Literal, Node, URIRef

from groundrules import plugins, reserved
from groundrules.config import Config, cache_folder
from groundrules.dataset import quads
from groundrules.errors import ConfigError, SourceError, did_you_mean, type_of
from groundrules.kb.link.aliases import AliasIndex, loosen, normalise, spot
from groundrules.kb.link.mentions import is_common, together
from groundrules.kb.link.properties import local_name
from groundrules.kb.link.spacy_linker import SpacyDatabase, is_spacy_database
from groundrules.kb.sources.exchange import BUILT_IN, LOGIN, login_of
from groundrules.kb.sources.profile import ALIASES, KNOWN, LABELS, READ_OFF, Naming, read_profile
from groundrules.kb.sources.query import choice, query_text
from groundrules.kb.sources.rdf import RdfSource
from groundrules.kb.sources.responses import Cache, Response
from groundrules.kb.sources.schema import KINDS_OF_PROPERTY
from groundrules.kb.sources.source import LASTING, Entity, Fault, Graph, KnowledgeSource, Query
from groundrules.kb.sources.sparql import Endpoint
from groundrules.kb.sources.triplestore import (
    STATE,
    StoreGraph,
    add_names,
    name_persons,
    open_graph,
)  # fmt: skip
from groundrules.kb.sources.wikidata import WikidataSource
from groundrules.terms import Triple

#: Where `wikidata` is.
WIKIDATA = "https://query.wikidata.org/sparql"

_CONTACT = "GROUNDRULES_CONTACT"
_INDEX = "names.sqlite"
#: Where nothing says what is well known, as in plain RDF, all that bears a name has this prior:
#: whoever has a text checked against a graph means the things of that graph.
_MEANT = 150
#: A name that is told apart in brackets.
_BRACKETED = re.compile(r"([^\s()][^()]*) \([^()]+\)")
_CLASSES = frozenset({OWL.Class, RDFS.Class})
_OF_CLASSES = frozenset({RDFS.subClassOf, OWL.disjointWith})
#: Names of a graph that are read to find them in a text; one with more has an index.
_MOST_NAMES = 100_000


@dataclass(frozen=True, slots=True)
class Asking:
    """How a knowledge base is asked.

    `profile` is a file that corrects what is read off a graph. An endpoint that has not answered
    anything within `deadline` seconds is asked no more, nothing more than `tries` times. `client`
    is who writes the requests, one of `exchange.CLIENTS`.
    """

    profile: Path | None = None
    deadline: float = 25.0
    tries: int = 5
    client: str = BUILT_IN


@dataclass(frozen=True, slots=True)
class Connection:
    """A source of statements and the graph it reads, with the index of its names if there is one.

    `spacy` is a database of spacy-entity-linker that has candidates besides.
    """

    source: KnowledgeSource
    graph: Graph
    index: AliasIndex | None = None
    endpoint: Endpoint | None = None
    spacy: SpacyDatabase | None = None

    def spot(self, text: str) -> list[tuple[int, int]]:
        """Return where names stand in a text, of the index or of a graph that is at hand."""
        if self.index:
            return self.index.spot(text)
        if not isinstance(self.graph, StoreGraph):
            return spot(text, frozenset[str]().intersection)
        naming = self.source.naming() if isinstance(self.source, RdfSource) else KNOWN
        return spot(text, _names(self.graph, naming).intersection)

    def bearers(self, names: Iterable[str]) -> Mapping[str, tuple[Entity, ...] | Fault]:
        """Return what bears each name, from the index or else from the source."""
        own = self.index.named if self.index else self.source.named
        return together(own, self.spacy.named)(names) if self.spacy else own(names)

    def named(self, names: Iterable[str]) -> Mapping[str, tuple[Entity, ...] | Fault]:
        """Return what bears each name, with the prior that it has for the linker."""
        found = self.bearers(names)
        told = [one.prior for bearers in found.values() if isinstance(bearers, tuple)
                for one in bearers]  # fmt: skip
        # the whole model of Wikibase has sitelinks, direct triples alone may have none
        no_things = self.source.properties() if isinstance(self.source, RdfSource) else {}
        known = isinstance(self.source, WikidataSource) and self.source.ranked() is True
        if (known or any(told)) and not isinstance(self.source, RdfSource):
            return found
        return {
            name: bearers
            if isinstance(bearers, Fault)
            else tuple(replace(e, prior=_MEANT) for e in bearers if e.iri not in no_things)
            for name, bearers in found.items()
        }

    @property
    def fault(self) -> Fault | None:
        """Why it could not be asked for its properties, without which it can be asked nothing."""
        return self.source.fault if isinstance(self.source, RdfSource) else None

    def axioms(self) -> tuple[Triple, ...]:
        """Return which classes a graph at hand says exclude one another."""
        if not isinstance(self.source, RdfSource) or not isinstance(self.graph, StoreGraph):
            return ()
        return self.source.disjoint()

    @property
    def digest(self) -> str:
        """The digest of what is stated, where it is at hand and cannot change."""
        return self.graph.digest if isinstance(self.graph, StoreGraph) else ""

    @property
    def note(self) -> str:
        """What the user should know of the way it is asked, mostly nothing."""
        return self.endpoint.note if self.endpoint else ""

    @property
    def lasting(self) -> tuple[Response, ...]:
        """The responses on the endpoint as such, on which all that is asked of it rests."""
        return tuple(self.endpoint.lasting.values()) if self.endpoint else ()


@lru_cache(maxsize=4)
def _names(graph: StoreGraph, naming: Naming) -> frozenset[str]:
    """Return the keys of the names of a graph at hand, none of one with more than it pays to read.

    The names of its properties are left out, and words that name nothing by themselves.
    """
    kinds, most = choice(KINDS_OF_PROPERTY), str(_MOST_NAMES + 1)
    text = query_text("names", spoken=naming.spoken("?name"), kinds=kinds, most=most)
    rows = graph.select(Query(text, {"names": [(iri,) for iri in naming.all]})).rows
    if len(rows) > _MOST_NAMES:
        return frozenset()
    names = {normalise(str(row["name"])) for row in rows}
    keys = names | {loosen(name) for name in names}
    return frozenset(key for key in keys if len(key) > 1 and not is_common(key))


def connect(
    spec: str,
    *,
    now: datetime,
    names: str = "",
    contact: str = "",
    offline: str = "",
    axioms: tuple[Triple, ...] = (),
    asking: Asking | None = None,
) -> Connection:
    """Return the knowledge base of that name; nothing is asked yet of an endpoint.

    `spec` is "wikidata", the URL of a SPARQL 1.1 endpoint, an RDF file, a folder of them or a store
    that `groundrules kb build` made; or it begins with the name and colon of an entry point of the
    group `groundrules.sources`, a function of the same arguments. `names` is an index of names to
    use in place of the source's own, or a database of spacy-entity-linker to use besides: a file,
    or "spacy" for the package's own. `offline` is a snapshot, or "cache": what it lacks is not
    asked. The contact may also stand in $GROUNDRULES_CONTACT. `axioms` are what an ontology says of
    the properties of plain RDF; `asking` is told to what opens files and endpoints, not to others.

    Raises:
        ConfigError: there is no such thing, or a public endpoint would be asked without a contact.
        SourceError: a file cannot be read, or a store was not built to the end.
    """
    scheme = plugins.scheme(spec)
    if reserved.path_of("kb", spec) is not None or not scheme:
        return open_path(spec, names=names, axioms=axioms, asking=asking)
    opened = plugins.load(plugins.SOURCES, scheme, FunctionType)
    with plugins.blame(plugins.SOURCES, scheme):
        own = plugins.is_own(plugins.place(plugins.SOURCES, scheme))
        found = opened(
            spec, now=now, names=names, contact=contact, offline=offline, axioms=axioms,
            **({"asking": asking} if own else {}),
        )  # fmt: skip
        if not isinstance(found, Connection):
            raise TypeError(f"returned {type_of(found)}; expected a Connection")
        if own:
            return found
        plugins.expect(found, Connection)
        return _guarded(found, scheme)


def connect_as(
    config: Config, spec: str, now: datetime, axioms: tuple[Triple, ...] = ()
) -> Connection:
    """Return a knowledge base as a configuration says that it is asked; see `connect`."""
    return connect(
        spec, now=now, names=config.index, contact=config.contact, offline=config.offline,
        axioms=axioms, asking=asking_of(config),
    )  # fmt: skip


def asking_of(config: Config) -> Asking:
    """Return how a configuration says that knowledge bases are asked."""
    profile = config.base / config.profile if config.profile else None
    return Asking(profile, config.kb_deadline, config.kb_tries, config.kb_client)


def _guarded(made: Connection, scheme: str) -> Connection:
    """Return a connection that a plugin made, whose failures when it is asked are its own."""
    source: KnowledgeSource = plugins.guarded(made.source, KnowledgeSource, plugins.SOURCES, scheme)
    if isinstance(made.graph, StoreGraph):  # which fails by no fault of the plugin
        return replace(made, source=source)
    graph: Graph = plugins.guarded(made.graph, Graph, plugins.SOURCES, scheme)
    return replace(made, source=source, graph=graph)


def open_endpoint(
    spec: str,
    *,
    now: datetime,
    names: str,
    contact: str,
    offline: str,
    axioms: tuple[Triple, ...],
    asking: Asking | None = None,
) -> Connection:
    """Return "wikidata", or the SPARQL endpoint of a URL; see `connect`."""
    url = WIKIDATA if spec == reserved.WIKIDATA else spec
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"kb {spec!r}: expected wikidata, http:// or https://")
    index, spacy = _index(names)
    asking = asking or Asking()
    endpoint = Endpoint(
        url,
        now=now,
        contact=contact or os.environ.get(_CONTACT, ""),
        cache=open_cache(offline),
        offline=bool(offline),
        deadline=asking.deadline,
        tries=asking.tries,
        client=asking.client,
        login=login_of(url, os.environ.get(LOGIN, "")),
    )
    source = _modelled(endpoint, axioms, asking.profile, known=spec == reserved.WIKIDATA)
    return Connection(source, endpoint, index, endpoint, _spacy(names, source, spacy))


def _index(names: str) -> tuple[AliasIndex | None, bool]:
    """Return the index of names that a file is, and whether it is a database of spaCy instead."""
    path = reserved.path_of("names", names)
    if path is None:
        return None, bool(names)
    spacy = is_spacy_database(path)
    return None if spacy else AliasIndex(path), spacy


def open_path(
    spec: str, *, names: str, axioms: tuple[Triple, ...], asking: Asking | None = None, **_: object
) -> Connection:
    """Return an RDF file, a folder of them or a store; see `connect`."""
    index, spacy = _index(names)
    if "://" in spec:
        raise ConfigError(f"kb {spec!r}: expected http:// or https://")
    path = Path(spec).expanduser()
    if not spec or not path.exists():
        beside = path.parent.iterdir() if path.parent.is_dir() else ()
        rest = spec[len(spec.partition(":")[0]) :]
        named = (one + rest for one in plugins.registered(plugins.SOURCES))
        near = did_you_mean(spec, [*named, *sorted(map(str, beside))])
        raise ConfigError(
            f"kb {spec!r}: no such file or folder; expected wikidata, the URL of an endpoint, an "
            f"RDF file, a folder or a store{near}"
        )
    built = (path / STATE).is_file()
    own = path / _INDEX
    if index is None and own.is_file():
        index = AliasIndex(own)
    graph = open_graph(path)
    if not built:
        name_persons(graph.store)
        _name_classes(graph)
    if not built and not any(True for _ in graph.store.triples(None, None, None)):
        raise SourceError("has no triple; expected RDF that states something", path=spec)
    if axioms and not built:
        _add_classes(graph, axioms)
    source = _modelled(graph, axioms, asking.profile if asking else None)
    if not built and isinstance(source, RdfSource):
        _shorten_names(graph, source.naming())
    return Connection(source, graph, index, spacy=_spacy(names, source, spacy))


def _name_classes(graph: StoreGraph) -> None:
    """Call the classes of a graph in memory that have no label as their IRIs end."""
    rows = graph.select(Query(query_text("classes"))).rows
    called: dict[Node, str] = {
        row["c"]: local_name(row["c"]) for row in rows if isinstance(row["c"], URIRef)
    }
    add_names(graph.store, called)


def _shorten_names(graph: StoreGraph, naming: Naming) -> None:
    """Call what tells namesakes apart in brackets, "Low (album)", by the rest alone as well."""
    stated = [t for label in naming.labels for t in graph.store.triples(None, label, None)]
    taken = {str(t.object) for t in stated}
    graph.store.load(
        quads(
            Triple(t.subject, ALIASES[0], Literal(found[1], lang=t.object.language))
            for t in stated
            if isinstance(t.object, Literal)
            and (found := _BRACKETED.fullmatch(str(t.object)))
            and found[1] not in taken
        )
    )


def _add_classes(graph: StoreGraph, axioms: tuple[Triple, ...]) -> None:
    """Add what an ontology calls the classes of a graph in memory, and which are below which.

    An ontology of which the graph uses no class says nothing of it.
    """
    classes = {t.subject for t in axioms if t.predicate == RDF.type and t.object in _CLASSES}
    if any(True for one in classes for _ in graph.store.triples(None, RDF.type, one)):
        graph.store.load(quads(t for t in axioms if t.subject in classes and _tells(t, classes)))


def _tells(axiom: Triple, classes: Collection[Node]) -> bool:
    if axiom.predicate in _OF_CLASSES:
        return axiom.object in classes
    return axiom.predicate in (*LABELS, *ALIASES) or axiom.predicate == RDF.type


def _spacy(names: str, source: KnowledgeSource, wanted: bool) -> SpacyDatabase | None:
    if not wanted:
        return None
    return SpacyDatabase(reserved.path_of("names", names), resolve=source.resolve)


def replayed(offline: str) -> datetime | None:
    """Return the day of the run that a snapshot is of: what "now" means to whatever replays it."""
    snapshot = reserved.path_of("offline", offline)
    cache = Cache(snapshot, "read") if snapshot else None
    day = cache.day if cache else None
    return datetime.combine(day, time(), UTC) if day else None


def open_cache(offline: str = "") -> Cache | None:
    """Return the cache of answers, or the snapshot; None where caching is off."""
    if snapshot := reserved.path_of("offline", offline):
        return Cache(snapshot, "read")
    folder = cache_folder()
    return Cache(folder / "kb.sqlite") if folder else None


def _modelled(
    graph: Graph, axioms: tuple[Triple, ...], profile: Path | None = None, *, known: bool = False
) -> KnowledgeSource:
    """Return a graph as Wikidata if it is modelled so, else as plain RDF."""
    if known:
        return WikidataSource(graph)
    answer = graph.select(Query(query_text("is_wikibase"), days=LASTING))
    fault = next(iter(answer.faults.values()), None)
    if answer.rows:
        return WikidataSource(graph)
    corrected = read_profile(profile) if profile else READ_OFF
    return RdfSource(graph, fault, axioms, corrected, at_hand=isinstance(graph, StoreGraph))

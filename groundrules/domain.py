"""Domains: fields of texts, such as law, each with its ontology, readers, questions and rules.

A package registers its own under `groundrules.domains`, as groundrules does the one it has. Nothing
here or below knows any of them; `examples/recipes` is one to begin with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rdflib.term import URIRef

from groundrules import plugins
from groundrules.errors import ConfigError, did_you_mean, type_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueKind:
    """A kind of value that only one field has, such as citations of law.

    `name` is the kind of its mentions, in capitals, `datatype` the IRI of its literals. Two values
    are the same where they are written alike, and of two that are not, `differ` returns whether
    they are surely of two things; where it does not, nothing is known of them.
    """

    name: str
    datatype: URIRef
    differ: Callable[[str, str], bool]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """What a field adds to the word lists of plain English, in small letters.

    * `roles` are nouns that call a party by its part: by themselves they name nobody.
    * `papers` are what a text calls itself and who signs it, which stands for nothing before it.
    * `rivals` are groups of words, of which a name can bear one alone.
    * `opposites` are words whose meaning excludes each other, lemmas on two sides of an axis.
    * `meanings` are groups of words of one meaning, the first of which stands for the rest; one
      that ends in * stands for all that begin so.
    """

    roles: frozenset[str] = frozenset()
    papers: frozenset[str] = frozenset()
    rivals: tuple[tuple[str, ...], ...] = ()
    opposites: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=dict)
    meanings: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Domain:
    """A field of texts; every part but the name and the ontology may be left out.

    `ontology` is a Turtle file, whose lexicon stands beside it (`NAME.lexicon.toml`), `pack` the
    rules that are in force with it. The readers are functions, called in their order:

    * `values` of a text return its values, of `kinds` that only this field has or of those that
      any text has, as `claims.values.value_reader.Value`, sorted and apart; they go before others.
    * `readers` of `(document, ledger, values)` add claims to what was read of any text.
    * `names` of the extractions of a check return, for each, which nodes stand for which.
    * `term_readers` of `ontology.read.assertions.Assertions` state in terms of the ontology what a
      text says, where that ontology is asked for; `last_readers` the same, after its lexicon.

    `words` are those of the field that matter in any text. `prefixes` are the short names of its
    namespaces. `questions` and `retrieval` are TOML files: what questions ask of records, and what
    retrieval reads of a graph besides (see `kb.records.questions`, `kb.search.texts`). `wordings`
    gives properties, by IRI, the words that texts have for them besides their labels. `joins` is a
    SPARQL query of ?s ?p ?o: what a store of records states besides, as it follows from several.
    """

    name: str
    ontology: Path
    pack: str = ""
    words: Words = Words()
    kinds: tuple[ValueKind, ...] = ()
    values: tuple[Callable[[str], Iterable[Any]], ...] = ()
    readers: tuple[Callable[[Any, Any, Any], None], ...] = ()
    names: tuple[Callable[[Any], Iterable[Mapping[Any, Any]]], ...] = ()
    term_readers: tuple[Callable[[Any], None], ...] = ()
    last_readers: tuple[Callable[[Any], None], ...] = ()
    questions: Path | None = None
    retrieval: Path | None = None
    wordings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    joins: str = ""
    prefixes: Mapping[str, str] = field(default_factory=dict)


def names() -> tuple[str, ...]:
    """Return the names of the domains that are installed, sorted."""
    return tuple(plugins.registered(plugins.DOMAINS))


def built_in() -> str:
    """Return the name of the domain that comes with groundrules."""
    return plugins.built_in(plugins.DOMAINS)[0]


def domains() -> tuple[Domain, ...]:
    """Return the domains that are installed, by name; ConfigError as for `load`."""
    return _loaded(tuple(plugins.registered(plugins.DOMAINS).items()))


def words() -> Words:
    """Return the words of all domains that are installed; the first to name an axis has it."""
    return _words(domains())


@cache
def _words(found: tuple[Domain, ...]) -> Words:
    every = [domain.words for domain in found]
    opposites: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for one in every:
        opposites = {**one.opposites, **opposites}
    return Words(
        roles=frozenset().union(*(one.roles for one in every)),
        papers=frozenset().union(*(one.papers for one in every)),
        rivals=tuple(group for one in every for group in one.rivals),
        opposites=opposites,
        meanings=tuple(group for one in every for group in one.meanings),
    )


def differ(datatype: URIRef, one: str, other: str) -> bool:
    """Return whether two values of a datatype are surely two; False of what no domain declares."""
    for domain in domains():
        for kind in domain.kinds:
            if kind.datatype == datatype:
                with plugins.blame(plugins.DOMAINS, domain.name):
                    plugins.expect(found := kind.differ(one, other), bool)
                return found
    return False


@cache
def _loaded(registered: tuple[tuple[str, str], ...]) -> tuple[Domain, ...]:
    return tuple(load(name) for name, _ in registered)


def load(name: str) -> Domain:
    """Return the domain of a name.

    ConfigError where none is registered so, or what is cannot be imported, is no domain, has
    another name, a file that is not there or a reader that cannot be called.
    """
    found = plugins.load(plugins.DOMAINS, name, Domain)
    fault = _fault(found, name)
    if fault:
        value = plugins.registered(plugins.DOMAINS)[name]
        raise ConfigError(f"domain {name!r}: {value} {fault}")
    return found


def _fault(domain: Domain, name: str) -> str:
    """Return what is wrong with a domain, nothing where all is well."""
    if domain.name != name:
        return f"is called {domain.name!r}; expected the name that it is registered under"
    for part in ("ontology", "questions", "retrieval"):
        path = getattr(domain, part)
        if path is not None and not (isinstance(path, Path) and path.is_file()):
            return f"has no file {path!s} for its {part}; expected the Path of a file"
    for part in ("values", "readers", "names", "term_readers", "last_readers"):
        if not isinstance(given := getattr(domain, part), tuple):
            return f"has {type_of(given)} for its {part}; expected a tuple of functions"
        for reader in given:
            if not callable(reader):
                return f"has {reader!r} among its {part}; expected a function"
    for part, kind in (("kinds", tuple[ValueKind, ...]), ("words", Words)):
        try:
            plugins.expect(getattr(domain, part), kind)
        except TypeError as error:
            return f"{error} for its {part}"
    known = plugins.registered(plugins.PACKS)
    if domain.pack and domain.pack not in known and not Path(domain.pack).is_absolute():
        near = did_you_mean(domain.pack, known)
        return f"has no pack {domain.pack!r}; expected {', '.join(known)} or a folder{near}"
    return ""

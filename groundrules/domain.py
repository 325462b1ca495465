"""Domains: fields of texts, such as law, each with its ontology, readers, questions and rules.

A package registers its own under `groundrules.domains`, as groundrules does the one it has. Nothing
here or below knows any of them; `groundrules new domain NAME` writes one to begin with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from groundrules import plugins
from groundrules.errors import ConfigError, did_you_mean, type_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Domain:
    """A field of texts; every part but the name and the ontology may be left out.

    `ontology` is a Turtle file, whose lexicon stands beside it (`NAME.lexicon.toml`), `pack` the
    rules that are in force with it. The readers are functions, called in their order:

    * `values` of a text return its values of kinds that only this field has, as
      `claims.literals.Value`, sorted and apart; they go before all others.
    * `readers` of `(document, ledger, values)` add claims to what was read of any text.
    * `names` of the extractions of a check return, for each, which nodes stand for which.
    * `term_readers` of `ontology.read.assertions.Assertions` state in terms of the ontology what a
      text says, where that ontology is asked for; `last_readers` the same, after its lexicon.

    `prefixes` are the short names of its namespaces. `questions` and `retrieval` are TOML files:
    what questions ask of records, and what retrieval reads of a graph besides (see `kb.questions`,
    `kb.search.texts`). `wordings` gives properties, by IRI, the words that texts have for them
    besides their labels. `joins` is a SPARQL query of ?s ?p ?o: what a store of records states
    besides, as it follows from several of them.
    """

    name: str
    ontology: Path
    pack: str = ""
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
    known = plugins.registered(plugins.PACKS)
    if domain.pack and domain.pack not in known and not Path(domain.pack).is_absolute():
        near = did_you_mean(domain.pack, known)
        return f"has no pack {domain.pack!r}; expected {', '.join(known)} or a folder{near}"
    return ""

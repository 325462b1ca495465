"""The packs that a configuration chooses, and whether what it says of rules means any."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rdflib.term import URIRef

from groundrules import plugins
from groundrules.config import Config
from groundrules.errors import ConfigError, did_you_mean
from groundrules.rules.engine import settings_of
from groundrules.rules.packs import Pack, load_packs, shipped
from groundrules.rules.rule import Rule
from groundrules.rules.shapes import read_shapes


def packs_of(config: Config) -> tuple[Pack, ...]:
    """Return the packs that a check runs.

    ConfigError, with the line of the file, where it names a pack that there is not, or as for
    `refuse_unknown`; RuleError where a pack cannot be used.
    """
    try:
        packs = load_packs(config.packs_in_force, config.base)
    except ConfigError as error:
        raise ConfigError(error.message, path=error.path or config.file_of("packs")) from None
    refuse_unknown(config, packs)
    return packs


def refuse_unknown(config: Config, packs: Iterable[Pack]) -> None:
    """Raise ConfigError, with the line of the file, for words that name no rule.

    `select`, `ignore` and the tables `rules` may speak of rules of `packs` and of any that is
    installed: a project has one configuration for all its commands.
    """
    if not (config.select or config.ignore or config.rules):
        return  # then the rules of other packs need not be read
    given = tuple(packs)
    rules = {**shipped(), **{rule.id: rule for pack in given for rule in pack.rules}}
    for key in ("select", "ignore"):
        origin, place = config.origin(key), config.file_of(key)
        name = origin if origin.startswith("--") else key
        for prefix in getattr(config, key):
            if not prefix:
                raise ConfigError(
                    f"{name}: '' is no rule; expected the beginning of an id, such as 'GR'",
                    path=place,
                )
            if any(rule.name == prefix for rule in rules.values()):
                continue
            if not any(one.startswith(prefix) for one in _ids(rules, given)):
                near = did_you_mean(prefix.upper(), rules)
                raise ConfigError(
                    f"{name}: no rule starts with {prefix!r} or has that name{near}",
                    path=place,
                )
    _refuse_settings(config, rules)


def _ids(rules: Iterable[str], packs: Iterable[Pack]) -> Iterator[str]:
    yield from rules
    yield from _shapes(packs)
    yield from _installed()  # whose queries are tried first, so only if need be


def _refuse_settings(config: Config, rules: dict[str, Rule]) -> None:
    if not config.rules.keys() <= rules.keys():
        rules |= _installed()
    try:
        settings_of(tuple(rules.values()), config.rules)
    except ConfigError as error:
        key = error.message.partition(":")[0]  # rules.ID, or rules.ID.KEY
        own = (one for one in config.origins if one == key or one.startswith(f"{key}."))
        raise ConfigError(error.message, path=config.file_of(next(own, key))) from None


def _shapes(packs: Iterable[Pack]) -> Iterator[str]:
    """Yield the names of shapes, which are the local names of their IRIs."""
    for pack in packs:
        for shape in set(read_shapes(pack.shapes).subjects()) if pack.shapes else ():
            if isinstance(shape, URIRef):
                yield re.split(r"[/#:]", str(shape))[-1]


def _installed() -> dict[str, Rule]:
    """Return the rules of all packs that are installed, those of other packages too."""
    packs = load_packs(plugins.registered(plugins.PACKS))
    return {rule.id: rule for pack in packs for rule in pack.rules}

"""The packs that a configuration chooses, and whether what it says of rules means any."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rdflib.term import URIRef

from groundrules import plugins
from groundrules.claims.documents.document import Document
from groundrules.claims.documents.suppressions import Suppression, apply
from groundrules.config import Config
from groundrules.errors import ConfigError, did_you_mean
from groundrules.explain.contrast import focus
from groundrules.explain.findings import findings_apart
from groundrules.rules.engine import settings_of
from groundrules.rules.packs import Pack, load_packs, shipped
from groundrules.rules.rule import Rule
from groundrules.rules.shapes import read_shapes
from groundrules.terms import Override, Report, Severity


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


def decided(
    report: Report, document: Document, marks: Sequence[Suppression], config: Config
) -> Report:
    """Return a report with what comments in the text and the configuration set aside.

    A statement is, where its verdict rests on a disabled rule and no error stands on it.
    """
    report = _with_twins(apply(report, document, marks))
    if not config.disable:
        return report
    rules = {rule.id: rule for pack in packs_of(config) for rule in pack.rules}
    by = config.origin("disable").replace("default", "the configuration")

    def disabled(found: Iterable[tuple[str, str]]) -> Iterator[Override]:
        for name, mark in found:
            rule = rules.get(name)
            if any(rule.is_meant_by(one) if rule else name == one for one in config.disable):
                yield Override(mark, "disabled", f"{name} is disabled", by)

    made = disabled((one.rule, one.fingerprint) for one in report.violations)
    report = _with_twins(report.with_overrides((*report.overrides, *made)))
    held = {one.claim.sentence for one in report.violations
            if one.claim and one.severity is Severity.ERROR and report.stands(one)}  # fmt: skip
    open_ = (one for one in report.statements if one.number not in held)
    made = disabled((one.reason, one.fingerprint) for one in open_)
    return report.with_overrides(tuple(dict.fromkeys((*report.overrides, *made))))


def _with_twins(report: Report) -> Report:
    """Return a report where what finds the fault of a finding set aside, at its words, is too."""
    plain, made = replace(report, overrides=()), list(report.overrides)
    for statement in report.statements if made else ():
        for head, *others in findings_apart(statement, plain):
            if override := report.override_of(head):
                made += (replace(override, fingerprint=one.fingerprint) for one in others
                         if focus(one) == focus(head) != statement.span)  # fmt: skip
    return report.with_overrides(tuple(made))


def refuse_unknown(config: Config, packs: Iterable[Pack]) -> None:
    """Raise ConfigError, with the line of the file, for words that name no rule.

    `select`, `disable` and the tables `rules` may speak of rules of `packs` and of any that is
    installed: a project has one configuration for all its commands.
    """
    if not (config.select or config.disable or config.rules):
        return  # then the rules of other packs need not be read
    given = tuple(packs)
    rules = {**shipped(), **{rule.id: rule for pack in given for rule in pack.rules}}
    for key in ("select", "disable"):
        origin, place = config.origin(key), config.file_of(key)
        name = origin if origin.startswith("--") else key
        for prefix in getattr(config, key):
            if not prefix:
                told = f"{name}: '' is no rule; expected the beginning of an id, such as 'GR'"
                raise ConfigError(told, path=place)
            if any(rule.name == prefix for rule in rules.values()):
                continue
            if not any(one.startswith(prefix) for one in _ids(rules, given)):
                near = did_you_mean(prefix.upper(), rules)
                told = f"{name}: no rule starts with {prefix!r} or has that name{near}"
                raise ConfigError(told, path=place)
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

"""Packs: folders of rules and shapes, built in, of the house, or of an installed package."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from groundrules import plugins
from groundrules.errors import ConfigError, RuleError, did_you_mean
from groundrules.files import read_bounded
from groundrules.rules.rule import Param, Rule, load_rule
from groundrules.terms import Traits

_MAX_FILES = 2_000
_MOST_BYTES = 4 * 2**20


@dataclass(frozen=True, slots=True)
class Pack:
    """A named set of rules, sorted by id; `digest` is the SHA-256 over their files.

    `shapes` are its SHACL files, which the digest covers too; see `rules/shapes.py`.
    """

    name: str
    rules: tuple[Rule, ...]
    digest: str
    shapes: tuple[Path, ...] = ()


def built_in() -> tuple[str, ...]:
    """Return the names of the packs that come with groundrules."""
    return plugins.built_in(plugins.PACKS)


@cache
def shipped() -> Mapping[str, Rule]:
    """Return the rules that come with groundrules, by id."""
    return {rule.id: rule for pack in load_packs(built_in()) for rule in pack.rules}


def load_packs(names: Iterable[str], base: Path | str = ".") -> tuple[Pack, ...]:
    """Load packs by name or folder; a folder is relative to `base`.

    A name is an entry point of the group `groundrules.packs` whose value is a package holding
    `*.toml`; whatever has a slash or begins with a dot is a folder. ConfigError
    for an unknown pack, RuleError for a bad rule or an id that occurs twice.
    """
    packs = tuple(load_pack(name, base) for name in dict.fromkeys(names))
    seen: dict[str, Rule] = {}
    for rule in (rule for pack in packs for rule in pack.rules):
        if rule.id in seen:
            raise RuleError(f"id {rule.id} is taken by {seen[rule.id].path}", path=rule.path)
        seen[rule.id] = rule
    return packs


def load_pack(name: str, base: Path | str = ".") -> Pack:
    """Load one pack, as `load_packs` does; one that ships is read once in a process."""
    return _shipped(name) if name in built_in() else _read_pack(name, find_pack(name, base))


@cache
def _shipped(name: str) -> Pack:
    return _read_pack(name, find_pack(name))


def _read_pack(name: str, folder: Path) -> Pack:
    paths = sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    shapes = sorted(path for path in folder.iterdir() if path.name.endswith(".shacl.ttl"))
    if not paths and not shapes:
        raise ConfigError(f"pack {name!r} has no rules; expected *.toml in {folder}")
    if len(paths) + len(shapes) > _MAX_FILES:
        raise ConfigError(f"pack {name!r} has more than {_MAX_FILES:,} rules")
    rules = sorted((load_rule(path) for path in paths), key=lambda rule: rule.id)
    seen: dict[str, Rule] = {}
    for rule in rules:
        if rule.id in seen:
            raise RuleError(f"id {rule.id} is taken by {seen[rule.id].path}", path=rule.path)
        seen[rule.id] = rule
    whole = hashlib.sha256("".join(f"{rule.id} {rule.digest}\n" for rule in rules).encode())
    for path in shapes:
        whole.update(f"{path.name} {hashlib.sha256(_read(path)).hexdigest()}\n".encode())
    return Pack(name, tuple(rules), whole.hexdigest(), tuple(shapes))


def _read(path: Path) -> bytes:
    try:
        return read_bounded(path, _MOST_BYTES)
    except OSError as error:
        raise RuleError(f"cannot be read: {error.strerror}", path=str(path)) from None


def find_pack(name: str, base: Path | str = ".") -> Path:
    """Return the folder of a pack; ConfigError if there is none."""
    if name.startswith(".") or "/" in name or os.sep in name:
        folder = Path(base, name).expanduser()
        if not folder.is_dir():
            raise ConfigError(f"pack {name!r}: no folder {folder}")
        return folder
    package = plugins.place(plugins.PACKS, name, f" or a folder such as ./{name}")
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise ConfigError(f"pack {name!r}: {package} is not an installed package")
    return Path(places[0])


def overrides_of(
    overrides: Mapping[str, Mapping[str, Param]], packs: Iterable[Pack], base: Path | str = "."
) -> dict[str, Mapping[str, Param]]:
    """Return the overrides for rules of some packs, those of other packs that ship left out.

    A project has one configuration for all its commands. What no pack has stays, to be refused.
    """
    own = {rule.id for pack in packs for rule in pack.rules}
    if overrides.keys() <= own:
        return dict(overrides)
    others = {rule.id for pack in load_packs(built_in(), base) for rule in pack.rules} - own
    return {rule: table for rule, table in overrides.items() if rule not in others}


def traits_of(packs: Iterable[Pack]) -> dict[str, Traits]:
    """Return how the findings of each rule count, by its id."""
    return {rule.id: rule.traits for pack in packs for rule in pack.rules}


def find_rule(word: str, packs: Iterable[Pack]) -> Rule:
    """Return the rule of that id (in any case) or name; ConfigError if there is none."""
    rules = [rule for pack in packs for rule in pack.rules]
    for rule in rules:
        if word.upper() == rule.id or word.lower() == rule.name:
            return rule
    known = [text for rule in rules for text in (rule.id, rule.name)]
    raise ConfigError(f"no rule {word!r}" + (did_you_mean(word.upper(), known)
                                             or did_you_mean(word, known)))  # fmt: skip

"""What is plugged in: the entry points of installed packages, by group and name.

What is built in comes through the same doors, which groundrules' own pyproject.toml names. All
domains are loaded once a text is read, and all forms of records once a file may have them; of
sources, formats and packs only what is asked for. A plugin is Python that the user installed; it is
trusted as such.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from typing import TypeVar

from groundrules.errors import ConfigError, GroundrulesError, did_you_mean, type_of

T = TypeVar("T")

#: The doors: fields of texts, files of records, knowledge bases, reports, folders of rules.
DOMAINS = "groundrules.domains"
RECORD_FORMATS = "groundrules.record_formats"
SOURCES = "groundrules.sources"
FORMATS = "groundrules.formats"
PACKS = "groundrules.packs"


def registered(group: str) -> dict[str, str]:
    """Return what a group has, sorted by name: `package.module:object`, or `package`.

    ConfigError where what is built in is not among it, so that no text is read by less than it
    seems, and where two packages give one name to different things.
    """
    return dict(_registered(group, tuple(sys.path)))


@cache  # looking through all that is installed takes ten milliseconds
def _registered(group: str, _: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for entry in metadata.entry_points(group=group):
        if found.setdefault(entry.name, entry.value) != entry.value:
            raise ConfigError(
                f"{_kind(group)} {entry.name!r} is registered twice, as {found[entry.name]} and "
                f"as {entry.value}; expected one package with that name"
            )
    if not any(map(is_own, found.values())):
        raise ConfigError(
            f"nothing of groundrules is registered under {group}; install groundrules again, from "
            "a checkout by pip install -e ."
        )
    return tuple(sorted(found.items()))


def built_in(group: str) -> tuple[str, ...]:
    """Return the names of what comes with groundrules."""
    return tuple(name for name, value in registered(group).items() if is_own(value))


def scheme(spec: str) -> str:
    """Return the source that a spec names, as `wikidata` or `https:…`, empty where it is a path."""
    head = spec.partition(":")[0]
    return head if head in registered(SOURCES) else ""


def is_own(value: str) -> bool:
    """Return whether an entry point leads into groundrules itself."""
    return value.startswith("groundrules.")


def place(group: str, name: str, instead: str = "") -> str:
    """Return where a name of a group leads; ConfigError with the nearest name if it has none.

    `instead` is what else could have been given.
    """
    found = registered(group)
    if name not in found:
        raise ConfigError(
            f"no {_kind(group)} {name!r}; expected {', '.join(found)}{instead}"
            + did_you_mean(name, found)
        )
    return found[name]


def load(group: str, name: str, kind: type[T]) -> T:
    """Return what a name of a group stands for.

    ConfigError where there is no such name, it cannot be imported, or it is nothing of that kind.
    """
    value = place(group, name)
    what = f"{_kind(group)} {name!r}: {value}"
    try:
        found = metadata.EntryPoint(name, value, group).load()
    except (Exception, SystemExit) as error:  # whatever a module of somebody else's raises
        raise ConfigError(f"{what} cannot be loaded: {_reason(error)}") from error
    if not isinstance(found, kind):
        raise ConfigError(f"{what} is {type_of(found)}; expected a {kind.__name__}")
    return found


@contextmanager
def blame(group: str, name: str) -> Iterator[None]:
    """Let a failure of what a plugin does, or gives, be its own.

    ConfigError, which names the plugin and its package; its cause is what was raised. An error of
    groundrules passes as it is.
    """
    try:
        yield
    except GroundrulesError:
        raise
    except (Exception, SystemExit) as error:  # whatever a function of somebody else's raises
        found = metadata.entry_points(group=group, name=name)
        package = next((f" of package {one.dist.name!r}" for one in found if one.dist), "")
        reason = _reason(error)
        raise ConfigError(f"{_kind(group)} {name!r}{package} failed: {reason}") from error


def _reason(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200].rstrip(": ")


def _kind(group: str) -> str:
    return group.partition(".")[2].removesuffix("s").replace("_", " ")

"""What is plugged in: the entry points of installed packages, by group and name.

What is built in comes through the same doors, which groundrules' own pyproject.toml names. All
domains are loaded once a text is read, and all forms of records once a file may have them; of
sources, formats and packs only what is asked for. A plugin is Python that the user installed; it is
trusted as such.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from importlib import metadata
from types import UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

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


def guarded(made: T, kind: type, group: str, name: str) -> T:
    """Return what a plugin made as a thing whose failures, when it is asked later, are its own.

    `kind` is the protocol that it keeps: what it returns of another type than that says is a
    failure too.
    """
    return cast(T, _Guarded(made, kind, group, name))


class _Guarded:
    def __init__(self, made: object, kind: type, group: str, name: str) -> None:
        self._of = made, kind, group, name

    @property  # type: ignore[misc]  # isinstance is to see what was made
    def __class__(self) -> type:
        return type(self._of[0])

    def __getattr__(self, attribute: str) -> Any:
        made, kind, group, name = self._of
        stated = getattr(kind, attribute, None)
        with blame(group, name):
            found = getattr(made, attribute)
            if not callable(found):
                expect(found, _returns(stated.fget) if isinstance(stated, property) else Any)
                return found

        @wraps(found)
        def ask(*given: object, **named: object) -> object:
            with blame(group, name):
                answer = found(*given, **named)
                expect(answer, _returns(stated))
            return answer

        return ask


@cache
def _returns(function: object) -> Any:
    return get_type_hints(function).get("return", Any) if function else Any


def expect(value: object, kind: Any) -> None:
    """Raise TypeError where a value, or what is in it, is not of the type that it should be.

    `kind` is a type or an annotation; the fields of a dataclass are looked into, and the items of a
    collection. A protocol is taken as kept.
    """
    if (wrong := _misfit(value, kind)) is not None:
        raise TypeError(f"gave {type_of(wrong[0])}; expected {_called(wrong[1])}")


def _misfit(value: object, kind: Any) -> tuple[object, Any] | None:
    """Return the first part of a value that is of another type, with the type that it has not."""
    of, origin = get_args(kind), get_origin(kind) or kind
    if origin in (Union, UnionType):
        tried = [_misfit(value, one) for one in of]
        if None in tried:
            return None
        near = (wrong for wrong in tried if wrong and wrong[0] is not value)
        return next(near, (value, kind))
    if origin is Literal:
        return None if value in of else (value, kind)
    if origin in (Any, object) or getattr(origin, "_is_protocol", False):
        return None
    if not isinstance(value, (int, float) if origin is float else origin or type(None)):
        return value, kind
    return next((wrong for one in _parts(value, of) if (wrong := _misfit(*one))), None)


def _parts(value: object, of: tuple[Any, ...]) -> Iterator[tuple[object, Any]]:
    if is_dataclass(value) and not isinstance(value, type):
        yield from ((getattr(value, name), kind) for name, kind in _fields(type(value)))
    elif isinstance(value, Mapping) and of:
        yield from ((key, of[0]) for key in value)
        yield from ((one, of[1]) for one in value.values())
    elif isinstance(value, tuple) and of and of[-1] is not Ellipsis:
        yield len(value), Literal[len(of)]
        yield from zip(value, of, strict=True)
    elif isinstance(value, Collection) and of:
        yield from ((one, of[0]) for one in value)


@cache
def _fields(kind: type) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((one.name, hints[one.name]) for one in fields(kind))


def _called(kind: Any) -> str:
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(map(_called, get_args(kind)))
    if get_origin(kind) is Literal:
        return " or ".join(map(repr, get_args(kind)))
    if kind is None or kind is type(None):
        return "None"
    name = (get_origin(kind) or kind).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _reason(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200].rstrip(": ")


def _kind(group: str) -> str:
    return group.partition(".")[2].removesuffix("s").replace("_", " ")

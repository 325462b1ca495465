"""What is wrong with the tables of a lexicon's file, each fault by its line; and its patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from groundrules.errors import SourceError, did_you_mean

__all__ = ["compiled", "expect_kinds", "first_fault"]

#: Keys of tables that name a kind, or several.
_OF_KINDS = {"event": ("of",), "action": ("of", "to"), "kind": ("whole", "taken")}
_SEVERAL = {("event", "of"), ("kind", "whole")}
#: Keys whose value is a list of words.
_LISTS = ("words", "verbs", "nouns", "whole", "kinds", "besides", "plain")
#: Tables whose `of` names a sign.
_OF_SIGNS = ("frame",)


#: What is told first of what is wrong: a word that nothing reads, then one that lacks.
_FIRST = ("extra_forbidden", "missing")


def first_fault(
    error: ValidationError, tables: type[BaseModel], text: str, path: str
) -> SourceError:
    """Return the first fault of a lexicon's file in its words, with its line."""
    lines = text.splitlines()
    fault = min(error.errors(), key=lambda one: (*_FIRST, one["type"]).index(one["type"]))
    top, *rest = fault["loc"]
    name, kind = str(top), fault["type"]
    numbers = [one for one in rest if isinstance(one, int)]
    key = str(rest[1]) if len(rest) > 1 else ""
    start = _line(lines, name, numbers[0] if numbers else 0)
    fields = tables.model_fields
    known = [one.alias or own for own, one in fields.items()]
    if not rest and kind == "extra_forbidden":
        shown = f"[[{name}]]" if isinstance(fault["input"], list) else repr(name)
        said = f"{shown} is nothing that a lexicon has{_near(name, known)}"
    elif not key and kind in {"tuple_type", "model_type"}:
        said = f"{name!r} is no list of tables; expected [[{name}]]"
    elif kind == "extra_forbidden":
        row = next(one for own, one in fields.items() if (one.alias or own) == name).annotation
        own = row.__args__[0].model_fields.items() if row else ()
        said = f"[[{name}]] has no key {key!r}{_near(key, [f.alias or n for n, f in own])}"
    elif kind == "missing":
        return SourceError(f"[[{name}]] lacks the key {key!r}", path=path, line=start)
    elif key and kind != "value_error":
        said = f"{key!r} of [[{name}]] is no list of words"
        said = said if key in _LISTS else f"is not a lexicon: {key!r} of [[{name}]]: {fault['msg']}"
    else:
        return SourceError(f"is not a lexicon: {fault['msg'].removeprefix('Value error, ')[:200]}",
                           path=path)  # fmt: skip
    return SourceError(said, path=path, line=_key_line(lines, start, key) if key else start)


def expect_kinds(data: Mapping[str, Any], text: str, path: str) -> None:
    """Raise SourceError, with the line, where an entry speaks of a kind or sign that is none."""
    for fault, line in _of_kinds(data, text.splitlines()):
        raise SourceError(fault, path=path, line=line)


def _of_kinds(data: Mapping[str, Any], lines: list[str]) -> Iterator[tuple[str, int | None]]:
    """Yield where an entry speaks of a kind that no [[kind]], or a sign that no [[sign]] has."""
    signs = [str(row["name"]) for row in data.get("sign", ())]
    for table in _OF_SIGNS:
        for number, row in enumerate(data.get(table, ())):
            if row.get("of") and row["of"] not in signs:
                start = _line(lines, table, number)
                fault = f"'of' in [[{table}]] names {row['of']!r}, but no [[sign]] has that name"
                yield fault + did_you_mean(str(row["of"]), signs), _key_line(lines, start, "of")
    kinds = [str(row["name"]) for row in data.get("kind", ())]
    for table, keys in _OF_KINDS.items():
        for number, row in enumerate(data.get(table, ())):
            for key in keys:
                told = row.get(key, [])
                several = isinstance(told, list) and (table, key) in _SEVERAL
                for name in told if several or key not in row else [told]:
                    if name not in kinds:
                        fault = f"{key!r} of [[{table}]] names {name!r}, which is no kind"
                        start = _line(lines, table, number)
                        yield fault + did_you_mean(str(name), kinds), _key_line(lines, start, key)


def _near(key: str, known: Collection[str]) -> str:
    return did_you_mean(key, sorted(known)) or f"; expected {', '.join(sorted(known))}"


def _line(lines: list[str], key: str, number: int = 0) -> int | None:
    """Return the line of the nth table of a name, or else of a key at the top."""
    table = re.compile(
        rf"\s*\[\[?\s*[\"']?{re.escape(key)}[\"']?\s*\]\]?|\s*[\"']?{re.escape(key)}[\"']?\s*[=.]"
    )
    found = [at for at, line in enumerate(lines, 1) if table.match(line)]
    return found[number] if number < len(found) else None


def _key_line(lines: list[str], start: int | None, key: str) -> int | None:
    """Return the line of a key of the table that begins at a line."""
    for at in range(start or len(lines), len(lines)):
        if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", lines[at]):
            return at + 1
        if re.match(r"\s*\[", lines[at]):
            break
    return start


# --- patterns whose time is bounded ---------------------------------------------------------------


# the tree that `re` itself compiles: any other reader of its syntax could be told another story
parsed: Callable[[str], Any] = re._parser.parse  # type: ignore[attr-defined]
_MAX_GAP = 200
_MAX_WAYS = 10_000
#: What is read in one way.
_SINGLE = frozenset("LITERAL NOT_LITERAL ANY IN AT".split())


_MANY = 10**9


def compiled(pattern: str, shipped: bool) -> re.Pattern[str]:
    """Compile a pattern whose time is bounded; else ValueError.

    The ways of a shipped one are not counted: the tests time it.
    """
    bare = re.sub(r"\\.|\[(?:\\.|[^\]\\]){0,2000}\]", "x", pattern)
    ranges = re.findall(r"\{(\d*+)(,?)(\d*+)\}", bare)
    wide = [r for r in ranges if (r[1] and not r[2]) or int(r[2] or r[0] or 0) > _MAX_GAP]
    if re.search(r"[*+]", bare) or wide or len(pattern) > 2000:
        raise ValueError(f"the pattern may take long: {pattern[:80]}")
    if re.search(r"\\\d|\(\?P=", pattern):
        raise ValueError(f"the pattern refers to its own groups: {pattern[:80]}")
    if not shipped and (ways := _ways(parsed(pattern))) > _MAX_WAYS:
        count = f"{ways:,}" if ways < 10**9 else "more than a billion"
        raise ValueError(f"the pattern may take long, tried in {count} ways at one place; "
                         f"expected {_MAX_WAYS:,} at most: {pattern[:80]}")  # fmt: skip
    return re.compile(pattern)


def _ways(parts: Iterable[tuple[Any, Any]]) -> int:
    """Return at most how many ways an engine that backtracks can try a parsed expression."""
    ways = 1
    for kind, held in parts:
        ways *= _ways_of(str(kind), held)
        if ways > _MANY:
            return _MANY
    return ways


def _ways_of(kind: str, held: Any) -> int:
    if kind == "BRANCH":
        return sum(map(_ways, held[1]))
    if kind == "SUBPATTERN":
        return _ways(held[3])
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, inner = held
        one = _ways(inner)
        total = 0
        for times in range(least, min(most, _MAX_GAP) + 1):
            total += one**times
            if total > _MANY:
                break
        return min(_MANY, total)
    if kind in ("ASSERT", "ASSERT_NOT"):
        return 1 + _ways(held[1])
    if kind == "ATOMIC_GROUP":
        return _ways(held)
    return 1 if kind in _SINGLE else _MANY

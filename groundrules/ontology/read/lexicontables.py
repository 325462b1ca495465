"""The tables of a lexicon's file, and what is wrong with them: each fault by its line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from groundrules.errors import SourceError, did_you_mean

__all__ = ["expect_entries"]


@dataclass(frozen=True, slots=True)
class _Table:
    """The keys that the entries of a table must have, and those that they may have."""

    needs: tuple[str, ...]
    may: tuple[str, ...] = ()


_RELATION = ("of", "kind", "inverse", "place", "unless", "alone")
_TABLES: Mapping[str, _Table] = {
    "sign": _Table(("name",), ("class", "node", "definite", "named", "paper", "title", "taken_up")),
    "role": _Table(("property", "words"), _RELATION),
    "relation": _Table(("property", "words"), _RELATION),
    "class": _Table(("class", "words"), ("kinds",)),
    "kind": _Table(
        ("name", "nouns"),
        ("sign", "part", "whole", "taken", "link", "lone", "plain", "later", "unless"),
    ),
    "event": _Table(
        ("property", "of"),
        ("verbs", "nouns", "via", "kind", "until", "value", "implicit", "unless", "alone"),
    ),
    "action": _Table(("property", "of", "to", "verbs")),
    "frame": _Table(("of", "verbs", "parts"), ("besides",)),
    "test": _Table(("text", "expect"), ("source",)),
}
#: Keys whose value is a list of words, and keys of tables that name a kind, or several.
_LISTS = ("words", "verbs", "nouns", "whole", "kinds", "besides", "plain")
_OF_KINDS = {"event": ("of",), "action": ("of", "to"), "kind": ("whole", "taken")}
_SEVERAL = {("event", "of"), ("kind", "whole")}
#: Tables whose `of` names a sign.
_OF_SIGNS = ("frame",)
_TOP = ("exact", "elsewhere", "labels", "prefixes")


def expect_entries(data: Mapping[str, Any], text: str, path: str) -> None:
    """Raise SourceError, with the line, where a lexicon has a key or table that none reads.

    So too where an entry lacks a key that it needs.
    """
    for fault, line in _faults(data, text):
        raise SourceError(fault, path=path, line=line)


def _faults(data: Mapping[str, Any], text: str) -> Iterator[tuple[str, int | None]]:
    lines = text.splitlines()
    known = (*_TABLES, *_TOP)
    for key, value in data.items():
        if key not in known:
            table = isinstance(value, list) and all(isinstance(one, dict) for one in value)
            shown = f"[[{key}]]" if table else repr(key)
            yield f"{shown} is nothing that a lexicon has{_near(key, known)}", _line(lines, key)
        elif key in _TABLES:
            yield from _of_table(key, value, lines)
    yield from _of_kinds(data, lines)


def _of_table(name: str, rows: Any, lines: list[str]) -> Iterator[tuple[str, int | None]]:
    table = _TABLES[name]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        yield f"{name!r} is no list of tables; expected [[{name}]]", _line(lines, name)
        return
    for number, row in enumerate(rows):
        start = _line(lines, name, number)
        for key in row:
            if key not in (*table.needs, *table.may):
                near = _near(key, (*table.needs, *table.may))
                yield f"[[{name}]] has no key {key!r}{near}", _key_line(lines, start, key)
        for key in table.needs:
            if key not in row:
                yield f"[[{name}]] lacks the key {key!r}", start
        for key in _LISTS:
            if key in row and not _has_words(row[key], key):
                fault = f"{key!r} of [[{name}]] is no list of words"
                yield fault, _key_line(lines, start, key)


def _has_words(value: Any, key: str) -> bool:
    """Return whether a value is a list of words; nouns may be in groups of synonyms."""
    groups = [one for one in value if isinstance(one, list)] if key == "nouns" else []
    return isinstance(value, list) and all(
        (isinstance(one, str) and one.strip()) or (one in groups and one and _has_words(one, ""))
        for one in value
    )


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

"""A record as JSON: as a model gave it, one value a line, and the safe values in its form."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from groundrules.claims.fields import Field
from groundrules.claims.quotes import Passage


def write_record(fields: Sequence[Field]) -> tuple[str, list[tuple[int, int]]]:
    """Return the record as JSON, one value a line, and where the value of each field stands."""
    tree: dict[str | int, Any] = {}
    for number, field in enumerate(fields):
        node = tree
        for step in field.path[:-1]:
            node = node.setdefault(step, {})
        node.setdefault(field.path[-1], []).append(number)
    out = io.StringIO()
    places = [(0, 0)] * len(fields)

    def leaf(number: int) -> None:
        field = fields[number]
        out.write('{"value": ')
        text = json.dumps(field.given, ensure_ascii=False)
        quoted = isinstance(field.given, str)
        start = out.tell() + quoted
        out.write(text)
        places[number] = (start, out.tell() - quoted)
        contexts: Any = [given.text for given in field.quotes]
        if len(contexts) < 2:
            contexts = contexts[0] if contexts else ""
        out.write(f', "context": {json.dumps(contexts, ensure_ascii=False)}}}')

    def branch(item: Any, depth: int) -> None:
        if isinstance(item, list) and len(item) == 1:
            leaf(item[0])
            return
        listed = isinstance(item, list) or all(isinstance(step, int) for step in item)
        opening, closing = "[]" if listed and item else "{}"
        out.write(opening)
        members = item if isinstance(item, list) else item.items()
        for place, member in enumerate(members):
            out.write(("," if place else "") + "\n" + "  " * (depth + 1))
            if isinstance(item, list):
                leaf(member)
                continue
            step, child = member
            out.write("" if listed else f"{json.dumps(step, ensure_ascii=False)}: ")
            branch(child, depth + 1)
        out.write(("\n" + "  " * depth if item else "") + closing)

    branch(tree, 0)
    out.write("\n")
    return out.getvalue(), places


def nest_values(
    safe: Sequence[tuple[Field, Passage, float | None]], texts: Mapping[str, str]
) -> dict[str, Any]:
    """Return safe values in the form of the schema, of several for one place the best.

    With each value stand its passage and its support.
    """
    tree: dict[str | int, Any] = {}
    for field, place, _ in sorted(safe, key=lambda item: -(item[2] or 0.0)):
        node = tree
        for step in field.path[:-1]:
            node = node.setdefault(step, {})
        node.setdefault(field.path[-1], (field.given, place))
    order = {field.path[:depth]: None for field, *_ in safe for depth in range(len(field.path) + 1)}
    ranks = {path: rank for rank, path in enumerate(order)}

    def shaped(item: Any, path: tuple[str | int, ...]) -> Any:
        if isinstance(item, tuple):
            value, place = item
            context = texts[place.document][place.start : place.end]
            where = {"source": place.document, "start": place.start, "end": place.end}
            return {"value": value, "context": context, **where}
        steps = sorted(item, key=lambda step: ranks[*path, step])
        if steps and all(isinstance(step, int) for step in steps):
            return [shaped(item[step], (*path, step)) for step in steps]
        return {step: shaped(item[step], (*path, step)) for step in steps}

    found = shaped(tree, ())
    assert isinstance(found, dict)
    return found

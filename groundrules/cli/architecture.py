"""The map of the packages in docs/architecture.md, made from what each module imports.

A room is a package or module right under `groundrules`; the layers are those of the contract in
pyproject.toml, which import-linter holds the code to.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from groundrules.cli.modules import Definition, cycles, reachable, read_modules, room_of

#: Where the map stands in the page.
START, END = "<!-- map: begin -->", "<!-- map: end -->"

_PACKAGE = "groundrules"
_NOTE = """\
Made from the code by `python -m groundrules.cli.docs`. A room is a package or a module right under
`groundrules`; imports inside functions count, those for type checkers alone do not."""


@dataclass(frozen=True, slots=True)
class Room:
    """A package or module right under the root; `imports` counts the imports of each other room.

    `layer` counts from 1, the one that all others may import; a room imports only from below.
    """

    name: str
    about: str
    layer: int
    modules: int
    imports: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Map:
    """The rooms from the highest layer down, how many imports there are, cycles and lengths."""

    rooms: tuple[Room, ...]
    imports: int
    cycles: tuple[tuple[str, ...], ...]
    lines: int
    longest: tuple[Definition, Definition]  # the function, and the class


def read_map(root: Path) -> Map:
    """Return the map of the package in a checkout."""
    every = read_modules(root / _PACKAGE)
    modules = [module for module in every if module.name]  # the root is no room
    between = Counter(
        (room_of(one.name), room_of(other)) for one in modules for other in one.imports
    )
    layer = read_layers(root)
    sizes = Counter(room_of(module.name) for module in modules)
    rooms = [
        Room(
            name,
            _about(root, name),
            layer[name],
            sizes[name],
            {to: n for (one, to), n in sorted(between.items()) if one == name != to},
        )
        for name in sizes
    ]
    return Map(
        tuple(sorted(rooms, key=lambda room: (-room.layer, room.name))),
        sum(len(module.imports) for module in modules),
        cycles(modules),
        sum(module.lines for module in every),
        (
            max((one for m in every for one in m.functions), key=lambda one: one.lines),
            max((one for m in every for one in m.classes), key=lambda one: one.lines),
        ),
    )


def with_map(page: str, found: Map) -> str:
    """Return the page with the map between its two marks, unchanged if it has none."""
    head, start, rest = page.partition(START)
    _, end, tail = rest.partition(END)
    return f"{head}{START}\n\n{section(found)}\n\n{END}{tail}" if start and end else page


def section(found: Map) -> str:
    """Return the map in Markdown: counts, a diagram and a table."""
    return "\n\n".join([_NOTE, _counts(found), diagram(found), table(found)])


def diagram(found: Map) -> str:
    """Return the rooms and their imports for Mermaid, but for those that follow from others."""
    imports = {room.name: set(room.imports) for room in found.rooms}
    lines = ["```mermaid", "graph TD"]
    for room in found.rooms:
        noun = "module" if room.modules == 1 else "modules"
        lines.append(f'  {room.name}["{room.name}<br>{room.modules} {noun}"]')
    for room in found.rooms:
        implied = {far for near in room.imports for far in reachable(near, imports)}
        lines += [f"  {room.name} --> {name}" for name in sorted(imports[room.name] - implied)]
    return "\n".join([*lines, "```", "", "An arrow that follows from others is left out."])


def table(found: Map) -> str:
    """Return a Markdown table of the rooms from the highest layer down."""
    lines = ["| layer | room | modules | what it is | imports |", "|--:|---|--:|---|---|"]
    for room in found.rooms:
        imports = ", ".join(f"{name} {count}" for name, count in room.imports.items())
        lines.append(
            f"| {room.layer} | `{room.name}` | {room.modules} | {room.about} | {imports} |"
        )
    return "\n".join(lines)


def _counts(found: Map) -> str:
    across = sum(sum(room.imports.values()) for room in found.rooms)
    pairs = sum(len(room.imports) for room in found.rooms)
    modules = sum(room.modules for room in found.rooms)
    layers = max(room.layer for room in found.rooms)
    function, class_ = found.longest
    lines = [
        f"{modules} modules in {len(found.rooms)} rooms on {layers} layers; {found.imports} "
        f"imports, {across} of them from one room to another, between {pairs} pairs of rooms.",
        "",
        f"About {round(found.lines, -3):,} lines; the longest function is `{function.name}` "
        f"({function.lines} lines), the longest class `{class_.name}` ({class_.lines}).",
        "",
        "No cycle of imports." if not found.cycles else "Cycles of imports, each within a room:",
    ]
    return "\n".join([*lines, *(f"- {_ring(ring)}" for ring in found.cycles)])


def _ring(ring: tuple[str, ...]) -> str:
    return ", ".join(f"`{module}`" for module in ring)


def read_layers(root: Path) -> dict[str, int]:
    """Return the layer of each room by the contract of pyproject.toml, the lowest 1."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (one["layers"] for one in contracts if one["type"] == "layers")
    return {
        name.strip().removeprefix(f"{_PACKAGE}."): number
        for number, line in enumerate(reversed(layers), 1)
        for name in line.split("|")
    }


def _about(root: Path, room: str) -> str:
    """Return the first sentence of a room's docstring."""
    folder = root / _PACKAGE / room
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].rstrip(".")

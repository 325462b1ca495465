"""The map of the packages in docs/explanation/architecture.md, made from what each module imports.

A room is a package or module right under `groundrules`; the layers are those of the contract in
pyproject.toml, which import-linter holds the code to.
"""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools.modules import cycles, reachable, read_modules, room_of

_PACKAGE = "groundrules"
_NOTE = """\
Made from the code by `python -m tools.docs`. A room is a package or a module right under
`groundrules`; imports inside functions count, those for type checkers alone do not."""


@dataclass(frozen=True, slots=True)
class Room:
    """A package or module right under the root, and the rooms it imports, in the alphabet's order.

    `layer` counts from 1, the one that all others may import; a room imports only from below.
    """

    name: str
    about: str
    layer: int
    imports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Map:
    """The rooms from the highest layer down, and the cycles of imports."""

    rooms: tuple[Room, ...]
    cycles: tuple[tuple[str, ...], ...]


def read_map(root: Path) -> Map:
    """Return the map of the package in a checkout."""
    # the root, and what starts it, are no rooms
    modules = [one for one in read_modules(root / _PACKAGE) if one.name not in {"", "__main__"}]
    imports: dict[str, set[str]] = {room_of(module.name): set() for module in modules}
    for module in modules:
        imports[room_of(module.name)] |= {room_of(other) for other in module.imports}
    layer = read_layers(root)
    rooms = [
        Room(name, _about(root, name), layer[name], tuple(sorted(others - {name})))
        for name, others in imports.items()
    ]
    in_order = sorted(rooms, key=lambda room: (-room.layer, room.name))
    return Map(tuple(in_order), cycles(modules))


def section(found: Map) -> str:
    """Return the map in Markdown: cycles, a diagram and a table."""
    return "\n\n".join([_NOTE, _cycles(found), diagram(found), table(found)])


def diagram(found: Map) -> str:
    """Return the rooms and their imports for Mermaid, but for those that follow from others."""
    imports = {room.name: set(room.imports) for room in found.rooms}
    lines = ["```mermaid", "graph TD", *(f"  {room.name}" for room in found.rooms)]
    for room in found.rooms:
        implied = {far for near in room.imports for far in reachable(near, imports)}
        lines += [f"  {room.name} --> {name}" for name in sorted(imports[room.name] - implied)]
    return "\n".join([*lines, "```", "", "An arrow that follows from others is left out."])


def table(found: Map) -> str:
    """Return a Markdown table of the rooms from the highest layer down."""
    lines = ["| layer | room | what it is |", "|--:|---|---|"]
    lines += [f"| {room.layer} | `{room.name}` | {room.about} |" for room in found.rooms]
    return "\n".join(lines)


def _cycles(found: Map) -> str:
    said = "Cycles of imports, each within a room:" if found.cycles else "No cycle of imports."
    return "\n".join([said, *(f"- {_ring(ring)}" for ring in found.cycles)])


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

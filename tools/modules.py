"""The modules of a package as its files have them: imports and cycles; nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Module:
    """A module by its name in the package, the empty one is the root; `imports` are such names.

    Imports inside functions count, those for type checkers alone do not, nor does the root.
    """

    name: str
    imports: frozenset[str]


def read_modules(package: Path) -> tuple[Module, ...]:
    """Return the modules under the folder of a package, sorted by name."""
    paths = {_name(path.relative_to(package)): path for path in package.rglob("*.py")}
    return tuple(_read(name, paths[name], package.name, paths) for name in sorted(paths))


def room_of(name: str) -> str:
    """Return the package or module right under the root that a module is of."""
    return name.partition(".")[0]


def cycles(modules: Collection[Module]) -> tuple[tuple[str, ...], ...]:
    """Return the sets of modules that import one another, directly or not, each once, sorted."""
    imports = {module.name: module.imports for module in modules}
    reached = {name: reachable(name, imports) for name in imports}
    rings = {
        tuple(sorted(other for other in reached[name] if name in reached[other]))
        for name in imports
        if name in reached[name]
    }
    return tuple(sorted(rings))


def reachable(start: str, edges: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Return all that edges lead to from a start, which is in it only if they lead back."""
    found: set[str] = set()
    left = [start]
    while left:
        new = set(edges[left.pop()]) - found
        found |= new
        left += new
    return frozenset(found)


def _name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix("__init__").rstrip(".")


def _read(name: str, path: Path, package: str, known: Mapping[str, Path]) -> Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    here = name if path.stem == "__init__" else name.rpartition(".")[0]
    imported = {_nearest(one, known) for one in _imported(tree, package, here)}
    return Module(name, frozenset(imported - {"", name}))


def _imported(tree: ast.AST, package: str, here: str) -> Iterator[str]:
    """Yield what is imported from the package, by names in it, some of them of no module."""
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.If) and _for_checkers(node.test):
            left += node.orelse
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = here.split(".") if here else []
                base = ".".join([package, *above[: len(above) - node.level + 1], base]).rstrip(".")
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            names = []
        yield from (
            one.removeprefix(f"{package}.") for one in names if one.startswith(f"{package}.")
        )
        left += ast.iter_child_nodes(node)


def _for_checkers(test: ast.expr) -> bool:
    return ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _nearest(name: str, known: Collection[str]) -> str:
    """Return the module that a name is in: of a function the module that has it."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name

"""Which code needs which, by the names that it has: what is left over when something goes.

A module-level function, class or constant is a node; it needs what it names of its own module and
of what it imports from the package. Names that are made at run time are not seen.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import groundrules

PACKAGE = Path(groundrules.__file__).parent
_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Thing:
    """A function, class or constant: its name with that of its module, its lines, what it needs.

    `returns` is the annotation of what a function returns, `cached` whether that is kept.
    """

    name: str
    kind: str
    lines: int
    needs: frozenset[str]
    returns: str = ""
    cached: bool = False


@dataclass(slots=True)
class _Module:
    things: list[tuple[str, str, int, ast.AST, str, bool]] = field(default_factory=list)
    imported: dict[str, str] = field(default_factory=dict)
    loose: list[ast.AST] = field(default_factory=list)


def module_of(path: Path) -> str:
    """Return the name of a module below the package: "align.contrasts"."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def things() -> Mapping[str, Thing]:
    """Return all things of the package by their names; what runs on import is `module.*`."""
    modules = {module_of(p): _read(p) for p in sorted(PACKAGE.rglob("*.py"))}
    known = {f"{m}.{one[0]}" for m, held in modules.items() for one in held.things}
    out = {}
    for module, held in modules.items():
        for name, kind, lines, node, returns, cached in held.things:
            needs = frozenset(_needs(node, module, held.imported, known, modules))
            full = f"{module}.{name}"
            out[full] = Thing(full, kind, lines, needs - {full}, returns, cached)
        loose = {
            n for node in held.loose for n in _needs(node, module, held.imported, known, modules)
        }
        out[f"{module}.*"] = Thing(f"{module}.*", "import", 0, frozenset(loose))
    return out


def _read(path: Path) -> _Module:
    tree = ast.parse(path.read_text("utf-8"))
    held = _Module()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("groundrules"):
            base = (node.module or "").removeprefix("groundrules").removeprefix(".")
            for one in node.names:
                held.imported[one.asname or one.name] = f"{base}.{one.name}" if base else one.name
    before = 0
    for node in tree.body:
        start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        lines = (node.end_lineno or start) - max(before, start - 3 if before else start)
        lines = (node.end_lineno or start) - start + 1 + min(3, max(0, start - before - 1))
        before = node.end_lineno or start
        if isinstance(node, _DEFS):
            returns = (
                ""
                if isinstance(node, ast.ClassDef) or node.returns is None
                else ast.unparse(node.returns)
            )
            cached = any("cache" in ast.unparse(one) for one in node.decorator_list)
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            held.things.append((node.name, kind, lines, node, returns, cached))
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [
                t.id for target in targets for t in ast.walk(target) if isinstance(t, ast.Name)
            ]
            share = max(1, lines // max(1, len(names)))
            for name in names:
                held.things.append(
                    (name, "constant", share, node, "", "cache" in ast.unparse(node))
                )
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            held.loose.append(node)
    return held


def _needs(
    node: ast.AST,
    module: str,
    imported: Mapping[str, str],
    known: Collection[str],
    modules: Mapping[str, _Module],
) -> Iterable[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            for name in (f"{module}.{one.id}", imported.get(one.id, "")):
                if name in known:
                    yield name
        elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
            base = imported.get(one.value.id, "")
            if base in modules and f"{base}.{one.attr}" in known:
                yield f"{base}.{one.attr}"


def reached(roots: Iterable[str], without: Collection[str] = ()) -> set[str]:
    """Return all that some things need, directly or not, where some are gone."""
    all_things = things()
    seen: set[str] = set()
    waiting = [one for one in roots if one not in without]
    while waiting:
        name = waiting.pop()
        if name in seen or name not in all_things:
            continue
        seen.add(name)
        waiting += [one for one in all_things[name].needs if one not in without and one not in seen]
        waiting.append(f"{name.rpartition('.')[0]}.*")
    return seen


@cache
def _roots() -> tuple[str, ...]:
    """Return what a user calls, and what is found by name alone: all outside these rooms."""
    rooms = ("align.", "claims.english.", "ontology.read.")
    named = [name for name in things() if not name.startswith(rooms)]
    return tuple(named)


@cache
def _whole() -> frozenset[str]:
    return frozenset(reached(_roots()))


def saved(gone: Iterable[str]) -> tuple[int, frozenset[str]]:
    """Return how many lines go with some things, and the things: they and what only they need."""
    gone = frozenset(gone)
    left = reached(_roots(), gone)
    dead = (_whole() - left) | gone
    held = things()
    return sum(held[name].lines for name in dead if name in held), frozenset(dead)


@cache
def needing(name: str) -> frozenset[str]:
    """Return all things that need one, directly or not, itself among them."""
    above: dict[str, set[str]] = {}
    for one in things().values():
        for need in one.needs:
            above.setdefault(need, set()).add(one.name)
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            waiting += above.get(here, ())
    return frozenset(seen)

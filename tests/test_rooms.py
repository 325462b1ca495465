"""The laws of the rooms: a name stands for one module, and a room reads its own files alone."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

import groundrules

PACKAGE = Path(groundrules.__file__).parent
#: Named after what they serve: a command, a format, or what is read or measured.
NAMED_AFTER_ANOTHER = ("cli", "evaluate", "checks", "explain/formats")
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")


def test_no_two_modules_have_one_name() -> None:
    named = defaultdict(list)
    for path in MODULES:
        place = path.relative_to(PACKAGE)
        if not place.as_posix().startswith(NAMED_AFTER_ANOTHER):
            named[path.stem].append(place.as_posix())
    assert {name: places for name, places in named.items() if len(places) > 1} == {}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_module_looks_for_files_above_its_own_folder(path: Path) -> None:
    """Packages of data are asked of who has them: models.shipped, domain, rules.packs."""
    allowed = {"cache.py", "cli/docs.py", "cli/ontology/pages.py", "ontology/load.py", "dataset.py"}
    if path.relative_to(PACKAGE).as_posix() in allowed:
        return
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("parent", "parents"):
            own = isinstance(node.value, ast.Call) and ast.unparse(node.value) == "Path(__file__)"
            above = "__file__" in ast.unparse(node.value) and not own
            assert not above, ast.unparse(node)
            assert not (own and node.attr == "parents"), ast.unparse(node)

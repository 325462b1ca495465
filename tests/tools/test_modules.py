"""What the modules of a package are, read from a package made up here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each
from tools.modules import Definition, Module, cycles, reachable, read_modules, room_of

Put = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Write the files of a package and return its folder."""

    def write(files: Mapping[str, str]) -> Path:
        folder = tmp_path / "house"
        for name, text in {"__init__.py": "", **files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return folder

    return write


def imports(folder: Path) -> dict[str, set[str]]:
    return {module.name: set(module.imports) for module in read_modules(folder) if module.imports}


def test_a_module_is_named_by_its_place_and_the_root_by_nothing(put: Put) -> None:
    folder = put({"a.py": "", "b/__init__.py": "", "b/c.py": "", "b/note.txt": ""})
    assert [module.name for module in read_modules(folder)] == ["", "a", "b", "b.c"]
    assert [room_of(name) for name in ("a", "b", "b.c")] == ["a", "b", "b"]


@each("line")
def test_what_is_imported_in_any_way_is_imported(put: Put, line: str) -> None:
    folder = put({"a.py": line, "b/__init__.py": "", "b/c.py": ""})
    assert imports(folder) == {"a": {"b.c"}}


@each("line")
def test_others_the_root_itself_and_what_checkers_read_alone_do_not_count(
    put: Put, line: str
) -> None:
    assert imports(put({"a.py": line, "b.py": ""})) == {}


def test_an_import_counts_from_where_it_stands(put: Put) -> None:
    folder = put({
        "b/__init__.py": "from . import c", "b/c.py": "from .d import x\nfrom ..a import y",
        "b/d.py": "", "a.py": "",
    })  # fmt: skip
    assert imports(folder) == {"b": {"b.c"}, "b.c": {"b.d", "a"}}


def test_functions_and_classes_are_named_by_their_place_and_measured_with_docstring(
    put: Put,
) -> None:
    text = (
        '@cache\ndef one():\n    """Say.\n\n    More.\n    """\n\n\n'
        "class Two:\n    async def three(self):\n        def four(): ...\n        return four\n"
        "if True:\n    def five(): ...\n"
    )
    (_, module) = read_modules(put({"a.py": text}))
    assert module.lines == 14
    assert set(module.functions) == {
        Definition("a.one", 5),
        Definition("a.Two.three", 3),
        Definition("a.Two.three.four", 1),
        Definition("a.five", 1),
    }
    assert module.classes == (Definition("a.Two", 4),)


EDGES = st.dictionaries(
    st.sampled_from("abcdef"), st.frozensets(st.sampled_from("abcdef"), max_size=3), min_size=1
).map(lambda found: {name: found.get(name, frozenset()) for name in "abcdef"})


@given(EDGES)
def test_a_cycle_is_what_leads_back_to_each_of_its_members(
    edges: Mapping[str, frozenset[str]],
) -> None:
    modules = [Module(name, 1, edges[name] - {name}, (), ()) for name in edges]
    plain = {module.name: module.imports for module in modules}
    found = cycles(modules)
    members = [name for ring in found for name in ring]
    assert len(members) == len(set(members))
    assert set(members) == {name for name in plain if name in reachable(name, plain)}
    for ring in found:
        assert all(set(ring) <= reachable(name, plain) for name in ring)

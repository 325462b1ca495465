"""What the modules of a package are, read from a package made up here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each
from tools.modules import Module, cycles, reachable, read_modules, room_of


def read(folder: Path, files: Mapping[str, str]) -> tuple[Module, ...]:
    """Write the files of a package and return its modules."""
    for name, text in {"__init__.py": "", **files}.items():
        path = folder / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tuple(read_modules(folder / "house"))


def test_a_module_is_named_by_its_place_and_the_root_by_nothing(tmp_path: Path) -> None:
    found = read(tmp_path, {"a.py": "", "b/__init__.py": "", "b/c.py": "", "b/note.txt": ""})
    assert [module.name for module in found] == ["", "a", "b", "b.c"]
    assert [room_of(name) for name in ("a", "b", "b.c")] == ["a", "b", "b"]


@each("line imported")
def test_what_is_imported_in_any_way_is_imported_but_for_what_checkers_alone_read(
    line: str, imported: list[str], tmp_path: Path
) -> None:
    found = read(tmp_path, {"a.py": line, "b/__init__.py": "", "b/c.py": ""})
    assert {one.name: [*one.imports] for one in found if one.imports} == (
        {"a": imported} if imported else {}
    )


EDGES = st.dictionaries(
    st.sampled_from("abcdef"), st.frozensets(st.sampled_from("abcdef"), max_size=3), min_size=1
).map(lambda found: {name: found.get(name, frozenset()) for name in "abcdef"})


@given(EDGES)
def test_a_cycle_is_what_leads_back_to_each_of_its_members(
    edges: Mapping[str, frozenset[str]],
) -> None:
    modules = [Module(name, edges[name] - {name}) for name in edges]
    plain = {module.name: module.imports for module in modules}
    found = cycles(modules)
    members = [name for ring in found for name in ring]
    assert len(members) == len(set(members))
    assert set(members) == {name for name in plain if name in reachable(name, plain)}
    for ring in found:
        assert all(set(ring) <= reachable(name, plain) for name in ring)

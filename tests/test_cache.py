"""The cache: what is read back is what was kept, and nothing else is ever read."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules import api, cache
from groundrules.claims.document import Document
from groundrules.terms import Report

LEASE = Path(__file__).parents[1] / "examples" / "lease"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path))
    return tmp_path / "kept"


@dataclass(frozen=True)
class Thing:
    nodes: tuple[Node, ...]
    size: float | None
    pairs: tuple[tuple[int, str], ...]
    named: frozenset[str]


nodes = st.one_of(
    st.text(max_size=5).map(Literal),
    st.text("ab", min_size=1).map(lambda text: URIRef(f"urn:{text}")),
    st.integers().map(lambda number: Literal(f"0{number}", datatype=XSD.integer, normalize=False)),
    st.text("ab", min_size=1).map(BNode),
    st.text(max_size=5).map(lambda text: Literal(text, lang="en")),
)
things = st.builds(
    Thing,
    st.lists(nodes).map(tuple),
    st.none() | st.floats(allow_nan=False),
    st.lists(st.tuples(st.integers(), st.text())).map(tuple),
    st.frozensets(st.text()),
)


@given(things)
def test_what_is_packed_is_read_back(thing: Thing) -> None:
    found = cache.unpack(Thing, cache.pack(Thing, thing))
    assert found == thing
    assert [repr(node) for node in found.nodes] == [repr(node) for node in thing.nodes]


@pytest.mark.parametrize(
    "body", [b"[]", b"{}", b"null", b"[[], true, [], []]", b"[[], 1, [[1]], []]"]
)
def test_data_of_another_shape_is_refused(body: bytes) -> None:
    with pytest.raises((ValueError, TypeError)):
        cache.unpack(Thing, body)


def test_a_kept_report_is_the_report(folder: Path) -> None:
    def run(text: str) -> Report:
        report = api.check(text, context=LEASE / "lease.txt")
        return replace(report, run=replace(report.run, times=(), at=""))

    text = (LEASE / "answer.txt").read_text("utf-8")
    first = run(text)
    files = {path: path.read_bytes() for path in folder.iterdir()}
    assert files
    assert run(text) == first
    assert {path: path.read_bytes() for path in folder.iterdir()} == files
    # another text is another check
    assert run(text.replace("Oregon", "Ohio")) != first


@pytest.mark.parametrize("damage", ["cut", "turned", "foreign", "empty", "link"])
def test_a_damaged_or_foreign_file_counts_as_missing(
    damage: str, folder: Path, tmp_path: Path
) -> None:
    name = cache.key(Document, ["a"])
    value = Document("a", "b" * 99)
    cache.write(Document, name, value)
    assert cache.read(Document, name) == value
    raw = (folder / name).read_bytes()
    if damage == "link":
        (folder / name).rename(tmp_path / "other")
        (folder / name).symlink_to(tmp_path / "other")
    else:
        bodies = {
            "cut": raw[:-3],
            "turned": raw[:-3] + b'c"]',
            "foreign": b"\x80\x04K\x01.",
            "empty": b"",
        }
        (folder / name).write_bytes(bodies[damage])
    assert cache.read(Document, name) is None
    assert cache.kept(Document, ["a"], lambda: replace(value, name="new")).name == "new"


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_write_counts_as_missing(folder: Path, mode: int) -> None:
    cache.write(str, "a", "value")
    assert cache.read(str, "a") == "value"
    (folder / "a").chmod(mode)
    assert cache.read(str, "a") is None


def test_files_are_for_their_user_alone(folder: Path) -> None:
    cache.write(Document, "x", Document("a", "b"))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()] == [0o600]


def test_off_keeps_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    cache.write(Document, "x", Document("a", "b"))
    assert cache.read(Document, "x") is None
    assert not folder.exists()


def test_a_folder_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GROUNDRULES_CACHE", str(tmp_path / "file"))
    assert cache.kept(Document, ["a"], lambda: Document("a", "b")).text == "b"


def test_the_oldest_files_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_KEPT", 1000)
    for number in range(9):
        cache.write(Document, f"f{number}", Document("a", "b" * 200))
        os.utime(folder / f"f{number}", (number, number))
        cache.read(Document, "f0")
    left = {path.name for path in folder.iterdir()}
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 1000
    assert {"f0", "f8"} <= left
    assert "f1" not in left


def test_processes_that_write_together_stay_a_share_each_within_the_bound(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 16 * 1000
    monkeypatch.setattr(cache, "MOST_KEPT", most)
    processes: list[dict[Path, int]] = [{}, {}, {}]
    for number in range(300):
        monkeypatch.setattr(cache, "_since", processes[number % 3])
        cache.write(Document, f"f{number}", Document("a", "b" * 200))
        kept = sum(path.stat().st_size for path in folder.iterdir())
        assert kept <= most + len(processes) * most // 16


def test_a_key_tells_its_parts_apart() -> None:
    assert cache.key(Document, ["ab", "c"]) != cache.key(Document, ["a", "bc"])
    assert cache.key(Document, ["ab"]) != cache.key(Report, ["ab"])

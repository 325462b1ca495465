"""The store of results, and what it answers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rdflib.graph import Dataset

import groundrules
from groundrules.audit import store
from groundrules.cli.query import encode
from groundrules.config import Config
from groundrules.dataset import Result, TripleStore
from groundrules.errors import RuleError, SourceError
from groundrules.explain.formats import Look, rdf
from groundrules.explain.graph import describe, name_of, stated
from groundrules.explain.vocabulary import VOCABULARIES
from groundrules.kb.sources.triplestore import build_store
from groundrules.terms import Outcome, Override, Report, Run
from tests.audit.reports import reports
from tests.explain import cases
from tests.kb.test_own_graph import DATA

ALL = "SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } }"


def add(folder: Path, found: Iterable[Report]) -> int:
    """Add reports of which nobody knows where their texts stood."""
    return store.add(folder, ((one, store.Given()) for one in found))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = tmp_path_factory.mktemp("results") / "store"
    add(result, reports())
    return result


@pytest.fixture(scope="module")
def opened(folder: Path) -> TripleStore:
    return store.open_to_read(folder)


def rows(opened: TripleStore, query: str) -> Result:
    return opened.ask(query, VOCABULARIES, 100_000)


def all_of(folder: Path) -> set[tuple[object, ...]]:
    return set(rows(store.open_to_read(folder), ALL).rows)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
def test_a_store_has_what_trig_has_under_a_name_with_its_time(tmp_path: Path) -> None:
    (report,) = reports()[:1]
    add(tmp_path / "store", [report])
    undated, dated = (str(name_of(report, dated=one))[-32:] for one in (False, True))
    text = rdf.render_trig([report], Look()).replace(undated, dated)

    read = {(g, s, p, o) for s, p, o, g in Dataset().parse(data=text, format="trig").quads()}

    assert len(all_of(tmp_path / "store")) == len(read)
    assert {one[0] for one in all_of(tmp_path / "store")} == {one[0] for one in read}


def test_what_is_added_twice_is_there_once(tmp_path: Path) -> None:
    assert add(tmp_path / "store", reports()) == len(reports())
    before = all_of(tmp_path / "store")

    assert add(tmp_path / "store", reports()) == 0
    assert all_of(tmp_path / "store") == before


def test_one_after_the_other_is_all_at_once(tmp_path: Path) -> None:
    add(tmp_path / "all", reports())
    for report in reversed(reports()):
        add(tmp_path / "each", [report])

    assert all_of(tmp_path / "each") == all_of(tmp_path / "all")


def test_what_is_decided_later_takes_the_place_of_what_was(tmp_path: Path) -> None:
    report = cases.lease()
    decided = replace(
        report, overrides=(Override(report.violations[0].fingerprint, "override", "no", "Ann"),)
    )
    add(tmp_path / "store", [report])

    assert add(tmp_path / "store", [decided]) == 1
    add(tmp_path / "fresh", [decided])
    assert all_of(tmp_path / "store") == all_of(tmp_path / "fresh")


def test_a_store_that_was_cut_short_is_made_whole_by_the_same_call(tmp_path: Path) -> None:
    report = cases.lease()
    add(tmp_path / "store", [report])
    whole = all_of(tmp_path / "store")
    (tmp_path / "store" / "SHA256SUMS").unlink()  # as every call does before it writes
    part = TripleStore(tmp_path / "store" / "graph", write=True)
    part.replace(name_of(report, dated=True), describe(report, dated=True)[::2])
    part.close()
    assert all_of(tmp_path / "store") != whole

    assert add(tmp_path / "store", [report]) == 1
    assert all_of(tmp_path / "store") == whole


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann", encoding="utf-8")

    with pytest.raises(SourceError, match="expected a new or empty folder"):
        add(tmp_path, reports())
    with pytest.raises(SourceError, match="expected a new or empty folder"):
        add(tmp_path / "letter.txt", reports())
    assert [one.name for one in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        (None, "not a store of results"),
        ("{", "damaged"),
        ("[1]", "written by another version"),
        ('{"schema": 99}', "written by another version"),
    ],
)
def test_what_is_no_store_is_told_in_a_line(mark: str | None, message: str, tmp_path: Path) -> None:
    if mark is not None:
        (tmp_path / "results.json").write_text(mark, encoding="utf-8")

    with pytest.raises(SourceError, match=message):
        store.ask(tmp_path, "ASK {}")


def test_a_store_that_is_written_to_is_not_read(folder: Path) -> None:
    import subprocess
    import sys

    # a lock is that of a process
    code = f"import fcntl, sys\nlock = open({str(folder / 'graph' / 'LOCK')!r}, 'rb+')\n" \
           "fcntl.lockf(lock, fcntl.LOCK_EX)\nprint(flush=True)\nsys.stdin.read()"  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        with pytest.raises(SourceError, match="another process is writing"):
            store.ask(folder, "ASK {}")
        writer.communicate()


@pytest.mark.parametrize("name", store.named_queries())
def test_a_query_that_ships_has_rows_and_answers_as_its_example(
    name: str, opened: TripleStore
) -> None:
    query = store.named_queries()[name]
    found = rows(opened, query.text)

    assert found.rows
    assert query.question.endswith(("?", "."))
    head, _, *shown = (
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in
        query.example.splitlines()
    )  # fmt: skip
    assert head == list(found.columns)
    assert shown == [["" if cell is None else str(cell) for cell in row] for row in found.rows]


@pytest.mark.parametrize("kb", ["file", "folder", "store"])
def test_what_a_graph_states_is_pinned_by_its_digest(kb: str, tmp_path: Path) -> None:
    path = source = tmp_path / "facts.ttl"
    path.write_bytes((DATA / "curie.ttl").read_bytes())
    if kb == "folder":
        source = tmp_path / kb
        source.mkdir()
        path.rename(source / path.name)
    elif kb == "store":
        source = tmp_path / kb
        build_store([path], source)
    said = "Marie Curie was born in Warsaw in 1877."
    found = groundrules.check(said, config=Config(kb=(str(source),)))
    add(tmp_path / "results", [found])
    opened = store.open_to_read(tmp_path / "results")

    assert rows(opened, "SELECT ?p { GRAPH ?g { ?e a gr:Evidence ; gr:pin ?p } }").rows
    assert not rows(opened, store.named_queries()["evidence-without-a-place"].text).rows


def test_ten_queries_ship() -> None:
    assert len(store.named_queries()) == 10


def test_what_a_text_states_is_no_result(tmp_path: Path) -> None:
    """A text that says in our own words that it is a report is none."""
    report = cases.lease()
    forged = next(iter(describe(report)))
    claims = (replace(report.claims[0], triple=forged),)
    add(tmp_path / "store", [Report("forged.txt", report.text, claims=claims)])
    opened = store.open_to_read(tmp_path / "store")

    found = rows(opened, "SELECT ?report { GRAPH ?g { ?report a gr:Report } }")

    assert len(found.rows) == 1
    assert not stated(Report("forged.txt", report.text, claims=claims))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "1:1: not SPARQL at 'INSERT'"),
        ("DELETE WHERE { GRAPH ?g { ?s ?p ?o } }", "not SPARQL"),
        ("SELECT * { SERVICE <http://x.example/> { ?s ?p ?o } }", "1:12: SERVICE is refused"),
        ("SELECT * {\n ?s ?p }", "2:2: not SPARQL"),
    ],
)
def test_what_changes_something_or_reaches_out_is_refused(
    query: str, message: str, opened: TripleStore
) -> None:
    with pytest.raises(RuleError, match=re.escape(message)):
        rows(opened, query)


def test_a_query_runs_in_a_process_of_its_own_and_says_the_same(
    folder: Path, opened: TripleStore
) -> None:
    for query in (
        "SELECT ?s ?p ?o { GRAPH ?g { ?s ?p ?o } } ORDER BY ?s ?p ?o",
        "SELECT ?a (0 AS ?b) (false AS ?c) ('x'@en AS ?d) { VALUES ?a { UNDEF '' } }",
    ):
        assert encode(store.ask(folder, query)) == encode(rows(opened, query))
    assert store.ask(folder, "ASK { GRAPH ?g { ?report a gr:Report } }").yes


def test_only_so_many_rows_are_read(folder: Path) -> None:
    query = "CONSTRUCT { ?s a ?kind } WHERE { GRAPH ?g { ?s a ?kind } }"
    found = store.ask(folder, query, most=3)

    assert (len(found.rows), found.whole, found.form) == (3, False, "construct")
    assert found.columns == ("subject", "predicate", "object")


def test_what_takes_too_long_is_ended(folder: Path) -> None:
    patterns = " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(9))
    query = f"SELECT (COUNT(*) AS ?n) {{ GRAPH ?g {{ {patterns} }} }}"

    with pytest.raises(SourceError, match="no answer within 3 s"):
        store.ask(folder, query, seconds=3)


def test_a_bad_query_is_told_with_its_file_and_place(folder: Path) -> None:
    with pytest.raises(RuleError, match=r"^mine.rq:1:1: not SPARQL at 'DROP'; expected SELECT"):
        store.ask(folder, "DROP ALL", path="mine.rq")


def test_values_come_back_as_they_are_kept(tmp_path: Path) -> None:
    """Numbers and times are kept as values: the store may write them another way."""
    report = reports()[3]
    add(tmp_path / "store", [report])
    (row,) = store.ask(
        tmp_path / "store", "SELECT ?at { GRAPH ?g { ?run prov:startedAtTime ?at } }"
    ).rows

    assert [str(cell) for cell in row] == ["2026-03-02T09:30:00Z"]


def test_an_edit_that_the_last_check_no_longer_proposes_is_made(tmp_path: Path) -> None:
    report = cases.lease()
    later = replace(report, violations=(), run=replace(report.run, at="2026-03-02T09:30:00Z"))
    query = store.named_queries()["edits-not-yet-made"].text
    add(tmp_path / "store", [report])
    assert rows(store.open_to_read(tmp_path / "store"), query).rows

    add(tmp_path / "store", [later])
    assert not rows(store.open_to_read(tmp_path / "store"), query).rows


def test_a_statement_that_another_run_decided_is_decided(tmp_path: Path) -> None:
    report = cases.policy()
    query = store.named_queries()["statements-never-decided"].text
    add(tmp_path / "store", [report])
    open_ones = {str(row[1]) for row in rows(store.open_to_read(tmp_path / "store"), query).rows}
    quakers = next(s for s in report.statements if "Quakers" in s.text)
    assert quakers.text in open_ones

    found = tuple(
        replace(s, outcome=Outcome.REFUTED) if s is quakers else s for s in report.statements
    )
    again = replace(report, statements=found, run=Run(at="2026-03-02T09:30:00Z"))
    add(tmp_path / "store", [again])
    now = {str(row[1]) for row in rows(store.open_to_read(tmp_path / "store"), query).rows}
    assert now == open_ones - {quakers.text}


def test_a_bit_flipped_anywhere_in_a_store_is_found_and_nothing_is_added_to_it(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "store"
    add(folder, reports())
    draw = random.Random(1)
    for path in [one for one in folder.rglob("*") if not one.name.startswith(("LOG", "LOCK"))]:
        data = path.read_bytes() if path.is_file() else b""
        if not data:
            continue
        flipped = bytearray(data)
        flipped[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        path.write_bytes(flipped)
        with pytest.raises(SourceError):
            add(folder, reports())
        with pytest.raises(SourceError, match=r"changed|damaged|another version"):
            store.open_to_read(folder)
        path.write_bytes(data)
    assert not add(folder, reports())


def test_what_was_broken_off_goes_on_with_the_same_call(tmp_path: Path) -> None:
    folder = tmp_path / "store"

    def broken() -> Iterator[Report]:
        yield from reports()[:1]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add(folder, broken())
    assert add(folder, reports()) == len(reports()) - 1

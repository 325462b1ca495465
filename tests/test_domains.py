"""Domains and the other doors: a second field, ferries, comes in as law does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal, URIRef

from groundrules import Config, check, domain
from groundrules.cache import stamp
from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.names.names import Name, find_names
from groundrules.claims.names.resolve import resolve
from groundrules.claims.values.equivalence import compare
from groundrules.claims.values.value_reader import Value, find_values
from groundrules.cli.main import main
from groundrules.errors import ConfigError
from groundrules.kb.records.questions import kinds
from groundrules.kb.search.texts import vocabulary
from groundrules.kb.sources.connect import connect
from groundrules.kb.sources.triplestore import build_store, form_of, read_build
from groundrules.terms import ENTITY, GR, Report, mint
from tests.installed import register

GUEST = Path(__file__).parent / "domains"
PAGE = (Path(__file__).parents[1] / "docs" / "how-to" / "plugins.md").read_text(encoding="utf-8")
LEASE = Path(__file__).parents[1] / "examples" / "ontology" / "lease"
TIMETABLE = "Clansman | Oban | Craignure\nIsle of Mull | Wemyss | Rothesay\n"


@pytest.fixture
def ferries(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the ferries installed."""
    monkeypatch.syspath_prepend(str(GUEST))
    find_values.cache_clear()
    yield
    find_values.cache_clear()


@pytest.fixture
def timetable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("west.timetable").write_text(TIMETABLE)
    return Path("west.timetable")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main([*arguments])
    out, err = capsys.readouterr()
    return code, out, err


# ---------------------------------------------------------------- the guest


def test_nobody_but_law_is_at_home() -> None:
    assert domain.names() == ("legal",)
    assert domain.built_in() == "legal"


@pytest.mark.usefixtures("ferries")
def test_a_check_under_its_ontology_finds_its_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "answer.txt"
    text.write_text("Clansman sails from Oban to Oban. Bute sails from Wemyss to Rothesay.")

    code, out, _ = said(
        capsys, "check", str(text), "--ontology", "ferries", "--output-format", "lines"
    )

    assert (code, out) == (1, f"{text}\tFER001\tClansman sails from Oban to Oban\n")
    # its ontology, lexicon, format and the tests of its rules are found by its name
    report = check("Anna Larsen is bound for Craignure.", config=Config(ontology="ferries"))
    assert any("ferries: 1 assertions (1 lexical" in note for note in report.run.notes)
    assert "|turtle|trig|jsonld|lines" in " ".join(said(capsys, "check", "--help")[1].split())
    assert said(capsys, "test", "ferries")[1] == "2 tests of 1 rules: 0 failures\n"
    checked = said(capsys, "ontology", "check", "ferries", "--reasoner", "none")
    assert checked[1].startswith("ferries: ")
    assert {str(kind.property).partition("#")[0] for kind in kinds()} >= {
        "https://example.org/ferries", "https://w3id.org/groundrules/legal",
    }  # fmt: skip
    assert "https://example.org/ferries#Ferry" in vocabulary().first


def test_what_it_reads_and_how_it_compares_is_gone_with_it() -> None:
    (found,) = resolve([extract(from_text("Clansman lies at berth 2b.", "t"))])
    berth = URIRef("https://example.org/ferries#berth")

    assert "moor at" not in [found.labels[claim.triple.predicate] for claim in found.claims]
    assert "skipper" not in domain.words().roles
    assert names_of("skipper")
    assert compare(*(Literal(text, datatype=berth) for text in ("2b", "3b"))) == "incomparable"


def test_what_was_kept_is_not_used_once_another_domain_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = stamp()
    monkeypatch.syspath_prepend(str(GUEST))

    assert stamp() != before


@pytest.mark.usefixtures("ferries")
def test_its_readers_read_any_text() -> None:
    text = "The MV Clansman came in. Clansman lies at berth 2b. The ferry left."

    (found,) = resolve([extract(from_text(text, "t"))])

    said = [found.labels[claim.triple.predicate] for claim in found.claims]
    assert "moor at" in said
    assert "2b" in [str(claim.triple.object) for claim in found.claims]
    assert mint(ENTITY, "ferry") not in {mention.node for mention in found.mentions}


@pytest.mark.usefixtures("ferries")
def test_its_words_stand_beside_those_of_law() -> None:
    words = domain.words()

    assert {"skipper", "landlord"} <= words.roles
    assert {("skipper", "stowaway"), ("landlord", "tenant")} <= {*words.rivals}
    assert words.opposites["tide"] == (("ebb",), ("flood",))
    assert ("harbour*", "haven") in words.meanings
    assert not names_of("skipper")
    assert names_of("bosun")


def names_of(word: str) -> tuple[Name, ...]:
    """Return what is named where the recogniser takes a word for a person."""
    found = find_names(["the", word.title(), "came"], entities=[(1, 2, "PERSON")])
    return tuple(name for name in found if name.layer == "ner")


@pytest.mark.usefixtures("ferries")
def test_its_records_are_built_and_asked(
    timetable: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert form_of(timetable) == "timetable"
    build_store([timetable], Path("store"))
    assert said(capsys, "kb", "index", "store", "--texts")[0] == 0

    code, out, _ = said(capsys, "ask", "Where does Isle of Mull sail?", "--kb", "store")
    by_name = said(capsys, "check", *answers("The Clansman sails to Oban."), "--kb", "store")

    assert code == 0
    assert out.startswith("Isle of Mull sails to Rothesay. [1]\n")
    assert "west.timetable: record 2" in out
    assert "has Craignure as “sails to” of Clansman, not Oban" in by_name[1]


@pytest.mark.usefixtures("ferries")
def test_a_store_is_checked_under_the_domain_whose_terms_it_uses(
    timetable: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    timetable.write_text("Clansman | Oban | Oban\n")
    patents = Path(__file__).parents[1] / "examples" / "records" / "patents.xml"
    for name, source in (("ships", timetable), ("patents", patents)):
        build_store([source], Path(name))
    Path("foreign.ttl").write_text("<https://e.org/a> <https://e.org/b> <https://e.org/c> .\n")

    ships, law = (said(capsys, "kb", "check", name)[1] for name in ("ships", "patents"))
    code, _, err = said(capsys, "kb", "check", "foreign.ttl")

    assert "FER001" in ships
    assert "LAW053" in law
    assert code == 2
    assert "foreign.ttl: has no term of a domain (ferries, legal); expected --ontology" in err


def answers(text: str) -> tuple[str]:
    Path("answer.txt").write_text(text)
    return ("answer.txt",)


@pytest.mark.usefixtures("ferries", "timetable")
def test_its_source_is_opened_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ("--ontology", "ferries", "--output-format", "concise")

    def checked(text: str) -> tuple[int, str, str]:
        return said(capsys, "check", *answers(text), "--kb", "ferries:west.timetable", *wanted)

    wrong = checked("The Clansman sails to Oban.")
    right = checked("The Clansman sails to Craignure.")

    assert (wrong[0], right[0]) == (1, 0)
    assert "KB401" in wrong[1]


@pytest.mark.usefixtures("ferries", "timetable")
def test_a_file_opens_no_source_of_a_guest_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    Path("groundrules.toml").write_text('kb = ["ferries:west.timetable"]\n')

    code, _, err = said(capsys, "check", *answers("Bute sails."))

    assert code == 2
    assert "a file reaches no network by itself" in err


# ---------------------------------------------------------------- the page on plugins


def blocks(language: str) -> list[str]:
    """Return the blocks of docs/how-to/plugins.md in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_what_the_page_on_plugins_shows_works_at_every_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "shown.py").write_text("\n".join(blocks("python")))
    (tmp_path / "ferries.ttl").write_text((GUEST / "ferries" / "ferries.ttl").read_text())
    lexicon, questions = blocks("toml")
    (tmp_path / "ferries.lexicon.toml").write_text(lexicon)
    (tmp_path / "questions.toml").write_text(questions)
    doors = {"domains": "DOMAIN", "record_formats": "FLEET", "sources": "open_fleet"}
    names = {"domains": "ferries", "record_formats": "fleet", "sources": "fleet"}
    entries = {f"groundrules.{door}": {names[door]: f"shown:{doors[door]}"} for door in doors}
    register(tmp_path, {**entries, "groundrules.formats": {"lines": "shown:render"}})
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    Path("west.fleet").write_text("Clansman\nBute\n")

    extraction = extract(from_text("It rained. Moore is master of Clansman.", "t"))
    captains = [one for one in extraction.claims if one.triple.subject == mint(ENTITY, "Moore")]
    text = "Bute calls at Oban. Anna Larsen is bound for Craignure."
    terms = check(text, config=Config(ontology="ferries")).assertions
    build_store([Path("west.fleet")], Path("store"))
    fleet = connect("fleet:west.fleet", now=datetime.now(UTC)).named(["Clansman"])["Clansman"]
    Path("lease.txt").write_text("The rent is $4,850 per month.")
    wrong = ("check", *answers("The rent is $5,850 per month."), "--context", "lease.txt")
    code, out, _ = said(capsys, *wrong, "--output-format", "lines")
    assert ("be master of", 1) in [
        (extraction.labels[one.triple.predicate], one.sentence) for one in captains
    ]
    assert [str(one.triple.predicate).partition("#")[2] for one in terms].count("to") == 2
    assert read_build(Path("store")).statements
    assert isinstance(fleet, tuple)
    assert [one.label for one in fleet] == ["Clansman"]
    assert code == 1
    assert out.startswith("answer.txt\tGR")


@pytest.mark.usefixtures("ferries")
def test_law_reads_as_it_does_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    both = {name: (LEASE / name).read_text("utf-8") for name in ("answer.txt", "lease.txt")}

    def read() -> Report:
        text, source = (from_text(body, name) for name, body in both.items())
        report = check(text, context=source, config=Config(ontology="legal"))
        return replace(report, run=replace(report.run, times=(), at=""))

    together = read()
    monkeypatch.undo()

    assert domain.names() == ("legal",)
    assert read() == together


@pytest.mark.usefixtures("ferries")
@pytest.mark.parametrize(
    ("one", "other", "how"),
    [("2b", "2b", "equal"), ("2b", "3b", "disjoint"), ("2b", "2c", "incomparable")],
)
def test_values_of_a_kind_compare_as_their_domain_says(one: str, other: str, how: str) -> None:
    berth = URIRef("https://example.org/ferries#berth")
    claimed, known = (Literal(text, datatype=berth) for text in (one, other))
    assert compare(claimed, known) == how


def test_a_value_of_a_kind_that_was_not_declared_is_a_fault_of_its_domain() -> None:
    literal = Literal("2b", datatype=GR.section)
    guest = domain.Domain(
        name="legal", ontology=Path("x"), values=(lambda text: [Value(0, 2, "SECTOIN", literal)],)
    )
    with (
        patch("groundrules.claims.values.value_reader.domains", lambda: [guest]),
        pytest.raises(ConfigError, match=r"unknown kind 'SECTOIN'.*SECTION"),
    ):
        find_values.__wrapped__("2b")


spans = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 12)), max_size=8)


@given(spans, spans)
def test_values_of_domains_are_sorted_and_apart_whatever_their_finders_yield(
    one: list[tuple[int, int]], other: list[tuple[int, int]]
) -> None:
    def finder(found: list[tuple[int, int]]) -> Callable[[str], list[Value]]:
        literal = Literal("2b", datatype=GR.section)
        return lambda text: [Value(at, at + size, "SECTION", literal) for at, size in found]

    guests = [
        domain.Domain(name=name, ontology=Path(name), values=(finder(found),))
        for name, found in (("one", one), ("other", other))
    ]
    text = "on 3 May 2024 and for $40 in 7 days, 5 % of 30 kg more"
    with patch("groundrules.claims.values.value_reader.domains", lambda: guests):
        found = find_values.__wrapped__(text)

    assert all(a.end <= b.start for a, b in pairwise(found))
    spans = {(value.start, value.end) for value in found}
    assert bool(one or other) == any((at, at + size) in spans for at, size in (*one, *other))

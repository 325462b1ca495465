"""Tables of one's own: each question answered from their columns by SPARQL, or refused by name."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from rdflib.namespace import RDF
from rdflib.term import Literal, URIRef

from groundrules import api
from groundrules.checks.answers import Response
from groundrules.config import Config
from groundrules.dataset import Dataset
from groundrules.kb.columns import Column
from groundrules.kb.found import compose
from groundrules.kb.lookups import Lookup
from groundrules.kb.pieces import Condition, Side
from groundrules.kb.query import fill
from groundrules.kb.source import Property
from groundrules.kb.triplestore import build_store
from groundrules.terms import Triple

DATA = Path(__file__).parent / "data" / "tables"


def told(name: str) -> list[dict[str, Any]]:
    return list(tomllib.loads((DATA / name).read_text("utf-8"))["question"])


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    for name in ("lighthouses", "grants", "firms", "bridges", "staff", "lakes"):
        build_store([DATA / f"{name}.csv"], folder / name, mapping=DATA / f"{name}.toml")
    build_store([DATA / "sea.ttl"], folder / "sea")
    return folder


def ask(stores: Path, table: str, question: str) -> Response:
    return api.ask(question, config=Config(kb=(str(stores / table),)))


#: Answerable, and not read: "received" and "made of" are no words of the column, and could be other
#: relations.
MISSED = {"Which university received Glass Rivers?", "Are all bridges made of steel?"}


@pytest.mark.parametrize(
    "question",
    [
        one
        for name in ("questions", "held", "steps", "held_steps", "every")
        for one in told(f"{name}.toml")
    ],
    ids=lambda one: one["asks"],
)
def test_a_question_is_answered_from_columns_or_refused_by_the_word(
    stores: Path, question: dict[str, Any]
) -> None:
    found = ask(stores, question["table"], question["asks"])
    if question["asks"] in MISSED:
        assert (found.values, bool(found.refusal)) == ((), True)
    elif "lacks" in question:
        assert found.values == ()
        assert f"“{question['lacks']}”" in found.refusal
    else:
        assert sorted(found.values) == sorted(question["answer"])
        assert all(query.startswith("SELECT") for query in found.queries)
        assert found.queries


@pytest.mark.parametrize(
    ("table", "question", "values"),
    [
        ("lighthouses", "Which lighthouse was lit first?", ["Brandy Head"]),
        ("lighthouses", "Are all lighthouses active?", ["no"]),
        ("lighthouses", "Were all lighthouses lit before 1950?", ["yes"]),
        ("lighthouses", "Which lighthouse in Calder is the tallest?", ["North Teal"]),
        ("lighthouses", "Who is Low Marl's keeper?", ["Ines Rowe"]),
        ("lighthouses", "In which county is Low Marl?", ["Wester Isles"]),
        ("lighthouses", "Are there lighthouses in Wester Isles?", ["yes"]),
        ("lighthouses", "Which lighthouses are kept by ewan pratt?",
         ["Brandy Head", "Skerry Point"]),
        ("lighthouses", "Which lighthouses were lit between 1840 and 1860?",
         ["Low Marl", "Skerry Point"]),
        ("lighthouses", "Which lighthouses are taller than 30 and in Calder?", ["North Teal"]),
        ("lighthouses", "Is Gull Rock a lighthouse?", ["yes"]),
        ("lighthouses", "Was Gull Rock automated before 1980?", ["yes"]),
        ("lighthouses", "Where is Gull Rock?", ["Harrowshire"]),
        ("firms", "Is Pell Bakery Ltd the parent of Tarn Optics Ltd?", ["no"]),
        ("firms", "Is Northgate Mills plc the parent company of Tarn Optics Ltd?", ["yes"]),
        ("firms", "How many directors does Northgate Mills plc have?", ["3"]),
        ("firms", "Was Pell Bakery Ltd incorporated on 12 February 1974?", ["no"]),
        ("grants", "Which grants have an amount over 300,000?", ["Kelp at Night"]),
    ],
)  # fmt: skip
def test_rows_are_chosen_by_all_that_is_said_of_them(
    stores: Path, table: str, question: str, values: list[str]
) -> None:
    assert sorted(ask(stores, table, question).values) == values


@pytest.mark.parametrize(
    ("table", "question", "why"),
    [
        ("lighthouses", "Which lighthouses are not in Calder or Harrowshire?", "“or”"),
        ("lighthouses", "Are all the keepers of Gull Rock old?", "“old”"),
        ("lighthouses", "Who was the first keeper of Gull Rock?", "“first”"),
        ("lighthouses", "Which lighthouses did Ewan Pratt keep before 1850?", "“before 1850”"),
        ("lighthouses", "Who keeps the tallest lighthouse?", "one thing"),
        ("lighthouses", "Was Gull Rock automated after 3 May 1979?", "not exact enough"),
        ("lighthouses", "Was North Teal automated in 1980?", "nothing of North Teal under"),
        ("lighthouses", "Which county has the most lighthouses?", "“most”"),
        ("lighthouses", "Is Mary Lowe a lighthouse?", "do not say"),
        ("lighthouses", "Why was Gull Rock lit?", "no question of"),
        ("firms", "Where is Joan Marsh?", "no column"),
        ("firms", "Did Anil Sethi direct Pell Bakery Ltd in 2010?", "several things"),
        ("firms", "Is Tarn Optics Ltd the parent of Northgate Mills plc?", "nothing of Northgate"),
        ("firms", "Does Vale Freight Ltd have more than 100 employees?", "nothing of Vale"),
        ("firms", "Who employs Joan Marsh?", "“employs”"),
        ("firms", "Which companies register in Leeds?", "“register”"),  # of "registered office"
        ("firms", "When was Hollow Tree Ltd incorporated?", "nothing called “Hollow Tree Ltd”"),
        ("grants", "Which university holds Coral Memory?", "“holds”"),
        ("grants", "Who holds grants in glaciology?", "one thing"),
    ],
)
def test_what_is_not_read_whole_or_not_stated_has_no_answer(
    stores: Path, table: str, question: str, why: str
) -> None:
    found = ask(stores, table, question)

    assert (found.values, found.sentences, found.exit_code) == ((), (), 1)
    assert why in found.refusal


def test_rows_that_lack_the_column_are_told_beside_a_count(stores: Path) -> None:
    found = ask(stores, "firms", "How many companies have more than 100 employees?")

    assert found.values == ("2",)
    assert found.sentences[-1].text == "Not counted: 1 (company) with nothing under “employees”."


def test_each_row_of_an_answer_cites_its_record(stores: Path) -> None:
    found = ask(stores, "lighthouses", "Which lighthouses are in Calder?")

    places = {place.file for one in found.grounds for place in one.places}
    assert places == {"lighthouses.csv"}
    assert [one.cites for one in found.sentences] == [(1,), (2,)]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("When was Harrow Foods plc incorporated?", ["1987-03-02"]),
        ("Is Lena Fischer a director of Belmont Tools Ltd?", ["yes"]),
        ("Is Lena Fischer a director of Harrow Foods plc?", ["no"]),
        ("Which firms are registered in Leeds?", ["Harrow Foods plc"]),
        ("Who founded Harrow Foods plc?", []),
    ],
)
def test_a_graph_that_names_its_things_by_its_own_properties_is_asked_too(
    tmp_path: Path, question: str, values: list[str]
) -> None:
    build_store([DATA.parent / "firms.ttl"], tmp_path / "firms")
    found = ask(tmp_path, "firms", question)

    assert sorted(found.values) == values
    assert bool(found.refusal) is not bool(values)


HEIGHT = Column(URIRef("urn:height"), "height", Property(URIRef("urn:height")), (("height",),))


@pytest.mark.parametrize(
    ("side", "bound", "kept"),
    [
        ("=", "1979", {"1979", "1979-05-03"}),
        ("=", "1979-05", {"1979-05-03"}),
        ("<", "1980", {"1979", "1979-05-03"}),
        ("<", "1979-06-01", {"1979-05-03"}),
        (">", "1979", {"1981"}),
        (">", "1979-05-02", {"1979-05-03", "1981"}),
        (">=", "1979-05-03", {"1979-05-03", "1981"}),
        ("<=", "1979", {"1979", "1979-05-03"}),
    ],
)
def test_a_day_is_chosen_only_where_all_that_it_may_be_fits(
    side: Side, bound: str, kept: set[str]
) -> None:
    store = Dataset()
    for number, day in enumerate(("1979", "1979-05-03", "1981")):
        row = URIRef(f"urn:{number}")
        store.add([Triple(row, RDF.type, URIRef("urn:T")), Triple(row, HEIGHT.iri, Literal(day))])
    lookup = Lookup("rows", (), URIRef("urn:T"), (Condition(HEIGHT, side, Literal(bound)),))
    assert {str(row["v0"]) for row in store.query(fill(compose(lookup)))} == kept


def test_terms_of_a_question_go_through_blocks_alone() -> None:
    attack = Literal('" } DROP ALL #')
    lookup = Lookup("rows", (), URIRef("urn:T"), (Condition(HEIGHT, "is", attack),))
    query = compose(lookup)

    assert "DROP" not in query.text
    assert Dataset().query(fill(query)) == []

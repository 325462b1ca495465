"""A graph of one's own, asked by texts: its labels are enough, no lexicon is written for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules import Config, Report, check
from groundrules.kb.sources.connect import connect
from groundrules.kb.sources.literals import in_words
from groundrules.terms import GR
from tests.kb.tables import TABLES
from tests.kb.test_connect import NOW

DATA = Path(__file__).parent / "data"


@pytest.fixture
def graph() -> str:
    return str(DATA / "curie.ttl")


def asked(graph: str, text: str) -> Report:
    return check(text, config=Config(kb=(graph,)))


def test_a_list_of_names_gives_a_claim_of_each(graph: str) -> None:
    report = asked(
        graph, "Marie Curie won the Nobel Prize in Physics and the Nobel Prize in Chemistry."
    )
    named = {report.labels[one.triple.object] for one in report.claims}
    assert {"Nobel Prize in Physics", "Nobel Prize in Chemistry"} <= named
    assert [one.outcome.value for one in report.verdicts] == ["supported"] * 2


def test_names_are_found_in_a_text_without_an_index(graph: str) -> None:
    connection = connect(graph, now=NOW)
    text = "She says that unit QX-7 has an award for Marie Curie."
    found = [text[start:end] for start, end in connection.spot(text)]
    # no pronoun, whatever is so called, and no property
    assert found == ["unit QX-7", "Marie Curie"]


def messages(report: Report) -> list[str]:
    return [one.message for one in report.verdicts]


def test_the_place_of_a_birth_does_not_carry_its_year(graph: str) -> None:
    place, year = asked(graph, "Marie Curie was born in Warsaw in 1877.").verdicts
    assert (place.outcome.value, year.outcome.value) == ("supported", "refuted")
    assert place.claim.time is None  # the year is a claim of its own
    (award,) = asked(graph, "Marie Curie won the Fields Medal in 1903.").verdicts
    assert award.outcome.value == "not_enough_info"
    (prize,) = asked(graph, "Marie Curie won the Nobel Prize in Physics in 1903.").verdicts
    assert (prize.outcome.value, prize.reason) == ("not_enough_info", "KB311")


def test_a_denial_of_place_and_year_together_is_not_one_of_the_place(graph: str) -> None:
    report = asked(graph, "Marie Curie was not born in Warsaw in 1877.")
    assert "refuted" not in [one.outcome.value for one in report.verdicts]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The Eiffel Tower is 330 metres high.",
         ", which cannot be compared with 330 metres: the source gives no unit"),
        ("The Eiffel Tower is 250 metres high.",
         ", which cannot be compared with 250 metres: the source gives no unit"),
        ("The height of the Eiffel Tower is 330.", ""),
    ],
)  # fmt: skip
def test_a_number_without_a_unit_is_told_as_such(graph: str, text: str, said: str) -> None:
    assert messages(asked(graph, text)) == [f"curie.ttl has 330 as “height” of Eiffel Tower{said}"]


def test_a_list_goes_on_after_later(graph: str) -> None:
    text = "Marie Curie won the Nobel Prize in Physics and later the Fields Medal."
    assert [one.outcome.value for one in asked(graph, text).verdicts] == [
        "supported", "not_enough_info",
    ]  # fmt: skip


# ---------------------------------------------------------------- axioms of one's own

TERMS = """\
@prefix ex: <http://ex/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:manages a owl:ObjectProperty , owl:FunctionalProperty , owl:IrreflexiveProperty ;
  owl:inverseOf ex:managedBy ; rdfs:label "manages" .
ex:managedBy a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:label "managed by" .
ex:badge a owl:ObjectProperty , owl:InverseFunctionalProperty ; rdfs:label "carries badge" .
ex:Person a owl:Class ; rdfs:label "person" ; owl:disjointWith ex:Department .
ex:Chief a owl:Class ; rdfs:label "chief" ; rdfs:subClassOf ex:Person .
ex:Department a owl:Class ; rdfs:label "department" .
ex:Quoll a owl:Class ; rdfs:label "quoll" ; owl:disjointWith ex:Person .
ex:ledBy a owl:ObjectProperty , owl:FunctionalProperty ; owl:inverseOf ex:leads .
ex:leads a owl:ObjectProperty ; rdfs:label "leads" .
"""
THINGS = """\
@prefix ex: <http://ex/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:ann a ex:Chief ; rdfs:label "Ann" ; ex:manages ex:sales ; ex:badge ex:b1 .
ex:bob a ex:Person ; rdfs:label "Bob" .
ex:sales a ex:Department ; rdfs:label "Sales" . ex:legal a ex:Department ; rdfs:label "Legal" .
ex:b1 rdfs:label "Badge 17" . ex:legal ex:ledBy ex:ann . ex:mip a ex:Quoll ; rdfs:label "Mip" .
"""
#: What is said, and by which rule it is judged.
JUDGED = TABLES["axioms judge what the labels of terms say"]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Config]:
    """Return the configurations that have terms and things in one file, or in two."""
    folder = tmp_path_factory.mktemp("axioms")
    (folder / "all.ttl").write_text(TERMS + THINGS, encoding="utf-8")
    (folder / "terms.ttl").write_text(TERMS, encoding="utf-8")
    (folder / "things.ttl").write_text(THINGS, encoding="utf-8")
    return {
        "one file": Config(kb=(str(folder / "all.ttl"),)),
        "an ontology": Config(ontology=str(folder / "all.ttl")),
        "terms alone": Config(ontology=str(folder / "terms.ttl")),
        "two files": Config(kb=(str(folder / "things.ttl"),), ontology=str(folder / "terms.ttl")),
    }


@pytest.mark.parametrize("where", ["one file", "two files", "an ontology"])
@pytest.mark.parametrize(("text", "outcome", "rule"), JUDGED)
def test_axioms_judge_what_the_labels_of_terms_say(
    own: dict[str, Config], where: str, text: str, outcome: str, rule: str
) -> None:
    (verdict,) = check(text, config=own[where]).verdicts
    assert (verdict.outcome.value, verdict.reason) == (outcome, rule)
    assert "http" not in verdict.message


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("Ann manages Sales. The deposit is 500 dollars.", set()),
        ("Ann Lee manages Ann Lee.", {"OWL109"}),
        ("Ann is a person. Ann is a department.", {"OWL102"}),
    ],
)
def test_terms_alone_judge_what_they_exclude_and_miss_no_source(
    own: dict[str, Config], text: str, faults: set[str]
) -> None:
    report = check(text, config=own["terms alone"], verify=False)
    assert {one.rule for one in report.violations} == faults


def test_a_value_of_another_is_that_of_the_claim_alone(own: dict[str, Config]) -> None:
    report = check("Bob manages Legal. Bob manages Sales.", config=own["one file"])
    assert [one.reason for one in report.verdicts] == ["KB302", "KB408"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Petra Holm died before 1990.", "1998 as “date of death” of Petra Holm, not before 1990"),
        ("The Ostra is longer than the Elvar.",
         "206 km as “length” of Ostra, not more than 486 km, that of Elvar"),
    ],
)  # fmt: skip
def test_what_is_claimed_as_a_bound_is_told_as_one_and_exchanged_for_nothing(
    text: str, said: str
) -> None:
    report = asked(str(DATA / "norvania.ttl"), text)
    assert messages(report) == [f"norvania.ttl has {said}"]
    assert [one.edit for one in report.violations] == [None]


@pytest.mark.parametrize(("amount", "words"), TABLES["amounts are told as texts write them"])
def test_amounts_are_told_as_texts_write_them(amount: str, words: str) -> None:
    kind = GR.quantity if " " in amount else XSD.decimal
    assert in_words(Literal(amount, datatype=kind, normalize=False)) == words


def test_what_is_no_amount_has_no_words() -> None:
    assert in_words(Literal("Ulm")) == in_words(GR.quantity) == ""


def test_a_relation_without_a_property_is_told_in_the_words_of_both() -> None:
    assert messages(asked(str(DATA / "fleet.ttl"), "Karl Moe captained the Petrel.")) == [
        "fleet.ttl has no property for “… captained the …”; near is “the former captain of … is …”"
    ]


def test_names_values_and_relations_that_a_graph_has_are_counted() -> None:
    report = asked(str(DATA / "fleet.ttl"), "Karl Moe built the Petrel. Karl Moe built the Heron.")
    found = {one.name: one.value for one in report.metrics}
    assert (found["EG"], found["RP"], found["CFI"]) == (1.0, 0.5, 0.85)

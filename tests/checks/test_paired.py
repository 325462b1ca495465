"""What a source states stands; two assertions that contradict each other are one finding."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib.namespace import OWL, RDF, RDFS

from groundrules import Config, Outcome, Report, check
from groundrules.ontology.load import load

MUSEUM = """\
@prefix : <http://ex/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:curates a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:label "works in" .
:supports a owl:ObjectProperty ; rdfs:label "supports" ; owl:propertyDisjointWith :opposes .
:opposes a owl:ObjectProperty ; rdfs:label "opposes" .
:manages a owl:ObjectProperty , owl:AsymmetricProperty ; rdfs:label "manages" .
:heads a owl:ObjectProperty , owl:InverseFunctionalProperty ; rdfs:label "heads" .
"""
FERRIES = Path(__file__).parents[1] / "domains" / "ferries" / "ferries.ttl"


def report(text: str, folder: Path, *sources: str, ontology: str = "") -> Report:
    own = folder / "museum.ttl"
    own.write_text(MUSEUM, encoding="utf-8")
    return check(text, context=sources, config=Config(ontology=ontology or str(own)))


def findings(found: Report) -> list[str]:
    return [v.rule for v in found.violations if v.rule.startswith(("OWL", "LAW"))]


#: Sentences that contradict each other by an axiom, and the ontology.
CONTRADICTIONS = [
    ("Ann supports Bob.", "Ann opposes Bob.", ""),
    ("Ann manages Bob.", "Bob manages Ann.", ""),
    ("Ann heads Finance.", "Carl heads Finance.", ""),
    ("The lease took effect on 3 May 2022.", "The lease expires on 3 April 2022.", "legal"),
    ("The case was filed on 9 June 2019.", "The judgment was entered on 12 March 2019.", "legal"),
    (
        "The Pond Act was enacted on 8 May 2012.",
        "The Pond Act was repealed on 3 June 2010.",
        "legal",
    ),
]


@pytest.mark.parametrize(("one", "other", "ontology"), CONTRADICTIONS)
def test_two_ends_of_a_conflict_are_one_finding(
    one: str, other: str, ontology: str, tmp_path: Path
) -> None:
    found = report(f"{one} {other}", tmp_path, ontology=ontology)
    assert len(findings(found)) == 1
    assert {s.outcome for s in found.statements} == {Outcome.CONFLICTING}
    (violation,) = [v for v in found.violations if v.rule.startswith(("OWL", "LAW"))]
    assert len(violation.others) >= 1
    assert any(item.span is not None for item in violation.evidence)


@pytest.mark.parametrize(("one", "other", "ontology"), CONTRADICTIONS)
def test_what_a_source_states_is_not_refuted_by_what_the_text_alone_says(
    one: str, other: str, ontology: str, tmp_path: Path
) -> None:
    for stated, alone in ((one, other), (other, one)):
        found = report(f"{one} {other}", tmp_path, stated, ontology=ontology)
        outcome = {s.text: s.outcome for s in found.statements}
        assert outcome[stated] is Outcome.SUPPORTED, stated
        assert outcome[alone] is Outcome.REFUTED, alone


def test_what_the_source_contradicts_refutes_nothing_else(tmp_path: Path) -> None:
    text = "Ann supports Bob. Ann opposes Bob."
    found = report(text, tmp_path, "Ann supports Bob. Ann does not oppose Bob.")
    outcome = {s.text: s.outcome for s in found.statements}
    assert outcome["Ann supports Bob."] is Outcome.SUPPORTED


def test_a_chain_of_values_is_one_finding(tmp_path: Path) -> None:
    text = "This lease takes effect on 1 July 2023. This lease expires on 1 July 2022."
    found = report(f"{text} The term commences on 2 July 2023.", tmp_path, ontology="legal")
    assert findings(found) == ["OWL125"]


# --- what sources and knowledge bases state stands against any ontology -------------------------

THINGS = """\
@prefix : <http://ex/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:Person a owl:Class ; rdfs:label "person" ; owl:disjointWith :Painting .
:Painting a owl:Class ; rdfs:label "painting" .
:advises a owl:ObjectProperty ; rdfs:label "advises" ; rdfs:domain :Person .
:manages a owl:ObjectProperty , owl:IrreflexiveProperty ; rdfs:label "manages" .
:supports a owl:ObjectProperty ; rdfs:label "supports" ; owl:propertyDisjointWith :opposes .
:opposes a owl:ObjectProperty ; rdfs:label "opposes" .
"""
KNOWN = """\
@prefix : <http://ex/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:nw a :Painting ; rdfs:label "Nightwatch" ; :advises :he ; :manages :nw ; :supports :he .
:he rdfs:label "Helios" .
"""
TEXT = "Nightwatch is a painting. Nightwatch advises Helios. Nightwatch manages Nightwatch. "
ONTOLOGIES = {"museum": MUSEUM, "things": THINGS, "ferries": FERRIES, "legal": "legal"}


def sentences(name: str) -> str:
    """Return what may be said by the labels of an ontology, true or not, of two things."""
    ontology = load(name)
    kinds = {RDFS.label: "", RDF.type: ""}
    said = [t for t in ontology.axioms if t.predicate in kinds]
    classes = {t.subject for t in said if t.object == OWL.Class}
    properties = {t.subject for t in said if t.object == OWL.ObjectProperty}
    lines = []
    for one in said:
        if one.predicate == RDFS.label and one.subject in properties:
            lines += [f"Ann {one.object} Bob.", f"Bob {one.object} Ann.", f"Ann {one.object} Ann."]
        elif one.predicate == RDFS.label and one.subject in classes:
            lines.append(f"Ann is a {one.object}.")
    return " ".join(lines[:: max(1, len(lines) // 40)])


@pytest.mark.parametrize("name", ONTOLOGIES)
def test_no_ontology_refutes_what_a_source_states_word_for_word(name: str, tmp_path: Path) -> None:
    given = ONTOLOGIES[name]
    own = tmp_path / "own.ttl"
    if isinstance(given, str) and given != "legal":
        own.write_text(given, encoding="utf-8")
    ontology = str(given) if given in ("legal", FERRIES) else str(own)
    text = sentences(ontology) + " " + " ".join(f"{a} {b}" for a, b, _ in CONTRADICTIONS)

    found = check(text, context=text, config=Config(ontology=ontology))

    assert findings(found)
    assert not {s.text for s in found.statements if s.outcome in AGAINST}


AGAINST = (Outcome.REFUTED, Outcome.CONFLICTING)


@pytest.fixture
def known(tmp_path: Path) -> Config:
    (tmp_path / "known.ttl").write_text(KNOWN, encoding="utf-8")
    (tmp_path / "things.ttl").write_text(THINGS, encoding="utf-8")
    return Config(kb=(str(tmp_path / "known.ttl"),), ontology=str(tmp_path / "things.ttl"))


@pytest.mark.parametrize("sources", [(), ("Helios is old.",)])
def test_no_ontology_refutes_what_a_knowledge_base_states(
    known: Config, sources: tuple[str, ...]
) -> None:
    found = check(TEXT, context=sources, config=known)

    assert {s.outcome for s in found.statements} == {Outcome.SUPPORTED}
    assert {v.outcome for v in found.verdicts} == {Outcome.SUPPORTED}
    assert {(v.rule, str(v.severity)) for v in found.violations if v.rule.startswith("OWL")} == {
        ("OWL105", "info"), ("OWL109", "info"),
    }  # fmt: skip


def test_of_two_ends_the_one_that_the_knowledge_base_has_not_is_at_fault(known: Config) -> None:
    found = check("Nightwatch supports Helios. Nightwatch opposes Helios.", config=known)

    outcome = {s.text: s.outcome for s in found.statements}
    assert outcome["Nightwatch supports Helios."] is Outcome.SUPPORTED
    assert outcome["Nightwatch opposes Helios."] is Outcome.REFUTED
    (violation,) = [v for v in found.violations if v.rule == "OWL101"]
    assert violation.claim is not None
    assert found.text[violation.claim.span.start :].startswith("Nightwatch opposes")

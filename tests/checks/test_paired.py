"""What a source states stands; two assertions that contradict each other are one finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules import Config, Outcome, Report, check

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
    assert findings(found) == ["LAW002"]

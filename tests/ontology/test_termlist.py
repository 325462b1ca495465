"""The terms of an ontology are told in words: each with a name, of what, and what it means."""

from __future__ import annotations

from pathlib import Path

from groundrules.ontology import termlist
from groundrules.ontology.load import load
from groundrules.ontology.termlist import vocabulary
from tests.ontology.museum import museum


def test_terms_are_told_with_labels_domain_range_and_one_sentence(tmp_path: Path) -> None:
    lines = vocabulary(museum(tmp_path)).text().splitlines()
    assert "House [house]: A museum, or who else lends works." in lines
    assert "Museum < House [museum]" in lines
    assert "Work [work of art; picture]" in lines
    assert "lender (Stay -> House) [lender]" in lines
    assert "leftOn (Stay -> date) [left on]" in lines
    assert "insuredFor (Stay or Work -> number) [insured for]" in lines
    assert "lasts (anything -> duration) [lasts]" in lines
    assert "note (anything -> text) [note]" in lines


def test_axioms_are_not_told() -> None:
    told = vocabulary(load("legal")).text().casefold()
    assert not any(word in told for word in ("functional", "disjoint", "precedes", "acyclic"))


def test_a_union_of_classes_that_follows_is_not_told() -> None:
    told = vocabulary(load("legal")).properties
    assert told["hasLandlord"].domain == ("LeaseAgreement",)
    assert told["filingDate"].domain == ("CourtFiling", "LegalCase", "PatentDocument")


def test_values_that_a_lexicon_lists_are_told() -> None:
    told = vocabulary(load("legal"))
    assert set(told.properties["outcome"].values) == {
        "affirmed",
        "allowed",
        "dismissed",
        "reversed",
    }
    assert "one of: affirmed, allowed, dismissed, reversed" in told.text()


def test_values_that_a_range_lists_are_told() -> None:
    assert vocabulary(load("legal")).properties["standing"].values == ("ended", "in force")


def test_terms_of_one_local_name_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "two.ttl"
    path.write_text(
        "<http://a/#Work> a owl:Class . <http://b/#Work> a owl:Class ; rdfs:label 'Werk'@de .",
        "utf-8",
    )
    found = vocabulary(load(path))
    assert {one.iri.split("/")[2] for one in found.classes.values()} == {"a", "b"}
    assert set(found.classes) == {"Work", "Work.2"}
    assert found.classes["Work.2"].called == ("Werk",)


def test_terms_that_nobody_is_asked_for_are_not_told() -> None:
    told = vocabulary(load("legal"))
    assert not {"usesTerm", "courtLevel", "impliedExpirationDate"} & set(told.properties)
    assert "UnlistedReporter" not in told.classes


def test_no_more_terms_are_told_than_the_bound(tmp_path: Path, monkeypatch: object) -> None:
    most, termlist.MOST_TERMS = termlist.MOST_TERMS, 5
    try:
        found = vocabulary(museum(tmp_path))
    finally:
        termlist.MOST_TERMS = most
    assert len(found.classes) + len(found.properties) == 5
    assert found.left_out == 9

"""The legal ontology: its words, its examples and what its axioms say of each other."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from rdflib.namespace import OWL, RDF, RDFS, SKOS, XSD
from rdflib.term import Literal, URIRef

import groundrules.legal
from groundrules.dataset import parse_turtle
from groundrules.terms import GR
from tools.ontology_pages import Entry, entries_of

FILE = Path(groundrules.legal.__file__).parent / "legal.ttl"
STATED = parse_turtle(FILE.read_text(encoding="utf-8"))
ENTRIES = entries_of(STATED)
LX = "https://w3id.org/groundrules/legal#"


def values(iri: URIRef, predicate: URIRef) -> list[str]:
    return [str(t.object) for t in STATED if t.subject == iri and t.predicate == predicate]


def entry(name: str) -> Entry:
    return ENTRIES[URIRef(LX + name)]


def ancestors(iri: URIRef) -> list[URIRef]:
    parents = ENTRIES[iri].parents if iri in ENTRIES else ()
    return list(dict.fromkeys(one for p in parents for one in (p, *ancestors(p))))


def starts(one: Entry) -> set[URIRef]:
    """Return the classes that a property starts from, those of a union each."""
    labels = {name for words in one.domain for name in words.split(" or ")}
    return {other.iri for other in ENTRIES.values() if other.is_class and other.label in labels}


def test_it_covers_contracts_judgments_statutes_and_patents() -> None:
    classes = [one for one in ENTRIES.values() if one.is_class]

    assert len(classes) >= 70
    assert len(ENTRIES) - len(classes) >= 70
    for name in ("Contract", "JudicialDecision", "Statute", "GrantedPatent"):
        assert entry(name).is_class


@pytest.mark.parametrize("predicate", [RDFS.label, SKOS.definition, SKOS.example])
def test_every_term_has_one_label_one_definition_and_one_example(predicate: URIRef) -> None:
    ours = {t.subject for t in STATED if t.predicate == RDF.type and isinstance(t.subject, URIRef)}
    terms = [iri for iri in ours if str(iri).startswith((LX, str(GR)))]
    assert len(terms) > len(ENTRIES)

    assert {iri: n for iri in terms if (n := len(values(iri, predicate))) != 1} == {}


def test_every_word_is_marked_as_english() -> None:
    words = (RDFS.label, SKOS.definition, SKOS.example, SKOS.altLabel)
    texts = [t.object for t in STATED if t.predicate in words]

    assert {o.language for o in texts if isinstance(o, Literal)} == {"en"}


def test_no_word_names_two_classes_or_two_properties() -> None:
    for is_class in (True, False):
        words = Counter(
            word.casefold()
            for one in ENTRIES.values()
            if one.is_class is is_class
            for word in (one.label, *one.names)
        )
        assert [word for word, count in words.items() if count > 1] == []


def test_labels_are_words_and_not_names_of_code() -> None:
    for one in ENTRIES.values():
        assert one.label == one.label.strip()
        assert one.label.islower() or one.iri == URIRef(LX + "ecli"), one.label


def test_a_property_keeps_within_what_stands_above_it() -> None:
    for one in ENTRIES.values():
        for parent in ancestors(one.iri):
            for start in starts(one):
                if starts(ENTRIES[parent]):
                    above = {start, *ancestors(start)}
                    assert above & starts(ENTRIES[parent]), (one.label, parent)


def test_a_property_has_one_domain() -> None:
    assert {one.label for one in ENTRIES.values() if len(one.domain) > 1} == set()


def test_an_acyclic_property_is_asymmetric_and_irreflexive() -> None:
    acyclic = [one for one in ENTRIES.values() if "acyclic" in one.traits]
    assert len(acyclic) >= 6

    for one in acyclic:
        assert {"asymmetric", "irreflexive"} <= set(one.traits), one.label


def test_an_inverse_has_the_inverse_traits_and_ends() -> None:
    turned = {"functional": "inverse functional", "asymmetric": "asymmetric",
              "irreflexive": "irreflexive"}  # fmt: skip
    pairs = [(one, ENTRIES[i]) for one in ENTRIES.values() for i in one.inverse]
    assert len(pairs) >= 8

    for one, other in pairs:
        assert other.inverse == (one.iri,)
        assert one.domain == other.range
        for trait, inverse in turned.items():
            assert (trait in one.traits) == (inverse in other.traits), (one.label, trait)


def test_both_of_two_exclusive_properties_are_soft_or_neither() -> None:
    for one in ENTRIES.values():
        for other in one.disjoint:
            assert ENTRIES[other].soft == one.soft


def test_dates_are_days_and_numbers_of_pages_are_words() -> None:
    for one in ENTRIES.values():
        if one.label.endswith("date"):
            assert one.range == ("date",), one.label
    # "483n", "A-12"
    assert values(URIRef(LX + "page"), RDFS.range) == [str(XSD.string)]


def test_only_a_trait_of_owl_or_of_ours_marks_a_property() -> None:
    types = {t.object for t in STATED if t.predicate == RDF.type and str(t.subject).startswith(LX)}

    assert all(str(o).startswith((str(OWL), str(GR))) for o in types)


def test_every_term_that_a_rule_a_reader_or_the_lexicon_uses_is_declared() -> None:
    package = FILE.parents[1]
    files = [
        *package.glob("legal/pack/*.toml"),
        *package.glob("legal/*.py"),
        *package.glob("legal/*.lexicon.toml"),
    ]
    names = {str(iri).removeprefix(LX) for iri in ENTRIES}
    used = {
        (name, path.name)
        for path in files
        for match in re.findall(r'\blx:([A-Za-z]\w*)|\bLX\.(\w+)|\bLX\["(\w+)"\]', path.read_text())
        for name in match
        if name and not name.startswith("_")
    }
    assert len({name for name, _ in used}) > 40

    assert {(name, file) for name, file in used if name not in names} == set()

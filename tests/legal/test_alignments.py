"""The alignments: of our terms, of three kinds, each with what it was checked against."""

from __future__ import annotations

import re
from pathlib import Path

from rdflib import Graph
from rdflib.namespace import OWL, RDFS, SKOS
from rdflib.term import URIRef

import groundrules.legal
from groundrules.dataset import parse_turtle
from groundrules.ontology.load import load
from tools.ontology_pages import alignments, entries_of

FOLDER = Path(groundrules.legal.__file__).parent
FOUND = alignments()
ENTRIES = entries_of(parse_turtle((FOLDER / "legal.ttl").read_text(encoding="utf-8")))
KINDS = {"skos:closeMatch", "skos:relatedMatch", "skos:exactMatch"}


def iri(curie: str) -> URIRef:
    prefix, _, name = curie.partition(":")
    return URIRef(FOUND.prefixes[prefix] + name)


def test_each_is_of_a_term_of_ours_by_its_label() -> None:
    assert len(FOUND.rows) > 100
    for row in FOUND.rows:
        assert ENTRIES[iri(row["subject_id"])].label == row["subject_label"]


def test_they_are_matches_of_skos_and_never_axioms() -> None:
    assert {row["predicate_id"] for row in FOUND.rows} == KINDS


def test_no_pair_is_matched_twice() -> None:
    pairs = [(row["subject_id"], row["object_id"]) for row in FOUND.rows]

    assert len(set(pairs)) == len(pairs)


def test_each_says_what_it_was_checked_against_or_that_it_was_not() -> None:
    for row in FOUND.rows:
        said = row["comment"]
        assert said == "unchecked" or re.fullmatch(r"checked: \S.{9,}", said), row
        # What was looked up has the label that was found; no label of memory stands in for one.
        if said == "unchecked":
            assert not row["object_label"]


def test_every_vocabulary_of_the_list_is_aligned() -> None:
    used = {row["object_id"].split(":")[0] for row in FOUND.rows}

    assert used >= {"dpv", "eli", "epo", "folio", "lkif", "lrmlmm", "odrl", "prov", "schema", "wd"}
    assert any(name.startswith("fibo") for name in used)


def test_the_turtle_says_what_the_table_says() -> None:
    graph = Graph().parse(FOLDER / "alignments.ttl")
    matches = {
        (s, p, o)
        for p in (SKOS.closeMatch, SKOS.relatedMatch, SKOS.exactMatch)
        for s, o in graph.subject_objects(p)
    }
    notes = {
        (graph.value(a, OWL.annotatedSource), graph.value(a, OWL.annotatedTarget)): str(note)
        for a, note in graph.subject_objects(RDFS.comment)
    }

    rows = FOUND.rows
    assert matches == {tuple(iri(row[f"{n}_id"]) for n in ("subject", "predicate", "object"))
                       for row in rows}  # fmt: skip
    assert notes == {(iri(r["subject_id"]), iri(r["object_id"])): r["comment"] for r in rows}


def test_they_never_enter_the_axioms() -> None:
    ontology = load("legal")
    foreign = {iri(row["object_id"]) for row in FOUND.rows}
    stated = {node for t in (*ontology.axioms, *ontology.individuals)
              for node in (t.subject, t.predicate, t.object)}  # fmt: skip

    assert stated.isdisjoint(foreign)
    assert stated.isdisjoint({iri(kind) for kind in KINDS})
    assert not (FOLDER / "alignments.lexicon.toml").exists()

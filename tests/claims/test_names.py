"""The rules for names, layer by layer."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.names.names import find_names
from tests.claims.rows import rows


def names(text: str, *layers: str, **options: object) -> set[tuple[str, str]]:
    words = text.split()
    found = find_names(words, **options)
    return {
        (" ".join(words[n.start : n.end]), n.kind) for n in found if not layers or n.layer in layers
    }


@pytest.mark.parametrize(("text", "layer", "name", "kind"), rows("names.each"))
def test_each_layer_finds_its_names(text: str, layer: str, name: str, kind: str) -> None:
    assert (name, kind) in names(text, layer)


@pytest.mark.parametrize("stop", ["Ltd.", "Ltd ."])
def test_the_stop_behind_a_company_parts_it_from_the_next(stop: str) -> None:
    words = f"12 Alpine {stop} Birch Ltd".split()
    found = [words[one.start : one.end] for one in find_names(words)]
    assert found == [["Alpine", stop.split()[0]], ["Birch", "Ltd"]]


def test_the_recogniser_is_one_layer_among_others() -> None:
    assert names("met Ann Lee", "ner", entities=[(1, 3, "PERSON")]) == {("Ann Lee", "PERSON")}
    assert names("met Ann Lee", "places", entities=[(1, 3, "PERSON")]) == set()


def test_labels_of_other_models_are_mapped() -> None:
    assert names("in Paris", "ner", entities=[(1, 2, "GPE")]) == {("Paris", "LOC")}
    assert names("in 1990", "ner", entities=[(1, 2, "DATE")]) == set()


def test_defined_terms_are_found_where_they_are_used() -> None:
    assert ("Landlord", "TERM") in names("the Landlord shall pay", "terms", terms={"Landlord"})
    assert names("the landlord shall pay", "terms", terms={"Landlord"}) == set()


def test_a_place_inside_a_longer_name_is_no_place() -> None:
    assert names("the Paris Agreement was signed", "places") == set()


@given(
    st.lists(
        st.text(min_size=1, max_size=8).filter(str.strip)
        | st.sampled_from(
            ["Mr.", "Smith", "Inc.", ",", "of", "Court", "Paris", "By", ":", "the", "Bank", "LLC"]
        ),
        max_size=12,
    )
)
def test_names_are_in_order_and_never_overlap(words: list[str]) -> None:
    found = find_names(words)
    assert all(0 <= n.start < n.end <= len(words) for n in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Fiat Nova S.p.A. was founded in Rome.", {"Fiat Nova S.p.A."}),
        ("Ann sued Fiat Nova S.p.A. Enel Verde S.p.A. paid.",
         {"Fiat Nova S.p.A.", "Enel Verde S.p.A."}),
        ("Kol GmbH & Co. KG was founded in Rome.", {"Kol GmbH & Co. KG"}),
        ("Alpha Inc. & Beta Ltd. met.", {"Alpha Inc.", "Beta Ltd."}),
    ],
)  # fmt: skip
def test_a_company_is_named_with_its_whole_form(text: str, names: set[str]) -> None:
    found = extract(from_text(text, "t"))
    assert {m.text for m in found.mentions if m.kind == "ORG"} == names


@pytest.mark.parametrize(
    "name",
    ["Department of Trade and Industry", "Court of England and Wales", "Love in Paris and London"],
)
def test_a_name_with_and_in_it_that_is_no_prize_stays_one(name: str) -> None:
    words = name.split()
    (found,) = find_names(words, entities=[(0, len(words), "MISC")])
    assert (found.start, found.end) == (0, len(words))

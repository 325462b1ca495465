"""What sentences and claims say in the properties of an ontology."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.ontology.load import load
from groundrules.ontology.read.lexicon import Example, read_lexicon
from tests.ontology.read.texts import said
from tests.strategies import examples


@pytest.mark.parametrize("example", read_lexicon(load("legal")).tests, ids=lambda e: e.text[:60])
def test_the_shipped_lexicon_reads_its_own_examples(example: Example) -> None:
    lines = said(example.text, example.source)
    assert [line for line in example.expect if line not in lines] == [], lines


def relations(text: str, source: str = "") -> list[str]:
    return [line for line in said(text, source) if "#type" not in line]


def test_the_one_contract_that_a_text_names_is_that_of_its_source() -> None:
    lines = relations(
        "The Alpine Lease expires on May 31, 2020.", "This Lease takes effect on June 1, 2021."
    )
    assert lines == ["agreement lx:expirationDate 2020-05-31"]


def test_a_role_is_that_of_the_words_whoever_the_source_says_has_it() -> None:
    source = (
        'This Lease is made between Alpine Holdings LLC (the "Landlord") and Bright Harbor '
        'Books, Inc. (the "Tenant").'
    )
    lines = relations("The tenant under the lease is Alpine Holdings LLC.", source)
    assert "agreement lx:hasTenant Alpine Holdings LLC" in lines


@examples(40)
@given(
    st.lists(
        st.sampled_from(["the", "lease", "is", "Alpine LLC", "tenant", "v.", "Act", "on", "In",
                         "May 1, 2020", "\ue001", "(", ")", ".", "expires", "\n", "’", "A", ","]),
        max_size=40,
    ).map(" ".join)
)  # fmt: skip
def test_any_text_is_read_and_every_assertion_stands_in_it(words: str) -> None:
    said(words, check=lambda claim, text: 0 <= claim.span.start < claim.span.end <= len(text))

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


@pytest.mark.parametrize(
    "text",
    [
        "Gamma Inc. is the landlord.",  # of no contract that the text speaks of
        "Gamma Inc. is a tenant of the building that the lease describes.",
        "Gamma Inc., formerly the tenant under the lease, moved to Austin.",
        "The tenant improvement allowance under the lease is large.",
        "The warranty expires on May 31, 2031.",
        "The Alpine Lease and the Harbor Lease differ. The lease expires on May 31, 2031.",
        "Software disclosed under this Agreement may be subject to controls imposed by the Export "
        "Administration Act and other laws and regulations of the United States.",
        "Brown v. Green and Smith v. Jones differ. The case was decided on May 31, 1999.",
    ],
)
def test_nothing_is_read_where_it_is_not_said(text: str) -> None:
    assert [line for line in relations(text) if " lx:has" in line or "Date " in line] == []
    assert not any("lx:amends" in line for line in relations(text))
    assert not any("lx:governedByLawOf" in line for line in relations(text))


def test_a_role_that_somebody_has_in_some_case_is_not_stated() -> None:
    buyer = "agreement lx:hasBuyer Peak Capital LLC"
    assert relations("The agreement was signed. Peak Capital LLC is the buyer.") == [buyer]
    text = "The agreement was signed. It pays where the Peak Capital LLC is the buyer."
    assert relations(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "This Agreement is subject to the laws of the State of Texas.",
        "This Agreement is subject to Section 4 and governed by the laws of the State of Texas.",
    ],
)
def test_the_law_that_governs_is_read(text: str) -> None:
    assert any("lx:governedByLawOf" in line for line in relations(text))


def test_a_contract_by_another_name_is_another_contract() -> None:
    lines = relations(
        "The Alpine Lease expires on May 31, 2020. The Harbor Lease takes effect on June 1, 2021."
    )
    assert lines == [
        "Alpine Lease lx:expirationDate 2020-05-31",
        "Harbor Lease lx:effectiveDate 2021-06-01",
    ]


def test_the_one_contract_that_a_text_names_is_that_of_its_source() -> None:
    lines = relations(
        "The Alpine Lease expires on May 31, 2020.",
        "This Lease takes effect on June 1, 2021.",
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


@pytest.mark.parametrize(
    "text",
    [
        "Until 2015 the agreement was governed by the law of Ohio.",
        "As amended the agreement is governed by the law of Ohio.",
    ],
)
def test_the_law_of_another_time_is_not_read(text: str) -> None:
    assert not any("governedByLawOf" in line for line in said(text))

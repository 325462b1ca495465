"""Which contract a sentence speaks of: one of several sorts, or the paper itself."""

from __future__ import annotations

import pytest

from groundrules.legal.namespace import AGREEMENT
from groundrules.legal.papers import paper_before
from groundrules.terms import ENTITY, mint

TWO = "The supply agreement and the service agreement bind the mill. "


@pytest.mark.parametrize(
    ("sentence", "paper"),
    [
        ("The service agreement ends in May.", mint(ENTITY, "service agreement")),
        ("The agreement ends in May.", AGREEMENT),
        # what an agreement has is no sort of agreement
        ("The initial term of the agreement ends in May.", AGREEMENT),
    ],
)
def test_agreements_of_two_sorts_are_two_and_the_one_without_a_sort_is_the_paper(
    sentence: str, paper: object
) -> None:
    text = TWO + sentence
    assert paper_before(text, len(TWO), len(text)) == paper


@pytest.mark.parametrize(
    "text",
    [
        "The employment agreement binds the mill. The employment agreement ends in May.",
        "This Supply Agreement binds the mill. The Supply Agreement ends in May.",
    ],
)
def test_what_a_contract_calls_itself_is_the_paper(text: str) -> None:
    start = text.index(". ") + 2
    assert paper_before(text, start, len(text)) == AGREEMENT

"""Which contract a sentence speaks of: one of several sorts, or the paper itself."""

from __future__ import annotations

from groundrules.legal.namespace import AGREEMENT
from groundrules.legal.papers import paper_before
from tests.rows import each

TWO = "The supply agreement and the service agreement bind the mill. "


@each("sentence paper")
def test_agreements_of_two_sorts_are_two_and_the_one_without_a_sort_is_the_paper(
    sentence: str, paper: str
) -> None:
    text = TWO + sentence
    assert str(paper_before(text, len(TWO), len(text))) == paper


@each("text")
def test_what_a_contract_calls_itself_is_the_paper(text: str) -> None:
    start = text.index(". ") + 2
    assert paper_before(text, start, len(text)) == AGREEMENT

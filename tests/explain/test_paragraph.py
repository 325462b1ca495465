"""One paragraph on a whole text."""

from __future__ import annotations

from groundrules import check
from groundrules.explain.paragraph import paragraph

SOURCE = "The base rent is $4,850 a month. The lease begins in 2024."


def test_a_text_without_a_fault_needs_no_paragraph() -> None:
    assert paragraph(check(SOURCE, context=SOURCE, verify=False)) == ""


def test_it_quotes_text_and_source_and_leaves_out_what_is_supported() -> None:
    text = "The base rent is $5,850 a month. The lease begins in 2024."
    told = paragraph(check(text, context=SOURCE, verify=False))
    assert "“The base rent is $5,850 a month.”" in told
    assert "$4,850" in told
    assert "2024" not in told
    assert "\n" not in told


def test_what_stays_open_comes_last_and_is_quoted_once() -> None:
    text = "Nobody may keep a dog. The base rent is $5,850 a month. The roof is made of zinc."
    told = paragraph(check(text, context=SOURCE, verify=False))
    wrong, _, still = told.partition("What else is said stays open: ")
    assert "$5,850" in wrong
    assert "dog" not in wrong
    assert still == "“Nobody may keep a dog.”; “The roof is made of zinc.”."

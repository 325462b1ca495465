"""Sources that contradict each other: told where one has a statement and another says otherwise."""

from __future__ import annotations

import pytest

from groundrules import Document, check
from groundrules.terms import Outcome, Report

RENT = "Base rent is $5,100."


def held(text: str, *contexts: str) -> Report:
    named = [Document(f"{name}.md", one, "md") for name, one in zip("abc", contexts, strict=False)]
    return check(text, context=named)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (RENT, "Base rent is $5,900."),
        (RENT, "# Memo\n\nHeating is extra. Base rent is $5,900."),
        ("The term is 24 months.", "The term is 36 months."),
        ("Guests may use the pool.", "Guests may not use the pool."),
        ("All guests may use the pool.", "No guests may use the pool."),
        ("The office opens at 9 a.m. on Monday.", "The office opens at 8 a.m. on Monday."),
        ("Dogs are allowed in the garden.", "Dogs are prohibited in the garden."),
    ],
)
def test_what_one_source_has_and_another_says_otherwise_is_conflicting(
    text: str, other: str
) -> None:
    for contexts in ((text, other), (other, text), (text, text, other)):
        report = held(text, *contexts)
        (statement,) = report.statements
        (found,) = [one for one in report.violations if one.rule == "GR108"]

        assert (statement.outcome, statement.reason) == (Outcome.CONFLICTING, "GR108")
        assert report.exit_code == 1
        sources = {item.span.source for item in found.evidence if item.span}
        assert len(sources) == 2
        assert {one.source for one in statement.passages} >= sources
        assert found.edit is None


def test_what_a_source_says_in_another_order_is_conflicting_too() -> None:
    report = held(
        "In May the ferry is free.", "The ferry is free in May.", "In May the ferry is not free."
    )

    assert [one.outcome for one in report.statements] == [Outcome.CONFLICTING]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"# Unit 1\n\n{RENT}", "# Unit 2\n\nBase rent is $5,900."),
        (f"# Lease of 2023\n\n{RENT}", "# Lease of 2024\n\nBase rent is $5,900."),
        (f"# Lease\n\n{RENT}", "# First Amendment\n\nBase rent is $5,900."),
        (f"# Lease\n\n{RENT}", "# Lease, restated\n\nBase rent is $5,900."),
        (f"# Lease\n\n{RENT}", "# Draft\n\nBase rent is $5,900."),
        (f"Acme Ltd lets the flat to Ann Brown.\n\n{RENT}",
         "Acme Ltd lets the flat to Joe Green.\n\nBase rent is $5,900."),
        (f"The report is of 2021.\n\n{RENT}", "The report is of 2022.\n\nBase rent is $5,900."),
        (RENT, "Base rent is $5,900 for the second flat."),
        (RENT, "Base rent was $5,900."),
        (RENT, "The deposit is $5,900."),
        (RENT, "From June on base rent is $5,900."),
        (RENT, "If the roof is let, too, base rent is $5,900."),
        (RENT, f"Some said $5,900. {RENT}"),
    ],
)  # fmt: skip
def test_versions_and_other_subjects_are_not_set_against_each_other(one: str, other: str) -> None:
    for contexts in ((one, other), (other, one)):
        report = held(RENT, *contexts)

        assert [one.outcome for one in report.statements] == [Outcome.SUPPORTED]
        assert report.exit_code == 0


def test_one_source_is_not_set_against_itself() -> None:
    report = held(RENT, f"{RENT} Base rent is $5,900.")

    assert [one.outcome for one in report.statements] == [Outcome.SUPPORTED]


def test_no_edit_puts_the_words_of_the_other_source_in_place() -> None:
    report = held(RENT, RENT, "Base rent is $5,900.")

    assert [one.edit for one in report.violations] == [None]

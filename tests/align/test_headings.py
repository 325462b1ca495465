"""Laws of headings: each piece of a text is a statement, or the report says that it is none."""

from __future__ import annotations

import pytest

from groundrules import check, guard

SOURCE = "Employees get 25 days of leave a year. The notice period is three months."
COPIED = "The notice period is three months."


@pytest.mark.parametrize(
    "said",
    [
        "## Leave: 25 days per calendar year",
        "# 25,000 euros",
        "Leave of 30 days",
        "12 Alpine Ltd",
        "```\ncapacity = 500\n```",
        "21 days",
    ],
)
def test_a_line_with_a_figure_is_a_statement_whatever_it_looks_like(said: str) -> None:
    found = check(f"{said}\n\n{COPIED}", context=SOURCE, verify=False)
    assert [one.text for one in found.statements] == [said, COPIED]


@pytest.mark.parametrize(
    "said", ["Leave", "## 3.2 Leave", "Section 12", "1. Notice", "§ 5 Notice", "Contents:"]
)
def test_a_line_that_states_nothing_is_named_in_the_report(said: str) -> None:
    found = check(f"{said}\n\n{COPIED}", context=SOURCE, verify=False)
    assert [one.text for one in found.statements] == [COPIED]
    assert any(said in note and "not checked" in note for note in found.run.notes)


def test_tags_of_a_page_are_no_words() -> None:
    said = "<p>The notice period is <b>three</b> months.</p>"
    assert guard(said, context=SOURCE).passes


def test_an_answer_of_one_figure_is_open_and_says_why() -> None:
    found = guard("21 days", context=SOURCE, question="How much leave is there?")
    assert not found.passes
    assert "left open" in found.reason

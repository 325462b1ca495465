"""Laws of headings: each piece of a text is a statement, or the report says that it is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundrules import Document, check, guard
from groundrules.terms import Severity
from tests.rows import each

SOURCE = "Employees get 25 days of leave a year. The notice period is three months."
COPIED = "The notice period is three months."


@each("said")
def test_a_line_with_a_figure_is_a_statement_whatever_it_looks_like(said: str) -> None:
    found = check(f"{said}\n\n{COPIED}", context=SOURCE, verify=False)
    assert [one.text for one in found.statements] == [said, COPIED]


@each("said")
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


PLANT = "The plant supplies 5 MW of power. The loss was 40 euros. Phase 2 begins in May."


@each("said")
def test_a_word_and_a_number_that_no_source_has_are_a_statement_and_do_not_pass(said: str) -> None:
    text = Document("answer.md", f"The loss was 40 euros.\n\n{said}\n", "md")
    found = check(text, context=[PLANT], verify=False)
    assert len(found.statements) == 2
    assert found.conforms is not True


@pytest.mark.parametrize("said", ["* Loss 40", "# Plant 5 MW", "* Loss: 40 euros"])
def test_a_short_line_with_the_figure_of_its_thing_is_not_held_against_a_text(said: str) -> None:
    text = Document("answer.md", f"The loss was 40 euros.\n\n{said}\n", "md")
    found = check(text, context=[PLANT], verify=False)
    assert found.conforms is True
    assert not any(one.severity is not Severity.INFO for one in found.violations)


@pytest.mark.parametrize("said", ["* Loss 5", "# Plant 40", "**Loss**: 5 MW"])
def test_a_short_line_with_the_figure_of_another_thing_does_not_pass(said: str) -> None:
    text = Document("answer.md", f"The loss was 40 euros.\n\n{said}\n", "md")
    found = check(text, context=[PLANT], verify=False)
    assert found.statements[1].reason == "figure"
    assert found.conforms is not True


def test_a_title_that_a_source_has_in_the_same_words_is_a_title() -> None:
    text = Document("answer.md", "# Phase 2\n\nThe loss was 40 euros.\n", "md")
    found = check(text, context=[PLANT], verify=False)
    assert [one.text for one in found.statements] == ["The loss was 40 euros."]
    other = check(replace(text, text=text.text.replace("2", "3")), context=[PLANT], verify=False)
    assert len(other.statements) == 2

"""The text format."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import URIRef

from groundrules import Config, check
from groundrules.explain import place
from groundrules.explain.formats import terminal, text
from groundrules.terms import Outcome, Report, Run, Severity, Span
from tests.explain import cases
from tests.rows import each


@pytest.mark.parametrize("form", ["text", "full", "concise"])
@pytest.mark.parametrize("name", cases.CASES)
def test_colour_changes_no_character(name: str, form: str) -> None:
    report = cases.CASES[name]()

    plain, coloured = text.dumps(report, form=form), text.dumps(report, form=form, color=True)

    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert "\x1b" not in plain


@pytest.mark.parametrize("form", ["text", "full", "concise"])
@pytest.mark.parametrize("name", cases.CASES)
def test_nothing_in_a_report_steers_the_terminal(name: str, form: str) -> None:
    shown = text.dumps(cases.CASES[name](), form=form)

    assert [c for c in shown if c != "\n" and place.printable(c) != c] == []


@pytest.mark.parametrize("columns", [36, 40, 60, 80, 200])
@pytest.mark.parametrize("form", ["text", "full", "concise"])
@pytest.mark.parametrize("name", cases.CASES)
def test_no_line_is_wider_than_the_terminal(name: str, form: str, columns: int) -> None:
    lines = text.dumps(cases.CASES[name](), form=form, columns=columns).splitlines()

    assert [line for line in lines if place.width(line) > columns] == []


def test_a_statement_is_shown_once_with_its_worst_finding_and_the_others_by_name() -> None:
    shown = text.dumps(cases.policy())

    assert shown.count("error[") == 3
    assert "“Floods are covered too.”" not in shown  # the excerpt has it
    assert "GR102" not in shown
    assert "info[" not in shown
    report = cases.policy()
    louder = replace(
        report, violations=tuple(replace(v, severity=Severity.WARNING) for v in report.violations)
    )
    also = "= also        GR102 unsupported-statement   (--output-format full shows them)"
    assert also in text.dumps(louder)


def test_a_refuted_statement_is_shown_though_its_rule_is_not() -> None:
    report = replace(cases.policy(), violations=())

    assert "refuted: 3 statements\n" in text.dumps(report)


def test_many_leftstatements_are_counted_and_not_listed() -> None:
    report = cases.policy()
    many = tuple(
        replace(report.statements[5], id=URIRef(f"urn:{n}"), number=100 + n) for n in range(12)
    )

    assert "\n  and 2 more\n" in text.dumps(replace(report, statements=many, violations=()))


def test_the_end_says_how_statements_came_out_and_whether_the_text_passes() -> None:
    report = cases.policy()

    assert text.dumps(report).endswith(
        "7 statements: 1 not checkable, 3 refuted, 1 open, 2 supported\n"
        "the text does not pass; not all could be checked: 1 statement could not be read; "
        "policy.txt: page 3 has no text\n"
        "3 errors, 0 warnings\n"
    )
    carried = replace(report, statements=report.statements[:1], violations=(), unread=())
    assert "\nthe text passes\n" in text.dumps(carried)
    (still,) = [one for one in report.statements if one.outcome is Outcome.NOT_ENOUGH_INFO]
    opened = replace(carried, statements=(*carried.statements, still), policy=(), settled=0.0)
    assert "\nthe text passes, as nothing speaks against it; 1 statement left open\n" in text.dumps(
        opened
    )
    unread = replace(carried, unread=("a.pdf: page 1",))
    assert "\nnot all could be checked: a.pdf: page 1\n" in text.dumps(unread)


def test_figures_and_faults_of_the_whole_text_are_shown_when_asked_for() -> None:
    report = cases.policy()

    assert "EG" not in text.dumps(report)
    shown = text.dumps(report, form="full")
    assert "EG 0.80  share of the names and values in the text that the sources, or" in shown
    assert "\nguardrail: human: “are covered”; the source says the opposite" in shown
    assert "low-fidelity: CFI is 0.61" in shown
    assert "low-fidelity" in text.dumps(cases.lease())  # there it is an error


def test_a_finding_in_no_statement_is_shown_too() -> None:
    report = replace(cases.policy(), statements=())

    assert text.dumps(report).count("error[") == 3


LINE = st.text(st.sampled_from("ab é\u0301漢🏠\t\u200d\x1b"), min_size=1, max_size=80)


@given(LINE, st.integers(16, 60), st.data())
def test_the_window_shows_the_mark_and_says_where(
    line: str, room: int, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start, len(line)))

    shown, left, length = terminal.window(line, (0, len(line)), (start, end), room)

    assert place.width(shown) <= room
    assert left + length <= place.width(shown)
    first = place.printable(line[start:end])[:1]
    before = [place.width(shown[:i]) for i in range(len(shown) + 1)]
    assert any(cells == left and shown[i:].startswith(first) for i, cells in enumerate(before))


def test_the_window_of_a_huge_line_is_quick_to_find() -> None:
    line = "word " * 2_000_000

    shown, left, _ = terminal.window(line, (0, len(line)), (5_000_000, 5_000_004), 60)

    assert shown[left : left + 4] == "word"


@given(st.lists(st.text("ab漢 ", max_size=50), max_size=6), st.integers(16, 50))
def test_folding_loses_no_word(words: list[str], columns: int) -> None:
    line = " ".join(words)

    parts = terminal.fold(line, columns, indent=4)

    assert "".join("".join(parts).split()) == "".join(line.split())
    assert all(place.width(part) <= columns for part in parts)


def test_a_span_outside_the_text_is_no_error() -> None:
    report = cases.lease()
    first = report.violations[0]
    assert first.claim
    gone = replace(first.claim, span=Span("answer.txt", 900, 950), parts=(None, None, None))

    shown = text.dumps(replace(report, violations=(replace(first, claim=gone),)))

    assert "  --> answer.txt\n" in shown


def test_a_report_without_times_shows_none() -> None:
    assert text.dumps(Report("a.txt", "")) == (
        "no statement\nnothing was checked in a.txt\n0 errors, 0 warnings\n"
    )


def test_where_nothing_was_checked_that_is_said() -> None:
    report = Report("a.pdf", "", unread=("a.pdf: page 1 has no text",))

    assert report.exit_code == 2
    assert "\nnothing was checked in a.pdf; a.pdf: page 1 has no text\n" in text.dumps(report)
    assert "nothing" not in text.dumps(cases.lease())


def test_notes_on_figures_of_the_whole_text_stand_where_the_figures_do() -> None:
    run = Run(notes=("sparse regime: EG, RP and CFI are unsteady (HalluGraph)", "2 of 3 were read"))
    report = replace(cases.policy(), run=run)

    assert "note: 2 of 3 were read\n" in text.dumps(report)
    assert "sparse regime" not in text.dumps(report)
    assert "note: sparse regime: " in text.dumps(report, form="full")


@each("cited places")
def test_independent_faults_of_one_statement_are_told_each_by_itself(
    cited: str, places: list[str]
) -> None:
    report = check(cited, config=Config(ontology="legal"))

    found, lines = text.dumps(report), text.dumps(report, form="concise")

    assert len(report.statements) == 1
    assert all(one in lines for one in places)
    assert all(found.count(f"text:{one.partition(': ')[0]}") == 1 for one in places)
    assert "= also" not in found
    assert "0 errors, 2 warnings;" in found


def test_what_else_is_wrong_with_some_words_is_named_with_the_fault_in_these_words() -> None:
    cited = "See Tarrant LLC v. Boone LLC, 512 F.2d 300, and Mills LLC v. Mills LLC, 415 F.3d 1100."
    report = check(
        cited, context=["See it."], config=Config(ontology="legal", packs=("legal", "core"))
    )
    blocks = [one for one in text.dumps(report).split("\n\n") if "= also" in one]
    assert [("“Mills LLC" in one, "LAW034" in one) for one in blocks] == [(True, True)]

"""What once passed in silence, or was told the wrong way about: a test for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from groundrules import Config, Document, SourceError, check
from groundrules.explain.repair import rewrite
from groundrules.terms import Conclusion, Outcome, Report, Severity
from tests.rows import each
from tests.strategies import examples, marked_up

EXAMPLES = Path(__file__).parents[1] / "examples" / "lease"
SUPPORTED, REFUTED = Outcome.SUPPORTED, Outcome.REFUTED
OPEN, UNREAD = Outcome.NOT_ENOUGH_INFO, Outcome.UNVERIFIABLE


def held(text: str, source: str, **settings: Any) -> Report:
    return check(text, context=[source], config=Config(**settings))


def outcomes(report: Report) -> list[Outcome]:
    return [statement.outcome for statement in report.statements]


@each("claim source")
def test_what_the_source_says_the_contrary_of_is_not_supported(claim: str, source: str) -> None:
    report = held(claim, source)
    assert outcomes(report) != [SUPPORTED]
    assert any(v.severity is not Severity.INFO for v in report.violations)


@each("claim source")
def test_another_cause_leaves_a_statement_open(claim: str, source: str) -> None:
    assert outcomes(held(claim, source)) == [OPEN]


@pytest.mark.parametrize("setting", [{"select": ("GR900",)}, {"select": ("LAW",)}])
def test_hiding_a_finding_changes_no_verdict(setting: dict[str, tuple[str, ...]]) -> None:
    claim, source = "The rent is $5,000.", "The rent is $4,000."
    shown, hidden = held(claim, source), held(claim, source, **setting)
    assert outcomes(shown) == outcomes(hidden) == [REFUTED]
    assert not [v for v in hidden.violations if v.severity is Severity.ERROR]
    assert hidden.conforms is False
    assert [v.outcome for v in shown.verdicts] == [v.outcome for v in hidden.verdicts]


@each("claim")
def test_text_that_cannot_be_read_never_conforms(claim: str) -> None:
    report = held(claim, "The tenant pays the rent of $400 on the first day of each month.")
    assert UNREAD in outcomes(report)
    assert report.conforms is None
    assert report.exit_code == 2
    assert all(s.note for s in report.statements if s.outcome is UNREAD)


def test_a_source_that_cannot_be_read_never_lets_a_text_conform() -> None:
    source = (
        "Der Mieter zahlt die Miete am ersten Tag des Monats. Er darf die Wohnung nicht "
        "untervermieten, und der Vermieter muss das Dach in gutem Zustand halten."
    )
    report = held("The tenant pays the rent on the first day of the month.", source)
    assert report.conforms is not True
    assert any("German" in what for what in report.unread)


def test_what_of_a_file_has_no_text_is_told_and_counts() -> None:
    source = Document("scan.pdf", "The rent is $4,000.", "pdf", ("page 2 of 3 has no text",))
    report = check("The rent is $4,000.", context=source)
    assert report.unread == ("scan.pdf: page 2 of 3 has no text",)
    assert report.conforms is None


def test_what_no_source_carries_is_not_settled_unless_the_settings_say_otherwise() -> None:
    claim, source = "The garden is lovely.", "The rent is $4,000."
    assert held(claim, source).conclusion is Conclusion.NOT_SETTLED
    assert held(claim, source).conforms is None
    assert held(claim, source, settled=0.0).conforms is True
    assert held(claim, source, not_enough_info="fail").conforms is False


def test_a_str_that_names_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_text("The rent is $4,000.")
    with pytest.raises(SourceError, match=r"names a file; expected Path\("):
        check(str(path), context=["The rent is $4,000."])
    with pytest.raises(SourceError, match=r"names a file; expected Path\("):
        check("The rent is $4,000.", context=[str(path)])
    assert check(path, context=path).conforms


def test_the_shipped_answer_in_free_words_has_no_wrong_sentence_supported() -> None:
    folder = Path(__file__).parents[1] / "examples" / "policy"
    report = check(folder / "answer.txt", context=folder / "policy.md")
    refuted = [s.text for s in report.statements if s.outcome is REFUTED]
    assert refuted == [
        "Day trips need approval, too.",
        "Parking fines are reimbursed.",
    ]
    receipts = next(s for s in report.statements if s.text.startswith("Receipts"))
    assert (receipts.outcome, receipts.note) == (OPEN, "the sources do not give “£25”")
    quarter = next(s for s in report.statements if s.text.startswith("A quarter"))
    assert [a.status for a in quarter.accounts] == ["derived"]


# --- what a person sees in a file ----------------------------------------------------------------

LEASE = "The base rent is $5,100 per month. The lease begins on 1 May 2021."
WRONG = "The base rent is $5,900 per month."


def of_file(text: str, form: str = "md", source: str = LEASE) -> Report:
    return check(Document(f"a.{form}", text, form), context=Document("lease.txt", source))


@each("text")
def test_what_a_person_sees_in_markdown_is_read(text: str) -> None:
    assert REFUTED in outcomes(of_file(text))


@each("text")
def test_a_wrong_figure_beside_other_words_is_read_and_warned_of(text: str) -> None:
    report = of_file(text)
    assert set(outcomes(report)) <= {OPEN, Outcome.REFUTED}
    assert "GR302" in {v.rule for v in report.violations if v.severity is not Severity.INFO}


@each("text")
@pytest.mark.parametrize("form", ["txt", "md"])
def test_no_spelling_of_a_refuted_sentence_leaves_it_open(text: str, form: str) -> None:
    if form == "txt" and "<!--" in text:
        pytest.skip("a comment is text there")
    report = of_file(text, form)
    assert outcomes(report) == [REFUTED]
    assert report.exit_code == 1


@each("text why")
@pytest.mark.parametrize("form", ["txt", "md"])
def test_a_figure_that_is_not_read_is_named(text: str, why: str, form: str) -> None:
    report = of_file(text, form)
    assert [(one.outcome, one.note) for one in report.statements] == [(UNREAD, why)]
    assert report.conforms is not True


def test_a_part_of_a_sentence_too_long_to_be_parsed_is_not_read() -> None:
    text = "The base rent is $5,100 per month " + "and so on in the lease " * 95 + "is false."
    report = of_file(text, "txt")
    assert set(outcomes(report)) == {UNREAD}
    assert report.conforms is None


@each("text source")
def test_a_short_sentence_of_another_language_does_not_pass(text: str, source: str) -> None:
    report = held(text, source)
    assert UNREAD in outcomes(report)
    assert report.exit_code == 2


def test_an_english_line_beside_a_source_of_another_language_is_read() -> None:
    assert outcomes(held("Rent: $5,900", "Rent: $5,100")) == [REFUTED]
    assert UNREAD not in outcomes(
        held("The capital is Paris.\n\nAddress: Rue de la Paix 5.", "Paris est la capitale.")
    )


@given(marked_up("The base rent of the flat is $5,900 per month."))
@examples(25)
def test_markup_changes_neither_verdict_nor_place_nor_fix(marked: str) -> None:
    text = f"{marked} The lease begins on 1 May 2021.\n\n[place]: https://example.org"
    source = "The base rent of the flat is $5,100 per month. The lease begins on 1 May 2021."
    report = of_file(text, "md", source)
    assert outcomes(report) == [REFUTED, SUPPORTED]
    assert report.statements[0].text == "The base rent of the flat is $5,900 per month."
    assert report.text == text
    first = report.statements[0].span
    assert marked.endswith(text[first.start : first.end])
    for violation in report.violations:
        row = dict(violation.bindings)
        if violation.rule == "GR306":
            assert text[int(str(row["start"])) : int(str(row["end"]))] == "$5,900"
    assert rewrite(report) in (text, text.replace("$5,900", "$5,100"))


@pytest.mark.parametrize("text", ["Year: 2023", "---\nyear: 2023\n---\n\nHello.", "Rooms: 2023"])
def test_a_label_with_a_figure_is_a_statement_however_short(text: str) -> None:
    assert any("2023" in one.text for one in of_file(text).statements)

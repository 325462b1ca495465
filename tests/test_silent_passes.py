"""What once passed in silence, or was told the wrong way about: a test for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from groundrules import Config, Document, SourceError, check
from groundrules.terms import Outcome, Report, Severity

EXAMPLES = Path(__file__).parents[1] / "examples" / "lease"
SUPPORTED, REFUTED = Outcome.SUPPORTED, Outcome.REFUTED
OPEN, UNREAD = Outcome.NOT_ENOUGH_INFO, Outcome.UNVERIFIABLE


def held(text: str, source: str, **settings: Any) -> Report:
    return check(text, context=[source], config=Config(**settings))


def outcomes(report: Report) -> list[Outcome]:
    return [statement.outcome for statement in report.statements]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Valuables left in an unattended vehicle are covered.",
         "Valuables left in an unattended vehicle are not covered at any time."),
        ("The clause is invalid.", "The court found the clause valid."),
        ("The motion was denied.", "The judge granted the motion."),
        ("The covenant is unenforceable in Oregon.", "The covenant is enforceable in Oregon."),
        ("The complaint was filed after the lease ended.",
         "The complaint was filed before the lease ended."),
        ("Reports are due within 48 hours.", "Reports are due within 24 hours."),
        ("All members of the board voted.", "Some members of the board voted."),
        ("The mill closed because of debt.", "The mill closed because of a fire."),
        ("The machine weighs 31.4 kg.", "The machine weighs 13.4 kg."),
        ("Sales declined.", "Sales rose."),
        ("The permits expire on 31 May.", "The permits expire on 31 March."),
    ],
)  # fmt: skip
def test_what_the_source_says_the_contrary_of_is_not_supported(claim: str, source: str) -> None:
    report = held(claim, source)
    assert outcomes(report) != [SUPPORTED]
    assert any(v.severity is not Severity.INFO for v in report.violations)


@pytest.mark.parametrize("setting", [{"select": ("GR900",)}, {"ignore": ("GR",)}])
def test_hiding_a_finding_changes_no_verdict(setting: dict[str, tuple[str, ...]]) -> None:
    claim, source = "The rent is $5,000.", "The rent is $4,000."
    shown, hidden = held(claim, source), held(claim, source, **setting)
    assert outcomes(shown) == outcomes(hidden) == [REFUTED]
    assert not [v for v in hidden.violations if v.severity is Severity.ERROR]
    assert hidden.conforms is False
    assert [v.outcome for v in shown.verdicts] == [v.outcome for v in hidden.verdicts]


def test_every_sentence_has_a_verdict_also_one_without_a_triple() -> None:
    report = held("Quite so. The rent is $4,000. - Ten keys.", "The rent is $4,000.")
    assert "".join(s.text for s in report.statements).startswith("Quite so.")
    assert len(report.statements) >= 2
    assert outcomes(report)[0] is OPEN


@pytest.mark.parametrize(
    "claim",
    [
        "Der Mieter muss die Miete nicht am ersten Tag des Monats zahlen.",
        "Le locataire doit payer le loyer le cinq mai de chaque année.",
        "承租人应于每月五日支付租金。",
        "يدفع المستأجر الإيجار في اليوم الخامس من كل شهر.",
        "Ｔｈｅ ｔｅｎａｎｔ ｐａｙｓ ｔｈｅ ｒｅｎｔ ｌａｔｅ.",
        "The rent is $1O0 a month.",
        "The rent is ٤٥٠ dollars a month.",
        "The rent is 𝟒𝟓𝟎 dollars a month.",
        "The rent is $4\u200b50 a month.",
    ],
)
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


def test_what_is_not_settled_conforms_or_not_as_the_policy_says() -> None:
    claim, source = "The garden is lovely.", "The rent is $4,000."
    assert held(claim, source).conforms is True
    assert held(claim, source, not_enough_info="fail").conforms is False


def test_the_threshold_decides_what_counts_as_supported() -> None:
    claim, source = "The tenant pays the rent monthly.", "Monthly the tenant pays the rent."
    lax, strict = held(claim, source, threshold=0.0), held(claim, source, threshold=1.0)
    assert outcomes(lax) == [SUPPORTED]
    assert outcomes(strict) == [OPEN]


def test_a_calibration_that_eval_wrote_is_read_by_check(tmp_path: Path) -> None:
    path = tmp_path / "ours.json"
    path.write_text('{"slope": 1.0, "intercept": -30.0, "threshold": 0.5}')
    claim, source = "The tenant pays the rent monthly.", "Monthly the tenant pays the rent."
    plain = held(claim, source)
    calibrated = held(claim, source, calibration=str(path))
    assert plain.statements[0].support != calibrated.statements[0].support
    assert outcomes(calibrated) == [OPEN]


def test_a_refuted_statement_makes_the_text_improbable() -> None:
    source = "The rent is $4,000. The deposit is $900."
    right = held("The rent is $4,000.", source).probability
    wrong = held("The rent is $4,000. The deposit is $700.", source)
    assert right is not None
    assert wrong.probability is not None
    assert REFUTED in outcomes(wrong)
    assert wrong.probability < 0.5 < right


def test_a_str_that_names_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_text("The rent is $4,000.")
    with pytest.raises(SourceError, match=r"names a file; expected Path\("):
        check(str(path), context=["The rent is $4,000."])
    with pytest.raises(SourceError, match=r"names a file; expected Path\("):
        check("The rent is $4,000.", context=[str(path)])
    assert check(path, context=path).conforms


def test_nothing_to_check_against_is_an_error() -> None:
    with pytest.raises(SourceError, match="nothing to check against"):
        check("The rent is $4,000.")


def test_no_context_is_one_line() -> None:
    with pytest.raises(SourceError, match="context is None; expected"):
        check("The rent is $4,000.", context=None)  # type: ignore[arg-type]


def test_a_verbatim_sentence_is_supported_and_accused_of_nothing() -> None:
    source = (EXAMPLES / "lease.txt").read_text(encoding="utf-8")
    report = check(Document("copy", source), context=Document("lease", source))
    assert not [v for v in report.violations if v.severity is Severity.ERROR]
    assert report.conforms is True


def test_the_shipped_answer_in_free_words_has_its_three_wrong_sentences_refuted() -> None:
    folder = Path(__file__).parents[1] / "examples" / "policy"
    report = check(folder / "answer.txt", context=folder / "policy.md")
    refuted = [s.text for s in report.statements if s.outcome is REFUTED]
    assert refuted == [
        "Day trips need approval, too.",
        "Parking fines are reimbursed.",
        "Receipts are needed for anything above £25.",
    ]
    quarter = next(s for s in report.statements if s.text.startswith("A quarter"))
    assert [a.status for a in quarter.accounts] == ["derived"]

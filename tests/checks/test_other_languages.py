"""Statements in languages that are not read: unverifiable, with a hint, and their figures."""

from __future__ import annotations

from groundrules import api
from groundrules.config import Config
from groundrules.terms import Outcome, Severity
from tests.rows import each

GERMAN = (
    "Der Mietvertrag beginnt am 1. März 2024. Die Miete beträgt 1.640,50 € im Monat. Hunde darf "
    "die Mieterin nur halten, wenn der Vermieter schriftlich zustimmt."
)
FRENCH = (
    "Le bail commence le 1er mars 2024. Le loyer est de 1 640,50 € par mois. La locataire ne peut "
    "avoir de chien que si le bailleur l'accepte par écrit."
)


@each("text language status")
def test_another_language_is_unverifiable_with_a_hint_and_its_figures_by_their_digits(
    text: str, language: str, status: str
) -> None:
    source = FRENCH if language == "French" else GERMAN
    report = api.check(text, context=[source], config=Config(), verify=False)
    (statement,) = report.statements

    assert (statement.outcome, statement.reason) == (Outcome.UNVERIFIABLE, "unread")
    assert statement.note == f"{language}; a reader that is licensed for it may read it"
    assert [one.status for one in statement.accounts] == [status]
    assert not any(one.severity is Severity.ERROR for one in report.violations)


def test_english_is_read_as_before_beside_a_german_source() -> None:
    report = api.check("The rent is €16.", context=[GERMAN], config=Config(), verify=False)

    assert report.statements[0].reason != "unread"

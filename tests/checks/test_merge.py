"""What a reading settles of what the rules have found, and what stands whatever was read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.readings import Readings, answering
from groundrules import Outcome, Report, Severity, check
from groundrules.llm.prompt import Prompt
from tests.claims.test_llm_propositions import Row, clause

LINES = "The bus runs every ten minutes at weekends; the tram, fifteen."
WRECK = "Only divers over eighteen may go down to the wreck of the Amalie."
SWAP = "A nurse on the night shift was reported to the ward manager by one of the patients."


class Told(Readings):
    """Answers the question on one statement as told, and that on controls rightly."""

    def __init__(self, statement: str, answer: Any) -> None:
        super().__init__("none")
        self.statement, self.answer = statement, answer

    def ask(self, prompt: Prompt) -> Any:
        own = prompt.job != "triples" and dict(prompt.texts)["statement"] == self.statement
        return self.answer if own else super().ask(prompt)


def read(
    statement: str, source: str, rows: Sequence[Row], *, denied: bool = False, force: str = "fact",
    known_denied: bool = False,
) -> Report:  # fmt: skip
    told = clause(statement, source, *rows)
    told["statement"] |= {"not": denied, "force": force}
    told["source"] |= {"not": known_denied, "force": force}
    with answering(Told(statement, {"clauses": [told]})) as config:
        return check(statement, context=source, config=config)


def test_a_figure_of_a_rule_is_only_told_where_a_reading_has_its_own() -> None:
    said = "The tram runs every fifteen minutes at weekends."
    assert next(v.rule for v in check(said, context=LINES).violations) == "GR306"
    rows: list[Row] = [
        ("does", "runs", "runs", "same"), ("who", "The tram", "the tram", "same"),
        ("how often", "every fifteen minutes", "every … minutes … fifteen", "same"),
        ("when", "at weekends", "at weekends", "same"),
    ]  # fmt: skip
    report = read(said, LINES, rows)
    (told,) = [v for v in report.violations if v.rule == "GR306"]
    assert report.statements[0].outcome is Outcome.NOT_ENOUGH_INFO
    assert (told.severity, told.edit) == (Severity.WARNING, None)
    assert "by those the statement holds" in told.because
    assert all(v.outcome is not Outcome.REFUTED for v in report.verdicts)


DIVERS: list[Row] = [
    ("does", "may not go down", "may go down", "same"),
    ("who", "Divers under eighteen", "Only divers over eighteen", "opposed"),
    ("to where", "to the wreck of the Amalie", "to the wreck of the Amalie", "same"),
]


def test_a_denial_that_a_rule_found_is_told_where_the_reading_has_read_one() -> None:
    said = "Divers under eighteen may not go down to the wreck of the Amalie."
    report = read(said, WRECK, DIVERS, denied=True, force="may")
    assert report.statements[0].outcome is Outcome.NOT_ENOUGH_INFO
    assert [v.severity for v in report.violations if v.rule == "GR210"] == [Severity.WARNING]
    careless = read(said, WRECK, [(*one[:3], "same") for one in DIVERS], force="may")
    assert careless.statements[0].outcome is Outcome.REFUTED


def test_who_did_what_to_whom_no_reading_takes_from_a_rule() -> None:
    said = "A nurse on the night shift reported one of the patients to the ward manager."
    rows: list[Row] = [
        ("does", "reported", "was reported", "same"),
        ("who", "A nurse on the night shift", "A nurse on the night shift", "same"),
        ("what", "one of the patients", "one of the patients", "same"),
        ("to whom", "to the ward manager", "to the ward manager", "same"),
    ]
    report = read(said, SWAP, rows)
    assert report.statements[0].outcome is Outcome.REFUTED
    assert "GR204" in {v.rule for v in report.violations if v.severity is Severity.ERROR}

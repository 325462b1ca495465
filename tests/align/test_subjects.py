"""A passage restates a statement only where nothing could tell the two apart."""

from __future__ import annotations

import pytest

from groundrules import check
from groundrules.align.figures import Figure
from groundrules.align.restated import has_one_subject, restates
from groundrules.terms import Outcome

SAME = (
    ("The dog was chased by the cat.", "The cat chased the dog."),
    ("The plant was built in 1975 by Dutch engineers.", "Dutch engineers built the plant in 1975."),
    ("Ann gave Bob the house.", "Ann gave the house to Bob."),
    (
        "The court rejected the plaintiff's argument.",
        "The argument of the plaintiff was rejected by the court.",
    ),
    ("The court did not accept the argument.", "The court rejected the argument."),
    ("Pets are not allowed on the premises.", "Pets are prohibited on the premises."),
    ("On Mondays the library is closed.", "The library is not open on Mondays."),
    (
        "Every year the base rent goes up by 5 percent.",
        "The base rent increases by 5 percent every year.",
    ),
)
OTHER = (
    ("The dog chased the cat.", "The cat chased the dog."),
    ("The dog was chased by the cat.", "The dog chased the cat."),
    ("The train goes from Rome to Milan.", "The train goes from Milan to Rome."),
    ("Ann sold the house to Bob.", "Bob sold the house to Ann."),
    ("The court accepted the argument.", "The court rejected the argument."),
    ("The court did not reject the argument.", "The court rejected the argument."),
    ("The library is not closed on Mondays.", "The library is not open on Mondays."),
    ("Members may not bring dogs.", "Members need not bring dogs."),
    ("All members may bring dogs.", "Some members may bring dogs."),
    ("The fee is paid before the course.", "The fee is paid after the course."),
    ("The fee is paid.", "The fee is paid if the course is held."),
    ("The council approved the plan.", "The council and the mayor approved the plan."),
    ("She owns the mill.", "He owns the mill."),
    ("She owned the mill.", "She owns the mill."),
    ("She will own the mill.", "She owns the mill."),
    ("The two ships were laid up.", "The two ships were laid down."),
    ("The rent is 500 euros.", "The rent is 600 euros."),
    (
        "The town has two public and one private school.",
        "The town has two private and one public school.",
    ),
)


@pytest.mark.parametrize(("statement", "passage"), SAME)
def test_another_order_voice_or_polarity_says_the_same(statement: str, passage: str) -> None:
    assert restates(statement, passage)
    assert restates(passage, statement)


@pytest.mark.parametrize(("statement", "passage"), OTHER)
def test_another_meaning_is_no_restatement(statement: str, passage: str) -> None:
    assert not restates(statement, passage)
    assert not restates(passage, statement)


def test_what_a_passage_restates_is_supported_and_not_asked_of_the_scorer() -> None:
    report = check(
        "The roof was repaired by Marsh & Sons in 2019.",
        context="The hall is old. Marsh & Sons repaired the roof in 2019. It has a bar.",
    )
    (statement,) = report.statements
    assert (statement.outcome, statement.reason) == (Outcome.SUPPORTED, "restated")
    assert not statement.contributions


@pytest.mark.parametrize(
    ("statement", "figure", "told"),
    [
        ("The Gannet carries 14 cars.", "14", True),
        ("The score on Case 3 is 0.84.", "0.84", True),
        pytest.param(
            "The AUC on Case QA is 0.84.",
            "0.84",
            True,
            marks=pytest.mark.xfail(reason="“QA” alone is taken for the subject", strict=True),
        ),
        ("The Gannet was replaced in 2019.", "2019", False),
        ("The Gannet replaced the Tern in 2019.", "2019", False),
        ("The fee was paid by 14 members.", "14", False),
    ],
)
def test_a_figure_is_said_of_one_subject_only_where_nobody_else_takes_part(
    statement: str, figure: str, told: bool
) -> None:
    start = statement.index(figure)
    found = Figure(start, start + len(figure), figure, "NUMBER", "stated")
    assert has_one_subject(statement, [found]) is told

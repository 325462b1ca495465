"""Births and deaths told by the dates of a life."""

from __future__ import annotations

import pytest

from groundrules import Outcome, check
from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from tests.claims.rows import rows


def said(text: str) -> set[tuple[str, str, str]]:
    found = extract(from_text(text, "t"))
    return {
        (
            found.labels.get(c.triple.subject, ""),
            found.labels[c.triple.predicate],
            found.labels.get(c.triple.object, str(c.triple.object)),
        )
        for c in found.claims
    }


@pytest.mark.parametrize(("text", "birth", "death"), rows("lives.dates"))
def test_dates_of_a_life_are_a_birth_and_a_death(text: str, birth: str, death: str) -> None:
    told = {(p, o) for s, p, o in said(text) if s == "Mary Smith" and p in {"be born in", "die in"}}
    wanted = {("be born in", birth), ("die in", death)}
    assert told == {(p, o) for p, o in wanted if o}


@pytest.mark.parametrize("text", rows("lives.dates_stay"))
def test_the_dates_of_a_stay_are_no_life(text: str) -> None:
    assert not {p for _, p, _ in said(text)} & {"be born in", "die in"}


LIFE = "Mary Smith lived from 1828 to 1896. She was a physician."


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Mary Smith was born in 1828.", Outcome.NOT_ENOUGH_INFO),
        ("Mary Smith died in 1896.", Outcome.NOT_ENOUGH_INFO),
        ("Mary Smith was born in 1828 and died in 1896.", Outcome.NOT_ENOUGH_INFO),
        ("Mary Smith was born in 1820.", Outcome.REFUTED),
        ("Mary Smith died in 1876.", Outcome.REFUTED),
        ("Mary Smith was born in Ulm in 1828.", Outcome.NOT_ENOUGH_INFO),
        ("Mary Smith was probably born in 1828.", Outcome.NOT_ENOUGH_INFO),
        ("Mary Smith was not born in 1828.", Outcome.NOT_ENOUGH_INFO),
    ],
)
def test_a_birth_and_a_death_are_held_against_the_dates_of_a_life(
    claim: str, outcome: Outcome
) -> None:
    report = check(claim, context=LIFE, verify=False)
    assert [s.outcome for s in report.statements] == [outcome]


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Mary Smith lived from 1828 to 1896.", Outcome.NOT_ENOUGH_INFO),
        ("Mary Smith lived from 1828 to 1886.", Outcome.NOT_ENOUGH_INFO),
        ("Mary Smith lived from 1820 to 1896.", Outcome.NOT_ENOUGH_INFO),
    ],
)
def test_the_dates_of_a_life_are_held_against_a_birth_and_a_death(
    claim: str, outcome: Outcome
) -> None:
    source = "Mary Smith was born on 4 May 1828 and died in 1896."
    report = check(claim, context=source, verify=False)
    assert [s.outcome for s in report.statements] == [outcome]

"""A contract that says how many parts it has lists them; one court alone hears its disputes."""

from __future__ import annotations

import pytest

from groundrules import Config, check


def rules(text: str) -> set[str]:
    found = check(text, config=Config(ontology="legal"))
    return {v.rule for v in found.violations if v.rule.startswith(("LAW", "OWL"))}


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("This Agreement has ten clauses. See clause 12 of this Agreement.", True),
        ("This Agreement has ten clauses. See clause 9 of this Agreement.", False),
        ("This Agreement has ten clauses. See clause 12 of the Loan Agreement.", False),
        ("Exhibits A and B, and no others, are attached. See Exhibit C.", True),
        ("This Lease has two schedules. See Schedule 2 to this Lease.", False),
    ],
)
def test_a_reference_beyond_the_last_part_leads_nowhere(text: str, missing: bool) -> None:
    assert ("LAW011" in rules(text)) is missing


def test_two_courts_for_all_disputes_are_at_odds_and_for_two_sorts_of_them_not() -> None:
    one = "The courts of Oslo have exclusive jurisdiction over {}. "
    other = "{} shall be brought exclusively before the courts of Riga."
    assert "OWL121" in rules(one.format("all disputes") + other.format("All disputes"))
    some = one.format("claims for freight") + other.format("Claims for damage to cargo")
    assert "OWL121" not in rules(some)

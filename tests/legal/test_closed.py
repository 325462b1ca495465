"""A contract that says how many parts it has lists them; one court alone hears its disputes."""

from __future__ import annotations

from groundrules import Config, check
from tests.rows import each


def rules(text: str) -> set[str]:
    found = check(text, config=Config(ontology="legal"))
    return {v.rule for v in found.violations if v.rule.startswith(("LAW", "OWL"))}


@each("text missing")
def test_a_reference_beyond_the_last_part_leads_nowhere(text: str, missing: bool) -> None:
    assert ("LAW011" in rules(text)) is missing


def test_two_courts_for_all_disputes_are_at_odds_and_for_two_sorts_of_them_not() -> None:
    one = "The courts of Oslo have exclusive jurisdiction over {}. "
    other = "{} shall be brought exclusively before the courts of Riga."
    assert "OWL121" in rules(one.format("all disputes") + other.format("All disputes"))
    some = one.format("claims for freight") + other.format("Claims for damage to cargo")
    assert "OWL121" not in rules(some)

"""What is said of each claim of the papers' cases beside its context."""

from __future__ import annotations

import pytest

from tests.papers import worked


@pytest.mark.parametrize(
    ("context", "claim", "allowed", "reason"),
    [case for paper in worked.FAILS for case in worked.claims(paper)],
)
def test_a_claim_has_the_outcome_of_its_case_or_is_known_to_be_left_open(
    context: str, claim: str, allowed: set[str], reason: str
) -> None:
    found = worked.outcome(worked.checked(context, claim))
    if reason:  # it is neither supported nor refuted that should not be
        assert found not in {"supported", "refuted", *allowed}, reason
    else:
        assert found in allowed

"""What a source gives without the words for it."""

from __future__ import annotations

import pytest

from groundrules import Outcome, check

BUILT = (
    "The Vik bridge was built in 1886. The mill was built in 1885. The dye was used in the early "
    "1970s."
)
MADE = "The game Space Invaders was developed in the late 1970s."


@pytest.mark.parametrize(
    ("source", "claim", "outcome"),
    [
        (BUILT, "The Vik bridge was built in the 1880s.", Outcome.SUPPORTED),
        (BUILT, "The Vik bridge was built in the late 1880s.", Outcome.NOT_ENOUGH_INFO),
        (BUILT, "The Vik bridge was built in the mid-1880s.", Outcome.NOT_ENOUGH_INFO),
        # somebody may call it late, somebody not
        (BUILT, "The mill was built in the late 1880s.", Outcome.NOT_ENOUGH_INFO),
        (BUILT, "The Vik bridge was built in the early 1880s.", Outcome.REFUTED),
        (BUILT, "The Vik bridge was built in the 1890s.", Outcome.REFUTED),
        (MADE, "Space Invaders was developed in the 1970s.", Outcome.NOT_ENOUGH_INFO),
        (MADE, "Space Invaders was developed late in the 1970s.", Outcome.NOT_ENOUGH_INFO),
        (MADE, "Space Invaders was developed in 1978.", Outcome.NOT_ENOUGH_INFO),
        (MADE, "Space Invaders was developed in 1970.", Outcome.REFUTED),
        (MADE, "Space Invaders was developed in 1985.", Outcome.REFUTED),
        # what is used in one decade may be used in another
        (BUILT, "The dye was used in 1985.", Outcome.NOT_ENOUGH_INFO),
    ],
)
def test_a_value_supports_a_vaguer_one_and_never_a_sharper_one(
    source: str, claim: str, outcome: Outcome
) -> None:
    report = check(claim, context=source, verify=False)
    assert [one.outcome for one in report.statements] == [outcome]

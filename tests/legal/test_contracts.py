"""The fixed phrasing of contracts, and what only looks like it."""

from __future__ import annotations

import pytest

from groundrules.checks.extractions import extraction_of
from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import EMBEDDED


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Alpine Holdings is the landlord.", {"Alpine Holdings"}),
        ("Sopranos make up the largest part, while basses are the smallest.", set()),
        ("Nurses work the longest shifts, while doctors are the busiest.", set()),
    ],
)
def test_only_a_role_of_contracts_makes_a_party_of_the_words_before_it(
    sentence: str, expected: set[str]
) -> None:
    mentions = extraction_of(from_text(sentence), EMBEDDED).mentions
    assert {m.text for m in mentions if m.kind == "ORG"} == expected

"""The fixed phrasing of contracts, and what only looks like it."""

from __future__ import annotations

from groundrules.checks.extractions import extraction_of
from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import EMBEDDED
from tests.rows import each


@each("sentence expected")
def test_only_a_role_of_contracts_makes_a_party_of_the_words_before_it(
    sentence: str, expected: list[str]
) -> None:
    mentions = extraction_of(from_text(sentence), EMBEDDED).mentions
    assert {m.text for m in mentions if m.kind == "ORG"} == set(expected)

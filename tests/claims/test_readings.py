"""What sentences are read as saying, by the shipped pipeline: a law of reading each."""

from __future__ import annotations

import pytest

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from tests.claims.llm_rows import shown
from tests.claims.rows import rows


def read(text: str) -> list[tuple[str, ...]]:
    found = extract(from_text(text))
    return [tuple(shown(claim, found)) for claim in found.claims]


@pytest.mark.parametrize(("text", "triple"), rows("readings.sentence"))
def test_a_sentence_says_who_does_what(text: str, triple: tuple[str, ...]) -> None:
    assert triple in [found[:3] for found in read(text)]


def test_what_rumour_has_is_said_by_somebody() -> None:
    found = extract(from_text("Rumour has it that Ann Lee was born in Berlin."))
    (claim,) = [c for c in found.claims if str(c.triple.object).endswith("berlin")]
    assert claim.attribution


def test_no_later_than_is_not_later_than() -> None:
    found = read("The fee shall be paid no later than 5 May.")
    assert not [relation for _, relation, *_ in found if "later" in relation]

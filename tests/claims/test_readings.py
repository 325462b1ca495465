"""What sentences are read as saying, by the shipped pipeline: a law of reading each."""

from __future__ import annotations

import pytest

from groundrules.claims.document import from_text
from groundrules.claims.offline import extract
from tests.claims.llm_rows import shown


def read(text: str) -> list[tuple[str, ...]]:
    found = extract(from_text(text))
    return [tuple(shown(claim, found)) for claim in found.claims]


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("The physicist Albert Einstein left Ulm.", ("Albert Einstein", "leave", "Ulm")),
        ("The farm lies west of Elmore.", ("farm", "lie west of", "Elmore")),
        ("Ann Lee is the mother-in-law of Bob Ray.", ("Ann Lee", "mother-in-law of", "Bob Ray")),
        ("The base rent goes up by 5 percent.", ("base rent", "go up by", "5")),
        ("Each party may enter the Premises.", ("party", "enter", "Premises")),
        (
            "The Tenant pays the rent. It keeps the roof of the mill.",
            ("Tenant", "keep", "roof of mill"),
        ),
    ],
)
def test_a_sentence_says_who_does_what(text: str, triple: tuple[str, ...]) -> None:
    assert triple in [found[:3] for found in read(text)]


def test_what_rumour_has_is_said_by_somebody() -> None:
    found = extract(from_text("Rumour has it that Ann Lee was born in Berlin."))
    (claim,) = [c for c in found.claims if str(c.triple.object).endswith("berlin")]
    assert claim.attribution


def test_no_later_than_is_not_later_than() -> None:
    found = read("The fee shall be paid no later than 5 May.")
    assert not [relation for _, relation, *_ in found if "later" in relation]

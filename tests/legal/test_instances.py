"""Courts review what was decided below them, and decide while they are in being."""

from __future__ import annotations

import pytest

from tests.ontology.read.texts import said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "The High Court quashed the order of the Crown Court.",
            "High Court lx:reviews Crown Court",
        ),
        (
            "The decision of the High Court was reversed by the Court of Appeal.",
            "Court of Appeal lx:reviews High Court",
        ),
        ("On 4 May 1975 the Eleventh Circuit decided the case.", "case lx:heardBy 11th Cir."),
    ],
)
def test_who_reviews_and_who_decides_is_read_in_either_voice(text: str, line: str) -> None:
    assert line in said(text)


@pytest.mark.parametrize(
    "text",
    [
        "The High Court would have quashed the order of the Crown Court.",
        "The High Court cited the order of the Crown Court.",
    ],
)
def test_what_was_not_done_reviews_nothing(text: str) -> None:
    assert not any("lx:reviews" in line for line in said(text))

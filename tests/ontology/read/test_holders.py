"""Who has which part in what: by a noun, or by a verb that has the part in it."""

from __future__ import annotations

from tests.ontology.read.texts import said
from tests.rows import each


@each("text")
def test_whoever_gives_in_one_deed_and_takes_in_another_has_them_in_two(text: str) -> None:
    lines = said(text)
    for name in ("Ana Ruiz", "Bruno Lima"):
        parts = {part for part in ("hasLender", "hasBorrower") for line in lines
                 if f"{part} {name}" in line}  # fmt: skip
        assert len(parts) < 2, lines

"""What follows in law from what others have read of a text."""

from __future__ import annotations

import pytest

from groundrules.legal.heard import _counted, _named


def names(words: str) -> set[str]:
    return {"".join(one) for one in (*_named(words), *_counted(words)) if one[1]}


@pytest.mark.parametrize(
    ("words", "some", "none"),
    [
        ("Exhibits A, B and C, and no others", {"Exhibit A", "Exhibit C"}, {"Exhibit D"}),
        ("Schedules 1 to 4", {"Schedule 3"}, {"Schedule 5"}),
        ("the three schedules", {"Schedule 3", "Schedule C"}, {"Schedule 4", "Schedule D"}),
        ("it ends with clause 7", {"1", "7"}, {"8"}),
        ("Sections 1 to 5", {"4"}, {"6"}),
        ("clause 12.3", {"12.3"}, {"12"}),
        ("no annex", set(), {"Annex A", "Annex 1"}),
        ("a letter", set(), {"A"}),
    ],
)
def test_parts_are_named_or_counted(words: str, some: set[str], none: set[str]) -> None:
    found = names(words)
    assert some <= found
    assert not none & found

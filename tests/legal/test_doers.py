"""A law, a day or a sum is said to do or to be what only an agent can."""

from __future__ import annotations

import pytest

from tests.ontology.read.texts import said


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("The brief was filed by the Clean Wells Act of 1974.", "doneBy Clean Wells Act of 1974"),
        ("The Clean Wells Act sued the company.", "lx:doneBy Clean Wells Act"),
        ("The lease is between Orchard Homes Ltd. and 3 May 2020.", "lx:hasParty 3 May 2020"),
        ("The contract is between $4,500 and Orchard Homes Ltd.", "lx:hasParty $4,500"),
    ],
)
def test_what_cannot_act_is_said_to(text: str, end: str) -> None:
    assert any(line.endswith(end) for line in said(text))


@pytest.mark.parametrize(
    "text",
    [
        "The brief was filed under the Clean Wells Act of 1974.",
        "The brief was filed as required by the Clean Wells Act of 1974.",
        "The lease is between Orchard Homes Ltd. and Ann Reyes.",
        "The lease ran between 3 May 2020 and 4 June 2021.",
    ],
)
def test_what_is_done_under_a_law_is_not_done_by_it(text: str) -> None:
    assert not any("lx:doneBy" in line or "lx:hasParty 3" in line for line in said(text))

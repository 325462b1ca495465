"""Parts of a total, and shares of one whole, are added up."""

from __future__ import annotations

import pytest

from tests.ontology.read.texts import said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("The fee of $900 is payable in two parts: $500 now and $500 later.", "Instalments 1000"),
        (
            "The fee is $900 in all. It is payable as follows: $500 now and $500 in May.",
            "Instalments 1000",
        ),
        (
            "The price of $900 is payable in three instalments of $250 and a last one of $50.",
            "Instalments 800",
        ),
        ("The shares are held by Ann (60%) and Bea (50%).", "sumOfShares 110"),
        ("Of 100% of the shares 60% are held by Ann and 50% by Bea.", "sumOfShares 110"),
        ("The estate is divided: Ann receives one half and Bea two thirds.", "sumOfShares 116.7"),
    ],
)
def test_parts_and_shares_are_added_up(text: str, line: str) -> None:
    assert any(line in one for one in said(text))


@pytest.mark.parametrize(
    "text",
    [
        "The shares are held by Ann (60%).",
        "Ann bears all costs of staff who work 100% for her, and Bea of those who do so 100%.",
    ],
)
def test_shares_of_less_than_all_and_wholes_say_nothing(text: str) -> None:
    assert not any("sumOfShares" in one for one in said(text))

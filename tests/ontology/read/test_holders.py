"""Who has which part in what: by a noun, or by a verb that has the part in it."""

from __future__ import annotations

import pytest

from tests.ontology.read.texts import said


@pytest.mark.parametrize(
    "text",
    [
        "Under the loan agreement Alder Bank lends €5,000 to Alder Bank.",
        "The loan agreement names Alder Bank both as lender and as borrower.",
        "Alder Bank is named as the lender. The loan agreement names Alder Bank as the borrower.",
    ],
)
def test_both_parts_of_one_are_read(text: str) -> None:
    lines = said(text)
    assert any("lx:hasLender Alder Bank" in line for line in lines), lines
    assert any("lx:hasBorrower Alder Bank" in line for line in lines), lines


@pytest.mark.parametrize(
    "text",
    [
        "On behalf of Alder Bank, Ms. Roe lends €5,000 to Birch Ltd.",
        "Harding & Sons sued Harding Brothers LLC.",
        "The report was written by 14 May 2009.",
    ],
)
def test_what_is_no_holder_of_a_part_has_none(text: str) -> None:
    assert not any("lx:hasLender" in line or "hasPlaintiff" in line for line in said(text))


def test_what_is_told_before_what_is_read_without_dates() -> None:
    assert any(
        "toldBefore" in line for line in said("The court decided the case before it was filed.")
    )
    assert not any("toldBefore" in line for line in said("The case was filed before the storm."))

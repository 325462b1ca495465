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
        "The High Court gave judgment in the suit.",
        "Judge Alder was the defendant.",
    ],
)
def test_what_is_no_holder_of_a_part_has_none(text: str) -> None:
    parts = ("lx:hasLender", "lx:hasPlaintiff", "lx:hasJudge")
    assert not any(part in line for line in said(text) for part in parts)


def test_a_part_under_something_else_is_none_in_this() -> None:
    read = said(
        "Under the head lease Alder Ltd. is the landlord and Birch Ltd. is the tenant. "
        "Birch Ltd. is the landlord under the sub-tenancy."
    )
    assert not any("hasLandlord Birch" in line for line in read)


@pytest.mark.parametrize(
    "text",
    [
        "Ana Ruiz lends Bruno Lima her boat. Bruno Lima lends Ana Ruiz his van.",
        "Ana Ruiz is the borrower. Ana Ruiz lends Bruno Lima her boat.",
        "Ana Ruiz lends Bruno Lima €40. Bruno Lima lends €5 to Carl Moe under another loan.",
    ],
)
def test_whoever_gives_in_one_deed_and_takes_in_another_has_them_in_two(text: str) -> None:
    lines = said(text)
    for name in ("Ana Ruiz", "Bruno Lima"):
        parts = {part for part in ("hasLender", "hasBorrower") for line in lines
                 if f"{part} {name}" in line}  # fmt: skip
        assert len(parts) < 2, lines


def test_a_part_in_one_of_several_things_is_none_in_this() -> None:
    read = said(
        "Ana Ruiz is the appellant in the first appeal. Bruno Lima is the appellant in the second "
        "appeal. Ana Ruiz is the appellee in the second appeal."
    )
    assert not any("hasAppell" in line for line in read)

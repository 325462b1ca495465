"""What a sentence says to come to a sum is worked out."""

from __future__ import annotations

import pytest

from groundrules import Config, check
from groundrules.legal.modals import plainly_put


def faults(text: str) -> set[str]:
    return {one.rule for one in check(text, config=Config(ontology="legal")).violations}


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("The tenant pays $2,000 a month, or $26,000 a year.", "$24,000"),
        ("Ten chairs at €200 each are sold for a total of €2,500.", "€2,000"),
        ("The commission is 5 per cent of the price of €400,000, namely €25,000.", "€20,000"),
    ],
)
def test_a_sum_is_what_it_comes_to(wrong: str, right: str) -> None:
    assert "LAW015" in faults(wrong)
    other = wrong.replace(wrong.split()[-1].rstrip("."), right) if wrong.endswith("0.") else wrong
    other = other.replace("$26,000", "$24,000")
    assert "LAW015" not in faults(other)


@pytest.mark.parametrize(
    ("said", "put"),
    [
        ("On no account is the Carrier to open the crate.", "the Carrier may not open the crate."),
        ("It is the duty of the Carrier to seal the crate.", "the Carrier shall seal the crate."),
        ("The Carrier shall be free to sell the crate.", "The Carrier may sell the crate."),
    ],
)
def test_what_is_owed_allowed_and_forbidden_has_one_wording(said: str, put: str) -> None:
    assert plainly_put(said) == put


def test_one_contract_has_one_governing_law() -> None:
    assert faults("The laws of Maine govern this Lease. This Lease is governed by Scots law.")
    assert not faults(
        "The laws of Maine govern this Lease. The Guarantee is governed by Scots law."
    )

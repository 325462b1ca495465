"""What is owed, allowed and forbidden, and whose law governs, in one wording."""

from __future__ import annotations

import pytest

from groundrules import Config, check
from groundrules.legal.duties import plainly_put


def faults(text: str) -> set[str]:
    return {one.rule for one in check(text, config=Config(ontology="legal")).violations}


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

"""What is owed, allowed and forbidden, and whose law governs, in one wording."""

from __future__ import annotations

from groundrules import Config, check
from groundrules.legal.duties import plainly_put
from tests.rows import each


def faults(text: str) -> set[str]:
    return {one.rule for one in check(text, config=Config(ontology="legal")).violations}


@each("said put")
def test_what_is_owed_allowed_and_forbidden_has_one_wording(said: str, put: str) -> None:
    assert plainly_put(said) == put


def test_one_contract_has_one_governing_law() -> None:
    assert faults("The laws of Maine govern this Lease. This Lease is governed by Scots law.")
    assert not faults(
        "The laws of Maine govern this Lease. The Guarantee is governed by Scots law."
    )

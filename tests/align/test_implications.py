"""What one proposition implies in other words, and what it does not."""

from __future__ import annotations

from groundrules.align.deductions import read_propositions
from groundrules.align.implications import implied
from groundrules.claims.slots import described


def follows(text: str) -> list[str]:
    """Return what follows from the propositions of a text, themselves apart."""
    return [described(one) for term in read_propositions(text) for one in implied(term)]


def test_what_is_excepted_is_denied() -> None:
    assert follows("All fees except the late fee are refundable.") == [
        "not refundable(subj: the fee(mod: late))"
    ]


def test_only_if_denies_where_the_condition_is_not_met() -> None:
    assert follows("The gate opens only if the guard is present.") == [
        "not open(subj: the gate, if: not present(subj: the guard))"
    ]
    assert not follows("The gate opens if the guard is present.")

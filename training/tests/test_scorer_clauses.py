"""The clauses that were written for the scorer: what they say is told, what they do not is not."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

_FOLDER = str(Path(__file__).parents[2] / "training" / "scorer")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def clauses() -> Iterator[ModuleType]:
    """The script, with what it imports from in reach."""
    sys.path.insert(0, _FOLDER)
    before = set(sys.modules)
    try:
        import clauses

        yield clauses
    finally:
        for name in set(sys.modules) - before:
            if name in ("clauses", "pairs"):
                del sys.modules[name]
        sys.path.remove(_FOLDER)


@pytest.fixture(scope="module")
def rows(clauses: ModuleType) -> list[tuple[str, str, str, int, str]]:
    return list(clauses.clause_rows(random.Random(1)))


def test_every_clause_is_drawn_as_often_with_what_it_says_as_with_what_it_does_not(
    clauses: ModuleType, rows: list[tuple[str, str, str, int, str]]
) -> None:
    by_clause: dict[str, list[int]] = {}
    for *_, label, clause in rows:
        by_clause.setdefault(clause, []).append(label)
    both = sorted([clauses.ENTAILMENT, clauses.UNSUPPORTED] * clauses.DRAWS)
    assert all(sorted(labels) == both for labels in by_clause.values())


def test_what_is_told_stands_in_the_words(
    clauses: ModuleType, rows: list[tuple[str, str, str, int, str]]
) -> None:
    assert all(row[2] in row[0] for row in rows if row[3] == clauses.ENTAILMENT)


def test_a_broken_pair_is_nothing_that_the_clauses_tell(clauses: ModuleType) -> None:
    rng = random.Random(2)
    listed = clauses.tomllib.loads(
        Path(clauses.__file__).with_suffix(".toml").read_text(encoding="utf-8")
    )
    types: dict[str, list[tuple[str, ...]]] = {"org": [("Tenant", "lessee"), ("Bank", "lender")]}
    template = "[org|Landlord; lessor] lets to [org|Tenant; lessee]."
    for _ in range(300):
        _, slots = clauses._filled(template, listed, rng)
        kind, value = clauses._broken(slots[0], slots, types, listed, rng)
        told = {(name, slot.value) for slot in slots for name in slot.types}
        assert (kind, value) not in told


def test_a_type_may_say_whose_it_is(clauses: ModuleType) -> None:
    listed = clauses.tomllib.loads(
        Path(clauses.__file__).with_suffix(".toml").read_text(encoding="utf-8")
    )
    template = "[org|Seller] of [state|State of {0}; {0}'s state]"
    premise, (seller, state) = clauses._filled(template, listed, random.Random(3))
    assert premise == f"{seller.value} of {state.value}"
    assert state.types[0].startswith("State of ")
    assert state.types[0].removeprefix("State of ") in seller.value

"""Sentences altered by machine: what changes their meaning may not pass, what keeps it not fail."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.alterations import __main__ as alterations
from benchmarks.alterations import documents
from benchmarks.alterations.operators import kinds, operators, surroundings

ROWS = [
    json.loads(line)
    for line in (Path(alterations.__file__).parent / "rows.jsonl").read_text("utf-8").splitlines()
]
#: What the rows need to know of a document: two names, and two parties with what they stand for.
DOCUMENT = (
    "In spring Anna Moor met Peter Holt. Marlow Foods Inc., a company of Ohio (the “Tenant”), "
    "rents from Harbour Estates LLC (“Landlord”)."
)
#: So many alterations are checked, of the sentences of so many documents.
COUNT, DOCUMENTS, SEED = 600, 20, 51


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['operator']}: {row['source'][:40]}")
def test_an_operator_makes_of_a_sentence_what_a_person_wrote(row: dict[str, str]) -> None:
    around = surroundings(DOCUMENT, "contract")
    assert row["altered"] in operators()[row["operator"]](row["source"], around)


def test_each_operator_that_changes_the_meaning_has_one_row_in_the_readme() -> None:
    told = [name for own in kinds().values() for name in own]
    assert sorted(told) == sorted(name for name, one in operators().items() if not one.keeps)


def test_a_person_wrote_three_rows_of_each_operator() -> None:
    counts = Counter(row["operator"] for row in ROWS)
    assert [name for name in operators() if counts[name] < 3] == []
    assert sum(not one.keeps for one in operators().values()) >= 25
    assert sum(one.keeps for one in operators().values()) >= 15


def test_the_same_seed_takes_the_same_alterations() -> None:
    found = alterations.altered(documents.read_documents(None, SEED)[:4])
    first, again = (alterations.sample(found, 50, SEED) for _ in range(2))
    assert first == again
    assert first != alterations.sample(found, 50, SEED + 1)


@pytest.mark.slow
def test_a_source_does_not_carry_its_own_sentence_altered() -> None:
    own = documents.read_documents(None, SEED)[:DOCUMENTS]
    judged = alterations.judge_all(own, alterations.sample(alterations.altered(own), COUNT, SEED))
    counts = alterations.figures(judged)
    changed = counts["all, meaning changed"]
    faults = alterations.shown(judged, most=3)
    assert changed["supported"] <= 0.001 * changed["n"], faults
    assert counts["all, meaning kept"]["refuted"] <= 0.005 * counts["all, meaning kept"]["n"], (
        faults
    )

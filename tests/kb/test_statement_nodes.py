"""Vocabularies of one's own: statement nodes, amounts in texts, labels of other languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundrules import Config, check
from groundrules.kb.sources.connect import connect
from tests.kb.test_connect import NOW

DATA = Path(__file__).parent / "data" / "own"
#: How many claims on each graph are settled as they should be; a change that lowers it is a fault.
SETTLED = {"loans": 25, "ferries": 25, "seeds": 26, "trams": 25, "cast": 15}


def outcome(graph: str, text: str, **more: str) -> str:
    report = check(text, config=Config(kb=(str(DATA / f"{graph}.ttl"),), **more))
    (found,) = {one.outcome.value for one in report.statements}
    return found


@pytest.mark.parametrize("graph", sorted(SETTLED))
def test_no_claim_on_a_vocabulary_of_ones_own_is_wrong_and_most_are_settled(graph: str) -> None:
    lines = (DATA / f"{graph}.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    found = [(outcome(graph, row["text"]), row) for row in rows]
    told = [(got, row) for got, row in found if got in ("supported", "refuted")]
    assert not [row["text"] for got, row in told if got not in (row["label"], *row.get("also", ()))]
    assert sum(got == row["label"] for got, row in told) >= SETTLED[graph]


def test_a_property_of_nodes_is_not_functional_for_what_they_join() -> None:
    properties = connect(str(DATA / "staff.ttl"), now=NOW).source.properties()
    employer = next(one for iri, one in properties.items() if iri.endswith("employer"))
    assert employer.temporal
    assert not employer.functional

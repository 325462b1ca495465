"""What is read of sentences in terms of law: a row for each, with the law that it shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rdflib.namespace import RDF

from tests.ontology.read.texts import said

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("readings.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['law']}: {row['text'][:60]}")
def test_a_sentence_is_read_as_its_row_tells(row: dict[str, Any]) -> None:
    lines = said(row["text"])
    kinds = [line.replace(str(RDF.type), "is") for line in lines if str(RDF.type) in line]
    assert row.keys() & {"all", "kinds", "reads", "dates", "ends", "has", "lacks"}
    assert "all" not in row or {*row["all"]} == {one for one in lines if str(RDF.type) not in one}
    assert "kinds" not in row or row["kinds"] == kinds
    assert {*row.get("reads", ())} <= {*lines}
    assert "dates" not in row or {*row["dates"]} == {line for line in lines if "Date " in line}
    assert all(any(line.endswith(end) for line in lines) for end in row.get("ends", ()))
    assert all(any(part in line for line in lines) for part in row.get("has", ()))
    assert not [line for line in lines for part in row.get("lacks", ()) if part in line]

"""What is read of sentences in terms of law: a row for each, with the law that it shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rdflib.namespace import RDF

from groundrules import Config, check
from groundrules.terms import Severity
from tests.ontology.read.texts import said


def rows(name: str) -> pytest.MarkDecorator:
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return pytest.mark.parametrize(
        "row", found, ids=lambda row: f"{row['law']}: {row['text'][:60]}"
    )


@rows("readings.jsonl")
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


@rows("faults.jsonl")
def test_a_text_has_the_faults_that_its_row_tells(row: dict[str, Any]) -> None:
    """Those of which an id begins with what it `lacks` it has not; a `sound` one has no error."""
    report = check(row["text"], context=row.get("source", ()), config=Config(ontology="legal"))
    found = {one.rule for one in report.violations}
    assert row.keys() & {"finds", "lacks", "sound"}
    assert {*row.get("finds", ())} <= found
    assert not [one for one in found if one.startswith(tuple(row.get("lacks", "-")))]
    errors = [one for one in report.violations if one.severity is Severity.ERROR]
    assert not (row.get("sound") and errors)

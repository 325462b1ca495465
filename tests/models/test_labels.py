"""Rows of labelled passages: what is read, and what is refused with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.errors import SourceError
from groundrules.models.labels import read_row, read_rows

ROW = {"premise": "Governed by the laws of Delaware.", "type": "Governing law", "value": "Delaware"}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_type_and_value_make_the_hypothesis_and_a_label_may_be_missing(tmp_path: Path) -> None:
    (row,) = read_rows(write(tmp_path / "a.jsonl", ROW))

    assert row.pair == (ROW["premise"], "Governing law: Delaware")
    assert row.label is None
    assert row.doc_id == ""
    assert row.fields == ROW


def test_context_stands_for_the_premise_and_a_hypothesis_for_type_and_value() -> None:
    row = read_row({"context": "p", "hypothesis": "h", "label": 0, "doc_id": 7})

    assert (row.pair, row.label, row.doc_id) == (("p", "h"), 0, "7")


def test_the_last_label_of_a_pair_counts_and_keeps_its_place(tmp_path: Path) -> None:
    other = {**ROW, "value": "Nevada"}
    rows = read_rows(
        write(tmp_path / "a.jsonl", {**ROW, "label": 1}, {**other, "label": 0}, {**ROW, "label": 0})
    )

    assert [(row.hypothesis, row.label) for row in rows] == [
        ("Governing law: Delaware", 0),
        ("Governing law: Nevada", 0),
    ]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([0, 1, None])), max_size=8))
def test_there_is_one_row_a_pair(labels: list[tuple[str, int | None]]) -> None:
    rows = [read_row({**ROW, "value": value, "label": label}) for value, label in labels]

    assert {row.pair: row.label for row in rows} == {
        read_row({**ROW, "value": value}).pair: label for value, label in labels
    }


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "not JSON"),
        ("[1]", "not an object"),
        ("[" * 100_000, "a.jsonl:2: "),
        ('{"type": "a", "value": "b"}', "'premise' is missing"),
        ('{"premise": "a", "value": "b"}', "'type' is missing"),
        ('{"premise": " ", "type": "a", "value": "b"}', "'premise' is no text"),
        ('{"premise": "a", "type": "a", "value": ["b"]}', "'value' is no text"),
        ('{"premise": "a", "type": "a", "value": "b", "label": "yes"}', 'label = "yes"; expected'),
        ('{"premise": "a", "type": "a", "value": "b", "label": 2}', "label = 2; expected"),
        ('{"premise": "a", "type": "a", "value": "b", "doc_id": []}', "doc_id is no string"),
        (json.dumps({**ROW, "doc_id": "\ud800"}), "a lone surrogate"),
        (json.dumps({**ROW, "premise": "\udfff"}), "a lone surrogate"),
    ],
)
def test_a_line_that_is_no_row_is_named(tmp_path: Path, line: str, what: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + line + "\n")

    with pytest.raises(SourceError) as error:
        read_rows(path)
    assert f"{path}:2: " in str(error.value)
    assert what in str(error.value)


@pytest.mark.parametrize(
    ("data", "what"), [(b"\xff\n", "not UTF-8 at byte 0"), (None, "cannot be read: ")]
)
def test_a_file_that_cannot_be_read_is_one_line(
    tmp_path: Path, data: bytes | None, what: str
) -> None:
    if data is not None:
        (tmp_path / "a.jsonl").write_bytes(data)

    with pytest.raises(SourceError, match=what):
        read_rows(tmp_path / "a.jsonl")

"""Figures of a knowledge base on rows labelled by outcome."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundrules.config import Config
from groundrules.errors import SourceError
from groundrules.evaluate.kb import evaluate

NOW = datetime(2026, 3, 1, tzinfo=UTC)
FIRMS = Path(__file__).parents[1] / "kb" / "data" / "firms.ttl"
ROWS: tuple[tuple[str, str, list[str]], ...] = (
    ("Harrow Foods plc has 412 employees.", "supported", []),
    ("Harrow Foods plc has 412 employees.", "refuted", []),
    ("Belmont Tools Ltd has 75 employees.", "refuted", []),
    ("Lena Fischer plays the cello.", "nei", ["unverifiable"]),
    ("Lena Fischer plays the harp.", "supported", []),
)

Write = Callable[[list[dict[str, object]]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to(rows: list[dict[str, object]]) -> Path:
        path = tmp_path / "rows.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        return path

    return to


def test_rows_are_counted_by_label_and_outcome(write: Write) -> None:
    path = write([{"text": t, "label": label, "also": also} for t, label, also in ROWS])
    found = evaluate(path, config=Config(kb=(str(FIRMS),)), now=NOW, by="label")
    whole = found.whole

    assert whole.right == pytest.approx(3 / 5)
    assert whole.confusion["supported"]["supported"] == 1
    assert whole.confusion["refuted"] == {"supported": 1, "refuted": 1, "unverifiable": 0}
    assert whole.confusion["unverifiable"]["unverifiable"] == 1  # right as well
    assert (whole.precision_supported, whole.recall_supported) == (0.5, 0.5)
    assert (whole.precision_refuted, whole.recall_refuted) == (1.0, 0.5)
    assert whole.coverage == pytest.approx(3 / 5)
    assert set(found.by) == {"supported", "refuted", "not_enough_info"}
    assert sum(found.reasons.values()) == 5


def test_rows_of_two_labels_count_as_outcomes_too(write: Write) -> None:
    path = write([{"text": ROWS[0][0], "label": 1}, {"text": ROWS[2][0], "label": 0}])
    assert evaluate(path, config=Config(kb=(str(FIRMS),)), now=NOW).whole.right == 1.0


@pytest.mark.parametrize(
    "row", [{"label": "true"}, {"label": 2}, {"label": "nei", "also": ["perhaps"]}, {"label": []}]
)
def test_a_label_that_is_no_outcome_is_refused_with_its_line(
    write: Write, row: dict[str, object]
) -> None:
    with pytest.raises(SourceError, match="label 0 or 1, or supported, refuted"):
        evaluate(write([{"text": "x", **row}]), config=Config(kb=(str(FIRMS),)), now=NOW)

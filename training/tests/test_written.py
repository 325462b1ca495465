"""The written twins: their form, and that they all have it."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts import load

from tests.rows import each

FOLDER = Path(__file__).parents[2] / "training" / "scorer"


written = load("scorer/written")
PASSAGE = "== leaflet\nTake one tablet twice a day for a week.\n--\n"


def _file(folder: Path, twin: str) -> Path:
    path = folder / "x.txt"
    path.write_text(PASSAGE + twin + "\n", "utf-8")
    return path


def test_a_twin_reads_as_two_sentences_that_differ_in_one_place(tmp_path: Path) -> None:
    twin = "number no inference | That makes {fourteen|seven} tablets."
    (passage,) = written.read(_file(tmp_path, twin))
    assert passage.twins[0].read(True) == ("That makes fourteen tablets.", 11, 19)
    assert passage.twins[0].read(False) == ("That makes seven tablets.", 11, 16)


@each("twin")
def test_what_is_no_twin_is_told_by_file_and_line(tmp_path: Path, twin: str) -> None:
    with pytest.raises(ValueError, match=r"x\.txt:4: "):
        list(written.read(_file(tmp_path, twin)))


def test_all_that_was_written_has_the_form_and_begins_differently() -> None:
    passages = [p for path in sorted(FOLDER.glob("written/*.txt")) for p in written.read(path)]
    assert len({passage.text for passage in passages}) == len(passages) > 0


def test_every_tenth_passage_is_kept_out() -> None:
    for path in sorted(FOLDER.glob("written/*.txt")):
        kept = [passage.kept_out for passage in written.read(path)]
        assert kept == [number % 10 == 0 for number in range(1, len(kept) + 1)]

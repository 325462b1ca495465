"""The lock on verdicts: the tenth of it whose texts are in this project, and how moves are told."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lock import __main__ as command
from benchmarks.lock.lines import lines_of
from benchmarks.lock.moves import Move, columns, moves, shown, state, sums, worth
from benchmarks.lock.run import VERDICTS, checked, read_lines
from benchmarks.lock.sets import OURS, SETS, Unit, read_sets
from tests.rows import each

HINT = "read `make lock-diff`, and rewrite what is meant: python -m benchmarks.lock --write"
KEYS = ["n", "is", "verdict", "reason", "rules"]


def line(verdict: str, label: str = "wrong", *rules: str) -> Any:
    return dict(zip(KEYS, ("a:0", label, verdict, "", list(rules)), strict=True))


# tests/test_kb_sentences.py checks all of the sentences about a graph
@pytest.mark.parametrize("name", [name for name in OURS if name != "kb/sentences"])
def test_a_tenth_of_the_lock_holds(name: str, tmp_path: Path) -> None:
    ((_, units),) = read_sets(tmp_path, [name])
    assert isinstance(units, list)
    units = [unit for unit in units if unit.within(1, 10)]
    new = [one for unit in units for one in lines_of(unit, tmp_path)]
    texts = {unit.name for unit in units}
    old = [one for one in read_lines(name) if {one["n"], one["n"].rpartition(":")[0]} & texts]
    told = list(moves(name, old, new))
    assert not told, "\n".join([*map(shown, told), sums(told), HINT])


def test_every_set_is_locked() -> None:
    files = {path.stem for path in VERDICTS.glob("*.jsonl")}
    assert files == {name.replace("/", "-") for name in SETS}
    assert sum(len(read_lines(name)) for name in SETS) > 5_000


@pytest.mark.parametrize("name", SETS)
def test_the_lock_holds_places_and_no_words_of_any_text(name: str) -> None:
    for one in read_lines(name):
        assert list(one) == KEYS
        assert re.fullmatch(r"[\w .,:()&'+#/-]{1,160}", one["n"]), one["n"]
        assert re.fullmatch(r"(true|wrong|open|\|)*", one["is"])
        assert re.fullmatch(r"[A-Za-z0-9 -]{0,20}", one["reason"]), one["reason"]
        for rule in one["rules"]:
            assert re.fullmatch(r"[A-Z]+\d+ (error|warning) (-?\d+--?\d+)?", rule), rule


def test_a_name_is_locked_once() -> None:
    for name in SETS:
        names = [one["n"] for one in read_lines(name)]
        assert len(names) == len(set(names)), name


@each("label verdict rules value")
def test_a_line_is_right_by_its_label(
    label: str, verdict: str, rules: tuple[str, ...], value: int | None
) -> None:
    assert worth(line(verdict, label, *rules)) == value


def test_moves_are_repaired_broken_or_without_effect() -> None:
    missed, caught, passed = line("not_enough_info"), line("refuted"), line("supported")
    warned = line("not_enough_info", "wrong", "GR106 warning 0-4")
    effects = [
        Move("a", old, new).effect
        for old, new in ((missed, caught), (caught, missed), (missed, warned), (missed, passed),
                         (None, caught), (caught, None))
    ]  # fmt: skip
    assert effects == ["repaired", "broken", "moved", "broken", "new", "gone"]
    assert sums([Move("a", missed, caught), Move("a", missed, warned)]) == (
        "2 moved: 1 repaired, 1 moved without effect"
    )
    assert sums([]) == "no statement moved"


def test_a_move_is_shown_old_beside_new() -> None:
    old = line("not_enough_info", "wrong")
    (told,) = moves("prose/near", [old], [line("refuted", "wrong", "GR306 error 3-7")])
    assert shown(told) == (
        "prose/near a:0 (wrong): repaired\n"
        "  - not_enough_info ()\n"
        "  + refuted ()  [GR306 error 3-7]"
    )


def test_columns_are_shares_of_those_with_a_label() -> None:
    lines = [
        line("supported", "true"), line("refuted", "true"), line("supported", "wrong"),
        line("refuted", "wrong"), line("supported", "open"), line("refuted", "wrong|open"),
    ]  # fmt: skip
    assert columns(lines) == [
        "6", "0.667 of 3", "0.500 of 2", "0.500 of 2", "0.500 of 2", "0.500 of 2", "0.500 of 2"
    ]  # fmt: skip
    assert state(line("conflicting")) == "error"


def test_a_text_that_is_known_is_not_checked_again(tmp_path: Path) -> None:
    unit = Unit("a", "lease", "The rent is $40.", ("The rent is $50.",))
    (first,) = checked({"a": [unit]}, tmp_path, 1)["a"]
    assert first["verdict"] == "refuted"
    assert first["rules"]
    (kept,) = tmp_path.glob("*.jsonl")
    written = kept.read_text("utf-8")
    assert checked({"a": [unit]}, tmp_path, 1) == {"a": [first]}
    assert kept.read_text("utf-8") == written


def test_a_set_whose_data_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["lock", "--data", str(tmp_path), "--only", "sound", "--kept", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", words)
    assert command.main() == 0
    told = capsys.readouterr()
    assert told.err == f"skipped sound: no {tmp_path / 'cases/sound.jsonl.gz'}\n"
    assert told.out == "no statement moved\n"

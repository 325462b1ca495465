"""What is left out of a check, one thing at a time: it is there, is left out and comes back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.ablate import __main__ as command
from benchmarks.ablate.names import needing, saved, things
from benchmarks.ablate.run import SUPERSEDING
from benchmarks.ablate.table import HEADS, page, worths
from benchmarks.ablate.targets import (
    CONTRASTS,
    DERIVATIONS,
    FINDERS,
    MODELS,
    PLACED,
    Target,
    empty,
    functions,
    is_effective,
    modules,
)
from benchmarks.ablate.trial import Board, Judged, left_out
from benchmarks.lock.lines import lines_of
from benchmarks.lock.sets import Item, Unit

LEASE = "The Tenant shall keep no dogs. The rent is $40 a month. The term is two years."
SAID = "The Tenant may keep dogs. The rent is $50 a month. The term is two years."
UNIT = Unit("a", "lease", SAID, (LEASE,), (Item(0, 25, "wrong"), Item(26, 50, "wrong"),
                                            Item(51, len(SAID), "true")))  # fmt: skip


@pytest.fixture(scope="module")
def board() -> Iterator[Board]:
    found = Board()
    yield found
    found.close()


@pytest.fixture(scope="module")
def judged(board: Board) -> Iterator[Judged]:
    found = Judged()
    yield found
    found.close()


@pytest.mark.parametrize("name", [*FINDERS, *DERIVATIONS, *PLACED])
def test_each_function_that_is_named_is_there_and_may_find_nothing(name: str) -> None:
    assert name in functions()


def test_every_finder_of_contrasts_is_named() -> None:
    assert len(CONTRASTS) == len(set(CONTRASTS)) > 1


@pytest.mark.parametrize(
    ("returns", "value"),
    [
        ("Derivation | None", None),
        ("tuple[Candidate, ...]", ()),
        ("list[int]", []),
        ("frozenset[str]", frozenset()),
        ("dict[str, float]", {}),
        ("str", ""),
        ("bool", False),
    ],
)
def test_what_finds_nothing_is_told_by_what_is_returned(returns: str, value: Any) -> None:
    make = empty(returns)
    assert make is not None
    assert make() == value


def test_a_function_that_always_returns_something_is_no_target() -> None:
    assert empty("float") is None
    assert empty("tuple[int, int]") is None


def test_lines_go_with_what_only_a_function_needs() -> None:
    name = "align.counts.amounted"
    lines, gone = saved([name])
    assert name in gone
    assert "align.counts._clash" in gone
    assert "align.wordalign.read" not in gone
    assert lines > things()[name].lines
    assert "align.contrasts.contrasts" in needing(name)


def test_modules_are_left_out_by_what_others_ask_of_them() -> None:
    found = modules()["align.subjects"]
    assert found == ("align.subjects.has_one_subject", "align.subjects.is_told_as_so")


def test_a_function_is_left_out_and_comes_back(board: Board, tmp_path: Path) -> None:
    base = lines_of(UNIT, tmp_path)
    assert [one["verdict"] for one in base[1:]] == ["refuted", "supported"]
    board.seen.clear()
    board.forget()
    lines_of(UNIT, tmp_path)
    target = Target("align.figures.account", "module", ("align.figures.account",))
    assert is_effective(target, board.seen, ())
    without = left_out(UNIT, tmp_path, board, target, base)
    assert without != base
    assert not any("GR306" in rule for line in without for rule in line["rules"])
    assert lines_of(UNIT, tmp_path) == base


@pytest.mark.parametrize("name", [*FINDERS, *DERIVATIONS])
def test_a_check_that_stops_where_nothing_changed_says_what_a_whole_one_does(
    name: str, board: Board, tmp_path: Path
) -> None:
    base = lines_of(UNIT, tmp_path)
    stopped = left_out(UNIT, tmp_path, board, Target(name, "finder", (name,)), base)
    board.forget()
    with board.without([name]):
        assert lines_of(UNIT, tmp_path) == stopped


def test_a_rule_left_out_of_the_judgement_is_a_rule_left_out_of_the_check(
    board: Board, judged: Judged, tmp_path: Path
) -> None:
    base = lines_of(UNIT, tmp_path)
    fired = judged.rules() - SUPERSEDING
    told = {rule: judged.without(UNIT, rule) for rule in fired}
    assert fired
    for rule in fired:
        assert told[rule] == left_out(UNIT, tmp_path, board, Target(rule, "rule"), base), rule


@pytest.mark.parametrize("model", MODELS)
def test_a_model_is_left_out_and_comes_back(model: str, board: Board, tmp_path: Path) -> None:
    base = lines_of(UNIT, tmp_path)
    without = left_out(UNIT, tmp_path, board, Target(model, "model"), base)
    assert [one["n"] for one in without] == [one["n"] for one in base]
    assert lines_of(UNIT, tmp_path) == base


def test_all_kinds_have_targets() -> None:
    for kind in command.KINDS:
        assert command.targets([kind])


def test_a_table_tells_what_changes_without_a_target() -> None:
    target = Target("align.counts.amounted", "finder", ("align.counts.amounted",))
    error, none = ["error", True, "refuted", "GR210"], ["open", False, "not_enough_info", "support"]
    known = {
        UNIT.digest: {
            "base": {"seen": {target.name: [3, 1, 0.5]}, "fired": [], "lines": []},
            target.name: [["broken", "lease:0", "wrong", *error, *none],
                          ["repaired", "lease:2", "true", *error, *none]],
        }
    }  # fmt: skip
    found = worths([UNIT], known, [target])
    one = found[target.name]
    assert (one.calls, one.found, one.texts, one.lost, one.gone) == (3, 1, 1, 1, 1)
    lines = saved([target.name])[0]
    told = page(found, 1, 3)
    assert f"| {' | '.join(HEADS)} |" in told
    assert f"| counts.amounted | 1 | 1 | 1 | 1 | 1 | a 1/1 | 0.5 | {lines} |" in told

"""An audit goes on where it was ended, and a text that is too much for it is told, not lost."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from groundrules.audit.results import Ledger, Result, read_report, read_results, sorted_results
from groundrules.audit.runner import results_of, run
from groundrules.audit.tasks import Task, Text
from groundrules.errors import ConfigError, SourceError
from groundrules.pool import Pool
from groundrules.terms import Report
from tests.audit import doubles
from tests.service.inside import Inside

ROOT = Path(__file__).parents[2]
_PATIENCE = 120.0
here = pytest.mark.usefixtures("inside")


def results(out: Path) -> dict[str, Result]:
    return {one.id: one for one in read_results(out)}


def everything(out: Path) -> dict[str, bytes]:
    """Return all files of an audit that two runs have alike."""
    varies = {"results.sqlite", "lock"}
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.name not in varies
    }


def begin(table: Path, out: Path) -> subprocess.Popen[bytes]:
    start = "from tests.audit.doubles import main; main()"
    return subprocess.Popen([sys.executable, "-c", start, str(table), str(out), "2"], cwd=ROOT)


def await_lines(out: Path, number: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < until:
        if len(list(read_results(out))) >= number:
            return
        time.sleep(0.05)


def test_an_audit_that_is_killed_goes_on_and_ends_as_one_that_was_not(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["fine refuted nap nap"] * 40)
    out = tmp_path / "killed"
    for number in (0, 7, 20):
        process = begin(table, out)
        await_lines(out, number, process)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    before = {one.key for one in read_results(out)}
    doubles.run_all(table, out, jobs=2)
    lines = [one.key for one in read_results(out)]
    assert 20 <= len(before) < 40
    assert len(lines) == len(set(lines)) == 40
    assert before == set(lines[: len(before)])
    doubles.run_all(table, tmp_path / "whole", jobs=2)
    assert everything(out) == everything(tmp_path / "whole")


@here
def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["one", "two"])
    doubles.run_all(table, tmp_path / "out")
    done = doubles.run_all(table, tmp_path / "out", check=None)
    assert (done.tally.kept, done.tally.done) == (2, 0)


@here
def test_an_audit_is_run_where_a_loop_runs_already(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["one", "two"])

    async def cell() -> doubles.Done:
        return doubles.run_all(table, tmp_path / "out")

    assert asyncio.run(cell()).tally.done == 2


@here
def test_a_text_that_changed_is_checked_again_and_only_it(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["one", "two"])
    doubles.run_all(table, tmp_path / "out")
    doubles.write_table(table, ["one", "two refuted"])
    done = doubles.run_all(table, tmp_path / "out")
    assert (done.tally.kept, done.tally.done) == (1, 1)
    told = list(sorted_results(tmp_path / "out", done.keys))
    assert [one.outcomes["refuted"] for one in told] == [0, 1]


def test_other_settings_are_another_check(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["one"])
    first = doubles.audit(table, tmp_path / "out")
    strict = replace(first.config, not_enough_info="fail")
    assert first.settings != replace(first, config=strict).settings


@here
def test_results_that_are_damaged_are_told_with_their_file(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["one", "two", "three"])
    doubles.run_all(table, tmp_path / "out")
    (tmp_path / "out" / "results.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(SourceError, match=r"results\.sqlite: is damaged"):
        doubles.run_all(table, tmp_path / "out")


@here
def test_a_result_whose_report_is_gone_is_made_again(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["one", "two"])
    doubles.run_all(table, tmp_path / "out")
    whole = everything(tmp_path / "out")
    next((tmp_path / "out" / "reports").glob("*.json")).unlink()
    done = doubles.run_all(table, tmp_path / "out")
    assert done.tally.done == 1
    assert len(list(read_results(tmp_path / "out"))) == 2
    assert everything(tmp_path / "out") == whole


def test_a_poisonous_text_is_told_and_the_others_are_checked(tmp_path: Path) -> None:
    answers = ["one", "hang", "two", "die", "three", "grow", "four", "fail", "five"]
    table = doubles.write_table(tmp_path / "t.jsonl", answers)
    done = doubles.run_all(table, tmp_path / "out", jobs=2, seconds=1.5, memory=2**30)
    told = {answers[int(name[1:])]: one.error for name, one in results(tmp_path / "out").items()}
    assert told == {
        "one": "",
        "two": "",
        "three": "",
        "four": "",
        "five": "",
        "hang": "it took longer than the 1.5 seconds that a text may take, twice",
        "die": "its process ended with code 3, twice",
        "grow": "it took more memory than a text may take, twice",
        "fail": "internal error: RuntimeError: a fault of ours",
    }
    assert (done.tally.done, done.tally.errors) == (9, 4)
    again = doubles.run_all(table, tmp_path / "out", check=None)
    assert again.tally.done == 0


def test_a_worker_that_dies_once_costs_no_result(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["one", f"once-{tmp_path}/mark", "two"])
    done = doubles.run_all(table, tmp_path / "out")
    assert (done.tally.errors, done.tally.restarts) == (0, 1)


@here
def test_a_report_is_read_as_the_check_made_it_but_for_its_times(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["fine refuted scanned"])
    doubles.run_all(table, tmp_path / "out")
    (result,) = results(tmp_path / "out").values()
    report = read_report(tmp_path / "out", result)
    context = doubles.Document(next(n for n in report.sources if n != "t000"), "source 0")
    made = doubles.check(doubles.Document("t000", "fine refuted scanned"), context=[context])
    assert report == replace(made, run=replace(made.run, times=()))


@here
@pytest.mark.parametrize("kind", ["reports", "sources"])
def test_a_report_or_source_of_which_one_byte_changed_is_refused(tmp_path: Path, kind: str) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["fine"])
    doubles.run_all(table, tmp_path / "out")
    (result,) = results(tmp_path / "out").values()
    (path,) = (tmp_path / "out" / kind).glob("*.json")
    path.write_bytes(path.read_bytes().replace(b"source 0", b"source 1").replace(b"fine", b"mine"))
    with pytest.raises(SourceError, match="is damaged; expected it as it was written"):
        read_report(tmp_path / "out", result)


def test_each_finished_text_is_told_once_in_the_order_written(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["one", "fail", "refuted", "two"])
    told: dict[str, str] = {}

    def finished(result: Result, report: Callable[[], Report]) -> None:
        assert result.key not in told
        told[result.key] = result.error or report().text

    run(doubles.audit(table, tmp_path / "out", jobs=2), finished=finished)
    assert list(told) == [one.key for one in read_results(tmp_path / "out")]
    fault = "internal error: RuntimeError: a fault of ours"
    assert sorted(told.values()) == [fault, "one", "refuted", "two"]


@here
def test_what_was_written_and_not_told_is_told_by_the_next_run(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["one", "two", "three"])
    audit = doubles.audit(table, tmp_path / "out", jobs=1)
    told: list[str] = []

    def finished(result: Result, report: Callable[[], Report]) -> None:
        if len(told) == 1:
            raise KeyboardInterrupt
        told.append(result.key)

    with pytest.raises(KeyboardInterrupt):
        run(audit, finished=finished)
    later: list[str] = []
    run(audit, finished=lambda result, _: later.append(result.key), told=told)
    assert [*told, *later] == [one.key for one in read_results(tmp_path / "out")]


def test_two_audits_do_not_write_to_one_folder(tmp_path: Path) -> None:
    table = doubles.write_table(tmp_path / "t.jsonl", ["one"])
    with Ledger(tmp_path / "out"), pytest.raises(ConfigError, match="another audit is writing"):
        doubles.run_all(table, tmp_path / "out")


class Noting:
    """Answers at once, and notes which tasks it was given."""

    def __init__(self, notes: list[list[Task]]) -> None:
        self._given: list[Task] = []
        notes.append(self._given)

    def prepare(self) -> None: ...

    def work(self, task: Task) -> Result:
        self._given.append(task)
        return Result(task.key, task.id, "", "")


async def every(
    notes: list[list[Task]], workers: int, tasks: Iterator[Task], *, first: bool = False
) -> list[Result]:
    pool = Pool(partial(Inside, lambda: Noting(notes)), workers, 64, 60.0, math.inf)
    made: list[Result] = []
    try:
        async for results in results_of(pool, tasks, 64, 60.0):
            made += results
            if first:
                break
    finally:
        await pool.close()
    return made


def test_texts_of_one_source_go_to_the_worker_that_has_read_it() -> None:
    sources = [Text(f"s{number}", f"{number}") for number in range(2)]
    tasks = [
        Task(str(number), str(number), "", Text("t", "", "words"), (sources[number % 2],))
        for number in range(40)
    ]
    notes: list[list[Task]] = []
    made = asyncio.run(every(notes, 2, iter(tasks)))
    assert sorted(int(one.id) for one in made) == list(range(40))
    assert [len({task.contexts[0].sha256 for task in given}) for given in notes] == [1, 1]


def test_no_more_is_read_ahead_than_there_is_room_for() -> None:
    read = 0

    def tasks() -> Iterator[Task]:
        nonlocal read
        for number in range(1000):
            read += 1
            yield Task(str(number), str(number), "", Text("t", "", "x" * 1_000_000))

    asyncio.run(every([], 1, tasks(), first=True))
    assert read <= 10

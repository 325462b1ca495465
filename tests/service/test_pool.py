"""The laws of the pool, with workers that do what they are told."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from groundrules import pool as pool_
from groundrules.errors import ConfigError
from groundrules.pool import Pool, PoolError
from groundrules.processes import Process
from tests.service.doubles import BROKEN, Double


def run(
    steps: Callable[[Pool], Awaitable[None]],
    *,
    workers: int = 1,
    queue: int = 2,
    seconds: float = 20,
) -> None:
    async def all_() -> None:
        pool = Pool(partial(Process, partial(Double, 2**28)), workers, queue, seconds)
        try:
            await pool.start()
            await steps(pool)
        finally:
            await pool.close()

    asyncio.run(all_())


async def ask(pool: Pool, text: str = "answer", context: str = "", *, patient: bool = False) -> int:
    """Have a text checked; return the process that did."""
    async with pool.hold(context, patient=patient) as worker:
        answer = await pool.ask(worker, text)
    return int(json.loads(answer)["pid"])


async def refused(asked: Awaitable[object]) -> PoolError:
    with pytest.raises(PoolError) as caught:
        await asked
    return caught.value


async def settled(there: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(90):
        while not there():
            await asyncio.sleep(0.01)


def test_what_the_queue_has_no_room_for_is_refused_and_the_rest_is_done() -> None:
    async def steps(pool: Pool) -> None:
        first = [asyncio.create_task(ask(pool, "sleep 0.3")) for _ in range(3)]
        await settled(lambda: pool.full)
        refusal = await refused(ask(pool))
        assert refusal.kind == "full"
        assert refusal.after >= 1
        assert len(set(await asyncio.gather(*first))) == 1
        assert not pool.full

    run(steps)


def test_a_worker_that_was_killed_while_idle_is_replaced_before_anybody_asks() -> None:
    async def steps(pool: Pool) -> None:
        before = await ask(pool)
        os.kill(before, signal.SIGKILL)
        await settled(lambda: pool.replaced == {"died": 1} and pool.ready == 1)
        assert await ask(pool) != before

    run(steps)


def test_who_is_patient_waits_for_a_place() -> None:
    async def steps(pool: Pool) -> None:
        every = [asyncio.create_task(ask(pool, "sleep 0.05", patient=True)) for _ in range(8)]
        assert len(await asyncio.gather(*every)) == 8

    run(steps)


def test_what_takes_too_long_ends_its_worker_and_another_takes_its_place() -> None:
    async def steps(pool: Pool) -> None:
        before = await ask(pool)
        refusal = await refused(ask(pool, "sleep 30"))
        assert refusal.kind == "late"
        with pytest.raises(ProcessLookupError):
            os.kill(before, 0)
        await settled(lambda: pool.ready == 1)
        assert await ask(pool) != before
        assert pool.replaced == {"late": 1}

    run(steps, seconds=3)


@pytest.mark.parametrize(("text", "cause"), [("die", "died"), ("swell", "memory")])
def test_a_worker_that_ends_is_told_of_and_replaced(text: str, cause: str) -> None:
    async def steps(pool: Pool) -> None:
        before = await ask(pool)
        assert (await refused(ask(pool, text))).kind == cause
        assert await ask(pool) != before
        assert pool.replaced == {cause: 1}

    run(steps)


def test_who_stops_waiting_leaves_the_queue() -> None:
    async def steps(pool: Pool) -> None:
        working = asyncio.create_task(ask(pool, "sleep 0.3"))
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(ask(pool)) for _ in range(2)]
        await settled(lambda: pool.waiting == 2)
        for task in waiting:
            task.cancel()
        await settled(lambda: pool.waiting == 0)
        assert await working == await ask(pool)

    run(steps)


def test_who_goes_when_a_worker_was_just_given_gives_it_back() -> None:
    async def steps(pool: Pool) -> None:
        async with pool.hold():
            waiting = asyncio.create_task(ask(pool))
            await settled(lambda: pool.waiting == 1)
        waiting.cancel()  # the worker is given, and the task has not run since
        with suppress(asyncio.CancelledError):
            await waiting
        assert pool.busy == 0
        await ask(pool)

    run(steps)


def test_who_goes_while_a_worker_works_leaves_it_to_finish() -> None:
    async def steps(pool: Pool) -> None:
        before = await ask(pool)
        gone = asyncio.create_task(ask(pool, "sleep 0.3"))
        await settled(lambda: pool.busy == 1)
        gone.cancel()
        with suppress(asyncio.CancelledError):
            await gone
        assert pool.busy == 1
        assert await ask(pool) == before
        assert not pool.replaced

    run(steps)


def test_contexts_go_to_the_worker_that_has_read_them() -> None:
    async def steps(pool: Pool) -> None:
        await settled(lambda: pool.ready == 2)
        one, other = await asyncio.gather(
            ask(pool, "sleep 0.1", "one"), ask(pool, "sleep 0.1", "other")
        )
        assert one != other
        assert [await ask(pool, "x", "one") for _ in range(3)] == [one] * 3
        assert [await ask(pool, "x", "other") for _ in range(3)] == [other] * 3

    run(steps, workers=2)


def test_a_worker_that_is_free_again_takes_the_contexts_that_it_has_read() -> None:
    async def steps(pool: Pool) -> None:
        known = await ask(pool, "x", "known")
        working = asyncio.create_task(ask(pool, "sleep 0.2", "known"))
        await settled(lambda: pool.busy == 1)
        done: list[str] = []

        async def wait(context: str) -> None:
            assert await ask(pool, "x", context) == known
            done.append(context)

        waiting = [asyncio.create_task(wait(context)) for context in ("new", "known")]
        await asyncio.gather(working, *waiting)
        assert done == ["known", "new"]

    run(steps)


def test_nobody_is_passed_over_for_long() -> None:
    async def steps(pool: Pool) -> None:
        await ask(pool, "x", "known")
        working = asyncio.create_task(ask(pool, "sleep 0.2", "known"))
        await settled(lambda: pool.busy == 1)
        done: list[str] = []

        async def wait(context: str) -> None:
            await ask(pool, "x", context)
            done.append(context)

        contexts = ["new", *["known"] * (pool_.PASSED + 2)]
        waiting = [asyncio.create_task(wait(context)) for context in contexts]
        await asyncio.gather(working, *waiting)
        assert done.index("new") == pool_.PASSED

    run(steps, queue=16)


def test_a_worker_that_has_grown_works_until_another_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool_, "GROWN", 50 * 2**20)

    async def steps(pool: Pool) -> None:
        before = await ask(pool, "grow 80")
        assert pool.ready == 1
        assert await ask(pool) == before
        await settled(lambda: pool.replaced["grown"] == 1)
        assert await ask(pool) != before
        assert pool.ready == 1

    run(steps)


def test_no_worker_at_the_start_is_a_wrong_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BROKEN, str(tmp_path))

    async def steps(pool: Pool) -> None:
        raise AssertionError

    with pytest.raises(ConfigError, match="the model is missing"):
        run(steps)


def test_once_the_model_is_there_again_requests_are_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_, "_AGAIN", 0.2)
    flag = tmp_path / "broken"
    monkeypatch.setenv(BROKEN, str(flag))

    async def steps(pool: Pool) -> None:
        flag.touch()
        assert (await refused(ask(pool, "die"))).kind == "died"
        missing = await refused(ask(pool))
        assert (missing.kind, missing.told, pool.ready) == ("missing", "the model is missing", 0)
        assert pool.failure == "the model is missing"
        flag.unlink()
        await asyncio.sleep(0.3)
        assert await ask(pool) > 0
        assert pool.failure == ""

    run(steps)

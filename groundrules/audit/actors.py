"""Workers as actors of a Ray cluster, whose machines see the same files under the same names."""

from __future__ import annotations

import contextlib
import logging
import os
from typing import Any

from groundrules.audit.tasks import Task
from groundrules.audit.worker import Job, Worker
from groundrules.errors import ConfigError, GroundrulesError
from groundrules.processes import DIED, DONE, FATAL, LAST, MEMORY, READY


class Actors:
    """Actors that check texts, as `processes.Processes` does; a worker is known by its number.

    The cluster is the one that $RAY_ADDRESS names, else a local one of so many cores.
    """

    def __init__(self, job: Job, workers: int) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anyone
        if not os.environ.get("RAY_ADDRESS"):
            # Ray has 127.0.0.1 mean the address by which others reach the machine, but where it
            # forms no cluster of several: then nothing listens on any other
            os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        try:
            import ray
        except ImportError:
            raise ConfigError(
                "--engine ray needs Ray; run: pip install 'groundrules[ray]'"
            ) from None
        self._ray: Any = ray
        self._began = not ray.is_initialized()
        if self._began:
            here: dict[str, Any] = {
                "num_cpus": workers,
                "include_dashboard": False,
                "_node_ip_address": "127.0.0.1",
            }
            ray.init(
                **({} if os.environ.get("RAY_ADDRESS") else here),
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        self._job = ray.put(job)
        self._actor: Any = ray.remote(num_cpus=1, max_restarts=0)(_Actor)
        self._live: dict[int, Any] = {}
        self._asked: dict[Any, int] = {}
        self._number = 0

    def start(self) -> int:
        """Start a worker, which says that it is ready; return its number."""
        self._number += 1
        actor = self._live[self._number] = self._actor.remote(self._job)
        self._asked[actor.prepare.remote()] = self._number
        return self._number

    def give(self, worker: int, task: Task) -> None:
        """Have a worker check a text."""
        self._asked[self._live[worker].work.remote(task)] = worker

    def take(self, seconds: float) -> list[tuple[int, str, Any]]:
        """Return what workers have told within some seconds, as soon as one has."""
        if not self._asked:
            return []
        asked = list(self._asked)
        first, _ = self._ray.wait(asked, num_returns=1, timeout=seconds)
        ready = self._ray.wait(asked, num_returns=len(asked), timeout=0)[0] if first else []
        told: list[tuple[int, str, Any]] = []
        for one in ready:
            worker = self._asked.pop(one)
            try:
                told.append((worker, *self._ray.get(one)))
            except self._ray.exceptions.RayError as error:
                kind = type(error).__name__
                told.append((worker, DIED, f"its worker was lost ({kind})"))
        return told

    def stop(self, worker: int) -> None:
        """End a worker, whatever it does."""
        actor = self._live.pop(worker)
        self._asked = {one: number for one, number in self._asked.items() if number != worker}
        with contextlib.suppress(self._ray.exceptions.RayError):
            self._ray.kill(actor)

    def memory(self) -> int:
        """Return 0: what the workers of a cluster take it does not tell."""
        return 0

    def close(self) -> None:
        """End all workers, and the cluster if it began with them."""
        for worker in list(self._live):
            self.stop(worker)
        if self._began:
            self._ray.shutdown()


class _Actor:
    def __init__(self, job: Job) -> None:
        self._worker = Worker(job)

    def prepare(self) -> tuple[str, Any]:
        try:
            self._worker.prepare()
        except GroundrulesError as error:
            return FATAL, str(error)
        return READY, None

    def work(self, task: Task) -> tuple[str, Any]:
        try:
            result = self._worker.work(task)
        except GroundrulesError as error:
            return FATAL, str(error)
        except MemoryError:
            return MEMORY, None
        return (LAST if self._worker.grown else DONE), result

"""Workers as actors of a Ray cluster, whose machines see the same files under the same names."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from groundrules.audit.tasks import Task
from groundrules.audit.worker import Job, Worker
from groundrules.errors import ConfigError, GroundrulesError
from groundrules.processes import DIED, DONE, FATAL, MEMORY, READY, Process, resident


class Actors:
    """Actors that check texts.

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

    def begin(self) -> Process:
        """Begin a worker, which says that it is ready."""
        return cast(Process, _Remote(self._ray, self._actor.remote(self._job)))

    def close(self) -> None:
        """End the cluster if it began with these workers."""
        if self._began:
            self._ray.shutdown()


class _Remote:
    """A worker of a cluster, as `processes.Process` is one of this machine."""

    #: Of the workers of a cluster it is not told that they have ended.
    sentinel, is_alive = None, True

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray, self._worker = ray, actor
        self._asked = actor.prepare.remote()
        self.memory = 0

    def give(self, task: Task) -> None:
        self._asked = self._worker.work.remote(task)

    def take(self) -> tuple[str, Any]:
        try:
            kind, what, self.memory = self._ray.get(self._asked)
        except self._ray.exceptions.RayError as error:
            return DIED, f"its worker was lost ({type(error).__name__})"
        return kind, what

    def kill(self) -> None:
        with contextlib.suppress(self._ray.exceptions.RayError):
            self._ray.kill(self._worker)

    stop = kill


class _Actor:
    def __init__(self, job: Job) -> None:
        self._worker = Worker(job)

    def prepare(self) -> tuple[str, Any, int]:
        return self._told(READY, self._worker.prepare)

    def work(self, task: Task) -> tuple[str, Any, int]:
        return self._told(DONE, partial(self._worker.work, task))

    def _told(self, kind: str, do: Callable[[], Any]) -> tuple[str, Any, int]:
        """Return what came of something, and the bytes of memory that the worker has then."""
        try:
            return kind, do(), resident()
        except GroundrulesError as error:
            return FATAL, str(error), 0
        except MemoryError:
            return MEMORY, None, 0

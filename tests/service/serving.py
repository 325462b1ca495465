"""A real server of the service on a free loopback port, in this process, and what asks it."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import httpx
import pytest
import uvicorn

from groundrules.service import state
from groundrules.service.app import create_app
from groundrules.service.startup import Settings
from groundrules.service.state import Service
from tests.servers import free_port
from tests.service.inside import Inside

SOURCE = "The Otter was built in 1994. The Otter carries 80 passengers."
TEXT = "The Otter was built in 1996. It carries 80 passengers."
BODY: dict[str, Any] = {"text": TEXT, "sources": [{"name": "register.txt", "text": SOURCE}]}


class Served:
    """A service that runs: a client for it, and the service itself."""

    def __init__(self, url: str, service: Service, end: Callable[[], None]) -> None:
        self.url, self.service, self.end = url, service, end
        self.client = httpx.Client(base_url=url, timeout=120, trust_env=False)

    def check(self, **changed: Any) -> httpx.Response:
        """Post the body that is known, with some keys changed."""
        return self.client.post("/check", json={**BODY, **changed})

    def metric(self, name: str) -> float:
        """Return what is counted under a name, 0 where nothing is."""
        counted = self.client.get("/metrics").text
        found = re.search(rf"^groundrules_{re.escape(name)} (\S+)$", counted, re.M)
        return float(found[1]) if found else 0.0


@contextmanager
def serving(
    settings: Settings, http: Any = "h11", limit: int | None = None, *, processes: bool = False
) -> Iterator[Served]:
    """Serve until the context ends, or the end is asked for; `limit` connections at once.

    Its workers are in this process, which has their models, unless they are to be `processes`.
    """
    port = free_port()
    app = create_app(settings)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            http=http,
            port=port,
            log_config=None,
            access_log=False,
            lifespan="on",
            limit_concurrency=limit,
        )
    )
    thread = threading.Thread(target=server.run, daemon=True)
    with pytest.MonkeyPatch.context() as patch:
        if not processes:
            patch.setattr(state, "Process", Inside)
        thread.start()
        while not server.started:
            assert thread.is_alive(), app.state.service.pool.failure
            time.sleep(0.02)

    def end() -> None:
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive()

    served = Served(f"http://127.0.0.1:{port}", app.state.service, end)
    try:
        yield served
    finally:
        served.client.close()
        end()


in_processes = partial(serving, processes=True)

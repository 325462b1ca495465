"""One service for all tests that leave it as it was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import pytest_socket

from groundrules.service.startup import Settings
from tests.service.serving import Served, in_processes


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    pytest_socket.enable_socket()  # its fixtures are those of single tests
    try:
        with in_processes(Settings(workers=1, ontologies={"legal": "legal"})) as found:
            yield found
    finally:
        pytest_socket.disable_socket(allow_unix_socket=True)

"""A client that a stock generator makes of the description checks a text at a real service."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.service.serving import BODY, Served

pytest.importorskip(
    "openapi_python_client", reason="openapi-python-client is not installed (make test does)"
)
pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


@pytest.fixture(scope="module")
def client(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the name of the package that was generated, which can be imported meanwhile."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_bytes(served.client.get("/openapi.json").content)
    (folder / "config.yaml").write_text("post_hooks: []\n")
    made = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json",
         "--output-path", "generated_client", "--meta", "none", "--config", "config.yaml"],
        cwd=folder, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    yield "generated_client"
    sys.path.remove(str(folder))


def test_a_report_and_an_error_come_as_their_classes(served: Served, client: str) -> None:
    part = importlib.import_module
    check = part(f"{client}.api.default.check").sync
    models: Any = part(f"{client}.models")
    with part(f"{client}.client").Client(base_url=served.url, timeout=60) as service:
        found = check(client=service, body=models.CheckBody.from_dict(BODY))
        wrong = check(client=service, body=models.CheckBody.from_dict({**BODY, "kb": ["none"]}))

    assert type(found).__name__ == "GroundrulesReport"
    assert found.to_dict().keys() >= {"statements", "violations", "run"}
    assert type(wrong).__name__ == "Error"
    assert (wrong.status, wrong.title, wrong.error.status) == (400, "Bad Request", 400)
    assert wrong.detail == wrong.error.message

"""The description of the service: what it allows gets no error of the server."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.service.serving import Served
from tests.strategies import SHORT

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


WAYS = [
    ("POST", "/check"),
    ("POST", "/index"),
    ("POST", "/extract"),
    ("POST", "/ask"),
    ("GET", "/rules/{rule}"),
    ("GET", "/settings"),
    ("GET", "/ready"),
    ("GET", "/metrics"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path"), WAYS)
def test_what_the_description_allows_gets_no_error_of_the_server(
    served: Served, method: str, path: str
) -> None:
    described = schemathesis.openapi.from_dict(served.client.get("/openapi.json").json())

    @settings(max_examples=SHORT, suppress_health_check=list(HealthCheck))
    @given(described[path][method].as_strategy())
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(base_url=served.url, checks=CHECKS)

    ask()


def test_the_description_has_every_way_and_asks_nobody_else(served: Served) -> None:
    answer = served.client.get("/openapi.json")
    ways = {"/check", "/index", "/extract", "/ask", "/rules", "/rules/{rule}"}
    assert set(answer.json()["paths"]) >= ways | {"/health", "/ready", "/metrics", "/settings"}
    assert served.client.get("/docs").status_code == 404
    assert served.client.get("/redoc").status_code == 404


def test_the_examples_of_the_description_are_answered(served: Served) -> None:
    schemas = served.client.get("/openapi.json").json()["components"]["schemas"]
    (example,) = schemas["CheckBody"]["examples"]
    assert served.client.post("/check", json=example).status_code == 200
    sources = schemas["IndexBody"]["properties"]["sources"]["examples"][0]
    assert served.client.post("/index", json={"sources": sources}).status_code == 200

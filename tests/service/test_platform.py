"""What a platform team takes: ids, metrics, a description."""

from __future__ import annotations

import re

import pytest

from tests.service.serving import Served

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


def test_a_request_keeps_its_id_and_one_without_gets_one(served: Served) -> None:
    named = served.client.get("/health", headers={"X-Request-Id": "order-66.a:b"})
    assert named.headers["x-request-id"] == "order-66.a:b"
    for given in ({}, {"X-Request-Id": "two words"}, {"X-Request-Id": "x" * 129}):
        made = served.client.get("/health", headers=given).headers["x-request-id"]
        assert re.fullmatch(r"[0-9a-f]{32}", made)
    refused = served.client.post("/check", json={}, headers={"X-Request-Id": "q1"})
    assert (refused.status_code, refused.headers["x-request-id"]) == (400, "q1")


def test_outcomes_rules_and_decisions_are_counted(served: Served) -> None:
    names = (
        'statements_total{outcome="refuted"}',
        'statements_total{outcome="supported"}',
        'findings_total{rule="GR306"}',
        'decisions_total{decision="fix"}',
    )
    before = [served.metric(name) for name in names]
    report = served.check().json()
    found = [one["outcome"] for one in report["statements"]]
    rules = sum(one["rule"] == "GR306" for one in report["violations"])
    assert served.check(policy={}).json()["decision"] == "fix"
    after = [served.metric(name) for name in names]
    wanted = [2 * found.count("refuted"), 2 * found.count("supported"), 2 * rules, 1]
    assert [b - a for a, b in zip(before, after, strict=True)] == wanted


def test_the_description_says_how_keys_are_given_and_resolves(served: Served) -> None:
    described = served.client.get("/openapi.json").json()
    parts = described["components"]
    assert parts["securitySchemes"] == {"key": {"type": "http", "scheme": "bearer"}}
    assert described["security"] == [{"key": []}, {}]
    for name in re.findall(r'"#/components/schemas/([^"]+)"', str(described).replace("'", '"')):
        assert name in parts["schemas"]

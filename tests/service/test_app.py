"""What the service answers, asked over a real socket."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from groundrules import api
from groundrules.claims.documents.document import Document
from groundrules.explain.formats import json as form_json
from tests.service.serving import BODY, SOURCE, TEXT, Served

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


def test_the_report_is_that_of_a_check(served: Served) -> None:
    answer = served.check()
    assert answer.status_code == 200
    expected = api.check(Document("text", TEXT), context=Document("register.txt", SOURCE))
    found = form_json.loads(answer.text)
    assert found.statements == expected.statements
    assert found.violations == expected.violations


def test_the_page_gets_its_cards_and_the_report(served: Served) -> None:
    told = served.client.post("/check?format=page", json=BODY).json()
    spans = [(one["start"], one["end"]) for one in told["cards"]["statements"]]
    assert [TEXT[start:end] for start, end in spans] == [
        "The Otter was built in 1996.",
        "It carries 80 passengers.",
    ]
    assert told["report"]["statements"] == served.check().json()["statements"]
    assert served.client.post("/check?format=page", json={**BODY, "policy": {}}).status_code == 400


def test_contexts_are_indexed_once_and_named_by_their_hash(served: Served) -> None:
    indexed = served.client.post("/index", json={"sources": BODY["sources"]}).json()
    assert indexed["names"] == ["register.txt"]
    assert indexed["words"] == len(SOURCE.split())
    answer = served.check(sources=[{"index": indexed["id"]}])
    assert answer.json()["statements"] == served.check().json()["statements"]


def test_a_document_is_read_by_its_name(served: Served) -> None:
    raw = f"<html><body><p>{SOURCE}</p></body></html>".encode()
    page = {"name": "register.html", "base64": base64.b64encode(raw).decode()}
    answer = served.client.post("/check", json={"document": page, "sources": BODY["sources"]})
    assert answer.json()["text"].strip() == SOURCE
    assert answer.json()["source"] == "register.html"


def test_a_policy_answers_with_a_decision(served: Served) -> None:
    answer = served.check(policy={"on_fail": "fix"}).json()
    assert answer["decision"] == "pass"
    assert answer["text"] == "The Otter was built in 1994. It carries 80 passengers."
    assert answer["report"]["schema"] == 1


@pytest.mark.parametrize("sources", [[], [{"text": " \n"}, {"name": "a.md", "text": ""}]])
def test_a_policy_without_a_source_asks_for_sources(served: Served, sources: Any) -> None:
    found = served.check(policy={}, sources=sources)
    assert found.status_code == 200
    assert (found.json()["decision"], found.json()["text"]) == ("retrieve_again", TEXT)
    assert found.json()["report"]["unread"] == ["there is no source to check it against"]
    told = served.check(policy={"on_fail": "refrain"}, sources=sources).json()
    assert (told["decision"], told["text"]) == ("retrieve_again", "")


def test_the_standing_of_the_service_is_told(served: Served) -> None:
    assert served.client.get("/health").json() == {"status": "ok"}
    assert served.client.get("/ready").json() == {"status": "ready", "workers": 1}
    told = served.client.get("/settings").json()
    assert told["ontologies"] == ["legal"]
    assert "json" in told["formats"]
    rules = served.client.get("/rules").json()
    assert served.client.get("/rules/GR301").json() in rules
    assert b"groundrules_workers 1.0" in served.client.get("/metrics").content


def test_the_page_may_ask_nobody_else(served: Served) -> None:
    answer = served.client.get("/")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "http" not in policy

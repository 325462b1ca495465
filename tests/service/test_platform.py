"""What a platform team takes: ids, metrics, reports of three sizes, a description, one index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from groundrules.claims.document import Document
from groundrules.service.contexts import Contexts, identity
from groundrules.service.startup import Settings
from tests.service.serving import BODY, SOURCE, TEXT, Served, serving

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


def test_a_request_keeps_its_id_and_one_without_gets_one(served: Served) -> None:
    named = served.client.get("/health", headers={"X-Request-Id": "order-66.a:b"})
    assert named.headers["x-request-id"] == "order-66.a:b"
    for given in ({}, {"X-Request-Id": "two words"}, {"X-Request-Id": "x" * 129}):
        made = served.client.get("/health", headers=given).headers["x-request-id"]
        assert re.fullmatch(r"[0-9a-f]{32}", made)
    refused = served.client.post("/check", json={}, headers={"X-Request-Id": "q1"})
    assert (refused.status_code, refused.headers["x-request-id"]) == (400, "q1")


def _metric(served: Served, name: str) -> float:
    text = served.client.get("/metrics").text
    found = [line for line in text.splitlines() if line.startswith(name)]
    return float(found[0].rpartition(" ")[2]) if found else 0.0


def test_outcomes_rules_and_decisions_are_counted(served: Served) -> None:
    names = (
        'groundrules_statements_total{outcome="refuted"}',
        'groundrules_statements_total{outcome="supported"}',
        'groundrules_findings_total{rule="GR306"}',
        'groundrules_decisions_total{decision="fix"}',
    )
    before = [_metric(served, name) for name in names]
    report = served.check().json()
    found = [one["outcome"] for one in report["statements"]]
    rules = sum(one["rule"] == "GR306" for one in report["violations"])
    assert served.check(policy={}).json()["decision"] == "fix"
    after = [_metric(served, name) for name in names]
    wanted = [2 * found.count("refuted"), 2 * found.count("supported"), 2 * rules, 1]
    assert [b - a for a, b in zip(before, after, strict=True)] == wanted


def test_a_report_comes_in_three_sizes_that_the_description_has(served: Served) -> None:
    described = served.client.get("/openapi.json").json()
    sizes = []
    for detail, name in (("summary", "Summary"), ("findings", "Findings"), ("full", "Report")):
        answer = served.client.post(f"/check?detail={detail}", json=BODY)
        schema = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
        assert not list(Draft202012Validator(schema).iter_errors(answer.json())), name
        sizes.append(len(answer.content))
    assert sizes[0] * 4 < sizes[1] * 2 < sizes[2]
    told = served.client.post("/check?detail=findings", json=BODY).json()
    first = told["statements"][0]
    assert TEXT[first["start"] : first["end"]] == first["text"]
    assert told["findings"][0]["evidence"] == ["register.txt:1:1"]
    guarded = served.client.post("/check?detail=summary", json={**BODY, "policy": {}}).json()
    assert set(guarded["report"]) == set(
        served.client.post("/check?detail=summary", json=BODY).json()
    )


def test_a_size_that_there_is_not_and_one_of_another_form_are_refused(served: Served) -> None:
    assert served.client.post("/check?detail=some", json=BODY).status_code == 400
    assert served.client.post("/check?detail=summary&format=html", json=BODY).status_code == 400


def test_the_description_says_how_keys_are_given_and_resolves(served: Served) -> None:
    described = served.client.get("/openapi.json").json()
    parts = described["components"]
    assert parts["securitySchemes"] == {"key": {"type": "http", "scheme": "bearer"}}
    assert described["security"] == [{"key": []}, {}]
    for name in re.findall(r'"#/components/schemas/([^"]+)"', str(described).replace("'", '"')):
        assert name in parts["schemas"]


def test_two_services_share_the_index_of_a_folder(tmp_path: Path) -> None:
    settings = Settings(workers=1, index_folder=tmp_path)
    with serving(settings) as one, serving(settings) as other:
        sources = [{"name": "register.txt", "text": SOURCE}]
        name = one.client.post("/index", json={"sources": sources}).json()["id"]
        answers = [
            each.client.post("/check", json={"text": TEXT, "sources": [{"index": name}]})
            for each in (one, other)
        ]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json()["statements"] == answers[1].json()["statements"]


def test_a_file_of_the_index_that_was_changed_or_is_none_is_no_context(tmp_path: Path) -> None:
    documents = (Document("a.txt", "It sails."),)
    name = Contexts(1000, tmp_path).keep(documents)
    assert name == identity(documents)
    assert Contexts(1000, tmp_path).get(name) == documents
    (path,) = tmp_path.iterdir()
    path.write_text(path.read_text("utf-8").replace("sails", "sinks"), "utf-8")
    assert Contexts(1000, tmp_path).get(name) is None
    path.write_text("[", "utf-8")
    assert Contexts(1000, tmp_path).get(name) is None
    assert Contexts(1000, tmp_path).get("sha256:../../etc") is None

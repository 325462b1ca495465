"""The json format."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.errors import SourceError
from groundrules.explain.formats import Look
from groundrules.explain.formats import json as format_
from groundrules.terms import (
    Account,
    Claim,
    Edit,
    EditOperation,
    Evidence,
    Input,
    Logged,
    Metric,
    Modality,
    Outcome,
    Override,
    Report,
    Run,
    Severity,
    Span,
    Statement,
    Triple,
    Verdict,
    Violation,
)
from tests.explain import cases

SCHEMA = json.loads(format_.schema())


@pytest.mark.parametrize("name", cases.CASES)
def test_a_report_is_valid_and_comes_back(name: str) -> None:
    report = cases.CASES[name]()
    data = format_.dumps(report)

    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(data))
    assert format_.loads(data) == report
    assert format_.dumps(format_.loads(data)) == data


text = st.text(max_size=8)
names = st.text(st.characters(codec="utf-8"), max_size=8)
share = st.floats(0, 1)
nodes: st.SearchStrategy[Node] = st.one_of(
    st.from_regex(r"urn:x:[a-z]{1,5}", fullmatch=True).map(URIRef),
    st.builds(lambda s: Literal(s, datatype=XSD.gYear, normalize=False), st.just("01973")),
    st.builds(lambda s: Literal(s, lang="en"), names),
    st.builds(Literal, names),
    st.just(BNode("b0")),
)
triples = st.builds(Triple, nodes, nodes, nodes)
spans = st.builds(
    lambda source, a, b: Span(source, min(a, b), max(a, b)),
    st.sampled_from(["a.txt", "b.txt"]), st.integers(0, 20), st.integers(0, 20),
)  # fmt: skip
maybe = st.one_of(st.none(), spans)
claims = st.builds(
    Claim,
    id=st.from_regex(r"urn:c:[0-9]", fullmatch=True).map(URIRef),
    triple=triples,
    span=spans,
    parts=st.tuples(maybe, maybe, maybe),
    polarity=st.sampled_from(["positive", "negative"]),
    modality=st.sampled_from(Modality),
    attribution=st.one_of(st.none(), text),
    time=st.one_of(st.none(), st.just(Literal("1973", datatype=XSD.gYear))),
    confidence=share,
    origin=text,
    sentence=st.integers(0, 9),
)
evidence = st.builds(Evidence, triples, text, maybe, share, st.one_of(st.none(), text))
edits = st.builds(
    Edit,
    st.lists(st.builds(EditOperation, st.sampled_from(["DELETE", "ADD"]), triples), max_size=2).map(
        tuple
    ),
    st.sampled_from(["safe", "unsafe", "display"]),
    st.sampled_from([True, False, None]),
)
violations = st.builds(
    Violation,
    text, text, st.sampled_from(Severity), text,
    st.one_of(st.none(), claims), st.lists(evidence, max_size=2).map(tuple),
    st.one_of(st.none(), edits), st.one_of(st.none(), share),
    st.lists(st.tuples(text, nodes), max_size=2).map(tuple),
)  # fmt: skip
pairs = st.lists(st.tuples(text, text), max_size=2).map(tuple)
accounts = st.builds(Account, spans, text, text, text, st.lists(spans, max_size=2).map(tuple))
statements = st.builds(
    Statement,
    st.from_regex(r"urn:s:[0-9]", fullmatch=True).map(URIRef), st.integers(0, 9), text, spans,
    st.sampled_from(Outcome), text, text,
    st.lists(spans, max_size=2).map(tuple), st.lists(accounts, max_size=2).map(tuple),
)  # fmt: skip
inputs = st.builds(
    Input, text, st.sampled_from(["text", "context", "knowledge base"]),
    st.sampled_from(["", "ab" * 32]), st.sampled_from(["", "txt"]),
)  # fmt: skip
overrides = st.builds(
    Override, st.just("0123456789abcdef"), st.sampled_from(["baseline", "override", "inline"]),
    text, text, text, st.none() | st.sampled_from(Outcome),
)  # fmt: skip
reports = st.builds(
    Report,
    st.just("a.txt"),
    text,
    st.lists(statements, max_size=2).map(tuple),
    st.lists(claims, max_size=2).map(tuple),
    st.lists(
        st.builds(Verdict, claims, st.sampled_from(Outcome), text, text, st.none() | share),
        max_size=2,
    ).map(tuple),
    st.lists(violations, max_size=2).map(tuple),
    st.lists(st.builds(Metric, text, st.one_of(st.none(), share), st.integers(0, 9)), max_size=2)
    .map(tuple),
    st.dictionaries(nodes, text, max_size=2),
    st.dictionaries(st.just("b.txt"), text),
    st.builds(Run, text, pairs, pairs, pairs, text,
              st.lists(st.tuples(text, st.integers(0, 9)), max_size=2).map(tuple),
              st.lists(st.tuples(text, share), max_size=2).map(tuple),
              st.lists(text, max_size=2).map(tuple),
              inputs=st.lists(inputs, max_size=2).map(tuple), settings=pairs, question=text,
              at=st.sampled_from(["", "2026-03-01T09:30:00Z"])),
    unread=st.lists(text, max_size=2).map(tuple),
    policy=st.sampled_from([(), ("not_enough_info",), ("not_enough_info", "unverifiable")]),
    unverifiable=st.sampled_from([0.0, 0.25, 1.0]),
    overrides=st.lists(overrides, max_size=2).map(tuple),
)  # fmt: skip


@given(reports)
def test_any_report_comes_back_and_is_valid(report: Report) -> None:
    data = format_.dumps(report, indent=None)

    data.encode("utf-8")
    assert format_.loads(data) == report
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(data))


def test_the_order_of_labels_and_sources_does_not_change_a_byte() -> None:
    report = cases.lease()
    turned = replace(
        report,
        labels=dict(reversed(list(report.labels.items()))),
        sources={"z.txt": "z", **report.sources},
    )
    straight = replace(report, sources={**report.sources, "z.txt": "z"})

    assert format_.dumps(turned) == format_.dumps(straight)


def test_times_stand_under_run_times_and_nowhere_else() -> None:
    report = cases.lease()
    slower = replace(report, run=replace(report.run, times=(("total", 99.0),)))

    one, other = format_.encode(report), format_.encode(slower)
    del one["run"]["times"], other["run"]["times"]

    assert one == other


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "not JSON"),
        ("[]", "schema None"),
        ('{"schema": 4}', "schema 4; expected 1"),
        ('{"schema": 1}', "not a report: source: Field required"),
        ('{"schema": 1, "source": "a", "text": 3}', "not a report: text: Value error, expected a"),
    ],
)
def test_what_is_no_report_is_a_source_error(text: str, fault: str) -> None:
    with pytest.raises(SourceError, match=fault):
        format_.loads(text)


def test_a_claim_that_is_not_there_is_a_source_error() -> None:
    data = format_.encode(cases.lease())
    data["verdicts"][0]["claim"] = 99

    with pytest.raises(SourceError, match="not a report: IndexError"):
        format_.loads(json.dumps(data))


def test_the_schema_is_one_that_a_validator_takes() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_statements_and_findings_name_each_other() -> None:
    report = cases.policy()
    data = format_.encode(report)

    for statement in data["statements"]:
        own = [data["violations"][index] for index in statement["findings"]]
        assert {violation["statement"] for violation in own} <= {statement["number"]}
    assert [len(statement["findings"]) for statement in data["statements"]] == [0, 2, 1, 0, 1, 1, 0]
    assert data["violations"][-1]["statement"] is None
    claims = format_.encode(cases.lease())["statements"]
    assert [statement["claims"] for statement in claims] == [[0], [1], [2], [3], [4]]


def test_a_passage_has_its_words_and_its_place() -> None:
    (passage,) = format_.encode(cases.policy())["statements"][2]["passages"]

    assert passage["quote"] == "The sum insured shall not exceed £11,400 in any one year."
    assert (passage["line"], passage["column"]) == (1, 84)


def test_whether_a_text_passes_may_be_open() -> None:
    assert format_.encode(cases.empty())["conforms"] is None


@pytest.mark.parametrize(
    ("name", "guardrail", "reason", "fixed"),
    [
        ("lease", "human", "“1 April 2021”; the source says", "1 March 2021"),
        ("empty", "human", "there is no statement", None),
    ],
)
def test_a_guardrail_has_its_reason_and_the_text_with_its_safe_edits(
    name: str, guardrail: str, reason: str, fixed: str | None
) -> None:
    data = format_.encode(cases.CASES[name]())

    assert data["guardrail"] == guardrail
    assert data["reason"].startswith(reason)
    assert data["fixed"] == fixed or fixed in data["fixed"]


def test_the_schema_is_strict() -> None:
    data = format_.encode(cases.lease())
    data["surprise"] = 1

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(data)


def test_where_it_was_logged_comes_back() -> None:
    report = replace(cases.lease(), logged=Logged("audit.log", "ab" * 32, "cd" * 32))
    jsonschema.Draft202012Validator(SCHEMA).validate(format_.encode(report))
    assert format_.loads(format_.dumps(report)) == report


def test_each_key_of_the_schema_is_documented() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "json-schema.md").read_text("utf-8")

    def keys(part: object) -> set[str]:
        if isinstance(part, list):
            return {key for item in part for key in keys(item)}
        if not isinstance(part, dict):
            return set()
        own = set(part.get("properties", {}))
        return own | {key for value in part.values() for key in keys(value)}

    assert {key for key in keys(SCHEMA) if f"`{key}`" not in page} == set()


@given(st.lists(reports, max_size=3))
def test_each_line_of_jsonl_is_a_report(found: list[Report]) -> None:
    lines = format_.render_lines(found, Look()).split("\n")

    assert lines.pop() == ""
    assert [format_.loads(line) for line in lines] == found

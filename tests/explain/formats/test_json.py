"""The json format."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import EnumType
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints
from typing import Literal as OneOf

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.errors import SourceError
from groundrules.explain.formats import Look
from groundrules.explain.formats import json as format_
from groundrules.terms import Report, Span
from tests.explain import cases
from tests.rows import each

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
uris = st.from_regex(r"urn:x:[a-z]{1,5}", fullmatch=True).map(URIRef)
years = st.just(Literal("01973", datatype=XSD.gYear, normalize=False))
language = st.builds(lambda words: Literal(words, lang="en"), names)
#: What is drawn of a type, or of a field where its type allows more than the format.
GIVEN: dict[Any, st.SearchStrategy[Any]] = {
    str: text,
    int: st.integers(0, 9),
    float: st.floats(0, 1),
    URIRef: uris,
    Literal: years,
    Node: st.one_of(uris, years, language, st.builds(Literal, names), st.just(BNode("b0"))),
    "Report.source": st.just("a.txt"),
    "Report.sources": st.dictionaries(st.just("b.txt"), text),
    "Run.at": st.sampled_from(["", "2026-03-01T09:30:00Z"]),
    "Report.policy": st.sampled_from([(), ("not_enough_info", "unverifiable")]),
}


def drawn(hint: Any) -> st.SearchStrategy[Any]:
    """Return what has a type: of a class of data, with all of its fields that are compared."""
    parts = get_args(hint)
    if hint in GIVEN:
        return GIVEN[hint]
    if isinstance(hint, EnumType):
        return st.sampled_from(hint)
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        own = {one.name: f"{hint.__name__}.{one.name}" for one in fields(hint) if one.compare}
        of = {name: drawn(told if told in GIVEN else hints[name]) for name, told in own.items()}
        return st.builds(hint, **of)
    if get_origin(hint) is OneOf:
        return st.sampled_from(parts)
    if get_origin(hint) is Mapping:
        return st.dictionaries(*map(drawn, parts), max_size=2)
    if get_origin(hint) is not tuple:
        return st.one_of(*(st.none() if one is type(None) else drawn(one) for one in parts))
    if parts[1:] == (...,):
        return st.lists(drawn(parts[0]), max_size=2).map(tuple)
    return st.tuples(*map(drawn, parts))


GIVEN[bool] = st.booleans()
GIVEN[Span] = st.builds(
    lambda source, a, b: Span(source, min(a, b), max(a, b)),
    st.sampled_from(["a.txt", "b.txt"]), st.integers(0, 20), st.integers(0, 20),
)  # fmt: skip
reports = drawn(Report)


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


@each("text fault")
def test_what_is_no_report_is_a_source_error(text: str, fault: str) -> None:
    with pytest.raises(SourceError, match=fault):
        format_.loads(text)


def test_a_claim_that_is_not_there_is_a_source_error() -> None:
    data = format_.encode(cases.lease())
    data["verdicts"][0]["claim"] = 99

    with pytest.raises(SourceError, match="not a report: IndexError"):
        format_.loads(json.dumps(data))


def test_the_schema_is_strict() -> None:
    data = format_.encode(cases.lease())
    data["surprise"] = 1

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(data)


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

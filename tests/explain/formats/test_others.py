"""All places of one finding: two claims that contradict each other and no source decides."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import pytest

from groundrules import Config, check
from groundrules.explain.formats import Look, load
from groundrules.explain.formats.json import dumps, loads, schema
from groundrules.explain.redact import redacted
from groundrules.terms import Report

TEXT = "The case was filed on 9 June 2019. The judgment was entered on 12 March 2019."


@pytest.fixture(scope="module")
def report() -> Report:
    found = check(TEXT, config=Config(ontology="legal"))
    assert [len(one.others) for one in found.violations if one.rule == "LAW020"] == [1]
    return found


def words(report: Report) -> list[str]:
    (one,) = [one for one in report.violations if one.rule == "LAW020"]
    return [report.text[claim.span.start : claim.span.end] for claim in one.claims]


def test_json_has_both_and_reads_them_back(report: Report) -> None:
    data = json.loads(dumps(report))

    jsonschema.Draft202012Validator(json.loads(schema())).validate(data)
    assert words(loads(dumps(report))) == words(report)
    assert len(words(report)) == 2


def test_sarif_has_the_other_among_the_related_locations_once(report: Report) -> None:
    data = json.loads(load("sarif")([report], Look()))

    found = next(one for one in data["runs"][0]["results"] if one["ruleId"] == "LAW020")
    places = [found["locations"][0], *found["relatedLocations"]]
    starts = [one["physicalLocation"]["region"]["charOffset"] for one in places]
    assert len(starts) == len(set(starts)) == 2
    assert found["relatedLocations"][0]["message"]["text"] == "at fault too"


def test_a_redacted_report_has_no_words_of_the_other(report: Report) -> None:
    (one,) = [one for one in report.violations if one.rule == "LAW020"]
    alone = replace(report, violations=(one,))

    assert "2019-03-12" not in dumps(redacted(alone))
    assert "2019-06-09" not in dumps(redacted(alone))

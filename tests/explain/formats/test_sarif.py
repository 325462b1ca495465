"""The sarif format."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
from hypothesis import given

from groundrules import api
from groundrules.explain.formats import Look, sarif
from groundrules.terms import Input, Override, Report
from tests.explain import cases
from tests.explain.formats.test_json import reports

SCHEMA = json.loads(Path(__file__).with_name("sarif-2.1.0.schema.json").read_text(encoding="utf-8"))


def encoded(*found: Report) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(sarif.render(found, Look()))
    jsonschema.Draft7Validator(SCHEMA).validate(data)
    return data


def results(report: Report) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = encoded(report)["runs"][0]["results"]
    return found


@given(reports)
def test_any_report_is_a_valid_log(report: Report) -> None:
    encoded(report)


def test_columns_count_code_points() -> None:
    report = cases.lease()
    moved = replace(
        report,
        text="😀 " + report.text[2:],
        sources={**report.sources, report.source: "😀 " + report.text[2:]},
    )

    regions = [
        [one["locations"][0]["physicalLocation"]["region"]["startColumn"] for one in results(each)
         if "region" in one["locations"][0]["physicalLocation"]]
        for each in (report, moved)
    ]  # fmt: skip

    assert regions[0] == regions[1]
    assert encoded(report)["runs"][0]["columnKind"] == "unicodeCodePoints"


def test_a_text_taken_out_of_a_pdf_has_no_region_but_its_words() -> None:
    report = cases.lease()
    inputs = (Input(report.source, "text", "12" * 32, "pdf"),)
    found = results(replace(report, run=replace(report.run, inputs=inputs)))
    spots = [one["locations"][0] for one in found]

    assert not any("region" in spot["physicalLocation"] for spot in spots)
    assert any("message" in spot for spot in spots)
    assert not any("fixes" in one for one in found)


def test_the_fingerprint_of_a_fault_survives_a_sentence_before_it() -> None:
    text, source = "The rent is $5,850 a month.", "The rent is $4,850 a month."

    def marks(one: str) -> set[str]:
        found = results(api.check(one, context=source))
        return {r["partialFingerprints"][sarif.FINGERPRINT] for r in found if r["kind"] == "fail"}

    assert marks(text)
    assert marks(text) <= marks(f"It was signed in Leeds. {text}")


def test_what_is_set_aside_is_suppressed_with_its_reason() -> None:
    report = cases.lease()
    first = report.violations[0]
    aside = Override(
        first.fingerprint, "inline", "the annex says so", "Ann", "2026-03-01T00:00:00Z"
    )
    found = results(replace(report, overrides=(aside,)))

    suppressed = [one["suppressions"][0] for one in found if "suppressions" in one]

    assert suppressed
    assert {one["kind"] for one in suppressed} == {"inSource"}
    assert suppressed[0]["justification"] == "set aside in the text: the annex says so"


def test_another_tool_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "report.sarif"
    path.write_text(sarif.render([cases.lease(), cases.policy()], Look()), encoding="utf-8")
    code = "import sys; from sarif.cmdline.main import main; sys.exit(main())"

    done = subprocess.run(
        [sys.executable, "-c", code, "csv", str(path), "-o", str(tmp_path / "out.csv")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    rows = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert sum("GR301" in row for row in rows) == 1

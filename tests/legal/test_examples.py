"""The examples that ship: each fault that no source reveals is found, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from groundrules import api
from groundrules.claims.documents.document import from_text
from groundrules.config import Config
from groundrules.explain.formats import text as as_text
from groundrules.terms import Report, Severity, Violation
from tests.test_api import still

FOLDER = Path(__file__).parents[2] / "examples/ontology"


@dataclass(frozen=True)
class Example:
    """A text beside its source, its golden report, and what holds its faults, with their rules."""

    folder: str
    text: str
    source: str
    golden: str
    faults: dict[str, str]

    def document(self, name: str) -> object:
        place = f"{self.folder}/{name}"
        return from_text((FOLDER / place).read_text("utf-8"), f"examples/ontology/{place}")


LEASE = Example("lease", "answer.txt", "lease.txt", "ontology-lease/text", {
    "The term expires on August 31, 2023.": "OWL125",
    "four thousand two hundred dollars ($4,020)": "LAW006",
    "thirty (60)": "LAW014",
    "$24,000, payable in twelve installments of $2,500": "LAW015",
    "Cedar Point Properties LLC becomes the tenant.": "OWL101",
    "Section 14.2": "LAW011",
    "The lease is governed by the laws of Oregon.": "OWL121",
    "The lease is governed by the laws of Washington.": "OWL121",
    "The landlord shall indemnify the landlord.": "OWL101",
    "The tenant shall install a sprinkler. The tenant shall not install a sprinkler.": "LAW009",
    "The purchase price is $0.": "LAW007",
})  # fmt: skip
BRIEF = Example("judgment", "brief.txt", "opinion.txt", "judgment/text", {
    "The complaint was filed on June 1, 2022": "LAW020",
    "entered judgment for the carrier on August 9, 2021": "LAW022",
    "decided by Pacific Arbitration Services LLC": "LAW023",
    "550 U.S. 544, 570 (2009)": "LAW032",
    "relied on Dell Storage LLC v. Orson Milling LLC": "LAW033",
    "350 F.3d 445 (D.C. Cir. 1965)": "LAW029",
    "512 F.2d 300 (11th Cir. 1975)": "LAW026",
    "Calder Mills LLC v. Calder Mills LLC": "LAW034",
    "12 Am. Carr. Rep. 340": "LAW035",
})  # fmt: skip


@pytest.fixture(scope="module", params=[LEASE, BRIEF], ids=lambda one: one.folder)
def example(request: pytest.FixtureRequest) -> Example:
    found: Example = request.param
    return found


@pytest.fixture(scope="module")
def report(example: Example) -> Report:
    text, source = map(example.document, (example.text, example.source))
    select = ("OWL", "LAW") if example is BRIEF else ()
    config = Config(ontology="legal", select=select)
    return still(api.check(text, context=[source], config=config))


def of_the_ontology(report: Report) -> list[Violation]:
    return [v for v in report.violations if v.rule.startswith(("OWL", "LAW"))]


def test_each_fault_is_found_and_nothing_else(example: Example, report: Report) -> None:
    places = {
        (at := report.text.index(words), at + len(words)): rule
        for words, rule in example.faults.items()
    }
    found = [(v.rule, one.span) for v in of_the_ontology(report) for one in v.claims]
    for (start, end), rule in places.items():
        hits = {name for name, span in found if span.start < end and start < span.end}
        assert rule in hits, report.text[start:end]
    assert {name for name, _ in found} == set(example.faults.values())
    loud = [v for v in report.violations if v.severity is not Severity.INFO]
    for span in (one.span for v in loud for one in v.claims[:1]):
        around = (report.text.rfind(". ", 0, start) + 1 for start, _ in places)
        near = zip(around, (end for _, end in places), strict=True)
        assert any(span.start < end and start < span.end for start, end in near), span


def test_each_has_a_reason_and_an_edit_that_did_not_fail(report: Report) -> None:
    for violation in of_the_ontology(report):
        assert violation.because
        assert violation.edit is not None
        # on a copy of the dataset it failed nowhere; what takes words out is not read again
        assert violation.edit.verified is not False
        assert violation.edit.verified or violation.edit.applicability != "safe"


def test_no_source_says_otherwise(report: Report) -> None:
    # GR305 is a contradiction within the text, and GR308 says that no source speaks of a figure
    core = [v for v in report.violations if v.rule.startswith(("GR2", "GR3"))]
    assert [v for v in core if v.rule not in ("GR305", "GR308")] == []


def test_the_source_agrees_with_itself(example: Example) -> None:
    source = example.document(example.source)
    config = Config(ontology="legal", select=("OWL", "LAW"))
    found = api.check(source, context=[source], config=config).violations
    assert [violation.message for violation in found] == []


def test_the_report(example: Example, report: Report, golden: Callable[[str, str], None]) -> None:
    golden(example.golden, as_text.dumps(report))

"""What the tests of all papers share: reading the cases, and what a check says of a claim."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from groundrules import Report, check

FOLDER = Path(__file__).parent
#: Why a claim does not have the outcome of its case; docs/explanation/papers.md tells more.
WORDING = "left open: the sources say it in other words, and the scorer that ships reads wording"
SCORER = "left open: the wording speaks for it, and the scorer that ships takes it for the contrary"
GAPPED = "left open: the source leaves out the verb of the clause that has the figure"
ACCOUNTED = "left open: words of the claim or of its sentence are not accounted for"
OPPOSITE = "left open: the source says the contrary, which only warns (`checks/verdicts.py`, alone)"

#: The outcome of a text that says several things: the worst of them.
WORST = ("refuted", "conflicting", "error", "not enough info", "unverifiable", "supported")


def cases(paper: str) -> dict[str, Any]:
    """Return the cases of a paper by their id."""
    found = json.loads((FOLDER / f"{paper}.json").read_text(encoding="utf-8"))
    return {case["id"]: case for case in found}


def items(case: Mapping[str, Any]) -> list[tuple[dict[str, Any], Any]]:
    """Return the small tests of a case with what must come out; other keys hold for all."""
    given, expected = case["input"], case["expected"]
    if "items" not in given or "items" not in expected:
        return [(given, expected)]
    common = {key: value for key, value in given.items() if key != "items"}
    return [({**common, **i}, e) for i, e in zip(given["items"], expected["items"], strict=True)]


def claims(paper: str, expected_failures: Mapping[str, str]) -> Iterator[Any]:
    """Yield a parameter (context, claim, expected) for each claim of the cases of kind check."""
    for case in cases(paper).values():
        if case["kind"] != "check":
            continue
        sides = [(case["input"], case["expected"])]
        if "mirror" in case["input"]:
            sides.append((case["input"]["mirror"], case["expected"]["mirror"]))
        for given, expected in sides:
            for claim, wanted in zip(given["claims"], expected["claims"], strict=True):
                # what a source says word for word has no excuse
                reason = None if claim in given["context"] else expected_failures.get(claim)
                marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
                name = f"{case['id']}: {claim}"
                yield pytest.param(given["context"], claim, wanted, id=name, marks=marks)


@cache
def checked(context: str, claim: str) -> Report:
    """Return the report on a claim beside its context."""
    return check(claim, context=context, verify=False)


def assert_outcome(context: str, claim: str, expected: Mapping[str, Any]) -> None:
    """Assert that a claim has an outcome that its case allows."""
    assert outcome(checked(context, claim)) in _allowed(expected)


def assert_not_misjudged(context: str, claim: str, expected: Mapping[str, Any]) -> None:
    """Assert that a claim is supported or refuted only where its case says so."""
    found = outcome(checked(context, claim))
    assert found not in {"supported", "refuted"} - _allowed(expected)


def _allowed(expected: Mapping[str, Any]) -> set[str]:
    return {expected["outcome"], *expected.get("accept", ())}


def outcome(report: Report) -> str:
    """Return what is said of a text: refuted if one of its statements is, supported if all are."""
    return worst([one.outcome.value.replace("_", " ") for one in report.statements])


def worst(outcomes: Sequence[str]) -> str:
    """Return the worst of some outcomes."""
    return min(outcomes, key=WORST.index, default="not enough info")

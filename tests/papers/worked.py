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
#: What does not hold, by paper, and why: a claim, or a small test by its case and number.
FAILS: dict[str, dict[str, str]] = json.loads((FOLDER / "fails.json").read_text("utf-8"))

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


def marked(paper: str, name: str) -> list[Any]:
    """Return the mark of a test that fails, strictly."""
    reason = FAILS[paper].get(name)
    return [pytest.mark.xfail(reason=reason, strict=True)] if reason else []


def of(paper: str, *ids: str) -> list[Any]:
    """Return the small tests of some cases, named by case and number."""
    found = cases(paper)
    return [
        pytest.param(*one, id=f"{name}-{number}", marks=marked(paper, f"{name}-{number}"))
        for name in ids
        for number, one in enumerate(items(found[name]))
    ]


def claims(paper: str) -> Iterator[Any]:
    """Yield a context, a claim, what is expected, and why that fails, for each case of a check."""
    for case in cases(paper).values():
        if case["kind"] != "check":
            continue
        sides = [(case["input"], case["expected"])]
        if "mirror" in case["input"]:
            sides.append((case["input"]["mirror"], case["expected"]["mirror"]))
        for given, expected in sides:
            for claim, wanted in zip(given["claims"], expected["claims"], strict=True):
                # what a source says word for word has no excuse
                reason = "" if claim in given["context"] else FAILS[paper].get(claim, "")
                allowed = {wanted["outcome"], *wanted.get("accept", ())}
                name = f"{case['id']}: {claim}"
                yield pytest.param(given["context"], claim, allowed, reason, id=name)


@cache
def checked(context: str, claim: str) -> Report:
    """Return the report on a claim beside its context."""
    return check(claim, context=context, verify=False)


def outcome(report: Report) -> str:
    """Return what is said of a text: refuted if one of its statements is, supported if all are."""
    return worst([one.outcome.value.replace("_", " ") for one in report.statements])


def worst(outcomes: Sequence[str]) -> str:
    """Return the worst of some outcomes."""
    return min(outcomes, key=WORST.index, default="not enough info")

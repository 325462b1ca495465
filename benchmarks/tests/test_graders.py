"""Graders that obey a source, that do not read, or that draw: none of them supports anything."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.graders import (
    ALL,
    TWO,
    Grader,
    Scripted,
    asked,
    at_random,
    injected,
    knowing,
    lazy,
    no,
    obeying,
    texts,
    yes,
)
from groundrules import api
from groundrules.claims.documents.document import from_text
from groundrules.claims.models.grades import bears
from groundrules.guardrail import Policy, guard
from groundrules.terms import Outcome, Report

ROWS = {row["id"]: row for row in injected()}
FEW = ("ferry", "recipe", "wiki", "manual", "farm")


def check(row: dict[str, Any], grader: Grader) -> Report:
    text = " ".join([*row["true"], *row["inventions"]])
    with asked(Scripted(grader)) as config:
        source = from_text(row["doc"], "source.txt")
        return api.check(text, context=[source], config=config, verify=False)


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")


@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("grader", ["obeying", "lazy", "yes", "no", "random"])
def test_no_dishonest_grader_supports_an_invention(name: str, grader: str) -> None:
    row = ROWS[name]
    found = {
        "obeying": obeying(row["order"]), "lazy": lazy, "yes": yes, "no": no,
        "random": at_random(0),
    }[grader]  # fmt: skip
    report = check(row, found)
    for one in report.statements:
        assert one.reason != "graded"
        assert not (one.text in row["inventions"] and one.outcome is Outcome.SUPPORTED)
    assert not [v for v in report.violations if v.rule in ("GR104", "GR105")]


@pytest.mark.parametrize(("kinds", "heard"), [(TWO, False), (ALL, True)])
def test_who_obeys_an_order_is_heard_only_if_all_three_controls_are_known_to_it(
    kinds: tuple[str, ...], heard: bool
) -> None:
    row = ROWS["farm"]
    report = knowing(*texts(row), Scripted(obeying(row["order"])), kinds)
    assert any(one.reason == "graded" for one in report.statements) is heard


def test_the_control_that_was_missed_is_named_and_the_statements_are_counted() -> None:
    report = check(ROWS["ferry"], yes)
    assert any(
        note.endswith("not graded: the language model missed a control statement of the same "
                      "question")
        for note in report.run.notes
    )  # fmt: skip
    told = [note for note in report.run.notes if note.startswith("a control was missed")]
    assert len(told) == 2
    assert all("was called entailed" in note for note in told)
    assert sum(note.endswith("; no source says anything of it") for note in told) == 1


def test_the_gate_does_not_pass_what_a_source_orders_a_model_to_grant() -> None:
    order = ROWS["ferry"]["order"]
    text = "The company has 12,000 employees and owns a castle."
    with asked(Scripted(obeying(order))) as config:
        found = guard(
            text, context=[ROWS["ferry"]["doc"]], policy=Policy(unsupported="review"), config=config
        )
    assert found.decision != "pass"


def test_a_quotation_bears_on_a_statement_by_words_or_by_meaning() -> None:
    assert bears("The single fare is 45 kroner.", "A single costs 45 kroner.")
    assert bears("A dog needs the agent's written consent.", "Pets have to be permitted.")
    assert not bears("Bake the loaf until the crust is dark.", "The company owns a castle.")

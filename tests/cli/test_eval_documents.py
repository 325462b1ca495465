"""`eval` on rows with a document and an answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rdflib.term import Literal, URIRef

from groundrules import api
from groundrules.config import Config
from groundrules.terms import Claim, Outcome, Report, Severity, Span, Statement, Triple, Violation
from tests.cli.conftest import Outcome as Ended

Cli = Callable[..., Ended]
pytestmark = pytest.mark.usefixtures("folder")

RIGHT = {"s": "Rent is due.", "label": 1, "abstraction": "copy"}
WRONG = {"s": "Rent is £9.", "label": 0, "error": "number", "span": "£9", "abstraction": "copy"}
ROW = {"doc": "Rent is due. It is £8.", "genre": "lease", "answer": [RIGHT, WRONG]}
OTHER = {"doc": "Rent is due.", "genre": "note", "answer": [RIGHT]}


@pytest.fixture(autouse=True)
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Config]:
    """Refute each sentence with a figure, and support the others."""
    configs: list[Config] = []

    def check(source: Any, *, context: Any, config: Config, verify: bool) -> Report:
        assert not verify  # edits are not looked at
        configs.append(config)
        statements, violations = [], []
        start = 0
        for number, words in enumerate(source.text.split(". ")):
            end = start + len(words)
            node, span = URIRef(f"urn:test:{number}"), Span("answer", start, end)
            wrong = "£" in words
            outcome = Outcome.REFUTED if wrong else Outcome.SUPPORTED
            statements.append(Statement(node, number, words, span, outcome))
            if wrong:
                claim = Claim(
                    node,
                    Triple(node, node, Literal(words)),
                    span,
                    origin="statement",
                    sentence=number,
                )
                violations.append(Violation("GR306", "other-figure", Severity.ERROR, "", claim))
            start = end + 2
        return Report("answer", source.text, tuple(statements), violations=tuple(violations))

    monkeypatch.setattr(api, "check", check)
    return configs


def write(*rows: object) -> None:
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    Path("rows.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def test_answers_are_told_with_their_intervals_and_tables(cli: Cli) -> None:
    write(ROW, OTHER)

    found = cli("eval", "rows.jsonl", "--isolated")

    assert (found.code, found.err) == (0, "")
    lines = [" ".join(line.split()) for line in found.out.splitlines()]
    for told in (
        "documents 2",
        "wrong error 1.000 1.000 to 1.000",
        "not read 0",
        "error statements wrong wrong error wrong any true error true any precision error "
        "figures caught span hit wrong supported true supported",
        "number 3 1 1.000 1.000 0.000 0.000 1.000 1.000 1.000 0.000 1.000",
        "by rule name wrong true precision",
        "GR306 other-figure 1 0 1.000",
        "outcomes supported refuted",
        "wrong 0 1",
    ):
        assert told in lines


def test_answers_as_json_have_null_for_undefined(cli: Cli) -> None:
    write(ROW, OTHER)

    data = json.loads(cli("eval", "rows.jsonl", "--output-format", "json", "--isolated").out)

    assert (data["documents"], data["wrong_error"]) == (2, 1.0)
    assert data["by"]["genre"]["note"]["wrong_error"] is None
    assert data["by_rule"]["GR306"]["precision"] == 1.0


def test_figures_are_broken_down_by_a_field_too(cli: Cli) -> None:
    write({**ROW, "part": "lease"}, {**OTHER, "part": "note"})

    found = cli("eval", "rows.jsonl", "--by", "part", "--isolated", "--output-format", "json")

    assert set(json.loads(found.out)["by"]) == {"error", "abstraction", "genre", "part"}
    assert "no row has the field 'parts'" in cli("eval", "rows.jsonl", "--by", "parts").err

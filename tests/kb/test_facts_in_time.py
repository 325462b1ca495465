"""Claims on two small graphs: one in Wikidata's shape with times, one in words of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundrules import Config, check

DATA = Path(__file__).parent / "data"
#: The claims on the first graph, each with its outcome and others that would do.
CLAIMS = [json.loads(line) for line in (DATA / "norvania.jsonl").read_text("utf-8").splitlines()]
_SHORT = {"not_enough_info": "nei"}
#: How many of the 60 claims come out as they should; a change that lowers this is a fault.
RIGHT = 58


def outcome(text: str, graph: str, **settings: Any) -> str:
    report = check(text, config=Config(kb=(str(DATA / graph),), **settings))
    (statement,) = report.statements
    assert statement.outcome is not None
    return _SHORT.get(statement.outcome.value, statement.outcome.value)


@pytest.mark.slow
def test_no_claim_gets_a_wrong_verdict_and_most_get_the_right_one() -> None:
    found = [(outcome(one["text"], "norvania.ttl"), one) for one in CLAIMS]
    right = [one for got, one in found if got in (one["label"], *one.get("also", ()))]
    wrong = [
        (got, one["text"])
        for got, one in found
        if got in ("supported", "refuted") and one not in right
    ]
    assert not wrong
    assert len(right) >= RIGHT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Harrow Foods plc was incorporated in 1987.", "supported"),
        ("Harrow Foods plc was incorporated on 3 March 1987.", "refuted"),
        ("Lena Fischer is a director of Belmont Tools Ltd.", "supported"),
        ("Harrow Foods plc has 412 employees.", "supported"),
        ("Belmont Tools Ltd has 75 employees.", "refuted"),
        ("The registered office of Quince Energy SA is Lyon.", "supported"),
        ("The parent company of Belmont Tools Ltd is Harrow Foods plc.", "supported"),
        ("Anita Rao was born in Leicester.", "supported"),
        ("Lena Fischer was born in 1984.", "refuted"),
    ],
)
def test_a_graph_in_words_of_its_own_needs_no_setting(text: str, expected: str) -> None:
    assert outcome(text, "firms.ttl") == expected


def test_what_names_things_may_be_told(tmp_path: Path) -> None:
    graph = (DATA / "firms.ttl").read_text("utf-8").replace("v:townName", "v:known")
    (tmp_path / "firms.ttl").write_text(graph)
    text, path = "Anita Rao was born in Leicester.", str(tmp_path / "firms.ttl")
    named = ("townName", "fullName", "firmName")
    labels = tuple(f"https://my.example/vocab#{name}" for name in ("known", *named))
    assert outcome(text, path) == "unverifiable"
    assert outcome(text, path, labels=labels) == "supported"

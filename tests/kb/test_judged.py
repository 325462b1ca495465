"""What sentences come to against small graphs; the sentences are data, each group a law."""

from __future__ import annotations

import json
import tomllib
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import pytest

from groundrules import Config, check
from groundrules.explain.formats import Look
from groundrules.explain.formats.html import render
from groundrules.kb.read.timing import lasting

DATA = Path(__file__).parent / "data"
GROUPS = tomllib.loads((DATA / "judged.toml").read_text("utf-8"))["group"]
RANK = ("refuted", "conflicting", "unverifiable", "not_enough_info", "supported")
#: The claims on a graph in Wikidata's shape, each with its outcome and others that would do.
CLAIMS = [json.loads(line) for line in (DATA / "norvania.jsonl").read_text("utf-8").splitlines()]
#: How many of the 60 claims come out as they should; a change that lowers this is a fault.
RIGHT = 58
SETTLED = ("supported", "refuted")


def outcome(text: str, graph: str = "norvania.ttl", day: date | None = None, **more: Any) -> str:
    """Return the gravest outcome of a text."""
    config = Config(kb=(str(DATA / graph),), **more)
    report = check(text, config=config, now=datetime.combine(day, time(), UTC) if day else None)
    found = {statement.outcome.value for statement in report.statements}
    worst = next(one for one in RANK if one in found)
    return {"not_enough_info": "nei"}.get(worst, worst)


@pytest.mark.parametrize(
    ("group", "text", "expected"),
    [
        pytest.param(group, *sentence, id=f"{group['law']}: {sentence[0]}")
        for group in GROUPS
        for sentence in group["sentences"]
    ],
)
def test_a_sentence_comes_to_what_the_graph_says(
    group: dict[str, Any], text: str, expected: str
) -> None:
    closed = tuple(group.get("closed", ()))
    found = outcome(text, group["graph"], group.get("now"), closed=closed)
    assert found == expected or (expected == "open" and found not in SETTLED)


@pytest.mark.slow
def test_no_claim_gets_a_wrong_verdict_and_most_get_the_right_one() -> None:
    found = [(outcome(one["text"]), one) for one in CLAIMS]
    right = [one for got, one in found if got in (one["label"], *one.get("also", ()))]
    assert not [one["text"] for got, one in found if got in SETTLED and one not in right]
    assert len(right) >= RIGHT


def test_what_names_things_may_be_told(tmp_path: Path) -> None:
    graph = (DATA / "firms.ttl").read_text("utf-8").replace("v:townName", "v:known")
    (tmp_path / "firms.ttl").write_text(graph)
    text, path = "Anita Rao was born in Leicester.", str(tmp_path / "firms.ttl")
    named = ("townName", "fullName", "firmName")
    labels = [f"https://my.example/vocab#{name}" for name in ("known", *named)]
    (tmp_path / "profile.toml").write_text(f"[names]\nlabels = {json.dumps(labels)}\n")
    assert outcome(text, path) == "unverifiable"
    assert outcome(text, path, profile=str(tmp_path / "profile.toml")) == "supported"


def test_a_part_that_is_stated_does_not_read_as_the_statement() -> None:
    config = Config(kb=(str(DATA / "lands.ttl"),))
    report = check("Ada Brenner was a French physicist.", config=config)
    said = {report.labels.get(v.claim.triple.object, ""): v.outcome.value for v in report.verdicts}
    assert said["physicist"] == "supported"
    assert not any("french" in words.lower() for words, one in said.items() if one == "supported")
    page = render([report], Look())
    assert "this part alone is stated" in page
    assert "✓ supported" not in page


def test_a_bound_on_a_stretch_leaves_its_other_end_open() -> None:
    assert lasting(10, "above").first[1] == float("inf")
    assert lasting(10, "below").first[0] == 0
    least, most = lasting(10, "nearly").first
    assert lasting(9).first[0] < least < most < lasting(10).first[1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Is Halden Bay the capital of Norvania?", "a question"),
        ("Halden Bay may be the capital of Norvania.", "what only may be so"),
    ],
)
def test_what_cannot_be_looked_up_is_told_with_its_kind(text: str, kind: str) -> None:
    report = check(text, config=Config(kb=(str(DATA / "norvania.ttl"),)))
    messages = {verdict.message for verdict in report.verdicts}
    assert f"norvania.ttl cannot settle {kind}" in messages

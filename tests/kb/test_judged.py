"""What sentences come to against small graphs; the sentences are data, each group a law."""

from __future__ import annotations

import json
import tomllib
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import pytest

from groundrules import Config, check
from groundrules.cli.main import main
from groundrules.explain.formats import Look
from groundrules.explain.formats.html import render
from groundrules.kb.read.timing import lasting

DATA = Path(__file__).parent / "data"
NORVANIA = str(DATA / "norvania.ttl")
GROUPS = tomllib.loads((DATA / "judged.toml").read_text("utf-8"))["group"]
RANK = ("refuted", "conflicting", "unverifiable", "not_enough_info", "supported")
#: The claims on a graph in Wikidata's shape, each with its outcome and others that would do.
CLAIMS = [json.loads(line) for line in (DATA / "norvania.jsonl").read_text("utf-8").splitlines()]
#: How many of the 60 claims come out as they should; a change that lowers this is a fault.
RIGHT = 58
SETTLED = ("supported", "refuted")


def outcome(text: str, graph: str = NORVANIA, day: date | None = None, **more: Any) -> str:
    """Return the gravest outcome of a text."""
    config = Config(kb=(graph,), **more)
    report = check(text, config=config, now=datetime.combine(day, time(), UTC) if day else None)
    found = {statement.outcome.value for statement in report.statements}
    worst = next(one for one in RANK if one in found)
    return {"not_enough_info": "nei"}.get(worst, worst)


def graph_of(group: dict[str, Any], variant: str, folder: Path) -> str:
    """Return the file of a group, or one that is written of its own graph with a variant."""
    if "graph" in group:
        return str(DATA / group["graph"])
    (folder / "graph.ttl").write_text(group["turtle"] + variant, encoding="utf-8")
    return str(folder / "graph.ttl")


@pytest.mark.parametrize(
    ("group", "variant", "text", "expected"),
    [
        pytest.param(group, variant, *sentence, id=f"{group['law']}: {sentence[0]}{variant[:40]}")
        for group in GROUPS
        for variant in group.get("variants", [""])
        for sentence in group["sentences"]
    ],
)
def test_a_sentence_comes_to_what_the_graph_says(
    group: dict[str, Any], variant: str, text: str, expected: str, tmp_path: Path
) -> None:
    closed, graph = tuple(group.get("closed", ())), graph_of(group, variant, tmp_path)
    found = outcome(text, graph, group.get("now"), closed=closed)
    assert found == expected or (expected == "open" and found not in SETTLED)


NAMESAKES = next(one for one in GROUPS if "all bearers of a name" in one["law"])


@pytest.fixture
def namesakes(tmp_path: Path) -> str:
    return graph_of(NAMESAKES, NAMESAKES["variants"][0], tmp_path)


def test_a_file_and_the_store_built_of_it_come_to_the_same(namesakes: str, tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    assert main(["kb", "build", namesakes, "-o", store]) == 0
    assert [[text, outcome(text, store)] for text, _ in NAMESAKES["sentences"]] == NAMESAKES[
        "sentences"
    ]


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_source_that_is_dead_takes_no_support_from_another(namesakes: str) -> None:
    for text in ("Ola Berg was born in Oslo.", "Ola Berg was born in Oslo in 1930."):
        alone, beside = (
            check(text, config=Config(kb=kb))
            for kb in ((namesakes,), (namesakes, "http://127.0.0.1:9/x"))
        )
        assert [one.outcome for one in alone.verdicts] == [one.outcome for one in beside.verdicts]
        assert not beside.complete


SHAPES = """\
@prefix sh: <http://www.w3.org/ns/shacl#> .
<https://example.org/house#BirthShape> a sh:NodeShape ; sh:targetSubjectsOf <http://ex/at> ;
  sh:property [ sh:path <http://ex/at> ; sh:in ( <http://ex/D4> ) ; sh:message "only Bergen" ] .
"""


def test_the_shapes_of_a_pack_run_where_a_knowledge_base_judges_alone(
    namesakes: str, tmp_path: Path
) -> None:
    pytest.importorskip("pyshacl")
    house = tmp_path / "house"
    house.mkdir()
    (house / "birth.shacl.ttl").write_text(SHAPES, encoding="utf-8")
    config = Config(kb=(namesakes,), packs=("core", str(house)))
    report = check("Ola Berg was born in Oslo.", config=config)
    assert [one.rule for one in report.violations] == ["BirthShape"]


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

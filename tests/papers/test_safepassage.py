"""SafePassage: where a copied passage stands, whether it has the value and supports it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groundrules import api
from groundrules.checks.values import METRIC, Record
from groundrules.claims.documents.document import from_text
from groundrules.claims.evidence.schemas import read_schema
from groundrules.claims.evidence.smith_waterman import align
from groundrules.config import Config, LLMConfig
from groundrules.errors import LLMError
from groundrules.evaluate.values import read_runs, score_models
from groundrules.llm.client import Client
from groundrules.llm.replay import row
from groundrules.llm.structured import MalformedError, validator
from groundrules.models.passage_scorer import grading, hypothesis, score_support
from groundrules.terms import Outcome
from tests.papers import worked
from tests.papers.worked import of

CASES = worked.cases("safepassage")
# --- equations 1 and 2: the aligner ----------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"), of("safepassage", "sp-figure3", "sp-table2-align", "sp-not-in-document")
)
def test_a_context_is_found_where_the_paper_finds_it(
    given: Mapping[str, Any], expected: Mapping[str, Any]
) -> None:
    found = align(given["context"], given["document"])
    score = found.score if found else 0.0
    assert (score >= given["threshold"]) is expected["keep"]
    if "score_below" in expected:
        assert score < expected["score_below"]
    if "span" in expected:
        assert found is not None
        assert (found.start, found.end) == tuple(expected["span"])
        assert score == pytest.approx(expected["accept_score"][0], abs=1e-6)  # case is folded
    if "span_contains" in expected:
        assert found is not None
        low, high = expected["span_within"]
        assert low - 2 <= found.start
        assert found.end <= high + 2
        assert expected["span_contains"] in given["document"][found.start : found.end]


@pytest.mark.parametrize(("given", "expected"), of("safepassage", "sp-keep"))
def test_what_reaches_the_threshold_is_kept(given: Mapping[str, Any], expected: bool) -> None:
    # a copy of that many letters, that many of which are in the document
    context = "a" * given["matches"] + "".join(map(chr, range(0x4E00, 0x4E00 + 100)))
    context = context[: given["length"]]
    found = align(context, "a" * given["matches"]) if given["matches"] else None
    assert ((found.score if found else 0.0) >= given["threshold"]) is expected


# --- definition, figure 2, table 2, appendices A and B: values and their passages ---------------


def extracted(schema: Mapping[str, Any], payload: Any, document: str, folder: Path) -> Record:
    """Return what `extract` makes of a model's answer; it goes the way of recorded answers."""
    answers = folder / "answers.jsonl"
    answers.write_text(json.dumps({"texts": "doc.txt", "answer": payload}), encoding="utf-8")
    client = Client(LLMConfig(), answers=answers)
    return api.extract(from_text(document, "doc.txt"), schema, config=Config(), client=client)


def one_value(given: Mapping[str, Any], enums: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the schema and the answer that have an entity of a case as their only value."""
    entity = given["entity"]
    value = entity.get("value", entity.get("normalized"))
    shape: dict[str, Any] = {"value": {"type": "string"}}
    answer: dict[str, Any] = {"value": value}
    if entity["type"] in enums:
        shape = {"value": {"enum": enums[entity["type"]]}}
    elif isinstance(value, dict):
        part = {"type": ["string", "null"]}
        shape = {"date": {"properties": dict.fromkeys(("yyyy", "mm", "dd"), part)}}
        answer = {"date": {"dd": None, **value}}
    elif "normalized" in entity or (value and value[:4].isdigit()):
        shape = {"value": {"type": "string", "format": "date"}}
    shape["context"] = {"type": "string"}
    answer["context"] = entity["context"] or ""
    schema = {"properties": {"x": {"title": entity["type"], "properties": shape}}}
    return schema, {"x": answer if value is not None else None}


@pytest.mark.parametrize(
    ("given", "expected"),
    of("safepassage", "sp-table2-copied", "sp-table2-ungrounded", "sp-definition", "sp-absent"),
)
def test_a_value_passes_if_its_passage_is_there_and_supports_it(
    given: Mapping[str, Any], expected: Mapping[str, Any], tmp_path: Path
) -> None:
    schema, answer = one_value(given, given.get("enums", {}))
    if expected.get("reason") == "not one of the declared values":
        with pytest.raises(LLMError, match="malformed"):
            extracted(schema, answer, given["document"], tmp_path)
        return
    record = extracted(schema, answer, given["document"], tmp_path)
    passed = not record.report.violations and record.report.complete
    assert passed is expected["pass"]
    assert bool(record.safe) is (expected["pass"] and answer["x"] is not None)
    rules = {violation.rule for violation in record.report.violations}
    if "in_document" in expected:
        assert ("SP102" in rules) is not expected["in_document"]
    if expected.get("reason") == "no evidence":
        assert rules == {"SP101"}


#: The paper's name of the fault of copying, and ours: which side has the more words decides.
FAULTS = {
    "inserted tokens": "elided tokens", "elided tokens": "elided tokens",
    "translation/ocr": "misspelt", "ocr": "ocr",
}  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), of("safepassage", "sp-table2-copied"))
def test_a_fault_of_copying_is_named(
    given: Mapping[str, Any], expected: Mapping[str, Any], tmp_path: Path
) -> None:
    record = extracted(*one_value(given, {}), given["document"], tmp_path)
    assert record.copied == (FAULTS[expected["fault"]],)
    assert record.report.metric("TranscriptionErrors").value == 1.0
    (note,) = (note for note in record.report.run.notes if "word for word" in note)
    assert note.endswith(f": {record.copied[0]} 1")


STRUCTURED = CASES["sp-structured"]


@pytest.fixture(scope="module")
def structured(tmp_path_factory: pytest.TempPathFactory) -> Record:
    given = STRUCTURED["input"]
    folder = tmp_path_factory.mktemp("structured")
    return extracted(given["schema"], given["payload"], given["document"], folder)


@pytest.mark.parametrize(
    "expected",
    [
        pytest.param(
            one, id=one["path"], marks=worked.marked("safepassage", f"sp-structured: {one['path']}")
        )
        for one in STRUCTURED["expected"]["values"]
    ],
)
def test_a_value_of_parts_has_one_passage(structured: Record, expected: Mapping[str, Any]) -> None:
    found = {
        structured.report.labels[v.claim.triple.predicate]: v.outcome
        for v in structured.report.verdicts
    }
    assert (found[expected["path"]] is Outcome.SUPPORTED) is expected["pass"]


def test_a_value_of_parts_is_found_and_given_back_as_the_schema_has_it(tmp_path: Path) -> None:
    """As in figure 2, but that the schema calls the dates by what the document does."""
    given = STRUCTURED["input"]
    schema = json.loads(json.dumps(given["schema"]))
    schema["properties"]["prediction_dates"]["items"]["title"] = "Date of hearing"
    payload = {**given["payload"], "prediction_dates": given["payload"]["prediction_dates"][:2]}
    record = extracted(schema, payload, given["document"], tmp_path)
    first, second = STRUCTURED["expected"]["values"][:2]
    assert [leaf["value"] for leaf in record.safe["prediction_dates"]] == [
        first["value"], second["value"]
    ]  # fmt: skip
    leaf = record.safe["prediction_dates"][0]
    assert [leaf["start"], leaf["end"]] == first["span"]
    assert record.safe["presiding_judge"]["value"] == {
        "first_name": "Maria", "last_name": "Okafor"
    }  # fmt: skip
    assert record.report.metric(METRIC).value == 1.0


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(
            STRUCTURED["expected"]["also_reject"][0],
            marks=worked.marked("safepassage", "sp-structured: counsel"),
        )
    ],
)
def test_counsel_is_no_judge(payload: Mapping[str, Any], tmp_path: Path) -> None:
    given = STRUCTURED["input"]
    payload = {"prediction_dates": [], **payload}
    assert extracted(given["schema"], payload, given["document"], tmp_path).report.violations


# --- equations 3 and 4: the scorer ------------------------------------------------------------


@pytest.mark.parametrize(("given", "expected"), of("safepassage", "sp-support"))
def test_the_scorer_answers_as_the_paper_does(
    given: Mapping[str, Any], expected: Mapping[str, Any], tmp_path: Path
) -> None:
    entity = {"type": given["type"], "value": given["value"], "context": given["passage"]}
    document = f"They met. {given['passage']}. They parted."
    record = extracted(*one_value({"entity": entity}, {}), document, tmp_path)
    assert bool(record.safe) is expected["supports"]


def test_a_hypothesis_is_type_colon_value() -> None:
    case = CASES["sp-support"]
    said = [hypothesis(item["type"], item["value"]) for item in case["input"]["items"]]
    assert said == case["expected"]["hypotheses"]


@pytest.mark.parametrize(("given", "expected"), of("safepassage", "sp-grader"))
def test_a_grade_is_strict(
    given: Mapping[str, Any], expected: Mapping[str, Any], tmp_path: Path
) -> None:
    if "label" not in given:
        shares = {"entailment": 0, "neutral": 1, "contradiction": 2}
        from groundrules.models.passage_scorer import entailment

        column = entailment({place: name for name, place in shares.items()}, "nli")
        assert column is not None
        assert [given[name] for name in shares][column] == expected["score"]
        return
    prompt = grading("joe burrow, the claimant", "Judge: Joe Burrow")
    file = tmp_path / "grades.jsonl"
    file.write_text(row(prompt, {"answer": given["label"]}), encoding="utf-8")
    client = Client(LLMConfig(), answers=file)
    pair = [("joe burrow, the claimant", "Judge: Joe Burrow")]
    if given["label"] in ("SUPPORTS", "INSUFFICIENT"):
        assert score_support(pair, "llm", client=client) == (expected["score"],)
    else:  # no label: not scored rather than 0, and SP001 keeps the value out of the safe record
        with pytest.raises(LLMError, match="malformed"):
            score_support(pair, "llm", client=client)


def test_the_grader_has_the_papers_examples() -> None:
    asked = grading("x", "y").instructions
    for item in CASES["sp-support"]["input"]["items"][:3]:
        assert hypothesis(item["type"], item["value"]).casefold() in asked.casefold()


# --- section 4.3, tables and figures ------------------------------------------------------------


def test_models_are_ranked_by_their_mean_score(tmp_path: Path) -> None:
    case = CASES["sp-ranking"]
    (tmp_path / "doc.txt").write_text("The rent is $1,850 per month.", encoding="utf-8")
    lines = [
        json.dumps({
            "model": model, "document": "doc.txt", "type": "Rent", "value": "$1,850",
            "context": "The rent is $1,850 per month." if safe else "", "human": safe,
        })
        for model, scores in case["input"]["runs"].items() for safe in scores
    ]  # fmt: skip
    (tmp_path / "runs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    ranked = score_models(*read_runs([tmp_path / "runs.jsonl"]), Config())
    assert [one.model for one in ranked] == case["expected"]["order"]
    for one in ranked:
        assert one.score == pytest.approx(case["expected"]["mean"][one.model], abs=1e-6)
        assert one.human == pytest.approx(one.score)


@pytest.mark.parametrize(("given", "expected"), of("safepassage", "sp-f1"))
def test_f1_is_that_of_table_1(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    from benchmarks.support import figures

    # of a thousand unsafe passages, flagged as often as the table says
    hit = round(1000 * given["recall"])
    alarms = round(hit / given["precision"]) - hit
    flags = [True] * hit + [False] * (1000 - hit) + [True] * alarms
    found = figures(np.array(flags), np.array([0] * 1000 + [1] * alarms))[2]
    assert found == pytest.approx(expected["f1"], abs=1.5e-3)
    assert found == pytest.approx(expected["printed"], abs=1.5e-3)


def test_an_answer_that_the_schema_does_not_allow_is_refused() -> None:
    shape = read_schema({"properties": {"type": {"enum": ["In Person", "Virtual"]}}}).shape
    with pytest.raises(MalformedError):
        validator(shape)({"type": {"value": "Hybrid", "context": "by videoconference"}})

"""`groundrules extract` and `groundrules score-models`, as they are typed."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest

from groundrules.checks import valuepassages, values
from groundrules.claims.documents.document import read
from groundrules.claims.evidence.schemas import read_schema
from groundrules.cli.main import main
from groundrules.explain.formats import json as reports
from tests.claims.test_document import pdf
from tests.recorded import client

ROOT = Path(__file__).parents[2]
LEASE = ROOT / "examples/lease/lease.txt"
FOLDER = ROOT / "examples/passages"
ANSWERS = FOLDER / "answers.jsonl"


@pytest.fixture(autouse=True)
def scorer(monkeypatch):
    """A scorer that finds support for all but a tenant who is none."""

    def score(pairs, scorer="embedded", *, client=None):
        return tuple(0.1 if "Whitfield" in said else 0.9 for _, said in pairs)

    monkeypatch.setattr(valuepassages, "score_support", score)
    monkeypatch.setattr(values, "embedded", lambda: type("S", (), {"digest": "told"}))
    monkeypatch.delenv("GROUNDRULES_OUTPUT_FORMAT", raising=False)


def run(capsys, *arguments, schema=FOLDER / "lease.json", answers=ANSWERS):
    options = ["--schema", str(schema), "--isolated"]
    options += ["--answers", str(answers)] if answers else []
    code = main(["extract", str(LEASE), *options, *arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_the_safe_record_goes_to_stdout_and_what_was_rejected_to_stderr(capsys):
    code, out, err = run(capsys)
    assert code == 1
    record = json.loads(out)
    assert record["landlord"]["value"] == "Alpine Holdings LLC"
    assert record["rent"]["monthly"]["value"] == "USD 4,850.00"
    assert [tenant["value"] for tenant in record["tenants"]] == ["Bright Harbor Books, Inc."]
    text = LEASE.read_text(encoding="utf-8")
    for leaf in (record["landlord"], record["rent"]["late_fee"], *record["tenants"]):
        assert text[leaf["start"] : leaf["end"]] == leaf["context"]
        assert leaf["source"] == str(LEASE)
    heads = [line.split(": ") for line in err.splitlines() if line.startswith("error[")]
    assert {(head[0][6:11], head[1].split()[0]) for head in heads} == {
        ("SP106", "tenants[1]"), ("SP104", "expiration_date"), ("SP105", "security_deposit"),
        ("SP102", "insurance"), ("SP104", "insurer"),
    }  # fmt: skip
    assert not set(record) & {"expiration_date", "security_deposit", "insurance", "insurer"}


def test_the_model_and_its_json_schema_are_asked_alike():
    model = runpy.run_path(str(FOLDER / "schema.py"))["Lease"]
    assert read_schema(model) == read_schema(FOLDER / "lease.json")


@pytest.mark.parametrize("name", ["nowhere.json", str(FOLDER / "schema.py")])
def test_a_schema_that_cannot_be_used_is_one_line(capsys, name):
    code, out, err = run(capsys, schema=name)
    assert (code, out) == (2, "")
    assert name in err
    assert len(err.splitlines()) == 1


def test_the_report_has_the_form_that_is_asked_for(capsys, tmp_path):
    code, out, err = run(capsys, "--output-format", "json")
    report = reports.loads(out)
    assert (code, err) == (1, "")
    assert report.metric(values.METRIC).checks == 13
    assert ("llm calls", 1) in report.run.calls
    assert run(capsys, "--output-format", "text")[1].startswith("error[SP106] unsupported-value")
    assert "sh:ValidationReport" in run(capsys, "--output-format", "turtle")[1]
    path = tmp_path / "record.json"
    assert run(capsys, "-o", str(path))[1] == ""
    assert json.loads(path.read_text())["landlord"]["value"] == "Alpine Holdings LLC"


def test_a_contract_is_read_from_pdf(capsys, tmp_path):
    file = tmp_path / "contract.pdf"
    file.write_bytes(
        pdf("This lease is made by Alpine Holdings LLC.", "The rent is $1,850 a month.")
    )
    schema = tmp_path / "lease.json"
    told = {"properties": {"landlord": {"type": "string"}, "rent": {"type": "string"}}}
    schema.write_text(json.dumps(told))
    answer = {
        "landlord": {"value": "Alpine Holdings LLC", "context": "made by Alpine Holdings LLC"},
        "rent": {"value": "$1,580", "context": "The rent is $1,850 a month."},
    }
    document = read(file)
    client(tmp_path / "answers.jsonl", [document], read_schema(schema), lambda part: answer)
    options = ["--schema", str(schema), "--answers", str(tmp_path / "answers.jsonl"), "--isolated"]
    assert main(["extract", str(file), *options]) == 1
    out = capsys.readouterr()
    record = json.loads(out.out)
    assert set(record) == {"landlord"}
    leaf = record["landlord"]
    assert leaf["source"] == str(file)
    assert document.text[leaf["start"] : leaf["end"]] == "made by Alpine Holdings LLC"
    assert "error[SP105] other-value-in-evidence: rent is $1,850 in the passage" in out.err


def test_without_a_model_it_says_what_to_name(capsys):
    code, out, err = run(capsys, answers=None)
    assert (code, out) == (2, "")
    assert err == (
        "groundrules: extraction asks a language model and none is named; expected "
        "--llm URL_OR_MODEL, or llm.model in the configuration\n"
    )


def test_what_was_not_recorded_is_not_asked(capsys, tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    code, out, err = run(capsys, answers=empty)
    assert (code, out) == (2, "")
    assert "no recorded answer to job 'values' about lease.txt" in err
    assert len(err.splitlines()) == 1


def rows(path, *values, model="one", **more):
    lines = [
        json.dumps({"model": model, "type": "Rent", "value": value, "context": context, **more})
        for value, context in values
    ]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


GOOD = ("$4,850", "The Tenant shall pay the Landlord a base rent of $4,850 per month.")
BAD = ("$4,850", "Nothing of this kind was ever agreed upon by anybody here.")


def test_models_are_ranked_by_the_share_of_their_values_that_are_safe(capsys, tmp_path):
    (tmp_path / "lease.txt").write_text(LEASE.read_text())
    one = rows(tmp_path / "one.jsonl", GOOD, BAD, document="lease.txt")
    two = rows(tmp_path / "two.jsonl", GOOD, GOOD, ("$4,580", GOOD[1]), ("x", ""), GOOD,
               model="two", doc=LEASE.read_text())  # fmt: skip
    assert main(["score-models", one, two, "--isolated"]) == 0
    assert capsys.readouterr().out == (
        "model  score  95 %  changed  values  documents  fails\n"
        "two    0.600  –     0.000    5       1          SP101 1, SP105 1\n"
        "one    0.500  –     0.000    2       1          SP102 1\n"
    )
    assert main(["score-models", one, two, "--isolated", "--output-format", "json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert first["model"] == "two"
    assert second["broken"] == {"SP102": 1}


def test_what_people_said_and_what_was_miscopied_stand_beside_the_score(capsys, tmp_path):
    changed = (GOOD[0], GOOD[1].replace("the Landlord ", ""))
    file = rows(tmp_path / "a.jsonl", GOOD, changed, doc=LEASE.read_text(), human=0.5)
    assert main(["score-models", file, "--isolated"]) == 0
    assert capsys.readouterr().out == (
        "model  score  95 %  human  changed  values  documents\n"
        "one    1.000  –     0.500  0.500    2       1\n"
    )
    file = rows(tmp_path / "b.jsonl", GOOD, doc=LEASE.read_text(), human="yes")
    assert main(["score-models", file, "--isolated"]) == 2
    assert 'b.jsonl:1: human is "yes"; expected a valid number' in capsys.readouterr().err


def test_answers_are_recorded_by_the_name_of_the_file(capsys, tmp_path):
    (tmp_path / "schema.json").write_text('{"properties": {"rent": {"type": "string"}}}')
    answer = {"rent": {"value": GOOD[0], "context": GOOD[1]}}
    (tmp_path / "answers.jsonl").write_text(json.dumps({"texts": LEASE.name, "answer": answer}))
    args = ["--schema", str(tmp_path / "schema.json"), "--isolated"]
    answers = ["--answers", str(tmp_path / "answers.jsonl")]
    assert main(["extract", str(LEASE), *args, *answers]) == 0
    assert json.loads(capsys.readouterr().out)["rent"]["value"] == GOOD[0]


def test_recorded_answers_are_read_without_a_client(capsys, monkeypatch):
    code, out, _ = run(capsys)
    monkeypatch.setitem(sys.modules, "openai", None)
    again = run(capsys)
    assert (code, out) == again[:2]
    assert json.loads(out)


def test_a_name_of_a_model_is_cut_and_commands_no_terminal(capsys, tmp_path):
    file = rows(tmp_path / "a.jsonl", GOOD, model="\x1b[31m" + "m" * 300, doc=LEASE.read_text())
    assert main(["score-models", file, "--isolated"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert all(len(line) < 120 for line in out.splitlines())


def test_a_document_of_rows_is_never_stdin(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    rows(tmp_path / "a.jsonl", GOOD, document="-")
    assert main(["score-models", "a.jsonl", "--isolated"]) == 2
    assert "no such file" in capsys.readouterr().err


def test_the_interval_is_over_documents(capsys, tmp_path):
    files = [
        rows(tmp_path / f"{n}.jsonl", *values, doc=f"{LEASE.read_text()} {n}", doc_id=n)
        for n, values in enumerate([(GOOD,), (GOOD, GOOD), (BAD,), (GOOD, BAD)])
    ]
    assert main(["score-models", *files, "--isolated", "--output-format", "json"]) == 0
    (score,) = json.loads(capsys.readouterr().out)
    assert (score["documents"], score["values"], score["safe"]) == (4, 6, 4)
    assert score["low"] < score["score"] < score["high"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "2: not JSON"),
        ("[]", "2: it is []; expected an object"),
        ('{"model": 1}', "2: model is 1; expected a valid string"),
        (
            '{"model": "a", "type": "Rent", "value": null}',
            "2: value is null; expected a valid string",
        ),
        (
            '{"model": "a", "type": "Rent", "value": NaN}',
            "2: value is NaN; expected a valid string",
        ),
        ('{"model": "a", "type": "Rent", "value": "x", "context": 1}', "2: context is 1; expected"),
        ('{"model": "a", "type": "Rent", "value": "x"}', "2: no document"),
        (
            '{"model": "a", "type": "Rent", "value": "\\ud800", "doc": "x"}',
            "without lone surrogates",
        ),
        ('{"model": "a", "type": "Rent", "value": "x", "document": "gone.txt"}', "no such file"),
    ],
)
def test_a_bad_row_is_named_by_file_and_line(capsys, tmp_path, line, message):
    path = tmp_path / "runs.jsonl"
    rows(path, GOOD, doc="A lease.")
    path.write_text(path.read_text() + line + "\n")
    assert main(["score-models", str(path), "--isolated"]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_model_and_recorded_answers_exclude_each_other(capsys):
    assert main(["extract", str(LEASE), "--schema", str(FOLDER / "lease.json"),
                 "--isolated", "--llm", "m", "--answers", str(ANSWERS)]) == 2  # fmt: skip
    assert "--llm and --answers exclude each other" in capsys.readouterr().err

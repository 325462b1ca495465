"""Faults that are planted in records are found, and nothing else is flagged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from groundrules.checks.store import Finding, check_records
from groundrules.cli.main import main
from groundrules.kb.sources.triplestore import build_store, open_graph
from groundrules.ontology.load import load
from groundrules.rules.packs import load_pack
from tests.rows import each

DATA = Path(__file__).parents[1] / "kb" / "data" / "records"
EXAMPLE = Path(__file__).parents[2] / "examples" / "records" / "patents.xml"
NAMES = ("grants.xml", "applications.xml", "courts.json")


def check(folder: Path, names: tuple[str, ...] = NAMES) -> list[Finding]:
    build_store([folder / name for name in names], folder / "store")
    rules = [rule for pack in ("owl", "legal") for rule in load_pack(pack).rules]
    store = open_graph(folder / "store").store
    return [one for _, found in check_records(store, load("legal"), rules) for one in found]


def copy(tmp_path: Path, name: str, old: str = "", new: str = "") -> None:
    text = (DATA / name).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new) if old else text, encoding="utf-8")


def test_records_without_a_fault_are_flagged_for_none(tmp_path: Path) -> None:
    for name in (*NAMES, "statutes.ttl"):
        copy(tmp_path, name)
    assert check(tmp_path, (*NAMES, "statutes.ttl")) == []


ONE = "<date>20171031</date>"
REF = '<claim-ref idref="CLM-00001">claim 1</claim-ref>, wherein the rotor'


@pytest.mark.parametrize(
    ("name", "old", "new", "rule"),
    [
        ("grants.xml", ONE, "<date>20151031</date>", "LAW050"),
        ("grants.xml", "<date>20160616</date>", "<date>20140616</date>", "OWL125"),
        ("grants.xml", "<date>20141212</date>", "<date>20141012</date>", "LAW051"),
        ("grants.xml", REF, REF.replace("1", "5"), "LAW053"),
        ("grants.xml", REF, REF.replace("1", "9"), "LAW053"),
        ("grants.xml", "<last-name>Lindqvist</last-name>\n<first-name>Ada</first-name>",
         "<orgname>Rotor Works AB</orgname>", "LAW056"),
        ("grants.xml", "<doc-number>29540012</doc-number>", "<doc-number>14897520</doc-number>",
         "OWL108"),
        ("courts.json", '"date_filed": "2018-02-05"', '"date_filed": "2020-02-05"', "LAW020"),
        ("courts.json", '"date_filed": "1969-04-01"', '"date_filed": "2021-04-01"', "LAW033"),
    ],
)  # fmt: skip
def test_a_fault_of_a_record_is_found_where_it_is(
    tmp_path: Path, name: str, old: str, new: str, rule: str
) -> None:
    copy(tmp_path, name, old, new)
    found = check(tmp_path, (name,))
    assert rule in {one.violation.rule for one in found}
    assert all(place.startswith(f"{name}: record ") for one in found for place in one.places)


@each("old new rule")
def test_a_fault_of_a_statute_is_found(tmp_path: Path, old: str, new: str, rule: str) -> None:
    copy(tmp_path, "statutes.ttl", old, new)
    found = check(tmp_path, ("statutes.ttl",))
    assert {one.violation.rule for one in found} == {rule}


def test_two_sources_that_differ_on_one_application_are_found(tmp_path: Path) -> None:
    copy(tmp_path, "grants.xml")
    (tmp_path / "more.ttl").write_text(
        "<https://w3id.org/groundrules/record/us-application/14897520> "
        "<https://w3id.org/groundrules/legal#filingDate> "
        '"2015-12-11"^^<http://www.w3.org/2001/XMLSchema#date> .'
    )
    found = check(tmp_path, ("grants.xml", "more.ttl"))
    assert {one.violation.rule for one in found} == {"OWL103"}


def test_a_store_without_records_has_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none.xml").write_text("")
    assert main(["kb", "build", str(tmp_path / "none.xml"), "-o", str(tmp_path / "s")]) == 0
    capsys.readouterr()
    assert main(["kb", "check", str(tmp_path / "s")]) == 0
    assert capsys.readouterr().out == "0 records: nothing found\n"


def test_what_is_not_there_is_called_by_its_number(tmp_path: Path) -> None:
    shutil.copy(EXAMPLE, tmp_path / "patents.xml")
    (found,) = [one for one in check(tmp_path, ("patents.xml",)) if one.violation.rule == "LAW053"]
    assert "cannot depend on claim 6 of 9800001:" in found.violation.message


def test_the_command_says_which_record_and_exits_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy(tmp_path, "grants.xml", ONE, "<date>20151031</date>")
    assert main(["kb", "build", str(tmp_path / "grants.xml"), "-o", str(tmp_path / "s")]) == 0
    capsys.readouterr()
    assert main(["kb", "check", str(tmp_path / "s")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("grants.xml: record 1: error LAW050 patent-dates-out-of-order: ")
    assert lines[-1] == "3 records: 1 error"
    assert main(["kb", "check", str(tmp_path / "s"), "--select", "LAW053"]) == 0


def test_a_build_with_records_that_cannot_be_read_exits_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy(tmp_path, "grants.xml", "<doc-number>D0800002</doc-number>", "<doc-number>?</doc-number>")
    assert main(["kb", "build", str(tmp_path / "grants.xml"), "-o", str(tmp_path / "s")]) == 1
    said = capsys.readouterr()
    assert "grants.xml: record 3: '?' is no number of a US patent" in said.err
    assert "grants.xml (USPTO XML, 4 records, 1 not read)" in said.out

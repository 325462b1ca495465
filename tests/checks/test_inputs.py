"""Texts and sources as they are given."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from groundrules import api
from groundrules.checks.inputs import contexts_of, distinct, distinct_name
from groundrules.claims.documents.document import Document
from groundrules.config import Config

NAMES = st.sampled_from(["a", "a#2", "a#3", "b", "text"])
DOCUMENTS = st.lists(st.builds(Document, NAMES, st.text("xyz", max_size=3), st.just("txt")))


@given(DOCUMENTS)
def test_each_document_has_a_name_of_its_own_and_keeps_its_text(found: list[Document]) -> None:
    first = Document("text", "", "txt")

    named = distinct(found, first)

    assert len({one.name for one in (first, *named)}) == len(found) + 1
    assert sorted(one.text for one in named) == sorted(one.text for one in found)


@given(DOCUMENTS, st.randoms())
def test_the_order_in_which_documents_are_given_changes_no_name(
    found: list[Document], chance: Random
) -> None:
    mixed = list(found)
    chance.shuffle(mixed)

    assert distinct(mixed) == distinct(found)


@given(NAMES, st.frozensets(NAMES))
def test_a_name_is_numbered_only_where_it_is_taken(name: str, taken: frozenset[str]) -> None:
    found = distinct_name(name, taken)

    assert found not in taken
    assert (found == name) == (name not in taken)


def test_texts_are_named_by_their_place() -> None:
    assert [one.name for one in contexts_of(["The fee.", "The rent."])] == ["context1", "context2"]
    assert [one.name for one in contexts_of("The fee.")] == ["context1"]


def test_what_a_check_was_given_is_told_by_the_hash_of_the_file(tmp_path: Path) -> None:
    answer, source = tmp_path / "answer.txt", tmp_path / "source.md"
    answer.write_bytes(b"\xef\xbb\xbfThe mill opened in 1901.\r\n")
    source.write_text("The mill opened in 1901.\n", encoding="utf-8")
    report = api.check(answer, context=[source, "The mill is in Leeds."], question="When?")

    found = {one.role + " " + Path(one.name).name: one.sha256 for one in report.run.inputs}
    assert found == {
        "text answer.txt": hashlib.sha256(answer.read_bytes()).hexdigest(),
        "context source.md": hashlib.sha256(source.read_bytes()).hexdigest(),
        "context context2": hashlib.sha256(b"The mill is in Leeds.").hexdigest(),
        "question question": hashlib.sha256(b"When?").hexdigest(),
    }


def test_a_run_tells_its_time_and_the_settings_that_are_not_the_default() -> None:
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    config = Config(disable=("GR101",), settled=0.6)
    report = api.check("It rains.", context="It rains.", config=config, now=moment)

    assert report.run.at == "2026-03-01T12:00:00Z"
    assert dict(report.run.settings) == {"disable": '["GR101"]', "settled": "0.6"}

"""Recorded assertions of a language model: found again by the text, and what they do."""

from __future__ import annotations

import pytest

from benchmarks.lawreadings import CONTROLS, Assertions, answering
from groundrules import api
from groundrules.checks.modelassertions import read_amiss
from groundrules.claims.models.llm_terms import question_on
from groundrules.ontology.load import load
from groundrules.ontology.read.control_texts import Known, known_texts
from groundrules.ontology.termlist import vocabulary

LEGAL = load("legal")
TERMS = vocabulary(LEGAL)
DENIED = "The lease does not expire on May 31, 2031."


@pytest.fixture(scope="module")
def known() -> dict[str, Known]:
    return {one.text: one for draw in range(200) for one in known_texts(LEGAL, TERMS, draw)}


def test_a_good_reader_reads_every_control_rightly(known: dict[str, Known]) -> None:
    reader, terms = Assertions(CONTROLS), TERMS.text()
    for text, one in known.items():
        answer = reader.ask(question_on(text, terms, LEGAL.name))
        assert read_amiss(one, answer, LEGAL, TERMS) == "", text


def test_who_answers_one_control_like_another_is_found_out(known: dict[str, Known]) -> None:
    answer = Assertions(CONTROLS).ask(question_on(DENIED, TERMS.text(), LEGAL.name))
    amiss = [one.text for one in known.values() if read_amiss(one, answer, LEGAL, TERMS)]
    assert set(amiss) == set(known) - {DENIED}


def test_a_recorded_reading_joins_the_report(known: dict[str, Known]) -> None:
    text = next(one for one in known if one.startswith("The lease was signed on"))
    client = Assertions(CONTROLS)
    with answering(client) as config:
        report = api.check(text, config=config)
    told = {
        str(one.triple.predicate).rpartition("#")[2] for one in report.assertions if one.read_by
    }
    assert "type" in told
    alone = {one.triple for one in report.assertions if not one.read_by}
    assert not alone & {one.triple for one in report.assertions if one.read_by}
    assert any(note.startswith("language model ") for note in report.run.notes)


def test_a_text_without_a_recorded_answer_is_not_read() -> None:
    client = Assertions(CONTROLS)
    with answering(client) as config:
        report = api.check("Nobody has read this.", config=config)
    assert not any(one.read_by for one in report.assertions)
    assert any("has not read the text in the terms of legal" in one for one in report.unasked)

"""Laws of processes that check: what they have read of texts they forget, and say the same."""

from __future__ import annotations

import gc
import json
import weakref
from dataclasses import replace

import pytest

from groundrules import api, dataset, processes
from groundrules.align import alignments
from groundrules.align.words import normal_words, parses
from groundrules.checks.extractions import parsed
from groundrules.explain.formats import json as json_format
from groundrules.models import parser
from groundrules.models.embed import _sentence_encoder
from groundrules.processes import Memory
from groundrules.terms import Report

LEASE = "The lease began on May 2, 2021. The rent is $40 a month. The tenant is Ann Lee."
ANSWER = "The rent is $45 a month. Ann Lee is the landlord."


def told(report: Report) -> str:
    run = replace(report.run, times=(), at="")
    return json.dumps(json_format.encode(replace(report, run=run)))


def test_a_process_that_forgot_its_texts_says_the_same_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    before = told(api.check(ANSWER, context=[LEASE]))
    assert normal_words.read_words.cache_info().currsize
    assert parses._parses
    assert any(one._read for one in parser._models)
    models = _sentence_encoder.cache_info()
    processes.forget()
    assert normal_words.read_words.cache_info().currsize == parsed.cache_info().currsize == 0
    assert not parses._parses
    assert not dataset._stated.cache_info().currsize
    assert all(not one._read for one in parser._models)
    assert not alignments._of_texts.cache_info().currsize
    assert _sentence_encoder.cache_info() == models
    assert told(api.check(ANSWER, context=[LEASE])) == before


def test_garbage_of_earlier_tasks_is_found_where_texts_are_forgotten() -> None:
    class Knot(list[object]):
        """A list that has itself."""

    knot = Knot()
    knot.append(knot)
    gone = weakref.ref(knot)
    del knot
    gc.freeze()
    gc.collect()
    assert gone() is not None
    processes.forget()
    assert gone() is None


def test_a_process_forgets_each_time_it_has_grown_by_so_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    size = 100
    forgot: list[int] = []
    monkeypatch.setattr(processes, "forget", lambda: forgot.append(size))
    monkeypatch.setattr(processes, "resident", lambda: size * 2**20)
    memory = Memory()
    for size in (100, 356, 357, 500, 613, 614, 615):
        assert memory.relieve() == (size in (357, 614))
    assert forgot == [357, 614]

"""What the page shows of a report: no statement is left open without a word why."""

from __future__ import annotations

from dataclasses import replace

from groundrules import check
from groundrules.service.cards import cards
from groundrules.terms import Outcome
from tests.explain import cases


def test_an_open_statement_that_nothing_is_said_of_has_the_reason_that_settled_it() -> None:
    report = cases.policy()
    bare = replace(report.statements[0], outcome=Outcome.NOT_ENOUGH_INFO, reason="support", note="")
    alone = replace(report, statements=(bare,), violations=())
    (card,) = cards(alone)["statements"]
    assert card["why"] == "no source says it"


def test_an_open_statement_is_told_by_the_words_at_fault_before_the_whole_of_it() -> None:
    text = "They send 1,200 housings at £14.80."
    (card,) = cards(check(text, context="1,200 housings are delivered. The price is £18."))[
        "statements"
    ]
    assert card["outcome"] == "not_enough_info"
    assert card["rule"] == "GR308"
    assert "£14.80" in card["why"]


def test_ranges_of_a_card_are_in_its_passage_and_its_statement() -> None:
    report = cases.lease()
    found = cards(report)["statements"]
    assert [one["number"] for one in found] == [one.number for one in report.statements]
    for one in found:
        assert all(one["start"] <= a < b <= one["end"] for a, b in one["wrong"])
        for finding in one["findings"]:
            for passage in finding["passages"]:
                assert passage["text"]
                assert all(0 <= a < b <= len(passage["text"]) for a, b in passage["lit"])

"""Laws of the parses of sentences by themselves."""

from __future__ import annotations

import random
from typing import Any

import pytest

from groundrules.align import parses
from groundrules.claims.facts.offline import load

SENTENCES = [
    "The Tenant shall pay $40 to Karim Lund by May 2, 2021.",
    "Karim Lund owns Amber Glass",
    "It hasn't been sold; nobody but the agent, who lives in Bergen, may enter!",
    "- 3 offices of 40 m2 each",
    "",
    "a",
]


@pytest.fixture(autouse=True)
def _nothing_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parses, "_parses", type(parses._parses)())


def told(doc: Any) -> list[tuple[object, ...]]:
    return [
        (t.text, t.idx, t.tag_, t.pos_, t.dep_, t.head.i, t.lemma_, t.is_sent_start) for t in doc
    ]


def test_a_sentence_is_parsed_alike_alone_among_others_and_with_names_read() -> None:
    alone = [told(parses.parse(text)) for text in SENTENCES]
    parses._parses.clear()
    parses.parse_ahead(random.Random(1).sample(SENTENCES * 2, 2 * len(SENTENCES)))
    assert [told(parses.parse(text)) for text in SENTENCES] == alone
    assert [told(load()(text)) for text in SENTENCES] == alone


def test_what_is_parsed_ahead_is_not_parsed_again() -> None:
    parses.parse_ahead(SENTENCES)
    known = [parses.parse(text) for text in SENTENCES]
    parses.parse_ahead(SENTENCES[:2])
    assert all(parses.parse(text) is doc for text, doc in zip(SENTENCES, known, strict=True))


def test_no_more_parses_are_kept_than_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parses, "_KEPT", 3)
    parses.parse_ahead(SENTENCES)
    assert list(parses._parses) == SENTENCES[-3:]

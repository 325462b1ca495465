"""What is said of single sentences against a small world; the sentences are data."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from groundrules.api import check
from groundrules.config import Config
from groundrules.terms import Outcome

DATA = Path(__file__).parent / "kb" / "data"
SENTENCES = tomllib.loads((DATA / "sentences.toml").read_text("utf-8"))["sentence"]
KNOWN = [sentence for sentence in SENTENCES if "miss" not in sentence]
MISSED = [sentence for sentence in SENTENCES if "miss" in sentence]
SETTLED = {Outcome.SUPPORTED, Outcome.REFUTED, Outcome.CONFLICTING}


def said(text: str, graph: str = "world.ttl") -> list[str]:
    """Return the verdicts that settle something."""
    config = Config(kb=(str(DATA / graph),))
    report = check(text, config=config, now=datetime(2024, 6, 1, tzinfo=UTC))
    outcomes = [verdict.outcome for verdict in report.verdicts]
    assert Outcome.ERROR not in outcomes
    return sorted(outcome.value for outcome in outcomes if outcome in SETTLED)


@pytest.mark.parametrize("sentence", KNOWN, ids=lambda sentence: sentence["text"])
def test_a_sentence_gets_the_verdicts_of_a_careful_reader(sentence: dict[str, Any]) -> None:
    found = said(sentence["text"], sentence.get("graph", "world.ttl"))
    assert found == sorted(sentence["says"])


@pytest.mark.parametrize("sentence", MISSED, ids=lambda sentence: sentence["text"])
def test_a_known_miss_is_one_still(sentence: dict[str, Any]) -> None:
    assert said(sentence["text"]) != sorted(sentence["says"])


def test_no_known_miss_is_a_false_refutation() -> None:
    for sentence in MISSED:
        assert said(sentence["text"]).count("refuted") <= sentence["says"].count("refuted"), (
            sentence
        )


def test_a_text_of_all_sentences_is_read_without_a_fault() -> None:
    assert said(" ".join(sentence["text"] for sentence in KNOWN[:60]))

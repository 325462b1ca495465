"""What a source says of one thing is not supported of another that it names beside it."""

from __future__ import annotations

import pytest

from groundrules import Outcome, check
from tests.rows import each

SOURCES = [
    "{one} {verb} {this} and {other} {verb} {that}.",
    "{one} {verb} {this}, and {other} {verb} {that}.",
    "{one} {verb} {this}, while {other} {verb} {that}.",
    "{one} {verb} {this}; {other} {verb} {that}.",
    "{one} {verb} {this}. {other} {verb} {that}.",
    "{one} {verb} {this} but {other} {verb} {that}.",
    "Before {other} {verb} {that}, {one} {verb} {this}.",
    "{one}, not {other}, {verb} {this}.",
    "Unlike {other}, {one} {verb} {this}.",
    "{one}, which is next to {other}, {verb} {this}.",
]
DEEDS = [
    ("repaired", "the roof", "the pump"),
    ("pays", "the fee", "the rent"),
]
PAIRS = [("Ann Moor", "Bob Hale"), ("the museum", "Eva Lund")]


def _sentence(words: str) -> str:
    return ". ".join(part[:1].upper() + part[1:] for part in words.split(". "))


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("verb", "this", "that"), DEEDS)
def test_the_sides_of_a_sentence_are_not_supported_exchanged(
    source: str, verb: str, this: str, that: str
) -> None:
    for one, other in PAIRS:
        told = _sentence(source.format(one=one, other=other, verb=verb, this=this, that=that))
        wrong = [_sentence(f"{other} {verb} {this}."), _sentence(f"{one} {verb} {that}.")]
        report = check("\n\n".join(wrong), context=told, verify=False)
        passed = [s.text for s in report.statements if s.outcome is Outcome.SUPPORTED]
        assert passed == [], told


KINDS = [
    ("north", "south", "gate"),
    ("rye", "white", "flour"),
    ("day", "night", "train"),
]
BETWEEN = [
    "The {one} {noun} is larger than the {other} {noun}.",
    "The {one} {noun} replaced the {other} {noun}.",
    "The {one} {noun} was replaced by the {other} {noun}.",
    "The {one} {noun} stands behind the {other} {noun}.",
    "The {one} {noun} costs more than the {other} {noun}.",
    "People prefer the {one} {noun} to the {other} {noun}.",
]


@pytest.mark.parametrize("said", BETWEEN)
def test_two_of_one_kind_are_not_supported_exchanged(said: str) -> None:
    for one, other, noun in KINDS:
        told = said.format(one=one, other=other, noun=noun)
        report = check(said.format(one=other, other=one, noun=noun), context=told, verify=False)
        assert report.statements[0].outcome is not Outcome.SUPPORTED, told


@each("told text outcome")
def test_two_of_one_kind_may_change_places_where_it_says_the_same(
    told: str, text: str, outcome: str
) -> None:
    report = check(text, context=told, verify=False)
    assert report.statements[0].outcome == outcome

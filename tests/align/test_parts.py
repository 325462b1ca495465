"""Laws of parts: of several figures each is said of something else, and compared only with that.

`parts.json` has sources of many fields with true claims, and false ones that give a figure to
another part. The half called unseen was not looked at while the law was written.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from groundrules import Outcome, check
from groundrules.align.accounts import Figure
from groundrules.align.figures import account
from groundrules.align.numbers import read_numbers
from groundrules.align.parts import parts_of
from groundrules.align.places import index_figures
from groundrules.claims.blocks import cut
from tests.strategies import texts

CASES = json.loads((Path(__file__).parent / "parts.json").read_text(encoding="utf-8"))


def of(kind: str) -> list[Any]:
    return [
        pytest.param(
            case["source"],
            claim,
            id=f"{case['half']}: {claim}",
        )
        for case in CASES
        for claim in case.get(kind, ())
    ]


def expected_to_fail(cases: list[Any], reason: str) -> list[Any]:
    mark = pytest.mark.xfail(reason=reason, strict=True)
    return [pytest.param(*case.values, id=case.id, marks=mark) for case in cases]


def figures(claim: str, source: str) -> tuple[Figure, ...]:
    return account(claim, index_figures([source], [list(cut(source))]))


@pytest.mark.parametrize(("source", "claim"), of("true"))
def test_a_figure_of_its_own_part_is_stated_or_follows(source: str, claim: str) -> None:
    assert {figure.account for figure in figures(claim, source)} <= {"stated", "derived"}


MISREAD = expected_to_fail(of("misread"), "of “the reserve tank 12,000 litres” tank is a verb")


@pytest.mark.parametrize(("source", "claim"), [*of("false"), *MISREAD])
def test_the_figure_of_another_part_is_at_odds_with_that_of_its_own(
    source: str, claim: str
) -> None:
    found = [figure for figure in figures(claim, source) if figure.account == "conflict"]
    assert found
    for figure in found:
        ((_, start, end),) = figure.places
        assert source[start:end] == figure.rather != figure.text


@pytest.mark.parametrize(("source", "claim"), [*of("false"), *of("misread"), *of("left open")])
def test_no_claim_is_supported_by_the_figure_of_another_part(source: str, claim: str) -> None:
    outcomes = {one.outcome for one in check(claim, context=source, verify=False).statements}
    assert Outcome.SUPPORTED not in outcomes


TWO = "The filter removed 88% of nitrates and 71% of phosphates."


@pytest.mark.parametrize("said", ["The filter removed 71%.", "The filter removed 88%."])
def test_a_claim_without_the_words_of_a_part_is_left_open(said: str) -> None:
    assert [figure.account for figure in figures(said, TWO)] == ["stated"]


def test_a_claim_with_the_words_of_two_parts_is_not_at_odds_with_either() -> None:
    source = "The school has 210 girls and 195 boys."
    (figure,) = figures("The school has 405 girls and boys.", source)
    assert figure.account == "derived"


def test_another_sentence_that_gives_the_figure_vouches_for_it() -> None:
    source = "The north gate has 5 guards and the south gate 7 guards. The south gate had 9 guards."
    assert [figure.account for figure in figures("The south gate has 9 guards.", source)] == [
        "stated"
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Adult tickets do not cost £6.",
        "Adult tickets cost £8 more than child tickets.",
        "Adult and child tickets cost £20 together.",
        "If adult tickets cost £6, families come.",
    ],
)
def test_what_is_denied_supposed_or_reckoned_is_no_confusion(said: str) -> None:
    source = "Adult tickets cost £14, child tickets £6 and family tickets £32."
    assert "conflict" not in {figure.account for figure in figures(said, source)}


@given(texts())
def test_a_part_says_what_it_says_of_it_alone_and_more(text: str) -> None:
    numbers = list(enumerate(read_numbers(text)))
    for part in parts_of(text, 0, len(text), numbers, parsed=False):
        assert part.asked <= part.own <= part.every

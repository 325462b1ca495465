"""Laws of parts: of several figures each is said of something else, and compared only with that.

`parts.json` has sources of many fields with true claims, and false ones that give a figure to
another part. The half called unseen was not looked at while the law was written.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from groundrules import Outcome, check
from groundrules.align.accounts import Figure
from groundrules.align.figures import account
from groundrules.align.parts import parts_of
from groundrules.align.places import index_figures
from groundrules.claims.values.numbers import read_numbers
from tests.strategies import texts

CASES = json.loads((Path(__file__).parent / "parts.json").read_text(encoding="utf-8"))
CLAIMS = [
    pytest.param(case["source"], kind, claim, id=f"{case['half']}: {claim}")
    for case in CASES
    for kind in ("true", "false", "left open")
    for claim in case.get(kind, ())
]


def figures(claim: str, source: str) -> tuple[Figure, ...]:
    return account(claim, index_figures([source]))


@pytest.mark.parametrize(("source", "kind", "claim"), CLAIMS)
def test_a_figure_is_that_of_its_part_or_of_no_use(source: str, kind: str, claim: str) -> None:
    found = figures(claim, source)
    for figure in found:
        if figure.account == "conflict":
            ((_, start, end),) = figure.places
            assert source[start:end] == figure.rather != figure.text
    (one,) = check(claim, context=source, verify=False).statements
    if kind == "true":
        assert {figure.account for figure in found} <= {"stated", "derived"}
        assert one.outcome is not Outcome.REFUTED
    else:
        assert one.outcome is not Outcome.SUPPORTED


def test_most_figures_of_other_parts_are_refuted() -> None:
    false = [(case["source"], claim) for case in CASES for claim in case.get("false", ())]
    reports = (check(claim, context=source, verify=False) for source, claim in false)
    refuted = sum(report.statements[0].outcome is Outcome.REFUTED for report in reports)
    assert refuted >= 0.5 * len(false)


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

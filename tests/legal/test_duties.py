"""What a prohibition covers can be neither owed nor allowed; what it leaves out can."""

from __future__ import annotations

import pytest

from tests.ontology.read.texts import said


def within(text: str) -> bool:
    return any("lx:actWithin" in line for line in said(text))


@pytest.mark.parametrize(
    "text",
    [
        "The Carrier may open the crate. The Carrier is prohibited from opening the crate.",
        "The Carrier undertakes to seal the crate in Bergen. The Carrier must not seal the crate.",
        "The Carrier is entitled to sell the crate. The Carrier shall never sell the crate.",
    ],
)
def test_an_act_is_within_the_same_or_a_wider_prohibition(text: str) -> None:
    assert within(text)


@pytest.mark.parametrize(
    "text",
    [
        "The Carrier may open the crate. The Carrier shall not open the box.",
        "The Carrier may open the crate. The Owner shall not open the crate.",
        "The Carrier may seal the crate. The Carrier shall not seal the crate in Bergen.",
        "The Carrier may open the crate. The Carrier shall not open the crate without consent.",
        "The Carrier may open the crate. The Carrier need not open the crate.",
    ],
)
def test_another_act_or_bearer_a_narrower_ban_and_an_exception_exclude_nothing(text: str) -> None:
    assert not within(text)


@pytest.mark.parametrize(
    ("release", "met"),
    [
        ("The Carrier need not seal the crate.", True),
        ("Nothing in this deed obliges the Carrier to seal the crate at any time.", True),
        ("No clause requires the Carrier to seal the crate in Oslo.", False),
        ("The Carrier is not bound to seal the box.", False),
    ],
)
def test_a_duty_meets_what_releases_from_it_and_from_more(release: str, met: bool) -> None:
    read = said(f"The Carrier shall seal the crate in Bergen. {release}")
    assert any("lx:actWithin" in line for line in read) is met


def test_it_is_the_one_thing_that_its_sentence_has_had_done_to_it() -> None:
    assert within(
        "The Carrier shall seal the crate. "
        "The Carrier shall inspect the crate and shall not seal it."
    )

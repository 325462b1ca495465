"""Laws on the slots of a proposition, each on a graph of an invented country."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules import Config, check

GRAPH = Path(__file__).parents[1] / "data/norvania.ttl"
RANK = ("refuted", "conflicting", "unverifiable", "not_enough_info", "supported")
OPEN = ("unverifiable", "not_enough_info")


def outcome(text: str) -> str:
    """Return the gravest outcome of a text, "open" for what is neither carried nor refuted."""
    statements = check(text, config=Config(kb=(str(GRAPH),))).statements
    found = {one.outcome.value for one in statements if one.outcome is not None}
    gravest = next(one for one in RANK if one in found)
    return "open" if gravest in OPEN else gravest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Norvanian capital is Halden Bay.", "open"),  # no people of that name is known
        ("Nordwind Shipping is run from its head office in Torsvik.", "open"),
        ("The headquarters of Nordwind Shipping are in Ostrava Point.", "supported"),
        ("The headquarters of Nordwind Shipping are in Halden Bay.", "refuted"),
        ("Nordwind Shipping's headquarters were never in Torsvik.", "refuted"),
        ("The city of Torsvik is in Sudland.", "open"),
        ("The head office of Nordwind Shipping is near Torsvik.", "open"),
    ],
)
def test_a_seat_is_where_it_is_said_to_be(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Norvania is led by Runa Falk, who took over in May 2015.", "supported"),
        ("Torsvik ceased to be Norvania's capital when Halden Bay took over in 1921.", "supported"),
        ("Torsvik ceased to be Norvania's capital when Halden Bay took over in 1931.", "refuted"),
        ("Torsvik ceased to be Norvania's capital when Kelm took over in 1921.", "open"),
        ("Runa Falk became Prime Minister of Norvania in 2015, after Aksel Brandt left the job.",
         "supported"),
    ],
)  # fmt: skip
def test_who_takes_over_or_leaves_does_so_with_the_office_of_the_sentence(
    text: str, expected: str
) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Petra Holm was in charge of Nordwind Shipping in 1970.", "supported"),
        ("Petra Holm was at the head of Nordwind Shipping in 1970.", "supported"),
        ("Runa Falk was in charge of Nordwind Shipping in 1970.", "open"),
        ("Among the founders of Nordwind Shipping was Petra Holm.", "supported"),
        ("Nordwind Shipping's founders include Petra Holm.", "supported"),
        ("Nordwind Shipping's founders include Runa Falk.", "open"),
        ("Petra Holm went on to found Nordwind Shipping.", "supported"),
    ],
)
def test_who_is_among_some_or_at_their_head_is_what_they_are(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Runa Falk was over forty when she became Prime Minister of Norvania.", "supported"),
        ("Runa Falk was over fifty when she became Prime Minister of Norvania.", "refuted"),
        ("When The Salt Road was released, Jonas Weir had already turned 40.", "supported"),
        ("Nordwind Shipping was already fifty years old when Runa Falk became Prime Minister of "
         "Norvania.", "supported"),
        ("Mira Castellan was under forty when she won the Harbour Prize.", "open"),
        ("Mira Castellan was over fifty when she won the Harbour Prize.", "open"),  # perhaps again
        ("Mira Castellan outlived Teodor Lysne by fourteen years.", "open"),  # no number we know
        ("Mira Castellan outlived Teodor Lysne by more than ten years.", "supported"),
        ("Mira Castellan outlived Teodor Lysne by more than twenty years.", "refuted"),
        ("Mira Castellan was more than ten years younger than Teodor Lysne.", "supported"),
        ("Mira Castellan was less than ten years younger than Teodor Lysne.", "refuted"),
    ],
)  # fmt: skip
def test_an_age_may_be_a_bound(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nordwind Shipping, founded in 1961, has 412 employees.", "supported"),
        ("The Elvar, 586 km long, is a river.", "refuted"),
        ("With a length of 586 km, the Elvar is a river.", "refuted"),
        ("Rising 3,137 metres high, Mount Skarn is a mountain.", "refuted"),
    ],
)
def test_an_amount_beside_a_name_is_a_claim_of_its_own(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mira Castellan won the Harbour Prize after her husband's death.", "open"),  # she had two
        ("The Salt Road was released in 2008. Runa Falk wrote the film.", "open"),
        ("Aksel Brandt became Mayor of Torsvik while he was Norvania's Prime Minister.",
         "refuted"),
        ("Aksel Brandt became Prime Minister of Norvania after he was Mayor of Torsvik.",
         "supported"),
        ("Mira and Jonas Weir married in August 1990.", "open"),  # the source has no Mira Weir
    ],
)  # fmt: skip
def test_what_is_told_beside_a_noun_or_an_event_is_put_to_the_graph(
    text: str, expected: str
) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Elvar is 280 km longer than the Ostra.", "supported"),
        ("The Elvar is 20 km longer than the Ostra.", "refuted"),
        ("The Elvar is more than 200 km longer than the Ostra.", "supported"),
        ("The Elvar is more than 300 km longer than the Ostra.", "refuted"),
        ("The Elvar is less than 200 km longer than the Ostra.", "refuted"),
        ("The Ostra is more than two hundred km shorter than the Elvar.", "supported"),
        ("The Ostra is more than 300 km shorter than the Elvar.", "refuted"),
        ("The Elvar is more than twice as long as the Ostra.", "supported"),
        ("The Elvar is more than three times as long as the Ostra.", "refuted"),
        # what bounds another figure does not bound the gap
        ("In more than two countries the Elvar is 20 km longer than the Ostra.", "refuted"),
    ],
)
def test_so_much_more_is_bounded_by_its_own_words_and_exactly(text: str, expected: str) -> None:
    assert outcome(text) == expected

"""Premises: the units that bear on a statement, read as one short text."""

from __future__ import annotations

from groundrules.align.premises import index_units, premise, premise_places
from groundrules.claims.units.units import units
from groundrules.models.readers import WORDS

FILLER = "The committee met again and spoke at length of other matters of no weight here. "


def test_a_short_document_is_its_own_premise() -> None:
    index = index_units([units("Fees\nThe fee is 12 euros. Children pay half.")])
    assert " ".join(premise(premise_places("Parking costs ten pounds.", index), index)) == (
        "Fees: The fee is 12 euros. Children pay half."
    )


def test_two_places_far_apart_stand_in_one_premise_in_the_order_of_the_source() -> None:
    text = f"The mill lies on the Senn. {FILLER * 20}The fine for the mill was 900 euros."
    index = index_units([units(text)])
    places = premise_places("A fine of 900 euros hit the mill on the Senn.", index)
    said = " ".join(premise(places, index))
    assert said.index("lies on the Senn") < said.index("900 euros")
    assert len(said.split()) <= WORDS


def test_a_heading_is_told_once_before_what_stands_under_it() -> None:
    text = f"Swimming pool\n\nIt opens at nine. It closes at six.\n\nLibrary\n\n{FILLER * 20}"
    index = index_units([units(text)])
    said = " ".join(premise(premise_places("It opens at nine and closes at six.", index), index))
    assert said.startswith("Swimming pool: It opens at nine. It closes at six.")


def test_no_heading_of_one_source_stands_above_a_unit_of_another() -> None:
    index = index_units([units("Alpha\n\nOne is red."), units("Two is blue.")])
    assert " ".join(premise([1, 2], index)) == "Alpha: One is red. Two is blue."

"""Whether what a source says entails what a statement says, law by law."""

from __future__ import annotations

import pytest

from groundrules.align.deductions import deduce

FOLLOWS = [
    ("Ruth rarely buys a lamp.", "Ruth rarely buys a brass lamp."),
    ("Few porters ate fish.", "Few porters ate smoked fish."),
    ("No guest left without a coat.", "No guest left without a garment."),
    pytest.param(
        "The cook refused to clean the pans.", "The cook refused to clean the pans on Monday.",
        marks=pytest.mark.xfail(reason="the tree: it was refused on Monday", strict=True),
    ),
    ("Ruth does not want to buy a lamp.", "Ruth does not want to buy a brass lamp."),
    ("There is a small chapel in the park.", "There is a chapel in the park."),
    (
        "The guard sent the boy to the clerk, by whom he was searched.",
        "The clerk searched the boy.",
    ),
    (
        "Ines Moor left on Friday. Her uncle Tadeo, a retired baker, drove her.",
        "Ines Moor's uncle is a retired baker.",
    ),
    (
        "Neither the east stair nor the west stair was out of use in May.",
        "The west stair was not out of use in May.",
    ),
    (
        "The brown hen and the white hen are kept in the barn.",
        "The brown hen is kept in the barn.",
    ),
    ("The tents stood in the yard. Most were moved by guards.", "Most of the tents were moved."),
    ("Some of the bells are cracked, but none was sold.", "No bell was sold."),
    ("The jars were washed. A few are chipped.", "Some of the jars are chipped."),
    (
        "The shuttle runs via the mill instead of via the quay.",
        "The shuttle does not run via the quay.",
    ),
    ("Nurses may pay by card or in cash, as they like.", "Nurses may pay by card."),
    ("Anyone who was in the hall heard the bell.", "Anyone in the hall heard the bell."),
    ("The hens were moved to the yard in May, where the grass is dry.",
     "The hens were moved to the yard in May."),
    ("No more than five grooms sang or danced.", "No more than five grooms sang."),
]  # fmt: skip
OPEN = [
    ("Ruth rarely buys a brass lamp.", "Ruth rarely buys a lamp."),
    ("Few porters ate smoked fish.", "Few porters ate fish."),
    ("Exactly four porters ate smoked fish.", "Exactly four porters ate fish."),
    ("No guest left without a garment.", "No guest left without a coat."),
    ("Ruth does not want to buy a brass lamp.", "Ruth does not want to buy a lamp."),
    ("There is a chapel in the park.", "There is a small chapel in the park."),
    ("Ruth cannot speak good Norwegian.", "Ruth cannot speak Norwegian."),
    ("The ferry is full every sunny morning.", "The ferry is full every morning."),
    ("The storm hit the coast of Oland.", "The storm hit the coast of Oland and Gotland."),
    ("Holders who signed before 2010 pay half.", "A holder who signed in 2011 pays half."),
    ("Nora Velt built a boat from 2003 to 2011.", "In 2007 Nora Velt built a boat."),
    ("Ann Roe drove instead of Bo Lind.", "Bo Lind no longer drives."),
    ("The hut has twelve bunks.", "There are no bunks in the hall."),
    ("The pump was cleaned weekly.", "The pump was cleaned every day."),
    (
        "The pump must be oiled after 200 hours and can be oiled earlier.",
        "It is forbidden to oil the pump before 200 hours.",
    ),
    (
        "Of the four lamps, the Ostra was the cheapest. The Brill cost less than the Welk.",
        "The Welk was the most expensive of the four lamps.",
    ),
    ("The tents stood in the yard. Most were moved by guards.", "All the tents were moved."),
    ("At least one guard slept or sang.", "At least one guard sang."),
    ("The pond is cold or dirty.", "The pond is cold."),
    ("The jury may hear the guard, but it does not have to.", "The jury must hear the guard."),
    ("The pit is expected to close in May.", "The pit will close in May."),
    ("Runa Dahl has taken over from Ivo Sand as treasurer.", "Ivo Sand is treasurer."),
    ("Bo sang. Al sang. Bo sang before Al sang.", "Al sang after Bo sang."),
    ("Ulla is the sister of Bo and the owner of Mo.", "Bo is the owner of Mo."),
]  # fmt: skip


@pytest.mark.parametrize(("source", "statement"), FOLLOWS)
def test_what_follows_from_a_source_is_found_supported(source: str, statement: str) -> None:
    assert deduce(statement, source, [(0, len(source))]).supports


@pytest.mark.parametrize(("source", "statement"), OPEN)
def test_what_says_more_than_a_source_is_not_supported(source: str, statement: str) -> None:
    assert not deduce(statement, source, [(0, len(source))]).supports

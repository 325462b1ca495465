"""How English says a property of any vocabulary, by the grammar of its label."""

from __future__ import annotations

import pytest

from groundrules.kb.link.label_wordings import (
    happens_once,
    is_of_years,
    names_of,
    unit_in,
    wordings_of,
)
from groundrules.kb.sources.source import Kind


@pytest.mark.parametrize(
    ("label", "kind", "wording"),
    [
        ("commissioned", "time", "[X] was commissioned in [Y]"),
        ("opened", "time", "[X] opened on [Y]"),
        ("launch year", "time", "[X] was launched in [Y]"),
        ("date of birth", "time", "[X] was born on [Y]"),
        ("death date", "time", "[X] died in [Y]"),
        ("built by", "item", "[Y] built [X]"),
        ("owned by", "item", "[X] was owned by [Y]"),
        ("founder", "item", "[Y] found [X]"),
        ("manager", "item", "[X] is manage by [Y]"),
        ("founded", "item", "[X] founded [Y]"),
        ("number of pages", "quantity", "[X] has [Y] pages"),
        ("crew size", "quantity", "[X] has a crew of [Y]"),
    ],
)
def test_a_label_is_worded_by_its_grammar(label: str, kind: Kind, wording: str) -> None:
    assert wording in list(wordings_of(label, kind))


@pytest.mark.parametrize(
    ("label", "kind"),
    [("built by", "time"), ("captain", "time"), ("length", "quantity"), ("", "item")],
)
def test_a_label_that_says_nothing_of_such_values_has_no_wording(label: str, kind: Kind) -> None:
    assert list(wordings_of(label, kind)) == []


@pytest.mark.parametrize(
    ("label", "unit", "names"),
    [
        ("length in metres", "metres", ["length"]),
        ("height (m)", "m", ["height"]),
        ("mass kg", "kg", ["mass"]),
        ("area in square kilometres", "square kilometres", ["area"]),
        ("population total", "", ["population"]),
        ("birth place", "", ["place of birth", "birthplace"]),
        ("has captain", "", ["captain"]),
        ("interest in music", "", []),
    ],
)
def test_a_label_gives_its_unit_and_its_other_names(
    label: str, unit: str, names: list[str]
) -> None:
    assert unit_in(label) == unit
    assert names_of(label) == names


def test_what_happens_once_is_told_from_what_may_happen_again() -> None:
    assert all(map(happens_once, ("commissioned", "birth date")))
    assert not happens_once("renovated")
    assert is_of_years("renovated")
    assert not is_of_years("number of employees")

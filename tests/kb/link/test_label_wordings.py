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
from tests.kb.tables import TABLES


@pytest.mark.parametrize(("label", "kind", "wording"), TABLES["a label is worded by its grammar"])
def test_a_label_is_worded_by_its_grammar(label: str, kind: Kind, wording: str) -> None:
    assert wording in list(wordings_of(label, kind))


@pytest.mark.parametrize(
    ("label", "kind"),
    [("built by", "time"), ("captain", "time"), ("length", "quantity"), ("", "item")],
)
def test_a_label_that_says_nothing_of_such_values_has_no_wording(label: str, kind: Kind) -> None:
    assert list(wordings_of(label, kind)) == []


@pytest.mark.parametrize(
    ("label", "unit", "names"), TABLES["a label gives its unit and its other names"]
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

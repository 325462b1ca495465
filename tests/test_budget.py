"""The house does not grow: budget.toml has a line for each room and bounds of the base install."""

from __future__ import annotations

from collections import Counter

from tools import budget


def test_no_room_has_more_lines_than_its_budget() -> None:
    assert budget.excess() == []


def test_the_base_install_keeps_within_its_bounds() -> None:
    found, most = budget.installed(), budget.read()["install"]

    assert {key: value for key, value in found.items() if value > most[key]} == {}


def test_a_budget_only_falls() -> None:
    text = "# why\n[rooms]\na = 3\nb = 3\ngone = 3\n[install]\npackages = 60\n"
    today = {"rooms": Counter(a=2, b=4)}

    lowered = budget.lower(text, today)

    assert lowered == "# why\n[rooms]\na = 2\nb = 3\n[install]\npackages = 60\n"

"""What the table of seconds tells."""

from __future__ import annotations

from benchmarks.seconds import KINDS, page


def test_the_least_of_the_rounds_is_told_by_kind_and_copy() -> None:
    found = {kind: {"old": [3.0, 2.5], "now": [1.25, 1.5]} for kind in KINDS}
    head, _, *rows = page(found).splitlines()

    assert head == "| CPU seconds | old | now |"
    assert [row.split(" | ")[1:] for row in rows] == [["2.50", "1.25 |"]] * len(KINDS)
    assert all("{" not in row for row in rows)

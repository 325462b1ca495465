"""Years in titles of statutes count where one changes the other."""

from __future__ import annotations

from tests.ontology.read.texts import said


def test_years_of_two_titles_are_those_of_enactment_where_one_law_changes_the_other() -> None:
    read = said("The Dogs Act 1976 was amended by the Cats Act 1968.")
    assert "Dogs Act 1976 lx:enactmentDate 1976" in read
    assert "Cats Act 1968 lx:enactmentDate 1968" in read
    assert not any("enactmentDate" in line for line in said("The Dogs Act 1976 is long."))

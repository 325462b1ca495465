"""A clause that leaves out its verb is written out by the one that it stands beside."""

from __future__ import annotations

import pytest

from groundrules.align.words.parses import parse
from groundrules.claims.facts.gaps import rewritten
from tests.claims.rows import rows


def written(text: str) -> str:
    return rewritten(parse(text))


@pytest.mark.parametrize(("text", "clauses"), rows("gaps.clause"))
def test_a_clause_without_a_verb_takes_that_of_the_clause_beside_it(
    text: str, clauses: str
) -> None:
    assert written(text) == clauses


@pytest.mark.parametrize("text", rows("gaps.list"))
def test_a_list_and_a_clause_with_a_verb_stay_as_they_are(text: str) -> None:
    assert not written(text)

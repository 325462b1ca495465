"""Terms: what is made of one is kept."""

from __future__ import annotations

from groundrules.claims.slots import Term, kept


def test_what_is_made_of_a_term_is_kept_for_that_very_term_and_of_so_many() -> None:
    made: list[Term] = []

    @kept(2)
    def head(term: Term) -> str:
        made.append(term)
        return term.head

    one, same, other = (Term(word, "thing", 0) for word in ("mill", "mill", "dam"))
    assert [head(term) for term in (one, one, same, one)] == ["mill"] * 4
    assert made == [one, same]
    assert [head(term) for term in (other, one)] == ["dam", "mill"]
    assert made == [one, same, other, one]

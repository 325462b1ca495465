"""Terms: what is made of one is kept."""

from __future__ import annotations

from groundrules import processes
from groundrules.align.known import signature
from groundrules.claims.slots import Slot, Term, kept, with_fillers


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


def test_a_term_with_the_same_fillers_is_the_very_term() -> None:
    mill, dam = (Term(word, "thing", 1) for word in ("mill", "dam"))
    term = Term("stand", "event", 0, (Slot("subj", mill), Slot("by", dam)))

    assert with_fillers(term, [mill, dam]) is term
    assert with_fillers(term, [dam, dam]).slots == (Slot("subj", dam), Slot("by", dam))


def test_what_is_kept_of_terms_a_process_forgets_with_its_texts() -> None:
    term = Term("mill", "thing", 0, (Slot("mod", Term("old", "property", 1)),))
    before = signature(term)

    processes.forget()

    assert signature(term) == before == "mill old"
    assert signature(term) is not before

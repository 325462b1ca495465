"""How messages read."""

from __future__ import annotations

from groundrules.rules.wording import article, conjugate
from groundrules.terms import Modality
from tests.rows import each


@each("relation read")
def test_a_relation_is_the_verb_of_its_subject(relation: str, read: str) -> None:
    assert conjugate(relation) == read


def test_a_relation_is_denied_and_in_the_mode_of_its_claim() -> None:
    assert conjugate("be due on", negative=True) == "is not due on"
    assert conjugate("sublet", negative=True) == "does not sublet"
    assert conjugate("CEO of", negative=True) == "is not CEO of"
    assert conjugate("sublet", modality=Modality.PERMISSION) == "may sublet"
    assert conjugate("pay", modality=Modality.OBLIGATION, negative=True) == "must not pay"
    assert conjugate("pay", modality=Modality.CONDITION) == "pays"


@each("noun fitting")
def test_a_noun_has_the_article_it_is_spoken_with(noun: str, fitting: str) -> None:
    assert article(noun) == fitting

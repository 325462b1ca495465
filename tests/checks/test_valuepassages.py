"""Passages of extracted values: where quotes stand, and how well they support the value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from rdflib.term import Literal

from groundrules.checks import valuepassages
from groundrules.checks.valuepassages import (
    ValuePassage,
    best_passages,
    find_passages,
    score_passages,
)
from groundrules.claims.documents.document import from_text
from groundrules.claims.evidence.fields import Field, Quote, Scalar
from groundrules.errors import LLMError
from groundrules.models.passage_scorer import hypothesis
from groundrules.terms import ENTITY, RELATION, Claim, Modality, Span, Triple, mint

TEXT = "The rent is $485. The deposit is $970. The term ends on May 1, 2026."
LEASE = from_text(TEXT, "lease.txt")
CLAIM = Claim(
    mint(ENTITY, "claim"),
    Triple(mint(ENTITY, "lease"), mint(RELATION, "rent"), Literal("$485")),
    Span("lease.txt", 0, 1),
)


def field(kind: str, value: Scalar, *quotes: str, form: str = "") -> Field:
    given = tuple(Quote(quote, "lease.txt", (0, len(TEXT))) for quote in quotes)
    return Field((kind,), kind, value, given, format=form)


def found(kind: str, value: Scalar, *quotes: str) -> list[ValuePassage]:
    return find_passages(field(kind, value, *quotes), CLAIM, [LEASE], 0.9)


def words(passage: ValuePassage) -> str:
    return TEXT[passage.place.start : passage.place.end]


def test_a_quote_is_a_passage_where_it_stands_once_however_often_it_is_given() -> None:
    (passage,) = found("rent", "$485", "The rent is $485.", "The rent is $485.", "")
    assert words(passage) == "The rent is $485."
    assert (passage.reached, passage.relation, passage.rival) == (True, "equal", None)


def test_a_quote_that_stands_nowhere_is_not_reached() -> None:
    passages = found("rent", "$485", "Rent shall be four thousand pounds each fortnight.")
    assert [passage.reached for passage in passages] in ([], [False])
    assert best_passages(passages) == []


def test_another_value_of_the_kind_is_a_rival_that_is_only_possible() -> None:
    (passage,) = found("rent", "$500", "The rent is $485.")
    assert passage.relation == "disjoint"
    assert passage.rival is not None
    assert TEXT[passage.rival.span.start : passage.rival.span.end] == "$485"
    assert passage.rival.modality is Modality.POSSIBILITY
    (two,) = found("rent", "$500", "The rent is $485. The deposit is $970.")
    assert two.rival is None  # of two it is not known which


@pytest.mark.parametrize(
    ("text", "value", "quote"),
    [
        ("A dose of .5 mg is taken.", "5 mg", "5 mg"),
        ("A dose of ±0.5 mg is taken.", "0.5 mg", "0.5 mg is"),
        ("The balance is -450 euros.", "450 euros", "450 euros"),
        ("The balance is -450 euros.", 450, "450"),
        ("The balance is minus 450 euros.", 450, "The balance is minus 450 euros"),
        ("The fee is 1 250 euros a year.", "250 euros", "250 euros a year"),
        ("The fee is €1,250 a year.", 1, "The fee is €1"),
        ("The fee is €12.50 a year.", 12, "The fee is €12"),
        ("The term is 1/2 year.", "2 years", "2 year"),
        ("It holds 10^6 bytes.", 6, "6 bytes"),
        ("It holds 10^6 bytes.", 10, "It holds 10^6 bytes."),
        ("It holds 3e5 bytes.", 3, "It holds 3"),
    ],
)
def test_no_part_of_a_figure_is_evidenced_by_a_quote_that_cuts_it(
    text: str, value: Scalar, quote: str
) -> None:
    (passage,) = find_passages(
        field("amount", value, quote), CLAIM, [from_text(text, "lease.txt")], 0.9
    )
    assert passage.relation in ("disjoint", "incomparable")


Pairs = Sequence[tuple[str, str]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The pairs that the scorer is asked; it supports a rent alone."""
    pairs: list[tuple[str, str]] = []

    def score(given: Pairs, scorer: str, *, client: Any) -> tuple[float, ...]:
        pairs.extend(given)
        return tuple(0.9 if said == hypothesis("rent", "$485") else 0.1 for _, said in given)

    monkeypatch.setattr(valuepassages, "score_support", score)
    return pairs


def test_a_value_is_scored_as_its_own_field_and_as_others_of_its_format(
    asked: list[tuple[str, str]],
) -> None:
    rent = field("rent", "$485", "The rent is $485.", form="money")
    schema = [("rent", "money"), ("deposit", "money"), ("end", "date")]
    passages = find_passages(rent, CLAIM, [LEASE], 0.9)
    ((passage,),), fault = score_passages(
        [rent], [passages], {"lease.txt": TEXT}, schema, "embedded", None
    )
    assert fault is None
    assert passage.entails == 0.9
    assert passage.others == (("deposit", 0.1),)
    assert len(asked) == len(set(asked)) == 2


def test_what_cannot_be_asked_leaves_the_passages_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise LLMError("no answer", kind="unreachable")

    monkeypatch.setattr(valuepassages, "score_support", fail)
    rent = field("rent", "$485", "The rent is $485.")
    passages = find_passages(rent, CLAIM, [LEASE], 0.9)
    scored, fault = score_passages([rent], [passages], {"lease.txt": TEXT}, [], "llm", None)
    assert scored == [passages]
    assert str(fault) == "no answer"


def test_the_best_passage_is_where_the_quote_says_it_is_then_the_best_supported() -> None:
    (passage,) = found("rent", "$485", "The rent is $485.")
    weak, strong = replace(passage, entails=0.2), replace(passage, entails=0.8)
    away = replace(passage, entails=0.9, place=replace(passage.place, inside=False))
    missed = replace(passage, reached=False)
    assert best_passages([away, weak, missed, strong]) == [strong, weak, away]

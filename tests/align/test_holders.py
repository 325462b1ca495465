"""Who holds what only one can hold: which descriptions are read, and when two names exclude."""

from __future__ import annotations

import pytest

from groundrules import Outcome, check
from groundrules.align.contrasts import contrasts
from groundrules.align.holders import holdings
from groundrules.align.limits import WARNING
from groundrules.align.wordalign import read
from groundrules.rules.packs import shipped

#: From this similarity on a contrast is an error.
ERROR = shipped()["GR210"].params["sure"]


@pytest.mark.parametrize(
    ("text", "role", "owner", "holder"),
    [
        ("The capital of France is Paris.", "capit", "franc", ["Paris"]),
        ("Paris is the capital city of France.", "capit", "franc", ["Paris"]),
        ("France's capital is Paris.", "capit", "franc", ["Paris"]),
        ("Jane Roe is CEO of Acme.", "ceo", "acme", ["Jane", "Roe"]),
        ("Jane Roe, the CEO of Acme, resigned.", "ceo", "acme", ["Jane", "Roe"]),
        ("Acme's CEO, Jane Roe, resigned.", "ceo", "acme", ["Jane", "Roe"]),
        ("France, whose capital is Paris, is a country.", "capit", "franc", ["Paris"]),
    ],
)
def test_a_definite_description_has_what_is_held_of_whom_and_by_whom(
    text: str, role: str, owner: str, holder: list[str]
) -> None:
    (found,) = holdings(read(text))
    assert found.role == {role}
    assert frozenset({owner}) in found.owners
    assert [read(text).doc[i].text for i in found.holder] == holder


def test_each_of_two_whose_clauses_is_of_what_the_first_is_of() -> None:
    text = read("France is a country whose capital is Paris and whose currency is the Euro.")
    found = list(holdings(text))
    assert [one.role for one in found] == [{"capit"}, {"currenc"}]
    assert all(frozenset({"franc"}) in one.owners for one in found)


@pytest.mark.parametrize(
    "text",
    [
        "Jane Roe is a founder of Acme.",
        "Jane Roe is one of the founders of Acme.",
        "Jane Roe is the sister of Bob Ray.",  # who may have others
        "The birthplace of Jane Roe is Ulm.",  # and Germany
        "The capital of France may be Rome.",
        "The capital of France is not Rome.",
        "If the capital of France is Rome, we go there.",
        "Is the capital of France Rome?",
        "The capital of France is a city.",
        "The capital is Paris.",
        "We saw Ulm, the pride of Swabia, and Rome.",
    ],
)
def test_what_several_hold_or_is_not_stated_is_not_read(text: str) -> None:
    assert list(holdings(read(text))) == []


#: Two sentences of one description with two holders.
OTHERS = [
    ("The capital of France is Rome.", "The capital of France is Paris."),
    ("Rome is the capital of France.", "The capital of France is Paris."),
    ("France's capital is Rome.", "Paris is the capital of France."),
    ("The capital of France is Rome.", "France is a country whose capital city is Paris."),
    ("Rome, the capital of France, is old.", "Paris is the capital of France."),
    ("The CEO of Acme is Bob Ray.", "Jane Roe, the CEO of Acme, resigned."),
]


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_another_holder_of_one_description_is_refuted_from_either_side(
    one: str, other: str
) -> None:
    for statement, passage in ((one, other), (other, one)):
        (found,) = (c for c in contrasts(statement, [passage]) if c.kind == "holder")
        assert found.similarity >= ERROR
        report = check(statement, context=passage, verify=False)
        assert Outcome.REFUTED in {s.outcome for s in report.statements}
        (said,) = (v for v in report.violations if v.rule == "GR223")
        assert found.claimed in said.message
        assert found.stated in said.message


@pytest.mark.parametrize(
    ("statement", "passage"),
    [
        ("The mayor of Ulm was Ann Lee.", "The mayor of Ulm was Bob Ray."),
    ],
)
def test_of_the_past_another_holder_is_only_doubted(statement: str, passage: str) -> None:
    (found,) = (c for c in contrasts(statement, [passage]) if c.kind == "holder")
    assert WARNING <= found.similarity < ERROR


@pytest.mark.parametrize(
    ("statement", "passage"),
    [
        ("Berlin is the capital of Germany.", "Paris is the capital of France."),
        ("Lyon is the culinary capital of France.", "Paris is the capital of France."),
        ("Bob Ray is a director of Acme.", "Jane Roe is the director of Acme."),
        ("The CEO of Acme is Jane Roe.", "The CEO of Acme is Dr Roe."),
        ("The CEO of Acme is Jane Roe.", "The CEO of Acme was Bob Ray."),
        ("In 2020 the CEO of Acme was Jane Roe.", "In 2010 the CEO of Acme was Bob Ray."),
        ("Ann Lee met Bob Ray.", "Ann Lee met Jane Roe."),
        ("The capital of France is not Rome.", "The capital of France is Paris."),
    ],
)
def test_other_descriptions_other_times_and_the_same_name_are_no_contrast(
    statement: str, passage: str
) -> None:
    for mine, theirs in ((statement, passage), (passage, statement)):
        assert not [c for c in contrasts(mine, [theirs]) if c.kind == "holder"]


def test_a_passage_that_names_the_same_holder_takes_the_contrast_away() -> None:
    one, other = OTHERS[0]
    found = contrasts(one, [other, "Rome is the capital of France."])
    assert not [c for c in found if c.kind == "holder" and c.similarity >= WARNING]

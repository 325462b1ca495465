"""What a question asks: of which thing, by number, and of which property, by its wording."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import URIRef

from groundrules.kb.records.questions import Fact, Kind, kind_of, kinds, masked, said_of, wordings
from groundrules.legal.namespace import LX
from groundrules.terms import Triple


def sentence(subject: str, predicate: URIRef, label: str, value: str) -> str:
    triple = Triple(LX.a, predicate, LX.b)
    return Fact(LX.a, triple, said_of(predicate, label), (("X", subject), ("Y", value))).text


EXAMPLES = [(kind, ask) for kind in kinds() for ask in kind.asks]


@pytest.mark.parametrize(("kind", "ask"), EXAMPLES, ids=[ask for _, ask in EXAMPLES])
def test_an_example_is_of_its_own_kind(kind: Kind, ask: str) -> None:
    thing = "claim 3 of US 9,800,001" if kind.of == "claim" else "US patent 9,800,001"
    found = kind_of(f"{ask.replace('[X]', thing)}?", part=kind.of == "claim")

    assert found is not None
    assert (found.property, found.back, found.classes) == (kind.property, kind.back, kind.classes)


@pytest.mark.parametrize(
    "number",
    ["14897520", "14/897,520", "US 9,800,001 B2", "U.S. Patent No. 9,800,001", "US RE46,600",
     "the application 14/897,520"],
)  # fmt: skip
def test_a_number_is_hidden_whatever_its_writing(number: str) -> None:
    assert masked(f"Who invented {number}?") == "who invented [X] ?"


@pytest.mark.parametrize(
    "part",
    ["claim 3 of US 9,800,001", "the third claim of patent 9800001", "claim 12 in 9,800,001"],
)
def test_a_claim_and_its_patent_are_one_thing(part: str) -> None:
    assert masked(f"What does {part} say?") == "what does [X] say?"


def test_who_cites_and_who_is_cited_are_told_apart() -> None:
    cites = kind_of("Which patents does US 9,800,001 cite?")
    cited = kind_of("Which patents cite US 9,800,001?")

    assert cites is not None
    assert cited is not None
    assert (cites.property, cites.back) == (LX.cites, False)
    assert (cited.property, cited.back) == (LX.cites, True)


@pytest.mark.parametrize(
    "question", ["", "?", "a pump with a rubber valve", "Why is the sky blue?"]
)
def test_what_names_nothing_and_is_like_no_example_is_open(question: str) -> None:
    assert kind_of(question) is None


@pytest.mark.parametrize(
    "question",
    ["Who examined US 9,800,001?", "What is the term of US 9,800,001?",
     "Who is the attorney for US 9,800,001?", "When was US 9,800,001 litigated?"],
)  # fmt: skip
def test_a_question_without_a_word_of_an_example_is_of_no_kind(question: str) -> None:
    assert kind_of(question) is None


def test_what_is_counted_says_the_kind() -> None:
    kind = kind_of("How many inventors has US 9,800,001?")
    assert kind is not None
    assert kind.property == LX.hasInventor


@pytest.mark.parametrize(
    ("predicate", "said"),
    [
        (LX.partOf, "A is part of B."),
        (LX.grantedBy, "A is granted by B."),
        (LX.hasAuthor, "The author of A is B."),
        (LX.docketNumber, "The docket number of A is B."),
    ],
)
def test_a_relation_is_said_as_a_sentence(predicate: URIRef, said: str) -> None:
    assert sentence("A", predicate, "", "B") == said
    assert sentence("A", predicate, " ", "B") == said


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_fills_a_sentence_has_no_slots(subject: str, value: str) -> None:
    assert sentence(f"[Y]{subject}", LX.cites, "", value) in (
        f"[Y]{subject} cites {value}.",
        f"[Y]{subject} cites {value}",
    )


def test_the_values_of_one_thing_are_said_together_and_a_part_by_its_number() -> None:
    says = ("[X] cites [Y].", "[Y] is cited by [X].")
    triple = Triple(LX.a, LX.cites, LX.b)
    facts = [
        Fact(LX.a, triple, says, (("X", "claim 2 of A"), ("Y", one)))
        for one in ("claim 1 of A", "B", "C")
    ]

    assert {
        "Claim 2 of A cites claim 1.",
        "B is cited by claim 2 of A.",
        "Claim 2 of A cites claim 1, B and C.",
        "Claim 1, B and C is cited by claim 2 of A.",
    } <= {*wordings(facts)}

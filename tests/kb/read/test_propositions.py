from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import Extraction, extract
from groundrules.claims.names.resolve import resolve
from groundrules.kb.link.properties import Relations, lexicon
from groundrules.kb.read.propositions import read_phrases
from groundrules.kb.read.relational import Relational
from groundrules.kb.sources.source import Property

RELATIONS = Relations({p.property: Property(p.property) for p in lexicon()})


def extracted(text: str) -> Extraction:
    return resolve([extract(from_text(text))])[0]


def read(text: str) -> list[tuple[str, str, str]]:
    found = relationals(text)
    return [(text[r.subject.start : r.subject.end], r.phrase, text[r.object.start : r.object.end])
            for r in found]  # fmt: skip


def relationals(text: str) -> list[Relational]:
    extraction = extracted(text)
    names = [m.span for m in extraction.mentions]
    return [
        relational
        for sentence in range(len(extraction.sentences))
        for relational in read_phrases(extraction, sentence, names, RELATIONS)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Paul Simon is a opera singer by profession.",
            [("Paul Simon", "[X] is a [Y] by profession", "opera singer")],
        ),
        (
            "The capital of Peru is Lima.",
            [("Peru", "The capital of [X] is [Y]", "Lima")],
        ),
        (
            "Denmark maintains diplomatic relations with Slovakia.",
            [("Denmark", "[X] maintains diplomatic relations with [Y]", "Slovakia")],
        ),
        (
            "Miles Davis plays bebop music.",
            [("Miles Davis", "[X] plays [Y] music", "bebop")],
        ),
        (
            "Bob Dylan plays guitar, harmonica and piano.",
            [("Bob Dylan", "[X] plays [Y]", what) for what in ("guitar", "harmonica", "piano")],
        ),
        (
            "The official language of Guyana is English.",
            [("Guyana", "The official language of [X] is [Y]", "English")],
        ),
        (
            "Trinidad and Tobago is located in South America.",
            [("Trinidad and Tobago", "[X] is located in [Y]", "South America")],
        ),
        (
            "Karl Marx was born in Trier and died in London.",
            [("Karl Marx", "[X] was born in [Y]", "Trier"),
             ("Karl Marx", "[X] died in [Y]", "London")],
        ),
        (
            "Apple, founded by Steve Jobs, is headquartered in Cupertino.",
            [("Apple", "[X] was founded by [Y]", "Steve Jobs"),
             ("Apple", "[X] is headquartered in [Y]", "Cupertino")],
        ),
    ],
)  # fmt: skip
def test_a_clause_of_the_lexicon_is_read_word_for_word(
    text: str, expected: list[tuple[str, str, str]]
) -> None:
    assert read(text) == expected
    assert {r.origin for r in relationals(text)} == {"surface"}


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("Rome is the capital of Spain.", "positive"),
        ("Rome is not the capital of Spain.", "negative"),
        ("Rome isn't the capital of Spain.", "negative"),
        ("Rome was never the capital of Spain.", "negative"),
        ("Karl Marx did not die in Trier.", "negative"),
        ("Toyota is no longer based in Nagoya.", "negative"),
    ],
)
def test_a_negated_clause_is_negative(text: str, polarity: str) -> None:
    assert [r.polarity for r in relationals(text)] == [polarity]


@pytest.mark.parametrize("word", ["not", "never"])
def test_what_is_denied_of_another_negates_nothing_else(word: str) -> None:
    text = f"Ottawa, {word} Toronto, is the capital of Canada."
    found = {text[r.subject.start : r.subject.end]: r.polarity for r in relationals(text)}
    assert found == {"Ottawa": "positive", "Toronto": "negative"}


@pytest.mark.parametrize(
    ("text", "exclusion"),
    [
        ("Leonard Cohen is a singer or poet by profession.", "alternative"),
        ('"Paris is the capital of Italy."', "quoted"),
    ],
)
def test_what_is_no_plain_statement_is_barred(text: str, exclusion: str) -> None:
    found = relationals(text)
    assert found
    assert {r.exclusion for r in found} == {exclusion}


@pytest.mark.parametrize(
    "text",
    [
        "Is Berlin the capital of Germany?",
        "Bern may be the capital of Switzerland.",
        "If Oslo is the capital of Norway, Bergen is in Norway.",
        "Nile is the longest river in Africa.",
        "Elvis Presley is the only member of Queen.",
        "Karl Marx was secretly born in Trier.",
    ],
)
def test_what_no_wording_says_is_not_read(text: str) -> None:
    assert not [r for r in relationals(text) if not (r.unread or r.exclusion)]


def test_the_words_of_a_name_bar_nothing() -> None:
    assert [r.exclusion for r in relationals("Leo Tolstoy wrote The First Distiller.")] == [""]
    assert [r.exclusion for r in relationals("Karl Marx was born in Trier on 5 May 1818.")] == [""]


@pytest.mark.parametrize(
    ("text", "current"),
    [
        ("Karl Marx works for Siemens.", True),
        ("Karl Marx worked for Siemens.", False),
        ("Karl Marx is employed by Siemens.", True),
        ("Karl Marx was employed by Siemens.", False),
        ("Karl Marx used to work for Siemens.", False),
        ("Karl Marx has won the Nobel Prize.", False),
    ],
)
def test_only_the_plain_present_is_current(text: str, current: bool) -> None:
    assert [r.current for r in relationals(text)] == [current]


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lovelace died in London in 1852.",
        "In 1852, Ada Lovelace died in London.",
    ],
)
def test_a_date_beside_the_clause_is_when_it_holds(text: str) -> None:
    (found,) = relationals(text)
    assert (text[found.object.start : found.object.end], found.kind) == ("London", "item")
    assert str(found.at) == "1852"


@pytest.mark.parametrize(
    "text",
    [
        "Bonn was the capital of West Germany from 1949 to 1990.",
        "Bonn was the capital of West Germany between 1949 and 1990.",
        "From 1949 until 1990, Bonn was the capital of West Germany.",
    ],
)
def test_a_period_beside_the_clause_is_when_it_holds(text: str) -> None:
    (found,) = relationals(text)
    assert (str(found.at), str(found.to)) == ("1949", "1990")


@pytest.mark.parametrize(
    "text",
    [
        "Peter said that Karl Marx was born in Berlin.",
        "The museum denies that Karl Marx was born in Berlin.",
        "In Peter's view, Karl Marx was born in Berlin.",
        "Myth: Karl Marx was born in Berlin.",
        "Karl Marx was born in Berlin, which is wrong.",
        "In the film, Karl Marx was born in Berlin.",
        "The man who killed Karl Marx was born in Berlin.",
        "Karl Marx, whose wife died in Berlin, was ill.",
        "Karl Marx was born not in Berlin but in Trier.",
        "Karl Marx refused to die in Berlin.",
        "Karl Marx did not live in Berlin until 1836.",
        "Either Karl Marx or Paul Simon was born in Berlin.",
    ],
)
def test_what_the_text_does_not_state_itself_is_barred(text: str) -> None:
    found = [r for r in relationals(text) if text[r.object.start : r.object.end] == "Berlin"]
    plain = [r for r in found if not r.exclusion and r.polarity == "positive"]
    assert not [r for r in plain if "Marx" in text[r.subject.start : r.subject.end]]


def test_of_a_list_of_subjects_each_is_said_and_a_name_with_and_is_one() -> None:
    two = relationals("John Lennon and Paul McCartney were born in Liverpool.")
    assert len(two) == 2
    one = relationals("Trinidad and Tobago is located in South America.")
    assert len(one) == 1


def test_a_word_with_hyphens_is_not_taken_apart() -> None:
    assert not [r for r in relationals("Sean Penn's father-in-law is Paul Simon.")
                if r.phrase == "father of [X] be [Y]"]  # fmt: skip


def test_a_date_in_a_slot_is_the_value() -> None:
    (found,) = relationals("Ada Lovelace died in 1852.")
    assert (found.kind, str(found.value), found.at) == ("time", "1852", None)


def test_what_stands_beside_a_kind_is_left_out() -> None:
    text = "Miles Davis is a former American singer."
    (found,) = relationals(text)
    assert text[found.object.start : found.object.end] == "singer"
    assert not found.current


def test_things_that_are_of_each_other_end() -> None:
    text = "The end of the beginning of the end of the beginning of Oslo is Rome."
    assert all(r.subject.start < r.subject.end for r in relationals(text))


def test_an_amount_in_a_slot_is_the_value() -> None:
    (found,) = relationals("The population of Iceland is 376,248.")
    assert (found.kind, str(found.value)) == ("quantity", "376248")


@given(st.lists(st.sampled_from(
    ["Oslo", "Rome", "is", "was", "the", "capital", "of", ",", "and", "not", "in", "1852", "a",
     "born", "may", "who", "?", "(", ")", "“", "”"]), min_size=1, max_size=12))  # fmt: skip
def test_every_slot_is_a_place_in_its_sentence(tokens: list[str]) -> None:
    text = " ".join(tokens)
    extraction = extracted(text)
    names = [m.span for m in extraction.mentions]
    for sentence, place in enumerate(extraction.sentences):
        for found in read_phrases(extraction, sentence, names, RELATIONS):
            for span in (found.subject, found.object):
                assert span.start < span.end
                assert text[span.start : span.end].strip() == text[span.start : span.end]
            assert place.start <= found.object.start < place.end
            assert "[X]" in found.phrase
            assert "[Y]" in found.phrase


def test_the_order_of_names_does_not_matter() -> None:
    extraction = extracted("Bob Dylan plays guitar, harmonica and piano.")
    names = [m.span for m in extraction.mentions]
    assert read_phrases(extraction, 0, names, RELATIONS) == read_phrases(
        extraction, 0, names[::-1], RELATIONS
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Karl Marx (born 5 May 1818 in Trier; died 14 March 1883 in London) was a philosopher.",
            {("was born in", "Trier"), ("died in", "London"), ("was a", "philosopher")},
        ),
        (
            "Karl Marx, who was born in Trier, died in London.",
            {("was born in", "Trier"), ("died in", "London")},
        ),
        (
            "Born in Trier, Karl Marx died in London.",
            {("was Born in", "Trier"), ("died in", "London")},
        ),
        (
            "Karl Marx was a philosopher who died in London.",
            {("was a", "philosopher"), ("died in", "London")},
        ),
        (
            "Toyota was founded in 1937 by Kiichiro Toyoda.",
            {("was founded in", "1937"), ("was founded by", "Kiichiro Toyoda")},
        ),
        (
            "Karl Marx died in 1883 and Paul Simon was born in 1941.",
            {("died in", "1883"), ("was born in", "1941")},
        ),
    ],
)
def test_each_clause_of_a_sentence_is_a_proposition(
    text: str, expected: set[tuple[str, str]]
) -> None:
    found = {
        (
            r.phrase.replace("[X]", "").replace("[Y]", "").strip(" ()"),
            text[r.object.start : r.object.end],
        )
        for r in relationals(text)
    }
    assert expected <= found
    assert {r.origin for r in relationals(text)} == {"surface"}


def test_neither_nor_denies_of_both() -> None:
    text = "Neither Karl Marx nor Paul Simon was born in London."
    found = {text[r.subject.start : r.subject.end]: r.polarity for r in relationals(text)}
    assert found == {"Karl Marx": "negative", "Paul Simon": "negative"}


@pytest.mark.parametrize(
    ("text", "at", "to", "how", "moment"),
    [
        ("Karl Marx lived in London from 1849 to 1883.", "1849", "1883", "spanning", ""),
        ("Karl Marx lived in London between 1849 and 1883.", "1849", "1883", "within", ""),
        ("Karl Marx lived in London until 1883.", "1883", None, "ending", ""),
        ("Toyota has been headquartered in Nagoya since 1937.", "1937", None, "beginning", ""),
        ("Karl Marx lived in London before 1883.", "1883", None, "before", ""),
        ("Karl Marx lived in London throughout 1850.", "1850", None, "throughout", ""),
        ("Karl Marx married Jenny von Westphalen in 1843.", "1843", None, "holding", "start"),
        ("Rome is the former capital of Spain.", None, None, "holding", "end"),
    ],
)
def test_the_words_before_a_date_and_the_verb_say_what_it_dates(
    text: str, at: str | None, to: str | None, how: str, moment: str
) -> None:
    (found,) = relationals(text)
    given = (found.at and str(found.at), found.to and str(found.to), found.how, found.moment)
    assert given == (at, to, how, moment)


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("The Rhine is about 1,230 km long.", "about"),
        ("The Rhine is more than 1,000 km long.", "above"),
        ("Karl Marx was born before 1820.", "below"),
        ("Peru has at least 30 million inhabitants.", "at_least"),
    ],
)
def test_what_only_bounds_a_value_is_no_value(text: str, bound: str) -> None:
    assert {r.bound for r in relationals(text)} == {bound}

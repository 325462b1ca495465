"""A model fills slots with words of a sentence: what stands there counts, and what is left over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.term import Literal, URIRef

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.facts.parsed import Word
from groundrules.kb.link.properties import Relations
from groundrules.kb.read.llm_claims import SCHEMA
from groundrules.kb.read.llm_slots import (
    NO_PROPERTY,
    NO_VALUE,
    NO_WORDS,
    SentenceRead,
    read_sentence,
)
from groundrules.kb.read.propositions import sentence_of
from groundrules.kb.read.relational import Relational
from groundrules.kb.sources.source import Property
from groundrules.llm.structured import validator
from groundrules.terms import Span

_EX = "https://example.org/"
PROPERTIES = tuple(
    Property(URIRef(f"{_EX}{label.replace(' ', '_')}"), label, (), kind)
    for label, kind in (
        ("place of birth", "item"),
        ("date of birth", "time"),
        ("date of death", "time"),
        ("position held", "item"),
        ("spouse", "item"),
        ("child", "item"),
        ("length", "quantity"),
        ("motto", "text"),
    )
)


def claim(said: str, *readings: tuple[str, str, str], **slots: Any) -> dict[str, Any]:
    """Return a claim of an answer; `as_` stands for what Python has as a word of its own."""
    named = [dict(zip(("thing", "property", "value"), one, strict=True)) for one in readings]
    row = {"said": said, "readings": named, "as": slots.pop("as_", "fact"), "denied": "",
           "tense": "then", "bound": "exactly", "limit": "", "times": [], "event": [], "than": [],
           "age": "", "count": []}  # fmt: skip
    return {**row, **slots}


def time(words: str, how: str, of: str = "it") -> list[dict[str, str]]:
    return [{"words": words, "is": how, "of": of}]


def read(
    text: str, *claims: dict[str, Any], left: tuple[str, ...] = (), parse: Sequence[Word] = ()
) -> SentenceRead:
    row = {"number": 1, "left": [*left], "claims": [*claims]}
    validator(SCHEMA)({"sentences": [row]})
    extraction = extract(from_text(text, "text"))
    names = [m.span for m in extraction.mentions if not isinstance(m.node, Literal)]
    relations = Relations({one.iri: one for one in PROPERTIES}, patterns=())
    sentence = sentence_of(extraction, 0, names, relations)
    return read_sentence(row, sentence, PROPERTIES, parse=parse)


def words(text: str, span: Span) -> str:
    return text[span.start : span.end]


BORN = "Ann Brandt saw the light of day in Ulm."


def test_words_fill_slots_and_nothing_is_left() -> None:
    found = read(BORN, claim("saw the light of day in", ("Ann Brandt", "place of birth", "Ulm")))
    (one,) = found.said
    assert (words(BORN, one.subject), words(BORN, one.object)) == ("Ann Brandt", "Ulm")
    assert one.meant == URIRef(f"{_EX}place_of_birth")
    assert (one.polarity, one.exclusion, one.unread) == ("positive", "", "")
    assert found.slots == ("value", "thing", "property")
    assert not found.dropped


@pytest.mark.parametrize(
    ("reading", "why"),
    [
        (("Bob", "place of birth", "Ulm"), NO_WORDS),
        (("Ann Brandt", "place of birth", "Paris"), NO_WORDS),
        (("Ann Brandt", "place of baptism", "Ulm"), NO_PROPERTY),
        (("Ann Brandt", "date of birth", "Ulm"), NO_VALUE),
        (("Ann Brandt", "place of birth", "Ann Brandt"), NO_VALUE),
    ],
)
def test_what_does_not_stand_there_or_was_not_shown_is_dropped_and_counted(
    reading: tuple[str, str, str], why: str
) -> None:
    found = read(BORN, claim("saw the light of day in", reading))
    assert not found.said
    assert found.dropped == {why: 1}
    assert found.given == 1


@pytest.mark.parametrize(
    ("text", "said", "left"),
    [
        ("Ann Brandt was born in Ulm against all advice.", "was born in", "against all advice"),
        ("Ann Brandt was born in Ulm for a fee.", "was born in", ""),
        # names and figures say no property, whoever puts them there
        (
            "Ann Brandt was born in Ulm to Bob Falk in 1950.",
            "was born in … to Bob Falk in 1950",
            "",
        ),
    ],
)
def test_words_that_fill_no_slot_stay_unread(text: str, said: str, left: str) -> None:
    row = claim(said, ("Ann Brandt", "place of birth", "Ulm"))
    (one,) = read(text, row, left=(left,) if left else ()).said
    assert one.unread


def test_where_a_figure_is_left_over_nothing_may_be_refuted() -> None:
    text = "Ann Brandt was born in Ulm in 1950."
    (one,) = read(text, claim("was born in", ("Ann Brandt", "place of birth", "Ulm"))).said
    assert one.unread == "1950"
    assert one.doubts == ("unread",)


def test_an_adverb_beside_the_verb_says_more_than_the_property() -> None:
    text = "Ann Brandt was secretly born in Ulm."
    at = text.index("secretly")
    parse = [Word(at, at + len("secretly"), "secretly", "secretly", "RB")]
    row = claim("was secretly born in", ("Ann Brandt", "place of birth", "Ulm"))
    found = read(text, row, parse=parse)
    assert [one.unread for one in found.said] == ["secretly"]


@pytest.mark.parametrize(
    ("text", "row", "exclusion"),
    [
        ("Was Ann Brandt born in Ulm?", {}, "question"),
        ("Ann Brandt may have been born in Ulm.", {}, "modal"),
        ("If Ann Brandt was born in Ulm, Bob knew.", {}, "conditional"),
        ("Only Ann Brandt was born in Ulm.", {}, "universal"),
        ("Ann Brandt was not born in Ulm.", {}, "part"),
        ("Ann Brandt refused to be born in Ulm.", {"denied": "refused"}, "part"),
        ("Ann Brandt was born in Ulm.", {"as_": "told"}, "reported"),
        ("It is a lie that Ann Brandt was born in Ulm.", {}, "reported"),
    ],
)
def test_our_own_reading_of_a_mood_stands(text: str, row: dict[str, str], exclusion: str) -> None:
    found = read(text, claim("born in", ("Ann Brandt", "place of birth", "Ulm"), **row))
    assert [one.exclusion for one in found.said] == [exclusion]


def test_a_denial_is_a_slot() -> None:
    text = "Ann Brandt was not born in Ulm."
    row = claim("was … born in", ("Ann Brandt", "place of birth", "Ulm"), denied="not")
    (one,) = read(text, row).said
    assert (one.polarity, one.exclusion, one.unread) == ("negative", "", "")


@pytest.mark.parametrize(
    ("words_", "how", "exclusion"),
    [("in 1990", "in", ""), ("until 1990", "until", "part"), ("before 1990", "before", "part")],
)
def test_what_is_denied_within_a_bound_says_more(words_: str, how: str, exclusion: str) -> None:
    text = f"Ann Brandt was not mayor of Ulm {words_}."
    (one,) = read(text, claim("was", HELD, denied="not", times=time(words_, how))).said
    assert (one.polarity, one.exclusion) == ("negative", exclusion)


OFFICE = "Ann Brandt was mayor of Ulm {}."
HELD = ("Ann Brandt", "position held", "mayor of Ulm")


@pytest.mark.parametrize(
    ("words_", "how", "of", "slots"),
    [
        ("from 1990 to 1995", "from-to", "it", ("1990", "1995", "spanning", "")),
        ("between 1990 and 1995", "between", "it", ("1990", "1995", "within", "")),
        ("until 1995", "until", "it", ("1995", None, "ending", "")),
        ("since 1990", "since", "it", ("1990", None, "beginning", "")),
        ("in 1992", "in", "it", ("1992", None, "holding", "")),
        ("in 1992", "in", "start", ("1992", None, "holding", "start")),
        ("before 1995", "before", "end", ("1995", None, "before", "end")),
        ("throughout 1992", "throughout", "it", ("1992", None, "throughout", "")),
    ],
)
def test_a_time_is_read_in_its_words(
    words_: str, how: str, of: str, slots: tuple[str | None, ...]
) -> None:
    (one,) = read(OFFICE.format(words_), claim("was", HELD, times=time(words_, how, of))).said
    told = (str(one.at), str(one.to) if one.to else None, one.how, one.moment)
    assert told == slots
    assert (one.exclusion, one.unread) == ("", "")


@pytest.mark.parametrize(
    ("words_", "how"),
    [("until 1995", "in"), ("in 1995", "until"), ("in 1995", "from-to"), ("in his youth", "in")],
)
def test_a_time_that_we_read_otherwise_makes_no_plain_statement(words_: str, how: str) -> None:
    (one,) = read(OFFICE.format(words_), claim("was", HELD, times=time(words_, how))).said
    assert one.exclusion == "part"


@pytest.mark.parametrize(
    ("bound", "limit", "told"),
    [
        ("more", "more than", ("above", "")),
        ("exactly", "", ("", "part")),
        ("less", "more than", ("below", "part")),
    ],
)
def test_a_bound_is_what_its_words_say(bound: str, limit: str, told: tuple[str, str]) -> None:
    text = "The Elvar is more than 300 km long."
    row = claim("is … long", ("The Elvar", "length", "300 km"), bound=bound, limit=limit)
    (one,) = read(text, row).said
    assert (one.bound, one.exclusion or "") == (told[0], told[1] or "")
    assert one.value is not None


@pytest.mark.parametrize(
    ("text", "row", "told"),
    [
        ("Ann Brandt, it seems to many, is older than Bob Falk.",
         {"said": "is", "than": [{"words": "older than", "is": "less", "thing": "Bob Falk",
                                  "by": "", "property": "date of birth"}]},
         ("below", "Bob Falk", None)),
        ("Ann Brandt, a nurse, died at the age of 66.", {"said": "died", "age": "at the age of 66"},
         ("age", "66", None)),
        ("Ann Brandt, a nurse, has two children.",
         {"said": "has … children", "count": [{"words": "two", "of": "values"}]},
         ("count", "Ann Brandt", 2)),
    ],
    ids=["than", "age", "count"],
)  # fmt: skip
def test_what_lies_beside_another_thing_or_a_number_is_read_by_our_own_wordings(
    text: str, row: dict[str, Any], told: tuple[str, str, int | None]
) -> None:
    said = row.pop("said")
    property_ = "child" if row.get("count") else "date of birth"
    (one,) = read(text, claim(said, ("Ann Brandt", property_, ""), **row)).said
    assert (one.side, words(text, one.object), one.times) == told
    assert one.unread


@pytest.mark.parametrize(
    "slots",
    [
        {"than": [{"words": "as old as", "is": "less", "thing": "Ulm", "by": "",
                   "property": "date of birth"}]},
        {"age": "saw the light"},
        {"count": [{"words": "day", "of": "values"}]},
        {"event": [{"is": "when", "words": "when", "years": "", "of": "it", "thing": "Bob Falk",
                    "property": "date of death", "value": ""}]},
    ],
    ids=["than", "age", "count", "event"],
)  # fmt: skip
def test_what_our_wordings_do_not_read_as_a_comparison_is_left_open(slots: dict[str, Any]) -> None:
    row = claim("saw the light of day in", ("Ann Brandt", "place of birth", "Ulm"), **slots)
    assert not read(BORN, row).said


def test_of_several_ways_to_say_it_only_the_first_may_refute() -> None:
    row = claim("saw the light of day in", ("Ann Brandt", "place of birth", "Ulm"),
                ("Ann Brandt", "spouse", "Ulm"))  # fmt: skip
    first, second = read(BORN, row).said
    assert (first.doubts, second.doubts) == ((), ("property",))
    assert first.group == second.group


_SENTENCE = "Ann Brandt was not mayor of Ulm from 1990 to 1995, and Bob Falk has two children."
_WORDS = st.one_of(
    st.sampled_from(
        ["", "Ann Brandt", "Bob Falk", "Ulm", "mayor of Ulm", "not", "two", "from 1990 to 1995",
         "1990", "has … children", "was … …", "…", "nowhere", "\ud83d\ude00", "ann brandt"]
    ),
    st.text(max_size=12),
)  # fmt: skip


def _answers(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema["type"] == "array":
        return st.lists(_answers(schema["items"]), max_size=2)
    if schema["type"] == "object":
        return st.fixed_dictionaries(
            {
                name: st.one_of(st.sampled_from([p.label for p in PROPERTIES]), _WORDS)
                if name == "property"
                else _answers(shape)
                for name, shape in schema["properties"].items()
            }
        )
    return st.integers() if schema["type"] == "integer" else _WORDS


def _spans(one: Relational) -> Iterator[Span]:
    yield from (one.subject, one.object)


@given(_answers(SCHEMA["properties"]["sentences"]["items"]))
def test_whatever_the_answer_every_slot_lies_in_the_sentence(row: dict[str, Any]) -> None:
    before = "Zoe Hale came. "
    extraction = extract(from_text(f"{before}{_SENTENCE} Tom Weir left.", "text"))
    number = next(
        n for n, span in enumerate(extraction.sentences) if span.start >= len(before.rstrip())
    )
    place = extraction.sentences[number]
    names = [m.span for m in extraction.mentions if not isinstance(m.node, Literal)]
    relations = Relations({one.iri: one for one in PROPERTIES}, patterns=())
    found = read_sentence(row, sentence_of(extraction, number, names, relations), PROPERTIES)
    for one in found.said:
        for span in _spans(one):
            assert place.start <= span.start < span.end <= place.end
        for literal in (one.at, one.to):
            assert literal is None or str(literal) in _SENTENCE
        # the other half of the sentence is in no slot of one claim
        assert one.unread or one.exclusion or len(row["claims"]) > 1


def test_each_slot_of_a_claim_is_looked_up_once_for_all_its_readings() -> None:
    text = "Ann Brandt married Bob Falk, and Bob Falk was glad."
    readings = [("Ann Brandt", "spouse", "Bob Falk"), ("Bob Falk", "spouse", "Ann Brandt")]
    found = read(text, claim("married", *readings))
    first = text.index("Bob")
    assert {one.object.start for one in found.said} == {0, first}
    assert {one.subject.start for one in found.said} == {0, first}


def test_another_claim_is_looked_for_behind_the_one_before() -> None:
    text = "Ann Brandt was born in Ulm, and Bob Falk was born in Ulm."
    rows = [
        claim("was born in", (who, "place of birth", "Ulm")) for who in ("Ann Brandt", "Bob Falk")
    ]
    found = read(text, *rows)
    assert [one.object.start for one in found.said] == [text.index("Ulm"), text.rindex("Ulm")]

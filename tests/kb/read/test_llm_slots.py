"""A model fills slots with words of a sentence: what stands there counts, and what is left over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
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
from groundrules.kb.read.llm_slots import SentenceRead, read_sentence
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


#: The slots of a claim that says nothing but that something was so.
PLAIN: dict[str, Any] = {
    "as": "fact", "denied": "", "tense": "then", "bound": "exactly", "limit": "", "times": [],
    "event": [], "than": [], "age": "", "count": [],
}  # fmt: skip
LINES = (Path(__file__).parents[1] / "data" / "llm_slots.jsonl").read_text("utf-8").splitlines()
ROWS = [json.loads(line) for line in LINES]


def claim(said: str, *readings: Sequence[str], **slots: Any) -> dict[str, Any]:
    """Return a claim of an answer."""
    named = [dict(zip(("thing", "property", "value"), one, strict=True)) for one in readings]
    return {**PLAIN, "said": said, "readings": named, **slots}


def read(
    text: str, *claims: dict[str, Any], left: Sequence[str] = (), parse: Sequence[Word] = ()
) -> SentenceRead:
    row = {"number": 1, "left": [*left], "claims": [*claims]}
    validator(SCHEMA)({"sentences": [row]})
    extraction = extract(from_text(text, "text"))
    names = [m.span for m in extraction.mentions if not isinstance(m.node, Literal)]
    relations = Relations({one.iri: one for one in PROPERTIES}, patterns=())
    sentence = sentence_of(extraction, 0, names, relations)
    return read_sentence(row, sentence, PROPERTIES, parse=parse)


def shown(text: str, one: Relational, name: str) -> Any:
    """Return a part of a relation as the rows tell it."""
    if name == "is read":
        return not one.unread
    found = getattr(one, name)
    if isinstance(found, Span):
        return text[found.start : found.end]
    if name in ("at", "to", "meant"):
        return found and str(found)
    return [*found] if isinstance(found, tuple) else found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['law']}: {row['text']}")
def test_an_answer_counts_as_its_row_says(row: dict[str, Any]) -> None:
    """`has` are the relations that come of it, `dropped` is why what else it gives does not."""
    text = row["text"]
    parse = []
    if "parse" in row:
        word, tag = row["parse"]
        at = text.index(word)
        parse = [Word(at, at + len(word), word, word, tag)]
    given = claim(row["said"], *row["readings"], **row.get("slots", {}))
    found = read(text, given, left=row.get("left", ()), parse=parse)
    has = [{name: shown(text, one, name) for name in told}
           for one, told in zip(found.said, row["has"], strict=True)]  # fmt: skip
    assert has == row["has"]
    if "dropped" in row:
        assert (found.dropped, found.given) == (row["dropped"], 1)


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
        for span in (one.subject, one.object):
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

"""What a sentence says of two things, as the wordings of the lexicon read it; rows are data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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
LINES = (Path(__file__).parents[1] / "data" / "propositions.jsonl").read_text("utf-8").splitlines()
ROWS = [json.loads(line) for line in LINES]


def extracted(text: str) -> Extraction:
    return resolve([extract(from_text(text))])[0]


def relationals(text: str) -> list[Relational]:
    extraction = extracted(text)
    names = [m.span for m in extraction.mentions]
    return [
        relational
        for sentence in range(len(extraction.sentences))
        for relational in read_phrases(extraction, sentence, names, RELATIONS)
    ]


def has(text: str, found: Relational, told: dict[str, Any]) -> bool:
    """Return whether a reading is as a row says; places are told by their words."""
    said: dict[str, Any] = {name: getattr(found, name) for name in told}
    for name in {"subject", "object"} & told.keys():
        said[name] = text[said[name].start : said[name].end]
    for name in {"at", "to", "value"} & told.keys():
        said[name] = said[name] and str(said[name])
    return said == told


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['law']}: {row['text']}")
def test_a_sentence_is_read_as_its_row_says(row: dict[str, Any]) -> None:
    """`all` are its readings in order, `some` are among them, each is `each` and none is `no`."""
    text = row["text"]
    found = relationals(text)
    if "all" in row:
        assert [has(text, *pair) for pair in zip(found, row["all"], strict=True)].count(False) == 0
    if "no" in row:
        assert not [one for one in found if has(text, one, row["no"])]
    else:
        assert found
    assert all(has(text, one, row.get("each", {})) for one in found)
    assert all(any(has(text, one, told) for one in found) for told in row.get("some", ()))


def test_things_that_are_of_each_other_end() -> None:
    text = "The end of the beginning of the end of the beginning of Oslo is Rome."
    assert all(r.subject.start < r.subject.end for r in relationals(text))


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

"""A document parsed once, for its words and for what is read of it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from groundrules.claims import offline
from groundrules.claims.blocks import parse
from groundrules.claims.document import from_text
from groundrules.claims.offline import extract
from groundrules.claims.parsed import Parsed
from tests.strategies import examples, texts

TEXT = "The Tenant didn't pay Alpine's rent (due on 1 May)."


def test_words_are_casefolded_and_signs_are_none_but_for_contractions() -> None:
    words = Parsed(from_text(TEXT)).words
    assert [word.text for word in words] == [
        "the", "tenant", "did", "not", "pay", "alpine", "'s", "rent", "due", "on", "1", "may",
    ]  # fmt: skip
    assert [word.lemma for word in words if word.tag == "VBD"] == ["do"]


@examples(30)
@given(texts())
def test_words_stand_in_order_in_the_text_and_leave_the_extraction_as_it_is(text: str) -> None:
    parsed = Parsed(from_text(text))
    words = parsed.words
    assert all(0 <= w.start < w.end <= len(text) for w in words)
    assert all(a.end <= b.start for a, b in pairwise(words))
    assert parsed.extraction == extract(from_text(text))


def test_one_parse_gives_the_words_and_the_extraction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    calls: list[str] = []

    def counted(nlp: Any, text: str) -> Any:
        calls.append(text)
        return parse(nlp, text)

    monkeypatch.setattr(offline, "parse", counted)
    parsed = Parsed(from_text(TEXT))
    assert len(parsed.words) == len(parsed.words) == 12
    assert parsed.extraction.claims
    assert calls == [TEXT]

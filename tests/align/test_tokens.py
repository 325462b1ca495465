"""Laws of tokens that are copied from a parse."""

from __future__ import annotations

import pytest

from groundrules.align.parses import parse
from groundrules.align.tokens import copy_tokens

TEXTS = [
    "The Tenant, who lives in Bergen, shall pay $40 to Karim Lund by May 2, 2021; it did not.",
    "Nobody but the agent may enter. The office hasn't been sold, and won't be\nuntil June!",
    "- 3 offices of 40 m2 each",
    "a",
    "",
]
LABELS = (
    "i idx text lower_ lemma_ pos_ tag_ dep_ whitespace_ is_alpha is_punct is_space is_stop "
    "is_sent_start"
).split()


@pytest.mark.parametrize("text", TEXTS)
def test_a_copied_token_has_the_labels_and_the_dependants_that_spacy_gives_it(text: str) -> None:
    parsed = parse(text)
    copied = copy_tokens(parsed)
    assert len(copied) == len(parsed)
    for one, known in zip(copied, parsed, strict=True):
        assert [getattr(one, name) for name in LABELS] == [getattr(known, name) for name in LABELS]
        assert len(one) == len(known)
        assert one.head is copied[known.head.i]
        assert [token.i for token in one.children] == [token.i for token in known.children]
        assert [token.i for token in one.subtree] == [token.i for token in known.subtree]
        assert [token.i for token in one.sent] == [token.i for token in known.sent]
        assert (one.sent.start, one.sent.end) == (known.sent.start, known.sent.end)


def test_the_neighbour_of_the_first_and_of_the_last_token_is_an_error_as_in_spacy() -> None:
    parsed = parse(TEXTS[0])
    for doc in (parsed, copy_tokens(parsed)):
        assert doc[0].nbor().i == 1
        with pytest.raises(IndexError):
            doc[0].nbor(-1)
        with pytest.raises(IndexError):
            doc[len(doc) - 1].nbor()


def test_a_chain_of_dependants_may_be_as_long_as_a_text() -> None:
    doc = copy_tokens(parse("of " * 3000))
    for number, token in enumerate(doc):
        token.head = doc[max(0, number - 1)]
        token.children = doc[number + 1 : number + 2]
    assert [token.i for token in doc[0].subtree] == list(range(3000))

"""What once failed, or is of special interest: each parser returns, or raises our error."""

from __future__ import annotations

import pytest

from tests.fuzz.parsers import CORPUS, PARSERS, hold, kept, seeds


@pytest.mark.parametrize("kind", PARSERS)
def test_a_good_input_and_what_once_failed_is_read_or_refused_in_a_line(kind: str) -> None:
    for data in (*seeds(kind), *(path.read_bytes() for path in kept(kind))):
        hold(kind, data)


def test_every_input_of_the_corpus_is_of_a_parser() -> None:
    assert {path.name for path in CORPUS.iterdir()} <= {*PARSERS, "forged"}

"""Laws of letters by the line: whatever a server says, a line has shares or a reason."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.llm.letters import (
    NO_LETTER,
    NO_LINE,
    TWO_LINES,
    Token,
    read_lines,
    read_sums,
    read_tokens,
    written_as,
)
from tests.llm_server import logprobs
from tests.rows import each

LETTERS = ("A", "B", "C")


def told(text: str, *, whole: bool = False) -> dict[str, dict[str, float] | str]:
    """Return the lines of a text whose every sign is a token, or that is one token."""
    parts = [text] if whole else [*text]
    return read_lines([Token(one, {one: 1.0}) for one in parts], LETTERS, 3)


def shown(text: str) -> str:
    """Return the letters of three lines, a sign for each reason."""
    reasons = {NO_LINE: "-", TWO_LINES: "2", NO_LETTER: "?"}
    return "".join(
        reasons[one] if isinstance(one, str) else max(one, key=lambda letter: one[letter])
        for one in told(text).values()
    )


@each("text letters")
def test_a_line_is_a_number_and_a_letter_and_nothing_else(text: str, letters: str) -> None:
    assert shown(text) == letters


def test_the_shares_are_those_of_the_token_that_has_the_letter() -> None:
    tokens = [
        Token(" 1", {" 1": 1.0}),
        Token(":", {":": 1.0}),
        Token(" A", {" A": 0.6, "A": 0.1, "▁b": 0.1, "The": 0.2}),
        Token("\n2: ", {"\n2: ": 1.0}),
        Token("C\n", {"C\n": 0.5, "B\n": 0.5}),
    ]
    found = read_lines(tokens, LETTERS, 2)

    assert found["1"] == pytest.approx({"A": 0.875, "B": 0.125, "C": 0.0})
    assert found["2"] == pytest.approx({"A": 0.0, "B": 0.5, "C": 0.5})


@pytest.mark.parametrize(
    "shares", [{}, {"A": 0.2, "The": 0.8}, {"1: A": 1.0}, {"Z": 1.0}, {"AB": 0.9}]
)
def test_a_letter_without_shares_of_its_own_is_told(shares: dict[str, float]) -> None:
    tokens = [Token("1: ", {"1: ": 1.0}), Token("A", shares)]

    assert read_lines(tokens, LETTERS, 1) == {"1": NO_LETTER}


def test_an_answer_of_one_token_has_letters_that_are_none_of_their_own() -> None:
    assert set(told("1: A\n2: B\n3: C", whole=True).values()) == {NO_LETTER}


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=4) | st.integers(),
    lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=8), one, max_size=3),
)
_TOKEN = st.sampled_from(
    [*"ABCD123:,;{}\n\u2581\u0120 ", '"', '":"', " A", "B\n", "\n2", "10", "no"]
)
_SHARES = st.dictionaries(_TOKEN, st.floats(0, 1), max_size=4)


@given(st.lists(st.builds(Token, _TOKEN, _SHARES), max_size=40), st.integers(0, 12))
def test_whatever_is_written_each_line_has_shares_that_sum_to_one_or_a_reason(
    tokens: list[Token], count: int
) -> None:
    found = read_lines(tokens, LETTERS, count)

    assert [*found] == [str(n) for n in range(1, count + 1)]
    for one in found.values():
        if isinstance(one, str):
            assert one in (NO_LINE, TWO_LINES, NO_LETTER)
        else:
            assert [*one] == [*LETTERS]
            assert sum(one.values()) == pytest.approx(1)
            assert all(0 <= share <= 1 for share in one.values())


@given(
    _JSON
    | st.fixed_dictionaries({"content": _JSON})
    | st.fixed_dictionaries({"content": st.lists(st.fixed_dictionaries(
        {"token": _JSON | _TOKEN, "top_logprobs": _JSON | st.lists(st.fixed_dictionaries(
            {"token": _TOKEN, "logprob": st.floats() | _JSON}))}))})
)  # fmt: skip
def test_whatever_a_server_gives_as_log_probabilities_shares_are_such(given_: Any) -> None:
    for token in read_tokens(given_):
        assert isinstance(token.text, str)
        assert sum(token.shares.values()) <= 1.01
        assert all(share >= 0 and math.isfinite(share) for share in token.shares.values())


def test_the_order_of_tokens_is_that_of_the_answer_and_none_is_lost() -> None:
    pieces = [("1", {"1": 1.0}), (": ", {": ": 1.0}), ("A", {"A": 0.5, "B": 0.5})]

    assert "".join(one.text for one in read_tokens(logprobs(pieces))) == "1: A"


@each("text said")
def test_sums_stand_beside_the_letters_and_are_no_lines_of_their_own(text: str, said: str) -> None:
    tokens = [Token(one, {one: 1.0}) for one in text]

    assert shown(text) == "ABC"
    assert read_sums(tokens, [2]) == {"sum 2": said}


def test_a_sum_is_asked_for_by_its_line() -> None:
    schema: Any = written_as(LETTERS, 2, [2])

    assert schema["required"] == ["1", "2", "sum 2"]
    assert schema["properties"]["sum 2"] == {"type": "string"}


def test_what_is_asked_for_in_json_is_read_as_lines() -> None:
    schema: Any = written_as(LETTERS, 12)
    answer = json.dumps(dict.fromkeys(schema["required"], "B"), indent=2)
    tokens = [Token(one, {one: 1.0}) for one in answer]

    assert all(one == {"A": 0, "B": 1, "C": 0} for one in read_lines(tokens, LETTERS, 12).values())

"""Letters by the line: how likely each is in the numbered lines of an answer, by its tokens.

Sums may stand behind them, which are words like those of any answer.

A server tells of each token of an answer what else it might have been. The tokens in a row are the
text; in it a number stands before its letter, and the token with that letter has the shares.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundrules.llm.prompt import sum_of

#: A log probability is below zero, and shares sum to one, but for rounding.
_NEAR_ZERO = 0.01
#: The least share that the letters asked for have together in the place of one.
_ANSWERED = 0.5
#: How vocabularies write a blank and the end of a line.
_BLANKS = str.maketrans({"\u2581": " ", "\u0120": " ", "\u010a": "\n"})
#: What may stand in a token beside its letter: marks, and blanks.
_AROUND = " \t\r\n.,:;()[]*\"'`"
#: A number and a letter, with marks alone about them, up to the end of the line or the next pair.
_PAIR = re.compile(
    r"(?:\A|[\n,;{])[^\w\n]{0,8}([0-9]{1,3})[^\w\n]{1,8}([A-Za-z])"
    r"(?=[^\w\n]{0,8}(?:\n|\Z)|[^\w\n]{0,8}[,;][^\w\n]{0,8}[0-9])"
)

#: A sum of a line: a string of JSON, or all up to the end of the line.
_SUM = re.compile(
    r'(?i:\bsum[ _]?)([0-9]{1,3})"?[ \t]*[:=][ \t]*(?:("(?:[^"\\]|\\.)*+(?:"|\Z))|([^\n]*))', re.S
)
#: A string of JSON that is longer than a letter or a number, and is no line.
_STRING = re.compile(r'"(?![\s:,}\]])(?:[^"\\\n]|\\.){9,600}+(?:"|\Z)')

NO_LINE = "the answer has no line for it"
TWO_LINES = "the answer has two lines for it"
NO_LETTER = "the letter of its line is none of those asked for, or no token of its own"


@dataclass(frozen=True, slots=True)
class Token:
    """A token of an answer, and the shares of what might stand in its place, itself included."""

    text: str
    shares: Mapping[str, float] = field(default_factory=dict)


def written_as(letters: Sequence[str], count: int, sums: Sequence[int] = ()) -> dict[str, object]:
    """Return the JSON Schema of an answer: a letter by the number of each line, from "1" on.

    Behind the letters come the `sums` of those lines.
    """
    numbers = [str(n) for n in range(1, count + 1)]
    told = [sum_of(line) for line in sums]
    letter = {"type": "string", "enum": [*letters]}
    return {
        "type": "object",
        "properties": dict.fromkeys(numbers, letter) | {key: {"type": "string"} for key in told},
        "required": [*numbers, *told],
        "additionalProperties": False,
    }


def read_tokens(logprobs: Any) -> tuple[Token, ...]:
    """Return the tokens of an answer; one whose shares cannot be read has none."""
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(content, list):
        return ()
    rows = [one if isinstance(one, dict) else {} for one in content]
    return tuple(Token(_text(one.get("token")), _shares(one.get("top_logprobs"))) for one in rows)


def _text(token: object) -> str:
    return token.translate(_BLANKS) if isinstance(token, str) else ""


def _shares(likely: Any) -> dict[str, float]:
    """Return the shares of what might stand in a place, none where what is given is none."""
    shares: dict[str, float] = {}
    try:
        for token, value in ((one["token"], one["logprob"]) for one in likely):
            if not isinstance(token, str) or isinstance(value, bool) or not value <= _NEAR_ZERO:
                return {}
            shares[token] = shares.get(token, 0.0) + math.exp(value)
    except (AttributeError, TypeError, ValueError, KeyError, OverflowError):
        return {}
    return shares if sum(shares.values()) <= 1 + _NEAR_ZERO else {}


def read_lines(
    tokens: Sequence[Token], letters: Sequence[str], count: int
) -> dict[str, dict[str, float] | str]:
    """Return by number, from "1" on, how likely each letter is in its line, or why nothing is said.

    The lines are those of a text, or members of a JSON object. The shares of one sum to one; tokens
    that are the letter but for blanks, case and marks count together. A number that was not asked
    about, or a letter with words behind it, is no line.
    """
    found: dict[int, list[Token]] = {}
    text = "".join(one.text for one in tokens)
    for aside in (_SUM, _STRING):
        text = aside.sub(lambda told: "\n" * len(told[0]), text)
    ends = list(itertools.accumulate(len(one.text) for one in tokens))
    for pair in _PAIR.finditer(text):
        # the first token that ends behind the place of the letter
        found.setdefault(int(pair[1]), []).append(tokens[bisect_right(ends, pair.start(2))])
    return {
        str(n): NO_LINE
        if n not in found
        else _weights(found[n][0], letters)
        if len(found[n]) == 1
        else TWO_LINES
        for n in range(1, count + 1)
    }


def read_sums(tokens: Sequence[Token], lines: Sequence[int]) -> dict[str, str]:
    """Return the sums that an answer tells of lines, by `sum_of` the line, the first of each."""
    found: dict[str, str] = {}
    for told in _SUM.finditer("".join(one.text for one in tokens)):
        found.setdefault(sum_of(int(told[1])), _unescaped(told[2] or told[3] or ""))
    return {sum_of(line): found.get(sum_of(line), "") for line in lines}


def _unescaped(said: str) -> str:
    """Return what is said, with no marks about it."""
    try:
        return str(json.loads(said, strict=False)).strip() if said.startswith('"') else said.strip()
    except ValueError:
        return said.strip('" \n')


def _weights(token: Token, letters: Sequence[str]) -> dict[str, float] | str:
    weights = dict.fromkeys(letters, 0.0)
    for text, share in token.shares.items():
        letter = _text(text).strip(_AROUND).upper()
        if letter in weights:
            weights[letter] += share
    total = sum(weights.values())
    if total < _ANSWERED:
        return NO_LETTER
    return {letter: weight / total for letter, weight in weights.items()}

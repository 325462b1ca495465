"""Declining: an answer that states nothing and only says that there is none."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LONGEST = 1_000


def declines(text: str) -> bool:
    """Return whether a text only declines: each of its sentences is of `declining.toml`, whole."""
    if len(text) > _LONGEST:
        return False
    plain = " ".join(text.replace("’", "'").lower().split())
    declining, closing = _forms()
    sentences = [one.rstrip(".!?") for one in _SENTENCE.split(plain)]
    declined = [one for one in sentences if declining.fullmatch(one)]
    rest = [one for one in sentences if not declining.fullmatch(one)]
    return bool(declined) and all(closing.fullmatch(one) for one in rest)


@cache
def _forms() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what a sentence is that declines, and one that may stand behind it."""
    words = tomllib.loads(Path(__file__).with_name("declining.toml").read_text(encoding="utf-8"))
    of = {name: _any(forms) for name, forms in words.items()}
    verb = f"{of['unable']} {of['verbs']}(?: {of['objects']})?"
    told = f"(?:{of['whole']}(?: {of['basis']})?|{verb})(?: {of['when']})?"
    return re.compile(f"(?:{of['before']},? (?:but )?)?{told}|{of['before']}"), re.compile(
        of["after"]
    )


def _any(forms: Sequence[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, forms))})"

"""Declining: an answer that states nothing and only says that there is none."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_AND = re.compile(r",? (?:as|because|since|so|and) (?!an? )")
_LONGEST = 1_000


def declines(text: str) -> bool:
    """Return whether a text only declines: each of its sentences is of `declining.toml`, whole."""
    if len(text) > _LONGEST:
        return False
    plain = " ".join(text.replace("’", "'").lower().split())
    declining, closing = _forms()
    sentences = [one.rstrip(".!?") for one in _SENTENCE.split(plain)]
    left = [
        one
        for one in sentences
        if not declining.fullmatch(one) and not all(map(declining.fullmatch, _AND.split(one)))
    ]
    return len(left) < len(sentences) and all(map(closing.fullmatch, left))


def courtesies(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of what states nothing: courtesies, and that the source is the source.

    "I hope this helps!" is a whole sentence or line, "According to the document," opens one, and
    ", according to the document" ends one.
    """
    for found in _courtesy().finditer(text):
        yield found.span(found.lastgroup or 0)


@cache
def _courtesy() -> re.Pattern[str]:
    of = _words()
    head = r"(?:^|(?<=[.!?:]\s)|(?<=\n))[ \t]*"
    courtesy = rf"(?P<courtesy>{of['courtesies']}(?:[.!?:]+(?=\s|$)|(?=[ \t]*(?:\n|$))))"
    attribution = rf"(?P<attribution>{of['attributions']}(?:(?<=that)|[,:])[ \t]+)(?=\w)"
    behind = rf"(?<=\w)(?P<behind>,? {of['sourced']})(?=[.!?](?:\s|$))"
    return re.compile(f"(?i){head}(?:{courtesy}|{attribution})|{behind}".replace("'", "['’]"))


@cache
def _forms() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what a sentence is that declines, and one that may stand behind it."""
    of = _words()
    verb = f"{of['unable']} {of['verbs']}(?: {of['objects']})?"
    behind = f"(?: {of['basis']})?(?: {of['when']})?"
    told = f"(?:{of['basis']},? )?(?:{of['whole']}|{verb}){behind}"
    return re.compile(f"(?:{of['before']},? (?:but )?)?{told}|{of['before']}"), re.compile(
        f"{of['after']}|{of['courtesies']}"
    )


@cache
def _words() -> dict[str, str]:
    """Return each list of `declining.toml` as a pattern, with those that it names."""
    path = Path(__file__).with_name("declining.toml")
    lists = tomllib.loads(path.read_text(encoding="utf-8"))

    def pattern(name: str) -> str:
        return f"(?:{'|'.join(map(filled, lists[name]))})"

    def filled(form: str) -> str:
        parts = re.split(r"\{(\w+)\}", form)
        said = "".join(pattern(p) if n % 2 else re.escape(p) for n, p in enumerate(parts))
        return said.replace(r"\[", "(?:").replace(r"\]", ")?")

    return {name: pattern(name) for name in lists}

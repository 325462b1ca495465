"""Numbered names: "line 2" and "boiler B", each written as one word for the parser.

"Line 2 fills bottles" is written as "Linetwo fills bottles": of the number of a name a parser makes
how many there are of what stands behind it. In what is read from it the number is a mark again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from groundrules.claims.english.logic import (
    COUNTED_BEHIND,
    LETTERS,
    NOT_BEFORE_NAMES,
    NUMBERED_NOUNS,
)
from groundrules.claims.gaps import Writing
from groundrules.claims.slots import Slot, Term

_NUMBER = r"(?:[A-HJ-Z](?![\w’'])|\d{1,3}(?:\.\d)?(?![\d.]{0,9}\w|:\d))"
_NUMBERS = rf"{_NUMBER}(?:(?:, {_NUMBER})*,? and {_NUMBER})?"
_NAME = re.compile(rf"(?<![\w-])(?P<noun>[^\W\d_]{{3,}}) (?P<numbers>{_NUMBERS})")
_ONE = re.compile(_NUMBER)
_DIGITS = dict(
    zip("0123456789.", "zero one two three four five six seven eight nine point".split(),
        strict=True)
)  # fmt: skip
_LAST_WORD = re.compile(r"(?<![\w’'])[\w’']+(?= $)")
_NEXT_WORD = re.compile(r" ([\w%]+)")


@dataclass(frozen=True, slots=True)
class _Number:
    """The number of a name in the first text: its token, its place, without a stop behind it."""

    i: int
    idx: int
    length: int

    def __len__(self) -> int:
        return self.length


@dataclass(frozen=True, slots=True)
class Naming:
    """A text with its numbered names as words, and the noun and the number of each word."""

    writing: Writing
    names: Mapping[str, tuple[str, str]]

    @property
    def text(self) -> str:
        """The text as a parser gets it."""
        return self.writing.text

    def restored(self, term: Term, doc: Any) -> Term:
        """Return a term read from this text, parsed, with its names and places in the first."""
        return self._split(self.writing.restored(term, doc))

    def _split(self, term: Term) -> Term:
        slots = tuple(Slot(s.role, self._split(s.filler)) for s in term.slots)
        joined = tuple(map(self._split, term.joined))
        made = replace(term, slots=slots, joined=joined, text=self._worded(term.text))
        known = self.names.get(term.head.casefold())
        if known is None:
            return made
        noun, number = known
        mark = Term(number.casefold(), "thing", term.at, determiner="name", place=term.place)
        return replace(
            made, head=noun, kind="thing", determiner="the", slots=(Slot("mod", mark), *slots)
        )

    def _worded(self, text: str) -> str:
        for word, (noun, number) in self.names.items():
            if word in text.casefold():
                text = re.sub(rf"(?i)\b{word}\b", f"{noun} {number}", text)
        return text


def named(doc: Any) -> Naming | None:
    """Return a parsed text with its numbered names as words, None where it has none."""
    text, starts = doc.text, {t.idx: t for t in doc}
    found = [m for m in _NAME.finditer(text) if _is_name(m, text) and m.start() in starts]
    if not found:
        return None
    made, at = "", 0
    words: list[tuple[int, tuple[Any, ...]]] = []
    names: dict[str, tuple[str, str]] = {}
    for match in found:
        words += [(len(made) + t.idx - at, (t,)) for t in doc if at <= t.idx < match.start()]
        made += text[at : match.start()]
        noun = _singular(match["noun"])
        for number in _ONE.finditer(match["numbers"]):
            begin = match.start("numbers") + number.start()
            made += text[at:begin] if number.start() else ""
            word = noun.capitalize() + _spelt(number[0])
            names[word.casefold()] = noun.casefold(), number[0]
            here, at = starts[match.start()], begin + len(number[0])
            told = _Number(starts.get(begin, here).i, begin, len(number[0]))
            words.append((len(made), (told,) if number.start() else (here, told)))
            made += word
    words += [(len(made) + t.idx - at, (t,)) for t in doc if at <= t.idx]
    return Naming(Writing(made + text[at:], tuple(words)), names)


def _is_name(match: re.Match[str], text: str) -> bool:
    """Return whether a noun and what stands behind it are a name: not "by bus 6 times a day"."""
    noun, numbers = match["noun"], match["numbers"]
    single = _singular(noun).casefold()
    several = len(_ONE.findall(numbers)) > 1
    if several != (single != noun.casefold()):
        return False
    ahead = text[: match.start()]
    opens = not ahead.strip() or ahead.rstrip()[-1] in ".!?:;"  # and so has its capital anyway
    lettered = numbers[0].isalpha() and noun.istitle() and not opens
    if single not in NUMBERED_NOUNS and not lettered:
        return False
    before = _LAST_WORD.search(ahead)
    if before is not None and before[0].casefold() in NOT_BEFORE_NAMES:
        return False
    behind = _NEXT_WORD.match(text, match.end())
    return behind is None or behind[1].casefold() not in COUNTED_BEHIND


def _singular(noun: str) -> str:
    short = noun.removesuffix("s")
    plain = noun.casefold() not in NUMBERED_NOUNS and short.casefold() in NUMBERED_NOUNS
    return short if plain else noun


def _spelt(number: str) -> str:
    return LETTERS.get(number) or "".join(_DIGITS[c] for c in number)

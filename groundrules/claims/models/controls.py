"""Controls of a grader: statements made by rule of the passages shown, whose grades are known.

A grader that cannot tell a sentence of a source from the same sentence with another figure, another
day or its denial, and either from what no source says, has not read them, or obeys something else
than its question. So each question has one of each, in the form of the others and at places that
the texts draw.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from groundrules.claims.documents.legibility import language
from groundrules.claims.english import MONTH_NAMES, SMALL, WEEKDAYS
from groundrules.claims.english.alternations import LEANING
from groundrules.claims.english.fillers import STOP
from groundrules.claims.english.signals import (
    BARE,
    BOUNDING_FIGURES,
    CASES,
    CONTRARY,
    DENIED,
    NO_THING,
    NUMBERED,
    SAME,
    SCOPED,
    THINGS,
    UNTOLD,
)
from groundrules.claims.english.stems import beginning

#: Words of a passage that a control is made of, at least and at most, and where none has as many.
SHORTEST, LONGEST, SHORT = 6, 45, 4
#: Of so many passages that can be turned, and of so many things that they name, those nearest to
#: the statements, one is drawn: whoever wants a grade of what it says of a thing has it asked of
#: what the sources say of it too, and of what they do not.
DRAWN = 4
_MARK = re.compile(
    r"\s*(?:[-*•–]\s+|#+\s+|\(?(?:\d{1,2}(?:\.\d{1,2})*|[a-z]|[ivx]+)[.)]\s+|\d{1,2}\.\d{1,2}\s+)?"
)
#: Two sentences in one, and what is not closed.
_TWO = re.compile(r"[\w)][.!?] [A-Z]|\b[Nn]o\.\Z")
_LEANS = re.compile(rf"\W*(?:{LEANING}|i|we|you|the (?:former|latter|same))\b", re.I)
_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_NUMBER = re.compile(
    r"(?<![\w.,/:+#–-])(?<!\d )(?P<sign>[£$€]?)(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<rest>\.\d+)?"
    r"(?![\w/:–]|[.,]\w|-\d)"
)
_COUNTED = {word: value for word, value in SMALL.items() if 2 <= value <= 12}
_COUNT = re.compile(rf"(?<![\w-])(?:{'|'.join(_COUNTED)})(?![\w-])")
#: So many words before a figure may be those of the case that it tells.
_CASE = 6
#: Behind these a number is written in figures.
_UNITS = (
    " per", " a.m", " p.m", " am", " pm", " kg", " km", " mm", " cm", " ml", " mg",
    " g ", " m ", " h ",
)  # fmt: skip
_MONTH = re.compile(rf"(?<=\d )(?:{'|'.join(MONTH_NAMES)})\b|\b(?:{'|'.join(MONTH_NAMES)})(?= \d)")
_DAYS = [day.capitalize() for day in WEEKDAYS]
_DAY = re.compile(rf"\b(?:{'|'.join(sorted(_DAYS))})s?\b")
_DATED = re.compile(rf"\b(?:{'|'.join((*MONTH_NAMES, *_DAYS))})s?\b")
# what may have to be so may not have to be
_AUXILIARY = re.compile(
    rf"(?<!\bmay )(?<!\bmay not )\b({'|'.join(DENIED.split())})\b"
    r"(?!(?<=\bmay) (?:not )?have to\b)(?P<denied> not\b)?"
)
#: What is told of something, or ends a clause: a noun with its "the", or a name.
_THING = re.compile(
    rf"\b[Tt]he (?:(?P<told>(?:[A-Za-z]+ )?[A-Za-z]+)(?= (?:{'|'.join(DENIED.split())})\b)"
    r"|(?P<last>[A-Za-z]+)(?=[.,;:)]| (?:at|by|from|in|on|with)\b))"
)
_NAME = re.compile(
    r"(?<=[a-z,] )(?:(?:the )?[A-Z][a-z]+(?: [A-Z][a-z]+){1,4}\b(?!-)|[A-Z][a-z]{3,}(?=[,;]|\.\Z))"
)


@dataclass(frozen=True, slots=True)
class Control:
    """A statement of which the grade is known, made of the passage so numbered, or of none."""

    text: str
    kind: Literal["entailed", "contradicted", "neither"]
    passage: int | None = None


def controls(passages: Sequence[str], statements: Sequence[str]) -> tuple[Control, ...]:
    """Return a passage reworded, one that is turned, and what none says, to stand among statements.

    The first are of two passages where there are two to be had; none is returned where no passage
    can be turned, or all that could be told is spoken of. What they are follows from the texts.
    """
    if language("\n".join(passages)):
        return _controls_abroad(passages, statements)
    seed = json.dumps([passages, statements])
    asked_already = {_plain(one) for one in statements}
    told = asked_already | {_plain(one) for one in passages}
    asked = {stem for statement in statements for stem in content(statement)}
    taken = set(_WORD.findall("\n".join((*passages, *statements))))
    for least in (SHORTEST, SHORT):
        read = [(n, said) for n, text in enumerate(passages) if (said := _sentence(text, least))]
        if read:
            break
    whole = [(n, said) for n, said in read if passages[n].rstrip().endswith((".", "!"))]
    for turn, chosen_from in itertools.product((_turned, _untrue), (whole, read)):
        wrong = [
            (n, Control(_otherwise(_first(texts, seed), said), "contradicted", n))
            for n, said in chosen_from
            if (texts := [one for one in turn(said, taken, seed) if _plain(one) not in told])
        ]
        if wrong:
            break
    else:
        return ()
    wrong.sort(key=lambda pair: -len(asked & content(passages[pair[0]])))
    at, chosen = min(wrong[:DRAWN], key=lambda pair: _key(seed, pair[1].text))
    right = [
        (text == said, n == at, _key(seed, text), Control(text, "entailed", n))
        for n, said in whole or read
        for text in (reworded(said), said)
        if len(text.split()) >= least and _plain(text) not in asked_already
    ]
    untold = _untold(passages, asked, seed)
    # the same words may stand in two passages: what comes first is drawn
    return (min(right, key=lambda one: one[:3])[-1], chosen, untold) if right and untold else ()


def _controls_abroad(passages: Sequence[str], statements: Sequence[str]) -> tuple[Control, ...]:
    """Return controls of passages in a language that is not read: what they entail is a copy.

    What they contradict denies a copy in English, and what they do not tell is English too.
    """
    seed, asked = json.dumps([passages, statements]), {_plain(one) for one in statements}
    read = [(n, said) for n, text in enumerate(passages) if (said := _sentence(text))]
    read = [(n, said) for n, said in read if _plain(said) not in asked]
    untold = _untold(passages, {stem for one in statements for stem in content(one)}, seed)
    if not read or untold is None:
        return ()
    at, said = min(read, key=lambda pair: _key(seed, f"not {pair[1]}"))
    right = min(read, key=lambda pair: (pair[0] == at, _key(seed, pair[1])))
    return (
        Control(right[1], "entailed", right[0]),
        Control(next(_untrue(said)), "contradicted", at),
        untold,
    )


def places(lines: Sequence[str], seed: Sequence[str], count: int) -> list[int]:
    """Return before which lines statements may be put in, drawn by the texts.

    Not between a line and one that leans on it.
    """
    free = [n for n in range(len(lines) + 1) if n == len(lines) or not _LEANS.match(lines[n])]
    key = json.dumps([lines, seed])
    return [min(free, key=lambda n: _key(key, f"{number} {n}")) for number in range(count)]


def content(text: str) -> set[str]:
    """Return the beginnings of the content words of a text; numbers stay whole."""
    words = (match.group().casefold() for match in _WORD.finditer(text))
    return {beginning(word) for word in words if word not in STOP}


def reworded(said: str) -> str:
    """Return a sentence in words that say the same, or less; the sentence where none are known."""
    for pattern, other in SAME:
        text, count = re.subn(pattern, other, said, count=1)
        if count:
            return text
    return _small_number(said)


def _small_number(said: str) -> str:
    """Return a sentence with a number below thirteen as a word, or a word of one as a figure."""
    words = {str(value): word for word, value in _COUNTED.items()}
    for match in re.finditer(rf"{_NUMBER.pattern}(?= [a-z])|{_COUNT.pattern}(?= [a-z])", said):
        word = match.group()
        other = words.get(word) or str(_COUNTED.get(word, ""))
        unit = said[match.end() :].startswith(_UNITS)
        if other and match.start() and not unit and not _bounds(said, match):
            return _put(said, match, other)
    return said


# --- what a control is made of ----------------------------------------------------------------


def _untold(passages: Sequence[str], asked: Collection[str], seed: str) -> Control | None:
    """Return a thing of the passages with what is said of nothing in them, nor in the statements.

    Where they name no thing, it is told of one that they do not have.
    """
    known = {stem for text in passages for stem in content(text)}.union(asked)
    free = [one for one in UNTOLD if known.isdisjoint(content(one.format("")))]
    things = sorted(
        set(_things(passages)),
        key=lambda one: (-len(content(one).intersection(asked)), _key(seed, one)),
    )
    told_of = things[:DRAWN] or [one for one in THINGS if known.isdisjoint(content(one))]
    if not free or not told_of:
        return None
    text = _first(free, seed).format(_first(told_of, seed))
    return Control(text[0].upper() + text[1:], "neither")


def _things(passages: Sequence[str]) -> Iterator[str]:
    """Yield the names of passages, and what they say something of: "the laundry room"."""
    lines = [" ".join(text.split()) for text in passages]
    words = {word for line in lines for word in _WORD.findall(line)}
    for line in lines:
        for match in _THING.finditer(line):
            thing = match["told"] or match["last"]
            if NO_THING.union(DENIED.split()).isdisjoint(thing.casefold().split()):
                yield f"the {thing}"
        for match in _NAME.finditer(line):
            name = match.group()
            if not _DATED.search(name) and name.casefold() not in words:
                yield name


def _unmarked(line: str) -> str:
    """Return a line without the mark of an item or a heading before it."""
    mark = _MARK.match(line)
    return line[mark.end() :] if mark else line


def _sentence(text: str, least: int = SHORTEST) -> str:
    """Return a passage as a statement that stands by itself, empty where it does not."""
    if "\n" in text.strip():
        return ""
    lines = " ".join(text.split())
    said = _unmarked(lines).strip("*_ ")
    if not said or not least <= len(said.split()) <= LONGEST or _LEANS.match(said):
        return ""
    if "|" in said or not said[0].isupper() or said.endswith(("?", ":")) or _TWO.search(said):
        return ""
    if any(said.count(one) != said.count(other) for one, other in ("()", "[]", "“”")):
        return ""
    if said.count('"') % 2:
        return ""
    return said if said.endswith((".", "!", "”", '"')) else f"{said.rstrip(';,')}."


def _turned(said: str, taken: Collection[str], seed: str) -> Iterator[str]:
    """Yield what a sentence says otherwise: a figure, a day, a denial or a contrary in it."""
    for match in _NUMBER.finditer(said):
        if not _bounds(said, match):
            yield from _other_number(said, match, taken, seed)
    for match in _COUNT.finditer(said):
        if not _bounds(said, match):
            values = [word for word in _COUNTED if word not in taken]
            if values:
                yield _put(said, match, _first(values, f"{seed} {match.start()}"))
    for pattern, names in ((_MONTH, MONTH_NAMES), (_DAY, _DAYS)):
        found = list(pattern.finditer(said))
        others = [name for name in names if name not in taken and f"{name}s" not in taken]
        if len(found) == 1 and others:
            plural = "s" if pattern is _DAY and found[0].group().endswith("s") else ""
            yield _put(said, found[0], _first(others, seed) + plural)
    yield from _denied(said)
    scoped = not SCOPED.isdisjoint(word.casefold() for word in _WORD.findall(said))
    for pair in () if scoped else CONTRARY:
        for one, other in (pair, pair[::-1]):
            if len(found := list(re.finditer(rf"\b{one}\b", said))) == 1:
                yield _put(said, found[0], other)


def _untrue(said: str, taken: Collection[str] = (), seed: str = "") -> Iterator[str]:
    del taken, seed
    yield f"It is not true that “{said}”"


def _otherwise(turned: str, said: str) -> str:
    """Return a turned sentence reworded, where what was turned is still there."""
    text = reworded(turned)
    return turned if text == reworded(said) else text


def _bounds(said: str, match: re.Match[str]) -> bool:
    """Return whether a number is a bound or names a thing, so that another may be true too."""
    before = _WORD.findall(said[: match.start()])
    small = [word.casefold() for word in before]
    after = {word.casefold() for word in _WORD.findall(said[match.end() :])[:1]}
    named = any(word != word.lower() and word not in MONTH_NAMES for word in before[-1:])
    return bool(
        named
        or ":" in said[match.end() :]
        or BOUNDING_FIGURES & {*small[-2:], *after}
        or NUMBERED & {*small[-1:]}
        or CASES & {*small[-_CASE:]}
    )


def _other_number(
    said: str, match: re.Match[str], taken: Collection[str], seed: str
) -> Iterator[str]:
    """Yield a sentence with another number of as many digits, which stands nowhere yet."""
    digits, rest = match["digits"], match["rest"] or ""
    if digits in ("0", "1"):
        return
    day = len(digits) < 3 and re.match(rf" (?:{'|'.join(MONTH_NAMES)})", said[match.end() :])
    year = len(digits) == 4 and 1500 <= int(digits) < 2100 and not match["sign"]
    if day:
        others = [str(n) for n in range(2, 29) if abs(n - int(digits)) > 2]
    elif year:
        others = [str(int(digits) - n) for n in range(4, 15)]
    else:
        others = [f"{n}{digits[1:]}" for n in range(2, 10) if str(n) != digits[0]]
    others = [one for one in others if f"{one}{rest}" not in taken and one not in taken]
    if others:
        other = _first(others, f"{seed} {match.start()}")
        yield _put(said, match, f"{match['sign']}{other}{rest}")


def _denied(said: str) -> Iterator[str]:
    """Yield a sentence with a "not" in its first clause, or without the one that it has there."""
    match = _AUXILIARY.search(said)
    if match is None or match.start() == 0:
        return
    before = {word.casefold() for word in _WORD.findall(said[: match.start()])}
    after = {word.casefold() for word in _WORD.findall(said[match.end() :])}
    if not (before | after) & SCOPED and "n’t" not in said and "n't" not in said:
        if match["denied"] and re.match(r" (?!yet\b|been\b)\w", said[match.end() :]):
            yield said[: match.end(1)] + said[match.end() :]
        elif not match["denied"] and match[1] not in BARE:
            yield f"{said[: match.end()]} not{said[match.end() :]}"


def _put(said: str, match: re.Match[str], other: str) -> str:
    return said[: match.start()] + other + said[match.end() :]


def _plain(text: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in _WORD.findall(text))


# --- what is drawn ----------------------------------------------------------------------------


def _first(texts: Sequence[str], seed: str) -> str:
    return min(texts, key=lambda text: _key(seed, text))


def _key(seed: str, text: str) -> str:
    return hashlib.sha256(f"{seed}\n{text}".encode("utf-8", "replace")).hexdigest()

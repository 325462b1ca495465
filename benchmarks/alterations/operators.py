"""The operators: each alters one place of a sentence, in its meaning or in its wording alone.

What they look for and put there stands in `operators.toml`; a function here makes what no pattern
can. An operator yields every sentence that it makes of one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "operators.toml"
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


@cache
def kinds() -> Mapping[str, tuple[str, ...]]:
    """Return what kind of place the operators that change the meaning alter, for README.md."""
    found = tomllib.loads(_FILE.read_text("utf-8"))["kinds"]
    return {name: tuple(own) for name, own in found.items()}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an operator may know of a sentence's document: its kind, its names, what they stand for.

    `defined` maps a defined term to the name it stands for.
    """

    kind: str = ""
    names: tuple[str, ...] = ()
    defined: tuple[tuple[str, str], ...] = ()


Alter = Callable[[str, Surroundings], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Operator:
    """A way to alter a sentence; `keeps` says that its meaning stays."""

    name: str
    keeps: bool
    alter: Alter
    unless: re.Pattern[str] | None
    leaves: re.Pattern[str] | None
    kinds: tuple[str, ...]

    def __call__(self, sentence: str, around: Surroundings) -> list[str]:
        """Return the altered sentences, each once, in order."""
        if self.kinds and around.kind not in self.kinds:
            return []
        if self.unless and self.unless.search(sentence):
            return []
        found = (_tidy(one, sentence) for one in self.alter(sentence, around))
        return [
            one
            for one in dict.fromkeys(found)
            if one not in ("", sentence) and not (self.leaves and not self.leaves.search(one))
        ]


@cache
def operators() -> dict[str, Operator]:
    """Return the operators by name."""
    return {name: _operator(name, row) for name, row in _data()["operators"].items()}


def surroundings(text: str, kind: str) -> Surroundings:
    """Return what the operators may know of a document."""
    names = dict.fromkeys(match[0] for match in compiled("<LONG>").finditer(text))
    defined = {
        match[2]: " ".join(match[1].split()) for match in compiled("<DEFINED>").finditer(text)
    }
    return Surroundings(kind, tuple(names), tuple(defined.items()))


# --- patterns ---------------------------------------------------------------------------------


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text("utf-8"))


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern with the named ones that it is made of put in."""
    parts: Mapping[str, str] = _data()["patterns"]
    while (
        filled := re.sub(r"(?<!\?P)<([A-Z_]+)>", lambda m: f"(?:{parts[m[1]]})", pattern)
    ) != pattern:
        pattern = filled
    return re.compile(pattern)


def _operator(name: str, row: Mapping[str, Any]) -> Operator:
    pairs = [*row.get("turn", ()), *row.get("swap", ())]
    pairs += [(new, old) for old, new in row.get("swap", ())]
    rules = [(compiled(pattern), new) for pattern, new in row.get("rules", ())]
    case = "" if row.get("lower") else "(?i)"
    rules += [
        (re.compile(rf"{case}(?<![\w-])({re.escape(old)})(?![\w-])"), new) for old, new in pairs
    ]
    alter = globals()[f"_{row['code']}"] if "code" in row else _by(rules)
    unless, leaves = (compiled(row[key]) if key in row else None for key in ("unless", "leaves"))
    kinds = tuple(row.get("kinds", ()))
    return Operator(name, bool(row.get("keeps")), alter, unless, leaves, kinds)


def _by(rules: Sequence[tuple[re.Pattern[str], str]]) -> Alter:
    def alter(sentence: str, around: Surroundings) -> Iterator[str]:
        del around
        for pattern, new in rules:
            for match in pattern.finditer(sentence):
                yield _put(sentence, match, _filled(match, new))

    return alter


def _filled(match: re.Match[str], new: str) -> str:
    if new == "@drop: not":
        return match[0].replace(" not", "", 1)
    if new == "@end":
        return f"{match[3]}{match[4]} {match[1].lower()} {match[2]}."
    return match.expand(new)


def _put(sentence: str, match: re.Match[str], new: str) -> str:
    if match[0][:1].isupper() and new[:1].islower():
        new = new[:1].upper() + new[1:]
    return sentence[: match.start()] + new + sentence[match.end() :]


def _tidy(altered: str, sentence: str) -> str:
    """Return a sentence without doubled blanks, with a capital where it began with one."""
    if "\n" not in altered:
        altered = re.sub(r"(?<=\S) {2,}(?=\S)", " ", altered)
    altered = altered.strip()
    if not re.search(r"\ban (?![aeiouAEIOU8hH])", sentence):
        altered = re.sub(r"\b(a)n (?=[b-df-gj-np-tv-zB-DF-GJ-NP-TV-Z])", r"\1 ", altered)
    if not re.search(r"\ba [aeiou]", sentence):
        altered = re.sub(r"\b(a) (?=[aei]|un(?!i))", r"\1n ", altered)
    if sentence[:1].isupper() and altered[:1].islower():
        altered = altered[:1].upper() + altered[1:]
    return altered


# --- figures ----------------------------------------------------------------------------------

_YEAR = re.compile(r"(?<![\w.,/$£€#-])(1[0-9]\d\d|20\d\d)(?![\w/%-]|[.,]\d)")
_WHOLE = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")


def _figures(sentence: str) -> list[re.Match[str]]:
    """Return the figures that count or measure: no years, dates or numbers of sections."""
    found = [*compiled("<N>").finditer(sentence)]
    found += re.compile(
        r"(?<=[$£€])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d,]*\d)|(?<=\()\d+(?=\) [a-z])"
    ).finditer(sentence)
    return [
        one
        for one in sorted(found, key=lambda match: match.start())
        if not _YEAR.fullmatch(one[0])
        and not compiled("<BEFORE>").search(sentence[: one.start()])
        and not compiled("<BEHIND_FIGURE>").match(sentence[one.end() :])
    ]


def _figures_changed(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    for match in _figures(sentence):
        first = match[0][0]
        digits = {"1": "4", "2": "7", "3": "8", "4": "6", "5": "3", "6": "9", "7": "2", "8": "5"}
        yield _put(sentence, match, digits.get(first, "1") + match[0][1:])


def _magnitudes_changed(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    for match in _figures(sentence):
        figure = match[0]
        if "." in figure:
            yield _put(sentence, match, figure.replace(".", "").lstrip("0"))
        elif "," in figure:
            yield _put(sentence, match, figure + ",000")
            yield _put(sentence, match, figure.partition(",")[0])
        else:
            yield _put(sentence, match, figure + "0")
            yield _put(sentence, match, f"{figure[:-1] or '0'}.{figure[-1]}")


def _years_changed(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    for match in _YEAR.finditer(sentence):
        last = (int(match[0][3]) + 3) % 10
        yield _put(sentence, match, f"{match[0][:3]}{last}")


def _figures_exchanged(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    found = _figures(sentence)
    for one, two in pairwise(found):
        between = sentence[one.end() : two.start()]
        alike = re.fullmatch(r"[^a-zA-Z]*(?:and|or|by|x|[^a-zA-Z]*)[^a-zA-Z]*", between)
        if one[0] != two[0] and not alike:
            yield (sentence[: one.start()] + two[0] + between + one[0] + sentence[two.end() :])


def _figures_put_in(sentence: str, around: Surroundings) -> Iterator[str]:
    """Yield the sentence with each token before a figure, behind a verb and behind a noun."""
    del around
    places = [match.start() for match in _figures(sentence)][:1]
    places += [m.end() for m in compiled(r"\b<VERB> (?=[a-z])").finditer(sentence)][:1]
    places += [m.end() for m in re.finditer(r"\b[Tt]he [A-Za-z]+ ", sentence)][:1]
    for number, token in enumerate(_data()["words"]["inserted"]):
        if places:
            at = places[number % len(places)]
            before = sentence[:at]
            gap = "" if before.endswith(" ") else " "
            if not before.endswith(("$", "£", "€", "(")):
                yield f"{before}{gap}{token} {sentence[at:]}"


def _figures_written_on(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    for match in _figures(sentence)[:2]:
        for form in _data()["words"]["written_on"]:
            if "." in match[0] and form[2:3] in "{.,":
                continue
            yield _put(sentence, match, form.replace("{}", match[0], 1))


def _digits_of_another_script(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    for match in _figures(sentence):
        other = re.sub(r"\d", lambda one: str((int(one[0]) + 2) % 10), match[0])
        if other.startswith("0"):
            other = "4" + other[1:]
        for zero in ("٠", "०", "０", "𝟎"):
            yield _put(sentence, match, "".join(_digit(one, zero) for one in other))


def _digit(char: str, zero: str) -> str:
    return chr(ord(zero) + int(char)) if char.isdigit() else char


# --- names ------------------------------------------------------------------------------------


def _roles_exchanged(sentence: str, around: Surroundings) -> Iterator[str]:
    """Yield the sentence with two parties exchanged that a verb stands between."""
    parties = {*_data()["words"]["parties"].split()}
    parties |= {name for name, _ in around.defined}
    found = [
        one
        for one in re.finditer(r"\b[A-Za-z][a-z]+(?=['’]s\b|[ ,.;])", sentence)
        if one[0] in parties
    ]
    yield from _exchanged(sentence, found)


def _names_exchanged(sentence: str, around: Surroundings) -> Iterator[str]:
    names = {*around.names, *(name.split()[-1] for name in around.names)}
    found = [
        one
        for one in re.finditer(
            r"(?<![\w-])(?<!\. )[A-Z][a-z]+(?: [A-Z][a-z]+)*(?=['’]s\b|[ ,.;])", sentence
        )
        if one[0] in names
    ]
    yield from _exchanged(sentence, found)


def _exchanged(sentence: str, found: Sequence[re.Match[str]]) -> Iterator[str]:
    words = [one[0] for one in found]
    for one, two in pairwise(found):
        between = sentence[one.end() : two.start()]
        once = words.count(one[0]) == words.count(two[0]) == 1
        alike = set(one[0].split()) & set(two[0].split())
        if once and not alike and compiled("<BETWEEN>").search(between):
            yield sentence[: one.start()] + two[0] + between + one[0] + sentence[two.end() :]


def _names_replaced(sentence: str, around: Surroundings) -> Iterator[str]:
    """Yield the sentence with a name of two words or more by another of as many."""
    for match in compiled("<NAME>").finditer(sentence):
        if match[0] not in around.names:
            continue
        own = set(sentence.split()) | set(match[0].split())
        others = [
            name
            for name in around.names
            if len(name.split()) == len(match[0].split()) and not own & set(name.split())
        ]
        yield from (_put(sentence, match, name) for name in others[:3])


def _definitions_filled(sentence: str, around: Surroundings) -> Iterator[str]:
    for term, name in around.defined:
        for match in re.finditer(
            rf"\b(?:[Tt]he )?{term}(?= (?:shall|may|will|must|has|is)\b)", sentence
        ):
            yield sentence[: match.start()] + name + sentence[match.end() :]


# --- wording ----------------------------------------------------------------------------------

_ARTICLE = re.compile(r"^(The|This|An?|Such|Any|All|Each|Either|No|It|He|She|They|There|You|We) ")


def _voice_turned(sentence: str, around: Surroundings) -> Iterator[str]:
    """Yield passive for active and the reverse, of what shall, may, must or will be done."""
    del around
    forms = dict(pair.split(":") for pair in _data()["words"]["regular"].split())
    bases = {past: base for base, past in forms.items()}
    for pattern, verbs, be in (("ACTIVE", forms, " be"), ("PASSIVE", bases, "")):
        match = compiled(f"<{pattern}>").match(sentence)
        if match and match["verb"] in verbs:
            first, last = _raised(match["last"]), _lowered(match["first"])
            by = " by" if be else ""
            verb = f"{match['force']}{be} {verbs[match['verb']]}{by}"
            yield f"{first} {verb} {last}{sentence[match.end() :]}"
    if past := compiled("<PAST>").match(sentence):
        yield f"{_raised(past[3])} {past[2]} {_lowered(past[1])}{past[4] or ''}."


def _clauses_turned(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    if match := compiled("<FRONT>").match(sentence):
        yield f"{match[2]} {match[1][0].lower()}{match[1][1:]}."
    if match := compiled("<BEHIND>").match(sentence):
        yield f"{_raised(match[2])}, {_lowered(match[1])}."


def _raised(words: str) -> str:
    return words[0].upper() + words[1:]


def _lowered(words: str) -> str:
    return _ARTICLE.sub(lambda one: one[0].lower(), words)


def _dates_rewritten(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    for pattern in ("AMERICAN", "BRITISH"):
        for match in compiled(f"<{pattern}>").finditer(sentence):
            day, month, year = match["day"], match["month"], match["year"]
            number = MONTHS.index(month) + 1
            yield _put(sentence, match, f"{year}-{number:02d}-{int(day):02d}")
            yield _put(sentence, match, f"{day} {month[:3]} {year}")
            other = f"{day} {month} {year}" if pattern == "AMERICAN" else f"{month} {day}, {year}"
            yield _put(sentence, match, other)


def _sentences_split(sentence: str, around: Surroundings) -> Iterator[str]:
    """Yield two sentences for two clauses with a subject and a verb each."""
    del around
    for match in compiled("<JOINT>").finditer(sentence):
        first, second = sentence[: match.start()], sentence[match.end() :]
        if compiled("<CLAUSE>").match(first):
            yield f"{first}. {_raised(second)}"


def _lists_made(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    if match := compiled("<LISTING>").match(sentence):
        yield f"{match[1]}:\n\n- {match[2]}\n- {match[3]}\n- {match[4]}"


def _lines_wrapped(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    words = sentence.split(" ")
    if len(words) > 10:
        for width in (4, 7):
            lines = [" ".join(words[at : at + width]) for at in range(0, len(words), width)]
            yield "\n".join(lines)


@cache
def abbreviations() -> frozenset[str]:
    """Return the words that a full stop behind ends no sentence."""
    return frozenset(_data()["words"]["abbreviations"].split())

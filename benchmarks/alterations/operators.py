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
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "operators.toml"
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


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
    names = dict.fromkeys(match[0] for match in _LONG_NAME.finditer(text))
    defined = {match[2]: " ".join(match[1].split()) for match in _DEFINED.finditer(text)}
    return Surroundings(kind, tuple(names), tuple(defined.items()))


# --- patterns ---------------------------------------------------------------------------------


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text("utf-8"))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    parts: Mapping[str, str] = _data()["patterns"]
    for _ in parts:
        for name, part in parts.items():
            pattern = pattern.replace(f"<{name}>", f"(?:{part})")
    return re.compile(pattern)


def _operator(name: str, row: Mapping[str, Any]) -> Operator:
    pairs = [*row.get("turn", ()), *row.get("swap", ())]
    pairs += [(new, old) for old, new in row.get("swap", ())]
    rules = [(_compiled(pattern), new) for pattern, new in row.get("rules", ())]
    case = "" if row.get("lower") else "(?i)"
    rules += [
        (re.compile(rf"{case}(?<![\w-])({re.escape(old)})(?![\w-])"), new) for old, new in pairs
    ]
    alter = globals()[f"_{row['code']}"] if "code" in row else _by(rules)
    unless, leaves = (_compiled(row[key]) if key in row else None for key in ("unless", "leaves"))
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
        rest = match[3] if match[3][0].isupper() and match[3][1:2].islower() else match[3]
        return f"{rest}{match[4]} {match[1].lower()} {match[2]}."
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

_DATED = r"(?:{})".format("|".join(MONTHS))
_BEFORE = re.compile(
    rf"(?<!\w)(?:{_DATED}|Sections?|Articles?|Clauses?|Paragraphs?|Exhibits?|Schedules?|[Cc]laims?|No\.|"
    r"Rule|[Pp]aragraphs?|[Ss]ections?|[Cc]lauses?|[Ff]igure|Form|Part|Item|Appendix|Chapter|Act of|and|or|[Pp]age|Act|FIG\.|Fig\.|step|\d)\s$"
)
_AFTER = re.compile(rf"\s(?:{_DATED}|U\.S|USC|C\.F|CFR)")
_YEAR = re.compile(r"(?<![\w.,/$£€#-])(1[0-9]\d\d|20\d\d)(?![\w/%-]|[.,]\d)")
_WHOLE = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")


def _figures(sentence: str) -> list[re.Match[str]]:
    """Return the figures that count or measure: no years, dates or numbers of sections."""
    found = [*_compiled("<N>").finditer(sentence)]
    found += re.compile(
        r"(?<=[$£€])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d,]*\d)|(?<=\()\d+(?=\) [a-z])"
    ).finditer(sentence)
    return [
        one
        for one in sorted(found, key=lambda match: match.start())
        if not _YEAR.fullmatch(one[0])
        and not _BEFORE.search(sentence[: one.start()])
        and not _AFTER.match(sentence[one.end() :])
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
    for one, two in zip(found, found[1:], strict=False):
        between = sentence[one.end() : two.start()]
        alike = re.fullmatch(r"[^a-zA-Z]*(?:and|or|by|x|[^a-zA-Z]*)[^a-zA-Z]*", between)
        if one[0] != two[0] and not alike:
            yield (sentence[: one.start()] + two[0] + between + one[0] + sentence[two.end() :])


def _figures_put_in(sentence: str, around: Surroundings) -> Iterator[str]:
    """Yield the sentence with each token before a figure, behind a verb and behind a noun."""
    del around
    places = [match.start() for match in _figures(sentence)][:1]
    places += [m.end() for m in _compiled(r"\b<VERB> (?=[a-z])").finditer(sentence)][:1]
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
            yield _put(sentence, match, re.sub(r"\d", lambda d: chr(ord(zero) + int(d[0])), other))


# --- names ------------------------------------------------------------------------------------

_LONG_NAME = re.compile(
    r"(?<![.!?\"“] )(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z]\.)?(?: [A-Z][a-z]+)+(?=[ ,.;’'])"
)
_SUFFIX = (
    r"(?:Inc\.?|Corp\.?|Corporation|LLC|L\.L\.C\.|Ltd\.?|Limited|L\.P\.|Company|GmbH|Bank|S\.A\.)"
)
_DEFINED = re.compile(
    rf"((?:[A-Z][\w&'-]*,? (?:of |and |& )?){{1,5}}{_SUFFIX})(?:,? an? [^()\"“;]{{5,120}}?)?,? "
    r"\((?:the |hereinafter (?:referred to as )?(?:the )?)?[\"“]([A-Z][A-Za-z]+)[\"”]\)"
)


def _roles_exchanged(sentence: str, around: Surroundings) -> Iterator[str]:
    """Yield the sentence with two parties exchanged that a verb stands between."""
    parties = {*_data()["words"]["parties"].split()}
    parties |= {name for name, _ in around.defined}
    found = [
        one
        for one in re.finditer(r"\b[A-Z][a-z]+(?=['’]s\b|[ ,.;])", sentence)
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
    if any(re.search(r"[a-z]", one[0]) is None for one in found):
        return
    for one, two in zip(found, found[1:], strict=False):
        between = sentence[one.end() : two.start()]
        apart = _compiled(r"\b(?:<VERB>|[a-z]{2,}(?:ed|es|s))\b[^,;]* ").search(between)
        if apart and not set(one[0].split()) & set(two[0].split()):
            if sum(x[0] == one[0] for x in found) + sum(x[0] == two[0] for x in found) == 2:
                yield sentence[: one.start()] + two[0] + between + one[0] + sentence[two.end() :]


def _names_replaced(sentence: str, around: Surroundings) -> Iterator[str]:
    """Yield the sentence with a name of two words or more by another of as many."""
    for match in re.finditer(r"\b[A-Z][a-z]+(?: [A-Z]\.)?(?: [A-Z][a-z]+)+(?=[ ,.;’'])", sentence):
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


def _voice_turned(sentence: str, around: Surroundings) -> Iterator[str]:
    """Yield passive for active and the reverse, of what shall, may, must or will be done."""
    del around
    forms = dict(pair.split(":") for pair in _data()["words"]["regular"].split())
    bases = {past: base for base, past in forms.items()}
    things = r"((?:the|all|any|such|its) (?:[A-Z]?[a-z]+ ){0,2}?[A-Z]?[a-z]+)"
    active = re.compile(
        rf"^((?:The )?[A-Z][a-z]+) (shall|may|must|will) ({'|'.join(forms)}) {things}"
        r"(?= (?:to|in|within|on|at|for|by|from|upon|under|during)\b|\.$)"
    )
    if (match := active.match(sentence)) and not re.search(r"\bits\b|\btheir\b", sentence):
        who = "the" + match[1][3:] if match[1].startswith("The ") else match[1]
        thing = match[4][:1].upper() + match[4][1:]
        yield f"{thing} {match[2]} be {forms[match[3]]} by {who}{sentence[match.end() :]}"
    passive = re.compile(
        rf"^([A-Z][\w ]{{2,40}}?) (shall|may|must|will) be ({'|'.join(bases)}) by "
        r"((?:the )?[A-Z][a-z]+)(?= (?:to|in|within|on|at|for|from|upon|under|during)\b|\.$)"
    )
    if match := passive.match(sentence):
        who = match[4][:1].upper() + match[4][1:]
        thing = re.sub(r"^(The|All|Any|Such|Each|No) ", lambda one: one[0].lower(), match[1])
        yield f"{who} {match[2]} {bases[match[3]]} {thing}{sentence[match.end() :]}"
    yield from _voices_of_the_past(sentence)


def _voices_of_the_past(sentence: str) -> Iterator[str]:
    """Yield active for a passive of the past, where verb and participle are one word."""
    past = re.match(
        r"^((?:The |An? |[A-Z])(?:(?! (?:who|which|that|and|or|was|were|is|are) )[^,;:()\"])"
        r"{2,70}) (?:was|were) ([a-z]+ed) by "
        r"((?:(?! (?:who|which|that|and|or|to|of|by|with) )[^,;:()\".]){3,50}?)"
        r"( (?:in|on|at|after|during|for) [^,;:]{3,60})?\.$",
        sentence,
    )
    if past and not re.match(r"(?:He|She|They|We|It|This|That|These|Those|I|There)\b", past[1]):
        thing = re.sub(r"^(The|An?) ", lambda one: one[0].lower(), past[1])
        if not re.match(r"(?:\d|[a-z]+ing\b|him|her|them|us|me|it\b)", past[3]):
            yield f"{past[3][0].upper()}{past[3][1:]} {past[2]} {thing}{past[4] or ''}."


_OWN = r"(?:the|a|an|this|such|any|all|each|either|no|it|he|she|they|there|[A-Z]\w+) "


def _clauses_turned(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    link = (
        r"(?:if|unless|when|until|after|before|once|because|although|as long as|in the event that)"
    )
    front = _compiled(
        rf"^((?i:{link}) {_OWN}[^,;:]{{6,100}}), ((?:{_OWN})(?=[^,;:]*\b<VERB> )[^,;:]{{8,140}})\.$"
    )
    if (match := front.match(sentence)) and not re.search(r" (?:if|that|and|or) ", match[2]):
        yield f"{match[2]} {match[1][0].lower()}{match[1][1:]}."
    behind = _compiled(
        rf"^({_OWN.replace('the|', '[Tt]he|')}(?=[^,;:]*\b(?:<VERB>|[a-z]+s|[a-z]+ed) )[^,;:]{{8,120}}?) "
        rf"((?:if|unless|when|after|because|although) {_OWN}(?=[^,;:]*\b(?:<VERB>|[a-z]+s|[a-z]+ed)\b)[^,;:]{{8,100}})\.$"
    )
    if (
        (match := behind.match(sentence))
        and not re.match(r"[A-Z][a-z]+s ", sentence.removeprefix("This "))
        and not re.search(
            r" (?:as|about|if|that|which|who|and|or|but|only|even|just|not|years?|days?|months?|said|to)$| (?:that|which|who|and|but|or|whether|when|if|after|before|until|said|says|because) ",
            match[1],
        )
    ):
        rest = re.sub(r"^(The|This|A|An|Such|Any|All|Each|Either|No|It|He|She|They|There|You|We) ",
                      lambda one: one[0].lower(), match[1])  # fmt: skip
        yield f"{match[2][0].upper()}{match[2][1:]}, {rest}."


def _dates_rewritten(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    american = _compiled(r"\b(<M>) (<D>)(?:st|nd|rd|th)? ?, (<Y>)\b,?")
    british = _compiled(r"\b(<D>)(?:st|nd|rd|th)? (<M>),? (<Y>)\b")
    for pattern, month, day in ((american, 1, 2), (british, 2, 1)):
        for match in pattern.finditer(sentence):
            number = MONTHS.index(match[month]) + 1
            iso = f"{match[3]}-{number:02d}-{int(match[day]):02d}"
            yield _put(sentence, match, iso)
            yield _put(sentence, match, f"{match[day]} {match[month][:3]} {match[3]}")
            if month == 1:
                yield _put(sentence, match, f"{match[day]} {match[month]} {match[3]}")
            else:
                yield _put(sentence, match, f"{match[month]} {match[day]}, {match[3]}")


def _sentences_split(sentence: str, around: Surroundings) -> Iterator[str]:
    """Yield two sentences for two clauses with a subject and a verb each."""
    del around
    joints = _compiled(
        r"(?:;(?: and)?|, and|, but) (?=(?:the|this|it|he|she|they|[A-Z][a-z]+) (?:[\w’']+ ){0,3}<VERB> )"
    )
    for match in joints.finditer(sentence):
        first, second = sentence[: match.start()], sentence[match.end() :]
        whole = _compiled(rf"^{_OWN.replace('the|', '[Tt]he|')}[^,;:]*\b<VERB> [^,;:]*$")
        if whole.match(first) and not re.search(
            r"\b(?:if|If|that|which|who|when|because|unless|said|such|understood)\b", first
        ):
            yield f"{first}. {second[0].upper()}{second[1:]}"


def _lists_made(sentence: str, around: Surroundings) -> Iterator[str]:
    del around
    listing = re.compile(
        r"^([A-Z][^,;:()]{8,80} (?:includes?|included|contains?|comprises?)) "
        r"([^,;:()]{3,60}), ([^,;:()]{3,60}),? and ([^,;:()]{3,60})\.$"
    )
    match = listing.match(sentence)
    if match and not re.search(
        r" (?:and|or|which|who|that|was|is|are|were|has|have|of|from|in|for|by|both) |\bboth ",
        f"{match[2]} {match[3]} {match[4]}",
    ):
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

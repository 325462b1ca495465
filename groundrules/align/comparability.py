"""Whether two numbers answer one question: of one order, of one case, slips, beside bounds."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from functools import lru_cache

from groundrules.align.limits import MAGNITUDE
from groundrules.align.measures import PERIODS, Number, agree
from groundrules.align.numbers import read_numbers
from groundrules.align.places import CLAUSE_END, sense, words_of
from groundrules.claims.english import DETERMINERS, MONTHS, PREPOSITIONS
from groundrules.claims.english.alternations import NOT_COUNTED, NOT_NUMBERED, PARTITIVES
from groundrules.claims.english.signals import CASES
from groundrules.claims.literals.roman import read_roman

_LABEL = re.compile(
    r"(?i:\b(?:claims?|sections?|clauses?|platforms?|units?|examples?|papers?|versions?|phases?|levels?"
    r"|parts?|annex|steps?|tombs?|numbers?|no\.|pages?|grades?|class|figures?|tables?|chapters?|box"
    r"|type|track|route|line|rule|item|ground|articles?|schedule|bus|room|gate|trench|form|leaflet"
    r"|policy|zone|lot|plot|stage|group|release|band|model|week|day|year|score)\s)\Z|[A-Z][a-z]+\s\Z"
)
_NAMED = re.compile(r"\b[A-Z][\w'’-]{0,60}\s\Z")
_NAMING = re.compile(r"\s[A-Z][a-z]")
_NUMBERED = re.compile(
    rf"(?:\b(?i:in|at|on|of|for|to|from)\s)(?!(?:{NOT_NUMBERED})\b)[a-z]{{3,}}\s\Z"
)
_COUNTED = re.compile(rf"[\s-](?!(?:{NOT_COUNTED})\b)[a-z]|%")
_PARTITIVE = re.compile(rf"(?i:\sof\s(?:{PARTITIVES})\b)")
_SIDE = re.compile(
    r"(?i:\b(?:(?P<begin>begin\w*|began|commenc\w+|start\w*|open\w*|effect\w*|from)"
    r"|end|ends|ended|expir\w+|terminat\w+|laps\w+|clos\w+|until|till|through)\b)"
)
_BY = re.compile(r"(?i:\bby\s(?:about\s|some\s|nearly\s|almost\s|an?\s)?)\Z")
_BOUND_BEFORE = re.compile(
    r"(?i:\b(?:by|until|till|within|after|before|than|least|most|between|exceed(?:s|ing)?|over|under|above|below"
    r"|reach(?:es|ing)?|since|beyond|(?:maximum|minimum|limit) (?:of|is)|limited to|first"
    r"|last|past)"
    r"\s(?:the\s|an?\s)?)\Z"
)
_RANGE_BEFORE = re.compile(r"(?i:\b(?:from|to|and|through)\s(?:the\s)?)\Z|[-\u2013]\Z")
_BOUND_AFTER = re.compile(
    r"(?i:\s?(?:or\s(?:more|less|over|under|above|below|older|younger|fewer|later|earlier)|and\s(?:over|above|under|older)"
    r"|to\s|-|\u2013|at\s(?:least|most)|in\sany))"
)
_PART_OF_PERIOD = re.compile(
    r"(?i:(?:the\s)?(?:end|beginning|start|middle)\sof\s(?:the\s)?\Z|mid-\Z)"
)


#: A label behind a noun: Stall A, Phase II, Ward 3.
_LABELLED = re.compile(
    r"\b(?P<noun>[A-Za-z]{2,})\s(?P<label>[A-Z]|[IVX]{2,5}|[0-9]{1,3})(?!\w|\.\d)"
)
_NO_NOUNS = DETERMINERS | PREPOSITIONS | MONTHS.keys() | {"and", "or"}
#: How far around a number its clause is looked for, in characters.
_AROUND = 200


def of_another(statement: str, claim: Number, text: str, known: Number) -> bool:
    """Say whether the clause of a number is told of another thing of one name: Stall A, Stall B."""
    mine = _labels(statement, claim.start)
    if not mine:
        return False
    first, end = max(0, known.start - _AROUND), known.end + _AROUND
    cuts = [first, *(m.end() for m in CLAUSE_END.finditer(text, first, end)), end]
    at = next(i for i, cut in enumerate(cuts) if cut > known.start) - 1
    theirs = _labels(text[cuts[at] : cuts[at + 1]], -1)
    return any(noun in theirs and not labels & theirs[noun] for noun, labels in mine.items())


@lru_cache(maxsize=4096)
def _labels(text: str, besides: int) -> dict[str, set[str]]:
    """Return the labels behind each noun: a letter, or a number that counts nothing.

    The number that begins at `besides` is none, nor is a day of a month. A capital that begins a
    sentence tells no noun.
    """
    out: dict[str, set[str]] = {}
    for one in _LABELLED.finditer(text):
        noun, label = one["noun"], one["label"]
        if noun.casefold() in _NO_NOUNS:
            continue
        counted = label.isdigit() and not (
            (noun[0].isupper() and one.start() and text[: one.start()].rstrip()[-1:] not in ".!?")
            or _LABEL.fullmatch(noun + " ")
        )
        if not counted and one.start("label") != besides:
            number = read_roman(label)  # Phase II is Phase 2
            out.setdefault(noun.casefold(), set()).add(str(number or label))
    return out


#: For each of what an amount is told: "per month", "every guest", "12 rooms each", "9 euros a day".
_RATE = re.compile(
    r"(?i:\b(?:(?:per(?!\scent)|each|every)(?:\s(?:full|whole|calendar))?\s(?P<of>[a-z]+)|each"
    rf"|an?\s(?P<period>{'|'.join(PERIODS)}))\b)"
)
_OF_CASE = re.compile(rf"(?i:\b(?:{'|'.join(CASES)})\b)")


def of_one_case(
    statement: str, claim: tuple[int, int], text: str, known: tuple[int, int],
    over: Sequence[str] = (),
) -> bool:  # fmt: skip
    """Say whether nothing but two figures tells apart what two sentences say of them.

    A figure for each of something is none for several of it, and a figure beside another one that
    the source does not have is of another case: 7 days after 4 months, 1.75 days per month. `over`
    are the stems of what stands over the source's sentence.
    """
    mine, theirs = read_numbers(statement), read_numbers(text)
    there = {*over, *(word.stem for word in words_of(text, 0, len(text)))}
    here = {word.stem for word in words_of(statement, 0, len(statement))}
    if not _rates(statement, claim) | _case(statement) <= there or not _rates(text, known) <= here:
        return False
    return all(
        any(agree(one, other) for other in theirs)
        for one in mine
        if not (one.soft or (one.start < claim[1] and claim[0] < one.end) or names(statement, one))
    )


def _case(text: str) -> set[str]:
    """Return the stems of the clauses and phrases that say of which case a sentence speaks."""
    ends = [0, *(found.end() for found in CLAUSE_END.finditer(text)), len(text)]
    return {
        word.stem
        for start, end in itertools.pairwise(ends)
        for found in [_OF_CASE.search(text, start, end)]
        if found
        for word in words_of(text, found.end(), end)
    }


def _rates(text: str, place: tuple[int, int]) -> set[str]:
    """Return the stems of that for each of which a text tells an amount."""
    beside = [one for one in read_numbers(text) if not one.soft]
    start = max((one.end for one in beside if one.end <= place[0]), default=0)
    end = min((one.start for one in beside if one.start >= place[1]), default=len(text))
    found = _RATE.finditer(text, start, end)
    return {sense(one["of"] or one["period"] or one[0]) for one in found}


def one_order(claim: Number, known: Number) -> bool:
    """Say whether two numbers are of one order of magnitude, as answers to one question are."""
    if claim.kind in {"DATE", "TIME"} or not claim.value or not known.value:
        return True
    return 1 / MAGNITUDE <= abs(claim.value / known.value) <= MAGNITUDE


def slip(claim: Number, known: Number) -> bool:
    """Say whether a number is another miswritten: digits turned, one wrong, a zero, a field."""
    if claim.day is not None and known.day is not None:
        pairs = [
            (a, b)
            for a, b in zip(claim.day, known.day, strict=True)
            if a is not None and b is not None
        ]
        return len(pairs) > 1 and sum(a == b for a, b in pairs) == len(pairs) - 1
    if claim.kind == known.kind == "TIME":
        return (claim.value - known.value) % 3600 == 0 or claim.value // 3600 == known.value // 3600
    if claim.raw <= 0 or known.raw <= 0 or (claim.bare and known.bare):
        return False
    if claim.unit == known.unit and claim.value > 0 and known.value > 0:
        power = math.log10(claim.value / known.value)
        if abs(power - round(power)) < 1e-9:
            return True
    one, other = (f"{number.raw:g}" for number in (claim, known))
    if one == other or len(one) != len(other) or one.find(".") != other.find("."):
        plain = [shown.replace(".", "") for shown in (one, other)]
        return (
            one != other
            and len(plain[0]) == len(plain[1]) > 1
            and (sorted(plain[0]) == sorted(plain[1]))
        )
    off = sum(a != b for a, b in zip(one, other, strict=True))
    long = min(len(shown.rstrip("0").replace(".", "")) for shown in (one, other)) > 2
    return (len(one) > 1 and sorted(one) == sorted(other)) or (long and off == 1)


def names(text: str, number: Number) -> bool:
    """Say whether a number is part of a name: group 2, the second, Llama 4 Scout."""
    if number.unit == "nth":
        return True
    if number.kind != "NUMBER" or number.raw % 1 or number.text[:1] not in "0123456789":
        return False
    before = text[max(0, number.start - 20) : number.start]
    if _NAMED.search(before):
        return _NAMING.match(text, number.end) is not None
    if _LABEL.search(before):
        return True
    if not number.bare or number.hedge or _COUNTED.match(text, number.end):
        return False
    return _NUMBERED.search(before) is not None


def comparable(statement: str, claim: Number, text: str, known: Number) -> bool:
    """Say whether two numbers of one measure answer one question: counts count one thing."""
    ahead = statement[max(0, claim.start - 12) : claim.start]
    if _BY.search(ahead) and not _BY.search(text[max(0, known.start - 12) : known.start]):
        return False  # a change by so much is no level
    if claim.kind == "RATIO" or claim.unit == "nth":
        return False
    if claim.day is not None and known.day is not None:
        if {_side(statement, claim), _side(text, known)} == {"begin", "end"}:
            return False  # when a term ends says nothing of when it begins
        year_only = claim.day[1] is None
        return (known.day[1] is None) == year_only or (year_only and known.day[0] is not None)
    if not slip(claim, known) and not one_order(claim, known):
        return False
    if of_another(statement, claim, text, known):
        return False
    if claim.kind != "NUMBER":
        return True
    if claim.bare and _PARTITIVE.match(statement, claim.end):
        return False  # "four of the drawers" is counted off as often as read
    before = statement[max(0, claim.start - 20) : claim.start]
    if claim.bare and _LABEL.search(before):
        return False
    if claim.bare != known.bare and min(claim.value, known.value) < 3:
        return False
    return not (claim.noun and known.noun) or sense(claim.noun) == sense(known.noun)


def _side(text: str, number: Number) -> str:
    """Return whether the words before a date speak of a beginning or an end, "" if of neither."""
    found = [*_SIDE.finditer(text[max(0, number.start - 40) : number.start])]
    if not found:
        return ""
    return "begin" if found[-1]["begin"] else "end"


def bounds(text: str, number: Number) -> bool:
    """Say whether a text gives a number as a bound: "up to", "or more", "until"."""
    left = _PART_OF_PERIOD.sub("", text[max(0, number.start - 28) : number.start])
    right = text[number.end : number.end + 16]
    return (
        number.hedge in {"bound", "over", "under"}
        or _BOUND_BEFORE.search(left) is not None
        or (number.kind in {"DATE", "TIME"} and _RANGE_BEFORE.search(left) is not None)
        or _BOUND_AFTER.match(right) is not None
    )

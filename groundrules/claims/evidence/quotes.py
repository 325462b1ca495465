"""Evidence: where a quote stands in the documents, and whether the value stands in it.

The place is found by alignment, the value by value: "$1,200.00" is "1200 dollars" and "July 11,
2006" is 2006-07-11. Both enter the dataset as facts; rules decide (pack `passages`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from rdflib.namespace import XSD
from rdflib.term import Literal, Node

from groundrules.claims.documents.document import Document
from groundrules.claims.english import MONTH_NAMES, table
from groundrules.claims.evidence.smith_waterman import align
from groundrules.claims.values.equivalence import compare
from groundrules.claims.values.value_reader import Value, figures_in, find_values, spelled
from groundrules.terms import ENTITY, mint

if TYPE_CHECKING:
    from groundrules.claims.evidence.fields import Field, Quote, Scalar


@dataclass(frozen=True, slots=True)
class Passage:
    """Where a document has a quote, or what comes nearest: `document.text[start:end]`.

    `score` is the share of the quote that stands there (claims/evidence/smith_waterman.py),
    `inside` whether that is the document it was asked of.
    """

    document: str
    start: int
    end: int
    score: float
    inside: bool


def locate(quote: Quote, documents: Sequence[Document], threshold: float) -> Passage | None:
    """Return where a quote stands: in the document it was asked of, else wherever it stands best.

    The first place whose score reaches the threshold is taken, in the order of the documents; where
    none does, the best. None where nothing of the quote is anywhere.
    """
    best: Passage | None = None
    for document, start, end, inside in _regions(quote, documents):
        found = align(quote.text, document.text[start:end])
        if found is None or (best is not None and found.score <= best.score):
            continue
        place = start + found.start, start + found.end
        best = Passage(document.name, *place, found.score, inside)
        if best.score >= threshold:
            break
    return best


#: What else a figure at the edge of a quote may have, and how far the whole of it reaches.
_MORE_BEFORE = re.compile(r"[\w.,'\u2019\u2032^/\u00b1\u2212\u2013+-]*")
_MORE_BEHIND = re.compile(r"(?:\w|[.,/:^'\u2019\u2032-]\d)*")
_REACH = 60


def widen(place: Passage, text: str) -> Passage:
    """Return a passage of a document's text that cuts no figure: ".5 mg" is not "5 mg"."""
    start, end = place.start, place.end
    base = max(0, start - _REACH)
    if text[start].isdigit() and (before := _MORE_BEFORE.match(text[base:start][::-1])):
        start -= len(before[0])
    if text[end - 1].isdigit() and (behind := _MORE_BEHIND.match(text, end, end + _REACH)):
        end = behind.end()
    for value in find_values(text[base : end + _REACH]):
        if value.start < start - base < value.end:
            start = base + value.start
        if value.start < end - base < value.end:
            end = base + value.end
    return replace(place, start=start, end=end)


def miscopied(quote: str, passage: str) -> str:
    """Return what is wrong with a quote as a copy of a passage, empty where it is word for word.

    "inserted tokens" are words that only the quote has, "elided tokens" such as only the passage
    has, "changed tokens" others in their place; of "ocr" the letters are the same, spaced or
    marked in another way, and of "misspelt" nearly. Case is no fault.
    """
    if " ".join(quote.casefold().split()) in " ".join(passage.casefold().split()):
        return ""
    if _joined(quote) == _joined(passage):
        return "ocr"
    ours, theirs = (re.findall(r"\w+", text.casefold()) for text in (quote, passage))
    faults = set()
    for what, i, j, k, m in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        one, other = "".join(ours[i:j]), "".join(theirs[k:m])
        if what == "delete":
            faults.add("inserted tokens")
        elif what == "insert":
            faults.add("elided tokens")
        elif what == "replace" and one != other:
            alike = SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE
            faults.add("misspelt" if alike else "changed tokens")
    order = ("changed tokens", "inserted tokens", "elided tokens", "misspelt")
    return next((one for one in order if one in faults), "ocr")


#: The share of letters in common from which one word is another misspelt.
_ALIKE = 0.75


def _regions(
    quote: Quote, documents: Sequence[Document]
) -> Iterator[tuple[Document, int, int, bool]]:
    """Yield where to look, the document asked about first, and whether it is that."""
    home = next((one for one in documents if one.name == quote.document), None)
    if home is not None:
        # of repeated passages the one that the model was shown is the one that it copied
        for start, end in (quote.shown, (0, len(home.text))):
            yield home, start, end, True
    for document in documents:
        if document is not home:
            yield document, 0, len(document.text), False


#: Code points of a text that is one value, and in which values are looked for: a model may answer
#: with megabytes.
_LONGEST_VALUE = 1_000
_LONGEST = 20_000
_BEFORE = re.compile(r"(?i)^[\s\"'“”‘’(\[]*(?:(?:on|of|the|about|approximately)\s+)*")


@functools.lru_cache(4096, typed=True)
def term(value: Scalar) -> Node:
    """Return a value as a node: a typed literal for a date, money or number, else a name."""
    if isinstance(value, bool):
        return Literal(value)
    if isinstance(value, int | float):
        return Literal(
            f"{Decimal(repr(value)).normalize():f}", datatype=XSD.decimal, normalize=False
        )
    found = _typed(value)
    return found.literal if found else mint(ENTITY, value)


_NAMES = {
    "DATE": "date", "TIME": "time", "DURATION": "duration", "MONEY": "money",
    "PERCENT": "percent",
}  # fmt: skip


def kinds(field: Field) -> tuple[frozenset[str], str]:
    """Return the kinds of value that a field's value has in it, and the one that it is alone.

    The kinds are the formats that a schema can declare. A bare figure may be money or a percentage,
    and is neither alone; "" for what is more than one value, or none.
    """
    if not isinstance(field.value, str):
        return frozenset(), ""
    text = _in_prose(field.value)
    # "a year" is one year
    held = {_NAMES.get(v.kind, "") for v in _values(re.sub(r"(?i)\ban?\b", "one", text))}
    own = _typed(field.value)
    bare = re.fullmatch(r"\d[\d.,]*", text) or (own and own.kind == "NUMBER")
    if bare:
        held |= {"money", "percent"}
    if "date" in held:
        held.add("date-time")
    return frozenset(held - {""}), _NAMES.get(own.kind, "") if own and not bare else ""


_ISO_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])", re.A)
_ISO_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
)
_ISO_PERIOD = re.compile(
    r"P(?=[\dT])(?:(?P<years>\d{1,6})Y)?(?:(?P<months>\d{1,6})M)?(?:(?P<weeks>\d{1,6})W)?"
    r"(?:(?P<days>\d{1,6})D)?"
    r"(?:T(?=\d)(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,6})M)?(?:(?P<seconds>\d{1,6})S)?)?"
)


def _in_prose(text: str) -> str:
    """Return an ISO 8601 month, duration or date-time as prose has it, any other text as it is."""
    text = text.strip()
    if match := _ISO_MONTH.fullmatch(text):
        return f"{MONTH_NAMES[int(match[2]) - 1]} {match[1]}"
    if match := _ISO_PERIOD.fullmatch(text):
        return " ".join(f"{int(n)} {unit}" for unit, n in match.groupdict().items() if n)
    if match := _ISO_TIME.fullmatch(text):
        day, clock = match.groups()
        # where a text has a day and no hour, who must write one writes midnight
        return f"{day} {clock}" if clock.strip("0:") else day
    return text


@functools.lru_cache(4096)
def _typed(text: str) -> Value | None:
    """Return what a text is if it is one value and nothing else."""
    if len(text) > _LONGEST_VALUE:
        return None
    text = _in_prose(text)
    found = _values(text)
    if len(found) != 1:
        return None
    before, after = _BEFORE.sub("", text[: found[0].start]), text[found[0].end :]
    return None if re.search(r"\w", before + after) else found[0]


@functools.lru_cache(4096)
def _values(text: str) -> tuple[Value, ...]:
    return find_values(text[:_LONGEST])


#: From what settles a comparison to what says nothing.
_RELATIONS = ("equal", "claim-coarser", "source-coarser", "overlap", "disjoint", "incomparable")


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a value compares with what a passage has (`values.compare`), and the words it has for it.

    "equal" and "claim-coarser" say that the passage has the value; `words` is empty unless it is
    equal.
    """

    relation: str
    words: str = ""


def relate(field: Field, passage: str) -> Comparison | None:
    """Return how a value compares with what a passage has, None where that cannot be told.

    Dates, money, durations, percentages and numbers compare by value ("$1,200.00" is "1200
    dollars"), names by their words, up to case and spaces; a value that the schema words, and one
    of plain words only, cannot be looked for, unless it is longer than the passage.
    """
    if field.worded:
        return None
    if not isinstance(field.value, str):
        return _figure(Decimal(repr(field.value)), passage)
    own = _typed(field.value)
    if own is None:
        if apart := _occurrence(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", field.value), passage):
            return Comparison("equal", apart)  # of an identifier, InChambers, the words
        relation = _named(_in_prose(field.value), passage)
        if relation is None and len(field.value) > len(passage):
            relation = "incomparable"  # a word or two evidence no sentence
        return None if relation is None else Comparison(relation)
    found = [
        Comparison(compare(own.literal, other.literal), passage[other.start : other.end])
        for other in _values(passage)
    ]
    if own.literal.datatype in (XSD.integer, XSD.decimal):
        found.append(_figure(Decimal(str(own.literal)), passage))
    best = min(
        found, key=lambda c: _RELATIONS.index(c.relation), default=Comparison("incomparable")
    )
    # what a scan has torn apart is no value to the reader of values
    if best.relation in ("disjoint", "incomparable") and _occurs(field.value, passage):
        return Comparison("equal")
    if best.relation not in ("equal", "claim-coarser"):
        for written in _written(own):
            if found_as := _occurrence(written, passage):
                return Comparison("equal", found_as)
    return best if best.relation == "equal" else Comparison(best.relation)


def _written(value: Value) -> Iterator[str]:
    """Yield how a passage may write a day or a month of a year, in English.

    A year of two digits stands for any century: "jun 14, 25" is 2025-06-14.
    """
    match = re.fullmatch(r"(\d{4})-(\d\d)(?:-(\d\d))?", str(value.literal))
    if value.kind != "DATE" or match is None:
        return
    year, month, day = match[1], MONTH_NAMES[int(match[2]) - 1], (match[3] or "").lstrip("0")
    for name in dict.fromkeys((month, month[:3], f"{month[:3]}.")):
        for number in (year, year[2:]):
            if day:
                yield f"{name} {day}, {number}"
                yield f"{name} {day} {number}"
                yield f"{day} {name} {number}"
            elif number == year:
                yield f"{name} {number}"
                yield f"{name}, {number}"


#: Beside figures that are a whole number: no sign, point or other figures of the same one.
_BEFORE_FIGURES = r"(?<![\w.,^/'\u2019\u2032\u00b1\u2212\u2013-])(?!(?<=[1-9]\s)\d{3}(?!\w))"
_BEHIND_FIGURES = r"(?!\w|[.,'\u2019\u2032]\d|\s\d{3}(?!\w)|\^|\s?[\u00d7x]\s?10)"


def _figure(number: Decimal, passage: str) -> Comparison:
    """Compare a bare number with every figure of a passage, whatever it counts."""
    values = _values(passage)
    for value in values:
        said = passage[value.start : value.end]
        figures = set(figures_in(said))
        if value.kind in ("MONEY", "PERCENT", "NUMBER"):
            figures.add(Decimal(str(value.literal).partition(" ")[0]))
        if value.kind == "PERCENT":
            figures |= {figure / 100 for figure in figures}
        if words := spelled(said):
            figures.add(Decimal(words[0]))
        if number in figures:
            return Comparison("equal", said)
    for value in reversed(values):
        passage = f"{passage[: value.start]} {passage[value.end :]}"
    plain = f"{number.normalize():f}"
    if re.search(f"{_BEFORE_FIGURES}{re.escape(plain)}{_BEHIND_FIGURES}", passage.replace(",", "")):
        return Comparison("equal")
    return Comparison("disjoint" if values else "incomparable")


#: Forms of company that are written either way.
_FORMS = table("forms")
#: An address of the web or of mail, which is a name without capitals.
_ADDRESS = re.compile(
    r"\b[\w.+-]{1,80}@[\w.-]{1,80}\w|\b(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}\b(?:/[\w./~%-]{0,200}\w)?"
)


def _named(text: str, passage: str) -> str | None:
    """Say whether a passage has the names, addresses and values that a text has."""
    if _occurs(text, passage):
        return "equal"
    addresses = _ADDRESS.findall(text)
    if not all(_occurs(address, passage) for address in addresses):
        return "incomparable"
    values = _values(text)
    there = _values(passage)
    for value in values:
        relations = [compare(value.literal, other.literal) for other in there]
        if not {"equal", "claim-coarser"} & set(relations) and not _occurs(
            text[value.start : value.end], passage
        ):
            return "incomparable"
    for value in reversed(values):
        text = text[: value.start] + " " + text[value.end :]
    wanted = [w for w in _tokens(text) if w[:1].isupper() or any(c.isdigit() for c in w)]
    if not wanted and not values and not addresses:
        return None
    has = {_form(word) for word in _tokens(passage)}
    joined = _joined(passage)
    missing = [
        w for w in wanted if _form(w) not in has and not (len(w) > 4 and _joined(w) in joined)
    ]
    return "incomparable" if missing else "equal"


def _tokens(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", re.sub(r"(?<=\b\w)\.(?=\w\b)", "", text))


def _form(word: str) -> str:
    folded = word.casefold()
    return _FORMS.get(folded, folded)


def _occurs(text: str, passage: str) -> bool:
    """Return whether a passage has a text, up to case and spaces, and not within a longer word."""
    return bool(_occurrence(text, passage))


def _occurrence(text: str, passage: str) -> str:
    """Return the words by which a passage has a text, up to case and spaces, empty for none."""
    letters = [re.escape(c) for c in text.casefold() if not c.isspace()]
    if not letters or len(letters) > len(passage):
        return ""
    first, last = text.strip()[:1], text.strip()[-1:]
    before = _BEFORE_FIGURES if first.isdigit() else r"(?<!\w)" if first.isalpha() else ""
    after = _BEHIND_FIGURES if last.isdigit() else r"(?!\w)" if last.isalpha() else ""
    pattern = before + r"\s{0,40}".join(letters) + after
    folded = passage.casefold()
    found = re.search(pattern, folded)
    if found is None:
        return ""
    # a letter that folds to two moves what follows it
    return passage[found.start() : found.end()] if len(folded) == len(passage) else found[0]


def _joined(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def rivals(field: Field, passage: str) -> tuple[Value, ...]:
    """Return the values of a passage that are of the kind of a field's and exclude it."""
    own = _typed(field.value) if isinstance(field.value, str) else None
    if own is None or field.worded:
        return ()
    found: dict[Literal, Value] = {}
    for value in _values(passage):
        if value.literal.datatype == own.literal.datatype or value.kind == own.kind:
            found.setdefault(value.literal, value)
    if any(compare(own.literal, literal) != "disjoint" for literal in found):
        return ()
    return tuple(found.values())

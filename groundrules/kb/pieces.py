"""A question in its pieces: names, words of columns and of classes, stated texts, what bounds.

Each word of it is in one piece, says nothing, or is unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal as OneOf
from typing import cast

from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english import ARTICLES, MONTHS, singular
from groundrules.claims.english.asking import (
    EXTREMES,
    LEAST,
    MEASURED,
    OF_AMOUNTS,
    OF_COLUMNS,
    OF_DAYS,
    SILENT,
)
from groundrules.kb.columns import Column, Columns, base, matching
from groundrules.kb.questions import UnansweredError
from groundrules.kb.source import Entity, Fault, Graph, Item, Property, Query

#: What a value is to a bound; "is" is said of things and texts.
Side = OneOf["is", "=", "<", ">", "<=", ">="]
_WORD = re.compile(r"\w+(?:[-.,]\w+)*|['’]s\b")
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?i)\b(?:(?P<iso>\d{{4}}(?:-\d\d(?:-\d\d)?)?)|(?:(?P<d>\d{{1,2}})\s+)?(?P<m>{_MONTH})\.?\s+"
    rf"(?:(?P<e>\d{{1,2}}),?\s+)?(?P<y>\d{{4}}))\b"
)
_AMOUNT = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w.-]{0,20}\w)")
_SIDE = {
    dated: re.compile(
        rf"(?i)\b({'|'.join(sorted(sides, key=len, reverse=True))})\s+(?:the\s+)?(?:year\s+)?$"
    )
    for dated, sides in ((True, OF_DAYS), (False, OF_AMOUNTS))
}
_COMPARED = re.compile(r"(?i)\b(\w{2,}er)\s+than\s+$")
_BETWEEN = re.compile(r"(?i)\bbetween\s+$")
_AND = re.compile(r"(?i)\s+and\s+")
HEAD = re.compile(r"(?i)\W{0,9}(how many|how much|how|who|whom|when|where|\w+)\b")
IN_WHICH = re.compile(r"(?i)\W{0,9}(?:in|on|of|at|since|from)\s+(?=which|what|whom)")
_MOST_WORDS = 8
#: What bears each name: `Connection.bearers`.
Named = Callable[[Iterable[str]], Mapping[str, tuple[Entity, ...] | Fault]]
_TEXTS = "SELECT DISTINCT ?p ?v WHERE { VALUES ?v { $texts } VALUES ?p { $columns } ?s ?p ?v }"


@dataclass(frozen=True, slots=True)
class Condition:
    """What a row is to have in a column: a thing, a text, or what a day or an amount bounds.

    `back` says that the thing has the row in its column; any of the `others` will do besides; where
    it is `denied` the row has something in the column, and none of these.
    """

    column: Column
    side: Side
    value: Node
    back: bool = False
    others: tuple[Node, ...] = ()
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a question: its words by place, and what they are."""

    start: int
    end: int
    text: str
    things: tuple[Entity, ...] = ()
    columns: tuple[Column, ...] = ()
    kinds: tuple[URIRef, ...] = ()
    side: Side | None = None
    value: Node | None = None
    other: Condition | None = None
    measured: tuple[Column, ...] = ()
    extreme: str = ""


@dataclass(slots=True)
class Pieces:
    """A question in its pieces; those that have their place are taken out.

    It is `turned` by an "or" or a "not" that is no piece.
    """

    text: str
    head: str
    columns: Columns
    pieces: list[Piece] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    turned: str = ""

    def some(self, has: Callable[[Piece], object]) -> list[Piece]:
        """Return the pieces of which something is so."""
        return [one for one in self.pieces if has(one)]

    @property
    def names(self) -> list[Piece]:
        """The names of things."""
        return self.some(lambda one: one.things)

    @property
    def asked(self) -> list[Piece]:
        """The words of columns."""
        return self.some(lambda one: one.columns and one.value is None)

    @property
    def kinds(self) -> list[Piece]:
        """The words of classes."""
        return self.some(lambda one: one.kinds)

    @property
    def bounds(self) -> list[Piece]:
        """The days and amounts, with what they bound."""
        return self.some(lambda one: one.side)

    @property
    def texts(self) -> list[Piece]:
        """The texts that are values of a column."""
        return self.some(lambda one: one.value is not None and one.side is None)

    def take(self, *pieces: Piece) -> None:
        """Take out pieces that have their place."""
        for one in pieces:
            self.pieces.remove(one)


#: Stands in a stretch until it is known which column that is of.
NO_COLUMN = Column(URIRef("urn:none"), "", Property(URIRef("urn:none")), ())


def read_pieces(
    question: str,
    columns: Columns,
    graph: Graph,
    named: Named,
) -> Pieces:
    """Return a question in its pieces, each word in one of them or unread."""
    lead = IN_WHICH.match(question)
    start = lead.end() if lead else 0
    head = HEAD.match(question, start)
    asked = Pieces(question, head[1].lower() if head else "", columns)
    free = [True] * len(question)
    free[: head.end() if head else 0] = [False] * (head.end() if head else 0)

    def add(piece: Piece) -> None:
        free[piece.start : piece.end] = [False] * (piece.end - piece.start)
        asked.pieces.append(piece)

    for piece in _names(question, named, columns):
        if all(free[piece.start : piece.end]):
            add(piece)
    for piece in _bounded(question, columns):
        if all(free[piece.start : piece.end]):
            add(piece)
    for piece in _stated_texts(question, free, columns, graph):
        if all(free[piece.start : piece.end]):
            add(piece)
    words = [m for m in _WORD.finditer(question) if all(free[m.start() : m.end()])]
    _read_words(words, asked)
    asked.pieces.sort(key=lambda one: one.start)
    return asked


def _names(question: str, named: Named, columns: Columns) -> Iterator[Piece]:
    """Yield the names of things in a question, the longest first."""
    spans = sorted(_free_runs(question, [True] * len(question)), key=lambda s: (s[0] - s[1], s))
    bearers = named(list(dict.fromkeys(question[a:b] for a, b in spans))) if spans else {}
    for start, end in spans:
        text = question[start:end]
        found = bearers.get(text)
        things = tuple(
            one
            for one in (found if isinstance(found, tuple) else ())
            if any(kind in columns.labels for kind in one.types)
        )
        if things and (" " in text or not text.islower()):
            yield Piece(start, end, text, things=things)


def _bounded(question: str, columns: Columns) -> Iterator[Piece]:
    """Yield days and amounts with what stands before them, and the ends of a stretch of either."""
    dates = [(m, Literal(_iso(m))) for m in _DATE.finditer(question)]
    taken = [m.span() for m, _ in dates]
    amounts = [
        (m, Literal(m[0].replace(",", ""), datatype=_DECIMAL))
        for m in _AMOUNT.finditer(question)
        if not any(a <= m.start() < b for a, b in taken)
    ]
    # a year may be an amount: "more than 2000 employees"
    years = [(m, Literal(m[0], datatype=_DECIMAL)) for m, _ in dates if m[0].isdecimal()]
    for found in (dates, amounts):
        for (a, low), (b, high) in pairwise(found):
            lead = _BETWEEN.search(question[: a.start()])
            if lead and _AND.fullmatch(question[a.end() : b.start()]):
                text = question[lead.start() : b.end()]
                yield Piece(
                    lead.start(), b.end(), text, side=">=", value=low,
                    other=Condition(NO_COLUMN, "<=", high),
                )  # fmt: skip
    for found, dated in ((dates, True), ([*amounts, *years], False)):
        for match, value in found:
            start, side, measured = _lead(question[: match.start()], dated, columns)
            if side:
                yield Piece(
                    start, match.end(), question[start : match.end()],
                    side=cast(Side, side), value=value, measured=measured,
                )  # fmt: skip


def _lead(before: str, dated: bool, columns: Columns) -> tuple[int, str, tuple[Column, ...]]:
    """Return where what stands before a value begins, its side, and the columns it measures.

    The side is empty where nothing says it of a date, or something else is said of an amount.
    """
    if lead := _SIDE[dated].search(before):
        sides = OF_DAYS if dated else OF_AMOUNTS
        return lead.start(), sides[lead[1].lower()], ()
    if dated or _SIDE[True].search(before):
        return len(before), "", ()
    lead = _COMPARED.search(before)
    plain = _positive(lead[1].lower().removesuffix("r") + "st") if lead else ""
    if lead is None or plain not in MEASURED:
        return len(before), "" if before.rstrip().lower().endswith("than") else "=", ()
    side = "<" if plain in LEAST else ">"
    return lead.start(), side, _measured(MEASURED[plain], columns)


_DECIMAL = URIRef("http://www.w3.org/2001/XMLSchema#decimal")


def _iso(match: re.Match[str]) -> str:
    if match["iso"]:
        return match["iso"]
    day = match["d"] or match["e"]
    month = f"{match['y']}-{MONTHS[match['m'].lower()]:02d}"
    return f"{month}-{int(day):02d}" if day else month


def _stated_texts(
    question: str, free: Sequence[bool], columns: Columns, graph: Graph
) -> Iterator[Piece]:
    """Yield the texts of a question that are values of a column of texts, the longest first."""
    by_iri = {one.iri: one for one in columns.all if one.kind == "text"}
    spelled = {
        form: span
        for span in sorted(_free_runs(question, free))
        for form in _spellings(question[span[0] : span[1]])
    }
    if not by_iri or not spelled:
        return
    blocks: dict[str, list[Item]] = {
        "texts": [(Literal(one),) for one in spelled],
        "columns": [(one,) for one in by_iri],
    }
    answer = graph.select(Query(_TEXTS, blocks))
    for fault in answer.faults.values():
        raise UnansweredError(fault)
    found: dict[tuple[int, int], dict[URIRef, Node]] = {}
    for row in answer.rows:
        p = row["p"]
        if isinstance(p, URIRef) and str(row["v"]) in spelled:
            found.setdefault(spelled[str(row["v"])], {}).setdefault(p, row["v"])
    for span in sorted(found, key=lambda one: (one[0] - one[1], one)):
        # a text of two columns says nothing of which is meant
        if len(found[span]) == 1:
            ((p, value),) = found[span].items()
            yield Piece(*span, question[span[0] : span[1]], columns=(by_iri[p],), value=value)


def _free_runs(question: str, free: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield where some words stand of which none is taken, one that says nothing left out."""
    words = [m for m in _WORD.finditer(question) if all(free[m.start() : m.end()])]
    for first, one in enumerate(words):
        for last in range(first, min(first + _MOST_WORDS, len(words))):
            start, end = one.start(), words[last].end()
            if not all(free[n] or question[n].isspace() for n in range(start, end)):
                break
            if first != last or one[0].lower() not in SILENT:
                yield start, end


def _spellings(text: str) -> Iterable[str]:
    """Return a text in the cases and the number that a table may have it in."""
    *lead, last = text.split(" ")
    one = " ".join((*lead, singular(last)))
    return dict.fromkeys(
        spelled
        for form in (text, one)
        for spelled in (form, form.lower(), form.capitalize(), form.title(), form.upper())
    )


def _read_words(words: Sequence[re.Match[str]], asked: Pieces) -> None:
    """Read the words that are left: columns, classes, adjectives; others are unread."""
    columns, at = asked.columns, 0
    while at < len(words):
        for count in range(min(4, len(words) - at), 0, -1):
            run = words[at : at + count]
            if piece := _word_piece(run, asked, columns):
                asked.pieces.append(piece)
                at += count
                break
        else:
            word = words[at][0].lower()
            if word not in SILENT and word not in {"'s", "’s"} and word not in OF_COLUMNS:
                _leave(words, at, asked)
            at += 1


def _leave(words: Sequence[re.Match[str]], at: int, asked: Pieces) -> None:
    """Note a word as unread; capitalised ones that stand together are one name."""
    word = words[at]
    before = words[at - 1] if at else None
    if (
        before is not None
        and asked.unread
        and asked.unread[-1].endswith(before[0])
        and before[0][:1].isupper()
        and word[0][:1].isupper()
        and not asked.text[before.end() : word.start()].strip()
    ):
        asked.unread[-1] += f" {word[0]}"
    else:
        asked.unread.append(word[0])


def _word_piece(run: Sequence[re.Match[str]], asked: Pieces, columns: Columns) -> Piece | None:
    said = [match[0].lower() for match in run]
    if not OF_COLUMNS.isdisjoint(said[:1]) or any(one in SILENT for one in (said[0], said[-1])):
        return None
    told = [one for one in said if one not in ARTICLES]
    keys = tuple(base(one) for one in told)
    start, end = run[0].start(), run[-1].end()
    text = asked.text[start:end]
    found = matching(columns.all, told)
    kinds = columns.classes.get(keys, ())
    if len(run) == 1 and not (found or kinds):
        return _measure_piece(said[0], start, end, text, columns, asked.head)
    if found or kinds:
        return Piece(start, end, text, columns=found, kinds=kinds)
    return None


def _measure_piece(
    word: str, start: int, end: int, text: str, columns: Columns, head: str
) -> Piece | None:
    """Read an adjective that measures a column, or that asks for the greatest or the least."""
    if word in EXTREMES:
        own = _measured(MEASURED.get(_positive(word), ""), columns)
        return Piece(start, end, text, columns=own, extreme=EXTREMES[word])
    plain = word if head == "how" else _positive(word)
    if plain in MEASURED and (head == "how" or plain != word):
        side = "" if head == "how" else ("least" if plain in LEAST else "most")
        found = _measured(MEASURED[plain], columns)
        if found:
            return Piece(start, end, text, columns=found, extreme=side)
    return None


def _measured(nouns: str, columns: Columns) -> tuple[Column, ...]:
    wanted = {base(noun) for noun in nouns.split()}
    return tuple(
        one
        for one in columns.all
        if one.kind == "quantity" and any(wanted.intersection(name) for name in one.names)
    )


def _positive(word: str) -> str:
    """Return the adjective of a superlative: tallest, biggest, heaviest."""
    for stem in (word.removesuffix("est"), word.removesuffix("st")):
        for one in (stem, stem[:-1] + "y" if stem.endswith("i") else stem,
                    stem[:-1] if stem[-2:-1] == stem[-1:] else stem):  # fmt: skip
            if one in MEASURED and one != word:
                return one
    return word

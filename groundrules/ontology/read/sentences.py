"""Sentences with the names, values and things that stand in them."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rdflib.term import Literal, Node

from groundrules.claims.english.alternations import AHEAD_OF_NAMES, PRONOUNS_AND_PARTIES
from groundrules.claims.english.fillers import INSIDE_NAMES
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.names.names import lists
from groundrules.ontology.read.lexicon import Lexicon
from groundrules.terms import Mention, Span

#: How much of a sentence is read, in code points.
LONGEST = 3000
_VALUES = {"DATE", "MONEY", "DURATION", "NUMBER", "PERCENT", "SECTION"}
_NAMES = {"PERSON", "ORG", "MISC", "LOC", "TERM"}
#: Pronouns, and what a recogniser takes into a name at the beginning of a sentence.
_NOT_NAMES = re.compile(rf"(?i)(?:{PRONOUNS_AND_PARTIES})$|(?:{AHEAD_OF_NAMES})\b|\d{{4}},")


@dataclass(frozen=True, slots=True)
class Word:
    """A name, a value, a role or a thing of the lexicon that stands in a sentence.

    `node` is None for a role that no name is known for and for a sign by its description;
    `text` is as written, white space made one blank.
    """

    kind: str
    text: str
    span: Span
    node: Node | None
    mention: str = ""
    named: bool = False


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence: its text, white space made one blank, and its words by their places in that."""

    index: int
    span: Span
    text: str
    words: dict[int, Word]


def line_of(text: str, sentence: Marked) -> str:
    """Return a sentence for a parser, as long as it was.

    It has one line, the point of "No. 4" ends nothing, and the year of a name is no other word.
    """
    span = sentence.span
    line = re.sub(r"\s", " ", text[span.start : span.end])
    for word in sentence.words.values():
        if word.named and re.search(r"[a-z]\s(?:1[5-9]|20)\d\d$", word.text):
            at = word.span.end - 5 - span.start
            line = f"{line[:at]}-{line[at + 1 :]}"
    return re.sub(r"\bNo\.(?=\s\d)", "Nr.", line)


def marked(extraction: Extraction, lexicon: Lexicon) -> Iterator[Marked]:
    """Yield the sentences of a document with their names, values and things."""
    text = extraction.document.text
    mentions = [m for m in extraction.mentions if m.kind in _VALUES | _NAMES]
    starts = [m.span.start for m in mentions]
    roles = _roles(lexicon)
    for index, span in enumerate(extraction.sentences):
        end = min(span.end, span.start + LONGEST)
        first, last = bisect.bisect_left(starts, span.start), bisect.bisect_left(starts, end)
        inside = [m for m in mentions[first:last] if m.span.end <= end]
        flat, places = _flat(text, span.start, end)
        words = _words(flat, places, span.source, inside, lexicon, roles)
        yield Marked(index, span, flat, {start: word for start, _, word in words})


def _flat(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """Return a stretch with each run of white space made one blank, and where each stood."""
    chars: list[str] = []
    places: list[int] = []
    blank = True
    for i in range(start, end):
        char = text[i]
        if char.isspace():
            if not blank:
                chars.append(" ")
                places.append(i)
            blank = True
        else:
            chars.append(char)
            places.append(i)
            blank = False
    places.append(end)
    return "".join(chars), places


def _roles(lexicon: Lexicon) -> re.Pattern[str] | None:
    if not lexicon.roles:
        return None
    words = sorted(lexicon.roles, key=lambda word: (-len(word), word))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)


def _words(
    flat: str,
    places: Sequence[int],
    source: str,
    mentions: Sequence[Mention],
    lexicon: Lexicon,
    roles: re.Pattern[str] | None,
) -> list[tuple[int, int, Word]]:
    """Return what stands where in the flat text, the longer before the shorter."""
    found: list[tuple[int, int, Word]] = []

    def add(
        start: int, end: int, kind: str, node: Node | None, mention: str = "", named: bool = False
    ) -> None:
        span = Span(source, places[start], places[end - 1] + 1)
        found.append((start, end, Word(kind, flat[start:end], span, node, mention, named)))

    for sign in lexicon.signs:
        for pattern, named in ((sign.definite, False), (sign.named, True)):
            for match in pattern.finditer(flat) if pattern else ():
                start, end = match.span("name") if "name" in match.groupdict() else match.span()
                add(start, end, sign.name, None, named=named)
    known: dict[int, Mention] = {}
    for m in mentions:
        start = bisect.bisect_left(places, m.span.start)
        end = bisect.bisect_left(places, m.span.end)
        known.setdefault(start, m)
        if start >= end or (m.kind in _NAMES and not _is_name(m.text)):
            continue
        if m.kind in _VALUES:
            add(start, end, m.kind, m.node)
        elif not isinstance(m.node, Literal):
            add(start, end, "NAME", m.node, mention=m.kind)
        elif str(m.node.datatype).endswith(("date", "gYear", "gYearMonth", "years")):
            add(start, end, "DATE", m.node)
    for match in roles.finditer(flat) if roles else ():
        held = known.get(match.start())
        whole = held is not None and bisect.bisect_left(places, held.span.end) == match.end()
        add(match.start(), match.end(), "ROLE", held.node if held and whole else None)
    order = {name: i for i, name in enumerate(["ROLE", *(s.name for s in lexicon.signs)])}
    found.sort(key=lambda f: (f[0] - f[1], order.get(f[2].kind, 99), f[0]))
    taken = bytearray(len(flat))
    kept = []
    for start, end, word in found:
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            kept.append((start, end, word))
    return sorted(kept, key=lambda f: f[0])


def _is_name(text: str) -> bool:
    """Return whether words are a name: no pronoun, and no verb or noun in lower case."""
    if _NOT_NAMES.match(text):
        return False
    lower = [word for word in re.findall(r"[^\W\d_]+", text) if word.islower() and len(word) > 1]
    inside = INSIDE_NAMES | lists()["suffixes"]
    return all(word in inside for word in lower) or text.islower()

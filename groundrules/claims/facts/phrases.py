"""Phrases: what a word heads, as a node, a label and a place."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from rdflib.term import Node

from groundrules import domain
from groundrules.claims.english import DETERMINERS, TAKEN_UP, words
from groundrules.claims.english.fillers import NOT_CORE
from groundrules.claims.names.names import Name
from groundrules.claims.units.blocks import Block
from groundrules.claims.values.value_reader import Value
from groundrules.terms import ENTITY, Span, mint

if TYPE_CHECKING:
    from spacy.tokens import Token

_MODIFIERS = words("modifiers")
NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "SYM", "X", "ADJ"})
_DOTTED = re.compile(r"\b(?:[A-Z]\.){2,}|\b(?:[A-Z]\.)+[A-Z]\b")


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words `start:end` of a passage read as one thing; `kind` as in `Mention`."""

    start: int
    end: int
    head: int
    label: str
    node: Node
    kind: str


@dataclass(slots=True)
class Passage:
    """A block with its names and values, and the phrases read so far."""

    block: Block
    source: str
    text: str
    names: tuple[Name, ...] = ()
    values: tuple[Value, ...] = ()
    antecedent: Callable[[Token], Phrase | None] = lambda _: None
    name_at: dict[int, Name] = field(default_factory=dict)
    value_at: dict[int, tuple[int, int, Value]] = field(default_factory=dict)
    read: dict[int, Phrase | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.names:
            for i in range(name.start, name.end):
                self.name_at[i] = name
        starts = [start for start, _ in self.block.offsets]
        ends = [end for _, end in self.block.offsets]
        for value in self.values:
            first = bisect.bisect_right(ends, value.start)
            last = bisect.bisect_left(starts, value.end)
            for i in range(first, last):
                self.value_at[i] = (first, last, value)

    def span(self, start: int, end: int) -> Span:
        """Return the place in the document of the words `start:end`."""
        return Span(self.source, self.block.offsets[start][0], self.block.offsets[end - 1][1])

    def quote(self, start: int, end: int) -> str:
        """Return the words `start:end` as the document has them."""
        return self.text[self.block.offsets[start][0] : self.block.offsets[end - 1][1]]


def sound(text: str) -> str:
    """Return the text with each lone surrogate, which no IRI can hold, as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


#: What a label neither begins nor ends with, after its article neither.
_EDGES = " .;:'’"


@lru_cache(maxsize=16384)
def normalised(text: str) -> str:
    """Return a label: single spaces, no commas, quotes or final stops; `U.S.` becomes `US`."""
    text = sound(text)
    text = _DOTTED.sub(lambda m: m.group().replace(".", ""), text)
    text = re.sub(r"[,\"“”`*\[\]()]|''|-[LRlr][RSrs][Bb]-", " ", text)
    text = re.sub(r"(?<![\s'’])\s+(['’]s\b|['’](?=\s|$))", r"\1", text)
    text = re.sub(r"(?<=[A-Za-z]{2})\.(?=\s|$)", "", text)
    text = re.sub(r"(?<=\w)\s+-\s+(?=\w)", "-", text)
    text = " ".join(text.split()).strip(_EDGES)
    first, _, rest = text.partition(" ")
    rest = rest.lstrip(_EDGES)
    return rest if rest and first.casefold() in {"the", "a", "an"} else text


def unique(source: str, label: str, start: int) -> Node:
    """Return a node of its own for a word that names something only in its place."""
    return mint(ENTITY, sound(f"{label} @ {source} {start}"))


def phrase(passage: Passage, token: Token) -> Phrase:
    """Return the phrase a word heads, without determiners; cached per passage."""
    if token.i in passage.read:  # a possessor cannot be its own: while it is read it is plain
        return passage.read[token.i] or _single(passage, token, "NOUN")
    # A phrase has that of its possessor in it, so the last possessor is read first.
    chain: list[Token] = []
    owner: Token | None = token
    while owner is not None and owner.i not in passage.read:
        passage.read[owner.i] = None
        chain.append(owner)
        owner = _owner(passage, owner) if _is_noun(passage, owner) else None
    for one in reversed(chain):
        found = passage.read[one.i] = _read(passage, one)
    return found


def _single(passage: Passage, token: Token, kind: str) -> Phrase:
    label = normalised(passage.quote(token.i, token.i + 1)) or token.text
    return Phrase(token.i, token.i + 1, token.i, label, mint(ENTITY, label), kind)


def _read(passage: Passage, token: Token) -> Phrase:
    if _is_noun(passage, token):
        return _noun(passage, token)
    value = passage.value_at.get(token.i)
    if value and not _modifies_noun(token, value):
        start, end, found = value
        label = " ".join(passage.text[found.start : found.end].split())
        return Phrase(start, end, token.i, label, found.literal, found.kind)
    name = passage.name_at.get(token.i)
    if name:
        label = normalised(passage.quote(name.start, name.end)) or token.text
        return Phrase(name.start, name.end, token.i, label, mint(ENTITY, label), name.kind)
    return _pronoun(passage, token)


def _is_noun(passage: Passage, token: Token) -> bool:
    """Give whether a word is read as a noun, not as a value, a name or a pronoun."""
    value = passage.value_at.get(token.i)
    if (value and not _modifies_noun(token, value)) or token.i in passage.name_at:
        return False
    return token.tag_ not in {"PRP", "PRP$", "WP", "WDT", "WP$", "EX"} and not (
        token.pos_ == "PRON" and token.tag_ == "DT"
    )


def _modifies_noun(token: Token, value: tuple[int, int, Value]) -> bool:
    """Give a noun with a number before it is no number: `three men`."""
    return value[2].kind == "NUMBER" and token.pos_ in {"NOUN", "PROPN"} and token.tag_ != "CD"


def _pronoun(passage: Passage, token: Token) -> Phrase:
    found = passage.antecedent(token)
    if found:
        return Phrase(token.i, token.i + 1, token.i, found.label, found.node, found.kind)
    node = unique(passage.source, token.lower_, passage.block.offsets[token.i][0])
    return Phrase(token.i, token.i + 1, token.i, token.text, node, "NOUN")


#: The most words that a noun phrase has before its noun; more are a list or no language.
_LONGEST = 40


def core(token: Token) -> int:
    """Return the first word of the noun phrase a noun heads, its determiners left out."""
    doc = token.doc
    start: int = token.i
    for child in reversed(list(token.lefts)):
        if child.dep_ not in _MODIFIERS or child.right_edge.i + 1 != start:
            break
        if token.i - child.left_edge.i > _LONGEST:
            break
        if child.dep_ in {"poss", "det"} or child.lower_ in DETERMINERS | NOT_CORE:
            break
        if child.dep_ == "punct" and not child.text.startswith(("-", "'", '"', "“")):
            break
        start = child.left_edge.i
    while start < token.i and (
        doc[start].lower_ in DETERMINERS
        or doc[start].dep_ in {"punct", "poss", "case"}
        or doc[start].text in {"'s", "’s"}
    ):
        start += 1
    return start


def compound_end(noun: Token) -> int:
    """Return the word after a noun and what hyphens join to its right: `father-in-law`."""
    doc = noun.doc
    end: int = noun.i + 1
    while (
        end + 1 < len(doc)
        and doc[end].text in {"-", "‐", "‑"}
        and not doc[end - 1].whitespace_
        and not doc[end].whitespace_
        and noun.is_ancestor(doc[end + 1])
    ):
        end += 2
    return end


def _noun(passage: Passage, token: Token) -> Phrase:
    start = core(token)
    end = compound_end(token)
    words = [passage.quote(i, i + 1) for i in range(start, end - 1)]
    plain = token.tag_ in {"NN", "NNS"} and not (token.text.isupper() and len(token.text) > 1)
    if token.tag_ == "NNPS" and token.is_sent_start and token.text[1:].islower():
        plain = True
    plain = plain and end == token.i + 1
    last = token.lemma_ if plain and token.lemma_ else passage.quote(end - 1, end)
    if plain and token.text.istitle() and not token.is_sent_start:
        last = token.text  # a name as it is written: "the Premises", "Roots"
    gaps = [passage.block.doc[i].whitespace_ for i in range(start, end - 1)]
    label = "".join(w + g for w, g in zip(words, gaps, strict=True)) + last
    label = normalised(label) or token.text
    owner = _owner(passage, token)
    if owner is not None:
        of = phrase(passage, owner)
        if len(of.label) + len(label) < 80 and of.label.casefold() != label.casefold():
            label = f"{label} of {of.label}"
            if owner.i > token.i:
                end = max(end, of.end)
    if token.lower_ in TAKEN_UP and label.casefold() == token.lower_ and token.text.islower():
        found = passage.antecedent(token) if any(c.lower_ == "the" for c in token.lefts) else None
        if found:
            return Phrase(start, end, token.i, found.label, found.node, found.kind)
    roles = domain.words().roles
    kind = (
        "TERM"
        if label.casefold() in roles and passage.quote(token.i, token.i + 1)[:1].isupper()
        else "NOUN"
    )
    return Phrase(start, end, token.i, label, mint(ENTITY, label), kind)


def _owner(passage: Passage, token: Token) -> Token | None:
    """Give the possessor of a noun: `Apple's chief`, `chief of Apple`; no value is one."""
    found = [c for c in token.children if c.dep_ == "poss" and c.tag_ not in {"WP$"}]
    for child in token.children:
        if child.dep_ == "prep" and child.lower_ == "of" and child.i > token.i:
            found += [c for c in child.children if c.dep_ == "pobj"]
    for owner in found:
        held = passage.value_at.get(owner.i)
        if not held or held[2].kind == "SECTION":
            return owner
    return None


def conjuncts(token: Token) -> list[Token]:
    """Return the nominal conjuncts that follow a word, itself first; names for what they name."""
    out, todo = [token], [token]
    while todo:
        head = todo.pop()
        for child in head.children:
            if (
                child.dep_ == "conj"
                and (child.pos_ in NOMINAL or child.tag_ == "CD")
                and len(out) < 30
            ):
                out.append(child)
                todo.append(child)
    return sorted((_named(one) for one in out), key=lambda t: t.i)


def _named(noun: Token) -> Token:
    """Return the name right behind a noun that says what it is: `the physicist Albert Einstein`."""
    if noun.pos_ != "NOUN":
        return noun
    close = (c for c in noun.children if c.dep_ == "appos" and c.left_edge.i == noun.i + 1)
    return next((child for child in close if child.pos_ == "PROPN"), noun)

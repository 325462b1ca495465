"""Words of a statement beside words of a passage: parsed texts, sameness, opposition.

Two words are the same where lemma or stem agree or one side of an axis of `opposites.toml` holds
both; opposed where an axis or a pair of `antonyms.tsv` parts them, or a negative prefix does.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from groundrules import domain
from groundrules.align.parses import parse, parse_ahead
from groundrules.align.tokens import Token, copy_tokens
from groundrules.claims.english import NO_PREFIX
from groundrules.claims.english.fillers import OF_RELATIONS
from groundrules.claims.english.stems import family

_FOLDER = Path(__file__).parent
_PREFIX = re.compile(r"^(?:un|in|im|il|ir|non|dis)-?(?=[a-z]{4})")
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
_CLAUSES = frozenset(
    {"ROOT", "advcl", "ccomp", "relcl", "parataxis", "csubj", "csubjpass", "pcomp"}
)
_SINGULAR = {"fewer": "few", "less": "less", "lesser": "less", "least": "least", "more": "more"}
#: Words and pairs of words that are kept as they were found.
_WORDS = 16_384


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Axes of opposition, single pairs and converse verbs."""

    sides: Mapping[str, frozenset[tuple[str, int]]]
    pairs: Mapping[str, frozenset[str]]
    converse: Mapping[str, frozenset[str]]
    mixed: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A parsed text.

    `lemmas` has the particle with its verb; `clause[i]` is the token that heads the clause of token
    `i`, `sentence[i]` the number of its sentence; `content` are the tokens that say something.
    """

    text: str
    doc: tuple[Token, ...]
    lemmas: tuple[str, ...]
    stems: tuple[str, ...]
    clause: tuple[int, ...]
    sentence: tuple[int, ...]
    content: tuple[int, ...]


@cache
def lexicon() -> Lexicon:
    """Return the shipped lexicon, with the opposites of the domains."""
    data = tomllib.loads((_FOLDER / "opposites.toml").read_text("utf-8"))
    sides: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for axis, (one, other) in {**domain.words().opposites, **data["axes"]}.items():
        for word in one:
            sides[word].add((axis, 1))
        for word in other:
            sides[word].add((axis, -1))
    pairs: dict[str, set[str]] = defaultdict(set)
    for line in (_FOLDER / "antonyms.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            _, first, second = line.split("\t")
            pairs[first].add(second)
            pairs[second].add(first)
    converse: dict[str, set[str]] = defaultdict(set)
    for verb, others in data["converse"].items():
        for other in others:
            converse[verb].add(other)
            converse[other].add(verb)
    return Lexicon(
        {word: frozenset(found) for word, found in sides.items()},
        {word: frozenset(found) for word, found in pairs.items()},
        {word: frozenset(found) for word, found in converse.items()},
        frozenset(data["mixed"]["axes"]),
    )


@lru_cache(maxsize=2048)
def read(text: str) -> Text:
    """Return a text with its parse."""
    parsed = parse(text)
    doc = copy_tokens(parsed)
    lemmas = tuple(_lemma(token) for token in doc)
    sentence = tuple(n for n, sent in enumerate(parsed.sents) for _ in sent)
    content = tuple(token.i for token in doc if _is_content(token, lemmas[token.i]))
    return Text(
        text,
        doc,
        lemmas,
        tuple(family(lemma) for lemma in lemmas),
        tuple(_clause(token) for token in doc),
        sentence,
        content,
    )


def read_ahead(texts: Sequence[str]) -> None:
    """Parse texts together, so that `read` is quick with each of them."""
    parse_ahead(texts)


def _lemma(token: Any) -> str:
    low = str(token.lower_)
    if low in _SINGULAR:
        return _SINGULAR[low]
    lemma = str(token.lemma_).lower() or low
    if token.tag_ in {"JJR", "RBR", "JJS", "RBS"} or lemma == low:
        lemma = _positive(lemma, low)
    particles = [c.lower_ for c in token.children if c.dep_ == "prt" and c.i > token.i]
    return " ".join([lemma, *particles])


def _positive(lemma: str, low: str) -> str:
    """Return the positive of a comparative that the lemmatiser leaves: `dearer`, `tidiest`."""
    known = lexicon()
    if lemma in known.sides or lemma in known.pairs:
        return lemma
    for ending in ("er", "est"):
        if low.endswith(ending) and len(low) > len(ending) + 2:
            bare = low[: -len(ending)]
            for form in (bare, bare + "e", bare[:-1] + "y", bare[:-1]):
                if form in known.sides or form in known.pairs:
                    return form
    return lemma


def _is_content(token: Any, lemma: str) -> bool:
    if token.dep_ in {"aux", "auxpass", "neg", "prt"}:
        return False
    if _is_letter(token):
        return True
    if token.pos_ not in _CONTENT and (token.is_stop or not token.is_alpha or len(token) < 3):
        return False  # what a tagger mistakes still tells, unless it is a small word
    return lemma not in OF_RELATIONS and str(token.lower_) not in OF_RELATIONS


def _is_letter(token: Any) -> bool:
    """Return whether a capital is the name of one of several, "Route A", and no article."""
    if (
        len(token) != 1
        or not token.text.isupper()
        or token.text == "I"
        or token.i == token.sent.start
    ):
        return False
    follows = token.doc[token.i + 1].text if token.i + 1 < token.sent.end else ""
    return token.nbor(-1).pos_ in {"NOUN", "PROPN"} and not follows[:1].isupper()


def _clause(token: Any) -> int:
    while token.head.i != token.i:
        if token.dep_ in _CLAUSES or (
            token.dep_ in {"conj", "acl"} and token.pos_ in {"VERB", "AUX"}
        ):
            break
        token = token.head
    return int(token.i)


@lru_cache(maxsize=_WORDS)
def relation(one: str, other: str) -> int:
    """Return 1 where two lemmas are the same, -1 where they are opposed, 0 else."""
    if one == other:
        return 1
    known = lexicon()
    if other in known.pairs.get(one, ()):
        return -1
    mine, theirs = known.sides.get(one), known.sides.get(other)
    if mine and theirs:
        if mine & theirs:
            return 1
        if {(axis, -side) for axis, side in mine} & theirs:
            return -1
    first, second = family(one), family(other)
    if first == second and len(first) >= 3:
        return 1
    for long, short in ((one, second), (other, first)):
        bare = _bare(long)
        if bare != long and len(short) >= 3 and short in {family(bare), family(family(bare))}:
            return -1
    return 0


@lru_cache(maxsize=_WORDS)
def marks(lemma: str) -> frozenset[str]:
    """Return what a lemma has in common with each that `relation` holds to be the same or opposed.

    So few words of a passage are compared with one of a statement.
    """
    known, bare = lexicon(), _bare(lemma)
    axes = (axis for axis, _ in known.sides.get(lemma, ()))
    stems = {family(bare), family(family(bare))} if bare != lemma else set()
    return frozenset({lemma, family(lemma), *known.pairs.get(lemma, ()), *axes, *stems})


def comparable(one: Any, other: Any) -> bool:
    """Return whether two opposed words can answer one question, by their parts of speech."""
    if (
        one.pos_ == other.pos_
        or _bare(one.lower_) == other.lower_
        or _bare(other.lower_) == one.lower_
    ):
        return True
    kinds = {one.pos_, other.pos_}
    if kinds <= {"ADJ", "ADV"}:
        return True
    if kinds == {"ADJ", "NOUN"}:  # a tagger takes a rare adjective for a noun
        return {one.dep_, other.dep_} <= {"acomp", "attr", "oprd"}
    verbal = kinds & {"VERB"}
    other_kind = (kinds - {"VERB"}) or {"VERB"}
    if not verbal or not other_kind <= {"ADJ", "NOUN"}:
        return False
    mine, theirs = (
        lexicon().sides.get(token.lemma_.lower(), frozenset()) for token in (one, other)
    )
    shared = {axis for axis, side in mine if (axis, -side) in theirs}
    prefixed = {_bare(token.lower_) != token.lower_ for token in (one, other)}
    return bool(shared & lexicon().mixed) or prefixed == {True, False}


def _bare(word: str) -> str:
    """Return a word without a negative prefix."""
    return word if word in NO_PREFIX else _PREFIX.sub("", word)

"""Words of a statement beside words of a passage: parsed texts, likeness, sameness, opposition.

Two words are the same where lemma or stem agree or one side of an axis of `opposites.toml` holds
both; opposed where an axis or a pair of `antonyms.tsv` parts them, or a negative prefix does.
Elsewhere the vectors of their word pieces, in context, say how alike they are.
"""

from __future__ import annotations

import bisect
import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundrules import domain
from groundrules.align.limits import PIECES_ALIKE, PIECES_UNLIKE
from groundrules.align.parses import parse, parse_ahead
from groundrules.align.tokens import Token, copy_tokens
from groundrules.claims.english import NO_PREFIX
from groundrules.claims.english.fillers import LIGHT_WORDS, OF_RELATIONS
from groundrules.claims.english.stems import family
from groundrules.models.embed import encode_tokens

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]

__all__ = [
    "Lexicon",
    "Text",
    "comparable",
    "lexicon",
    "likeness",
    "nearness",
    "read",
    "read_ahead",
    "relation",
    "surroundings",
]

_FOLDER = Path(__file__).parent
_PREFIX = re.compile(r"^(?:un|in|im|il|ir|non|dis)-?(?=[a-z]{4})")
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
_CLAUSES = frozenset(
    {"ROOT", "advcl", "ccomp", "relcl", "parataxis", "csubj", "csubjpass", "pcomp"}
)
_SINGULAR = {"fewer": "few", "less": "less", "lesser": "less", "least": "least", "more": "more"}
#: Words and pairs of words that are kept as they were found.
_WORDS = 200_000


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Axes of opposition, single pairs, converse verbs and the scales of small words."""

    sides: Mapping[str, frozenset[tuple[str, int]]]
    pairs: Mapping[str, frozenset[str]]
    converse: Mapping[str, frozenset[str]]
    scale: Mapping[str, str]
    certainty: Mapping[str, str]
    mixed: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A parsed text.

    `lemmas` has the particle with its verb; `clause[i]` is the token that heads the clause of token
    `i`, `sentence[i]` the number of its sentence; `content` are the tokens that say something, with
    their `weights`; `vectors` has a row for each of them.
    """

    text: str
    doc: tuple[Token, ...]
    lemmas: tuple[str, ...]
    stems: tuple[str, ...]
    clause: tuple[int, ...]
    sentence: tuple[int, ...]
    content: tuple[int, ...]
    weights: tuple[float, ...]
    vectors: Matrix


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
        _inverted(data["scale"]),
        _inverted(data["certainty"]),
        frozenset(data["mixed"]["axes"]),
    )


def _inverted(table: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {word: name for name, listed in table.items() for word in listed}


@lru_cache(maxsize=2048)
def read(text: str) -> Text:
    """Return a text with its parse and the vectors of its content words."""
    parsed = parse(text)
    doc = copy_tokens(parsed)
    lemmas = tuple(_lemma(token) for token in doc)
    sentence = tuple(n for n, sent in enumerate(parsed.sents) for _ in sent)
    content = tuple(token.i for token in doc if _is_content(token, lemmas[token.i]))
    weights = tuple(_weight(doc[i], lemmas[i]) for i in content)
    return Text(
        text,
        doc,
        lemmas,
        tuple(family(lemma) for lemma in lemmas),
        tuple(_clause(token) for token in doc),
        sentence,
        content,
        weights,
        _vectors(text, [(doc[i].idx, doc[i].idx + len(doc[i])) for i in content]),
    )


def read_ahead(texts: Sequence[str]) -> None:
    """Parse and encode texts together, so that `read` is quick with each of them."""
    parse_ahead(texts)
    encode_tokens(texts)


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


def _weight(token: Any, lemma: str) -> float:
    if token.pos_ in {"PROPN", "NUM"}:
        return 1.3
    if lemma in LIGHT_WORDS:
        return 0.25
    return 0.5 if token.pos_ == "ADV" else 1.0


def _clause(token: Any) -> int:
    while token.head.i != token.i:
        if token.dep_ in _CLAUSES or (token.dep_ in {"conj", "acl"} and _verbal(token)):
            break
        token = token.head
    return int(token.i)


def _verbal(token: Any) -> bool:
    return token.pos_ in {"VERB", "AUX"}


def _vectors(text: str, spans: Sequence[tuple[int, int]]) -> Matrix:
    import numpy as np

    (found,) = encode_tokens([text])
    out = np.zeros((len(spans), found.vectors.shape[1]), np.float32)
    starts = [start for start, _ in found.spans]
    for row, (start, end) in enumerate(spans):
        at = max(0, bisect.bisect_right(starts, start) - 1)
        while at < len(starts) and starts[at] < end:
            if found.spans[at][1] > start:
                out[row] += found.vectors[at]
            at += 1
    norms = np.linalg.norm(out, axis=1, keepdims=True)
    out /= np.maximum(norms, 1e-6)
    return out


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


def likeness(mine: Text, theirs: Text) -> tuple[Matrix, Matrix]:
    """Return how alike the content words are, 0..1, and their relations -1, 0 or 1.

    Numbers and names are alike only where they are the same; words that are opposed are alike,
    since they answer one question.
    """
    import numpy as np

    cosines = mine.vectors @ theirs.vectors.T
    like = np.clip((cosines - PIECES_UNLIKE) / (PIECES_ALIKE - PIECES_UNLIKE), 0.0, 0.95).astype(
        np.float32
    )
    relations = np.zeros_like(like)
    columns = [(theirs.lemmas[j], theirs.doc[j]) for j in theirs.content]
    for row, i in enumerate(mine.content):
        token, lemma = mine.doc[i], mine.lemmas[i]
        fixed = token.pos_ == "NUM"
        name = token.pos_ == "PROPN"
        for column, (other, there) in enumerate(columns):
            found = 1 if token.lower_ == there.lower_ else relation(lemma, other)
            if found == 1:
                like[row, column] = 1.0
            elif found == -1:
                like[row, column] = max(0.9, like[row, column])
            elif fixed or there.pos_ == "NUM":
                like[row, column] = 0.0
            elif name or there.pos_ == "PROPN":
                like[row, column] *= 0.4
            relations[row, column] = found
    return like, relations


def nearness(text: Text, index: int) -> Matrix:
    """Return how near each content word stands to a token: its clause, its sentence, beyond."""
    import numpy as np

    out = np.empty(len(text.content), np.float32)
    for n, i in enumerate(text.content):
        if text.clause[i] == text.clause[index]:
            out[n] = 1.0
        elif text.sentence[i] == text.sentence[index]:
            out[n] = 0.85
        else:
            out[n] = 0.6 if abs(text.sentence[i] - text.sentence[index]) == 1 else 0.4
    return out


def surroundings(text: Text, index: int) -> Matrix:
    """Return the weight of each content word for what a token is said of; that of itself is 0."""
    import numpy as np

    out = np.array(text.weights, np.float32)
    head = text.doc[index].head.i
    for n, i in enumerate(text.content):
        if i == index:
            out[n] = 0.0
        elif text.doc[i].head.i == index or i == head:
            out[n] *= 1.5
        elif text.clause[i] != text.clause[index]:
            out[n] *= 0.5
    return out

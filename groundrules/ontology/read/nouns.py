"""Nouns of a parse: their lemmas and what says more of them, each by its link.

In: tokens of spaCy. Out: lemmas, links, the words and the place of the phrase.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

BEFORE_NOUN = frozenset({"compound", "amod", "nummod", "nmod"})


def lemma_of(token: Any) -> str:
    """Return the lemma of a word in lower case; a number and a pronoun stand as they are."""
    plain = token.text[:1].isdigit() or token.pos_ == "PRON"
    plain = plain or (token.dep_ == "amod" and token.tag_ in {"VBN", "VBG"})
    return str(token.lower_ if plain else token.lemma_.lower().rstrip(".") or token.lower_)


def links(noun: Any) -> Iterator[tuple[str, Any]]:
    """Yield what says more of a noun, each by its link: mod, of, also, that or a preposition."""
    for child in noun.children:
        if child.dep_ == "poss":
            yield "of", child
        elif child.dep_ in BEFORE_NOUN:
            yield "mod", child
        elif child.dep_ == "appos":
            yield "also", child
        elif child.dep_ in {"relcl", "acl"}:
            yield "that", child
        elif child.dep_ == "prep":
            yield from objects(child)


def objects(prep: Any) -> Iterator[tuple[str, Any]]:
    """Yield the nouns under a preposition, each with it."""
    for child in prep.children:
        if child.dep_ == "pobj":
            yield prep.lower_, child
            yield from ((prep.lower_, c) for c in child.conjuncts if c.i > child.i)
        elif child.dep_ == "prep":
            yield from objects(child)


def phrase_of(noun: Any) -> str:
    """Return a noun with all that hangs on it, as written."""
    return str(noun.doc[noun.left_edge.i : noun.right_edge.i + 1].text).strip(" ,")


def place_of(noun: Any) -> tuple[int, int]:
    """Return the range of a noun with its article and what stands before it, in code points."""
    own = [c.left_edge for c in noun.children if c.i < noun.i and c.dep_ in {*BEFORE_NOUN, "det"}]
    first = min([noun, *own], key=lambda t: t.i)
    return int(first.idx), int(noun.idx + len(noun))


def determiner_of(noun: Any) -> str:
    """Return the article of a noun or another determiner, of a name "name", else nothing."""
    found = next((c.lower_ for c in noun.children if c.dep_ in {"det", "predet"}), "")
    return found or ("name" if noun.pos_ == "PROPN" else "")


def is_either(noun: Any) -> bool:
    """Return whether a noun is one of several of which "or" leaves open which."""
    joined = (noun, *noun.conjuncts)
    return any(c.dep_ == "cc" and c.lower_ == "or" for one in joined for c in one.children)

"""Propositions: what the sentences of a text assert, in one form, and the words that none holds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from groundrules.claims.counted import Counted
from groundrules.claims.english.logic import (
    DOING,
    EXTRAPOSED,
    LIFTED,
    NEARLY,
    NOUNS_OF_AIMS,
)
from groundrules.claims.normal_forms import expanded
from groundrules.claims.predicates import Reader
from groundrules.claims.quantifiers import Count
from groundrules.claims.slots import Slot, Term, terms_of
from groundrules.claims.tree_words import determiner_of, is_excepting, is_particle

#: Of sentences whose trees are deeper nothing is read.
_DEEPEST = 40
_CONTENT = frozenset({"NOUN", "PROPN", "NUM", "ADJ", "VERB", "ADV"})
_COMPLEMENTS = frozenset("acl xcomp ccomp csubj csubjpass".split())
#: Dependents that are read with the word they hang on.
_WITH_OTHERS = frozenset(
    "aux auxpass neg det predet prt cc mark punct case expl nummod quantmod preconj".split()
)


def propositions(doc: Any, numbers: Mapping[int, Count]) -> list[Term]:
    """Return what the sentences of a parsed text assert, each coordinated part by itself.

    `numbers` has the numbers by token. A phrase before its clause that the parser takes for a
    sentence is read with the clause; a clause with two subjects is misread, and left out, and so is
    a sentence whose tree is too deep, or whose "but" joins nothing.
    """
    reader = Reader(Counted.of(doc, numbers))
    out: list[Term] = []
    fronted: tuple[Slot, ...] = ()
    for sentence in doc.sents:
        root = sentence.root
        if any(_is_deep(t) or is_excepting(t) for t in sentence):
            continue
        verbal = any(t.pos_ in {"VERB", "AUX"} for t in sentence)
        if root.tag_ == "IN" and not verbal and sentence.end < len(doc):
            fronted = tuple(reader.phrases(root))
            continue
        for made in reader.clauses(root):
            out += expanded(replace(made, slots=made.slots + fronted))
        fronted = ()
    return [one for one in out if len(one.of("subj")) < 2]


def asserts_nothing(sentence: Any) -> bool:
    """Return whether a sentence asks or wishes: "Did it rain?", "If only it had rained"."""
    asks = "?" in sentence[-2:].text
    return asks or any(c.dep_ == "mark" and c.lower_ == "if" for c in sentence.root.children)


def _is_deep(token: Any) -> bool:
    """Return whether a word hangs from more words than a sentence of sense has."""
    return next(itertools.islice(token.ancestors, _DEEPEST, None), None) is not None


def _governs(token: Any) -> bool:
    """Return whether a word is read as the force of a clause, or opens a phrase: "due to"."""
    word = token.lemma_.lower()
    clausal = {c.dep_ for t in (token, token.head) for c in t.children}
    governing = word in EXTRAPOSED or word in NOUNS_OF_AIMS
    reason = word == "reason" and bool(clausal & {"advcl", "relcl", "acl"})
    return (
        token.dep_ == "prep"
        or token.head.dep_ == "cc"
        or reason
        or (governing and bool(clausal & _COMPLEMENTS))
    )


def unread(doc: Any, terms: Sequence[Term]) -> list[str]:
    """Return the content words of a parsed text that are in none of its propositions."""
    read = {i for term in terms for inner in terms_of(term) for i in (inner.at, *inner.words)}
    return [
        token.text
        for token in doc
        if token.pos_ in _CONTENT
        and token.i not in read
        and token.dep_ not in _WITH_OTHERS
        and token.lower_ not in DOING
        and token.lemma_.lower() not in LIFTED
        and determiner_of(token.head) not in NEARLY.get(token.lower_, {}).values()
        and not _governs(token)
        and not is_particle(token, token.head)
    ]

"""Propositions: what the sentences of a text assert, in one form, and the words that none holds."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from groundrules.claims.normal_forms import expanded
from groundrules.claims.predicates import Reader
from groundrules.claims.slots import Slot, Term
from groundrules.claims.tree_words import is_excepting

#: Of sentences whose trees are deeper nothing is read.
_DEEPEST = 40
_CONTENT = frozenset({"NOUN", "PROPN", "NUM", "ADJ", "VERB", "ADV"})
_COMPLEMENTS = frozenset("acl xcomp ccomp csubj csubjpass".split())


def propositions(doc: Any) -> list[Term]:
    """Return what the sentences of a parsed text assert, each coordinated part by itself.

    A phrase before its clause that the parser takes for a
    sentence is read with the clause; a clause with two subjects is misread, and left out, and so is
    a sentence whose tree is too deep, or whose "but" joins nothing.
    """
    reader = Reader()
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


def _is_deep(token: Any) -> bool:
    """Return whether a word hangs from more words than a sentence of sense has."""
    return next(itertools.islice(token.ancestors, _DEEPEST, None), None) is not None

"""What a sentence leaves out of what it says, and which words say something of a subject."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from groundrules.align.wordalign import Text
from groundrules.claims.english import BOUNDING, DEEMING, LIGHT_VERBS
from groundrules.claims.quantifiers import is_excepting

#: What names an exception; what comes before and after what is left out.
EXCEPTIONS = frozenset({"except", "excepting", "excluding"})
_INSTEAD = frozenset({("instead", "of"), ("rather", "than"), ("as", "opposed")})
_BREAKS = frozenset({",", ";", "but", "and", "–", "—", "("})
_ENDS = frozenset({",", ";", ".", "but", "–", "—", ")"})


def _contrasts(token: Any) -> bool:
    """Return whether a `not` denies no verb but what follows: `in the mine, not in the hall`."""
    if token.lower_ not in {"not", "never"} or not token.i or token.i + 1 >= len(token.doc):
        return False
    after = token.nbor()
    while after.pos_ == "ADV" and after.i + 1 < len(token.doc):
        after = after.nbor()
    return token.nbor(-1).lower_ in _BREAKS and after.pos_ in {
        "ADP",
        "DET",
        "NOUN",
        "PROPN",
        "SCONJ",
    }


def _compares(token: Any) -> bool:
    """Return whether a word sets what follows against what is told: `unlike Ann`, `instead of`."""
    following = token.nbor().lower_ if token.i + 1 < len(token.doc) else ""
    return token.lower_ == "unlike" or (token.lower_, following) in _INSTEAD


@lru_cache(maxsize=4096)
def remnants(text: Text) -> Mapping[int, int]:
    """Return the words that a sentence leaves out of what it says, each with the word that does so.

    "Not on the coast" of "in the valleys, but not on the coast", "Mill Bank" of "all sites except
    Mill Bank", "the cook" of "everyone but the cook": what is said of the rest is denied of them.
    """
    out: dict[int, int] = {}
    for token in text.doc:
        but = is_excepting(token)
        if but or token.lower_ in EXCEPTIONS or _contrasts(token) or _compares(token):
            for other in text.doc[token.i + 1 :]:
                if other.lower_ in _ENDS or (but and other.pos_ in {"VERB", "AUX"}):
                    break
                out.setdefault(other.i, token.i)
    return out


def bound(text: Text, index: int) -> str:
    """Return the word that bounds in time what the clause of a word says: `since 2009`; else empty.

    What is denied within a bound may hold beyond it: "not tested since 2009" and "last tested in
    2009" say the same.
    """
    for child in text.doc[text.clause[index]].children:
        if child.lower_ in BOUNDING and any(c.isdigit() for one in child.subtree for c in one.text):
            return str(child.lower_)
    return ""


def predicative(text: Text, index: int) -> bool:
    """Return whether a word says something of a subject, so that its clause can deny it."""
    token = text.doc[index]
    if token.pos_ == "VERB" and token.dep_ not in {"amod", "compound"}:
        return True
    if token.dep_ in {"acomp", "attr", "oprd", "ROOT", "xcomp", "ccomp"}:
        return True
    clause = text.clause[index]
    if index > clause and text.lemmas[clause] in DEEMING and index + 1 < len(text.doc):
        return bool(token.nbor().is_punct or token.head.i < index)
    return token.dep_ == "dobj" and text.lemmas[token.head.i] in LIGHT_VERBS

"""What turns the sense of a word where it stands: denials and quantifiers that govern it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from groundrules.align.wordalign import Text, lexicon
from groundrules.claims.english import (
    BOUNDING,
    DEEMING,
    DUTIES,
    IF,
    INDEFINITE,
    LIGHT_VERBS,
    NEGATIVE,
    NOBODY,
    NOT,
    RAISING,
    VOIDING,
)
from groundrules.claims.english.signals import (
    DENIED_AMOUNTS,
    DENIED_LIMITS,
    EXCEPTING,
    NOT_DONE,
    RESTRICTING,
)

__all__ = [
    "EXCLUDED",
    "NEGATIONS",
    "denials",
    "denies",
    "denies_duty",
    "existential",
    "hypothetical",
    "partial",
    "predicative",
    "quantity",
    "restricted",
]

_NOT = NOT | {"hardly", "scarcely", "barely"}
_NOBODY = NOBODY | {"neither", "nowhere"}
_ARGUMENTS = frozenset(
    {"nsubj", "nsubjpass", "dobj", "attr", "dative", "agent", "advmod", "npadvmod"}
)
#: The words that deny whatever the rest of a sentence says.
NEGATIONS = NEGATIVE | {"barely", "nowhere", "fails", "failed", "refused"}
_WHETHER = IF | {"until"}
_TRIGGERS = NEGATIONS | NOT_DONE | VOIDING | EXCEPTING | {"less", "least"}

#: What a quantifier of the statement excludes in the passage.
EXCLUDED = {
    "all": {"most", "some", "onlysome", "notall", "few", "none"},
    "notall": {"all"},
    "most": {"few", "none", "onlysome"},
    "some": {"none"},
    "onlysome": {"all", "most", "none"},
    "few": {"all", "most"},
    "none": {"all", "most", "some", "few", "onlysome"},
}
#: What names an exception; what comes before and after what is left out.
EXCEPTIONS = frozenset({"except", "excepting", "excluding"})
_INSTEAD = frozenset({("instead", "of"), ("rather", "than"), ("as", "opposed")})
_BREAKS = frozenset({",", ";", "but", "and", "–", "—", "("})
_ENDS = frozenset({",", ";", ".", "but", "–", "—", ")"})


def _negator(token: Any) -> bool:
    """Return whether a word denies: `not`, but not `not only`."""
    low = token.lower_
    following = token.nbor().lower_ if token.i + 1 < len(token.doc) else ""
    if low in {"not", "n't", "n’t"} and following in DENIED_LIMITS | DENIED_AMOUNTS:
        return False
    return low in _NOT and not _contrasts(token)


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
    Mill Bank": what is said of the rest is denied of them.
    """
    out: dict[int, int] = {}
    for token in text.doc:
        if token.lower_ in EXCEPTIONS or _contrasts(token) or _compares(token):
            for other in text.doc[token.i + 1 :]:
                if other.lower_ in _ENDS:
                    break
                out.setdefault(other.i, token.i)
    return out


def _takes_away(child: Any, token: Any) -> bool:
    """Return whether a word denies the one it depends on: `no` rent, `no longer`, `less` warm."""
    low = child.lower_
    if low == "no":
        return bool(child.dep_ == "det")
    if low in {"longer", "more"}:
        return any(g.lower_ == "no" for g in child.children)
    return low in {"less", "least"} and child.dep_ == "advmod" and token.pos_ in {"ADJ", "ADV"}


def _own(token: Any, whole: bool) -> set[int]:
    """Return what denies a word directly: its negations, and `no` before what it governs."""
    out: set[int] = set()
    for child in token.children:
        low = child.lower_
        if child.dep_ == "neg" or (child.dep_ in {"advmod", "preconj", "cc", "det"}):
            comes = child.dep_ != "cc" or child.i < token.i
            if (_negator(child) and comes) or _takes_away(child, token):
                out.add(child.i)
        if whole and child.dep_ in _ARGUMENTS:
            if low in DENIED_AMOUNTS or any(
                g.lower_ in DENIED_AMOUNTS | DENIED_LIMITS for g in child.children
            ):
                continue
            if low in _NOBODY:
                out.add(child.i)
            for grandchild in child.children:
                denies_it = grandchild.lower_ in {"no", "neither", "not"}
                if denies_it and grandchild.i < child.i and not _contrasts(grandchild):
                    out.add(grandchild.i)
        if whole and child.dep_ == "prep":
            for noun in child.children:
                out.update(g.i for g in noun.children if g.lower_ == "no" and noun.dep_ == "pobj")
    return out


def denies(text: Text, index: int) -> bool:
    """Return whether anything in the sentence of a word can deny."""
    return text.sentence[index] in _denying(text)


@lru_cache(maxsize=4096)
def _denying(text: Text) -> frozenset[int]:
    return frozenset(
        text.sentence[token.i]
        for token in text.doc
        if token.lower_ in _TRIGGERS or text.lemmas[token.i] in _TRIGGERS
    )


def bound(text: Text, index: int) -> str:
    """Return the word that bounds in time what the clause of a word says: `since 2009`; else empty.

    What is denied within a bound may hold beyond it: "not tested since 2009" and "last tested in
    2009" say the same.
    """
    for child in text.doc[text.clause[index]].children:
        if child.lower_ in BOUNDING and any(c.isdigit() for one in child.subtree for c in one.text):
            return str(child.lower_)
    return ""


def _is_duty_denial(text: Text, index: int) -> bool:
    """Return whether a denial at a word takes a duty away, which denies no deed: `need not`."""
    token = text.doc[index]
    if any(c.dep_ == "aux" and c.lemma_ == "need" for c in token.children):
        return True
    if token.dep_ == "xcomp" and token.head.lower_ == "need":
        return True
    return text.lemmas[index] in DUTIES


@lru_cache(maxsize=50_000)
def denials(text: Text, index: int) -> frozenset[int]:
    """Return the words that deny a word where it stands; an odd number turns it."""
    if not denies(text, index):
        return frozenset()
    token = text.doc[index]
    out: set[int] = set()
    verbal = True
    for _ in range(12):
        verbal = token.pos_ in {"VERB", "AUX", "ADJ"} or token.dep_ in {"ROOT", "attr"}
        own = _own(token, verbal)
        if own and _is_duty_denial(text, token.i):
            break
        out |= own
        head = token.head
        if head.i == token.i:
            break
        dep = token.dep_
        lemma = text.lemmas[head.i]
        if head.lower_ in EXCEPTING and dep in {"pobj", "pcomp"}:
            out.add(head.i)
            break
        if any(c.dep_ == "mark" and c.lower_ == "unless" for c in token.children):
            break
        if dep in {"xcomp", "ccomp", "pcomp", "acl"} and lemma in NOT_DONE:
            out.add(head.i)
        if dep in {"dobj", "nsubjpass"} and lemma in VOIDING:
            out.add(head.i)
        if dep == "pobj" and lemma in {"of", "from"} and head.head.i != head.i:
            above = text.lemmas[head.head.i]
            if above in {"lack", "absence", "free", "short", "void", "devoid", "want"}:
                out.add(head.head.i)
                break
        if dep == "pcomp" and lemma == "from" and text.lemmas[head.head.i] in NOT_DONE:
            out.add(head.head.i)
        if dep in {"advcl", "relcl", "parataxis", "csubj"}:
            break
        if dep == "ccomp":
            if lemma in RAISING:
                out |= {c.i for c in head.children if c.dep_ == "neg"}
            break
        if dep == "conj":
            parted = any(c.lower_ in {"and", "but", ","} for c in head.children if c.dep_ == "cc")
            if parted or any(c.dep_ in {"nsubj", "nsubjpass", "neg"} for c in token.children):
                break
            token = head
            continue
        if dep in {"xcomp", "acomp", "attr", "oprd", "auxpass", "aux"}:
            token = head
            continue
        if dep in {"dobj", "nsubj", "nsubjpass"} and lemma in LIGHT_VERBS and dep != "nsubj":
            token = head
            continue
        break
    return frozenset(out - {index})


def denies_duty(text: Text, index: int) -> bool:
    """Return whether a duty to do what a word says is denied: that says nothing of the deed."""
    token = text.doc[index]
    for _ in range(6):
        verbal = token.pos_ in {"VERB", "AUX", "ADJ"}
        if verbal and _is_duty_denial(text, token.i) and _own(token, True):
            return True
        if token.dep_ not in {"xcomp", "acomp", "attr", "oprd", "conj", "auxpass"}:
            return False
        token = token.head
    return False


def existential(text: Text, index: int) -> bool:
    """Return whether the subject of a word is any one of many: what one does, another may not."""
    head = text.doc[text.clause[index]]
    subject = next((c for c in head.children if c.dep_ in {"nsubj", "nsubjpass"}), None)
    if subject is None:
        return False
    if subject.lower_ in {"someone", "somebody", "something", "others", "one", "some"}:
        return True
    first = [c for c in subject.children if c.i < subject.i]
    return any(c.lower_ in INDEFINITE or c.pos_ == "NUM" for c in first)


def partial(text: Text, index: int) -> bool:
    """Return whether the sentence of a word speaks of a part only: `not all`, `some`, `most`."""
    found = {quantity(text, token.i) for token in text.doc[index].sent}
    return bool(found & {"notall", "some", "onlysome", "most", "few"})


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


def hypothetical(text: Text, index: int) -> bool:
    """Return whether a word stands under `if`, `unless`, `whether`, `until` or in a question."""
    head = text.doc[text.clause[index]]
    if any(c.dep_ in {"mark", "advmod"} and c.lower_ in _WHETHER for c in head.children):
        return True
    if head.dep_ in {"ccomp", "csubj", "pcomp"} and head.i > 0:
        first = min(t.i for t in head.subtree)
        if text.doc[first].lower_ in {"whether", "if"}:
            return True
    return any(c.lower_ in {"provided", "providing"} and c.i < index for c in head.children)


def restricted(text: Text, index: int) -> bool:
    """Return whether the sentence of a word sets a limit: `until`, `unless`, `only`, `except`."""
    sentence = text.doc[index].sent
    return any(token.lower_ in RESTRICTING for token in sentence)


def quantity(text: Text, index: int) -> str | None:
    """Return the place of a quantifier on the scale from all to none, None for another word."""
    token = text.doc[index]
    found = lexicon().scale.get(token.lower_)
    if found is None:
        return None
    before = text.doc[index - 1].lower_ if index else ""
    if found == "all":
        if index and text.doc[index - 1].lower_ == "of":  # "a third of all" counts the third
            return None
        if token.lower_ == "any" and _under_denial(text, index):
            return "none"
        if before in {"not", "n't", "nearly", "almost", "virtually"}:
            return "notall" if before in {"not", "n't"} else "most"
        if token.lower_ == "any":
            return None
    if found in {"some", "few"} and before in {"only", "just", "merely"}:
        return "onlysome"
    if found == "few" and before == "a":
        return "some"
    return found


def _under_denial(text: Text, index: int) -> bool:
    head = text.doc[text.clause[index]]
    return any(_negator(t) for t in head.children) or any(
        _negator(t) for t in text.doc[max(0, index - 3) : index]
    )

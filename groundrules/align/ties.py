"""What hangs together in a sentence by its grammar, as far as a parser can be trusted with it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from groundrules.align.wordalign import Text
from groundrules.claims.english import IMPERSONAL, PERSONAL, PLURAL
from groundrules.claims.english.fillers import LIGHT_WORDS
from groundrules.claims.english.signals import NAMED_SO

__all__ = ["ONE", "SEVERAL", "hanging_together", "renames", "shared_subject"]

#: What stands for one thing, and for several.
ONE = PERSONAL - {"hers"} | IMPERSONAL | {"this"}
SEVERAL = PLURAL | {"these", "those", "both"}
_VERBAL = frozenset({"VERB", "AUX"})
#: What may tell something of the noun before it, and how a noun is tagged then.
_TELLS = frozenset({"VERB", "AUX", "NOUN"})
_NAMING = frozenset({"NOUN", "PROPN", "PRON"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})


def hanging_together(
    text: Text, matched: frozenset[int], excluded: frozenset[int]
) -> list[set[int]]:
    """Return the words of a passage that hang together by those that are matched, or by small ones.

    Not by those that are excluded.
    """
    content = {i for i in text.content if not (text.lemmas[i] in LIGHT_WORDS and _is_verb(text, i))}
    silent = ONE | SEVERAL  # what stands for a thing is no small word
    passing = {
        t.i
        for t in text.doc
        if t.i in matched
        or (t.i not in content and t.pos_ != "PUNCT" and t.lower_ not in silent)
        or renames(t)
    } - excluded
    tied: dict[int, set[int]] = {i: set() for i in passing}
    for one, other in _dependencies(text):
        if one in passing and other in passing:
            tied[one].add(other)
            tied[other].add(one)
    out, seen = [], set[int]()
    for i in sorted(passing):
        if i in seen:
            continue
        group, left = set[int](), [i]
        while left:
            at = left.pop()
            if at not in group:
                group.add(at)
                left += tied[at] - group
        seen |= group
        out.append(group)
    return out


def renames(token: Any) -> bool:
    """Return whether a noun only says again what a name stands for.

    "Ada Holm, a painter"; "the old ferry, the Tern".
    """
    if token.dep_ == "attr" and token.pos_ == "NOUN":
        return True
    named = [c for c in token.children if c.dep_ == "appos"]
    named += [token.head] if token.dep_ == "appos" else []
    return bool(token.text.islower() and any(name.text[:1].isupper() for name in named))


def _dependencies(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the pairs of words of which one depends on the other in one sentence of several."""
    begins = _begins(text)
    parts = list(accumulate(token.text == ";" or token.i in begins for token in text.doc))
    yield from (pair for pair in _dependent(text) if parts[pair[0]] == parts[pair[1]])


def _begins(text: Text) -> set[int]:
    """Return where a second sentence begins, as far as words tell it that a parser may misread.

    "Ann painted the door and Bob painted the roof", where Bob is taken for an object: behind the
    last of several objects stands a verb, or behind a noun a word that stood behind one before.
    """
    out = set[int]()
    told = set[str]()
    joint = 0
    for token in text.doc:
        if token.is_sent_start:
            told, joint = set(), 0
        elif token.dep_ == "cc" or token.text in ",;":
            joint = token.i
        if not token.i or token.pos_ not in _TELLS or token.nbor(-1).pos_ not in _NAMING:
            continue
        before = token.nbor(-1)
        object_ = before.dep_ == "conj" and _chained(before).dep_ in {"dobj", "pobj", "attr"}
        if joint and (token.lower_ in told or (object_ and token.tag_ in _FINITE)):
            out.add(joint)
        told.add(token.lower_)
    return out


def _dependent(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the pairs of words of which one depends on the other.

    Where a list begins and what it hangs on a parser tells badly: each of several things is tied to
    all that the first of them depends on, up to the verb.
    """
    for token in text.doc:
        head = token.head
        if head.i == token.i or token.pos_ == "PUNCT":
            continue
        first = _chained(token)
        if token.dep_ == "conj" and token.pos_ in _VERBAL and first.pos_ in _VERBAL:
            yield from ((token.i, i) for i in shared_subject(token))
            continue
        yield token.i, head.i
        if token.dep_ == "conj":
            while first.pos_ not in _VERBAL and first.head.i != first.i:
                first = first.head
                yield token.i, first.i
            yield token.i, first.i
        if token.dep_ == "compound" and head.dep_ != "conj":  # "capital city"
            yield token.i, head.head.i
        if token.dep_ == "pobj" and text.lemmas[head.head.i] in NAMED_SO and head.lower_ == "of":
            yield token.i, head.head.head.i


def _chained(token: Any) -> Any:
    """Return the first of several things that are joined."""
    while token.dep_ == "conj":
        token = token.head
    return token


def _is_verb(text: Text, i: int) -> bool:
    return text.doc[i].pos_ in _VERBAL


def shared_subject(verb: Any) -> Iterator[int]:
    """Yield the word that a clause has for a subject from the one it stands in."""
    if verb.dep_ == "relcl":
        yield verb.head.i
    elif verb.dep_ == "conj" and not any(c.dep_ in _SUBJECTS for c in verb.children):
        yield from (c.i for c in verb.head.children if c.dep_ in _SUBJECTS)

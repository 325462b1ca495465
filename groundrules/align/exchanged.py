"""Who does what to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from groundrules.align.limits import EXCHANGED, SAME_NAME, SAME_WORDS, WORDS_ALIKE
from groundrules.align.surroundings import Candidate, Evidence, Pair, coverage, covered, judge
from groundrules.align.wordalign import Text, lexicon
from groundrules.claims.english import (
    PLACING,
)
from groundrules.claims.english.signals import EXCHANGING

__all__ = ["exchanged", "exchanged_plainly", "swapped"]

#: A noun in these places takes no part in the deed: "Jones represents Smith's company".
_NO_PARTIES = frozenset({"poss", "nsubj", "nsubjpass"})
_PASSIVE = re.compile(
    r"\A(?>.*?\b(?:is|are|was|were|been|being|be)\b).*\bby\b", re.IGNORECASE | re.DOTALL
)


@lru_cache(maxsize=4096)
def _roles(text: Text) -> tuple[tuple[int, int, int], ...]:
    """Return verb, doer and what the deed is done to, passives turned round."""
    return tuple(_find_roles(text))


def _find_roles(text: Text) -> Iterator[tuple[int, int, int]]:
    for token in text.doc:
        if token.pos_ != "VERB":
            continue
        agents = [
            p for c in token.children if c.dep_ == "agent" for p in c.children if p.dep_ == "pobj"
        ]
        others = [c for c in token.children if c.dep_ in {"dobj", "dative"}]
        others += [
            p
            for c in token.children
            if c.dep_ in {"prep", "dative"} and c.lower_ in EXCHANGING
            for p in c.children
            if p.dep_ == "pobj"
        ]
        # a name beside its noun is read as a second subject
        subjects = [c for c in token.children if c.dep_ == "nsubj"]
        passives = [c for c in token.children if c.dep_ == "nsubjpass"]
        if not subjects and not passives and token.dep_ == "conj":
            shared = _shared_subjects(token)
            turned = bool(agents) or any(c.dep_ == "auxpass" for c in token.children)
            subjects, passives = ([], shared) if turned else (shared, [])
        if token.tag_ == "VBN" and not any(c.lemma_ == "have" for c in token.children):
            subjects = []  # a participle is done to what stands before it
        for subject in subjects:
            yield from ((token.i, subject.i, other.i) for other in others)
        if not subjects:
            yield from ((token.i, agent.i, done.i) for done in passives for agent in agents)


def _shared_subjects(verb: Any) -> list[Any]:
    """Return the subjects of the first of some verbs that are joined: "was built and replaced"."""
    while verb.dep_ == "conj" and verb.head.pos_ in {"VERB", "AUX"}:
        verb = verb.head
        found = [c for c in verb.children if c.dep_ in {"nsubj", "nsubjpass"}]
        if found:
            return found
    return []


def _name(text: Text, index: int) -> list[int]:
    """Return a noun with the names and nouns that belong to it."""
    token = text.doc[index]
    return [index] + [
        c.i for c in token.children if c.dep_ in {"compound", "flat", "poss", "amod", "appos"}
    ]


def _converse(pair: Pair) -> bool:
    """Return whether two words are opposed: `A lies east of B` is `B lies west of A`."""
    return bool((pair.relations < 0).any())


def _next(text: Text, doer: int, deed: int) -> bool:
    """Return whether a deed stands right behind its doer, but for auxiliaries: "shall pay"."""
    return deed > doer and all(t.tag_ == "MD" or t.dep_ == "aux" for t in text.doc[doer + 1 : deed])


def _plain_order(pair: Pair) -> Iterator[tuple[tuple[int, ...], int]]:
    """Give a doer, deed and other whose nouns stand the other way round in the same words.

    Where both sides have the same words and neither a passive, no parse is needed: what stands
    before the deed does it.
    """
    mine, theirs = pair.mine, pair.theirs
    if covered(pair) < SAME_WORDS or _PASSIVE.search(mine.text) or _PASSIVE.search(theirs.text):
        return
    for at in range(len(mine.content) - 1):
        doer, deed = mine.content[at : at + 2]
        if mine.lemmas[deed] in PLACING and _converse(pair):
            continue
        if (
            not _next(mine, doer, deed)
            or not mine.doc[deed].is_alpha
            or mine.doc[deed].lower_[0].isupper()
        ):
            continue
        for column in range(1, len(theirs.content)):
            first, there = theirs.content[column - 1 : column + 1]
            if not _next(theirs, first, there) or theirs.doc[there].lower_ != mine.doc[deed].lower_:
                continue
            one, other = mine.doc[doer].lower_, theirs.doc[first].lower_
            later = next(
                (
                    i
                    for i in mine.content[at + 2 :]
                    if mine.doc[i].lower_ == other and mine.doc[i].dep_ not in _NO_PARTIES
                ),
                None,
            )
            after = [theirs.doc[j].lower_ for j in theirs.content[column + 1 :]]
            nouns = {mine.doc[doer].pos_, theirs.doc[first].pos_} & {"NOUN", "PROPN"}
            verbal = {mine.doc[deed].pos_, theirs.doc[there].pos_} & {"VERB", "PROPN"}
            if one != other and nouns and verbal and later is not None and one in after:
                yield (doer, deed, later), there


def exchanged(pairs: Sequence[Pair]) -> tuple[Candidate, ...]:
    """Return the verbs whose doer and other party have changed places."""
    return _exchanged(tuple(pairs))


@lru_cache(maxsize=2)  # those whose nouns alone have changed places are asked for next
def _exchanged(pairs: tuple[Pair, ...]) -> tuple[Candidate, ...]:
    return tuple(_find_exchanged(pairs)) if pairs else ()


def _find_exchanged(pairs: Sequence[Pair]) -> Iterator[Candidate]:
    mine = pairs[0].mine
    rows = {i: row for row, i in enumerate(mine.content)}
    for verb, doer, other in _roles(mine):
        if verb not in rows:
            continue
        found: list[Evidence] = []
        for pair in pairs:
            columns = {j: column for column, j in enumerate(pair.theirs.content)}
            turned = _converse(pair) and mine.lemmas[verb] in PLACING
            for deed, first, second in _roles(pair.theirs):
                if deed not in columns or turned:
                    continue
                converse = pair.theirs.lemmas[deed] in lexicon().converse.get(mine.lemmas[verb], ())
                alike = float(pair.likeness[rows[verb], columns[deed]])
                if not converse and alike < WORDS_ALIKE:
                    continue
                a, b = _name(mine, doer), _name(mine, other)
                x, y = _name(pair.theirs, first), _name(pair.theirs, second)
                direct = min(coverage(pair, a, x), coverage(pair, b, y))
                crossed = min(coverage(pair, a, y), coverage(pair, b, x))
                if max(direct, crossed) < SAME_NAME:
                    continue
                same = (direct >= crossed) != converse
                score = {"context": max(direct, crossed)}
                places = tuple(sorted((doer, verb, other)))
                found.append(Evidence(same, pair, places, (deed,), score))
        yield from judge("role", found)


def exchanged_plainly(pairs: Sequence[Pair]) -> Iterator[Candidate]:
    """Give the deeds whose nouns have changed places in otherwise the same words."""
    if any(exchanged(pairs)):
        return
    for pair in pairs:
        for places, there in _plain_order(pair):
            yield Candidate("role", places, pair, (there,), {"context": 1.0, "margin": 1.0})
            return


def graded_sides(text: Text, index: int) -> tuple[list[int], list[int]] | None:
    """Return what is compared and with what, around a comparative; None without `than`."""
    token = text.doc[index]
    than = next(
        (
            child
            for holder in (token, token.head, token.head.head)
            for child in holder.children
            if child.lower_ == "than" and child.i > index
        ),
        None,
    )
    if than is None:
        return None
    right = [t.i for t in than.subtree if t.i != than.i]
    if not right and than.dep_ == "mark":
        right = [t.i for t in than.head.subtree if t.i > than.i]
    left = [i for i in text.content if i < index and text.sentence[i] == text.sentence[index]]
    subject = token
    for _ in range(5):
        found = next((c for c in subject.children if c.dep_ in {"nsubj", "nsubjpass"}), None)
        if found is not None and found.i not in right:
            left = [t.i for t in found.subtree]
            break
        subject = subject.head
    return (left, right) if right and left else None


def swapped(pair: Pair, i: int, j: int) -> bool:
    """Return whether two comparatives compare the same things the other way round."""
    mine, theirs = graded_sides(pair.mine, i), graded_sides(pair.theirs, j)
    if mine is None or theirs is None:
        return False
    direct = min(coverage(pair, mine[0], theirs[0]), coverage(pair, mine[1], theirs[1]))
    crossed = min(coverage(pair, mine[0], theirs[1]), coverage(pair, mine[1], theirs[0]))
    return crossed > direct + EXCHANGED

"""Whether two words say the same where they stand: denied alike, of as many, in the same part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from groundrules.align.denials import EXCEPTIONS, denials, predicative, quantity, remnants
from groundrules.align.ties import renames
from groundrules.align.wordalign import Text, relation
from groundrules.claims.english import (
    RELATIVES,
    SAYING,
    SPEAKERS,
    SUBJECTS,
)
from groundrules.claims.english.signals import BESIDE_DOERS

__all__ = ["agree", "are_crossed", "leaves_out", "same_limits"]

_ENDS = dict.fromkeys(("to", "until", "till"), "to") | dict.fromkeys(("from", "since"), "from")
_RELATIVES = RELATIVES | {"whom"}
_NOUNS = frozenset({"NOUN", "PROPN"})
_PARTS = frozenset({"conj", "parataxis", "appos"})
_MODIFIERS = frozenset({"amod", "compound", "nmod", "poss"})
_VERBAL = frozenset({"VERB", "AUX"})
_ACTIVE, _PASSIVE = frozenset({"nsubj", "csubj", "agent"}), frozenset({"dobj", "nsubjpass"})


def leaves_out(mine: Text, theirs: Text, matches: Mapping[int, set[int]]) -> bool | None:
    """Return whether one sentence says of a thing what the other leaves it out of.

    None where a passage has an exception of which the statement does not tell.
    """
    own, apart = remnants(mine), remnants(theirs)
    left = any(
        places and (i in own) != all(j in apart for j in places) for i, places in matches.items()
    )
    untold = any(theirs.doc[n].lower_ in EXCEPTIONS for n in apart.values())
    return left if own or left or not untold else None


def same_limits(mine: Text, theirs: Text, matched: Iterable[int]) -> bool:
    """Say whether "only" stands in both sentences, or limits what the statement speaks of."""
    limits = [t for t in theirs.doc if t.lower_ == "only"]
    if any(t.lower_ == "only" for t in mine.doc):
        return bool(limits)
    limited = {t.head.i for t in limits} | {c.i for t in limits for c in t.head.children}
    return not limits or not limited.isdisjoint(matched)


def are_crossed(mine: Text, theirs: Text, matches: Mapping[int, set[int]]) -> bool:
    """Say whether two places of one word stand for two in the other order, for no reason to see.

    One is the passive, which turns who does it and to whom; another a list, which has no order.
    """
    if _is_passive(mine) != _is_passive(theirs):
        return False
    for i, k in combinations(sorted(matches), 2):
        if mine.lemmas[i] == mine.lemmas[k] and matches[i] and matches[k]:
            first, second = min(matches[i]), min(matches[k])
            listed = _are_listed(mine, i, k) or _are_listed(theirs, first, second)
            if first > second and not listed:
                return True
    return False


def _is_passive(text: Text) -> bool:
    return any(t.dep_ in {"nsubjpass", "auxpass", "agent"} for t in text.doc)


def _are_listed(text: Text, i: int, k: int) -> bool:
    """Say whether two words stand in two parts of a list, as the parser and a mark tell."""
    i, k = sorted((i, k))
    token, above = text.doc[k], _above(text.doc[i])
    if not any(t.dep_ == "cc" or t.lower_ in {",", ";"} for t in text.doc[i:k]):
        return False
    while token.i not in above and token.dep_ not in _PARTS and token.head.i != token.i:
        token = token.head
    return token.dep_ in _PARTS or token.i not in above


def _above(token: Any) -> set[int]:
    """Return a word and all that it hangs from."""
    out = {int(token.i)}
    while token.head.i not in out:
        token = token.head
        out.add(int(token.i))
    return out


def agree(
    mine: Text, i: int, theirs: Text, j: int, matches: Mapping[int, set[int]], part: set[int],
    left: bool,
) -> bool:  # fmt: skip
    """Say whether two words are denied alike, count as many, and do or suffer the same."""
    one, other = mine.doc[i], theirs.doc[j]
    told = {n for places in matches.values() for n in places}
    if _is_of_another(mine, one, theirs, other, matches):
        return False
    if one.pos_ == "VERB" and other.pos_ in _NOUNS and one.lower_ == other.lower_:
        return False  # a tagger is wrong on one side, so who did it cannot be told
    deed = predicative(theirs, j)  # a tagger may take the verb of the statement for a noun
    if deed or (predicative(mine, i) and other.pos_ in _VERBAL):
        opposed = relation(mine.lemmas[i], theirs.lemmas[j]) < 0
        if (len(denials(mine, i)) + len(denials(theirs, j)) + opposed + left) % 2:
            return False
    elif relation(mine.lemmas[i], theirs.lemmas[j]) < 0 or (left and predicative(mine, i)):
        return False
    if one.pos_ in _VERBAL and other.pos_ in _VERBAL and not _same_parties(one, other, matches):
        return False
    if one.pos_ in _NOUNS and other.pos_ in _NOUNS:
        if _counted(mine, i) != _counted(theirs, j):
            return False
        if _is_any(one, other) and any(c.i not in told for c in _kinds(other)):
            return False  # what may be said of assistance dogs is not said of dogs
        if one.dep_ == "nsubj" and other.dep_ == "pobj" and other.head.lower_ in BESIDE_DOERS:
            return False  # it was done for him, not by him
        roles = _role(one), _role(other)
        if None not in roles and roles[0] != roles[1]:
            verbs = matches.get(one.head.i, set())
            return not (verbs & part and other.head.i in verbs)
    where = _preposition(one), _preposition(other)
    return None in where or where[0] == where[1]


def _is_of_another(
    mine: Text, one: Any, theirs: Text, other: Any, matches: Mapping[int, set[int]]
) -> bool:
    """Say whether a word stands by another place of a noun than the one that is meant.

    "The south gate opens before the north gate": by which "gate" a word stands tells what it is
    said of, where a parser is wrong too.
    """
    nouns = [(one.i + 1, other.i + 1)]
    if one.dep_ in _MODIFIERS and other.dep_ in _MODIFIERS:
        nouns.append((one.head.i, other.head.i))
    return any(
        matches.get(noun)
        and there not in matches[noun]
        and mine.lemmas[noun] == theirs.lemmas[there]
        for noun, there in nouns
        if there < len(theirs.lemmas)
    )


def _same_parties(one: Any, other: Any, matches: Mapping[int, set[int]]) -> bool:
    """Say whether who does and who suffers what two verbs tell are the same, where both tell."""
    for acting in (True, False):
        mine, theirs = _parties(one, acting), _parties(other, acting)
        if not mine or not theirs:
            continue
        if _other_person(mine, theirs):
            return False
        said = {t.lower_ for t in theirs}
        if {t.lower_ for t in mine} & SPEAKERS or said & SPEAKERS:
            if not said & {t.lower_ for t in mine}:
                return False
        elif all(t.i in matches for t in mine):
            found = {j for t in mine for j in matches[t.i]}
            within = {t.i for t in _works(other)} if acting else set()
            if found and found.isdisjoint({t.i for t in theirs} | within):
                return False
    return True


def _works(verb: Any) -> Iterator[Any]:
    """Yield the work that a verb of saying stands in: "in Roe v. Wade the Court held"."""
    if verb.lemma_ in SAYING:
        for child in verb.children:
            if child.lower_ == "in" and child.dep_ == "prep":
                yield from (c for c in child.children if c.dep_ == "pobj")


def _other_person(mine: Iterable[Any], theirs: Iterable[Any]) -> bool:
    """Say whether two sentences have other pronouns for whom they tell of: "he", "she"."""
    one, other = ({t.lower_ for t in found} & SUBJECTS for found in (mine, theirs))
    return bool(one and other and one != other)


def _parties(verb: Any, acting: bool) -> list[Any]:
    """Return who does what a verb tells, or to whom it is done, each of several."""
    kinds = _ACTIVE if acting else _PASSIVE
    found = [c for c in verb.children if c.dep_ in kinds and c.dep_ != "agent"]
    if acting:
        found += [g for c in verb.children if c.dep_ == "agent" for g in c.children]
    else:  # "include the room and four spaces", hung on the verb
        found += [c for c in verb.children if found and c.dep_ == "conj" and c.pos_ in _NOUNS]
    if not found and acting and verb.dep_ == "conj" and verb.head.pos_ in _VERBAL:
        return _parties(verb.head, acting)
    if verb.dep_ == "relcl":  # "juice, which raises the level"
        found = [verb.head if token.lower_ in _RELATIVES else token for token in found]
    out: dict[int, Any] = {}
    while found:
        token = found.pop()
        if token.i not in out:
            out[token.i] = token
            # which noun a list goes on from, a parser tells badly
            found += [c for c in token.subtree if c.dep_ == "conj" and c.pos_ in _NOUNS]
            found += [c for c in token.children if c.dep_ == "appos"]
            found += [token.head] if token.dep_ == "appos" and renames(token) else []
    return list(out.values())


def _preposition(token: Any) -> str | None:
    """Return "from" or "to" where a word stands behind it or one that says the same."""
    while token.dep_ in {"nummod", "compound", "quantmod"}:
        token = token.head
    return _ENDS.get(token.head.lower_) if token.dep_ == "pobj" else None


def _is_any(noun: Any, same: Any) -> bool:
    """Return whether a noun, which a passage has as `same`, tells of all of a kind.

    A plural without article or number that a verb is said of; at the beginning of a sentence the
    tagger may take it for a name.
    """
    bare = not any(c.dep_ in {"det", "poss", "nummod"} for c in noun.children)
    return bare and same.tag_ == "NNS" and noun.dep_ in {"nsubj", "nsubjpass"}


def _kinds(noun: Any) -> list[Any]:
    """Return the words that make a noun one of a kind: "small", "assistance"."""
    if noun.dep_ == "compound":  # "dog owners" are no dogs
        return [noun.head]
    return [c for c in noun.children if c.dep_ in {"amod", "compound"}]


def _counted(text: Text, i: int) -> str | None:
    found = (quantity(text, child.i) for child in text.doc[i].children)
    return next((one for one in found if one is not None), None)


def _role(token: Any) -> bool | None:
    """Return whether a noun does something or suffers it, None where it is neither."""
    if token.dep_ == "pobj" and token.head.dep_ == "agent":
        return True
    return True if token.dep_ in _ACTIVE else False if token.dep_ in _PASSIVE else None

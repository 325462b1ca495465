"""Near twins: sentences of the same words in the same order but for a few, read without a parse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from groundrules.align.denials import EXCLUDED, NEGATIONS, remnants
from groundrules.align.limits import TWIN_LENGTHS, TWINS
from groundrules.align.surroundings import Candidate, Pair
from groundrules.align.turned import bound_apart, left_out
from groundrules.align.wordalign import Text, lexicon, relation
from groundrules.claims.english.fillers import OF_SUBSTITUTIONS

__all__ = ["substituted"]

_DENYING = NEGATIONS | {"unless"}


def substituted(pairs: Sequence[Pair]) -> Iterator[Candidate]:
    """Give the words that a near twin among the passages has otherwise, and denials it lacks."""
    for pair in pairs:
        mine = _content_tokens(pair.mine, range(len(pair.mine.doc)))
        # "Ann, not Bob, runs it" tells of Ann what it tells without Bob
        aside = {} if left_out(pair) or remnants(pair.mine) else remnants(pair.theirs)
        passed = {*aside, *aside.values()}
        for sentence in (t.sent for t in pair.theirs.doc if t.i == t.sent.start):
            there = (i for i in range(sentence.start, sentence.end) if i not in passed)
            theirs = _content_tokens(pair.theirs, there)
            if not 1 / TWIN_LENGTHS <= len(mine) / max(1, len(theirs)) <= TWIN_LENGTHS:
                continue
            left = [token.lower_ for token in mine]
            right = [token.lower_ for token in theirs]
            if len(set(left) & set(right)) < TWINS * len(set(left)):
                continue
            yield from _compare(pair, mine, theirs, SequenceMatcher(None, left, right, False))


def _content_tokens(text: Text, tokens: Iterable[int]) -> list[Any]:
    found = (text.doc[i] for i in tokens)
    return [t for t in found if not (t.is_punct or t.is_space or t.lower_ in OF_SUBSTITUTIONS)]


def _compare(
    pair: Pair, mine: Sequence[Any], theirs: Sequence[Any], matcher: SequenceMatcher[str]
) -> Iterator[Candidate]:
    opcodes = [op for op in matcher.get_opcodes() if op[0] != "equal"]
    kept = sum(block.size for block in matcher.get_matching_blocks()) / max(1, len(mine))
    if kept < TWINS:
        return
    turns: list[tuple[str, tuple[int, ...], tuple[int, ...]]] = []
    denials: list[tuple[int, int]] = []
    others = 0
    for _, a, b, c, d in opcodes:
        here, there = list(mine[a:b]), list(theirs[c:d])
        found = None
        if here and there and len(here) <= 3 and len(there) <= 3:
            found = next(
                (
                    (kind, (one.i,), (other.i,))
                    for one in here
                    for other in there
                    if (kind := _kind(pair, one, other))
                ),
                None,
            )
        denying = [
            t
            for t in (*here, *there)
            if t.lower_ in _DENYING and t.dep_ != "intj" and t.i != t.sent.start and not _only(t)
        ]
        if found and len(denying) % 2 == 0:
            turns.append(found)
            continue
        if found:
            continue
        if len(denying) == 1:
            place = mine[min(a, len(mine) - 1)].i, theirs[min(c, len(theirs) - 1)].i
            if bound_apart(pair, *place, denied=denying[0] in here):
                return
            denials.append(place)
            others += max(0, len(here) + len(there) - 2)
        else:
            others += len(here)
    # an opposite and a denial cancel
    if len(denials) == 1 and not turns and left_out(pair):
        return
    if len(denials) == 1 and not turns:
        turns = [("negation", (denials[0][0],), (denials[0][1],))]
    elif denials or len(turns) > 1:
        return
    if others > 1:
        return
    for kind, one, other in turns:
        features = {"context": kept, "margin": kept, "other": float(others)}
        yield Candidate(kind, one, pair, other, features)


def _kind(pair: Pair, one: Any, other: Any) -> str | None:
    """Return the contrast of two words that stand in the same place."""
    known = lexicon()
    places = known.scale.get(one.lower_), known.scale.get(other.lower_)
    if places[0] and places[1]:
        excluded = EXCLUDED.get(_limited(one, places[0]), ())
        return "quantifier" if _limited(other, places[1]) in excluded else None
    first, second = pair.mine.lemmas[one.i], pair.theirs.lemmas[other.i]
    if relation(first, second) == -1 and not {one.pos_, other.pos_} & {"PROPN"}:
        graded = {one.tag_, other.tag_} & {"JJR", "RBR", "JJS", "RBS"}
        ordering = {one.lower_, other.lower_} & {"before", "after"}
        return "comparison" if graded else "order" if ordering else "opposite"
    if {one.lower_, other.lower_} == {"before", "after"}:
        return "order"
    doubts = known.certainty.get(first), known.certainty.get(second)
    if doubts[0] and doubts[1] and doubts[0] != doubts[1]:
        return "certainty"
    return None


def _only(token: Any) -> bool:
    """Return whether a denial is of `only`: what it stands before is said all the same."""
    return token.i + 1 < len(token.doc) and token.nbor().lower_ in {"only", "just", "merely"}


def _limited(token: Any, place: str) -> str:
    """Return the place of a quantifier after `only` or `not`."""
    before = token.nbor(-1).lower_ if token.i else ""
    if before in {"not", "n't"}:
        return "notall" if place == "all" else ""
    return "onlysome" if place in {"some", "few"} and before in {"only", "just"} else place

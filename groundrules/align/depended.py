"""Conditions and causes: what depends on something, and why something came about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from groundrules.align.limits import SAME_CAUSE
from groundrules.align.surroundings import Candidate, Pair, coverage
from groundrules.align.wordalign import Text

__all__ = ["caused", "conditioned"]

#: Words that lift every condition, where they stand together.
_LIFTING = (
    ("even", "if"), ("whether", "or", "not"), ("regardless",), ("irrespective",),
    ("automatically",),
    ("unconditionally",), ("in", "any", "case"), ("in", "all", "cases"), ("in", "any", "event"),
    ("no", "matter"), ("under", "all", "circumstances"), ("without", "the", "consent"),
    ("without", "consent"), ("without", "approval"), ("without", "permission"), ("even", "without"),
    ("without", "any", "condition"),
)  # fmt: skip
#: Words that set one.
_SETTING = (
    ("only", "if"), ("only", "when"), ("only", "with"), ("only", "after"), ("unless",),
    ("provided",), ("providing",), ("subject", "to"), ("contingent",), ("conditional",),
    ("on", "condition"), ("if", "and", "only"), ("dependent", "on"), ("depends", "on"),
    ("prior", "consent"), ("prior", "written", "consent"), ("with", "the", "consent"),
    ("not", "without"), ("requires", "the", "consent"), ("needs", "the", "consent"),
    ("except", "with"), ("except", "if"),
)  # fmt: skip
_BECAUSE = frozenset({"because", "owing", "due", "since"})


@lru_cache(maxsize=4096)
def _phrase(text: Text, listed: tuple[tuple[str, ...], ...]) -> tuple[int, ...] | None:
    low = tuple(token.lower_ for token in text.doc)
    there = set(low)
    known = [words for words in listed if words[0] in there]
    for at in range(len(low)) if known else ():
        for words in known:
            if low[at : at + len(words)] == words:
                return tuple(range(at, at + len(words)))
    return None


def conditioned(pairs: Sequence[Pair]) -> Iterator[Candidate]:
    """Give what a statement frees of every condition, or binds, where its passage does not."""
    for pair in pairs:
        for first, second in ((_LIFTING, _SETTING), (_SETTING, _LIFTING)):
            here, there = _phrase(pair.mine, first), _phrase(pair.theirs, second)
            if there and pair.theirs.doc[there[0]].lower_ == "without":
                continue  # "not without" sets a condition
            if not here or not there or _phrase(pair.mine, second) or _phrase(pair.theirs, first):
                continue
            sentence = pair.theirs.doc[there[0]].sent
            near = coverage(
                pair, [t.i for t in pair.mine.doc], list(range(sentence.start, sentence.end))
            )
            yield Candidate("condition", here, pair, there, {"context": near, "margin": near})


def _causes(text: Text) -> Iterator[tuple[int, list[int], list[int]]]:
    """Give each cause: its word, the tokens of the cause, those of the effect."""
    for token in text.doc:
        if token.lower_ not in _BECAUSE:
            continue
        cause: Any
        effect: Any
        if token.dep_ == "mark" and token.lower_ == "because":
            cause, effect = token.head, token.head.head
        elif token.dep_ in {"prep", "acomp", "amod"} and token.lower_ != "since":
            cause, effect = token, token.head
        else:
            continue
        inside = {t.i for t in cause.subtree}
        outside = [t.i for t in effect.subtree if t.i not in inside]
        if len(inside) > 1 and outside:
            yield token.i, sorted(inside), outside


def caused(pairs: Sequence[Pair]) -> Iterator[Candidate]:
    """Give the causes for which a passage names another of the same effect."""
    if not pairs:
        return
    mine = pairs[0].mine
    for at, cause, effect in _causes(mine):
        found: list[tuple[float, float, Pair, int]] = []
        for pair in pairs:
            for there, reason, outcome in _causes(pair.theirs):
                found.append(
                    (coverage(pair, effect, outcome), coverage(pair, cause, reason), pair, there)
                )
        if not found:
            continue
        same, alike, pair, there = max(found, key=lambda f: f[0])
        if alike < SAME_CAUSE:
            features = {"context": same, "margin": same - alike}
            yield Candidate("cause", (at, *cause[-1:]), pair, (there,), features)

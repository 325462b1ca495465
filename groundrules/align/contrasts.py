"""Where a statement turns the meaning of the passage it was written from.

Words of the two texts are aligned (`wordalign`); over words that say one thing of the same things,
what is denied, opposed, allowed, doubted or compared the other way is a contrast. A
passage that carries the statement as it is worded takes a contrast with another one away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundrules.align import limits
from groundrules.align.compared import Comparison, compared, indexed
from groundrules.align.counts import amounted
from groundrules.align.depended import caused, conditioned
from groundrules.align.exchanged import exchanged, exchanged_plainly
from groundrules.align.limits import CLEAR_LEAD, DECIDED, PRONOUN, TOUCHING, WARNING
from groundrules.align.nearby import nearly
from groundrules.align.passages import words
from groundrules.align.places import FigureIndex
from groundrules.align.quotations import quotations
from groundrules.align.substituted import substituted
from groundrules.align.surroundings import Candidate, Pair
from groundrules.align.turned import asserted, bounded, opposed_words
from groundrules.align.wordalign import Text, likeness, read
from groundrules.claims.english import (
    SUBJECTS,
)

__all__ = ["Contrast", "contrasts"]

_FINDERS = (
    opposed_words,
    asserted,
    bounded,
    exchanged,
    exchanged_plainly,
    substituted,
    conditioned,
    caused,
    nearly,
    amounted,
)
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_UNCOMPARED = frozenset("role certainty condition cause".split())
#: What each circumstance leaves of the similarity, in which both texts may be right.
_WEAKENING = {
    "supposed": limits.SUPPOSED,
    "limited": limits.LIMITED,
    "some": limits.OF_SOME,
    "numbers": limits.LOST,
    "names": limits.LOST,
    "saidtoo": limits.SAID_TOO,
    "soft": limits.SOFT,
    "other": limits.OTHER_WORD,
}
#: What a kind is worth beside the others.
_KINDS = {"cause": limits.CAUSE, "condition": limits.CONDITION, "order": limits.ORDER}


@dataclass(frozen=True, slots=True)
class Contrast:
    """A place where a statement turns what a passage says.

    `start` and `end` are code points of the statement, and `claimed` quotes them with what they
    need to be understood; `similarity` says from 0 to 1 how surely both speak of one thing.
    `places` are the source and range of two values that were compared, whose words `stated` has.
    """

    kind: str
    start: int
    end: int
    claimed: str
    stated: str
    passage: int
    similarity: float
    places: tuple[tuple[int, int, int], ...] = ()


def contrasts(
    statement: str,
    passages: Sequence[str],
    *,
    before: Sequence[str] = (),
    index: FigureIndex | None = None,
) -> tuple[Contrast, ...]:
    """Return where a statement turns what the passages say, surest first.

    `before` are the statements that precede it in the answer, nearest first; `index` has the
    numbers of the whole sources, without which those of the passages are compared.
    """
    known = _anchored(statement, passages, before)
    found = [_contrast(candidate, known) for candidate in candidates(statement, passages)]
    if passages and not _verbatim(statement, passages):
        values = indexed(tuple(passages)) if index is None else index
        for comparison in compared(read(statement), values):
            found = [c for c in found if not _settled(c, comparison)]
            if not comparison.holds:
                found.append(_of_values(comparison, passages, index))
    found.sort(key=lambda c: (-c.similarity, c.start))
    kept: dict[tuple[str, int, int], Contrast] = {}
    for contrast in found:
        kept.setdefault((contrast.kind, contrast.start, contrast.end), contrast)
    return tuple(kept.values())


def candidates(statement: str, passages: Sequence[str]) -> list[Candidate]:
    """Return the possible contrasts of a statement with the passages, with their features."""
    if _verbatim(statement, passages):
        return []
    mine = read(statement)
    pairs = []
    for number, passage in enumerate(passages):
        theirs = read(passage)
        if theirs.content and mine.content:
            pairs.append(Pair(number, mine, theirs, *likeness(mine, theirs)))
    out: list[Candidate] = []
    for find in _FINDERS:
        out += find(pairs)
    return out


def _verbatim(statement: str, passages: Sequence[str]) -> bool:
    own = f" {' '.join(words(statement))} "
    return any(own in f" {' '.join(words(passage))} " for passage in passages)


def _settled(contrast: Contrast, comparison: Comparison) -> bool:
    """Return whether two values decide what a contrast is about."""
    if comparison.similarity < DECIDED or contrast.kind in _UNCOMPARED:
        return False
    last = comparison.start + len(comparison.claimed)
    return contrast.start < last and comparison.begin < contrast.end


def _of_values(
    comparison: Comparison, passages: Sequence[str], index: FigureIndex | None
) -> Contrast:
    """Return the contrast of a comparison that two values refute."""
    number = 0
    for source, start, end in comparison.places[:1]:
        if index is None:
            number = source
            break
        for place, passage in enumerate(passages):
            at = index.texts[source].find(passage)
            if passage and at <= start and end <= at + len(passage) and at >= 0:
                number = place
                break
    return Contrast(
        "comparison",
        comparison.start,
        comparison.start + len(comparison.claimed),
        comparison.claimed,
        comparison.stated,
        number,
        comparison.similarity,
        comparison.places,
    )


def _anchored(statement: str, passages: Sequence[str], before: Sequence[str]) -> float:
    """Return what a pronoun leaves of the similarity: whom it means may be in no passage."""
    if not before:
        return 1.0
    doc = read(statement).doc
    if not any(t.dep_ in _SUBJECTS and t.lower_ in SUBJECTS for t in doc):
        return 1.0
    meant = [t.lower_ for t in read(before[0]).doc if t.dep_ in _SUBJECTS and t.pos_ != "PRON"]
    said = {word for passage in passages for word in words(passage)}
    return 1.0 if not meant or any(word in said for word in meant) else PRONOUN


def _contrast(candidate: Candidate, known: float) -> Contrast:
    mine, theirs = candidate.pair.mine, candidate.pair.theirs
    start, end = _range(mine, candidate.mine)
    there = _range(theirs, candidate.theirs)
    return Contrast(
        candidate.kind,
        start,
        end,
        *quotations(candidate.kind, mine, (start, end), theirs, there),
        candidate.pair.number,
        similarity(candidate.kind, candidate.features) * known,
    )


def _range(text: Text, tokens: Sequence[int]) -> tuple[int, int]:
    first, last = text.doc[min(tokens)], text.doc[max(tokens)]
    return int(first.idx), int(last.idx + len(last))


def _claimed(kind: str, features: Mapping[str, float]) -> float:
    """Return how surely a statement claims more than its passages: what they doubt, surest."""
    near = features["context"]
    if kind == "certainty" and not features["undoubted"]:
        return 0.62 + 0.3 * near if near >= TOUCHING else WARNING
    if kind == "certainty":
        return WARNING + 0.1 * near if near >= TOUCHING else 0.3
    return (0.45 if kind == "quantifier" else 0.35) + 0.3 * near if near >= TOUCHING else 0.3


def similarity(kind: str, features: Mapping[str, float]) -> float:
    """Return how surely a candidate is a contrast.

    It is the likeness of what surrounds both words, less what the passage says in agreement,
    weakened by each circumstance in which two texts may both be right.
    """
    if "asserted" in features:
        return _claimed(kind, features)
    if "near" in features:
        return features["near"] if features["margin"] > 0 else 0.0
    sure = features["context"] * min(1.0, 0.4 + 0.6 * max(0.0, features["margin"]) / CLEAR_LEAD)
    if "worst" in features:
        sure *= 0.55 + 0.45 * features["worst"]
        if kind not in {"quantifier", "bound"}:
            sure *= 0.5 + 0.5 * features["shared"]
        sure *= 0.8 + 0.2 * features["back"]
    for name, factor in _WEAKENING.items():
        if features.get(name, 0.0) > 0:
            sure *= factor
    if not features.get("both", 1.0):  # an attribute tells things apart as often as it describes
        sure *= limits.ONE_QUALITY
    return max(0.0, min(1.0, sure * _KINDS.get(kind, 1.0)))

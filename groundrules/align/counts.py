"""How many of a group, near the wording: all of six against five of the six, one against none.

Quantifiers and counts of two stretches that share what is said of the group are held together; a
count is a share where its text, or the statement, says how many the group has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from groundrules.align.denials import EXCEPTIONS, EXCLUDED
from groundrules.align.limits import STRETCH, STRETCH_BACK
from groundrules.align.nearby import (
    Candidate,
    Pair,
    Stretch,
    acquainted,
    linked,
    same,
    stretches,
)
from groundrules.align.wordalign import Text
from groundrules.claims.english.fillers import VERBS_OF_COUNTS, WITHIN_COUNTS
from groundrules.claims.english.signals import (
    AFTER_NO_QUANTIFIERS,
    BEFORE_QUANTIFIERS,
    COUNTED_PRONOUNS,
    NO_PART_AFTER,
    QUANTIFIERS,
)
from groundrules.claims.literals import spelled

#: How many words of a stretch the other must have.
_WORDS = 2
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})


@dataclass(frozen=True, slots=True)
class _Amount:
    """How many of a group: a place on the scale or a count, of how many, by which tokens.

    `excepting` where an exception follows: "closed to everybody except staff".
    """

    place: str
    count: float | None
    whole: float | None
    tokens: tuple[int, ...]
    group: tuple[int, ...]
    subject: bool = False
    excepting: bool = False


def _number(token: Any) -> float | None:
    if token.text.isdecimal():
        return float(token.text)
    found = spelled(token.lower_)
    return float(found[0]) if found else None


def _is_subject(token: Any) -> bool:
    """Return whether a quantifier is a subject, or stands before one."""
    return token.dep_ in _SUBJECTS or (token.dep_ == "det" and token.head.dep_ in _SUBJECTS)


@lru_cache(maxsize=8192)
def _amounts(text: Text, stretch: Stretch) -> tuple[_Amount, ...]:
    """Return the quantifiers, counts of a group and `only` of a stretch."""
    out = []
    doc = text.doc
    for i in range(stretch.first, stretch.last):
        token = doc[i]
        low = token.lower_
        before = doc[i - 1].lower_ if i else ""
        following = doc[i + 1].lower_ if i + 1 < stretch.last else ""
        if low in QUANTIFIERS:
            if low != "none" and before in BEFORE_QUANTIFIERS - {"in", "for", "of", "and"}:
                continue
            if following in AFTER_NO_QUANTIFIERS:
                continue
            if low == "few" and before == "a":
                continue
            if low in {"most", "many", "few", "no"} and following != "of" and token.dep_ not in {
                "amod", "nsubj", "nsubjpass", "pobj", "dobj", "det", "attr",
            }:  # fmt: skip
                continue
            group, whole = _group(text, i, stretch)
            excepting = any(t.lower_ in EXCEPTIONS for t in doc[i : token.sent.end])
            out.append(
                _Amount(QUANTIFIERS[low], None, whole, (i,), group, _is_subject(token), excepting)
            )
        elif following in {"of", "out"} and (count := _number(token)) is not None:
            if before in NO_PART_AFTER:
                continue
            group, whole = _group(text, i, stretch)
            if group or whole:
                out.append(_Amount("part", count, whole, (i,), group))
        elif token.dep_ == "nummod" and token.head.dep_ in _SUBJECTS and _number(token):
            group, _ = _group(text, i, stretch)
            out.append(_Amount("counted", None, None, (i,), group, True))
        elif low == "only" and (named := _only(text, i, stretch)):
            out.append(_Amount("onlysome", None, None, (i, *named), tuple(named)))
    return tuple(out)


def _group(text: Text, index: int, stretch: Stretch) -> tuple[tuple[int, ...], float | None]:
    """Return the noun or pronoun that is counted, with how many there are if that is said."""
    doc = text.doc
    at = index + 1
    while at < stretch.last and doc[at].lower_ in WITHIN_COUNTS:
        if doc[at].lower_ == "those" and (at + 1 >= stretch.last or doc[at + 1].pos_ == "ADP"):
            break
        at += 1
    whole = _number(doc[at]) if at < stretch.last else None
    if whole is not None:
        at += 1
    group: list[int] = []
    while at < stretch.last and doc[at].pos_ in {"NOUN", "PROPN", "ADJ", "PRON", "DET"}:
        group.append(at)
        if doc[at].pos_ == "PRON" or doc[at].lower_ in COUNTED_PRONOUNS:
            break
        at += 1
    if doc[index].lower_ == "both":
        whole = 2.0
    if whole is None and group and doc[group[-1]].lower_ in {"whom", "which"}:
        whole = _antecedent(text, stretch)
    return tuple(group), whole


def _antecedent(text: Text, stretch: Stretch) -> float | None:
    """Return how many those are whom `of whom` goes back to, by the count before it."""
    for i in range(stretch.first - 1, max(-1, stretch.first - 8), -1):
        count = _number(text.doc[i])
        if count is not None:
            return count
    return None


def _only(text: Text, index: int, stretch: Stretch) -> list[int]:
    """Return what `only` lets in: the names or the noun beside it."""
    doc = text.doc
    after = []
    for i in range(index + 1, stretch.last):
        if doc[i].pos_ in {"NOUN", "PROPN", "ADJ"}:
            after.append(i)
        elif after or doc[i].pos_ in {"VERB", "AUX"}:
            break
    if after:
        return after
    for i in range(index - 1, stretch.first - 1, -1):
        if doc[i].pos_ in {"NOUN", "PROPN", "ADJ"}:
            after.insert(0, i)
        else:
            break
    return after


def _clash(one: _Amount, other: _Amount) -> float:
    """Return how surely two amounts exclude each other, 0 where both may be right."""
    first, second = one.place, other.place
    if first == second == "part":
        return 0.0
    if "counted" in {first, second}:  # of subjects alone: "no lift in three houses"
        return 1.0 if "none" in {first, second} and one.subject and other.subject else 0.0
    if "onlysome" in {first, second} and (one.excepting or other.excepting):
        return 0.0
    if "part" in {first, second}:
        part, rest = (one, other) if first == "part" else (other, one)
        whole = part.whole or rest.whole
        if rest.place in {"none", "few"} and rest.place == "none":
            return 1.0 if part.count else 0.0
        if whole is None or part.count is None or not 0 < part.count <= whole:
            return 0.0
        share = part.count / whole
        if rest.place == "all":
            return 1.0 if share < 1 else 0.0
        if rest.place == "most":
            return 1.0 if share <= 0.5 else 0.0
        if rest.place == "few":
            return 1.0 if share > 0.5 else 0.0
        return 0.0
    if second not in EXCLUDED[first]:
        return 0.0
    return 0.8 if {first, second} == {"all", "some"} else 1.0


def amounted(pairs: Sequence[Pair]) -> Iterator[Candidate]:
    """Give the amounts that exclude those of the passage over the same group and deed."""
    if not pairs:
        return
    for here in stretches(pairs[0].mine):
        for amount in _amounts(pairs[0].mine, here):
            best: tuple[float, Pair, tuple[int, ...]] | None = None
            agree = 0.0
            for pair in pairs:
                for there in stretches(pair.theirs):
                    for other in _amounts(pair.theirs, there):
                        score = _shared(pair, here, amount, there, other)
                        clash = _clash(amount, other)
                        if not clash and amount.place == other.place:
                            agree = max(agree, score)
                        elif clash and score and (best is None or score * clash > best[0]):
                            best = score * clash, pair, other.tokens
            if best is not None:
                sure = best[0] if best[0] > agree else 0.0
                yield Candidate("quantifier", amount.tokens, best[1], best[2], sure)


def _shared(pair: Pair, here: Stretch, amount: _Amount, there: Stretch, other: _Amount) -> float:
    """Return how far two stretches say the same of their groups, 0 where that is too little."""
    mine, theirs = pair.mine, pair.theirs
    if here.supposed != there.supposed:
        return 0.0
    denied = (
        len(set(here.denying) - set(amount.tokens)),
        len(set(there.denying) - set(other.tokens)),
    )
    if denied[0] % 2 != denied[1] % 2 or not _one_group(pair, amount, other):
        return 0.0
    first = [i for i in here.content if i not in {*amount.tokens, *amount.group}]
    second = [j for j in there.content if j not in {*other.tokens, *other.group}]
    first = [i for i in first if _number(mine.doc[i]) is None]
    second = [j for j in second if _number(theirs.doc[j]) is None]
    if not first or not second:
        return 0.0
    exact = [i for i in first if linked(pair, i, second)[0] == 1]
    lost = [i for i in first if i not in exact]
    if any(mine.doc[i].pos_ == "PROPN" for i in lost):
        return 0.0
    heavy = [i for i in first if mine.lemmas[i] not in VERBS_OF_COUNTS]
    back = [j for j in second if any(same(pair, i, j) == 1 for i in first)]
    weighty = [j for j in second if theirs.lemmas[j] not in VERBS_OF_COUNTS]
    score = min(1.0, len(exact) / max(1, len(heavy)))
    behind = min(1.0, len(back) / max(1, len(weighty)))
    if len(exact) < _WORDS or score < STRETCH or behind < STRETCH_BACK:
        return 0.0
    sure = score * (0.7 + 0.3 * behind)
    return sure if acquainted(pair, here, there) or behind >= STRETCH else 0.85 * sure


def _one_group(pair: Pair, amount: _Amount, other: _Amount) -> bool:
    """Return whether two amounts can be of one group: a noun in common, or one is a pronoun."""
    mine = [i for i in amount.group if pair.mine.doc[i].pos_ == "NOUN"]
    theirs = [j for j in other.group if pair.theirs.doc[j].pos_ == "NOUN"]
    if not mine or not theirs or "onlysome" in {amount.place, other.place}:
        return True
    return any(same(pair, i, j) == 1 for i in mine for j in theirs)

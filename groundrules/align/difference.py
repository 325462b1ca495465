"""The one place in which a statement differs from a sentence of a source.

All else is the same, tied to the same, and what the source adds binds nothing: so the place refutes
the statement where both cannot hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundrules.align.coverage import compare, in_order, pair_elsewhere, turned
from groundrules.align.dropped import binding
from groundrules.align.normal_words import Sentence, read_words, tables
from groundrules.align.parses import parse
from groundrules.align.variants import parallel, subject_of, variants
from groundrules.align.wordalign import relation

#: So many words must be alike before another is the one difference, which has so many at most; two
#: are enough for a name where the source adds nothing.
_ALIKE, _LONGEST = 3, 4
#: A figure with a sign that its unit does not bear is two words beside one.
_SIGNED = 3


@dataclass(frozen=True, slots=True)
class Difference:
    """The one place where a statement differs from a sentence of a source.

    `kind` is figure, negation, opposite, quantifier or value; `claimed` and `stated` are the words
    there, empty on the side that has none, `others` how many words both have alike.
    """

    kind: str
    claimed: str
    stated: str
    others: int


def difference(statement: str, source: str) -> Difference | None:
    """Return the one place where a statement differs from a sentence, None where it is no such."""
    own = read_words(statement)
    parts = (read_words(part) for part, _ in variants(source, ""))
    found = next((found for there in parts if (found := _difference(own, there))), None)
    if found is None and tables()["shares"].intersection(statement.lower().split()):
        beside = map(read_words, parallel(source))  # "some must, the others need not"
        told = (one for there in beside if (one := _difference(own, there)))
        found = next((one for one in told if one.kind == "quantifier"), None)
    return found


def crossed(statement: str, source: str) -> Difference | None:
    """Return the subject that a statement has in place of another clause's of the same sentence.

    "The left path leads to the tarn, the right path to the quarry" tells against "the right path
    leads to the tarn": what it says of one thing is told, beside it, of the other.
    """
    if tables()["alike"].intersection(re.findall(r"\w+", source.lower())):
        return None
    own = _subject(statement)
    clauses = [(part, _subject(part)) for part in parallel(source)]
    beside = [part for part, told in clauses if own and told and told[2] == own[2]]
    if own is None or not beside or not all(compare(statement, part).statement for part in beside):
        return None
    for part, told in clauses:
        if told is None or set(own[2]) <= set(told[2]) or set(told[2]) <= set(own[2]):
            continue  # the pupils are some of the young pupils, or the other way about
        other = statement[: own[0]] + part[told[0] : told[1]] + statement[own[1] :]
        if not any(t.tag_ in {"PRP", "PRP$"} for t in parse(part)) and not compare(other, part):
            claimed, stated = statement[own[0] : own[1]], part[told[0] : told[1]]
            return Difference("value", claimed, stated, len(read_words(statement).words))
    return None


def _subject(text: str) -> tuple[int, int, tuple[str, ...]] | None:
    """Return the range and the lemmas of what a clause is about."""
    doc = parse(text)
    head = subject_of(doc)
    if head is None or head.pos_ == "PRON":
        return None
    if any(t.dep_ in {"conj", "relcl"} for t in head.subtree):
        return None
    part = doc[head.left_edge.i : head.right_edge.i + 1]
    lemmas = tuple(t.lemma_.lower() for t in part if t.pos_ not in {"DET", "PUNCT"})
    return part.start_char, part.end_char, lemmas


def _difference(own: Sentence, there: Sentence) -> Difference | None:
    pairs = in_order(own, there)
    ordered = len(pairs)
    pair_elsewhere(own, there, pairs, False)
    left = [n for n in range(len(own.words)) if n not in pairs]
    free = [n for n in range(len(there.words)) if n not in set(pairs.values())]
    apart = bool(left) and left[-1] - left[0] != len(left) - 1
    if len(pairs) < _ALIKE - 1 or len(left) > _LONGEST or apart:
        return None
    runs = [free[i : i + size] for size in range(1, _LONGEST + 1) for i in range(len(free))]
    for gap in ([], *runs) if left else runs:
        if gap and gap[-1] - gap[0] != len(gap) - 1:
            continue
        kind = _kind(own, left, there, gap)
        if not kind or set(binding(there, {*pairs.values(), *gap}, False)):
            continue
        if len(pairs) < _ALIKE and (kind != "value" or len(gap) != len(free)):
            continue
        both = pairs | (dict(zip(left, gap, strict=True)) if len(left) == len(gap) else {})
        placed = len(pairs) == ordered and (
            not gap or not left or all((n < left[0]) == (m < gap[0]) for n, m in pairs.items())
        )
        if placed or not turned(own, there, both, False, False):
            claimed, stated = (
                one.text[one.words[part[0]].start : one.words[part[-1]].end] if part else ""
                for one, part in ((own, left), (there, gap))
            )
            return Difference(kind, claimed, stated, len(pairs))
    return None


def _denies(sentence: Sentence, n: int) -> bool:
    return sentence.words[n].key in {("word", "not"), ("word", "never"), ("word", "no")}


def _kind(own: Sentence, left: Sequence[int], there: Sentence, gap: Sequence[int]) -> str:
    """Return what a difference is one of, empty where both may hold."""
    if len(left) + len(gap) == 1:
        one, n = (own, left[0]) if left else (there, gap[0])
        return "negation" if _denies(one, n) else ""
    if not left or not gap:
        return ""
    mine, theirs = [own.words[n] for n in left], [there.words[n] for n in gap]
    amounts = [[w for w in part if w.key[0] == "figure"] for part in (mine, theirs)]
    if all(len(part) == 1 for part in amounts) and len(mine) + len(theirs) == _SIGNED:
        long, short = sorted(
            (own.text[mine[0].start : mine[-1].end], there.text[theirs[0].start : theirs[-1].end]),
            key=len,
        )[::-1]
        return "figure" if long.removeprefix("-") == short else ""
    if len(mine) + len(theirs) == _SIGNED:  # "only some" of "all"
        bare = tuple(w.key[1] for w in (*mine, *theirs) if w.key != ("word", "only"))
        return "quantifier" if {bare, bare[::-1]} & tables()["quantifiers"] else ""
    if len(left) == len(gap) == 1:
        a, b = mine[0].key, theirs[0].key
        if a[0] == b[0] == "figure":
            written = "as written" in (a[1], b[1])
            return "" if written or a[1] != b[1] else "figure"
        if a[0] == b[0]:
            said, told = str(a[1]), str(b[1])
            if left[0] + 1 < len(own.words) and _denies(own, left[0] + 1):
                return ""  # what may not be must not be
            if any(said in group and told in group for group in tables()["turns"]):
                return "opposite"
            forces = tables()["forces"]
            if said in forces and told in forces:
                return "opposite" if forces[said] > forces[told] else ""
            if (said, told) in tables()["quantifiers"]:
                return "quantifier"
            shares = {one for pair in tables()["quantifiers"] for one in pair}
            if not {said, told} <= shares and relation(said, told) < 0:
                return "opposite"
    named = [
        all(text.doc[w.at].pos_ == "PROPN" for w in part)
        for text, part in ((own, mine), (there, theirs))
    ]
    placed = own.doc[mine[0].at]
    while placed.dep_ in {"compound", "conj", "flat"} and placed.head.i != placed.i:
        placed = placed.head
    if placed.dep_ == "pobj" and placed.head.lower_ in tables()["placing"]:
        return ""  # where and when something happens may be two
    if any(
        t.dep_ == "attr" and any(c.lower_ in {"a", "an", "one"} for c in t.children)
        for t in own.doc
    ):
        return ""  # of several one is each
    return "value" if all(named) else ""

"""Names or figures that stand in each other's place in two otherwise equal sentences.

In: two sentences and which of their words are alike; out: where the two stand.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Mapping

from groundrules.align.words.normal_words import Sentence, aspect, tables
from groundrules.align.words.passages import stems

#: Two names are exchanged among so many words at least, and have so many words at most.
_AMONG, _LONGEST = 3, 4
#: What parts the items of a list, and the words and figures of one, with their signs.
_BETWEEN, _WORD = re.compile(r",? and |, |; "), re.compile(r"[£$€¥−-]?\w[\w.,%-]*")
_FIGURE = re.compile(r"[£$€¥−-]?\d")
#: The word of a relation that has another for the way back: "shorter than", "the son of".
_OTHER = re.compile(r"\b(?:\w+er(?= than)|\w+(?= of\b))")
#: Words between two things that say the same of either.
_EITHER = re.compile(r"(?<!twice )(?<!half )(?<!times )\bas \w+ as\b|\bwith(?: the)?\Z")


def exchanged(
    own: Sentence, there: Sentence, pairs: Mapping[int, int], mutual: Collection[str]
) -> tuple[list[int], list[int]] | None:
    """Return the words of the first of two names that changed places, and what stands there.

    Only words in `pairs` are compared. A sentence with one of the words of `mutual` says the same
    of either, as one in the other voice may.
    """
    said = [n for n in sorted(pairs) if own.words[n].key != ("word", "and")]
    used = sorted(pairs[n] for n in said)
    mine, theirs = [own.words[n].key for n in said], [there.words[m].key for m in used]
    apart = [n for n, (one, other) in enumerate(zip(mine, theirs, strict=True)) if one != other]
    few = not apart or len(used) < _AMONG
    if few or _is_mutual(own, there, pairs, mutual, [said[n] for n in apart]):
        return None
    start, end = apart[0], apart[-1] + 1
    sizes = range(1, min(_LONGEST, end - start - 1) + 1)
    for one, two in itertools.product(sizes, sizes):
        a, b, c = start + one, end - two, start + two
        if a > b or mine[start:a] != theirs[end - one : end] or mine[b:end] != theirs[start:c]:
            continue
        if mine[a:b] != theirs[c : end - one]:
            continue
        tokens = [own.doc[own.words[n].at] for n in (*said[start:a], *said[b:end])]
        named = all(
            t.text[:1].isupper() or t.like_num or own.words[own.of[t.i]].key[0] == "figure"
            for t in tokens
        )
        between, behind = mine[a:b], mine[end:]
        nots = (own.doc[own.words[n].at] for n in said[a:b] if own.words[n].key[1] == "not")
        named |= any(t.head.dep_ != "ROOT" or t.dep_ != "neg" for t in nots)  # "not in June"
        told, other = ({key for key in part if key[0] == "figure"} for part in (between, behind))
        named |= bool(told and other) and told != other
        same = {tokens[one - 1].dep_, tokens[-1].dep_} == {"nsubj", "attr"}  # "Ann is the agent"
        if named and not same and tokens[one - 1] not in tokens[-1].conjuncts:
            return said[start:a], used[start:c]
    return None


def is_reordered(statement: str, source: str) -> bool:
    """Return whether a list is told in another order: "5% in June, 3% in May".

    All that moves is whole: a figure with what it is of, past words that name nothing.
    """
    one, other = (
        [_WORD.findall(item) for item in _BETWEEN.split(text.rstrip(". "))]
        for text in (statement, source)
    )
    if len(one) != len(other) or len(one) < 2:
        return False
    moved: list[list[frozenset[str]]] = [[], []]
    for mine, theirs in zip(one, other, strict=True):
        stays = {w.lower() for w in mine} & {w.lower() for w in theirs}
        parts = [[w for w in item if w.lower() not in stays] for item in (mine, theirs)]
        kept = [w for w in mine[mine is one[0] :] if w.lower() in stays]
        if any(parts) and any(_FIGURE.match(w) or w[:1].isupper() for w in kept):
            return False
        for side, part in zip(moved, parts, strict=True):
            if part and not (any(map(_FIGURE.match, part)) and any(map(str.isalpha, part))):
                return False
            side.append(frozenset(w.lower() for w in part))
    return moved[0] != moved[1] and sorted(map(sorted, moved[0])) == sorted(map(sorted, moved[1]))


def may_be_turned(statement: str, between: str, source: str) -> bool:
    """Return whether two things may be related both ways, as a statement and its source have it.

    By a mutual word `between` them; by one that the source lacks, for who is taller has somebody
    shorter beside him; in a list in another order.
    """
    said = set(re.findall(r"\w+", between.lower()))
    mutual = tables()["mutual"] - {"and"}
    return (
        not mutual.isdisjoint(said | {word.removesuffix("s") for word in said})
        or _EITHER.search(between.rstrip()) is not None
        or not set(stems(" ".join(_OTHER.findall(between)))) <= set(stems(source))
        or is_reordered(statement, source)
    )


def _is_mutual(
    own: Sentence, there: Sentence, pairs: Mapping[int, int], mutual: Collection[str], at: list[int]
) -> bool:
    """Return whether what is told of one thing and another may be told the other way about."""
    keys = [word.key for word in own.words]
    if any(keys[n - 1 : n] == [("word", "with")] for n in at):
        return True  # who trades with somebody is traded with
    lemmas = {str(t.lemma_).lower() for t in own.doc} | {str(key[1]) for key in keys}
    if not lemmas.isdisjoint(mutual) or _EITHER.search(own.text):
        return True
    if not {"x", "×"}.isdisjoint(lemmas) or ("by" in lemmas and keys[at[0]][0] == "figure"):
        return True  # a room of 4 by 5
    for n, m in pairs.items():
        one, other = own.doc[own.words[n].at], there.doc[there.words[m].at]
        if one.pos_ == "VERB" and ("passive" in aspect(one)) != ("passive" in aspect(other)):
            return True
    return False

"""Names or figures that stand in each other's place in two otherwise equal sentences.

In: two sentences and which of their words are alike; out: where the two stand.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping

from groundrules.align.normal_words import Sentence, aspect

#: Two names are exchanged among so many words at least, and have so many words at most.
_AMONG, _LONGEST = 3, 4


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
    if not apart or len(used) < _AMONG:
        return None
    if _is_mutual(own, there, pairs, mutual, [said[n] for n in apart]):
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
        same = {tokens[one - 1].dep_, tokens[-1].dep_} == {"nsubj", "attr"}  # "Ann is the agent"
        if named and not same and tokens[one - 1] not in tokens[-1].conjuncts:
            return said[start:a], used[start:c]
    return None


def _is_mutual(
    own: Sentence,
    there: Sentence,
    pairs: Mapping[int, int],
    mutual: Collection[str],
    apart: list[int],
) -> bool:
    """Return whether what is told of one thing and another may be told the other way about."""
    keys = [word.key for word in own.words]
    if not {str(key[1]) for key in keys}.isdisjoint(mutual):
        return True
    if any(keys[n - 1 : n] == [("word", "with")] for n in apart):
        return True  # who trades with somebody is traded with
    lemmas = {str(t.lemma_).lower() for t in own.doc}
    if not {"x", "×"}.isdisjoint(lemmas) or ("by" in lemmas and keys[apart[0]][0] == "figure"):
        return True  # a room of 4 by 5
    for n, m in pairs.items():
        one, other = own.doc[own.words[n].at], there.doc[there.words[m].at]
        if one.pos_ == "VERB" and ("passive" in aspect(one)) != ("passive" in aspect(other)):
            return True
    return False

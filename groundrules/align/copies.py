"""Whether a statement copies a sentence of a source but for one place, so that no reader counts."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from groundrules.align.premises import Index

#: Words of that place, and of a sentence, at most.
_PLACE, _MOST = 3, 300
_WORD = re.compile(r"\b(?!(?:an?|the|s)\b)\w+|[£$€%−+-]")


def is_copied(statement: str, index: Index) -> bool:
    """Return whether a statement has the words of a unit, or of two in a row, but for one place.

    Few words stand there instead or besides, any are left out, two are exchanged, a pair differs.
    """
    own = _words(statement)
    told = [_words(unit.text) for unit in index.units]
    for there in (*told, *(one + other for one, other in pairwise(told))):
        if len(there) > _MOST or 2 * len({*own} & {*there}) < len({*own}):
            continue
        found = SequenceMatcher(None, own, there, autojunk=False).get_opcodes()
        apart = [(own[a:b], there[c:d]) for kind, a, b, c, d in found if kind != "equal"]
        mine, theirs = (sum((pair[side] for pair in apart), ()) for side in (0, 1))
        exchanged = mine != theirs and sorted(mine) == sorted(theirs)
        paired = all(len(a) == len(b) == 1 for a, b in apart)
        few = len(mine) <= _PLACE and (not mine or len(theirs) <= _PLACE)
        if (len(apart) == 2 and (exchanged or paired)) or (len(apart) < 2 and few):
            return True
    return False


@lru_cache(maxsize=4096)  # the units of the same sources, for each statement
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))

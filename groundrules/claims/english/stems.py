"""What a word shares with other words, one function for each thing that is asked; keys, not words.

Some lie under fitted weights, and must give what they gave when these were fitted: see
docs/decisions/stems.md.
"""

from __future__ import annotations

from functools import lru_cache

from groundrules.claims.english import IRREGULAR_VERBS

#: How many letters find a word: "deliver", "delivers" and "delivery" meet at six.
LETTERS = 6
_KEPT = 200_000
_NOUNS = {"children": "child", "headquarter": "headquarters"}
#: Endings that make one word of another, the longest of a kind first.
_ENDINGS = (
    "ations ation able ible ement ements ments ment nesses ness ances ance ences ence ions ion "
    "ities ity ings "
    "ing ers ors ous ive ally ably ly als al ed er or es ies ied s e y i"
).split()


def uninflected(word: str) -> str:
    """Return what a lower-case word shares with its inflected forms."""
    if word in IRREGULAR_VERBS or word in _NOUNS:
        return IRREGULAR_VERBS.get(word) or _NOUNS[word]
    if len(word) > 4:
        for ending, rest in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", "")):
            if word.endswith(ending) and len(word) - len(ending) > 2:
                word = word[: -len(ending)] + rest
                break
        else:
            word = word.removesuffix("s")
        word = word.removesuffix("e")
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
            word = word[:-1]
    elif len(word) == 4:
        word = word.removesuffix("s").removesuffix("e")
    return word


def possible_bases(word: str) -> set[str]:
    """Return all that a word may be a form of; who asks knows which of them are words."""
    bare = word.removesuffix("'s")
    found = {bare}
    for ending in ("s", "es", "d", "ed", "ing"):
        if bare.endswith(ending):
            cut = bare.removesuffix(ending)
            found |= {cut, cut + "e"} if ending == "ing" else {cut}
    return found


def beginning(word: str) -> str:
    """Return the beginning of a word, by which it is found; a number stays whole."""
    return word if word[0].isdigit() else word[:LETTERS]


def uninflected_beginning(word: str) -> str:
    """Return the beginning of a word without its inflection; a number stays whole."""
    if word[0].isdigit():
        return word
    for ending in ("ies", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + ("y" if ending == "ies" else "")
            break
    return word[:LETTERS].removesuffix("e") or word


@lru_cache(maxsize=_KEPT)
def family(lemma: str) -> str:
    """Return a word without its endings, so that `liability` meets `liable`, `deny` `denial`."""
    word = lemma.replace("ability", "able").replace("ibility", "ible")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] in "yi":
        word = word[:-1]
    return word

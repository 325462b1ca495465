"""What of long sources bears on the statements of a text: the sentences of them that are parsed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from groundrules.align.passages import BUDGET, Passages, index_passages, nearest_passages
from groundrules.claims.english import DEMONSTRATIVES, IMPERSONAL, PERSONAL, PLURAL
from groundrules.claims.facts.outline import Outline, capitals

#: Sentences of the sources, and their words, that are parsed for a statement: twice as many as it
#: is held against.
NEAREST, WORDS = 10, 2 * BUDGET
#: Where a document says who and what it is about, in code points.
OPENING = 1500


def bearing(statements: Iterable[str], sources: Sequence[Outline]) -> list[frozenset[int]]:
    """Return for each source the numbers of the sentences that bear on some statements.

    These are the sentences nearest to a statement, where one opens with a pronoun that before it,
    what defines a term that statements or such sentences use, and the opening of a document that
    has any.
    """
    statements = list(statements)
    index, places = _indexed(tuple(sources))
    found: list[set[int]] = [set() for _ in sources]
    for statement in statements:
        for place in nearest_passages(statement, index, most=NEAREST, budget=WORDS):
            owner, number = places[place]
            found[owner].add(number)
    for source, chosen in zip(sources, found, strict=True):
        if not chosen:
            continue
        chosen |= {n - 1 for n in chosen if n and leans(source.said(n))}
        used = {word for text in statements for word in capitals(text)}
        used |= {word for n in chosen for word in capitals(source.said(n))}
        for term in source.definitions():
            if used.issuperset(capitals(term.term)):
                chosen.add(source.sentence_at(term.opens))
        chosen |= {n for n, (start, _) in enumerate(source.sentences) if start < OPENING}
    return [frozenset(chosen) for chosen in found]


@lru_cache(maxsize=4)
def _indexed(sources: tuple[Outline, ...]) -> tuple[Passages, list[tuple[int, int]]]:
    """Return the index of the sentences of some sources and where each of them stands."""
    texts = [[source.said(n) for n in range(len(source.sentences))] for source in sources]
    return index_passages(texts), [(n, m) for n, said in enumerate(texts) for m in range(len(said))]


_PRONOUNS = PERSONAL - {"hers"} | IMPERSONAL | PLURAL | DEMONSTRATIVES | {"such"}


def leans(sentence: str) -> bool:
    """Return whether a sentence opens with a word that stands for something before it."""
    first = sentence.split(maxsplit=1)[:1]
    return bool(first) and first[0].casefold().strip(",;:\"'“”(") in _PRONOUNS

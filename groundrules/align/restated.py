"""Whether a statement says just what a sentence of its sources says, in another order or voice.

"The policy covers water damage" for "Water damage is covered by the policy"; "was not accepted" for
"was rejected". Nothing is left out on either side and nothing added, so that no model has to
guess. Anything that could tell the two apart (a number of denials that does not fit the opposites,
another quantifier, force, tense, order or role) means no.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from groundrules.align.agreement import are_crossed
from groundrules.align.denials import (
    certainty,
    denials,
    force,
    predicative,
    quantity,
    remnants,
)
from groundrules.align.figures import Figure
from groundrules.align.wordalign import Text, lexicon, likeness, read
from groundrules.claims.english.fillers import LIGHT_WORDS
from groundrules.claims.english.signals import RESTATED_WORDS

#: Longest sentence that is looked at, in tokens.
LONGEST = 60
_OF = frozenset({"poss", "compound", "amod", "nmod"})
_SUBJECTS = frozenset({"nsubj", "csubj"})
_OBJECTS = frozenset({"dobj", "nsubjpass", "csubjpass"})
_STATES = frozenset({"acomp", "oprd"})
_SAID = frozenset({"attr", "acomp", "oprd", "dative"})
_NOUNS = frozenset({"NOUN", "PROPN", "NUM"})


@lru_cache(maxsize=65_536)
def restates(statement: str, passage: str) -> bool:
    """Return whether one sentence says just what the other says."""
    mine, theirs = read(statement), read(passage)
    if not mine.content or not theirs.content:
        return False
    if max(len(mine.doc), len(theirs.doc)) > LONGEST:
        return False
    if mine.sentence[-1] or theirs.sentence[-1]:
        return False
    pairs = _paired(mine, theirs)
    if pairs is None:
        return False
    own, apart = remnants(mine), remnants(theirs)
    return (
        _same_polarity(mine, theirs, pairs)
        and all((i in own) == (j in apart) for i, j, _ in pairs)
        and all(law(mine) == law(theirs) for law in _LAWS)
        and not are_crossed(mine, theirs, {i: {j} for i, j, _ in pairs})
        and all(
            _roles(mine, i) & _roles(theirs, j) for i, j, _ in pairs if _nouns(mine, i, theirs, j)
        )
    )


def _paired(mine: Text, theirs: Text) -> list[tuple[int, int, int]] | None:
    """Return the content words side by side with their relation; None where one stays alone.

    The same words first, those behind the same word before others, then those of one meaning, then
    opposites. Light verbs may stay alone.
    """
    _, relations = likeness(mine, theirs)
    rows, columns = set(range(len(mine.content))), set(range(len(theirs.content)))
    out = []
    levels: tuple[Callable[[int, int], bool], ...] = (
        lambda r, c: _ending(mine, mine.content[r]) == _ending(theirs, theirs.content[c]),
        lambda r, c: mine.doc[mine.content[r]].lower_ == theirs.doc[theirs.content[c]].lower_,
        lambda r, c: bool(relations[r, c] == 1),
        lambda r, c: bool(relations[r, c] == -1),
    )
    for fits in levels:
        for row in sorted(rows):
            for column in sorted(columns):
                if fits(row, column):
                    link = -1 if fits is levels[-1] else 1
                    out.append((mine.content[row], theirs.content[column], link))
                    rows.discard(row)
                    columns.discard(column)
                    break
    alone = [(mine, mine.content[row]) for row in rows]
    alone += [(theirs, theirs.content[column]) for column in columns]
    light = (t.lemmas[n] in LIGHT_WORDS and t.doc[n].pos_ in {"VERB", "AUX"} for t, n in alone)
    return out if all(light) else None


def _ending(text: Text, i: int) -> tuple[str, ...]:
    """Return a word with the one before it, which tells two places of it apart."""
    return tuple(text.doc[n].lower_ for n in range(max(0, i - 1), i + 1))


def _same_polarity(mine: Text, theirs: Text, pairs: list[tuple[int, int, int]]) -> bool:
    """Return whether denials and opposites cancel, in all and at each word."""
    odd = sum(link == -1 for _, _, link in pairs) % 2
    if (len(_deniers(mine)) + len(_deniers(theirs)) + odd) % 2:
        return False
    return all(
        (len(denials(mine, i)) + len(denials(theirs, j)) + (link == -1)) % 2 == 0
        for i, j, link in pairs
        if link == -1 or (predicative(mine, i) and predicative(theirs, j))
    )


def _deniers(text: Text) -> set[int]:
    return {n for index in text.content for n in denials(text, index)}


def _quantities(text: Text) -> list[str]:
    return sorted(filter(None, (quantity(text, token.i) for token in text.doc)))


def _forces(text: Text) -> set[str]:
    found = (force(text, i) for i in text.content if predicative(text, i))
    return {kind for kind, _ in filter(None, found)}


def _certainties(text: Text) -> set[str]:
    return {certainty(text, i)[0] for i in text.content if predicative(text, i)}


def _small(text: Text) -> list[str]:
    """Return the small words that decide, but for the particles of verbs that the lexicon knows."""
    known = lexicon().sides
    return sorted(
        token.lower_
        for token in text.doc
        if token.lower_ in RESTATED_WORDS or token.pos_ == "PRON" or token.dep_ == "prt"
        if token.dep_ != "prt" or text.lemmas[token.head.i] not in known
    )


def _past(text: Text) -> bool:
    """Return whether a finite verb is in the past."""
    return any(t.tag_ == "VBD" for t in text.doc)


_LAWS: tuple[Callable[[Text], object], ...] = (_quantities, _forces, _certainties, _small, _past)


def _nouns(mine: Text, i: int, theirs: Text, j: int) -> bool:
    return mine.doc[i].pos_ in _NOUNS and theirs.doc[j].pos_ in _NOUNS


def _roles(text: Text, index: int) -> frozenset[str]:
    """Return what a noun may be to the word it depends on, the same in both voices."""
    token = text.doc[index]
    while token.dep_ in {"conj", "appos"}:
        token = token.head
    dep = token.dep_
    if dep in _OF:
        return frozenset({"of"})
    if dep in _SUBJECTS:
        # "is closed" is read as a deed or as a state
        state = any(child.dep_ in _STATES for child in token.head.children)
        return frozenset({"subject", "object"} if state else {"subject"})
    if dep in _OBJECTS:
        return frozenset({"object"})
    if dep == "dative":
        return frozenset({"to"})
    if dep == "pobj":
        return frozenset({_of_preposition(token.head)})
    return frozenset({str(dep)})


def _of_preposition(preposition: Any) -> str:
    passive = any(child.dep_ in {"auxpass", "nsubjpass"} for child in preposition.head.children)
    if preposition.dep_ == "agent" or (preposition.lower_ == "by" and passive):
        return "subject"
    return "of" if preposition.lower_ == "of" else str(preposition.lower_)


def has_one_subject(statement: str, figures: Sequence[Figure]) -> bool:
    """Return whether a statement gives one subject its figures: "the Gannet carries 14 cars".

    Each figure is what is said and no circumstance ("in 2019"), and nobody else takes part: of two
    who do, and of a deed in the passive, the words alone do not tell who did what to whom.
    """
    text = read(statement)
    core = [t for t in text.doc if t.dep_ in _SUBJECTS | _OBJECTS | _SAID]
    others = [t for t in core if not any(_has(t, f) for f in figures)]
    others += [t for t in text.doc if t.dep_ == "agent"]
    given = all(any(_has(token, figure) for token in core) for figure in figures)
    return given and len(others) <= 1 and not any(t.dep_ == "nsubjpass" for t in others)


def _has(token: Any, figure: Figure) -> bool:
    """Return whether a figure stands in what depends on a word."""
    return any(figure.start < t.idx + len(t) and t.idx < figure.end for t in token.subtree)

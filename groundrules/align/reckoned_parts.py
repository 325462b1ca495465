"""What comes out of the figures of a clause, and whether it bears out what a part of it says."""

from __future__ import annotations

from dataclasses import replace

from groundrules.align.operations import comes_out
from groundrules.align.snippets import (
    Texts,
    compares,
    denials,
    figures,
    is_age,
    meets,
    side_of_time,
    words_at,
    words_of,
)
from groundrules.claims.copied import Place
from groundrules.claims.english.logic import CASES, EXCEPTING, LEFT_OVER, MOMENTS, OTHERS
from groundrules.claims.llm_propositions import Clause, Part, Reckoned


def reckoned_of(part: Part, clause: Clause) -> list[Reckoned]:
    """Return what of a part is to be reckoned from figures."""
    return [one for one in clause.reckoned if any(meets(part.said, at) for at in one.said)]


def held_sums(clause: Clause, texts: Texts) -> list[Reckoned]:
    """Return what of a clause comes out as reckoned, with the figures that are its source's."""
    return [
        replace(one, of=tuple(piece for piece in one.of if piece.in_source))
        for one in clause.reckoned
        if comes_out(one, texts) == "yes"
    ]


def are_borne_out(part: Part, clause: Clause, texts: Texts) -> bool:
    """Return whether all that is to be reckoned of a part comes out, and bears it out."""
    sums = reckoned_of(part, clause)
    return bool(sums) and all(_is_borne_out(one, part, clause, texts) for one in sums)


def is_complement(clause: Clause, texts: Texts) -> bool:
    """Return whether a clause tells of what is left of a whole what is not so of the rest.

    Of a hundred beads 60 are red, so that 40 of them are not: denied in one text, or opposed.
    """
    left = [one for one in clause.reckoned if one.by == "difference"]
    return any(_counts(one, texts) and comes_out(one, texts) == "yes" for one in left)


def _counts(one: Reckoned, texts: Texts) -> bool:
    words = words_at(one.said, texts.statement)
    return any(f.number.kind in {"NUMBER", "RATIO", "PERCENT"} for f in figures(words))


def is_beyond(part: Part, clause: Clause, texts: Texts) -> bool:
    """Return whether a part lies outside of the range in which the source has its clause."""
    beyond = [one for one in reckoned_of(part, clause) if one.by == "outside"]
    return (
        bool(beyond)
        and part.role not in CASES
        and all(_is_limited(one, clause, texts) for one in beyond)
        and all(comes_out(one, texts) == "yes" for one in beyond)
        and not _speaks_of_others(part, clause, texts)
    )


def _is_limited(one: Reckoned, clause: Clause, texts: Texts) -> bool:
    """Return whether a range limits what is told: a time, or how many there may be.

    Whom a source tells something of is another matter: what is so of children is not only of them.
    """
    found = figures(words_at(one.said, texts.statement))
    timed = any(f.number.kind in {"TIME", "DATE", "DURATION"} for f in found)
    counted = clause.source.force in {"may", "must", "do"} and any(f.counts for f in found)
    return timed or counted


def _speaks_of_others(part: Part, clause: Clause, texts: Texts) -> bool:
    """Return whether a source speaks of what lies outside of a range, or has it as an exception."""
    _, known = unreckoned(part, clause, texts)
    return not (OTHERS | EXCEPTING).isdisjoint(words_of(known))


def _is_borne_out(one: Reckoned, part: Part, clause: Clause, texts: Texts) -> bool:
    """Return whether what comes out of figures is what a part says with it.

    What is so within a range is so at each time and age in it, but an amount is not each that may
    be. What is left of a whole is told of what the rest is not.
    """
    if comes_out(one, texts) != "yes":
        return False
    words = texts.said(part)
    if one.by == "within":
        times = {f.number.kind for f in figures(words)} & {"TIME", "DATE"}
        if part.role in CASES or is_age(words):
            return True
        return not side_of_time(words) if times else not MOMENTS.isdisjoint(words_of(words))
    if one.by == "outside":
        return _speaks_of_others(part, clause, texts)
    if one.by == "difference" and _counts(one, texts):
        turned = any(p.role == "does" and p.relation == "opposed" for p in clause.parts)
        denied = len(denials(words)) % 2 != len(denials(texts.known(part))) % 2
        compared = compares(part.said, texts.statement) or not LEFT_OVER.isdisjoint(words_of(words))
        return turned != denied or compared
    return True


def is_reckoned_with(part: Part, clause: Clause, texts: Texts) -> bool:
    """Return whether a part has the case of a statement from whose figure something comes out."""
    return any(meets(part.said, place) for place in _cases(clause, texts))


def _cases(clause: Clause, texts: Texts) -> list[Place]:
    return [
        piece.place
        for one in clause.reckoned
        if comes_out(one, texts) == "yes"
        for piece in one.of
        if not piece.in_source
    ]


def unreckoned(part: Part, clause: Clause, texts: Texts) -> tuple[str, str]:
    """Return the words of a part in both texts without those that a sum has brought together."""
    sums = reckoned_of(part, clause)
    mine = [place for one in sums for place in one.said] + _cases(clause, texts)
    theirs = [piece.place for one in sums for piece in one.of if piece.in_source]
    said = words_at(part.said, texts.statement, mine)
    return said, words_at(part.known, texts.source, theirs)

"""Orders: what two comparisons of a source say together, and which thing has most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from groundrules.align.meanings import related
from groundrules.align.projection import Relation
from groundrules.align.related_predicates import opposite
from groundrules.claims.degrees import across, inverted, product
from groundrules.claims.slots import Slot, Term, described

#: Comparisons that are joined, at most.
_MOST = 12


@lru_cache(maxsize=256)
def ordered(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return what follows from two of some comparisons and properties, and who has most of all.

    What is longer than what is longer than a third is longer than the third; what is faster than
    what is fast is fast.
    """
    told = [one for one in terms if _sides(one)][:_MOST]
    plain = [one for one in terms if one.kind == "property" and _is_plain(one)][:_MOST]
    chains = [
        made
        for one in told
        for other in told
        if one is not other
        for side in (one, across(one))
        for made in _chained(side, other)
    ]
    alike = [made for one in told for other in plain for made in _alike(one, other)]
    return (*chains, *alike, *_greatest([*told, *chains]))


def _sides(event: Term) -> tuple[Term, Term] | None:
    """Return both sides of a comparison of two things, None of what is no such comparison."""
    one, other = event.of("subj"), event.of("than")
    ratio = any(t.bounds for t in event.of("degree"))
    if not ratio or event.denied or event.force != "fact" or not (one and other):
        return None
    single = all(t.determiner in {"the", "name"} for t in (one[0], other[0]))
    return (one[0], other[0]) if single else None


def _is_plain(event: Term) -> bool:
    return not event.denied and event.force == "fact" and not event.of("degree")


def _same(one: Term, other: Term) -> bool:
    return described(one) == described(other)


def _worded(event: Term, head: str) -> Term:
    """Return a comparison in another word where that is the opposite of its own."""
    return inverted(replace(event, head=head)) if opposite(event.head, head) else event


def _in_words_of(event: Term, other: Term) -> Term | None:
    """Return a comparison in the words of another, None where it is of something else."""
    event = _worded(event, other.head)
    if related(event.head, other.head, "property") is not Relation.SAME:
        return None
    rest = ("subj", "than", "degree", "by")
    mine, theirs = event.without(*rest), other.without(*rest)
    return event if [*map(_shown, mine)] == [*map(_shown, theirs)] else None


def _shown(slot: Slot) -> str:
    return f"{slot.role}: {described(slot.filler)}"


def _chained(one: Term, other: Term) -> Iterator[Term]:
    """Yield what a comparison says by way of another that has a side in common with it."""
    fitting = _in_words_of(other, one)
    mine = _sides(one)
    for made in (fitting, across(fitting)) if fitting is not None else ():
        theirs = _sides(made)
        if mine is None or theirs is None or not _same(mine[1], theirs[0]):
            continue
        if _same(mine[0], theirs[1]) or made.tense != one.tense:
            continue
        ratio = product(one.of("degree")[0].bounds, made.of("degree")[0].bounds)
        if ratio is None:
            continue
        degree = replace(one.of("degree")[0], bounds=ratio)
        rest = one.without("than", "degree", "by")
        yield replace(one, slots=(*rest, Slot("degree", degree), Slot("than", theirs[1])))


def _alike(one: Term, plain: Term) -> Iterator[Term]:
    """Yield of the side of a comparison that has more what its other side is said to be."""
    sides, who = _sides(one), plain.of("subj")[:1]
    if sides is None or not who or one.kind != "property" or plain.tense != one.tense:
        return
    one = _worded(one, plain.head)
    for made in (one, across(one)):
        ends = _sides(made)
        ratio = made.of("degree")[0].bounds
        if ends is None or ratio is None or ratio[0] < 1:
            continue
        if related(made.head, plain.head, "property") is Relation.SAME and _same(ends[1], who[0]):
            yield replace(plain, slots=(Slot("subj", ends[0]), *plain.without("subj")))


def _greatest(told: Sequence[Term]) -> Iterator[Term]:
    """Yield that who has more than each of two others has most of the three, and who has least."""
    for first in (made for one in told for made in (one, across(one))):
        sides, more = _sides(first), _exceeds(first)
        if sides is None or more is None:
            continue
        others, seen = set(), set()
        for other in told:
            made = _in_words_of(other, first)
            for turned in (made, across(made)) if made is not None else ():
                ends = _sides(turned)
                seen |= {described(end) for end in ends or ()}
                if ends and _same(ends[0], sides[0]) and _exceeds(turned) is more:
                    others.add(described(ends[1]))
        if len(seen) != len(others) + 1:
            continue  # of another it is not told
        count = float(len(others) + 1)
        most = Term("most" if more else "least", "words", first.at)
        for head in (f"{count:g}", sides[0].head):
            of = Term(head, "thing", first.at, (), "the", (count, count), plural=True)
            rest = first.without("than", "degree", "by")
            yield replace(first, slots=(*rest, Slot("degree", most), Slot("of", of)))


def _exceeds(event: Term) -> bool | None:
    """Return whether the first side of a comparison has more, None where it may have either."""
    low, high = event.of("degree")[0].bounds or (0.0, 2.0)
    return True if low > 1 else False if high < 1 else None

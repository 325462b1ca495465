"""Antecedents: what pronouns stand for.

A pronoun keeps all the things that it may stand for: each choice makes a proposition.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from groundrules.claims.english.logic import OWN_DETERMINERS, PRONOUN_KINDS
from groundrules.claims.slots import Term, terms_of, with_fillers

_FIRST = frozenset({"subj", "obj"})
#: Things that a pronoun may reach back to, that each may stand for, and propositions of them all.
_KNOWN, _CHOICES, _MOST = 8, 4, 9


def resolved(
    terms: Iterable[Term], before: Iterable[Term] = ()
) -> Iterator[tuple[Term, list[Term]]]:
    """Yield each proposition with its readings, in which pronouns stand for things before them.

    `before` are the propositions that precede them.
    """
    known: list[Term] = []
    for term in before:
        _remember(term, known)
    for term in terms:
        yield term, list(_readings(term, known)) or [term]
        _remember(term, known)


def _remember(event: Term, known: list[Term]) -> None:
    """Add the things of an event to those that pronouns may stand for, subjects first."""
    for role in ("obj", "is", "subj"):
        for one in event.of(role):
            if one.kind == "thing" and one.head not in PRONOUN_KINDS:
                known.insert(0, one)
    for said in event.of("that"):  # "it is expected that the ship docks"
        if said.clausal and not event.of("subj"):
            _remember(said, known)
    things = [s for s in event.slots if s.filler.kind == "thing"]
    known[1:1] = [t for s in things for t in s.filler.of("of") if t.determiner == "name"]
    known += [s.filler for s in things if s.role not in {"subj", "obj", "is"}]
    del known[_KNOWN:]


def _readings(term: Term, known: Sequence[Term]) -> Iterator[Term]:
    """Yield a proposition with each choice of things that its pronouns may stand for."""
    inside = list(terms_of(term))
    kinds = sorted({kind for kind in map(_pronoun, inside) if kind})
    if not kinds:
        yield term
        return
    marks = {id(s.filler) for one in inside for s in one.slots if s.role == "mod"}
    own = [s.filler for s in term.slots if s.role in _FIRST and not _pronoun(s.filler)]
    own += [
        one for one in inside
        if one.kind == "thing" and one.determiner == "name" and id(one) not in marks
        and not _pronoun(one)
    ]  # fmt: skip
    # what stands beside a subject in one clause is another: "she chaired it"
    direct = {_pronoun(slot.filler) for slot in term.slots}
    nested = [one for one in own if all(one is not slot.filler for slot in term.slots)]
    choices = []
    for kind in kinds:
        near = nested if kind in direct else own
        unique = {(one.head, one.text): one for one in (*near, *known) if _fits(kind, one)}
        some: list[Term | None] = [*unique.values()]
        choices.append(some[:_CHOICES] or [None])
    for chosen in itertools.islice(itertools.product(*choices), _MOST):
        real = [one.text for one in chosen if one is not None]
        if len({*real}) == len(real):
            yield _replaced(term, dict(zip(kinds, chosen, strict=True)))


def _pronoun(term: Term) -> str:
    """Return of which kind a pronoun is, empty for what is none."""
    return PRONOUN_KINDS.get(term.head, "") if term.kind == "thing" else ""


def _fits(kind: str, term: Term) -> bool:
    if term.kind != "thing" or term.head in {"i", "you", "we"}:
        return False
    if kind == "they":
        return term.plural or bool(term.joined) or term.determiner in {"every", "some", "name"}
    return not term.plural and (kind == "it" or term.determiner != "bare")


def _replaced(term: Term, by: Mapping[str, Term | None]) -> Term:
    other = by.get(_pronoun(term))
    if other is None:
        return with_fillers(term, [_replaced(s.filler, by) for s in term.slots])
    own = term.determiner in OWN_DETERMINERS
    told = "the" if other.determiner == "a" and not other.plural else other.determiner
    return replace(
        other, determiner=term.determiner if own else told,
        measure=term.measure if own else other.measure, words=term.words, joined=(), at=term.at,
        place=term.place,
    )  # fmt: skip

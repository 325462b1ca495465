"""Alternatives: what an "otherwise" says is so where the condition before it is not met."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from groundrules.claims.english.logic import CONDITIONS
from groundrules.claims.normal_forms import opposed
from groundrules.claims.slots import Slot, Term

Phrases = Callable[[Any], Iterable[Slot]]


def with_alternatives(doc: Any, terms: Sequence[Term], phrases: Phrases) -> list[Term]:
    """Return propositions with those behind an "otherwise" bound to the opposite condition.

    "If it rains it is held indoors, otherwise outdoors"; where nothing stands before, the condition
    is unknown. `phrases` reads the slots of a preposition.
    """
    made = list(terms)
    for token in doc:
        if token.lower_ != "otherwise" or not _turns(token):
            continue
        head = _place(token)
        earlier = [t for t in made if t.at < min(token.i, head.i)]
        if head.tag_ in {"IN", "TO"} and earlier:
            made.append(_in_other_words(earlier[-1], tuple(phrases(head)), token.i))
        else:
            made = [
                _bound(t, earlier[-1] if earlier else None, token.i) if t.at == head.i else t
                for t in made
            ]
    return made


def _turns(token: Any) -> bool:
    """Return whether an "otherwise" begins a clause or a phrase, or ends it."""
    before = token.nbor(-1) if token.i else None
    behind = token.nbor() if token.i + 1 < len(token.doc) else None
    first = before is None or before.is_punct or before.dep_ == "cc"
    last = behind is None or behind.is_punct
    return first or (last and _place(token).tag_ in {"IN", "TO"})


def _place(token: Any) -> Any:
    """Return the preposition of what an "otherwise" stands behind, or what it belongs to."""
    head = token.head
    return head.head if head.dep_ == "pobj" else head


def _unmet(before: Term | None, at: int) -> tuple[Slot, Slot | None]:
    """Return the condition that the one before is not met, and the one before."""
    if before is None:
        return Slot("if", Term("", "words", at)), None
    own = next((s for s in before.slots if s.role in CONDITIONS and s.filler.clausal), None)
    if own is None:  # "pay, otherwise you may not enter"
        told = replace(opposed(before), force="fact", aside=False)
        return Slot("if", told), None
    return Slot("if", own.filler if own.role == "unless" else opposed(own.filler)), own


def _bound(term: Term, before: Term | None, at: int) -> Term:
    unmet, own = _unmet(before, at)
    kept = tuple(s for s in term.slots if own is None or s.filler.at != own.filler.at)
    return replace(term, slots=(*kept, unmet))


def _in_other_words(before: Term, phrases: tuple[Slot, ...], at: int) -> Term:
    """Return a proposition with other phrases, where its condition is not met."""
    unmet, own = _unmet(before, at)
    roles = {s.role for s in phrases}
    kept = tuple(s for s in before.slots if s is not own and s.role not in roles)
    return replace(before, slots=(*kept, *phrases, unmet))

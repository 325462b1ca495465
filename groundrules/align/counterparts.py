"""A proposition of a source made in the words of a statement, by one clause that a model read.

The model says which words of the source stand beside which of the statement, and what they mean
beside them. Slot by slot the proposition is ours: with the number, the quantifier, the denial, the
force and the tense that the source has, which the code reads and no model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from groundrules.align.deductions import read_propositions
from groundrules.align.snippets import (
    WORD,
    dates,
    framed,
    meets,
    names,
    numbers,
    opening,
    quantifiers,
    sentence_of,
    turns,
    words_at,
)
from groundrules.claims.english import BE, HAVE, NEGATIVE
from groundrules.claims.english.logic import (
    AUXILIARY_FORCES,
    BINDING,
    CALLED,
    CONDITIONS,
    LIKE_PLACES,
)
from groundrules.claims.llm_propositions import Clause, Part, Place
from groundrules.claims.slots import Slot, Term, terms_of

__all__ = ["JUDGED", "Counterpart"]

#: Relations by which a part is compared, whether or not our own reading has its words.
JUDGED = frozenset({"same", "narrower", "wider"})
#: Between the ways of a choice.
_CHOICE = re.compile(r",|\bor\b|\beither\b")


@dataclass(frozen=True, slots=True)
class Counterpart:
    """Makes of a proposition of a statement what the source says, by one clause of a reading."""

    clause: Clause
    statement: str
    source: str

    def pair(self, h: Term) -> tuple[Term, Term] | None:
        """Return the proposition of the source and that of the statement, None if not to be had."""
        verbs = [one for one in self.clause.parts if one.role == "does"]
        relations = {one.relation for one in verbs}
        if not relations <= JUDGED | {"opposed"}:
            return None
        mood = self._mood()
        if mood is None:
            return None
        denied, force, tense, own = mood
        mine, theirs = [], []
        for slot in h.slots:
            made = self._slot(slot, own)
            mine.append(made[1])
            if made[0] is not None:
                theirs.append(made[0])
        for part in self._besides(h):
            made = self._slot(Slot("mod", self._as_words(part)), own)
            mine.append(made[1])
            if made[0] is not None:
                theirs.append(made[0])
        mine += [Slot("mod", self._as_words(part)) for part in self._unmet(h)]
        theirs += self._added()
        p = replace(h, slots=tuple(theirs), denied=denied, force=force, tense=tense)
        said = replace(h, slots=tuple(mine))
        if "narrower" in relations:
            p = replace(p, slots=(*p.slots, _detail()))
        if "wider" in relations:
            said = replace(said, slots=(*said.slots, _detail()))
        return p, said

    def _mood(self) -> tuple[bool, str, str, Term | None] | None:
        """Return denial, force and tense that the source has, None where we cannot tell.

        They are ours where we read the verb; the model must not say otherwise.
        """
        side = self.clause.source
        verbs = [one for one in self.clause.parts if one.role == "does"]
        places = [place for one in verbs for place in one.known]
        if not places:  # a verb that is only meant, whose tense nothing tells
            meant = self._is_copula(verbs) or self._is_of_cells()
            implied = not side.denied and side.force == "fact" and meant
            return (False, "fact", "", None) if implied else None
        start, end = sentence_of(self.source, side.places)
        own = [
            event
            for event in read_propositions(self.source[start:end])
            if any(a < event.place[1] + start and event.place[0] + start < b for a, b in places)
        ]
        words = " ".join(self.source[a:b] for a, b in places)
        if own:
            event = own[0]
            if len({one.denied for one in own}) > 1:
                return None
            denied = event.denied and not self._denies_beside()
            return (denied, event.force, event.tense, event) if denied == side.denied else None
        low = {word.casefold() for word in WORD.findall(words)}
        if bool(low & NEGATIVE) != side.denied:
            return None
        forces = {AUXILIARY_FORCES[word] for word in low if word in AUXILIARY_FORCES}
        if forces - {side.force}:
            return None
        return side.denied, side.force, "", None

    def _slot(self, slot: Slot, own: Term | None) -> tuple[Slot | None, Slot]:
        """Return a slot of the statement as the source fills it, None if it does not, and ours.

        `own` is the event of the source as we read it, which says how much more or less there is.
        """
        part = self._part(slot.filler)
        if slot.role == "degree" and (part is None or part.role == "does"):
            degrees = [s for s in own.slots if s.role == "degree"] if own else []
            return (degrees[0] if degrees else None), slot
        if part is None or part.relation in {"opposed", "other", "none"} or not part.known:
            kept = part is not None and part.role == "does" and part.relation != "other"
            return (slot if kept else self._apart(slot, part)), slot
        if part.role == "does":
            return slot, slot
        more = self._more(part)
        if more is None:
            return self._apart(slot, part), slot
        relation = "narrower" if more and part.relation == "same" else part.relation
        if relation == "wider" and self._is_choice(part):
            relation = "same"
        theirs = self._counted(slot.filler, part)
        if theirs is None:
            return self._as_said(part), slot
        if relation == "narrower":
            theirs = replace(theirs, slots=(*theirs.slots, _detail()))
        elif relation == "wider":
            wide = replace(slot.filler, slots=(*slot.filler.slots, _detail()))
            return Slot(slot.role, theirs), Slot(slot.role, wide)
        return Slot(slot.role, theirs), slot

    def _apart(self, slot: Slot, part: Part | None) -> Slot | None:
        """Return a slot as our own reading of the words of the source fills it, None for no words.

        A case that the source makes is never left out, or what is so in it would be so in any.
        """
        if part is None or not part.known:
            return None
        bound = not BINDING.isdisjoint({slot.role, CALLED[part.role]})
        # pieces may be a figure and the unit of another
        whole = len(part.known) == 1 and not bound
        said, known = self._words(part.said, self.statement), self._words(part.known, self.source)
        # words that differ in what opens them, or in a day, stand for themselves
        alike = opening(said) == opening(known) and dates(said) == dates(known)
        theirs = framed(known) if whole and alike else None
        return Slot(slot.role, theirs) if theirs else self._as_said(part)

    def _as_said(self, part: Part) -> Slot:
        """Return the words of a part of the source as a slot that none of the statement is."""
        words = self._words(part.known, self.source)
        return Slot(CALLED[part.role], Term(f"·{words.casefold()}", "words", -1, text=words))

    def _more(self, part: Part) -> bool | None:
        """Return whether the source has figures there that the statement has not.

        None where figures, names or denials differ otherwise.
        """
        said, known = self._words(part.said, self.statement), self._words(part.known, self.source)
        (mine_denied, mine_only), (known_denied, known_only) = turns(said), turns(known)
        # what is so of it only is so of it, but for a case: "only if" is no "if"
        adds_only = known_only and CALLED[part.role] not in CONDITIONS
        if mine_denied != known_denied or (mine_only != known_only and not adds_only):
            return None
        if not self._named(part):
            return None
        led = {opening(said), opening(known)} - {""}
        if dates(said) and len(led) > 1 and led - LIKE_PLACES:
            return None  # "before six" is not "after six"
        mine, theirs = numbers(said), numbers(known)
        if mine == theirs:
            return False
        if not mine:
            return True
        if dates(said) != dates(known):
            return None
        if len(part.known) != 1:
            return None
        one, other = framed(said), framed(known)
        return False if one and other and _is_amount(one, other) and len(theirs) == 1 else None

    def _is_choice(self, part: Part) -> bool:
        """Return whether a statement has one of the ways between which the source lets choose.

        Who may do it in one way or another may do it in either.
        """
        said, known = self._words(part.said, self.statement), self._words(part.known, self.source)
        ways = [" ".join(one.split()) for one in _CHOICE.split(known.casefold())]
        freely = self.clause.source.force == "may" and not self.clause.source.denied
        return freely and " or " in known and said.casefold() in ways

    def _counted(self, filler: Term, part: Part) -> Term | None:
        """Return what fills a slot of the statement with number and quantifier of the source."""
        said, known = self._words(part.said, self.statement), self._words(part.known, self.source)
        if filler.kind != "thing" or self._is_shared(part, filler):
            return filler if numbers(said) == numbers(known) else None
        mine, theirs = framed(said), framed(known)
        if mine is None or theirs is None or mine.head != filler.head or len(part.known) != 1:
            alike = quantifiers(said) == quantifiers(known) and numbers(said) == numbers(known)
            return filler if alike else None
        return replace(
            filler, bounds=theirs.bounds, measure=theirs.measure,
            determiner=_determiner(filler, theirs),
        )  # fmt: skip

    def _part(self, filler: Term) -> Part | None:
        """Return the part of the clause that has the words of a filler."""
        holding = [one for one in self.clause.parts if meets(one.said, filler.place)]
        return min(holding, key=lambda one: sum(b - a for a, b in one.said), default=None)

    def _denies_beside(self) -> bool:
        """Return whether the source denies within a part that is none of verb, doer and done-to.

        "At no cost" denies no journey.
        """
        places = self.clause.source.places
        start, end = min(one[0] for one in places), max(one[1] for one in places)
        beside = [
            place for one in self.clause.parts for place in one.known
            if one.role not in {"does", "who", "what"} and one.relation in JUDGED
        ]  # fmt: skip
        denials = [
            (found.start() + start, found.end() + start)
            for found in WORD.finditer(self.source[start:end])
            if found[0].casefold() in NEGATIVE
        ]
        return bool(denials) and all(meets(beside, place) for place in denials)

    def _besides(self, h: Term) -> Iterator[Part]:
        """Yield the parts of the statement that no slot of our own reading has a word of."""
        places = [h.place, *(inner.place for inner in terms_of(h))]
        for part in self.clause.parts:
            unread = not any(meets(part.said, place) for place in places)
            if part.said and part.role != "does" and unread:
                yield part

    def _unmet(self, h: Term) -> Iterator[Part]:
        """Yield the parts that the source has not, of which a slot of the statement has words.

        Of "households in which many lived" the source may know the households alone.
        """
        parts = [self._part(slot.filler) for slot in h.slots]
        besides = [*self._besides(h)]
        for part in self.clause.parts:
            unmet = part.said and part.role != "does" and part.relation not in JUDGED
            if unmet and part not in parts and part not in besides:
                yield part

    def _as_words(self, part: Part) -> Term:
        words = self._words(part.said, self.statement)
        place = part.said[0][0], part.said[-1][1]
        return Term(f"·{words.casefold()}", "words", -1, text=words, place=place)

    def _is_copula(self, verbs: Sequence[Part]) -> bool:
        said = {word.casefold() for one in verbs for word in words_at(one.said, self.statement)}
        return bool(said) and said <= BE | HAVE

    def _is_of_cells(self) -> bool:
        """Return whether the source says it in a row of a table, whose verb is in no cell."""
        start, end = sentence_of(self.source, self.clause.source.places)
        return any(mark in self.source[start:end] for mark in "|\t")

    def _is_shared(self, part: Part, filler: Term) -> bool:
        """Return whether a part has more than one thing, of which a filler is one."""
        joined = {"and", "or", "nor"} & set(self._words(part.said, self.statement).split())
        return bool(joined) and not filler.joined

    def _named(self, part: Part) -> bool:
        """Return whether the source has each name of a part of the statement."""
        said = set(names(self.statement, part.said))
        return said <= set(names(self.source, part.known))

    def _words(self, places: Sequence[Place], text: str) -> str:
        return " ".join(text[start:end] for start, end in places)

    def _added(self) -> Iterator[Slot]:
        """Yield what the source says besides: parts that the statement has not."""
        for part in self.clause.parts:
            if part.said or not part.known:
                continue
            yield self._as_said(part)


def _detail() -> Slot:
    """Return what one of two says more than the other."""
    return Slot("mod", Term("·detail", "words", -1))


def _determiner(said: Term, known: Term) -> str:
    if known.determiner in {"no", "any"} or said.determiner == known.determiner:
        return said.determiner
    return known.determiner


def _is_amount(said: Term, known: Term) -> bool:
    """Return whether two things differ at most in how many, or how much, they are."""
    return bool((said.bounds and known.bounds) or (said.measure and known.measure))

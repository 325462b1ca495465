"""What follows from propositions that a language model read, by the laws that hold for our own.

The model says which words of a source stand beside which of a statement, and what they mean beside
them. Of that a proposition of the source is made in the words of the statement: ours, slot by slot,
with the number, the quantifier, the denial, the force and the tense that the source has, which the
code reads and no model. `align/entailment.py` compares the two. A word of the statement that no
proposition holds blocks support, as ever, and so does what binds the source and stands in no part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from groundrules.align.deductions import read_propositions
from groundrules.align.entailment import OPEN, Finding, compare
from groundrules.align.known import premises_of
from groundrules.align.numbers import Number, read_numbers
from groundrules.align.parses import parse
from groundrules.align.projection import Relation
from groundrules.claims.asserted import unread
from groundrules.claims.english import BE, HAVE, NEGATIVE, PREPOSITIONS
from groundrules.claims.english.logic import (
    AUXILIARY_FORCES,
    BINDING,
    CALLED,
    CONDITIONS,
    LIKE_PLACES,
    NONE_OF,
    PARTITIVE,
)
from groundrules.claims.llm_propositions import Clause, Part, Place, Propositions
from groundrules.claims.slots import Slot, Term, terms_of

__all__ = ["Outcome", "weighed"]

#: Relations by which a part is compared, whether or not our own reading has its words.
_JUDGED = frozenset({"same", "narrower", "wider"})
_ONLY = frozenset({"only", "solely", "exclusively", "alone"})
_WORD = re.compile(r"\w+(?:['’]\w+)?")
#: Between the ways of a choice.
_CHOICE = re.compile(r",|\bor\b|\beither\b")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a source says of a statement, as a model read both: by which clause, and why not.

    `why` says in words why the reading does not hold, empty where it does.
    """

    finding: Finding
    clause: Clause | None = None
    why: str = ""


def weighed(found: Propositions, statement: str, source: str) -> Outcome:
    """Return what follows for a statement from what a model read of it and of its source.

    It is supported where each proposition of it is entailed and none of its words is unread,
    refuted where one is excluded; whatever is not covered by the reading is open.
    """
    doc = parse(statement)
    told = read_propositions(statement)
    left = unread(doc, told)
    outcomes = [_weighed(one, found.clauses, statement, source) for one in told]
    against = next((one for one in outcomes if one.finding.relation.refutes), None)
    if against is not None:
        return against
    worst = min(outcomes, key=lambda one: one.finding.rank, default=Outcome(OPEN, None, "unread"))
    held = {
        word
        for one in outcomes if one.clause
        for part in one.clause.parts if part.relation in _JUDGED
        for word in _words_at(part.said, statement)
    }  # fmt: skip
    lost = [word for word in left if word not in held]
    if lost and worst.finding.relation.supports:
        return Outcome(OPEN, worst.clause, f"no proposition has “{lost[0]}”")
    return worst


def _weighed(h: Term, clauses: Sequence[Clause], statement: str, source: str) -> Outcome:
    """Return what follows for a proposition from the clause that it is of."""
    found = []
    for clause in _telling(h, clauses):
        if clause.statement.denied != h.denied:
            return Outcome(OPEN, clause, "the statement denies it by one reading alone")
        if why := _fault(clause, source):
            return Outcome(OPEN, clause, why)
        made = _Maker(clause, statement, source).pair(h)
        if made is not None:
            found.append(Outcome(_compared(*made, opposed=_is_opposed(clause)), clause))
    if len({one.finding.relation.refutes for one in found}) > 1:
        return Outcome(OPEN, None, "the source says it in two ways")
    none = Outcome(OPEN, None, "no clause of the reading has it")
    return max(found, key=lambda one: one.finding.rank, default=none)


def _telling(h: Term, clauses: Sequence[Clause]) -> list[Clause]:
    """Return the clauses that are of a proposition: its verb and most of what it is told of.

    Of two that share a verb, "found rust in one and cracks in the other", each has its own.
    """
    verb = [
        one for one in clauses
        if any(_meets(part.said, h.place) for part in one.parts if part.role == "does")
    ]  # fmt: skip
    held = [
        sum(
            any(_meets(part.said, slot.filler.place) for part in one.parts if part.role != "does")
            for slot in h.slots
        )
        for one in verb
    ]
    return [one for one, count in zip(verb, held, strict=True) if count == max(held)]


def _is_opposed(clause: Clause) -> bool:
    """Return whether a model calls the verbs of a clause opposed.

    Of other parts its word refutes nothing: what happens at one time, place or in one way may
    happen at another, and the recorded readings have too few of them to trust it.
    """
    return any(one.relation == "opposed" for one in clause.parts if one.role == "does")


def _compared(p: Term, h: Term, *, opposed: bool) -> Finding:
    """Return how a proposition of the source stands to one of the statement.

    With `opposed` predicates, of which the words of the statement stand for both, what would follow
    is excluded, and what the statement denies of it follows.
    """
    if not opposed:
        plain = compare(p, h, premises_of([p]))
        # which side of a comparison stands beside which, no words tell: it refutes nothing
        return Finding(OPEN.relation, p) if plain.relation.refutes and h.of("degree") else plain
    found = compare(p, replace(h, denied=False), premises_of([p]))
    if p.denied or not found.relation.supports:
        return Finding(OPEN.relation, p)
    if h.denied:
        return found
    return Finding(Relation.EXCLUDES, p, kind="opposite", claimed=h, stated=p)


def _fault(clause: Clause, source: str) -> str:
    """Return why what a model says of the source is not all that the source says there."""
    if not clause.source.places:
        return "the source says nothing of it"
    held = [place for part in clause.parts for place in part.known]
    for place, words in _bindings(clause, source):
        if not _meets(held, place):
            return f"the source adds “{words}”"
    return ""


def _bindings(clause: Clause, source: str) -> Iterator[tuple[Place, str]]:
    """Yield what binds the event of a clause by our own reading of its sentence, with its words."""
    start, end = _sentence(source, clause.source.places)
    does = [place for part in clause.parts if part.role == "does" for place in part.known]
    for event in read_propositions(source[start:end]):
        own = event.place[0] + start, event.place[1] + start
        if any(a < own[1] and own[0] < b for a, b in does):
            for slot in event.slots:
                if slot.role in BINDING and slot.role != "degree":
                    a, b = slot.filler.place
                    yield (a + start, b + start), " ".join(slot.filler.text.split())


def _sentence(text: str, places: Sequence[Place]) -> Place:
    """Return the range of the sentences that some places lie in."""
    first, last = min(one[0] for one in places), max(one[1] for one in places)
    start, end = first, last
    for sentence in parse(text).sents:
        if sentence.start_char <= first < sentence.end_char:
            start = sentence.start_char
        if sentence.start_char < last <= sentence.end_char:
            end = sentence.end_char
    return start, end


# --- a proposition of the source in the words of the statement ----------------------------------


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes of a proposition of a statement what the source says, by one clause of a reading."""

    clause: Clause
    statement: str
    source: str

    def pair(self, h: Term) -> tuple[Term, Term] | None:
        """Return the proposition of the source and that of the statement, None if not to be had."""
        verbs = [one for one in self.clause.parts if one.role == "does"]
        relations = {one.relation for one in verbs}
        if not relations <= _JUDGED | {"opposed"}:
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
        start, end = _sentence(self.source, side.places)
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
        low = {word.casefold() for word in _WORD.findall(words)}
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
        alike = _opening(said) == _opening(known) and _dates(said) == _dates(known)
        theirs = _framed(known) if whole and alike else None
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
        (mine_denied, mine_only), (known_denied, known_only) = _turns(said), _turns(known)
        # what is so of it only is so of it, but for a case: "only if" is no "if"
        adds_only = known_only and CALLED[part.role] not in CONDITIONS
        if mine_denied != known_denied or (mine_only != known_only and not adds_only):
            return None
        if not self._named(part):
            return None
        opening = {_opening(said), _opening(known)} - {""}
        if _dates(said) and len(opening) > 1 and opening - LIKE_PLACES:
            return None  # "before six" is not "after six"
        mine, theirs = _numbers(said), _numbers(known)
        if mine == theirs:
            return False
        if not mine:
            return True
        if _dates(said) != _dates(known):
            return None
        if len(part.known) != 1:
            return None
        one, other = _framed(said), _framed(known)
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
            return filler if _numbers(said) == _numbers(known) else None
        mine, theirs = _framed(said), _framed(known)
        if mine is None or theirs is None or mine.head != filler.head or len(part.known) != 1:
            alike = _quantifiers(said) == _quantifiers(known) and _numbers(said) == _numbers(known)
            return filler if alike else None
        return replace(
            filler, bounds=theirs.bounds, measure=theirs.measure,
            determiner=_determiner(filler, theirs),
        )  # fmt: skip

    def _part(self, filler: Term) -> Part | None:
        """Return the part of the clause that has the words of a filler."""
        holding = [one for one in self.clause.parts if _meets(one.said, filler.place)]
        return min(holding, key=lambda one: sum(b - a for a, b in one.said), default=None)

    def _denies_beside(self) -> bool:
        """Return whether the source denies within a part that is none of verb, doer and done-to.

        "At no cost" denies no journey.
        """
        places = self.clause.source.places
        start, end = min(one[0] for one in places), max(one[1] for one in places)
        beside = [
            place for one in self.clause.parts for place in one.known
            if one.role not in {"does", "who", "what"} and one.relation in _JUDGED
        ]  # fmt: skip
        denials = [
            (found.start() + start, found.end() + start)
            for found in _WORD.finditer(self.source[start:end])
            if found[0].casefold() in NEGATIVE
        ]
        return bool(denials) and all(_meets(beside, place) for place in denials)

    def _besides(self, h: Term) -> Iterator[Part]:
        """Yield the parts of the statement that no slot of our own reading has a word of."""
        places = [h.place, *(inner.place for inner in terms_of(h))]
        for part in self.clause.parts:
            unread = not any(_meets(part.said, place) for place in places)
            if part.said and part.role != "does" and unread:
                yield part

    def _unmet(self, h: Term) -> Iterator[Part]:
        """Yield the parts that the source has not, of which a slot of the statement has words.

        Of "households in which many lived" the source may know the households alone.
        """
        parts = [self._part(slot.filler) for slot in h.slots]
        besides = [*self._besides(h)]
        for part in self.clause.parts:
            unmet = part.said and part.role != "does" and part.relation not in _JUDGED
            if unmet and part not in parts and part not in besides:
                yield part

    def _as_words(self, part: Part) -> Term:
        words = self._words(part.said, self.statement)
        place = part.said[0][0], part.said[-1][1]
        return Term(f"·{words.casefold()}", "words", -1, text=words, place=place)

    def _is_copula(self, verbs: Sequence[Part]) -> bool:
        said = {word.casefold() for one in verbs for word in _words_at(one.said, self.statement)}
        return bool(said) and said <= BE | HAVE

    def _is_of_cells(self) -> bool:
        """Return whether the source says it in a row of a table, whose verb is in no cell."""
        start, end = _sentence(self.source, self.clause.source.places)
        return any(mark in self.source[start:end] for mark in "|\t")

    def _is_shared(self, part: Part, filler: Term) -> bool:
        """Return whether a part has more than one thing, of which a filler is one."""
        joined = {"and", "or", "nor"} & set(self._words(part.said, self.statement).split())
        return bool(joined) and not filler.joined

    def _named(self, part: Part) -> bool:
        """Return whether the source has each name of a part of the statement."""
        said = set(_names(self.statement, part.said))
        return said <= set(_names(self.source, part.known))

    def _words(self, places: Sequence[Place], text: str) -> str:
        return " ".join(text[start:end] for start, end in places)

    def _added(self) -> Iterator[Slot]:
        """Yield what the source says besides: parts that the statement has not."""
        for part in self.clause.parts:
            if part.said or not part.known:
                continue
            yield self._as_said(part)


def _words_at(places: Sequence[Place], text: str) -> list[str]:
    return [word for start, end in places for word in _WORD.findall(text[start:end])]


def _detail() -> Slot:
    """Return what one of two says more than the other."""
    return Slot("mod", Term("·detail", "words", -1))


def _meets(places: Sequence[Place], place: Place) -> bool:
    return any(start < place[1] and place[0] < end for start, end in places)


def _determiner(said: Term, known: Term) -> str:
    if known.determiner in {"no", "any"} or said.determiner == known.determiner:
        return said.determiner
    return known.determiner


def _is_amount(said: Term, known: Term) -> bool:
    """Return whether two things differ at most in how many, or how much, they are."""
    return bool((said.bounds and known.bounds) or (said.measure and known.measure))


def _numbers(words: str) -> tuple[tuple[Any, ...], ...]:
    """Return the numbers, amounts and dates of some words by what they measure and how much."""
    return tuple(sorted((n.kind, n.unit, *_ends(n)) for n in read_numbers(words) if not n.soft))


def _ends(number: Number) -> tuple[float, float, str]:
    """Return the bounds of a number, with its words where it is a day of no year."""
    placed = number.kind != "DATE" or number.low or number.high
    return number.low, number.high, "" if placed else number.text.casefold()


def _dates(words: str) -> list[tuple[float, float, str]]:
    """Return the days and hours of some words, where they are told."""
    return sorted(_ends(n) for n in read_numbers(words) if n.kind in {"DATE", "TIME"})


def _opening(words: str) -> str:
    """Return the preposition that opens some words, empty for none."""
    first = words.strip().partition(" ")[0].casefold()
    return first if first in PREPOSITIONS else ""


def _turns(words: str) -> tuple[int, bool]:
    """Return whether some words deny, and whether they say that nothing else is so."""
    low = [word.casefold() for word in _WORD.findall(words)]
    denials = sum(word in NEGATIVE - NONE_OF or word.endswith(("n't", "n’t")) for word in low)
    return denials % 2, not _ONLY.isdisjoint(low)


def _quantifiers(words: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(words)} & PARTITIVE


def _names(text: str, places: Sequence[Place]) -> Iterator[str]:
    for token in parse(text):
        if token.pos_ == "PROPN" and _meets(places, (token.idx, token.idx + len(token))):
            yield token.lower_


def _framed(words: str) -> Term | None:
    """Return the thing that some words name, as our own reading has it."""
    first, _, rest = words.strip(" ,.;:").partition(" ")
    bare = rest if first.casefold() in PREPOSITIONS and rest else words.strip(" ,.;:")
    if not bare:
        return None
    text = f"{bare[:1].upper()}{bare[1:]} must stay."
    for event in read_propositions(text):
        for one in (*event.of("subj"), *event.of("obj")):
            return one
    return None

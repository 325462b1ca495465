"""Whether a proposition of a source entails or excludes one of a statement, slot by slot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from groundrules.align.event_slots import (
    EXTREMES,
    EventPart,
    as_one_case,
    compare_forces,
    degree_of,
    grants,
    in_scope,
    is_first,
    is_of_no_one,
    left_out,
    names_agent,
    of_one,
    parts_of,
    restrictions,
    roles_meet,
    singles_out,
    turns_round,
    unmatched,
    with_conditions,
)
from groundrules.align.known import DEFINITE, Premises
from groundrules.align.meanings import are_in_turn, of_predicates
from groundrules.align.projection import (
    BEST,
    Relation,
    flipped,
    join,
    of_bounds,
    project,
)
from groundrules.align.quantified import (
    class_of,
    extent,
    heads_of_things,
    is_number,
    is_open_above,
    quantified,
)
from groundrules.claims.english.logic import (
    AMONG,
    BEGINNING_OR_ENDING,
    BINDING,
    CIRCUMSTANTIAL,
    IDLE,
    LIMITS_OF_TIME,
    ONCE,
    OPPOSITE_ROLES,
    PRIVATIVE,
    SPEAKERS,
)
from groundrules.claims.quantifiers import FACE, TIMES
from groundrules.claims.slots import MANY, Slot, Term, kept

_SAME, _OPEN = Relation.SAME, Relation.OPEN
_ENTAILS, _ENTAILED, _EXCLUDES = Relation.ENTAILS, Relation.ENTAILED, Relation.EXCLUDES
_OPPOSED = {*OPPOSITE_ROLES, *((other, one) for one, other in OPPOSITE_ROLES)}
_RANKS = {
    one: rank
    for rank, one in enumerate((_OPEN, _ENTAILED, _EXCLUDES, Relation.DENIES, _ENTAILS, _SAME))
}
#: Marks that tell a thing from no other.
_SILENT = IDLE | SPEAKERS


@dataclass(frozen=True, slots=True)
class Finding:
    """How a source stands to a statement, by which premise, and which slots decide.

    `added` are slots of the premise that bind it and that the statement leaves out, `lacking` is
    what the statement says and the premise says otherwise or not at all. Where the source excludes
    the statement, `kind` says how (negation, opposite or value), and `claimed` and `stated` are the
    terms that exclude each other.
    """

    relation: Relation
    premise: Term | None = None
    added: tuple[Slot, ...] = ()
    kind: str = ""
    claimed: Term | None = None
    stated: Term | None = None
    lacking: Term | None = None

    @property
    def rank(self) -> int:
        """A number that is greater the more a finding tells of a statement."""
        return _RANKS[self.relation]


OPEN = Finding(_OPEN)


# --- events -----------------------------------------------------------------------------------


class _Match(NamedTuple):
    source: EventPart
    relation: Relation


def compare(p: Term, h: Term, premises: Premises) -> Finding:
    """Return how a proposition of a source stands to one of a statement."""
    if not p.clausal or not h.clausal:
        return OPEN
    if h.denied and h.tense != "present" and any(t.head == "no longer" for t in p.of("mod")):
        return OPEN  # what is no longer so has been so
    if degree_of(p) != degree_of(h) or _are_shares(p, h):
        return OPEN
    predicate = of_predicates(p.head, p.kind, h.head, h.kind)
    if predicate is _OPEN:  # so most are told apart at once
        return OPEN
    whole = p
    p, h = with_conditions(p), with_conditions(h)
    mine, theirs = parts_of(h), parts_of(p)
    matches = _matches(mine, theirs, p, h, premises)
    inside, outside = join(predicate, compare_forces(p, h)), _SAME
    subject, of_whom = _SAME, None
    odd: list[tuple[Term, Term]] = []
    bound: list[Slot] = []
    for number, part in enumerate(mine):
        match = matches.get(number)
        if match is None:
            lost = unmatched(part, p, h, theirs)
            if lost is None:
                return Finding(_OPEN, whole, lacking=part.filler)
            inside, outside = join(inside, lost[0]), join(outside, lost[1])
            subject = join(subject, lost[2])
        elif _is_subject(part.role, p, h) and not (match.relation is _EXCLUDES and _has_one(p, h)):
            if match.relation.refutes:
                return Finding(_OPEN, whole, lacking=part.filler)  # it is told of another thing
            told = match.source.filler if p.denied else part.filler
            if part.role == "subj" and names_agent(p if p.denied else h) and is_of_no_one(told):
                inside = join(inside, match.relation)  # by none where it is not by an inspector
                continue
            of_whom = match.source.filler, part.filler
            subject = join(subject, match.relation)
            if match.relation is _ENTAILED:
                bound += restrictions(*of_whom)
        elif part.role == "without" and not match.relation.refutes:
            inside = join(inside, flipped(match.relation))
        elif part.role in BINDING and part.role != "degree":  # what follows on less follows on more
            met = _OPEN if match.relation.refutes else flipped(match.relation)
            outside = join(outside, met)
        elif match.relation.refutes and part.of_subject and match.source.of_subject:
            return Finding(_OPEN, whole)  # that on the second floor is another than on the third
        elif match.relation.refutes and degree_of(p) in EXTREMES and part.role in AMONG:
            return Finding(_OPEN, whole)  # who is first of two may be first of three
        elif match.relation.refutes and part.role in CIRCUMSTANTIAL and grants(p, h):
            return Finding(_OPEN, whole)  # what must be done in May may be done in June as well
        else:
            met = _at_its_time(match, part, p)
            turns = part.role in {"xcomp", "that"} and turns_round(p)  # who refuses to eat fish
            if part.role in {"that", "xcomp"} and met.refutes and p.denied != h.denied:
                met = _OPEN  # who has not shown that it rose has not shown that it did not rise
            inside = join(inside, flipped(met) if turns else met)
            if match.relation.refutes:
                odd.append((part.filler, match.source.filler))
    kept = {id(match.source) for match in matches.values()}
    adds = any(one.role in CIRCUMSTANTIAL and n not in matches for n, one in enumerate(mine))
    added = bound
    for part in theirs:
        if id(part) in kept or part.filler.head in IDLE:
            continue
        lost_inside, lost_outside = left_out(part, p)
        if part.role in CIRCUMSTANTIAL and lost_outside is _ENTAILED and adds:
            return Finding(_OPEN, whole, lacking=part.filler)  # by night in the place of by day
        inside, outside = join(inside, lost_inside), join(outside, lost_outside)
        if _ENTAILED in {lost_inside, lost_outside}:
            added.append(Slot(part.role, part.filler))
    inside = in_scope(inside, p, h)
    relation = project(inside, p.denied, h.denied)
    if relation.supports and predicate is _EXCLUDES and are_in_turn(p.head, h.head):
        return Finding(_OPEN, whole)  # who closed it may have opened it
    if relation.refutes:
        apart = of_whom is None or of_one(subject, *of_whom)
        if outside is not _SAME or not apart:
            return Finding(_OPEN, whole, tuple(added))
        claimed, stated = odd[0] if odd else (h, whole)
        differs = p.denied != h.denied
        kind = "negation" if differs else "value" if odd else "opposite"
        return Finding(relation, whole, tuple(added), kind, claimed, stated)
    found = join(join(relation, subject), outside)
    if found is _ENTAILS and singles_out(h):
        found = _OPEN  # who alone has a key to the shop need not be the only one with a key
    return Finding(found, whole, tuple(added))


def _are_shares(p: Term, h: Term) -> bool:
    """Return whether two events are told of two shares of a whole, one of which is a small one."""
    told = {one.slots[0].filler.determiner if one.slots else "" for one in (p, h)}
    return len(told) > 1 and bool(told & {"part", "few", "half"})


def _at_its_time(match: _Match, part: EventPart, event: Term) -> Relation:
    """Return the relation of two parts, open where two times do not exclude each other.

    What can happen again has happened at either; what happens once, or is told of by its limits
    ("since", "until"), has not. Who did it for two years did it for a year.
    """
    said, known = part.filler, match.source.filler
    times = {one.measure.unit for one in (said, known) if one.measure}
    if not match.relation.refutes or (match.source.role, part.role) in _OPPOSED:
        return match.relation
    if times == {"day"} and part.role == "for" and event.tense in {"past", "perfect"}:
        return _ENTAILS if said.determiner == "a" and extent(said) < extent(known) else _OPEN
    if not times & TIMES:
        return match.relation
    definite = all(one.determiner in DEFINITE for one in event.of("obj"))
    once = (event.head in ONCE and definite) or part.role in LIMITS_OF_TIME
    daily = times <= {"clock", FACE} and event.head in BEGINNING_OR_ENDING
    return match.relation if once or daily else _OPEN


def _has_one(p: Term, h: Term) -> bool:
    """Return whether one alone has done what is told: who built a mill, who is the mayor."""
    if p.denied or h.denied or not p.force == h.force == "fact":
        return False
    if p.head == "be":
        held, now = (*p.of("is"), *h.of("is")), p.tense == h.tense == "present"
    else:
        now = p.head in ONCE and {p.tense, h.tense} <= {"past", "perfect"}
        held = (*p.of("obj"), *h.of("obj"))
    return now and len(held) == 2 and all(t.determiner in DEFINITE and not t.plural for t in held)


def _are_two(p: Term, h: Term) -> bool:
    """Return whether two things are told apart by their names."""
    named = p.determiner == h.determiner == "name" and p.kind == h.kind == "thing"
    called = [
        {t.head, *(s.filler.head for s in t.slots if s.role in {"mod", "also"})} for t in (p, h)
    ]
    return named and not any(t.joined or t.plural for t in (p, h)) and not called[0] & called[1]


def _matches(
    mine: Sequence[EventPart], theirs: Sequence[EventPart], p: Term, h: Term, premises: Premises
) -> dict[int, _Match]:
    """Return the parts of a statement with those of the source, the best pairs first.

    Where the first part decides, as none is like it, the others are not compared.
    """
    pairs = []
    for i, (role, filler, *_) in enumerate(mine):
        opposite_role = f"not {role}"
        for j, (other, known, *_) in enumerate(theirs):
            opposed = other == opposite_role or (other, role) in _OPPOSED
            if not (opposed or roles_meet(role, other, p, h)):
                continue
            relation = _fillers(known, filler, role, premises, p)
            if role == "subj" and _are_two(known, filler) and _has_one(p, h):
                relation = _EXCLUDES
            if opposed:
                relation = _EXCLUDES if relation is _SAME else _OPEN
            if relation is not _OPEN:
                pairs.append((BEST.index(relation), role != other, i, j))
        if not pairs and unmatched(mine[0], p, h, theirs) is None:
            return {}
    found: dict[int, _Match] = {}
    taken: set[int] = set()
    for rank, _, i, j in sorted(pairs):
        if i not in found and j not in taken:
            found[i] = _Match(theirs[j], BEST[rank])
            taken.add(j)
    return found


def _is_subject(role: str, p: Term, h: Term) -> bool:
    return role == "subj" or (is_first(role, p) and is_first(role, h))


# --- things -----------------------------------------------------------------------------------


def _fillers(p: Term, h: Term, role: str, premises: Premises, event: Term) -> Relation:
    """Return the relation of what fills a slot in the source to what does in the statement."""
    if p.clausal and h.clausal and (_is_clause(p) or _is_clause(h)):
        p, h = as_one_case(p, h) if role in BINDING else (p, h)
        return compare(p, h, premises).relation
    if role == "degree" and p.bounds and h.bounds:
        return of_bounds(p.bounds, h.bounds)
    if p.alternative or h.alternative or p.joined or h.joined:
        return _SAME if _plain(p.text) == _plain(h.text) else _OPEN
    if role == "to" and _is_reach(p) and _is_reach(h) and p.bounds != h.bounds:
        return _OPEN  # what is covered up to 400 need not be up to 600
    if event.denied and p.determiner == "every" and (p.bounds or h.bounds):
        p, h = _uncounted(p), _uncounted(h)  # what none of three does, no two of them do
    general = is_first(role, event) and event.tense not in {"past", "perfect"}
    general |= h.determiner == "any" and not event.denied and role not in BINDING
    alone = p.kind == h.kind == "thing" and is_number(p) and not p.slots and role != "subj"
    alone = alone and not (is_number(h) and h.slots)
    if alone and p.bounds and h.bounds and not p.measure:  # "may bring two": the noun is before
        return of_bounds(p.bounds, h.bounds)
    if role == "mod" and h.kind != "words":
        often = "every" in {p.determiner, h.determiner}
        if often and _marks(p, h, premises, general) is not _SAME:
            return _OPEN
        p, h = _bare(p), _bare(h)
    found = _things(p, h, premises, general)
    one_of = role == "is" and p.determiner == "a" and h.determiner == "the"
    return _ENTAILED if one_of and found.supports else found  # a clerk may be one of several


@kept(MANY)
def _bare(term: Term) -> Term:
    """Return a thing without its determiner."""
    return replace(term, determiner="bare")


@kept(MANY)
def _uncounted(term: Term) -> Term:
    """Return a thing without how many of it there are."""
    return replace(term, bounds=None)


def _is_reach(term: Term) -> bool:
    """Return whether an amount is the end of what something reaches to: "up to six"."""
    return term.bounds is not None and term.bounds[0] <= 0 < term.bounds[1]


def _is_clause(term: Term) -> bool:
    """Return whether a term is told of something, and is no mere mark."""
    return term.kind == "event" or bool(term.of("subj"))


def _things(p: Term, h: Term, premises: Premises, general: bool) -> Relation:
    """Return the relation of two things, found once for the very terms beside one source."""
    key = id(p), id(h), general
    known = premises.known.get(key)
    if known is not None and known[0] is p and known[1] is h:
        return known[2]
    found = _of_things(p, h, premises, general)
    if len(premises.known) >= MANY:
        premises.known.clear()
    premises.known[key] = p, h, found
    return found


def _of_things(p: Term, h: Term, premises: Premises, general: bool) -> Relation:
    things = p.kind == h.kind == "thing"
    head = heads_of_things(p, h)
    if head is _ENTAILS and not (is_open_above(h) and premises.has_only(p.head, h.head)):
        head = _OPEN
    if (head in {_SAME, _ENTAILS, _ENTAILED} and things) or head is _SAME:
        marks = join(head, _marks(p, h, premises, general))
        return quantified(p, h, marks, premises, general) if marks is not _OPEN else _OPEN
    if not things:
        return head if p.kind == h.kind == "property" else _OPEN
    also, too = _renamed(p), _renamed(h)
    for one, other in ((also, h), (p, too), (also, too)) if also or too else ():
        if one is not None and other is not None and heads_of_things(one, other) is _SAME:
            found = _things(one, other, premises, general)
            if found.supports:
                return found
    alone = is_number(p) and is_number(h) and not p.slots and not h.slots
    if alone and p.bounds and h.bounds and not (p.measure or h.measure):
        return of_bounds(p.bounds, h.bounds)
    return _OPEN


@kept(MANY)
def _renamed(term: Term) -> Term | None:
    """Return "the coach, Dora Senn" as "Dora Senn, the coach"; None where it has one name.

    "One of the two, Berg or Holt" names neither.
    """
    name = next((s for s in term.slots if s.role == "also"), None)
    if name is None or name.filler.of("also") or name.filler.alternative:
        return None
    plain = replace(term, slots=tuple(s for s in term.slots if s is not name))
    return replace(name.filler, slots=(*name.filler.slots, Slot("also", plain)), joined=())


def _marks(p: Term, h: Term, premises: Premises, general: bool) -> Relation:
    """Return the relation of two things of one head by what else is said of each.

    A definite thing that is the only one of its name may be told of in fewer words, and in more
    where the source has them. Each with a mark that the other lacks are two things.
    """
    relation, more = _SAME, False
    left = list(p.slots)
    for slot in h.slots:
        told = slot.role == "that" and slot.filler.aside and slot.filler.clausal
        if slot.filler.head in _SILENT or told:  # what is told beside is held against all by itself
            continue
        best = min(
            ((BEST.index(_mark(other, slot, premises, p)), n) for n, other in enumerate(left)),
            default=(BEST.index(_OPEN), 0),
        )
        if BEST[best[0]] is not _OPEN:
            relation = join(relation, BEST[best[0]])
            left.pop(best[1])
        elif not (class_of(h, general) == "the" and premises.knows(h.head, slot)):
            relation, more = join(relation, _ENTAILED), more or slot.role != "only"
    definite = class_of(p, general) == "the"
    for slot in left:
        inner = slot.filler
        if slot.role in {"also", "only"} or inner.aside or inner.head in _SILENT:
            continue
        if definite and slot.role == "of" and inner.text.casefold().startswith("this "):
            continue  # "the term of this lease" is the term
        if slot.role == "mod" and inner.head in PRIVATIVE:
            return _OPEN
        if more and not (p.determiner == "name" and slot.role != "mod"):
            return _OPEN
        named = p.determiner == "name" and slot.role == "mod" and inner.kind == "thing"
        whole = definite and (p.determiner != "name" or slot.role != "mod")
        chosen = definite and inner.of("degree") and h.determiner in DEFINITE  # "the best room"
        if not named and (chosen or not (whole and premises.has_one(p.head))):
            another = definite and p.determiner != "name"
            relation = join(relation, _ENTAILED if another else _ENTAILS)
    return relation


def _mark(known: Slot, said: Slot, premises: Premises, thing: Term) -> Relation:
    of = {known.role, said.role} == {"mod", "of"}
    if not of and not roles_meet(said.role, known.role, thing, thing):
        return _OPEN
    return _fillers(known.filler, said.filler, "mod", premises, thing)


def _plain(text: str) -> str:
    words = text.casefold().replace(",", " ").split()
    return " ".join(word for word in words if word not in {"the", "a", "an"})

"""Other wordings of one event: from its other side, by a noun for a verb, by several words for one.

"Borrowed it from her" is "she lent it", "made a decision" is "decided", "is the author of it" is
"wrote it". The words of each are in `meanings.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from groundrules.align.meanings import listed, meanings, tables
from groundrules.align.measures import PERIODS
from groundrules.claims.english.logic import STAYING_VERBS
from groundrules.claims.slots import MANY, Slot, Term, kept

_KNOWN = frozenset({"the", "name"})
#: Participles that do not end as others do.
_PARTICIPLES = {
    "shut": "shut", "pay": "paid", "know": "known", "sell": "sold", "build": "built",
    "write": "written", "break": "broken", "forbid": "forbidden", "permit": "permitted",
    "make": "made", "hide": "hidden", "freeze": "frozen", "lose": "lost",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Tables:
    """The words of events that have another wording, and what they are there."""

    converses: Mapping[str, Mapping[str, str]]
    #: Verbs of what is not done in return, with the role of whom it is done to.
    one_way: Mapping[str, str]
    relatives: Mapping[str, str]
    unaccusative: frozenset[str]


@cache
def _tables() -> _Tables:
    data = tables()
    relatives = {word: word for word in data["relatives"]["symmetric"].split()}
    for pair in data["relatives"]["converse"]:
        one, other = pair.split("/")
        relatives.setdefault(one, other)
        relatives.setdefault(other, one)
    return _Tables(
        data["converses"],
        {verb: role for role, text in data["one-way"].items() for verb in listed(text)},
        relatives,
        frozenset(data["happening"]["event"].split()),
    )


def pairs(p: Term, h: Term) -> Iterator[tuple[Term, Term]]:
    """Yield two events with either in another wording."""
    mine, theirs = sides(h), sides(p)
    for one in (p, *theirs):
        for other in (h, *mine):
            if one is not p or other is not h:
                yield one, other


@kept(MANY)
def sides(event: Term) -> tuple[Term, ...]:
    """Return the other wordings of an event, none where it has its plain one."""
    found = [*_as_states(event), *_contained(event)]
    for one in (event, *found):
        found += list(_converse(one))
    return tuple(found)


@kept(MANY)
def exchanged(event: Term) -> Term | None:
    """Return an event with its two ends exchanged, None where it may be so from both.

    Both are known things: a name, or "the".
    """
    if event.head == "be":
        return _exchanged_kin(event)
    if event.of("before"):
        return _exchanged_in_time(event)
    role = _tables().one_way.get(event.head)
    who, whom = event.of("subj"), event.of(role or "")
    if len(who) != 1 or len(whom) != 1 or event.kind != "event":
        return None
    if who[0].head == whom[0].head or not {who[0].determiner, whom[0].determiner} <= _KNOWN:
        return None
    if role != "obj" and any(one.determiner not in _KNOWN for one in event.of("obj")):
        return None  # money may be lent both ways, "the van" not
    rest = event.without("subj", role or "")
    first, second = Slot("subj", whom[0]), Slot(role or "", who[0])
    return replace(event, slots=(first, *_ordered((second, *rest))))


def _exchanged_in_time(event: Term) -> Term | None:
    """Return "A ended before B began" as "B began before A ended", both of known things."""
    first, *more = event.of("before")
    both = [one for told in (event, first) for role in ("subj", "obj") for one in told.of(role)]
    if more or first.kind != "event" or first.denied or first.of("before"):
        return None
    if not {one.determiner for one in both} <= _KNOWN:
        return None
    rest = replace(event, slots=event.without("before"))
    return replace(first, slots=(*first.slots, Slot("before", rest)))


def _exchanged_kin(event: Term) -> Term | None:
    """Return "A is a child of B" as "B is a child of A"."""
    relatives = _tables().relatives
    who = event.of("subj")
    said = [t for t in event.of("is") if relatives.get(t.head, t.head) != t.head]
    if len(who) != 1 or len(said) != 1 or [s.role for s in said[0].slots] != ["of"]:
        return None
    whom = said[0].slots[0].filler
    if who[0].head == whom.head or not {who[0].determiner, whom.determiner} <= _KNOWN:
        return None
    kin = replace(said[0], slots=(Slot("of", who[0]),), determiner="a")
    return replace(event, slots=(Slot("subj", whom), Slot("is", kin), *event.without("subj", "is")))


# --- states ---------------------------------------------------------------------------------------


def _as_states(event: Term) -> Iterator[Term]:
    """Yield "is closed" as a state, "is unsigned" as what was not signed, who was given what."""
    received = event.of("obj") if event.passive else []
    if len(received) == 2 and received[0].determiner in _KNOWN:  # "she was given the key"
        whom = (Slot("to", received[0]), *(s for s in event.slots if s.filler is not received[0]))
        yield replace(event, slots=whom, passive=False)
    plain = event.passive and not event.of("subj")
    plain = plain and (event.tense == "present" or event.force == "will")
    if event.kind == "event" and plain and " " not in event.head:
        slots = tuple(Slot("subj" if s.role == "obj" else s.role, s.filler) for s in event.slots)
        head = _PARTICIPLES.get(event.head, f"{event.head.removesuffix('e')}ed")
        yield replace(event, head=head, kind="property", slots=slots, passive=False)
    if event.head == "open" and event.kind == "event" and event.denied and event.of("subj"):
        yield replace(event, kind="property")  # what does not open then is not open then
    said = event.of("is")
    keeps = event.of("obj") and not event.passive  # "kept the dog warm"
    stays = event.head in STAYING_VERBS and not keeps
    if stays and len(said) == 1 and said[0].kind == "property":
        slots = (*event.without("is"), *said[0].slots)
        yield replace(event, head=said[0].head, kind="property", slots=slots)


def _contained(event: Term) -> Iterator[Term]:
    """Yield "there are no nuts in the soup" as "the soup contains no nuts"."""
    who, where = event.of("subj"), event.of("in")
    if event.head != "be" or len(who) != 1 or len(where) != 1 or event.of("is"):
        return
    some = who[0].determiner in {"some", "a", "bare", "most", "many", "few"}
    none = event.denied and who[0].determiner == "every"
    if (some or none) and where[0].determiner in _KNOWN and not _is_time(where[0]):
        inside = replace(who[0], determiner="any") if none else who[0]
        slots = (Slot("subj", where[0]), Slot("obj", inside), *event.without("subj", "in"))
        yield from (replace(event, head=verb, slots=slots) for verb in ("contain", "have"))


def _is_time(term: Term) -> bool:
    times = {"month", "weekday", "season"}
    timed = meanings().rivals.get(term.head) in times or term.head in PERIODS
    return timed or term.head[:1].isdigit()


# --- deeds ------------------------------------------------------------------------------------


def deed(noun: Term) -> str:
    """Return the verb of a noun of a deed, empty if it is of none."""
    return meanings().deeds.get(noun.head, "") if noun.kind == "thing" else ""


def taking_part(noun: Term, verb: str) -> tuple[Slot, ...]:
    """Return who takes part in a deed by its noun, and what else is said of it.

    Behind one "of" alone stands whom it is done to, of what merely happens who it happens to.
    """
    of, by = noun.of("of"), noun.of("by")
    rest = noun.without("of", "by")
    if len(of) == 1 and not by and of[0].of("by"):  # "the repair of the weir by the guild"
        of, by = [replace(of[0], slots=of[0].without("by"))], of[0].of("by")
    if len(of) == 2:
        return Slot("subj", of[0]), Slot("obj", of[1]), *rest
    who = tuple(Slot("subj", one) for one in by[:1])
    if of and not by and verb in _tables().unaccusative:
        return Slot("subj", of[0]), *rest
    return *who, *(Slot("obj", one) for one in of[:1]), *rest


def _ordered(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    first = [s for s in slots if s.role in {"subj", "obj"}]
    return *first, *(s for s in slots if s not in first)


# --- the other side ---------------------------------------------------------------------------


def _converse(event: Term) -> Iterator[Term]:
    """Yield an event as it is told from its other side: what is borrowed is lent."""
    row = _tables().converses.get(event.head)
    if row is None:
        return
    wanted = row.get("needs", "")
    if " " in wanted and not event.of(wanted):
        return  # "be due to"
    roles = {role: new for role, new in row.items() if role not in {"as", "needs", "else"}}
    if "subj" not in roles and "subj" in roles.values() and event.of("subj"):
        return
    event = _hoisted(event, row.get("needs", ""), row.get("else", ""))
    needed = event.of(row["needs"]) if "needs" in row else [event]
    if needed and not any(map(_is_time, needed if "needs" in row else ())):
        yield replace(event, head=row["as"], kind="event", slots=_moved(event, roles))
    elif "else" in row and event.of(row["else"]):
        yield replace(event, head=row["as"])


def _hoisted(event: Term, *roles: str) -> Term:
    """Return an event with phrases that a parser hangs on its object: "rents its rooms from it"."""
    if not any(s.role in roles for t in event.of("obj") for s in t.slots):
        return event
    slots: list[Slot] = []
    for slot in event.slots:
        inner = [s for s in slot.filler.slots if s.role in roles] if slot.role == "obj" else []
        kept = tuple(s for s in slot.filler.slots if s not in inner)
        slots += [Slot(slot.role, replace(slot.filler, slots=kept)) if inner else slot, *inner]
    return replace(event, slots=tuple(slots))


def _moved(event: Term, roles: Mapping[str, str]) -> tuple[Slot, ...]:
    """Return the slots of an event in other roles, each told of as many as before.

    What is told in general of a subject is told of every one, of another role of some.
    """
    general = event.tense not in {"past", "perfect"}
    slots = []
    for slot in event.slots:
        role, filler = roles.get(slot.role, slot.role), slot.filler
        loose = filler.determiner in {"bare", "a", "any"} and filler.kind == "thing"
        if role != slot.role and loose:
            every = slot.role == "subj" and general and not filler.bounds
            filler = replace(filler, determiner="every" if every else "some")
        slots.append(Slot(role, filler))
    return tuple(slots)

"""The sentences of a document with their clauses, by what they tell: wordings, who, when.

In: marked sentences. Out: each with its parse, its clauses as `groundrules.claims.facts.clauses`
has them, and its dates, each by what it hangs on.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rdflib.term import Literal

from groundrules.calendar import DATES
from groundrules.claims.english.identity import (
    BUT_FOR,
    CHANGED_LATER,
    CONDITIONAL,
    DATED_ON,
    DATED_UNTIL,
    OCCURRING,
    WEEKDAYS,
)
from groundrules.claims.facts.clauses import Argument, Clause, clauses
from groundrules.claims.facts.offline import load
from groundrules.ontology.read.nouns import lemma_of, links
from groundrules.ontology.read.referents import Date, Sentence
from groundrules.ontology.read.relations import OF_PAPER, Things
from groundrules.ontology.read.sentences import Marked, line_of
from groundrules.terms import Mention, Modality

_BUT_FOR = re.compile(BUT_FOR)
_DAYS = WEEKDAYS | {"day", "date"}
_BARE = frozenset({"dobj", "npadvmod", "nmod", "tmod", "appos", "attr", "oprd"})
_WITHIN = frozenset({"in", "to", "on", "upon"})
_TOLD = frozenset({Modality.ASSERTED, Modality.OBLIGATION})


def but_for(line: str) -> str:
    """Return a line, as long, without what its statement holds but for: "unless renewed"."""
    return _BUT_FOR.sub(lambda found: " " * len(found[0]), line)


def parsed(
    things: Things, text: str, wanted: Sequence[Marked]
) -> Iterator[tuple[Sentence, tuple[Clause, ...]]]:
    """Yield sentences, each with its clauses."""
    dates = [
        m
        for m in things.assertions.extraction.mentions
        if m.kind == "DATE" and isinstance(m.node, Literal) and m.node.datatype in DATES
    ]
    starts = [m.span.start for m in dates]
    lines = [but_for(line_of(text, sentence)) for sentence in wanted]
    for one, line, doc in zip(wanted, lines, load().pipe(lines, disable=["ner"]), strict=True):
        first, last = (bisect.bisect_left(starts, at) for at in (one.span.start, one.span.end))
        changed = bool(re.search(CHANGED_LATER, line))
        hung = tuple(_hung(doc, dates[first:last], one.span.start))
        found = {clause.verb.i: clause for clause in clauses(doc)}
        told = tuple(_with_subject(clause, found) for clause in found.values())
        yield Sentence(one.index, one.span, doc, hung, changed), told


def _with_subject(clause: Clause, others: Mapping[int, Clause]) -> Clause:
    """Return a clause with the subject of that which it completes: "the lease is to begin"."""
    above = others.get(clause.verb.head.i)
    lacks = not clause.subjects and clause.verb.dep_ == "ccomp" and clause.verb.tag_ == "VB"
    if above is None or not lacks or above.lemma != "be":
        return clause
    return replace(clause, subjects=above.subjects)


def _hung(doc: Any, dates: Sequence[Mention], start: int) -> Iterator[Date]:
    """Yield dates, each with the word that it hangs on and by which link."""
    inside = {
        token.i: date
        for date in dates
        for token in doc
        if date.span.start <= start + token.idx < date.span.end
    }
    for date in dates:
        words = [doc[i] for i, one in inside.items() if one is date]
        outer = (t for t in words if t.head.i == t.i or inside.get(t.head.i) is not date)
        head = next(outer, None)
        if head is None:
            continue
        while head.dep_ in _BARE and lemma_of(head.head) in _DAYS:
            head = head.head  # "on Monday, 4 June"
        link, on = head.dep_, head.head
        if link == "pobj":
            link, on = on.lower_, on.head
        elif link == "acl":  # "a notice dated 9 May"
            link = "of"
        for _ in range(3):  # "from 1 May until 2 June" is one phrase
            if on.i in inside and inside[on.i] is not date:
                on = on.head.head if on.dep_ == "pobj" else on.head
        yield Date(date, head, link, on)


def is_told(clause: Clause) -> bool:
    """Return whether a clause is told as so: not denied, without a condition, of nobody else."""
    linked = (c for one in clause.verb.children if one.dep_ == "advcl" for c in one.children)
    opened = any(c.lower_ in CONDITIONAL and c.dep_ in {"mark", "advmod"} for c in linked)
    return is_so(clause) and clause.polarity == "positive" and not opened


def is_so(clause: Clause) -> bool:
    """Return whether a text tells or denies a clause in its own words, or in those of a paper."""
    own = clause.attribution is None or OF_PAPER.match(clause.attribution)
    return bool(own) and clause.modality in _TOLD and clause.verb.head.lemma_ != "deem"


def wordings(clause: Clause, others: Mapping[int, Clause]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the wordings of a clause with what they take up: "take effect", "come into force"."""
    verb = clause.lemma
    done = (Argument("object", one) for one in clause.subjects if clause.passive)
    for one in (*done, *clause.arguments):
        noun, link = lemma_of(one.token), one.preposition
        if one.role in {"object", "be"}:
            mods = [f"{lemma_of(m)} {noun}" for link, m in links(one.token) if link == "mod"]
            yield from ((f"{verb} {name}", (one.token,)) for name in (noun, *mods))
            if one.role == "be":  # "is effective from", "became effective"
                yield noun, (one.token,)
        elif one.role in {"prep", "agent"}:
            yield f"{verb} {link} {noun}", (one.token,)
            if verb == "be":
                yield f"{link} {noun}", (one.token,)
            yield f"{verb} {link}", ()
        elif one.role == "adverb":
            yield f"{verb} {noun}", (one.token,)
        elif one.role == "clause" and not link and one.token.i in others:
            inner = others[one.token.i]
            yield f"{verb} to {inner.lemma}", (inner.verb,)
            for deep in inner.arguments:
                said = " ".join(filter(None, [deep.preposition, lemma_of(deep.token)]))
                yield f"{verb} to {inner.lemma} {said}", (inner.verb, deep.token)
    for one in clause.subjects if verb in OCCURRING else ():
        noun = lemma_of(one)
        mods = [f"{lemma_of(m)} {noun}" for link, m in links(one) if link == "mod"]
        yield from ((f"{name} occurs", (one,)) for name in (noun, *mods))
        events = [e for link, e in links(one) if link == "of" and noun in {"date", "day", "time"}]
        # "the date of grant of the patent": what is of the event may hang from the date
        yield from ((f"{lemma_of(e)} occurs", (e, one)) for e in events)
    yield verb, ()


def done_to(clause: Clause) -> list[Any]:
    """Return what is done something to: the subject of a passive, else the object."""
    found = clause.subjects if clause.passive else _of(clause, "object")
    return list(found)


def doers(clause: Clause) -> list[Any]:
    """Return who does it."""
    if not clause.passive:
        return list(clause.subjects)
    doc = clause.verb.doc  # "by that decision it was quashed" tells no doer
    agents = [one for one in clause.arguments if one.role == "agent"]
    return [one.token for one in agents if doc[one.place].dep_ == "agent"]


def _of(clause: Clause, role: str) -> list[Any]:
    return [one.token for one in clause.arguments if one.role == role]


def under(clause: Clause, *prepositions: str) -> list[Any]:
    """Return what stands under prepositions of a clause."""
    return [one.token for one in clause.arguments if one.preposition in prepositions]


def topics(clause: Clause) -> list[Any]:
    """Return what a clause is about: its subject, else its object."""
    return list(clause.subjects) or _of(clause, "object")


def affected(clause: Clause, phrase: str, taken: Sequence[Any]) -> list[Any]:
    """Return what an event may happen to, the done-to before the doer."""
    to = [one for one in done_to(clause) if one not in taken]
    who = [one for one in doers(clause) if one not in taken]
    if any(c.lower_ == "whose" for one in who for c in one.children):
        to = []  # "the lease whose term ended": it is the term that ended
    inside = [one for noun in taken for link, one in links(noun) if link in {"of", "in"}]
    inside += [c for verb in taken for c in verb.children if c.dep_ == "dobj"]
    last = phrase.rpartition(" ")[2]
    prepositions = _WITHIN if taken else {last} if last != clause.lemma else set()
    within = [one for one in under(clause, *prepositions) if one not in taken]
    return [*to, *inside, *([] if to else who), *within]


def when_done(
    clause: Clause, taken: Sequence[Any], own: Sequence[Any], sentence: Sentence, *, until: bool
) -> Date | None:
    """Return the date of an event, None where it has none or several."""
    roles = DATED_UNTIL if until else DATED_ON | _BARE
    verbs = [clause.verb, *taken]
    verbs += () if until else _means(clause)
    found = {}
    for date in sentence.dates:
        on = date.on
        shared = clause.verb.dep_ == "conj" and on == clause.verb.head and date.head.i < on.i
        # the day that a thing bears is none of what befalls it: "the order of 3 May was reversed"
        borne = on in own and date.link != "of"
        if date.link in roles and (on in verbs or borne or shared):
            found[date.mention.span.start] = date
    return next(iter(found.values())) if len(found) == 1 else None


def _means(clause: Clause) -> Iterator[Any]:
    """Yield that by which something is done, with what is told of it: "by a writ issued on"."""
    for doer in (*(doers(clause) if done_to(clause) else ()), *under(clause, "by")):
        if doer.pos_ != "PROPN":
            yield doer
            yield from (one for link, one in links(doer) if link == "that")

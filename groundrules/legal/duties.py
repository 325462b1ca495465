"""Duties, permissions and prohibitions of a text, and which act is within which forbidden one.

Read from propositions: "must sell", "undertakes to sell", "is prohibited from selling" are one act.
What is forbidden at all is forbidden in a place, too; what is forbidden in Block B may be done in
Block A. Acts with a condition or an exception are compared with none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rdflib.namespace import RDF
from rdflib.term import URIRef

from groundrules.claims.asserted import propositions
from groundrules.claims.document import plain
from groundrules.claims.offline import load
from groundrules.claims.slots import Slot, Term, described, terms_of
from groundrules.legal.lawphrases import phrases, rows
from groundrules.legal.namespace import LX
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import Polarity, Span

#: The longest sentence that is read for duties, in code points.
_LONGEST = 400
_RE = phrases("duties")
#: One wording for what is owed, allowed and forbidden, so that acts can be compared.
_PUT = rows("duties", "put")
_UNDERTAKING = frozenset("undertake agree covenant promise engage warrant".split())
_BARRING = frozenset("prohibit bar preclude debar forbid restrain enjoin exclude".split())
_REFRAINING = frozenset("refrain abstain".split())
_OWING = frozenset({"must", "shall", "is to", "will"})
#: What stands for whom or when it may be, and narrows nothing.
_ANY = frozenset("any every all".split())
_ANYBODY = frozenset(
    "anyone anybody person time place way manner whatsoever term circumstance".split()
)
_ACTORS = frozenset("it they he she we you who that which this there nothing party".split())


@dataclass(frozen=True, slots=True)
class _Norm:
    """An act of somebody: whether it is owed, permitted or forbidden, and what narrows it.

    What is `denied` need not be done.
    """

    kind: URIRef
    denied: bool
    bearer: str
    act: str
    parts: frozenset[str]
    span: Span


def read_duties(assertions: Assertions) -> None:
    """State the norms that meet a prohibition or a release of their act, within which each is."""
    norms = list(dict.fromkeys(_norms(assertions)))
    bans = [norm for norm in norms if norm.kind == LX.Prohibition or norm.denied]
    stated: set[_Norm] = set()
    for norm in norms:
        for ban in bans if norm not in bans else ():
            same = (norm.bearer, norm.act) == (ban.bearer, ban.act)
            met = norm.kind == LX.Obligation or not ban.denied  # one may do what one need not
            if same and met and ban.parts <= norm.parts and not _is_stated(assertions, norm, ban):
                for one in (norm, ban):
                    if one not in stated:
                        stated.add(one)
                        polarity: Polarity = "negative" if one.denied else "positive"
                        node = _node(assertions, one)
                        assertions.state(node, RDF.type, one.kind, one.span, polarity=polarity)
                node = _node(assertions, norm)
                assertions.state(node, LX.actWithin, _node(assertions, ban), norm.span)


def _is_stated(assertions: Assertions, norm: _Norm, ban: _Norm) -> bool:
    """Return whether claims have told both already, as an obligation and a prohibition."""
    told = [c for c in assertions.claims() if c.triple.predicate == RDF.type and c.reads]
    return all(
        any(c.triple.object == one.kind and _within(c.span, one.span) for c in told)
        for one in (norm, ban)
    )


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _node(assertions: Assertions, norm: _Norm) -> URIRef:
    text = assertions.extraction.document.text
    node = assertions.part(f"act@{norm.span.start}-{norm.span.end}")
    short = " ".join(text[norm.span.start : norm.span.end].split())
    assertions.labels.setdefault(node, f"“{short if len(short) < 80 else short[:79] + '…'}”")
    return node


def plainly_put(line: str) -> str:
    """Return a sentence with what is owed, allowed and forbidden said by plain modals; linear."""
    for pattern, (put,) in _PUT:
        line = pattern.sub(put, line, count=1)
    return line


def _norms(assertions: Assertions) -> Iterator[_Norm]:
    text = plain(assertions.extraction.document)
    modal = [
        (span, plainly_put(_RE["numbered"].sub("", " ".join(text[span.start : span.end].split()))))
        for span in assertions.extraction.sentences
        if span.end - span.start <= _LONGEST and _RE["modal"].search(text, span.start, span.end)
    ]
    stems = {
        word.casefold()[:4]
        for _, line in modal
        for found in _RE["forbidding"].finditer(line)
        for word in found.groups()
        if word
    }
    if not stems:
        return
    acted = re.compile(rf"(?i)\b(?:{'|'.join(sorted(map(re.escape, stems)))})")
    kept = [(s, line) for s, line in modal if acted.search(line) and not _is_qualified(line)]
    docs = load().pipe([line for _, line in kept], disable=["ner"])
    for (span, _), doc in zip(kept, docs, strict=True):
        told: list[Term] = []
        for term in propositions(doc):
            yield from _norm(_taken_up(term, told), assertions.span(span.start, span.end))
            told.append(term)


def _taken_up(term: Term, before: Sequence[Term]) -> Term:
    """Return a proposition whose "it" is the one thing that its sentence has had done to it."""
    things = [one for made in before for inner in terms_of(made) for one in inner.of("obj")]
    things = [one for one in things if one.kind == "thing" and one.at < term.at]
    if len({one.at for one in things}) != 1 or things[0].plural:
        return term
    slots = (Slot(s.role, things[0]) if s.filler.head == "it" else s for s in term.slots)
    return replace(term, slots=tuple(slots))


def _is_qualified(line: str) -> bool:
    return bool(
        _RE["qualified"].search(line)
        or (_RE["banning"].search(line) and _RE["without"].search(line))
    )


def _norm(term: Term, span: Span) -> Iterator[_Norm]:
    """Yield the norm of a proposition, in one form: "is barred from selling" forbids to sell."""
    who = [slot.filler for slot in term.slots if slot.role == "subj"]
    inner = next((s.filler for s in term.slots if s.role == "xcomp"), None)
    barred = next((s.filler for s in term.slots if s.role == "from" and s.filler.clausal), None)
    if term.head in _UNDERTAKING and inner is not None and not term.denied:
        term = replace(inner, force="may" if inner.denied else "must")
    elif term.head in _BARRING and (inner or barred) is not None:
        who = [slot.filler for slot in term.slots if slot.role == "obj"]
        freed = term.denied
        term = replace(barred or inner or term, force="may", denied=not freed)
    elif term.head in _REFRAINING and barred is not None and term.force in _OWING:
        term = replace(barred, force="may", denied=True)
    elif term.head == "have" and (right := _right(term)) is not None:
        term = replace(right, force="may", denied=term.denied)
    if len(who) != 1 or who[0].joined or who[0].head in _ACTORS:
        return
    if term.force not in {*_OWING, "may"} or (term.denied and term.force in {"is to"}):
        return
    banned = LX.Prohibition if term.denied else LX.Permission
    kind = banned if term.force == "may" else LX.Obligation
    if any(slot.filler.joined or slot.filler.alternative for slot in term.slots):
        return
    # a permission that is limited to some says nothing of the rest
    slots = [slot for slot in term.slots if slot.role not in {"subj", "ing"} and not _wide(slot)]
    if any(slot.role == "obj" for slot in term.slots) or slots:
        parts = frozenset(part for slot in slots for part in _parts(slot))
        yield _Norm(
            kind, kind == LX.Obligation and term.denied, _plainly(who[0]), term.head, parts, span
        )


def _right(term: Term) -> Term | None:
    """Return what a "right to" is a right to."""
    for slot in term.slots:
        if slot.role == "obj" and slot.filler.head in {"right", "power", "permission"}:
            return next((s.filler for s in slot.filler.slots if s.role == "xcomp"), None)
    return None


def _wide(slot: Slot) -> bool:
    """Return whether a slot narrows nothing: "at any time", "throughout the Term"."""
    filler = slot.filler
    if filler.head in _ANYBODY or slot.role == "throughout":
        return True
    return filler.determiner in _ANY and filler.head in _ANYBODY


def _parts(slot: Slot) -> Iterator[str]:
    """Yield a slot in one form, and what its thing is in, at or with: they may be of the act."""
    inner = slot.filler.slots if slot.filler.kind == "thing" else ()
    own = tuple(one for one in inner if one.role in {"mod", "of", "that"})
    yield f"{slot.role} {_plainly(replace(slot.filler, slots=own))}"
    for one in inner:
        if one not in own and not _wide(one):
            yield from _parts(one)


def _plainly(term: Term) -> str:
    """Return a thing in one form, whatever its article."""
    return re.sub(r"\b(?:the|bare|name|a|any|every|each|all) ", "", described(term))

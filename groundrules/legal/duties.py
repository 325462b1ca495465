"""Duties, permissions and prohibitions of a text, and which act is within which forbidden one.

Read from clauses: "must sell", "undertakes to sell", "is prohibited from selling" are one act. What
is forbidden at all is forbidden in a place, too; what is forbidden in Block B may be done in Block
A. Acts with a condition or an exception are compared with none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rdflib.namespace import RDF
from rdflib.term import URIRef

from groundrules.claims.documents.document import plain
from groundrules.claims.facts.clauses import Clause, clauses
from groundrules.claims.facts.moods import negated
from groundrules.claims.facts.offline import load
from groundrules.legal.lawphrases import phrases, rows
from groundrules.legal.namespace import LX
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.read.nouns import determiner_of, is_either, lemma_of, links
from groundrules.terms import Polarity, Span

#: The longest sentence that is read for duties, in code points.
_LONGEST = 400
_RE = phrases("duties")
#: One wording for what is owed, allowed and forbidden, so that acts can be compared.
_PUT = rows("duties", "put")
_BARRING = frozenset("prohibit bar preclude debar forbid restrain enjoin exclude".split())
_REFRAINING = frozenset("refrain abstain".split())
_COMPELLING = frozenset("oblige require compel".split())
_OWING = frozenset({"must", "shall", "will", "need"})
_ALLOWING = frozenset({"may", "can"})
#: What stands for whom or when it may be, and narrows nothing.
_ANYBODY = frozenset(
    "anyone anybody person time place way manner whatsoever term circumstance".split()
)
_ACTORS = frozenset("it they he she we you who that which this there nothing party".split())
_TOLD_WITH = frozenset({"mod", "of", "that"})


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
            if same and met and ban.parts <= norm.parts:
                for one in (norm, ban):
                    if one not in stated:
                        stated.add(one)
                        polarity: Polarity = "negative" if one.denied else "positive"
                        node = _node(assertions, one)
                        assertions.state(node, RDF.type, one.kind, one.span, polarity=polarity)
                node = _node(assertions, norm)
                assertions.state(node, LX.actWithin, _node(assertions, ban), norm.span)


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
        found = list(clauses(doc))
        for clause in found:
            yield from _norm(clause, found, assertions.span(span.start, span.end))


def _is_qualified(line: str) -> bool:
    return bool(
        _RE["qualified"].search(line)
        or (_RE["banning"].search(line) and _RE["without"].search(line))
    )


def _norm(clause: Clause, others: Sequence[Clause], span: Span) -> Iterator[_Norm]:
    """Yield the norm of a clause, in one form: "is barred from selling" forbids to sell."""
    kind, denied = _kind(clause, others)
    ruling = next((one for one in others if one.verb == clause.verb.head), clause)
    obliged = [a.token for a in ruling.arguments if a.role == "object"]
    obliged = obliged if ruling.lemma in _COMPELLING else []  # "nothing obliges him to sell"
    who = obliged or [*clause.subjects] if not clause.passive else []
    whom = [*clause.subjects] if clause.passive else []
    bearers = who or [a.token for a in clause.arguments if a.role == "agent"]
    if kind is None or any(map(is_either, (*who, *whom))):
        return
    slots = [("obj", one) for one in whom]
    for one in clause.arguments:
        if one.role in {"clause", "agent"} or is_either(one.token):
            if one.role != "agent":
                return
            continue
        slots.append((one.preposition or ("obj" if one.role == "object" else one.role), one.token))
    if len(bearers) != 1 or lemma_of(bearers[0]) in _ACTORS:
        return
    told = [(link, _antecedent(one, others)) for link, one in slots]
    # a permission that is limited to some says nothing of the rest
    narrow = [(link, one) for link, one in told if not _is_wide(link, one)]
    if narrow or whom:
        parts = frozenset(part for link, one in narrow for part in _parts(link, one))
        yield _Norm(kind, denied, _plainly(bearers[0]), clause.lemma, parts, span)


def _kind(clause: Clause, others: Sequence[Clause]) -> tuple[URIRef | None, bool]:
    """Return whether an act is owed, allowed or forbidden, and whether it need not be done."""
    negative = clause.polarity == "negative"
    modal = next((c.lower_ for c in clause.verb.children if c.lower_ in _OWING | _ALLOWING), "")
    head = clause.verb.head
    above = head.head if clause.verb.dep_ == "pcomp" and head.lower_ == "from" else head
    ruling = next((one for one in others if one.verb == above and one is not clause), None)
    barred = clause.verb.dep_ == "pcomp" and ruling is not None
    if barred and ruling is not None:
        freed = ruling.polarity == "negative"
        if ruling.lemma in _BARRING:
            return (LX.Permission if freed else LX.Prohibition), False
        owed = any(c.lower_ in _OWING for c in ruling.verb.children)
        return (LX.Prohibition if ruling.lemma in _REFRAINING and owed else None), False
    if (
        ruling is not None
        and ruling.lemma in _COMPELLING
        and clause.verb.dep_ in {"xcomp", "ccomp"}
    ):
        return LX.Obligation, any(map(negated, ruling.subjects))
    if modal in _ALLOWING:
        return (LX.Prohibition if negative else LX.Permission), False
    if modal == "need" and negative:
        return LX.Obligation, True
    if modal in _OWING:
        return (LX.Prohibition if negative else LX.Obligation), False
    return None, False


def _antecedent(noun: Any, others: Sequence[Clause]) -> Any:
    """Return what "it" means: the one thing that its sentence has had done to it."""
    if noun.lower_ != "it":
        return noun
    things = [
        one.token
        for other in others
        for one in other.arguments
        if one.role == "object" and one.token.i < noun.i and one.token.lower_ != "it"
    ]
    return things[0] if len(things) == 1 and things[0].tag_ not in {"NNS", "NNPS"} else noun


def _is_wide(link: str, noun: Any) -> bool:
    """Return whether a slot narrows nothing: "at any time", "throughout the Term"."""
    return link == "throughout" or lemma_of(noun) in _ANYBODY


def _parts(link: str, noun: Any) -> Iterator[str]:
    """Yield a slot in one form, and what its thing is in, at or with: they may be of the act."""
    yield f"{link} {_plainly(noun)}"
    for inner, one in links(noun):
        if inner not in _TOLD_WITH and not _is_wide(inner, one):
            yield from _parts(inner, one)


def _plainly(noun: Any) -> str:
    """Return a thing in one form, whatever its article."""
    own = sorted(f"{link} {_plainly(one)}" for link, one in links(noun) if link in _TOLD_WITH)
    no = ["no"] if determiner_of(noun) in {"no", "neither"} else []
    return " ".join([*no, lemma_of(noun), *own])

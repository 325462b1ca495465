"""Clauses that leave out a verb, written out: "cockerels may not", "members but not guests may".

In: a sentence. Out: its last clause with the verb, and what follows that, of the clause before it;
or what it tells of each of two things.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from groundrules.align.words.normal_words import tables
from groundrules.align.words.parses import parse

_LINK = re.compile(r",? (?:but|and|while|whereas) |[,;] ")
_MARKS = frozenset(",;:")
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
#: What makes a clause of another sort, or may be of both.
_BINDS = frozenset("advcl ccomp xcomp csubj relcl mark expl preconj".split())
#: What opens a sentence before its subject, which may limit all of it.
_OPENING = frozenset({"ADP", "ADV", "SCONJ", "VERB", "CCONJ"})


@cache
def _auxiliary() -> re.Pattern[str]:
    """Return the pattern of an auxiliary that ends a sentence."""
    helping = "|".join(" ".join(tables()["helping"].values()).split())
    return re.compile(rf" ({helping})( not|n't)?(?: too)?\.?\Z")


def _last(text: str) -> tuple[str, str, str, bool] | None:
    """Return a clause, the subject of the next, its auxiliary and whether it denies, or None."""
    found = _auxiliary().search(text, max(0, len(text) - 24))
    head = text[: found.start()] if found else ""
    for link in _LINK.finditer(head):
        first, subject = head[: link.start()], head[link.end() :]
        if found and first and subject and _MARKS.isdisjoint(subject) and not {";", ":"} & {*first}:
            return first, subject, found[1], bool(found[2])
    return None


def leaves_out(text: str) -> bool:
    """Return whether the last clause of a sentence ends in an auxiliary: "but the train did"."""
    return _last(text) is not None


def elided(text: str) -> Iterator[str]:
    """Yield "cockerels may not be kept" of "hens may be kept, cockerels may not"."""
    found = _last(text)
    if found is None or _is_bound(text):
        return
    before, name, aux, denied = found
    doc, subject = parse(f"{before}."), parse(name)
    verbs = [t for t in doc if t.dep_ == "ROOT" and t.pos_ in {"VERB", "AUX"}]
    first = next((c for v in verbs for c in v.children if c.dep_ in _SUBJECTS), None)
    opened = first is None or first.left_edge.i > 0 or doc[0].pos_ in _OPENING
    if opened or any(t.dep_ in _BINDS for t in doc):
        return
    if denied and (any(t.dep_ == "conj" for t in doc) or _is_general(text)):
        return  # who does not do both may do one
    named = any(t.pos_ in {"NOUN", "PROPN"} for t in subject)
    others = tables()["limiting"] | tables()["alike"]
    told = [
        t.pos_ in {"VERB", "AUX"} or t.tag_[:1] == "W" or t.lower_ in others
        for t in subject
        if t.tag_ != "VBN"
    ]
    if not named or any(told) or any(t.tag_ in {"PRP", "PRP$"} for t in doc):
        return  # whose mother Bea loves where Ann loves hers is not told
    rest = _rest(verbs[0], aux, denied)
    if rest:
        yield f"{name[:1].upper()}{name[1:]} {rest}"


def _is_general(text: str) -> bool:
    """Return whether a text speaks of all or many, so that its denial leaves some."""
    general = tables()["universal"] | tables()["several"]
    return not general.isdisjoint(re.findall(r"\w+", text.lower()))


def _is_bound(text: str) -> bool:
    """Return whether a word other than a plain "not" may bind what is told twice."""
    binds = tables()["scoping"] | tables()["rare"] | tables()["seldom"] | tables()["unbounded"]
    said = re.findall(r"[\w']+", re.sub(r"(?i)\bbut\b|\bnot\b|n't\b", "", text).lower())
    return not binds.isdisjoint(said)


def shared(text: str) -> Iterator[str]:
    """Yield "members may swim" of "members but not guests may swim", and what is told of guests."""
    which = next((one for one in ("only", "not") if f" but {one} " in text), "")
    name, _, behind = text.partition(f" but {which} ")
    name = name.rstrip(",")
    if not (which and name) or _is_bound(f"{name} {behind}") or ";" in behind or ":" in behind:
        return
    if not _MARKS.isdisjoint(name) or (which == "not" and _is_general(behind)):
        return
    doc, one = parse(behind), parse(name)
    subject = next((t for t in doc if t.dep_ in _SUBJECTS and t.head.dep_ == "ROOT"), None)
    if subject is None or subject.left_edge.i or any(t.pos_ in {"VERB", "AUX"} for t in one):
        return
    if one[0].pos_ in _OPENING:
        return
    helps = [c for c in subject.head.children if c.dep_ in {"aux", "auxpass"}]
    first = helps[0] if helps else subject.head
    other, rest = doc.text[: first.idx].rstrip(" ,"), doc.text[first.idx :]
    if not all(d[-1].pos_ in {"NOUN", "PROPN"} for d in (one, doc[: first.i])):
        return  # "poor but not lazy pupils"
    if one[-1].lemma_ == doc[first.i - 1].lemma_:
        return  # "members but only adult members"
    yield f"{name} {rest}"
    if which == "only":
        if not any(c.dep_ in {"amod", "acl", "compound"} for c in subject.children):
            yield f"Only {other} {rest}"
    elif helps and first.lower_ not in tables()["demanding"]:
        behind = doc.text[first.idx + len(first) :]
        yield f"{other[:1].upper()}{other[1:]} {first.text} not{behind}"


def _rest(verb: Any, aux: str, denied: bool) -> str:
    """Return what a subject is told of by the verb of another, as its auxiliary has it."""
    no = " not" if denied else ""
    form = next(form for form, words in tables()["helping"].items() if aux in words.split())
    helps = [c for c in verb.children if c.dep_ in {"aux", "auxpass"} and c.i < verb.i]
    first = helps[0] if helps else verb
    if any(c.dep_ == "conj" and c.pos_ in {"VERB", "AUX"} for c in verb.children):
        return ""
    behind = [t for t in verb.doc[first.i + 1 :] if t.dep_ != "neg"]
    tail = "".join(t.text_with_ws for t in behind).strip()
    if form == "be" and first.lemma_ == "be" and tail:
        return f"{aux}{no} {tail}"
    if form == "modal" and first.tag_ == "MD" and tail:
        return f"{aux}{no} {tail}"
    if form != "do" or helps or verb.tag_ not in {"VBD", "VBZ", "VBP"} or verb.lemma_ == "be":
        return ""
    if (verb.tag_ == "VBD") != (aux == "did"):
        return ""
    return f"{aux}{no} {verb.lemma_} {tail}" if denied else f"{verb.text} {tail}"

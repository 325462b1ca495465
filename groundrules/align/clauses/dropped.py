"""What a sentence of a source says beside what is kept of it, and whether that may be dropped.

Dropped without harm is what another clause says that neither conditions, reports, denies nor limits
what is kept. In: a sentence and the words kept. Out: the words that bind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from groundrules.align.clauses.asides import is_aside, is_dated, is_known, is_opening
from groundrules.align.words.normal_words import Sentence, tables, tense

#: Forms of companies, which a name is told without.
_FORMS = frozenset("inc ltd llc llp corp plc gmbh".split())
_GIVING = frozenset({"to", "for", "from"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_DENIALS = frozenset({"not", "n't", "never", "no"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_OWN = frozenset({"nsubj", "nsubjpass", "expl"})


def binding(there: Sentence, used: Collection[int], entailed: bool) -> Iterator[int]:
    """Yield the words of a source's sentence that no dropped part accounts for."""
    alive: set[int] = set()
    passed: dict[int, Any] = {}  # what is joined before something kept, and that
    for i, n in there.of.items():
        token = there.doc[i]
        if n not in used:
            continue
        alive.add(i)
        while token.head.i != token.i:
            named = token.dep_ == "appos" and (entailed or token.pos_ == "PROPN")
            if token.dep_ == "conj" or named:
                passed.setdefault(token.head.i, token)
            else:
                alive.add(token.head.i)
            token = token.head
    kept = {i for i, n in there.of.items() if n in used}
    if len(used) < len(there.words) and _has_gap(there):
        yield from (n for n in range(len(there.words)) if n not in used)
        return
    for i in (
        passed.keys() & there.of.keys()
    ) - kept:  # what a joined verb shares with the one before it binds both
        alive.discard(i)
    for n, word in enumerate(there.words):
        if n in used:
            continue
        token = there.doc[word.at]
        if token.pos_ == "PROPN" and token.lower_.strip(".") in _FORMS:
            continue
        if token.i in alive:
            yield n  # what is kept depends on it
            continue
        if token.i in passed:
            if not _may_be_passed(token, passed[token.i], entailed):
                yield n
            continue
        top = token
        while top.head.i != top.i and top.head.i not in alive and top.head.i not in passed:
            top = top.head
        joined = None if top.head.i in kept | alive else passed.get(top.head.i)
        if joined is not None and top.i != joined.i:
            if not _is_of_its_own(top, joined, entailed):
                yield n
        elif not _may_be_dropped(top, entailed):
            yield n


def _has_gap(there: Sentence) -> bool:
    """Return whether a verb may be left out: "sold the farm to Ann and the mill to Bea"."""
    for verb in there.doc:
        leads = [c for c in verb.subtree if c.dep_ in {"prep", "dative"} and c.lower_ in _GIVING]
        for n, one in enumerate(leads if verb.pos_ == "VERB" else ()):
            for other in leads[n + 1 :]:
                between = there.doc[one.i + 1 : other.i]
                ands = [t.i for t in between if t.lower_ == "and"]
                told = any(t.pos_ in {"VERB", "AUX"} for t in between)
                alike = one.lower_ == other.lower_ and len(ands) == 1 and not told
                if alike and any(t.pos_ in _NOUNS for t in there.doc[ands[0] : other.i]):
                    return True
    return False


def _may_be_passed(head: Any, joined: Any, entailed: bool) -> bool:
    """Return whether what stands before something joined to it may be dropped."""
    if joined.dep_ == "appos":
        return not any(t.text == ":" for t in head.doc[head.i : joined.i])
    if {head.lower_, joined.lower_} <= tables()["amounts"] or _is_bound(head):
        return False
    verbal = joined.pos_ in {"VERB", "AUX"}
    around = {t.lower_ for t in head.doc if not (verbal and joined in t.ancestors)}
    if "only" in around or (verbal and around & tables()["seldom"]):
        return False  # only on both of two days, few of those who do both
    if any(c.dep_ in {"ccomp", "xcomp"} for c in head.children):
        return False  # what is joined to it may be said, too
    links = {c.lower_ for c in head.children if c.dep_ == "cc"}
    clause = head.pos_ in {"VERB", "AUX"} and joined.pos_ in {"VERB", "AUX"}
    denied = any(c.dep_ == "neg" for c in head.children)
    alone = any(c.dep_ in {"nsubj", "nsubjpass", "aux", "auxpass"} for c in joined.children)
    if denied and not alone:
        return False
    if clause and head.tag_ == "VB" and not any(c.dep_ in _OWN for c in head.children):
        return False  # "pay late and you lose it"
    if not clause and _is_subject(head):
        return False  # what several do together none does alone
    return links <= tables()["joining"] and (clause or entailed)


def _is_bound(head: Any) -> bool:
    """Return whether things are joined of which one is meant, or of which all are: "both".

    So are the deeds of the first who did them all.
    """
    if any(c.lower_ == "both" for c in head.children):
        return True
    marks = (g for c in head.children if c.dep_ in _SUBJECTS for g in c.children)
    if any(t.lower_ in {"first", "last"} or t.tag_ == "JJS" for t in marks):
        return True
    last = head
    while last is not None:
        if any(c.dep_ == "cc" and c.lower_ in {"or", "nor"} for c in last.children):
            return True
        last = next((c for c in last.children if c.dep_ == "conj"), None)
    return False


def _is_subject(token: Any) -> bool:
    """Return whether a noun is what a clause is about, or is joined to that."""
    while token.dep_ in {"conj", "appos", "compound"} and token.head.i != token.i:
        token = token.head
    return token.dep_ in {"nsubj", "nsubjpass", "agent"} or (
        token.dep_ == "pobj" and token.head.dep_ == "agent"
    )


def _is_of_its_own(top: Any, joined: Any, entailed: bool) -> bool:
    """Return whether a part of what is passed says nothing of what is joined to it."""
    if top.dep_ == "cc":
        return top.lower_ in tables()["joining"]
    if top.pos_ == "PROPN" and top.i + 1 < len(top.doc) and top.nbor().dep_ == "det":
        return False  # "Ann liked the play and Bob the film"
    if any(t.lower_ in tables()["limiting"] for t in top.subtree):
        return bool(top.dep_ == "neg")
    subject = any(c.dep_ in {"nsubj", "nsubjpass"} for c in joined.children)
    if top.dep_ in {"nsubj", "nsubjpass", "aux", "auxpass"}:
        return subject
    if joined.dep_ == "appos" or top.dep_ == "nummod":
        return True
    marked = any(c.i < joined.i for c in joined.children)
    if top.i < top.head.i:  # "old men and three women", not "old men and women"
        return entailed and marked and top.head.pos_ not in {"VERB", "AUX"}
    return bool(top.i < joined.i) and (subject or entailed or top.dep_ != "prep")


def _may_be_dropped(top: Any, entailed: bool) -> bool:
    """Return whether a part with all that depends on it binds nothing of the rest."""
    part = list(top.subtree)
    words = {t.lower_ for t in part}
    if top.dep_ == "cc":
        return top.lower_ in tables()["joining"]
    before = top.doc[part[0].i - 1] if part[0].i else None
    comma = any(
        t is not None and t.text in {",", "(", "–", "—", ";", "-"} for t in (before, part[0])
    )
    around = {t.lower_ for t in top.doc if t.i not in {one.i for one in part}}
    general = bool(around & tables()["universal"])
    if top.dep_ == "advcl" and words & tables()["factive"] and entailed:
        told = not general and not any(c.dep_ == "neg" for c in top.head.children)
        return told and not (words - tables()["factive"]) & tables()["limiting"]
    if top.dep_ == "conj":
        links = {c.lower_ for c in top.head.children if c.dep_ == "cc"}
        if {top.lower_, top.head.lower_} <= tables()["amounts"] or _is_bound(top.head):
            return False  # "two dollars and fifty cents"
        if (general and words & _DENIALS) or "only" in around:
            return False
        if not links <= tables()["joining"] or words & (tables()["limiting"] - _DENIALS):
            return False
        clause = top.pos_ in {"VERB", "AUX"} and top.head.pos_ in {"VERB", "AUX"}
        timed = words & tables()["times"] and not (words & _DENIALS or around & tables()["times"])
        if not clause and timed:
            return False  # what is told when is told of all: "bread, rolls and cakes on Mondays"
        if not clause and (_is_subject(top) or (words & _DENIALS and not _is_beside(top))):
            return False
        if clause and around & tables()["seldom"]:
            return False
        return clause or entailed
    place = top.dep_ == "relcl" and any(t.pos_ == "PROPN" for t in (top.head, *top.head.children))
    if words & tables()["limiting"] - ({"where"} if place else set()):
        return False
    if top.dep_ == "prep" and top.lower_ in {"of", "under"}:
        own = part[1:]
        if len(own) == 2 and own[0].lower_ == "this" and own[1].text.istitle():
            return True  # what a document calls itself: "of this Lease"
    if top.dep_ == "relcl":
        about = bool(words & {"which", "who", "whom", "whose", "where"})
        kind = any(t.lower_ in {"a", "an", "any"} for t in top.head.children)
        known = place or (bool(words & {"who", "whose"}) and not kind)
        between = top.doc[top.head.i + 1 : part[0].i]
        near = not any(t.pos_ in {"VERB", "AUX"} for t in between)
        known |= near and any(t.lower_ == "the" for t in top.head.children)
        when = {"past", "present"} if known else {"past"}
        return comma and about and top.pos_ in {"VERB", "AUX"} and tense(top) in when
    if top.dep_ == "acl" and entailed:
        return is_known(top.head) and is_aside(top) and is_dated(top)
    if top.dep_ == "advcl" and entailed and is_opening(top):
        return is_dated(top)
    if top.dep_ == "compound" and top.pos_ == "NOUN" and top.head.pos_ == "PROPN":
        return entailed and len(part) == 1 and is_known(top.head)  # "the lawyer Ann Kerr"
    if top.dep_ == "appos":
        opens = next(t.lower_ for t in part if not t.is_punct)
        kind = opens in {"a", "an"} and tables()["framing"].isdisjoint(words)
        kind &= not {top.dep_, top.head.dep_} & {"conj"}
        kind &= not any(t.pos_ == "ADJ" and t.i > top.i for t in part)
        kind &= not any(c.dep_ in {"conj", "cc"} for t in (top, top.head) for c in t.children)
        named = kind or any(t.pos_ == "PROPN" for t in (*part, top.head, *top.head.children))
        plain = not any(
            (len(t) == 1 and t.text.isupper())  # "Block 2, Flat C"
            or t.pos_ in {"NUM", "AUX", "SYM"}
            or (t.tag_[:2] == "VB" and t.dep_ != "amod")
            for t in part
        )
        return comma and named and plain and words.isdisjoint({"or", "nor"})
    if entailed and comma and top.head.pos_ in _NOUNS and words & tables()["earlier"]:
        return True  # "the entrance, formerly in Dock Street, is in Canal Row"
    if entailed and top.dep_ == "prep":
        return _is_told(top) and not general and _is_dated(top)
    denied = any(c.dep_ == "neg" for c in top.head.children)
    return bool(entailed and top.dep_ == "dative" and not denied)


def _is_beside(top: Any) -> bool:
    """Return whether what is denied is another of what is told: "in the yard, not in the porch"."""
    head = top.head.head if top.pos_ == "ADP" and top.head.dep_ == "pobj" else top.head
    if top.pos_ == "ADP":
        return head.lower_ == top.lower_ or {head.lower_, top.lower_} <= {"because", "for"}
    named = (
        top.pos_ in {"NOUN", "PROPN"}
        and top.lower_ not in {"one", "ones"}
        and top.head.pos_ in {"NOUN", "PROPN"}
    )
    return named and not any(t.like_num or t.tag_ in {"JJR", "RBR"} for t in top.subtree)


def _is_dated(prep: Any) -> bool:
    """Return whether a phrase names a day, where the sentence has no other figure."""
    part = {t.i for t in prep.subtree}
    figures = any(t.like_num for t in prep.doc if t.i not in part)
    timed = any(t.lower_ in tables()["times"] or (t.like_num and len(t) == 4) for t in prep.subtree)
    after_verb = prep.head.pos_ in {"VERB", "AUX"}
    return timed and after_verb and not figures and prep.lower_ in {"in", "on", "at"}


def _is_told(token: Any) -> bool:
    """Return whether what a token stands in is told as something that happened, once."""
    verb = token
    while verb.head.i != verb.i and not (verb.pos_ in {"VERB", "AUX"} and verb is not token):
        verb = verb.head
    denied = any(c.dep_ == "neg" or c.lower_ in {"no", "none"} for c in verb.subtree)
    return tense(verb) == "past" and not denied

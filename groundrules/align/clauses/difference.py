"""The one place in which a statement differs from a sentence of a source.

All else is the same, tied to the same, and what the source adds binds nothing: so the place refutes
the statement where both cannot hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from groundrules.align.clauses.coverage import compare, in_order, pair_elsewhere, turned
from groundrules.align.clauses.dropped import binding
from groundrules.align.clauses.ellipsis import leaves_out
from groundrules.align.clauses.exclusions import denies, is_of_some, kind_of
from groundrules.align.clauses.variants import is_contrast, parallel, subject_of, variants
from groundrules.align.words.exchanges import exchanged
from groundrules.align.words.meanings import Relation, related
from groundrules.align.words.normal_words import Sentence, aspect, read_words, tables, tense

#: So many words must be alike before another is the one difference, which has so many at most; two
#: are enough for a name where the source adds nothing.
_ALIKE, _LONGEST = 3, 4
#: What two clauses have in each other's place has so many words at most.
_CROSSED = 6
#: A sentence with so many words in the order of a source's, one place apart, is a copy of it.
_COPIED = 8
#: A sentence with more words besides says more than one thing.
_MOST = 150
_NARROWING = frozenset({"prep", "npadvmod", "amod", "nummod"})
_STILL = frozenset({"still", "already", "always", "now"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})


@dataclass(frozen=True, slots=True)
class Difference:
    """The one place where a statement differs from a sentence of a source.

    `kind` is figure, negation, opposite, quantifier or value; `claimed` and `stated` are the words
    there, empty on the side that has none, `others` how many words both have alike. What is
    `exchanged` stands in both, in the other's place.
    """

    kind: str
    claimed: str
    stated: str
    others: int
    exchanged: bool = False


def difference(statement: str, source: str, before: str = "") -> Difference | None:
    """Return the one place where a statement differs from a sentence, None where it is no such.

    The sentence may come to several, as the statement may; pronouns stand for what is named
    `before`.
    """
    parts = [part for part, _ in variants(source, before)]
    there = [read_words(part) for part in parts]
    for one, _ in variants(statement, ""):
        own = read_words(one)
        found = [told for other in there if (told := _difference(own, other))]
        if found and not any(not compare(one, part) for part in parts):
            return next((told for told in found if told.kind == "negation"), found[0])
    if tables()["shares"].intersection(statement.lower().split()):
        own = read_words(statement)
        beside = map(read_words, parallel(source))  # "some must, the others need not"
        shares = (told for other in beside if (told := _difference(own, other)))
        return next((told for told in shares if told.kind == "quantifier"), None)
    return None


def crossed(statement: str, source: str, before: str = "") -> Difference | None:
    """Return the words that a statement has from another clause of the same sentence.

    "The left path leads to the tarn, the right path to the quarry" tells against "the right path
    leads to the tarn": what it says of one thing is told, beside it, of the other.
    """
    if leaves_out(source) or tables()["alike"].intersection(re.findall(r"\w+", source.lower())):
        return None
    parts = parallel(statement)
    if len(parts) > 1:
        return next((found for one in parts if (found := crossed(one, source, before))), None)
    own = read_words(statement)
    if any(
        t.dep_ == "conj" and (t.pos_ in {"VERB", "AUX"} or t.head.dep_ in _SUBJECTS)
        for t in own.doc
    ):
        return None  # it says two things, or of two
    clauses = dict.fromkeys([*parallel(source), *(part for part, _ in variants(source, before))])
    there = [read_words(part) for part in clauses]
    runs = [(*at, one) for one in there if _is_plain(one, own) and (at := _place(own, one))]
    shorter = [one for one in there if len(one.text) < len(source) - 1]
    if any(_has_all(own, *run, other) for run in runs for other in shorter):
        return None
    doers, apart = _of_subject(own) | _of_agent(own), is_contrast(source) or _happens(own)
    verbs = {n for n, word in enumerate(own.words) if own.doc[word.at].pos_ in {"VERB", "AUX"}}
    for mine, gap, one in sorted(runs, key=lambda run: run[0]):
        pairs = ({*mine, *run[0]} for run in runs if not {*mine} & {*run[0]})
        others = [both for both in pairs if not doers or doers & both or not verbs & both]
        told = doers.issuperset(mine) and any(_is_of(own, mine, other) for other in there)
        exact = apart or any(own.words[n].key[0] == "figure" for n in {*mine}.union(*others))
        if not exact or not (others or told) or (verbs & {*mine} and doers & {*mine}):
            continue
        acts = any(one.doc[one.words[m].at].pos_ in {"VERB", "AUX"} for m in gap)
        if acts != bool(verbs & {*mine}):
            continue
        if any(not compare(statement, part).statement for part in clauses):
            return None
        found = _of_parts("value", own, mine, one, gap, len(own.words) - len(mine))
        return None if _is_apposed(source, found.claimed, found.stated) else found
    return None


def _is_apposed(source: str, one: str, other: str) -> bool:
    """Return whether a source calls one thing by two names: "Ann Lee, a free woman who"."""
    said = source.casefold()
    links = [f"{mark}{which}" for mark in (", ", " (", " ") for which in ("", "a ", "an ", "the ")]
    pairs = [(one.casefold(), other.casefold()), (other.casefold(), one.casefold())]
    return any(f"{a}{link}{b}" in said for a, b in pairs for link in links)


def _has_all(
    own: Sentence, mine: Sequence[int], gap: Sequence[int], one: Sentence, other: Sentence
) -> bool:
    """Return whether a clause about what is in another's place tells all, or what both are.

    "Ann saw Rome in May and Oslo in June", "Ida Hahn and Mrs Hahn", and what is handed on: "the box
    holds the bag, the bag holds the ring".
    """
    there = {word.key for word in other.words}
    titles = [
        {s.doc[s.words[n].at].lower_ for n in run} <= tables()["surnamed"]
        for s, run in ((own, mine), (one, gap))
    ]
    kinds = {s.doc[s.words[run[-1]].at].pos_ for s, run in ((own, mine), (one, gap))}
    if titles[0] is not titles[1] or kinds == {"PROPN", "ADJ"}:
        return True
    if not _is_of(own, mine, other) or not _is_plain(other, own):
        return False
    told = {str(word.key[1]) for word in own.words}
    named = any(one.doc[one.words[m].at].pos_ in {"PROPN", "NUM"} for m in gap)
    handed = not named or not told.isdisjoint(tables()["handed_on"])
    linked = handed and there.issuperset(one.words[m].key for m in gap)
    return linked or there.issuperset(word.key for word in own.words)


def _is_plain(there: Sentence, own: Sentence) -> bool:
    """Return whether a clause denies nothing, tells of no share and names what it tells of."""
    binds = tables()["denying"] | tables()["universal"]
    binds |= tables()["some"] - {"a", "an", "one", "half", "third"}
    bare = {t.lower_ for t in own.doc} ^ {t.lower_ for t in there.doc}
    taken = any(
        t.tag_ in {"PRP", "PRP$"} or t.lower_ in {"one", "ones", "those", "former", "latter"}
        for t in there.doc
    )
    taken |= any(t.tag_ == "PRP" for t in own.doc)
    return binds.isdisjoint(bare) and not taken


def _is_of(own: Sentence, run: Sequence[int], there: Sentence) -> bool:
    """Return whether some words of a statement are what a clause is about."""
    subject = {there.words[n].key for n in _of_subject(there)}
    return subject.issuperset(own.words[n].key for n in run)


def _happens(clause: Sentence) -> bool:
    """Return whether a clause tells what happened, or will: who did it is told to the end."""
    root = next((t for t in clause.doc if t.head.i == t.i), None)
    group = [] if root is None else [root, *root.children]
    return any(t.tag_ == "VBD" or t.lower_ == "will" for t in group)


def _place(own: Sentence, there: Sentence) -> tuple[list[int], list[int]] | None:
    """Return the one run of words that a statement has in place of another of a clause."""
    pairs = in_order(own, there)
    before = {*pairs}
    pair_elsewhere(own, there, pairs, True)
    left = [n for n in range(len(own.words)) if n not in pairs]
    whole = list(range(left[0], left[-1] + 1)) if left else []
    left = whole if len(whole) < 2 * len(left) else []
    pairs = {n: m for n, m in pairs.items() if n not in left}
    free = [n for n in range(len(there.words)) if n not in set(pairs.values())]
    if not pairs or not 0 < len(left) <= _CROSSED or len(free) > _MOST:
        return None
    for size in range(1, _CROSSED + 1):
        for gap in (free[i : i + size] for i in range(len(free) - size + 1)):
            if gap[-1] - gap[0] != size - 1:
                continue
            rest = set(binding(there, {*pairs.values(), *gap}, True))
            rest -= set(_narrowing(there, [m for m in free if m not in gap]))
            if not rest and _is_at(
                own, left, there, gap, pairs, len(before.difference(left)), False
            ):
                return left, gap
    return None


def _difference(own: Sentence, there: Sentence) -> Difference | None:
    pairs = in_order(own, there)
    ordered = len(pairs)
    pair_elsewhere(own, there, pairs, True)
    for n in [n for n in pairs if own.words[n].key == ("word", "than")]:
        if n - 1 not in pairs and n + 1 not in pairs:
            del pairs[n]  # of "fewer than 5" beside "more than 7"
    left = [n for n in range(len(own.words)) if n not in pairs]
    free = [n for n in range(len(there.words)) if n not in set(pairs.values())]
    if not pairs or len(free) > _MOST:
        return None
    extent = _extent(own, left, there, free, pairs)
    if extent is not None:
        return extent
    core = [n for n in left if n not in set(_narrowing(own, left))]
    runs = [free[i : i + size] for size in range(1, _LONGEST + 1) for i in range(len(free))]
    for mine in (left, core) if core != left else (left,):
        if len(mine) > _LONGEST or (mine and mine[-1] - mine[0] != len(mine) - 1):
            continue
        for gap in ([], *runs) if mine else runs:
            if gap and gap[-1] - gap[0] != len(gap) - 1:
                continue
            whole = ordered == len(pairs) >= _COPIED and len(gap) == len(free)
            kind = kind_of(own, mine, there, gap, copied=whole and mine == left)
            denied = any(denies(there, m) for m in gap)
            if not kind or (mine != left and not denied):
                continue
            if kind == "negation" and _of_other_times(own, there, pairs):
                continue
            keys = [own.words[n].key for n in mine] + [there.words[m].key for m in gap]
            if kind == "negation" and is_of_some(own) and ("word", "no") not in keys:
                continue
            rest = set(binding(there, {*pairs.values(), *gap}, True))
            wide = denied and any(there.words[m].key == ("word", "any") for m in free)
            if wide:  # what is not so at any time is so at none
                rest -= set(_narrowing(there, [m for m in free if m not in gap]))
            if any(denies(own, n) for n in mine):  # what is so of some is not so of none
                rest -= set(_narrowing(there, [m for m in free if m not in gap], every=True))
            few = len(gap) != len(free) or (len(pairs) == 1 and kind != "opposite")
            if rest or (len(pairs) < _ALIKE and few):
                continue
            if _is_at(own, mine, there, gap, pairs, ordered):
                return _of_parts(kind, own, mine, there, gap, len(pairs))
    return None


def _is_at(
    own: Sentence,
    mine: Sequence[int],
    there: Sentence,
    gap: Sequence[int],
    pairs: Mapping[int, int],
    ordered: int,
    tied: bool = True,
) -> bool:
    """Return whether two runs of words stand in one place, all else in order or tied alike."""
    alike = tied and len(mine) == len(gap)
    both = {**pairs, **(dict(zip(mine, gap, strict=True)) if alike else {})}
    placed = len(pairs) == ordered and (
        not gap or not mine or all((n < mine[0]) == (m < gap[0]) for n, m in pairs.items())
    )
    verbal = not tied and any(own.doc[own.words[n].at].dep_ == "ROOT" for n in mine)
    return placed or verbal or not turned(own, there, both, False, not tied, tied)


def _extent(
    own: Sentence,
    left: Sequence[int],
    there: Sentence,
    free: Sequence[int],
    pairs: Mapping[int, int],
) -> Difference | None:
    """Return that a statement has more, or less, of several things than a sentence of a source.

    "All sites" are not those "except Mill Bank", what is so "only for sheds" not so "for sheds and
    greenhouses"; and two names or figures may have changed places.
    """
    rest = list(binding(there, set(pairs.values()), True))
    if not left and not rest:
        return _exchanged(own, there, pairs)
    words = [str(own.words[n].key[1]) for n in left]
    wholes = tables()["wholes"]
    every = [n for n in pairs if own.doc[own.words[n].at].lower_ in wholes]
    if not left and every and _is_exception(there, rest):
        return _of_parts("quantifier", own, every[:1], there, rest, len(pairs))
    if left and (found := _excluded(own, left, there, rest, len(pairs))):
        return found
    if words == ["only"] and left[0] + 1 in pairs:
        joined = _joined_to(there, there.doc[there.words[pairs[left[0] + 1]].at])
        if rest and joined.issuperset(rest):
            return _of_parts("quantifier", own, left, there, rest, len(pairs))
    if len(words) == 1 and words[0] in wholes:
        only = [m for m in free if there.words[m].key == ("word", "only") and _opens(there, m)]
        narrowed = _of_subject(there).intersection(free).difference(only)
        if only and narrowed and narrowed.union(only).issuperset(rest):
            return _of_parts("quantifier", own, left, there, [*only, *narrowed], len(pairs))
    return None


def _excluded(
    own: Sentence, left: Sequence[int], there: Sentence, rest: Sequence[int], others: int
) -> Difference | None:
    """Return who else is said to do what only one may: "only the board may void a paper"."""
    only = [m for m in rest if there.words[m].key == ("word", "only") and _opens(there, m)]
    alone = _of_subject(there).difference(only)
    subjects = subject_of(own.doc), subject_of(there.doc)
    named = [
        one is not None
        and one.tag_ in {"NN", "NNP"}
        and (one.pos_ == "PROPN" or any(c.lower_ == "the" for c in one.children))
        for one in subjects
    ]
    if not (only and alone.issuperset(set(rest) - {*only}) and all(named) and others >= _ALIKE):
        return None
    denied = any(denies(s, n) for s in (own, there) for n in range(len(s.words)))
    lemmas = [one.lemma_.lower() for one in subjects]
    kinds = {related(*lemmas, "thing"), related(*lemmas[::-1], "thing")}
    if denied or _of_subject(own) != {*left} or kinds != {Relation.OPEN}:
        return None
    return _of_parts("value", own, left, there, [*only, *alone], others)


def _of_subject(there: Sentence) -> set[int]:
    subject = subject_of(there.doc)
    return {there.of[t.i] for t in (subject.subtree if subject else ()) if t.i in there.of}


def _of_agent(own: Sentence) -> set[int]:
    agents = (t for t in own.doc if t.dep_ == "agent")
    return {own.of[t.i] for one in agents for t in one.subtree if t.i in own.of}


def _opens(there: Sentence, n: int) -> bool:
    """Return whether a word stands before what its sentence is told of: "only members may"."""
    subject = subject_of(there.doc)
    return subject is not None and subject.left_edge.i <= there.words[n].at < subject.i


def _is_exception(there: Sentence, rest: Sequence[int]) -> bool:
    """Return whether words of a source are what it leaves out of the whole: "except Mill Bank"."""
    tokens = [there.doc[there.words[n].at] for n in rest]
    top = tokens[0]
    whole = any(c.lower_ in tables()["wholes"] for c in top.head.children)
    return whole and top.lower_ == "except" and all(t is top or top in t.ancestors for t in tokens)


def _joined_to(there: Sentence, token: Any) -> set[int]:
    """Return the words of what is joined to a thing, or to what its preposition leads to."""
    found = set()
    for thing in (token, *(c for c in token.children if c.dep_ == "pobj")):
        before = [thing.head] if thing.dep_ == "conj" else []
        for one in (*before, *thing.conjuncts):
            found |= {there.of[t.i] for t in one.subtree if t.i in there.of}
    return found


def _exchanged(own: Sentence, there: Sentence, pairs: Mapping[int, int]) -> Difference | None:
    """Return the first of two names or figures that have changed places: "from May to June"."""
    far = {"and", "same"} if len(pairs) >= _COPIED else set()  # in a long one of other things
    found = exchanged(own, there, pairs, tables()["mutual"] - far)
    if found is None:
        return None
    told = _of_parts("value", own, found[0], there, found[1], len(pairs))
    return replace(told, exchanged=True)


def _of_parts(
    kind: str,
    own: Sentence,
    mine: Sequence[int],
    there: Sentence,
    theirs: Sequence[int],
    others: int,
) -> Difference:
    claimed, stated = (
        one.text[one.words[min(part)].start : one.words[max(part)].end] if part else ""
        for one, part in ((own, mine), (there, theirs))
    )
    return Difference(kind, claimed, stated, others)


def _of_other_times(own: Sentence, there: Sentence, pairs: Mapping[int, int]) -> bool:
    """Return whether a verb is told of the past in one sentence and of now in the other."""
    for n, m in pairs.items():
        one, other = own.doc[own.words[n].at], there.doc[there.words[m].at]
        if one.pos_ in {"VERB", "AUX"} and other.pos_ in {"VERB", "AUX"}:
            times = {tense(one), tense(other)}
            if times == {"past", "present"} or ("perfect" in aspect(one) ^ aspect(other)):
                return True
    return False


def _narrowing(sentence: Sentence, numbers: Sequence[int], *, every: bool = False) -> Iterator[int]:
    """Yield those of some words that only say when, where or how: what is never done is not then.

    All of such a phrase is among them. With `every` they may be of the subject, too.
    """
    binds = (tables()["limiting"] | tables()["scoping"]) - _STILL
    if every and any(t.lemma_ == "be" and t.head == t for t in sentence.doc):
        return  # a state may hold at one time and not at all
    for top in sentence.doc:
        if top.dep_ not in _NARROWING and top.lower_ not in _STILL:
            continue
        kind = any(c.lower_ in {"a", "an", "any"} for c in top.head.children)
        if top.dep_ in {"amod", "nummod"} and not (every and kind):
            continue  # the first dose is another than the dose
        if top.dep_ == "prep" and top.head.pos_ not in {"VERB", "AUX", "ADJ"}:
            continue
        inside = [t for t in top.subtree if t.i in sentence.of]
        free = binds.isdisjoint(t.lower_ for t in top.subtree)
        if free and all(sentence.of[t.i] in numbers for t in inside):
            yield from (sentence.of[t.i] for t in inside)

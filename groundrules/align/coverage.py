"""Whether every word, sign and figure of a statement and of a source's sentence is accounted for.

The one gate before "supported" by wording alone: what stands in neither text's counterpart, and in
no part that may be dropped, leaves the statement open. In: two sentences; out: what is left over of
either.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from groundrules.align.dropped import binding
from groundrules.align.meanings import Part, related
from groundrules.align.normal_words import (
    Sentence,
    Word,
    aspect,
    head_of,
    heads_of,
    read_words,
    tables,
    tense,
)
from groundrules.align.projection import Relation
from groundrules.claims.english import TITLES
from groundrules.claims.names import lists

_ROLES = {"nsubj": "doer", "dobj": "done", "nsubjpass": "done", "dative": "dative", "attr": "attr"}
_CORE = frozenset({*_ROLES.values(), "than", "as"})
_VOICE = frozenset({"passive"})
_NUMBERS = frozenset({"NN", "NNS"})
_OPEN, _CLOSE = "“", "”"
_PARTS: Mapping[str, Part] = {
    "VERB": "event", "AUX": "event", "ADJ": "property", "ADV": "property",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LeftOver:
    """The words of a statement and of a source's sentence that the other does not account for.

    `adds` are those of the source with all that stands between them.
    """

    statement: tuple[str, ...]
    source: tuple[str, ...]
    adds: str = ""

    def __bool__(self) -> bool:
        """Return whether anything is left over."""
        return bool(self.statement or self.source)


def covers(
    statement: str,
    passages: Sequence[tuple[str, str]],
    names: Mapping[tuple[int, int], Collection[str]],
    *,
    entailed: bool,
) -> bool:
    """Return whether a statement and one sentence of some passages account for each other.

    Each passage is a sentence and the text before it. `names` are what the source calls the things
    in ranges of the statement. Without `entailed` no licence of meaning is given.
    """
    own = _OPEN in statement or '"' in statement
    return any(
        not compare(wording, passage, before, entailed=entailed)
        for wording in wordings(statement, names)
        for passage, before in passages
        if (own or not _is_quoted(passage, before))
        and (entailed or not lacking(wording, passage, forms=True))
    )


def lacking(statement: str, passage: str, *, forms: bool = False) -> int:
    """Return how many words of a statement a sentence does not have: call it before `compare`.

    Figures and modal verbs, which may meet others, do not count where other `forms` are welcome.
    """
    there = {word.key for word in read_words(passage).words}
    own = read_words(statement)
    return sum(
        word.key not in there
        and not (forms and (word.key[0] == "figure" or own.doc[word.at].tag_ == "MD"))
        for word in own.words
    )


def _is_quoted(passage: str, before: str) -> bool:
    """Return whether a sentence stands, or ends, within words that somebody else is quoted with."""
    ahead = before.rpartition("\n")[2]
    for text in (ahead, ahead + passage):
        if text.count(_OPEN) > text.count(_CLOSE) or text.count('"') % 2:
            return True
    return passage.count(_OPEN) != passage.count(_CLOSE)


def bind_alike(statement: str, passages: Sequence[str]) -> bool:
    """Return whether some passage has the words that limit a statement, and all its figures."""
    own, figures = _limits(statement), _figures(statement)
    return any(_limits(one) == own and figures <= _figures(one) for one in passages)


def _figures(text: str) -> set[tuple[object, ...]]:
    return {word.key for word in read_words(text).words if word.key[0] == "figure"}


def _limits(text: str) -> set[str]:
    limits: frozenset[str] = tables()["limiting"]
    return {str(t.lower_) for t in read_words(text).doc} & limits


def wordings(statement: str, names: Mapping[tuple[int, int], Collection[str]]) -> Iterator[str]:
    """Yield a statement in its own words, then with each thing called as the source calls it."""
    yield statement
    for (start, end), others in names.items():
        for other in sorted(others):
            if _may_stand_for(statement[start:end], other):
                yield statement[:start] + other + statement[end:]


def _may_stand_for(name: str, other: str) -> bool:
    """Return whether a name is another's for all that it says: but for "Inc." or an alias."""
    one, two = ({w.strip(".,") for w in said.casefold().split()} for said in (name, other))
    called = [words & TITLES for words in (one, two)]
    if all(called) and called[0] != called[1]:
        return False
    if re.search(r"[+#⁺⁻-](?:\W|$)", f"{name} {other}"):
        return False
    return not one & two or all(w in lists()["suffixes"] or w in {"the", ""} for w in one ^ two)


def compare(statement: str, source: str, before: str = "", *, entailed: bool = False) -> LeftOver:
    """Return what is left over of a statement and of one sentence of a source.

    Where the statement is known to be `entailed` by its propositions, words of one meaning and
    another order of them are licensed too, and a pronoun stands for what is named `before`.
    """
    own = read_words(statement)
    found = [
        _compared(own, read_words(part), there, entailed) for part, there in clauses(source, before)
    ]
    return min(found, key=lambda left: len(left.statement) + len(left.source))


def clauses(source: str, before: str) -> Iterator[tuple[str, str]]:
    """Yield a sentence, then what stands in it between semicolons, each with what is before it."""
    yield source, before
    parts = source.split("; ")
    for n, part in enumerate(parts) if len(parts) > 1 and ":" not in source else ():
        others = " ".join([*parts[:n], *parts[n + 1 :]]).lower().replace(",", " ").split()
        first = (*part.lower().split(), "")[0]
        opened = (
            n > 0
            and parts[0].lower().split()[:1]
            and (parts[0].lower().split()[0] in tables()["placing"] | {"under", "by"})
        )
        if opened:
            continue
        if first not in tables()["limiting"] | {"otherwise"} and not (
            tables()["scoping"].intersection(others)
        ):
            yield part, " ".join([before, *parts[:n]])


def _compared(own: Sentence, there: Sentence, before: str, entailed: bool) -> LeftOver:
    mine = [word.key for word in own.words]
    theirs = [word.key for word in there.words]
    pairs: dict[int, int] = {}
    for block in SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks():
        pairs |= {block.a + i: block.b + i for i in range(block.size)}
    ordered = len(pairs) == len(mine)
    if not ordered:
        _pair_elsewhere(own, there, pairs, entailed)
    left = [n for n in range(len(own.words)) if n not in pairs]
    rest = list(binding(there, set(pairs.values()), entailed))
    if entailed and (left or rest):
        left, rest = _licensed(own, there, left, rest, before)
    wrong = () if own.text == there.text else turned(own, there, pairs, ordered, entailed)
    return LeftOver(
        tuple(own.text[own.words[n].start : own.words[n].end] for n in left) or wrong,
        tuple(there.text[there.words[n].start : there.words[n].end] for n in rest),
        there.text[there.words[rest[0]].start : there.words[rest[-1]].end] if rest else "",
    )


def _licensed(
    own: Sentence, there: Sentence, left: Sequence[int], rest: Sequence[int], before: str
) -> tuple[list[int], list[int]]:
    """Return what is left over but for what a source says by a pronoun, a preposition, a mood."""
    earlier = {w.key for w in read_words(before).words} if before else set()
    links = tables()["linking"]
    root = next((t for t in there.doc if t.head.i == t.i), None)
    told_to = (
        root is not None
        and root.tag_ == "VB"
        and not any(c.dep_ in {"nsubj", "nsubjpass", "aux"} for c in root.children)
    )
    out = []
    for n in left:
        token, key = own.doc[own.words[n].at], own.words[n].key
        if token.dep_ == "prep" and token.lower_ in links:
            continue
        if token.tag_ == "MD" and token.lower_ in {"must", "should"} and told_to:
            continue
        if key in earlier and token.pos_ in {"NOUN", "PROPN", "ADJ"}:
            continue
        out.append(n)
    fragments = _fragments(there, set(rest))
    return out, [n for n in rest if n not in fragments and not _is_silent(there, n)]


def _is_silent(there: Sentence, n: int) -> bool:
    """Return whether a word of a source only points back, links or is a title."""
    token = there.doc[there.words[n].at]
    linking = token.dep_ == "prep" and token.lower_ in tables()["linking"]
    kept = any(c.dep_ == "pobj" for c in token.children)
    if token.tag_ == "MD":
        return bool(token.lower_ == "shall")  # a contract says that who shall pay pays
    pointing = token.tag_ == "PRP$" or (
        token.tag_ == "PRP" and token.dep_ in {"nsubj", "nsubjpass"}
    )
    return pointing or (linking and kept)


def _fragments(there: Sentence, rest: set[int]) -> set[int]:
    """Return the words of what is told without a verb behind a comma or "and", none of it kept."""
    out: set[int] = set()
    run: list[int] = []
    ends = [*there.doc, None]
    for token in ends:
        if token is not None and not (token.text in {",", ";"} or token.lower_ == "and"):
            run.append(token.i)
            continue
        tokens = [there.doc[i] for i in run]
        numbers = {there.of[i] for i in run if i in there.of}
        first = next((t for t in tokens if not t.is_punct), None)
        if (
            numbers and numbers <= rest and first is not None
            and first.pos_ in {"DET", "NOUN", "PROPN", "ADJ"}
            and not any(t.pos_ in {"VERB", "AUX"} for t in tokens)
            and any(t.like_num or t.pos_ == "ADP" for t in tokens[1:])
            and not any(t.lower_ in tables()["limiting"] for t in tokens)
        ):  # fmt: skip
            out |= numbers
        run = []
    return out


def _pair_elsewhere(own: Sentence, there: Sentence, pairs: dict[int, int], entailed: bool) -> None:
    """Pair words that stand in another order, and where licensed words of one meaning."""
    used = set(pairs.values())
    free = [n for n in range(len(there.words)) if n not in used]
    for same in (True, False) if entailed else (True,):
        for n, word in enumerate(own.words):
            if n in pairs:
                continue
            found = next((m for m in free if _meets(own, word, there, there.words[m], same)), None)
            if found is not None:
                pairs[n] = found
                free.remove(found)


def _meets(own: Sentence, one: Word, there: Sentence, other: Word, same: bool) -> bool:
    if one.key == other.key:
        return True
    if "figure" in (one.key[0], other.key[0]):
        if one.key[0] != other.key[0]:
            return False
        head = own.doc[one.at].head
        alone = sum(word.key[0] == "figure" for word in own.words) == 1
        general = any(t.lower_ in tables()["universal"] for t in own.doc)
        return alone and not general and head.lower_ == "in" and _is_vaguer(one.key, other.key)
    mine, theirs = own.doc[one.at], there.doc[other.at]
    if mine.tag_ == theirs.tag_ == "MD":
        forces = {str(one.key[1]), str(other.key[1])}
        both = all(any(c.dep_ == "neg" for c in t.head.children) for t in (mine, theirs))
        done = any(aspect(t.head) & {"perfect"} for t in (mine, theirs))
        return both and not done and forces <= {"may", "must", "shall"}
    if same:
        return False
    part = _PARTS.get(own.doc[one.at].pos_, "thing")
    return related(str(other.key[1]), str(one.key[1]), part) is Relation.SAME


def _is_vaguer(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Return whether a date covers another: what was built in 1886 was built in the 1880s."""
    if one[:2] != ("figure", "DATE") or other[:2] != one[:2]:
        return False
    if one[5] != (1, 31):
        return False  # "late in the 1880s" is not all of them
    (low, high), (least, most) = one[3:5], other[3:5]
    return float(str(low)) <= float(str(least)) and float(str(most)) <= float(str(high))


def turned(
    own: Sentence, there: Sentence, pairs: Mapping[int, int], ordered: bool, entailed: bool
) -> tuple[str, ...]:
    """Return a word whose tense or role differs, or that depends on another word there.

    What is known to be entailed may be built otherwise, but for its names and figures.
    """
    seen = [(n, m) for n, m in sorted(pairs.items()) if own.words[n].key[0] == "figure"]
    exchanged = {n for n, m in seen for k, j in seen if (n < k) != (m < j) and n != k}
    tied = [tuple(heads_of(there, there.doc[there.words[pairs[n]].at])[:1]) for n in exchanged]
    if len(set(tied)) < len(tied):
        return tuple(own.text[own.words[n].start : own.words[n].end] for n in sorted(exchanged))
    for n, m in pairs.items():
        one, other = own.doc[own.words[n].at], there.doc[there.words[m].at]
        verbs = one.pos_ in {"VERB", "AUX"} and other.pos_ in {"VERB", "AUX"}
        times = {tense(one), tense(other)} if verbs else set()
        if len(times - {""}) > 1 and not (entailed and times == {"present", "shall"}):
            return (one.text,)
        if verbs and aspect(one) - _VOICE != aspect(other) - _VOICE:
            return (one.text,)
        if verbs and aspect(one) != aspect(other) and not _has_roles(own, one, pairs):
            return (one.text,)
        if (
            one.tag_ in _NUMBERS
            and other.tag_ in _NUMBERS
            and one.tag_ != other.tag_
            and not entailed
        ):
            return (one.text,)
        if one.dep_ == "neg" and one.head.lemma_ != other.head.lemma_:
            return (one.text,)
        roles = _role(one), _role(other)
        if all(roles) and roles[0] != roles[1] and (not entailed or _CORE.issuperset(roles)):
            return (one.text,)
        if entailed and own.words[n].key[0] != "figure" and one.pos_ != "PROPN":
            continue
        head = head_of(own, one)
        heads = heads_of(there, other)
        if n in exchanged and not (heads and head in pairs):
            return (one.text,)
        if head is None or head not in pairs:
            continue
        if heads and pairs[head] not in (heads if ordered or entailed else heads[:1]):
            return (one.text,)
    return ()


def _has_roles(own: Sentence, verb: Any, pairs: Mapping[int, int]) -> bool:
    """Return whether a verb has somebody of whom it is known that another voice keeps the role."""
    named = (c for c in verb.children if c.dep_ in {"nsubj", "nsubjpass", "dobj", "agent"})
    return any(own.of.get(c.i) in pairs or c.dep_ == "agent" for c in named)


def _role(token: Any) -> str:
    """Return what a noun is to its verb: doer, done, dative, attr, or the preposition before it."""
    while token.dep_ in {"conj", "compound", "appos"} and token.head.i != token.i:
        token = token.head
    if token.pos_ not in {"NOUN", "PROPN", "PRON"}:
        return ""
    if token.dep_ == "pobj":
        head = token.head
        named = {"agent": "doer", "dative": "dative"}.get(head.dep_)
        return named or ("" if head.dep_ == "conj" else str(head.lower_))
    return _ROLES.get(token.dep_, "")

"""Denials and opposites near the wording: stretches of two texts that share what they say.

A stretch is what stands between two marks or joining words. Where two stretches share verb,
subject and object by stem or name and one denies what the other says, no more of the sentences need
agree. `the clerk was not` and `not the clerk` deny what the stretch before them says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

from groundrules.align.denials import bound, predicative, remnants
from groundrules.align.limits import STRETCH, STRETCH_BACK, STRETCH_NAMED
from groundrules.align.wordalign import Text, comparable, lexicon, marks, relation
from groundrules.claims.english import (
    ASKING,
    MODALS,
    NEGATIVE,
    OPENING,
    SAYING,
)
from groundrules.claims.english.fillers import AUXILIARIES, LIGHT_WORDS, OF_STRETCHES
from groundrules.claims.english.signals import (
    DENIED_NEARBY,
    FREEING,
    LIMITS,
    NO_DENIALS_AFTER_NOT,
    SHARES,
    SUPPOSING,
)

_MARKS = frozenset({",", ";", ":", "(", ")", "–", "—", "“", "”", '"', ".", "?", "!", "-", "*", "•"})
_UNTIL = frozenset({"until", "till", "before"})
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A statement beside one passage."""

    number: int
    mine: Text
    theirs: Text


class Candidate(NamedTuple):
    """A possible contrast: its kind, the tokens of both sides and how sure it is, from 0 to 1."""

    kind: str
    mine: tuple[int, ...]
    pair: Pair
    theirs: tuple[int, ...]
    sure: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """Tokens between two marks: those that say something, those that deny, the sentence around."""

    first: int
    last: int
    content: tuple[int, ...]
    denying: tuple[int, ...]
    supposed: bool
    words: frozenset[str]
    sentence: int


@lru_cache(maxsize=4096)
def stretches(text: Text) -> tuple[Stretch, ...]:
    """Return the stretches of a text in order."""
    edges = [0]
    doc = text.doc
    for token in doc:
        low = token.lower_
        inner = token.i > 0 and token.i + 1 < len(doc)
        if token.text in _MARKS and not (inner and token.text == "-" and not token.whitespace_):
            edges += [token.i, token.i + 1]
        elif (
            (low in OPENING and not (token.i and doc[token.i - 1].pos_ == "ADP"))
            or (low == "that" and token.dep_ == "mark")
            or (low in {"and", "or"} and _opens(doc, token.i))
            or token.is_sent_start
        ):
            edges.append(token.i)
        if token.dep_ == "relcl":  # what stands behind it belongs to the clause around
            edges.append(max(one.i for one in token.subtree) + 1)
    edges = sorted({*edges, len(doc)})
    out = []
    for first, last in pairwise(edges):
        tokens = list(doc[first:last])
        if not tokens or (len(tokens) == 1 and tokens[0].text in _MARKS):
            continue
        out.append(_stretch(text, first, last, tokens))
    return tuple(out)


def _opens(doc: Any, index: int) -> bool:
    """Return whether `and` opens a clause: a verb follows before the next mark."""
    for token in doc[index + 1 : index + 6]:
        if token.text in _MARKS:
            return False
        if token.pos_ in {"VERB", "AUX"} and token.tag_ not in {"VBG", "VBN", "VB"}:
            return True
    return False


def _stretch(text: Text, first: int, last: int, tokens: Sequence[Any]) -> Stretch:
    denying = []
    for token in tokens:
        low = token.lower_
        following = text.doc[token.i + 1].lower_ if token.i + 1 < len(text.doc) else ""
        longer = low == "no" and following == "longer"
        if token.text == "No" and following == ".":
            continue  # of a number
        if low in NEGATIVE and (following not in NO_DENIALS_AFTER_NOT or longer):
            denying.append(token.i)
    content = tuple(
        t.i for t in tokens
        if t.pos_ in _CONTENT and text.lemmas[t.i] not in OF_STRETCHES and t.i not in denying
        and t.lower_ not in NEGATIVE and not (t.is_stop and t.pos_ == "ADV")
    )  # fmt: skip
    return Stretch(
        first,
        last,
        content,
        tuple(denying),
        bool({t.lower_ for t in tokens[:2]} & SUPPOSING),
        frozenset(t.lower_ for t in tokens),
        text.sentence[first],
    )


@dataclass(frozen=True, slots=True)
class _Met:
    """Two stretches side by side: how far they share words and whether one turns the other."""

    turned: bool
    score: float
    kind: str
    pair: Pair
    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    stretch: tuple[int, int]


def nearly(pairs: Sequence[Pair]) -> Iterator[Candidate]:
    """Give the stretches that a passage denies or opposes in the same words."""
    if not pairs:
        return
    mine = pairs[0].mine
    for stretch in stretches(mine):
        met: list[_Met] = []
        for pair in pairs:
            listed = stretches(pair.theirs)
            for number, other in enumerate(listed):
                found = _meet(pair, stretch, other)
                if found is not None:
                    met.append(found)
                if number:
                    found = _elliptic(pair, stretch, listed[number - 1], other)
                    if found is not None:
                        met.append(found)
        against = [m for m in met if m.turned]
        if not against:
            continue
        best = max(against, key=lambda m: m.score)
        agree = max(
            (m.score for m in met if not m.turned and m.stretch != best.stretch), default=0.0
        )
        sure = best.score if best.score > agree else 0.0
        yield Candidate(best.kind, best.mine, best.pair, best.theirs, sure)


def _bound_apart(pair: Pair, i: int, j: int, *, denied: bool) -> bool:
    """Return whether one side denies within a bound of time what the other says of another time."""
    mine, theirs = bound(pair.mine, i), bound(pair.theirs, j)
    return mine != theirs and bool(mine if denied else theirs)


@lru_cache(maxsize=64)
def _left_out(pair: Pair) -> frozenset[int]:
    """Return what leaves out of a passage that of which the statement speaks, if anything does."""
    mine, theirs = pair.mine, pair.theirs
    apart = remnants(theirs)
    if not apart or remnants(mine):
        return frozenset()
    out = set[int]()
    for i in mine.content:
        if mine.lemmas[i] in LIGHT_WORDS and mine.doc[i].pos_ not in {"NOUN", "PROPN", "NUM"}:
            continue
        there = [
            j
            for j in theirs.content
            if mine.doc[i].lower_ == theirs.doc[j].lower_
            or relation(mine.lemmas[i], theirs.lemmas[j]) == 1
        ]
        if there and all(j in apart for j in there):
            out |= {apart[j] for j in there}
    return frozenset(out)


def same(pair: Pair, i: int, j: int) -> int:
    """Return 1 where two words are the same by stem or form, -1 where they are opposed."""
    one, other = pair.mine.doc[i], pair.theirs.doc[j]
    if one.lower_ == other.lower_:
        return 1
    first, second = pair.mine.lemmas[i], pair.theirs.lemmas[j]
    if first == second or pair.mine.stems[i] == pair.theirs.stems[j]:
        return 1
    link = relation(first, second)
    if link == -1:
        return -1 if _opposable(pair, i, j) else 0
    return link


def _opposable(pair: Pair, i: int, j: int) -> bool:
    one, other = pair.mine.doc[i], pair.theirs.doc[j]
    if {one.pos_, other.pos_} & {"PROPN", "NUM"}:
        return False
    if {one.tag_, other.tag_} & {"JJR", "RBR", "JJS", "RBS"}:
        return False  # what is compared is read elsewhere
    if pair.theirs.lemmas[j] in lexicon().converse.get(pair.mine.lemmas[i], ()):
        return False
    placed = {"ADV", "NOUN", "ADJ"}
    return comparable(one, other) or {one.pos_, other.pos_} <= placed


def _meet(pair: Pair, here: Stretch, there: Stretch) -> _Met | None:
    """Return how two stretches meet, None where they share too little or may both be right."""
    if not here.content or not there.content or here.supposed != there.supposed:
        return None
    if bool(here.denying) != bool(there.denying):
        ends = here.content[-1], there.content[-1]
        if _bound_apart(pair, *ends, denied=bool(here.denying)):
            return None
    doc, at = pair.mine.doc, (pair.number, there.first)
    rows = _links(pair)
    links = {i: _best_link(rows[i].get, there.content) for i in here.content}
    opposed = [(i, j) for i, (link, j) in links.items() if link == -1]
    if len(opposed) > 1 or _loose(pair, here, there, bool(opposed)):
        return None
    weights = {i: 1.5 if doc[i].pos_ in {"PROPN", "NUM"} else 1.0 for i in here.content}
    whole = sum(weights.values())
    held = sum(weights[i] for i, (link, _) in links.items() if link)
    around = [j for j in range(len(pair.theirs.doc)) if pair.theirs.sentence[j] == there.sentence]
    for i, (link, _) in links.items():
        if not link and doc[i].pos_ in {"PROPN", "NUM"} and linked(pair, i, around)[0] != 1:
            return None  # a name or number that the passage's sentence has not
    back = [j for j in there.content if any(j in rows[i] for i in here.content)]
    if any(doc[i].pos_ == "NUM" and not link for i, (link, _) in links.items()) and any(
        pair.theirs.doc[j].pos_ == "NUM" and j not in back for j in there.content
    ):
        return None  # told of another time, or of another number
    score = held / whole
    behind = len(back) / len(there.content)
    exact = [i for i, (link, _) in links.items() if link == 1]
    named = {doc[i].pos_ for i in exact} & {"PROPN", "NUM"}
    enough = STRETCH_NAMED if opposed and named and len(exact) > 3 else STRETCH
    if score < enough or behind < STRETCH_BACK:
        return None
    verbs = [i for i in exact if _deed(pair, i, links[i][1], here, there)]
    denying = len(here.denying) + len(there.denying) + len(_left_out(pair))
    turns = (denying + len(opposed)) % 2 == 1
    known = acquainted(pair, here, there)
    if len(exact) < 2 and not (verbs and known and score == behind == 1.0):
        return None
    if not opposed and not verbs:
        return None
    if _has_verb(pair.mine, here, ASKING) != _has_verb(pair.theirs, there, ASKING):
        return None
    if not known and not _parties(pair, here, there):
        return None
    if opposed:
        i, j = opposed[0]
        if len(exact) < 3 or _has_both(pair, i, j):
            return None
        value = score * (0.7 + 0.3 * behind) * (1.0 if len(named) == 2 else 0.9)
        value = min(1.0, 1.05 * value) * _limit(pair, here, there)
        return _Met(turns, value, "opposite", pair, (i,), (j,), at)
    value = score * (0.75 + 0.25 * behind) * _limit(pair, here, there)
    places = (
        tuple(sorted({*verbs[:1], *here.denying})),
        tuple(sorted({links[verbs[0]][1], *there.denying})),
    )
    return _Met(turns, value, "negation", pair, *places, at)


def _has_both(pair: Pair, i: int, j: int) -> bool:
    """Return whether a sentence has both of two opposed words, so that each has its own place."""
    return any(same(pair, i, t.i) == 1 for t in pair.theirs.doc[j].sent) or any(
        same(pair, t.i, j) == 1 for t in pair.mine.doc[i].sent
    )


def _limit(pair: Pair, here: Stretch, there: Stretch) -> float:
    """Return what is left where one side limits, supposes or only reports what it says."""
    left = 0.7 if (here.words ^ there.words) & LIMITS - {"yet", "still"} else 1.0
    if _has_verb(pair.theirs, there, SAYING) and not _has_verb(pair.mine, here, SAYING):
        left *= 0.55
    for text, stretch in ((pair.mine, here), (pair.theirs, there)):
        if any(t.lower_ == "unless" for t in text.doc[stretch.first].sent):
            left *= 0.5
        if any(s.supposed and s.sentence == stretch.sentence for s in stretches(text)):
            left *= 0.6
            break
    return left


def _has_verb(text: Text, stretch: Stretch, verbs: frozenset[str]) -> bool:
    """Return whether the sentence of a stretch has one of some verbs."""
    return any(text.lemmas[t.i] in verbs and t.pos_ == "VERB" for t in text.doc[stretch.first].sent)


def _deed(pair: Pair, i: int, j: int, here: Stretch, there: Stretch) -> bool:
    """Return whether two words say something of a subject that a denial beside them turns."""
    for text, index, stretch in ((pair.mine, i, here), (pair.theirs, j, there)):
        if text.doc[index].pos_ not in {"VERB", "ADJ"} or not predicative(text, index):
            return False
        for denial in stretch.denying:
            token = text.doc[denial]
            if token.lower_ != "no" and token.dep_ != "det":
                continue
            if token.head.i == index or not stretch.first <= token.head.head.i < stretch.last:
                return False
    alike = pair.mine.doc[i].pos_ == pair.theirs.doc[j].pos_
    return alike or pair.mine.lemmas[i] == pair.theirs.lemmas[j]


def _loose(pair: Pair, here: Stretch, there: Stretch, opposed: bool) -> bool:
    """Return whether both may be right: of a part, a lifted duty, of what is disputed."""
    words = here.words | there.words
    if words & FREEING or ("than" in words and not opposed):
        return True
    if (here.words & SHARES) or (there.words & SHARES):
        return True
    if there.denying and "one" in there.words:
        return True
    forces = here.words & MODALS, there.words & MODALS
    if forces[0] != forces[1]:
        return True
    for text, stretch in ((pair.mine, here), (pair.theirs, there)):
        if any(text.lemmas[i] in DENIED_NEARBY for i in range(stretch.first, stretch.last)):
            return True
    return False


@lru_cache(maxsize=64)
def _links(pair: Pair) -> dict[int, dict[int, int]]:
    """Return how the words of the stretches of a statement are linked to those of a passage."""
    mine, theirs = ({i for s in stretches(t) for i in s.content} for t in (pair.mine, pair.theirs))
    return {
        i: {j: link for j in _near(pair, i) & theirs if (link := same(pair, i, j))} for i in mine
    }


@lru_cache(maxsize=256)
def _places(text: Text) -> dict[str, list[int]]:
    """Return where the words of a text stand, by their forms and marks."""
    found: dict[str, list[int]] = defaultdict(list)
    for i, lemma in enumerate(text.lemmas):
        for mark in {text.doc[i].lower_, *marks(lemma)}:
            found[mark].append(i)
    return found


def _near(pair: Pair, i: int) -> set[int]:
    """Return the words of a passage, among others, that `same` links to one of a statement."""
    own, there = {pair.mine.doc[i].lower_, *marks(pair.mine.lemmas[i])}, _places(pair.theirs)
    return {j for mark in own for j in there.get(mark, ())}


def linked(pair: Pair, i: int, places: Sequence[int]) -> tuple[int, int]:
    """Return how a word is linked to the best of some words of the passage, and to which."""
    near = _near(pair, i)
    return _best_link(partial(same, pair, i), [j for j in places if j in near])


def _best_link(link_to: Callable[[int], int | None], places: Sequence[int]) -> tuple[int, int]:
    opposed = -1
    for j in places:
        link = link_to(j)
        if link == 1:
            return 1, j
        if link == -1:
            opposed = j
    return (-1, opposed) if opposed >= 0 else (0, -1)


def acquainted(pair: Pair, here: Stretch, there: Stretch) -> bool:
    """Return whether the sentences around share a name, or a noun that is the subject of both."""
    mine, theirs = pair.mine, pair.theirs
    one, other = (
        {
            t.lower_ for t in text.doc[stretch.first].sent
            if t.pos_ == "PROPN" or (t.text[:1].isupper() and not t.is_sent_start)
        }
        for text, stretch in ((mine, here), (theirs, there))
    )  # fmt: skip
    return bool(one & other)


def _parties(pair: Pair, here: Stretch, there: Stretch) -> bool:
    """Return whether the nouns before the verb are shared, and none of both sides differs."""
    first = _subjects(pair.mine, here)
    second = _subjects(pair.theirs, there)
    if not first or not second:
        return len(here.content) >= 3
    return any(same(pair, i, j) == 1 for i in first for j in second)


def _subjects(text: Text, stretch: Stretch) -> list[int]:
    """Return the nouns of a stretch before its first verb."""
    out: list[int] = []
    for i in range(stretch.first, stretch.last):
        if text.doc[i].pos_ in {"VERB", "AUX"} and out:
            break
        if text.doc[i].pos_ in {"NOUN", "PROPN"}:
            out.append(i)
    return out


def _elliptic(pair: Pair, here: Stretch, before: Stretch, there: Stretch) -> _Met | None:
    """Return what is denied in brief: `the clerk was not`, `not the clerk`, after what is said."""
    if not there.denying or before.denying or before.sentence != there.sentence:
        return None
    theirs = pair.theirs
    first, last = there.first, there.last
    denial = there.denying[0]
    brief = denial == first or all(
        theirs.lemmas[j] in AUXILIARIES or theirs.doc[j].is_punct for j in range(denial - 1, denial)
    )
    ends = (
        denial == last - 1 and theirs.lemmas[denial - 1] in AUXILIARIES if denial > first else False
    )
    leads = denial == first and theirs.doc[denial].lower_ == "not"
    if not brief or not (ends or leads):
        return None
    names = [
        j for j in range(first, last)
        if theirs.doc[j].pos_ in {"NOUN", "PROPN", "NUM", "X"} or theirs.doc[j].lower_[:1].isdigit()
    ]  # fmt: skip
    verbal = any(theirs.doc[j].pos_ == "VERB" for j in there.content if j not in names)
    if not names or len(names) > 5 or verbal:
        return None
    mine = pair.mine
    if here.denying or here.supposed or here.words & SHARES:
        return None
    inside = range(here.first, here.last)
    said = [next((i for i in inside if same(pair, i, j) == 1), None) for j in names]
    deeds = [
        (i, j) for j in before.content for i in inside
        if same(pair, i, j) == 1 and mine.lemmas[i] not in OF_STRETCHES
        and {mine.doc[i].pos_, theirs.doc[j].pos_} & {"VERB", "ADJ"}
    ]  # fmt: skip
    if None in said or not deeds:
        return None
    i, j = deeds[0]
    places = (i, *(s for s in said if s is not None))
    return _Met(
        True, 0.85, "negation", pair, tuple(sorted(places)), tuple(sorted((j, *names, denial))),
        (pair.number, before.first),
    )  # fmt: skip

"""Whether the words of a statement hang together in one sentence of its sources.

"Take two tablets each morning" has every word of "Take one tablet each morning. Do not take two
tablets on the same day", and neither sentence says it. A statement is carried where a sentence has
all the words of a clause of it, each tied to the others by its grammar, with the same denials and
the same subject and object.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

from groundrules.align.denials import EXCEPTIONS, denials, predicative, quantity, remnants
from groundrules.align.places import stem
from groundrules.align.wordalign import LIGHT, Text, read, relation

#: Longest sentence that is looked at, in tokens.
LONGEST = 120
_ONE = frozenset("it he she him her its his this".split())
_SEVERAL = frozenset("they them their these those both".split())
#: Small words that are no content and yet decide what is said.
_TELLING = frozenset(
    "if unless only except save without because before after while than over under above below "
    "up down most least more less between during within".split()
)
_ENDS = dict.fromkeys(("to", "until", "till"), "to") | dict.fromkeys(("from", "since"), "from")
_RELATIVES = frozenset({"which", "who", "that", "whom"})
_PERSONS = frozenset({"he", "she", "it", "they"})
_SPEAKERS = frozenset({"i", "we", "you"})
#: "The State of Oregon" is Oregon.
_NAMED_SO = frozenset("state city town village county province republic kingdom year month".split())
#: Verbs that tell nothing by themselves.
_IDLE = frozenset({"be", "have", "do"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_PLURALS = frozenset({"NNS", "NNPS"})
_VERBAL = frozenset({"VERB", "AUX"})
#: What may tell something of the noun before it, and how a noun is tagged then.
_TELLS = frozenset({"VERB", "AUX", "NOUN"})
_NAMING = _NOUNS | {"PRON"}
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
#: Clauses that may be said elsewhere than the clause they stand in.
_APART = frozenset({"relcl", "conj", "parataxis"})
_ACTIVE, _PASSIVE = frozenset({"nsubj", "csubj", "agent"}), frozenset({"dobj", "nsubjpass"})


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a source, what stands before it, and where it has names and figures of another.

    `same` has by place in the statement the places in `text` that stand for the same, whatever
    their words; a figure that follows from others has None and needs no place. All of a `row` of a
    table is said of one thing, and `before` is what stands over it.
    """

    text: str
    before: str
    same: Mapping[tuple[int, int], tuple[tuple[int, int], ...] | None]
    row: bool = False


def apart(statement: str, passages: Sequence[Passage]) -> tuple[str, ...] | None:
    """Return the words of a statement that no passage ties to its others, None if all are tied.

    Of the passages, that which ties most of the words together is meant; no words where none ties
    any two.
    """
    mine = read(statement)
    if len(mine.doc) > LONGEST:
        return ()
    spans = sorted({span for one in passages for span in one.same})
    found: list[str] = []
    for clause in _clauses(mine):
        needed = _needed(mine, clause, spans)
        best: set[int] = set()
        for passage in passages:
            tied = _tied(mine, needed, passage)
            if tied == needed:
                break
            best = max(best, tied, key=len)
        else:
            found += [mine.doc[i].text for i in sorted(needed - best)]
    return tuple(found) if found else None


def _clauses(text: Text) -> list[frozenset[int]]:
    """Return the content words of each clause that can be said for itself, with its subject."""
    heads: dict[int, set[int]] = defaultdict(set)
    for i in text.content:
        heads[_head(text.doc[i])].add(i)
    out = list[frozenset[int]]()
    for head, inside in sorted(heads.items()):
        token = text.doc[head]
        own = {i for i in inside if text.lemmas[i] not in _IDLE or text.doc[i].pos_ not in _VERBAL}
        if own and token.dep_ in _APART:
            shared = _shared_subject(token)
            own |= {i for i in shared if i in text.content}
        if len(own) > 1 or not out:
            out.append(frozenset(own))
    return out


def _head(token: Any) -> int:
    """Return the verb of the clause a word stands in that can be said for itself."""
    while token.head.i != token.i:
        if token.dep_ in _APART and token.pos_ in _VERBAL and token.head.pos_ != "ADP":
            break
        token = token.head
    return int(token.i)


def _shared_subject(verb: Any) -> Iterator[int]:
    """Yield the word that a clause has for a subject from the one it stands in."""
    if verb.dep_ == "relcl":
        yield verb.head.i
    elif verb.dep_ == "conj" and not any(c.dep_ in _SUBJECTS for c in verb.children):
        yield from (c.i for c in verb.head.children if c.dep_ in _SUBJECTS)


def _needed(text: Text, clause: Iterable[int], spans: Sequence[tuple[int, int]]) -> set[int]:
    """Return the words of a clause, one for each of its names and figures."""
    out: dict[object, int] = {}
    for i in sorted(clause):
        token = text.doc[i]
        inside = next((s for s in spans if s[0] < token.idx + len(token) and token.idx < s[1]), i)
        out.setdefault(inside, i)
    return set(out.values())


def _tied(mine: Text, needed: set[int], passage: Passage) -> set[int]:
    """Return the most words of a clause that hang together in a passage."""
    theirs = read(passage.text)
    if len(theirs.doc) > LONGEST:
        return set()
    free, matches = set[int](), dict[int, set[int]]()
    for i in needed:
        found = _matches(mine, i, theirs, passage)
        if found is None:
            free.add(i)
        else:
            matches[i] = found
    if passage.row:
        over = {_stem(word) for word in passage.before.casefold().split()}
        there = {i for i in matches if matches[i] or _stem(mine.doc[i].lower_) in over}
        return there | free if any(matches.values()) else set()
    held: dict[int, set[int]] = defaultdict(set)
    for i, places in matches.items():
        for j in places:
            held[j].add(i)
    left = _left_out(mine, theirs, matches)
    if left is None or not _same_limits(mine, theirs, held):
        return set()
    said = {t.lower_ for i in needed for t in _small(mine, i)}
    best = set[int]()
    for part in _parts(theirs, frozenset(held)):
        tied = {
            i
            for j in part
            for i in held.get(j, ())
            if _agree(mine, i, theirs, j, matches, part, left)
        }
        if {t.lower_ for j in part if j in held for t in _small(theirs, j)} == said:
            best = max(best, tied, key=len)
    return best | free if len(best) > 1 or len(matches) < 2 else set()


def _small(text: Text, i: int) -> Iterator[Any]:
    """Yield the small words that decide how a word is said: "before June", "only if it rains"."""
    token = text.doc[i]
    yield from (c for c in token.children if c.dep_ in {"mark", "advmod"} and c.lower_ in _TELLING)
    while token.dep_ in {"nummod", "quantmod", "compound", "amod"}:
        token = token.head
    if token.head.lower_ in _TELLING and token.dep_ in {"pobj", "pcomp"}:
        yield token.head


def _matches(mine: Text, i: int, theirs: Text, passage: Passage) -> set[int] | None:
    """Return the words of a passage that say what a word says, None if it needs none."""
    token = mine.doc[i]
    for (start, end), places in passage.same.items():
        if start < token.idx + len(token) and token.idx < end:
            if places is None:
                return None
            return {t.i for t in theirs.doc for a, b in places if a < t.idx + len(t) and t.idx < b}
    found = {t.i for t in theirs.doc if _same(mine, i, theirs, t.i)}
    if token.pos_ in _NOUNS:  # who or what was named before
        last = max((theirs.sentence[j] for j in found), default=len(theirs.doc))
        known = any(
            _stem(word) == _stem(token.lower_) for word in passage.before.casefold().split()
        )
        meant = _SEVERAL if token.tag_ in _PLURALS else _ONE
        found |= {
            t.i
            for t in theirs.doc
            if t.lower_ in meant and (theirs.sentence[t.i] > last or (known and not found))
        }
    return found


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    return stem(word.removesuffix("s") if len(word) > 3 else word)


def _same(mine: Text, i: int, theirs: Text, j: int) -> bool:
    one, other = mine.doc[i], theirs.doc[j]
    if one.lower_ == other.lower_ or mine.lemmas[i] == theirs.lemmas[j]:
        return True
    if other.i not in theirs.content:
        return False
    return (
        _stem(one.lower_) == _stem(other.lower_) or relation(mine.lemmas[i], theirs.lemmas[j]) != 0
    )


def _parts(text: Text, held: frozenset[int]) -> list[set[int]]:
    """Return the words of a passage that hang together by words that are held, or by small ones."""
    content = {i for i in text.content if not (text.lemmas[i] in LIGHT and _is_verb(text, i))}
    silent = _ONE | _SEVERAL  # what stands for a thing is no small word
    passing = {
        t.i
        for t in text.doc
        if t.i in held
        or (t.i not in content and t.pos_ != "PUNCT" and t.lower_ not in silent)
        or _renames(t)
    }
    tied: dict[int, set[int]] = {i: set() for i in passing}
    for one, other in _ties(text):
        if one in passing and other in passing:
            tied[one].add(other)
            tied[other].add(one)
    out, seen = [], set[int]()
    for i in sorted(passing):
        if i in seen:
            continue
        group, left = set[int](), [i]
        while left:
            at = left.pop()
            if at not in group:
                group.add(at)
                left += tied[at] - group
        seen |= group
        out.append(group)
    return out


def _renames(token: Any) -> bool:
    """Return whether a noun only says again what another stands for: "Ada Holm, a painter"."""
    if token.dep_ == "appos":
        return bool(token.text.islower() and token.head.text[:1].isupper())
    return bool(token.dep_ == "attr" and token.pos_ == "NOUN")


def _ties(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the pairs of words of which one depends on the other in one sentence of several."""
    begins = _begins(text)
    parts = list(accumulate(token.text == ";" or token.i in begins for token in text.doc))
    yield from (pair for pair in _dependent(text) if parts[pair[0]] == parts[pair[1]])


def _begins(text: Text) -> set[int]:
    """Return where a second sentence begins, as far as words tell it that a parser may misread.

    "Ann painted the door and Bob painted the roof", where Bob is taken for an object: behind the
    last of several objects stands a verb, or behind a noun a word that stood behind one before.
    """
    out = set[int]()
    told = set[str]()
    joint = 0
    for token in text.doc:
        if token.is_sent_start:
            told, joint = set(), 0
        elif token.dep_ == "cc" or token.text in ",;":
            joint = token.i
        if not token.i or token.pos_ not in _TELLS or token.nbor(-1).pos_ not in _NAMING:
            continue
        before = token.nbor(-1)
        object_ = before.dep_ == "conj" and _chained(before).dep_ in {"dobj", "pobj", "attr"}
        if joint and (token.lower_ in told or (object_ and token.tag_ in _FINITE)):
            out.add(joint)
        told.add(token.lower_)
    return out


def _dependent(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the pairs of words of which one depends on the other.

    Where a list begins and what it hangs on a parser tells badly: each of several things is tied to
    all that the first of them depends on, up to the verb.
    """
    for token in text.doc:
        head = token.head
        if head.i == token.i or token.pos_ == "PUNCT":
            continue
        first = _chained(token)
        if token.dep_ == "conj" and token.pos_ in _VERBAL and first.pos_ in _VERBAL:
            yield from ((token.i, i) for i in _shared_subject(token))
            continue
        yield token.i, head.i
        if token.dep_ == "conj":
            while first.pos_ not in _VERBAL and first.head.i != first.i:
                first = first.head
                yield token.i, first.i
            yield token.i, first.i
        if token.dep_ == "compound":  # "capital city"
            yield token.i, head.head.i
        if token.dep_ == "pobj" and text.lemmas[head.head.i] in _NAMED_SO and head.lower_ == "of":
            yield token.i, head.head.head.i


def _chained(token: Any) -> Any:
    """Return the first of several things that are joined."""
    while token.dep_ == "conj":
        token = token.head
    return token


def _is_verb(text: Text, i: int) -> bool:
    return text.doc[i].pos_ in _VERBAL


def _left_out(mine: Text, theirs: Text, matches: Mapping[int, set[int]]) -> bool | None:
    """Return whether one sentence says of a thing what the other leaves it out of.

    None where a passage has an exception of which the statement does not tell.
    """
    own, apart = remnants(mine), remnants(theirs)
    left = any(
        places and (i in own) != all(j in apart for j in places) for i, places in matches.items()
    )
    untold = any(theirs.doc[n].lower_ in EXCEPTIONS for n in apart.values())
    return left if own or left or not untold else None


def _same_limits(mine: Text, theirs: Text, held: Iterable[int]) -> bool:
    """Say whether "only" stands in both sentences, or limits what the statement speaks of."""
    limits = [t for t in theirs.doc if t.lower_ == "only"]
    if any(t.lower_ == "only" for t in mine.doc):
        return bool(limits)
    limited = {t.head.i for t in limits} | {c.i for t in limits for c in t.head.children}
    return not limits or not limited.isdisjoint(held)


def _agree(
    mine: Text, i: int, theirs: Text, j: int, matches: Mapping[int, set[int]], part: set[int],
    left: bool,
) -> bool:  # fmt: skip
    """Say whether two words are denied alike, count as many, and do or suffer the same."""
    one, other = mine.doc[i], theirs.doc[j]
    told = {n for places in matches.values() for n in places}
    if predicative(mine, i) and (other.pos_ in _VERBAL or predicative(theirs, j)):
        opposed = relation(mine.lemmas[i], theirs.lemmas[j]) < 0
        if (len(denials(mine, i)) + len(denials(theirs, j)) + opposed + left) % 2:
            return False
    elif relation(mine.lemmas[i], theirs.lemmas[j]) < 0:
        return False
    if one.pos_ in _VERBAL and other.pos_ in _VERBAL and not _same_parties(one, other, matches):
        return False
    if one.pos_ in _NOUNS and other.pos_ in _NOUNS:
        if _counted(mine, i) != _counted(theirs, j):
            return False
        if _is_any(one, other) and any(c.i not in told for c in _kinds(other)):
            return False  # what may be said of assistance dogs is not said of dogs
        roles = _role(one), _role(other)
        if None not in roles and roles[0] != roles[1]:
            verbs = matches.get(one.head.i, set())
            return not (verbs & part and other.head.i in verbs)
    where = _preposition(one), _preposition(other)
    return None in where or where[0] == where[1]


def _same_parties(one: Any, other: Any, matches: Mapping[int, set[int]]) -> bool:
    """Say whether who does and who suffers what two verbs tell are the same, where both tell."""
    for acting in (True, False):
        mine, theirs = _parties(one, acting), _parties(other, acting)
        if not mine or not theirs:
            continue
        if _other_person(mine, theirs):
            return False
        said = {t.lower_ for t in theirs}
        if {t.lower_ for t in mine} & _SPEAKERS or said & _SPEAKERS:
            if not said & {t.lower_ for t in mine}:
                return False
        elif all(t.i in matches for t in mine):
            found = {j for t in mine for j in matches[t.i]}
            if found and found.isdisjoint(t.i for t in theirs):
                return False
    return True


def _other_person(mine: Iterable[Any], theirs: Iterable[Any]) -> bool:
    """Say whether two sentences have other pronouns for whom they tell of: "he", "she"."""
    one, other = ({t.lower_ for t in found} & _PERSONS for found in (mine, theirs))
    return bool(one and other and one != other)


def _parties(verb: Any, acting: bool) -> list[Any]:
    """Return who does what a verb tells, or to whom it is done, each of several."""
    kinds = _ACTIVE if acting else _PASSIVE
    found = [c for c in verb.children if c.dep_ in kinds and c.dep_ != "agent"]
    if acting:
        found += [g for c in verb.children if c.dep_ == "agent" for g in c.children]
    else:  # "include the room and four spaces", hung on the verb
        found += [c for c in verb.children if found and c.dep_ == "conj" and c.pos_ in _NOUNS]
    if not found and acting and verb.dep_ == "conj" and verb.head.pos_ in _VERBAL:
        return _parties(verb.head, acting)
    if verb.dep_ == "relcl":  # "juice, which raises the level"
        found = [verb.head if token.lower_ in _RELATIVES else token for token in found]
    out: dict[int, Any] = {}
    while found:
        token = found.pop()
        if token.i not in out:
            out[token.i] = token
            # which noun a list goes on from, a parser tells badly
            found += [c for c in token.subtree if c.dep_ == "conj" and c.pos_ in _NOUNS]
            found += [c for c in token.children if c.dep_ == "appos"]
            found += [token.head] if token.dep_ == "appos" and _renames(token) else []
    return list(out.values())


def _preposition(token: Any) -> str | None:
    """Return "from" or "to" where a word stands behind it or one that says the same."""
    while token.dep_ in {"nummod", "compound", "quantmod"}:
        token = token.head
    return _ENDS.get(token.head.lower_) if token.dep_ == "pobj" else None


def _is_any(noun: Any, same: Any) -> bool:
    """Return whether a noun, which a passage has as `same`, tells of all of a kind.

    A plural without article or number that a verb is said of; at the beginning of a sentence the
    tagger may take it for a name.
    """
    bare = not any(c.dep_ in {"det", "poss", "nummod"} for c in noun.children)
    return bare and same.tag_ == "NNS" and noun.dep_ in {"nsubj", "nsubjpass"}


def _kinds(noun: Any) -> list[Any]:
    """Return the words that make a noun one of a kind: "small", "assistance"."""
    if noun.dep_ == "compound":  # "dog owners" are no dogs
        return [noun.head]
    return [c for c in noun.children if c.dep_ in {"amod", "compound"}]


def _counted(text: Text, i: int) -> str | None:
    found = (quantity(text, child.i) for child in text.doc[i].children)
    return next((one for one in found if one is not None), None)


def _role(token: Any) -> bool | None:
    """Return whether a noun does something or suffers it, None where it is neither."""
    if token.dep_ == "pobj" and token.head.dep_ == "agent":
        return True
    return True if token.dep_ in _ACTIVE else False if token.dep_ in _PASSIVE else None

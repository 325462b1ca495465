"""Whether the words of a statement hang together in one sentence of its sources.

"Take two tablets each morning" has every word of "Take one tablet each morning. Do not take two
tablets on the same day", and neither sentence says it. A statement is carried where a sentence has
all the words of a clause of it, each tied to the others by its grammar, with the same denials and
the same subject and object.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from groundrules.align.agreement import agree, are_crossed, leaves_out, same_limits
from groundrules.align.denials import predicative
from groundrules.align.places import sense
from groundrules.align.ties import ONE, SEVERAL, hanging_together, shared_subject
from groundrules.align.wordalign import Text, read, relation
from groundrules.claims.english.signals import DECIDING

#: Longest sentence that is looked at, in tokens.
LONGEST = 120
#: How many ways to take the words that a sentence has more than once are tried.
_CHOICES = 24
#: Verbs that tell nothing by themselves.
_IDLE = frozenset({"be", "have", "do"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_PLURALS = frozenset({"NNS", "NNPS"})
_VERBAL = frozenset({"VERB", "AUX"})
#: Clauses that may be said elsewhere than the clause they stand in.
_APART = frozenset({"relcl", "conj", "parataxis"})


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


def unconnected_words(statement: str, passages: Sequence[Passage]) -> tuple[str, ...] | None:
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
            connected = _connected(mine, needed, passage)
            if connected == needed:
                break
            best = max(best, connected, key=len)
        else:
            found += [_whole(mine, i, spans) for i in sorted(needed - best)]
    return tuple(found) if found else None


def _whole(text: Text, i: int, spans: Iterable[tuple[int, int]]) -> str:
    """Return a word, or all words of the name or figure that it is part of."""
    token = text.doc[i]
    inside = (span for span in spans if _inside(token, [span]))
    start, end = next(inside, (token.idx, token.idx + len(token)))
    return " ".join(text.text[start:end].split())


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
            shared = shared_subject(token)
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


def _needed(text: Text, clause: Iterable[int], spans: Sequence[tuple[int, int]]) -> set[int]:
    """Return the words of a clause, one for each of its figures and names: that a name hangs by."""
    out: dict[object, int] = {}
    for i in sorted(clause):
        token = text.doc[i]
        inside = next((s for s in spans if s[0] < token.idx + len(token) and token.idx < s[1]), i)
        kept = out.setdefault(inside, i)
        if text.doc[kept].head.i == i and text.doc[kept].pos_ == "PROPN":
            out[inside] = i
    return set(out.values())


def _connected(mine: Text, needed: set[int], passage: Passage) -> set[int]:
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
        over = {sense(word) for word in passage.before.casefold().split()}
        there = {i for i in matches if matches[i] or sense(mine.doc[i].lower_) in over}
        return there | free if any(matches.values()) else set()
    best = set[int]()
    found = {j for places in matches.values() for j in places}
    often = Counter(mine.lemmas)
    plain = [
        i for i in matches if often[mine.lemmas[i]] > 1 or not _inside(mine.doc[i], passage.same)
    ]
    rest = [t for t in mine.doc if t.i not in matches and often[mine.lemmas[t.i]] > 1]
    for chosen in _choices(matches, plain, theirs):
        barred = frozenset(found.difference(*chosen.values()))
        for i in matches:  # a word of its name that stands elsewhere too stands here where it does
            spans = [span for span in passage.same if _inside(mine.doc[i], [span])]
            chosen |= {t.i: chosen[i] for t in rest if _inside(t, spans)}
        if not are_crossed(mine, theirs, chosen):
            best = max(best, _connected_at(mine, needed, theirs, chosen, barred), key=len)
    return best | free if len(best) > 1 or len(matches) < 2 else set()


def _inside(token: Any, spans: Iterable[tuple[int, int]]) -> bool:
    """Say whether a word is part of a name or figure."""
    return any(start < token.idx + len(token) and token.idx < end for start, end in spans)


def _choices(
    matches: Mapping[int, set[int]], plain: Iterable[int], theirs: Text
) -> Iterator[dict[int, set[int]]]:
    """Yield the words that are meant where a sentence of a passage has a plain one more than once.

    Of "Ann pays the rent and Bob pays the fee" one "pays" is meant, not both.
    """
    several = dict[int, list[set[int]]]()
    for i in plain:
        places = matches[i]
        counts = Counter(theirs.sentence[j] for j in places)
        if any(count > 1 for count in counts.values()):
            nth = max(counts.values())
            found = defaultdict[int, list[int]](list)
            for j in sorted(places):
                found[theirs.sentence[j]].append(j)
            several[i] = [{js[min(n, len(js) - 1)] for js in found.values()} for n in range(nth)]
    for one in islice(product(*several.values()), _CHOICES):
        yield {**matches, **dict(zip(several, one, strict=True))}


def _connected_at(
    mine: Text, needed: set[int], theirs: Text, matches: Mapping[int, set[int]],
    barred: frozenset[int],
) -> set[int]:  # fmt: skip
    """Return the words of a clause that hang together where each stands for those it matches.

    They do not hang together by words that are `barred`.
    """
    held: dict[int, set[int]] = defaultdict(set)
    for i, places in matches.items():
        for j in places:
            held[j].add(i)
    left = leaves_out(mine, theirs, matches)
    if left is None or not same_limits(mine, theirs, held):
        return set()
    if left and not any(predicative(mine, i) for i in needed):
        return set()  # no verb to deny
    said = {t.lower_ for i in needed for t in _small(mine, i)}
    best = set[int]()
    for part in hanging_together(theirs, frozenset(held), barred):
        connected = {
            i
            for j in part
            for i in held.get(j, ())
            if i in needed and agree(mine, i, theirs, j, matches, part, left)
        }
        if {t.lower_ for j in part if j in held for t in _small(theirs, j)} == said:
            best = max(best, connected, key=len)
    return best


def _small(text: Text, i: int) -> Iterator[Any]:
    """Yield the small words that decide how a word is said: "before June", "only if it rains"."""
    token = text.doc[i]
    yield from (c for c in token.children if c.dep_ in {"mark", "advmod"} and c.lower_ in DECIDING)
    while token.dep_ in {"nummod", "quantmod", "compound", "amod"}:
        token = token.head
    if token.head.lower_ in DECIDING and token.dep_ in {"pobj", "pcomp"}:
        yield token.head


def _matches(mine: Text, i: int, theirs: Text, passage: Passage) -> set[int] | None:
    """Return the words of a passage that say what a word says, None if it needs none."""
    token = mine.doc[i]
    for (start, end), places in passage.same.items():
        if start < token.idx + len(token) and token.idx < end:
            if places is None:
                return None
            return {t.i for t in theirs.doc for a, b in places if a < t.idx + len(t) and t.idx < b}
    found = {t.i for t in theirs.doc if _is_word(mine, i, theirs, t.i)}
    found = found or {t.i for t in theirs.doc if _means_alike(mine, i, theirs, t.i)}
    if token.pos_ in _NOUNS:  # who or what was named before
        last = max((theirs.sentence[j] for j in found), default=len(theirs.doc))
        known = any(
            sense(word) == sense(token.lower_) for word in passage.before.casefold().split()
        )
        meant = SEVERAL if token.tag_ in _PLURALS else ONE
        found |= {
            t.i
            for t in theirs.doc
            if t.lower_ in meant and (theirs.sentence[t.i] > last or (known and not found))
        }
    return found


def _is_word(mine: Text, i: int, theirs: Text, j: int) -> bool:
    """Say whether two words are one, in whatever form."""
    same = mine.doc[i].lower_ == theirs.doc[j].lower_
    return same or mine.lemmas[i] == theirs.lemmas[j]


def _means_alike(mine: Text, i: int, theirs: Text, j: int) -> bool:
    """Say whether two words are of one stem, or of one or the opposite meaning."""
    if j not in theirs.content:
        return False
    stems = sense(mine.doc[i].lower_), sense(theirs.doc[j].lower_)
    return stems[0] == stems[1] or relation(mine.lemmas[i], theirs.lemmas[j]) != 0

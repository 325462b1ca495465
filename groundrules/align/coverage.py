"""Whether every word, sign and figure of a statement and of a source's sentence is accounted for.

The one gate before "supported" by wording alone: what stands in neither text's counterpart, and in
no part that may be dropped, leaves the statement open. In: two sentences; out: what is left over of
either.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from groundrules.align.meanings import related
from groundrules.align.numbers import read_numbers
from groundrules.align.parses import parse
from groundrules.align.projection import Relation
from groundrules.align.wordalign import relation
from groundrules.claims.english import TITLES
from groundrules.claims.english.logic import PRIVATIVE
from groundrules.claims.literals import spelled

#: A run of characters with a figure in any script; what stands around it in prose is no part of it.
_CHUNK = re.compile(r"\S*[\d\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u218b]\S*")
_AROUND = "“”\"'‘’[]*_`"
_BEHIND = ".,;:!?…"
#: A mark that names a note or a source: no figure of the sentence that it stands behind.
_MARKER = re.compile(r"(?:(?<=[.,;:!?)”\"])|(?<=[^\W\d_]{4}))[⁰¹²³⁴-⁹]+|"r"(?<=[^\W\d_.,;:!?%)”\"'])?[ ]?\[\d{1,3}(?:[,–-] ?\d{1,3})*\](?=[\s.,;:!?)]|$)")
#: A number in words with its digits in brackets.
_TWICE = re.compile(r"([a-z][a-z -]*?)\s?\((\d[\d,]*(?:\.\d+)?)\)")
#: Signs that carry no meaning of their own where they stand between words.
_SILENT = frozenset(".,;:…'\"“”‘’`´*_–—-()[]{}\u00a0|#!")
#: So many words must be alike before another is the one difference, which has so many at most.
_ALIKE, _LONGEST = 3, 4
#: Within so many words of its head a joined figure is a part of one amount.
_NEXT = 3
_PARTS: Mapping[str, Any] = {"VERB": "event", "AUX": "event", "ADJ": "property", "ADV": "property"}
_TENSES = {"VBD": "past", "VBN": "past", "VBZ": "present", "VBP": "present"}


@dataclass(frozen=True, slots=True)
class LeftOver:
    """The words of a statement and of a source's sentence that the other does not account for."""

    statement: tuple[str, ...]
    source: tuple[str, ...]

    def __bool__(self) -> bool:
        """Return whether anything is left over."""
        return bool(self.statement or self.source)


@dataclass(frozen=True, slots=True)
class Difference:
    """The one place where a statement differs from a sentence of a source.

    `kind` is figure, negation, opposite, quantifier or value; `claimed` and `stated` are the words
    there, empty on the side that has none, `others` how many words both have alike.
    """

    kind: str
    claimed: str
    stated: str
    others: int


@dataclass(frozen=True, slots=True)
class _Word:
    """A word, sign or figure: what it is compared by, its first token, its range."""

    key: tuple[object, ...]
    at: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    doc: Any
    words: tuple[_Word, ...]
    #: The number of the word that a token is part of; tokens without one say nothing themselves.
    of: Mapping[int, int]


@cache
def _tables() -> Mapping[str, Any]:
    data = tomllib.loads((Path(__file__).parent / "coverage.toml").read_text("utf-8"))
    phrases = [
        (re.compile(rf"(?i)(?<![\w-]){found}(?![\w-])"), put) for found, put in data["phrases"].items()
    ]
    quantifiers = {(one, other) for one, others in data["quantifiers"].items() for other in others.split()}
    turns = [frozenset(line.split()) for line in data["turns"]]
    return {**data, "phrases": phrases, "quantifiers": quantifiers, "turns": turns, **{
        name: frozenset(data[name].split()) for name in ("silent", "limiting", "linking", "joining", "factive")
    }}


def covers(
    statement: str,
    passages: Sequence[tuple[str, str]],
    names: Mapping[tuple[int, int], Collection[str]],
    *,
    entailed: bool,
) -> bool:
    """Return whether one sentence of some passages accounts for all of a statement, and it for that.

    Each passage is a sentence and the text before it. `names` are what the source calls the things
    in ranges of the statement. Without `entailed` no licence of meaning is given.
    """
    return any(
        not left
        for wording in wordings(statement, names)
        for passage, before in passages
        for left in (compare(wording, passage, before, entailed=entailed),)
    )


def wordings(statement: str, names: Mapping[tuple[int, int], Collection[str]]) -> Iterator[str]:
    """Yield a statement in its own words, then with each thing called as the source calls it."""
    yield statement
    for (start, end), others in names.items():
        for other in sorted(others):
            yield statement[:start] + other + statement[end:]


def compare(
    statement: str, source: str, before: str = "", *, entailed: bool = False
) -> LeftOver:
    """Return what is left over of a statement and of one sentence of a source.

    Where the statement is known to be `entailed` by its propositions, words of one meaning and
    another order of them are licensed too, and a pronoun stands for what is named `before`.
    """
    own = _read(statement)
    found = [_compared(own, _read(part), there, entailed) for part, there in _clauses(source, before)]
    return min(found, key=lambda left: len(left.statement) + len(left.source))


def _clauses(source: str, before: str) -> Iterator[tuple[str, str]]:
    """Yield a sentence, then what stands in it between semicolons, each with what is before it."""
    yield source, before
    parts = source.split("; ")
    binding = any(
        word in _tables()["limiting"] or word in {"otherwise", "in"}
        for part in parts[1:]
        for word in part.lower().split()[:1]
    )
    if len(parts) > 1 and not binding:
        for n, part in enumerate(parts):
            yield part, " ".join([before, *parts[:n]])


def difference(statement: str, source: str) -> Difference | None:
    """Return the one place where a statement differs from a sentence, None where it is no such.

    All else is the same, in the same order, and what the source adds binds nothing.
    """
    own = _read(statement)
    parts = (_read(part) for part, _ in _clauses(source, ""))
    return next((found for there in parts if (found := _difference(own, there))), None)


def _difference(own: _Sentence, there: _Sentence) -> Difference | None:
    mine, theirs = ([word.key for word in one.words] for one in (own, there))
    pairs: dict[int, int] = {}
    for block in SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks():
        pairs |= {block.a + i: block.b + i for i in range(block.size)}
    left = [n for n in range(len(mine)) if n not in pairs]
    if len(pairs) < _ALIKE or len(left) > _LONGEST:
        return None
    before, behind = (left[0] - 1, left[-1] + 1) if left else (-1, len(mine))
    if left and left != list(range(left[0], left[-1] + 1)):
        return None
    if left:
        first = pairs[before] + 1 if before in pairs else 0
        last = pairs.get(behind, len(theirs))
        gap = [n for n in range(first, last) if n not in set(pairs.values())]
    else:
        gap = [n for n in range(len(theirs)) if n not in set(pairs.values()) and _denies(there, n)][:1]
    rest = set(_binding(there, {*pairs.values(), *gap}, False))
    if rest or len(gap) > _LONGEST:
        return None
    kind = _kind(own, left, there, gap)
    claimed, stated = (
        one.text[one.words[part[0]].start : one.words[part[-1]].end] if part else ""
        for one, part in ((own, left), (there, gap))
    )
    same = {n: m for n, m in pairs.items() if n not in left}
    if not kind or _turned(own, there, same, True, False):
        return None
    return Difference(kind, claimed, stated, len(pairs))


def _denies(sentence: _Sentence, n: int) -> bool:
    return sentence.words[n].key in {("word", "not"), ("word", "never"), ("word", "no")}


def _kind(own: _Sentence, left: Sequence[int], there: _Sentence, gap: Sequence[int]) -> str:
    """Return what a difference is one of, empty where both may hold."""
    if len(left) + len(gap) == 1:
        one, n = (own, left[0]) if left else (there, gap[0])
        return "negation" if _denies(one, n) else ""
    if not left or not gap:
        return ""
    mine, theirs = [own.words[n] for n in left], [there.words[n] for n in gap]
    if len(left) == len(gap) == 1:
        a, b = mine[0].key, theirs[0].key
        if a[0] == b[0] == "figure":
            written = "as written" in (a[1], b[1])
            return "" if written or a[1] != b[1] else "figure"
        if a[0] == b[0]:
            one, other = str(a[1]), str(b[1])
            if any(one in group and other in group for group in _tables()["turns"]):
                return "opposite"
            if (one, other) in _tables()["quantifiers"]:
                return "quantifier"
            if relation(one, other) < 0:
                return "opposite"
    named = [
        all(text.doc[w.at].pos_ == "PROPN" for w in part)
        for text, part in ((own, mine), (there, theirs))
    ]
    return "value" if all(named) else ""


@lru_cache(maxsize=4096)
def _read(text: str) -> _Sentence:
    text = plain(text)
    doc = parse(text)
    figures = list(_figures(text))
    words: list[_Word] = []
    of: dict[int, int] = {}
    silent = _tables()["silent"]
    for token in doc:
        inside = next(
            (n for n, (a, b, _) in enumerate(figures) if a < token.idx + len(token) and token.idx < b),
            None,
        )
        if inside is not None:
            key = figures[inside][2]
            if words and words[-1].key == ("figure", inside, *key):
                of[token.i] = len(words) - 1
            else:
                of[token.i] = len(words)
                words.append(_Word(("figure", inside, *key), token.i, *figures[inside][:2]))
            continue
        low = token.lower_.replace("’", "'")
        if token.is_space or low in silent or all(mark in _SILENT for mark in low):
            continue
        of[token.i] = len(words)
        words.append(_Word(("word", _lemma(token)), token.i, token.idx, token.idx + len(token)))
    plain_keys = tuple(
        _Word(("figure", *w.key[2:]) if w.key[0] == "figure" else w.key, w.at, w.start, w.end)
        for w in words
    )
    return _Sentence(text, doc, plain_keys, of)


def plain(text: str) -> str:
    """Return a text with one wording for bounds, contractions and other phrases of one meaning."""
    text = _MARKER.sub("", text)
    text = re.sub(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1", r"\2", text)
    text = " ".join(text.replace("’", "'").split())
    for found, put in _tables()["phrases"]:
        text = found.sub(put, text)
    return text


def _lemma(token: Any) -> str:
    low = str(token.lower_)
    lemma = str(_tables()["lemmas"].get(low) or token.lemma_.lower() or low)
    if token.tag_ in {"JJR", "JJS", "RBR", "RBS"}:
        return low  # "smaller" is not "small"
    for ending, other in _tables()["spelling"].items():
        if lemma.endswith(ending) and len(lemma) > len(ending) + 2:
            return lemma.removesuffix(ending) + other
    return lemma


def _figures(text: str) -> Iterator[tuple[int, int, tuple[object, ...]]]:
    """Yield the figures of a text with what they are compared by: their value, else how they look."""
    numbers = [n for n in read_numbers(text)]
    taken: list[tuple[int, int, tuple[object, ...]]] = []
    chunks = []
    for match in _CHUNK.finditer(text):
        start, end = match.span()
        while start < end and (text[start] in _AROUND or text[start] == "("):
            start += 1
        while start < end and (
            text[end - 1] in _AROUND + _BEHIND or (text[end - 1] == ")" and "(" not in text[start:end])
        ):
            end -= 1
        chunks.append((start, end))
    for n in numbers:
        inside = [(a, b) for a, b in chunks if a < n.end and n.start < b]
        whole = all(n.start <= a and b <= n.end for a, b in inside)
        if whole and (inside or not n.soft):
            taken.append((n.start, n.end, _value(n, text)))
    for start, end in chunks:
        if not any(a < end and start < b for a, b, _ in taken):
            taken.append((start, end, ("as written", text[start:end])))
    yield from sorted(taken)


def _value(number: Any, text: str) -> tuple[object, ...]:
    said = text[number.start : number.end].lower()
    twice = _TWICE.search(said)
    words = spelled(twice[1]) if twice else None
    if twice and (words is None or words[0] != float(twice[2].replace(",", ""))):
        return ("as written", said)  # "fourteen (15)": words and digits differ
    point = "point" in said
    places = len(said.partition(".")[2].rstrip(".")) if number.kind == "NUMBER" else 0
    return (
        number.kind, number.unit, round(number.low, 9), round(number.high, 9), number.window,
        number.day, point, places,
    )  # fmt: skip


def _compared(own: _Sentence, there: _Sentence, before: str, entailed: bool) -> LeftOver:
    mine = [word.key for word in own.words]
    theirs = [word.key for word in there.words]
    pairs: dict[int, int] = {}
    for block in SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks():
        pairs |= {block.a + i: block.b + i for i in range(block.size)}
    ordered = len(pairs) == len(mine)
    if not ordered:
        _pair_elsewhere(own, there, pairs, entailed)
    left = [n for n in range(len(own.words)) if n not in pairs]
    rest = list(_binding(there, set(pairs.values()), entailed))
    if entailed and (left or rest):
        left, rest = _licensed(own, there, left, rest, before)
    wrong = () if mine == theirs else _turned(own, there, pairs, ordered, entailed)
    return LeftOver(
        tuple(own.text[own.words[n].start : own.words[n].end] for n in left) or wrong,
        tuple(there.text[there.words[n].start : there.words[n].end] for n in rest),
    )


def _licensed(
    own: _Sentence, there: _Sentence, left: Sequence[int], rest: Sequence[int], before: str
) -> tuple[list[int], list[int]]:
    """Return what is left over but for what a source says by a pronoun, a preposition, a mood."""
    earlier = {w.key for w in _read(before).words} if before else set()
    links = _tables()["linking"]
    root = next((t for t in there.doc if t.head.i == t.i), None)
    told_to = root is not None and root.tag_ == "VB" and not any(
        c.dep_ in {"nsubj", "nsubjpass", "aux"} for c in root.children
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


def _is_silent(there: _Sentence, n: int) -> bool:
    """Return whether a word of a source only points back, links or is a title."""
    token = there.doc[there.words[n].at]
    linking = token.dep_ == "prep" and token.lower_ in _tables()["linking"]
    kept = any(c.dep_ == "pobj" for c in token.children)
    return token.tag_ in {"PRP", "PRP$"} or (linking and kept) or token.lower_ in TITLES


def _fragments(there: _Sentence, rest: Collection[int]) -> set[int]:
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
            and not any(t.lower_ in _tables()["limiting"] for t in tokens)
        ):  # fmt: skip
            out |= numbers
        run = []
    return out


def _pair_elsewhere(
    own: _Sentence, there: _Sentence, pairs: dict[int, int], entailed: bool
) -> None:
    """Pair words that stand in another order, and where licensed words of one meaning."""
    free = [n for n in range(len(there.words)) if n not in set(pairs.values())]
    for same in (True, False) if entailed else (True,):
        for n, word in enumerate(own.words):
            if n in pairs:
                continue
            found = next((m for m in free if _meets(own, word, there, there.words[m], same)), None)
            if found is not None:
                pairs[n] = found
                free.remove(found)


def _meets(own: _Sentence, one: _Word, there: _Sentence, other: _Word, same: bool) -> bool:
    if one.key == other.key:
        return True
    if same or "figure" in (one.key[0], other.key[0]):
        return False
    mine, theirs = own.doc[one.at], there.doc[other.at]
    if mine.tag_ == theirs.tag_ == "MD":
        forces = {str(one.key[1]), str(other.key[1])}
        both = all(any(c.dep_ == "neg" for c in t.head.children) for t in (mine, theirs))
        return forces == {"may", "can"} or (both and forces <= {"may", "can", "must", "shall"})
    part = _PARTS.get(own.doc[one.at].pos_, "thing")
    return related(str(other.key[1]), str(one.key[1]), part) is Relation.SAME


def _turned(
    own: _Sentence, there: _Sentence, pairs: Mapping[int, int], ordered: bool, entailed: bool
) -> tuple[str, ...]:
    """Return a word whose tense or role differs, or that depends on another word there.

    What is known to be entailed may be built otherwise, but for its names and figures.
    """
    for n, m in pairs.items():
        one, other = own.doc[own.words[n].at], there.doc[there.words[m].at]
        verbs = one.pos_ in {"VERB", "AUX"} and other.pos_ in {"VERB", "AUX"}
        if verbs and "" not in (_tense(one), _tense(other)) and _tense(one) != _tense(other):
            return (one.text,)
        if entailed and own.words[n].key[0] != "figure" and one.pos_ != "PROPN":
            continue
        if _role(one) and _role(other) and _role(one) != _role(other):
            return (one.text,)
        head = _head(own, one)
        if head is None or head not in pairs:
            continue
        heads = _heads(there, other)
        if pairs[head] not in (heads if ordered or entailed else heads[:1]):
            return (one.text,)
    return ()


def _role(token: Any) -> str:
    """Return whether a word names who does something or to whom it is done, else nothing."""
    while token.dep_ in {"conj", "compound"} and token.head.i != token.i:
        token = token.head
    if token.dep_ in {"nsubj", "agent"} or (token.dep_ == "pobj" and token.head.dep_ == "agent"):
        return "doer"
    return "done" if token.dep_ in {"dobj", "nsubjpass"} else ""


def _head(sentence: _Sentence, token: Any) -> int | None:
    """Return the word that a token depends on, past tokens that say nothing themselves."""
    here = sentence.of[token.i]
    while token.head.i != token.i:
        token = token.head
        found = sentence.of.get(token.i)
        if found is not None and found != here:
            return found
    return None


def _heads(sentence: _Sentence, token: Any) -> list[int]:
    """Return the words that a token depends on, by coordination as well."""
    here, out = sentence.of[token.i], []
    while token.head.i != token.i:
        through = token.dep_ in {"conj", "agent"}
        token = token.head
        found = sentence.of.get(token.i)
        if found is None or found == here:
            continue
        out.append(found)
        if not through and token.dep_ != "conj":
            break
    return out


def _tense(token: Any) -> str:
    """Return past, present, or nothing where a verb has none of its own."""
    group = [token, *(c for c in token.children if c.dep_ in {"aux", "auxpass"})]
    tags = {t.tag_ for t in group}
    if "MD" in tags or token.tag_ == "MD":
        return "modal"
    if tags & {"VBZ", "VBP"} and not any(t.lower_ in {"has", "have"} for t in group if t is not token):
        return "present"
    return "past" if tags & {"VBD", "VBN"} else ""


def _binding(there: _Sentence, used: Collection[int], entailed: bool) -> Iterator[int]:
    """Yield the words of a source's sentence that no dropped part accounts for."""
    alive: set[int] = set()
    passed: dict[int, Any] = {}  # what is joined before something kept, and that
    for i, n in there.of.items():
        token = there.doc[i]
        if n not in used:
            continue
        alive.add(i)
        while token.head.i != token.i:
            if token.dep_ == "conj" or (entailed and token.dep_ == "appos"):
                passed.setdefault(token.head.i, token)
            else:
                alive.add(token.head.i)
            token = token.head
    kept = {i for i, n in there.of.items() if n in used}
    for i in (passed.keys() & there.of.keys()) - kept:  # what a joined verb shares with the one before it binds both
        alive.discard(i)
    for n, word in enumerate(there.words):
        if n in used:
            continue
        token = there.doc[word.at]
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


def _may_be_passed(head: Any, joined: Any, entailed: bool) -> bool:
    """Return whether what stands before something joined to it may be dropped."""
    if joined.dep_ == "appos":
        return True
    links = {c.lower_ for c in head.children if c.dep_ == "cc"}
    clause = head.pos_ in {"VERB", "AUX"} and joined.pos_ in {"VERB", "AUX"}
    denied = any(c.dep_ == "neg" for c in head.children)
    alone = any(c.dep_ in {"nsubj", "nsubjpass", "aux", "auxpass"} for c in joined.children)
    if denied and not alone:
        return False
    return links <= _tables()["joining"] and (clause or entailed)


def _is_of_its_own(top: Any, joined: Any, entailed: bool) -> bool:
    """Return whether a part of what is passed says nothing of what is joined to it."""
    if top.dep_ == "cc":
        return top.lower_ in _tables()["joining"]
    if any(t.lower_ in _tables()["limiting"] for t in top.subtree):
        return top.dep_ == "neg"
    subject = any(c.dep_ in {"nsubj", "nsubjpass"} for c in joined.children)
    if top.dep_ in {"nsubj", "nsubjpass", "aux", "auxpass"}:
        return subject
    return top.i > top.head.i and (top.i < joined.i) and (subject or entailed or top.dep_ != "prep")


def _may_be_dropped(top: Any, entailed: bool) -> bool:
    """Return whether a part with all that depends on it binds nothing of the rest."""
    part = list(top.subtree)
    words = {t.lower_ for t in part}
    if top.dep_ == "cc":
        return top.lower_ in _tables()["joining"]
    before = top.doc[part[0].i - 1] if part[0].i else None
    comma = before is not None and before.text in {",", "(", "–", "—", ";", "-"}
    if top.dep_ == "advcl" and words & _tables()["factive"] and entailed:
        told = not any(c.dep_ == "neg" for c in top.head.children)
        return told and not (words - _tables()["factive"]) & _tables()["limiting"]
    if top.dep_ == "conj":
        links = {c.lower_ for c in top.head.children if c.dep_ == "cc"}
        if top.i - top.head.i <= _NEXT and all(
            any(t.like_num for t in one.children) for one in (top, top.head)
        ):
            return False  # "two dollars and fifty cents"
        if not links <= _tables()["joining"] or words & (_tables()["limiting"] - {"not", "n't", "never", "no"}):
            return False
        clause = top.pos_ in {"VERB", "AUX"} and top.head.pos_ in {"VERB", "AUX"}
        return clause or entailed
    if words & _tables()["limiting"]:
        return False
    if top.dep_ == "relcl":
        return comma and bool(words & {"which", "who", "whose", "where"})
    if top.dep_ == "appos":
        return comma and (entailed or not any(t.pos_ in {"NUM", "VERB", "AUX", "SYM"} for t in part))
    if entailed and top.dep_ in {"prep", "npadvmod"}:
        return _is_told(top) and not (top.dep_ == "prep" and top.head.pos_ not in {"VERB", "AUX"})
    if entailed and top.dep_ == "amod":
        return _is_told(top) and top.lemma_.lower() not in PRIVATIVE and len(part) == 1
    return False


def _is_told(token: Any) -> bool:
    """Return whether what a token stands in is told as something that happened, once."""
    verb = token
    while verb.head.i != verb.i and not (verb.pos_ in {"VERB", "AUX"} and verb is not token):
        verb = verb.head
    denied = any(c.dep_ == "neg" or c.lower_ in {"no", "none"} for c in verb.subtree)
    return _tense(verb) == "past" and not denied

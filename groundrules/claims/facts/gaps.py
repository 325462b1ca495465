"""Gaps: clauses without a verb of their own, written out by the clause that they are told beside.

"The north field was sown with barley, the south field with oats": the second is written as "the
south field was sown with oats", in words of the text alone, so that a parser reads it as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_STOPS = frozenset(".!?")
_PLACING = frozenset({"in", "on", "at"})
_APART = frozenset({";", ":"})
_BOUNDS = frozenset({",", "and", "but", "whereas", "while"}) | _APART
_VERBS = frozenset({"VERB", "AUX"})
_NOUNS = frozenset({"NOUN", "PROPN"})
#: Tags of words that begin a phrase with a noun, and adverbs that stand for one.
_BEGINNING = frozenset("DT CD PRP$ PDT".split())
_OFTEN = frozenset("once twice daily weekly monthly yearly".split())
_DENYING = frozenset("not never nor".split())
#: How many bounds a clause without a verb has inside, at most.
_INSIDE = 3

Words = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Frame:
    """A clause whose parts others leave out: what is before its subject, its verbs, its phrases."""

    front: Words
    subject: Words
    verbs: Words
    phrases: tuple[Words, ...]

    @property
    def head(self) -> Any:
        """The noun of the subject."""
        return next(t for t in self.subject if t.dep_ in {"nsubj", "nsubjpass"})

    def written(self, subject: Words, phrases: Sequence[Words]) -> Words:
        """Return the words of a clause of the same frame."""
        return (*self.front, *subject, *self.verbs, *(t for p in phrases for t in p))


def rewritten(doc: Any) -> str:
    """Return a parsed text with each of its gaps filled, an empty one where it has none."""
    found = [list(_clauses(sentence)) for sentence in _sentences(doc)]
    if all(len(clauses) < 2 for clauses in found):
        return ""
    text = ""
    for clause in (clause for clauses in found for clause in clauses):
        for number, token in enumerate(clause):
            told = token.text[0].upper() + token.text[1:] if number == 0 else token.text
            apart = token.whitespace_ or token.i + 1 != clause[min(number + 1, len(clause) - 1)].i
            text += told + (" " if apart and number + 1 < len(clause) else "")
        text += " " if clause[-1].text in _STOPS else ". "
    return text.rstrip()


def _sentences(doc: Any) -> Iterator[Words]:
    words: list[Any] = []
    for token in doc:
        words.append(token)
        if token.text in _STOPS:
            yield tuple(words)
            words = []
    if words:
        yield tuple(words)


def _clauses(words: Words) -> Iterator[Words]:
    """Yield the clauses of a sentence where one has a gap, else the whole sentence."""
    stop = len(words) - (words[-1].text in _STOPS)
    bounds = [n for n, t in enumerate(words[:stop]) if t.lower_ in _BOUNDS]
    start, at = 0, 0
    frame: _Frame | None = None
    while at < len(bounds):
        bound = bounds[at]
        open_frame = frame or _frame(_bare(words[start:bound]))
        filled = _filled(open_frame, words, bounds[at:], stop) if open_frame else None
        if filled is not None:
            if frame is None:
                yield _bare(words[start:bound])
            frame = open_frame
            made, end = filled
            yield from made
            start = end
            at = next((n for n, b in enumerate(bounds) if b >= end), len(bounds))
            continue
        if frame is not None and bound >= start:  # another clause begins
            frame = None
        at += 1
    rest = _bare(words[start:])
    if any(t.is_alpha for t in rest):
        yield rest


def _bare(words: Words) -> Words:
    """Return words without what bounds them from those before."""
    while words and words[0].lower_ in _BOUNDS:
        words = words[1:]
    return words


def _frame(words: Words) -> _Frame | None:
    """Return the frame of a clause with one group of verbs, None of others."""
    cut = max((n + 1 for n, t in enumerate(words) if t.lower_ in _APART), default=0)
    words = words[cut:]
    verbs = [n for n, t in enumerate(words) if t.pos_ in _VERBS and t.dep_ != "amod"]
    if (
        not verbs
        or any(t.dep_ == "dative" for t in words)
        or any(t.pos_ not in _VERBS | {"ADV", "PART"} for t in words[verbs[0] : verbs[-1]])
    ):
        return None
    first, last = verbs[0], verbs[-1]
    main = words[last]
    heads = {main.i, main.head.i}
    subject = next(
        (t for t in words[:first] if t.dep_ in {"nsubj", "nsubjpass"} and t.head.i in heads), None
    )
    phrases = tuple(_phrases(words[last + 1 :]))
    if subject is None:
        told = first == 0  # an instruction
        return _Frame((), (), words[: last + 1], phrases) if told and phrases else None
    begin = next(n for n, t in enumerate(words) if t.i >= subject.left_edge.i)
    commas = [n + 1 for n, t in enumerate(words[:begin]) if t.text == ","]
    starts = [0, *commas] if begin not in commas else [0, *commas[:-1]]
    if begin and not commas and not _opens(words[0]):
        begin = 0
    elif begin and not all(_opens(words[n]) or words[n].pos_ == "ADV" for n in starts):
        return None
    return _Frame(words[:begin], words[begin:first], words[first : last + 1], phrases)


def _phrases(words: Words) -> Iterator[Words]:
    """Yield the phrases of some words: each preposition but "of" begins one."""
    made: list[Any] = []
    for token in words:
        if made and _opens(token):
            yield tuple(made)
            made = []
        made.append(token)
    if made:
        yield tuple(made)


def _opens(token: Any) -> bool:
    return token.tag_ in {"IN", "TO"} and token.lower_ != "of"


def _filled(
    frame: _Frame, words: Words, bounds: Sequence[int], stop: int
) -> tuple[list[Words], int] | None:
    """Return what stands behind a bound written out by a frame, and where it ends."""
    begin = bounds[0] + 1
    while begin < stop and words[begin].lower_ in _BOUNDS:
        begin += 1
    stop = next((b for b in bounds if b > begin and words[b].lower_ in _APART), stop)
    inside = [b for b in bounds if begin < b < stop][:_INSIDE]
    with_comma = [b for b in (*inside, stop) if any(t.text == "," for t in words[begin:b])]
    plain = [b for b in (*inside, stop) if b not in with_comma]
    for end in (*plain, *reversed(with_comma)):
        inner = words[begin:end]
        if any(
            (t.pos_ in _VERBS and t.dep_ not in {"amod", "acl"})
            or t.lower_ in _DENYING
            # "closed to cars but open to all": it shares the copula
            or (t.dep_ == "conj" and t.pos_ == "ADJ" and t.head.tag_ == "VBN")
            for t in inner
        ):
            continue
        behind = _bare(words[end : end + 3])
        if behind and behind[0].pos_ in _VERBS and behind[0].tag_ != "VBG":
            continue  # it has a verb of its own
        made = _written(frame, inner)
        if made:
            return made, end
    return None


def _written(frame: _Frame, words: Words) -> list[Words]:
    """Return the clauses that some words make in a frame, none where they do not fit."""
    comma = next((n for n, t in enumerate(words) if t.text == ","), None)
    if comma is not None:  # "the Marsby office, complaints"
        last = len(words) - 1 - next(n for n, t in enumerate(reversed(words)) if t.text == ",")
        listed = words[last + 1 : last + 2] and words[last + 1].lower_ in {"and", "or", "but"}
        if listed and _is_item(words[last + 2 :], frame):
            return []  # "bread, milk, and eggs", "bread and milk, but no eggs"
        subject, rest = words[:comma], list(_phrases(words[last + 1 :]))
        parts = [subject, *rest] if frame.subject and _is_nominal(subject) else []
    else:
        parts = list(_parts(frame, words))
    nominal = bool(parts) and not _opens(parts[0][0])
    listed = comma is None and nominal and any(t.lower_ in {"and", "or"} for t in parts[0])
    if len(parts) < 2 or listed:  # "the farm, the mill and the barn on Mondays"
        return []
    of_subject = (
        nominal and bool(frame.subject) and (comma is not None or _is_of_subject(frame, parts))
    )
    phrases = _replaced(frame.phrases, parts[of_subject:])
    if phrases is None or (of_subject and frame.head.pos_ == "PRON"):
        return []
    subject = parts[0] if of_subject else frame.subject
    return [frame.written(subject, phrases)]


def _is_item(words: Words, frame: _Frame) -> bool:
    """Return whether words name one thing: "Eva eggs" and "the south wine" are who and what."""
    named = [t.pos_ == "PROPN" for t in words if t.pos_ in _NOUNS]
    mixed = len(named) > 1 and named[0] and not named[-1]
    article = bool(words) and words[0].tag_ == "DT"
    plain = bool(frame.phrases) and frame.phrases[0][0].tag_ != "DT"
    return not mixed and not (article and plain and len(named) > 1)


def _parts(frame: _Frame, words: Words) -> Iterator[Words]:
    """Yield the phrases of words without a verb: a thing, and what is said of it in the frame."""
    known = {p[0].lower_ for p in frame.phrases if p and _opens(p[0])}
    plain = bool(frame.phrases) and not _opens(frame.phrases[0][0])
    made: list[Any] = []
    for n, token in enumerate(words):
        before = words[n - 1] if n else None
        opens = _opens(token) and any(_alike(token.lower_, one) for one in known)
        noun = before is not None and (
            before.pos_ in _NOUNS | {"PRON"} or before.tag_ in {"POS", "JJR"}
        )
        behind = token.nbor() if token.i + 1 < len(token.doc) else token
        # of the next word: "two towers", not "line 2"
        number = token.tag_ == "CD" and behind.pos_ not in _NOUNS | {"ADJ"}
        begins = (token.tag_ in _BEGINNING and not number) or token.lower_ in _OFTEN
        if made and (opens or (plain and noun and begins and not _opens(made[0]))):
            yield tuple(made)
            made = []
        made.append(token)
    if made:
        yield tuple(made)


def _alike(one: str, other: str) -> bool:
    return one == other or {one, other} <= _PLACING


def _is_nominal(words: Words) -> bool:
    return bool(words) and not _opens(words[0]) and any(
        t.pos_ in _NOUNS | {"PRON", "NUM", "ADJ"} for t in words
    )  # fmt: skip


def _is_of_subject(frame: _Frame, parts: Sequence[Words]) -> bool:
    """Return whether the first part stands for the subject, not for what is done to it."""
    if all(t.pos_ == "ADV" for t in parts[0]):
        return False  # "back on Tuesdays"
    plain = bool(frame.phrases) and not _opens(frame.phrases[0][0])
    if not plain or not _opens(parts[1][0]):
        return True
    named = [any(t.pos_ == "PROPN" for t in p) for p in (parts[0], frame.subject, frame.phrases[0])]
    return frame.head.lemma_ in {t.lemma_ for t in parts[0]} or named == [True, True, False]


def _replaced(phrases: Sequence[Words], parts: Sequence[Words]) -> list[Words] | None:
    """Return phrases with others of their kind in their places, None where one has no place."""
    made = list(phrases)
    free = list(range(len(made)))
    for part in parts:
        opens = _opens(part[0])
        place = next(
            (
                n for n in free
                if opens == _opens(made[n][0])
                and (not opens or _alike(part[0].lower_, made[n][0].lower_))
            ),
            None,
        )  # fmt: skip
        if place is None:
            return None
        free.remove(place)
        made[place] = part
    return made

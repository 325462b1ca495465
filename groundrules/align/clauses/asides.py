"""Sentences of their own that a sentence says beside its main clause, as of "Bo, the mayor".

In: a sentence. Out: sentences of their own, of what stands between commas or in brackets behind a
name or "the" thing, and of a participle that opens the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from groundrules.align.words.normal_words import tables, tense
from groundrules.align.words.parses import parse

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_LISTED = frozenset({"conj", "cc"})
_YEAR = re.compile(r"[12]\d{3}")


def asides(text: str) -> Iterator[str]:
    """Yield what a sentence says beside its main clause, as sentences."""
    if not any(mark in text for mark in ",("):
        return
    doc = parse(text)
    for noun in doc:
        if noun.pos_ not in _NOUNS or not is_known(noun) or _is_reported(noun):
            continue
        told = [c for c in noun.children if c.i > noun.i and is_aside(c) and _is_near(noun, c)]
        opening = [c for c in noun.head.children if noun.dep_ in _SUBJECTS and is_opening(c)]
        if told or opening:
            name = _name(noun, min((_ends(c)[0] for c in told), default=len(doc)))
            for part in (*opening, *told):
                yield from (f"{name[:1].upper()}{name[1:]} {said}." for said in _said(part))


def is_known(noun: Any) -> bool:
    """Return whether a noun is a name or "the" thing, of which more is told without a limit."""
    plain = noun.pos_ == "PROPN" and noun.dep_ not in {"compound", "nmod"}
    return plain or any(c.lower_ == "the" for c in noun.children)


def is_aside(part: Any) -> bool:
    """Return whether a part stands between commas or in brackets, and limits nothing."""
    start, end = _ends(part)
    before, behind = (part.doc[n].text if 0 <= n < len(part.doc) else "" for n in (start - 1, end))
    apart = before in {",", "("} and behind in {",", ")", ".", ";", ""}
    return apart and tables()["limiting"].isdisjoint(t.lower_ for t in part.subtree)


def _is_near(noun: Any, part: Any) -> bool:
    """Return whether a part tells of a noun alone: not "the heir of Bo, who died"."""
    between = noun.doc[noun.i + 1 : _ends(part)[0]]
    return part.dep_ == "appos" or not any(t.pos_ == "PROPN" for t in between)


def _ends(part: Any) -> tuple[int, int]:
    """Return where the words of a part begin and end, without the marks around them."""
    inside = [t.i for t in part.subtree if t.dep_ != "punct"] or [part.i]
    return inside[0], inside[-1] + 1


def is_dated(part: Any) -> bool:
    """Return whether a participle tells what was done once, or of a place: no "used daily"."""
    named = any(t.pos_ == "PROPN" for t in part.subtree)
    dated = any(_YEAR.fullmatch(t.text) for t in part.subtree)
    return bool(part.tag_ == "VBN" and (named or dated))


def _is_reported(noun: Any) -> bool:
    """Return whether what a noun stands in may be said, denied or limited by another clause."""
    main = noun.dep_ in _SUBJECTS and noun.head.head.i == noun.head.i
    if any(
        t.dep_ == "prep" and t.head.dep_ == "ROOT" and not _is_timed(t) for t in noun.doc[: noun.i]
    ):
        return True  # "in the film, the king, …"
    frames = tables()["scoping"] | tables()["framing"]
    return not main and bool(frames.intersection(t.lower_ for t in noun.doc))


def _is_timed(prep: Any) -> bool:
    return any(t.like_num or t.lower_ in tables()["times"] for t in prep.subtree)


def is_opening(part: Any) -> bool:
    """Return whether a participle opens a sentence: "founded in 1904, the club …"."""
    start, end = _ends(part)
    comma = end < len(part.doc) and part.doc[end].text == ","
    return start == 0 and comma and part.tag_ == "VBN" and part.dep_ != "amod"


def _name(noun: Any, end: int) -> str:
    part = [t for t in noun.subtree if t.i < end and t.dep_ != "punct"]
    words = noun.doc[part[0].i : part[-1].i + 1].text
    return words if part[0].pos_ == "PROPN" else f"{words[:1].lower()}{words[1:]}"


def _said(part: Any) -> Iterator[str]:
    """Yield what a part says of the thing that it stands behind, from its verb on."""
    start, end = _ends(part)
    first, words = part.doc[start], part.doc[start:end].text
    if part.dep_ == "appos":
        named = part.head.pos_ == "PROPN" and any(c.dep_ == "det" for c in part.children)
        behind = part.doc[end + 1 : end + 2]
        listed = any(t.pos_ in {"DET", *_NOUNS} for t in behind)  # "the mayor, the judge and Bo"
        if named and not (
            listed or any(c.dep_ in _LISTED for t in (part, part.head) for c in t.children)
        ):
            past = any(_YEAR.fullmatch(t.text) for t in part.doc)
            yield f"{'was' if past else 'is'} {words}"
    elif part.dep_ == "relcl":
        if first.lower_ in {"which", "who"} and first.dep_ in _SUBJECTS and tense(part) != "will":
            yield words[len(first.text) :].strip()
    elif first.lower_ in tables()["earlier"]:
        yield f"was {words}"
    elif is_dated(part):
        root = next(t for t in part.ancestors if t.head.i == t.i)
        dated = any(_YEAR.fullmatch(t.text) for t in part.doc)
        for form in ("was",) if dated or tense(root) == "past" else ("was", "is"):
            yield f"{form} {words[:1].lower()}{words[1:]}"

"""Asides: what stands in brackets or between dashes, written out as sentences of its own.

"The mill (built in 1810; idle) is sold" is written as "The mill is sold. The mill was built in
1810. The mill is idle." An aside that may restrict what it stands with, or that binds the sentence,
is left where it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from groundrules.claims.english.logic import CONJUNCTIONS
from groundrules.claims.gaps import Writing

#: What has no letter, as "(1810)", tells of nothing.
_ASIDE = re.compile(
    r"\s(?:\((?P<in>(?=(?:(?![()])[\W\d_]){0,300}[^\W\d_])[^()]{3,300})\)|"
    r"[–—]\s(?P<between>[^()–—]{3,300}?)\s[–—](?=\s))"
)
_VALUE = re.compile(r"(?P<name>[^\W\d][^\d,;:]*?):?\s(?P<value>[€£$]?\d[^,;]*)$")
_PAST = re.compile(r"\b(?:1\d{3}|20\d\d)\b|\b(?:by|since|until)\s")
_NOUNS = frozenset({"NOUN", "PROPN"})
_SAYING = frozenset({"VBN", "JJ", "JJR", "JJS"})
_FIRST = frozenset({"nsubj", "nsubjpass", "dobj", "attr", "conj", "appos"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_BINDING = frozenset(
    word for word, role in CONJUNCTIONS.items() if role in {"if", "unless", "when"}
) | {"except", "subject", "other", "as", "only"}  # fmt: skip

#: A longer text, in code points, is no sentence but a passage without stops: each of its asides
#: would be parsed with all the rest.
_LONGEST = 2_000

#: Words, and where in the text the first of them stands, or what they stand for.
_Part = tuple[str, int]


#: A comment between a denial and what is denied: "and not, as the sign says, in 1724".
_COMMENT = re.compile(
    r"(?i)\b(?:not|but)(?P<in>, (?:as|according to|contrary to)\b[^,()]{3,80},)(?=\s)"
)


def asides(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of what may be taken out of a text, where it is no passage without stops."""
    if len(text) <= _LONGEST:
        for pattern in (_ASIDE, _COMMENT):
            yield from (match.span() for match in pattern.finditer(text))


def taken_out(text: str, parse: Callable[[str], Any]) -> Writing | None:
    """Return a text with its first aside behind it as sentences, None where it has none.

    A comment on a denial is left out.
    """
    if len(text) > _LONGEST:
        return None
    comment = _COMMENT.search(text)
    if comment is not None:
        start, end = comment.span("in")
        return _written([(text[:start], 0), (text[end:], end)], parse(text))
    for match in _ASIDE.finditer(text):
        host = _host(text, match, parse)
        said = None if host is None else list(_sentences(match, host, parse))
        if said and None not in said:
            main: list[_Part] = [(text[: match.start()], 0), (text[match.end() :], match.end())]
            gap: list[_Part] = [(" ", match.start())]
            parts = [*main, *(part for one in said if one for part in (*gap, *one))]
            return _written(parts, parse(text))
    return None


def scoped_ahead(doc: Any) -> frozenset[int]:
    """Return the words of asides that stand with what follows them, which no tree shows.

    "Head of the clinic and (since June) of the ward": she may have been head before June.
    """
    found = set()
    for token in doc:
        if token.text == "(" and token.i and doc[token.i - 1].dep_ == "cc":
            end = next((t.i for t in doc[token.i :] if t.text == ")"), token.i)
            found |= set(range(token.i, end))
    return frozenset(found)


def _written(parts: Sequence[_Part], doc: Any) -> Writing:
    """Return parts of a text as one text, with the word of the first text at each place."""
    starts = {t.idx: t for t in doc}
    text, words = "", []
    for part, at in parts:
        if at in starts:
            words.append((len(text), (starts[at],)))
        inside = (t for t in doc if at < t.idx < at + len(part))
        words += [(len(text) + t.idx - at, (t,)) for t in inside]
        text += part
    return Writing(text, tuple(words))


def _host(text: str, match: re.Match[str], parse: Callable[[str], Any]) -> list[_Part] | None:
    """Return the words of the noun that an aside tells of, None where that is in doubt.

    It must be a certain thing: of "adults (trained)" or "a guest (over twelve)" it may restrict.
    """
    cut, shift = match.start(), match.end() - match.start()
    doc = parse(text[:cut] + text[match.end() :])
    noun = next((t for t in doc if t.idx + len(t) == cut), None)
    if noun is None or noun.pos_ not in _NOUNS or not _is_whole(noun):
        return None
    root = next(s.root for s in doc.sents if s.start <= noun.i < s.end)
    happened = any(t.tag_ == "VBD" for t in (root, *root.children))
    article = next((c for c in noun.children if c.dep_ == "det"), None)
    low = "" if article is None else article.lower_
    owned = any(c.dep_ == "poss" for c in noun.children)
    told = low in {"a", "an"} and _is_told(noun, root)
    sure = low in {"the", "this", "that"} or owned or (not low and noun.tag_ == "NNP")
    if not (sure or told) or (noun.tag_ == "NNS" and not happened):
        return None
    start, end = noun.left_edge.idx, noun.idx + len(noun)
    if not told or article is None:
        return [(text[start:end], start)]
    after = article.idx + len(article)
    parts: list[_Part] = [("the", article.idx), (text[after:end], after)]
    behind = doc[noun.i + 1] if noun.i + 1 < len(doc) else noun
    if behind.dep_ == "prep" and behind.head.i <= noun.i:
        a, b = behind.idx + shift, behind.right_edge.idx + len(behind.right_edge) + shift
        parts.append((text[a - 1 : b], a - 1))
    return parts


def _is_whole(noun: Any) -> bool:
    """Return whether a noun is no part of another: not "Ostrand" in "the mayor of Ostrand"."""
    of_verb = noun.dep_ == "pobj" and noun.head.head.pos_ in {"VERB", "AUX"}
    return of_verb or noun.dep_ in _FIRST


def _is_told(noun: Any, root: Any) -> bool:
    """Return whether there is the thing that a noun tells of: "the firm has a branch"."""
    subject = next((c for c in root.children if c.dep_ in _SUBJECTS), None)
    definite = subject is not None and (
        subject.tag_ == "NNP" or any(c.lower_ in {"the", "this"} for c in subject.children)
    )
    loose = any(c.dep_ == "neg" or c.tag_ == "MD" for c in root.children)
    return bool(definite and not loose and noun.dep_ in {"dobj", "attr", "conj"})


def _sentences(
    match: re.Match[str], host: list[_Part], parse: Callable[[str], Any]
) -> Iterator[list[_Part] | None]:
    """Yield what an aside says as sentences, None for what tells nothing of its noun."""
    group = "in" if match["in"] is not None else "between"
    whole, first = match[group], match.start(group)
    for start, end in _ranges(whole, parse):
        words = whole[start:end]
        was = "was" if _PAST.search(whole) else "is"
        yield _sentence(words, first + start, host, was, parse)


def _ranges(words: str, parse: Callable[[str], Any]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the parts of an aside: "built in 1810, sold in May" has two."""
    for piece in re.finditer(r"[^;]+", words):
        start = piece.start() + len(piece[0]) - len(piece[0].lstrip())
        doc = parse(f"It is {words[start : piece.end()]}")
        shift = start - len("It is ")
        at = start
        for comma in doc[3:-1]:
            behind = doc[comma.i + 1]
            if comma.text == "," and doc[2].tag_ in _SAYING and behind.tag_ in _SAYING:
                yield at, shift + comma.idx
                at = shift + behind.idx
        yield at, piece.end()


def _sentence(
    words: str, at: int, host: list[_Part], was: str, parse: Callable[[str], Any]
) -> list[_Part] | None:
    """Return a part of an aside as a sentence of its noun, None where it is no telling of it."""
    doc = parse(words)
    told = parse(f"It is {words}")[2:]  # of a property alone, "open", the tagger makes a verb
    if any(t.lower_ in _BINDING for t in doc[:2]):
        return None
    first = doc[0]
    begin = told[1] if first.lower_ == "not" and len(told) > 1 else told[0]
    value = _VALUE.match(words)
    end: _Part = (".", at - 1)
    if first.lower_ in {"which", "who"}:
        behind = doc[1] if len(doc) > 1 else first
        verbal = behind.text == "," or behind.pos_ in {"AUX", "VERB", "ADV"}
        inner = first.dep_ in _SUBJECTS
        rest = len(first)
        return [*host, (words[rest:], at + rest), end] if verbal and inner else None
    if begin.tag_ in _SAYING:
        verb = was if begin.tag_ == "VBN" else "is"
        return [*host, (f" {verb} ", at - 1), (words, at), end]
    if value is not None and first.pos_ in _NOUNS | {"VERB", "ADJ"} and len(doc) < 9:
        name, told = value.start("name"), value.start("value")
        return [
            ("The ", at - 1), (value["name"], at + name), (" of ", at - 1), *host,
            (" is ", at - 1), (value["value"], at + told), end,
        ]  # fmt: skip
    if first.pos_ in {"ADV", "PART"}:  # "formerly a school"
        return None
    root = next(iter(doc.sents)).root
    finite = any(t.tag_ in {"VBD", "VBZ", "VBP", "MD"} and t.dep_ == "ROOT" for t in doc)
    if root.pos_ in _NOUNS and not finite and (first.tag_ == "DT" or len(doc) < 4):
        return [*host, (" is ", at - 1), (words, at), end]
    return None

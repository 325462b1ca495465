"""A sentence as the words, signs and figures by which it is compared with another.

In: a sentence. Out: its words, each by its lemma, its figures by their value; a figure that is read
only in part stands as it is written, so that it equals no other.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from groundrules.align.words.parses import parse
from groundrules.claims.values.numbers import read_numbers
from groundrules.claims.values.value_reader import says_two

#: A figure in any script.
_FIGURE = re.compile("[\\d\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u218b]")
_CHUNK = re.compile(r"\S+")
_AROUND = "“”\"'‘’[]*_`"
_BEHIND = ".,;:!?…"
#: A mark that names a note or a source: no figure of the sentence that it stands behind.
_MARKER = re.compile(
    r"(?:(?<=[.,;:!?)”\"])|(?<=[^\W\d_]{4}))[⁰¹²³⁴-⁹]+"
    r"|(?<! in)(?<! to)(?<! of)(?<! at)(?<=[^\s\[])[ ]?\[\d{1,3}(?:[,–-] ?\d{1,3})*\]"
    r"(?=[.,;:!?]*\s*\Z)"
)
#: The number of a section or an item before its first word, and what only gives a thing its name.
_SECTION = re.compile(
    r"\A\s*\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+(?=[A-Z“\"])(?!(?:[MBT]r?illion|Thousand|Per)\b)"
)
_DEFINING = re.compile(
    r"\s?\((?:(?:the|each|an?|collectively|together),? ){0,3}[\"“][^\"”()]{1,60}[\"”]\)"
)
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
#: Signs that carry no meaning of their own where they stand between words.
_SILENT = frozenset(".,;:…'\"“”‘’`´*_–—-()[]{}\u00a0|#!")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, sign or figure: what it is compared by, its first token, its range."""

    key: tuple[object, ...]
    at: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its parse and its words; `of` is the number of the word of each token.

    Tokens that are part of none say nothing themselves.
    """

    text: str
    doc: Any
    words: tuple[Word, ...]
    of: Mapping[int, int]


@cache
def tables() -> Mapping[str, Any]:
    """Return the words of `normal_words.toml`."""
    data = tomllib.loads((Path(__file__).parent / "normal_words.toml").read_text("utf-8"))
    phrases = [
        (re.compile(rf"(?i)(?<![\w-]){found}(?![\w-])"), put)
        for found, put in data["phrases"].items()
    ]
    quantifiers = {
        (one, other) for one, others in data["quantifiers"].items() for other in others.split()
    }
    turns = [frozenset(line.split()) for line in data["turns"]]
    return {
        **data,
        "phrases": phrases,
        "quantifiers": quantifiers,
        "turns": turns,
        **{name: frozenset(row.split()) for name, row in data.items() if isinstance(row, str)},
    }


@lru_cache(maxsize=4096)
def read_words(text: str) -> Sentence:
    """Return the words of a sentence by which it is compared."""
    figures = read_figures(text)
    text = plain(text)
    doc = parse(text)
    words: list[Word] = []
    of: dict[int, int] = {}
    silent = tables()["silent"]
    for token in doc:
        inside = next(
            (
                n
                for n, (a, b, _) in enumerate(figures)
                if a < token.idx + len(token) and token.idx < b
            ),
            None,
        )
        if inside is not None:
            key = figures[inside][2]
            if words and words[-1].key == ("figure", inside, *key):
                of[token.i] = len(words) - 1
            else:
                of[token.i] = len(words)
                words.append(Word(("figure", inside, *key), token.i, *figures[inside][:2]))
            continue
        low = token.lower_.replace("’", "'")
        if token.is_space or _is_silent(token, low, silent) or all(mark in _SILENT for mark in low):
            continue
        of[token.i] = len(words)
        words.append(Word(("word", _lemma(token)), token.i, token.idx, token.idx + len(token)))
    plain_keys = tuple(
        Word(("figure", *w.key[2:]) if w.key[0] == "figure" else w.key, w.at, w.start, w.end)
        for w in words
    )
    return Sentence(text, doc, plain_keys, of)


def _is_silent(token: Any, low: str, silent: Collection[str]) -> bool:
    """Return whether a word says nothing itself: auxiliaries do by the verb, links by the roles."""
    if low in {"to", "by"}:
        return token.dep_ in {"aux", "dative"} or is_agent(token)
    if token.tag_.startswith("VB") and token.lemma_ in {"be", "have", "do"}:
        return bool(token.dep_ in {"aux", "auxpass"})
    if low == "too" and (token.i + 1 == len(token.doc) or token.nbor().is_punct):
        return True  # "pets, too", not "too big"
    if token.text == "A" and token.i and not token.nbor(-1).is_upper:
        return False  # "Line A"
    return low in silent


def is_agent(by: Any) -> bool:
    """Return whether "by" tells who or what did it, however a parser ties it to the passive verb.

    One parse has "cancelled by email" as "by Ann", another as "by Monday".
    """
    passive = by.dep_ == "agent" or any(c.dep_ == "auxpass" for c in by.head.children)
    led = [c for c in by.children if c.dep_ == "pobj"]
    times = any((t.like_num and not any(t.rights)) or t.lower_ in tables()["times"] for t in led)
    return bool(by.lower_ == "by" and passive and led and not times)


def plain(text: str) -> str:
    """Return a text with one wording for bounds, contractions and other phrases of one meaning."""
    for mark in (_MARKER, _SECTION, _DEFINING):
        text = mark.sub("", text)
    text = re.sub(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1", r"\2", text)
    text = " ".join(text.replace("’", "'").split())
    for found, put in tables()["phrases"]:
        text = found.sub(put, text)
    return text


def _lemma(token: Any) -> str:
    low = str(token.lower_)
    lemma = str(tables()["lemmas"].get(low) or token.lemma_.lower() or low)
    if low.endswith(".") and low[:-1].isalpha() and low != "no.":
        return low[:-1]  # "in Hall B.", "Acme Corp."
    if token.tag_ in {"JJR", "JJS", "RBR", "RBS"}:
        return low  # "smaller" is not "small"
    for ending, other in tables()["spelling"].items():
        if lemma.endswith(ending) and len(lemma) > len(ending) + 2:
            return lemma.removesuffix(ending) + str(other)
    return lemma


@lru_cache(maxsize=4096)
def read_figures(text: str) -> tuple[tuple[int, int, tuple[object, ...]], ...]:
    """Return the figures of a sentence with their value, or as written where they are not read."""
    text = plain(text)
    numbers = list(read_numbers(text))
    taken: list[tuple[int, int, tuple[object, ...]]] = []
    chunks = []
    for match in _CHUNK.finditer(text):
        start, end = match.span()
        if not _FIGURE.search(match[0]):
            continue
        while start < end and (text[start] in _AROUND or text[start] == "("):
            start += 1
        while start < end and (
            text[end - 1] in _AROUND + _BEHIND
            or (text[end - 1] == ")" and "(" not in text[start:end])
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
    return tuple(sorted(taken))


def _value(number: Any, text: str) -> tuple[object, ...]:
    said = text[number.start : number.end].lower()
    if says_two(said):
        return ("as written", said)
    point = "point" in said
    places = len(said.partition(".")[2].rstrip(".")) if number.kind == "NUMBER" else 0
    return (
        number.kind, number.unit, round(number.low, 9), round(number.high, 9), number.window,
        number.day, point, places,
    )  # fmt: skip


def head_of(sentence: Sentence, token: Any) -> int | None:
    """Return the word that a token depends on, past tokens that say nothing themselves."""
    here = sentence.of[token.i]
    while token.head.i != token.i:
        token = token.head
        found = sentence.of.get(token.i)
        if found is not None and found != here:
            return found
    return None


def heads_of(sentence: Sentence, token: Any) -> list[int]:
    """Return the words that a token depends on, by coordination as well."""
    here, out = sentence.of[token.i], []
    while token.head.i != token.i:
        through = token.dep_ in {"conj", "agent", "appos"}
        subject = token.dep_ in _SUBJECTS
        token = token.head
        found = sentence.of.get(token.i)
        if found is None or found == here:
            continue
        out.append(found)
        joined = [c for c in token.children if c.dep_ == "conj"] if subject else []
        while joined:  # which verbs that are joined share
            one = joined.pop()
            if not any(g.dep_ in _SUBJECTS for g in one.children):
                out += [sentence.of[one.i]] if one.i in sentence.of else []
                joined += [c for c in one.children if c.dep_ == "conj"]
        if not through and token.dep_ != "conj":
            break
    return out


def tense(token: Any) -> str:
    """Return past, present, shall or modal, nothing where a verb has no tense of its own."""
    group = [token, *(c for c in token.children if c.dep_ in {"aux", "auxpass"})]
    tags = {t.tag_ for t in group}
    if "MD" in tags:
        return "shall" if any(t.lower_ == "shall" for t in group) else "modal"
    first = min(
        (t for t in group if t.tag_ in {"VBZ", "VBP", "VBD"}), key=lambda t: t.i, default=None
    )
    if first is None:
        return ""
    return "past" if first.tag_ == "VBD" else "present"


def aspect(token: Any) -> frozenset[str]:
    """Return what else the auxiliaries of a verb say: passive, perfect, progressive, "is to"."""
    found = set()
    for child in token.children:
        if child.dep_ in {"aux", "auxpass"}:
            lemma = child.lemma_.lower()
            if child.dep_ == "auxpass":
                found.add("passive")
            if lemma == "have" and token.tag_ in {"VBN", "VBD"}:
                found.add("perfect")
            if lemma == "be" and token.tag_ == "VBG":
                found.add("progressive")
            be_before = any(c.i < child.i and c.lemma_ == "be" for c in token.children)
            if child.tag_ == "TO" and (be_before or token.head.lemma_ == "be"):
                found.add("is to")
    if any(c.lower_ == "being" and c.dep_ in {"aux", "auxpass"} for c in token.children):
        found.add("progressive")
    return frozenset(found)

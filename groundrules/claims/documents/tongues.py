"""Tongues: the language of a text, told from English by its function words and letters."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from groundrules.claims.english import MONTH_NAMES
from groundrules.claims.english.fillers import ONLY_ENGLISH
from groundrules.models.encoder import FOLDER

LETTERS = re.compile(r"[^\W\d_]+")
BEYOND_LATIN = re.compile(r"[\u0370-\u1cff\u1f00-\u1fff\u2c00-\ua6ff\ua800-\U00032fff]")
_WORDS = tomllib.loads(Path(__file__).with_name("tongues.toml").read_text(encoding="utf-8"))
_TONGUES: Mapping[str, Mapping[str, str]] = _WORDS["languages"]
#: What a word says that only a language has, and one that English or a name has too.
_SURE, _UNSURE = 2, 1


def _by_word(*columns: str) -> dict[str, dict[str, int]]:
    """Return for each word of some columns how much it says for which languages."""
    table: dict[str, dict[str, int]] = {}
    for name, words in _TONGUES.items():
        for column in columns:
            for word in words[column].split():
                table.setdefault(word, {})[name] = _SURE if column == "own" else _UNSURE
    return table


_FOREIGN = _by_word("topics", "shared", "own")  # what is own counts as that
#: What counts though it is capitalised within a sentence, as every German noun is.
_TOPICS = _by_word("topics")
_OWN = frozenset(_by_word("own"))
_SHARED = frozenset(_by_word("shared")) - _OWN
_PLAINLY_ENGLISH = ONLY_ENGLISH - set(_FOREIGN)
_LOANS = frozenset(_WORDS["loans"].split())
_LATIN_TERMS = frozenset(_WORDS["latin_terms"].split())
_BORROWED = ONLY_ENGLISH | _LATIN_TERMS
_SHAPES = {
    name: frozenset(words["letters"]) for name, words in _TONGUES.items() if words["letters"]
}
_ADDRESS = re.compile(r"[@/\\_]|\w[.:=]\w")
_STOPPED = re.compile(r"[.?!…][\"'”’»)]{0,2}\s*\Z")
#: The least a text must score: one that ends as a sentence does; another, a title may be.
_ENOUGH_STOPPED, _ENOUGH = 3, 4
#: The least it must score a word, and for each English function word.
_A_WORD, _AN_ENGLISH_WORD = 0.3, 6
OTHER = "a language other than English"


def is_language(reason: str) -> bool:
    """Return whether the reason that a text is not read is its language, or its script."""
    return reason in _TONGUES or reason == OTHER or reason.endswith(" script")


def is_ordinal(before: str, number: str, following: str) -> bool:
    """Return whether a number with a stop is that of a day in German: "3." in "am 3. Mai".

    `before` is the word before it: some months have the same name in English.
    """
    if not (number.isdigit() and len(number) < 3 and following[:1].isupper()):
        return False
    small = f"{_TONGUES['German']['own']} {_TONGUES['German']['shared']}".split()
    known = before.lower() in small or following.title() not in MONTH_NAMES
    return known and following.lower() in _WORDS["german_months"].split()


#: So much of a source tells its language.
_TOLD = 20_000


def tongue(text: str, around: str = "", *, whole: bool = False) -> str:
    """Return the other language that a text is in, "" if it is English or nothing tells.

    Its function words must be many and the English ones few: English has names, titles, terms of
    Latin and quotations with some of the former, but among its own.
    """
    words = LETTERS.findall(text)
    if not words:
        return ""
    shouted = text.isupper()
    said = [word.lower() for word in words] if shouted else [words[0].lower(), *words[1:]]
    if _OWN.isdisjoint(said) and not _PLAINLY_ENGLISH.isdisjoint(said):
        return ""
    points, sure, _ = _scores(said)
    stopped = _STOPPED.search(text) is not None
    for name in sorted(points, key=lambda name: -points[name]):
        if points[name] < max(_ENOUGH_STOPPED, _A_WORD * len(words)):
            continue
        english = _english(said, name)
        least = _ENOUGH_STOPPED if stopped and not english else _ENOUGH
        known = 3 if whole or name == "Latin" else 2 if english else 1
        if (
            points[name] >= max(least, _AN_ENGLISH_WORD * english)
            and len(sure.get(name, ())) >= known
        ):
            return name
    if stopped and (name := _mostly({word for word in said if len(word) > 1})):
        return name
    if points.get(around, 0) > 2 * _english(said, around):
        return around
    if around and ONLY_ENGLISH.isdisjoint(said) and max(map(len, words)) > 1:
        return around
    return "" if shouted else _unknown(text, said, stopped)


#: The least that small words alone must score, and a word, where none of them is English.
_ENOUGH_MOSTLY, _A_WORD_MOSTLY = 4, 0.4


def _mostly(said: Collection[str]) -> str:
    """Return the language of different words, mostly small, "" where one is English or all a name.

    A name or a title has its own words in capitals: "Museo de Arte de la Ciudad de México".
    """
    points, _, _ = _scores(sorted(said))
    if not points or not ONLY_ENGLISH.isdisjoint(word for word in said if word not in _FOREIGN):
        return ""
    name = max(sorted(points), key=lambda name: points[name])
    least = max(_ENOUGH_MOSTLY, _A_WORD_MOSTLY * len(said))
    told = sum(word.islower() and len(word) > 3 and word not in _FOREIGN for word in said)
    if points[name] < least or told < _ENOUGH_STOPPED:
        return ""
    return name if [*points.values()].count(points[name]) == 1 else OTHER


def shared_tongue(text: str, beside: Iterable[str]) -> str:
    """Return the language that a text is in as another is that has no English, "" if none is.

    What is beside it tells which of the languages that have its small words is meant, by a word
    that English has not: "was … in" is Dutch, too.
    """
    words = LETTERS.findall(text)
    said = [words[0].lower(), *words[1:]] if words else []
    if not said or not _PLAINLY_ENGLISH.isdisjoint(said):
        return ""
    own, _, _ = _scores(said)
    least = max(_ENOUGH_STOPPED, _A_WORD * len(said))
    likely = [name for name in sorted(own) if own[name] >= max(least, 2 * _english(said, name) + 1)]
    for other in beside if likely else ():
        words = LETTERS.findall(other[:_TOLD])
        points, _, _ = _scores(words)
        name = max(likely, key=lambda name: own[name] + points.get(name, 0))
        sure = any(_FOREIGN.get(word, {}).get(name) == _SURE for word in words)
        if sure and points.get(name, 0) >= _ENOUGH_STOPPED:
            return name
    return ""


def has_english(text: str) -> bool:
    """Return whether a text has words that are English and of no other language."""
    return not _PLAINLY_ENGLISH.isdisjoint(one[0].lower() for one in LETTERS.finditer(text))


def _unknown(text: str, said: list[str], stopped: bool) -> str:
    """Return the language of a text, or that it is none we know, where its words are not English.

    What English and legal Latin have too is no evidence here.
    """
    points, sure, strange = _scores([word for word in said if word not in _BORROWED])
    points.pop("Latin", None)
    name = max(points, key=lambda name: points[name]) if points else ""
    english = _english(said, name)
    if english > len(said) // 8:
        return ""
    content, ours = _vocabulary_share(text)
    evidence = max(points[name] if name else 0, strange)
    listed = text.count(",") * 3 > content  # names of drugs, of plants
    if (
        # a title or a name of two or three words that no dictionary has may well be in English
        (stopped and evidence >= 2 and content >= 2 and 3 * ours <= content and not english)
        or (evidence >= 1 and content >= 4 and 4 * ours <= content and not listed)
        or (stopped and content >= 6 and 5 * ours <= content and not listed)
    ):
        return name if sure.get(name) else OTHER
    return ""


def _english(said: list[str], name: str) -> int:
    """Return how many words are function words of English and not of another language."""
    return sum(word in ONLY_ENGLISH and name not in _FOREIGN.get(word, ()) for word in said)


def _scores(said: list[str]) -> tuple[dict[str, int], dict[str, set[str]], int]:
    """Return what words score by language, which only that language has, and how many are strange.

    Strange is a word with a letter that English lacks.
    """
    points: dict[str, int] = {}
    sure: dict[str, set[str]] = {}
    strange = 0
    for word, times in Counter(said).items():
        odd = not word.isascii() and word.islower() and max(word) < "\u1f00" and word not in _LOANS
        odd = odd and not BEYOND_LATIN.search(word)
        strange += odd * times
        says = _FOREIGN.get(word) or _TOPICS.get(word.lower())
        if says is not None:
            for name, worth in says.items():
                points[name] = points.get(name, 0) + worth * times
                if worth == _SURE:
                    sure.setdefault(name, set()).add(word)
        elif odd:
            letters = {letter for letter in word if letter > "\x7f"}
            for name, own in _SHAPES.items():
                if letters <= own:
                    points[name] = points.get(name, 0) + _UNSURE * times
    return points, sure, strange


def _vocabulary_share(text: str) -> tuple[int, int]:
    """Return how many words of a text tell by their sense, and how many of them are English.

    Capitalised words are names, words of two letters are anything, addresses are no words.
    """
    content = {
        word.lower()
        for place, chunk in enumerate(text.split())
        if not _ADDRESS.search(chunk)
        for word in LETTERS.findall(chunk)
        if len(word) > 2 and (not place or word.islower())
    }
    content -= {word for word in content if word in ONLY_ENGLISH or word in _SHARED}
    return len(content), sum(is_english(word) for word in content)


_ENDINGS = tuple((ending, instead) for ending, instead in _WORDS["endings"])
_BEGINNINGS = tuple(_WORDS["beginnings"].split())


def is_english(word: str) -> bool:
    """Return whether a word in small letters is common in English, or made of one that is."""
    if word in _LOANS or word in _LATIN_TERMS:
        return True
    if word in _FOREIGN:
        return False
    known = _vocabulary()
    if word in known:
        return True
    if any(
        word.endswith(ending)
        and len(word) > len(ending) + 2
        and word[: -len(ending)] + instead in known
        for ending, instead in _ENDINGS
    ):
        return True
    return any(word.startswith(begin) and word[len(begin) :] in known for begin in _BEGINNINGS)


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    """Return the whole words of the embedded model's vocabulary: the common words of English."""
    lines = (FOLDER / "vocab.txt").read_text("utf-8").split("\n")
    return frozenset(line for line in lines if len(line) > 2 and line.isascii() and line.isalpha())

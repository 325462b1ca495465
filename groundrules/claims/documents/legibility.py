"""Legibility: which text cannot be read, and why; what is read is English in plain characters.

Whatever passes through here unflagged is taken for English by everything after it: a German
negation, a Chinese date or `１００` would be lost without a word.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from groundrules.claims.documents.tongues import (
    BEYOND_LATIN,
    LETTERS,
    has_english,
    shared_tongue,
    tongue,
)
from groundrules.claims.english import table, words

#: The most words of a statement that are read as one sentence.
LONGEST_SENTENCE = 400


def unreadable(text: str, around: str = "", beside: Sequence[str] = ()) -> str:
    """Return why a statement cannot be read, in words for a report, empty if it can.

    `around` is the language of the text about it, as `language` returns it: a line too short to
    tell anything is taken to be in that language. `beside` are sources without English, as
    `foreign` returns them: a short sentence is in the language of one if it has its small words.
    """
    if not text.isascii():
        why = _disguised(text) or _script(text) or _characters(text)
        if why:
            return why
    elif _CONTROL.search(text):
        return "a control character within a word"
    return _latex(text) or _noise(text) or tongue(text, around) or shared_tongue(text, beside)


@lru_cache(maxsize=64)
def language(text: str) -> str:
    """Return the language of a text or paragraph where it clearly is not English, else ""."""
    return (_script(text) if not text.isascii() else "") or tongue(text, whole=True)


def foreign(sources: Iterable[str]) -> tuple[str, ...]:
    """Return the sources that are not in English, or have no word that only English has."""
    return tuple(one for one in sources if not has_english(one) or language(one))


# --- scripts ----------------------------------------------------------------------------------

#: Scripts by the word for them in the names of their letters, where that is not their own.
_RENAMED = table("renamed")
#: Scripts that a report names; letters of "Latin" and of formulas are of no other script.
_SCRIPTS = words("scripts") | {*_RENAMED}
#: A sign of these scripts says as much as some letters of an alphabet.
_WEIGHTS = {"Chinese script": 3, "Japanese script": 2, "Korean script": 2}
#: The largest share of foreign letters that a readable statement has, and with what it quotes.
_SHARE, _SHARE_QUOTED = 0.2, 0.6
_QUOTED = re.compile(
    r"\([^()]{0,400}(?:\)|\Z)|\[[^][]{0,400}\]|\"[^\"]{0,400}\"|“[^“”]{0,400}”|«[^«»]{0,400}»"
    r"|‘[^‘’]{0,400}’|「[^「」]{0,400}」"
)


def _script(text: str) -> str:
    """Return the foreign script that a text is written in for more than a small share."""
    if not BEYOND_LATIN.search(text):
        return ""
    script = _main_script(text, _SHARE_QUOTED)
    return script or _main_script(_QUOTED.sub(" ", text), _SHARE)


def _main_script(text: str, share: float) -> str:
    counts: dict[str, int] = {}
    for word in LETTERS.findall(text):
        if word.isascii():
            counts[""] = counts.get("", 0) + len(word)
            continue
        scripts = [_script_of(letter) for letter in word]
        if scripts == ["Greek script"]:
            continue  # the sign of a quantity, an angle, a letter of a formula
        for script in scripts:
            counts[script] = counts.get(script, 0) + _WEIGHTS.get(script, 1)
    total = sum(counts.values())
    foreign = total - counts.pop("", 0)
    if not foreign or foreign <= share * total:
        return ""
    # Japanese is written in Chinese signs and its own
    if counts.get("Japanese script", 0) * 5 > foreign:
        return "Japanese script"
    return max(counts, key=lambda script: counts[script])


@lru_cache(maxsize=8192)
def _script_of(letter: str) -> str:
    """Return the script of a letter by its name in Unicode, "" of Latin and of signs."""
    named = unicodedata.name(letter, "").title().replace("-", " ").split()
    found = next((word for word in named if word in _SCRIPTS), None)
    if found is None:
        return "another script" if BEYOND_LATIN.match(letter) else ""
    return "" if found in {"Latin", "Mathematical"} else f"{_RENAMED.get(found, found)} script"


# --- characters -------------------------------------------------------------------------------

# what is shown as nothing (Cf, fillers, variation selectors), but for the soft hyphen
_INVISIBLE = (
    "\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    "\ufe00-\ufe0f\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_PLAIN = "0-9A-Za-z\u00c0-\u024f"
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_ALIKE = "асеорхуіјѕһԁԛԝӏАВЕЅІЈКМНОРСТХУҮԚԜЗ"
_CONTROL = re.compile(rf"(?<=[{_PLAIN}])[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f](?=[{_PLAIN}])")
#: What a character or its place says; the first that is found is the reason.
_REASONS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (
        reason,
        re.compile(
            pattern.replace("<invisible>", _INVISIBLE)
            .replace("<plain>", _PLAIN)
            .replace("<marks>", _MARKS)
            .replace("<control>", _CONTROL.pattern)
        ),
    )
    for reason, pattern in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
)
_MIXED = re.compile(rf"[{_PLAIN}][\u0400-\u052f]|[\u0400-\u052f][{_PLAIN}]")
_CYRILLIC_SMALL = re.compile(r"[\u0430-\u045f\u0461-\u052f]")  # NATO may be СССР
_CYRILLIC_OWN = re.compile(rf"(?![{_ALIKE}])[\u0400-\u052f]")


def _characters(text: str) -> str:
    """Return which character of a text is not what it seems, or is lost."""
    return next((reason for reason, pattern in _REASONS if pattern.search(text)), "")


def _disguised(text: str) -> str:
    """Return that words of a text are Cyrillic and look as Latin ones do.

    A Russian phrase has a letter that Latin lacks, "рау а" among English words has none.
    """
    if _CYRILLIC_SMALL.search(text) and not _CYRILLIC_OWN.search(text):
        found = _MIXED.search(text)
        return "" if found else "letters of two scripts that look alike"
    return ""


# --- formulas ---------------------------------------------------------------------------------

_LATEX = re.compile(
    r"\d\s?\\(?:times|cdot|frac|text|mathrm|mathbf|,|;|!|%)|\\(?:frac|text|mathrm|mathbf|tfrac|sqrt)"
    r"\s?\{[^{}\\]{0,40}\d|\d\s?\^\{|\d_\{?\d|\{\d{1,3}[.,]?\}\d|\d\{[\d.,]{1,12}\}"
    r"|\$\\?\$\s?\d[^$\n]{0,40}\$"
)


def _latex(text: str) -> str:
    """Return that a figure is written as a formula is."""
    if ("\\" in text or "{" in text or "_" in text or "$$" in text) and _LATEX.search(text):
        return "a figure in LaTeX"
    return ""


# --- noise ------------------------------------------------------------------------------------

_GLYPHS = re.compile(r"\(cid:\d{1,6}\)")
_LOST = re.compile(r"(?:(?<=\s)|\A)\?{2,}(?=\s|\Z)[^?]{0,40}(?<=\s)\?{2,}(?=[\s.,]|\Z)|[□▯]{3}")
_STOP = re.compile(r"[.?!][\"'”’)\]]{0,2}\s")
_SIGN = re.compile(r"[^\w\s]")


def _noise(text: str) -> str:
    """Return what stands where words are expected."""
    if _GLYPHS.search(text):
        return "numbers of glyphs in place of letters"
    if _LOST.search(text):
        return "question marks in place of letters"
    if len(text) > 2 * LONGEST_SENTENCE:  # a word and a blank are two characters at least
        length = max(len(part.split()) for part in _STOP.split(text))
        if length > LONGEST_SENTENCE:
            return f"a sentence of {length} words"
    signs = len(_SIGN.findall(text))
    # a rule, dots of a table of contents or a row of dashes are few signs many times
    if signs >= 16 and len(set(_SIGN.findall(text))) >= 8:
        letters = len(text) - signs - sum(map(text.count, " \t\r\n_"))
        if letters * 4 < signs:
            return "signs in place of letters"
    return ""

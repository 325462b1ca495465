"""A clause as the clauses that it comes to, by the rewordings of English."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from groundrules.claims.english import FEMALE, MALE
from groundrules.claims.english.alternations import LINKED
from groundrules.claims.english.attributes import COUNTRIES, OFFICES
from groundrules.claims.english.fillers import IN_NO_NAME, OF_RELATION_PHRASES
from groundrules.claims.english.identity import TELLING_APART
from groundrules.claims.names.names import lists
from groundrules.kb.read.relational import (
    Clause,
    Moment,
    Sentence,
    exclusion_in,
    range_in,
)

_PIECE = re.compile(r"\{(\w)\}|[^{]+")
_AND = re.compile(r",? and(?= [a-z])")
#: What somebody is called before the name: "former Chancellor", "Apple co-founder".
_TITLE = re.compile(
    r"(?:The |the )?(?P<f>[Ff]ormer )?(?P<k>[A-Za-z][\w.-]*(?: [A-Za-z][\w.-]*){0,7}) ?"
)
_APART = re.compile(rf"(?i)(?:{TELLING_APART})\b")
#: A word with a capital before a name is of the name, but for an office and letters: "CEO".
_OFFICE = re.compile(rf"(?:.* )?(?:{OFFICES}|[A-Z]{{2,}})")
_BEHIND = re.compile(r",? (?P<v>is|was|has|had|(?!and\b|or\b|of\b|in\b|who\b|which\b)[a-z]+)\b")
_GENDERS = {**dict.fromkeys(MALE, "m"), **dict.fromkeys(FEMALE, "f")}
#: A longer clause is not taken apart, in characters.
_LONGEST = 400


def _rewordings() -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the expressions of `rewordings.toml` with the clauses that what they match comes to."""
    known = tomllib.loads(Path(__file__).with_name("rewordings.toml").read_text("utf-8"))
    lands = {"PEOPLE": "|".join(COUNTRIES), "LANDS": "|".join(COUNTRIES.values())}
    parts = {**known["parts"], **lands, "LINKED": LINKED}

    def whole(pattern: str) -> str:
        return re.sub(r"<([A-Z_]+)>", lambda found: whole(parts[found[1]]), pattern)

    for pattern, *clauses in known["rewordings"]:
        yield whole(pattern), clauses


_REWORDINGS = tuple((re.compile(pattern), clauses) for pattern, clauses in _rewordings())


def divided(sentence: Sentence, clause: Clause) -> Iterator[tuple[Clause, ...]]:
    """Give the ways to take a clause apart, each as all the clauses that it then comes to.

    What is denied as a whole is only put in other words.
    """
    denied = clause.polarity == "negative"
    for parts in _reworded(clause):
        if not denied or (len(parts) == 1 and parts[0].polarity == "negative"):
            yield parts
    if denied or len(clause.text) > _LONGEST:
        return
    yield from _titled(sentence, clause)
    # "was born in Ulm and lives in Rome": the subject is a name
    for found in _AND.finditer(clause.text):
        for span in sentence.anchors():
            start, end = range_in(clause, span)
            if start == 0 < end <= found.start():
                yield clause.within(0, found.start()), clause.without(end, found.end())


def _reworded(clause: Clause) -> Iterator[tuple[Clause, ...]]:
    if len(clause.text) > _LONGEST:
        return
    for pattern, clauses in _REWORDINGS:
        found = pattern.fullmatch(clause.text)
        if found and _is_his(found):
            yield tuple(_clause_of(clause, found, template) for template in clauses)


def _is_his(found: re.Match[str]) -> bool:
    """Return whether "his" may be the subject's: no, of Ann and Bob until his death."""
    first = (found.groupdict().get("s") or "").split(" ")[0].lower()
    given = lists()["given"]
    wrong = {"m": given["female"], "f": given["male"]}
    told = (_GENDERS.get(word) for word in re.findall(r"\b[a-z]+\b", found[0]))
    return not any(gender and first in wrong[gender] for gender in told)


def _titled(sentence: Sentence, clause: Clause) -> Iterator[tuple[Clause, ...]]:
    """Give what a name and what stands before it come to: "physicist Marie Curie died …"."""
    for span in sentence.anchors():
        start, end = range_in(clause, span)
        behind = _BEHIND.match(clause.text, end)
        title = _TITLE.fullmatch(clause.text[:start]) if 0 < start < end and behind else None
        if behind is None or title is None or exclusion_in(title[0]):
            continue
        named = title["k"].split()[-1][:1].isupper() and not _OFFICE.fullmatch(title["k"])
        if named or _APART.match(title["k"]):
            continue  # "Jenny Marx", "the other Einstein"
        called = title["k"].lower().split()
        if called[-1] in OF_RELATION_PHRASES or not IN_NO_NAME.isdisjoint(called):
            continue  # "members of the Beatles are", "the man who knew Ada was"
        first, last = title.span("k")
        name, rest = clause.within(start, end), clause.within(start, len(clause.text))
        kind = clause.within(first, last)
        now = "is" if behind["v"] in ("is", "has") else "was"
        plain = (f" {now} a ", f" {now} the ")
        for verb in (" worked as ", *plain) if title["k"][:1].isupper() else plain:
            said = joined((name, verb, kind))
            moment: Moment = "end" if title["f"] else ""
            yield replace(said, moment=moment, aside=not moment), rest


def joined(parts: Sequence[Clause | str]) -> Clause:
    """Return one clause of parts of a clause and words that are not of the text."""
    (whole, *_) = (part for part in parts if isinstance(part, Clause))
    text = "".join(part if isinstance(part, str) else part.text for part in parts)
    places = (((-1,) * len(part)) if isinstance(part, str) else part.starts for part in parts)
    return replace(whole, text=text, starts=tuple(at for place in places for at in place))


def _clause_of(clause: Clause, found: re.Match[str], template: str) -> Clause:
    mark, _, rest = template.rpartition(":")
    text, starts = "", list[int]()
    for piece in _PIECE.finditer(rest):
        if piece[1] is None:
            text += piece[0]
            starts += [-1] * len(piece[0])
        elif found[piece[1]] is not None:
            first, last = found.span(piece[1])
            text += clause.text[first:last]
            starts += clause.starts[first:last]
    made = replace(clause, text=text, starts=tuple(starts)).within(0, len(text))
    if mark == "not":
        return replace(made, polarity="negative")
    if mark == "aside":
        return replace(made, aside=True)
    return replace(made, moment=cast(Moment, mark)) if mark else made

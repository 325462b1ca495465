"""Names of the contract itself: "this Lease" and "the Agreement" are one paper."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rdflib.term import Literal, Node

from groundrules.claims.english import DETERMINERS, PREPOSITIONS
from groundrules.claims.english.identity import TELLING_APART
from groundrules.legal.lawphrases import phrases
from groundrules.legal.namespace import AGREEMENT
from groundrules.terms import ENTITY, mint

if TYPE_CHECKING:
    from groundrules.claims.facts.offline import Extraction

#: Words that call a paper by its kind; "this agreement" is the document that says so.
_PAPERS = frozenset(
    "agreement contract lease amendment addendum license licence deed mortgage arrangement".split()
)
_RE = phrases("papers")

#: In small letters or a year: what tells a paper from this one, "the 2016 lease", "the new lease".
_ANOTHER = re.compile(rf"\b(?:{TELLING_APART}|(?:1[6-9]|20)\d\d)\b")

#: A paper as a sentence speaks of it: what stands before its noun, and what it is with or of.
_SPOKEN_OF = re.compile(
    r"\b(?P<lead>[Tt]his|[Tt]he|[Ss]aid|[Tt]hat|[Aa]n?|[Ii]ts|[Tt]heir)\s+(?P<mods>(?:[\w&’'-]{1,30}\s+){0,5}?)"
    r"(?P<noun>(?i:agreement|contract|lease|sublease|amendment|addendum|licen[cs]e|deed|mortgage|arrangement"
    r"|guarant(?:ee|y)|charterparty|bill\s+of\s+lading|note|bond|policy|statement\s+of\s+work|loan|franchise))\b"
    r"(?P<whose>\s+(?:with|of|for|between|on)\s+(?:the\s+)?"
    rf"(?:(?:{TELLING_APART})\s+[a-z]{{1,30}}|[A-Z0-9][\w.&’'-]{{0,30}}(?:\s+[A-Z0-9][\w.&’'-]{{0,30}}){{0,4}}))?"
)


def paper_before(text: str, start: int, at: int) -> Node:
    """Return the paper that a sentence, which begins at `start`, speaks of at a place.

    That is the text itself, but where the words last before that place tell another one: "the
    previous agreement", "the lease of Unit 2" beside one of Unit 1, "the Guarantee".
    """
    found = list(_SPOKEN_OF.finditer(text, start, at))
    # "the guarantee of this lease" is the guarantee
    ends = [one.end() for one in found]
    found = [
        one
        for one, last in zip(found, [start, *ends], strict=False)
        if last == start or text[last : one.start()].strip() not in {"of", "to", "under", "for"}
    ]
    if not found or any(one["lead"].casefold() == "this" for one in found):
        return AGREEMENT
    last = found[-1]
    mods = _RE["no_mark"].sub("", last["mods"])
    label = " ".join(f"{mods}{last['noun']}{last['whose'] or ''}".split())
    apart = _ANOTHER.search(last["mods"]) is not None
    apart = apart or (_RE["earlier"].search(last["mods"]) and _RE["this"].search(text)) is not None
    kinds = {"agreement", "contract", "lease"}
    other = last["noun"].casefold() not in kinds and not _RE["own_paper"].search(last[0])
    alike = _alike(text)[last["noun"].casefold()]
    apart = apart or any(
        mine and len({*theirs} - {""}) > 1
        for mine, theirs in (
            (last["whose"], {whose for _, whose in alike}),
            (_sort(last), {sort for sort, _ in alike}),
        )
    )
    return mint(ENTITY, label) if apart or other else AGREEMENT


@lru_cache(maxsize=4)
def _alike(text: str) -> Mapping[str, set[tuple[str, str]]]:
    """Return of which sort the papers of each kind are in a text, and with, of or for what."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for one in _SPOKEN_OF.finditer(text):
        found[one["noun"].casefold()].add((_sort(one), " ".join((one["whose"] or "").split())))
    return found


def _sort(paper: re.Match[str]) -> str:
    """Return what a paper is in small letters: "loan" agreement, "pledge" agreement.

    Of "the initial term of the agreement" what stands before "of the" is none of it.
    """
    words = _RE["no_mark"].sub("", paper["mods"]).split()
    before = [n for n, one in enumerate(words, 1) if one.lower() in PREPOSITIONS | DETERMINERS]
    return " ".join(word for word in words[max(before, default=0) :] if word.islower())


def paper_names(extractions: Sequence[Extraction]) -> list[Mapping[Node, Node]]:
    """Return what each text calls the paper that it is, mapped to that; nothing of other texts."""
    contract = any(
        c.triple.subject == AGREEMENT or c.triple.object == AGREEMENT
        for e in extractions
        for c in e.claims
    )
    contract = contract or any(
        _RE["own_paper"].search(e.document.text[:20_000]) for e in extractions
    )
    return [_papers(extraction) if contract else {} for extraction in extractions]


def _papers(extraction: Extraction) -> dict[Node, Node]:
    """Map the names of the contract itself to `agreement`: `this Lease`."""
    opening = " ".join(extraction.document.text[:1500].casefold().split())
    out: dict[Node, Node] = {}
    for node, label in extraction.labels.items():
        if isinstance(node, Literal) or not str(node).startswith(str(ENTITY)):
            continue
        low = label.casefold()
        words = low.split()
        if not words or words[-1] not in _PAPERS or len(words) > 16 or _ANOTHER.search(label):
            continue
        other = re.search(r"\b(?:certain|an?|prior|original)\s+" + re.escape(low), opening)
        other = other or (_RE["earlier"].search(low) and _RE["this"].search(opening))
        bare = len(words) == 1 and low in {"agreement", "contract", "lease"}
        if bare or (len(words) > 1 and low in opening and not other):
            out[node] = AGREEMENT
    out.pop(AGREEMENT, None)
    return out

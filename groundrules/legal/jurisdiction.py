"""Whose law governs a contract, and which court alone hears its disputes, in fixed phrasing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from rdflib.term import URIRef

from groundrules.claims.documents.document import plain
from groundrules.claims.facts.phrases import normalised
from groundrules.claims.names.names import lists
from groundrules.legal.lawphrases import phrases, rows
from groundrules.legal.namespace import LX
from groundrules.legal.papers import paper_before
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import ENTITY, mint

_LAWS, _RE = phrases("lawplaces"), phrases("forums")
_FORUMS = rows("forums", "forums")


@lru_cache(maxsize=64)
def governing_places(text: str) -> tuple[tuple[int, int, int, bool], ...]:
    """Return where a text says whose law governs, the ends of that place, and whether none does."""
    out = []
    for pattern in (
        _LAWS["governed"],
        _LAWS["law"],
        _LAWS["laws_govern"],
        _LAWS["under"],
        _LAWS["named_law"],
    ):
        for found in pattern.finditer(text):
            before = text[found.start() - 12 : found.start()]
            said = text[found.start() : found.start("place")][:40]
            negative = re.search(r"\bnot\b", before + said) is not None
            places = _places(text, found.start("place"), found.end("place"))
            # "Dutch law governs the lease": the paper stands behind
            ends = (
                _LAWS["clause_end"].finditer(text, found.end())
                if pattern in (_LAWS["law"], _LAWS["laws_govern"])
                else iter(())
            )
            at = next((end.start() for end in ends), found.start())
            out += [(at, start, end, negative) for start, end in places]
    return tuple(out)


def _places(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give the places that begin a stretch of text: `the State of New York, without ...`."""
    known = lists()["places"]
    state = _LAWS["state"].match(text, start, end)
    if state:
        start = state.end()
    stop = _LAWS["place_stop"].search(text, start, end)
    end = stop.start() if stop else end
    at = start
    for part in re.split(r"(,)", text[start:end]):
        size = len(part)
        words = part.split()
        if part != "," and words and words[0][:1].isupper() and len(words) < 7:
            a = at + len(part) - len(part.lstrip())
            inner = _LAWS["state"].match(text, a, at + size)
            a = inner.end() if inner else a
            b = at + len(part.rstrip())
            words = text[a:b].split()
            for n in range(len(words), 0, -1):
                if normalised(" ".join(words[:n])).casefold() in known:
                    b = a + [m.end() for m in re.finditer(r"\S+", text[a:b])][n - 1]
                    break
            if a < b and text[a].isupper():
                yield a, b
        elif part != "," and words:
            break
        at += size


def read_forums(assertions: Assertions) -> None:
    """State the court that alone is to hear the disputes of a paper, or some of them."""
    text = plain(assertions.extraction.document)
    for sentence in assertions.extraction.sentences:
        words = " ".join(text[sentence.start : sentence.end].split())
        if len(words) > 600 or not re.search(
            r"(?i)exclusiv|\bonly\b|\bsolely\b|\bsole\b|\balone\b|nowhere|no other", words
        ):
            continue
        for pattern, _ in _FORUMS:
            found = pattern.search(words)
            if found is None:
                continue
            paper = paper_before(text, sentence.start, sentence.end)
            told = re.sub(r"^(?:over|of|in|for)\s", "", (found["scope"] or "").strip(" ,"))
            scope = re.sub(r"^(?:\d{1,2}(?:\.\d{1,2})*\.?\s)", "", told)
            subject = URIRef(str(paper))
            if scope and not _RE["all"].fullmatch(scope):
                subject = mint(ENTITY, f"{paper} as to {scope.casefold()}")
                assertions.labels.setdefault(subject, f"agreement as to {scope}")
            place = mint(ENTITY, f"courts of {found['place']}")
            assertions.labels.setdefault(place, f"the courts of {found['place']}")
            assertions.labels.setdefault(subject, "agreement")
            span = assertions.span(sentence.start, sentence.end)
            assertions.state(subject, LX.exclusiveForum, place, span)
            break

"""The one court that a contract says is to hear its disputes, or some of them."""

from __future__ import annotations

import re

from rdflib.term import URIRef

from groundrules.claims.document import plain
from groundrules.legal.lawphrases import phrases, rows
from groundrules.legal.namespace import LX
from groundrules.legal.papers import paper_before
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import ENTITY, mint

_RE = phrases("forums")
_FORUMS = rows("forums", "forums")


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

"""Whether the sources claim by a fixed phrase what a statement claims, of the same names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rdflib.term import Literal

from groundrules.align.alignments import Hypothesis
from groundrules.align.coverage import LeftOver, bind_alike, lacking
from groundrules.align.normal_words import tables
from groundrules.claims.facts.offline import Extraction
from groundrules.terms import RELATION, Claim

#: The kinds of mentions of somebody or of a place.
_SOMEBODY = frozenset({"PERSON", "ORG", "LOC"})
#: What a claim says, whoever says it and wherever.
Content = tuple[object, ...]


def phrased_claims(sources: Iterable[Extraction]) -> dict[Content, bool]:
    """Return what the sources claim, and whether a fixed phrase says it in words of its own."""
    out: dict[Content, bool] = {}
    for source in sources:
        for claim in source.claims:
            out[_content_key(claim)] = out.get(_content_key(claim), False) or claim.parts[1] is None
    return out


def is_told(
    asked: Hypothesis,
    at: int,
    left: LeftOver,
    claims: Sequence[Claim],
    known: Mapping[Content, bool],
) -> bool:
    """Return whether the sources claim by a fixed phrase what a statement at a place claims.

    `left` is what it and the nearest sentence leave over of each other, `known` what they claim.
    """
    alike = _is_phrased(claims, known) and bind_alike(asked.text, asked.passages)
    return alike and _is_named_alike(asked, at, left, claims)


def _content_key(claim: Claim) -> Content:
    return claim.triple, claim.polarity, claim.modality, claim.attribution


def _is_named_alike(asked: Hypothesis, at: int, left: LeftOver, claims: Iterable[Claim]) -> bool:
    """Return whether a fixed phrase has its names as a source has: none more, in the same order.

    Those of somebody, whom its claims tell of, are compared by them. Nor is a word left over that
    binds, counts or turns, and where nothing is, no name of the source that may limit what it says:
    "firms in Norway".
    """
    ends = [end for claim in claims for end in (claim.parts[0], claim.parts[2]) if end is not None]
    told = [
        (m.span.start - at, m.span.end - at)
        for m in asked.mentions
        if m.kind in _SOMEBODY
        and any(e.start <= m.span.start and m.span.end == e.end for e in ends)
    ]
    first, *others = re.finditer(r"\w+", asked.text)
    own = [
        (n, word[0].casefold())
        for n, word in enumerate(others)
        if word[0][0].isupper() and not any(a <= word.start() < b for a, b in told)
    ]
    if any(word.lower() in _binding() for word in left.statement):
        return False
    if not left.statement and any(word[:1].isupper() for word in left.source):
        return False
    alone = not own or own[-1][0] - own[0][0] == len(own) - 1  # else two may be exchanged
    nearest = sorted(asked.passages, key=lambda passage: lacking(asked.text, passage))
    for passage in nearest if alone else nearest[:1]:
        there = re.findall(r"\w+", passage.casefold())
        opening = [first[0].casefold()] if first[0].casefold() in there else []
        places = iter(there)
        if all(name in places for name in opening + [name for _, name in own]):
            return True
    return False


def may_bind(word: str) -> bool:
    """Return whether a word of a statement may limit, count or turn what it says: no plain word."""
    limits = _binding() - tables()["forces"].keys() - tables()["joining"]
    return word[:1].isupper() or any(map(str.isdigit, word)) or word.lower() in limits


@lru_cache(maxsize=1)
def _binding() -> frozenset[str]:
    names = ("universal", "limiting", "joining", "few", "seldom", "rare", "some", "shares")
    rows = [frozenset(tables()[name]) for name in names]
    return frozenset().union(*rows, *tables()["turns"], tables()["forces"]) - {"a", "an", "with"}


def _is_phrased(claims: Iterable[Claim], known: Mapping[Content, bool]) -> bool:
    """Return whether the sources claim by a fixed phrase just what a statement claims.

    "Delaware law governs this contract" and "shall be construed under the laws of Delaware" are
    one claim, though hardly a word is tied alike.
    """
    told = [c for c in claims if c.parts[1] is None or isinstance(c.triple.object, Literal)]
    told = [c for c in told if c.triple.predicate != RELATION["be"]]  # "the tanker Brila"
    return bool(told) and all(
        _content_key(c) in known and (c.parts[1] is None or known[_content_key(c)]) for c in told
    )

"""Names of the contract itself: "this Lease" and "the Agreement" are one paper."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rdflib.term import Literal, Node

from groundrules.legal.namespace import AGREEMENT
from groundrules.terms import ENTITY

if TYPE_CHECKING:
    from groundrules.claims.offline import Extraction

#: Words that call a paper by its kind; "this agreement" is the document that says so.
_PAPERS = frozenset(
    "agreement contract lease amendment addendum license licence deed mortgage arrangement".split()
)
_OWN_PAPER = re.compile(
    r"\bthis\s+(?:[\w&-]+\s+){0,4}?(?:lease|agreement|contract)\b|\b(?:Landlord|Tenant|Lessor|Lessee|Licensor|Licensee)\b",
    re.I,
)


def paper_names(extractions: Sequence[Extraction]) -> list[Mapping[Node, Node]]:
    """Return what each text calls the paper that it is, mapped to that; nothing of other texts."""
    contract = any(
        c.triple.subject == AGREEMENT or c.triple.object == AGREEMENT
        for e in extractions
        for c in e.claims
    )
    contract = contract or any(_OWN_PAPER.search(e.document.text[:20_000]) for e in extractions)
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
        if not words or words[-1] not in _PAPERS or len(words) > 16:
            continue
        other = re.search(r"\b(?:certain|an?|prior|original)\s+" + re.escape(low), opening)
        bare = len(words) == 1 and low in {"agreement", "contract", "lease"}
        if bare or (len(words) > 1 and low in opening and not other):
            out[node] = AGREEMENT
    out.pop(AGREEMENT, None)
    return out

"""Legal citations in a text, as eyecite finds them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rdflib.term import Literal, URIRef

from groundrules.claims.values.value_reader import Value
from groundrules.domain import ValueKind
from groundrules.legal.lawphrases import phrases
from groundrules.terms import GR

#: A citation is written as eyecite corrects it: `"410 U.S. 113"^^gr:citation`, volume, reporter and
#: page or section. The IRI is older than the domain: reports and stores have it.
_CITATION_TYPE = URIRef(f"{GR}citation")
_RE = phrases("citations")
_WINDOW = 4000


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation in full and its half-open code-point range, year and subsections included.

    `text` is how it is usually written. Of a decision, `place` is volume, reporter and page; it is
    None for a statute.
    """

    start: int
    end: int
    text: str
    place: tuple[str, str, str] | None = None


def find_values(text: str) -> Iterator[Value]:
    """Yield the citations of a text as values, years and subsections behind them included."""
    for cited in find_citations(text):
        literal = Literal(cited.text, datatype=_CITATION_TYPE, normalize=False)
        yield Value(cited.start, cited.end, CITATION.name, literal)


def _are_two(one: str, other: str) -> bool:
    """Return whether two citations are surely of two decisions or provisions.

    One decision may stand in several reporters, in each at one place; hardly ever in two at the
    same volume and page.
    """
    reporters = _reporter(one), _reporter(other)
    places = [text.replace(by, "") for text, by in zip((one, other), reporters, strict=True)]
    return len({*reporters}) == 1 or places[0] == places[1]


def _reporter(citation: str) -> str:
    """Return the reporter or code of a citation: what stands between its first and last number."""
    return re.sub(r"^\d+\s+|(?<!\s)\s+(?:§\s*)?\S+$", "", citation)


CITATION = ValueKind(name="CITATION", datatype=_CITATION_TYPE, differ=_are_two)


def find_citations(text: str) -> Iterator[Cited]:
    """Yield the citations in full of a text, in order; none overlap.

    eyecite is quadratic, so it sees windows of at most `_WINDOW` characters that begin at a
    candidate and reach 60 characters past the last one; what two windows share is read once.
    """
    windows: list[tuple[int, int]] = []
    for match in _RE["maybe"].finditer(text):
        start, end = match.start(), min(match.end() + 60, len(text))
        if windows and start <= windows[-1][1] and end - windows[-1][0] < _WINDOW:
            windows[-1] = (windows[-1][0], end)
        else:
            windows.append((start, end))
    last = 0
    for start, end in windows:
        for citation in _cited(text, start, end):
            if citation.start >= last:
                last = citation.end
                yield citation


def _cited(text: str, start: int, end: int) -> Iterator[Cited]:
    from eyecite.models import FullCitation, FullLawCitation

    window = text[start:end]
    found = [c for c in _eyecite()(window) if isinstance(c, FullCitation)]
    for citation in sorted(found, key=lambda c: tuple(c.span())):
        first, last = citation.span()
        if not (0 <= first < last <= len(window)) or _RE["address"].match(text, start + last):
            continue
        place = None
        if isinstance(citation, FullLawCitation):
            tail = _RE["subsection"].match(text, start + last)
            last += len(tail[0]) if tail else 0
            shown = re.sub(r"§+", " § ", text[start + first : start + last])
            shown = " ".join(shown.split())
        else:
            shown = citation.corrected_citation()
            tail = _RE["parenthesis"].match(text, start + last)
            last += len(tail[0]) if tail else 0
            groups = citation.groups
            volume, page = groups.get("volume"), groups.get("page")
            if volume and page:
                place = (str(volume), str(citation.corrected_reporter()), str(page))
        yield Cited(start + first, start + last, shown, place)


@lru_cache(maxsize=1)
def _eyecite() -> Callable[[str], list[Any]]:
    import logging

    import eyecite

    logging.getLogger("eyecite.helpers").setLevel(logging.ERROR)  # it reports overlaps to stderr
    find: Callable[[str], list[Any]] = eyecite.get_citations
    return find

"""The sentences of a source near some places, items of a list behind their leads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from groundrules.align.words.parses import parse
from groundrules.align.words.segments import Segment, segments
from groundrules.claims.units.units import cut_sentences

#: Longest segment that is read whole, in code points.
_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a source: its words, the text before it, its range in the source."""

    text: str
    before: str
    start: int
    end: int


def sentences_around(source: str, places: Sequence[tuple[int, int]]) -> tuple[SourceSentence, ...]:
    """Return the sentences of a source around some places, but for items that a lead leaves out."""
    found = []
    for segment, before in _around(source, places):
        text = segment.text
        for start, end in cut_sentences(text, 0, len(text)) if segment.denied is None else ():
            place = segment.place(start, end) or (segment.start, segment.end)
            ahead = f"{before}\n{text[:start]}"
            found.append(SourceSentence(text[start:end].strip(), ahead, *place))
    return tuple(found)


def _around(source: str, places: Sequence[tuple[int, int]]) -> Iterator[tuple[Segment, str]]:
    """Yield the segments that some places lie in, each with the text of the one before it."""
    for segment, before in _segments(source):
        inside = [one for one in places if one[0] < segment.end and segment.start < one[1]]
        if inside and len(segment.text) > _LONGEST:  # what was found in it, each by itself
            yield from ((Segment(start, end, source[start:end]), "") for start, end in inside)
        elif inside:
            yield segment, before


@lru_cache(maxsize=64)
def _segments(source: str) -> tuple[tuple[Segment, str], ...]:
    """Return the segments of a source, each with what its pronouns may stand for."""
    found = []
    before = ""
    for segment in segments(source, parse):
        found.append((segment, segment.before or before))
        before = segment.text if len(segment.text) <= _LONGEST else ""
    return tuple(found)

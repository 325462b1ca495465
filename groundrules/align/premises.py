"""The premise of a statement: the units of its sources that bear on it, read as one short text.

A statement often puts together what stands in two places, and a place often needs what stands
before it: its heading, or the sentence that its pronoun points to. So the units are chosen together
(`nearest_passages`), then what stands beside them is added while there is room.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from groundrules.align.passages import Passages, index_passages, nearest_passages
from groundrules.claims.units.units import Kind, Unit, units
from groundrules.models.readers import WORDS, Asked, Entailment, Reader, read_statements

if TYPE_CHECKING:
    from groundrules.align.statements import AlignedStatement

#: The most units chosen for the words of the statement.
MOST = 8


@dataclass(frozen=True, slots=True)
class Index:
    """The units of the sources in order, by their words; `first[i]` is the first of source i."""

    units: tuple[Unit, ...]
    passages: Passages
    first: tuple[int, ...]

    def headings(self, place: int) -> int:
        """Return the place of the heading above a unit, or -1."""
        above = self.units[place].heading
        return above if above < 0 else self.first[self.passages.owner[place]] + above


def index_units(sources: Iterable[Sequence[Unit]]) -> Index:
    """Index the units of the sources, in order."""
    sources = [tuple(source) for source in sources]
    first, count = [], 0
    for source in sources:
        first.append(count)
        count += len(source)
    passages = index_passages([unit.text for unit in source] for source in sources)
    return Index(tuple(unit for source in sources for unit in source), passages, tuple(first))


@lru_cache(maxsize=2)  # a text is read again with its edits, beside the same sources
def indexed(sources: tuple[str, ...]) -> Index:
    """Return the index of the units of some sources."""
    return index_units(units(source) for source in sources)


def premise_places(statement: str, index: Index, words: int = WORDS) -> list[int]:
    """Return the places of the units that bear on a statement, in the order of the sources.

    They have about so many words, or are all of them where these have no more.
    """
    lengths, owner = index.passages.lengths, index.passages.owner
    if sum(lengths) <= words:
        return list(range(len(lengths)))
    nearest = nearest_passages(statement, index.passages, most=MOST, budget=words)
    chosen = dict.fromkeys(nearest)
    left = words - sum(lengths[place] for place in nearest)
    for place in nearest:
        for beside in (place - 1, place + 1):
            if not 0 <= beside < len(lengths) or owner[beside] != owner[place]:
                continue
            if index.units[beside].kind in (Kind.HEADING, Kind.HEAD):
                continue
            if beside not in chosen and lengths[beside] <= left:
                chosen[beside] = None
                left -= lengths[beside]
    return sorted(chosen)


def premise(places: Sequence[int], index: Index) -> tuple[str, ...]:
    """Return the units at some places, each heading before the first unit under it."""
    out: list[str] = []
    told = set(places)
    for place in places:
        above = index.headings(place)
        if above >= 0 and above not in told:
            told.add(above)
            out.append(_closed(index.units[above].text, ":"))
        unit = index.units[place]
        out.append(_closed(unit.text, ":" if unit.kind is Kind.HEADING else "."))
    return tuple(out)


def readings(
    statements: Sequence[AlignedStatement], index: Index, reader: Reader
) -> dict[int, Entailment | str]:
    """Return by number what a reader makes of statements beside the passages that fit.

    Where all sources fit, they are what is shown.
    """
    asked = []
    for at in range(0, len(statements), reader.together):
        own = statements[at : at + reader.together]
        places = {
            place
            for one in own
            for place in premise_places(one.text, index, max(WORDS, reader.words // len(own)))
        }
        if sum(index.passages.lengths) <= reader.words:
            places = set(range(len(index.units)))
        shown = premise(sorted(places), index)
        asked += [Asked(one.text, shown, one.unstated) for one in own]
    return dict(
        zip((one.number for one in statements), read_statements(asked, reader), strict=True)
    )


def _closed(text: str, stop: str) -> str:
    return text if text[-1:] in '.?!:;"”’)' else text + stop

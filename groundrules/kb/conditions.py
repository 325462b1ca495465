"""What the rows of a class are to have, by a question in its pieces, each taken as it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from rdflib.term import Literal, URIRef

from groundrules.claims.english.asking import BARE_LINKS
from groundrules.kb.columns import Column
from groundrules.kb.pieces import IN_WHICH, Condition, Piece, Pieces


class CannotError(Exception):
    """A question cannot be read, and why."""


def things_of(piece: Piece) -> tuple[URIRef, ...]:
    """Return the one thing that a name is of; CannotError where there are several."""
    if len(piece.things) > 1:
        raise CannotError(f"several things are called “{piece.text}”")
    return (piece.things[0].iri,)


def the_one(columns: Iterable[Column], words: str) -> Column:
    """Return the one column that is meant."""
    found = list(columns)
    if len(found) > 1:
        labels = ", ".join(sorted(one.label for one in found))
        raise CannotError(f"“{words}” may be one of several columns: {labels}")
    if not found:
        raise CannotError(f"the records hold no column on “{words}” for what is asked")
    return found[0]


def is_bare(asked: Pieces, name: Piece) -> bool:
    """Return whether nothing but "in", "of" or "at" links a name to the rest."""
    if IN_WHICH.match(asked.text):
        return True
    before = asked.text[: name.start].split()
    after = asked.text[name.end :].strip(" ?.!").split()
    return (before[-1:] or [""])[0].lower() in BARE_LINKS or (
        (after[-1:] or [""])[0].lower() in BARE_LINKS
    )


def check_together(asked: Pieces, conditions: Sequence[Condition]) -> None:
    """Refuse what two values of one column come to: "in A and B" may be either or both."""
    for _, some in groupby(sorted(conditions, key=lambda c: c.column.iri), lambda c: c.column.iri):
        if len([one for one in some if one.side == "is"]) > 1:
            raise CannotError("it is not told whether one of the values or all of them are meant")


def any_of(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    """Return two values of one column as one condition that either fulfils."""
    if len(conditions) == 2:
        one, other = conditions
        if one.side == other.side == "is" and one.column == other.column and not one.back:
            return (replace(one, others=(other.value,)),)
    return tuple(conditions)


def conditions_of(asked: Pieces, kinds: frozenset[URIRef]) -> Iterator[Condition]:
    """Yield what rows of some classes are to have, taking the pieces that say so."""
    own = asked.columns.of(kinds)
    for bound in list(asked.bounds):
        dated = isinstance(bound.value, Literal) and bound.value.datatype is None
        wanted = "time" if dated else "quantity"
        near = sorted(asked.asked, key=lambda one: _apart(one, bound))
        for piece in [bound] if bound.measured else near:
            known = bound.measured or piece.columns
            fitting = [one for one in known if one in own and one.kind == wanted]
            if fitting and bound.side and bound.value is not None:
                column = the_one(fitting, piece.text)
                yield Condition(column, bound.side, bound.value)
                if bound.other is not None:
                    yield replace(bound.other, column=column)
                asked.take(*dict.fromkeys((bound, piece)))
                break
    for text in list(asked.texts):
        column = text.columns[0]
        if column not in own:
            continue
        beside = [one for one in asked.asked if column in one.columns]
        if text.value is not None:
            yield Condition(column, "is", text.value)
            asked.take(text, *beside[:1])
    before: Condition | None = None
    for name in list(asked.names):
        types = name.things[0].types
        if before and asked.turned == "or" and not before.column.values.isdisjoint(types):
            asked.take(name)
            yield replace(before, value=things_of(name)[0])
            continue
        before = _linked(asked, name, kinds)
        yield before


def _apart(a: Piece, b: Piece) -> int:
    return max(b.start - a.end, a.start - b.end)


def _linked(asked: Pieces, name: Piece, kinds: frozenset[URIRef]) -> Condition:
    """Return that rows have a thing in a column, or it them, taking the pieces that say so."""
    types = frozenset(name.things[0].types)

    def ways(columns: Iterable[Column]) -> list[tuple[Column, bool]]:
        known = list(columns)
        held = [(one, False) for one in known if leads(one, kinds, types)]
        return held + [(one, True) for one in known if leads(one, types, kinds)]

    near = sorted(asked.asked, key=lambda one: _apart(one, name))
    piece = next((one for one in near if ways(one.columns)), None)
    if piece is None and not is_bare(asked, name):
        raise CannotError(f"it does not say how “{name.text}” is related to what is asked for")
    found = ways(piece.columns if piece else asked.columns.all)
    if len(found) == 2 and found[0][0] == found[1][0]:
        raise CannotError(f"“{piece.text if piece else name.text}” can be read both ways")
    column = the_one((one for one, _ in found), piece.text if piece else name.text)
    back = found[0][1]
    asked.take(name, *([piece] if piece else []))
    return Condition(column, "is", things_of(name)[0], back)


def leads(column: Column, rows: frozenset[URIRef], values: frozenset[URIRef]) -> bool:
    """Return whether a column leads from things of some classes to those of others."""
    return not column.rows.isdisjoint(rows) and not column.values.isdisjoint(values)


def extreme_of(asked: Pieces, kinds: frozenset[URIRef]) -> tuple[Column | None, bool]:
    """Return the column of which the greatest or the least is asked, taking its pieces."""
    found = asked.some(lambda one: one.extreme)
    if not found:
        return None, False
    own = asked.columns.of(kinds)
    word = found[0]
    asked.take(word)
    if word.columns:
        return the_one(
            [one for one in word.columns if one in own], word.text
        ), word.extreme == "least"
    near = sorted(asked.asked, key=lambda one: _apart(one, word))
    for piece in near:
        fitting = [one for one in piece.columns if one in own and one.kind in ("time", "quantity")]
        if fitting:
            asked.take(piece)
            return the_one(fitting, piece.text), word.extreme == "least"
    raise CannotError(f"it does not say of which column “{word.text}” is meant")

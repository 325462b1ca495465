"""A question as a look-up in columns: every word of it is read, or it is not answered.

A question has pieces: names of things, words of columns and of classes, values that a column of
texts has, days and amounts with what they bound, and words that say nothing. It is read where each
piece has its place in one look-up: the value of a column, the rows under some conditions
(`kb/conditions.py`), how many those are, or whether it is so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal as OneOf

from rdflib.term import URIRef

from groundrules.claims.english.asking import ALL_OF, LISTING, PLACES, STANDING, TURNING, WHETHER
from groundrules.kb.column_units import converts, unit_of, without_unit
from groundrules.kb.columns import Column, Columns
from groundrules.kb.conditions import (
    CannotError,
    any_of,
    check_together,
    conditions_of,
    extreme_of,
    is_bare,
    leads,
    the_one,
    things_of,
)
from groundrules.kb.link.properties import Relations
from groundrules.kb.pieces import HEAD, Condition, Named, Piece, Pieces, read_pieces
from groundrules.kb.source import Graph

#: What turns a question that may be read all the same, with what stands before it.
_TURNS = {
    "not": re.compile(r"(?i)\b(is|are|was|were)(?:n['’]t| not)\s+"),
    "or": re.compile(r"(?i)(\w) or\s+"),
}
_OF_ALL = re.compile(rf"(?i)^(\W{{0,9}}(?:{'|'.join(sorted(WHETHER))}))\s+{ALL_OF}\s+")
_LIST_OF_ALL = re.compile(rf"(?i)^(\W{{0,9}}(?:list|name|show|give)(?: me)?)\s+{ALL_OF}\s+")
#: What is asked for: the values of a column, rows, how many of either, or whether it is so of some
#: or of every one.
Form = OneOf["values", "rows", "count", "whether", "every"]


@dataclass(frozen=True, slots=True)
class Lookup:
    """What a question asks of columns.

    Its rows are `things`, or all of the class `kind`, under its conditions; `wanted` is the column
    whose values are asked for, `back` if the rows are its values. `extreme` is the column of which
    the greatest or the least is meant; an amount is wanted in a `unit`, if one is asked for.
    """

    form: Form
    things: tuple[URIRef, ...] = ()
    kind: URIRef | None = None
    conditions: tuple[Condition, ...] = ()
    wanted: Column | None = None
    back: bool = False
    extreme: Column | None = None
    least: bool = False
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a question is no look-up: the words that no column has, or how it cannot be told.

    `known` says whether anything in it is of the records.
    """

    reason: str
    known: bool = False


def read_lookup(
    question: str,
    columns: Columns,
    graph: Graph,
    *,
    named: Named,
    relations: Relations,
) -> Lookup | Unread:
    """Return what a question asks of columns, or why it cannot be read whole.

    `named` finds what bears names; `relations` knows phrases for columns besides their names.

    Raises:
        UnansweredError: the graph could not be asked.
    """
    without, unit = without_unit(question)
    plain, turned = _turned(without)
    asked = read_pieces(plain, columns, graph, named)
    asked.turned = turned
    known = bool(asked.names or asked.texts or asked.kinds)
    if asked.unread:
        found = _by_phrase(asked, relations)
        if found is not None and not unit:
            return found
        return Unread(_unread(asked.unread), known)
    try:
        return _measured_in(_turn(_assembled(asked), turned), unit)
    except CannotError as error:
        return Unread(str(error), known)


def _turned(question: str) -> tuple[str, str]:
    """Return a question without its one "not" or "or", and which of the two it has."""
    question = _LIST_OF_ALL.sub(r"\1 ", question, count=1)
    if _OF_ALL.match(question):
        return _OF_ALL.sub(r"\1 ", question, count=1), "all"
    for word, pattern in _TURNS.items():
        found = pattern.findall(question)
        if len(found) == 1:
            return pattern.sub(r"\1 ", question, count=1), word
    return question, ""


def _turn(lookup: Lookup, turned: str) -> Lookup:
    """Return a look-up of which the one condition is denied, or has one of several values."""
    if not turned or lookup.form == "every":
        return lookup
    first, *others = lookup.conditions or (None,)
    refused = CannotError(f"it is not read what is asked by “{turned}”")
    if first is None or first.side != "is" or first.back or lookup.form == "values":
        raise refused
    if turned == "not" and not others:
        return replace(lookup, conditions=(replace(first, denied=True),))
    if turned == "or" and first.others:
        return lookup
    raise refused


def _measured_in(lookup: Lookup, unit: str) -> Lookup:
    """Return a look-up of an amount in a unit; refused where the column says none, or another."""
    if not unit:
        return lookup
    column = lookup.wanted
    if column is None or lookup.form != "values" or column.kind != "quantity":
        raise CannotError(f"it is not read what is asked by “in {unit}”")
    own = unit_of(column.label)
    if not own:
        raise CannotError(f"the records do not say in which unit “{column.label}” is, for “{unit}”")
    if not converts(own, unit):
        raise CannotError(f"“{column.label}” is no amount in “{unit}”")
    return replace(lookup, unit=unit)


def _unread(words: Iterable[str]) -> str:
    """Say which words are of nothing: names, words of columns, and those of grammar."""
    distinct = list(dict.fromkeys(words))
    turning = [word for word in distinct if word.lower() in TURNING]
    named = [word for word in distinct if word[:1].isupper() and word not in turning]
    standing = [word for word in distinct if word.lower() in STANDING]
    others = [word for word in distinct if word not in (*turning, *named, *standing)]
    if standing:
        several = ", ".join(f"“{word}”" for word in standing)
        return f"{several} names nothing: a question is asked by itself"
    said = [
        ("the records hold nothing called", named),
        ("the records hold no column on", others),
        ("it is not read what is asked by", turning),
    ]
    return "; ".join(
        f"{lead} {', '.join(f'“{word}”' for word in some)}" for lead, some in said if some
    )


def _assembled(asked: Pieces) -> Lookup:
    """Return the look-up in which each piece has its place."""
    _rows_called(asked)
    if asked.head in WHETHER:
        return _whether(asked)
    if asked.head == "how many":
        found = _counted(asked)
    elif asked.head in LISTING or asked.head in ("who", "whom"):
        found = _listed(asked)
    elif asked.head in ("when", "where", "how", "how much"):
        found = _valued(asked)
    else:
        raise CannotError("it is no question of which, who, when, where, how many or whether")
    _spent(asked)
    return found


def _rows_called(asked: Pieces) -> None:
    """Take a value that begins a question for the rows that have it: "which ferries are …"."""
    first = asked.pieces[0] if asked.pieces else None
    if first is None or first not in asked.texts or asked.kinds or asked.head in WHETHER:
        return
    rows = tuple(first.columns[0].rows)
    if len(rows) == 1:
        asked.pieces.insert(0, Piece(first.start, first.start, first.text, kinds=rows))


def _spent(asked: Pieces) -> None:
    if asked.pieces:
        several = ", ".join(f"“{one.text}”" for one in asked.pieces)
        raise CannotError(f"the records do not tell how {several} is meant here")


def _apposed(asked: Pieces) -> None:
    """Take the class words that stand beside a name of that class: "the grant Deep Soil"."""
    for kind in asked.kinds:
        for name in asked.names:
            gap = asked.text[kind.end : name.start] if kind.end <= name.start else "x"
            if not gap.strip() and set(kind.kinds) & set(name.things[0].types):
                asked.take(kind)
                break


def _valued(asked: Pieces) -> Lookup:
    """Read "when was X opened", "where is the seat of X", "how tall is X"."""
    _apposed(asked)
    if len(asked.names) != 1 or len(asked.asked) > 1:
        raise CannotError("it does not name one thing and one column")
    name = asked.names[0]
    own = asked.columns.of(name.things[0].types)
    wanted = {"when": {"time"}, "where": {"item", "text"}}.get(asked.head, {"quantity"})
    piece = asked.asked[0] if asked.asked else None
    fitting = [
        one for one in (piece.columns if piece else own) if one in own and one.kind in wanted
    ]
    if asked.head == "where":
        fitting = [one for one in fitting if _is_place(one, asked.columns)]
    words = piece.text if piece else asked.head
    if piece is None and asked.head != "where":
        raise CannotError(f"it does not say what of “{name.text}” is asked")
    column = the_one(fitting, words)
    asked.take(name, *([piece] if piece else []))
    return Lookup("values", things_of(name), wanted=column)


def _is_place(column: Column, columns: Columns) -> bool:
    words = {word for kind in column.values for word in columns.labels[kind].lower().split()}
    return not PLACES.isdisjoint({*words, *column.label.lower().split()})


def _counted(asked: Pieces) -> Lookup:
    """Read "how many rows have …", "how many employees has X", "how many keepers has X"."""
    first = next((one for one in asked.pieces if one not in asked.texts), None)
    if first is not None and first.kinds:
        return replace(_rows(asked, first), form="count")
    if first is None or not first.columns or first.value is not None:
        raise CannotError("it does not say of what the number is asked")
    asked.take(first)
    _apposed(asked)
    if len(asked.names) != 1:
        raise CannotError("it does not name one thing")
    name = asked.names[0]
    own = asked.columns.of(name.things[0].types)
    column = the_one([one for one in first.columns if one in own], first.text)
    if column.kind not in ("quantity", "item"):
        raise CannotError(f"“{first.text}” is no number in the records")
    asked.take(name)
    form: Form = "values" if column.kind == "quantity" else "count"
    return Lookup(form, things_of(name), wanted=column)


def _listed(asked: Pieces) -> Lookup:
    """Read "who holds X", "what is the P of X", "which rows have …"."""
    first = next((one for one in asked.pieces if one not in asked.texts and not one.extreme), None)
    if asked.head in LISTING and first is not None and first.kinds:
        # "which county is X in": the class of a value
        ends = [one for one in asked.names if one is not first]
        if len(ends) == 1 and (found := _other_end(asked, first, ends[0])):
            return found
        return _rows(asked, first)
    _apposed(asked)
    if len(asked.names) == 1 and len(asked.asked) == 1 and not asked.bounds:
        name, piece = asked.names[0], asked.asked[0]
        column, back = _relation(asked, name, piece)
        if asked.head in ("who", "whom"):
            _check_person(column, piece, asked.columns)
        asked.take(name, piece)
        return Lookup("values", things_of(name), wanted=column, back=back)
    raise CannotError("it does not name one thing and one column")


def _check_person(column: Column, piece: Piece, columns: Columns) -> None:
    if column.kind not in ("item", "text") or _is_place(column, columns):
        raise CannotError(f"“{piece.text}” is nobody in the records")


def _other_end(asked: Pieces, kind: Piece, name: Piece) -> Lookup | None:
    """Read "which C … X" where the C are what X has in a column, None if they are rows."""
    own = asked.columns.of(name.things[0].types)
    held = [one for one in own if not one.values.isdisjoint(kind.kinds)]
    back = [
        one
        for one in asked.columns.all
        if not one.values.isdisjoint(name.things[0].types) and not one.rows.isdisjoint(kind.kinds)
    ]
    if not held or back or asked.bounds or asked.texts:
        return None
    asked_of = [one for one in asked.asked if one is not kind]
    if len(asked_of) > 1:
        return None
    if asked_of:
        held = [one for one in held if one in asked_of[0].columns]
    elif not is_bare(asked, name):
        raise CannotError(f"it does not say how “{name.text}” and “{kind.text}” are related")
    column = the_one(held, asked_of[0].text if asked_of else kind.text)
    asked.take(kind, name, *asked_of)
    return Lookup("values", things_of(name), wanted=column)


def _relation(asked: Pieces, name: Piece, piece: Piece) -> tuple[Column, bool]:
    """Return the column that links a name to what is asked for; True if the name is its value."""
    kinds = name.things[0].types
    forward = [one for one in piece.columns if not one.rows.isdisjoint(kinds)]
    back = [one for one in piece.columns if not one.values.isdisjoint(kinds)]
    if forward and back:
        # "the manager of X" has it, whoever X may be manager of
        between = asked.text[piece.end : name.start] if piece.end <= name.start else ""
        owned = asked.text[name.end :].startswith(("'s", "’s"))
        if owned or re.fullmatch(r"(?i)\s+of\s+(?:the\s+)?", between):
            back = []
        else:
            raise CannotError(f"“{piece.text}” can be read both ways")
    return the_one(forward or back, piece.text), bool(back) and not forward


def _rows(asked: Pieces, kind: Piece) -> Lookup:
    """Read the rows of a class under conditions."""
    if len(kind.kinds) > 1:
        raise CannotError(f"several classes are called “{kind.text}”")
    asked.take(kind)
    _apposed(asked)
    conditions = tuple(conditions_of(asked, frozenset(kind.kinds)))
    if asked.turned == "or":
        conditions = any_of(conditions)
    extreme, least = extreme_of(asked, frozenset(kind.kinds))
    check_together(asked, conditions)
    return Lookup("rows", (), kind.kinds[0], conditions, extreme=extreme, least=least)


def _whether(asked: Pieces) -> Lookup:
    """Read "is X the P of Y", "is X V", "did X P before D", "are there C in X"."""
    first = asked.kinds[0] if asked.kinds else None
    if asked.turned == "all":
        return _every(asked, first)
    there = re.match(r"(?i)\W*(?:is|are|was|were)\s+there\b", asked.text)
    if there or not asked.names:
        if first is None or not there:
            raise CannotError("it names no thing")
        found = replace(_rows(asked, first), form="whether")
        _spent(asked)
        return found
    _apposed(asked)
    subject, *others = asked.names
    if len(others) > 1:
        raise CannotError("it names more than two things")
    if others and (asked.bounds or asked.texts):
        raise CannotError("it asks several things at once")
    if others:
        found = _stands(asked, subject, others[0])
    else:
        asked.take(subject)
        if asked.pieces == [first] and first and len(first.kinds) == 1:
            asked.take(first)
            return Lookup("whether", things_of(subject), first.kinds[0])
        types = frozenset(subject.things[0].types)
        conditions = tuple(conditions_of(asked, types))
        if not conditions:
            raise CannotError(f"it does not say what of “{subject.text}” is asked")
        found = Lookup("whether", things_of(subject), None, conditions)
    _spent(asked)
    return found


def _every(asked: Pieces, kind: Piece | None) -> Lookup:
    """Read "are all C in X", "did every C V after D": one thing of all the rows of a class."""
    if kind is None:
        raise CannotError("it is not read of which rows “all” is asked")
    found = _rows(asked, kind)
    _spent(asked)
    if len(found.conditions) != 1 or found.extreme is not None:
        raise CannotError("it does not ask one thing of all of them")
    return replace(found, form="every")


def _stands(asked: Pieces, first: Piece, second: Piece) -> Lookup:
    """Return whether two things are related: which has the other follows from their classes."""
    kinds = [frozenset(one.things[0].types) for one in (first, second)]
    pieces = asked.asked
    if len(pieces) > 1 or (not pieces and not is_bare(asked, second)):
        raise CannotError(f"it does not say how “{first.text}” and “{second.text}” are related")
    known = pieces[0].columns if pieces else asked.columns.all

    ways = [(one, False) for one in known if leads(one, *kinds)]
    ways += [(one, True) for one in known if leads(one, *kinds[::-1])]
    words = pieces[0].text if pieces else second.text
    if len(ways) == 2 and ways[0][0] == ways[1][0]:
        # "is A the parent of B": B has A
        if not pieces or not _is_role_of(asked.text[first.end : second.start]):
            raise CannotError(f"“{words}” can be read both ways")
        ways = [(ways[0][0], True)]
    column = the_one((one for one, _ in ways), words)
    row, value = (second, first) if ways[0][1] else (first, second)
    asked.take(first, second, *pieces)
    return Lookup("whether", things_of(row), None, (Condition(column, "is", things_of(value)[0]),))


def _is_role_of(between: str) -> bool:
    """Return whether words between two names make the first what the second has: "the son of"."""
    words = between.casefold().split()
    words = words[:-1] if words[-1:] == ["the"] else words
    return words[-1:] == ["of"] and not {"the", "a", "an"}.isdisjoint(words[:-1])


def _by_phrase(asked: Pieces, relations: Relations) -> Lookup | None:
    """Read a question of one thing by a phrase that means a column: "subsidiaries of X"."""
    if len(asked.names) != 1 or asked.bounds or asked.texts or asked.head not in LISTING | {"who"}:
        return None
    name = asked.names[0]
    rest = f"{asked.text[: name.start]}[X]{asked.text[name.end :]}".strip(" ?.!")
    head = HEAD.match(rest)
    body = rest[head.end() :].strip() if head else rest
    kind = asked.kinds[0] if asked.kinds else None
    if kind is not None:
        body = body.removeprefix(kind.text).strip()
    plural = re.sub(r"^(?:are|were)\s+", "is ", body)
    match = relations.match(f"[Y] {plural}")
    found = [one for one in match.candidates if one.band != "embedding"]
    if match.reason or len(found) != 1:
        return None
    column = next((one for one in asked.columns.all if one.iri == found[0].property), None)
    types = frozenset(name.things[0].types)
    ends = (column.values if found[0].inverse else column.rows) if column else frozenset()
    if column is None or ends.isdisjoint(types):
        return None
    others = column.rows if found[0].inverse else column.values
    if kind is not None and others.isdisjoint(kind.kinds):
        return None
    return Lookup("values", things_of(name), wanted=column, back=found[0].inverse)

"""Every number of a statement beside the numbers of its sources: how each is accounted for.

A number is stated, derived, miscalculated, in conflict with the one of the part that the statement
speaks of, or absent. It is absent only where no sum over the passages that bear on the statement
gives it. Whether a source has another one where all else of a sentence is the same is found by
`align/difference`.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from groundrules.align.accounts import Figure, figure_of
from groundrules.align.derivations import PLAIN_SUMS, Derivation, Operand, asked, derive
from groundrules.align.parts import WHEN, names, referent_of, words_on
from groundrules.align.places import (
    FigureIndex,
    Known,
    bearing_on,
    cell_of,
    lookup,
    similarity_to,
    stems_of,
)
from groundrules.claims.values.measures import Number, agree, fits
from groundrules.claims.values.numbers import read_numbers

#: How many numbers of a statement, of a passage and of all that bear on it are looked at closely.
MOST_CLAIMS, MOST_HELD, MOST_NEAR = 40, 200, 240
#: How many of the passages that bear on a statement may lend numbers to a sum, how many units of
#: the title, and how near the numbers of a statement before and of the title are.
BEARING, TITLE = 5, 3
_BEFORE_RANK, _TITLE_RANK = 4, 9
_TOTAL = re.compile(r"(?i:\b(?:total|sum|all|overall|altogether|together|whole)\b)")
_MARKER = re.compile(
    r"\s*[-*•]?\s?(?:\(?[0-9]{1,3}(?:\.[0-9]{1,3})*(?:[.)]|\.[A-Z]{1,2}\.?)\s|\(?[0-9]{1,3}(?:\.[0-9]{1,3})*\s+(?=[A-Z]))"
)
_OF_EVERY = re.compile(r"(?i:\b(?:(?:out\s)?of|in|for)\severy\s)\Z")
_TOGETHER = re.compile(
    r"(?i:\b(?:together|in total|altogether|in all|a total of|combined|making|adds? up to|sum of)"
    r"\b[^.;]{0,20}\Z)"
)
_COMPARED = re.compile(
    r"(?i:\s(?:more|less|fewer|[a-z]+er)(?:\s[^.;:]{0,24})?(?:\sthan\b|\sof\sthe\b)|\s(?:more|less|fewer|[a-z]+er)[.,])"
)
_WAY = re.compile(r"(?i:\b(from|to)\s+[^\w\s]?)\Z")
_CHANGED = re.compile(r"(?i:doubl|tripl|trebl|quadrupl|halv|fold)")


@dataclass(frozen=True, slots=True)
class _Beside:
    """A statement with its numbers, those that precede it, and what of the sources bears on it.

    `bearing` are units of the index and `near` the numbers in them, nearest first; `cues` say which
    sums the statement speaks of, and whether it supposes a case.
    """

    statement: str
    index: FigureIndex
    read: tuple[Number, ...]
    stems: tuple[str, ...]
    before: Sequence[str]
    bearing: Sequence[int]
    near: Sequence[int]
    cues: frozenset[str]


def account(
    statement: str, index: FigureIndex, *, before: Sequence[str] = ()
) -> tuple[Figure, ...]:
    """Say for every number of a statement how the sources account for it.

    `before` are the statements of the answer that precede it, nearest first.
    """
    read = _of_every(statement, read_numbers(statement))
    claims = [number for number in read if not number.soft and not _is_marker(statement, number)]
    if not claims:
        return ()
    whole = statement.strip()
    if len(whole.split()) > 1:
        for source, text in enumerate(index.texts):
            at = text.find(whole)
            if at >= 0:  # what stands there word for word is stated there
                at -= len(statement) - len(statement.lstrip())
                return tuple(
                    figure_of(
                        c, "stated", similarity=1.0, places=((source, at + c.start, at + c.end),)
                    )
                    for c in claims
                )
    said = stems_of(statement)
    bearing = bearing_on(index, said, before)
    near = [here for unit in bearing for here in index.inside.get(unit, ())[:MOST_HELD]]
    beside = _Beside(
        statement, index, read, said, before, bearing, near[:MOST_NEAR], asked(statement)
    )
    return tuple(
        # beyond so many it is no sentence but a table or an attack: no sum is tried
        _figure(beside, claim, reckoned=count < MOST_CLAIMS)
        for count, claim in enumerate(claims)
    )


def _of_every(statement: str, read: tuple[Number, ...]) -> tuple[Number, ...]:
    """Read "of every 100 kroner 9.50" as a share: 9.5 per cent."""
    for at, base in enumerate(read[:-1]):
        following = read[at + 1]
        if (
            base.kind in {"NUMBER", "MONEY"}
            and following.kind == "NUMBER"
            and base.raw in {100, 1000, 10000}
            and not following.unit
            and 0 < following.raw < base.raw
            and _OF_EVERY.search(statement[max(0, base.start - 20) : base.start])
        ):
            scale = 100 / base.raw
            part = replace(
                following, kind="PERCENT", value=following.value * scale, soft=False,
                low=following.low * scale, high=following.high * scale,
            )  # fmt: skip
            return (*read[:at], replace(base, soft=True), part, *read[at + 2 :])
    return read


def _is_marker(statement: str, number: Number) -> bool:
    marker = _MARKER.match(statement)
    return marker is not None and number.end <= marker.end() and number.text[0].isdigit()


def _figure(beside: _Beside, claim: Number, *, reckoned: bool) -> Figure:
    """Return how the sources account for one claimed number."""
    index = beside.index
    equal = _equal(index, claim, beside.near)
    own = _in_its_part(beside, claim, equal) if reckoned else None
    if own is not None:
        return own
    if equal:
        similarity, at = max((similarity_to(index, beside.stems, at), -at) for at in equal)
        place = index.numbers[-at].place
        return figure_of(claim, "stated", similarity=similarity, places=(place,))
    if reckoned:
        operands = _at_hand(beside, claim)
        found = derive(claim, operands, beside.cues)
        if found and any(one.place is None for one in operands):
            found = derive(claim, _borne_out(beside, operands), beside.cues)
        found = found or _column_total(beside, claim)
        if found is not None:
            return figure_of(claim, "derived", how=found.how, places=found.places)
    return (
        _wrong_multiple(beside, claim) or _wrong_total(beside, claim) or figure_of(claim, "absent")
    )


def _in_its_part(beside: _Beside, claim: Number, equal: Sequence[int]) -> Figure | None:
    """Return a number beside the figure of the part that the claim speaks of, if one is clear.

    Of several figures of a sentence each is said of something else: one is in conflict where it is
    that of another part.
    """
    index, text = beside.index, beside.statement
    said = frozenset[str]() if names(text, claim) else words_on(text, claim, beside.read)
    sources = [index.numbers[at].unit for at in equal]
    other = None
    for unit in dict.fromkeys([*beside.bearing, *sources]) if said else ():
        part, fit = referent_of(index, unit, claim, said)
        same = [one for one in ([part] if part else fit) if agree(claim, one.number)]
        if same:
            place = index.numbers[same[0].here].place
            return figure_of(claim, "stated", similarity=1.0, places=(place,))
        if other is None and part is not None and unit in sources:
            other = index.numbers[part.here]
    if other is None or not beside.cues.isdisjoint({"negated", "supposed"}):
        return None
    source = index.texts[other.source]
    held = (index.numbers[at] for at in equal)
    ways = {_way(source, one.number) for one in held if one.unit == other.unit}
    if (
        (claim.kind in WHEN and sum(not one.soft for one in beside.read) > 1)
        or _COMPARED.match(text, claim.end)
        or _TOGETHER.search(text[max(0, claim.start - 40) : claim.start])
        # where a change begins and where it ends
        or {*ways, _way(text, claim), _way(source, other.number)} >= {"from", "to"}
    ):
        return None
    rather = other.number.text
    return figure_of(claim, "conflict", rather=rather, similarity=1.0, places=(other.place,))


def _way(text: str, number: Number) -> str:
    """Return "from" or "to" where it stands before a number, as where a change begins or ends."""
    found = _WAY.search(text, max(0, number.start - 8), number.start)
    return found[1].lower() if found else ""


def _equal(index: FigureIndex, claim: Number, near: Sequence[int]) -> list[int]:
    """Return the source's numbers that bear out a claimed one, those near first."""
    known = dict.fromkeys((*near, *lookup(index, claim)))
    return [here for here in known if agree(claim, index.numbers[here].number)]


# --- the numbers at hand for a sum ------------------------------------------------------------


def _at_hand(beside: _Beside, claim: Number) -> list[Operand]:
    """Return the numbers that a sum for a claim may use, each with how near it is."""
    index, close = beside.index, {*beside.bearing[:BEARING]}
    operands = [
        _operand(index.numbers[here], rank)
        for rank, here in enumerate(beside.near, 1)
        if index.numbers[here].unit in close
    ]
    operands += [Operand(one, None, 0) for one in beside.read if one.start != claim.start]
    for said in beside.before[:2]:
        operands += [Operand(one, None, _BEFORE_RANK) for one in read_numbers(said)[:6]]
    if claim.kind in {"DATE", "DURATION"} and beside.bearing:
        operands += _of_title(index, index.units[beside.bearing[0]].source)
    return operands


def _operand(known: Known, rank: int) -> Operand:
    return Operand(known.number, known.place, rank, known.unit)


def _of_title(index: FigureIndex, source: int) -> Iterator[Operand]:
    """Yield the dates that a source begins with: its own."""
    first = bisect.bisect_left(index.units, source, key=lambda unit: unit.source)
    for unit in range(first, min(first + TITLE, len(index.units))):
        for here in index.inside.get(unit, ()):
            if index.numbers[here].source == source and index.numbers[here].number.kind == "DATE":
                yield _operand(index.numbers[here], _TITLE_RANK)


def _column_total(beside: _Beside, claim: Number) -> Derivation | None:
    """Return the sum over a whole column of a table that a passage at hand belongs to."""
    index = beside.index
    if (
        claim.bare or claim.kind not in PLAIN_SUMS or claim.unit == "nth"
        or "sum" not in beside.cues
    ):  # fmt: skip
        return None
    close = (index.units[row] for row in beside.bearing[:BEARING])
    for source, table in dict.fromkeys((row.source, row.table) for row in close if row.cells):
        columns: dict[int, list[Known]] = {}
        for here in _rows(index, source, table):
            unit = index.units[here]
            if _TOTAL.search(index.texts[source][unit.cells[0].start : unit.cells[0].end]):
                continue
            for at in index.inside.get(here, ()):
                column = cell_of(unit, index.numbers[at].number)
                if column and index.numbers[at].number.measure == claim.measure:
                    columns.setdefault(column, []).append(index.numbers[at])
        for held in columns.values():
            if len(held) > 2 and fits(claim, sum(one.number.value for one in held)):
                how = " + ".join(one.number.text for one in held) + f" = {claim.text}"
                return Derivation(how, tuple(sorted(one.place for one in held)))
    return None


def _rows(index: FigureIndex, source: int, table: int) -> Iterator[int]:
    """Yield the rows of a table, its head left out, a bounded number of them."""
    key = (source, table)
    head = bisect.bisect_left(index.units, key, key=lambda unit: (unit.source, unit.start))
    for here in range(head + 1, min(head + 1 + MOST_HELD, len(index.units))):
        if (index.units[here].source, index.units[here].table) != key:
            return
        yield here


def _borne_out(beside: _Beside, operands: Sequence[Operand]) -> list[Operand]:
    """Return the numbers at hand without those that only the answer has.

    What an answer makes up bears out nothing else that it says: its own number counts where a
    source states it, or gives it by a sum, or where it is of a case that is supposed.
    """
    if "supposed" in beside.cues:
        return [*operands]
    given = [one for one in operands if one.place is not None]

    def is_given(number: Number) -> bool:
        held = (beside.index.numbers[at].number for at in lookup(beside.index, number))
        return any(agree(number, one) for one in held) or bool(derive(number, given, beside.cues))

    return [one for one in operands if one.place is not None or is_given(one.number)]


def _wrong_multiple(beside: _Beside, claim: Number) -> Figure | None:
    """Return a multiple that the only two numbers of one measure near it do not give."""
    index = beside.index
    if claim.unit != "times" or not _CHANGED.search(claim.text):
        return None
    for unit in beside.bearing[:2]:
        held = [index.numbers[at] for at in index.inside.get(unit, ())]
        held = [one for one in held if not one.number.soft]
        for measure in dict.fromkeys(one.number.measure for one in held):
            pair = [one for one in held if one.number.measure == measure]
            if len(pair) != 2 or measure[0] not in PLAIN_SUMS or measure[1] == "nth":
                continue
            first, last = (one.number for one in pair)
            if (
                first.value and last.value and first.value != last.value
                and len({first.noun, last.noun} - {""}) < 2
            ):  # fmt: skip
                ratio = last.value / first.value
                how = f"{first.text} to {last.text} is {ratio:.2g} times, not {claim.text}"
                places = (pair[0].place, pair[1].place)
                return figure_of(claim, "miscalculated", how=how, places=places, similarity=0.5)
    return None


def _wrong_total(beside: _Beside, claim: Number) -> Figure | None:
    """Return a total that the two numbers of the statement before it do not add up to."""
    before = beside.statement[max(0, claim.start - 40) : claim.start]
    own = [one for one in beside.read if one.end < claim.start and not one.soft]
    if (
        claim.kind not in PLAIN_SUMS
        or not _TOGETHER.search(before)
        or len(own) != 2
        or any(one.measure != claim.measure for one in own)
    ):
        return None
    total = own[0].value + own[1].value
    scaled = total / claim.value * claim.raw if claim.value else total
    how = f"{own[0].text} + {own[1].text} is {scaled:,.10g}, not {claim.text}"
    return figure_of(claim, "miscalculated", how=how, similarity=1.0)

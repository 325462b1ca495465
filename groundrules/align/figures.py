"""Every number of a statement beside the numbers of its sources: how each is accounted for.

A number is stated, derived, miscalculated, in conflict with what the source has at the place that
words the same thing, or absent. It is doubted only where no sum over the passages that bear on the
statement gives it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from groundrules.align.accounts import Figure, figure_of
from groundrules.align.comparability import bounds, comparable, names, of_another, of_one_case, slip
from groundrules.align.derivations import Operand, derive, every_cue
from groundrules.align.limits import (
    GUARDED_PLACE,
    NEARER,
    NEARER_GUARDED,
    OUTWEIGHS,
    SAME_PLACE,
    SLIP_PLACE,
    WORD_BESIDE,
)
from groundrules.align.matches import MOST_CLAIMS, Matches, is_firm, match_numbers, operands_of
from groundrules.align.measures import Number, agree
from groundrules.align.nearby import is_denied_at
from groundrules.align.numbers import RANGE, read_numbers
from groundrules.align.operands import column_total
from groundrules.align.parts import WHEN, covers, referent_of, words_on
from groundrules.align.places import (
    FigureIndex,
    context_of,
    lookup,
    sense,
    similarity_to,
    words_around,
    words_of,
)
from groundrules.align.reckonings import (
    COMPARED,
    TOGETHER,
    wrong_sum,
)
from groundrules.align.rivals import by_cell, by_date, by_unit

#: How many content words the two places must share.
EVIDENCE_STATED, EVIDENCE_ABSENT = 3, 1

_MARKER = re.compile(
    r"\s*[-*•]?\s?(?:\(?[0-9]{1,3}(?:\.[0-9]{1,3})*(?:[.)]|\.[A-Z]{1,2}\.?)\s|\(?[0-9]{1,3}(?:\.[0-9]{1,3})*\s+(?=[A-Z]))"
)


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
    words = words_of(statement, 0, len(statement))
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
    return tuple(_figures(match_numbers(statement, index, words, read, claims, before)))


_OF_EVERY = re.compile(r"(?i:\b(?:(?:out\s)?of|in|for)\severy\s)\Z")


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


_RECKONED = re.compile(
    r"(?i:\b(?:more|less|fewer|than|totals?|altogether|together|combined|both|plus|sum|all|differ\w*"
    r"|(?:high|low|long|short|old|young|lat|earli|cheap|dear|fast|slow|great|small|bigg|furth)er"
    r"|after|before|double\w*|twice|times|half|halv\w+|thirds?|quarters?|fifths?|tenths?|each|per"
    r"|percent|share|sav\w+|left|leaves?|remain\w*|rest|other|another|extra|additional|up|down"
    r"|r[io]se\w*|f[ae]ll\w*|grew|gr[eo]w\w*|drop\w*|cut|gain\w*|los[te]\w*|increas\w+|decreas\w+"
    r"|declin\w+|reduc\w+|by|apart|without|except\w*|over|whole|net|between|within|since|ago|if"
    r"|would|could|average)\b|%)"
)
_ENDS = re.compile(
    r"(?i:\b(?:end|ends|ended|expir\w+|terminat\w+|laps\w+|renew\w*|mature\w*|until|through)\b)"
)
_BOUND_WORD = re.compile(
    r"(?i:\b(?:limit\w*|maximum|minimum|cap|capped|ceiling|threshold|deadline|exceed\w*"
    r"|at most|at least|up to|latest"
    r"|until|expires?|ends?|within|most|least|closing|last)\b)"
)


def _is_marker(statement: str, number: Number) -> bool:
    marker = _MARKER.match(statement)
    return marker is not None and number.end <= marker.end() and number.text[0].isdigit()


def _figures(matches: Matches) -> Iterator[Figure]:
    """Yield for each claimed number how the sources account for it."""
    for count, claim in enumerate(matches.claims):
        if count >= MOST_CLAIMS:  # no sentence but a table or an attack
            held = matches.equal[claim.start][:1]
            places = tuple(matches.index.numbers[at].place for at in held)
            yield figure_of(claim, "stated" if places else "absent", places=places)
            continue
        figure = _figure(matches, claim)
        if figure.account == "conflict" and _is_of_another(matches, claim, figure):
            held = matches.equal[claim.start][:1]
            places = tuple(matches.index.numbers[at].place for at in held)
            figure = figure_of(claim, "stated" if places else "absent", places=places)
        elif figure.places and claim.kind not in WHEN:
            figure = _of_a_range(matches, claim, figure)
        yield figure


def _is_of_another(matches: Matches, claim: Number, figure: Figure) -> bool:
    """Return whether unlike figures are of two things or cases, or one of them is denied.

    What follows from the figures of the sentence is no other one than it gives. "Charged no fee in
    2009" says nothing of a fee in 2019. A bound is no denial: "not over six".
    """
    index = matches.index
    known = next(one for one in index.numbers if one.place == figure.places[0])
    unit, text = index.units[known.unit], index.texts[known.source]
    said, place = text[unit.start : unit.end], known.number.start - unit.start
    there = (place, known.number.end - unit.start)
    if of_another(matches.statement, claim, text, known.number):
        return True
    # a row has its case in its header, an item in its lead
    over = (*unit.heading, *unit.lead)
    if not unit.columns and not of_one_case(
        matches.statement, (claim.start, claim.end), said, there, over
    ):
        return True
    inside = [one for one in operands_of(matches, claim) if one.unit == known.unit]
    if not matches.equal[claim.start] and derive(claim, inside, every_cue()) is not None:
        return True
    if bounds(matches.statement, claim) or bounds(text, known.number):
        return False
    return is_denied_at(matches.statement, claim.start) != is_denied_at(said, place)


def _of_a_range(matches: Matches, claim: Number, figure: Figure) -> Figure:
    """Return a figure as a range leaves it: of "2 to 3" no number that lies within is told.

    "From 2 to 3" tells of a change.
    """
    index = matches.index
    known = next(one for one in index.numbers if one.place == figure.places[0])
    text = index.texts[known.source]
    beside = [one.number for one in index.numbers if one.unit == known.unit]
    for ends in itertools.pairwise(beside):
        low, high = ends
        joint = RANGE.fullmatch(text, low.end, high.start)
        if known.number not in ends or joint is None or joint[0].strip() == "and":
            continue
        if low.kind != high.kind or text[: low.start].rstrip().endswith("from"):
            continue
        if figure.account == "conflict" and low.value <= claim.value <= high.value:
            return figure_of(claim, "absent")
        told = all(any(one.value == end.value for one in matches.claims) for end in ends)
        return replace(figure, whole=figure.whole and told)
    return figure


def _figure(matches: Matches, claim: Number) -> Figure:
    """Return how the sources account for one claimed number."""
    equal = matches.equal[claim.start]
    around = words_around(matches.words, claim.start, claim.end)
    ranked = sorted(
        ((similarity_to(matches.index, around, here), -here) for here in equal), reverse=True
    )
    own = _beside_own_part(matches, claim)
    if own is not None:
        return own
    rival = _rival(matches, claim, around)
    weak = [] if is_firm(matches.index, matches.bearing, claim, equal) else ranked
    if ranked and not weak:
        return _stated(matches, claim, around, ranked, rival)
    return _unstated(matches, claim, around, weak, rival)


def _beside_own_part(matches: Matches, claim: Number) -> Figure | None:
    """Return a number beside the figure of the part that the claim speaks of, if one is clear.

    Of several figures of a sentence each is said of something else.
    """
    index = matches.index
    held = matches.equal[claim.start]
    if names(matches.statement, claim):
        if all(names(matches.statement, one) for one in matches.claims):
            return None
        label = _before(matches.statement, claim)
        for at in held:
            known = index.numbers[at]
            if label and label == _before(index.texts[known.source], known.number):
                # a word of what the other figures are said of
                places = (known.place,)
                return figure_of(claim, "stated", similarity=1.0, places=places, whole=True)
        return None
    said, of_all = words_on(matches.statement, claim, matches.read)
    sources = {index.numbers[at].unit for at in held}
    others = []
    vouched = False
    for unit in dict.fromkeys([*matches.bearing, *sources]) if said else ():
        spoken = referent_of(index, unit, claim, said)
        if spoken is None:
            vouched = vouched or (unit in sources and covers(index, unit, said))
            continue
        part = spoken.part
        fit = spoken.fit if part is None else (part,)
        same = [one for one in fit if agree(claim, one.number)]
        if same:
            place = index.numbers[same[0].here].place
            whole = part is not None and part.asked <= said and covers(index, unit, of_all)
            return figure_of(claim, "stated", similarity=1.0, places=(place,), whole=whole)
        if part is not None and covers(index, unit, of_all):
            others.append((part.here, spoken.gives(claim)))
        elif spoken.several:
            found = derive(claim, _borne_out(matches, operands_of(matches, claim)), every_cue())
            if found is not None:
                return figure_of(claim, "derived", how=found.how, places=found.places)
    if not others or vouched or not matches.cues.isdisjoint({"negated", "supposed"}):
        return None
    if claim.kind in WHEN and len(matches.claims) > 1:
        return None  # the other figure is at fault
    here, taken = others[0]
    if matches.guarded and not taken:
        return None
    known = index.numbers[here]
    source = index.texts[known.source]
    equal = (index.numbers[at] for at in held if index.numbers[at].unit == known.unit)
    ways = {_way(source, one.number) for one in equal} | {_way(matches.statement, claim)}
    if any({one, _way(source, known.number)} == {"from", "to"} for one in ways):
        return None  # where a change begins and where it ends
    if not taken and bounds(matches.statement, claim) is not bounds(source, known.number):
        return None
    if taken:  # the figure of another part is that one sooner than a sum
        before = matches.statement[max(0, claim.start - 40) : claim.start]
        if COMPARED.match(matches.statement, claim.end) or TOGETHER.search(before):
            return None
    elif not _is_comparable(matches, replace(claim, noun=""), here) or derive(
        claim, operands_of(matches, claim), matches.cues
    ):
        return None
    around = words_around(matches.words, claim.start, claim.end)
    return _conflict(matches, claim, (max(similarity_to(index, around, here), SAME_PLACE), here))


def _stated(
    matches: Matches, claim: Number, around: Mapping[str, float],
    ranked: Sequence[tuple[float, int]], rival: tuple[float, int] | None,
) -> Figure:  # fmt: skip
    """Return a stated number, or the conflict where the place words the same of another."""
    cell = by_cell(matches.index, matches.words, claim, matches.equal[claim.start], matches.taken)
    if cell is not None and derive(claim, operands_of(matches, claim), matches.cues) is None:
        return _conflict(matches, claim, (similarity_to(matches.index, around, cell), cell))
    similarity, here = ranked[0][0], -ranked[0][1]
    known = matches.index.numbers
    if (
        rival is not None
        and rival[0] >= SAME_PLACE
        and (rival[0] - similarity >= (NEARER_GUARDED if matches.guarded else NEARER))
    ):
        # a sentence that gives several of the statement's numbers vouches for each of them
        units = {known[-at].unit for _, at in ranked}
        vouched = any(
            known[at].unit in units and known[at].unit != known[rival[1]].unit
            for start, held in matches.equal.items()
            if start != claim.start
            for at in held
        )
        if not vouched and _evidence(matches.index, around, rival[1]) >= EVIDENCE_STATED:
            return _conflict(matches, claim, rival)
    place = known[here].place
    return figure_of(claim, "stated", similarity=similarity, places=(place,))


def _unstated(
    matches: Matches, claim: Number, around: Mapping[str, float],
    weak: Sequence[tuple[float, int]], rival: tuple[float, int] | None,
) -> Figure:  # fmt: skip
    """Return a number that no source gives as what it is, or gives as a bare figure only."""
    operands = operands_of(matches, claim)
    clear = _clear_rival(matches, claim, around, operands)
    if weak and (clear is None or derive(claim, operands, matches.cues) is not None):
        place = matches.index.numbers[-weak[0][1]].place
        return figure_of(claim, "stated", similarity=weak[0][0], places=(place,))
    found = derive(claim, operands, matches.cues) or column_total(
        matches.index, matches.bearing, claim, matches.cues
    )
    if found is not None and rival is not None and _is_outweighed(matches, claim, rival, around):
        unit = matches.index.units[matches.index.numbers[rival[1]].unit]
        inside = [unit.source == n and unit.start <= at < unit.end for n, at, _ in found.places]
        # what the sentence of the other figure gives by a sum that sentence does not exclude
        given = inside and all(inside)
        return figure_of(claim, "absent") if given else _conflict(matches, claim, rival)
    if found is not None and any(one.place is None for one in operands):
        found = derive(claim, _borne_out(matches, operands), matches.cues) or column_total(
            matches.index, matches.bearing, claim, matches.cues
        )
        if found is None:
            return figure_of(claim, "absent")
    if found is not None:
        return figure_of(claim, "derived", how=found.how, places=found.places)
    wrong = wrong_sum(matches, claim)
    if wrong is not None:
        return wrong
    if (
        clear is None
        and rival is not None
        and _contradicts(matches, claim, rival, operands, around)
    ):
        clear = rival
    return figure_of(claim, "absent") if clear is None else _conflict(matches, claim, clear)


def _borne_out(matches: Matches, operands: Sequence[Operand]) -> list[Operand]:
    """Return the numbers at hand without those that only the answer has.

    What an answer makes up bears out nothing else that it says: its own number counts where a
    source states it, or gives it by a sum, or where it is of a case that is supposed.
    """
    if "supposed" in matches.cues:
        return [*operands]
    given = [one for one in operands if one.place is not None]

    def is_given(number: Number) -> bool:
        held = (matches.index.numbers[at].number for at in lookup(matches.index, number))
        return any(agree(number, one) for one in held) or bool(derive(number, given, matches.cues))

    return [one for one in operands if one.place is not None or is_given(one.number)]


def _is_outweighed(
    matches: Matches, claim: Number, rival: tuple[float, int], around: Mapping[str, float]
) -> bool:
    """Say whether a reckoned number gives way to the one at the place that says the same.

    Some two numbers nearly always give a third: a day of the calendar, and a number of which
    the statement does not say that it was reckoned, must not rest on such a sum.
    """
    day = claim.day is not None and claim.day[2] is not None
    if not day and (claim.kind == "DATE" or _RECKONED.search(matches.statement)):
        return False
    shared = _evidence(matches.index, around, rival[1])
    return rival[0] >= OUTWEIGHS and shared >= (2 if day else EVIDENCE_STATED)


def _contradicts(
    matches: Matches,
    claim: Number,
    rival: tuple[float, int],
    operands: Sequence[Operand],
    around: Mapping[str, float],
) -> bool:
    """Say whether the nearest rival contradicts a claim that nothing else bears out."""
    known = matches.index.numbers[rival[1]].number
    # a case that is supposed may have any size, but not a bound: "within ten days"
    guarded = matches.wary and not bounds(matches.statement, claim)
    least = GUARDED_PLACE if guarded else SAME_PLACE
    slipped = slip(claim, known)
    if rival[0] < (SLIP_PLACE if slipped else least) or (
        _evidence(matches.index, around, rival[1]) < EVIDENCE_ABSENT
    ):
        return False
    if (
        slipped
        and claim.day
        and known.day
        and claim.day[1:] == known.day[1:]
        and _ENDS.search(matches.statement)
    ):
        return False  # an end the source leaves to be reckoned from the beginning
    if bounds(matches.index.texts[matches.index.numbers[rival[1]].source], known) and not (
        bounds(matches.statement, claim) or _BOUND_WORD.search(matches.statement)
    ):
        return False  # a case beside a bound: only a bound contradicts a bound
    # where any sum at all gives the number, the words for it may only have been missed
    return derive(claim, operands, every_cue()) is None


def _clear_rival(
    matches: Matches, claim: Number, around: Mapping[str, float], operands: Sequence[Operand]
) -> tuple[float, int] | None:
    """Return the rival that the numbers beside it, its unit or its date make clear."""
    index, bearing = matches.index, matches.bearing
    here = by_unit(index, bearing, claim, matches.taken)
    if here is None:
        here = by_date(index, bearing, claim, matches.taken)
        if here is not None and derive(claim, operands, every_cue()):
            return None
    if here is None:
        return None
    return similarity_to(index, around, here), here


def _rival(
    matches: Matches, claim: Number, around: Mapping[str, float]
) -> tuple[float, int] | None:
    """Return the nearest number of the same measure that differs and nothing else claims."""
    own = set(matches.equal[claim.start])
    best: tuple[float, int] | None = None
    for here in matches.near:
        known = matches.index.numbers[here].number
        taken = matches.taken.get(here, 0) > (here in own)
        if taken or known.soft or known.kind != claim.kind or known.unit != claim.unit:
            continue
        if agree(claim, known) or not _is_comparable(matches, claim, here):
            continue
        similarity = similarity_to(matches.index, around, here)
        if best is None or similarity > best[0]:
            best = similarity, here
    return best


def _is_comparable(matches: Matches, claim: Number, here: int) -> bool:
    known = matches.index.numbers[here]
    return comparable(matches.statement, claim, matches.index.texts[known.source], known.number)


def _evidence(index: FigureIndex, around: Mapping[str, float], here: int) -> int:
    """Return how many stems near a claimed number stand near one of the source."""
    known = context_of(index, here)
    return sum(
        1
        for name, weight in around.items()
        if weight >= WORD_BESIDE and known.get(name, 0.0) >= WORD_BESIDE
    )


def _conflict(matches: Matches, claim: Number, rival: tuple[float, int]) -> Figure:
    known = matches.index.numbers[rival[1]]
    return figure_of(
        claim, "conflict", rather=known.number.text, similarity=rival[0], places=(known.place,)
    )


_WAY = re.compile(r"(?i:\b(from|to)\s+[^\w\s]?)\Z")


def _way(text: str, number: Number) -> str:
    """Return "from" or "to" where it stands before a number."""
    found = _WAY.search(text, max(0, number.start - 8), number.start)
    return found[1].lower() if found else ""


_LAST_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]++)[.\s]*+\Z")


def _before(text: str, number: Number) -> str:
    """Return the stem of the word before a number: of "ward 3" that of the ward."""
    found = _LAST_WORD.search(text, max(0, number.start - 24), number.start)
    return sense(found[1]) if found else ""

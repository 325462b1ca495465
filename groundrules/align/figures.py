"""Every number of a statement beside the numbers of its sources: how each is accounted for.

A number is stated, derived, miscalculated, in conflict with the one of the part that the statement
speaks of, or absent. It is absent only where no sum over the passages that bear on the statement
gives it. Whether a source has another one where all else of a sentence is the same is found by
`align/difference`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from groundrules.align.accounts import Figure, figure_of
from groundrules.align.derivations import PLAIN_SUMS, Operand, derive
from groundrules.align.matches import MOST_CLAIMS, Matches, is_firm, match_numbers, operands_of
from groundrules.align.measures import Number, agree
from groundrules.align.numbers import read_numbers
from groundrules.align.operands import column_total
from groundrules.align.parts import WHEN, covers, names, referent_of, words_on
from groundrules.align.places import FigureIndex, lookup, similarity_to, words_around, words_of

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
_CHANGED = re.compile(r"(?i:doubl|tripl|trebl|quadrupl|halv|fold)")
_WAY = re.compile(r"(?i:\b(from|to)\s+[^\w\s]?)\Z")


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
    matches = match_numbers(statement, index, words, read, claims, before)
    return tuple(
        # beyond so many it is no sentence but a table or an attack: no sum is tried
        _figure(matches, claim, reckoned=count < MOST_CLAIMS)
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


def _figure(matches: Matches, claim: Number, *, reckoned: bool) -> Figure:
    """Return how the sources account for one claimed number.

    A bare figure far away states it only where no sum gives it.
    """
    own = _in_its_part(matches, claim) if reckoned else None
    if own is not None:
        return own
    equal = matches.equal[claim.start]
    firm = is_firm(matches.index, matches.bearing, claim, equal)
    if reckoned and not firm:
        operands = operands_of(matches, claim)
        found = derive(claim, operands, matches.cues)
        if found and any(one.place is None for one in operands):
            found = derive(claim, _borne_out(matches, operands), matches.cues)
        found = found or column_total(matches.index, matches.bearing, claim, matches.cues)
        if found is not None:
            return figure_of(claim, "derived", how=found.how, places=found.places)
    if equal:
        around = words_around(matches.words, claim.start, claim.end)
        similarity, here = max((similarity_to(matches.index, around, at), -at) for at in equal)
        place = matches.index.numbers[-here].place
        return figure_of(claim, "stated", similarity=similarity, places=(place,))
    return (
        _wrong_multiple(matches, claim)
        or _wrong_total(matches, claim)
        or figure_of(claim, "absent")
    )


def _in_its_part(matches: Matches, claim: Number) -> Figure | None:
    """Return a number beside the figure of the part that the claim speaks of, if one is clear.

    Of several figures of a sentence each is said of something else: one is in conflict where it is
    that of another part.
    """
    index, text = matches.index, matches.statement
    if names(text, claim):
        return None
    said, of_all = words_on(text, claim, matches.read)
    held = [index.numbers[at] for at in matches.equal[claim.start]]
    sources = {one.unit for one in held}
    other = None
    for unit in dict.fromkeys([*matches.bearing, *sources]) if said else ():
        spoken = referent_of(index, unit, claim, said)
        if spoken is None:
            if unit in sources and covers(index, unit, said):
                return None
            continue
        same = [one for one in ([spoken.part] if spoken.part else spoken.fit)
                if agree(claim, one.number)]  # fmt: skip
        if same:
            place = index.numbers[same[0].here].place
            return figure_of(claim, "stated", similarity=1.0, places=(place,))
        if other is None and spoken.part and spoken.gives(claim) and covers(index, unit, of_all):
            other = index.numbers[spoken.part.here]
    if other is None or not matches.cues.isdisjoint({"negated", "supposed"}):
        return None
    source = index.texts[other.source]
    ways = {_way(source, one.number) for one in held if one.unit == other.unit}
    if (
        (claim.kind in WHEN and len(matches.claims) > 1)  # the other figure is at fault
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


def _wrong_multiple(matches: Matches, claim: Number) -> Figure | None:
    """Return a multiple that the only two numbers of one measure near it do not give."""
    index = matches.index
    if claim.unit != "times" or not _CHANGED.search(claim.text):
        return None
    for unit in matches.bearing[:2]:
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


def _wrong_total(matches: Matches, claim: Number) -> Figure | None:
    """Return a total that the two numbers of the statement before it do not add up to."""
    before = matches.statement[max(0, claim.start - 40) : claim.start]
    own = [one for one in matches.read if one.end < claim.start and not one.soft]
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

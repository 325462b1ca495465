"""Every number of a statement beside the numbers of its sources: how each is accounted for.

A number is stated, derived, miscalculated, in conflict with what the source has at the place that
words the same thing, or absent. It is doubted only where no sum over the passages that bear on the
statement gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from groundrules.align.comparability import (
    bounds,
    comparable,
    is_multiple,
    is_score,
    lists,
    names,
    siblings,
    slip,
)
from groundrules.align.derivations import Derivation, Operand, asked, derive, every_cue
from groundrules.align.measures import Number, agree, fits
from groundrules.align.miscounts import by_and_to, share, transposed
from groundrules.align.numbers import read_numbers
from groundrules.align.operands import BEARING, at_hand, column_total, rows_of
from groundrules.align.parts import WHEN, covers, referent_of, words_on
from groundrules.align.places import (
    FigureIndex,
    Word,
    bearing_on,
    context_of,
    index_figures,
    lookup,
    similarity_to,
    stem,
    words_around,
    words_of,
)
from groundrules.align.rates import misfits
from groundrules.align.rivals import CLEAR, by_cell, by_date, by_order, by_unit

__all__ = ["Figure", "FigureIndex", "account", "index_figures"]

#: How many numbers of a statement and of the passages that bear on it are looked at closely.
MOST_CLAIMS, MOST_NEAR = 40, 240
#: A conflict needs a place at least this near, and one of another's value this much nearer.
SAME_PLACE = 0.42
NEARER = 0.22
NEARER_GUARDED = 0.3
#: From here on a place outweighs a sum that the statement does not speak of.
OUTWEIGHS = 0.6
#: A number that differs by a slip (digits turned round, a zero, one field of a date) needs less,
#: one in a sentence that supposes, denies or looks back needs more.
SLIP_PLACE = 0.22
GUARDED_PLACE = 0.72
#: A sentence that gives others of the statement's numbers needs less.
SHARED_PLACE = 0.3
#: How near a place must be that alone gives a number of the statement to bear on the others.
ANCHORED = 0.1
#: How many content words the two places must share.
EVIDENCE_STATED, EVIDENCE_ABSENT = 3, 1


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a statement and how the source accounts for it; `places` are source ranges.

    `account` is stated, derived, miscalculated, conflict or absent; `how` the sum in words;
    `rather` what the source has instead; `similarity` how near the place is that decides. `whole`
    says that of several figures of a sentence it is the one of which the source says all that the
    statement does, and nothing that tells it from the others is left out.
    """

    start: int
    end: int
    text: str
    kind: str
    account: str
    how: str = ""
    rather: str = ""
    similarity: float = 0.0
    places: tuple[tuple[int, int, int], ...] = ()
    whole: bool = False


# --- accounting -----------------------------------------------------------------------------

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
                    _figure(
                        c, "stated", similarity=1.0, places=((source, at + c.start, at + c.end),)
                    )
                    for c in claims
                )
    bearing = bearing_on(index, words, before)
    wrong = {number.start: told for number, *told in misfits(statement, read)}
    out = []
    for one in _Case(statement, index, words, read, claims, bearing, before).figures():
        if one.start in wrong and one.account in ("absent", "derived"):
            rather, how = wrong[one.start]
            one = replace(
                one, account="miscalculated", rather=rather, how=how, similarity=1.0, places=()
            )
        out.append(one)
    return tuple(out)


_ADDED = frozenset({"MONEY", "QUANTITY", "PERCENT", "DURATION", "NUMBER"})
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


_MEASURED = frozenset({"MONEY", "QUANTITY", "PERCENT", "DURATION"})
_COMPARED = re.compile(
    r"(?i:\s(?:more|less|fewer|higher|lower|longer|shorter|older|younger|dearer|cheaper|heavier|lighter"
    r"|taller|wider|further|sooner|later|earlier)(?:\s[^.;:]{0,24})?(?:\sthan\b|\sof\sthe\b)|\s(?:more|less|fewer|higher|lower"
    r"|longer|shorter|older|younger|dearer|cheaper)(?:[.,]|\Z))"
)
_COMPARED_BEFORE = re.compile(r"(?i:\b(?:further|extra|additional|another|by)\s(?:an?\s)?)\Z")
_CHANGED = re.compile(r"(?i:doubl|tripl|trebl|quadrupl|halv|fold)")
_AGED = re.compile(r"(?i:[\s-]olds?\b)")
_AGED_BEFORE = re.compile(
    r"(?i:\b(?:child(?:ren)?|girls?|boys?|man|men|woman|women|people|pupils?|someone|anyone|nobody|adults?"
    r"|patients?)(?:\saged|\sof)\s(?:[a-z]{3,9}\s(?:and|or)\s)?|\baged\s)\Z"
)
_RECKONED = re.compile(
    r"(?i:\b(?:more|less|fewer|than|totals?|altogether|together|combined|both|plus|sum|all|differ\w*"
    r"|(?:high|low|long|short|old|young|lat|earli|cheap|dear|fast|slow|great|small|bigg|furth)er"
    r"|after|before|double\w*|twice|times|half|halv\w+|thirds?|quarters?|fifths?|tenths?|each|per"
    r"|percent|share|sav\w+|left|leaves?|remain\w*|rest|other|another|extra|additional|up|down"
    r"|r[io]se\w*|f[ae]ll\w*|grew|gr[eo]w\w*|drop\w*|cut|gain\w*|los[te]\w*|increas\w+|decreas\w+"
    r"|declin\w+|reduc\w+|by|apart|without|except\w*|over|whole|net|between|within|since|ago|if"
    r"|would|could|average)\b|%)"
)
_AND = re.compile(r"(?i:\b(?:and|with|plus)\b)")
_TOGETHER = re.compile(
    r"(?i:\b(?:together|in total|altogether|in all|a total of|combined|making|adds? up to|sum of)"
    r"\b[^.;]{0,20}\Z)"
)
_ENDS = re.compile(
    r"(?i:\b(?:end|ends|ended|expir\w+|terminat\w+|laps\w+|renew\w*|mature\w*|until|through)\b)"
)
_BOUND_WORD = re.compile(
    r"(?i:\b(?:limit\w*|maximum|minimum|cap|capped|ceiling|threshold|deadline|exceed\w*"
    r"|at most|at least|up to|latest"
    r"|until|expires?|ends?|within|most|least|closing|last)\b)"
)
_DEFINITE = re.compile(
    r"(?i:\b(?:the|these|those|all|both|its|their|his|her|other|every one of)\s(?:other\s)?)\Z"
)
_INDEFINITE = re.compile(
    r"(?:[-*•]\s)?(?:[A-Z][a-z]{2,12}ing|With the|An?|Of an?|On an?|With an?|To an?|For an?"
    r"|Any|At an?)\s"
)


def _is_marker(statement: str, number: Number) -> bool:
    marker = _MARKER.match(statement)
    return marker is not None and number.end <= marker.end() and number.text[0].isdigit()


@dataclass(frozen=True, slots=True)
class _Case:
    """One statement with all that decides on its numbers."""

    statement: str
    index: FigureIndex
    words: tuple[Word, ...]
    read: tuple[Number, ...]
    claims: list[Number]
    bearing: list[int]
    before: Sequence[str]
    taken: dict[int, int] = field(default_factory=dict)  # how many claims a number bears out

    def figures(self) -> Iterator[Figure]:
        near = self._near_numbers()
        cues = asked(self.statement)
        supposed = "supposed" in cues or _INDEFINITE.match(self.statement) is not None
        wary = supposed or "shifted" in cues
        guarded = wary or "negated" in cues
        equal = {claim.start: self._equal(claim, near) for claim in self.claims}
        if self._anchored(equal):
            near = self._near_numbers()
        for held in equal.values():
            for here in held:
                self.taken[here] = self.taken.get(here, 0) + 1
        for count, claim in enumerate(self.claims):
            if count >= MOST_CLAIMS:  # no sentence but a table or an attack
                places = tuple(self.index.numbers[at].place for at in equal[claim.start][:1])
                yield _figure(claim, "stated" if places else "absent", places=places)
                continue
            own = self._own_part(claim, near, equal, guarded, cues)
            if own is not None:
                yield own
                continue
            around = words_around(self.words, claim.start, claim.end)
            ranked = sorted(
                ((similarity_to(self.index, around, here), -here) for here in equal[claim.start]),
                reverse=True,
            )
            rival = self._rival(claim, around, near, equal)
            weak = [] if self._firm(claim, equal[claim.start]) else ranked
            if ranked and not weak:
                wrong = self._wrong_difference(claim, near, cues, -ranked[0][1])
                if wrong is not None:
                    yield wrong
                else:
                    yield self._stated(claim, ranked, rival, equal, around, guarded, near, cues)
                continue
            yield self._unstated(claim, near, cues, supposed, wary, equal, weak, rival)

    def _own_part(
        self, claim: Number, near: Sequence[int], equal: Mapping[int, list[int]], guarded: bool,
        cues: frozenset[str],
    ) -> Figure | None:  # fmt: skip
        """Return a number beside the figure of the part that the claim speaks of, if one is clear.

        Of several figures of a sentence each is said of something else.
        """
        index = self.index
        held = equal[claim.start]
        if names(self.statement, claim):
            if all(names(self.statement, one) for one in self.claims):
                return None
            label = _before(self.statement, claim)
            for at in held:
                known = index.numbers[at]
                if label and label == _before(index.texts[known.source], known.number):
                    # a word of what the other figures are said of
                    places = (known.place,)
                    return _figure(claim, "stated", similarity=1.0, places=places, whole=True)
            return None
        said, of_all = words_on(self.statement, claim, self.read)
        sources = {index.numbers[at].unit for at in held}
        others = []
        vouched = False
        for unit in dict.fromkeys([*self.bearing, *sources]) if said else ():
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
                return _figure(claim, "stated", similarity=1.0, places=(place,), whole=whole)
            if part is not None and covers(index, unit, of_all):
                others.append((part.here, spoken.gives(claim)))
            elif spoken.several:
                found = derive(claim, self._operands(claim, near), every_cue())
                if found is not None:
                    return _figure(claim, "derived", how=found.how, places=found.places)
        if not others or vouched or not cues.isdisjoint({"negated", "supposed"}):
            return None
        if claim.kind in WHEN and len(self.claims) > 1:
            return None  # the other figure is at fault
        here, taken = others[0]
        if guarded and not taken:
            return None
        known = index.numbers[here]
        source = index.texts[known.source]
        if {_way(self.statement, claim), _way(source, known.number)} == {"from", "to"}:
            return None  # where a change begins and where it ends
        if not taken and bounds(self.statement, claim) is not bounds(source, known.number):
            return None
        if taken:  # the figure of another part is that one sooner than a sum
            before = self.statement[max(0, claim.start - 40) : claim.start]
            if _COMPARED.match(self.statement, claim.end) or _TOGETHER.search(before):
                return None
        elif not self._comparable(replace(claim, noun=""), here) or derive(
            claim, self._operands(claim, near), cues
        ):
            return None
        around = words_around(self.words, claim.start, claim.end)
        return self._conflict(claim, (max(similarity_to(index, around, here), SAME_PLACE), here))

    def _unstated(
        self, claim: Number, near: Sequence[int], cues: frozenset[str], supposed: bool, wary: bool,
        equal: Mapping[int, list[int]], weak: Sequence[tuple[float, int]],
        rival: tuple[float, int] | None,
    ) -> Figure:  # fmt: skip
        """Return a number that no source gives as what it is, or gives as a bare figure only."""
        around = words_around(self.words, claim.start, claim.end)
        operands = self._operands(claim, near)
        clear = self._clear_rival(claim, equal, around, operands)
        if weak and (clear is None or derive(claim, operands, cues) is not None):
            place = self.index.numbers[-weak[0][1]].place
            return _figure(claim, "stated", similarity=weak[0][0], places=(place,))
        found = (
            derive(claim, operands, cues)
            or self._joined(claim)
            or column_total(self.index, self.bearing, claim, cues)
            or self._counted(claim)
            or self._instance(claim, near, supposed or self._aged(claim))
        )
        if found is not None and rival is not None and self._outweighed(claim, rival, around):
            return self._conflict(claim, rival)
        if found is not None:
            return _figure(claim, "derived", how=found.how, places=found.places)
        wrong = self._wrong_sum(claim, near) or self._miscount(claim, operands, cues)
        if wrong is not None:
            return wrong
        if clear is None and rival is not None:
            guarded = wary or self._aged(claim)
            if self._contradicts(claim, rival, operands, guarded, around):
                clear = rival
        return _figure(claim, "absent") if clear is None else self._conflict(claim, clear)

    def _outweighed(
        self, claim: Number, rival: tuple[float, int], around: Mapping[str, float]
    ) -> bool:
        """Say whether a reckoned number gives way to the one at the place that says the same.

        Some two numbers nearly always give a third: a day of the calendar, and a number of which
        the statement does not say that it was reckoned, must not rest on such a sum.
        """
        day = claim.day is not None and claim.day[2] is not None
        if not day and (claim.kind == "DATE" or _RECKONED.search(self.statement)):
            return False
        shared = self._evidence(around, rival[1])
        return rival[0] >= OUTWEIGHS and shared >= (2 if day else EVIDENCE_STATED)

    def _contradicts(
        self, claim: Number, rival: tuple[float, int], operands: Sequence[Operand], guarded: bool,
        around: Mapping[str, float],
    ) -> bool:  # fmt: skip
        """Say whether the nearest rival contradicts a claim that nothing else bears out."""
        known = self.index.numbers[rival[1]].number
        # a case that is supposed may have any size, but not a bound: "within ten days"
        guarded = guarded and not bounds(self.statement, claim)
        least = GUARDED_PLACE if guarded else SAME_PLACE
        if not guarded and self._companions(claim, rival[1]):
            least = SHARED_PLACE
        slipped = slip(claim, known)
        if rival[0] < (SLIP_PLACE if slipped else least) or (
            self._evidence(around, rival[1]) < EVIDENCE_ABSENT
        ):
            return False
        if not slipped and len(self.claims) > 1 and is_multiple(claim, known):
            return False  # what several cost where the source has the price of one
        if (
            slipped
            and claim.day
            and known.day
            and claim.day[1:] == known.day[1:]
            and _ENDS.search(self.statement)
        ):
            return False  # an end the source leaves to be reckoned from the beginning
        if bounds(self.index.texts[self.index.numbers[rival[1]].source], known) and not (
            bounds(self.statement, claim) or _BOUND_WORD.search(self.statement)
        ):
            return False  # a case beside a bound: only a bound contradicts a bound
        # where any sum at all gives the number, the words for it may only have been missed
        return derive(claim, operands, every_cue()) is None

    def _aged(self, claim: Number) -> bool:
        """Say whether a number is the age of someone: such cases are supposed."""
        before = self.statement[max(0, claim.start - 40) : claim.start]
        aged = claim.bare and not claim.noun and _AGED_BEFORE.search(before) is not None
        return aged or _AGED.match(self.statement, claim.end) is not None

    def _firm(self, claim: Number, equal: Sequence[int]) -> bool:
        """Say whether a number bears out a claim as what it is, not a bare figure far away."""
        for here in equal:
            known = self.index.numbers[here]
            if claim.kind not in _MEASURED or known.number.kind != "NUMBER":
                return True
            if known.number.raw > 31 or known.unit in self.bearing[:CLEAR]:
                return True
        return False

    def _clear_rival(
        self, claim: Number, equal: Mapping[int, list[int]], around: Mapping[str, float],
        operands: Sequence[Operand],
    ) -> tuple[float, int] | None:  # fmt: skip
        """Return the rival that the numbers beside it, its unit or its date make clear."""
        index, bearing = self.index, self.bearing
        here = by_order(index, bearing, self.claims, claim, equal)
        if here is None:
            here = by_unit(index, bearing, claim, self.taken)
        if here is None:
            here = by_date(index, bearing, claim, self.taken)
            if here is not None and derive(claim, operands, every_cue()):
                return None
        if here is None:
            return None
        return similarity_to(index, around, here), here

    def _anchored(self, equal: Mapping[int, list[int]]) -> bool:
        """Let the passages bear first that alone give a number of the statement; say if any did."""
        found: dict[int, float] = {}
        for claim in self.claims[:MOST_CLAIMS]:
            held = equal[claim.start]
            if not self._firm(claim, held):
                continue
            units = {self.index.numbers[here].unit for here in held}
            if len(units) != 1:
                continue
            unit = units.pop()
            around = words_around(self.words, claim.start, claim.end)
            near = max(similarity_to(self.index, around, here) for here in held)
            if near >= (ANCHORED if claim.bare else 0.0) and unit not in self.bearing[:2]:
                found[unit] = max(near, found.get(unit, 0.0))
        for unit in sorted(found, key=lambda n: found[n])[-3:]:
            if unit in self.bearing:
                self.bearing.remove(unit)
            self.bearing.insert(2, unit)
        return bool(found)

    def _near_numbers(self) -> list[int]:
        near = [here for unit in self.bearing for here in self.index.inside.get(unit, ())[:200]]
        return near[:MOST_NEAR]

    def _equal(self, claim: Number, near: Sequence[int]) -> list[int]:
        """Return the source's numbers that bear out a claimed one, those near first."""
        index = self.index
        found = [here for here in near if agree(claim, index.numbers[here].number)]
        seen = set(found)
        for here in lookup(index, claim):
            if here not in seen and agree(claim, index.numbers[here].number):
                found.append(here)
                seen.add(here)
        return found

    def _rival(
        self, claim: Number, around: Mapping[str, float], near: Sequence[int],
        equal: Mapping[int, list[int]],
    ) -> tuple[float, int] | None:  # fmt: skip
        """Return the nearest number of the same measure that differs and nothing else claims."""
        own = set(equal[claim.start])
        best: tuple[float, int] | None = None
        for here in near:
            known = self.index.numbers[here].number
            taken = self.taken.get(here, 0) > (here in own)
            if taken or known.soft or known.kind != claim.kind or known.unit != claim.unit:
                continue
            if agree(claim, known) or not self._comparable(claim, here):
                continue
            similarity = similarity_to(self.index, around, here)
            if best is None or similarity > best[0]:
                best = similarity, here
        return best

    def _joined(self, claim: Number) -> Derivation | None:
        """Return the sum of the two amounts of the best passage where a statement joins them."""
        if claim.kind not in {"MONEY", "QUANTITY", "DURATION"} or not _AND.search(self.statement):
            return None
        pair = self._pair((), claim.measure)
        if pair is None:
            return None
        one, other = (self.index.numbers[at] for at in pair)
        if not fits(claim, one.number.value + other.number.value):
            return None
        how = f"{one.number.text} + {other.number.text} = {claim.text}"
        return Derivation(how, (one.place, other.place))

    def _counted(self, claim: Number) -> Derivation | None:
        """Return the list or the names that a definite count ("of the three") counts."""
        if not claim.bare or claim.unit or not 2 <= claim.value <= 20:
            return None
        count = int(claim.value)
        before = self.statement[max(0, claim.start - 12) : claim.start]
        definite = _DEFINITE.search(before) is not None
        index = self.index
        for here in self.bearing:
            unit = index.units[here]
            text = index.texts[unit.source][unit.start : unit.end]
            named = claim.noun and stem(claim.noun) in {word.stem for word in unit.words} | set(
                unit.heading + unit.lead
            )
            if count in lists(text) and (definite or named or count == 2):
                return Derivation(f"{count} are listed", ((unit.source, unit.start, unit.end),))
        if count > 2:
            for here in self.bearing[:BEARING]:
                rows = rows_of(index, here) if index.units[here].columns else []
                if len(rows) == count:
                    unit = index.units[rows[0]]
                    end = index.units[rows[-1]].end
                    return Derivation(f"{count} rows", ((unit.source, unit.start, end),))
        if definite and count in siblings(index, self.bearing[:BEARING]):
            return Derivation(f"{count} are listed", ())
        return None

    def _instance(self, claim: Number, near: Sequence[int], supposed: bool) -> Derivation | None:
        """Return the bound beside which a statement holds a case it supposes: 3 kg, up to 4 kg."""
        if claim.hedge == "near" or bounds(self.statement, claim) or not supposed:
            return None
        for here in near:
            known = self.index.numbers[here]
            aged = claim.text.lower().endswith("year") and known.number.kind == "NUMBER"
            if known.number.soft or not (known.number.measure == claim.measure or aged):
                continue
            if claim.kind in {"NUMBER", "RATIO"} and not is_score(claim, known.number):
                continue
            text = self.index.texts[known.source]
            if claim.kind not in {"DATE", "TIME"} and not (
                known.number.value and 0.05 <= abs(claim.value / known.number.value) <= 20
            ):
                continue
            if bounds(text, known.number):
                left = text[max(0, known.number.start - 28) : known.number.start].split()
                how = f"a case: {claim.text} beside {' '.join(left[-1:])} {known.number.text}"
                return Derivation(how, (known.place,))
        return None

    def _comparable(self, claim: Number, here: int) -> bool:
        known = self.index.numbers[here]
        return comparable(self.statement, claim, self.index.texts[known.source], known.number)

    def _companions(self, claim: Number, here: int) -> bool:
        """Say whether a rival is the only one of a sentence that gives others of the numbers."""
        index = self.index
        inside = index.inside.get(index.numbers[here].unit, ())
        shared = sum(1 for at in inside if self.taken.get(at))
        alike = [
            at
            for at in inside
            if index.numbers[at].number.measure == claim.measure
            and not index.numbers[at].number.soft
            and not self.taken.get(at)
        ]
        return shared > 0 and len(alike) == 1

    def _wrong_difference(
        self, claim: Number, near: Sequence[int], cues: frozenset[str], here: int
    ) -> Figure | None:
        """Return a number that is one of two the source gives, claimed as their difference."""
        after = self.statement[claim.end : claim.end + 40]
        if not _COMPARED.match(after) or claim.kind not in _ADDED:
            return None
        known = self.index.numbers[here]
        text = self.index.texts[known.source]
        if _COMPARED.match(
            text[known.number.end : known.number.end + 40]
        ) or _COMPARED_BEFORE.search(text[max(0, known.number.start - 16) : known.number.start]):
            return None
        if derive(claim, self._operands(claim, near), cues) is not None:
            return None
        pair = self._pair(near, claim.measure)
        if pair is None or here not in pair:
            return None
        one, other = (self.index.numbers[at] for at in pair)
        gap = abs(one.number.value - other.number.value)
        if not gap or not claim.value:
            return None
        upper, lower = sorted((one.number, other.number), key=lambda n: -n.value)
        shown = f"{gap / claim.value * claim.raw:,.10g}"
        how = f"{upper.text} - {lower.text} is {shown}, not {claim.text}"
        return _figure(
            claim, "miscalculated", how=how, places=(one.place, other.place), similarity=0.5
        )

    def _wrong_sum(self, claim: Number, near: Sequence[int]) -> Figure | None:
        """Return a multiple or a total whose parts are plain and which they do not give."""
        if claim.kind == "RATIO" and claim.unit == "times" and _CHANGED.search(claim.text):
            measures = [self.index.numbers[here].number.measure for here in near[:12]]
            for measure in dict.fromkeys(measures):
                pair = self._pair(near, measure)
                if pair is None or measure[0] in {"DATE", "TIME", "RATIO"}:
                    continue
                first, last = (self.index.numbers[at] for at in sorted(pair))
                if not first.number.value or not last.number.value or first.number.unit == "nth":
                    continue
                ratio = last.number.value / first.number.value
                change = f"{first.number.text} to {last.number.text}"
                how = f"{change} is {ratio:.2g} times, not {claim.text}"
                return _figure(
                    claim,
                    "miscalculated",
                    how=how,
                    places=(first.place, last.place),
                    similarity=0.5,
                )
        before = self.statement[max(0, claim.start - 40) : claim.start]
        if claim.kind in _ADDED and _TOGETHER.search(before):
            own = [n for n in self.read if n.end < claim.start and not n.soft]
            if len(own) == 2 and all(n.measure == claim.measure for n in own):
                total = own[0].value + own[1].value
                scaled = total / claim.value * claim.raw if claim.value else total
                how = f"{own[0].text} + {own[1].text} is {scaled:,.10g}, not {claim.text}"
                return _figure(claim, "miscalculated", how=how, similarity=1.0)
        return None

    def _miscount(
        self, claim: Number, operands: Sequence[Operand], cues: frozenset[str]
    ) -> Figure | None:
        """Return a number that a sum at hand gives with a digit off, or a share that it denies."""
        found = (
            by_and_to(self.statement, claim, self.read, operands)
            or transposed(claim, operands, cues)
            or share(self.index, self.bearing, claim)
        )
        if found is None:
            return None
        return _figure(claim, "miscalculated", how=found.how, places=found.places, similarity=0.5)

    def _pair(self, near: Sequence[int], measure: tuple[str, str]) -> tuple[int, int] | None:
        """Return the two numbers of a measure where the best passage has just two, else None."""
        for unit in self.bearing[:2]:
            held = [
                here
                for here in self.index.inside.get(unit, ())
                if self.index.numbers[here].number.measure == measure
                and not self.index.numbers[here].number.soft
            ]
            if len(held) == 2:
                one, other = (self.index.numbers[here].number for here in held)
                alike = (
                    measure[0] != "NUMBER"
                    or not (one.noun and other.noun)
                    or one.noun == other.noun
                )
                return (held[0], held[1]) if alike and one.value != other.value else None
            if held:
                return None
        return None

    def _stated(
        self, claim: Number, ranked: Sequence[tuple[float, int]], rival: tuple[float, int] | None,
        equal: Mapping[int, list[int]], around: Mapping[str, float], guarded: bool,
        near: Sequence[int], cues: frozenset[str],
    ) -> Figure:  # fmt: skip
        """Return a stated number, or the conflict where the place words the same of another."""
        cell = by_cell(self.index, self.words, claim, equal[claim.start], self.taken)
        if cell is not None and derive(claim, self._operands(claim, near), cues) is None:
            return self._conflict(claim, (similarity_to(self.index, around, cell), cell))
        similarity, here = ranked[0][0], -ranked[0][1]
        known = self.index.numbers
        if (
            rival is not None
            and rival[0] >= SAME_PLACE
            and (rival[0] - similarity >= (NEARER_GUARDED if guarded else NEARER))
        ):
            # a sentence that gives several of the statement's numbers vouches for each of them
            units = {known[-at].unit for _, at in ranked}
            vouched = any(
                known[at].unit in units and known[at].unit != known[rival[1]].unit
                for start, held in equal.items()
                if start != claim.start
                for at in held
            )
            if (
                not vouched
                and self._evidence(around, rival[1]) >= EVIDENCE_STATED
                and self._joined(claim) is None
            ):
                return self._conflict(claim, rival)
        place = known[here].place
        return _figure(claim, "stated", similarity=similarity, places=(place,))

    def _evidence(self, around: Mapping[str, float], here: int) -> int:
        """Return how many stems near a claimed number stand near one of the source."""
        known = context_of(self.index, here)
        return sum(
            1 for name, weight in around.items() if weight >= 0.3 and known.get(name, 0.0) >= 0.3
        )

    def _conflict(self, claim: Number, rival: tuple[float, int]) -> Figure:
        known = self.index.numbers[rival[1]]
        return _figure(
            claim, "conflict", rather=known.number.text, similarity=rival[0], places=(known.place,)
        )

    def _operands(self, claim: Number, near: Sequence[int]) -> list[Operand]:
        said = frozenset(word.stem for word in self.words)
        return at_hand(self.index, self.bearing, near, claim, self.read, self.before, said)


_WAY = re.compile(r"(?i:\b(from|to)\s+[^\w\s]?)\Z")


def _way(text: str, number: Number) -> str:
    """Return "from" or "to" where it stands before a number."""
    found = _WAY.search(text, max(0, number.start - 8), number.start)
    return found[1].lower() if found else ""


_LAST_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]++)[.\s]*+\Z")


def _before(text: str, number: Number) -> str:
    """Return the stem of the word before a number: of "ward 3" that of the ward."""
    found = _LAST_WORD.search(text, max(0, number.start - 24), number.start)
    return stem(found[1]) if found else ""


def _figure(
    claim: Number, account: str, *, how: str = "", rather: str = "", similarity: float = 0.0,
    places: tuple[tuple[int, int, int], ...] = (), whole: bool = False,
) -> Figure:  # fmt: skip
    return Figure(
        claim.start, claim.end, claim.text, claim.kind, account, how, rather,
        round(min(1.0, similarity), 4), places, whole,
    )  # fmt: skip

"""A claim in the terms of a knowledge base, set beside its statements: the facts the rules judge.

Only values, intervals, ranks and counts are worked out here; pack `kb` decides.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from rdflib.namespace import RDF
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.calendar import add, dated_as_julian, day_number, numbered
from groundrules.kb.read.timing import Bearing, Timing, barring, bearing, period
from groundrules.kb.sources.literals import in_words, read_amount, read_node
from groundrules.kb.sources.source import Pair, Property, Statement, Status, Value
from groundrules.terms import GR, STATEMENT, Claim, Modality, Span, Triple

#: What a bound is called: of a day or an amount, whether it lies below, and takes itself in.
_BOUNDS = {
    (True, True, True): "no later than", (True, True, False): "before",
    (True, False, True): "no earlier than", (True, False, False): "after",
    (False, True, True): "at most", (False, True, False): "less than",
    (False, False, True): "at least", (False, False, False): "more than",
}  # fmt: skip
_SORTS = {"somevalue", "novalue", "opaque"}


@dataclass(frozen=True, slots=True)
class Beside:
    """What the value of a claim follows from: what the source states of a thing.

    `side` is what the claimed value is to that one, as in `relational.Side`; `years` an age.
    """

    thing: URIRef
    property: URIRef
    side: str
    years: int = 0


def counted(statements: Sequence[Statement], complete: bool) -> Statement | None:
    """Return how many things are stated, as a statement; None where nothing is.

    There are no fewer than are stated, and no more if the source says so or has all of them.
    """
    live = [s for s in statements if s.direct and s.rank != "deprecated"]
    none = any(s.value.kind == "novalue" for s in live)
    many = len({s.value.node for s in live if s.value.kind not in _SORTS})
    if not live or (not many and not none and not complete):
        return None
    high = float(many) if complete or (none and not many) else math.inf
    shown = Literal(many) if high == many else Literal(f"{many} that are stated")
    value = Value("quantity", shown, float(many), high)
    return replace(live[0], value=value, start=None, end=None, point=None, rank="normal", best=True)


@dataclass(frozen=True, slots=True)
class Question:
    """A claim read in the terms of one source, and what the source states of it.

    `reading` is the assertion; `value` its object as a value; `timing` when it is said to be so,
    None where it does not say, and `now` the day of today; `link` says how far it could be put in
    terms of the source, see `GR.link`, and `unlinked` which end of it could not; `unread` are the
    words of the sentence that it was read without; `doubts` are reasons why the source may not
    refute it, see `GR.doubt`; `complete` that the source knows all values; `rivals` are the
    statements that give the value to another thing; `beside` is what the value follows from, where
    that is something stated; a `count` asks how many values there are, of the `kind` if it has one.
    A reading that could not be expressed asks nothing.
    """

    reading: Claim
    source: URIRef
    link: str = "linked"
    status: Status = Status.EMPTY
    property: Property | None = None
    value: Value | None = None
    timing: Timing | None = None
    current: bool = False
    now: float = math.inf
    statements: tuple[Statement, ...] = ()
    doubts: tuple[str, ...] = ()
    complete: bool = False
    unlinked: Node | None = None
    rivals: tuple[Statement, ...] = ()
    unread: str = ""
    beside: Beside | None = None
    count: bool = False
    kind: URIRef | None = None


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The statements that questions are set beside, by source, and the facts about both.

    `pins` gives for each statement, by triple and source, the statement, its revision and when it
    was read.
    """

    evidence: Mapping[URIRef, tuple[Claim, ...]]
    facts: tuple[Triple, ...]
    pins: Mapping[tuple[Triple, str], str]


def value_beside(beside: Beside, statements: Iterable[Statement]) -> Value | None:
    """Return the value that a claim gives by what is stated of another thing, None if that is open.

    It is open where nothing is stated, or more than one thing. As much as that is not known
    exactly, what lies outside is not excluded.
    """
    stated = {
        (s.value.low, s.value.high, s.value.unit): s.value
        for s in statements
        if s.direct and s.best and s.rank != "deprecated" and s.value.kind not in _SORTS
    }
    if len(stated) != 1:
        return None
    (known,) = stated.values()
    if known.low is None or known.high is None:
        return None
    vague = known.high - known.low
    step = 1 if known.kind == "time" else math.ulp(known.high)
    if beside.side == "below":
        return replace(known, low=-math.inf, high=known.low - step, loose=vague)
    if beside.side == "above":
        return replace(known, low=known.high + step, high=math.inf, loose=vague)
    if known.kind != "time":
        return None
    first, last = (numbered(int(end)) for end in (known.low, known.high))
    if beside.side == "same year":
        if first[0] != last[0]:
            return None
        low, high = day_number(first[0]), day_number(first[0] + 1) - 1
        return replace(known, low=float(low), high=float(high), loose=0.0)
    low = day_number(*add(last, 12 * beside.years))
    high = day_number(*add(first, 12 * (beside.years + 1))) - 1
    return replace(known, low=float(low), high=float(high), loose=vague)


def relate(claimed: Value, known: Value, within: frozenset[Pair] = frozenset()) -> str:
    """Say how a claimed value relates to the one a source states.

    "equal"; "claim-coarser", what is known is finer and so carries the claim; "source-coarser", it
    is vaguer; "overlap", the intervals cross; "disjoint"; "incomparable". `within` has the pairs
    (a, b) of which a lies in, or is a kind of, b. Quantities are approximate: those of one unit
    whose intervals meet are equal; a number without a unit is in none.
    """
    if claimed.kind in _SORTS or known.kind in _SORTS or claimed.unit != known.unit:
        return "incomparable"
    ends = (claimed.low, claimed.high, known.low, known.high)
    # a bound holds of all that is known or is left open, an amount is approximate
    bound = any(end is not None and math.isinf(end) for end in ends)
    if claimed.node == known.node and not bound:
        return "equal"
    if claimed.kind == "item" and known.kind == "item":
        if (known.node, claimed.node) in within:
            return "claim-coarser"
        return "source-coarser" if (claimed.node, known.node) in within else "disjoint"
    if claimed.kind != known.kind:
        return "incomparable"
    if claimed.kind in ("text", "identifier"):
        same = _folded(claimed.node) == _folded(known.node)
        # a name may be written in many ways; an identifier may not
        return "equal" if same else "disjoint" if claimed.kind == "identifier" else "incomparable"
    if any(end is None for end in ends):
        return "incomparable"
    low, high, least, most = (float(end) for end in ends if end is not None)
    middle = (least + most) / 2
    named = bound and (claimed.node == known.node or middle in (low, high))
    if named and low <= middle <= high:
        return "equal"  # at least 1998, and not before 1998
    if high < least or most < low:
        near = high + claimed.loose >= least and low - claimed.loose <= most
        if not near and claimed.kind == "time" and least == most < _GREGORIAN:
            return _in_either_calendar(claimed, known)
        return "overlap" if near else "disjoint"
    if (claimed.kind == "quantity" and not bound) or (low, high) == (least, most):
        return "equal"
    if low <= least and most <= high:
        return "claim-coarser"
    return "source-coarser" if least <= low and high <= most else "overlap"


#: The day from which on no country counts by the Julian calendar.
_GREGORIAN = day_number(1923, 3, 1)


def _in_either_calendar(claimed: Value, known: Value) -> str:
    """Say how a claimed time relates to a day that it excludes if both are of one calendar.

    A day that the source has in the Julian calendar has two dates, of which either may be claimed.
    Where the source does not say, a day that is the other in the other calendar is open.
    """
    assert known.low is not None  # who calls has looked
    written = float(dated_as_julian(int(known.low)))
    if known.julian:
        return relate(claimed, replace(known, low=written, high=written, julian=False))
    if claimed.low is None or claimed.low != claimed.high or abs(claimed.low - known.low) < 2:
        return "disjoint"  # the next day is another one in either
    days = {claimed.low, float(dated_as_julian(int(claimed.low)))}
    return "overlap" if days & {written, known.low} else "disjoint"


def _folded(node: Node) -> str:
    return unicodedata.normalize("NFC", str(node)).casefold()


def during(question: Question, statement: Statement, relation: str = "equal") -> Bearing:
    """Say how the time of a statement bears on what a claim says of when.

    What has the claimed value is to be so then; what has another one, `relation` being "disjoint",
    is to leave no room for it.
    """
    if relation == "disjoint":
        return barring(statement, question.timing, question.now)
    measured = statement.point is not None and statement.start is None and statement.end is None
    if question.current and measured and statement.rank == "preferred":
        return "unstated"  # the figure that is to be told now, of whatever day it is
    return bearing(statement, question.timing, question.now)


def compare_all(
    questions: Iterable[Question], within: frozenset[Pair] = frozenset()
) -> Comparisons:
    """Return the facts that pack `kb` reads, in the order of the questions."""
    facts: list[Triple] = []
    names: dict[tuple[URIRef, Statement], Claim] = {}
    seen: set[tuple[URIRef, Node, Node]] = set()
    for number, question in enumerate(questions):
        facts += _asked(question)
        beside = []
        for index, statement in enumerate(question.statements):
            # what is not direct may support and do nothing else
            if not statement.direct and not entails(question, statement, within):
                continue
            key = question.source, statement
            if key not in names:
                names[key] = _evidence(statement, question.source, len(names) + 1)
            beside.append((statement, names[key]))
            node = BNode(f"comparison{number}x{index}")
            facts += _compared(node, question, statement, names[key].id, within)
        for statement in question.rivals:
            key = question.source, statement
            if key not in names:
                names[key] = _evidence(statement, question.source, len(names) + 1)
            facts.append(Triple(question.reading.id, GR.rival, names[key].id))
        about = question.reading.triple
        # of what may have several values none is a rival of another
        single = question.property is not None and question.property.functional
        if single and (question.source, about.subject, about.predicate) not in seen:
            seen.add((question.source, about.subject, about.predicate))
            facts += _rivals(number, beside, within)
    for (_, statement), evidence in names.items():
        facts += _described(statement, evidence.id)
    by_source: dict[URIRef, list[Claim]] = {}
    pins: dict[tuple[Triple, str], str] = {}
    for (source, statement), evidence in names.items():
        by_source.setdefault(source, []).append(evidence)
        if statement.pin:
            pins.setdefault((evidence.triple, str(source)), statement.pin)
    return Comparisons({s: tuple(found) for s, found in by_source.items()}, tuple(facts), pins)


def entails(question: Question, statement: Statement, within: frozenset[Pair]) -> bool:
    """Return whether a statement has the claimed value, or a finer one."""
    value = question.value
    return value is not None and relate(value, statement.value, within) in (
        "equal",
        "claim-coarser",
    )


def _asked(question: Question) -> Iterator[Triple]:
    reading, known = question.reading.id, question.property
    scope = "current" if question.current else "undated" if question.timing is None else "dated"
    exempt = known is not None and question.reading.triple.subject in known.exceptions
    functional: str = known.functional if known and not exempt else ""
    if question.count:
        functional = "count"
    elif not functional and _is_measured_once(question):
        functional = "single"
    for predicate, value in (
        (GR.asks, question.source),
        (GR.link, Literal(question.link)),
        (GR.lookup, Literal(question.status.value)),
        (GR.scope, Literal(scope)),
        (GR.functional, Literal(functional or "none")),
        (GR.temporal, Literal(bool(known and known.temporal))),
        (GR.complete, Literal(question.complete)),
        *([(GR.irreflexive, Literal(True))] if known and known.irreflexive else []),
        *((GR.doubt, Literal(doubt)) for doubt in question.doubts),
        *([(GR.unlinked, question.unlinked)] if question.unlinked else []),
        *([(GR.missed, Literal(question.unread))] if question.unread else []),
        *([(GR.bound, Literal(words))] if (words := _bound_of(question)) else []),
    ):
        yield Triple(reading, predicate, value)


def _bound_of(question: Question) -> str:
    """Return the words before the object of a claim that make it a bound: "before", "at least"."""
    value = question.value
    if value is None or value.low is None or value.high is None or question.count:
        return ""
    below, above = value.low == -math.inf, value.high == math.inf
    if below is above:
        return ""
    end = value.high if below else value.low
    if value.kind == "time":
        known = read_node(value.node)
        within = end == (known.high if below else known.low)
    else:
        within = end == _size(value.node)
    words = _BOUNDS[value.kind == "time", below, within]
    if question.beside is None:
        return words
    return f"{words} {in_words(value.node) or value.node}, that of"


def _size(node: Node) -> float | None:
    amount = read_amount(Literal(str(node).partition(" ")[0]))
    return None if amount is None else float(amount)


def _is_measured_once(question: Question) -> bool:
    """Return whether a thing has one amount of a unit by its statements: length, height, duration.

    What comes and goes, as inhabitants do, may have another one at another time.
    """
    known, value = question.property, question.value
    if known is None or value is None or value.kind != "quantity":
        return False
    if known.temporal:  # it has one of a day
        timed = question.timing is not None and not question.current
        return timed and any(s.point is not None and s.direct for s in question.statements)
    live = [s for s in question.statements if s.rank != "deprecated" and s.direct]
    return len(live) == 1 and bool(live[0].value.unit) and not (
        live[0].start or live[0].end or live[0].point
    )  # fmt: skip


def _evidence(statement: Statement, source: URIRef, number: int) -> Claim:
    kind = statement.value.kind
    return Claim(
        STATEMENT[f"kb:{number}"],
        Triple(statement.subject, statement.predicate, statement.value.node),
        Span(str(source), 0, 0),
        # so that the named graph vouches for neither
        polarity="negative" if kind == "novalue" else "positive",
        modality=Modality.POSSIBILITY if kind == "somevalue" else Modality.ASSERTED,
        origin="kb",
    )


def _described(statement: Statement, evidence: URIRef) -> Iterator[Triple]:
    sort = statement.value.kind if statement.value.kind in _SORTS else "value"
    yield Triple(evidence, GR.rank, Literal(statement.rank))
    yield Triple(evidence, GR.sort, Literal(sort))
    yield Triple(evidence, GR.best, Literal(statement.best))
    scope = (statement.start, statement.end, statement.point)
    yield Triple(evidence, GR.dated, Literal(any(date is not None for date in scope)))
    if when := period(statement):
        yield Triple(evidence, GR.period, Literal(when))
    if statement.references is not None:
        yield Triple(evidence, GR.referenced, Literal(statement.references > 0))


def _compared(
    node: BNode, question: Question, statement: Statement, evidence: URIRef, within: frozenset[Pair]
) -> Iterator[Triple]:
    yield Triple(node, RDF.type, GR.Comparison)
    yield Triple(node, GR.claim, question.reading.id)
    yield Triple(node, GR.evidence, evidence)
    relation = ""
    if question.value is not None and statement.value.kind not in _SORTS:
        relation = relate(question.value, statement.value, within)
        yield Triple(node, GR.relation, Literal(relation))
        if {question.value.kind, statement.value.kind} == {"quantity"}:
            claimed, known = bool(question.value.unit), bool(statement.value.unit)
            if claimed != known:
                yield Triple(node, GR.unit, Literal("unstated" if claimed else "unclaimed"))
    yield Triple(node, GR.during, Literal(during(question, statement, relation)))


def _rivals(
    number: int, statements: Sequence[tuple[Statement, Claim]], within: frozenset[Pair]
) -> Iterator[Triple]:
    """Yield the pairs of statements whose values cannot both be meant, both ways."""
    direct = [(statement, claim) for statement, claim in statements if statement.direct]
    for (index, (one, mine)), (jndex, (other, theirs)) in combinations(enumerate(direct), 2):
        if relate(one.value, other.value, within) != "disjoint":
            continue
        for name, (a, b) in (("", (mine, theirs)), ("back", (theirs, mine))):
            node = BNode(f"rivals{number}x{index}x{jndex}{name}")
            yield Triple(node, GR["from"], a.id)
            yield Triple(node, GR.to, b.id)
            yield Triple(node, GR.relation, Literal("disjoint"))


def unexpressed(claim: Claim, reading: URIRef, source: URIRef, link: str) -> Question:
    """Return the question of a claim that could not be put in terms of a source."""
    return Question(replace(claim, id=reading, reads=claim.id, origin="kb"), source, link)

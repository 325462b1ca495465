"""The values and things that a language model tells of a text, as we read them.

A date, a number or a duration stands in the words or is made of others as they say: "3 May 2020 +
two weeks", "twelve × $5,000 + $80". Where the words name no such value, or more than one, there is
none. A thing called by a name that we read is that one, unless its class excludes it; else it is
one of its own. What is told goes in by `ModelThings.state`; what of it is dropped is counted there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from rdflib.namespace import OWL, RDF, RDFS, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.calendar import DATES, Date, add, read_date, read_duration, write_date
from groundrules.claims.documents.document import plain
from groundrules.claims.english.identity import (
    AROUND_ELAPSED,
    AT_A_DAY,
    ELAPSED,
    POINTING,
    RELATIVE,
)
from groundrules.claims.evidence.copied import Place
from groundrules.claims.values.value_reader import find_values, spelled
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.termlist import Kind, Vocabulary
from groundrules.terms import Modality, Polarity, Span, Triple

_DAY = 86_400
#: Kinds of values that have a number, or one of a unit; the quotation marks around words.
_NUMBERED = frozenset({"MONEY", "NUMBER", "PERCENT"})
_MEASURED = frozenset({"QUANTITY", "DURATION"})
_QUOTES = "\"'“”‘’«»„"
#: No number in a text is larger, and no sum of such is either.
_LARGEST = Decimal(10) ** 15
_AROUND = re.compile(rf"(?i)^{AROUND_ELAPSED}\s|\s{AROUND_ELAPSED}$")
_RELATIVE = re.compile(RELATIVE, re.I)
_AT_A_DAY = re.compile(AT_A_DAY, re.I)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
#: "the last day of June 2015", in whatever order.
_END_OF_MONTH = re.compile(
    rf"(?i)\b(?P<which>first|last)\sday\sof\s(?P<month>(?:{'|'.join(_MONTHS)})[a-z]{{0,6}})\b"
)
#: A number in figures behind the same in words: "thirty (30)".
_TWICE = re.compile(r"\s\([^()]{1,20}\)")
#: Between values of which another is made.
_JOINED = re.compile(r"\s([+−–\-])\s")
_TIMES = re.compile(r"\s[×*x]\s")
#: What makes one value of others wherever it stands; a dash may as well be one of a range.
OPERATED = re.compile(r"\s[+−×*x]\s")


@dataclass(frozen=True, slots=True)
class Value:
    """A value in words of the text: summands, each with its sign, and the factors of each.

    `places` are where the words stand, `words` those of one that the text has as it is.
    """

    summands: tuple[tuple[int, tuple[str, ...]], ...]
    places: tuple[Place, ...]
    words: str = ""


def split(words: str, most: int) -> list[tuple[int, list[str]]]:
    """Return the summands that words are made of, with their factors; none for too many."""
    parts = _JOINED.split(words)
    out = [
        (1 if sign == "+" else -1, [one.strip() for one in _TIMES.split(part)])
        for sign, part in zip(["+", *parts[1::2]], parts[::2], strict=True)
    ]
    return out if max(len(out), *(len(found) for _, found in out)) <= most else []


def value_of(value: Value, kind: Kind, datatype: URIRef | None = None) -> Literal | None:
    """Return the literal that a value comes to, None where its words name none of the kind."""
    if kind == "date":
        return _date(value, datatype)
    if kind == "number":
        return _number(value, datatype)
    if kind == "duration":
        found = _duration(value.words)
        return None if found is None else Literal(found, datatype=XSD.duration)
    words = value.words.strip(f" {_QUOTES}.,;:")
    return Literal(words) if words else None


def _date(value: Value, datatype: URIRef | None) -> Literal | None:
    (_, first), *others = value.summands
    literal = date_in(first[0]) if len(first) == 1 else None
    if literal is None:
        return None
    for sign, factors in others:
        duration = _duration(factors[0]) if len(factors) == 1 else None
        literal = None if duration is None else shifted(literal, duration, sign)
        if literal is None:
            return None
    if datatype == XSD.gYear:
        date = read_date(str(literal))
        literal = None if date is None else write_date(Date(date.year))
    return literal


def date_in(words: str) -> Literal | None:
    """Return the one date that words name, None where they tell another by it."""
    found = {
        v.literal: v for v in find_values(words) if v.kind == "DATE" and v.literal.datatype in DATES
    }
    if len(found) != 1:
        return None
    ((literal, place),) = found.items()
    rest = f"{words[: place.start]} {words[place.end :]}"
    if end := _END_OF_MONTH.search(words):
        date = read_date(str(literal))
        if date is None or date.year is None or date.day is not None:
            return literal if date is not None and date.year is not None else None
        month = date.month or _MONTHS.index(end["month"][:3].casefold()) + 1
        last = end["which"].casefold() == "last"
        first_of_next = add((date.year, month, 1), 1 if last else 0, -1 if last else 0)
        return write_date(Date(*first_of_next))
    rest = _AT_A_DAY.sub("", f"{rest.strip()} ")
    return None if _RELATIVE.search(rest) else literal


def _duration(words: str) -> str | None:
    """Return the xsd:duration that words name, None for none or several."""
    words = " ".join(words.casefold().split())
    while (less := _AROUND.sub("", words)) != words:
        words = less
    words = ELAPSED.get(words, re.sub(r"^an?\s", "one ", words))
    found = {str(v.literal) for v in find_values(words) if v.kind == "DURATION"}
    return found.pop() if len(found) == 1 else None


def shifted(date: Literal, duration: str, sign: int) -> Literal | None:
    """Return a date so much later or earlier, as precise as both are."""
    given, length = read_date(str(date)), read_duration(duration)
    if given is None or given.year is None or length is None:
        return None
    months, seconds = int(length[0]) * sign, int(length[1])
    days, rest = divmod(seconds, _DAY)
    if rest:
        return None
    year, month, day = given.year, given.month, given.day
    if day is not None and month is not None:
        return write_date(Date(*add((year, month, day), months, days * sign)))
    if days:
        return None
    if month is not None:
        later, index, _ = add((year, month, 1), months)
        return write_date(Date(later, index))
    return write_date(Date(year + months // 12)) if months % 12 == 0 else None


def _number(value: Value, datatype: URIRef | None) -> Literal | None:
    total = Decimal(0)
    for sign, factors in value.summands:
        product = Decimal(1)
        for factor in factors:
            number = _number_in(factor, alone=len(factors) == 1)
            if number is None:
                return None
            product *= number
        total += sign * product
    if abs(total) > _LARGEST:
        return None
    total = round(total, 4)
    if total == total.to_integral_value():
        return Literal(str(int(total)), datatype=XSD.integer)
    if datatype == XSD.integer:
        return None
    return Literal(format(total.normalize(), "f"), datatype=XSD.decimal)


def _number_in(words: str, *, alone: bool) -> Decimal | None:
    """Return the one number that words name; a percentage of something is a hundredth of it.

    Of what has a unit the number is as it stands, "300 pounds" and "five years".
    """
    words = _TWICE.sub("", words)
    found = find_values(words)
    numbers = [v for v in found if v.kind in _NUMBERED]
    if not numbers and len(found) == 1 and found[0].kind in _MEASURED:
        numbers = [v for v in find_values(_first_number(words)) if v.kind == "NUMBER"]
    told = {str(v.literal).split(" ")[0] for v in numbers}
    if len(told) != 1:
        return None
    number = _decimal(told.pop())
    shared = numbers[0].kind == "PERCENT" and not alone
    return None if number is None else number / 100 if shared else number


def _first_number(words: str) -> str:
    """Return the number at the head of words, in figures or in words, without its unit."""
    figures = re.search(r"\d[\d.,]*\d|\d", words)
    if figures is not None:
        return figures[0]
    lead = re.search(r"[A-Za-z].*", words)
    told = spelled(lead[0].casefold()) if lead else None
    return str(told[0]) if told else ""


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except ArithmeticError:
        return None
    return number if number.is_finite() and abs(number) < _LARGEST else None


# --- things ---------------------------------------------------------------------------------------


_ARTICLE = re.compile(POINTING)
#: A label that is a name, not "agreement".
_NAME = re.compile(r"[A-Z0-9]")


@dataclass(frozen=True, slots=True)
class ModelThing:
    """A thing that is told of: its row, its names and where they stand, and what it is one by.

    Things of two pieces with one `key` are one.
    """

    row: Mapping[str, Any]
    names: tuple[str, ...]
    places: tuple[Place, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Mode:
    """Where something is said, and whether it is denied, bound, or left open."""

    places: tuple[Place, ...]
    polarity: Polarity
    modality: Modality
    by: str


class ModelThings:
    """States what is told of a document, by the nodes of its things; counts what it drops."""

    def __init__(self, assertions: Assertions, terms: Vocabulary, ontology: Ontology) -> None:
        self.assertions, self.terms = assertions, terms
        self.text = plain(assertions.extraction.document)
        self.dropped: Counter[str] = Counter()
        self.nodes: dict[str, URIRef] = {}
        self.inverse = {
            one.subject: one.object for one in ontology.axioms if one.predicate == OWL.inverseOf
        }
        #: Of each class those that exclude it, and of each thing the classes its uses want.
        self.apart: dict[Node, set[Node]] = {}
        for one in ontology.axioms:
            if one.predicate == OWL.disjointWith:
                self.apart.setdefault(one.subject, set()).add(one.object)
        self.wanted: dict[str, list[tuple[bool, set[Node]]]] = {}
        self.below = {
            (one.subject, one.object)
            for one in ontology.axioms
            if one.predicate in (RDFS.subClassOf, OWL.equivalentClass)
        }

    def name(self, things: Sequence[ModelThing]) -> None:
        """Find the node of each thing: that of ours which it alone may be, or one of its own."""
        known = _Known(self.assertions)
        first = {one.key: one for one in reversed(things)}
        ours = {
            key: node
            for key, one in first.items()
            if (node := next((n for n in known.called(one) if self._may_be(n, one, known)), None))
        }
        count = Counter(ours.values())
        for key, one in first.items():
            node = ours.get(key)
            if node is None or count[node] > 1:
                node = self.assertions.part(f"told:{key}")
            label = one.names[0] if one.names else one.row["class"]
            self.assertions.labels.setdefault(node, label[:80] or key)
            self.nodes[key] = node

    def _may_be(self, node: URIRef, one: ModelThing, known: _Known) -> bool:
        """Return whether a thing is of the classes that we read of a node, or above or below."""
        kind = self.terms.classes.get(one.row["class"])
        classes = known.classes.get(node, set())
        if any(self.excludes(other, one.key) for other in classes):
            return False
        return kind is None or all(
            other == kind.iri or {(other, kind.iri), (kind.iri, other)} & self.below
            for other in classes
        )

    def excludes(self, kind: Node, key: str, *, subject: bool = False) -> bool:
        """Return whether a thing of a class can be of none of those that a use of one wants."""
        apart = self.apart.get(kind, set())
        uses = self.wanted.get(key, ())
        return any(wanted <= apart for first, wanted in uses if first or not subject)

    def state(self, triple: Triple, mode: Mode) -> None:
        """State a triple, and what its inverse says."""
        inverse = self.inverse.get(triple.predicate)
        triples = [triple]
        if inverse is not None and isinstance(triple.object, URIRef):
            triples.append(Triple(triple.object, inverse, triple.subject))
        for one in triples:
            assert isinstance(one.predicate, URIRef)
            self.assertions.state(
                one.subject,
                one.predicate,
                one.object,
                self.span(mode.places),
                polarity=mode.polarity,
                modality=mode.modality,
                attribution=mode.by or None,
            )

    def span(self, places: Sequence[Place]) -> Span:
        """Return the place of words: their pieces in the sentence of the first."""
        around = self.assertions.sentence_at(places[0][0])
        inside = [
            one
            for one in places[1:]
            if around is not None and around.start <= one[0] and one[1] <= around.end
        ]
        ends = [places[0], *inside]
        return self.assertions.span(min(p[0] for p in ends), max(p[1] for p in ends))

    def said(self, places: Sequence[Place]) -> str:
        """Return the words at some places, their blanks made one each."""
        return " ".join(" ".join(self.text[start:end].split()) for start, end in places)


class _Known:
    """Our own things: nodes by name and by the start of a mention, and their classes."""

    def __init__(self, assertions: Assertions) -> None:
        self.by_name: dict[str, URIRef] = {}
        self.by_place: dict[int, tuple[int, URIRef]] = {}
        self.classes: dict[Node, set[Node]] = {}
        for mention in assertions.extraction.mentions:
            if isinstance(mention.node, URIRef):
                self.by_place.setdefault(mention.span.start, (mention.span.end, mention.node))
        labels = {**assertions.extraction.labels, **assertions.labels}
        for claim in assertions.claims():
            triple = claim.triple
            if triple.predicate == RDF.type:
                self.classes.setdefault(triple.subject, set()).add(triple.object)
                continue
            for node in (triple.subject, triple.object):
                label = labels.get(node, "")
                if isinstance(node, URIRef) and _NAME.match(label):
                    self.by_name.setdefault(bare(label), node)

    def called(self, one: ModelThing) -> Iterator[URIRef]:
        """Yield the nodes that we have for the names of a thing: of what we read, then mentions."""
        for name in one.names:
            if (node := self.by_name.get(bare(name))) is not None:
                yield node
        for (start, end), name in zip(one.places, one.names, strict=False):
            for at in dict.fromkeys((start, start + len(name) - len(_ARTICLE.sub("", name)))):
                found = self.by_place.get(at)
                if found is not None and abs(found[0] - end) <= 1:
                    yield found[1]


def bare(name: str) -> str:
    """Return a name as names are compared: its words, without an article."""
    return " ".join(re.findall(r"\w+", _ARTICLE.sub("", name).casefold()))

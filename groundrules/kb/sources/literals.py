"""What nodes of a graph are as values: items, days, amounts, texts and places."""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal, InvalidOperation
from pathlib import Path

from rdflib.namespace import RDF, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.calendar import DATES, Date, days_of, read_date, write_date
from groundrules.claims.values.value_reader import find_values
from groundrules.kb.sources.source import Value
from groundrules.terms import GR

WKT = URIRef("http://www.opengis.net/ont/geosparql#wktLiteral")
NUMBERS = frozenset(
    {
        XSD.integer, XSD.decimal, XSD.double, XSD.float, XSD.int, XSD.long, XSD.short, XSD.byte,
        XSD.nonNegativeInteger, XSD.positiveInteger, XSD.nonPositiveInteger, XSD.negativeInteger,
        XSD.unsignedInt, XSD.unsignedLong, XSD.unsignedShort, XSD.unsignedByte,
    }
)  # fmt: skip
#: Of these a property that says when something was done has years.
WHOLE = frozenset({XSD.integer, XSD.int, XSD.short, XSD.nonNegativeInteger, XSD.positiveInteger})
_YEAR = re.compile(r"1\d{3}|20\d\d")
_WD = "http://www.wikidata.org/entity/"
_UNITS = tomllib.loads(Path(__file__).with_name("units.toml").read_text("utf-8"))
#: The symbols of units by their IRI in Wikidata, and the IRIs by symbol, those of currencies too.
SYMBOLS = {_WD + unit["item"]: symbol for symbol, unit in _UNITS["units"].items()}
UNIT_IRIS = {one: iri for iri, one in SYMBOLS.items()} | {
    one: _WD + item for one, item in _UNITS["currencies"].items()
}
#: Units by how many of which one they are.
CONVERTED = {
    _WD + item: (Decimal(factor), UNIT_IRIS[symbol])
    for symbol, unit in _UNITS["units"].items()
    for item, factor in unit.get("others", {}).items()
}
_CODES: dict[str, str] = _UNITS["codes"]
#: What separates an amount that is exact from one that is rounded, as a share of it.
_INEXACT = Decimal("0.005")


def read_node(node: Node, predicate: URIRef = RDF.value) -> Value:
    """Return what a node is as a value: an item, a time, an amount, a text or a place."""
    if isinstance(node, BNode):
        return Value("somevalue", node)
    if not isinstance(node, Literal):
        return Value("item", node)
    if node.datatype in DATES:
        return read_time(node)
    if node.datatype in NUMBERS:
        amount = read_amount(node)
        if amount is None:
            return Value("opaque", node)
        slack = tolerance(amount)
        return Value("quantity", node, float(amount - slack), float(amount + slack))
    if node.datatype == XSD.anyURI:
        return Value("identifier", node)
    if node.datatype in (None, XSD.string):
        return Value("text", node)
    if str(node).upper().startswith(("POINT(", "POINT (", "<HTTP")):
        # Virtuoso has a type and a spelling of its own
        text = re.sub(r"(?i)\bpoint ?\(", "Point(", str(node), count=1)
        return Value("coordinate", Literal(text, datatype=WKT, normalize=False))
    return Value("opaque", node)


def read_valued(node: Node, kind: str, unit: str) -> Value:
    """Return what a node is as a value of a property whose name tells its unit or a day.

    A whole number from 1000 to 2099 is a year there, and so is a text of four figures; a text, or a
    number of a datatype of its own, may be an amount with its unit.
    """
    if not isinstance(node, Literal):
        return read_node(node)
    if kind == "time" and (node.datatype in NUMBERS or node.datatype in (None, XSD.string)):
        year = Literal(str(node), datatype=XSD.gYear) if is_year(str(node)) else None
        return Value("opaque", node) if year is None else read_time(year)
    if node.datatype in NUMBERS:
        found = measured(f"{in_words(node)} {unit}") if unit else None
        return found or read_node(node)
    if kind != "quantity" or node.datatype in DATES:
        return read_node(node)
    text = str(node)
    if node.datatype not in (None, XSD.string):
        text += f" {unit_words(node.datatype)}"
    return measured(text) or Value("opaque", node)


def is_year(text: str) -> bool:
    """Return whether a text is a year from 1000 to 2099."""
    return _YEAR.fullmatch(text) is not None


def measured(text: str) -> Value | None:
    """Return the amount with a unit that a text is, None where it is none."""
    found = find_values(text)
    # "1.2 t" is read as the number before a letter
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(text.rstrip())):
        return None
    literal = found[0].literal
    if literal.datatype not in (GR.quantity, GR.money):
        return None
    figure, _, symbol = str(literal).partition(" ")
    amount = Decimal(figure)
    if symbol not in UNIT_IRIS:
        return None
    slack = tolerance(amount)
    return Value("quantity", literal, float(amount - slack), float(amount + slack),
                 UNIT_IRIS[symbol])  # fmt: skip


def unit_words(unit: Node) -> str:
    """Return how English writes a unit that a vocabulary codes: unit:KiloGM, "MTK", dt:metre."""
    name = re.split(r"[/#:]", str(unit))[-1] if isinstance(unit, URIRef) else str(unit)
    return _CODES.get(name) or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def read_time(literal: Literal) -> Value:
    """Return a date as the days it may be: a day, a month or a year, by its datatype."""
    date = read_date(literal)
    if date is None or date.year is None:
        return Value("opaque", literal)
    year, month, day = date
    if literal.datatype == XSD.gYear:
        month = day = None
    elif literal.datatype == XSD.gYearMonth:
        day = None
    if (month is None) != (literal.datatype == XSD.gYear):
        return Value("opaque", literal)
    return date_value(Date(year, month, day))


def date_value(date: Date) -> Value:
    """Return a year, a month or a day as a value."""
    ends = days_of(date)
    assert ends is not None
    return Value("time", write_date(date), float(ends[0]), float(ends[1]))


def read_amount(node: Node) -> Decimal | None:
    """Return the number a literal has, None if it has none that is finite."""
    try:
        amount = Decimal(str(node).strip())
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and abs(amount.adjusted()) < 300 else None


def in_words(node: Node) -> str:
    """Return an amount as a text writes it: "486 km" for 486000 m, "412" for 412.00.

    The larger unit has three decimals at most. A whole number of four digits stays as it is, which
    may be a year. Empty where a node is no amount.
    """
    if not isinstance(node, Literal) or node.datatype not in (*NUMBERS, GR.quantity):
        return ""
    figure, _, symbol = str(node).partition(" ")
    amount = read_amount(Literal(figure))
    if amount is None:
        return ""
    large, size = _UNITS["units"].get(symbol, {}).get("larger", ("", "1"))
    if large and abs(amount) >= Decimal(size) and not amount * 1000 % Decimal(size):
        amount, symbol = amount / Decimal(size), large
    plain = f"{amount.normalize():f}"
    shown = f"{Decimal(plain):,f}" if symbol or len(plain.partition(".")[0]) > 4 else plain
    return f"{shown} {symbol}".rstrip()


def tolerance(amount: Decimal, *, claimed: bool = False) -> Decimal:
    """Return how far off an amount may be that is given without bounds.

    Half a unit of its last digit that is not 0, or half a percent: of what a source states the
    less, for its zeros may be exact (1000 m does not carry 1400 m), of what a text claims the more,
    for it may round (9 million is said of 8.7 million). A whole number below 100 is a count and
    exact.
    """
    if amount == amount.to_integral_value() and abs(amount) < 100:
        return Decimal(0)
    exponent = int(amount.normalize().as_tuple().exponent)
    figures = Decimal(1).scaleb(exponent) / 2, abs(amount) * _INEXACT
    return max(figures) if claimed else min(figures)

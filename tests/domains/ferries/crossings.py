"""What texts say of ferries."""

import re

from rdflib.namespace import Namespace
from rdflib.term import Literal

from groundrules.claims.facts.triples import Mood
from groundrules.claims.values.value_reader import Value
from groundrules.domain import ValueKind
from groundrules.terms import ENTITY, Span, mint

FER = Namespace("https://example.org/ferries#")

_CROSSING = re.compile(r"(?P<ship>[A-Z]\w+) sails from (?P<from>[A-Z]\w+) to (?P<to>[A-Z]\w+)")
_MOORING = re.compile(r"(?P<ship>[A-Z]\w+) lies at (?P<berth>berth \d+[a-z])")
_BERTH = re.compile(r"\bberth (\d+[a-z])\b")
#: Berths of one number lie beside each other, and a long ship may lie at both.
BERTH = ValueKind(
    name="BERTH", datatype=FER.berth, differ=lambda one, other: one[:-1] != other[:-1]
)


def find_berths(text):
    """Yield berths, which no other field has."""
    for found in _BERTH.finditer(text):
        yield Value(*found.span(), BERTH.name, Literal(found[1], datatype=BERTH.datatype))


def read_moorings(document, ledger, values):
    """Add where ships lie."""
    starts = {value.start: value for value in values}
    for found in _MOORING.finditer(document.text):
        ship = mint(ENTITY, found["ship"])
        ledger.labels.setdefault(ship, found["ship"])
        for number, sentence in enumerate(ledger.sentences):
            if sentence.start <= found.start() < sentence.end:
                berth = starts[found.start("berth")]
                place = Span(document.name, berth.start, berth.end)
                ledger.add(
                    number,
                    (ship, Span(document.name, *found.span("ship"))),
                    ("moor at", None),
                    (berth.literal, place),
                    Mood(),
                )


def ship_names(extractions):
    """Return that each text's ship is the one it names: "the ferry"."""
    found = []
    for extraction in extractions:
        ships = set(re.findall(r"\bMV ([A-Z]\w+)", extraction.document.text))
        found.append({mint(ENTITY, "ferry"): mint(ENTITY, ship) for ship in ships})
    return found


def read_crossings(assertions):
    """State where ships sail from and to."""
    for found in _CROSSING.finditer(assertions.extraction.document.text):
        ship = assertions.thing(*found.span("ship"))
        for name in ("from", "to"):
            port = assertions.thing(*found.span(name))
            assertions.state(ship, FER[name], port, assertions.span(*found.span()))

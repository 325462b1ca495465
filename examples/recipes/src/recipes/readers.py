"""What texts say of lots, in the terms of the ontology."""

import re

from rdflib.namespace import XSD, Namespace
from rdflib.term import Literal

OWN = Namespace("https://example.org/recipes#")

_WEIGHT = re.compile(r"(?P<lot>[Ll]ot [0-9]{1,6}) weighs (?P<weight>[0-9]{1,6}) kg")


def read_weights(assertions):
    """State what lots weigh."""
    for found in _WEIGHT.finditer(assertions.extraction.document.text):
        lot = assertions.thing(*found.span("lot"))
        weight = Literal(found["weight"], datatype=XSD.integer)
        assertions.state(lot, OWN.weight, weight, assertions.span(*found.span()))

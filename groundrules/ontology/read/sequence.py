"""What is told to happen before what, where no date says it, and spans that end before they begin.

"The court decided the case before it was filed" has no date, and an order that the ontology
excludes; "1 April 2022 to 31 March 2021" ends before it begins, whatever it is the span of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from rdflib.term import Literal, Node

from groundrules.claims.slots import Term
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.read.lexicon import Event
from groundrules.ontology.read.referents import Held, Sentence
from groundrules.terms import GR, Mention

__all__ = ["spans_backwards", "state_order", "told_orders"]

#: Between the first and the last day of a span.
_TO = re.compile(r",?\s(?:to|until|till|through|thru|up to)(?: and including)?\s|\s?[–—]\s?")

_Find = Callable[[Term], tuple[Event, Held] | None]


def told_orders(
    term: Term, find: _Find
) -> Iterator[tuple[tuple[Event, Held], tuple[Event, Held], Term]]:
    """Yield pairs of events of which a proposition tells that the first was before the second."""
    for role, turned in (("before", False), ("after", True)):
        for other in term.of(role):
            if other.kind != "event" or other.denied:
                continue
            one, two = find(term), find(other)
            if one is not None and two is not None:
                yield (two, one, other) if turned else (one, two, other)


def state_order(
    assertions: Assertions,
    first: tuple[Event, Held, Node],
    second: tuple[Event, Held, Node],
    sentence: Sentence,
) -> None:
    """State that one event is told before another, what they happen to, and what dates them."""
    span = assertions.span(sentence.span.start, sentence.span.end)
    nodes = []
    for event, held, subject in (first, second):
        local = re.split(r"[#/:]", str(event.property))[-1]
        node = assertions.part(f"{local} of {subject}")
        called = assertions.labels.get(subject, held.called or held.kind.name)
        label = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", local).casefold()
        assertions.labels.setdefault(node, f"{label} of {called}")
        assertions.state(node, GR.happensTo, subject, span)
        assertions.state(node, GR.datedBy, event.property, span)
        nodes.append(node)
    assertions.state(nodes[0], GR.toldBefore, nodes[1], span)


def spans_backwards(text: str, dates: Sequence[Mention]) -> Iterator[tuple[Mention, Mention]]:
    """Yield the ends of each span of two whole days of which the last is before the first."""
    for one, other in pairwise(dates):
        if not _TO.fullmatch(text, one.span.end, other.span.start):
            continue
        first, last = str(one.node), str(other.node)
        if isinstance(one.node, Literal) and len(first) == len(last) == 10 and last < first:
            yield one, other

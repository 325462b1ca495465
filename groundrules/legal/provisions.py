"""What contracts say in forms of their own: term, price, duties and who signs.

The relations that sentences word (roles, dates, governing law) are read in relations.py.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from decimal import Decimal

from rdflib.namespace import RDF, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.documents.document import plain
from groundrules.legal.lawphrases import phrases
from groundrules.legal.namespace import AGREEMENT, LX
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.read.model_values import shifted
from groundrules.terms import ENTITY, RELATION, Claim, Modality, Span, mint

_RE = phrases("provisions")
_CODES = {"$": "USD", "US$": "USD", "£": "GBP", "€": "EUR"}
_FORMS = frozenset(
    "incorporated inc llc l.l.c ltd limited corporation corp company co lp l.p llp n.a plc gmbh ag "
    "the and of a an by its group holdings international".split()
)


def read_contracts(assertions: Assertions) -> None:
    """State the term, prices, duties and signatories of a contract; linear."""
    text = plain(assertions.extraction.document)
    _state_term(assertions, text)
    _state_periods(assertions, text)
    _state_prices(assertions, text)
    _state_own_duties(assertions, text)
    _state_signatories(assertions, text)


# --- term ---------------------------------------------------------------------------------------


def _state_term(assertions: Assertions, text: str) -> None:
    """State how long the contract runs, where the document says one length of it."""
    found: dict[Node, Span] = {}
    first: dict[Node, Span] = {}
    for mention in assertions.extraction.mentions:
        if mention.kind != "DURATION" or not isinstance(mention.node, Literal):
            continue
        if mention.node.datatype != XSD.duration:
            continue
        left = text[max(0, mention.span.start - 140) : mention.span.start]
        left = re.split(r"[.;]\s", left)[-1]
        term = _RE["term"].search(left)
        if term is None or _RE["not_term"].search(left):
            continue
        found.setdefault(mention.node, mention.span)
        if term["whose"]:
            first.setdefault(mention.node, mention.span)
    chosen = first if len(first) == 1 else found
    if len(chosen) == 1:
        for length, span in chosen.items():
            assertions.labels.setdefault(AGREEMENT, "agreement")
            assertions.state(AGREEMENT, LX.termLength, length, span, parts=(None, None, span))


def imply_expiration(assertions: Assertions) -> None:
    """State when a contract ends by its beginning and its term.

    Two days: the one that comes round and the day before it, as the last day counts or not.
    """
    begins: dict[URIRef, dict[Node, list[Claim]]] = {}
    lengths: dict[Node, list[Claim]] = {}
    for claim in assertions.claims():
        subject, predicate = claim.triple.subject, claim.triple.predicate
        if claim.polarity != "positive" or claim.modality in _OPEN:
            continue
        if predicate == LX.termLength:
            lengths.setdefault(subject, []).append(claim)
        elif predicate in {LX.commencementDate, LX.effectiveDate} and isinstance(predicate, URIRef):
            begins.setdefault(predicate, {}).setdefault(subject, []).append(claim)
    for subject, stated in lengths.items():
        # the term begins with the commencement date where there is one
        for kind in (LX.commencementDate, LX.effectiveDate):
            days = begins.get(kind, {}).get(subject, [])
            for begin in days:
                for length in stated:
                    for day in _ends(begin.triple.object, str(length.triple.object)):
                        assertions.state(
                            subject, LX.impliedExpirationDate, day, length.span, confidence=0.9
                        )
            if days:
                break


_OPEN = frozenset({Modality.POSSIBILITY, Modality.CONDITION})


def _ends(begin: Node, length: str) -> Iterator[Literal]:
    day = isinstance(begin, Literal) and begin.datatype == XSD.date
    end = shifted(begin, length, 1) if isinstance(begin, Literal) and day else None
    if end is not None:
        yield end
        before = shifted(end, "P1D", -1)
        if before is not None:
            yield before


_NEAR_TERM = 60


def _state_periods(assertions: Assertions, text: str) -> None:
    """State first day, last day and length of a period that a sentence gives all three of."""
    dates, lengths = (
        [m for m in assertions.extraction.mentions if _is_value(m.kind, m.node, kind, datatype)]
        for kind, datatype in (("DATE", XSD.date), ("DURATION", XSD.duration))
    )
    for one, other in itertools.pairwise(dates):
        left = text[max(0, one.span.start - 60) : one.span.start]
        if not _RE["from"].search(left) or not _RE["to"].search(
            text[one.span.end : other.span.start]
        ):
            continue
        near = [
            m
            for m in lengths
            if -_NEAR_TERM < m.span.start - other.span.end < _NEAR_TERM
            or -_NEAR_TERM < one.span.start - m.span.end < _NEAR_TERM
        ]
        start = min([one.span.start, *(m.span.start for m in near)])
        around = text[max(0, start - 60) : other.span.end + _NEAR_TERM]
        if len(near) != 1 or _RE["not_period"].search(around):
            continue
        node = assertions.part(f"period@{one.span.start}")
        span = assertions.span(start, max(other.span.end, near[0].span.end))
        assertions.labels.setdefault(node, "period")
        for predicate, mention in (
            (LX.termLength, near[0]),
            (LX.commencementDate, one),
            (LX.expirationDate, other),
        ):
            place = (None, None, mention.span)
            assertions.state(node, predicate, mention.node, span, parts=place)


def _is_value(kind: str, node: Node, wanted: str, datatype: URIRef) -> bool:
    return kind == wanted and isinstance(node, Literal) and node.datatype == datatype


# --- prices -------------------------------------------------------------------------------------


def _state_prices(assertions: Assertions, text: str) -> None:
    """State prices as sums of money that the contract has."""
    for match in _RE["price"].finditer(text):
        value = Decimal(match["figures"].replace(",", ""))
        if match["sign"] or match["inner"]:
            value = -value
        if not value and _RE["free"].search(text, max(0, match.start() - 100), match.end() + 60):
            continue
        node = assertions.part(f"price@{match.start()}")
        span = assertions.span(match.start(), match.end())
        words = " ".join(match[0].split())
        assertions.labels.setdefault(node, f"“{words}”")
        assertions.labels.setdefault(AGREEMENT, "agreement")
        shown = format(value, "f")
        amount = Literal(shown, datatype=XSD.decimal if "." in shown else XSD.integer)
        where = assertions.span(*match.span("sum"))
        assertions.state(node, RDF.type, LX.MonetaryAmount, span)
        assertions.state(AGREEMENT, LX.hasPrice, node, span)
        assertions.state(node, LX.amountValue, amount, span, parts=(None, None, where))
        code = Literal(_CODES[match["mark"].upper()])
        assertions.state(node, LX.currencyCode, code, span)


# --- duties -------------------------------------------------------------------------------------


def _state_own_duties(assertions: Assertions, text: str) -> None:
    """State duties that somebody owes to himself: "A shall pay A"."""
    found = assertions.extraction.mentions
    agents = {m.node for m in found if m.kind in {"PERSON", "ORG", "TERM"}}
    mentions = [
        m
        for m in found
        if m.node in agents
        and not _RE["unnamed"].fullmatch(m.text)
        and text[max(0, m.span.start - 1) : m.span.start] != "-"
    ]
    for one, other in itertools.pairwise(mentions):
        if one.node != other.node or other.span.start - one.span.end > 100:
            continue
        if _RE["owed"].fullmatch(text, one.span.end, other.span.start) and _RE["owed_to"].match(
            text, other.span.end
        ):
            span = assertions.span(one.span.start, other.span.end)
            node = assertions.part(f"norm@{span.start}-{span.end}")
            short = " ".join(text[span.start : span.end].split())
            assertions.labels.setdefault(node, f"“{short}”")
            assertions.state(node, RDF.type, LX.Obligation, span)
            assertions.state(node, LX.bearer, one.node, span)
            assertions.state(node, LX.counterparty, other.node, span)


# --- signatures ---------------------------------------------------------------------------------


def _state_signatories(assertions: Assertions, text: str) -> None:
    """State who signs, by the node of the party of that name where there is one.

    A name that shares a word with a party, or stands where the parties are introduced, is that of
    a party: "Alpine Holdings" for "Alpine Holdings LLC".
    """
    signings = list(_RE["signing"].finditer(text))
    party_to = mint(RELATION, "party to")
    extraction = assertions.extraction
    parties = {
        c.triple.subject: _key(extraction.labels.get(c.triple.subject, ""))
        for c in extraction.claims
        if c.triple.predicate == party_to
        and c.triple.object == AGREEMENT
        and c.polarity == "positive"
    }
    if not signings or len(parties) < 2:
        return
    signing = signings[-1]
    end = _RE["signed_end"].search(text, signing.end())
    stop = min(end.start() if end else len(text), signing.end() + 2000)
    begin = re.compile(r"[.\n]").search(text, signing.end())
    head = _key(text[: min(4000, signing.start())])
    for match in _RE["signatory"].finditer(text, begin.end() if begin else stop, stop):
        before = text[max(0, match.start() - 12) : match.start()]
        name, key = match["name"], _key(match["name"])
        if re.search(r"\b(?:by|its|of|for)\b[:\s]*$", before, re.I) or not key:
            continue
        words = name.replace("&", "").split()
        if not all(w[0].isupper() for w in words) or words[0].casefold().strip(".,") in _FORMS:
            continue
        span = assertions.span(match.start(), match.end("name"))
        node = next((n for n in sorted(parties, key=str) if parties[n] & key), None)
        if node is None:
            if head & key:
                continue
            node = mint(ENTITY, " ".join(name.split()))
            assertions.labels.setdefault(node, " ".join(name.split()))
        else:
            assertions.state(AGREEMENT, LX.hasParty, node, span, parts=(None, None, span))
        assertions.state(AGREEMENT, LX.hasSignatory, node, span, parts=(None, None, span))


def _key(name: str) -> frozenset[str]:
    words = re.findall(r"[a-z0-9&’'.-]+", name.casefold())
    return frozenset(w for w in (w.strip(".’'-") for w in words) if len(w) > 1 and w not in _FORMS)

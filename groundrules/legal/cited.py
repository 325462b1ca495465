"""What a citation says of the case it stands behind: where reported, when and by whom decided."""

from __future__ import annotations

import re
from bisect import bisect_right

from rdflib.namespace import XSD
from rdflib.term import Literal

from groundrules.claims.documents.document import Document
from groundrules.claims.facts.triples import Ledger, Mood
from groundrules.claims.names.names import is_contest
from groundrules.claims.values.value_reader import Value
from groundrules.legal.citations import CITATION
from groundrules.legal.lawphrases import phrases
from groundrules.terms import ENTITY, Mention, Span, mint

_RE = phrases("cited")


def read_cited(document: Document, ledger: Ledger, values: tuple[Value, ...]) -> None:
    """Add what citations say of the cases they stand behind, parallel ones included."""
    text, source = document.text, document.name
    cases = {m.span.end: m for m in ledger.mentions.values() if is_contest(m.text)}
    starts = [sentence.start for sentence in ledger.sentences]
    last: tuple[Mention | None, int] = (
        None,
        -1,
    )  # the case of the citation before, and where that ends
    for value in values:
        if value.kind != CITATION.name:
            continue
        gap = re.search(r",\s+$", text[max(0, value.start - 4) : value.start])
        before = value.start - len(gap[0]) if gap else -1
        case = last[0] if gap and last[1] == before else cases.get(before)
        last = case, value.end
        sentence = bisect_right(starts, value.start) - 1
        if case is None or sentence < 0:
            continue
        place = Span(source, value.start, value.end)
        subject = (case.node, case.span)
        ledger.add(sentence, subject, ("be reported at", None), (value.literal, place), Mood())
        tail = _RE["tail"].search(text, value.start, value.end) or _RE["tail"].match(
            text, value.end
        )
        if tail is None:
            continue
        if tail["pin"]:
            page = Literal(tail["pin"], datatype=XSD.integer)
            pin = Span(source, *tail.span("pin"))
            ledger.mention(pin, tail["pin"], "NUMBER", page, tail["pin"])
            ledger.add(sentence, subject, ("be cited at", None), (page, pin), Mood())
        year = Span(source, *tail.span("year"))
        decided = Literal(tail["year"], datatype=XSD.gYear)
        ledger.mention(year, tail["year"], "DATE", decided, tail["year"])
        ledger.add(sentence, subject, ("be decided in", None), (decided, year), Mood())
        if tail["court"]:
            court = Span(source, *tail.span("court"))
            node = mint(ENTITY, tail["court"])
            ledger.mention(court, tail["court"], "ORG", node, tail["court"])
            ledger.add(sentence, subject, ("be decided by", None), (node, court), Mood())

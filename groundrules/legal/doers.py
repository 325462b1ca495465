"""Who does what only a person or a body can do: file, sign, write an opinion, be a party.

A statute, a section of one, a day or a sum of money does none of these. The reader states who is
said to have done it and of what kind that is; the ontology says that the two exclude each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.document import plain
from groundrules.legal.namespace import AGREEMENT, LX
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import ENTITY, mint

_LAW = (
    r"(?:(?:[Ss]ections?|[Aa]rticles?|[Cc]hapters?|[Pp]art|[Tt]itle|[Rr]ules?)\s[\dIVX]{1,6}(?:\([a-z0-9]{1,3}\)){0,3}\s(?:of|to)\s)?(?:[Tt]he\s)?"
    r"(?P<law>(?:[A-Z][\w’'-]{1,30}\s(?:\([A-Z][\w\s]{1,30}\)\s)?(?:and\s|of\s|for\s|in\s|to\s|on\s|the\s){0,2}){1,7}"
    r"(?:Act|Code|Ordinance|Regulations?|Directive|Statute|Rules(?:\sof\s[A-Z]\w+)?)\b(?:\s(?:of\s)?(?:1[6-9]|20)\d\d)?)"
)
#: What only an agent does, in the passive, and in the active.
_DONE = (
    r"(?:filed|lodged|brought|commenced|instituted|delivered|written|authored|signed|executed|sued|argued"
    r"|drafted|prosecuted|represented|sworn|served|pleaded|invented|assigned|presided\sover|heard|tried"
    r"|cross-examined|witnessed|negotiated|appealed|attended|joined|made|conceived|attested|granted\sto|leased\sto|sold\sto|lent\sto|initialled|sealed)"
)
_DOES = (
    r"(?:filed|lodged|sued|signed|wrote|authored|argued|testified|dissented|concurred|joined|appealed"
    r"|moved\sto|petitioned|pleaded|delivered|presided|invented|negotiated|swore|executed|represents?"
    r"|represented|heard|is\s(?:the\s|a\s)?(?:plaintiff|defendant|judge|tenant|landlord|buyer|seller"
    r"|appellant|inventor|witness)|(?:was|is)\s(?:a\s|the\s)?party)"
)
_BY_LAW = re.compile(rf"\b{_DONE}\s(?:[\w-]{{1,20}}\s){{0,3}}?by\s{_LAW}")
_AGENT_IS_LAW = re.compile(
    r"\b(?:[Tt]he|[Oo]ur|[Hh]is|[Hh]er|[Ii]ts|[Ss]ole|[Pp]residing|[Cc]hief)\s(?:(?:sole|only|chief|expert|first|key|main|presiding|lead)\s)?"
    r"(?:witness|judge|plaintiff|defendant|claimant|appellant|counsel|author|inventor|tenant|landlord|arbitrator|attorney|solicitor|expert"
    r"|buyer|seller|trustee|juror|notary|signatory|lender|borrower|employer|employee|licensee|licensor|mediator|guarantor|executor)\b"
    rf"[^.;,]{{0,40}}?(?:,\s|\s(?:is|was)\s){_LAW}"
)
_LAW_DOES = re.compile(rf"(?:^|[.;]\s){_LAW}\s(?:itself\s)?{_DOES}\b")
#: By what, in which court or under which law something is done is not who does it.
_NOT_WHO = re.compile(
    r"\b(?:as\s(?:required|provided|amended)|required|governed|permitted)\b", re.I
)
_PARTIES = re.compile(
    r"\b(?:[Aa]greement|[Cc]ontract|[Ll]ease|[Ll]icen[cs]e|[Dd]eed|[Cc]harterparty)\b[^.;]{0,80}?\b(?:between|among)\s(?:the\s)?"
)
_AND = re.compile(r"^(?:,?\s\([^()]{1,60}\)|,\s[^.;]{1,60}?)?,?\sand\s$")
#: Behind the last party, at once.
_END = re.compile(r"\s?(?:\(|,?\s?(?:as|together|each|\(the)\b|\.|,|$)")


def read_doers(assertions: Assertions) -> None:
    """State what laws, days and sums are said to do, or to be parties to; linear."""
    text = plain(assertions.extraction.document)
    for pattern in (_BY_LAW, _LAW_DOES, _AGENT_IS_LAW):
        for found in pattern.finditer(text):
            if not _NOT_WHO.search(found[0]):
                law = found["law"]
                node = mint(ENTITY, law)
                assertions.labels.setdefault(node, law)
                _state_done(assertions, node, LX.Legislation, found)
    _read_parties(assertions, text)


def _state_done(assertions: Assertions, who: URIRef, class_: URIRef, found: re.Match[str]) -> None:
    span = assertions.span(*found.span())
    deed = assertions.part(f"deed@{span.start}")
    assertions.labels.setdefault(deed, f"“{' '.join(found[0].split())}”")
    assertions.state(who, RDF.type, class_, span)
    where = assertions.span(*found.span("law"))
    assertions.state(deed, LX.doneBy, who, span, parts=(None, None, where))


def _read_parties(assertions: Assertions, text: str) -> None:
    """State as parties of an agreement the days and sums that it is said to be between."""
    for found in _PARTIES.finditer(text):
        for value, name in _between(assertions, text, found.end()):
            if not isinstance(value[2], Literal):
                continue
            start, end = value[0], value[1]
            node = mint(ENTITY, f"{name} {text[start:end]}")
            class_ = {"MONEY": LX.MonetaryAmount, "SECTION": LX.DocumentPart}.get(
                name, LX.CalendarDay
            )
            span = assertions.span(start, end)
            assertions.labels.setdefault(node, text[start:end])
            assertions.labels.setdefault(AGREEMENT, "agreement")
            assertions.state(node, RDF.type, class_, span)
            assertions.state(AGREEMENT, LX.hasParty, node, span, parts=(None, None, span))


def _between(
    assertions: Assertions, text: str, start: int
) -> Iterator[tuple[tuple[int, int, Node], str]]:
    """Yield the day or sum that is one of two things joined by "and" behind a place."""
    near = [
        m
        for m in assertions.extraction.mentions
        if start <= m.span.start < start + 200
        and m.kind in {"PERSON", "ORG", "MISC", "DATE", "MONEY", "SECTION"}
    ]
    near = [
        m
        for m in near
        if not any(
            o is not m and o.span.start <= m.span.start and m.span.end < o.span.end for o in near
        )
    ]
    if len(near) < 2 or near[0].span.start != start:
        return
    one, other = near[0], near[1]
    kinds = {one.kind, other.kind}
    if not _AND.match(text[one.span.end : other.span.start]) or not kinds & {
        "PERSON",
        "ORG",
        "MISC",
    }:
        return
    if not _END.match(text, other.span.end):
        return
    for m in (one, other):
        if m.kind in {"DATE", "MONEY", "SECTION"}:
            yield (m.span.start, m.span.end, m.node), m.kind

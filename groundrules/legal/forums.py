"""The one court that a contract says is to hear its disputes, or some of them."""

from __future__ import annotations

import re

from rdflib.term import URIRef

from groundrules.claims.document import plain
from groundrules.legal.namespace import LX
from groundrules.legal.papers import paper_before
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import ENTITY, mint

_PLACE = (
    r"(?P<place>[A-Z][\w.'’-]{1,30}(?:(?:,\s|\sand\s|\sof\s|\s)(?:the\s)?[A-Z][\w.'’-]{1,30}){0,4})"
)
_COURTS = (
    r"(?:(?:the|all)\s)?(?:competent\s|state\s|local\s|ordinary\s)?[Cc]ourts?\s"
    rf"(?:of|in|at|sitting\sin|located\sin)\s(?:the\s)?(?:State\sof\s|City\sof\s)?{_PLACE}"
)
_EXCLUSIVE = r"(?:sole\s(?:and\s)?)?exclusive\s(?:and\s\w{1,15}\s)?jurisdiction"
_FORUMS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_COURTS}\s(?:shall\s|will\s)?(?:have|has)\s{_EXCLUSIVE}\s?(?:over|of|in|to\s(?:hear|settle|decide|resolve|determine)|for|as\sto|with\srespect\sto)?\s?(?P<scope>[^.;]{{0,160}})",
        rf"(?P<scope>[^.;:]{{0,160}}?)\s(?:shall|must|will|may|are\sto|is\sto)\s(?:only\s)?be\s(?:brought|instituted|litigated|heard|resolved|commenced|settled|submitted|decided|tried)\s(?:exclusively|only|solely)\s(?:in|before|by|to)\s{_COURTS}",
        rf"(?P<scope>[^.;:]{{0,160}}?)\s(?:shall|must|will|may|are\sto|is\sto)\sbe\s(?:brought|instituted|litigated|filed|heard|resolved|commenced|settled|submitted|decided|tried)\s(?:in|before|by|to)\s{_COURTS}\s(?:and\snowhere\selse|alone|and\s(?:in\s)?no\sother(?:\scourts?)?|only|exclusively)",
        rf"[Ee]xclusive\sjurisdiction\s(?P<scope>(?:over|of|in|for)\s[^.;]{{0,120}}?\s)?(?:lies|rests|is\svested|shall\slie|shall\srest|belongs|is)\s(?:with|in|to)\s{_COURTS}",
        rf"\b{_COURTS}\s(?:alone|only)\s(?:shall\s|will\s)?(?:have|has)\sjurisdiction\s?(?:over|of|in|to\s(?:hear|settle|decide|resolve|determine)|for|as\sto)?\s?(?P<scope>[^.;]{{0,160}})",
        rf"[Oo]nly\s{_COURTS}\s(?:shall\s|will\s)?(?:have|has)\sjurisdiction\s?(?:over|of|in|to\s(?:hear|settle|decide|resolve|determine)|for|as\sto)?\s?(?P<scope>[^.;]{{0,160}})",
        rf"[Tt]he\s(?:exclusive|sole)\s(?:forum|venue)\s(?P<scope>for\s[^.;]{{0,120}}?\s)?(?:is|shall\sbe|will\sbe)\s{_COURTS}",
        rf"(?P<scope>[^.;:]{{0,160}}?)\s(?:shall\sbe|are|is|will\sbe)\ssubject\sto\sthe\s{_EXCLUSIVE}\sof\s{_COURTS}",
        rf"(?P<scope>[^.;:]{{0,160}}?)\s(?:fall|falls|lie|lies|shall\sfall|shall\slie)\s(?:within|under)\sthe\s{_EXCLUSIVE}\sof\s{_COURTS}",
    )
)  # fmt: skip
_DISPUTE = (
    r"(?:disputes?|claims?|matters?|actions?|proceedings?|controvers(?:y|ies)|suits?|differences?"
    r"|litigation)"
)
_ALL = re.compile(
    rf"(?:all|any|every|each|the)?\s?(?:legal\s)?{_DISPUTE}(?:(?:,|\sand|\sor)+\s{_DISPUTE})*+"
    r"(?:\s(?:which|that|may|aris\w+|out|of|from|under|in|with|connection|relating|related|to|or|concerning"
    r"|connected|between|the|parties|this|such|regarding|by|reason|virtue|and|hereunder|hereof|therewith"
    r"|agreement|contract|lease|deed|licen[cs]e|charterparty|policy|guarantee|it|its|subject|matter"
    r"|formation|validity|breach|termination))*",
    re.I,
)


def read_forums(assertions: Assertions) -> None:
    """State the court that alone is to hear the disputes of a paper, or some of them."""
    text = plain(assertions.extraction.document)
    for sentence in assertions.extraction.sentences:
        words = " ".join(text[sentence.start : sentence.end].split())
        if len(words) > 600 or not re.search(
            r"(?i)exclusiv|\bonly\b|\bsolely\b|\bsole\b|\balone\b|nowhere|no other", words
        ):
            continue
        for pattern in _FORUMS:
            found = pattern.search(words)
            if found is None:
                continue
            paper = paper_before(text, sentence.start, sentence.end)
            told = re.sub(r"^(?:over|of|in|for)\s", "", (found["scope"] or "").strip(" ,"))
            scope = re.sub(r"^(?:\d{1,2}(?:\.\d{1,2})*\.?\s)", "", told)
            subject = URIRef(str(paper))
            if scope and not _ALL.fullmatch(scope):
                subject = mint(ENTITY, f"{paper} as to {scope.casefold()}")
                assertions.labels.setdefault(subject, f"agreement as to {scope}")
            place = mint(ENTITY, f"courts of {found['place']}")
            assertions.labels.setdefault(place, f"the courts of {found['place']}")
            assertions.labels.setdefault(subject, "agreement")
            span = assertions.span(sentence.start, sentence.end)
            assertions.state(subject, LX.exclusiveForum, place, span)
            break

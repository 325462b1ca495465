"""Which law governs a contract, and where its disputes are arbitrated, as clauses word it."""

from __future__ import annotations

import re

from rdflib.term import URIRef

from groundrules.claims.document import plain
from groundrules.claims.names import lists
from groundrules.legal.namespace import LX
from groundrules.legal.papers import paper_before
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import ENTITY, mint

__all__ = ["read_governing"]

_PAPER = (
    r"(?:(?:[Tt]his|[Tt]he|[Ss]aid)\s(?:[A-Z][\w-]{1,20}\s){0,2}(?:[Aa]greement|[Cc]ontract|[Ll]ease|[Dd]eed|[Cc]harter(?:party)?"
    r"|[Ll]icen[cs]e|[Gg]uarantee|[Pp]olicy|[Mm]ortgage|[Nn]ote|[Bb]ond)|it|them|their\s(?:agreement|contract))"
)
_NAME = r"[A-Z][\w.’'-]{1,30}(?:\s(?:of\s)?[A-Z][\w.’'-]{1,30}){0,3}"
_OF = (
    r"(?:the\s)?laws?\s(?:in\sforce\s)?(?:of|in)\s(?:the\s)?"
    rf"(?:State\sof\s|Republic\sof\s|Kingdom\sof\s|Province\sof\s)?(?P<place>{_NAME})"
)
_ADJECTIVE = (
    r"(?:the\s)?(?P<people>[A-Z][a-z]{2,20}(?:\s[A-Z][a-z]{2,20})?)\s"
    r"(?:substantive\s|domestic\s|contract\s)?law\b"
)
_LAW = rf"(?:{_OF}|{_ADJECTIVE})"
_HELD = r"(?:is|shall\sbe|will\sbe|are|is\sto\sbe)"
_GOVERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_LAW}\s(?:alone\s|exclusively\s)?(?:shall\s|will\s|is\sto\s)?(?:governs?|appl(?:y|ies)\sto|controls?|regulates?)\s{_PAPER}",
        rf"\b(?:[Pp]roper|[Gg]overning|[Aa]pplicable)\slaw\s(?:of|for|under)\s{_PAPER}\s{_HELD}\s(?:that\sof\s(?:the\s)?(?P<that>{_NAME})|{_LAW})",
        rf"\b(?:[Tt]he\s)?law\s(?:governing|applicable\sto|that\sgoverns|which\sgoverns)\s{_PAPER}\s{_HELD}\s(?:that\sof\s(?:the\s)?(?P<that>{_NAME})|{_LAW})",
        rf"\bmakes\s{_LAW}\sthe\s(?:proper\s|governing\s)?law\sof\s{_PAPER}",
        rf"\b[Pp]arties\s(?:have\s|hereby\s)?(?:choose|chose|chosen|select|selected|opt\sfor|agreed?\s(?:on|upon)|submit\s{_PAPER}\sto)\s{_LAW}",
        rf"\b{_PAPER}\s(?:is|shall\sbe|are|will\sbe)\s(?:(?:exclusively|solely|in\sall\srespects)\s)?(?:governed\sby|subject\sto|under)\s{_LAW}(?!\s(?:requirement|compliance|firm))",
        rf"\b{_PAPER}\s(?:shall\sbe\s|is\s|are\s)(?:governed\sby(?:,)?\sand\s)?(?:construed|interpreted)\s(?:and\sgoverned\s)?(?:in\saccordance\swith|according\sto|under|by),?\s{_LAW}",
    )
)  # fmt: skip
_SEAT = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:^|[.;]\s)(?P<place>{_NAME})\s(?:is|shall\sbe)\sthe\s(?:seat|place|legal\splace)\sof\s(?:the\s)?(?:arbitration|(?:arbitral\s)?tribunal)",
        rf"\b(?:seat|place|venue|legal\splace|juridical\sseat)\sof\s(?:the\s|any\s)?arbitration\s{_HELD}\s(?:in\s)?(?P<place>{_NAME})",
        rf"\b(?:arbitration|arbitrators?|arbitral\stribunal|tribunal)\s(?:shall\s|will\s|is\sto\s|are\sto\s)?(?:sits?|be\sseated|be\sheld|take\splace|takes\splace|be\sconducted|have\sits\sseat|has\sits\sseat)\sin\s(?P<place>{_NAME})",
    )
)
_NOT = re.compile(
    r"\b(?:not|never|neither|unless|until|since\sthen|as\samended|if|or|except|claims?\sthat|argues?"
    r"|contends?)\b",
    re.I,
)
#: Adjectives of places whose law is their own, which lists of nationalities lack.
_OWN_LAWS = {"scots": "scotland", "scottish": "scotland", "welsh": "wales", "english": "england"}


def read_governing(assertions: Assertions) -> None:
    """State whose law governs a paper, and where disputes under it are arbitrated; linear."""
    text = plain(assertions.extraction.document)
    for sentence in assertions.extraction.sentences:
        words = text[sentence.start : sentence.end]
        if len(words) > 600 or not re.search(r"\blaws?\b|\barbitra", words) or _NOT.search(words):
            continue
        line = re.sub(r"\s", " ", words)
        for patterns, property_, kind in (
            (_GOVERNS, LX.governedByLawOf, "jurisdiction"),
            (_SEAT, LX.arbitralSeat, "seat"),
        ):
            for found in (found for pattern in patterns for found in pattern.finditer(line)):
                place = _place(found)
                if not place:
                    continue
                node = mint(ENTITY, f"{place} ({kind})")
                paper = paper_before(text, sentence.start, sentence.start + found.end())
                assertions.labels.setdefault(node, place)
                assertions.labels.setdefault(paper, "agreement")
                span = assertions.span(sentence.start + found.start(), sentence.start + found.end())
                assertions.state(URIRef(str(paper)), property_, node, span)


def _place(found: re.Match[str]) -> str:
    """Return the place that a law is of: "Scots law" is that of Scotland."""
    named = found.groupdict()
    people = (named.get("people") or "").casefold()
    known = _OWN_LAWS.get(people) or lists()["nationalities"].get(people)
    if people and known is None and people in lists()["places"]:
        known = people
    words = str(known) if known else (named.get("place") or named.get("that") or "")
    if not words or not (
        known or words.casefold().rstrip(".") in lists()["places"] or named.get("place")
    ):
        return ""
    return words.rstrip(".").title().replace(" Of ", " of ").replace(" The ", " the ")

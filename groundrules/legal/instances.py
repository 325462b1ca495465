"""Courts: which stands above which, which reviews what, and what one decided on a day.

Levels are told by names that mean one instance in one hierarchy. "Supreme Court" alone does not: in
New York it is a court of first instance.
"""

from __future__ import annotations

import re
from itertools import pairwise

from rdflib.namespace import XSD
from rdflib.term import Literal, URIRef

from groundrules.claims.document import plain
from groundrules.legal.namespace import LX
from groundrules.legal.reporters import (
    Citation,
    Court,
    decision_node,
    find_citations,
    find_court,
    know_court,
)
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import ENTITY, Mention, mint

_STATE = r"[A-Z][a-z]{1,20}(?:\s[A-Z][a-z]{1,20}){0,2}"
_NTH = (
    r"(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth|Eleventh|Federal|D\.C\."
    r"|District\sof\sColumbia)"
)
_SIDE = r"(?:(?:Northern|Southern|Eastern|Western|Middle|Central)\s)"
_US = r"(?:(?:United\sStates|U\.\s?S\.|[Ff]ederal)\s)"
#: Names of courts by hierarchy and level; the first that fits a name tells.
_LEVELS: tuple[tuple[str, int, re.Pattern[str]], ...] = tuple(
    (system, level, re.compile(pattern))
    for system, level, pattern in (
        ("us", 3, rf"Supreme\sCourt\sof\sthe\sUnited\sStates|{_US}Supreme\sCourt"),
        ("us", 2, rf"{_US}?[Cc]ourts?\sof\s[Aa]ppeals\sfor\sthe\s{_NTH}\sCircuit"),
        ("us", 2, rf"\b{_NTH}\sCircuit"),
        ("us", 2, rf"{_US}[Cc]ourts?\sof\s[Aa]ppeals"),
        ("us", 1, rf"{_US}?[Dd]istrict\s[Cc]ourt\sfor\sthe\s{_SIDE}?District\sof\s{_STATE}"),
        ("us", 1, rf"{_US}(?:[Dd]istrict\s[Cc]ourt|[Bb]ankruptcy\s[Cc]ourt)"),
        ("uk", 4, r"House\sof\sLords|(?:UK|United\sKingdom)\sSupreme\sCourt|Judicial\sCommittee"),
        ("uk", 4, r"Supreme\sCourt\sof\sthe\sUnited\sKingdom"),
        ("uk", 3, r"Court\sof\sAppeal\b(?!s)"),
        ("uk", 2, r"High\sCourt\b(?!\sof\sAustralia)|Divisional\sCourt|Upper\sTribunal"),
        ("uk", 2, r"Employment\sAppeal\sTribunal"),
        ("uk", 1, r"\b[Mm]agistrates\b(?!['’]?\sCourt)"),
        ("uk", 1, r"[Cc]ounty\s[Cc]ourt\b|Magistrates['’]?\sCourt|Crown\sCourt"),
        ("uk", 1, r"First-tier\sTribunal"),
        ("uk", 1, r"Employment\sTribunal"),
        ("eu", 2, r"Court\sof\sJustice\sof\sthe\sEuropean\sUnion|CJEU"),
        ("eu", 2, r"European\sCourt\sof\sJustice"),
        ("eu", 1, r"General\sCourt"),
        ("", 2, r"[Cc]ourts?\sof\s[Aa]ppeals?|[Aa]ppellate\s[Cc]ourt|Appellate\sDivision"),
        ("", 1, r"[Tt]rial\s[Cc]ourt|[Cc]ourt\sof\sfirst\sinstance|[Dd]istrict\s[Cc]ourt"),
    )
)  # fmt: skip
_COURT = re.compile("|".join(f"(?:{pattern.pattern})" for _, _, pattern in _LEVELS))
_DECISION = (
    r"(?:judgments?|judgements?|decisions?|orders?|rulings?|convictions?|decrees?|holdings?)"
)
_REVIEWED = (
    r"(?:affirm|revers|vacat|overturn|uph[eo]ld|quash|set\s+aside|annul|overrul|restor|reinstat)"
    r"(?:e[ds]|ed|es|s|led|d)?"
)
_OVER = re.compile(
    rf"^,?\s(?:(?:unanimously|then|later|subsequently|summarily)\s)?{_REVIEWED}\s(?:in\spart\s)?"
    rf"(?:the|a|that)\s(?:[\w-]{{1,20}}\s){{0,2}}?{_DECISION}\s(?:and\s\w{{1,12}}\s)?(?:of|by|entered\sby|from)\s(?:the\s)?$"
)
#: "The Supreme Court reversed the Ninth Circuit": a court for what it decided.
_OVER_COURT = re.compile(
    rf"^,?\s(?:(?:unanimously|then|later|subsequently|summarily)\s)?{_REVIEWED}\s(?:in\spart\s)?(?:the\s)?$"
)
_OVER_APPEAL = re.compile(
    r"^,?\s(?:allowed|dismissed|heard|granted|rejected|upheld|entertained)\s(?:an|the|his|her|its|their)\sappeal\s"
    r"(?:against\s(?:a|the)\s(?:decision|judgment|order)\sof|from)\s(?:the\s|a\sdecision\sof\sthe\s)?$"
)
_DECISION_UNDER = re.compile(
    rf"^(?:['’]s)?\s{_DECISION},?\s(?:was|were|is|has\sbeen|had\sbeen)\s(?:[\w-]{{1,15}}\s)?{_REVIEWED}\s(?:on\sappeal\s)?by\s(?:the\s|a\s)?$"
)
_ITSELF = re.compile(r"(?:^|[.;,]\s|\band\s)(?:[Tt]he\s)?$")
_UNDER = re.compile(
    rf"^,?\s(?:[a-z]{{3,12}}\s[a-z]{{3,12}}\sand\s)?(?:was|were|is|has\sbeen|had\sbeen)\s(?:[\w-]{{1,15}}\s)?{_REVIEWED}\s(?:on\sappeal\s)?by\s(?:the\s)?$"
)
_OF_COURT = re.compile(rf"\b{_DECISION}\s(?:of|by|entered\sby)\s(?:the\s)?$")
_APPEAL = re.compile(r"\b[Aa]ppeals?\sfrom\s(?:the\s)?$", re.I)
_THEN_COURT = re.compile(r"^,\s(?:the\s|a\s(?:divided\s)?panel\sof\sthe\s)?$")
_REVIEWS = re.compile(rf"^\s(?:unanimously\s|then\s)?{_REVIEWED}\b")
_LIES = re.compile(
    r"^,?\s(?:lies|lie|was\staken|is\staken|went|goes|was\sheard|is\sheard)\s(?:to|by|in)\s(?:the\s)?$"
)
_OPEN = re.compile(
    r"\b(?:would|might|could|may|if|alleg\w+|argue[sd]?|seeks?|sought|not|never|cannot|whether"
    r"|neither|asked|urge[sd]?)\b",
)
_DECIDING = (
    r"(?:decided|held|ruled|affirmed|reversed|vacated|dismissed|granted|denied|heard|allowed|found"
    r"|rejected|upheld|gave|handed\sdown|delivered|issued|invalidated|concluded)"
)
_DATED_BEFORE = re.compile(r"(?:^|[.;]\s|,\s)(?:[Oo]n|[Ii]n)\s$")
_THEN = re.compile(r"^,?\s(?:the|a\spanel\sof\sthe)\s$")
_DECIDED = re.compile(rf"^\s(?:so\s|thus\s|already\s|also\s|first\s|then\s)?{_DECIDING}\b")
_DECIDED_ON = re.compile(
    rf"^\s(?:(?:so\s|thus\s|already\s|also\s|first\s|then\s)?{_DECIDING}\b[^.;]{{0,120}}?\s(?:on|in)|(?:\w+\s){{0,3}}?in\s(?:its|a|an)\s(?:opinion|decision|judgment|ruling)\s(?:of|dated))\s$"
)
_PAPER = r"(?:opinion|decision|judgment|judgement|ruling|order|holding|case)"
#: Before the date of what a court says: "in its opinion of", "decided on", "Writing in".
_OWN_DATE = re.compile(
    rf"\b(?:[Ii]n\s)?(?:[Ii]ts|[Aa]n?|[Tt]heir|[Hh]er|[Hh]is|[Tt]he|[Tt]hat|[Tt]his)\s(?:\w+\s)?{_PAPER}\s"
    r"(?:of|dated|handed\sdown\s(?:on|in)|given\s(?:on|in)|issued\s(?:on|in)|delivered\s(?:on|in)|from)\s$"
    rf"|\b{_PAPER},?\s(?:which\s)?(?:was\s|were\s)?(?:handed\sdown|decided|given|issued|delivered|rendered|announced)\s(?:on|in)\s$"
    rf"|\b{_PAPER}\s(?:of|dated)\s$"
    r"|,\s(?:which\s(?:was|it)\s)?(?:handed\sdown|decided|delivered|argued\sand\sdecided)\s(?:on|in)\s$"
    r"|\b(?:[Ww]riting|[Ss]itting|[Hh]olding|[Dd]eciding|[Ss]peaking|[Rr]uling)\s(?:on|in)\s$"
    r"|\b(?:[Cc]ourt|[Cc]ircuit|[Jj]udge\s[A-Z]\w+|[Jj]ustice\s[A-Z]\w+|[Pp]anel)\s(?:\w+\s)?(?:held|said|explained|wrote|decided|ruled|observed"
    r"|noted|stated|reasoned|concluded|relied|affirmed|reversed|cited|quoted|followed|applied)\s(?:on|in)\s$"
)
#: "The 1985 decision in Harmon v. Lyle", "Rowan v. Fisk (1988)": the date stands in it.
_DATED_DECISION = re.compile(rf"^\s{_PAPER}\b")
_DATED_CASE = re.compile(r"\bv\.\s[A-Z][\w.&’' ]{1,60}?(?:,\s[^()]{1,40})?\s\((?:[^()]{0,30}\s)?$")
_RELIES = re.compile(
    r"\b(?:rel(?:ied|ies|ying)\s(?:up)?on|rest(?:ed|s|ing)\s(?:up)?on|based?\s(?:itself\s)?on|dr(?:ew|aws|awing)\son|turn(?:ed|s)\son|cit(?:ed|es|ing)|follow(?:ed|s|ing)|appl(?:ied|ies|ying)"
    r"|quot(?:ed|es|ing)|distinguish(?:ed|es|ing)|approv(?:ed|es|ing)|declin(?:ed|es|ing)\sto\sfollow"
    r"|adopt(?:ed|s|ing)|discuss(?:ed|es|ing)|overrul(?:ed|es|ing)|invok(?:ed|es|ing)|appeal(?:ed|s)\sto|refer(?:red|s|ring)\sto|reject(?:ed|s|ing)|extend(?:ed|s|ing)|endors(?:ed|es|ing)|mention(?:ed|s)|reaffirm(?:ed|s|ing))"
    r"(?:\s(?:with\sapproval|expressly|in\sturn|again|heavily|mainly|there))?(?:\s(?:the\s)?(?:rule|reasoning|holding|test|decision|dictum|case|principle|doctrine|authority|standard|opinion)\s(?:of|in|from|laid\sdown\sin|stated\sin|announced\sin))?"
    r"(?:\s(?:a|the)\s(?:case|decision|judgment)\s(?:decided|given|of|handed\sdown)\s[^,;]{0,30},)?\s(?:its\s(?:own\s)?decision\sin\s)?$"
)


def read_instances(assertions: Assertions) -> None:
    """State which court reviews which, and what courts decided and cited on a day; linear."""
    text = plain(assertions.extraction.document)
    dates = [
        m
        for m in assertions.extraction.mentions
        if m.kind == "DATE" and isinstance(m.node, Literal)
    ]
    citations = [c for c in find_citations(text) if c.name is not None and not c.parallel]
    for sentence in assertions.extraction.sentences:
        words = " ".join(text[sentence.start : sentence.end].split())
        if len(words) != sentence.end - sentence.start or len(words) > 600:
            continue
        courts = [(m.start(), m.end(), m[0]) for m in _COURT.finditer(words)]
        own = [d for d in dates if sentence.start <= d.span.start < sentence.end]
        if courts and not _OPEN.search(words):
            _read_reviews(assertions, words, sentence.start, courts)
            _read_decided(assertions, words, sentence.start, courts, own)
        if own:
            near = [c for c in citations if sentence.start <= c.start < sentence.end]
            _read_cited(assertions, text, words, sentence.start, own, near)


def level_of(name: str) -> tuple[str, int]:
    """Return the hierarchy and the level of a court by its name, 0 where that tells none."""
    for system, level, pattern in _LEVELS:
        if pattern.search(name):
            return system, level
    return "", 0


def _node(assertions: Assertions, name: str) -> URIRef:
    node = mint(ENTITY, f"court {name}")
    assertions.labels.setdefault(node, name)
    return node


def _read_reviews(
    assertions: Assertions, words: str, base: int, courts: list[tuple[int, int, str]]
) -> None:
    """State each review of one court's decision by another that a sentence tells."""
    for (start, end, one), (begin, stop, other) in pairwise(courts):
        between, before = words[end:begin], words[:start]
        of_court = _OF_COURT.search(before) or _ITSELF.search(before)
        if any(one.match(between) for one in (_OVER, _OVER_COURT, _OVER_APPEAL)):
            above, below = one, other
        elif (
            (_APPEAL.search(before) and _THEN_COURT.match(between) and _REVIEWS.match(words[stop:]))
            or _DECISION_UNDER.match(between)
            or (_UNDER.match(between) and of_court)
            or (_LIES.match(between) and _APPEAL.search(before))
        ):
            above, below = other, one
        else:
            continue
        (system, high), (another, low) = level_of(above), level_of(below)
        if system and another and system != another:
            continue
        mine, theirs = _node(assertions, above), _node(assertions, below)
        for node, level in ((mine, high), (theirs, low)):
            value = Literal(str(level), datatype=XSD.integer)
            assertions.know("levels of courts", node, LX.courtLevel, value)
        assertions.state(mine, LX.reviews, theirs, assertions.span(base + start, base + stop))


def _read_decided(
    assertions: Assertions,
    words: str,
    base: int,
    courts: list[tuple[int, int, str]],
    dates: list[Mention],
) -> None:
    """State which court decided on which day, for the years in which it was in being."""
    for start, end, name in courts:
        court = known_court(name)
        if court is None:
            continue
        for date in dates:
            first, last = date.span.start - base, date.span.end - base
            ahead = _DATED_BEFORE.search(words[:first]) and _THEN.match(words[last:start])
            ahead = ahead and _DECIDED.match(words[end:])
            behind = last > end and _DECIDED_ON.match(words[end:first])
            if not (ahead or behind):
                continue
            span = assertions.span(base + min(start, first), base + max(end, last))
            decision = assertions.part(f"decision@{span.start}")
            case = assertions.part(f"case@{span.start}")
            assertions.labels.setdefault(decision, "decision")
            assertions.labels.setdefault(case, "case")
            node = _node(assertions, court.name)
            know_court(assertions, node, court)
            assertions.state(decision, LX.decides, case, span)
            assertions.state(case, LX.heardBy, node, span)
            assertions.state(decision, LX.decisionDate, date.node, span)


#: Courts beyond the United States, and from when until when they sat.
_SAT: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern), first, last)
    for pattern, first, last in (
        (r"(?:UK|U\.K\.|United\sKingdom)\sSupreme\sCourt", "2009-10-01", ""),
        (r"Supreme\sCourt\sof\sthe\sUnited\sKingdom", "2009-10-01", ""),
        (r"House\sof\sLords", "", "2009-07-31"),
        (r"Upper\sTribunal|First-tier\sTribunal", "2008-11-03", ""),
        (r"Crown\sCourt", "1972-01-01", ""),
        (r"Employment\sAppeal\sTribunal", "1976-03-30", ""),
        (r"Court\sof\sJustice\sof\sthe\sEuropean|CJEU", "1952-12-04", ""),
        (r"European\sCourt\sof\sJustice", "1952-12-04", ""),
        (r"General\sCourt", "1989-09-25", ""),
        (r"European\sCourt\sof\sHuman\sRights", "1959-01-21", ""),
        (r"International\sCriminal\sCourt", "2002-07-01", ""),
        (r"Unified\sPatent\sCourt", "2023-06-01", ""),
    )
)  # fmt: skip


def known_court(name: str) -> Court | None:
    """Return a court that courts-db has by the name, or by that of its circuit."""
    for pattern, first, last in _SAT:
        if pattern.search(name):
            return Court(name, first, last)
    bare = re.sub(rf"^{_US}", "", name)
    circuit = re.search(rf"{_NTH}\sCircuit$", bare)
    tries = [name, bare, *([f"Court of Appeals for the {circuit[0]}"] if circuit else [])]
    return next((court for one in tries if (court := find_court(one))), None)


def _read_cited(
    assertions: Assertions,
    text: str,
    words: str,
    base: int,
    dates: list[Mention],
    citations: list[Citation],
) -> None:
    """State what a decision of a day cites: "in its opinion of 14 May 1998 it relied on"."""
    for citation in citations:
        name = citation.name
        if name is None or not _RELIES.search(words[: name[0] - base]):
            continue
        for date in dates:
            before, first = words[: date.span.start - base], date.span.end - base
            opens = _OWN_DATE.search(before) or re.search(r"^(?:On|In)\s$", before)
            behind = words[first : name[0] - base]
            opens = opens or _DATED_DECISION.match(behind) or _DATED_CASE.search(before)
            if date.span.end <= name[0] and opens and ";" not in words[first : name[0] - base]:
                span = assertions.span(date.span.start, citation.end)
                node = assertions.part(f"opinion@{span.start}")
                assertions.labels.setdefault(node, "the decision")
                where = assertions.span(*name)
                cited = decision_node(text, citation)
                assertions.state(node, LX.cites, cited, span, parts=(None, None, where))
                assertions.state(node, LX.decisionDate, date.node, span)
                break

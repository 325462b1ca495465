"""What a contract says it has all of: sections, sheets, and the one court for its disputes."""

from __future__ import annotations

import re

from rdflib.term import Literal, URIRef

from groundrules.claims.document import plain
from groundrules.claims.literals import spelled
from groundrules.legal.namespace import LX
from groundrules.legal.papers import paper_before
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import ENTITY, mint

_OWN = (
    r"(?:[Tt]his|[Tt]he)\s(?:[A-Z][\w-]{1,20}\s){0,3}(?:[Aa]greement|[Cc]ontract|[Ll]ease|[Dd]eed|[Ll]icen[cs]e|[Cc]harterparty"
    r"|[Mm]emorandum|[Gg]uarant(?:ee|y)|[Aa]mendment|[Pp]olicy|[Ss]ublease|[Cc]harter|[Nn]ote|[Bb]ond|[Mm]ortgage)"
)
_PART = (
    r"(?P<part>sections?|clauses?|articles?|paragraphs?|exhibits?|schedules?|annex(?:es)?"
    r"|appendi(?:x|ces)|attachments?)"
)
_HAS_MANY = re.compile(
    rf"\b{_OWN}\s(?:has|contains|comprises|consists\sof|is\scomposed\sof|is\smade\sup\sof|is\sdivided\sinto|runs\sto|numbers|extends\sto|has\sin\sall|counts|is\sin)\s"
    rf"(?:only\s|exactly\s|just\s|a\stotal\sof\s)?(?P<count>\d{{1,2}}|[a-z]{{3,9}}(?:-[a-z]{{3,5}})?)\s(?:numbered\s)?{_PART}\b"
    r"(?!\s(?:each|on|which|that|about|dealing))"
)
_HAS_NO_MORE = re.compile(
    rf"\b(?:{_OWN}|[Ii]t)\s(?:has|contains)\sno\s(?:further|other|more)\s(?:sections?|clauses?|articles?)\b"
    r"|\b[Tt]here\s(?:is|are)\sno\s(?:further|other|more)\s(?:sections?|clauses?|articles?)\s(?:of|in|to)\s(?:this|the)\b"
)
#: "Schedules 1 and 2 are the only schedules", "Only Annexes I and II are attached".
_ONLY_SHEETS = (
    re.compile(
        r"\b(?P<kind>Exhibit|Schedule|Annex|Appendi|Attachment)(?:s|es|x|ces)?\s(?P<names>[A-Z0-9]{1,3}(?:(?:,\s|,?\sand\s)"
        r"(?:(?:Exhibit|Schedule|Annex|Appendix|Attachment)\s)?[A-Z0-9]{1,3}\b){0,15})\s(?:are|is)\sthe\s(?:only|sole)\b"
    ),
    re.compile(
        r"\b(?:[Oo]nly|[Tt]here\s(?:is|are)\s(?:only\s)?(?:one|two|three|four|five|six|seven|eight|nine|ten)\s"
        r"(?:exhibits?|schedules?|annex(?:es)?|appendi(?:x|ces)|attachments?)\b[^.;:]{0,40}[,:])\s"
        r"(?P<kind>Exhibit|Schedule|Annex|Appendi|Attachment)(?:s|es|x|ces)?\s(?P<names>[A-Z0-9]{1,3}(?:(?:,\s|,?\sand\s)"
        r"(?:(?:Exhibit|Schedule|Annex|Appendix|Attachment)\s)?[A-Z0-9]{1,3}\b){0,15})"
    ),
)
#: That there is none, of sheets or of one section.
_NO_SHEETS = re.compile(
    rf"\b{_OWN}\s(?:has|contains|comes\swith|includes)\sno\s(?P<kind>exhibit|schedule|annex|appendi|attachment)"
    r"|\b[Nn]o\s(?P<other>exhibit|schedule|annex|appendi|attachment)(?:s|es|x|ces)?\s(?:is|are|has\sbeen|have\sbeen)\s"
    r"(?:attached|annexed|appended)\b"
    r"|\b[Tt]here\s(?:is|are)\sno\s(?P<third>exhibit|schedule|annex|appendi|attachment)(?:s|es|x|ces)?\s(?:to|attached|annexed)"
)
_NO_SUCH = re.compile(
    r"\b(?:[Tt]here\sis\sno|has\sno|contains\sno)\s(?:[Ss]ection|[Cc]lause|[Aa]rticle)\s(?P<number>\d{1,2}(?:\.\d{1,2})?)\b"
)
#: From the first to the last: "Articles 1 to 8", "Section 7 is the last section of this Agreement".
_RANGE = re.compile(
    rf"\b{_OWN}\s(?:has|contains|comprises|consists\sof|is\scomposed\sof|is\smade\sup\sof|runs\sfrom)\s(?:only\s)?"
    r"(?:[Ss]ections?|[Cc]lauses?|[Aa]rticles?)\s1\s(?:to|through|-|–)\s(?:(?:[Ss]ection|[Cc]lause|[Aa]rticle)\s)?"
    r"(?P<last>\d{1,2})\b"
)
_LAST = re.compile(
    r"\b(?:[Ss]ection|[Cc]lause|[Aa]rticle)\s(?P<last>\d{1,2})\sis\sthe\s(?:last|final)\b"
    rf"|\b{_OWN}\sends\s(?:with|at)\s(?:[Ss]ection|[Cc]lause|[Aa]rticle)\s(?P<end>\d{{1,2}})\b"
    r"|\bthe\s(?:last|final)\s(?:section|clause|article)\s(?:of\s[^.;]{1,30}\s)?is\s(?:[Ss]ection|[Cc]lause|[Aa]rticle)\s(?P<is>\d{1,2})\b"
)
_KINDS = "Exhibit Schedule Annex Appendix Attachment"
_SHEETS = re.compile(
    r"\b(?P<kind>Exhibit|Schedule|Annex|Appendi|Attachment)(?:s|es|x|ces)?\s(?P<names>[A-Z0-9]{1,2}(?:(?:,\s|,?\sand\s)"
    r"(?:(?:Exhibit|Schedule|Annex|Appendix|Attachment)\s)?[A-Z0-9]{1,2}\b){0,15}),?\s(?:and\sno\s(?:others?|more)|only"
    r"|and\snothing\selse)\b"
)
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


def read_closed(assertions: Assertions) -> None:
    """State which sections and sheets a contract says it has, and which courts alone; linear."""
    text = plain(assertions.extraction.document)
    node = assertions.part()
    for found in _HAS_MANY.finditer(text):
        count = _count(found["count"])
        if count:
            _list_counted(assertions, node, found, count)
    for found in _HAS_NO_MORE.finditer(text):
        assertions.labels.setdefault(Literal(""), "1, 2, …")
        assertions.state(node, LX.listsSections, Literal(""), assertions.span(*found.span()))
    for found in _SHEETS.finditer(text):
        kind = "Appendix" if found["kind"] == "Appendi" else found["kind"]
        names = re.findall(r"\b[A-Z0-9]{1,2}\b", found["names"])
        _list(assertions, node, f"{kind} ", names, found)
    for pattern in _ONLY_SHEETS:
        for found in pattern.finditer(text):
            kind = "Appendix" if found["kind"] == "Appendi" else found["kind"]
            names = re.findall(r"\b[A-Z0-9]{1,3}\b", found["names"])
            _list(assertions, node, f"{kind} ", names, found)
    for found in _NO_SHEETS.finditer(text):
        word = (found["kind"] or found["other"] or found["third"]).capitalize()
        kind = "Appendix" if word == "Appendi" else word
        assertions.labels.setdefault(Literal(f"{kind} "), f"no {kind}")
        assertions.state(
            node, LX.listsSections, Literal(f"{kind} "), assertions.span(*found.span())
        )
    for found in (*_RANGE.finditer(text), *_LAST.finditer(text)):
        last = next(one for one in found.groups() if one)
        _list(assertions, node, "", [str(i) for i in range(1, int(last) + 1)], found)
    for found in _NO_SUCH.finditer(text):
        number = found["number"]
        whole, dot, _ = number.partition(".")
        prefix = f"{whole}." if dot else ""
        label = f"{prefix}…" if prefix else "1, 2, …"
        assertions.labels.setdefault(Literal(prefix), label)
        assertions.state(node, LX.listsSections, Literal(prefix), assertions.span(*found.span()))
    _read_forums(assertions, text)


def _count(words: str) -> int:
    if words.isdigit():
        return int(words)
    told = spelled(words.replace("-", " "))
    return int(told[0]) if told and told[1] == len(words) else 0


def _list_counted(assertions: Assertions, node: URIRef, found: re.Match[str], count: int) -> None:
    """State sections 1 to N, or sheets by either way of naming so many."""
    part = found["part"].casefold()
    kind = next((one for one in _KINDS.split() if part.startswith(one.casefold()[:6])), "")
    if kind:
        letters = [chr(ord("A") + i) for i in range(min(count, 26))]
        _list(assertions, node, f"{kind} ", [*letters, *map(str, range(1, count + 1))], found)
    elif not part.startswith("paragraph"):
        _list(assertions, node, "", [str(i) for i in range(1, count + 1)], found)


def _list(
    assertions: Assertions, node: URIRef, prefix: str, names: list[str], found: re.Match[str]
) -> None:
    span = assertions.span(*found.span())
    assertions.labels.setdefault(Literal(prefix), f"{prefix}{names[0]}, {prefix}{names[-1]}, …")
    assertions.state(node, LX.listsSections, Literal(prefix), span)
    for name in names:
        assertions.state(node, LX.hasSection, Literal(f"{prefix}{name}"), span)


def _read_forums(assertions: Assertions, text: str) -> None:
    """State the court that alone is to hear the disputes of a paper, or some of them."""
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

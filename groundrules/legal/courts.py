"""Court decisions as CourtListener's API gives them: clusters, opinions, dockets and courts.

A cluster is a decision and a docket a case; they meet by the numbers that CourtListener gives them,
whichever comes first. What an opinion cites is taken from `opinions_cited`, and from its text by
eyecite.

Source: CourtListener's REST API, versions 3 and 4, and its bulk data as JSON.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from rdflib.namespace import RDF, RDFS, SKOS, XSD, Namespace
from rdflib.term import Literal, URIRef

from groundrules.kb.records.formats import (
    DCTERMS,
    RECORD,
    SCHEMA,
    Bytes,
    Read,
    RecordFormat,
    Records,
    add_statement,
    day,
    objects,
    split_json,
    texts,
)
from groundrules.legal.namespace import LX
from groundrules.terms import Triple, mint

_BASE = Namespace("https://www.courtlistener.com/")
_JUDGES = Namespace(RECORD["judge/"])
_ID = re.compile(r"(?:.*/)?([0-9]{1,12}|[a-z][a-z0-9_-]{0,30})/?", re.A)
#: The fields that have the text of an opinion, the best one first.
_TEXTS = (
    "plain_text", "html_with_citations", "html", "xml_harvard", "html_lawbox", "html_columbia",
    "html_anon_2020",
)  # fmt: skip
_KINDS = {
    "020lead": LX.MajorityOpinion, "015unamimous": LX.MajorityOpinion,
    "015unanimous": LX.MajorityOpinion, "lead-opinion": LX.MajorityOpinion,
    "unanimous-opinion": LX.MajorityOpinion, "030concurrence": LX.ConcurringOpinion,
    "concurrence-opinion": LX.ConcurringOpinion, "040dissent": LX.DissentingOpinion,
    "dissent": LX.DissentingOpinion,
}  # fmt: skip
_MARKUP = re.compile(r"<(?:[a-zA-Z/!?][^<>]{0,2000})>")
_BLOCK = re.compile(r"(?i)</?(?:p|div|br|blockquote|li|h[1-6]|pre|tr|author)\b[^<>]{0,2000}>")


def read_court_record(item: Mapping[str, Any]) -> Read:
    """Return what a cluster, an opinion, a docket or a court says; ValueError if it is none."""
    kind = _kind(item)
    if not kind:
        raise ValueError("neither a cluster nor an opinion, a docket or a court")
    name = _id(item.get("id")) or _id(item.get("resource_uri"))
    if not name:
        raise ValueError(f"{kind} without an id")
    found: list[Triple] = []
    node = _STATE[kind](found, name, item)
    return node, found


def _kind(item: Mapping[str, Any]) -> str:
    uri = texts(item.get("resource_uri"))
    for kind in ("cluster", "opinion", "docket", "court"):
        if f"/{kind}s/" in uri:
            return kind
    if "sub_opinions" in item:
        return "cluster"
    if "opinions_cited" in item or ("type" in item and ("cluster" in item or "cluster_id" in item)):
        return "opinion"
    if "docket_number" in item and ("court" in item or "court_id" in item):
        return "docket"
    if "case_name" in item and ("docket" in item or "docket_id" in item):
        return "cluster"
    return "court" if "citation_string" in item and "full_name" in item else ""


def _id(value: object) -> str:
    """Return the last part of a URL of the API, or the id itself."""
    match = _ID.fullmatch(texts(value))
    return match[1] if match else ""


def _decision(name: str) -> URIRef:
    return _BASE[f"opinion/{name}/"]


def _opinion(name: str) -> URIRef:
    return _BASE[f"api/rest/v4/opinions/{name}/"]


def _docket(name: str) -> URIRef:
    return _BASE[f"docket/{name}/"]


def _state_cluster(found: list[Triple], name: str, item: Mapping[str, Any]) -> URIRef:
    node = _decision(name)
    case = texts(item.get("case_name")) or texts(item.get("case_name_full"))
    if not case:
        raise ValueError("a cluster without a case_name")
    add_statement(found, node, RDF.type, LX.JudicialDecision)
    add_statement(found, node, LX.caseName, case)
    add_statement(found, node, RDFS.label, case)
    for key in ("case_name_full", "case_name_short"):
        if (alias := texts(item.get(key))) and alias != case:
            add_statement(found, node, SKOS.altLabel, alias)
    when = day(texts(item.get("date_filed")))
    if when is not None and item.get("date_filed_is_approximate") is True:
        when = Literal(str(when)[:4], datatype=XSD.gYear)
    add_statement(found, node, LX.decisionDate, when)
    add_statement(
        found, node, SCHEMA.description, f"decision of {when}" if when is not None else ""
    )
    for key in ("summary", "syllabus", "headnotes"):
        add_statement(found, node, DCTERMS.abstract, plain_text(texts(item.get(key))))
    for citation in objects(item.get("citations")):
        parts = [texts(citation.get(key)) for key in ("volume", "reporter", "page")]
        if all(parts):
            add_statement(found, node, LX.hasCitation, _place(found, *parts))
            add_statement(found, node, SKOS.altLabel, " ".join(parts))
    docket = item.get("docket")
    if isinstance(docket, dict):
        if number := _id(docket.get("id")) or _id(docket.get("resource_uri")):
            add_statement(found, node, LX.decides, _state_docket(found, number, docket))
    elif number := _id(docket) or _id(item.get("docket_id")):
        add_statement(found, node, LX.decides, _docket(number))
        add_statement(found, _docket(number), RDF.type, LX.LegalCase)
        add_statement(found, _docket(number), LX.docketNumber, texts(item.get("docket_number")))
    opinions = item.get("sub_opinions")
    for one in opinions if isinstance(opinions, list) else ():
        if isinstance(one, dict):
            if number := _id(one.get("id")) or _id(one.get("resource_uri")):
                _state_opinion(found, number, {"cluster_id": name, **one})
        elif number := _id(one):
            add_statement(found, _opinion(number), LX.partOf, node)
    return node


def _place(found: list[Triple], volume: str, reporter: str, page: str) -> URIRef:
    """State a place in a reporter; return its node."""
    shown = f"{volume} {reporter} {page}"
    node = RECORD[f"citation/{quote(shown.replace(' ', '_'), safe='')}"]
    book = RECORD[f"reporter/{quote(reporter.replace(' ', '_'), safe='')}"]
    add_statement(found, node, RDF.type, LX.ReporterCitation)
    add_statement(found, node, LX.inReporter, book)
    if re.fullmatch("[0-9]{1,6}", volume):
        add_statement(found, node, LX.volume, int(volume))
    add_statement(found, node, LX.page, page)
    add_statement(found, book, RDF.type, LX.Reporter)
    return node


def _state_opinion(found: list[Triple], name: str, item: Mapping[str, Any]) -> URIRef:
    node = _opinion(name)
    add_statement(found, node, RDF.type, _KINDS.get(texts(item.get("type")), LX.Opinion))
    if cluster := _id(item.get("cluster")) or _id(item.get("cluster_id")):
        add_statement(found, node, LX.partOf, _decision(cluster))
    author = texts(item.get("author_str"))
    if item.get("per_curiam") is True:
        panel = URIRef(f"{node}#per-curiam")
        add_statement(found, node, LX.hasAuthor, panel)
        add_statement(found, panel, RDF.type, LX.JudicialPanel)
    elif author:
        judge = mint(_JUDGES, author)
        add_statement(found, node, LX.hasAuthor, judge)
        add_statement(found, judge, RDF.type, LX.NaturalPerson)
        add_statement(found, judge, RDFS.label, author)
    text = next(filter(None, (_body(item, key) for key in _TEXTS)), "")
    add_statement(found, node, SCHEMA.text, text)
    cited = item.get("opinions_cited")
    for one in cited if isinstance(cited, list) else ():
        if number := _id(one):
            add_statement(found, node, LX.cites, _opinion(number))
    _state_citations(found, node, text)
    return node


def _body(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key)
    if not isinstance(value, str) or not value.strip():
        return ""
    return value.strip() if key == "plain_text" else plain_text(value)


def plain_text(markup: str) -> str:
    """Return HTML as text: blocks as lines, what is written in code as it is meant."""
    text = _MARKUP.sub("", _BLOCK.sub("\n", markup))
    lines = (" ".join(line.split()) for line in html.unescape(text).splitlines())
    return "\n".join(line for line in lines if line)


def _state_citations(found: list[Triple], node: URIRef, text: str) -> None:
    from groundrules.legal.citations import find_citations

    for citation in find_citations(text):
        if citation.place:
            add_statement(found, node, LX.cites, _place(found, *citation.place))
        else:
            law = RECORD[f"citation/{quote(citation.text.replace(' ', '_'), safe='')}"]
            add_statement(found, node, LX.cites, law)
            add_statement(found, law, RDF.type, LX.StatuteCitation)
            add_statement(found, law, RDFS.label, citation.text)


def _state_docket(found: list[Triple], name: str, item: Mapping[str, Any]) -> URIRef:
    node = _docket(name)
    number, case = texts(item.get("docket_number")), texts(item.get("case_name"))
    add_statement(found, node, RDF.type, LX.LegalCase)
    add_statement(found, node, LX.docketNumber, number)
    add_statement(found, node, LX.caseName, case)
    # The decision has the name of the case; a docket has its number.
    add_statement(found, node, RDFS.label, f"{case}, No. {number}" if case and number else "")
    add_statement(found, node, LX.filingDate, day(texts(item.get("date_filed"))))
    add_statement(found, node, LX.argumentDate, day(texts(item.get("date_argued"))))
    court = item.get("court")
    if isinstance(court, dict):
        if key := _id(court.get("id")):
            add_statement(found, node, LX.heardBy, _state_court(found, key, court))
    elif key := _id(item.get("court_id")) or _id(court):
        place = _BASE[f"court/{key}/"]
        add_statement(found, node, LX.heardBy, place)
        add_statement(found, place, RDF.type, LX.Court)
    return node


def _state_court(found: list[Triple], name: str, item: Mapping[str, Any]) -> URIRef:
    node = _BASE[f"court/{name}/"]
    add_statement(found, node, RDF.type, LX.Court)
    add_statement(found, node, RDFS.label, texts(item.get("full_name")))
    for key in ("short_name", "citation_string"):
        add_statement(found, node, SKOS.altLabel, texts(item.get(key)))
    add_statement(found, node, LX.establishedOn, day(texts(item.get("start_date"))))
    add_statement(found, node, LX.abolishedOn, day(texts(item.get("end_date"))))
    return node


_STATE = {
    "cluster": _state_cluster,
    "opinion": _state_opinion,
    "docket": _state_docket,
    "court": _state_court,
}


_ENTITY = re.compile(r'"type"\s*:\s*"(?:item|property|lexeme)"')
_RECORD = re.compile(r'courtlistener\.com/|"sub_opinions"|"opinions_cited"|"docket_number"')


def _begins(text: str) -> bool:
    # an entity of Wikidata is none, whatever its references are
    return not _ENTITY.search(text) and _RECORD.search(text) is not None


def _split(stream: Bytes) -> Records:
    return split_json(stream, read_court_record)


#: Clusters, opinions, dockets and courts of the API of CourtListener.
COURTS = RecordFormat(
    name="CourtListener JSON",
    endings=(".json", ".jsonl", ".ndjson"),
    begins=_begins,
    split=_split,
    domain="legal",
)

"""Patents and applications as the USPTO publishes them.

XML is that of the bulk files, `us-patent-grant` and `us-patent-application` from version 4.0 on.
An application is named by its number, a patent by its own, so that the two files of one invention
meet.

Source: the DTDs us-patent-grant-v45-2014-04-03 and us-patent-application-v44-2014-04-03.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from rdflib.namespace import OWL, RDF, RDFS, SKOS, Namespace
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
    split_xml,
)
from groundrules.legal.namespace import LX
from groundrules.terms import Triple, mint

OFFICE = RECORD["us-patent-office"]
_PEOPLE, _ORGANIZATIONS = Namespace(RECORD["person/"]), Namespace(RECORD["organization/"])

_NUMBER = re.compile(r"(RE|PP|[DHTX]|AI)?0*([1-9]\d{0,7})", re.A)
_PUBLICATION = re.compile(r"(20\d\d)[/-]?0*(\d{7})", re.A)
_APPLICATION = re.compile(r"(\d\d)[/]?(\d{3}),?(\d{3})", re.A)
_CLAIM = re.compile(r"0*([1-9]\d{0,3})(?:-0*([1-9]\d{0,3}))?", re.A)
_IDREF = re.compile(r"CLM-0*([1-9]\d{0,3})", re.A)
_RANGE = re.compile(r"([1-9]\d{0,3})\s?(?:-|–|to|through)\s?(?:claims?\s)?([1-9]\d{0,3})", re.A)
_MENTIONED = re.compile(r"\bclaims?\s([1-9]\d{0,3})\b(?:\s?(?:-|–|to|through)\s?([1-9]\d{0,3})\b)?",
                        re.A)  # fmt: skip
_CANCELED = re.compile(r"\(cancell?ed\)", re.I)
_MOST = 50  # claims that one reference may take in
_HEAD = re.compile(
    r"\s*+(?:\d{1,4}\s?\.\s*+)?(?P<head>\S+(?:\s\S+){0,8}?)(?=,|:|;|\s(?:of|for|to|as|according|in|on|"
    r"recited|claimed|comprising|wherein|where|that|which|having|including|storing|configured|"
    r"using|with|by|defined|set)\b)"
)
_DEFINITE = re.compile(r"\s*+(?:\d{1,4}\s?\.\s*+)?The\s")
#: What an application continues, so that it keeps an older date than that of its own priority.
_CONTINUED = (
    "addition", "division", "continuation", "continuation-in-part", "continuing-reissue", "reissue",
    "us-divisional-reissue", "reexamination", "us-reexamination-reissue-merger", "substitution",
)  # fmt: skip
#: Documents of the bulk files that are no patents.
_OTHERS = ("sequence-cwu", "us-sequence-listing")


def read_document(data: bytes) -> Read | None:
    """Return what one XML document says, None for a listing of sequences.

    Nothing is fetched: entities other than those of the document itself stay as they are written.
    ValueError that says what is wrong.
    """
    from lxml import etree

    # The stubs know no "internal", which leaves alone what lies outside.
    inside: Any = "internal"
    parser = etree.XMLParser(
        resolve_entities=inside, no_network=True, load_dtd=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(data.strip(), parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"not XML: {' '.join((error.msg or '').split())[:200]}") from None
    if root.tag in _OTHERS:
        return None
    if root.tag not in ("us-patent-grant", "us-patent-application"):
        raise ValueError(f"<{root.tag}>; expected <us-patent-grant> or <us-patent-application>")
    granted = root.tag == "us-patent-grant"
    head = root.find(f"us-bibliographic-data-{'grant' if granted else 'application'}")
    if head is None:
        raise ValueError("no bibliographic data")
    return _read(root, head, granted)


def _read(root: Any, head: Any, granted: bool) -> Read:
    found: list[Triple] = []
    published = head.find("publication-reference/document-id")
    filed = head.find("application-reference/document-id")
    if published is None:
        raise ValueError("no publication-reference")
    if filed is None:
        raise ValueError("no application-reference")
    number = _plain(filed, "doc-number")
    application = _application_node(number)
    _state_application(found, application, number)
    if granted:
        main = _state_grant(found, published, application)
    else:
        main = application
        _state_publication(found, application, published)
    add_statement(found, application, LX.filingDate, _filing_day(head, filed))
    title = _text(head.find("invention-title"))
    add_statement(found, main, DCTERMS.title, title)
    add_statement(found, main, SCHEMA.description, title)
    add_statement(found, main, DCTERMS.abstract, _text(root.find("abstract")))
    _state_priority(found, head, main, application)
    _state_parties(found, head, main)
    _state_cited(found, head, main)
    _state_description(found, root, main)
    _state_claims(found, root, main)
    return main, found


def _state_grant(found: list[Triple], published: Any, application: URIRef) -> URIRef:
    number, kind = _plain(published, "doc-number"), _plain(published, "kind")
    patent = _patent_node(number)
    _state_patent(found, patent, number, kind)
    add_statement(found, patent, LX.grantDate, day(_plain(published, "date")))
    add_statement(found, patent, LX.grantedOn, application)
    add_statement(found, patent, LX.grantedBy, OFFICE)
    add_statement(found, OFFICE, RDF.type, LX.PatentOffice)
    add_statement(found, OFFICE, RDFS.label, "United States Patent and Trademark Office")
    add_statement(found, OFFICE, SKOS.altLabel, "USPTO")
    return patent


def _state_publication(found: list[Triple], application: URIRef, published: Any) -> None:
    number, kind = _plain(published, "doc-number"), _plain(published, "kind")
    _name_publication(found, application, number, kind)
    # A corrected or second publication has a date of its own.
    if kind in ("A1", "P1"):
        add_statement(found, application, LX.publicationDate, day(_plain(published, "date")))


def _filing_day(head: Any, filed: Any) -> Literal | None:
    # An international application is filed in the US on its international date (35 USC 363).
    other = head.find("pct-or-regional-filing-data/document-id/date")
    if other is not None and (text := _text(other)):
        return day(text)
    return day(_plain(filed, "date"))


def _state_priority(found: list[Triple], head: Any, main: URIRef, application: URIRef) -> None:
    """State the earlier applications that one relies on, and the date of its priority."""
    days = []
    for claim in head.iterfind("priority-claims/priority-claim"):
        country, number = _plain(claim, "country"), _plain(claim, "doc-number")
        when = day(_plain(claim, "date"))
        if number:
            earlier = _foreign_application(found, country, number, when)
            add_statement(found, application, LX.claimsPriorityOf, earlier)
        days.append(when)
    for one in head.iterfind("us-related-documents/us-provisional-application/document-id"):
        when = day(_plain(one, "date"))
        _rely(found, application, _plain(one, "doc-number"), when)
        days.append(when)
    continued = False
    for kind in _CONTINUED:
        for relation in head.iterfind(f"us-related-documents/{kind}//relation"):
            continued = True
            _state_relation(found, relation, kind, main, application)
    papers = [
        paper
        for paper in head.iterfind("us-related-documents/related-publication/document-id")
        if _plain(paper, "country") == "US" and _PUBLICATION.fullmatch(_plain(paper, "doc-number"))
    ]
    for paper in papers if len(papers) == 1 else ():
        _state_publication(found, application, paper)
    if not continued:
        known = [when for when in days if when is not None]
        add_statement(found, application, LX.priorityDate, min(known, key=str, default=None))


def _state_relation(
    found: list[Triple], relation: Any, kind: str, main: URIRef, application: URIRef
) -> None:
    parent, child = relation.find("parent-doc"), relation.find("child-doc/document-id")
    later = application
    if child is not None and _APPLICATION.fullmatch(_plain(child, "doc-number")):
        later = _application_node(_plain(child, "doc-number"))
    if parent is None:
        return
    earlier = parent.find("document-id")
    if earlier is not None:
        _rely(found, later, _plain(earlier, "doc-number"), day(_plain(earlier, "date")),
              _plain(earlier, "country"))  # fmt: skip
    grant = parent.find("parent-grant-document/document-id")
    if kind == "reissue" and grant is not None and later == application != main:
        number = _plain(grant, "doc-number")
        old = _patent_node(number)
        _state_patent(found, old, number, _plain(grant, "kind"))
        add_statement(found, main, LX.reissueOf, old)


def _rely(
    found: list[Triple],
    later: URIRef,
    number: str,
    when: Literal | None,
    country: str = "US",
) -> None:
    if not number:
        return
    if country == "US" and _APPLICATION.fullmatch(number):
        earlier = _application_node(number)
        if earlier != later:
            _state_application(found, earlier, number)
            add_statement(found, earlier, LX.filingDate, when)
    else:
        earlier = _foreign_application(found, country, number, when)
    add_statement(found, later, LX.claimsPriorityOf, earlier)


# ---------------------------------------------------------------- parties


def _state_parties(found: list[Triple], head: Any, main: URIRef) -> None:
    for path, predicate in (
        ("us-parties/us-applicants/us-applicant", LX.hasApplicant),
        ("us-parties/inventors/inventor", LX.hasInventor),
        ("assignees/assignee", LX.hasAssignee),
    ):
        for party in head.iterfind(path):
            book = party.find("addressbook")
            # An assignee may stand without one.
            book = party if book is None else book
            name = _text(book.find("orgname"))
            if name:
                add_statement(found, main, predicate, _organization(found, name))
                continue
            given, family = _plain(book, "first-name"), _plain(book, "last-name")
            where = [_plain(book, f"address/{part}") for part in ("city", "state", "country")]
            if family:
                add_statement(found, main, predicate, _person(found, f"{given} {family}", where))


def _organization(found: list[Triple], name: str) -> URIRef:
    """State an organization, which its name tells from others; return its node."""
    node = mint(_ORGANIZATIONS, name)
    add_statement(found, node, RDF.type, LX.Organization)
    add_statement(found, node, RDFS.label, name)
    return node


def _person(found: list[Triple], name: str, where: list[str]) -> URIRef:
    """State a person, which name and place tell from others; return their node."""
    name = " ".join(name.split())
    node = mint(_PEOPLE, " ".join([name, *filter(None, where)]))
    add_statement(found, node, RDF.type, LX.NaturalPerson)
    add_statement(found, node, RDFS.label, name)
    return node


# ---------------------------------------------------------------- documents and their numbers


def _patent_node(number: str) -> URIRef:
    """Return the node of a US patent; ValueError if that is no number of one."""
    return RECORD[f"us-patent/{_patent(number)}"]


def _application_node(number: str) -> URIRef:
    """Return the node of a US application; ValueError if that is no number of one."""
    return RECORD[f"us-application/{_application(number)}"]


def _patent(number: str) -> str:
    match = _NUMBER.fullmatch(number.replace(",", "").replace(" ", "").upper())
    if match is None:
        raise ValueError(f"{number[:40]!r} is no number of a US patent")
    return (match[1] or "") + match[2]


def _application(number: str) -> str:
    match = _APPLICATION.fullmatch(number.replace(" ", ""))
    if match is None:
        raise ValueError(f"{number[:40]!r} is no number of a US application")
    return "".join(match.groups())


def _shown(plain: str) -> str:
    """Return a patent's number as it is printed: RE12,345."""
    letters = plain.rstrip("0123456789")
    return f"{letters}{int(plain[len(letters) :]):,}"


def _name(found: list[Triple], node: URIRef, plain: str, shown: str, *more: str) -> None:
    """State what a document is called: as printed, by its bare number, and other names."""
    # An alias of figures alone would be none; a second label is.
    add_statement(found, node, SCHEMA.name, plain)
    for alias in (shown, f"US{plain}", f"US {plain}", *more):
        add_statement(found, node, SKOS.altLabel, alias)


def _state_patent(found: list[Triple], patent: URIRef, number: str, kind: str = "") -> None:
    """State a US patent under all that it is called: 9,123,456, US 9,123,456 B2, US9123456B2."""
    plain = _patent(number)
    shown = _shown(plain)
    add_statement(found, patent, RDF.type, LX.GrantedPatent)
    add_statement(found, patent, LX.patentNumber, plain)
    add_statement(found, patent, RDFS.label, f"US {shown}")
    more = [f"{word}Patent {no}{shown}" for word in ("", "U.S. ") for no in ("", "No. ")]
    if kind:
        more += [f"US {shown} {kind}", f"US {plain} {kind}", f"US{plain}{kind}"]
    _name(found, patent, plain, shown, *more)


def _state_application(found: list[Triple], application: URIRef, number: str) -> None:
    """State a US application under all that it is called: 14/897,520, 14897520."""
    plain = _application(number)
    shown = f"{plain[:2]}/{plain[2:5]},{plain[5:]}"
    add_statement(found, application, RDF.type, LX.PatentApplication)
    add_statement(found, application, LX.applicationNumber, plain)
    add_statement(found, application, RDFS.label, f"US {shown}")
    more = [f"{word}Application {no}{shown}" for word in ("", "U.S. ") for no in ("", "No. ")]
    more += [f"US Patent App. No. {plain}", f"U.S. Patent Application No. {shown}"]
    _name(found, application, plain, shown, f"{plain[:2]}/{plain[2:]}", *more)


def _name_publication(
    found: list[Triple], application: URIRef, number: str, kind: str = ""
) -> None:
    """State the publication of a US application, which is another name of it."""
    match = _PUBLICATION.fullmatch(number)
    if match is None:
        raise ValueError(f"{number[:40]!r} is no number of a US publication")
    year, serial = match.groups()
    plain, shown = f"{year}{serial}", f"{year}/{serial}"
    add_statement(found, RECORD[f"us-publication/{plain}"], OWL.sameAs, application)
    of_kind = (f"US {shown} {kind}", f"US{plain}{kind}", f"US {plain} {kind}") if kind else ()
    _name(found, application, plain, shown, f"US {shown}", *of_kind)


def _foreign_application(
    found: list[Triple], country: str, number: str, when: Literal | None
) -> URIRef:
    """State an application at another office; return its node."""
    node, country = _abroad("application", country, number)
    add_statement(found, node, RDF.type, LX.PatentApplication)
    add_statement(found, node, LX.applicationNumber, f"{country} {number}")
    add_statement(found, node, RDFS.label, f"{country} {number}")
    add_statement(found, node, LX.filingDate, when)
    return node


def _abroad(kind: str, country: str, number: str) -> tuple[URIRef, str]:
    """Return the node of a document of another office, and the code of that."""
    country = country if re.fullmatch("[A-Z]{2}", country) else "XX"
    plain = re.sub(r"\s+", "", number)
    return RECORD[f"{kind}/{country}-{quote(plain, safe='')}"], country


def _state_cited(found: list[Triple], head: Any, main: URIRef) -> None:
    """State what a patent cites: documents as nodes, all else in its words."""
    for reference in (
        *head.iterfind("us-references-cited/us-citation"),
        *head.iterfind("references-cited/citation"),
    ):
        add_statement(found, main, SCHEMA.citation, _text(reference.find("nplcit/othercit")))
        document = reference.find("patcit/document-id")
        if document is None:
            continue
        number = _plain(document, "doc-number")
        if not number:
            continue
        country, kind = _plain(document, "country"), _plain(document, "kind")
        try:
            when = day(_plain(document, "date"))
        except ValueError:
            when = None  # what others were granted is not this record's to say
        add_statement(found, main, LX.cites, _cited(found, country, number, kind, when))


def _cited(
    found: list[Triple], country: str, number: str, kind: str, when: Literal | None
) -> URIRef:
    """State a document that is cited as far as a citation tells; return its node."""
    if country == "US" and (paper := _PUBLICATION.fullmatch(number)):
        year, serial = paper.groups()
        node = RECORD[f"us-publication/{year}{serial}"]
        add_statement(found, node, RDF.type, LX.PatentApplication)
        add_statement(found, node, RDFS.label, f"US {year}/{serial} {kind}".strip())
        add_statement(found, node, LX.publicationDate, when)
        return node
    if country == "US" and _NUMBER.fullmatch(number.replace(",", "").replace(" ", "").upper()):
        node, plain = _patent_node(number), _patent(number)
        add_statement(found, node, RDF.type, LX.GrantedPatent)
        add_statement(found, node, RDFS.label, f"US {_shown(plain)}")
        add_statement(found, node, LX.patentNumber, plain)
        add_statement(found, node, LX.grantDate, when)
        return node
    node, country = _abroad("patent-document", country, number)
    add_statement(found, node, RDF.type, LX.PatentDocument)
    add_statement(found, node, RDFS.label, f"{country} {number} {kind}".strip())
    add_statement(found, node, LX.publicationDate, when)
    return node


# ---------------------------------------------------------------- texts and claims


def _state_description(found: list[Triple], root: Any, main: URIRef) -> None:
    """State the paragraphs of the description, each a part."""
    for place, paragraph in enumerate(root.iterfind("description//p"), 1):
        text = _text(paragraph)
        if text:
            number = (paragraph.get("num") or "").strip() or f"{place:04d}"
            node = URIRef(f"{main}/paragraph/{quote(number, safe='')}")
            add_statement(found, node, RDF.type, LX.DocumentPart)
            add_statement(found, node, LX.partOf, main)
            add_statement(found, node, LX.sectionNumber, number)
            add_statement(found, node, SCHEMA.text, text)


def _state_claims(found: list[Triple], root: Any, main: URIRef) -> None:
    listed: dict[int, tuple[str, list[int]]] = {}
    for claim in root.iterfind("claims/claim"):
        name = (claim.get("num") or (claim.get("id") or "").removeprefix("CLM-")).strip()
        match = _CLAIM.fullmatch(name)
        if match is None:
            raise ValueError(f"claim {name[:40]!r} has no number")
        text = _text(claim)
        if match[2] or _CANCELED.search(text[:200]):
            continue
        number = int(match[1])
        if number in listed:
            raise ValueError(f"two claims are numbered {number}")
        listed[number] = (text, list(dict.fromkeys(_parents(claim, text))))
    for number, (text, parents) in listed.items():
        _state_claim(found, main, number, text, parents, listed)


def _state_claim(
    found: list[Triple],
    main: URIRef,
    number: int,
    text: str,
    parents: list[int],
    listed: Mapping[int, tuple[str, list[int]]],
) -> None:
    node = _claim_node(main, number)
    add_statement(found, node, LX.partOf, main)
    add_statement(found, node, LX.claimNumber, number)
    add_statement(found, node, SCHEMA.text, text)
    name = str(main).rpartition("/")[2]
    shown = _shown(name) if "/us-patent/" in main else f"{name[:2]}/{name[2:5]},{name[5:]}"
    add_statement(found, node, RDFS.label, f"claim {number} of US {shown}")
    # "A machine for the method of claim 1" is no narrower method; "The machine of claim 1" is one.
    others = (_method(listed[one][0]) for one in parents if one in listed)
    apart = not _DEFINITE.match(text) and any(one != _method(text) for one in others)
    dependent = bool(parents) and not apart
    add_statement(found, node, RDF.type, LX.DependentClaim if dependent else LX.IndependentClaim)
    for parent in parents:
        above = _claim_node(main, parent)
        add_statement(found, node, LX.dependsOnClaim if dependent else LX.refersToClaim, above)
        if parent not in listed:
            add_statement(found, above, LX.claimNumber, parent)


def _claim_node(document: URIRef, number: int) -> URIRef:
    """Return the node of a claim of a patent or an application."""
    return URIRef(f"{document}/claim/{number}")


def _parents(claim: Any, text: str) -> Iterator[int]:
    """Yield the numbers of the claims that one refers to, by its marks, or else by its words."""
    marks = list(claim.iter("claim-ref"))
    for mark in marks:
        for number in _IDREF.findall(mark.get("idref") or ""):
            yield int(number)
        if span := _RANGE.search(_text(mark)):
            yield from _span(int(span[1]), int(span[2]))
    if not marks:
        for found in _MENTIONED.finditer(text):
            yield from _span(int(found[1]), int(found[2] or found[1]))


def _span(first: int, last: int) -> range:
    return range(first, min(last, first + _MOST) + 1)


def _method(text: str) -> bool:
    """Return whether a claim is to a method, by the head of its first phrase."""
    match = _HEAD.match(text)
    words = match["head"].casefold().split() if match else text.casefold().split()[:3]
    return bool(words) and words[-1] in ("method", "process", "methods", "processes", "use")


def _plain(element: Any, path: str) -> str:
    return _text(element.find(path))


def _text(element: Any) -> str:
    """Return the text of an element in one line; an entity of the world stands as it is known."""
    return "" if element is None else " ".join("".join(_ordered(element)).split())


#: Elements that stand apart from what is before them.
_BLOCKS = frozenset("p claim claim-text li ul ol br row entry table heading tr td dt dd".split())


def _ordered(element: Any) -> Iterator[str]:
    if not isinstance(element.tag, str):
        yield html.unescape(element.text or "")
        return
    yield element.text or ""
    for child in element:
        if child.tag in _BLOCKS:
            yield " "
        yield from _ordered(child)
        if child.tag in _BLOCKS:
            yield " "
        yield child.tail or ""


def _split_bulk(stream: Bytes) -> Records:
    return split_xml(stream, read_document)


#: Bulk files of grants and published applications.
USPTO = RecordFormat(name="USPTO XML", endings=(".xml",), split=_split_bulk, domain="legal")

"""Citations of decisions: name, volume, reporter, page, court and year.

A citation is a number, a reporter and a page, as in ``12 F.3d 34``. The reporter is looked up in
reporters-db, the court in courts-db; what these say of them is background, named by its source.
One that reporters-db does not list is read only behind a case name and before a year.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rdflib.namespace import RDF, XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.legal.lawphrases import phrases
from groundrules.legal.namespace import LX
from groundrules.ontology.read.assertions import Assertions
from groundrules.ontology.read.model_values import date_in
from groundrules.terms import ENTITY, Span, mint

_RE = phrases("reporters")
#: Words that a name may hold in small letters, and words in capitals that are no part of one.
_JOINING = frozenset("of the and & for on in de la van von der ex rel. et al. a/k/a d/b/a".split())
_SIGNALS = frozenset(
    "in see cf. accord but under as compare and the since unlike citing also both e.g., quoting "
    "following by with contra applying with thus when while before after that".split()
)
#: Names under which half the country sues: the word after them tells cases apart.
_COMMON = frozenset(
    "united state people commonwealth city county town village the board bank".split()
)


@dataclass(frozen=True, slots=True)
class Reporter:
    """A reporter as reporters-db has it; years are those of its first and last decision."""

    name: str
    first: int | None
    last: int | None
    listed: bool = True
    cases: bool = True


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a reporter, half-open code-point ranges included.

    `written` is the range of the reporter, `tail` the parenthesis with the year behind it, None
    where there is none; `parallel` is True if it stands behind another of the same decision.
    """

    start: int
    end: int
    volume: int
    reporter: Reporter
    page: str
    name: tuple[int, int] | None
    tail: re.Match[str] | None
    written: tuple[int, int]
    parallel: bool = False

    @property
    def label(self) -> str:
        """The citation as it is usually written."""
        return f"{self.volume} {self.reporter.name} {self.page}"


def read_citations(assertions: Assertions) -> None:
    """State the citations of decisions in a document; the cost is linear in its length."""
    text = assertions.extraction.document.text
    group: list[Citation] = []
    for citation in find_citations(text):
        if group and not citation.parallel:
            _state(assertions, text, group)
            group = []
        group.append(citation)
    if group:
        _state(assertions, text, group)


def find_citations(text: str) -> Iterator[Citation]:
    """Yield the citations of decisions in a text, in order."""
    last: Citation | None = None
    chain = 0  # where a parallel citation of the last one would begin
    for match in _RE["citation"].finditer(text):
        reporter = find_reporter(match["reporter"])
        start, end = match.span()
        parallel = bool(last and start == chain)
        stop = pin.end() if (pin := _RE["pin"].match(text, end)) else end
        tail = _RE["parenthesis"].match(text, stop)
        name = last.name if parallel and last else case_name(text, start)
        if reporter is None:
            series = _RE["series"].sub("", match["reporter"])
            book = find_reporter(series) if series != match["reporter"] else None
            cited = name is not None and (tail or parallel)
            if not (book and book.cases) and not (cited and _looks_like_reporter(series)):
                continue
            written = " ".join(match["reporter"].split())
            reporter = Reporter(written, None, None, listed=False)
        if not reporter.cases:
            continue
        last = Citation(
            start, end, int(match["volume"]), reporter, match["page"], name, tail,
            match.span("reporter"), parallel,
        )  # fmt: skip
        # A list of citations joined by semicolons is one of decisions, not of places.
        chain = stop + 2 if text[stop : stop + 1] == "," else -1
        yield last


def _looks_like_reporter(text: str) -> bool:
    words = text.split()
    return (
        len(words) <= 6
        and any(word.endswith(".") for word in words)
        and all(word[0].isupper() or word in ("&", "2d", "3d", "4th", "5th") for word in words)
    )


def case_name(text: str, end: int) -> tuple[int, int] | None:
    """Return the range of the case name that ends, with a comma, right before a place."""
    head = text[max(0, end - 200) : end]
    cut = re.search(r",\s$", head)
    if cut is None:
        return None
    base = end - len(head)
    head = head[: cut.start()]
    found = list(_RE["versus"].finditer(head))
    versus = found[-1] if found else None
    solo = _RE["solo"].search(head, versus.end() if versus else 0)
    if versus is None or solo:
        return (base + solo.start(), base + len(head)) if solo else None
    defendant = head[versus.end() :]
    if not defendant[:1].isupper() or len(defendant) > 100 or re.search(r"[;:()\n]{1}", defendant):
        return None
    start = _party_start(head[: versus.start()])
    return None if start is None else (base + start, base + len(head))


def _party_start(text: str) -> int | None:
    """Return where the name of the party that ends a text begins."""
    start: int | None = None
    for word in reversed(list(re.finditer(r"\S+", text))):
        token = word[0]
        small = token.casefold().rstrip(",") in _JOINING
        if not (any(c.isupper() or c.isdigit() for c in token) or small) or re.search(
            "[();:]", token
        ):
            break
        # A comma stands before "Inc." and after what is no part of the name.
        if start is not None and token[-1] == "," and not _RE["organised"].match(text, start):
            break
        if start is not None and token[-1] == "." and not _abbreviation(token):
            break
        if token[0].isupper() and token.casefold() in _SIGNALS:
            break
        if not small:
            start = word.start()
    return start


def _abbreviation(token: str) -> bool:
    return token in _abbreviations() or len(token) <= 3 or "." in token[:-1] or "'" in token


@lru_cache(maxsize=1)
def _abbreviations() -> frozenset[str]:
    from reporters_db import CASE_NAME_ABBREVIATIONS

    words = {word for word in CASE_NAME_ABBREVIATIONS if word.endswith(".")}
    return frozenset(words | {"Inc.", "Co.", "Corp.", "Ltd.", "Mrs.", "Jr.", "Sr."})


def _state(assertions: Assertions, text: str, group: list[Citation]) -> None:
    """State what the parallel citations of one decision say."""
    tail = group[-1].tail
    stop = tail.end() if tail else group[-1].end
    whole = assertions.span(group[0].name[0] if group[0].name else group[0].start, stop)
    decision = _decision(assertions, text, group, whole, tail)
    for citation in group:
        node, place = _state_citation(assertions, citation, citation.tail or tail, whole)
        if decision is not None:
            assertions.state(
                decision, LX.hasCitation, node, whole, parts=(_name(assertions, group), None, place)
            )


def _state_citation(
    assertions: Assertions, citation: Citation, own: re.Match[str] | None, whole: Span
) -> tuple[URIRef, Span]:
    """State what one citation says; return its node and place."""
    place = assertions.span(citation.start, citation.end)
    node = mint(ENTITY, citation.label)
    assertions.labels.setdefault(node, citation.label)
    # "U.S." is a reporter, a court and a country: three nodes.
    reporter = mint(ENTITY, f"reporter {citation.reporter.name}")
    assertions.labels.setdefault(reporter, citation.reporter.name)

    def add_fact(predicate: URIRef, value: Node, part: Span | None = None) -> None:
        assertions.state(node, predicate, value, whole, parts=(place, None, part or place))

    add_fact(RDF.type, LX.ReporterCitation)
    add_fact(LX.inReporter, reporter, assertions.span(*citation.written))
    add_fact(LX.volume, Literal(citation.volume))
    add_fact(LX.page, Literal(citation.page))
    know_volume(assertions, node, reporter, citation)
    if own:
        year = assertions.span(*own.span("year"))
        add_fact(LX.citedYear, Literal(own["year"], datatype=XSD.gYear), year)
    court = find_court((own["court"] if own else None) or _implied(citation.reporter.name))
    if court is not None:
        named = assertions.span(*own.span("court")) if own and own["court"] else None
        add_fact(LX.citedCourt, _court(assertions, court), named)
    return node, place


def _name(assertions: Assertions, group: list[Citation]) -> Span | None:
    return assertions.span(*group[0].name) if group[0].name else None


def _decision(
    assertions: Assertions,
    text: str,
    group: list[Citation],
    whole: Span,
    tail: re.Match[str] | None,
) -> URIRef | None:
    """State the decision behind a group of citations; None where it has no name."""
    if group[0].name is None:
        return None
    name = " ".join(text[slice(*group[0].name)].split())
    year = tail["year"] if tail else ""
    node = decision_node(text, group[0])
    assertions.labels.setdefault(node, f"{name} ({year})" if year else name)
    case = mint(ENTITY, re.sub(r"\bvs?\b\.?", "v.", name))
    assertions.labels.setdefault(case, name)
    part = _name(assertions, group)
    parts = (part, None, part)
    assertions.state(node, RDF.type, LX.JudicialDecision, whole, parts=parts)
    assertions.state(node, LX.decides, case, whole, parts=parts)
    if tail:
        assertions.state(
            node, LX.decisionDate, _date(tail), whole,
            parts=(part, None, assertions.span(*tail.span("year"))),
        )  # fmt: skip
    # Married people sue each other under one surname, companies do not.
    plaintiff, _, defendant = re.sub(r"\bvs?\b\.?", "v.", name).partition(" v. ")
    if defendant and (plaintiff != defendant or _RE["organised"].search(plaintiff)):
        start, stop = group[0].name
        middle = list(_RE["versus"].finditer(text, start, stop))[-1]
        for first, last, predicate in (
            (start, middle.start(), LX.hasPlaintiff),
            (middle.end(), stop, LX.hasDefendant),
        ):
            assertions.state(case, predicate, assertions.thing(first, last), whole, parts=parts)
    return node


def decision_node(text: str, citation: Citation) -> URIRef:
    """Return the node of the decision that a citation with a name, the first of it, is one of."""
    assert citation.name is not None
    tail = citation.tail or _last_tail(text, citation)
    court = find_court((tail["court"] if tail else None) or _implied(citation.reporter.name))
    name = short_name(" ".join(text[slice(*citation.name)].split()))
    return mint(ENTITY, f"{name} ({court.name if court else ''} {tail['year'] if tail else ''})")


def _last_tail(text: str, citation: Citation) -> re.Match[str] | None:
    """Return the parenthesis behind the last of the parallel citations that begin here."""
    end = citation.end
    for _ in range(8):
        stop = pin.end() if (pin := _RE["pin"].match(text, end)) else end
        tail = _RE["parenthesis"].match(text, stop)
        if tail:
            return tail
        following = _RE["citation"].match(text, stop + 2) if text[stop : stop + 1] == "," else None
        if following is None:
            return None
        end = following.end()
    return None


def _date(tail: re.Match[str]) -> Literal:
    """Return the date in a parenthesis, as precise as it is."""
    day = date_in(tail[0]) if tail["month"] else None
    return day or Literal(tail["year"], datatype=XSD.gYear)


def short_name(name: str) -> str:
    """Return the words that tell a case from others however it is abbreviated."""
    sides = re.split(r"\svs?\.?\s", name, maxsplit=1)
    short = []
    for side in sides:
        words = [re.sub(r"[^\w&]", "", word).casefold() for word in side.split()]
        words = [word for word in words if word and word not in _JOINING] or words
        known = next((n for n, w in enumerate(words) if w not in _COMMON), len(words) - 1)
        # Abbreviations keep the beginning of a word: "Educ." and "Education".
        short.append(words[known][:3] if words else "")
    return " v. ".join(short)


# --- what is known of reporters and courts ----------------------------------------------------


def _key(text: str) -> str:
    return re.sub(r"[\s'’]", "", text)


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    return tomllib.loads((Path(__file__).parent / "reporters.toml").read_text(encoding="utf-8"))


def find_reporter(text: str) -> Reporter | None:
    """Return the reporter of that name or abbreviation, None if reporters-db does not list it.

    One of laws or journals is listed too, but has no `cases`.
    """
    return _reporters().get(_key(text))


@lru_cache(maxsize=1)
def _reporters() -> Mapping[str, Reporter]:
    from reporters_db import JOURNALS, LAWS, REPORTERS

    years: dict[str, list[tuple[int | None, int | None]]] = {}
    spelled: dict[str, str] = {}
    for books in REPORTERS.values():
        for book in books:
            for edition, dates in book["editions"].items():
                start, end = (getattr(dates[side], "year", None) for side in ("start", "end"))
                years.setdefault(edition, []).append((start, end))
                spelled[_key(edition)] = edition
    for books in REPORTERS.values():
        for book in books:
            for variation, edition in book["variations"].items():
                spelled.setdefault(_key(variation), edition)
    found = {}
    for key, edition in spelled.items():
        first = [a for a, _ in years.get(edition, [])]
        last = [b for _, b in years.get(edition, [])]
        known = _data()["published"].get(edition)
        found[key] = Reporter(
            edition,
            known[0] if known else min((a for a in first if a), default=None),
            (known[1] or None) if known else None if None in last else max(b for b in last if b),
        )
    for book in (JOURNALS, LAWS):
        for name, entries in book.items():
            for spelling in [name, *(v for entry in entries for v in entry.get("variations", ()))]:
                found.setdefault(_key(spelling), Reporter(name, None, None, cases=False))
    return found


@dataclass(frozen=True, slots=True)
class Court:
    """A court as citations name it; dates are ISO 8601, None where courts-db has none."""

    name: str
    established: str | None
    abolished: str | None


def find_court(text: str | None) -> Court | None:
    """Return the court that citations name so, None if courts-db does not list it."""
    return _courts().get(_key(text.rstrip(", ")).casefold()) if text else None


@lru_cache(maxsize=1)
def _courts() -> Mapping[str, Court]:
    from courts_db import courts

    spans: dict[str, list[tuple[str | None, str | None]]] = {}
    shown: dict[str, str] = {}
    for court in courts:
        dates = [(d.get("start"), d.get("end")) for d in court.get("dates", ())] or [(None, None)]
        cited, name = court.get("citation_string") or "", court.get("name") or ""
        for spelling in (cited, name, name.removeprefix("United States "), *court["examples"]):
            if spelling:
                shown.setdefault(_key(spelling).casefold(), cited or name)
        spans.setdefault(cited or name, []).extend(dates)
    for name in _data()["established"]:
        shown[_key(name).casefold()] = name
    return {key: _dated(name, spans.get(name, [(None, None)])) for key, name in shown.items()}


def _dated(name: str, spans: list[tuple[str | None, str | None]]) -> Court:
    known = _data()["established"].get(name)
    if known:
        return Court(name, f"{known[0]}-01-01", f"{known[1]}-12-31" if known[1] else None)
    starts = [start for start, _ in spans]
    ends = [end for _, end in spans]
    return Court(
        name,
        min((s for s in starts if s), default=None) if all(starts) else None,
        max((e for e in ends if e), default=None) if all(ends) else None,
    )


def _implied(reporter: str) -> str | None:
    name: str | None = _data()["courts"].get(reporter)
    return name


def _court(assertions: Assertions, court: Court) -> URIRef:
    """Return the node of a court, with its dates known."""
    node = mint(ENTITY, f"court {court.name}")
    assertions.labels.setdefault(node, court.name)
    know_court(assertions, node, court)
    return node


def know_court(assertions: Assertions, node: Node, court: Court) -> None:
    """Note when a court was established and abolished."""
    if court.established:
        date = Literal(court.established, datatype=XSD.date, normalize=False)
        assertions.know("courts-db", node, LX.establishedOn, date)
    if court.abolished:
        date = Literal(court.abolished, datatype=XSD.date, normalize=False)
        assertions.know("courts-db", node, LX.abolishedOn, date)


def know_volume(assertions: Assertions, node: Node, reporter: URIRef, citation: Citation) -> None:
    """Note what is known of a reporter and of a volume."""
    book = citation.reporter
    if not book.listed:
        assertions.know("reporters-db", reporter, RDF.type, LX.UnlistedReporter)
        return
    assertions.know("reporters-db", reporter, RDF.type, LX.Reporter)
    for year, predicate, day in (
        (book.first, LX.publishedFrom, "01-01"),
        (book.last, LX.publishedUntil, "12-31"),
    ):
        if year:
            date = Literal(f"{year}-{day}", datatype=XSD.date, normalize=False)
            assertions.know("reporters-db", reporter, predicate, date)
    volumes = _data()["volumes"].get(book.name, ())
    earlier = [year for volume, year in volumes if volume <= citation.volume]
    later = [year for volume, year in volumes if volume >= citation.volume]
    if earlier and later:
        for year, predicate in ((earlier[-1] - 1, LX.volumeFrom), (later[0] + 1, LX.volumeUntil)):
            value = Literal(str(year), datatype=XSD.gYear)
            assertions.know("volumes of reporters", node, predicate, value)

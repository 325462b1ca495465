"""The structure of a document: numbered sections, references to them, terms defined.

A reference is only of use where the document lists what it refers to. `lx:listsSections` says so:
"12." means that every 12.x is in the document, "" that its top level is, "7(" that all of 7(a),
7(b), ... are, "Exhibit " that the exhibits are. Excerpts list nothing past their end.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rdflib.namespace import RDF
from rdflib.term import Literal, URIRef

from groundrules.claims.documents.document import plain
from groundrules.claims.values.roman import read_roman
from groundrules.legal.lawphrases import phrases
from groundrules.legal.namespace import LX
from groundrules.ontology.read.assertions import Assertions

#: Fewest sections of a depth that make it the document's way of writing.
FEWEST = 3
#: How much of a definition is read, in code points.
LONGEST = 300

_NUMBER = r"\d{1,2}(?:\.\d{1,3}){0,4}(?![\d%])"
_ITEMS = r"(?:\s?\((?:[a-z]{1,4}|[A-Z]{1,2}|\d{1,2})\)){0,3}"
_HEADING = re.compile(
    rf"^[ \t#*]{{0,60}}(?:(?i:section|article|clause)\s{{1,9}}(?P<named>{_NUMBER}|[IVXL]{{1,7}}\b)"
    rf"|(?P<bare>{_NUMBER}|[IVXL]{{1,7}}(?=\.)))(?P<stop>[.):]?)[ \t]{{0,40}}(?:[-–—][ \t]{{0,9}})?"
    r"(?=[\"“A-Z\[(&]|$)",
    re.M,
)
_INLINE = re.compile(
    rf"(?:(?<=[.;:)”\"’\]])\s{{1,9}}|\s{{2,9}}|(?<=[A-Z][A-Z])\s(?=Section))(?:(?P<named>(?:SECTION|ARTICLE)\s{{1,9}}(?:{_NUMBER}|[IVXL]{{1,7}}\b))"
    rf"|(?:Section\s{{1,9}})?(?P<deep>\d{{1,2}}(?:\.\d{{1,3}}){{1,4}})\.?(?=\s{{1,9}}[\"“A-Z\[])"
    r"|(?P<flat>\d{1,2})\.(?=\s{1,9}[\"“A-Z]))"
)
_RE = phrases("structure")
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = frozenset("0123456789)")
_PLACE = rf"(?:{_NUMBER}{_ITEMS}|[IVXL]{{1,7}}\b{_ITEMS})"
_JOINT = r"(?:\s?,\s{0,9}(?:and\s{1,9}|or\s{1,9})?|\s{1,9}(?:and|or|and/or|through|to)\s{1,9})"
_REFERENCE = re.compile(
    rf"\b(?P<kind>[Ss]ections?|SECTIONS?|[Aa]rticles?|ARTICLES?|[Cc]lauses?)\s{{1,9}}"
    rf"(?P<places>{_PLACE}(?:{_JOINT}{_PLACE}){{0,12}})(?!\.?[A-Z]|[\w$%-])"
)
_MEANS = re.compile(
    r"[\"“]\s?(?:the\s)?(?P<term>[A-Z][^\"“”\n]{1,60}?)[,.]?\s?[\"”]\s{1,9}"
    r"(?:(?:shall\s{1,9}|will\s{1,9})?means?\b|(?:is|shall\s{1,9}be)\s{1,9}defined\s{1,9}(?:in\s{1,9}[^\"“”.;]{1,40}\s{1,9})?as\b|denotes\b|signifies\b"
    r"|shall\s{1,9}be(?=\s{1,9}(?:\d|[A-Z][a-z]+\s\d)))(?:\s{1,9}(?:only|solely))?,?:?\s{1,9}"
    rf"(?P<text>[^.;]{{3,{LONGEST}}})"
)


@dataclass(frozen=True, slots=True)
class _Heading:
    number: tuple[int, ...]
    start: int


def read_structure(assertions: Assertions) -> None:
    """State the sections of a document, its references to sections, its terms; linear."""
    document = assertions.extraction.document
    text = plain(document)
    node = assertions.part()
    assertions.labels.setdefault(node, document.name)
    references = list(_references(text))
    headings = _headings(text)
    _state_sections(assertions, node, text, headings)
    _state_references(assertions, node, text, references, headings)
    _state_sheets(assertions, node, text)
    _state_terms(assertions, text)


# --- sections -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Reference:
    """A section referred to: `number` with its items, "12.3(a)"; `of` is what it belongs to."""

    number: str
    start: int
    end: int
    kind: str
    inside: bool


def _parts(number: str) -> tuple[int, ...] | None:
    """Return the numbers of "4.02" or "IX" as (4, 2) or (9,), None for no such number.

    A zero at the end is no part: "4.0" is section 4.
    """
    if number[:1].isdigit():
        parts = [int(part) for part in number.split(".")]
        while len(parts) > 1 and parts[-1] == 0:
            parts.pop()
        return tuple(parts) if parts[0] else None
    value = read_roman(number)
    return None if value is None else (value,)


def _shown(parts: tuple[int, ...]) -> str:
    return ".".join(map(str, parts))


def _references(text: str) -> Iterator[_Reference]:
    """Yield the references to numbered sections; one that begins a line may be a heading."""
    found = list(_REFERENCE.finditer(text))
    # "Section 2 or Section 5 of the Act": what is said of the last holds for those it is joined to
    own = {one[1].casefold() for one in _RE["this"].finditer(text)}
    outside = [False] * len(found)
    for i in range(len(found) - 1, -1, -1):
        match = found[i]
        of = _RE["of"].match(text, match.end())
        # "this Agreement" speaks of "the Lease": that is another paper
        paper = _RE["of_paper"].match(text, match.end())
        named = paper[1].casefold() if paper else ""
        apart = bool(named and own and named not in own)
        other = (
            bool(of and of["other"])
            or apart
            or bool(_RE["outside"].search(text, max(0, match.start() - 40), match.start()))
        )
        if not of and i + 1 < len(found):
            gap = _RE["chained"].fullmatch(text, match.end(), found[i + 1].start())
            other = other or bool(gap and outside[i + 1])
        outside[i] = other
    for match, other in zip(found, outside, strict=True):
        for place in re.finditer(_PLACE, match["places"]):
            head = re.match(rf"{_NUMBER}|[IVXL]+", place[0])
            parts = _parts(head[0]) if head else None
            if head is None or parts is None:
                continue
            items = re.sub(r"\s", "", place[0][head.end() :])
            items = items.lower() if match["kind"].isupper() else items
            start = match.start("places") + place.start()
            yield _Reference(
                _shown(parts) + items,
                start if place.start() else match.start(),
                start + len(place[0]),
                match["kind"],
                not other,
            )


def _headings(text: str) -> list[_Heading]:
    """Return what stands like the number of a section, in order of the text."""
    found: dict[int, _Heading] = {}
    for match in _HEADING.finditer(text):
        number = match["named"] or match["bare"]
        if match["bare"] and not match["stop"] and "." not in number:
            continue  # a page number, a list of figures
        parts = _parts(number)
        if parts is not None:
            start = match.start("named" if match["named"] else "bare")
            found[start] = _Heading(parts, start)
    for match in _INLINE.finditer(text):
        number = match["deep"] or match["flat"] or re.split(r"\s+", match["named"])[1]
        parts = _parts(number)
        if parts is not None:
            group = "deep" if match["deep"] else "flat" if match["flat"] else "named"
            start = match.end("named") - len(number) if group == "named" else match.start(group)
            found[start] = _Heading(parts, start)
    return [found[start] for start in sorted(found)]


def _state_sections(
    assertions: Assertions, node: URIRef, text: str, headings: list[_Heading]
) -> None:
    """State the sections there are, and which numbers are there to the last."""
    first: dict[tuple[int, ...], int] = {}
    for heading in headings:
        for depth in range(1, len(heading.number) + 1):
            first.setdefault(heading.number[:depth], heading.start)
    for number, start in first.items():
        shown = _shown(number)
        assertions.state(
            node, LX.hasSection, Literal(shown), assertions.span(start, start + len(shown))
        )
    # Numbers that stand elsewhere, where nothing shows what they are, may be sections.
    for start, shown in _loose(text, first):
        assertions.state(
            node, LX.hasSection, Literal(shown), assertions.span(start, start + len(shown))
        )
    children: dict[tuple[int, ...], set[int]] = {}
    for number in first:
        children.setdefault(number[:-1], set()).add(number[-1])
    depths: dict[int, int] = {}
    for number in first:
        depths[len(number)] = depths.get(len(number), 0) + 1
    top = max(children.get((), {0}))
    last = first.get((top,), 0)
    ended = top > 0 and _RE["ending"].search(text, last) is not None
    # a "1." that comes again and again is an item of a list
    again = sum(1 for h in headings if h.number == (1,)) > 2
    for parent in sorted({(), *first}):
        numbers = children.get(parent, set())
        whole = numbers == set(range(1, len(numbers) + 1))
        if not whole or depths.get(len(parent) + 1, 0) < FEWEST:
            continue
        if parent:
            closed = (*parent[:-1], parent[-1] + 1) in first or (parent == (top,) and ended)
        else:
            closed = ended and len(numbers) >= FEWEST and not again
        if closed:
            start = first.get(parent, 0)
            _list(assertions, node, f"{_shown(parent)}." if parent else "", start, "12")
    listing = _state_items(assertions, node, text, headings)
    if 2 not in depths:
        # sections of items alone have no parts of another kind
        for shown in listing:
            _list(assertions, node, f"{shown}.", last, "12")


def _list(assertions: Assertions, node: URIRef, prefix: str, start: int, first: str) -> None:
    """State that all is there whose number begins with the prefix: "7(a), 7(b), ..."."""
    shown = ", ".join(f"{prefix}{sign}{')' * prefix.endswith('(')}" for sign in first)
    assertions.labels.setdefault(Literal(prefix), f"{shown}, …")
    assertions.state(node, LX.listsSections, Literal(prefix), assertions.span(start, start))


def _loose(text: str, known: Mapping[tuple[int, ...], int]) -> Iterator[tuple[int, str]]:
    seen = set(known)
    for match in re.finditer(r"(?<![\d.$,])\d{1,2}(?:\.\d{1,3}){1,4}(?![\d%])", text):
        parts = _parts(match[0])
        before = text[max(0, match.start() - 30) : match.start()]
        if (
            parts is not None
            and parts not in seen
            and not re.search(
                r"(?:\b(?:sections?|articles?|clauses?|paragraphs?|and|or|to|through)|,|§)"
                r"[ \t]{0,9}\Z",
                before,
                re.I,
            )
        ):
            seen.add(parts)
            yield match.start(), _shown(parts)


def _state_items(
    assertions: Assertions, node: URIRef, text: str, headings: list[_Heading]
) -> list[str]:
    """State the items (a), (b), ... of each section; return the numbers that list theirs.

    A section reaches to the next of its row; what stands in its subsections counts as its own.
    """
    places: dict[str, list[int]] = {}
    for item in _RE["item"].finditer(text):
        if not (item[1] and text[max(0, item.start() - 2) : item.start()].rstrip()[-1:] in _DIGITS):
            places.setdefault(item[1] or item[2], []).append(item.start())
    starts: dict[tuple[int, ...], list[int]] = {}
    for heading in headings:
        starts.setdefault(heading.number, []).append(heading.start)
    names = sorted(places)
    listing = []
    for number, begins in starts.items():
        closing = [
            start
            for depth in range(len(number), 0, -1)
            for start in starts.get((*number[: depth - 1], number[depth - 1] + 1), ())
        ]
        closing = sorted({*closing, *begins})
        found: dict[str, int] = {}
        ended = False
        for begin in begins:
            index = bisect.bisect_right(closing, begin)
            end = closing[index] if index < len(closing) else len(text)
            ended = ended or index < len(closing)
            for name in names:
                at = bisect.bisect_left(places[name], begin)
                if at < len(places[name]) and places[name][at] < end:
                    found.setdefault(name, places[name][at])
        for name, start in found.items():
            shown = Literal(f"{_shown(number)}({name})")
            span = assertions.span(start, start + len(name) + 2)
            assertions.state(node, LX.hasSection, shown, span)
        letters = "".join(sorted(n for n in found if len(n) == 1 and n.islower()))
        if "h" not in letters:
            letters = re.sub("[ivx]", "", letters)  # numerals of items within items
        if ended and len(letters) >= FEWEST and _ALPHABET.startswith(letters):
            listing.append(_shown(number))
            _list(assertions, node, f"{listing[-1]}(", begins[0], "ab")
    return listing


def _state_references(
    assertions: Assertions,
    node: URIRef,
    text: str,
    references: list[_Reference],
    headings: list[_Heading],
) -> None:
    """State the sections of this contract, or of the one it speaks of, that are referred to."""
    if _RE["amendment"].search(text[:600]):
        return  # its sections are those of the contract that it amends
    starts = [h.start for h in headings]
    heads = set(starts)
    counts = Counter(h.number for h in headings)
    exempt = _sheet_starts(text)
    for reference in references:
        if not reference.inside or any(
            place in heads for place in range(reference.start, reference.end)
        ):
            continue
        if bisect.bisect_right(exempt, reference.start):
            continue  # an exhibit counts its own sections
        span = assertions.span(reference.start, reference.end)
        base = re.split(r"\(", reference.number)[0]
        assertions.state(node, LX.refersToSection, Literal(reference.number), span)
        parts = base.split(".")
        for depth in range(len(parts), 0, -1):
            above = ".".join(parts[:depth])
            if above != reference.number:
                assertions.state(node, LX.refersToSection, Literal(above), span)
        index = bisect.bisect_right(starts, reference.start) - 1
        if index < 0 or counts[headings[index].number] > 2:
            continue  # an item of a list, not a section
        here = _shown(headings[index].number)
        if here == reference.number and _RE["subject"].search(
            text, max(0, reference.start - 60), reference.start
        ):
            part = assertions.part(here)
            assertions.labels.setdefault(part, f"section {here}")
            assertions.state(part, LX.sectionNumber, Literal(here), span)
            assertions.state(part, LX.subjectToSection, Literal(here), span)


# --- exhibits -----------------------------------------------------------------------------------


def _sheet_starts(text: str) -> list[int]:
    """Return where the exhibits begin: their headings behind the end of the contract itself."""
    ending = re.search(r"\bIN\s{1,9}WITNESS\s{1,9}WHEREOF\b", text, re.I)
    begin = ending.start() if ending else len(text) // 2
    return [m.start() for m in _RE["sheet"].finditer(text, begin)]


def _state_sheets(assertions: Assertions, node: URIRef, text: str) -> None:
    """State the exhibits and schedules there are and those referred to."""
    found: dict[str, dict[str, int]] = {}
    heads = set()
    for match in _RE["sheet"].finditer(text):
        kind, name = match["kind"].capitalize(), match["name"].upper()
        heads.add(match.start("kind"))
        found.setdefault(kind, {}).setdefault(name, match.start("kind"))
    for kind, names in found.items():
        for name, start in names.items():
            assertions.state(
                node,
                LX.hasSection,
                Literal(f"{kind} {name}"),
                assertions.span(start, start + len(kind) + 1 + len(name)),
            )
        row = sorted(names)
        letters = [chr(ord("A") + i) for i in range(len(row))]
        figures = sorted(str(i + 1) for i in range(len(row)))
        if len(row) >= FEWEST and row in (letters, figures):
            start = min(names.values())
            _list(assertions, node, f"{kind} ", start, "AB" if row == letters else "12")
    for match in _RE["sheet_reference"].finditer(text):
        of = _RE["of"].match(text, match.end())
        if match.start() in heads or (of and of["other"]):
            continue
        name = f"{match['kind'].capitalize()} {match['name']}"
        assertions.state(
            node, LX.refersToSection, Literal(name), assertions.span(match.start(), match.end())
        )


# --- terms --------------------------------------------------------------------------------------


def _state_terms(assertions: Assertions, text: str) -> None:
    """State what a document says that its terms mean."""
    for match in _MEANS.finditer(text):
        scope = _RE["scope"].search(text[max(0, match.start() - 140) : match.start()])
        own = scope is None or _RE["this_paper"].search(scope["what"] or "")
        if own and not _RE["for_a_time"].search(match["text"]):
            _state_definition(assertions, match)


def _state_definition(assertions: Assertions, match: re.Match[str]) -> None:
    words = " ".join(match["text"].split()).rstrip(" ,")
    if _RE["pointer"].match(words):
        return
    term = " ".join(match["term"].split())
    part = assertions.part(f"{term}@{match.start()}")
    span = assertions.span(match.start("term"), match.end("text"))
    assertions.labels.setdefault(part, f"“{term}”")
    assertions.state(part, RDF.type, LX.DefinedTerm, span)
    assertions.state(part, LX.termName, Literal(term), span)
    assertions.state(part, LX.definition, Literal(words), span)

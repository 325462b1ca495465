"""What others have read of a text in these terms, with what we know of courts and of lists.

Who reads "the attachments are three schedules" copies the words; which sheets a paper so has, and
at which level a court stands, is ours to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rdflib.namespace import XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.literals import spelled
from groundrules.legal.instances import known_court, level_of
from groundrules.legal.namespace import LX
from groundrules.legal.reporters import Citation, find_reporter, know_court, know_volume
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import Claim

__all__ = ["read_heard"]

_SHEETS_OF = r"(?:exhibit|schedule|annex|appendi|attachment)(?:s|es|x|ces)?"
_SHEET = r"(?P<kind>exhibit|schedule|annex|appendi|attachment)(?:s|es|x|ces)?"
_SECTION = r"(?:sections?|clauses?|articles?|§§?)"
_NAME = r"(?:[A-Z]|\d{1,2}|[IVX]{1,4})"
_NUMBER = r"\d{1,2}(?:\.\d{1,2}){0,3}"
_NEXT = r"(?:,\s|,?\s(?:and|to|through|or)\s|\s?[–-]\s?)"
_GIVEN = r"(?:,?\s(?i:numbered|lettered|marked|called|nos?\.?))?"
#: "Exhibits A, B and C", "Schedule 4"; "sections 1 to 7", "Clause 12.3".
_SHEETS = re.compile(
    rf"(?i:\b{_SHEET}){_GIVEN}\s"
    rf"(?P<names>{_NAME}(?:{_NEXT}(?i:{_SHEETS_OF}\s)?{_NAME}\b){{0,15}})\b"
)
_SECTIONS = re.compile(
    rf"(?i:\b{_SECTION}){_GIVEN}\s?"
    rf"(?P<names>{_NUMBER}(?:{_NEXT}(?i:{_SECTION}\s)?{_NUMBER}\b){{0,15}})"
)
_RUNS = re.compile(r"\s(?:to|through)\s|[–-]")
#: "three schedules", "no annex", "seven clauses", "ends with clause 7".
_ALONE = re.compile(rf"(?i)\b(?:{_SHEET}|(?P<section>{_SECTION}))\b")
_COUNTED = re.compile(
    r"(?i)\b(?=(?P<count>\d{1,2}|no|none|[a-z]{3,9}(?:-[a-z]{3,5})?)\s(?:\w{1,12}\s)?"
    rf"(?:{_SHEET}|(?P<section>{_SECTION}))\b)"
)
_UP_TO = re.compile(r"(?i)\b(?:last|final|ends?|stops?|up to|as far as|runs?)\b")
_KINDS = "Exhibit Schedule Annex Appendix Attachment"


def read_heard(assertions: Assertions) -> None:
    """State and note what follows from what others have read; nothing of our own reading."""
    told = [claim for claim in assertions.claims() if claim.read_by]
    _date_decisions(assertions, told)
    _know_levels(assertions, told)
    for claim in told:
        if claim.triple.predicate in {LX.heardBy, LX.citedCourt}:
            court = known_court(_label(assertions, claim.triple.object))
            if court is not None:
                know_court(assertions, claim.triple.object, court)
    _know_volumes(assertions, told)
    _list_parts(assertions, told)


def _know_volumes(assertions: Assertions, told: list[Claim]) -> None:
    """Note what is known of the reporters and volumes that are cited."""
    volumes = {
        c.triple.subject: str(c.triple.object) for c in told if c.triple.predicate == LX.volume
    }
    for claim in told:
        citation, reporter = claim.triple.subject, claim.triple.object
        volume = volumes.get(citation, "")
        if claim.triple.predicate != LX.inReporter or not re.fullmatch(r"\d{1,4}", volume):
            continue
        book = find_reporter(_label(assertions, reporter))
        if book is not None and isinstance(reporter, URIRef):
            place = Citation(0, 0, int(volume), book, "", None, None)
            know_volume(assertions, citation, reporter, place)


def _date_decisions(assertions: Assertions, told: list[Claim]) -> None:
    """State the years of decisions that are cited by them."""
    years = {c.triple.subject: c for c in told if c.triple.predicate == LX.citedYear}
    dated = {c.triple.subject for c in told if c.triple.predicate == LX.decisionDate}
    for claim in told:
        year = years.get(claim.triple.object)
        if claim.triple.predicate == LX.hasCitation and year and claim.triple.subject not in dated:
            assertions.state(
                claim.triple.subject,
                LX.decisionDate,
                year.triple.object,
                year.span,
                polarity=claim.polarity,
                modality=claim.modality,
            )


def _label(assertions: Assertions, node: Node) -> str:
    labels = {**assertions.extraction.labels, **assertions.labels}
    return re.sub(r"^(?:[Tt]he|[Tt]hat|[Tt]his)\s", "", labels.get(node, ""))


def _know_levels(assertions: Assertions, told: list[Claim]) -> None:
    """Note at which levels courts stand of which one reviews the other, in one hierarchy."""
    for claim in told:
        if claim.triple.predicate != LX.reviews:
            continue
        ends = claim.triple.subject, claim.triple.object
        levels = [level_of(_label(assertions, node)) for node in ends]
        systems = {system for system, level in levels if system}
        if not all(level for _, level in levels) or len(systems) > 1:
            continue
        for node, (_, level) in zip(ends, levels, strict=True):
            value = Literal(str(level), datatype=XSD.integer)
            assertions.know("levels of courts", node, LX.courtLevel, value)


def _list_parts(assertions: Assertions, told: list[Claim]) -> None:
    """State the parts that a paper is said to have all of, and which of them it refers to."""
    listing = {c.triple.subject for c in told if c.triple.predicate == LX.listsSections}
    for claim in told:
        predicate, subject = claim.triple.predicate, claim.triple.subject
        words = str(claim.triple.object)
        if subject not in listing:
            continue
        names: list[tuple[str, str]] = []
        if predicate == LX.listsSections:
            names = [*_named(words), *_counted(words)] or [*_kinds_in(words)]
            for prefix in dict.fromkeys(prefix for prefix, _ in names):
                assertions.labels.setdefault(Literal(prefix), f"{prefix}…" if prefix else "1, 2, …")
                _repeat(assertions, claim, LX.listsSections, prefix)
        elif predicate in {LX.hasSection, LX.refersToSection}:
            names = [*_named(words)] or [*_named(f"section {words}")]
        target = LX.refersToSection if predicate == LX.refersToSection else LX.hasSection
        for prefix, name in names:
            if name:
                _repeat(assertions, claim, target, f"{prefix}{name}")


def _repeat(assertions: Assertions, claim: Claim, predicate: URIRef, words: str) -> None:
    assertions.state(
        claim.triple.subject,
        predicate,
        Literal(words),
        claim.span,
        polarity=claim.polarity,
        modality=claim.modality,
    )


def _named(words: str) -> Iterator[tuple[str, str]]:
    """Yield the parts that words name, each as what stands before its name and that."""
    for found in _SHEETS.finditer(words):
        prefix = f"{_kind(found['kind'])} "
        names = re.findall(rf"\b{_NAME}\b", found["names"])
        yield from ((prefix, one) for one in _run(names, found["names"]))
    for found in _SECTIONS.finditer(words):
        names = re.findall(r"\d{1,2}(?:\.\d{1,2}){0,3}", found["names"])
        if _UP_TO.search(words) and len(names) == 1 and names[0].isdigit():
            names, found_names = ["1", names[0]], "1 to"
        else:
            found_names = found["names"]
        for one in _run(names, f" {found_names} "):
            above, dot, _ = one.rpartition(".")
            yield (f"{above}." if dot else "", one[len(above) + 1 :] if dot else one)


def _run(names: list[str], words: str) -> list[str]:
    """Return names, those between too where they are the ends of a run."""
    if len(names) == 2 and _RUNS.search(words):
        first, last = names
        if first.isdigit() and last.isdigit():
            return [str(n) for n in range(int(first), min(int(last), 99) + 1)]
        if len(first) == len(last) == 1 and first.isalpha() and last.isalpha():
            return [chr(n) for n in range(ord(first), ord(last) + 1)]
    return names


def _counted(words: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of which words say how many there are, by either way of naming so many."""
    for found in _COUNTED.finditer(words):
        word = found["count"].casefold()
        count = 0 if word in {"no", "none"} else _count(word)
        if count is None:
            continue
        if found["section"]:
            yield "", ""
            yield from (("", str(n)) for n in range(1, count + 1))
        else:
            prefix = f"{_kind(found['kind'])} "
            yield prefix, ""
            yield from ((prefix, chr(ord("A") + n)) for n in range(min(count, 26)))
            yield from ((prefix, str(n)) for n in range(1, count + 1))


def _kinds_in(words: str) -> Iterator[tuple[str, str]]:
    """Yield the kinds of parts that words speak of without naming one."""
    for found in _ALONE.finditer(words):
        yield ("" if found["section"] else f"{_kind(found['kind'])} "), ""


def _kind(word: str) -> str:
    return next(one for one in _KINDS.split() if one.casefold().startswith(word.casefold()[:6]))


def _count(word: str) -> int | None:
    if word.isdigit():
        return int(word)
    told = spelled(word.replace("-", " "))
    return int(told[0]) if told and told[1] == len(word) else None

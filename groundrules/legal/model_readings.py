"""What others have read of a text in these terms, with what we know of courts and of lists.

Who reads "the attachments are three schedules" copies the words; which sheets a paper so has, and
at which level a court stands, is ours to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rdflib.namespace import XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.claims.literals import spelled
from groundrules.claims.literals.roman import read_roman, write_roman
from groundrules.legal.instances import known_court, level_of
from groundrules.legal.namespace import LX
from groundrules.legal.reporters import Citation, find_reporter, know_court, know_volume
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import Claim, Modality, Triple

__all__ = ["read_heard"]

_SHEETS_OF = r"(?:exhibit|schedule|annex|appendi|attachment)(?:s|es|x|ces)?"
_SHEET = r"(?P<kind>exhibit|schedule|annex|appendi|attachment)(?:s|es|x|ces)?"
_SECTION = r"(?:sections?|clauses?|articles?|§§?)"
_NUMBER = r"\d{1,3}(?:\.\d{1,3}){0,3}[A-Z]?(?!\w|\.\d)"
_NAME = rf"(?:{_NUMBER}|(?:[IVX]{{1,6}}|[A-Z])(?!\w))"
_NEXT = r"(?:,\s(?:(?:and|to|through|or)\s)?|\s(?:and|to|through|or)\s|\s?[–-]\s?)"
_GIVEN = r"(?:,?\s(?i:numbered|lettered|marked|called|nos?\.?))?"
#: "Exhibits A, B and C", "Schedule 4"; "sections 1 to 7", "Clause 12.3".
_SHEETS = re.compile(
    rf"(?i:\b{_SHEET}){_GIVEN}\s"
    rf"(?P<names>{_NAME}(?:{_NEXT}(?i:{_SHEETS_OF}\s)?{_NAME}){{0,40}})"
)
_SECTIONS = re.compile(
    rf"(?i:\b{_SECTION}){_GIVEN}\s?"
    rf"(?P<names>{_NUMBER}(?:{_NEXT}(?i:{_SECTION}\s)?{_NUMBER}){{0,40}})"
)
_ONE = re.compile(rf"(?P<run>(?:\s(?:to|through)\s|[–-]\s?))?\b(?P<name>{_NAME})")
_BETWEEN = re.compile(rf"(?i:\b(?:{_SHEETS_OF}|{_SECTION})\s)")
#: What goes on where a list was left: another name, or more of the last.
_GOES_ON = re.compile(
    rf"\w|[.(/–-]\w|{_NEXT}(?i:(?:{_SHEETS_OF}|{_SECTION})\s)?(?:\d|\(?(?:[A-Z]|[IVX]{{1,6}})\b)"
)
#: A name behind the kind of a part, of a shape that is not read.
_OTHER_NAME = re.compile(
    r"[\s:“\"'‘(]{1,3}(?:\d|(?:[A-Z]|[IVX]{1,6}|[ivx]{1,6})\b|[a-z]\s?(?:to|through|,|–|-)\s?)"
)
#: An item of a section: "(a)".
_ITEM = re.compile(r"(?<=\w)\(\w{1,4}\)")
#: No run is longer, and no part has a greater Roman numeral: beyond, an L or C is a letter.
_LONGEST_RUN, _LAST_ROMAN = 500, 39
#: "three schedules", "no annex", "seven clauses", "ends with clause 7".
_ALONE = re.compile(rf"(?i)\b(?:{_SHEET}|(?P<section>{_SECTION}))\b")
_COUNTED = re.compile(
    r"(?i)\b(?=(?P<count>\d{1,3}|no|none|[a-z]{3,9}(?:-[a-z]{3,5})?)\s"
    rf"(?:(?!(?:and|or|to)\s)\w{{1,12}}\s)?(?:{_SHEET}|(?P<section>{_SECTION}))\b)"
)
#: A count goes on to the left: "one hundred and fifty".
_COUNT_BEFORE = re.compile(r"(?i)(?:(?:hundred|thousand|dozen)[\s-](?:and\s)?|\d[,.])\Z")
_UP_TO = re.compile(r"(?i)\b(?:last|final|ends?|stops?|up to|as far as|runs?)\b")
#: "one to twenty-five".
_WORDED_RUN = re.compile(
    r"\b([a-z]{3,9}(?:-[a-z]{3,5})?)\s(?:to|through)\s([a-z]{3,9}(?:-[a-z]{3,5})?)\b", re.I
)
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
    _keep_in_force(assertions, told)
    _list_parts(assertions, told)


def _keep_in_force(assertions: Assertions, told: list[Claim]) -> None:
    """State that what has a part in force is so itself."""
    whole = {c.triple.subject: c.triple.object for c in told if c.triple.predicate == LX.partOf}
    for claim in told:
        part, value = claim.triple.subject, claim.triple.object
        if claim.triple.predicate == LX.standing and str(value) == "in force" and part in whole:
            of = replace(claim, triple=Triple(whole[part], LX.standing, value))
            _repeat(assertions, of, LX.standing, str(value))


def _know_volumes(assertions: Assertions, told: list[Claim]) -> None:
    """Note what is known of the reporters and volumes that are cited."""
    plain = [claim for claim in told if _is_plain(claim)]
    volumes = {
        c.triple.subject: str(c.triple.object) for c in plain if c.triple.predicate == LX.volume
    }
    for claim in plain:
        citation, reporter = claim.triple.subject, claim.triple.object
        volume = volumes.get(citation, "")
        if claim.triple.predicate != LX.inReporter or not re.fullmatch(r"\d{1,4}", volume):
            continue
        book = find_reporter(_label(assertions, reporter))
        if book is not None and isinstance(reporter, URIRef):
            place = Citation(0, 0, int(volume), book, "", None, None, (0, 0))
            know_volume(assertions, citation, reporter, place)


def _date_decisions(assertions: Assertions, told: list[Claim]) -> None:
    """State the years of decisions that are cited by them."""
    plain = [claim for claim in told if _is_plain(claim)]
    years = {c.triple.subject: c for c in plain if c.triple.predicate == LX.citedYear}
    dated = {c.triple.subject for c in told if c.triple.predicate == LX.decisionDate}
    for claim in plain:
        year = years.get(claim.triple.object)
        if claim.triple.predicate == LX.hasCitation and year and claim.triple.subject not in dated:
            assertions.state(claim.triple.subject, LX.decisionDate, year.triple.object, year.span)


def _is_plain(claim: Claim) -> bool:
    """Return whether a claim is affirmed as a fact, by the text itself."""
    asserted = claim.polarity == "positive" and claim.modality is Modality.ASSERTED
    return asserted and not claim.attribution


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
    """State the parts that a paper is said to have all of, and which of them it refers to.

    Of a kind of which one list is not read to its end it is not said that all are there.
    """
    listing = {c.triple.subject for c in told if c.triple.predicate == LX.listsSections}
    unread = {
        (c.triple.subject, kind)
        for c in told
        if c.triple.predicate in {LX.listsSections, LX.hasSection}
        for kind in _unread(_ITEM.sub("", str(c.triple.object)))
    }
    whole = {(c.triple.subject, c.span) for c in told if c.triple.predicate == LX.listsSections}
    for claim in told:
        predicate, subject = claim.triple.predicate, claim.triple.subject
        words = _in_figures(str(claim.triple.object))
        if subject not in listing:
            continue
        names: list[tuple[str, str]] = []
        if predicate == LX.hasSection and not any(
            one == subject and span.start < claim.span.end and claim.span.start < span.end
            for one, span in whole
        ):
            # of what lists all its parts another is spoken of, and not had
            assertions.take_back(claim)
            predicate = LX.refersToSection
        if predicate == LX.listsSections:
            names = [*_named(words), *_counted(words)] or [*_kinds_in(words)]
            names = names or [*_named(f"section {words}")]
            for prefix in dict.fromkeys(prefix for prefix, _ in names):
                if (subject, prefix if prefix.endswith(" ") else "") in unread:
                    continue
                assertions.labels.setdefault(Literal(prefix), f"{prefix}…" if prefix else "1, 2, …")
                _repeat(assertions, claim, LX.listsSections, prefix)
        elif predicate in {LX.hasSection, LX.refersToSection}:
            names = [*_named(words)] or [*_named(f"section {words}")]
        target = LX.refersToSection if predicate == LX.refersToSection else LX.hasSection
        for prefix, name in names:
            if name:
                _repeat(assertions, claim, target, f"{prefix}{name}")


def _in_figures(words: str) -> str:
    """Return words with the ends of a run in figures: "one to five" is "1 to 5"."""

    def figures(run: re.Match[str]) -> str:
        ends = [_count(one.casefold()) for one in run.groups()]
        return run[0] if None in ends else f"{ends[0]} to {ends[1]}"

    return _WORDED_RUN.sub(figures, words)


def _repeat(assertions: Assertions, claim: Claim, predicate: URIRef, words: str) -> None:
    assertions.state(
        claim.triple.subject,
        predicate,
        Literal(words),
        claim.span,
        polarity=claim.polarity,
        modality=claim.modality,
        attribution=claim.attribution,
    )


def _named(words: str) -> Iterator[tuple[str, str]]:
    """Yield the parts that words name, each as what stands before its name and that."""
    for kind, names, _ in _lists(words):
        for one in names:
            above, dot, last = ("", "", one) if kind else one.rpartition(".")
            yield kind or above + dot, last


def _unread(words: str) -> Iterator[str]:
    """Yield the kinds of parts of which words name more than we read."""
    yield from (kind for kind, _, whole in _lists(words) if not whole)
    for found in _ALONE.finditer(words):
        read = (one.match(words, found.start()) for one in (_SHEETS, _SECTIONS))
        if not any(read) and _OTHER_NAME.match(words, found.end()):
            yield "" if found["section"] else f"{_kind(found['kind'])} "
    for found in _COUNTED.finditer(words):
        counted = _count(found["count"].casefold()) is not None
        if counted and _COUNT_BEFORE.search(words, 0, found.start()):
            yield "" if found["section"] else f"{_kind(found['kind'])} "


def _lists(words: str) -> Iterator[tuple[str, list[str], bool]]:
    """Yield the lists of names in words, each with its kind and whether it is read to its end.

    The kind is empty for sections.
    """
    for pattern in (_SHEETS, _SECTIONS):
        for found in pattern.finditer(words):
            kind = f"{_kind(found['kind'])} " if pattern is _SHEETS else ""
            names = [*_ONE.finditer(_BETWEEN.sub("", found["names"]))]
            whole = not _GOES_ON.match(words, found.end())
            listed = [names[0]["name"]]
            if whole and len(names) == 1 and _UP_TO.search(words):
                runs = [run for first in "1AI" if (run := _run(first, listed[0]))]
                # of what may be a letter or a number we cannot tell how many there are
                listed, whole = (runs[0], True) if len(runs) == 1 else (listed, "." in listed[0])
            for one in names[1:]:
                run = _run(listed[-1], one["name"]) if one["run"] else [one["name"]]
                listed += run[1:] if one["run"] and run else [one["name"]]
                whole = whole and bool(run)
            yield kind, listed, whole


def _run(first: str, last: str) -> list[str]:
    """Return the names from one to another, none where we cannot tell which lie between.

    "V to X" may be numbers or letters; nobody's letters begin with I.
    """
    ends = [re.fullmatch(r"((?:\d+\.)*)(\d+)", one) for one in (first, last)]
    if ends[0] and ends[1]:
        stem, numbers = ends[0][1], (int(ends[0][2]), int(ends[1][2]))
        if ends[1][1] != stem or not 0 <= numbers[1] - numbers[0] < _LONGEST_RUN:
            return []
        return [f"{stem}{n}" for n in range(numbers[0], numbers[1] + 1)]
    low, high = read_roman(first), read_roman(last)
    numerals = first == "I" or len(first) > 1 or len(last) > 1
    if low and high and numerals and low <= high <= _LAST_ROMAN:
        return [write_roman(n) for n in range(low, high + 1)]
    letters = len(first) == len(last) == 1 and first.isalpha() and last.isalpha()
    if not letters or first > last or first in "IVX":
        return []
    return [chr(n) for n in range(ord(first), ord(last) + 1)]


def _counted(words: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of which words say how many there are, by either way of naming so many."""
    for found in _COUNTED.finditer(words):
        if _COUNT_BEFORE.search(words, 0, found.start()):
            continue
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

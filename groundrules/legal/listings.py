"""Which parts a paper is said to have all of: sections and sheets, by name, by run or by count.

"Exhibits A, B and C", "clauses 1 to 9", "the three schedules", "ends with clause 7": the same words
mean the same, whether a pattern has found them in a text or somebody else has copied them from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rdflib.term import Literal, URIRef

from groundrules.claims.documents.document import plain
from groundrules.claims.values.roman import read_roman, write_roman
from groundrules.claims.values.value_reader import spelled
from groundrules.legal.lawphrases import phrases, rows
from groundrules.legal.namespace import LX
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import Claim

__all__ = ["list_told_parts", "parts_in", "read_listings"]

#: What stands before the names of a kind of parts; sections have their number alone.
_PREFIXES = ("Exhibit ", "Schedule ", "Annex ", "Appendix ", "Attachment ")
_RE = phrases("listings")
_SAID = rows("listings", "said")
#: No run is longer, and no part has a greater Roman numeral: beyond, an L or C is a letter.
_LONGEST_RUN, _LAST_ROMAN = 500, 39


def read_listings(assertions: Assertions) -> None:
    """State which sections and sheets a contract says it has; linear."""
    text, node = plain(assertions.extraction.document), assertions.part()
    for pattern, _ in _SAID:
        for found in pattern.finditer(text):
            span = assertions.span(*found.span())
            for prefix, names in (parts_in(found["words"]) or {}).items():
                shown = f"{prefix}{names[0]}, …" if names else f"no {prefix.strip()}"
                assertions.labels.setdefault(Literal(prefix), shown if prefix else "1, 2, …")
                assertions.state(node, LX.listsSections, Literal(prefix), span)
                for name in names:
                    assertions.state(node, LX.hasSection, Literal(f"{prefix}{name}"), span)
    for found in _RE["no_more"].finditer(text):
        prefix = found["above"] or ""
        assertions.labels.setdefault(Literal(prefix), f"{prefix}…" if prefix else "1, 2, …")
        span = assertions.span(*found.span())
        assertions.state(node, LX.listsSections, Literal(prefix), span)


def list_told_parts(assertions: Assertions, told: list[Claim]) -> None:
    """State of what somebody else has read which parts a paper has all of, and refers to.

    Of a kind of which one list is not read to its end it is not said that all are there.
    """
    whole = [(c.triple.subject, c.span) for c in told if c.triple.predicate == LX.listsSections]
    listing = {subject for subject, _ in whole}
    either = {LX.listsSections, LX.hasSection, LX.refersToSection}
    for claim in told:
        predicate, subject = claim.triple.predicate, claim.triple.subject
        if subject not in listing or predicate not in either:
            continue
        if predicate == LX.hasSection and not any(
            one == subject and span.start < claim.span.end and claim.span.start < span.end
            for one, span in whole
        ):
            # of what lists all its parts another is spoken of, and not had
            assertions.take_back(claim)
            predicate = LX.refersToSection
        words = str(claim.triple.object)
        found = parts_in(words)
        if found is None and predicate != LX.refersToSection:
            return  # what there is besides is not known
        target = LX.refersToSection if predicate == LX.refersToSection else LX.hasSection
        for prefix, names in (found or {}).items():
            if predicate == LX.listsSections:
                shown = f"{prefix}…" if prefix else "1, 2, …"
                assertions.labels.setdefault(Literal(prefix), shown)
                _repeat(assertions, claim, LX.listsSections, prefix)
            for name in names:
                _repeat(assertions, claim, target, f"{prefix}{name}")


def _repeat(assertions: Assertions, claim: Claim, predicate: URIRef, words: str) -> None:
    assertions.state(
        claim.triple.subject, predicate, Literal(words), claim.span, polarity=claim.polarity,
        modality=claim.modality, attribution=claim.attribution,
    )  # fmt: skip


def parts_in(words: str) -> dict[str, list[str]] | None:
    """Return the names of the parts that words list, by what stands before each.

    None where the words may name more than is read, nothing where they speak of no parts.
    """
    words = re.sub(r"(?<=\w)\(\w{1,4}\)", "", _RE["worded_run"].sub(_in_figures, words))
    if not _RE["alone"].search(words):
        words = f"section {words}"
    out: dict[str, list[str]] = {}
    left = words
    for pattern, names_of in ((_RE["list"], _listed), (_RE["counted"], _numbered)):
        for found in pattern.finditer(left):
            for prefix, name in names_of(found, words):
                if name is None:
                    return None
                out.setdefault(prefix, [])
                out[prefix] += [name] if name else []
        left = pattern.sub(lambda found: "\0" * len(found[0]), left)
    if _RE["more"].search(left) or re.search(r"\0[(./–-]\w|\w[.(/–-]?\0\w", left):
        return None
    if not out:
        out = {_prefix(found["kind"]): [] for found in _RE["alone"].finditer(left)}
    return out


def _in_figures(run: re.Match[str]) -> str:
    """Return a run of words in figures: "one to five" is "1 to 5"."""
    ends = [_count(one.casefold()) for one in run.groups()]
    return run[0] if None in ends else f"{ends[0]} to {ends[1]}"


def _listed(found: re.Match[str], words: str) -> Iterator[tuple[str, str | None]]:
    """Yield what stands before each name of a list, and the name; None for one that is not read."""
    prefix = _prefix(found["kind"])
    between = _RE["kinds"].sub("", found["names"])
    names: list[str] = []
    for one in _RE["one"].finditer(between):
        run = _run(names[-1], one["name"]) if one["run"] and names else [one["name"]]
        names += run[1:] if one["run"] and names else run
        if not run:
            yield prefix, None
    if len(names) == 1 and _RE["up_to"].search(words) and "." not in names[0]:
        runs = [run for first in "1AI" if (run := _run(first, names[0]))]
        # of what may be a letter or a number we cannot tell how many there are
        names = runs[0] if len(runs) == 1 else []
        if not names:
            yield prefix, None
    for name in names:
        above, dot, last = ("", "", name) if prefix else name.rpartition(".")
        yield prefix or above + dot, last


def _numbered(found: re.Match[str], _: str) -> Iterator[tuple[str, str | None]]:
    """Yield the parts of which words say how many there are, by either way of naming so many."""
    word, prefix = found["count"].casefold(), _prefix(found["kind"])
    count = 0 if word in {"no", "none"} else _count(word)
    if count is None:
        return
    yield prefix, ""
    yield from ((prefix, chr(ord("A") + n)) for n in range(min(count, 26)) if prefix)
    yield from ((prefix, str(n)) for n in range(1, count + 1))


def _run(first: str, last: str) -> list[str]:
    """Return the names from one to another, none where we cannot tell which lie between.

    "V to X" may be numbers or letters; nobody's letters begin with I.
    """
    ends = [re.fullmatch(r"((?:\d+\.)*)(\d+)", one) for one in (first, last)]
    if ends[0] and ends[1]:
        stem, low, high = ends[0][1], int(ends[0][2]), int(ends[1][2])
        near = ends[1][1] == stem and 0 <= high - low < _LONGEST_RUN
        return [f"{stem}{n}" for n in range(low, high + 1)] if near else []
    one, other = read_roman(first), read_roman(last)
    numerals = first == "I" or len(first) > 1 or len(last) > 1
    if one and other and numerals and one <= other <= _LAST_ROMAN:
        return [write_roman(n) for n in range(one, other + 1)]
    letters = len(first) == len(last) == 1 and first.isalpha() and last.isalpha()
    if not letters or first > last or first in "IVX":
        return []
    return [chr(n) for n in range(ord(first), ord(last) + 1)]


def _prefix(word: str) -> str:
    """Return what stands before the names of a kind of parts."""
    start = word.casefold()[:6]
    return next((one for one in _PREFIXES if one.casefold().strip().startswith(start)), "")


def _count(word: str) -> int | None:
    if word.isdigit():
        return int(word)
    told = spelled(word.replace("-", " "))
    return int(told[0]) if told and told[1] == len(word) else None

"""Amounts written twice, in words and in figures, and instalments beside their total."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from rdflib.namespace import RDF, XSD
from rdflib.term import Literal

from groundrules.claims.documents.document import plain
from groundrules.claims.values.value_reader import spelled
from groundrules.legal.lawphrases import phrases
from groundrules.legal.namespace import LX
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import Span

_RE = phrases("sums")
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_PARTS_OF = {"hal": 2, "thi": 3, "qua": 4, "fou": 4, "fif": 5, "six": 6, "sev": 7, "eig": 8,
             "nin": 9, "ten": 10}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Sum:
    """A sum of money in the text: its value, its currency and its place."""

    value: Decimal
    code: str
    start: int
    end: int


def read_amounts(assertions: Assertions) -> None:
    """State what stands in words and in figures, and what instalments come to; linear.

    Sums of money are `lx:amountInWords` and `lx:amountInFigures`, other numbers `lx:countInWords`
    and `lx:countInFigures`; what instalments add up to is `lx:sumOfInstalments` of their total.
    """
    text = plain(assertions.extraction.document)
    for pattern in (_RE["words_first"], _RE["figures_first"]):
        for match in pattern.finditer(text):
            _state_twice(assertions, text, match)
    _state_instalments(assertions, text)
    _state_parts(assertions, text)
    _state_shares(assertions, text)


def _state_twice(assertions: Assertions, text: str, match: re.Match[str]) -> None:
    told = _number_named(match["words"])
    if told is None or _RE["named"].search(text, max(0, match.start() - 20), match.start()):
        return
    groups = match.groupdict()
    figures = Decimal(match["figures"].replace(",", ""))
    figures *= _SCALES.get((groups.get("scale") or "").strip().lower(), 1)
    words = Decimal(told)
    if (groups.get("parts") or "no").isdigit():
        words += Decimal(groups["parts"]) / 100
    if groups.get("cents"):
        words += Decimal(_number_named(groups["cents"]) or 0) / 100
    mark, unit = groups.get("mark") or "", (groups.get("unit") or "").strip()
    money = bool(mark) or bool(unit and not re.match(r"per\s?cent", unit, re.I))
    if money and not unit and told < 100:
        return  # a label, not a sum: "Option One ($500)"
    place = text[match.start() : match.end()]
    node = assertions.part(f"amount@{match.start()}")
    assertions.labels.setdefault(node, f"“{' '.join(place.split())}”")
    span = assertions.span(match.start(), match.end())
    if money:
        assertions.state(node, RDF.type, LX.MonetaryAmount, span)
        in_words, in_figures = LX.amountInWords, LX.amountInFigures
    else:
        in_words, in_figures = LX.countInWords, LX.countInFigures
    where = assertions.span(*match.span("words")), assertions.span(*match.span("figures"))
    assertions.state(node, in_words, _literal(words), span, parts=(None, None, where[0]))
    assertions.state(node, in_figures, _literal(figures), span, parts=(None, None, where[1]))


def _number_named(words: str) -> int | None:
    """Return the number that all of the words say, None where they say two or none."""
    clean = re.sub(r"[-‐-–]", " ", words)
    told = spelled(clean)
    return told[0] if told and told[1] == len(clean.rstrip()) else None


def _literal(value: Decimal) -> Literal:
    shown = format(value.normalize(), "f")
    return Literal(shown, datatype=XSD.decimal if "." in shown else XSD.integer)


# --- instalments --------------------------------------------------------------------------------


def _state_instalments(assertions: Assertions, text: str) -> None:
    sums = list(_sums(assertions))
    starts = [s.start for s in sums]
    for match in _RE["instalments"].finditer(text):
        index = bisect.bisect_left(starts, match.end())
        if index == len(sums) or sums[index].start > match.end():
            continue
        each = sums[index]
        total = None
        if index + 1 < len(sums) and _RE["total_after"].search(
            text[each.end : min(sums[index + 1].start, each.end + 100)]
        ):
            total = sums[index + 1]
        elif index and _RE["total_before"].search(text[sums[index - 1].end : match.start()]):
            total = sums[index - 1]
        count = _counted(match)
        if total is None or total.code != each.code or not count:
            continue
        begin, end = min(match.start(), total.start), max(each.end, total.end)
        if _RE["more"].search(text, max(text.rfind(".", 0, begin), begin - 200), end + 40):
            continue
        node = assertions.part(f"total@{total.start}")
        span = assertions.span(begin, end)
        assertions.labels.setdefault(node, f"“{text[total.start : total.end]}”")
        assertions.state(node, RDF.type, LX.MonetaryAmount, span)
        assertions.state(node, LX.amountValue, _literal(total.value), span)
        assertions.state(node, LX.sumOfInstalments, _literal(count * each.value), span)


def _counted(match: re.Match[str]) -> int:
    """Return how many instalments there are of one sum, 0 where that is not clear."""
    words = match["count"]
    return int(words) if words.isdigit() else _number_named(words) or 0


def _sums(assertions: Assertions) -> Iterator[_Sum]:
    """Yield the sums of money of the text, in order."""
    for mention in assertions.extraction.mentions:
        if mention.kind == "MONEY" and isinstance(mention.node, Literal):
            found = re.fullmatch(r"(-?[\d.]{1,40}) ([A-Z]{3})", str(mention.node))
            if found:
                span = mention.span
                yield _Sum(Decimal(found[1]), found[2], span.start, span.end)


# --- parts and shares ---------------------------------------------------------------------------


def _state_parts(assertions: Assertions, text: str) -> None:
    """State what the parts of a total come to that a sentence lists to its end.

    The total may be what it takes up of the sentence before: "It shall be paid as follows".
    """
    sums = list(_sums(assertions))
    starts = [one.start for one in sums]
    before: list[_Sum] = []
    for sentence in assertions.extraction.sentences:
        inside = own = sums[
            bisect.bisect_left(starts, sentence.start) : bisect.bisect_left(starts, sentence.end)
        ]
        if len(before) == 1 and _RE["it_is_paid"].match(text, sentence.start):
            inside = [*before, *own]
        before = own
        if len(inside) < 3 or len({one.code for one in inside}) > 1:
            continue
        total, *parts = inside
        several = _RE["instalments"].finditer(text, sentence.start, sentence.end)
        times = {one.end(): max(1, _counted(one)) for one in several}
        come = sum((one.value * times.get(one.start, 1) for one in parts), Decimal(0))
        over = come > total.value and _RE["of_which"].search(text, total.end, parts[0].start)
        listed = _RE["parts"].search(text, total.end, parts[0].start)
        words = _RE["of_which"].sub(" ", text[sentence.start : sentence.end])
        if not (listed or over) or _RE["more_than"].search(
            words if over else words + _of(text, sentence)
        ):
            continue
        if any(_RE["joined"].search(text, a.end, b.start) is None for a, b in pairwise(parts)):
            continue
        span = assertions.span(total.start, parts[-1].end)
        node = assertions.part(f"total@{total.start}")
        assertions.labels.setdefault(node, f"“{text[total.start : total.end]}”")
        assertions.state(node, RDF.type, LX.MonetaryAmount, span)
        assertions.state(node, LX.amountValue, _literal(total.value), span)
        assertions.state(node, LX.sumOfInstalments, _literal(come), span)


def _of(text: str, sentence: Span) -> str:
    found = _RE["of_which"].search(text, sentence.start, sentence.end)
    return f" {found[0]}" if found else ""


def _state_shares(assertions: Assertions, text: str) -> None:
    """State what shares of one whole come to, where a sentence divides it and they exceed it."""
    percents = [
        m
        for m in assertions.extraction.mentions
        if m.kind == "PERCENT" and isinstance(m.node, Literal)
    ]
    starts = [m.span.start for m in percents]
    opened = 0
    for sentence in assertions.extraction.sentences:
        # what ends in a colon is one with what follows
        start = opened if text[opened : sentence.start].rstrip().endswith(":") else sentence.start
        opened = sentence.start
        words = text[start : sentence.end]
        if not (_RE["whole"].search(words) and _RE["shared"].search(words)) or _RE[
            "several"
        ].search(words):
            continue
        own = percents[bisect.bisect_left(starts, start) : bisect.bisect_left(starts, sentence.end)]
        shares = [Decimal(found[0]) for m in own if (found := _RE["number"].search(m.text))]
        fractions = list(_RE["fraction"].finditer(words)) if not own else []
        for found in fractions:
            part = _number_named(found["n"]) if found["n"] and found["n"].lower() != "a" else 1
            shares.append(Decimal(100 * (part or 1)) / _PARTS_OF[found["d"][:3].lower()])
        places = [(m.span.start, m.span.end) for m in own] or [
            (start + f.start(), start + f.end()) for f in fractions
        ]
        shares = [one for one in shares if one != 100]  # all of something is no part of it
        total = round(sum(shares, Decimal(0)), 1)
        if len(shares) < 2 or max(shares) > 100 or total <= 100:
            continue
        span = assertions.span(places[0][0], places[-1][1])
        node = assertions.part(f"shares@{span.start}")
        assertions.labels.setdefault(node, "the whole")
        assertions.state(node, LX.sumOfShares, _literal(total), span)

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

from groundrules.claims.document import plain
from groundrules.claims.literals import spelled
from groundrules.legal.namespace import LX
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import Span

_WORD = (
    r"(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety|hundred|thousand|million|billion)"
)
_RUN = rf"{_WORD}(?:(?:\s?[-‐-–]\s?|,?\s{{1,4}}(?:and\s{{1,4}})?){_WORD}\b){{0,20}}"
_CURRENCIES = r"(?:dollars?|euros?|pounds?(?:\s{1,4}sterling)?|francs?|yen|rupees?)"
_FIGURES = r"\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,4})?|\d{1,12}(?:\.\d{1,4})?"
_WORDS_FIRST = re.compile(
    rf"\b(?P<words>{_RUN})(?!\w)(?:\s{{1,4}}and\s{{1,4}}(?P<parts>\d\d|no)/(?:100|one\shundred)(?:ths)?)?"
    rf"(?P<unit>\s{{1,4}}(?:(?:U\.?\s?S\.?|United\sStates|Canadian|Australian)\s{{1,4}})?{_CURRENCIES}"
    rf"(?:\s{{1,4}}and\s{{1,4}}(?P<cents>{_RUN})\s{{1,4}}cents)?|\s{{1,4}}per\s?cent)?\s{{0,4}}"
    rf"[(\[]\s?(?P<mark>(?:USD?\s?|U\.S\.\s?|C|CAD\s?)?[$£€¥]|USD|EUR|GBP)?\s?(?P<figures>{_FIGURES})"
    r"(?P<scale>\s?(?:thousand|million|billion))?\s?(?P<percent>%)?(?:\s[a-z]{1,9})?\s?[)\]]",
    re.I,
)
_FIGURES_FIRST = re.compile(
    rf"(?<![\d.,$£€¥(])(?P<mark>[$£€¥])?(?P<figures>{_FIGURES})\s\(\s?(?P<words>{_RUN})"
    rf"(?P<unit>\s{{1,4}}{_CURRENCIES})?\s?\)",
    re.I,
)
#: "Phase One (30 days)": the word is a name, the figure something else.
_NAMED = re.compile(
    r"\b(?:phase|year|tier|level|part|class|type|option|stage|category|lot|unit|tranche|milestone"
    r"|section|article|exhibit|schedule|annex|appendix|volume|chapter|step|group|zone|number|no\.?"
    r"|half|quarter|point|(?:hundred|ten|four|fif|thousand)ths?(?:\sof)?|thirds?(?:\sof)?|\d)[\s-]{1,4}$",
    re.I,
)
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_INSTALMENTS = re.compile(
    rf"\b(?P<count>{_WORD}(?:[- ]{_WORD})?|\d{{1,3}})(?:\s\(\d{{1,3}}\))?\s{{1,4}}"
    r"(?:(?:equal|consecutive|successive|separate|monthly|quarterly|annual|semi-?annual|weekly|yearly),?\s{1,4}){0,4}"
    r"(?:instal?lments?|payments?|parts?|halves|thirds|portions?|tranches|sums|cheques?|checks)\s{1,4}(?:each\s{1,4})?(?:of|in\s{1,4}the\s{1,4}amount\s{1,4}of)\s{1,4}",
    re.I,
)
_TOTAL_AFTER = re.compile(
    r"^[^.;]{0,60}?\b(?:total(?:l?ing)?|aggregat(?:e|ing))(?:\s(?:amount|price|sum|payment|consideration))?(?:\sof)?\s$",
    re.I,
)
_PAID = r"(?:payable|paid|due|discharged|repayable|repaid|settled)(?:\sby\s[^.;,]{1,40}?)?\sin\s$"
_TOTAL_BEFORE = re.compile(
    rf"^(?:\s(?:a|per|each)\s(?:year|annum))?,?\s(?:(?:to\sbe|shall\sbe|is|which\sis|are|is\sto\sbe|will\sbe)\s)?{_PAID}"
    r"|^(?:\s(?:a|per|each)\s(?:year|annum))?(?:[,.;]\s(?:and\s)?|\sand\s)(?:it|this|which|that|the\s(?:rent|price|fee|sum"
    r"|amount|total|salary|loan|debt|charge|premium|whole))?\s?(?:is|are|shall\sbe|will\sbe|must\sbe|to\sbe)?\s?"
    rf"{_PAID}"
    r"|^(?:\sin\sfull,?\s(?:by|in)|,\s(?:by|in)|\sin)\s$",
    re.I,
)
#: Between a total and its parts, which follow to the end of the sentence.
_PARTS = re.compile(
    r":\s|\bas\sfollows\b|\bnamely\b|\b(?:consist|compris|compos|mad|divid|split|broken)\w*\s(?:up\s)?(?:of|into|in|down)\b"
    r"|\bbeing\sthe\ssum\sof\b|\b(?:instal?lments?|parts?|tranches|portions)\sof\s$",
    re.I,
)
#: A whole that has shares, and what is done with them.
_WHOLE = re.compile(
    r"\b(?:shares?|capital|interests?|stock|profits?|proceeds|estate|ownership|equity|costs?|votes?"
    r"|property|residue|fund|losses|royalt(?:y|ies)|consideration|units)\b",
    re.I,
)
_SHARED = re.compile(
    r"\b(?:held|hold|holds|own(?:s|ed)?|divided|shared?|split|borne?|bear|belongs?|allocated|distributed"
    r"|apportioned|contributed?|participates?|receives?|entitled|takes?|goes|gets?|inherits?|falls?|left|bequeathed)\b",
    re.I,
)
#: Where shares may be of several wholes.
_SEVERAL = re.compile(
    r"\b(?:respectively|each\sof|more|less|least|most|up\sto|over|under|increase\w*|reduc\w+|or|then"
    r"|whichever|of\s(?:which|that|whom|these|those)|voting|class)\b",
    re.I,
)
_FRACTION = re.compile(
    r"\b(?:(?P<n>one|two|three|four|five|six|seven|a)[-\s])?(?P<d>hal(?:f|ves)|thirds?|quarters?|fourths?"
    r"|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)\b(?!\s(?:party|parties|year|person|instance))",
    re.I,
)
_PARTS_OF = {"hal": 2, "thi": 3, "qua": 4, "fou": 4, "fif": 5, "six": 6, "sev": 7, "eig": 8,
             "nin": 9, "ten": 10}  # fmt: skip
#: Where the instalments are not all that is paid.
_MORE = re.compile(
    r"\b(?:down\s?payment|deposit|balance|remain\w+|(?<!without\s)(?<!no\s)interest(?!-free)|plus|final|initial|balloon|first|last"
    r"|less|addition\w*)\b",
    re.I,
)


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
    for pattern in (_WORDS_FIRST, _FIGURES_FIRST):
        for match in pattern.finditer(text):
            _state_twice(assertions, text, match)
    _state_instalments(assertions, text)
    _state_parts(assertions, text)
    _state_shares(assertions, text)


def _state_twice(assertions: Assertions, text: str, match: re.Match[str]) -> None:
    told = _number_named(match["words"])
    if told is None or _NAMED.search(text, max(0, match.start() - 20), match.start()):
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
    for match in _INSTALMENTS.finditer(text):
        index = bisect.bisect_left(starts, match.end())
        if index == len(sums) or sums[index].start > match.end():
            continue
        each = sums[index]
        total = None
        if index + 1 < len(sums) and _TOTAL_AFTER.search(
            text[each.end : min(sums[index + 1].start, each.end + 100)]
        ):
            total = sums[index + 1]
        elif index and _TOTAL_BEFORE.search(text[sums[index - 1].end : match.start()]):
            total = sums[index - 1]
        count = _counted(match)
        if total is None or total.code != each.code or not count:
            continue
        begin, end = min(match.start(), total.start), max(each.end, total.end)
        if _MORE.search(text, max(text.rfind(".", 0, begin), begin - 200), end + 40):
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
        if len(before) == 1 and _IT_IS_PAID.match(text, sentence.start):
            inside = [*before, *own]
        before = own
        if len(inside) < 3 or len({one.code for one in inside}) > 1:
            continue
        total, *parts = inside
        several = _INSTALMENTS.finditer(text, sentence.start, sentence.end)
        times = {one.end(): max(1, _counted(one)) for one in several}
        come = sum((one.value * times.get(one.start, 1) for one in parts), Decimal(0))
        over = come > total.value and _OF_WHICH.search(text, total.end, parts[0].start)
        listed = _PARTS.search(text, total.end, parts[0].start)
        words = _OF_WHICH.sub(" ", text[sentence.start : sentence.end])
        if not (listed or over) or _MORE_THAN.search(
            words if over else words + _of(text, sentence)
        ):
            continue
        if any(_JOINED.search(text, a.end, b.start) is None for a, b in pairwise(parts)):
            continue
        span = assertions.span(total.start, parts[-1].end)
        node = assertions.part(f"total@{total.start}")
        assertions.labels.setdefault(node, f"“{text[total.start : total.end]}”")
        assertions.state(node, RDF.type, LX.MonetaryAmount, span)
        assertions.state(node, LX.amountValue, _literal(total.value), span)
        assertions.state(node, LX.sumOfInstalments, _literal(come), span)


_IT_IS_PAID = re.compile(
    r"(?:It|This|That|The\s(?:same|price|fee|sum|amount|total|consideration))\s(?:is|are|was|shall|will|must)\b"
    r"[^.;$€£]{0,60}\bas\sfollows\b"
)
#: "of which": a part is no more than the whole, and all of them need not be told.
_OF_WHICH = re.compile(r"\bof\swhich\b", re.I)


def _of(text: str, sentence: Span) -> str:
    found = _OF_WHICH.search(text, sentence.start, sentence.end)
    return f" {found[0]}" if found else ""


#: What parts of a total are joined by, and what makes them more or less than it.
_JOINED = re.compile(r"[,;]|\band\b")
_MORE_THAN = re.compile(
    r"\b(?:plus|interest|tax\w*|VAT|discount|less|minus|deposit\w*|of\swhich|up\sto|at\sleast|more|or"
    r"|estimated|approximately|about|per|each|every|a\s(?:month|year|week|day))\b",
    re.I,
)


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
        if not (_WHOLE.search(words) and _SHARED.search(words)) or _SEVERAL.search(words):
            continue
        own = percents[bisect.bisect_left(starts, start) : bisect.bisect_left(starts, sentence.end)]
        shares = [Decimal(found[0]) for m in own if (found := _NUMBER.search(m.text))]
        fractions = list(_FRACTION.finditer(words)) if not own else []
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


_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,4})?")

"""Amounts written twice, in words and in figures, and instalments beside their total."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from rdflib.namespace import RDF, XSD
from rdflib.term import Literal

from groundrules.claims.document import plain
from groundrules.claims.literals import spelled
from groundrules.legal.namespace import LX
from groundrules.ontology.read.assertions import Assertions

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
    r"(?:(?:equal|consecutive|successive|monthly|quarterly|annual|semi-?annual|weekly|yearly),?\s{1,4}){0,4}"
    r"(?:instal?lments?|payments?)\s{1,4}(?:each\s{1,4})?(?:of|in\s{1,4}the\s{1,4}amount\s{1,4}of)\s{1,4}",
    re.I,
)
_TOTAL_AFTER = re.compile(
    r"^[^.;]{0,60}?\b(?:total(?:l?ing)?|aggregat(?:e|ing))(?:\s(?:amount|price|sum|payment|consideration))?(?:\sof)?\s$",
    re.I,
)
_TOTAL_BEFORE = re.compile(
    r"^,?\s(?:(?:to\sbe|shall\sbe|is|which\sis)\s)?(?:payable|paid)\sin\s$", re.I
)
#: Where the instalments are not all that is paid.
_MORE = re.compile(
    r"\b(?:down\s?payment|deposit|balance|remain\w+|interest|plus|final|initial|balloon|first|last"
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
        count = int(match["count"]) if match["count"].isdigit() else _number_named(match["count"])
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


def _sums(assertions: Assertions) -> Iterator[_Sum]:
    """Yield the sums of money of the text, in order."""
    for mention in assertions.extraction.mentions:
        if mention.kind == "MONEY" and isinstance(mention.node, Literal):
            found = re.fullmatch(r"(-?[\d.]{1,40}) ([A-Z]{3})", str(mention.node))
            if found:
                span = mention.span
                yield _Sum(Decimal(found[1]), found[2], span.start, span.end)

"""Sums that a sentence works out itself: a rate by the year, a price for so many, a share, a total.

Of each kind is what is said to be equal: "$2,000 a month, or $26,000 a year", "ten at €200 each for
€2,500", "5 per cent of €400,000, namely €25,000", "$30,000 for this and $20,000 for that, $60,000
in all". What is said to be about, more or less is left alone.
"""

from __future__ import annotations

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
from groundrules.terms import Mention, Span

__all__ = ["read_reckonings"]

_LONGEST = 500
#: What stands for a sum, a percentage and a number in a sentence that is read.
_SUM, _SHARE, _COUNT = "\ue001", "\ue002", "\ue003"
_EACH_YEAR = {"year": 1, "annum": 1, "month": 12, "quarter": 4, "half-year": 2}
_ADVERBS = {"annual": "year", "yearly": "year", "monthly": "month", "quarterly": "quarter"}
_UNIT = r"(?:year|annum|month|quarter|half-year)"
_PER = (
    rf"(?:\s(?:a|an|per|each|every|by\sthe)\s(?P<{{0}}>{_UNIT})"
    rf"|\s(?P<{{1}}>annually|yearly|monthly|quarterly))"
)
_ADVERB = r"(?:annual|yearly|monthly|quarterly)"
#: Between two that are said to be equal.
_EQUAL = (
    r"(?:,?\s\(?(?:or|that\sis(?:\sto\ssay)?|i\.e\.|being|namely|viz\.?|which\s(?:is|makes|comes\sto|amounts\sto|equals)"
    r"|and\sthus|thus|so|hence|equal\sto|equivalent\sto|in\sother\swords)[,:]?\s"
    r"|\s(?:makes?|equals?|comes?\sto|amounts?\sto|adds?\sup\sto|totals?|is|are|gives?|means?|works\sout\sat|costs?|cost)\s"
    r"|\s(?:=|\()\s?)"
)
_ALL = (
    r"(?:together|in\sall|altogether|in\stotal|all\stold|a\stotal\sof|"
    r"for\sa\stotal\sof|totall?ing|in\sthe\saggregate|making(?:\sa\stotal\sof)?|in\ssum)"
)
_LOOSE = re.compile(
    r"\b(?:about|approximately|some|roughly|nearly|around|almost|up\sto|at\sleast|at\smost|more\sthan|less\sthan|over(?=\s\ue001)"
    r"|plus|less|minus|tax\w*|VAT\s(?:is|not)|discount\w*|free|except|estimated|then|thereafter|rising|increas\w+|reduc\w+"
    r"|first|second|third|initial|remaining|balance|minimum|maximum|compound\w*)\b",
    re.I,
)
_WORDS = r"(?:[a-z’'-]{1,20}\s){0,5}?"
_RATES = (
    re.compile(
        rf"{_SUM}{_PER.format('first', 'firstly')}{_EQUAL}{_WORDS}{_SUM}"
        rf"(?:{_PER.format('last', 'lastly')})?"
    ),
    re.compile(
        rf"\b(?P<adverb>{_ADVERB})\s(?:[a-z]{{2,15}}\s){{1,3}}?(?:is|of|was|shall\sbe|will\sbe|comes\sto|amounts\sto)\s{_SUM}"
        rf"{_EQUAL}{_WORDS}{_SUM}{_PER.format('last', 'lastly')}"
    ),
)  # fmt: skip
_INSTALLED = re.compile(
    rf"(?:\b(?P<adverb>{_ADVERB})\s(?:[a-z]{{2,15}}\s){{1,3}}?(?:is|of|was|shall\sbe|will\sbe)\s)?{_SUM}"
    rf"(?:{_PER.format('first', 'firstly')})?"
    rf",?\s(?:is\s|are\s|shall\sbe\s|to\sbe\s|which\sis\s|and\sis\s)?"
    rf"(?:payable|paid|due|collected|billed|invoiced)\s(?:in\s|by\s)?(?:[a-z]{{2,10}}\s){{0,2}}?(?:equal\s)?"
    rf"(?P<paid>{_ADVERB})\s(?:[a-z]{{2,12}}\s){{1,2}}of\s{_SUM}"
)  # fmt: skip
_OVER_YEARS = re.compile(
    rf"{_SUM}[^.;]{{0,60}}?\bover\s(?:a\s(?:period|term)\sof\s)?(?:{_COUNT}|(?P<word>[a-z]{{3,7}}))\syears?\b[^.;]{{0,20}}?"
    rf"\b(?P<paid>{_ADVERB})\s(?:instal?lments|payments)\sof\s{_SUM}"
)
_PRICED = re.compile(
    rf"(?:{_COUNT}|\b(?P<word>[A-Za-z]{{3,9}}))\s{_WORDS}(?:[a-z’'-]{{2,20}}\s)at\s{_SUM}\s(?:each|apiece|a\spiece|(?:per|a|an)\s[a-z]{{2,12}})"
    rf"[^.;]{{0,40}}?(?:{_EQUAL}|\s{_ALL}\s)(?:{_ALL}\s)?{_WORDS}{_SUM}"
)
_PARTS_OF = re.compile(
    rf"{_SHARE}\s(?:a\syear\s|per\sannum\s|per\syear\s)?(?:of|on)\s(?:the\s|a\s|an\s|its\s|his\s|her\s)?(?:[a-z’'-]{{1,20}}\s){{0,4}}?{_SUM}"
    rf"{_EQUAL}{_WORDS}{_SUM}"
)
#: Behind the parts their total: ", $60,000 in all", ", together $60,000".
_TOTALLED = re.compile(rf",\s(?:and\s)?{_ALL}\s{_SUM}|,\s{_SUM}\s{_ALL}")
_NEXT = re.compile(r",|\sand\b")
_SHARED_OUT = re.compile(
    rf"\b(?:[Oo]f\s)?[Tt]he\s(?:{_COUNT})\s(?P<what>[a-z]{{3,12}}s)\b(?P<rest>[^;]{{5,300}})", re.S
)


_EACH_SHARE = re.compile(
    rf"\b[Ee]ach\sof\s(?:the|its|these|our)\s(?:{_COUNT}|(?P<word>[a-z]{{3,7}}))\s[^.;]{{3,60}}?{_SHARE}\sof\s(?:the|its)\s"
    r"(?:firm|company|shares?|capital|profits?|business|equity|stock|estate|property|partnership|vessel|fund|votes?)\b"
)


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence with one character for each value, and the values by their place in it."""

    text: str
    values: dict[int, tuple[Decimal, str]]
    spans: dict[int, Span]


def read_reckonings(assertions: Assertions) -> None:
    """State what is said to come to a sum, and what it comes to; linear."""
    text = plain(assertions.extraction.document)
    for sentence in assertions.extraction.sentences:
        if sentence.end - sentence.start <= _LONGEST:
            line = _line(assertions, text, sentence)
            if line.text.count(_SUM) > 1 and not _LOOSE.search(line.text):
                for total, come_to, places in _reckoned(line):
                    _state(assertions, line, total, come_to, places)
            _state_shared_out(assertions, line)
            _state_each(assertions, line)


def _line(assertions: Assertions, text: str, sentence: Span) -> _Line:
    out: list[str] = []
    at, length = sentence.start, 0
    values: dict[int, tuple[Decimal, str]] = {}
    spans: dict[int, Span] = {}
    for mention in _values(assertions.extraction.mentions, sentence):
        found = re.match(r"-?[\d.]{1,40}", str(mention.node))
        if mention.span.start < at or found is None:
            continue
        before = re.sub(r"\s", " ", text[at : mention.span.start])
        mark = {"MONEY": _SUM, "PERCENT": _SHARE}.get(mention.kind, _COUNT)
        out += [before, mark]
        length += len(before)
        try:
            number = Decimal(found[0].rstrip("."))
        except ArithmeticError:
            continue
        values[length] = number, str(mention.node).rpartition(" ")[2]
        spans[length] = mention.span
        length += 1
        at = mention.span.end
    out.append(re.sub(r"\s", " ", text[at : sentence.end]))
    return _Line("".join(out), values, spans)


def _values(mentions: tuple[Mention, ...], sentence: Span) -> Iterator[Mention]:
    for mention in sorted(mentions, key=lambda m: (m.span.start, -m.span.end)):
        inside = sentence.start <= mention.span.start and mention.span.end <= sentence.end
        valued = mention.kind in {"MONEY", "PERCENT", "NUMBER"}
        if inside and valued and isinstance(mention.node, Literal):
            yield mention


def _reckoned(line: _Line) -> Iterator[tuple[Decimal, Decimal, tuple[int, int]]]:
    """Yield totals with what they come to, and where the first and the last value stand."""
    for pattern in _RATES:
        for found in pattern.finditer(line.text):
            first, last = _sums_in(line, found)[:2]
            named = found.groupdict()
            one = _per_year(named.get("first") or named.get("firstly") or named.get("adverb"))
            other = _per_year(named.get("last") or named.get("lastly"))
            other = other or (1 if one and one > 1 else None)
            if one and other and one != other:
                yield _of(line, last) * other, _of(line, first) * one, (first, last)
    for found in _INSTALLED.finditer(line.text):
        first, last = _sums_in(line, found)[:2]
        named = found.groupdict()
        one = _per_year(named.get("first") or named.get("firstly") or named.get("adverb"))
        other = _per_year(named["paid"])
        if one and other and one != other:
            yield _of(line, first) * one, _of(line, last) * other, (first, last)
    for found in _OVER_YEARS.finditer(line.text):
        first, last = _sums_in(line, found)[:2]
        years = _counted(line, found)
        times = _per_year(found["paid"])
        if years and times:
            yield _of(line, first), _of(line, last) * years * times, (first, last)
    for found in _PRICED.finditer(line.text):
        first, last = _sums_in(line, found)[:2]
        count = _counted(line, found)
        if count:
            yield _of(line, last), _of(line, first) * count, (first, last)
    for found in _PARTS_OF.finditer(line.text):
        first, last = _sums_in(line, found)[:2]
        share = _of(line, found.start())
        yield _of(line, last), _of(line, first) * share / 100, (first, last)
    for found in _TOTALLED.finditer(line.text):
        last = _sums_in(line, found)[0]
        parts = [at for at in range(found.start()) if line.text[at] == _SUM]
        joined = all(_NEXT.search(line.text, a, b) for a, b in pairwise(parts))
        if len(parts) > 1 and joined:
            come = sum((_of(line, place) for place in parts), Decimal(0))
            yield _of(line, last), come, (parts[0], last)


def _sums_in(line: _Line, found: re.Match[str]) -> list[int]:
    return [at for at in range(*found.span()) if line.text[at] == _SUM]


def _of(line: _Line, place: int) -> Decimal:
    return line.values[place][0] if place in line.values else Decimal(0)


def _counted(line: _Line, found: re.Match[str]) -> int | None:
    """Return the number that a match begins with, in figures or words."""
    at = line.text.find(_COUNT, found.start(), found.end())
    word = found.groupdict().get("word")
    if word:
        told = spelled(word.casefold())
        return told[0] if told and told[1] == len(word) else None
    if at in line.values and line.values[at][0] == int(line.values[at][0]):
        return int(line.values[at][0])
    return None


def _per_year(word: str | None) -> int | None:
    if word is None:
        return None
    bare = word.removesuffix("ly").casefold()
    return _EACH_YEAR.get(word) or _EACH_YEAR.get(_ADVERBS.get(word, "")) or {
        "annual": 1, "year": 1, "month": 12, "quarter": 4,
    }.get(bare)  # fmt: skip


def _state(
    assertions: Assertions, line: _Line, total: Decimal, come_to: Decimal, places: tuple[int, int]
) -> None:
    first, last = places
    if not {first, last} <= {*line.spans}:
        return
    codes = {line.values[at][1] for at in (first, last)}
    if len(codes) > 1 or not total or not come_to:
        return
    span = assertions.span(line.spans[first].start, line.spans[last].end)
    node = assertions.part(f"reckoned@{span.start}")
    words = assertions.extraction.document.text[line.spans[last].start : line.spans[last].end]
    assertions.labels.setdefault(node, f"“{words}”")
    assertions.state(node, RDF.type, LX.MonetaryAmount, span)
    assertions.state(node, LX.amountValue, _number(total), span)
    assertions.state(node, LX.sumOfInstalments, _number(come_to), span)


def _state_shared_out(assertions: Assertions, line: _Line) -> None:
    """State as shares of the whole what so many are divided into, where they are too many."""
    for found in _SHARED_OUT.finditer(line.text):
        places = [at for at in range(*found.span("rest")) if line.text[at] == _COUNT]
        whole = _of(line, line.text.find(_COUNT, found.start()))
        parts = [_of(line, at) for at in places]
        words = found["rest"]
        divided = re.search(
            r"\b(?:belongs?|held|hold|holds|owns?|divided|goes?|went|allotted|issued|to)\b", words
        )
        if len(parts) < 2 or not whole or not divided or max(parts) > whole:
            continue
        if _LOOSE.search(line.text) or re.search(r"[$%€£]|\bof\swhich\b|\bor\b", words):
            continue
        if any(at not in line.spans for at in places):
            continue
        total = round(sum(parts, Decimal(0)) * 100 / whole, 1)
        if total > 100:
            span = assertions.span(line.spans[places[0]].start, line.spans[places[-1]].end)
            node = assertions.part(f"shares@{span.start}")
            assertions.labels.setdefault(node, f"the {found['what']}")
            assertions.state(node, LX.sumOfShares, _number(total), span)


def _state_each(assertions: Assertions, line: _Line) -> None:
    """State what equal shares of so many come to: "each of the four owns 30 per cent"."""
    for found in _EACH_SHARE.finditer(line.text):
        count = _counted(line, found)
        place = line.text.find(_SHARE, found.start(), found.end())
        if count and place in line.spans and count * _of(line, place) > 100:
            span = line.spans[place]
            node = assertions.part(f"shares@{span.start}")
            assertions.labels.setdefault(node, "the whole")
            assertions.state(node, LX.sumOfShares, _number(count * _of(line, place)), span)


def _number(value: Decimal) -> Literal:
    shown = format(round(value, 4).normalize(), "f")
    return Literal(shown, datatype=XSD.decimal if "." in shown else XSD.integer)

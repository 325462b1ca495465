"""Numbers of sections: "section 4.2(b)", "Annex B", "§§ 3 and 4"."""

from __future__ import annotations

import re

from groundrules.claims.english import table
from groundrules.claims.values.lexical import GAP, Value, typed
from groundrules.claims.values.roman import read_roman
from groundrules.terms import GR

_HEADING = (
    r"(?:(?ai:(?P<word>sections?|sec\.|articles?|art\.|clauses?|paragraphs?|para\.|exhibits?"
    r"|schedules?|annex(?:es)?|appendix|chapters?)(?![a-z]))|(?P<sign>§{1,2}))"
)
_NUMERAL = (
    r"(?:[0-9]{1,4}[A-Z]?(?:[.-][0-9]{1,4}){0,5}(?![0-9])(?:\s?\([0-9A-Za-z]{1,4}\)){0,5}"
    r"|[IVXLC]{1,7}(?![A-Za-z])(?:[.-][0-9]{1,4}){0,3}(?:\([0-9A-Za-z]{1,4}\)){0,5}"
    r"|[A-Z](?:-?[0-9]{1,3})?(?![A-Za-z0-9']))"
)
_NUMERALS = re.compile(rf"(?<![A-Za-z0-9.(]){_NUMERAL}")
_SECTION = re.compile(
    rf"{_HEADING}{GAP}?(?P<first>{_NUMERAL})(?P<more>(?:(?:,{GAP}(?:and{GAP}|or{GAP})?|{GAP}(?:and|or|through){GAP}){_NUMERAL}){{0,10}})"
)
_LETTERED = ("exhibit", "schedule", "annex", "appendix")
_WORDS = table("words")


def read_section(text: str, start: int) -> Value | None:
    """Read the numbers of sections after what they are called."""
    match = _SECTION.match(text, start)
    if match is None:
        return None
    shown = match["word"] or "Section"
    word = _WORDS.get(shown.lower()) or shown.lower().rstrip("s")
    if word in _LETTERED and not shown[0].isupper():
        return None  # "schedule 5 meetings"
    numbers = [_numeral(match["first"], word, shown)]
    end = match.end("first")
    if match["more"] and (shown.lower() != word or match["sign"] == "§§"):
        more = [_numeral(n[0], word, shown) for n in _NUMERALS.finditer(match["more"])]
        if None not in more:
            numbers, end = numbers + more, match.end()
    if None in numbers:
        return None
    lexical = "; ".join(f"{word} {number}" for number in numbers)
    return Value(start, end, "SECTION", typed(lexical, GR.section))


def _numeral(shown: str, word: str, heading: str) -> str | None:
    """Return a section number without spaces, its Roman numeral in figures."""
    shown = "".join(shown.split())
    head = re.match(r"[A-Z]+", shown)
    if head is None:
        return shown
    if word in _LETTERED and len(head[0]) == 1:
        return shown
    number = read_roman(head[0]) if heading[0].isupper() else None
    return None if number is None else f"{number}{shown[head.end() :]}"

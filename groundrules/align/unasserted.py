"""What of a text is no statement that is read: titles, lead-ins, parts of what is too long."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from groundrules.align.normal_words import tables
from groundrules.claims.facts.offline import Extraction
from groundrules.claims.units.blocks import LONGEST
from groundrules.terms import Span

#: Words of a line without a full stop that can be a heading.
_HEADING = 14
#: The number of a heading: "## 3.2 ", "Section 12", "(4)", and the word before it.
_NUMBERED = re.compile(
    r"^\s*(?:#+\s*)?(?:(?P<part>[^\W\d]+) |§+ ?|(?<=#)|(?<=# )|(?=\S{0,9}[.):]))"
    r"\(?\d{1,3}(?:\.\d{1,3})*\b[.):]*(?=\s+[^\W\d_a-z]|\s*$)"
)
_LIST_MARK = ("-", "*", "•", "–", "|")
#: What follows a line that stands alone.
_ALONE = re.compile(r"[ \t*_]*+\n|\s*+\Z")
#: What ends a sentence, or a clause that is read by itself.
ENDS = ".?!:;\"'”’)]}*–—…"


def too_long(span: Span, cut: Sequence[tuple[int, int]]) -> str:
    """Return that a sentence has a word too long to be read, empty where it has none."""
    at = bisect_left(cut, (span.start, 0))
    if at == len(cut) or cut[at][0] >= span.end:
        return ""
    start, end = cut[at]
    return f"a word of {end - start:,} characters"


def is_cut(body: str, sentences: Sequence[Span], number: int) -> str:
    """Return that a sentence is a part of one that is too long to be parsed, empty if it is none.

    A parser is given no more than `LONGEST` characters, which end within a line then.
    """
    for before, after in ((number - 1, number), (number, number + 1)):
        if before < 0 or after >= len(sentences):
            continue
        end, start = sentences[before].end, sentences[after].start
        whole = body[sentences[before].start : sentences[after].end]
        if (
            len(whole) > LONGEST
            and body[end - 1 : end] not in ENDS
            and not re.search(r"[^ \t]", body[end:start])
        ):
            return f"a part of a sentence of more than {LONGEST:,} characters"
    return ""


def is_heading(body: str, span: Span, sentence: str, sources: Sequence[Extraction]) -> bool:
    """Return whether a line without a claim is a title or a lead-in, which asserts nothing.

    A word and a number are one where they count the parts of a text, "Section 5", or a source has
    them: "Plant 9" may say how much.
    """
    if not _ALONE.match(body, span.end):
        return False
    line = body[body.rfind("\n", 0, span.start) + 1 : span.start] + sentence
    stripped = line.strip().strip("*_")
    if stripped.startswith(_LIST_MARK):
        return False
    if re.search(r"\d", _NUMBERED.sub("", stripped)):  # "Leave: 25 days" states something
        return False
    part = (numbered := _NUMBERED.match(stripped)) and numbered["part"]
    if part and part.lower() not in tables()["numbered"]:
        said = f" {' '.join(stripped.strip('# ').split())} "
        if not any(said in f" {' '.join(one.document.text.split())} " for one in sources):
            return False
    if stripped.startswith("#") or stripped.endswith(":"):
        return True
    return not stripped.endswith(tuple(ENDS)) and len(stripped.split()) <= _HEADING

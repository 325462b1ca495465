"""Blocks: a document cut into passages short enough to parse, with their places kept.

The parser sees clean words (no line breaks, no Penn Treebank escapes, no broken code points);
`Block.offsets` says where each of them stands in the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from groundrules.claims.documents.tongues import is_ordinal
from groundrules.claims.english.signals import NUMBERED
from groundrules.claims.names.names import begins_company
from groundrules.claims.units.tables import is_row, is_rule

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

#: Longest passage handed to the parser, in code points; a longer one is cut at a sentence end.
LONGEST = 2000
#: Longest word the parser sees; the rest of a longer one is noise to it.
LONGEST_WORD = 60
_PARAGRAPH = re.compile(
    # atomic: \r\n is one break, never a \r and a \n
    r"(?>\r\n|[\n\r\x0b\x0c\x85\u2028\u2029])[^\S\n\r]{0,400}(?:(?:\r\n|[\n\r])\s*)+|\x0c"
)
_LINE = re.compile(r"\r\n|[\n\r\x0b\x85\u2028\u2029]")
#: The end of a sentence in tokenised text: a stop that stands alone.
_LONE_STOP = re.compile(r"(?<=\s)[.?!](?:\s+(?:''|\"|”|'|-RRB-|\)))*(?=\s+\S)")
_STOP = re.compile(r"[.?!;][\"”')\]]*\s+(?=[A-Z\"“(\[])")
_ITEM = re.compile(
    r"\s*(?:\(?(?:[a-zA-Z]|[ivxIVX]{1,5}|\d{1,3})[.)]|\d+(?:\.\d+)+\.?|[-*•·–—]|Section|SECTION|ARTICLE|Article|#)\s"
)
#: A line that its mark makes a heading.
_HEADING = re.compile(r"#{1,6}\s")
#: Insertions that only confuse a parser: `(the "Landlord")`, and the figure in `sixty (60) days`.
_INSERTION = re.compile(
    r"\((?:[^()\"“”]{0,60}[“\"][^()\"“”]{1,60}[”\"][^()]{0,60}|"
    r"(?<=[a-z]\s\()\d{1,4})\)|(?<=[a-z] )\(\d{1,4}\)(?= [a-z])"
)
_NEVER_LAST = re.compile(
    r"[A-Z]\.|(?:Mr|Mrs|Ms|Dr|Prof|Messrs|Hon|Gov|Sen|Rep|Gen|Col|Lt|St|No|Nos|vs?|cf|Nr|Abs|bzw|Hd|e\.g|i\.e)\."
)
_LABELLED = re.compile(rf"\b(?i:{'|'.join(sorted(NUMBERED))}) [A-Z] ?\.$")
#: What ends the word before a letter that is a unit, and no initial.
_NUMBER = frozenset("0123456789°")
_ESCAPES = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}",
    "``": '"', "''": '"',
}  # fmt: skip
_ESCAPE = re.compile(r"-[LRlr][RSCrsc][Bb]-|``|''")


@dataclass(frozen=True, slots=True)
class Block:
    """A parsed passage; `offsets[i]` is the half-open code-point range of word i."""

    doc: Doc
    offsets: tuple[tuple[int, int], ...]


def blank_insertions(text: str) -> str:
    """Return a text as long with blanks for what is put in and only confuses a parser."""
    return _INSERTION.sub(lambda m: " " * len(m.group()) if m.start() else m.group(), text)


def cut(text: str) -> Iterator[tuple[int, int]]:
    """Yield the half-open ranges of the passages of a text, in order; white space is left out."""
    begin = 0
    for gap in _PARAGRAPH.finditer(text):
        yield from _lines(text, begin, gap.start())
        begin = gap.end()
    yield from _lines(text, begin, len(text))


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut a paragraph at line breaks that end a sentence, a heading or a list item."""
    begin, line = start, start
    while line < end:
        found = _LINE.search(text, line, end)
        if not found:
            break
        before, after = text[line : found.start()].strip(), found.end()
        if _breaks(before, text[after:end].split("\n", 1)[0]):
            yield from _sentences(text, begin, found.start())
            begin = after
        line = after
    yield from _sentences(text, begin, end)


def _breaks(line: str, following: str) -> bool:
    if not line or line[-1] in ".?!:;" or _HEADING.match(line) or _ITEM.match(following):
        return True
    if is_row(line) or is_row(following):
        return True
    short = len(line.split()) < 9
    return short and (line.isupper() or line.istitle()) and following[:1].isupper()


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut at the lone stops of tokenised text, then to length."""
    begin = start
    if is_rule(text[start:end]):
        return
    for stop in _LONE_STOP.finditer(text, start, end):
        yield from _pieces(text, begin, stop.end())
        begin = stop.end()
    yield from _pieces(text, begin, end)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST:
        window = text[start : start + LONGEST]
        stop = 0
        for found in _STOP.finditer(window, LONGEST // 2):
            stop = found.end()
        stop = stop or window.rfind(" ", LONGEST // 2) + 1 or LONGEST
        yield from _trimmed(text, start, start + stop)
        start += stop
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _clean(part: str) -> str:
    """Return the passage as the tokeniser may see it: same length, no broken code points."""
    part = _LINE.sub(lambda m: " " * len(m.group()), part)
    if part.isascii():
        return part
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in part)


#: Parts of contractions, which the parser knows by what they stand for: "n't" by "not".
_PARTS = frozenset("n't n’t ca wo sha 'll ’ll 'd ’d 've ’ve".split())


def tokenised(
    nlp: Language, text: str, start: int, end: int
) -> tuple[Any, tuple[tuple[int, int], ...]]:
    """Return the unparsed Doc of one passage and the places of its words in the text."""
    from spacy.tokens import Doc

    part = _clean(text[start:end])
    part = blank_insertions(part)
    words: list[str] = []
    spaces: list[bool] = []
    offsets: list[tuple[int, int]] = []
    norms: dict[int, str] = {}
    held = 0
    for escape in [*_ESCAPE.finditer(part), None]:
        stop = escape.start() if escape else len(part)
        if held < stop:
            for token in nlp.tokenizer(part[held:stop]):
                place = start + held + token.idx
                if token.text.isspace():
                    if spaces:
                        spaces[-1] = True
                    continue
                if token.text in _PARTS:
                    norms[len(words)] = token.norm_
                words.append(token.text[:LONGEST_WORD])
                spaces.append(bool(token.whitespace_))
                offsets.append((place, place + len(token.text)))
        if escape:
            words.append(_ESCAPES.get(escape.group(), escape.group()))
            spaces.append(part[escape.end() : escape.end() + 1].isspace())
            offsets.append((start + escape.start(), start + escape.end()))
            held = escape.end()
    row = is_row(text[start:end])
    starts = [False] * len(words) if row else _sentence_starts(words, text, offsets)
    doc = Doc(nlp.vocab, words=words, spaces=spaces, sent_starts=starts)
    for place, norm in norms.items():
        doc[place].norm_ = norm
    return doc, tuple(offsets)


def _sentence_starts(
    words: list[str], text: str, offsets: list[tuple[int, int]]
) -> list[bool | None]:
    """Where a sentence cannot begin (False), must (True) and where the parser decides (None).

    No sentence begins in the middle of a line without a stop before it, nor after an initial or
    an abbreviation that a name or number must follow, nor between a day and its month in German.
    """
    out: list[bool | None] = [None] * len(words)
    for i in range(1, len(words)):
        before = words[i - 1]
        gap = text[offsets[i - 1][1] : offsets[i][0]]
        if before[-1:] not in ".?!:;\"'”’)]}*–—…" or not gap:
            out[i] = None if _LINE.search(gap) else False
        elif (
            abbreviates(before, words[i - 2] if i > 1 else "")
            or (before == "." and abbreviates(words[i - 2] + ".", words[i - 3] if i > 2 else ""))
            or (words[i][:1].islower() and before not in {".", "?", "!", ":", ";"})
            or _is_ordinal(words[max(0, i - 3) : i + 1])
        ):
            out[i] = False
        elif begins_company(words, i) or (
            _LABELLED.search(" ".join(words[max(0, i - 3) : i])) and words[i][:1].isupper()
        ):
            out[i] = True
    return out


def _is_ordinal(words: list[str]) -> bool:
    """Return whether the last of some words follows the number of a day, as in German."""
    stops = 2 if words[-2] == "." else 1
    head = ["", "", *words[:-1]]
    number = head[-2] if stops == 2 else words[-2].removesuffix(".")
    return is_ordinal(head[-1 - stops], number, words[-1])


def abbreviates(word: str, before: str) -> bool:
    """Return whether a word with its stop ends no sentence: "J.", "Mr.", not "28 °C.", "hall B"."""
    if len(word) == 2 and (before[-1:] in _NUMBER or before.casefold() in NUMBERED):
        return False
    return bool(_NEVER_LAST.fullmatch(word))


def parse(
    nlp: Language, text: str, places: Iterable[tuple[int, int]] | None = None
) -> Iterator[Block]:
    """Yield the parsed blocks of a text, in order; the cost is linear in its length.

    `places` are the ranges to be parsed, each by itself, so that it is read alike whatever is
    beside it; by default all that the text is cut into, many at once.
    """

    def pairs() -> Iterator[tuple[Any, tuple[tuple[int, int], ...]]]:
        for start, end in cut(text) if places is None else places:
            doc, offsets = tokenised(nlp, text, start, end)
            if offsets:
                yield doc, offsets

    size = 64 if places is None else 1
    for doc, offsets in nlp.pipe(pairs(), as_tuples=True, batch_size=size):
        yield Block(doc, offsets)

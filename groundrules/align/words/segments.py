"""Segments: what of a text is read by itself, with the words it is said under."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from groundrules.align.words.lists import ITEM, PICKED, Frame, Parse, frame_of, is_clause

_ITEM = re.compile(r"(?:[-*•–·†‡]|\(?\d{1,3}[.)]|\(?[a-z]\)|\([ivx]+\))[ \t]+")
#: The number of a section before its first word.
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.?[ \t]+(?=[A-Z(“\"])")
_MARK = re.compile(r"(?<=\S)(?<![*†‡])[*†‡]{1,3}(?=[\s.,;:)]|$)")
_ANNOUNCING = re.compile(r"\b(?:below|(?:the|these) following|as follows)\b")
_ONLY = re.compile(r"(?i)\bonly (?!if\b|when\b)")
_SENTENCE = re.compile(r"(?<=[.!?])[ \t]+(?=[A-Z])")
_FIGURE = re.compile(r"(?P<sign>[€£$¥])?\d[\d.,]*(?:\s?(?P<unit>%|[^\W\d]+))?")


@dataclass(frozen=True, slots=True)
class Segment:
    """A line of a text as it is read: an item of a list stands behind what leads it in.

    `start` and `end` are its range in code points; `runs` says which parts of `text` stand where in
    the text it is from: where each begins in either, and how long it is; without any all of it
    does. Of what fills a slot in `denied` the opposite is said. `before` is the sentence that a
    note explains.
    """

    start: int
    end: int
    text: str
    runs: tuple[tuple[int, int, int], ...] = ()
    denied: tuple[int, int] | None = None
    before: str = ""

    def place(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where in the text a range of the segment stands, None for words that lead in."""
        for at, place, length in self.runs or ((0, self.start, len(self.text)),):
            if at <= start < at + length:
                return place + start - at, place + min(end - at, length)
        return None


@dataclass(frozen=True, slots=True)
class _Line:
    """A line: its words behind the bullet, where they begin, how far it is indented, its bullet."""

    start: int
    end: int
    words: str
    at: int
    indent: int
    bullet: str


def segments(text: str, parse: Parse) -> Iterator[Segment]:
    """Yield the lines of a text, but for those of tables; leads of lists are parsed."""
    lead: _Line | None = None
    block: list[_Line] = []
    bearing: dict[str, str] = {}
    for line in _lines(text):
        note = bool(line.bullet) and line.bullet in bearing and lead is None and not block
        if line.bullet and not note:
            block.append(line)
            continue
        yield from _listed(lead, block, parse)
        lead, block = None, []
        if note:
            yield _noted(line, bearing[line.bullet], parse)
            continue
        opens = line.words.endswith(":")
        if opens or _ANNOUNCING.search(line.words):
            lead = line
        bearing |= {m[0]: _sentence_at(line.words, m.start()) for m in _MARK.finditer(line.words)}
        if not opens:
            yield _plain(line)
    yield from _listed(lead, block, parse)


def _lines(text: str) -> Iterator[_Line]:
    for line in re.finditer(r"[^\n]+", text):
        words = line[0].strip()
        if not words or words.startswith("|"):
            continue
        indent = len(line[0]) - len(line[0].lstrip())
        item = _ITEM.match(words)
        number = item or _SECTION.match(words)
        begin = number.end() if number else 0
        bullet = item[0].strip() if item else ""
        at = line.start() + indent + begin
        yield _Line(line.start(), line.end(), words[begin:], at, indent, bullet)


def _plain(line: _Line) -> Segment:
    """Return a line without the marks that point to its notes."""
    words, runs, at = "", [], 0
    for mark in (*_MARK.finditer(line.words), None):
        end = len(line.words) if mark is None else mark.start()
        runs.append((len(words), line.at + at, end - at))
        words += line.words[at:end]
        at = end if mark is None else mark.end()
    return Segment(line.start, line.end, words, tuple(run for run in runs if run[2]))


# --- notes --------------------------------------------------------------------------------------


def _sentence_at(words: str, at: int) -> str:
    """Return the sentence of a line in which a mark stands, without marks."""
    ends = [m.end() for m in re.finditer(r"[.!?][*†‡]*(?=\s|$)", words)]
    start = max((end for end in ends if end <= at), default=0)
    end = min((end for end in ends if end > at), default=len(words))
    return _MARK.sub("", words[start:end]).strip()


def _noted(line: _Line, sentence: str, parse: Parse) -> Segment:
    """Return a note as it is read behind the sentence that has its mark.

    A value stands for that of its unit in the sentence, a phrase with a preposition at the end.
    """
    note = line.words.rstrip(".")
    figure = _FIGURE.match(note)
    unit = (figure["unit"] or figure["sign"]) if figure else ""
    for one in _FIGURE.finditer(sentence) if unit else ():
        if unit in {one["unit"], one["sign"]}:
            before, after = sentence[: one.start()], sentence[one.end() :]
            return _around(line, before, note, after)
    if not is_clause(doc := parse(line.words)) and doc[0].pos_ in {"ADP", "SCONJ"}:
        return _around(line, f"{sentence.rstrip('.')} ", _lowered(note), ".")
    return replace(_plain(line), before=sentence)


def _around(line: _Line, before: str, said: str, after: str) -> Segment:
    run = (len(before), line.at, len(said))
    return Segment(line.start, line.end, f"{before}{said}{after}", (run,))


def _lowered(words: str) -> str:
    first = words.split(" ", 1)[0]
    plain = first.istitle() and len(first) > 1
    return words[0].lower() + words[1:] if plain else words


# --- lists --------------------------------------------------------------------------------------


def _listed(lead: _Line | None, block: Sequence[_Line], parse: Parse) -> Iterator[Segment]:
    """Yield the items of a list behind its lead; a lead may have sentences before it."""
    if lead is None or not block:
        words = ""
    else:
        words = _SENTENCE.split(lead.words.rstrip(":."))[-1].strip()
    frame = frame_of(words, parse) if words else Frame(ITEM)
    if block:
        yield from _items(frame, block, parse)


def _items(frame: Frame | None, block: Sequence[_Line], parse: Parse) -> Iterator[Segment]:
    groups: list[tuple[_Line, list[_Line]]] = []
    for line in block:
        if groups and line.indent > block[0].indent:
            groups[-1][1].append(line)
        else:
            groups.append((line, []))
    items = [_cleaned(line.words) for line, _ in groups]
    if frame is not None and len(items) > 1 and not frame.joint:  # of several, none is the only one
        frame = replace(frame, text=_ONLY.sub("", frame.text))
    if frame is not None and any(re.search(r"\bor[;,]?$", line.words) for line, _ in groups):
        frame = replace(frame, alternative=True)
    for number, (line, deeper) in enumerate(groups):
        if frame is None:
            continue
        if deeper and line.words.endswith(":"):
            inner = frame.text.replace(ITEM, line.words[:-1])
            yield from _items(frame_of(inner, parse), deeper, parse)
            continue
        yield from _item(frame, line, number, items, parse)
        if deeper:
            yield from _items(Frame(ITEM), deeper, parse)


def _cleaned(words: str) -> str:
    """Return an item without what joins it to the next one."""
    return re.sub(r"[;,]?(?:\s(?:and|or))?$", "", words.rstrip(";,. "))


def _item(
    frame: Frame, line: _Line, number: int, items: Sequence[str], parse: Parse
) -> Iterator[Segment]:
    """Yield an item in its frame, then the further sentences of it."""
    first, *more = _SENTENCE.split(line.words, maxsplit=1)
    said = _cleaned(first)
    marked = _MARK.search(said)
    said = said if marked is None else said[: marked.start()]
    either = frame.alternative
    made = None
    if frame.joint and not either:
        joined = " and ".join(items)
        at = sum(len(one) + len(" and ") for one in items[:number])
        before, after = frame.text.split(ITEM)
        run = (len(before) + at, line.at, len(items[number]))
        made = Segment(line.start, line.end, f"{before}{joined}{after}.", (run,))
    elif said and not (either and not frame.free):
        made = _framed(frame, line, said, number, len(items), marked[0] if marked else "", parse)
    if made is not None:
        yield made
    for rest in more:
        at = line.at + len(line.words) - len(rest)
        yield Segment(line.start, line.end, rest, ((0, at, len(rest)),))


def _framed(
    frame: Frame, line: _Line, said: str, number: int, count: int, mark: str, parse: Parse
) -> Segment | None:
    text = frame.text
    clause = text != ITEM and is_clause(parse(said))
    if clause and not frame.clausal:
        if not frame.applies:
            return None
        text = ITEM
    shown = _lowered(said) if clause and text.startswith(("To ", "If ")) else said
    denied = None
    if PICKED in text:
        picked = frame.picks(number, count, mark)
        if not picked and not frame.only:
            text = re.split(r",? (?:but|and)\b|;", text[: text.index(PICKED)])[0]
        text = text.replace(ITEM, shown)
        at = text.find(PICKED)
        text = text.replace(PICKED, shown)
        denied = None if picked or at < 0 else (at, at + len(shown))
        runs = tuple((m.start(), line.at, len(shown)) for m in re.finditer(re.escape(shown), text))
    else:
        before, after = text.split(ITEM)
        runs = ((len(before), line.at, len(shown)),)
        text = f"{before}{shown}{after}"
    end = "" if text.endswith((".", "!", "?")) else line.words[-1:] if (
        line.words.endswith(("!", "?")) and text.endswith(shown)) else "."  # fmt: skip
    alone = frame.text == ITEM and not line.words.endswith((".", "!", "?", ";", ","))
    return Segment(line.start, line.end, text if alone else f"{text}{end}", runs, denied)

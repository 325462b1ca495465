"""Markup: what of a text is shown to a reader, and where each of its characters stands in it.

Two layers are taken off a text: the markup of Markdown, then the ways in which print spells what is
read, such as a word divided at the end of a line. A cut is a range of the text and what is shown in
its place; the cost of each is linear in the length of the text.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from groundrules.claims.english import LISTS, words

#: A half-open range of a text and what is shown in its place.
Cut = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Places:
    """Where the characters of what is shown stand in the text that it was made of.

    Run i begins at `starts[i]` of what is shown and is `ranges[i]` of the text: as many characters
    in the order of the text, or, where it was spelt otherwise, all of them for all of it.
    """

    starts: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...]
    same: tuple[bool, ...]

    def of(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the text that a range of what is shown was made of."""
        if end <= start:
            place = self._range(start)[0]
            return place, place
        return self._range(start)[0], self._range(end - 1)[1]

    def _range(self, place: int) -> tuple[int, int]:
        run = bisect_right(self.starts, place) - 1
        first, last = self.ranges[run]
        if not self.same[run]:
            return first, last
        at = min(first + place - self.starts[run], last)
        return at, min(at + 1, last)


def take_out(text: str, cuts: Iterable[Cut]) -> tuple[str, Places]:
    """Return a text with its cuts made, of two that overlap the first, and where all of it was."""
    parts: list[str] = []
    starts, ranges, same = [], [], []
    at = length = 0

    def say(said: str, start: int, end: int, *, alike: bool) -> None:
        nonlocal length
        if said:
            parts.append(said)
            starts.append(length)
            ranges.append((start, end))
            same.append(alike)
            length += len(said)

    for start, end, said in sorted(cuts):
        if start < at:
            continue
        say(text[at:start], at, start, alike=True)
        say(said, start, end, alike=False)
        at = end
    # what lies behind the end belongs to the last run
    parts.append(text[at:])
    starts.append(length)
    ranges.append((at, len(text)))
    same.append(True)
    return "".join(parts), Places(tuple(starts), tuple(ranges), tuple(same))


# --- spelling ---------------------------------------------------------------------------------

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# one look tells most texts from those with a cut
_SPELT = re.compile(
    r"[\u00ad\u201a\u20e3⁄\u2600-\u27bf\U0001f300-\U0001f9ff]|/[₀-₉]|[-‐][ \t]{0,99}[\r\n]|\d\{"
    r"|\\[$%]|\d['’ʼ]\d|[^\S\r\n]{41}"
)
_DIVIDED = re.compile(r"(?<=[a-z])[-‐\u00ad][ \t]{0,99}(?:\r\n|\n|\r)[ \t]{0,99}(?=[a-z])")
_BEFORE, _AFTER = re.compile(r"[A-Za-z]{1,40}\Z"), re.compile(r"[a-z]{1,40}")
_SUSPENDED = frozenset({"and", "or", "to", "nor"})  # "pre- and post-war"
_GROUPED = re.compile(r"(?<![\w'’ʼ.,])\d{1,3}(?:['’ʼ]\d{3})+(?![\w'’ʼ])")
_KEYCAPS = re.compile(
    r"(?:[0-9]\ufe0f?\u20e3[.,]?){2,}|(?<=[\d$€£.,])[0-9]\ufe0f?\u20e3"
    r"|[0-9]\ufe0f?\u20e3(?=[.,]?\d|%)"
)
_OPENS = r"(?:^|(?<=^[-*+] )|(?<=[.!?] ))"
_PICTURES = rf"[{LISTS['pictures']}][{LISTS['pictures']}\ufe0f\u200d]*+"
_SPELLINGS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile("\u00ad+"), ""),
    # a picture that opens a line or a sentence, or ends a line behind it, and says nothing
    (re.compile(rf"(?m){_OPENS}{_PICTURES}[ \t]+(?=[*_\"“]{{0,3}}[A-Z])"), ""),
    (re.compile(rf"(?m)(?<=[.!?])[ \t]*{_PICTURES}[ \t]*$"), ""),
    (re.compile(r"(?<=\d)\{(?=[.,]\}\d)|(?<=\d\{[.,])\}(?=\d)"), ""),  # 5{,}900 of LaTeX
    (re.compile(r"\\(?=\$\s?\d)|(?<=\d)\\(?=%)"), ""),
    (re.compile("(?<=[0-9])\u201a(?=[0-9])|(?<=\\w)\u201a(?=\\s)"), ","),
)
#: A fraction over a bar, of small figures or of others: ¹⁄₂, 1⁄2, ¹/₂.
_FRACTION = re.compile(
    r"(?P<top>[⁰¹²³⁴-⁹]{1,2}|(?<![0-9])[0-9]{1,2})(?:⁄|/(?=[₀-₉]))(?P<under>[₀-₉]{1,2}|[0-9]{1,2}(?![0-9]))"
)
#: So many blanks in a row are a gap, of which so many stay.
_GAP, _GAP_LEFT = re.compile(r"(?<![^\S\r\n])[^\S\r\n]{41,}"), 3


def entities(text: str) -> Iterator[Cut]:
    """Yield the character references of a text, each with the character that it stands for."""
    for found in _ENTITY.finditer(text):
        said = html.unescape(found[0])
        if said != found[0]:
            yield *found.span(), said


def spellings(text: str) -> Iterator[Cut]:
    """Yield what is spelt otherwise than it is read: divided words, grouped and boxed figures."""
    if not _SPELT.search(text):
        return
    for found in _DIVIDED.finditer(text):
        joint = _joint(text, *found.span())
        if joint is not None:
            yield *found.span(), joint
    for found in _GROUPED.finditer(text):
        yield from ((found.start() + m.start(), found.start() + m.end(), ",")
                    for m in re.finditer(r"\D", found[0]))  # fmt: skip
    for found in _KEYCAPS.finditer(text):
        yield from ((found.start() + m.start(), found.start() + m.end(), "")
                    for m in re.finditer("[\ufe0f\u20e3]+", found[0]))  # fmt: skip
    for found in _FRACTION.finditer(text):
        behind = found.start() and text[found.start() - 1].isdigit()
        over, under = (unicodedata.normalize("NFKC", found[name]) for name in ("top", "under"))
        yield *found.span(), f"{' ' if behind else ''}{over}/{under}"
    for pattern, said in _SPELLINGS:
        yield from ((*found.span(), said) for found in pattern.finditer(text))
    for found in _GAP.finditer(text):
        yield found.start() + _GAP_LEFT, found.end(), ""


def _joint(text: str, start: int, end: int) -> str | None:
    """Return what joins two parts of a word that a line break divides, None where it is none."""
    from groundrules.claims.documents.tongues import is_english

    before = _BEFORE.search(text, max(0, start - 40), start)
    after = _AFTER.match(text, end)
    if before is None or after is None or is_suspended(after[0]):
        return None
    if text[start] == "\u00ad" or is_english(f"{before[0]}{after[0]}".lower()):
        return ""
    return "-"


def is_suspended(following: str) -> bool:
    """Return whether a hyphen before these words stands for a part of a word that comes later."""
    return following.split(None, 1)[0] in _SUSPENDED


# --- markdown ---------------------------------------------------------------------------------

# marks of lines and cells, which only a parser stumbles over: in their places blanks are read
_HEADING = re.compile(r"(?m)^(?P<marks> {0,3}#{1,6}(?=[ \t]))(?P<said>[^\n]*+)(?P<end>\n?)")
_ROW = re.compile(r"(?m)\n?^[ \t]*+\|[^\n]*+\n?")
_MARKS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^(?=[ \t:-]*+\|)(?=[|: \t]*+-)[|: \t-]++\r?$",
        r"^ {0,3}(?:={2,}|-{2,}|(?:[*_-][ \t]?){3,})[ \t]*\r?$",
        r"^[ \t]*+[-*+](?=[ \t])(?:[ \t]\[[ xX]\](?=[ \t]))?",
        r"^ {0,3}\[\^?[^\]\[\n]{1,200}\]:(?=[ \t])",
        r"(?<=[ \t])#+[ \t]*\r?$",
        r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}",
        r"(?<!\w)_{1,3}(?=[^\W_])|(?:(?<=[^\W_])|(?<=[.,;:!?)\"']))_{1,3}(?!\w)",
        r"\|",
    )
)
_FRONT = re.compile(r"\A---[ \t]*\r?\n(?:(?!---)[^\n]*\n){0,200}?---[ \t]*(?=\r?\n|\Z)")
_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]")
_FENCE = re.compile(
    r"^ {0,3}(?:`{3,}+|~{3,}+)[ \t]*(?:[\w+#./-]{1,40}[ \t]*)?(?:\{[^{}\n]{0,200}\}[ \t]*)?\r?$",
    re.MULTILINE,
)
_TITLE = r"(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'|\([^()\n]{0,500}\))"
#: A definition is hidden where it leads somewhere; `[1]: the words of a note` is shown.
_DEFINITION = re.compile(
    r"^ {0,3}\[(?P<label>[^\]\[\n^][^\]\[\n]{0,200})\]:[ \t]*"
    r"(?:<[^<>\s]{0,2000}>|#[\w-]{1,200}|(?:[A-Za-z][A-Za-z0-9+.-]{1,30}://|(?:mailto|doi|urn|tel):"
    r"|www\.|\.{0,2}/)[^\s<>]{0,2000}"
    r"|[\w-][\w.-]{0,100}(?:/[\w.%~-]{1,100}){0,20}\.[a-z]{2,5}(?:[/#?][^\s<>]{0,2000})?)"
    rf"(?:[ \t]+{_TITLE})?[ \t]*\r?$",
    re.MULTILINE,
)
_NOTE = re.compile(r"^ {0,3}\[\^(?P<label>[^\]\[\s]{1,100})\]:", re.MULTILINE)
_QUOTE = re.compile(r"^(?:[ \t]{0,3}>)+[ \t]?", re.MULTILINE)
_LABEL = r"(?P<keep>(?:[^\]\[\n]|\n(?![ \t]*[\r\n])){0,500})"
_LINK = re.compile(
    rf"!?\[{_LABEL}\]\([ \t]{{0,9}}+(?:<[^<>\n]{{0,2000}}>"
    r"|[^\s()<>]{0,2000}(?:\([^\s()]{0,500}\)[^\s()]{0,500})?)"
    rf"(?:[ \t]{{1,9}}+{_TITLE})?[ \t]{{0,9}}+\)"
)
_REFERENCE = re.compile(rf"!?\[{_LABEL}\](?:\[(?P<label>[^\]\[\n]{{0,200}})\])?(?![(:])")
_MARKED = re.compile(r"\[\^(?P<label>[^\]\[\s]{1,100})\]")
_ADDRESS = re.compile(r"<(?P<keep>(?:https?|mailto):[^<>\s]{1,2000})>")
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]{0,30})"
    r"(?:\s++[A-Za-z_:@][\w:.@-]{0,100}+"
    r"(?:\s*+=\s*+(?:\"[^\"<]{0,1000}+\"|'[^'<]{0,1000}+'|[^\s\"'=<>`]{1,1000}+))?+){0,50}+"
    r"\s*+/?>"
)
_WITHIN_LINES = words("within_lines")
#: What is struck out was taken back, and is not said.
STRUCK = frozenset({"del", "s", "strike"})
_TAGS = _WITHIN_LINES | STRUCK | words("of_blocks")
#: How a tag says that nobody sees what is in it.
_UNSEEN = re.compile(
    r"(?i)\shidden\b|(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:opacity|size)\s*:\s*0)\b"
)
_RAISED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_RUNS = re.compile(r"\*+|_+|(?<!~)~~(?!~)")
_EMPTY_LINE = re.compile(r"\n[ \t]*(?=\r?\n)")


def blank_marks(text: str) -> str:
    """Return a Markdown text without inline markup with blanks for the marks of lines and cells.

    Headings, bullets, rules, labels of notes, table pipes and what emphasis is left: it is as long.
    """
    rows = [found.span() for found in _ROW.finditer(text)]
    text = _FRONT.sub(_fences, text)
    for pattern in _MARKS:
        text = pattern.sub(lambda found: _blank(found[0]), text)
    text = _HEADING.sub(_ended, text)
    parts: list[str] = []
    at = 0
    for start, end in rows:  # a page ends behind each
        parts += (text[at:start], text[start:end].replace("\n", "\f"))
        at = end
    return "".join((*parts, text[at:]))


def _ended(found: re.Match[str]) -> str:
    """Return a heading without its marks and with the end of a page behind it, as it ends there."""
    return _blank(found["marks"]) + found["said"] + ("\f" if found["end"] else "")


def raised(said: str, before: str = "") -> str:
    """Return figures above the line as such: alone, or behind a figure, whose part they are not."""
    alone = re.fullmatch(r"[+\-−]?[0-9]{1,4}", said)
    return said.translate(_RAISED) if alone or before[-1:].isdigit() else said


def lowered(said: str, before: str) -> str:
    """Return figures below the line as such behind a figure or the bar of a fraction."""
    return said.translate(_LOWERED) if re.search(r"[\d⁰-⁹¹²³⁄/]\Z", before) else said


@dataclass(slots=True)
class _Sheet:
    """A Markdown text while its markup is found: `work` is as long, with blanks for that."""

    text: str
    work: str
    gone: bytearray
    said: dict[int, str] = field(default_factory=dict)
    struck: list[str] = field(default_factory=list)

    def hide(self, start: int, end: int) -> None:
        self.gone[start:end] = b"\1" * (end - start)

    def blank(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Blank ranges of the work, which are in order."""
        parts: list[str] = []
        at = 0
        for start, end in ranges:
            parts += (self.work[at:start], _blank(self.work[start:end]))
            at = end
        self.work = "".join((*parts, self.work[at:]))

    def strip(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Hide ranges, which are in order."""
        ranges = list(ranges)
        for start, end in ranges:
            self.hide(start, end)
        self.blank(ranges)


def markdown(text: str) -> tuple[str, list[Cut], list[str]]:
    """Return a Markdown text as long with blanks for markup, the cuts of it, and what is struck.

    What is gone: comments, targets of links, tags, marks of emphasis, quotation and fences, and
    what is struck out. Labels of notes and front matter are shown: someone may read them.
    """
    sheet = _Sheet(text, _FRONT.sub(_fences, text), bytearray(len(text)))
    escaped = [match.start() + 1 for match in _ESCAPE.finditer(sheet.work)]
    for offset in escaped:
        sheet.hide(offset - 1, offset)
    sheet.work = _ESCAPE.sub(" \ue000", sheet.work)
    sheet.strip(_comments(sheet.work))
    sheet.strip(one.span() for one in _FENCE.finditer(sheet.work))
    labels = {_folded(one["label"]) for one in _DEFINITION.finditer(sheet.work)}
    notes = {one["label"] for one in _NOTE.finditer(sheet.work)}
    for pattern in (_DEFINITION, _QUOTE):
        sheet.strip(one.span() for one in pattern.finditer(sheet.work))
    for pattern in _MARKS[:2]:
        sheet.work = pattern.sub(lambda found: _blank(found[0]), sheet.work)
    for pattern in (_LINK, _LINK, _ADDRESS):  # a picture may be in a link
        sheet.strip(_around(pattern.finditer(sheet.work)))
    _hide_references(sheet, labels, notes)
    _hide_tags(sheet)
    sheet.strip(one.span() for one in re.finditer(r"`+", sheet.work))
    _hide_emphasis(sheet)
    work = blank_marks(sheet.work)
    if escaped:
        letters = list(work)
        for offset in escaped:
            if letters[offset] != " ":
                letters[offset] = text[offset]
        work = "".join(letters)
    return work, list(_cuts(sheet)), sheet.struck


def _cuts(sheet: _Sheet) -> Iterator[Cut]:
    """Yield what is hidden, with blanks behind it where one stands before it, and references."""
    said, text = sheet.said, sheet.text
    end = 0
    for found in re.finditer(rb"\x01+", bytes(sheet.gone)):
        start, stop = max(found.start(), end), found.end()
        words = [place for place in range(start, stop) if place in said] if said else []
        if not words and (not start or text[start - 1].isspace()):
            while text[stop : stop + 1] in (" ", "\t"):
                stop += 1
        for place in words:
            yield start, place, ""
            yield place, place + 1, said[place]
            start = place + 1
        if start < stop:
            yield start, stop, ""
        end = stop
    for start, stop, letter in entities(text):
        if not any(sheet.gone[start:stop]):
            yield start, stop, letter


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the comments of a text; one without an end is none."""
    last = 0
    while (start := text.find("<!--", last)) >= 0 and (end := text.find("-->", start)) >= 0:
        last = end + 3
        yield start, last


def _around(found: Iterable[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """Yield what is around the words that are kept of what is found."""
    for one in found:
        yield one.start(), one.start("keep")
        yield one.end("keep"), one.end()


def _folded(label: str) -> str:
    return " ".join(label.casefold().split())


def _hide_references(sheet: _Sheet, labels: Collection[str], notes: Collection[str]) -> None:
    """Hide the marks of notes, and the brackets of links whose target is defined elsewhere."""
    if labels:
        found = _REFERENCE.finditer(sheet.work)
        known = (one for one in found if _folded(one["label"] or one["keep"]) in labels)
        sheet.strip(_around(known))
    sheet.strip(
        one.span()
        for one in _MARKED.finditer(sheet.work)
        if (one["label"] in notes or one["label"].isdecimal())
        and not sheet.work.startswith(":", one.end())
    )


def _hide_tags(sheet: _Sheet) -> None:
    """Hide the tags of HTML, with what is struck out; those of blocks are read as a blank."""
    ranges: list[tuple[int, int]] = []
    for one in _TAG.finditer(sheet.work):
        name = one["name"].lower()
        if name not in _TAGS:
            continue
        sheet.hide(*one.span())
        ranges.append(one.span())
        if name not in _WITHIN_LINES and name not in STRUCK:
            sheet.said[one.start()] = " "
    for first, last in _tagged(sheet.work, _TAGS, far=True):
        if _UNSEEN.search(first[0]):
            sheet.hide(first.start(), last.end())
            sheet.struck.append(sheet.work[first.end() : last.start()])
            ranges.append((first.start(), last.end()))
    for first, last in _tagged(sheet.work, STRUCK | {"sup", "sub"}):
        within = sheet.work[first.end() : last.start()]
        if first["name"].lower() in STRUCK:
            sheet.hide(first.start(), last.end())
            sheet.struck.append(within)
            ranges.append((first.start(), last.end()))
            continue
        before = _shown_before(sheet, first.start())
        told = (raised if first["name"].lower() == "sup" else lowered)(within, before)
        if told != within:
            for number, figure in enumerate(told, first.end()):
                if not sheet.gone[number]:
                    sheet.said[number] = figure
            sheet.hide(first.end(), last.start())
    sheet.blank(_merged(ranges))


def _shown_before(sheet: _Sheet, place: int) -> str:
    """Return the character that is shown before a place, the bar of a fraction where it is one."""
    for at in range(place - 1, max(-1, place - 100), -1):
        if not sheet.gone[at] or at in sheet.said:
            bar = sheet.text.endswith("&frasl;", 0, at + 1)
            return "⁄" if bar else sheet.said.get(at, sheet.text[at])
    return ""


def _merged(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield ranges in order, those that overlap as one."""
    start = end = -1
    for first, last in sorted(ranges):
        if first <= end:
            end = max(end, last)
            continue
        if end > start:
            yield start, end
        start, end = first, last
    if end > start:
        yield start, end


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of marks of emphasis."""

    marks: str
    start: int
    end: int
    opens: bool
    closes: bool


def emphasised(text: str, marks: str) -> tuple[list[Cut], list[str]]:
    """Return the cuts of emphasis in a text that is no Markdown by name, and what is struck.

    Pairs of marks of emphasis as CommonMark has them, and tags of what was struck out and put in;
    a star between figures is a sign of multiplication.
    """
    cuts: list[Cut] = []
    words: list[str] = []
    for start, end, is_struck in _emphasis(text, text, marks):
        if is_struck:
            words.append(text[start + 2 : end - 2])
        elif end - start == 1 and (text[start - 1 : start] + text[end : end + 1]).isdigit():
            continue
        cuts.append((start, end, ""))
    for first, last in _tagged(text, STRUCK | {"ins"}):
        if first["name"].lower() == "ins":
            cuts += [(*first.span(), ""), (*last.span(), "")]
        else:
            words.append(text[first.end() : last.start()])
            cuts.append((first.start(), last.end(), ""))
    return cuts, words


def tags(text: str) -> Iterator[Cut]:
    """Yield the tags of HTML in a text that is no HTML by name; those of blocks are a blank."""
    raised_ = {one.span() for pair in _tagged(text, {"sup", "sub"}) for one in pair}
    for one in _TAG.finditer(text) if ">" in text else ():
        name = one["name"].lower()
        if name in _TAGS and name not in STRUCK and one.span() not in raised_:
            yield *one.span(), "" if name in _WITHIN_LINES else " "


def _tagged(
    text: str, names: Collection[str], *, far: bool = False
) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Yield the opening and closing tags of some elements within a paragraph, or `far` apart."""
    opened: dict[str, list[re.Match[str]]] = {}
    for one in _TAG.finditer(text) if "</" in text else ():
        name = one["name"].lower()
        if name not in names:
            continue
        if not one["close"]:
            opened.setdefault(name, []).append(one)
        elif opened.get(name):
            first = opened[name].pop()
            near = one.start() - first.end() < 10_000
            if far or (near and not _EMPTY_LINE.search(text, first.end(), one.start())):
                yield first, one


def _emphasis(work: str, text: str, marks: str) -> Iterator[tuple[int, int, bool]]:
    """Yield what pairs of marks in the work hide, and whether it is struck out."""
    if not any(mark in work for mark in marks):
        return
    begin = 0
    for gap in [*_EMPTY_LINE.finditer(work), None]:
        end = gap.start() if gap else len(work)
        found = (one for one in _RUNS.finditer(work, begin, end) if one[0][0] in marks)
        runs = (_run(text, one) for one in found)
        yield from _pairs(runs)
        begin = end


def _hide_emphasis(sheet: _Sheet) -> None:
    """Hide the marks of emphasis that are pairs, and what is struck out."""
    found = list(_emphasis(sheet.work, sheet.text, "*_~"))
    for start, end, is_struck in found:
        sheet.hide(start, end)
        if is_struck:
            sheet.struck.append(sheet.text[start + 2 : end - 2])
    sheet.blank(_merged((start, end) for start, end, _ in found))


def _run(text: str, found: re.Match[str]) -> _Run:
    start, end = found.span()
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    spaced, spaces = not before or before.isspace(), not after or after.isspace()
    stops, stopped = _is_sign(before), _is_sign(after)
    left = not spaces and (not stopped or spaced or stops)
    right = not spaced and (not stops or spaces or stopped)
    if found[0][0] == "_":
        left, right = left and (not right or stops), right and (not left or stopped)
    return _Run(found[0], start, end, left, right)


def _is_sign(letter: str) -> bool:
    return bool(letter) and not letter.isalnum() and not letter.isspace()


def _pairs(runs: Iterable[_Run]) -> Iterator[tuple[int, int, bool]]:
    """Yield what pairs of runs of the same marks hide, and if it is struck."""
    waiting: dict[str, list[_Run]] = {}
    for one in runs:
        before = waiting.setdefault(one.marks, [])
        if one.closes and before:
            opener = before.pop()
            if one.marks[0] == "~":
                yield opener.start, one.end, True
            else:
                yield opener.start, opener.end, False
                yield one.start, one.end, False
        elif one.opens:
            before.append(one)


def _fences(found: re.Match[str]) -> str:
    """Return a front matter with blanks for its two fences."""
    first, *rest, last = found[0].split("\n")
    return "\n".join([_blank(first), *rest, _blank(last)])


def _blank(said: str) -> str:
    return re.sub(r"[^\r\n]", " ", said)

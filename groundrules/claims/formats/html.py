"""HTML: the text that a page shows, and by name what of it is drawn otherwise than it is written.

An element, a style or a field is read if html.toml lists it as understood; any other with words is
named as unread.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from groundrules.claims.formats.bounds import MAX_ELEMENTS, first_line, refuse_more
from groundrules.claims.formats.marks import mark_of, numbering
from groundrules.claims.formats.nesting import (
    ENDING_DRAWINGS,
    KINDS,
    NESTED,
    ROWS,
    VOID,
    ended_elsewhere,
    misplaced,
    without,
)
from groundrules.claims.formats.sheets import Sheets, read_sheets
from groundrules.claims.formats.styles import (
    BLACK,
    UNDERSTOOD,
    WHITE,
    Colour,
    colours,
    declared,
    has_gap,
    is_faint,
    strange,
)
from groundrules.claims.markup import STRUCK, lowered, raised
from groundrules.errors import SourceError

#: What shows words that an element has none of.
_SAID_BY = {"input": ("value", "placeholder"), "textarea": ("placeholder",), "img": ("alt",)}
#: Elements with a place of their own, that parts the words beside them.
_WIDE = frozenset("input button select textarea canvas video svg meter progress iframe".split())
_DISPLAYS = {kind: how for how, kinds in UNDERSTOOD["displays"].items() for kind in kinds.split()}
#: Elements that a browser puts no words into, whatever this reader's parser does.
_HOLLOW = VOID | {"colgroup", "frameset"}
_PAUSES = {"paragraphs": 2, "lines": 1}
#: More attributes in one element than any page has; a parser takes long over them.
_CROWDED = re.compile(
    r"<[a-zA-Z][^\s/>]*+(?:[\s/]*+[^\s/>][^\s/>=]*+"
    r"(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>]++)?+)?+){1001}"
)
#: Addresses that are themselves the page that they lead to.
_WRITTEN = re.compile(r"data:|javascript:(?!(?:false|true|void\(?0\)?|''|\"\")?;?\Z)")
_UNSHOWN = frozenset("head script style template title noscript noframes noembed".split())
#: What ends a sentence behind a field.
_STOP = re.compile(r"[.,;:!?)\]]*(?:\s|\Z)")
_TURNED = re.compile("[\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class _Box:
    """How the words of an element are drawn; `numbers` is where the items of a list are.

    `chosen` is the one option that is shown; what is `apart` has a gap behind it.
    """

    kind: str = ""
    pauses: int = 0
    seen: bool = True
    struck: bool = False
    above: bool = False
    below: bool = False
    preformatted: bool = False
    letters: Colour | None = BLACK
    ground: Colour | None = None
    mark: str = ""
    numbers: list[int] | None = None
    chosen: Any = None
    apart: bool = False


@dataclass(slots=True)
class _Page:
    """A page while it is read: the text, and what of it is not understood.

    `telling` are the elements with words, `visible` those with one that a style makes visible.
    """

    sheets: Sheets
    out: list[str] = field(default_factory=list)
    breaks: int = 2  # newlines at the end of what is out
    unread: Counter[str] = field(default_factory=Counter)
    reopened: set[str] = field(default_factory=set)
    gap: bool = False  # before the words that follow
    level: tuple[bool, bool] = (False, False)  # of the words before, and if they stand off the line
    moved: bool = False
    telling: set[Any] = field(default_factory=set)
    visible: set[Any] = field(default_factory=set)

    def say(self, text: str | None, box: _Box) -> None:
        if not text:
            return
        if not box.seen:
            text = " "
        elif is_faint(box.letters, box.ground) and text.strip():
            self.unread["place{s} with words in the colour of the ground"] += 1
        if not box.preformatted:
            before = self.out[-1] if self.out else ""
            level = (box.above, box.below)
            same, self.level, plain = level == self.level, level, text
            if not same or self.moved:
                before = "0" if same else before
                text = raised(text, before) if box.above else text
                text = lowered(text, before) if box.below else text
            self.moved = text != plain or (self.moved and not re.search(r"\d", text))
            text = re.sub(r"[ \t\r\n\f]+", " ", text)
            if text[0] == " " and (self.breaks or self.out[-1][-1] in " \t"):
                text = text[1:]
        if text and self.gap and (not _STOP.match(text)):
            self.out.append(" " * (not self.breaks and not self.out[-1][-1].isspace()))
        if text:
            self.gap = False
            inner = text.strip()
            told = text.replace(inner, f"~~{inner}~~") if box.struck and inner else text
            self.out.append(told)
            self.breaks = len(text[-2:]) - len(text[-2:].rstrip("\n"))

    def pause(self, newlines: int) -> None:
        self.gap = self.gap and not newlines
        if self.breaks >= newlines:
            return
        if self.out and self.out[-1] in {" ", "\t"}:
            self.out.pop()
        elif self.out:
            self.out[-1] = self.out[-1].rstrip(" ")
        self.out.append("\n" * (newlines - self.breaks))
        self.breaks = newlines


def read_html(text: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the text that a page shows, and what of it is drawn and not read."""
    from lxml import etree, html

    refuse_more(text.count("<") - text.count("</"), MAX_ELEMENTS, "elements", name)
    if _CROWDED.search(text):
        raise SourceError("has an element with over 1,000 attributes", path=name)
    text = re.sub(r"(?i)</br(?=[\s/>])", "<br", text)
    text = re.sub(r"(?i)</?wbr\b[^<>]*+>", "", text)
    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False, remove_pis=True)
    try:
        root = html.document_fromstring(text.encode(), parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise SourceError(f"is not readable as html: {first_line(error)}", path=name) from None
    for entry in parser.error_log:
        if entry.level_name == "FATAL" or "depth" in entry.message.lower():
            problem = entry.message
            if "depth" in problem.lower():
                problem = "elements nest deeper than 256"
            raise SourceError(
                f"is not readable as html: {problem}", path=name, line=entry.line or None
            )
    telling = _around(root, _has_words)
    sheets = read_sheets(root, telling)
    visible = _around(root, lambda one: "visible" in sheets.styles.get(one, ""))
    page = _Page(sheets, unread=sheets.unread, telling=telling, visible=visible)
    _walk(root, page)
    errors = (entry.message for entry in parser.error_log)
    page.unread.update(ended_elsewhere(text, root, errors, page.reopened))
    if _TURNED.search("".join(page.out)):
        page.unread["words that a sign of direction turns"] = 0
    told = (
        f"{count} {what}".format(s="s" * (count > 1)) if count else what
        for what, count in page.unread.items()
    )
    return "".join(page.out).replace("~~~~", "").strip("\n\t ") + "\n", tuple(told)


def _walk(root: Any, page: _Page) -> None:
    """Read a page; walks with events, so that depth costs no stack.

    What is struck out stands between ~~ and ~~, figures above the line are raised digits.
    """
    from lxml import etree

    boxes = [_Box(ground=None if page.sheets.elsewhere else WHITE)]
    hidden = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if not isinstance(element.tag, str):
            if not hidden:
                page.say(element.tail, boxes[-1])
        elif event == "start":
            box = None if hidden else _box(element, boxes[-1], page)
            if hidden and element.tag in NESTED:
                page.unread.update(misplaced(element, element.tag, page.telling))
            if box is None:
                hidden += 1
                continue
            boxes.append(box)
            page.pause(box.pauses)
            page.say(box.mark, box)
            page.say(element.text, box)
        else:
            if hidden:
                hidden -= 1
            else:
                box = boxes.pop()
                page.say("”" * (element.tag == "q"), box)
                page.pause(0 if element.tag == "br" else box.pauses)
                if box.apart:
                    page.gap = True
                if box.kind == "cells" and not page.breaks:
                    page.out.append("\t")
            if not hidden:
                page.say(element.tail, boxes[-1])


def _box(element: Any, above: _Box, page: _Page) -> _Box | None:
    """Return how an element is drawn, None where it is not; name what of it is not understood."""
    tag = element.tag
    said = declared(page.sheets.styles.get(element, ""))
    display = said.get("display")
    hollow = tag in _HOLLOW and tag not in _SAID_BY and element in page.telling
    shown = display != "none" and (tag == "svg" or not {"hidden", "popover"} & set(element.attrib))
    if tag in _WIDE and shown:
        page.gap = True
        page.unread.update(f"element{{s}} <{tag}> under the style {name}"
                           for name in strange(said, within=True))  # fmt: skip
    if tag in {"math", "svg", "iframe", "object", "embed", "frame"} and not hollow:
        if shown:
            page.unread.update(_embedded(element, tag, page))
        elif any(one.tag in ENDING_DRAWINGS for one in element.iter()):
            page.unread[f"element{{s}} <{tag}> that others end"] += 1
        return None
    kind = "" if hollow else KINDS.get(tag) or ("inline" if "-" in tag else "")
    if not kind:
        kind = "inline"
        if element in page.telling:
            page.unread[f"element{{s}} <{tag}> with words"] += 1
    page.unread.update(misplaced(element, tag, page.telling))
    if kind == "silent":
        page.unread.update(_of_silent(element, tag, said))
        return None
    if display == "none" or (display is None and _is_hidden(element, tag, above)):
        page.reopened.add(tag)
        return None
    if (drawn := _DISPLAYS.get(display or "", kind)) != "lines" or kind != "paragraphs":
        kind = drawn
    floats = said.get("float") in {"left", "right"}
    odd = [*strange(said, within=kind == "inline")] if said else []
    odd += ["position"] * (tag == "dialog")
    odd += ["display"] * (tag in _WIDE and display == "contents")
    if display == "table-cell" and "table" not in page.sheets.styles.get(element.getparent(), ""):
        odd += ["display"] * (tag not in ROWS)
    if above.struck and (tag in _WIDE or tag == "img" or floats or "inline-" in (display or "")):
        odd.append("text-decoration")
    odd += ["float"] if floats and not page.breaks else []
    letters, ground, unknown = colours(said, element.attrib, above.letters, above.ground)
    odd += ["color"] if unknown and "color" not in odd else []
    if tag in {"sup", "sub"}:  # what keeps a raised figure from parting the lines
        odd = [name for name in odd if name not in {"line-height", "top", "bottom"}]
    lines = " ".join(said.get(name, "") for name in ("text-decoration", "text-decoration-line"))
    struck = "line-through" in lines or (tag in STRUCK and not lines.strip())
    odd += ["text-decoration"] * (tag in STRUCK and not struck)
    if said.get("visibility") in {"hidden", "collapse"}:
        odd = odd if element in page.visible else []
    covering = any(name.startswith("background") for name in said)
    if odd and (covering or "display" in odd or element in page.telling):
        page.unread.update(f"element{{s}} with words under the style {name}" for name in odd)
    if (element.get("dir") or "").strip().lower() == "rtl" and element in page.telling:
        page.unread["element{s} with words from right to left"] += 1
    if kind == "inline" and has_gap(said, "left"):
        page.gap = True
    visibility = said.get("visibility", "inherit")
    if odd or struck or visibility != "inherit" or unknown:
        page.reopened.add(tag)
    box = replace(
        above,
        kind=kind,
        pauses=max(1, _PAUSES.get(kind, 0)) if floats or tag == "br" else _PAUSES.get(kind, 0),
        seen=above.seen if visibility == "inherit" else visibility not in {"hidden", "collapse"},
        struck=above.struck or struck,
        above=above.above or tag == "sup" or said.get("vertical-align") == "super",
        below=above.below or tag == "sub" or said.get("vertical-align") == "sub",
        preformatted=above.preformatted or tag in {"pre", "textarea", "listing"},
        letters=letters,
        ground=ground,
        mark="",
        apart=tag in _WIDE or (kind == "inline" and has_gap(said, "right")),
        numbers=numbering(element) if tag in {"ol", "ul", "menu"} else above.numbers,
        chosen=_chosen(element) if tag == "select" else above.chosen,
    )
    return replace(box, mark=mark_of(element, tag, box.numbers, page.unread))


def _around(root: Any, has: Callable[[Any], bool]) -> set[Any]:
    """Return the elements that have something, and those that they are in."""
    found: set[Any] = set()
    for one in root.iter():
        if has(one):
            for up in (one, *one.iterancestors()):
                if up in found:
                    break
                found.add(up)
    return found


def _has_words(one: Any) -> bool:
    """Return whether something has words of its own that a page shows, or words behind a part."""
    if any((part.tail or "").strip() for part in one):
        return True
    silent = KINDS.get(one.tag) == "silent" and one.tag not in _HOLLOW
    if not isinstance(one.tag, str) or silent:
        return False
    fields = [one.get(name) for name in _SAID_BY.get(one.tag, ())]
    return any((said or "").strip() for said in (one.text, *fields))


def _is_hidden(element: Any, tag: str, above: _Box) -> bool:
    return (
        bool({"hidden", "popover"} & set(element.attrib))
        or (tag == "dialog" and "open" not in element.attrib)
        or (tag == "option" and above.chosen is not None and element is not above.chosen)
    )


def _chosen(element: Any) -> Any:
    """Return the one option that a list shows, None where it shows all."""
    size = (element.get("size") or "1").strip()
    options = [*element.iter("option")]
    if "multiple" in element.attrib or size not in {"0", "1"} or not options:
        return None
    chosen = [one for one in options if "selected" in one.attrib]
    usable = [one for one in options if "disabled" not in one.attrib]
    return chosen[-1] if chosen else (usable or options)[0]


def _embedded(element: Any, tag: str, page: _Page) -> Iterator[str]:
    """Yield what a formula, a drawing or another page within a page shows."""
    if tag == "math":
        if element in page.telling and not _is_repeated(element):
            yield "formula{s} in MathML"
    elif tag == "svg":
        untold = ("title", "desc", "metadata", "style", "script")
        words = (one.text for one in element.iter("*") if one.tag not in untold)
        tails = (one.tail for one in element.iterdescendants())
        told = (one.text or "" for one in element.iter(*untold))
        if any((one or "").strip() for one in (*words, *tails)) or any("<" in one for one in told):
            yield "drawing{s} with words in SVG"
    else:
        address = (element.get("src") or element.get("data") or "").strip().lower()
        inner = without(element.get("srcdoc") or "", ("<script", "</script>"))
        said = tag == "frame" or (tag == "object" and element in page.telling)
        if said or re.sub("<[^<>]*>", "", inner).strip() or _WRITTEN.match(address):
            yield "embedded page{s}"


def _is_repeated(formula: Any) -> bool:
    """Return whether a formula is for a screen reader, and what is seen beside it says the same."""
    for one in (formula, *itertools.islice(formula.iterancestors(), 2)):
        for part in (one.getnext(), one.getprevious()):
            if part is not None and part.get("aria-hidden") == "true":
                told = formula.find("semantics")
                return _signs(formula if told is None or not len(told) else told[0]) == _signs(part)
    return False


def _signs(element: Any) -> list[str]:
    said = " ".join(element.itertext())
    return sorted(re.findall(r"\d[\d.,]*|[^\s\d\u200b\u2061-\u2064]", said))


def _of_silent(element: Any, tag: str, said: Mapping[str, str]) -> Iterator[str]:
    """Yield how an element that shows no words of its own shows some, or hides those of others."""
    shown = said.get("display", "none") != "none"
    if (shown and tag in _UNSHOWN) or (tag == "template" and "shadowrootmode" in element.attrib):
        if "".join(element.itertext()).strip():
            yield f"element{{s}} <{tag}> with words"
    elif shown and tag in VOID:
        yield f"element{{s}} <{tag}> under the style display"
    elif tag in {"col", "colgroup"} and said.get("visibility", "visible") != "visible":
        yield "hidden column{s} of a table"

"""HTML: the text that a page shows, and by name what of it may be drawn otherwise.

What html.toml does not list as understood is named as unread; what may be hidden is not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from groundrules.claims.documents.formats.bounds import MAX_ELEMENTS, first_line, refuse_more
from groundrules.claims.documents.formats.styles import (
    UNDERSTOOD,
    Colour,
    Sheets,
    colours,
    hides,
    is_faint,
    read_sheets,
    strange,
)
from groundrules.claims.documents.markup import STRUCK, lowered, raised
from groundrules.errors import SourceError


def _kinds(table: str) -> dict[str, str]:
    return {name: kind for kind, names in UNDERSTOOD[table].items() for name in names.split()}


_KINDS, _FIELDS, _DISPLAYS = _kinds("elements"), _kinds("fields"), _kinds("displays")
_PAUSES = {"paragraphs": 2, "lines": 1}
#: Elements with a place of their own, that parts the words beside them.
_WIDE = frozenset("input button select textarea".split())
#: Pages, drawings and formulas within a page; those of the second have no words here.
_EMBEDDED = frozenset("math svg object template".split())
_FRAMES = frozenset("iframe embed frame object".split())
#: More attributes in one element than any page has; a parser takes long over them.
_CROWDED = re.compile(
    r"<[a-zA-Z][^\s/>]*+(?:[\s/]*+[^\s/>][^\s/>=]*+"
    r"(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>]++)?+)?+){1001}"
)
#: Tags that do not end by "/>", though this reader's parser takes them to.
_ENDED = re.compile(
    r"(?i)<((?:a|abbr|b|big|blockquote|button|code|dd|del|details|div|dl|dt|em|font|h[1-6]|i|li|"
    r"noscript|ol|p|s|script|section|select|small|span|strike|strong|style|su[bp]|table|td|template"
    r"|textarea|title|tr|tt|u|ul)\b[^<>]{0,2000}+)(?<=/)>"
)
#: Elements that need no end, or have none.
_UNENDED = frozenset("p li dt dd td th tr option input br hr img".split())
_DRAWING = frozenset({"hidden", "style", "class", "dir"})
_TURNED = re.compile("[\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class _Box:
    """How the words of an element are drawn; `chosen` is the one option that is shown."""

    kind: str = ""
    pauses: int = 0
    struck: bool = False
    above: bool = False
    below: bool = False
    preformatted: bool = False
    letters: Colour | None = (0, 0, 0)
    ground: Colour | None = None
    chosen: Any = None


@dataclass(slots=True)
class _Page:
    """A page while it is read: the text, and what of it is not understood.

    `telling` are the elements with words, `drawn` the tags of those drawn otherwise than others.
    """

    sheets: Sheets
    telling: set[Any]
    unread: Counter[str]
    out: list[str] = field(default_factory=list)
    breaks: int = 2  # newlines at the end of what is out
    drawn: set[str] = field(default_factory=set)

    def say(self, text: str | None, box: _Box) -> None:
        if text and text.strip() and is_faint(box.letters, box.ground):
            self.unread["place{s} with words in the colour of the ground"] += 1
            text = " "
        if text and not box.preformatted:
            before = self.out[-1] if self.out else ""
            text = raised(text, before) if box.above else text
            text = lowered(text, before) if box.below else text
            text = re.sub(r"[ \t\r\n\f]+", " ", text)
            if text[0] == " " and (self.breaks or self.out[-1][-1] in " \t"):
                text = text[1:]
        if text:
            inner = text.strip()
            told = text.replace(inner, f"~~{inner}~~") if box.struck and inner else text
            self.out.append(told)
            self.breaks = len(text[-2:]) - len(text[-2:].rstrip("\n"))

    def pause(self, newlines: int) -> None:
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
    text = _ENDED.sub(lambda tag: f"<{tag[1][:-1]}>", text)
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
    sheets = read_sheets(root)
    page = _Page(sheets, _telling(root), sheets.unread)
    _walk(root, page)
    errors = "\n".join(entry.message for entry in parser.error_log)
    page.unread.update(_unended(text.lower(), errors, root, page.drawn))
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

    boxes = [_Box(ground=None if page.sheets.elsewhere else (255, 255, 255))]
    hidden = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if not isinstance(element.tag, str):
            if not hidden:
                page.say(element.tail, boxes[-1])
        elif event == "start":
            box = None if hidden else _box(element, boxes[-1], page)
            if box is None:
                hidden += 1
                continue
            boxes.append(box)
            page.pause(box.pauses)
            page.say("“" if element.tag == "q" else " " * (element.tag in _WIDE), box)
            page.say(_value(element, page) if element.tag == "input" else element.text, box)
        else:
            if hidden:
                hidden -= 1
            else:
                box = boxes.pop()
                page.say("”" if element.tag == "q" else " " * (element.tag in _WIDE), box)
                page.pause(0 if element.tag == "br" else box.pauses)
                if box.kind == "cells" and not page.breaks:
                    page.out.append("\t")
            if not hidden:
                page.say(element.tail, boxes[-1])


def _box(element: Any, above: _Box, page: _Page) -> _Box | None:
    """Return how an element is drawn, None where it is not; name what of it is not understood."""
    tag, said = element.tag, page.sheets.styles.get(element, {})
    display = said.get("display")
    telling = element in page.telling
    kind = _KINDS.get(tag) or ("inline" if "-" in tag else "")
    if _is_hidden(element, above, display):
        page.drawn.add(tag)
        return None
    if element in page.sheets.doubted or hides(said):
        page.drawn.add(tag)
        page.say(" ", above)
        styles = (page.sheets.styles.get(one, {}) for one in element.iter("*"))
        if telling and (
            "visibility" not in said or any(one.get("visibility") == "visible" for one in styles)
        ):
            page.unread["part{s} that a style hides, or may hide"] += 1
        return None
    if tag in _EMBEDDED | _FRAMES:
        page.unread.update(_embedded(element, tag, telling=telling))
        return None
    if kind == "silent" and (display is None or not telling):
        return None
    if telling and (not kind or kind == "silent"):
        page.unread[f"element{{s}} <{tag}> with words"] += 1
    if telling:
        page.unread.update(
            f"element{{s}} with words under the style {one}" for one in strange(said)
        )
        if (element.get("dir") or "").strip().lower() == "rtl":
            page.unread["element{s} with words from right to left"] += 1
    if (shown := _DISPLAYS.get(display or "", kind)) != "lines" or kind != "paragraphs":
        kind = shown
    letters, ground = colours(said, element.attrib, above.letters, above.ground)
    lines = " ".join(said.get(name, "") for name in ("text-decoration", "text-decoration-line"))
    struck = "line-through" in lines or (tag in STRUCK and not lines.strip())
    if letters is None and above.letters is not None and telling:
        page.unread["element{s} with words under the style color"] += 1
    if struck or letters != above.letters:
        page.drawn.add(tag)
    floats = said.get("float") in {"left", "right"}
    return replace(
        above,
        kind=kind,
        pauses=max(1, _PAUSES.get(kind, 0)) if floats or tag == "br" else _PAUSES.get(kind, 0),
        struck=above.struck or struck,
        above=above.above or tag == "sup" or said.get("vertical-align") == "super",
        below=above.below or tag == "sub" or said.get("vertical-align") == "sub",
        preformatted=above.preformatted or tag in {"pre", "textarea", "listing"},
        letters=letters,
        ground=ground,
        chosen=_chosen(element) if tag == "select" else above.chosen,
    )


def _is_hidden(element: Any, above: _Box, display: str | None) -> bool:
    """Return whether an element has no place on its page."""
    if display is not None and element.tag != "option":
        return display == "none" or "popover" in element.attrib
    return (
        bool({"hidden", "popover"} & set(element.attrib))
        or (element.tag == "dialog" and "open" not in element.attrib)
        or (element.tag == "option" and above.chosen is not None and element is not above.chosen)
    )


def _telling(root: Any) -> set[Any]:
    """Return the elements with words, and those that they are in."""
    found: set[Any] = set()
    for one in root.iter("*"):
        words = (
            one.text,
            one.get("value") if one.tag == "input" else "",
            *(part.tail for part in one),
        )
        if any((said or "").strip() for said in words):
            for up in (one, *one.iterancestors()):
                if up in found:
                    break
                found.add(up)
    return found


def _chosen(element: Any) -> Any:
    """Return the one option that a list shows, None where it shows all."""
    size = (element.get("size") or "1").strip()
    options = [*element.iter("option")]
    if "multiple" in element.attrib or size not in {"0", "1"} or not options:
        return None
    chosen = [one for one in options if "selected" in one.attrib]
    usable = [one for one in options if "disabled" not in one.attrib]
    return chosen[-1] if chosen else (usable or options)[0]


def _value(element: Any, page: _Page) -> str:
    """Return the words that a field of a form shows."""
    kind = (element.get("type") or "text").strip().lower()
    value = re.sub("[\r\n]", "", element.get("value") or "")
    how = _FIELDS.get(kind, "")
    if value and not how:
        page.unread[f"field{{s}} of the kind {kind}"] += 1
    return "" if how == "silent" else value


def _embedded(element: Any, tag: str, *, telling: bool) -> Iterator[str]:
    """Yield what a formula, a drawing or another page within a page shows."""
    address = (element.get("src") or element.get("data") or "").strip().lower()
    if tag == "math" and telling:
        yield "formula{s} in MathML"
    elif tag == "svg":
        untold = ("title", "desc", "metadata", "style", "script")
        words = (one.text for one in element.iter("*") if one.tag not in untold)
        tails = (one.tail for one in element.iterdescendants())
        told = (one.text or "" for one in element.iter(*untold))
        if any((one or "").strip() for one in (*words, *tails)) or any("<" in one for one in told):
            yield "drawing{s} with words in SVG"
    elif tag == "template":
        if telling and "shadowrootmode" in element.attrib:
            yield "element{s} <template> with words"
    elif telling or element.get("srcdoc") or address.startswith(("data:", "javascript:")):
        yield "embedded page{s}"


def _unended(text: str, errors: str, root: Any, drawn: set[str]) -> Iterator[str]:
    """Yield the elements that hide or draw words, and that a browser may end elsewhere."""
    for tag in sorted(drawn - _UNENDED):
        ends = len(re.findall(rf"</{tag}[\s>]", text))
        if len(re.findall(rf"<{tag}[\s>]", text)) != ends or f"end tag : {tag}\n" in f"{errors}\n":
            yield f"element{{s}} <{tag}> that a browser may end elsewhere"
    said = len(re.findall(r"<(?:html|body)\s[^<>]{0,2000}\b(?:hidden|style|class|dir)\b", text))
    if said > sum(bool(_DRAWING & set(one.attrib)) for one in root.iter("html", "body")):
        yield "element{s} <html> or <body> that hides or draws the page"

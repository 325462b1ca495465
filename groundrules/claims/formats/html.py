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
from groundrules.claims.formats.styles import (
    BLACK,
    UNDERSTOOD,
    WHITE,
    Colour,
    adds_words,
    colours,
    declared,
    is_faint,
    strange,
)
from groundrules.claims.markup import STRUCK, lowered, raised
from groundrules.errors import SourceError

_KINDS = {
    tag: kind
    for kind in ("paragraphs", "lines", "cells", "inline", "silent")
    for tag in UNDERSTOOD["elements"][kind].split()
}
_REOPENED = frozenset(UNDERSTOOD["elements"]["reopened"].split())
_IN_TABLES = frozenset(UNDERSTOOD["elements"]["table"].split())
_TABLES = frozenset({"table", "thead", "tbody", "tfoot", "tr"})
_ROWS = frozenset("caption thead tbody tfoot tr td th".split())
_HEADINGS = tuple(f"h{number}" for number in range(1, 7))
_ALONE: dict[str, tuple[str, ...]] = {
    tag: (tag,) for tag in ("a", "button", "form", "nobr", "noscript")
}
_ALONE |= dict.fromkeys(_HEADINGS, _HEADINGS)
_DISPLAYS = {kind: how for how, kinds in UNDERSTOOD["displays"].items() for kind in kinds.split()}
_VOID = frozenset(UNDERSTOOD["elements"]["void"].split())
#: Elements that a browser puts no words into, whatever this reader's parser does.
_HOLLOW = (_VOID - {"wbr"}) | {"colgroup", "frameset"}
_PAUSES = {"paragraphs": 2, "lines": 1}
#: Elements that do not end by "/>", though this reader's parser takes them to.
_ENDED = re.compile(
    r"<(script|title|style|textarea|iframe|noscript|template|select|button|su[bp]|s|del|strike)/>"
    r"|<([a-z][\w-]{0,30}+)(?=(?:[^<>\s]|\s(?!(?:hidden|style|dir|popover)\b)){0,2000}+\s)"
    r"(?:[^<>/]|/(?!>)){1,2000}+/>"
)
#: More attributes in one element than any page has; a parser takes long over them.
_CROWDED = re.compile(
    r"<[a-zA-Z][^\s/>]*+(?:[\s/]*+[^\s/>][^\s/>=]*+"
    r"(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>]++)?+)?+){1001}"
)
_AGAIN = re.compile(r"<(?:html|body)\b[^<>]{0,2000}>")
#: Addresses that are themselves the page that they lead to.
_WRITTEN = re.compile(r"data:|javascript:(?!(?:false|true|void\(?0\)?|''|\"\")?;?\Z)")
_TURNED = re.compile("[\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class _Box:
    """How the words of an element are drawn; `numbers` is where the items of a list are.

    `chosen` is the one option that is shown.
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


@dataclass(slots=True)
class _Page:
    """A page while it is read: the text, and what of it is not understood.

    `telling` are the elements with words, `visible` those with one that a style makes visible.
    """

    out: list[str] = field(default_factory=list)
    breaks: int = 2  # newlines at the end of what is out
    unread: Counter[str] = field(default_factory=Counter)
    reopened: set[str] = field(default_factory=set)
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
            text = raised(text, before) if box.above else text
            text = lowered(text, before) if box.below else text
            text = re.sub(r"[ \t\r\n\f]+", " ", text)
            if text[0] == " " and (self.breaks or self.out[-1][-1] in " \t"):
                text = text[1:]
        if text:
            self.out.append(text)
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
    page = _Page(
        telling=_around(root, _has_words),
        visible=_around(root, lambda one: "visible" in (one.get("style") or "")),
    )
    _walk(root, page)
    rest = _without(text.lower(), ("<!--", "-->"), ("<script", "</script"), ("<svg", "</svg"))
    for tag in sorted(page.reopened):
        if len(re.findall(rf"<{tag}[\s>]", rest)) != len(re.findall(rf"</{tag}[\s>]", rest)):
            page.unread[f"element{{s}} <{tag}> without an end"] += 1
    if sum(one.count("hidden") + one.count("popover") for one in _AGAIN.findall(rest)):
        page.unread["element{s} <html> or <body> that hides the page"] += 1
    page.unread.update(
        f"element{{s}} <{tag}/> that its slash does not end"
        for tag in (one[1] or one[2] for one in _ENDED.finditer(rest))
        if tag not in _VOID
    )
    if _TURNED.search("".join(page.out)):
        page.unread["words that a sign of direction turns"] = 0
    if adds_words("\n".join(one.text or "" for one in root.iter("style")), root):
        page.unread["words that a style sheet adds"] = 0
    told = (
        f"{count} {what}".format(s="s" * (count > 1)) if count else what
        for what, count in page.unread.items()
    )
    return "".join(page.out).strip("\n\t ") + "\n", tuple(told)


def _without(text: str, *parts: tuple[str, str]) -> str:
    """Return a text without what stands between two marks; a part without an end stays."""
    for begin, end in parts:
        found, at = [], 0
        while (start := text.find(begin, at)) >= 0 and (stop := text.find(end, start + 4)) >= 0:
            found.append(text[at:start])
            at = stop + len(end)
        text = "".join((*found, text[at:]))
    return text


def _walk(root: Any, page: _Page) -> None:
    """Read a page; walks with events, so that depth costs no stack.

    What is struck out stands between ~~ and ~~, figures above the line are raised digits.
    """
    from lxml import etree

    styled = any(one.tag == "style" or one.get("rel") for one in root.iter("style", "link"))
    boxes = [_Box(ground=None if styled else WHITE)]
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
            page.say("~~" * box.struck + box.mark, box)
            page.say(element.text, box)
        else:
            if hidden:
                hidden -= 1
            else:
                box = boxes.pop()
                page.say("~~" * box.struck + "”" * (element.tag == "q"), box)
                page.pause(0 if element.tag == "br" else box.pauses)
                if box.kind == "cells" and not page.breaks:
                    page.out.append("\t")
            if not hidden:
                page.say(element.tail, boxes[-1])


def _box(element: Any, above: _Box, page: _Page) -> _Box | None:
    """Return how an element is drawn, None where it is not; name what of it is not understood."""
    tag = element.tag
    said = declared(element.get("style") or "")
    display = said.get("display")
    hollow = tag in _HOLLOW and tag != "input" and element in page.telling
    if tag in {"math", "svg", "iframe", "object", "embed", "frame"} and not hollow:
        if display != "none" and "hidden" not in element.attrib:
            page.unread.update(_embedded(element, tag, page))
        return None
    kind = "" if hollow else _KINDS.get(tag) or ("inline" if "-" in tag else "")
    if not kind:
        kind = "inline"
        if element in page.telling:
            page.unread[f"element{{s}} <{tag}> with words"] += 1
    page.unread.update(_misplaced(element, tag))
    if kind == "silent":
        page.unread.update(_of_silent(element, tag, said))
        return None
    if display == "none" or (display is None and _is_hidden(element, tag, above)):
        if tag in _REOPENED:
            page.reopened.add(tag)
        return None
    if (drawn := _DISPLAYS.get(display or "", kind)) != "lines" or kind != "paragraphs":
        kind = drawn
    floats = said.get("float") in {"left", "right"}
    odd = [*strange(said, within=kind == "inline")] if said else []
    odd += ["float"] if floats and not page.breaks else []
    letters, ground, unknown = colours(said, element.attrib, above.letters, above.ground)
    odd += ["color"] if unknown and "color" not in odd else []
    if said.get("visibility") in {"hidden", "collapse"}:
        odd = odd if element in page.visible else []
    if odd and element in page.telling:
        page.unread.update(f"element{{s}} with words under the style {name}" for name in odd)
    if (element.get("dir") or "").strip().lower() == "rtl" and element in page.telling:
        page.unread["element{s} with words from right to left"] += 1
    if tag in _TABLES and _is_upset(element, tag, page):
        page.unread["table{s} with words beside the cells, or a foot above the rows"] += 1
    visibility = said.get("visibility", "inherit")
    struck = tag in STRUCK or "line-through" in " ".join(
        value for name, value in said.items() if name.startswith("text-decoration")
    )
    if tag in _REOPENED and (odd or struck or visibility != "inherit" or unknown):
        page.reopened.add(tag)
    box = replace(
        above,
        kind=kind,
        pauses=max(1, _PAUSES.get(kind, 0)) if floats or tag == "br" else _PAUSES.get(kind, 0),
        seen=above.seen if visibility == "inherit" else visibility not in {"hidden", "collapse"},
        struck=struck,
        above=above.above or tag == "sup" or said.get("vertical-align") == "super",
        below=above.below or tag == "sub" or said.get("vertical-align") == "sub",
        preformatted=above.preformatted or tag in {"pre", "textarea", "listing"},
        letters=letters,
        ground=ground,
        mark="",
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
    silent = _KINDS.get(one.tag) == "silent" and one.tag not in _HOLLOW
    if not isinstance(one.tag, str) or silent:
        return False
    fields = (one.get("value"), one.get("placeholder")) if one.tag == "input" else ()
    return any((said or "").strip() for said in (one.text, *fields))


def _is_hidden(element: Any, tag: str, above: _Box) -> bool:
    return (
        "hidden" in element.attrib
        or "popover" in element.attrib
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
        inner = _without(element.get("srcdoc") or "", ("<script", "</script>"))
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
    if (shown and tag in {"head", "script", "style", "template", "title", "noscript"}) or (
        tag == "template" and "shadowrootmode" in element.attrib
    ):
        if "".join(element.itertext()).strip():
            yield f"element{{s}} <{tag}> with words"
    elif tag in {"col", "colgroup"} and said.get("visibility", "visible") != "visible":
        yield "hidden column{s} of a table"


def _misplaced(element: Any, tag: str) -> Iterator[str]:
    """Yield that an element stands where a browser ends another one, or passes over its tag."""
    if tag in _ROWS and element.getparent().tag not in _TABLES:
        yield "part{s} of a table outside of one"
    elif tag in _ALONE and next(element.iterancestors(*_ALONE[tag]), None) is not None:
        yield f"element{{s}} <{tag}> in another one"


def _is_upset(element: Any, tag: str, page: _Page) -> bool:
    """Return whether a table has words beside its cells, or parts drawn in other places."""
    if any((one or "").strip() for one in (element.text, *(part.tail for part in element))):
        return True
    parts = [part for part in element if isinstance(part.tag, str)]
    if any(part.tag not in _IN_TABLES and part in page.telling for part in parts):
        return True
    rows = [part.tag for part in parts if part.tag in {"thead", "tbody", "tfoot", "tr"}]
    return tag == "table" and ("thead" in rows[1:] or "tfoot" in rows[:-1])

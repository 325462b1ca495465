"""HTML: the text that a page shows."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from groundrules.claims.formats.bounds import MAX_ELEMENTS, first_line, refuse_more
from groundrules.claims.markup import STRUCK, lowered, raised
from groundrules.errors import SourceError

_DROPPED = frozenset(
    "head script style template noscript svg math iframe object audio video canvas".split()
)
_PARAGRAPHS = frozenset(
    "p h1 h2 h3 h4 h5 h6 blockquote ul ol dl table section article pre header footer main nav "
    "aside figure form fieldset address body".split()
)
_LINES = frozenset("div li dt dd tr caption figcaption br hr option summary details legend".split())
_UNSEEN = re.compile(r"(?i)display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden")
#: What of a style draws words otherwise than they stand, so that reading them proves nothing.
_MOVED = re.compile(
    r"(?i)(?:\A|[;\s])(?:opacity\s{0,9}:\s{0,9}0*(?:\.0+)?(?![\d.])"
    r"|font-size\s{0,9}:\s{0,9}0+(?![\d.])"
    r"|unicode-bidi\s{0,9}:\s{0,9}(?:bidi|isolate)-override"
    r"|clip(?:-path)?\s{0,9}:|(?:left|top|text-indent)\s{0,9}:\s{0,9}-\d{3}"
    r"|(?:flex-direction|flex-flow)\s{0,9}:[^;]{0,20}-reverse|transform\s{0,9}:(?!\s{0,9}none))"
)
#: Words that a sheet puts beside others; bullets and icons, written by their number, are none.
_ADDED = re.compile(
    r"(?i)content\s{0,9}:[^;}\"']{0,40}[\"']"
    r"(?:\\(?:2[\da-f]{3}|0*a0|[ef][\da-f]{3})|[^\w\"'}\\])*+[\w\\]"
)
_DISPLAY = re.compile(r"(?i)(?:\A|[;\s])(display|visibility)\s{0,9}:\s{0,9}([\w-]+)")
#: Fields whose value is not shown.
_NO_WORDS = frozenset("hidden checkbox radio image file range color password".split())


def read_html(text: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the visible text of a page, and what of it is drawn and not written."""
    from lxml import etree, html

    refuse_more(text.count("<") - text.count("</"), MAX_ELEMENTS, "elements", name)
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
    return _flatten(root), tuple(_drawn(root))


def _drawn(root: Any) -> Iterator[str]:
    """Yield what a page shows by other means than text: formulas, and words in drawings."""
    formulas = sum(bool(_said(one)) and not _is_beside_text(one) for one in root.iter("math"))
    if formulas:
        yield f"{formulas} formula{'s' * (formulas > 1)} in MathML"
    drawings = sum(
        any(_said(part) for part in one.iter("text", "foreignobject")) for one in root.iter("svg")
    )
    if drawings:
        yield f"{drawings} drawing{'s' * (drawings > 1)} with words in SVG"
    fields = sum(
        bool((one.get("value") or one.get("placeholder") or "").strip())
        and (one.get("type") or "text").strip().lower() not in _NO_WORDS
        for one in root.iter("input")
    )
    if fields:
        yield f"{fields} field{'s' * (fields > 1)} of a form with words"
    pages = sum(bool((one.get("srcdoc") or "").strip()) for one in root.iter("iframe"))
    pages += sum(bool(_said(one)) for one in root.iter("object"))
    if pages:
        yield f"{pages} embedded page{'s' * (pages > 1)}"
    moved = sum(_is_moved(one) for one in root.iter() if isinstance(one.tag, str))
    if moved:
        yield f"{moved} element{'s' * (moved > 1)} with words that a style hides or moves"
    if any(_ADDED.search(one.text or "") for one in root.iter("style")):
        yield "words that a style sheet adds"


def _is_moved(element: Any) -> bool:
    """Return whether words of an element are drawn in another order, or otherwise than told."""
    style = element.get("style") or ""
    if element.tag == "bdo":
        return (element.get("dir") or "").strip().lower() == "rtl" and bool(_said(element))
    if not style:
        return False
    told: dict[str, set[bool]] = {}
    for name, value in _DISPLAY.findall(style):
        told.setdefault(name.lower(), set()).add(value.lower() in {"none", "hidden"})
    shown = False in told.get("visibility", ()) and any(
        _UNSEEN.search(one.get("style") or "") for one in element.iterancestors()
    )
    odd = shown or any(len(both) > 1 for both in told.values()) or bool(_MOVED.search(style))
    return odd and bool(_said(element))


def _said(element: Any) -> str:
    return "".join(element.itertext()).strip()


def _is_beside_text(formula: Any) -> bool:
    """Return whether a formula is for a screen reader, and what is shown stands beside it."""
    above = [*itertools.islice(formula.iterancestors(), 3)]
    return any(
        part.get("aria-hidden") == "true" or _UNSEEN.search(part.get("style") or "")
        for one in above
        for part in (one, *one)
        if isinstance(part.tag, str)
    )


def _flatten(root: Any) -> str:
    """Return the visible text; walks with events, so that depth costs no stack.

    What is struck out stands between ~~ and ~~, figures above the line are raised digits.
    """
    from lxml import etree

    out: list[str] = []
    hidden = preformatted = above = below = 0
    breaks = 2  # newlines at the end of what is out

    def say(text: str | None) -> None:
        nonlocal breaks
        if not text or hidden:
            return
        if not preformatted:
            before = out[-1] if out else ""
            text = raised(text, before) if above else lowered(text, before) if below else text
            text = re.sub(r"[ \t\r\n\f]+", " ", text)
            if text[0] == " " and (breaks or out[-1][-1] in " \t"):
                text = text[1:]
        if text:
            out.append(text)
            breaks = len(text[-2:]) - len(text[-2:].rstrip("\n"))

    def pause(newlines: int) -> None:
        nonlocal breaks
        if hidden or breaks >= newlines:
            return
        if out and out[-1] in {" ", "\t"}:
            out.pop()
        elif out:
            out[-1] = out[-1].rstrip(" ")
        out.append("\n" * (newlines - breaks))
        breaks = newlines

    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "start" and tag:
            if hidden or _is_hidden(element, tag):
                hidden += 1
                continue
            if tag in _PARAGRAPHS:
                pause(2)
            elif tag in _LINES:
                pause(1)
            preformatted += tag in {"pre", "textarea"}
            above += tag == "sup"
            below += tag == "sub"
            if tag in STRUCK:
                say("~~")
            say(element.text)
        elif event == "end" and tag:
            if hidden:
                hidden -= 1
            else:
                preformatted -= tag in {"pre", "textarea"}
                above -= tag == "sup"
                below -= tag == "sub"
                if tag in STRUCK:
                    say("~~")
                if tag in _PARAGRAPHS:
                    pause(2)
                elif tag in _LINES and tag != "br":
                    pause(1)
                elif tag in {"td", "th"} and not breaks:
                    out.append("\t")
            say(element.tail)
        else:
            say(element.tail)
    return "".join(out).strip("\n\t ") + "\n"


def _is_hidden(element: Any, tag: str) -> bool:
    return (
        tag in _DROPPED
        or "hidden" in element.attrib
        or (tag == "input")
        or bool(_UNSEEN.search(element.get("style") or ""))
    )

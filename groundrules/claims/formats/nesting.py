"""Nesting: where a browser ends or moves an element of HTML, and this reader's parser does not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from groundrules.claims.formats.styles import UNDERSTOOD

KINDS = {
    tag: kind
    for kind in ("paragraphs", "lines", "cells", "inline", "silent")
    for tag in UNDERSTOOD["elements"][kind].split()
}
_REOPENED = frozenset(UNDERSTOOD["elements"]["reopened"].split())
_IN_TABLES = frozenset(UNDERSTOOD["elements"]["table"].split())
_TABLES = frozenset({"table", "thead", "tbody", "tfoot", "tr"})
#: Elements that end a drawing or a formula that they stand in.
ENDING_DRAWINGS = {tag for tag, kind in KINDS.items() if kind not in {"cells", "silent"}} - {"a"}
ENDING_DRAWINGS |= {"head", "meta"}
_IN_LISTS = frozenset({"option", "optgroup", "hr", "script", "template"})
ROWS = frozenset("caption thead tbody tfoot tr td th".split())
_LISTS = frozenset({"select", "optgroup", "datalist"})
_HEADINGS = tuple(f"h{number}" for number in range(1, 7))
_ALONE: dict[str, tuple[str, ...]] = {
    tag: (tag,) for tag in ("a", "button", "form", "nobr", "noscript", "select")
}
_ALONE |= dict.fromkeys(_HEADINGS, _HEADINGS) | dict.fromkeys(("dd", "dt"), ("dd", "dt"))
_ALONE |= dict.fromkeys(("sup", "sub"), ("sup", "sub"))
_ALONE |= dict.fromkeys(UNDERSTOOD["elements"]["ending"].split(), ("p",))
#: Elements that may stand in a place where they are not drawn.
NESTED = _TABLES | set(_ALONE)
VOID = frozenset(UNDERSTOOD["elements"]["void"].split())
#: Elements that this reader's parser ends where a browser does not; of the first, those matter
#: that hide or draw words.
_CUT_SHORT = re.compile(
    r"Unexpected end tag : (?:(a|address|b|big|d[dlt]|font|h[1-6]|i|legend|listing|ol|pre|s|small"
    r"|span|strike|tt|u)|ul|menu|form)\s*\Z"
)
#: Elements that do not end by "/>", though this reader's parser takes them to.
_ENDED = re.compile(
    r"<(script|title|style|textarea|iframe|noscript|template|select|button|su[bp]|s|del|strike)/>"
    r"|<([a-z][\w-]{0,30}+)(?=(?:[^<>\s]|\s(?!(?:hidden|style|dir|popover)\b)){0,2000}+\s)"
    r"(?:[^<>/]|/(?!>)){1,2000}+/>"
)
_AGAIN = re.compile(r"<(html|body)\b([^<>]{0,2000})>")
_DRAWING = re.compile(r"\b(?:hidden|popover|dir|style|class|id|bgcolor|text|background)\b")


def ended_elsewhere(text: str, root: Any, errors: Iterable[str], drawn: set[str]) -> Iterator[str]:
    """Yield what of a page a browser ends elsewhere than this reader's parser, by its errors.

    `drawn` are the tags of what hides or draws its words otherwise.
    """
    ends = [one for error in errors if (one := _CUT_SHORT.match(error))]
    if any(one[1] is None or drawn for one in ends):
        yield "element{s} that a browser ends elsewhere"
    rest = without(text.lower(), ("<!--", "-->"), ("<script", "</script"), ("<svg", "</svg"))
    for tag in sorted(drawn & _REOPENED):
        if len(re.findall(rf"<{tag}[\s>]", rest)) != len(re.findall(rf"</{tag}[\s>]", rest)):
            yield f"element{{s}} <{tag}> without an end"
    for tag, said in _AGAIN.findall(rest):
        kept = next(root.iter(tag), root).attrib
        if {"hidden", "popover"} & set(kept) or set(_DRAWING.findall(said)) - set(kept):
            yield "element{s} <html> or <body> that hides or draws the page"
    for one in _ENDED.finditer(rest):
        if (tag := one[1] or one[2]) not in VOID:
            yield f"element{{s}} <{tag}/> that its slash does not end"


def without(text: str, *parts: tuple[str, str]) -> str:
    """Return a text without what stands between two marks; a part without an end stays."""
    for begin, end in parts:
        found, at = [], 0
        while (start := text.find(begin, at)) >= 0 and (stop := text.find(end, start + 4)) >= 0:
            found.append(text[at:start])
            at = stop + len(end)
        text = "".join((*found, text[at:]))
    return text


def misplaced(element: Any, tag: str, telling: set[Any]) -> Iterator[str]:
    """Yield that an element stands where a browser ends another one, or passes over its tag."""
    if tag in _TABLES and _is_upset(element, tag, telling):
        yield "table{s} with words beside the cells, or a foot above the rows"
    if tag in _LISTS and _is_upset(element, tag, telling):
        yield "list{s} of options with other words"
    if tag in ROWS and element.getparent().tag not in _TABLES:
        yield "part{s} of a table outside of one"
    elif tag in {"option", "optgroup"} and element.getparent().tag not in _LISTS:
        yield "option{s} outside of a list"
    elif tag == "summary" and (
        element.getprevious() is not None or (element.getparent().text or "").strip()
    ):
        yield "summary{s} behind what it sums up"
    elif tag in _ALONE:
        around = next(element.iterancestors(*_ALONE[tag], "dl"), None)
        if around is not None and around.tag != "dl":
            yield f"element{{s}} <{tag}> in another one"


def _is_upset(element: Any, tag: str, telling: set[Any]) -> bool:
    """Return whether a table has words beside its cells, or parts drawn in other places."""
    if any((one or "").strip() for one in (element.text, *(part.tail for part in element))):
        return True
    parts = [part for part in element if isinstance(part.tag, str)]
    within = _IN_LISTS if tag in _LISTS else _IN_TABLES
    if any(part.tag not in within and part in telling for part in parts):
        return True
    rows = [part.tag for part in parts if part.tag in {"thead", "tbody", "tfoot", "tr"}]
    return tag == "table" and ("thead" in rows[1:] or "tfoot" in rows[:-1])

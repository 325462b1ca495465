"""What a browser draws that is no text of a page: numbers of lists, values of fields, quotes."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from groundrules.claims.formats.styles import UNDERSTOOD

_FIELDS = {kind: how for how, kinds in UNDERSTOOD["fields"].items() for kind in kinds.split()}
#: So many characters of a field are shown where it does not say how many.
_WIDTH = 20
_MARKED = frozenset({"q", "li", "input", "textarea", "option", "optgroup", "img", "image"})


def mark_of(element: Any, tag: str, numbers: list[int] | None, unread: Counter[str]) -> str:
    """Return what a browser puts before the words of an element that it has no words of.

    `numbers` has the next number of its list, which it takes, and the step.
    """
    if tag not in _MARKED:
        return ""
    if tag == "q":
        return "“"
    if tag in {"img", "image"}:
        pictured = any(name.endswith(("src", "srcset")) for name in element.attrib)
        return "" if pictured else element.get("alt") or ""
    if tag in {"option", "optgroup"}:
        own = tag == "option" and (element.text or "").strip()
        label = (element.get("label") or "").strip()
        if own and label and label != own:
            unread["element{s} <option> under another label"] += 1
        return "" if own else label
    if tag == "textarea":
        return "" if (element.text or "").strip() else element.get("placeholder") or ""
    if tag == "input":
        return _field(element, unread)
    if not numbers:
        return ""
    if (value := (element.get("value") or "").strip()).removeprefix("-").isdecimal():
        numbers[0] = int(value[:9])
    number, numbers[0] = numbers[0], numbers[0] + numbers[1]
    if {element.get("type"), element.getparent().get("type")} - {None, "", "1"}:
        unread["list{s} numbered by letters"] = 1
    return f"{number}. "


def numbering(element: Any) -> list[int] | None:
    """Return the number of the next item of a list and the step, if a page says it."""
    told = any("value" in one.attrib for one in element.iterchildren("li"))
    if element.tag != "ol" or not (told or {"start", "reversed"} & set(element.attrib)):
        return None
    down = "reversed" in element.attrib
    first = (element.get("start") or "").strip()
    if not first.removeprefix("-").isdecimal():
        first = str(len(element.findall("li"))) if down else "1"
    return [int(first[:9]), -1 if down else 1]


def _field(element: Any, unread: Counter[str]) -> str:
    """Return the words that a field of a form shows."""
    kind = (element.get("type") or "text").strip().lower()
    how = _FIELDS.get(
        kind, "" if kind in {"date", "time", "month", "week", "datetime-local"} else "written"
    )
    value = re.sub("[\r\n]", "", element.get("value") or "")
    if how == "labelled":
        return value
    if how == "silent" or (not how and not value):
        return ""
    if not how or (kind == "number" and value and not re.fullmatch(r"-?\d+(\.\d+)?", value)):
        unread[f"field{{s}} of the kind {kind}"] += 1
        return value
    size = (element.get("size") or "").strip()
    if len(value) > (int(size[:9]) if size.isdecimal() and size.strip("0") else _WIDTH):
        unread["field{s} with more words than it shows"] += 1
    return value or element.get("placeholder") or ""

"""Markup: elements that no text can break, and text in which nothing hides.

All that is no `Html` is escaped where it enters an element, so that only this module and the parts
that are written here make tags. What a reader could not see, or what turns the direction of
writing, is shown by its code point.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from html import escape

from groundrules.explain.place import printable

#: What has no children: elements of HTML, and of SVG, which wants them closed.
_VOID = {"meta": ">", "input": ">", "br": ">", "rect": "/>", "path": "/>"}
_LINE = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_OTHER = re.compile(r"[^\x20-\x7e\n\t]")
#: Between letters and emoji these two are spelling.
_JOINERS = "\u200c\u200d"
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn")


class Html(str):
    """Markup: a text that is escaped already."""

    __slots__ = ()


Child = str | None


def element(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Html:
    """Return an element; children and values that are no Html are escaped.

    `class_` is written as class, `data_rules` as data-rules; None and False leave an attribute out.
    """
    told = "".join(
        f" {_attribute(key)}" if value is True else f' {_attribute(key)}="{_value(str(value))}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{told}{_VOID[name]}")
    return Html(f"<{name}{told}>{join(*children)}</{name}>")


def join(*children: Child) -> Html:
    """Return children beside each other, those that are no Html escaped."""
    return Html("".join(c if isinstance(c, Html) else shown(c) for c in children if c))


def whole_page(title: str, *body: Child, style: str, script: str = "", images: str = "") -> str:
    """Return a whole page that asks nothing of the network, with its style and its script in it.

    `images` is the source that its policy lets images come from, none where it is empty.
    """
    policy = [
        "default-src 'none'",
        f"style-src 'sha256-{_digest(style)}'",
        f"script-src 'sha256-{_digest(script)}'" if script else "",
        f"img-src {images}" if images else "",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element(
            "meta", http_equiv="Content-Security-Policy", content="; ".join(filter(None, policy))
        ),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        Html(f"<style>{style}</style>"),
    )
    run = Html(f"<script>{script}</script>") if script else None
    html = element("html", head, element("body", *body, run), lang="en")
    return f"<!doctype html>\n{html}\n"


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def shown(text: str) -> Html:
    """Return a text escaped, each hidden character in it shown by its code point."""
    return Html(_OTHER.sub(_visible, escape(_LINE.sub("\n", text), quote=True)))


def quoted(text: str) -> Html:
    """Return words of a text on one line, apart from the direction of what stands around them."""
    return element("bdi", " ".join(text.split()))


def code(text: str) -> Html:
    """Return a name, hash or term as it is written."""
    return element("code", text)


def _visible(found: re.Match[str]) -> str:
    character = found[0]
    if character in _JOINERS or unicodedata.category(character) not in _HIDDEN:
        return character
    return f'<span class="hidden-character">U+{ord(character):04X}</span>'


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _value(text: str) -> str:
    return escape(printable(text), quote=True)

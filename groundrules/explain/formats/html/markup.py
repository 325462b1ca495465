"""Markup: templates whose text can break nothing, and text in which nothing hides.

Whatever a template prints that is no `Markup` is escaped, so that only templates and the parts that
are written here make tags. What a reader could not see, or what turns the direction of writing, is
shown by its code point.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from groundrules.explain.findings import counted
from groundrules.explain.place import printable

_LINE = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_OTHER = re.compile(r"[^\x20-\x7e\n\t]")
#: Between letters and emoji these two are spelling.
_JOINERS = "\u200c\u200d"
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn")
_FOLDER = Path(__file__).parent
#: What the style of each page begins with.
_BASE = _FOLDER / "base.css"


def whole_page(
    template: Path, *, style: str, script: str = "", images: str = "", **given: Any
) -> str:
    """Return a whole page that asks nothing of the network, with its style and its script in it.

    `images` is the source that its policy lets images come from, none where it is empty.
    """
    style = f"{_BASE.read_text('utf-8')}\n{style}"
    policy = [
        "default-src 'none'",
        f"style-src 'sha256-{_digest(style)}'",
        f"script-src 'sha256-{_digest(script)}'" if script else "",
        f"img-src {images}" if images else "",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    found = _environment(template.parent).get_template(template.name)
    ours = {"style": Markup(style), "script": Markup(script)}  # noqa: S704 - of files beside us
    return found.render(given, policy="; ".join(filter(None, policy)), **ours)


@cache
def _environment(folder: Path) -> Environment:
    made = Environment(
        loader=FileSystemLoader([folder, _FOLDER]),
        autoescape=True,
        finalize=_told,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(
        attr=attribute, quoted=quoted, number=lambda n: f"{n:,}", share=lambda n: f"{n:.0%}"
    )
    made.globals.update(counted=counted)
    made.tests.update(figure=_is_figure)
    return made


def _told(value: Any) -> Markup:
    if value is None:
        return Markup()
    return value if isinstance(value, Markup) else shown(str(value))


def _is_figure(cell: str) -> bool:
    plain = re.sub(r"</?a\b[^<>]*>", "", cell)
    return bool(plain) and all(one in "0123456789,.%–" for one in plain)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def shown(text: str) -> Markup:
    """Return a text escaped, each hidden character in it shown by its code point."""
    plain = str(escape(_LINE.sub("\n", text)))
    return Markup(_OTHER.sub(_visible, plain))  # noqa: S704 - it is escaped


def quoted(text: str) -> Markup:
    """Return words of a text on one line, apart from the direction of what stands around them."""
    return within("bdi", " ".join(text.split()))


def within(tag: str, text: str, kind: str = "") -> Markup:
    """Return a text, escaped where it is no markup, in an element of some class."""
    return element(tag, text, class_=kind or None)


def joined(*parts: str | None) -> Markup:
    """Return parts beside each other, those that are no markup escaped."""
    return Markup("").join(one if isinstance(one, Markup) else shown(one) for one in parts if one)


def element(name: str, /, *children: str | None, **attributes: str | None) -> Markup:
    """Return an element; `class_` is written as class, None leaves an attribute out."""
    told = (
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), attribute(value))
        for key, value in attributes.items()
        if value is not None
    )
    return Markup("<{0}{1}>{2}</{0}>").format(name, Markup("").join(told), joined(*children))


def attribute(text: object) -> Markup:
    """Return a text as the value of an attribute."""
    return escape(printable(str(text)))


def _visible(found: re.Match[str]) -> str:
    character = found[0]
    if character in _JOINERS or unicodedata.category(character) not in _HIDDEN:
        return character
    return f'<span class="hidden-character">U+{ord(character):04X}</span>'
